//! The release nearest to what is asked for, where nothing of that can be installed.

use std::sync::Arc;

use jiff::Timestamp;
use pep440_rs::{Operator, Version};

use super::distribution::{Circumstances, Distribution, Grade, Wishes};
use crate::history::{History, Release};
use crate::interpreter::Interpreter;
use crate::requirement::Requirement;

/// The releases of a distribution as an interpreter sees them on a date.
pub(crate) struct Releases<'plan> {
    distribution: Distribution,
    circumstances: Circumstances<'plan>,
}

impl<'plan> Releases<'plan> {
    /// Those of a history, of which `asked` are asked for.
    pub(crate) fn new(
        history: Arc<History>,
        asked: &[&Requirement],
        interpreter: &'plan Interpreter,
        date: Timestamp,
    ) -> Self {
        let pin = asked.iter().find(|one| one.is_exact()).map(|one| (*one).clone());
        let name = history.name.clone();
        let distribution = Distribution::new(&name, Some(history), Wishes { pin, ..Wishes::default() });
        Self { distribution, circumstances: Circumstances { interpreter, date } }
    }

    /// When the newest was released of those before the date that all of `asked` admit.
    pub(crate) fn newest_within(&self, asked: &[&Requirement]) -> Option<Timestamp> {
        let admitted = self.distribution.releases().iter().filter(|release| admit(asked, release));
        admitted.map(|release| release.uploaded).filter(|uploaded| *uploaded < self.circumstances.date).max()
    }

    /// Whether all of `asked` admit any.
    pub(crate) fn are_admitted(&self, asked: &[&Requirement]) -> bool {
        self.distribution.releases().iter().any(|release| admit(asked, release))
    }

    /// Whether any that all of `asked` admit can be installed, be it with a file of after the date.
    pub(crate) fn have(&self, asked: &[&Requirement]) -> bool {
        let mut releases = (0_u32..).zip(self.distribution.releases());
        releases.any(|(at, release)| admit(asked, release) && self.grade(at).file().is_some())
    }

    /// The oldest final one from the asked version on that could be installed before the date, else the newest of before that version.
    pub(crate) fn nearest_to(&self, asked: &[&Requirement]) -> Option<&Version> {
        let wished = wished(asked)?;
        let final_ones = || {
            let before = |at: u32| matches!(self.grade(at), Grade::Before(_));
            let releases = (0_u32..).zip(self.distribution.releases());
            releases
                .filter(move |(at, release)| release.version.is_stable() && before(*at))
                .map(|(_, one)| &one.version)
        };
        let newer = final_ones().filter(|version| *version >= wished).min();
        newer.or_else(|| final_ones().filter(|version| *version < wished).max())
    }

    fn grade(&self, at: u32) -> Grade {
        self.distribution.grade(at, &self.circumstances)
    }
}

fn admit(asked: &[&Requirement], release: &Release) -> bool {
    asked.iter().all(|one| one.admits(&release.version))
}

/// The first version that a bound names as one that it would have.
fn wished<'asked>(asked: &[&'asked Requirement]) -> Option<&'asked Version> {
    let excludes = |operator: &Operator| matches!(operator, Operator::NotEqual | Operator::NotEqualStar);
    let mut specifiers = asked.iter().flat_map(|one| one.specifiers.iter());
    specifiers.find(|one| !excludes(one.operator())).map(pep440_rs::VersionSpecifier::version)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::fixture::{FOR_36, FOR_37, PURE, SDIST, World, day, interpreter};

    fn nearest(asked: &str, python: &str, date: &str) -> (bool, Option<String>) {
        let world = World::new()
            .add("pillow 3.4.2", "2016-10-18", &[FOR_37], &[])
            .add("pillow 4.0.0", "2017-01-01", &[FOR_36, SDIST], &[])
            .add("pillow 4.1.0rc1", "2017-03-01", &[FOR_36, FOR_37], &[])
            .add("pillow 5.0.0", "2018-01-01", &[FOR_36, FOR_37], &[])
            .add("pillow 9.0.1", "2022-02-03", &["cp38-cp38-manylinux1_x86_64"], &[]);
        let history = world.entries().find(|entry| entry.history.name == "pillow").unwrap().history;
        let (asked, interpreter) = (Requirement::read(asked).unwrap(), interpreter(python));
        let releases = Releases::new(Arc::new(history), &[&asked], &interpreter, day(date));
        (releases.have(&[&asked]), releases.nearest_to(&[&asked]).map(ToString::to_string))
    }

    #[test]
    fn the_next_newer_release_that_can_be_installed_else_the_next_older_one() {
        let found = |version: &str| Some(version.to_owned());
        assert_eq!(nearest("pillow==3.4.2", "3.6.15", "2023-01-01"), (false, found("4.0.0")));
        assert_eq!(nearest("pillow==3.4.2", "3.7.16", "2023-01-01"), (true, found("3.4.2")));
        assert_eq!(nearest("pillow==9.0.1", "3.7.16", "2023-01-01"), (false, found("5.0.0")));
        // A pre-release is no way out, and what came after the date is none.
        assert_eq!(nearest("pillow==4.0.0", "3.7.16", "2023-01-01"), (false, found("5.0.0")));
        assert_eq!(nearest("pillow==4.1", "3.6.15", "2017-06-01"), (false, found("4.0.0")));
        assert_eq!(nearest("pillow!=5.0.0,>=4.5,<6", "3.6.15", "2023-01-01"), (false, found("5.0.0")));
        assert_eq!(nearest("pillow==3.4.2", "2.7.18", "2023-01-01"), (false, None));
        // Without a bound nothing is nearer than anything else.
        assert_eq!(nearest("pillow", "3.6.15", "2023-01-01"), (true, None));
    }

    #[test]
    fn a_bound_is_as_young_as_the_newest_release_within() {
        let world = World::new().add("six 1.0", "2015-01-01", &[PURE], &[]).add("six 1.1", "2016-01-01", &[PURE], &[]);
        let history = Arc::new(world.entries().find(|entry| entry.history.name == "six").unwrap().history);
        let interpreter = interpreter("3.6.15");
        let newest = |asked: &str, date: &str| {
            let asked = Requirement::read(asked).unwrap();
            Releases::new(Arc::clone(&history), &[&asked], &interpreter, day(date)).newest_within(&[&asked])
        };
        assert_eq!(newest("six==1.0", "2017-01-01"), Some(day("2015-01-01")));
        assert_eq!(newest("six>=1.0", "2017-01-01"), Some(day("2016-01-01")));
        assert_eq!(newest("six>=1.0", "2015-06-01"), Some(day("2015-01-01")));
        assert_eq!(newest("six>2", "2017-01-01"), None);
    }
}
