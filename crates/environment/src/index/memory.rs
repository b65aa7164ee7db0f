//! What was looked up lately, in memory, up to a bound.
//!
//! When the estimated size passes the bound everything is dropped at once: what is used often comes back at the price
//! of one reading, and there is no order of use to keep on the way of every question. Histories and metadata that
//! somebody still holds stay alive with their holders.

use std::collections::HashMap;
use std::sync::Arc;

use super::Lookup;
use super::cache::Places;
use crate::metadata::Metadata;

/// Bound on the estimated size, in bytes.
const BOUND: usize = 256 << 20;
/// What an entry costs beside its content.
const ENTRY: usize = 96;

/// Histories by name, metadata and places of files.
#[derive(Debug)]
pub(super) struct Memory {
    lookups: HashMap<String, Lookup>,
    /// By distribution and file; whether its modules were looked for too.
    metadata: HashMap<String, HashMap<String, (Arc<Metadata>, bool)>>,
    places: HashMap<String, Arc<Places>>,
    weight: usize,
    bound: usize,
}

impl Default for Memory {
    fn default() -> Self {
        Self { lookups: HashMap::new(), metadata: HashMap::new(), places: HashMap::new(), weight: 0, bound: BOUND }
    }
}

impl Memory {
    #[cfg(test)]
    pub(super) fn bounded(bound: usize) -> Self {
        Self { bound, ..Self::default() }
    }

    pub(super) fn lookup(&self, name: &str) -> Option<Lookup> {
        self.lookups.get(name).cloned()
    }

    pub(super) fn metadata(&self, name: &str, file: &str) -> Option<(Arc<Metadata>, bool)> {
        self.metadata.get(name)?.get(file).cloned()
    }

    pub(super) fn places(&self, name: &str) -> Option<Arc<Places>> {
        self.places.get(name).cloned()
    }

    pub(super) fn keep_lookup(&mut self, name: &str, lookup: &Lookup) {
        let weight = match lookup {
            Lookup::Known { history, .. } => history.weight(),
            Lookup::Absent => 0,
        };
        self.make_room(weight + name.len());
        self.lookups.insert(name.to_owned(), lookup.clone());
    }

    pub(super) fn keep_metadata(&mut self, name: &str, file: &str, metadata: &Arc<Metadata>, complete: bool) {
        // Parsed requirements weigh some five times their text.
        let texts = metadata.requires.iter().map(|text| 6 * text.len() + ENTRY);
        let modules = metadata.modules.iter().map(|text| text.len() + ENTRY);
        self.make_room(texts.chain(modules).sum::<usize>() + file.len());
        let files = self.metadata.entry(name.to_owned()).or_default();
        files.insert(file.to_owned(), (Arc::clone(metadata), complete));
    }

    pub(super) fn keep_places(&mut self, name: &str, places: &Arc<Places>) {
        self.make_room(places.iter().map(|(file, place)| file.len() + place.url.len() + ENTRY).sum());
        self.places.insert(name.to_owned(), Arc::clone(places));
    }

    fn make_room(&mut self, weight: usize) {
        self.weight += weight + ENTRY;
        if self.weight > self.bound {
            tracing::debug!(weight = self.weight, "dropping what the index said lately");
            *self = Self { weight: weight + ENTRY, bound: self.bound, ..Self::default() };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::History;

    #[test]
    fn over_the_bound_all_is_dropped_but_the_newest() {
        let lookup = |name: &str| Lookup::Known {
            history: Arc::new(History { name: name.into(), releases: Vec::new() }),
            stale: None,
        };
        let mut memory = Memory::bounded(1000);
        let held = lookup("a");
        memory.keep_lookup("a", &held);
        let mut kept = 1;
        while memory.lookup("a").is_some() {
            let name = format!("b{kept}");
            memory.keep_lookup(&name, &lookup(&name));
            assert!(memory.lookup(&name).is_some());
            kept += 1;
        }
        assert!(kept > 3 && kept < 20, "{kept}");
        assert_eq!(memory.lookups.len(), 1);
        assert!(matches!(held, Lookup::Known { history, .. } if history.name == "a"));
    }
}
