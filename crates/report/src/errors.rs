//! Errors that cells raised on the way of a version through its fixes, by type: from `executions.parquet` and `errors.parquet`.

use std::collections::BTreeMap;
use std::path::Path;

use foldhash::HashMap;
use nbrevive_corpus::{Condition, Outcome, Role};

use crate::frame::{ColumnRule, Frame, FrameError, Kind, required};
use crate::rows::Data;

/// Errors by type, which is the name of the exception's class.
pub(crate) type Types = BTreeMap<String, u64>;

/// The errors of the versions that were modernized.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Errors {
    /// After 0, 1, … fixes; versions whose loop stopped before are not in it.
    pub(crate) by_fix: Vec<Types>,
    /// How many versions that is.
    pub(crate) notebooks: Vec<u64>,
    /// After the last fix, by outcome.
    pub(crate) at_end: BTreeMap<Outcome, Types>,
    /// Steps of a version without an execution of that step: its code had run before, for another step or condition.
    pub(crate) not_found: u64,
}

/// What says of which step of a version a row is.
const STEPS: &[ColumnRule] = &[
    required("version", Kind::Text),
    required("condition", Kind::Text),
    required("fix_number", Kind::Count),
    required("repetition", Kind::Count),
];

const ERRORS: &[ColumnRule] = &[
    required("version", Kind::Text),
    required("condition", Kind::Text),
    required("fix_number", Kind::Count),
    required("repetition", Kind::Count),
    required("class", Kind::Text),
];

/// The versions that were modernized: how many fixes each had, and what it came to.
struct Subjects<'data> {
    versions: HashMap<&'data str, (u32, Outcome)>,
    /// The conditions of their step 0, and of those after.
    conditions: [Condition; 2],
}

/// One step of a version: how many fixes it had, and what it came to when it was the last.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Step {
    fixes: u32,
    end: Option<Outcome>,
}

impl Errors {
    /// Reads the errors of the versions in `data`; none when the export has no executions.
    pub(crate) fn read(folder: &Path, data: &Data) -> Result<Option<Self>, FrameError> {
        let (executions, errors) = (folder.join("executions.parquet"), folder.join("errors.parquet"));
        if !executions.is_file() || !errors.is_file() {
            return Ok(None);
        }
        let versions = data.of(Role::Modernize).map(|row| (row.version.as_str(), (row.fixes, row.outcome))).collect();
        let conditions = [Role::Baseline, Role::Modernize].map(|role| data.condition(role));
        let subjects = Subjects { versions, conditions };
        let mut found = Errors::default();
        found.count_steps(&executions, &subjects)?;
        found.count_errors(&errors, &subjects)?;
        Ok(Some(found))
    }

    /// Counts the executions of the subjects' steps.
    fn count_steps(&mut self, path: &Path, subjects: &Subjects<'_>) -> Result<(), FrameError> {
        Frame::each(path, STEPS, |frame| {
            for step in steps(frame, subjects)?.into_iter().flatten() {
                let longest = self.notebooks.len().max(step.fixes as usize + 1);
                self.notebooks.resize(longest, 0);
                self.notebooks[step.fixes as usize] += 1;
            }
            Ok(())
        })?;
        self.by_fix = vec![Types::new(); self.notebooks.len()];
        let expected: u64 = subjects.versions.values().map(|(fixes, _)| u64::from(*fixes) + 1).sum();
        self.not_found = expected.saturating_sub(self.notebooks.iter().sum());
        Ok(())
    }

    fn count_errors(&mut self, path: &Path, subjects: &Subjects<'_>) -> Result<(), FrameError> {
        Frame::each(path, ERRORS, |frame| {
            let (steps, classes) = rayon::join(|| steps(frame, subjects), || frame.coded("class"));
            let (steps, classes) = (steps?, classes?);
            for (row, step) in steps.into_iter().enumerate() {
                let Some(step) = step else { continue };
                self.add(step, classes.word(row).unwrap_or_default());
            }
            Ok(())
        })
    }

    fn add(&mut self, step: Step, class: &str) {
        if let Some(types) = self.by_fix.get_mut(step.fixes as usize) {
            count(types, class);
        }
        if let Some(outcome) = step.end {
            count(self.at_end.entry(outcome).or_default(), class);
        }
    }
}

/// Counts one more of a type.
fn count(types: &mut Types, name: &str) {
    if let Some(count) = types.get_mut(name) {
        *count += 1;
    } else {
        types.insert(name.to_owned(), 1);
    }
}

/// The step to which each row belongs: at baseline, or after a fix of the modernize loop; none for further repetitions and for other
/// conditions.
fn steps(frame: &Frame, subjects: &Subjects<'_>) -> Result<Vec<Option<Step>>, FrameError> {
    let [baseline, modernize] = subjects.conditions;
    let subjects = frame.coded("version")?.rows(|version| subjects.versions.get(version).copied());
    let conditions: Vec<Condition> = frame.words("condition")?;
    let (numbers, repetitions) = (frame.counts("fix_number")?, frame.counts("repetition")?);
    let step = |(row, subject): (usize, Option<Option<(u32, Outcome)>>)| {
        let (fixes, outcome) = subject.flatten().filter(|_| repetitions[row] == 1)?;
        let step = match conditions[row] {
            condition if condition == baseline => 0,
            condition if condition == modernize => numbers[row],
            _ => return None,
        };
        (step <= fixes).then(|| Step { fixes: step, end: (step == fixes).then_some(outcome) })
    };
    Ok(subjects.into_iter().enumerate().map(step).collect())
}
