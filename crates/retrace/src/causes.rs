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

/// What a cell has in its text that asks for versions or for the machine (section 3.4: "number of CPUs, Python package versions, the memory
/// location of variables").
const OF_MACHINE: &[&str] = &[
    "__version__",
    "sys.version",
    "version_info",
    "show_versions",
    "%watermark",
    "platform.",
    "sys.platform",
    "cpu_count",
    "getcwd",
    "%pwd",
    "listdir",
    "scandir",
    "glob(",
    "%ls",
    "!ls",
    "!pip",
    "!conda",
    "!python",
    "__file__",
    "id(",
];

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
    let code = &subject.cells[verdict.cell].source;
    if OF_MACHINE.iter().any(|asked| has_word(code, asked)) {
        found.insert(MismatchCause::Environment);
    }
    found
}

/// Whether `code` has a text that does not go on a name: `id(` is not in `grid(`.
fn has_word(code: &str, wanted: &str) -> bool {
    let goes_on = |character: char| character.is_alphanumeric() || character == '_';
    let begins_a_name = wanted.starts_with(goes_on);
    code.match_indices(wanted).any(|(at, _)| !(begins_a_name && code[..at].ends_with(goes_on)))
}

const fn of_sign(sign: ChanceSign) -> MismatchCause {
    match sign {
        ChanceSign::Random | ChanceSign::NumpyRandom | ChanceSign::Uuid => MismatchCause::Randomness,
        ChanceSign::Time | ChanceSign::DatetimeNow => MismatchCause::Time,
        ChanceSign::SetOrder => MismatchCause::Containers,
        ChanceSign::Environ | ChanceSign::Threads => MismatchCause::Environment,
    }
}

#[cfg(test)]
mod tests {
    use nbrevive_notebook::Notebook;
    use nbrevive_order::GraphKind;

    use super::*;
    use crate::bench::CellRun;
    use crate::judge::judge;

    /// The causes of a cell that was saved with one text and shows another, at the level of exactness.
    fn words(source: &str) -> Vec<&'static str> {
        let output =
            |text: &str| nbrevive_notebook::Output::Stream { name: "stdout".to_owned(), text: text.to_owned() };
        let saved = nbrevive_notebook::Cell {
            kind: nbrevive_notebook::CellKind::Code { execution_count: Some(1), outputs: vec![output("one\n")] },
            ..nbrevive_notebook::Cell::code(source)
        };
        let notebook = Notebook::from_cells(vec![saved]);
        let subject = TracedNotebook::new(&notebook, GraphKind::Sharp);
        let step = CellRun { outputs: vec![output("two\n")], ..CellRun::default() };
        let judged = judge(&subject, &nbrevive_compare::OutputComparer::default(), 0, step);
        let verdict = crate::OrderVerdict::of(&subject, &[0], &[std::rc::Rc::new(judged)]);
        causes(&subject, &verdict.cells[0], &BTreeSet::new()).into_iter().map(|cause| cause.as_str()).collect()
    }

    #[test]
    fn what_asks_for_versions_or_the_machine_depends_on_the_environment() {
        for source in
            ["import numpy as np\nprint(np.__version__)", "print(os.cpu_count())", "print(id(a))", "!pip list"]
        {
            assert_eq!(words(source), ["R7-environment"], "{source}");
        }
        for source in ["print('one')", "ax.grid(True)", "platforms = 1"] {
            assert!(words(source).is_empty(), "{source}");
        }
    }
}
