//! Files from hosts that a study allows, installed on top of a lock.

use std::fs::{self, File};
use std::io;
use std::path::PathBuf;

use super::apart::that_wheel;
use super::install::Install;
use super::sources::{Ground, unbuilt};
use super::{BuildError, BuildFailed, FailureClass};
use crate::home::{self, HomeError};
use crate::index::{SourceArchive, wheel_requires};
use crate::link::Fetched;
use crate::requirement::NamedRequirement;

/// Longest source archive that is built, in bytes: those of the index have the same limit.
const LONGEST_ARCHIVE: u64 = 100 << 20;

impl Install<'_> {
    /// Installs files, each as it is and without an index. Gives what they require, which comes from the index as everything else: an
    /// installer that was told of an address would go on to the addresses that the file names.
    pub(crate) fn fetched(&self, files: &[Fetched]) -> Result<Vec<NamedRequirement>, BuildError> {
        let mut all = Vec::new();
        for file in files {
            let (wheel, requires) = self.wheel_of_fetched(file)?;
            for text in &requires {
                match NamedRequirement::parse(text) {
                    Ok(named) => all.push(named),
                    // What only an extra asks for: none was asked for.
                    Err(_) if text.split_once(';').is_some_and(|(_, marker)| marker.contains("extra")) => {}
                    Err(error) => {
                        let names = vec![file.name.clone()];
                        let words = format!("{} requires what is not installed: {error}", file.name);
                        return Err(BuildFailed::of(FailureClass::NoMatchingVersion, names, &words).into());
                    }
                }
            }
            let mut command = self.installer_of(self.path)?;
            // The lock may hold the distribution in the same version.
            command.arg("--force-reinstall");
            that_wheel(&mut command, &wheel);
            self.must(&mut command, &[])?;
        }
        Ok(all)
    }

    /// The wheel under its own name, in a folder where no other installer finds it, and what it requires.
    fn wheel_of_fetched(&self, file: &Fetched) -> Result<(PathBuf, Vec<String>), BuildError> {
        let no_workshop = || unbuilt(&file.name, "nothing is fetched where there is no sandbox to build in");
        if self.workshop().is_none() {
            return Err(no_workshop().into());
        }
        if let Some(requires) = &file.requires {
            let to = self.builds().join("fetched").join(&file.file);
            home::create_folder(&self.builds().join("fetched"))?;
            fs::copy(&*file.path, &to).map_err(|error| HomeError::new("write", &to, error))?;
            return Ok((to, requires.clone()));
        }
        let bytes = nbrevive_files::read(&file.path, LONGEST_ARCHIVE)
            .map_err(|error| HomeError::new("read", &file.path, io::Error::from(error)))?;
        let archive = SourceArchive::of(file.file.clone(), bytes);
        let wheel = self.built(&archive, &file.name, Ground::Isolated(""))?.ok_or_else(no_workshop)?;
        let opened = File::open(&wheel).map_err(|error| HomeError::new("read", &wheel, error))?;
        let requires = wheel_requires(opened, &file.name, &file.version).map_err(|why| unbuilt(&file.name, &why))?;
        Ok((wheel, requires))
    }
}
