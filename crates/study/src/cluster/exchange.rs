//! What a follower takes in and hands out: shards into the store, and seeds from it.

use std::collections::BTreeSet;
use std::path::Path;

use nbrevive_store::shards::{MergedRows, merge, seed};
use nbrevive_store::{Store, StoreError};

use crate::cluster::batch_file::BatchFile;
use crate::cluster::follow::{Follower, number_of, scratch_beside};
use crate::cluster::follow_error::{FollowError, MergeError};
use crate::cluster::parcel::{ParcelError, ParcelHead, open_parcel, seal_parcel};

/// The longest executed notebook that is taken, in bytes.
const LONGEST: u64 = 1 << 30;

impl Follower<'_> {
    /// Merges the shard of this name.
    pub(super) fn merge_one(&mut self, name: &str) -> Result<(ParcelHead, MergedRows), MergeError> {
        let (run, parcel) = (&self.folder.run, self.folder.part("shards").join(name));
        let foreign = |why: &str| ParcelError::Foreign { parcel: parcel.clone(), why: why.to_owned() };
        let into = scratch_beside(self.store.folder()).map_err(MergeError::Stopped)?;
        let head = open_parcel(&parcel, (&run.run, &run.program), into.path())?;
        if number_of(name) != Some(head.batch) {
            return Err(foreign("its name is of another batch").into());
        }
        let batch = BatchFile::read(&self.folder.batch(head.batch), &run.program)?;
        let asked: BTreeSet<_> = batch.jobs.iter().collect();
        if head.decided.iter().chain(head.undone.iter().map(|(job, ..)| job)).any(|job| !asked.contains(job)) {
            return Err(foreign("it has jobs that its batch has not").into());
        }
        let shard = into.path();
        let mut place = |store: &Store, file: &str| copy_notebook(shard, store, file);
        let rows = merge(self.store, shard, &head.decided, self.folder.run.second, &mut place)?;
        Ok((head, rows))
    }

    /// Packs what the store has of a batch's versions, where it has something; the name of the parcel.
    pub(super) fn seed_of(&self, batch: &BatchFile) -> Result<Option<String>, FollowError> {
        let versions: BTreeSet<&str> = batch.jobs.iter().map(|job| job.version.as_str()).collect();
        if !versions.iter().any(|version| self.stored.contains(*version)) {
            return Ok(None);
        }
        let scratch = scratch_beside(self.store.folder())?;
        let folder = scratch.path().join("seed");
        let mut new = Store::open(&folder)?;
        let of = self.store.folder();
        let seeded = seed(&mut new, self.store, &versions, &mut |new, file| copy_notebook(of, new, file));
        seeded.map_err(|error| match error {
            nbrevive_store::shards::ShardError::Store(error) => FollowError::Store(error),
            other => FollowError::Io { path: of.to_owned(), source: std::io::Error::other(other) },
        })?;
        drop(new);
        let head = ParcelHead::new(&batch.run, &batch.program, 0, "");
        let place = (self.folder.part("seeds"), batch.number.to_string());
        seal_parcel(&folder, &head, scratch.path(), (&place.0, &place.1)).map(Some).map_err(FollowError::Seed)
    }
}

/// Puts an executed notebook of one store into another; one that is not there any more was cut off before.
fn copy_notebook(from: &Path, store: &Store, file: &str) -> Result<(), StoreError> {
    let name = file.strip_prefix("executed/").and_then(|name| name.strip_suffix(".ipynb"));
    let Some(name) = name.filter(|name| !name.contains(['/', '\0'])) else { return Ok(()) };
    match nbrevive_files::read_text(&from.join("executed").join(format!("{name}.ipynb")), LONGEST) {
        Ok(text) => store.write_executed(name, &text).map(drop),
        Err(error) if error.is_not_found() => Ok(()),
        Err(error) => Err(StoreError::Io { path: from.join(file), source: error.into() }),
    }
}
