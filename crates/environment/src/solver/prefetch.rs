//! Asks the index for what a plan will likely need, many answers at once, before the solver asks one by one.

use std::collections::BTreeSet;

use super::distribution::Positions;
use super::universe::Universe;
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
        next = names.iter().flat_map(|name| required_by_first_choice(universe, name, &markers)).collect();
        met.extend(names);
        next.retain(|name| !met.contains(name));
    }
}

fn required_by_first_choice(universe: &Universe<'_>, name: &str, markers: &MarkerEnvironment) -> Vec<String> {
    let Ok(number) = universe.number_of(name) else { return Vec::new() };
    let distribution = universe.distribution(number);
    let scope = distribution.wishes.pin.as_ref().map_or_else(Positions::full, |pin| distribution.admitted_by(pin));
    let Some(position) = distribution.first_choice(&scope, &universe.circumstances) else { return Vec::new() };
    let Ok(Ok(metadata)) = universe.metadata(number, position) else { return Vec::new() };
    let requirements = metadata.requirements().iter().filter(|requirement| requirement.applies(markers, None));
    requirements.map(|requirement| requirement.name.clone()).collect()
}
