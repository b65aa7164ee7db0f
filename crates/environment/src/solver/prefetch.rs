//! Asks the index for what a plan will likely need, many answers at once, before the solver asks one by one.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::universe::Universe;
use crate::history::{File, History};
use crate::index::Index;
use crate::requirement::MarkerEnvironment;

/// Rounds of requirements that are followed ahead; deeper ones are few.
const ROUNDS: usize = 5;

/// Looks ahead along the first choices. What fails here is told when the solver asks again.
pub(super) fn prefetch(universe: &Universe<'_>, index: &Index) {
    let markers = MarkerEnvironment::of(universe.problem.interpreter);
    let mut met: BTreeSet<String> = BTreeSet::new();
    let mut next: BTreeSet<String> = universe.problem.roots.iter().map(|root| root.requirement.name.clone()).collect();
    for _ in 0..ROUNDS {
        let names: Vec<String> = next.iter().cloned().collect();
        if names.is_empty() {
            return;
        }
        index.prefetch(&names);
        let choices: Vec<(u32, u32)> = names.iter().filter_map(|name| first_choice(universe, name)).collect();
        prefetch_metadata(universe, index, &choices);
        next = choices.iter().flat_map(|choice| requirements(universe, *choice, &markers)).collect();
        met.extend(names);
        next.retain(|name| !met.contains(name));
    }
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

fn requirements(universe: &Universe<'_>, (number, position): (u32, u32), markers: &MarkerEnvironment) -> Vec<String> {
    let Ok(Ok(metadata)) = universe.metadata(number, position) else { return Vec::new() };
    let requirements = metadata.requirements().iter().filter(|requirement| requirement.applies(markers, None));
    requirements.map(|requirement| requirement.name.clone()).collect()
}
