//! A request by its natural key.

use super::read::Entry;
use crate::records::NotebookName;

/// A request.
#[derive(Debug, Clone)]
pub(super) enum PageAsk {
    Notebook(NotebookName),
    Version(NotebookName, Entry),
    File(NotebookName, Entry),
}

impl PageAsk {
    pub(super) fn name(&self) -> &NotebookName {
        match self {
            Self::Notebook(name) | Self::Version(name, _) | Self::File(name, _) => name,
        }
    }

    /// The address below the site.
    pub(super) fn address(&self) -> String {
        match self {
            Self::Notebook(name) => format!("/code/{name}"),
            Self::Version(name, entry) => format!("/code/{name}?scriptVersionId={}", entry.id),
            Self::File(_, entry) => format!("/kernels/scriptcontent/{}/download", entry.id),
        }
    }

    /// What names this request in every run, on every site.
    pub(super) fn key(&self) -> String {
        let what = if matches!(self, Self::File(..)) { "FILE" } else { "VISIT" };
        format!("{what} {}", self.address())
    }

    /// The item that the answer is about.
    pub(super) fn item(&self) -> String {
        match self {
            Self::Notebook(name) => name.to_string(),
            Self::Version(name, entry) | Self::File(name, entry) => match entry.number {
                Some(number) => format!("{name}#{number}"),
                None => format!("{name}#@{}", entry.id),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn natural_keys_are_the_same_on_every_site() {
        let (name, entry) = (NotebookName::new("a/b").unwrap(), Entry { id: 7, number: Some(2), status: None });
        let keys = [
            PageAsk::Notebook(name.clone()),
            PageAsk::Version(name.clone(), entry.clone()),
            PageAsk::File(name, entry),
        ];
        let keys: Vec<_> = keys.iter().map(|ask| (ask.key(), ask.item())).collect();
        let expected = [
            ("VISIT /code/a/b", "a/b"),
            ("VISIT /code/a/b?scriptVersionId=7", "a/b#2"),
            ("FILE /kernels/scriptcontent/7/download", "a/b#2"),
        ];
        assert_eq!(keys, expected.map(|(key, item)| (key.to_owned(), item.to_owned())));
    }
}
