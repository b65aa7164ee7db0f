//! Room on disk: an execution starts only where its working folder has room, and the run pauses while there is too little.

use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use nbrevive_files::{free_bytes, unpoisoned};

use crate::laboratory::LaboratoryError;
use crate::settings::disk::DiskSettings;
use crate::settings::limits::seconds;

const MEBIBYTE: u64 = 1 << 20;
/// How often a pausing run looks whether there is room.
const LOOK: Duration = Duration::from_millis(500);

/// A folder with too little room for one more execution.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{} has {} MiB free and needs {}: free some space, or lower `reserve_mib` of [disk] or `disk_mib` of [limits]",
    folder.display(), free / MEBIBYTE, need.div_ceil(MEBIBYTE)
)]
pub struct RoomLack {
    /// The folder.
    pub folder: PathBuf,
    /// What is free, in bytes.
    pub free: u64,
    /// What has to be free, in bytes.
    pub need: u64,
}

/// A run that stands still for want of room, or goes on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pause {
    /// It waits, for the reason given.
    Begun(RoomLack),
    /// There is room again.
    Over,
}

/// Lets executions start while their working folders have room.
pub(crate) struct Space<'a> {
    /// The folder in which working folders are made, and what has to be free there: for the reserve, and for one execution.
    work: (PathBuf, u64),
    /// The store's folder.
    store: PathBuf,
    reserve: u64,
    patience: Duration,
    tell: Box<dyn Fn(&Pause) + Sync + 'a>,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// Executions that were let start and have not ended.
    running: u64,
    /// Since when there is too little room.
    since: Option<Instant>,
    /// Nobody waits any more in this run.
    gave_up: bool,
}

impl<'a> Space<'a> {
    /// Watches over `work`, where an execution needs `one` bytes, and `store`. `tell` hears of each pause once.
    pub(crate) fn new(
        settings: &DiskSettings,
        (work, one): (&Path, u64),
        store: &Path,
        tell: Box<dyn Fn(&Pause) + Sync + 'a>,
    ) -> Self {
        Space {
            work: (work.to_owned(), one),
            store: store.to_owned(),
            reserve: settings.reserve(),
            patience: seconds(settings.longest_wait_seconds),
            tell,
            state: Mutex::default(),
            changed: Condvar::new(),
        }
    }

    /// Lets one execution start. Waits while executions that run may still need the room that there is, and pauses the run
    /// while even one alone has too little.
    ///
    /// # Errors
    /// [`LaboratoryError::NoRoom`] when the run has waited long enough.
    pub(crate) fn permit(&self) -> Result<RoomPermit<'_, 'a>, LaboratoryError> {
        let mut state = self.lock();
        loop {
            let Some(lack) = self.lack(0) else {
                self.end_pause(&mut state);
                if state.running == 0 || self.lack(state.running).is_none() {
                    state.running += 1;
                    return Ok(RoomPermit { space: self });
                }
                state = self.wait(state);
                continue;
            };
            if state.gave_up || state.since.is_some_and(|since| since.elapsed() >= self.patience) {
                state.gave_up = true;
                self.changed.notify_all();
                return Err(lack.into());
            }
            if state.since.is_none() {
                state.since = Some(Instant::now());
                (self.tell)(&Pause::Begun(lack));
            }
            state = self.wait(state);
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        unpoisoned(self.state.lock())
    }

    fn wait<'guard>(&self, state: MutexGuard<'guard, State>) -> MutexGuard<'guard, State> {
        unpoisoned(self.changed.wait_timeout(state, LOOK)).0
    }

    fn end_pause(&self, state: &mut State) {
        state.gave_up = false;
        if state.since.take().is_some() {
            (self.tell)(&Pause::Over);
        }
    }

    /// Which folder has too little room for one more execution beside so many.
    fn lack(&self, running: u64) -> Option<RoomLack> {
        let (work, one) = &self.work;
        let needs = [(&self.store, self.reserve), (work, self.reserve.saturating_add(one.saturating_mul(running + 1)))];
        let asked = |(folder, need): (&PathBuf, u64)| {
            Some(RoomLack { folder: folder.clone(), free: free_bytes(folder).ok()?, need })
        };
        needs.into_iter().filter_map(asked).find(|lack| lack.free < lack.need)
    }
}

/// Room for an execution, until it is dropped.
pub(crate) struct RoomPermit<'space, 'a> {
    space: &'space Space<'a>,
}

impl Drop for RoomPermit<'_, '_> {
    fn drop(&mut self) {
        self.space.lock().running -= 1;
        self.space.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A space over a real folder whose executions need `share` of what is free there.
    fn space<'a>(folder: &Path, share: f64, seconds: f64, told: &'a Mutex<Vec<Pause>>) -> Space<'a> {
        let free = Duration::from_secs(free_bytes(folder).unwrap() >> 20).mul_f64(share).as_secs() << 20;
        let settings = DiskSettings { reserve_mib: 1, longest_wait_seconds: seconds, ..DiskSettings::default() };
        let tell = Box::new(|pause: &Pause| told.lock().unwrap().push(pause.clone()));
        Space::new(&settings, (folder, free), folder, tell)
    }

    #[test]
    fn two_that_do_not_fit_beside_each_other_run_one_after_the_other() {
        let (folder, told) = (tempfile::tempdir().unwrap(), Mutex::default());
        let space = space(folder.path(), 0.7, 60.0, &told);
        let first = space.permit().unwrap();
        let order = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let _second = space.permit().unwrap();
                order.lock().unwrap().push("second");
            });
            // Time to go wrong in.
            std::thread::sleep(Duration::from_millis(100));
            order.lock().unwrap().push("first");
            drop(first);
        });
        assert_eq!(order.into_inner().unwrap(), ["first", "second"]);
        assert_eq!(*told.lock().unwrap(), [], "that is no want of room");
    }

    #[test]
    fn a_disk_that_never_fits_is_told_once_and_given_up_for_the_rest_of_the_run() {
        let (folder, told) = (tempfile::tempdir().unwrap(), Mutex::default());
        let space = space(folder.path(), 2.0, 0.2, &told);
        for _ in 0..2 {
            let error = space.permit().err().unwrap();
            assert!(
                matches!(&error, LaboratoryError::NoRoom(lack) if lack.to_string().contains("disk_mib")),
                "{error}"
            );
        }
        let told = told.lock().unwrap();
        assert!(matches!(told.as_slice(), [Pause::Begun(lack)] if lack.to_string().contains("MiB free")), "{told:?}");
    }
}
