//! Looks ahead along the first choices: asks the index for many answers at once before the solver asks one by one, and
//! learns who builds on whom.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use super::universe::Universe;
use crate::history::{File, History};
use crate::index::Index;
use crate::requirement::MarkerEnvironment;

/// Rounds of requirements that are followed ahead; deeper ones are few.
const ROUNDS: usize = 5;

/// How far each distribution is below those that nothing else requires, by name. What is required is decided after
/// what requires it: else the newest numpy would be taken first, and tensorflow of a year before to go with it.
pub(super) type Levels = HashMap<String, u32>;

/// Looks ahead. What fails here is told when the solver asks again.
pub(super) fn prefetch(universe: &Universe<'_>, index: &Index) -> Levels {
    let markers = MarkerEnvironment::of(universe.problem.interpreter);
    let mut requires: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let mut next: BTreeSet<String> = universe.problem.roots.iter().map(|root| root.requirement.name.clone()).collect();
    for _ in 0..ROUNDS {
        let names: Vec<String> = next.iter().cloned().collect();
        if names.is_empty() {
            break;
        }
        index.prefetch(&names);
        let choices: Vec<(u32, u32)> = names.iter().filter_map(|name| first_choice(universe, name)).collect();
        prefetch_metadata(universe, index, &choices);
        for choice in choices {
            let required = requirements(universe, choice, &markers);
            next.extend(required.iter().cloned());
            requires.insert(universe.distribution(choice.0).name.clone(), required);
        }
        for name in names {
            requires.entry(name).or_default();
        }
        next.retain(|name| !requires.contains_key(name));
    }
    levels(&requires)
}

/// The longest way down to each distribution; those in a circle share a level.
fn levels(requires: &BTreeMap<String, BTreeSet<String>>) -> Levels {
    let mut waiting: BTreeMap<&str, usize> = requires.keys().map(|name| (name.as_str(), 0)).collect();
    for (name, required) in requires {
        for below in required.iter().filter(|below| *below != name) {
            waiting.entry(below).and_modify(|count| *count += 1).or_insert(1);
        }
    }
    let (mut levels, mut level) = (Levels::new(), 0);
    while !waiting.is_empty() {
        let mut free: Vec<&str> = waiting.iter().filter(|(_, count)| **count == 0).map(|(name, _)| *name).collect();
        if free.is_empty() {
            // All that is left is in a circle or below one: those that something left requires, and that require it.
            let leads = |name: &&str| {
                requires.get(*name).is_some_and(|below| below.iter().any(|one| waiting.contains_key(one.as_str())))
            };
            free = waiting.keys().copied().filter(leads).collect();
        }
        for name in free {
            waiting.remove(name);
            levels.insert(name.to_owned(), level);
            for below in requires.get(name).into_iter().flatten().filter(|below| *below != name) {
                waiting.entry(below).and_modify(|count| *count = count.saturating_sub(1));
            }
        }
        level += 1;
    }
    levels
}

/// The release that will be chosen if nothing forbids it, by the numbers of the distribution and the release.
fn first_choice(universe: &Universe<'_>, name: &str) -> Option<(u32, u32)> {
    let number = universe.number_of(name).ok()?;
    let distribution = universe.distribution(number);
    Some((number, distribution.first_choice(&distribution.scope(), &universe.circumstances)?))
}

fn prefetch_metadata(universe: &Universe<'_>, index: &Index, choices: &[(u32, u32)]) {
    let histories: Vec<(Arc<History>, usize, usize)> = choices
        .iter()
        .filter_map(|(number, position)| {
            let distribution = universe.distribution(*number);
            let file = distribution.grade(*position, &universe.circumstances).file()?;
            Some((distribution.history.clone()?, *position as usize, file))
        })
        .collect();
    let files: Vec<(&History, &File)> = histories
        .iter()
        .map(|(history, position, file)| (&**history, &history.releases[*position].files[*file]))
        .collect();
    index.prefetch_metadata(&files);
}

fn requirements(
    universe: &Universe<'_>,
    (number, position): (u32, u32),
    markers: &MarkerEnvironment,
) -> BTreeSet<String> {
    let Ok(Ok(metadata)) = universe.metadata(number, position) else { return BTreeSet::new() };
    let requirements = metadata.requirements().iter().filter(|requirement| requirement.applies(markers, None));
    requirements.map(|requirement| requirement.name.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_required_is_below_what_requires_it_and_circles_end() {
        let requires = |pairs: &[(&str, &str)]| -> BTreeMap<String, BTreeSet<String>> {
            let names = |text: &str| text.split_whitespace().map(str::to_owned).collect();
            pairs.iter().map(|(name, required)| ((*name).to_owned(), names(required))).collect()
        };
        let found = levels(&requires(&[
            ("numpy", ""),
            ("keras", "numpy scipy"),
            ("scipy", "numpy"),
            ("six", ""),
            ("one", "other"),
            ("other", "one six"),
        ]));
        let of = |name: &str| found[name];
        assert_eq!([of("keras"), of("scipy"), of("numpy")], [0, 1, 2]);
        assert!(of("one") == of("other") && of("six") > of("one"), "{found:?}");
    }
}
