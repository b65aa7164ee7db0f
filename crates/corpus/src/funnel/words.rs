//! The words of the funnel, each with one spelling.

use nbrevive_spelling::string_enum;

string_enum! {
    /// How code is kept: with cells, or as one text.
    pub enum CodeKind ("kind") {
        /// A document of cells.
        Notebook => "notebook",
        /// One text, run from top to bottom.
        Script => "script",
    }
}

string_enum! {
    /// The language of a version's code.
    pub enum CodeLanguage ("language") {
        /// Python of any version.
        Python => "python",
        /// R.
        R => "r",
        /// R Markdown.
        RMarkdown => "rmarkdown",
        /// Julia.
        Julia => "julia",
        /// SQLite.
        Sqlite => "sqlite",
        /// A language that the study has no word for.
        Other => "other",
    }
}

string_enum! {
    /// A step of the funnel.
    pub enum StepName ("step") {
        /// It belongs to a competition of the study (paper: "the selected competitions").
        InCompetition => "in-competition",
        /// It is no copy of another notebook (paper: "marked as Copied from notebook").
        NotCopied => "not-copied",
        /// It has code (paper: "with empty code content").
        NotEmpty => "not-empty",
        /// Its run on Kaggle ended well (paper: "successfully executed on Kaggle").
        RanSuccessfully => "ran-successfully",
        /// It has a score, and not zero (paper: "a non-zero score").
        ScoreNotZero => "score-not-zero",
        /// Its run on Kaggle was short enough (paper: "less than or equal to 600 seconds").
        RunTime => "run-time",
        /// It is written in Python (paper: "excluding R notebooks").
        Python => "python",
        /// It reads no data beyond its competition's (paper: "external datasets beyond the competition's provided data").
        NoExternalData => "no-external-data",
    }
}

string_enum! {
    /// Why a step dropped a version.
    pub enum DropReason ("reason") {
        /// It belongs to no competition of the study.
        NoCompetition => "no-competition",
        /// No source tells its competition.
        UnknownCompetition => "unknown-competition",
        /// It is a copy.
        Copied => "copied",
        /// No source tells whether it is a copy.
        UnknownCopy => "unknown-copy",
        /// It has no code.
        Empty => "empty",
        /// Its code is not here.
        UnknownCode => "unknown-code",
        /// Its run failed, was stopped, or never ended.
        Failed => "failed",
        /// No source tells how its run ended.
        UnknownStatus => "unknown-status",
        /// No source has a score of it, or none that is a finite number.
        NoScore => "no-score",
        /// Its score is zero, to which no relative deviation exists.
        ZeroScore => "zero-score",
        /// Its run took too long.
        TooSlow => "too-slow",
        /// No source tells how long its run took.
        UnknownRunTime => "unknown-run-time",
        /// The source says R.
        R => "r",
        /// The source says R Markdown.
        RMarkdown => "rmarkdown",
        /// The source says Julia.
        Julia => "julia",
        /// The source says SQLite.
        Sqlite => "sqlite",
        /// The source names another language.
        OtherLanguage => "other-language",
        /// The code is R, whatever the source says.
        RByContent => "r-by-content",
        /// The code is R Markdown, whatever the source says.
        RMarkdownByContent => "rmarkdown-by-content",
        /// The code is Julia, whatever the source says.
        JuliaByContent => "julia-by-content",
        /// The code is SQL, whatever the source says.
        SqliteByContent => "sqlite-by-content",
        /// The code is in another language, whatever the source says.
        OtherLanguageByContent => "other-language-by-content",
        /// Neither a source nor the code tells the language.
        UnknownLanguage => "unknown-language",
        /// It is a Python script without cells.
        Script => "script",
        /// It reads more than its competition's data.
        ExternalData => "external-data",
        /// No source tells what it reads.
        UnknownData => "unknown-data",
    }
}

string_enum! {
    /// What a step does with a version of which no source tells what the step asks.
    pub enum Unknown ("rule for the unknown") {
        /// The version goes on to the next step.
        Keep => "keep",
        /// The version is dropped.
        Drop => "drop",
    }
}

string_enum! {
    /// What the step `python` does with Python scripts.
    pub enum Scripts ("rule for scripts") {
        /// A script goes on to the next step.
        Keep => "keep",
        /// A script is dropped.
        Drop => "drop",
    }
}

string_enum! {
    /// Which of the two scores that Kaggle gives a submission is the target score `s_t`.
    pub enum TargetScore ("target score") {
        /// The private score, else the public one.
        PrivateThenPublic => "private-then-public",
        /// The public score, else the private one.
        PublicThenPrivate => "public-then-private",
        /// The private score alone.
        Private => "private",
        /// The public score alone.
        Public => "public",
    }
}

impl Default for TargetScore {
    /// The private score is on the larger part of the test set and cannot be climbed by looking at it; the public one is the only
    /// one of competitions that go on. The paper (section 2.1.1) says "score" alone.
    fn default() -> Self {
        Self::PrivateThenPublic
    }
}

impl TargetScore {
    /// The target among the two scores; one that is not finite counts as missing.
    #[must_use]
    pub fn choose(self, public: Option<f64>, private: Option<f64>) -> Option<f64> {
        let public = public.filter(|score| score.is_finite());
        let private = private.filter(|score| score.is_finite());
        match self {
            Self::PrivateThenPublic => private.or(public),
            Self::PublicThenPrivate => public.or(private),
            Self::Private => private,
            Self::Public => public,
        }
    }
}

impl CodeLanguage {
    /// The language by a name that an API, a page or a kernel uses, in any case; `None` for an empty name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let name = name.trim().to_ascii_lowercase();
        let name = name.strip_prefix("language_").unwrap_or(&name);
        let python = ["python", "ipython", "pypy", "conda", "xpython"];
        match name {
            "" | "language_type_unspecified" | "type_unspecified" | "unspecified" => None,
            "r" | "ir" => Some(Self::R),
            "rmarkdown" => Some(Self::RMarkdown),
            "sqlite" | "sql" => Some(Self::Sqlite),
            _ if name.starts_with("julia") => Some(Self::Julia),
            _ if python.iter().any(|start| name.starts_with(start)) => Some(Self::Python),
            _ => Some(Self::Other),
        }
    }
}

impl CodeKind {
    /// The kind by the API's word, in any case; `None` for what is neither.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let name = name.trim().to_ascii_lowercase();
        let name = name.strip_prefix("kernel_type_").unwrap_or(&name);
        name.strip_prefix("editor_type_").unwrap_or(name).parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_target_is_the_private_score_unless_told_otherwise() {
        let both = |rule: TargetScore| rule.choose(Some(0.7), Some(0.8));
        assert_eq!(both(TargetScore::default()), Some(0.8));
        assert_eq!(both(TargetScore::Public), Some(0.7));
        assert_eq!(TargetScore::default().choose(Some(0.7), Some(f64::INFINITY)), Some(0.7));
        assert_eq!(TargetScore::Private.choose(Some(0.7), None), None);
        assert_eq!(TargetScore::PublicThenPrivate.choose(None, Some(0.8)), Some(0.8));
    }

    #[test]
    fn names_of_both_generations_mean_the_same() {
        assert_eq!(CodeLanguage::from_name("LANGUAGE_PYTHON"), Some(CodeLanguage::Python));
        assert_eq!(CodeLanguage::from_name("python"), Some(CodeLanguage::Python));
        assert_eq!(CodeLanguage::from_name("rmarkdown"), Some(CodeLanguage::RMarkdown));
        assert_eq!(CodeLanguage::from_name(""), None);
        assert_eq!(CodeLanguage::from_name("cobol"), Some(CodeLanguage::Other));
        assert_eq!(CodeKind::from_name("NOTEBOOK"), Some(CodeKind::Notebook));
        assert_eq!(CodeKind::from_name("EDITOR_TYPE_SCRIPT"), Some(CodeKind::Script));
        assert_eq!(CodeKind::from_name("dashboard"), None);
    }
}
