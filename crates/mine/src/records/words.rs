//! The words of a record, each with one spelling.

nbrevive_corpus::string_enum! {
    /// Where a record comes from.
    pub enum Source ("source") {
        /// The public API of Kaggle.
        KaggleApi => "kaggle-api",
        /// The pages, read in a browser.
        Browser => "browser",
        /// The official dump.
        MetaKaggle => "meta-kaggle",
        /// A folder of notebooks that are already here.
        Folder => "folder",
        /// The history of a git repository that is already here.
        Git => "git",
    }
}

nbrevive_corpus::string_enum! {
    /// How code is kept: with cells, or as one text.
    pub enum Kind ("kind") {
        /// A document of cells.
        Notebook => "notebook",
        /// One text, run from top to bottom.
        Script => "script",
    }
}

nbrevive_corpus::string_enum! {
    /// The language of the code, as the source names it.
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

nbrevive_corpus::string_enum! {
    /// How a version's run on Kaggle ended, as far as it did.
    pub enum RunStatus ("run status") {
        /// It ran to its end.
        Complete => "complete",
        /// It failed.
        Error => "error",
        /// Somebody stopped it.
        Cancelled => "cancelled",
        /// It was still running when it was looked at.
        Running => "running",
        /// It had not begun when it was looked at.
        Queued => "queued",
    }
}

nbrevive_corpus::string_enum! {
    /// What kind of thing a version reads.
    pub enum DataKind ("data source") {
        /// The files of a competition.
        Competition => "competition",
        /// A data set.
        Dataset => "dataset",
        /// The output of another notebook.
        Notebook => "notebook",
        /// A model.
        Model => "model",
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

impl Kind {
    /// The kind by the API's word, in any case; `None` for what is neither.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let name = name.trim().to_ascii_lowercase();
        let name = name.strip_prefix("kernel_type_").unwrap_or(&name);
        name.strip_prefix("editor_type_").unwrap_or(name).parse().ok()
    }
}

impl RunStatus {
    /// The status by the word of an API or page, in any case; `None` for words without a meaning here.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        match name.trim().to_ascii_lowercase().as_str() {
            "complete" => Some(Self::Complete),
            "error" => Some(Self::Error),
            "cancelrequested" | "cancelacknowledged" | "cancel_requested" | "cancel_acknowledged" | "cancelled" => {
                Some(Self::Cancelled)
            }
            "running" => Some(Self::Running),
            "queued" | "newscript" | "new_script" => Some(Self::Queued),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_both_generations_mean_the_same() {
        assert_eq!(CodeLanguage::from_name("LANGUAGE_PYTHON"), Some(CodeLanguage::Python));
        assert_eq!(CodeLanguage::from_name("python"), Some(CodeLanguage::Python));
        assert_eq!(CodeLanguage::from_name("rmarkdown"), Some(CodeLanguage::RMarkdown));
        assert_eq!(CodeLanguage::from_name(""), None);
        assert_eq!(CodeLanguage::from_name("cobol"), Some(CodeLanguage::Other));
        assert_eq!(Kind::from_name("NOTEBOOK"), Some(Kind::Notebook));
        assert_eq!(Kind::from_name("EDITOR_TYPE_SCRIPT"), Some(Kind::Script));
        assert_eq!(Kind::from_name("dashboard"), None);
        assert_eq!(RunStatus::from_name("CANCEL_ACKNOWLEDGED"), RunStatus::from_name("cancelAcknowledged"));
    }
}
