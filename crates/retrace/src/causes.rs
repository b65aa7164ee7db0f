//! Why a cell does not show what was saved (Osiris, section 3.4).

use std::collections::BTreeSet;

use nbrevive_compare::{Agreement, ChanceSign, DifferenceKind};
use nbrevive_spelling::string_enum;

use crate::judge::CellVerdict;
use crate::repeats::touching;
use crate::subject::TracedNotebook;

string_enum! {
    /// A cause, by its number in the paper.
    pub enum MismatchCause ("cause of a mismatch") {
        /// R1: random numbers without a seed.
        Randomness => "R1-randomness",
        /// R2: time and date.
        Time => "R2-time",
        /// R3: pictures.
        Plots => "R3-plots",
        /// R4: what comes from outside: files that are not there, the network.
        Inputs => "R4-inputs",
        /// R5: numbers that agree as numbers, and are written in another way.
        Floats => "R5-floats",
        /// R6: the order of sets.
        Containers => "R6-containers",
        /// R7: what depends on versions and machine.
        Environment => "R7-environment",
        /// In another order that was tried it shows what was saved, or it lacks a name.
        Order => "order",
    }
}

/// Errors by what they say of the cause.
const RAISED: &[(&str, MismatchCause)] = &[
    ("NameError", MismatchCause::Order),
    ("UnboundLocalError", MismatchCause::Order),
    ("FileNotFoundError", MismatchCause::Inputs),
    ("ConnectionError", MismatchCause::Inputs),
    ("URLError", MismatchCause::Inputs),
    ("HTTPError", MismatchCause::Inputs),
    ("gaierror", MismatchCause::Inputs),
    ("ModuleNotFoundError", MismatchCause::Environment),
    ("ImportError", MismatchCause::Environment),
    ("AttributeError", MismatchCause::Environment),
    ("TypeError", MismatchCause::Environment),
];

/// The causes that code, outputs and errors show, by the paper's numbers; `elsewhere` are cells that show what was saved in another order. Empty where
/// nothing tells.
#[must_use]
pub fn causes(
    subject: &TracedNotebook<'_>,
    verdict: &CellVerdict,
    elsewhere: &BTreeSet<usize>,
) -> BTreeSet<MismatchCause> {
    let mut found = BTreeSet::new();
    if elsewhere.contains(&verdict.cell) {
        found.insert(MismatchCause::Order);
    }
    let mut reaching = touching(subject, verdict.cell);
    reaching.insert(verdict.cell);
    let signs = subject.signs.iter().filter(|sign| reaching.contains(&sign.cell) && !sign.is_seeded);
    found.extend(signs.map(|sign| of_sign(sign.sign)));
    let raised = verdict.raised.as_ref().and_then(|raised| RAISED.iter().find(|(name, _)| *name == raised.ename));
    found.extend(raised.map(|(_, cause)| *cause));
    if let Some(difference) = &verdict.difference {
        let is_picture = matches!(difference.kind, DifferenceKind::Picture | DifferenceKind::PictureSize)
            || difference.mime.as_deref().is_some_and(|mime| mime.starts_with("image/"));
        found.extend(is_picture.then_some(MismatchCause::Plots));
    }
    if verdict.agreement == Some(Agreement::Value) {
        found.insert(MismatchCause::Floats);
    }
    found
}

const fn of_sign(sign: ChanceSign) -> MismatchCause {
    match sign {
        ChanceSign::Random | ChanceSign::NumpyRandom | ChanceSign::Uuid => MismatchCause::Randomness,
        ChanceSign::Time | ChanceSign::DatetimeNow => MismatchCause::Time,
        ChanceSign::SetOrder => MismatchCause::Containers,
        ChanceSign::Environ | ChanceSign::Threads => MismatchCause::Environment,
    }
}
