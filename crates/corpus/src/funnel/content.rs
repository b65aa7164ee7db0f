//! What a version's code says for itself: whether there is any, whether it has cells, and its language.
//!
//! Sources name a language for a notebook, not for a version, and some authors ran R inside a Python kernel. So the code is asked too,
//! by signs that the other languages do not share; without a clear majority of them the answer stays what the document says. The
//! signs are lexical: a parser of Python could say that something is not Python, but not what it is instead, and code of Python 2
//! or with shell lines is Python all the same.

mod signs;

#[cfg(test)]
mod tests;

use nbrevive_notebook::{Language, Notebook};

use super::{CodeKind, CodeLanguage, FunnelCandidate};
use signs::Signs;

/// What the bytes of one version's code tell; `None` where they tell nothing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Content {
    /// Cells or one text.
    pub kind: Option<CodeKind>,
    /// Whether there is no code: no cell with anything but blanks in it.
    pub empty: Option<bool>,
    /// The language.
    pub language: Option<CodeLanguage>,
}

impl Content {
    /// Reads the code of a version: a notebook, or else a script of any language. Never fails: of a damaged notebook nothing is told.
    ///
    /// The time grows with the number of bytes; how many are read is the caller's to limit.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        if let Ok(notebook) = nbrevive_notebook::read_code(bytes) {
            return Self::of_notebook(&notebook);
        }
        let text = String::from_utf8_lossy(bytes);
        if text.trim_start_matches('\u{feff}').trim_start().starts_with('{') {
            return Self::default();
        }
        let kind = Some(CodeKind::Script);
        Self { kind, empty: Some(text.trim().is_empty()), language: language_of_code(&text) }
    }

    /// As [`Content::of`], for a notebook that has been read.
    #[must_use]
    pub fn of_notebook(notebook: &Notebook) -> Self {
        let empty = notebook.code_cells().all(|(_, cell)| cell.source.trim().is_empty());
        Self { kind: Some(CodeKind::Notebook), empty: Some(empty), language: Some(language_of_notebook(notebook)) }
    }
}

impl FunnelCandidate {
    /// The same version, once its code has been read. What a source said of kind and emptiness gives way to what the code shows.
    #[must_use]
    pub fn with_content(self, content: &Content) -> Self {
        Self {
            kind: content.kind.or(self.kind),
            empty: content.empty.or(self.empty),
            content_language: content.language.or(self.content_language),
            ..self
        }
    }
}

/// The language of a version's code, a notebook or a script; `None` where nothing tells. See [`Content::of`].
#[must_use]
pub fn language_of_content(bytes: &[u8]) -> Option<CodeLanguage> {
    Content::of(bytes).language
}

/// By the document's own metadata, unless they say Python and the cells are clearly something else.
fn language_of_notebook(notebook: &Notebook) -> CodeLanguage {
    match nbrevive_notebook::language(notebook) {
        Language::Python => {
            let mut signs = Signs::default();
            notebook.code_sources().iter().for_each(|source| signs.read_cell(source));
            signs.language().unwrap_or(CodeLanguage::Python)
        }
        Language::R => CodeLanguage::R,
        Language::Julia => CodeLanguage::Julia,
        Language::Other(name) => CodeLanguage::from_name(&name).unwrap_or(CodeLanguage::Other),
    }
}

/// The language of a text without metadata, by its signs.
fn language_of_code(text: &str) -> Option<CodeLanguage> {
    if text.lines().any(|line| line.starts_with("```{r")) {
        return Some(CodeLanguage::RMarkdown);
    }
    let mut signs = Signs::default();
    signs.read(text);
    signs.language()
}
