//! The labels of one crash, each with its reason and how sure it is.

use std::collections::HashMap;

use serde::Serialize;

use super::evidence::{CrashText, Evidence, is_class_name};
use super::label::{BugKind, ExceptionType, Label, RootCause, Stage};
use super::library::is_ml_library;
use super::model::{MODELS, Models};

/// A label, why, and how sure.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CrashLabel<L: Label> {
    /// The label.
    pub label: L,
    /// Above 0, up to 1: of the model its probability; a certain rule has 0.95.
    pub confidence: f32,
    /// Why: a rule's words, or the facts that spoke most for it.
    pub reason: String,
}

/// What is said of one crash.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CrashLabels {
    /// The refined type of the exception.
    pub exception_type: CrashLabel<ExceptionType>,
    /// Why it crashed.
    pub root_cause: CrashLabel<RootCause>,
    /// Whether it is a bug in code of machine learning.
    pub ml_bug: CrashLabel<BugKind>,
    /// The stage of the pipeline.
    pub pipeline_stage: CrashLabel<Stage>,
    /// The package whose code was called last, or that is missing, or changed; none for an error in the notebook's own code.
    pub library: Option<String>,
    /// The versions that ran, as far as the traceback's paths name them: `Python 3.6`.
    pub ran_in: Option<String>,
}

/// How sure a rule is that stands whatever else is known.
const CERTAIN: f32 = 0.95;

/// Of twenty exception types one that is less likely than this is a guess.
const GUESS: f32 = 0.15;

/// Where the model is less sure than this of a type, the exception's own name tells it.
const UNSURE: f32 = 0.4;

/// How sure a name is that a release took away: its error looks the same where somebody mistook what an object is.
const KNOWN_CHANGE: f32 = 0.85;

/// How sure it is that code without a word of the pipeline is outside of it.
const OUTSIDE: f32 = 0.6;

/// Exceptions of code that Python cannot read.
pub(super) const IS_NO_PYTHON: [&str; 3] = ["SyntaxError", "IndentationError", "TabError"];

/// Labels a crash by the models that come with the program. Never fails: of what says nothing the cause is unknown.
#[must_use]
pub fn classify(crash: CrashText<'_>) -> CrashLabels {
    CrashLabels::by(&MODELS, &Evidence::of(crash))
}

/// Why a crash happened, as [`classify`] says it, without the time for the other labels.
fn root_cause_of(crash: CrashText<'_>) -> CrashLabel<RootCause> {
    root_cause(&MODELS, &Evidence::of(crash))
}

/// Why each of many errors of executions of ours happened, as [`classify`] says it, without the time for the other labels. What is the same to
/// the letter is looked at once, as notebooks raise the same again and again.
#[must_use]
pub fn root_causes(crashes: &[CrashText<'_>]) -> Vec<RootCause> {
    let mut known: HashMap<CrashText<'_>, RootCause> = HashMap::new();
    crashes.iter().map(|crash| *known.entry(*crash).or_insert_with(|| root_cause_of_run(*crash))).collect()
}

/// Of a saved error of syntax nothing is known, as the code was changed since; what we ran is no Python.
fn root_cause_of_run(crash: CrashText<'_>) -> RootCause {
    match root_cause_of(crash).label {
        RootCause::Unknown if IS_NO_PYTHON.contains(&crash.ename) => RootCause::Implementation,
        label => label,
    }
}

impl CrashLabels {
    /// Labels a crash by models of one's own.
    #[must_use]
    pub fn by(models: &Models, evidence: &Evidence) -> Self {
        let root_cause = root_cause(models, evidence);
        let library = evidence.change.map(|change| change.library.to_owned()).or_else(|| evidence.library.clone());
        Self {
            exception_type: exception_type(models, evidence),
            ml_bug: bug_kind(models, evidence, &root_cause, library.as_deref()),
            pipeline_stage: stage(models, evidence, &root_cause),
            library,
            ran_in: evidence.ran_in.clone(),
            root_cause,
        }
    }
}

fn root_cause(models: &Models, evidence: &Evidence) -> CrashLabel<RootCause> {
    if evidence.is_empty() {
        let reason = "neither a name nor a value nor a traceback was saved".to_owned();
        return CrashLabel { label: RootCause::Unknown, confidence: CERTAIN, reason };
    }
    if let Some(language) = evidence.foreign {
        return CrashLabel { label: RootCause::Unknown, confidence: CERTAIN, reason: language.to_owned() };
    }
    if let Some(sign) = evidence.intention {
        return CrashLabel { label: RootCause::Intentional, confidence: 0.6, reason: sign.to_owned() };
    }
    if let Some(change) = evidence.change {
        return CrashLabel { label: RootCause::Library, confidence: KNOWN_CHANGE, reason: change.told() };
    }
    // Rules go first: in folds by notebook the model alone is right less often (docs/crashes.md). It says how sure they are.
    let prediction = models.of(RootCause::DIMENSION).map(|model| model.predict(evidence));
    let Some(rule) = evidence.rules.first() else {
        let bare = || evidence.is_bare.then(|| "nothing but a name was saved that many causes have".to_owned());
        return match no_exception(evidence).or_else(bare) {
            Some(reason) => CrashLabel { label: RootCause::Unknown, confidence: CERTAIN, reason },
            None => predicted(models, evidence, RootCause::Unknown),
        };
    };
    let likely = prediction.and_then(|found| found.ranked.into_iter().find(|(label, _)| label == rule.cause.code()));
    let confidence = if rule.is_certain { CERTAIN } else { likely.map_or(0.5, |(_, probability)| probability) };
    CrashLabel { label: rule.cause, confidence, reason: rule.reason.to_owned() }
}

/// The model's choice, but where a library of machine learning is to blame (in 122 of the 124 such crashes that we learn from people say that
/// it is a bug in such code), and where the cell means to fail without any library.
fn bug_kind(
    models: &Models,
    evidence: &Evidence,
    root_cause: &CrashLabel<RootCause>,
    library: Option<&str>,
) -> CrashLabel<BugKind> {
    match library {
        Some(library) if is_ml_library(library) => {
            let reason = format!("`{library}` is a library of machine learning");
            CrashLabel { label: BugKind::Ml, confidence: CERTAIN, reason }
        }
        None if root_cause.label == RootCause::Intentional && evidence.is_of_arrays => {
            let reason = "the message is one of arrays or frames".to_owned();
            CrashLabel { label: BugKind::Ml, confidence: root_cause.confidence, reason }
        }
        None if root_cause.label == RootCause::Intentional => {
            let reason = "the error is shown on purpose, without a library".to_owned();
            CrashLabel { label: BugKind::Python, confidence: root_cause.confidence, reason }
        }
        _ => predicted(models, evidence, BugKind::Python),
    }
}

/// Calls that tell the stage of their line.
const STAGE_CALLS: [(&str, Stage); 9] = [
    ("calls=backward", Stage::Training),
    ("calls=fit", Stage::Training),
    ("calls=fit_generator", Stage::Training),
    ("calls=KFold", Stage::Training),
    ("calls=accuracy_score", Stage::Evaluation),
    ("calls=classification_report", Stage::Evaluation),
    ("calls=confusion_matrix", Stage::Evaluation),
    ("calls=f1_score", Stage::Evaluation),
    ("calls=predict", Stage::Evaluation),
];

/// How sure such a call is: of 25 crashes that we learn from 19 have the stage.
const BY_CALL: f32 = 0.8;

/// The model's choice, but of code that is none of the pipeline: no model has learnt of such.
fn stage(models: &Models, evidence: &Evidence, root_cause: &CrashLabel<RootCause>) -> CrashLabel<Stage> {
    let outside =
        |confidence, reason: &str| CrashLabel { label: Stage::Outside, confidence, reason: reason.to_owned() };
    if root_cause.label == RootCause::Intentional {
        return outside(root_cause.confidence, "the error is shown on purpose");
    }
    if evidence.is_outside {
        return outside(OUTSIDE, "nothing in the code that is shown is of data, of models, or of a library");
    }
    if let Some((call, label)) = STAGE_CALLS.into_iter().find(|(call, _)| evidence.has(call)) {
        return CrashLabel { label, confidence: BY_CALL, reason: call.to_owned() };
    }
    // What draws scores or losses belongs to them.
    let draws = ["on=plt", "on=sns"].into_iter().find(|fact| evidence.has(fact));
    if let Some(fact) = draws.filter(|_| !evidence.has("does=evaluates") && !evidence.has("does=trains")) {
        return CrashLabel { label: Stage::Visualization, confidence: BY_CALL, reason: fact.to_owned() };
    }
    predicted(models, evidence, Stage::Preparation)
}

/// What is said of a name that no exception can have: of such nothing is guessed.
fn no_exception(evidence: &Evidence) -> Option<String> {
    let name = &evidence.name;
    (!name.is_empty() && !is_class_name(name)).then(|| format!("`{}` is no name of an exception", cut(name)))
}

/// The beginning of a name, as long as a reason has room for.
fn cut(name: &str) -> &str {
    &name[..name.floor_char_boundary(60)]
}

/// The model's choice where it has seen the exception's name, else what the name itself says.
fn exception_type(models: &Models, evidence: &Evidence) -> CrashLabel<ExceptionType> {
    if let Some(reason) = no_exception(evidence) {
        return CrashLabel { label: ExceptionType::Other, confidence: CERTAIN, reason };
    }
    if let Some(label) = evidence.told_type {
        return CrashLabel { label, confidence: CERTAIN, reason: "the words of the message".to_owned() };
    }
    let known =
        models.of(ExceptionType::DIMENSION).is_some_and(|model| model.knows(&format!("raises={}", evidence.name)));
    match super::names::of_exception(&evidence.name).filter(|_| !known) {
        Some(label) => CrashLabel { label, confidence: CERTAIN, reason: "the exception's own name".to_owned() },
        None => {
            let found = predicted(models, evidence, ExceptionType::Other);
            let own = super::names::of_exception(&evidence.name).filter(|_| found.confidence < UNSURE);
            if let Some(label) = own {
                let reason = "the exception's own name, and nothing that tells a narrower type".to_owned();
                return CrashLabel { label, reason, ..found };
            }
            if found.confidence >= GUESS {
                return found;
            }
            let reason = "neither its name nor its value tells a narrower type".to_owned();
            CrashLabel { label: ExceptionType::Other, reason, ..found }
        }
    }
}

fn predicted<L: Label>(models: &Models, evidence: &Evidence, otherwise: L) -> CrashLabel<L> {
    let prediction = models.of(L::DIMENSION).map(|model| model.predict(evidence));
    let Some((first, because)) = prediction.and_then(|found| Some((found.ranked.into_iter().next()?, found.because)))
    else {
        return CrashLabel { label: otherwise, confidence: 0.1, reason: "there is no model".to_owned() };
    };
    let label = L::of(&first.0).unwrap_or(otherwise);
    CrashLabel { label, confidence: first.1, reason: because.join(", ") }
}

#[cfg(test)]
#[path = "classify_tests.rs"]
mod tests;
