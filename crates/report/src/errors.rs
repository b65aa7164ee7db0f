//! Errors that cells raised on the way of a version through its fixes, by type: from `executions.parquet` and `cells.parquet`.

use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

use nbrevive_corpus::{Condition, Outcome};
use rayon::prelude::*;

use crate::frame::{ColumnRule, Frame, FrameError, Kind, optional, required};
use crate::rows::Data;
use crate::words::Coded;

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

const EXECUTIONS: &[ColumnRule] = &[
    required("version", Kind::Text),
    required("code_hash", Kind::Text),
    required("environment", Kind::Text),
    required("repetition", Kind::Count),
    required("condition", Kind::Text),
    required("fix_number", Kind::Count),
];

const CELLS: &[ColumnRule] = &[
    required("version", Kind::Text),
    required("code_hash", Kind::Text),
    required("environment", Kind::Text),
    required("repetition", Kind::Count),
    required("status", Kind::Text),
    optional("ename", Kind::Text),
];

/// One step of a version: how many fixes it had, and what it came to when it was the last.
struct Step {
    fixes: u32,
    end: Option<Outcome>,
}

impl Errors {
    /// Reads the errors of the versions in `data`; none when the export has no executions.
    pub(crate) fn read(folder: &Path, data: &Data) -> Result<Option<Self>, FrameError> {
        let (executions, cells) = (folder.join("executions.parquet"), folder.join("cells.parquet"));
        if !executions.is_file() || !cells.is_file() {
            return Ok(None);
        }
        let subjects: HashMap<&str, (u32, Outcome)> =
            data.under(Condition::Modernize).map(|row| (row.version.as_str(), (row.fixes, row.outcome))).collect();
        let steps = steps(&executions, &subjects)?;
        let mut errors = Errors::of(&steps, &subjects);
        Frame::each(&cells, CELLS, |frame| {
            let words = || rayon::join(|| frame.coded("status"), || frame.coded("ename"));
            let ((status, names), keys) = rayon::join(words, || Keys::of(frame));
            let (status, names, keys) = (status?, names?, keys?);
            for row in (0..frame.height()).filter(|row| status.word(*row) == Some("error")) {
                let Some(step) = keys.get(row).and_then(|key| steps.get(&key)) else { continue };
                errors.add(step, names.word(row).unwrap_or("unknown"));
            }
            Ok(())
        })?;
        Ok(Some(errors))
    }

    fn of(steps: &HashMap<u64, Step>, subjects: &HashMap<&str, (u32, Outcome)>) -> Self {
        let longest = steps.values().map(|step| step.fixes as usize + 1).max().unwrap_or(0);
        let mut errors =
            Errors { by_fix: vec![Types::new(); longest], notebooks: vec![0; longest], ..Errors::default() };
        for step in steps.values() {
            errors.notebooks[step.fixes as usize] += 1;
        }
        let expected: u64 = subjects.values().map(|(fixes, _)| u64::from(*fixes) + 1).sum();
        errors.not_found = expected.saturating_sub(steps.len() as u64);
        errors
    }

    fn add(&mut self, step: &Step, name: &str) {
        count(&mut self.by_fix[step.fixes as usize], name);
        if let Some(outcome) = step.end {
            count(self.at_end.entry(outcome).or_default(), name);
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

/// The executions of the subjects' steps: at baseline, and after each fix of the modernize loop.
fn steps(path: &Path, subjects: &HashMap<&str, (u32, Outcome)>) -> Result<HashMap<u64, Step>, FrameError> {
    let mut steps = HashMap::new();
    Frame::each(path, EXECUTIONS, |frame| {
        let keys = Keys::of(frame)?;
        let subjects = keys.versions.rows(|version| subjects.get(version).copied());
        let conditions: Vec<Condition> = frame.words("condition")?;
        let numbers = frame.counts("fix_number")?;
        for (row, subject) in subjects.into_iter().enumerate() {
            let (Some(key), Some((fixes, outcome))) = (keys.get(row), subject.flatten()) else { continue };
            let step = match conditions[row] {
                Condition::Baseline => 0,
                Condition::Modernize => numbers[row],
                Condition::Backport | Condition::ModernizeCell => continue,
            };
            if step <= fixes {
                steps.insert(key, Step { fixes: step, end: (step == fixes).then_some(outcome) });
            }
        }
        Ok(())
    })?;
    Ok(steps)
}

/// What names the executions of some rows.
struct Keys {
    versions: Coded,
    /// A hash for each version, code and environment, of which there may be millions.
    hashes: [Hashed; 3],
    repetitions: Vec<u32>,
}

/// A column in hashes of its words.
struct Hashed {
    places: Vec<Option<u32>>,
    hashes: Vec<u64>,
}

impl Hashed {
    fn of(words: &Coded) -> Self {
        let hash = |word: &String| hashed(word);
        Hashed { places: words.places.clone(), hashes: words.words.par_iter().map(hash).collect() }
    }

    fn get(&self, row: usize) -> Option<u64> {
        self.places[row].map(|place| self.hashes[place as usize])
    }
}

fn hashed(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

impl Keys {
    fn of(frame: &Frame) -> Result<Self, FrameError> {
        let column = |name| {
            let words = frame.coded(name)?;
            Ok::<_, FrameError>((Hashed::of(&words), words))
        };
        let others = || rayon::join(|| column("code_hash"), || column("environment"));
        let (versions, (codes, environments)) = rayon::join(|| column("version"), others);
        let (version_hashes, versions) = versions?;
        let hashes = [version_hashes, codes?.0, environments?.0];
        Ok(Keys { versions, hashes, repetitions: frame.counts("repetition")? })
    }

    /// A hash in place of the names; none for further repetitions.
    fn get(&self, row: usize) -> Option<u64> {
        (self.repetitions[row] == 1).then(|| hashed(&self.hashes.each_ref().map(|names| names.get(row))))
    }
}
