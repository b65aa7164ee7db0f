//! What a library lends, and where names came from that another one takes of it.

use std::collections::{BTreeMap, BTreeSet};

use crate::archive::SourceFiles;
use crate::lent::LentNames;
use crate::module_path::absolute;
use crate::module_text::{Bound, ModuleText};
use crate::surface::Surface;

/// Imports between a name and the library that it comes from, at most.
const LONGEST_WAY: usize = 12;

impl LentNames {
    /// Reads a release of the library that lends.
    #[must_use]
    pub fn of(files: &SourceFiles) -> Self {
        Self(Surface::of(files, &Self::default()).handed())
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
