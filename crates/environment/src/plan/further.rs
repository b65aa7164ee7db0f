//! Steps back that grow.

use jiff::Timestamp;
use pep440_rs::Version;

use super::StepBack;
use crate::history::Release;
use crate::index::{Index, Lookup};

impl StepBack {
    /// The same step, twice as far as the last one where its distribution stepped back `before`: what was compiled for a newer library has to
    /// be years older at times, and each release on the way costs an environment. The oldest release is always left.
    #[must_use]
    pub fn further(self, before: usize, date: Timestamp, index: &Index) -> Self {
        let Ok(Lookup::Known { history, .. }) = index.history(&self.distribution) else { return self };
        let counts = |release: &&Release| {
            release.version < self.below && release.version.is_stable() && !release.yanked && release.uploaded < date
        };
        let older: Vec<&Version> =
            history.releases.iter().rev().filter(counts).map(|release| &release.version).collect();
        let skipped = 1_usize.checked_shl(u32::try_from(before).unwrap_or(u32::MAX)).map_or(usize::MAX, |all| all - 1);
        match skipped.min(older.len().saturating_sub(1)).checked_sub(1) {
            Some(last) => Self { below: older[last].clone(), ..self },
            None => self,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::fixture::{PURE, World, day};

    #[test]
    fn each_step_back_of_one_distribution_is_twice_as_long_as_the_last() {
        let mut world = World::new();
        for minor in 0..20 {
            world = world.add(&format!("cftime 1.{minor}"), &format!("2020-01-{:02}", minor + 1), &[PURE], &[]);
        }
        let index =
            world.add("cftime 2.0rc1", "2020-01-25", &[PURE], &[]).add("lone 1.0", "2020-01-01", &[PURE], &[]).index();
        let below = |name: &str, below: &str, before| {
            let (distribution, below) = (name.to_owned(), below.parse().unwrap());
            let step = StepBack { distribution, below, because: "it clashes".into() };
            step.further(before, day("2020-02-01"), &index).below.to_string()
        };
        // The release before, then the third, the seventh.
        assert_eq!(below("cftime", "1.19", 0), "1.19");
        assert_eq!(below("cftime", "1.18", 1), "1.17");
        assert_eq!(below("cftime", "1.16", 2), "1.13");
        // One release is left.
        assert_eq!(below("cftime", "1.3", 4), "1.1");
        assert_eq!(below("cftime", "1.1", 1), "1.1");
        assert_eq!(below("cftime", "1.3", 200), "1.1");
        assert_eq!(below("lone", "1.0", 3), "1.0");
        assert_eq!(below("nobody", "1.0", 3), "1.0");
    }
}
