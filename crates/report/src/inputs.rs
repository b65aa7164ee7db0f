//! What tables and figures are counted from.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use nbrevive_corpus::{Condition, Judge, Role};

use crate::at_once::both;
use crate::beside::PublishedLines;
use crate::error::ReportError;
use crate::errors::Errors;
use crate::executability::{self, ExecutabilityRow};
use crate::flaky::Flaky;
use crate::frame::FrameError;
use crate::kinds::Kinds;
use crate::outputs::Outputs;
use crate::published::Published;
use crate::raised::{FirstCause, first_causes};
use crate::restored::Restored;
use crate::rows::{Data, read_judge, read_roles};
use crate::sizes::{self, Sizes};
use crate::survival::{Example, ExampleSource, examples};

/// The rows of a study, and what the paper prints of its own.
pub(crate) struct Inputs {
    /// The folder with the parquet files.
    pub(crate) folder: PathBuf,
    /// The study, its outcomes, fixes and dialogues.
    pub(crate) data: Data,
    /// How large versions are.
    pub(crate) sizes: Sizes,
    /// Of what year and metric they are.
    pub(crate) kinds: Kinds,
    /// How much of each version ran.
    pub(crate) executability: Vec<ExecutabilityRow>,
    /// Why each version failed first, by condition.
    pub(crate) causes: Vec<FirstCause>,
    /// What each version shows beside what it showed.
    pub(crate) outputs: Outputs,
    /// What was put back that versions missed, and where their errors come from.
    pub(crate) restored: Restored,
    published: Option<Published>,
    /// What is printed beside lines of tables.
    pub(crate) lines: PublishedLines,
}

/// What a study must have looked at for a table or a figure to be of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Subject {
    /// Scores against targets, or repairs that are to bring them back.
    Scores,
    /// Nothing but versions and conditions.
    Any,
    /// Outputs of today beside saved ones.
    Outputs,
    /// Official examples of releases.
    Examples,
    /// Orders of cells.
    Orders,
    /// How far notebooks run.
    Executability,
}

impl Subject {
    /// Whether a study has it.
    pub(crate) fn is_of(self, inputs: &Inputs) -> bool {
        match self {
            Subject::Scores => inputs.data.study.judge.asks_scores(),
            Subject::Any => true,
            Subject::Outputs => !inputs.outputs.notebooks.is_empty(),
            Subject::Examples => inputs.examples().is_some(),
            Subject::Orders => inputs.outputs.orders.are_asked(),
            Subject::Executability => inputs.data.study.judge == Judge::Executability,
        }
    }
}

impl Inputs {
    /// Reads everything but the errors of cells.
    ///
    /// # Errors
    /// When a file is missing that every study has, or one cannot be used.
    pub(crate) fn read(folder: &Path, published: Option<&Path>, flaky: Flaky) -> Result<Self, ReportError> {
        // What the main paper prints is of scores.
        let of_scores = published.filter(|_| read_judge(folder).map_or(true, Judge::asks_scores));
        let rows = || Ok((Data::read(folder)?.with_flaky(flaky), of_scores.map(Published::read).transpose()?));
        let told = published;
        let (rows, (sizes, kinds, causes)) =
            both(rows, || (read_sizes(folder), Kinds::read(folder), first_causes(folder)));
        let (data, published) = rows.map_err(|error: ReportError| error)?;
        let lines = told.map(PublishedLines::read).transpose()?.unwrap_or_default();
        let restored = Restored::read(folder)?;
        let mut executability = executability::read(folder)?;
        if data.study.judge == Judge::Executability {
            executability.retain(|row| !restored.in_python_2.contains(&row.version));
        }
        let outputs = Outputs::read(folder, &executability)?;
        let (sizes, kinds, causes) = (sizes?, kinds?, causes?);
        let folder = folder.to_owned();
        Ok(Inputs { folder, data, sizes, kinds, executability, causes, outputs, restored, published, lines })
    }

    /// The conditions under which it was looked how much runs, in the study's order.
    pub(crate) fn conditions(&self) -> Vec<Condition> {
        self.data.study.roles.in_order(self.executability.iter().map(|row| row.condition))
    }

    /// The examples of a study of releases; none of any other.
    pub(crate) fn examples(&self) -> Option<BTreeMap<ExampleSource, Vec<Example>>> {
        examples(&self.data, &self.outputs, &self.kinds)
    }

    /// The paper's numbers, where they were given.
    pub(crate) const fn published(&self) -> Option<&Published> {
        self.published.as_ref()
    }

    /// Reads the errors of cells, which takes as long as everything else: what needs none is counted meanwhile.
    pub(crate) fn errors(&self) -> Result<Option<Errors>, FrameError> {
        Errors::read(&self.folder, &self.data)
    }
}

/// Beside the rows, which have the roles of conditions, too: they are few.
fn read_sizes(folder: &Path) -> Result<Sizes, FrameError> {
    sizes::read(folder, read_roles(folder)?.condition(Role::Baseline))
}
