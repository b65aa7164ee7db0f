//! The index of a day that a study names: the histories that its plans go by, and the files that its environments are built from.

use std::path::Path;

use nbrevive_environment::Index;
use nbrevive_environment::index::{ExportScope, IndexAddress, IndexError};
use nbrevive_mirror::{HISTORIES, MirrorServer};

use crate::laboratory::{Laboratory, LaboratoryError};
use crate::settings::snapshot::StudySnapshot;

impl Laboratory {
    /// Writes the histories that its plans went by so far into one file, for [`nbrevive_mirror::Mirror::take_histories`].
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn save_snapshot(&self, path: &Path) -> Result<(), LaboratoryError> {
        Ok(self.index.export_snapshot(path, ExportScope::Asked)?)
    }

    /// Lets it plan and build from a snapshot and from nothing else, from now on. A snapshot without histories answers no plan.
    ///
    /// # Errors
    /// When the folder is not what its list says, or cannot be served on loopback.
    pub fn only_from(mut self, snapshot: &StudySnapshot) -> Result<Self, LaboratoryError> {
        let server = MirrorServer::open(&snapshot.folder, 0)?;
        self.installs_from = Some(IndexAddress::given(&server.address()));
        let histories = snapshot.folder.join(HISTORIES);
        self.index = if histories.is_file() {
            Index::of_snapshot(&histories).map_err(IndexError::from)?
        } else {
            Index::fixed(Vec::new())
        };
        std::thread::spawn(move || server.serve());
        Ok(self)
    }
}
