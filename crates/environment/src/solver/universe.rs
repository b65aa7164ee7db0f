//! What pubgrub asks: which release of a distribution comes first, and what it requires.

use std::cell::{Cell, RefCell};
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;

use pubgrub::{Dependencies, DependencyProvider, PackageResolutionStatistics};

use super::distribution::{Circumstances, Distribution, Positions, Wishes};
use super::prefetch::Levels;
use super::undeclared;
use super::{Asker, Problem};
use crate::index::{Index, IndexError, Lookup};
use crate::metadata::{Metadata, MetadataSource};
use crate::requirement::{MarkerEnvironment, Requirement};

/// Releases that may be tried for one plan. Real plans of 300 distributions need less than 2,000.
const MOST_DECISIONS: u32 = 50_000;

/// What pubgrub takes for a package.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Package {
    /// What the plan asks for.
    Root,
    /// A distribution, by number.
    Distribution(u32),
    /// One of its extras (second number): the same releases, with the requirements of that extra.
    Extra(u32, u32),
}

impl Package {
    /// The number of the distribution.
    pub(super) fn distribution(self) -> Option<u32> {
        match self {
            Self::Root => None,
            Self::Distribution(number) | Self::Extra(number, _) => Some(number),
        }
    }
}

impl fmt::Display for Package {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{self:?}")
    }
}

/// Why solving was broken off.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Broken {
    /// The index gave no answer.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// Too many releases were tried.
    #[error("no set of versions found among {MOST_DECISIONS} that were tried")]
    GaveUp,
}

/// Whether an error concerns one distribution or file, so that the others can still be asked for. An index that is
/// out of reach, or a snapshot that lacks an answer, would turn any plan into a wrong one.
fn is_about_one(error: &IndexError) -> bool {
    matches!(error, IndexError::Malformed { .. } | IndexError::FileGone { .. } | IndexError::WrongDigest { .. })
}

/// A requirement that was followed.
#[derive(Debug, Clone)]
pub(super) struct Edge {
    /// The distribution asked for, by number.
    pub(super) target: u32,
    source: EdgeSource,
}

/// The requirements that were followed from one release.
type Edges = Rc<Vec<Edge>>;

#[derive(Debug, Clone)]
enum EdgeSource {
    Root(usize),
    Metadata(Arc<Metadata>, usize),
}

/// All distributions that a plan has met.
///
/// pubgrub hands out only `&self` when it asks, and each answer teaches something that is wanted again (a history that was read, a
/// requirement that was followed): what is learned stands in cells. One thread asks, and no borrow is held while the index is asked.
pub(super) struct Universe<'plan> {
    pub(super) problem: &'plan Problem<'plan>,
    pub(super) circumstances: Circumstances<'plan>,
    index: &'plan Index,
    markers: MarkerEnvironment,
    relaxed: bool,
    distributions: RefCell<Vec<Rc<Distribution>>>,
    numbers: RefCell<HashMap<String, u32>>,
    extras: RefCell<Vec<String>>,
    edges: RefCell<HashMap<(Package, u32), Edges>>,
    /// Metadata with what it should have declared, where there is anything.
    completed: RefCell<HashMap<(u32, u32), Arc<Metadata>>>,
    /// Releases whose metadata could not be had, with the reason.
    pub(super) passed_over: RefCell<BTreeMap<(String, String), String>>,
    /// Distributions whose history is an aged one.
    pub(super) stale: RefCell<Vec<String>>,
    decisions: Cell<u32>,
    levels: Levels,
}

impl<'plan> Universe<'plan> {
    pub(super) fn new(problem: &'plan Problem<'plan>, index: &'plan Index, relaxed: bool) -> Self {
        Self {
            problem,
            circumstances: Circumstances { interpreter: problem.interpreter, date: problem.date },
            index,
            markers: MarkerEnvironment::of(problem.interpreter),
            relaxed,
            distributions: RefCell::default(),
            numbers: RefCell::default(),
            extras: RefCell::default(),
            edges: RefCell::default(),
            completed: RefCell::default(),
            passed_over: RefCell::default(),
            stale: RefCell::default(),
            decisions: Cell::new(0),
            levels: Levels::new(),
        }
    }

    /// The same, decided in the order of these levels.
    pub(super) fn with_levels(self, levels: Levels) -> Self {
        Self { levels, ..self }
    }

    pub(super) fn distribution(&self, number: u32) -> Rc<Distribution> {
        Rc::clone(&self.distributions.borrow()[number as usize])
    }

    /// The distribution of a name, its history looked up when first met.
    pub(super) fn number_of(&self, name: &str) -> Result<u32, IndexError> {
        if let Some(known) = self.numbers.borrow().get(name) {
            return Ok(*known);
        }
        let history = match self.index.history(name) {
            Ok(Lookup::Known { history, stale }) => {
                if stale.is_some() {
                    self.stale.borrow_mut().push(name.to_owned());
                }
                Some(history)
            }
            Ok(Lookup::Absent) => None,
            Err(error) if is_about_one(&error) => {
                self.passed_over.borrow_mut().insert((name.to_owned(), String::new()), error.to_string());
                None
            }
            Err(error) => return Err(error),
        };
        let mut distributions = self.distributions.borrow_mut();
        let number = u32::try_from(distributions.len()).expect("no plan meets four thousand million distributions");
        distributions.push(Rc::new(Distribution::new(name, history, self.wishes(name))));
        self.numbers.borrow_mut().insert(name.to_owned(), number);
        Ok(number)
    }

    fn wishes(&self, name: &str) -> Wishes {
        let problem = self.problem;
        let pins = problem.roots.iter().filter(|root| root.requirement.name == name && root.asker.is_pin());
        Wishes {
            pin: pins.map(|root| root.requirement.clone()).find(|pin| !pin.specifiers.is_empty()),
            below: problem
                .step_backs
                .iter()
                .filter(|step| step.distribution == name)
                .map(|step| &step.below)
                .min()
                .cloned(),
            at_most: problem.at_most.get(name).cloned(),
            preferred: problem.preferred.get(name).cloned(),
            relaxed: self.relaxed,
        }
    }

    fn extra_number(&self, extra: &str) -> u32 {
        let mut extras = self.extras.borrow_mut();
        let at = extras.iter().position(|known| known == extra).unwrap_or_else(|| {
            extras.push(extra.to_owned());
            extras.len() - 1
        });
        u32::try_from(at).expect("no plan meets four thousand million extras")
    }

    /// The name of a package, with its extra in brackets.
    pub(super) fn name_of(&self, package: Package) -> String {
        match package {
            Package::Root => String::new(),
            Package::Distribution(number) => self.distribution(number).name.clone(),
            Package::Extra(number, extra) => {
                format!("{}[{}]", self.distribution(number).name, self.extras.borrow()[extra as usize])
            }
        }
    }

    /// The requirements that were followed from a release.
    pub(super) fn edges_of(&self, package: Package, position: u32) -> Edges {
        self.edges.borrow().get(&(package, position)).cloned().unwrap_or_default()
    }

    /// The requirement of an edge.
    pub(super) fn with_requirement<Answer>(&self, edge: &Edge, ask: impl FnOnce(&Requirement) -> Answer) -> Answer {
        match &edge.source {
            EdgeSource::Root(at) => ask(&self.problem.roots[*at].requirement),
            EdgeSource::Metadata(metadata, at) => ask(&metadata.requirements()[*at]),
        }
    }

    /// Who asked, for an edge of the root.
    pub(super) fn asker(&self, edge: &Edge) -> Option<Asker> {
        match &edge.source {
            EdgeSource::Root(at) => Some(self.problem.roots[*at].asker.clone()),
            EdgeSource::Metadata(..) => None,
        }
    }

    /// The metadata of the file that would be installed of a release; words where it cannot be had.
    pub(super) fn metadata(&self, number: u32, position: u32) -> Result<Result<Arc<Metadata>, String>, IndexError> {
        if let Some(known) = self.completed.borrow().get(&(number, position)) {
            return Ok(Ok(Arc::clone(known)));
        }
        let distribution = self.distribution(number);
        let file = distribution.grade(position, &self.circumstances).file();
        let (Some(history), Some(release), Some(file)) = (&distribution.history, distribution.release(position), file)
        else {
            return Ok(Err("no file of it can be installed".into()));
        };
        match self.index.metadata(history, &release.files[file]) {
            Ok(metadata) => {
                let completed = undeclared::completed(&distribution.name, &release.version, metadata);
                self.completed.borrow_mut().insert((number, position), Arc::clone(&completed));
                Ok(Ok(completed))
            }
            Err(error) if is_about_one(&error) => {
                let key = (distribution.name.clone(), release.version.to_string());
                self.passed_over.borrow_mut().insert(key, error.to_string());
                Ok(Err(error.to_string()))
            }
            Err(error) => Err(error),
        }
    }

    /// Whether what a release requires is known.
    pub(super) fn requirements_known(&self, number: u32, position: u32) -> bool {
        matches!(self.metadata(number, position), Ok(Ok(metadata)) if metadata.source != MetadataSource::Unknown)
    }

    fn follow(&self, edges: Vec<Edge>, package: Package, position: u32) -> Vec<(Package, Positions)> {
        let mut asked: BTreeMap<Package, Positions> = BTreeMap::new();
        let mut ask = |package: Package, set: &Positions| {
            asked.entry(package).and_modify(|known| *known = known.intersection(set)).or_insert_with(|| set.clone());
        };
        for edge in &edges {
            let distribution = self.distribution(edge.target);
            self.with_requirement(edge, |requirement| {
                let set = distribution.admitted_by(requirement);
                if package != Package::Distribution(edge.target) {
                    ask(Package::Distribution(edge.target), &set);
                }
                for extra in &requirement.extras {
                    let extra = Package::Extra(edge.target, self.extra_number(extra));
                    if extra != package {
                        ask(extra, &set);
                    }
                }
            });
        }
        if let Package::Extra(number, _) = package {
            ask(Package::Distribution(number), &Positions::singleton(position));
        }
        self.edges.borrow_mut().insert((package, position), Rc::new(edges));
        asked.into_iter().collect()
    }

    fn root_edges(&self) -> Result<Vec<Edge>, IndexError> {
        let roots = self.problem.roots.iter().enumerate();
        roots
            .map(|(at, root)| {
                Ok(Edge { target: self.number_of(&root.requirement.name)?, source: EdgeSource::Root(at) })
            })
            .collect()
    }

    fn edges_in(&self, metadata: &Arc<Metadata>, extra: Option<&str>) -> Result<Vec<Edge>, IndexError> {
        let mut edges = Vec::new();
        for (at, requirement) in metadata.requirements().iter().enumerate() {
            // What the distribution needs anyway belongs to the distribution, not to its extra.
            let applies = requirement.applies(&self.markers, extra)
                && (extra.is_none() || !requirement.applies(&self.markers, None));
            if applies {
                let target = self.number_of(&requirement.name)?;
                edges.push(Edge { target, source: EdgeSource::Metadata(Arc::clone(metadata), at) });
            }
        }
        Ok(edges)
    }

    /// How early a package is decided by who asked for it: pins, imports, the rest, the environment's own. An import
    /// with nothing of before the date comes with the pins, for it has hardly a choice: the others go by it.
    fn rank(&self, number: u32) -> u8 {
        let distribution = self.distribution(number);
        let name = &distribution.name;
        let roots = self.problem.roots.iter().filter(|root| root.requirement.name == *name);
        let ranks = roots.map(|root| match root.asker {
            Asker::InstallLine | Asker::Declared { .. } => 3,
            Asker::Import { .. } if distribution.is_beyond(&self.circumstances) => 3,
            Asker::Import { .. } | Asker::Build { .. } => 2,
            Asker::Environment => 0,
        });
        ranks.max().unwrap_or(1)
    }
}

impl DependencyProvider for Universe<'_> {
    type P = Package;
    type V = u32;
    type VS = Positions;
    type M = String;
    type Err = Broken;
    type Priority = (u8, Reverse<u32>, u32, Reverse<u32>, Reverse<Package>);

    /// Direct ones first, of these the ones that build on the others, then those that clashed most, then those with the
    /// fewest releases left.
    fn prioritize(
        &self,
        package: &Package,
        range: &Positions,
        statistics: &PackageResolutionStatistics,
    ) -> Self::Priority {
        let Some(number) = package.distribution() else {
            return (u8::MAX, Reverse(0), 0, Reverse(0), Reverse(*package));
        };
        let left = self.distribution(number).size_of(range);
        // An extra is decided before its distribution, which then has one release left.
        let left = if matches!(package, Package::Extra(..)) { 0 } else { left };
        let level = self.levels.get(&self.distribution(number).name).copied().unwrap_or(u32::MAX);
        (self.rank(number), Reverse(level), statistics.conflict_count(), Reverse(left), Reverse(*package))
    }

    fn choose_version(&self, package: &Package, range: &Positions) -> Result<Option<u32>, Broken> {
        let Some(number) = package.distribution() else { return Ok(Some(0)) };
        Ok(self.distribution(number).first_choice(range, &self.circumstances))
    }

    fn get_dependencies(
        &self,
        package: &Package,
        position: &u32,
    ) -> Result<Dependencies<Package, Positions, String>, Broken> {
        let edges = match *package {
            Package::Root => self.root_edges()?,
            Package::Distribution(number) | Package::Extra(number, _) => {
                let metadata = match self.metadata(number, *position)? {
                    Ok(metadata) => metadata,
                    Err(why) => return Ok(Dependencies::Unavailable(why)),
                };
                let extra = match *package {
                    Package::Extra(_, extra) => Some(self.extras.borrow()[extra as usize].clone()),
                    Package::Root | Package::Distribution(_) => None,
                };
                self.edges_in(&metadata, extra.as_deref())?
            }
        };
        Ok(Dependencies::Available(self.follow(edges, *package, *position).into_iter().collect()))
    }

    fn should_cancel(&self) -> Result<(), Broken> {
        self.decisions.set(self.decisions.get() + 1);
        if self.decisions.get() > MOST_DECISIONS { Err(Broken::GaveUp) } else { Ok(()) }
    }
}
