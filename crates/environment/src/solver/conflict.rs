//! Why there is no solution, in words: the two requirements that clash, read off pubgrub's derivation tree.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use pubgrub::{DerivationTree, Derived, External};

use super::Asker;
use super::distribution::{Distribution, Grade, Obstacle, Positions};
use super::universe::{Edge, Package, Universe};
use crate::failure_class::FailureClass;

type Tree = DerivationTree<Package, Positions, String>;

/// A failure that is known before anything is installed.
#[derive(Debug)]
pub(crate) struct Clash {
    /// The class that a build would end in.
    pub(crate) class: FailureClass,
    /// The two that clash, a sentence.
    pub(crate) words: String,
    /// All distributions that took part, by normalised name.
    pub(crate) involved: BTreeSet<String>,
    /// Whether one of them has nothing of before the date.
    pub(crate) beyond_date: bool,
}

/// A requirement met on the way: who asks for what.
struct Demand<'tree> {
    asker: Package,
    askers: &'tree Positions,
    target: u32,
    wanted: &'tree Positions,
}

/// Reads the tree.
pub(super) fn explain(universe: &Universe<'_>, tree: &Tree) -> Clash {
    let leaves = leaves(tree);
    let demands: Vec<Demand<'_>> = leaves.iter().filter_map(|leaf| demand(leaf)).collect();
    let numbers: BTreeSet<u32> =
        leaves.iter().flat_map(|leaf| packages(leaf)).filter_map(Package::distribution).collect();
    let involved = numbers.iter().map(|number| universe.distribution(*number).name.clone()).collect();
    let beyond_date = numbers.iter().any(|number| universe.distribution(*number).is_beyond(&universe.circumstances));
    let (class, words) = clashing_pair(universe, &demands)
        .or_else(|| unsatisfiable(universe, &demands))
        .unwrap_or_else(|| (FailureClass::Conflict, everything(universe, &demands)));
    Clash { class, words, involved, beyond_date }
}

/// The leaves in the order of the derivation, each shared part once.
fn leaves(tree: &Tree) -> Vec<&External<Package, Positions, String>> {
    let mut found = Vec::new();
    let mut seen: HashSet<*const Derived<Package, Positions, String>> = HashSet::new();
    let mut open = vec![tree];
    while let Some(next) = open.pop() {
        match next {
            DerivationTree::External(external) => found.push(external),
            DerivationTree::Derived(derived) => {
                if seen.insert(std::ptr::from_ref(derived)) {
                    open.push(Arc::as_ref(&derived.cause2));
                    open.push(Arc::as_ref(&derived.cause1));
                }
            }
        }
    }
    found
}

fn packages(leaf: &External<Package, Positions, String>) -> Vec<Package> {
    match leaf {
        External::NotRoot(package, _) | External::NoVersions(package, _) | External::Custom(package, ..) => {
            vec![*package]
        }
        External::FromDependencyOf(asker, _, target, _) => vec![*asker, *target],
    }
}

fn demand<'tree>(leaf: &'tree External<Package, Positions, String>) -> Option<Demand<'tree>> {
    let External::FromDependencyOf(asker, askers, target, wanted) = leaf else { return None };
    let number = target.distribution()?;
    // An extra needs its own distribution: that clashes with nobody.
    (asker.distribution() != Some(number)).then_some(Demand { asker: *asker, askers, target: number, wanted })
}

/// Whether a set holds a release that may be chosen.
fn has_choice(universe: &Universe<'_>, distribution: &Distribution, set: &Positions) -> bool {
    distribution.first_choice(set, &universe.circumstances).is_some()
}

/// Two demands on one distribution, each of which can be met, but not both.
fn clashing_pair(universe: &Universe<'_>, demands: &[Demand<'_>]) -> Option<(FailureClass, String)> {
    for (at, one) in demands.iter().enumerate() {
        let distribution = universe.distribution(one.target);
        let meets = |set: &Positions| has_choice(universe, &distribution, set);
        if !meets(one.wanted) {
            continue;
        }
        let same_target = demands[..at].iter().filter(|other| other.target == one.target && other.asker != one.asker);
        for other in same_target {
            if meets(other.wanted) && !meets(&one.wanted.intersection(other.wanted)) {
                let words = format!("{}; {}", sentence(universe, other), sentence(universe, one));
                return Some((FailureClass::Conflict, words));
            }
        }
    }
    None
}

/// One demand that nothing meets.
fn unsatisfiable(universe: &Universe<'_>, demands: &[Demand<'_>]) -> Option<(FailureClass, String)> {
    let unmet = |demand: &&Demand<'_>| !has_choice(universe, &universe.distribution(demand.target), demand.wanted);
    let demand = demands.iter().find(unmet)?;
    let (class, why) = lacking(universe, &universe.distribution(demand.target), demand.wanted);
    Some((class, format!("{}, but {why}", sentence(universe, demand))))
}

/// Why a set of a distribution's releases holds none that can be had.
pub(super) fn lacking(universe: &Universe<'_>, distribution: &Distribution, set: &Positions) -> (FailureClass, String) {
    let name = &distribution.name;
    let python = &universe.circumstances.interpreter.version;
    if distribution.releases().is_empty() {
        return (FailureClass::NoDistribution, format!("the index has no release of {name}"));
    }
    if distribution.inside(set).next().is_none() {
        return (FailureClass::NoMatchingVersion, format!("no release of {name} is within the bound"));
    }
    let after =
        |at: u32| matches!(distribution.grade(at, &universe.circumstances), Grade::Straddles(_) | Grade::After(_));
    if distribution.inside(set).any(after) {
        let words =
            format!("what of {name} is within the bound can be installed on Python {python} only since after the date");
        return (FailureClass::NoMatchingVersion, words);
    }
    match distribution.obstacle(set, &universe.circumstances) {
        Some(Obstacle::NoFile) => (
            FailureClass::NoWheelAndBuildFailed,
            format!("no wheel of {name} within the bound fits Python {python}, and it is not built from source"),
        ),
        Some(Obstacle::Yanked) => {
            (FailureClass::NoMatchingVersion, format!("the releases of {name} within the bound were yanked"))
        }
        Some(Obstacle::SteppedBack) => (
            FailureClass::NoMatchingVersion,
            format!("the releases of {name} within the bound did not work when they were tried"),
        ),
        Some(Obstacle::Python) | None => {
            (FailureClass::NoMatchingVersion, format!("no release of {name} within the bound admits Python {python}"))
        }
    }
}

/// `pandas 0.25.3 (asked for by the notebook's install line pandas==0.25.3) needs numpy>=1.13.3`.
fn sentence(universe: &Universe<'_>, demand: &Demand<'_>) -> String {
    let target = &universe.distribution(demand.target).name;
    let Some(number) = demand.asker.distribution() else {
        return root_edge(universe, demand.target)
            .map_or_else(|| format!("the plan asks for {target}"), |edge| root_sentence(universe, &edge));
    };
    let asker = universe.distribution(number);
    let written = |at: &u32| {
        let edges = universe.edges_of(demand.asker, *at);
        let edge = edges.iter().find(|edge| edge.target == demand.target)?;
        Some(universe.with_requirement(edge, ToString::to_string))
    };
    // Told is the newest that was tried, with those older ones that say the same.
    let newest = asker.inside(demand.askers).rev().find_map(|at| written(&at));
    let alike: Vec<u32> = asker.inside(demand.askers).filter(|at| newest.is_some() && written(at) == newest).collect();
    let version = |at: Option<&u32>| at.and_then(|at| asker.release(*at)).map(|release| release.version.to_string());
    let versions = match (version(alike.first()), version(alike.last())) {
        (Some(first), Some(last)) if first != last => format!(" {first} to {last}"),
        (Some(only), _) => format!(" {only}"),
        (None, _) => String::new(),
    };
    let origin = root_edge(universe, number).and_then(|edge| origin(universe, &edge)).unwrap_or_default();
    let needs = newest.unwrap_or_else(|| target.clone());
    format!("{}{versions}{origin} needs {needs}", universe.name_of(demand.asker))
}

/// What the plan itself asks of a distribution: the one with a bound, if there are several.
fn root_edge(universe: &Universe<'_>, target: u32) -> Option<Edge> {
    let edges = universe.edges_of(Package::Root, 0);
    let bounded = |edge: &Edge| universe.with_requirement(edge, |requirement| !requirement.bound.is_empty());
    edges.iter().filter(|edge| edge.target == target).max_by_key(|edge| bounded(edge)).cloned()
}

fn root_sentence(universe: &Universe<'_>, edge: &Edge) -> String {
    let requirement = universe.with_requirement(edge, ToString::to_string);
    match universe.asker(edge) {
        Some(Asker::InstallLine) => format!("the notebook's install line asks for {requirement}"),
        Some(Asker::Declared { place }) => format!("{place} asks for {requirement}"),
        Some(Asker::Import { text }) => format!("{text} needs {requirement}"),
        Some(Asker::Build { of }) => format!("building {of} needs {requirement}"),
        Some(Asker::Environment) | None => format!("every environment has {requirement}"),
    }
}

fn origin(universe: &Universe<'_>, edge: &Edge) -> Option<String> {
    match universe.asker(edge)? {
        Asker::InstallLine => {
            let requirement = universe.with_requirement(edge, ToString::to_string);
            Some(format!(" (asked for by the notebook's install line {requirement})"))
        }
        Asker::Declared { place } => {
            let requirement = universe.with_requirement(edge, ToString::to_string);
            Some(format!(" (asked for by {place} with {requirement})"))
        }
        Asker::Import { text } => Some(format!(" ({text})")),
        Asker::Environment | Asker::Build { .. } => None,
    }
}

/// What is left to say where no two alone clash: the first requirements of the derivation.
fn everything(universe: &Universe<'_>, demands: &[Demand<'_>]) -> String {
    let mut sentences: Vec<String> = Vec::new();
    for demand in demands {
        let next = sentence(universe, demand);
        if !sentences.contains(&next) {
            sentences.push(next);
        }
    }
    sentences.truncate(5);
    format!("these cannot all be met: {}", sentences.join("; "))
}
