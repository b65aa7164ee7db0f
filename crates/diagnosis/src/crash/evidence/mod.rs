//! What a crash says of itself, as facts: `raises=keyerror`, `enters=pandas`, `calls=fit`. The classifier knows nothing else of it.
//!
//! Facts are general on purpose: kinds of names and of lines, packages and functions, the words of the value. None is a label, and none
//! names a notebook.

mod code;
mod foreign;
mod frames;
mod intention;
mod name;
mod outside;
mod value;

use std::borrow::Cow;
use std::collections::BTreeSet;

use super::api_change::ApiChange;
use super::label::{ExceptionType, Label as _};
use super::ran_in::RanIn;
use super::rule;
use super::traceback::{Traceback, plain};

pub(super) use foreign::is_class_name;
pub(super) use intention::announces;
pub(super) use name::is_nearly;
pub use name::missing_name;
pub(super) use value::whole as saved_value;

/// A saved error as the classifier sees it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct CrashText<'text> {
    /// Where the notebook was published: `kaggle`, `github`, or nothing.
    pub platform: &'text str,
    /// The exception's name, in any case.
    pub ename: &'text str,
    /// Its value.
    pub evalue: &'text str,
    /// The traceback, its parts joined by line ends.
    pub traceback: &'text str,
}

/// What is known of one crash.
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    facts: BTreeSet<String>,
    /// The rules that apply, the first of which is the most telling.
    pub(crate) rules: Vec<&'static rule::CauseRule>,
    /// The exception's name in lower case, without its module.
    pub(crate) name: String,
    /// What says that another language raised it.
    pub(crate) foreign: Option<&'static str>,
    /// A sign that the error is meant.
    pub(crate) intention: Option<&'static str>,
    /// Whether the code is none of the pipeline.
    pub(crate) is_outside: bool,
    /// The release that took away what the error misses.
    pub(crate) change: Option<ApiChange>,
    /// The versions that its paths name.
    pub(crate) ran_in: Option<String>,
    /// Whether neither a value nor a frame was saved.
    pub(crate) is_bare: bool,
    /// The type that the message tells, whatever the exception's name is.
    pub(crate) told_type: Option<ExceptionType>,
    /// Whether its message is one that arrays and frames alone have, whose library then raised it although no frame shows that.
    pub(crate) is_of_arrays: bool,
    /// The library to blame.
    pub(crate) library: Option<String>,
}

/// Messages of operators on arrays and frames: compiled code raises them, so that the cell is the only frame.
const OF_ARRAYS: [&str; 4] = [
    "operands could not be broadcast together",
    "truth value of an array",
    "truth value of a Series is ambiguous",
    "truth value of a DataFrame is ambiguous",
];

impl Evidence {
    /// Gathers what the crash says. Never fails: what cannot be read gives no fact.
    #[must_use]
    pub fn of(crash: CrashText<'_>) -> Self {
        let (text, ename, evalue) = (plain(crash.traceback), plain(crash.ename), plain(crash.evalue));
        let traceback = Traceback::read(&text);
        let seen = Seen {
            ename: ename.trim().rsplit('.').next().unwrap_or("").to_ascii_lowercase(),
            value: value::whole(&ename, &evalue, &text),
            traceback,
            platform: crash.platform.trim().to_ascii_lowercase(),
        };
        let mut evidence = Self::default();
        evidence.add("platform", &seen.platform);
        evidence.add("raises", &seen.ename);
        value::gather(&seen, &mut evidence);
        frames::gather(&seen, &mut evidence);
        code::gather(&seen, &mut evidence);
        name::gather(&seen, &mut evidence);
        evidence.foreign = foreign::language(&ename, &seen, &text);
        evidence.intention = intention::sign(&seen);
        evidence.is_outside = outside::is_outside(&seen);
        let ran = RanIn::read(&text);
        // What ran before that release had the name still: somebody mistook what an object is.
        evidence.change = ApiChange::behind(&seen.value, seen.traceback.own_line().unwrap_or(""))
            .filter(|change| !ran.is_before(change.library, change.broken_in));
        evidence.ran_in = ran.told();
        evidence.library = frames::library(&seen);
        evidence.is_of_arrays = OF_ARRAYS.iter().any(|words| seen.value.contains(words));
        evidence.rules = rule::that_apply(&seen.ename, &seen.value, |fact| evidence.has(fact));
        for (index, rule) in evidence.rules.clone().into_iter().enumerate() {
            if index == 0 {
                evidence.add("rule", rule.cause.code());
            }
            evidence.add("pattern", rule.id);
        }
        evidence.is_bare = seen.value.is_empty() && seen.traceback.frames.is_empty();
        evidence.told_type = value::told_type(&seen.value);
        evidence.name = seen.ename;
        evidence
    }

    /// The same with a sign that the error is meant, where it has none of its own.
    pub(super) fn with_sign(mut self, sign: Option<&'static str>) -> Self {
        self.intention = self.intention.or(sign);
        self
    }

    /// Whether this fact is known: `calls=fit`.
    pub(crate) fn has(&self, fact: &str) -> bool {
        self.facts.contains(fact)
    }

    /// The facts, sorted.
    pub fn facts(&self) -> impl Iterator<Item = &str> {
        self.facts.iter().map(String::as_str)
    }

    /// A sign that the error is meant.
    #[must_use]
    pub fn sign_of_intention(&self) -> Option<&'static str> {
        self.intention
    }

    /// Whether neither a name nor a value nor a frame was saved.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.is_bare && self.name.is_empty()
    }

    fn add(&mut self, kind: &str, what: &str) {
        // A name can be as long as a file; what is longer is no name that comes twice.
        if !what.is_empty() && what.len() <= 60 {
            self.facts.insert([kind, "=", what].concat());
        }
    }
}

/// A crash, read.
pub(crate) struct Seen<'text> {
    /// In lower case, without its module.
    pub(crate) ename: String,
    /// The value, as whole as the traceback has it.
    pub(crate) value: Cow<'text, str>,
    pub(crate) traceback: Traceback<'text>,
    pub(crate) platform: String,
}
