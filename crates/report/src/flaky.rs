//! Versions that came out otherwise when they were run again: `flaky.parquet`, and what becomes of them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use nbrevive_corpus::Condition;

use crate::frame::{ColumnRule, Frame, FrameError, Kind, required};
use crate::number_words::plural;

/// What becomes of flaky versions in tables and figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Flaky {
    /// They are counted by their first repetition, and how many there are is said.
    #[default]
    Show,
    /// They are left out of every condition, and how many were is said.
    LeaveOut,
}

/// What A/A runs found.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Repeated {
    /// How many versions ran more than once under any condition.
    versions: u64,
    /// Those whose repetitions differ under any condition.
    flaky: BTreeSet<String>,
    /// The share of repetitions that differ from the most frequent, of each version that ran more than once under a condition.
    rates: BTreeMap<(Condition, String), f64>,
    /// Whether these were left out.
    pub(crate) left_out: bool,
}

const FLAKY: &[ColumnRule] = &[
    required("version", Kind::Text),
    required("condition", Kind::Text),
    required("repetitions", Kind::Count),
    required("flaky", Kind::Switch),
    required("rate", Kind::Number),
];

impl Repeated {
    /// Reads `flaky.parquet` in `folder`; exports of programs that repeated nothing lack it.
    pub(crate) fn read(folder: &Path) -> Result<Self, FrameError> {
        let path = folder.join("flaky.parquet");
        if !path.is_file() {
            return Ok(Repeated::default());
        }
        let frame = Frame::read(&path, FLAKY)?;
        let versions = frame.texts("version")?;
        let is_flaky = frame.switches("flaky")?;
        let flaky = versions.iter().zip(is_flaky).filter(|(_, is_flaky)| *is_flaky).map(|(version, _)| version.clone());
        let flaky = flaky.collect();
        let keys = frame.words::<Condition>("condition")?.into_iter().zip(versions.iter().cloned());
        let rates = keys.zip(frame.measures("rate")?).collect();
        let versions = versions.into_iter().collect::<BTreeSet<_>>().len() as u64;
        Ok(Repeated { versions, flaky, rates, left_out: false })
    }

    /// Whether repetitions of this version came out otherwise.
    pub(crate) fn is_flaky(&self, version: &str) -> bool {
        self.flaky.contains(version)
    }

    /// Whether any version was run more than once.
    pub(crate) const fn is_measured(&self) -> bool {
        self.versions > 0
    }

    /// The flaky rate of a version under a condition, where it was run more than once.
    pub(crate) fn rate(&self, condition: Condition, version: &str) -> Option<f64> {
        self.rates.get(&(condition, version.to_owned())).copied()
    }

    /// The flaky rates of all versions that were run more than once under a condition.
    pub(crate) fn rates(&self, condition: Condition) -> Vec<f64> {
        self.rates.iter().filter(|((own, _), _)| *own == condition).map(|(_, rate)| *rate).collect()
    }

    /// The line below a table that says what was found; none where nothing ran more than once and nothing was asked.
    pub(crate) fn note(&self) -> Option<String> {
        match (self.versions, self.left_out) {
            (0, false) => None,
            (0, true) => Some("Flaky: no version was run more than once, so none is left out.".to_owned()),
            (versions, left_out) => {
                let fate = if left_out { "left out" } else { "counted by their first repetition" };
                let of = plural(versions, "version");
                Some(format!("Flaky: {} of {of} that were run more than once; {fate}.", self.flaky.len()))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use polars::prelude::Column;

    use super::*;
    use crate::outcome_line::Line;
    use crate::terminal;
    use crate::testing::{Synthetic, write};

    /// Four versions at baseline, two of them run again, one of these flaky.
    fn folder() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let mut study = Synthetic::default();
        study.add(Condition::BASELINE, Line::ErrorFreeCsvWithin, 0, 3);
        study.add(Condition::BASELINE, Line::ErrorNoCsv, 3, 1);
        study.write(folder.path());
        let columns = vec![
            Column::new("version".into(), ["v000002", "v000003"]),
            Column::new("condition".into(), ["baseline", "baseline"]),
            Column::new("repetitions".into(), [4_u32, 4]),
            Column::new("flaky".into(), [false, true]),
            Column::new("rate".into(), [0.0, 0.25]),
        ];
        write(&folder.path().join("flaky.parquet"), columns);
        folder
    }

    #[test]
    fn flaky_versions_are_shown_and_counted_or_left_out() {
        let folder = folder();
        let shown = terminal(folder.path(), None, Flaky::Show).unwrap();
        assert!(shown.contains("4 versions under baseline"), "{shown}");
        assert!(
            shown.contains("Flaky: 1 of 2 versions that were run more than once; counted by their first"),
            "{shown}"
        );
        let out = tempfile::tempdir().unwrap();
        crate::render(folder.path(), None, Flaky::Show, out.path()).unwrap();
        let csv = |name: &str| std::fs::read_to_string(out.path().join(format!("tables/{name}.csv"))).unwrap();
        assert!(csv("flaky").contains("baseline,measured,1,2,0.5,"), "{}", csv("flaky"));
        assert!(csv("curve-flaky").contains("baseline,20,1,1,1,"), "{}", csv("curve-flaky"));
        assert!(csv("curve-flaky").contains("baseline,34,1,2,0.5,"), "{}", csv("curve-flaky"));
        let without = terminal(folder.path(), None, Flaky::LeaveOut).unwrap();
        assert!(without.contains("3 versions under baseline"), "{without}");
        assert!(without.contains("Flaky: 1 of 2 versions that were run more than once; left out."), "{without}");
    }

    #[test]
    fn without_repetitions_nothing_is_said_unless_asked() {
        let folder = folder();
        std::fs::remove_file(folder.path().join("flaky.parquet")).unwrap();
        assert!(!terminal(folder.path(), None, Flaky::Show).unwrap().contains("Flaky"));
        let out = tempfile::tempdir().unwrap();
        crate::render(folder.path(), None, Flaky::Show, out.path()).unwrap();
        let csv = |name: &str| std::fs::read_to_string(out.path().join(format!("tables/{name}.csv"))).unwrap();
        assert!(csv("flaky").contains("baseline,not measured,0,0,,"), "{}", csv("flaky"));
        assert!(
            csv("sensitivity").contains("baseline,without flaky versions (not measured),0,0,"),
            "{}",
            csv("sensitivity")
        );
        assert!(terminal(folder.path(), None, Flaky::LeaveOut).unwrap().contains("Flaky: no version was run more"));
    }
}
