//! Follows predictions into the submission.
//!
//! A small interpreter runs over the code in order. Of each variable it knows one thing: whether its value comes from a
//! model's predictions, and for tables the same for each column. Loops run twice, branches are joined, functions are run
//! where they are called. What is written into the submission at last must come from predictions when it did in the
//! original: a constant, a copy of the sample and a table by id do not.
//!
//! Where the author wrote the model by hand there is no call that predicts; then the same is asked of the training data: what
//! is submitted must come from it when it did.
//!
//! Parts: `value` is what is known of a value, `evaluate` gives expressions a value and `calls` calls, `execute` carries out statements, `sinks`
//! knows how files are written.

mod calls;
mod evaluate;
mod execute;
mod sinks;
mod value;

use std::collections::{BTreeMap, BTreeSet};

use nbrevive_pysource::ast::StmtFunctionDef;

use super::code::Code;
use super::training;
use value::{Environment, Value};

/// Steps after which a notebook counts as too winding to follow.
const MOST_STEPS: usize = 30_000;
/// How deep calls of the notebook's own functions are followed.
const DEEPEST_CALL: usize = 6;

/// What counts as the source that the submission is to come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// Calls that ask a model for predictions.
    Predictions,
    /// Files whose names say that they are for training.
    TrainingData,
}

/// What the submission of a notebook is made of.
#[derive(Debug, Clone, Default)]
pub(super) struct Summary {
    /// Whether a submission is written at all.
    pub(super) seen: bool,
    /// Whether any part of it comes from the origin.
    pub(super) learned: bool,
    /// The interpreter gave up, and nothing else here means anything.
    pub(super) gave_up: bool,
    /// For each column that is known by name, whether it comes from predictions.
    columns: BTreeMap<String, bool>,
    rest: bool,
    /// Names of the classes that the notebook defines.
    classes: BTreeSet<String>,
}

impl Summary {
    /// Whether a column comes from predictions.
    pub(super) fn has(&self, column: &str) -> bool {
        self.columns.get(column).copied().unwrap_or(self.rest)
    }
}

/// Runs over the code; for a patched notebook `original` tells which classes are new.
pub(super) fn summary(code: &Code, origin: Origin, original: Option<&Summary>) -> Summary {
    let classes: BTreeSet<String> = training::classes(code).into_keys().collect();
    let known = original.map(|original| training::Summary { classes: original.classes.clone(), ..Default::default() });
    let mut machine = Machine {
        code,
        origin,
        hollow: training::hollow_classes(code, known.as_ref()),
        functions: functions(code),
        classes: classes.clone(),
        environment: Environment::default(),
        returned: Vec::new(),
        depth: 0,
        steps: 0,
        written: Vec::new(),
    };
    for source in &code.cells {
        machine.run(source.parsed.body());
    }
    let gave_up = machine.steps > MOST_STEPS;
    let submission = machine.submission();
    Summary {
        seen: submission.is_some(),
        gave_up,
        classes,
        learned: submission.as_ref().is_some_and(Value::is_learned),
        rest: submission.as_ref().is_some_and(|value| value.learned),
        columns: submission.map(|value| value.columns).unwrap_or_default(),
    }
}

/// The notebook's own functions and methods by name; of several of one name all count.
fn functions(code: &Code) -> BTreeMap<String, Vec<&StmtFunctionDef>> {
    let mut functions: BTreeMap<String, Vec<&StmtFunctionDef>> = BTreeMap::new();
    code.statements(&mut |_, statement| {
        if let Some(function) = statement.as_function_def_stmt() {
            functions.entry(function.name.to_string()).or_default().push(function);
        }
    });
    functions
}

/// The interpreter.
struct Machine<'a> {
    code: &'a Code,
    origin: Origin,
    /// Classes of the patch that look like models and ask none.
    hollow: BTreeSet<String>,
    functions: BTreeMap<String, Vec<&'a StmtFunctionDef>>,
    /// Names of the classes that the notebook defines.
    classes: BTreeSet<String>,
    environment: Environment,
    /// What the functions that are running returned so far.
    returned: Vec<Value>,
    depth: usize,
    steps: usize,
    /// What was written into files, in order: name (as far as it is known) and value.
    written: Vec<(Option<String>, Value)>,
}

impl Machine<'_> {
    /// What ends up in the submission: the last file of that name, else everything that is written as CSV.
    fn submission(&self) -> Option<Value> {
        let is_named = |name: &Option<String>| {
            name.as_deref()
                .is_some_and(|name| name.rsplit('/').next().is_some_and(|file| file.starts_with("submission.")))
        };
        if let Some((_, value)) = self.written.iter().rev().find(|(name, _)| is_named(name)) {
            return Some(value.clone());
        }
        let mut written = self.written.iter().map(|(_, value)| value.clone());
        let first = written.next()?;
        Some(written.fold(first, |all, next| all.joined(&next)))
    }
}
