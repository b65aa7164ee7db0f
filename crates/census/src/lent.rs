//! Names that a library takes of another one as a whole (`from numpy import *`), and where such names came from.

use std::collections::{BTreeMap, BTreeSet};

use crate::SourceFiles;
use crate::module::{Bound, ModuleText};
use crate::surface::{Surface, absolute};

/// Imports between a name and the library that it comes from, at most.
const LONGEST_WAY: usize = 12;

/// What the modules of a library hand to those who take all their names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LentNames(pub(crate) BTreeMap<String, BTreeSet<String>>);

impl LentNames {
    /// Reads a release of the library that lends.
    #[must_use]
    pub fn of(files: &SourceFiles) -> Self {
        Self(Surface::of(files, &Self::default()).handed())
    }

    /// Whether a name is one of them.
    pub(crate) fn has(&self, name: &str) -> bool {
        name.rsplit_once('.').is_some_and(|(module, last)| self.0.get(module).is_some_and(|names| names.contains(last)))
    }
}

impl Surface {
    /// The name of another library that a module's name stands for.
    pub(crate) fn origin(&self, module: &str, name: &str, depth: usize) -> Option<String> {
        let text = self.modules.get(module).filter(|_| depth < LONGEST_WAY)?;
        match text.names.get(name) {
            Some(Bound::From(from, what)) => {
                let from = absolute(module, from);
                if self.is_inside(&from) { self.origin(&from, what, depth + 1) } else { Some(format!("{from}.{what}")) }
            }
            Some(Bound::Module(other)) => (!self.is_inside(other)).then(|| other.clone()),
            Some(_) => None,
            None => self.origin_of_star(text, name, depth),
        }
    }

    fn origin_of_star(&self, text: &ModuleText, name: &str, depth: usize) -> Option<String> {
        text.stars.iter().rev().find_map(|star| match self.lent.0.get(star) {
            Some(names) => names.contains(name).then(|| format!("{star}.{name}")),
            None => self.origin(star, name, depth + 1),
        })
    }

    /// What each module hands to a star.
    fn handed(&self) -> BTreeMap<String, BTreeSet<String>> {
        self.modules.keys().map(|module| (module.clone(), self.star_names(module))).collect()
    }
}
