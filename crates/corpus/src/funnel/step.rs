//! The steps: what each asks, what it does with what is not known, and the order in which they stand.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{CodeKind, CodeLanguage, DropReason, FunnelCandidate, Scripts, StepName, Unknown};

/// The longest run on Kaggle that the paper keeps, in seconds (section 2.1.1).
pub const PAPER_SECONDS: f64 = 600.0;

/// What a step asks of a version.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Test {
    /// [`StepName::InCompetition`].
    InCompetition,
    /// [`StepName::NotCopied`].
    NotCopied,
    /// [`StepName::NotEmpty`].
    NotEmpty,
    /// [`StepName::RanSuccessfully`].
    RanSuccessfully,
    /// [`StepName::ScoreNotZero`].
    ScoreNotZero,
    /// [`StepName::RunTime`].
    RunTime {
        /// The longest run that is kept, in seconds; 600 by default.
        at_most_seconds: f64,
    },
    /// [`StepName::Python`]: first by what the source says, then by the code.
    Python {
        /// What becomes of scripts; they are dropped by default, since the paper speaks of notebooks and their cells throughout.
        scripts: Scripts,
    },
    /// [`StepName::NoExternalData`].
    NoExternalData,
}

/// One step of the funnel: an entry `[[funnel]]` of `study.toml`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Entry", into = "Entry")]
pub struct Step {
    /// What it asks.
    pub test: Test,
    /// What it does where no source answers.
    pub unknown: Unknown,
}

/// The steps in the order in which a version passes them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Vec<Step>", into = "Vec<Step>")]
pub struct Funnel {
    steps: Vec<Step>,
}

/// A version is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct DroppedVersion {
    /// The step that dropped it.
    pub step: StepName,
    /// Why.
    pub reason: DropReason,
}

impl fmt::Display for DroppedVersion {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{} at step {}", self.reason, self.step)
    }
}

/// Why a list of steps is no funnel.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum FunnelError {
    /// A step stands twice.
    #[error("step `{0}` stands twice in the funnel: keep one of them")]
    Duplicate(StepName),
    /// A setting stands at a step that does not have it.
    #[error("step `{step}` of the funnel has no setting `{setting}`: it belongs to step `{owner}`")]
    Misplaced {
        /// The step.
        step: StepName,
        /// The setting.
        setting: &'static str,
        /// The step that has this setting.
        owner: StepName,
    },
    /// A number makes no sense.
    #[error("at_most_seconds = {0} of step `run-time` must be a number above 0")]
    Seconds(f64),
}

/// What a step found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Finding {
    /// The version passes.
    Passes,
    /// Nobody knows, and the step keeps the unknown.
    PassesUnknown,
    /// The version is dropped.
    Fails(DropReason),
}

/// What a test says by itself.
enum Answer {
    Yes,
    No(DropReason),
    /// Nobody knows; the reason is for steps that drop the unknown.
    Unknown(DropReason),
}

impl Step {
    /// A step with its default settings.
    ///
    /// The unknown is kept where silence means "no" (copies are marked, the rest is not), or where a later stage asks again (a run
    /// that failed has no score; a study reads the code itself before it runs it). It is dropped where nothing later would notice,
    /// and the version would count in the tables though the paper would not have kept it.
    #[must_use]
    pub const fn new(name: StepName) -> Self {
        let (test, unknown) = match name {
            StepName::InCompetition => (Test::InCompetition, Unknown::Drop),
            StepName::NotCopied => (Test::NotCopied, Unknown::Keep),
            StepName::NotEmpty => (Test::NotEmpty, Unknown::Keep),
            StepName::RanSuccessfully => (Test::RanSuccessfully, Unknown::Keep),
            StepName::ScoreNotZero => (Test::ScoreNotZero, Unknown::Drop),
            StepName::RunTime => (Test::RunTime { at_most_seconds: PAPER_SECONDS }, Unknown::Drop),
            StepName::Python => (Test::Python { scripts: Scripts::Drop }, Unknown::Keep),
            StepName::NoExternalData => (Test::NoExternalData, Unknown::Drop),
        };
        Self { test, unknown }
    }

    /// Its name.
    #[must_use]
    pub const fn name(&self) -> StepName {
        match self.test {
            Test::InCompetition => StepName::InCompetition,
            Test::NotCopied => StepName::NotCopied,
            Test::NotEmpty => StepName::NotEmpty,
            Test::RanSuccessfully => StepName::RanSuccessfully,
            Test::ScoreNotZero => StepName::ScoreNotZero,
            Test::RunTime { .. } => StepName::RunTime,
            Test::Python { .. } => StepName::Python,
            Test::NoExternalData => StepName::NoExternalData,
        }
    }

    pub(super) fn find(&self, candidate: &FunnelCandidate) -> Finding {
        match (self.test.ask(candidate), self.unknown) {
            (Answer::Yes, _) => Finding::Passes,
            (Answer::No(reason), _) | (Answer::Unknown(reason), Unknown::Drop) => Finding::Fails(reason),
            (Answer::Unknown(_), Unknown::Keep) => Finding::PassesUnknown,
        }
    }
}

impl Test {
    fn ask(self, candidate: &FunnelCandidate) -> Answer {
        match self {
            Test::InCompetition => {
                yes_if(candidate.in_competition, true, DropReason::NoCompetition, DropReason::UnknownCompetition)
            }
            Test::NotCopied => yes_if(candidate.copied, false, DropReason::Copied, DropReason::UnknownCopy),
            Test::NotEmpty => yes_if(candidate.empty, false, DropReason::Empty, DropReason::UnknownCode),
            Test::RanSuccessfully => yes_if(candidate.ran, true, DropReason::Failed, DropReason::UnknownStatus),
            Test::ScoreNotZero => score(candidate.score),
            Test::RunTime { at_most_seconds } => run_time(candidate.run_seconds, at_most_seconds),
            Test::Python { scripts } => python(candidate, scripts),
            Test::NoExternalData => {
                yes_if(candidate.external_data, false, DropReason::ExternalData, DropReason::UnknownData)
            }
        }
    }
}

fn yes_if(fact: Option<bool>, wanted: bool, otherwise: DropReason, unknown: DropReason) -> Answer {
    match fact {
        Some(fact) if fact == wanted => Answer::Yes,
        Some(_) => Answer::No(otherwise),
        None => Answer::Unknown(unknown),
    }
}

fn score(score: Option<f64>) -> Answer {
    match score {
        None => Answer::Unknown(DropReason::NoScore),
        Some(score) if !score.is_finite() => Answer::No(DropReason::NoScore),
        Some(0.0) => Answer::No(DropReason::ZeroScore),
        Some(_) => Answer::Yes,
    }
}

/// A run time below zero, or none at all, is one that nobody measured.
fn run_time(seconds: Option<f64>, at_most: f64) -> Answer {
    match seconds {
        Some(seconds) if seconds > at_most => Answer::No(DropReason::TooSlow),
        Some(seconds) if seconds >= 0.0 => Answer::Yes,
        _ => Answer::Unknown(DropReason::UnknownRunTime),
    }
}

/// By metadata, then by content: a source may call a notebook Python whose cells are R, so both have to agree where both speak.
fn python(candidate: &FunnelCandidate, scripts: Scripts) -> Answer {
    let said = match candidate.language {
        Some(CodeLanguage::R) => Some(DropReason::R),
        Some(CodeLanguage::RMarkdown) => Some(DropReason::RMarkdown),
        Some(CodeLanguage::Julia) => Some(DropReason::Julia),
        Some(CodeLanguage::Sqlite) => Some(DropReason::Sqlite),
        Some(CodeLanguage::Other) => Some(DropReason::OtherLanguage),
        Some(CodeLanguage::Python) | None => None,
    };
    let shown = match candidate.content_language {
        Some(CodeLanguage::R) => Some(DropReason::RByContent),
        Some(CodeLanguage::RMarkdown) => Some(DropReason::RMarkdownByContent),
        Some(CodeLanguage::Julia) => Some(DropReason::JuliaByContent),
        Some(CodeLanguage::Sqlite) => Some(DropReason::SqliteByContent),
        Some(CodeLanguage::Other) => Some(DropReason::OtherLanguageByContent),
        Some(CodeLanguage::Python) | None => None,
    };
    match said.or(shown) {
        Some(reason) => Answer::No(reason),
        None if candidate.kind == Some(CodeKind::Script) && scripts == Scripts::Drop => Answer::No(DropReason::Script),
        None if candidate.language.is_none() && candidate.content_language.is_none() => {
            Answer::Unknown(DropReason::UnknownLanguage)
        }
        None => Answer::Yes,
    }
}

impl Funnel {
    /// A funnel of these steps, in this order.
    ///
    /// # Errors
    /// When a step stands twice, or a number of it makes no sense.
    pub fn new(steps: Vec<Step>) -> Result<Self, FunnelError> {
        for (index, step) in steps.iter().enumerate() {
            if steps[..index].iter().any(|earlier| earlier.name() == step.name()) {
                return Err(FunnelError::Duplicate(step.name()));
            }
            if let Test::RunTime { at_most_seconds } = step.test
                && !(at_most_seconds.is_finite() && at_most_seconds > 0.0)
            {
                return Err(FunnelError::Seconds(at_most_seconds));
            }
        }
        Ok(Self { steps })
    }

    /// The steps in their order.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Whether the funnel keeps a version.
    ///
    /// # Errors
    /// The first step that drops it, and why.
    pub fn judge(&self, candidate: &FunnelCandidate) -> Result<(), DroppedVersion> {
        self.walk(candidate, |_, _| ())
    }

    /// Whether the funnel keeps a version; tells what each step on the way found, by its position.
    pub(super) fn walk(
        &self,
        candidate: &FunnelCandidate,
        mut watch: impl FnMut(usize, Finding),
    ) -> Result<(), DroppedVersion> {
        for (position, step) in self.steps.iter().enumerate() {
            let finding = step.find(candidate);
            watch(position, finding);
            if let Finding::Fails(reason) = finding {
                return Err(DroppedVersion { step: step.name(), reason });
            }
        }
        Ok(())
    }
}

impl Default for Funnel {
    /// The paper's steps in the paper's order, after the one that mining in the selected competitions stands for there.
    fn default() -> Self {
        Self { steps: StepName::ALL.iter().copied().map(Step::new).collect() }
    }
}

impl TryFrom<Vec<Step>> for Funnel {
    type Error = FunnelError;

    fn try_from(steps: Vec<Step>) -> Result<Self, FunnelError> {
        Self::new(steps)
    }
}

impl From<Funnel> for Vec<Step> {
    fn from(funnel: Funnel) -> Self {
        funnel.steps
    }
}

/// A step as the file writes it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    step: StepName,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    unknown: Option<Unknown>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    at_most_seconds: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    scripts: Option<Scripts>,
}

impl TryFrom<Entry> for Step {
    type Error = FunnelError;

    fn try_from(entry: Entry) -> Result<Self, FunnelError> {
        let mut step = Step::new(entry.step);
        step.unknown = entry.unknown.unwrap_or(step.unknown);
        let misplaced = |setting, owner| FunnelError::Misplaced { step: entry.step, setting, owner };
        match (&mut step.test, entry.at_most_seconds) {
            (_, None) => {}
            (Test::RunTime { at_most_seconds }, Some(seconds)) => *at_most_seconds = seconds,
            (_, Some(_)) => return Err(misplaced("at_most_seconds", StepName::RunTime)),
        }
        match (&mut step.test, entry.scripts) {
            (_, None) => {}
            (Test::Python { scripts }, Some(rule)) => *scripts = rule,
            (_, Some(_)) => return Err(misplaced("scripts", StepName::Python)),
        }
        Ok(step)
    }
}

impl From<Step> for Entry {
    fn from(step: Step) -> Self {
        let (at_most_seconds, scripts) = match step.test {
            Test::RunTime { at_most_seconds } => (Some(at_most_seconds), None),
            Test::Python { scripts } => (None, Some(scripts)),
            _ => (None, None),
        };
        Self { step: step.name(), unknown: Some(step.unknown), at_most_seconds, scripts }
    }
}
