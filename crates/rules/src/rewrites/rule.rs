//! A row of the catalogue: what changed, how it shows, how it is mended, and an example that the tests walk.

use std::fmt::Write as _;

use crate::change::Change;
use crate::keywords::KeywordChange;
use crate::methods::MethodRename;
use crate::positional::Positional;
use crate::signature::Signature;
use crate::view::View;
use crate::words::Words;
use nbrevive_corpus::FixType;
use nbrevive_notebook::PythonVersion;

/// A day as year, month and day.
pub type Day = (i16, i8, i8);

/// When a rule may act.
#[derive(Debug, Clone, Copy)]
pub enum Trigger {
    /// One of the notebook's errors looks like one of these.
    Error(&'static [Signature]),
    /// Nothing is raised, and the old meaning is certain from the syntax: acts with every repair of errors and
    /// every calibration.
    Silent,
    /// A default had another value in notebooks written before this day: acts in calibrations of those that were submitted before, and,
    /// where there is no score to calibrate to, with every repair of errors of those that are known to be older.
    OldDefault {
        /// Release day of the version that changed the default.
        before: Day,
        /// The oldest Python that takes that version (`requires_python` in the package index).
        python: PythonVersion,
    },
    /// Restores an old behaviour as a whole, by a line at the top: acts when no finer rule has anything to say, and an error looks
    /// like one of these.
    Switch {
        /// What the behaviour leads to.
        errors: &'static [Signature],
        /// The first version of the library that has no such switch any more; empty where none is known.
        until: &'static str,
    },
    /// Saves time. Lower stages cost nothing in accuracy and come first.
    Slow {
        /// 1: same result; 2: fewer repetitions of a search.
        stage: u8,
    },
}

/// A case of the rule: the tests rewrite `before`, given `error`, and expect `after`.
#[derive(Debug, Clone, Copy)]
pub struct Example {
    /// A cell in the old form.
    pub before: &'static str,
    /// The exception's class and message; empty for changes that raise nothing.
    pub error: (&'static str, &'static str),
    /// The same cell afterwards.
    pub after: &'static str,
}

/// How a rule mends.
#[derive(Clone, Copy)]
pub(crate) enum Rewrite {
    /// Names that live elsewhere now: dotted old name, dotted new name. An empty new name drops the import.
    Move(&'static [(&'static str, &'static str)]),
    /// Methods and properties with another name.
    Method(&'static [MethodRename]),
    /// Keyword arguments that were renamed, removed or take other values.
    Keyword(&'static [KeywordChange]),
    /// Arguments that must be named now.
    Positional(&'static [Positional]),
    /// Anything else.
    Code(fn(&View<'_>, &mut Change<'_>)),
}

impl Rewrite {
    /// Whether it may find something to do in code of these words. Tables can only speak of what the code names.
    pub(crate) fn may_act_on(self, words: &Words<'_>) -> bool {
        match self {
            Self::Move(table) => table.iter().any(|(old, _)| old.rsplit('.').all(|part| words.contain(part))),
            Self::Method(table) => table.iter().any(|row| words.contain(row.old)),
            Self::Keyword(table) => table.iter().any(|row| words.contain(row.keyword) && words.name_callee(row.callee)),
            Self::Positional(table) => table.iter().any(|row| words.name_callee(row.callee)),
            Self::Code(_) => true,
        }
    }
}

/// One change of a library and its repair.
#[derive(Clone, Copy)]
pub struct Rule {
    /// Unique, kebab-case, starting with the library's short name.
    pub id: &'static str,
    /// The distribution whose version decides, or `python`.
    pub library: &'static str,
    /// The first version without the old form.
    pub broken_in: &'static str,
    /// What changed, one line.
    pub change: &'static str,
    /// How the meaning shifts; empty when it does not.
    pub shift: &'static str,
    /// When it acts.
    pub trigger: Trigger,
    /// The old form is recognised without doubt and can only fail (or do nothing) since `broken_in`: mended along
    /// with any other error, so that a masked error does not cost a fix of its own.
    pub certain: bool,
    /// Case for the tests and for readers.
    pub example: Example,
    pub(crate) rewrite: Rewrite,
}

/// An example that an error calls.
pub(crate) const fn example(before: &'static str, error: (&'static str, &'static str), after: &'static str) -> Example {
    Example { before, error, after }
}

impl Rule {
    /// A rule that is not certain and shifts no meaning.
    pub(crate) const fn new(
        id: &'static str,
        (library, broken_in): (&'static str, &'static str),
        change: &'static str,
        trigger: Trigger,
        rewrite: Rewrite,
        example: Example,
    ) -> Self {
        Self { id, library, broken_in, change, shift: "", trigger, certain: false, example, rewrite }
    }

    /// The same rule, marked as certain.
    pub(crate) const fn certain(mut self) -> Self {
        self.certain = true;
        self
    }

    /// The same rule with a note on how the meaning shifts.
    pub(crate) const fn shift(mut self, shift: &'static str) -> Self {
        self.shift = shift;
        self
    }

    /// Everything about the rule, as people read it.
    #[must_use]
    pub fn explained(&self) -> String {
        let mut text = format!("{}\n{} since {}: {}\n", self.id, self.library, self.broken_in, self.change);
        if !self.shift.is_empty() {
            let _ = writeln!(text, "meaning shifts: {}", self.shift);
        }
        let _ = writeln!(text, "acts: {}", self.when());
        if let Trigger::Error(signatures) | Trigger::Switch { errors: signatures, .. } = self.trigger {
            for signature in signatures {
                let class = if signature.ename.is_empty() { "any error" } else { signature.ename };
                let _ = writeln!(text, "  {class}: {}", signature.evalue);
            }
        }
        let _ = write!(text, "\nbefore:\n{}\nafter:\n{}", indented(self.example.before), indented(self.example.after));
        text
    }

    /// When it acts, in words.
    fn when(&self) -> String {
        match self.trigger {
            Trigger::Error(_) if self.certain => "on these errors, and along with any other one".to_owned(),
            Trigger::Error(_) => "on these errors".to_owned(),
            Trigger::Switch { until: "", .. } => "on these errors, when no finer rule does".to_owned(),
            Trigger::Switch { until, .. } => {
                format!("on these errors, when no finer rule does, before {} {until}", self.library)
            }
            Trigger::Silent => "wherever the pattern stands, since nothing is raised".to_owned(),
            Trigger::OldDefault { before: (year, month, day), .. } => format!(
                "when a score deviates, or with other repairs where there is none, in notebooks from before {year}-{month:02}-{day:02}"
            ),
            Trigger::Slow { stage } => format!("when time runs out, stage {stage}"),
        }
    }

    /// Whether it restores an old behaviour as a whole.
    #[must_use]
    pub fn is_switch(&self) -> bool {
        matches!(self.trigger, Trigger::Switch { .. })
    }

    /// The fix type that the rule serves first.
    #[must_use]
    pub fn fix_type(&self) -> FixType {
        match self.trigger {
            Trigger::Error(_) | Trigger::Switch { .. } => FixType::ErrorRepair,
            Trigger::Silent | Trigger::OldDefault { .. } => FixType::ScoreCalibration,
            Trigger::Slow { .. } => FixType::RuntimeReduction,
        }
    }
}

fn indented(code: &str) -> String {
    code.lines().map(|line| format!("    {line}\n")).collect()
}

impl std::fmt::Debug for Rule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Rule").field("id", &self.id).field("library", &self.library).finish_non_exhaustive()
    }
}
