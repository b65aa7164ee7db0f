//! How users import what a module of a release has under a name.

use crate::archive::SourceFiles;
use crate::lent::LentNames;
use crate::surface::{Home, Surface};

/// The names of one release, by how users spell them.
#[derive(Debug)]
pub struct SpelledNames(Surface);

impl SpelledNames {
    /// Reads a release.
    #[must_use]
    pub fn of(files: &SourceFiles) -> Self {
        Self(Surface::of(files, &LentNames::default()))
    }

    /// Whether the module that a spelling goes through, or one above it, is there for old code alone.
    fn is_deprecated(&self, path: &str) -> bool {
        let mut modules = path.match_indices('.').filter_map(|(dot, _)| self.0.modules.get(&path[..dot]));
        modules.any(|module| module.deprecated.is_some())
    }

    /// The import that gives a name of a module to code outside of it: `from pandas import DataFrame` for `DataFrame` in
    /// `pandas.core.frame`. Of another library what the module's own imports say. `None` where the module has no such name.
    #[must_use]
    pub fn import_of(&self, module: &str, name: &str) -> Option<String> {
        let own = format!("{module}.{name}");
        let path = match self.0.resolve(module, name, 0)? {
            Home::Module(path) => path,
            Home::Value => own,
            Home::Foreign => self.0.origin(module, name, 0).unwrap_or(own),
            home => self.0.preferred.get(&home).filter(|path| !self.is_deprecated(path)).cloned().unwrap_or(own),
        };
        let renamed = |last: &str| if last == name { String::new() } else { format!(" as {name}") };
        Some(match path.rsplit_once('.') {
            Some((parent, last)) => format!("from {parent} import {last}{}", renamed(last)),
            None => format!("import {path}{}", renamed(&path)),
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn names_are_imported_as_users_spell_them() {
        let text = |path: &str, text: &str| (path.to_owned(), text.to_owned());
        let files = SourceFiles {
            files: BTreeMap::from([
                text("p/__init__.py", "from p.core.api import *\n"),
                text("p/core/api.py", "from p.core.frame import Frame\n"),
                text(
                    "p/core/frame.py",
                    "import numpy as np\nfrom scipy import stats as st\nfrom p import core\nclass Frame: pass\ndef _hidden(): pass\nlimit = 3\n",
                ),
                text("p/core/__init__.py", ""),
                text("p/core/old.py", "def old(): pass\n"),
                text(
                    "p/old.py",
                    "import warnings\nwarnings.warn('p.old is deprecated', DeprecationWarning)\nfrom p.core.old import old\n__all__ = ['old']\n",
                ),
            ]),
            ..SourceFiles::default()
        };
        let names = SpelledNames::of(&files);
        let import = |name: &str| names.import_of("p.core.frame", name);
        assert_eq!(import("Frame").as_deref(), Some("from p import Frame"));
        assert_eq!(import("np").as_deref(), Some("import numpy as np"));
        assert_eq!(import("st").as_deref(), Some("from scipy import stats as st"));
        assert_eq!(import("core").as_deref(), Some("from p import core"));
        assert_eq!(import("_hidden").as_deref(), Some("from p.core.frame import _hidden"));
        assert_eq!(import("limit").as_deref(), Some("from p.core.frame import limit"));
        assert_eq!(import("nowhere"), None);
        assert_eq!(names.import_of("p.core.old", "old").as_deref(), Some("from p.core.old import old"));
        assert_eq!(names.import_of("q", "Frame"), None);
    }
}
