//! What rules look at: the parsed cells, what their names stand for, and where the errors are.

use std::collections::{BTreeSet, HashSet};

use nbrevive_pysource::ast::{Expr, ExprCall, ExprContext, Stmt};
use nbrevive_pysource::parse::{Parsed, parse};
use nbrevive_pysource::text_size::TextRange;

use crate::faults::Faults;
use crate::held;
use crate::index::Index;
use crate::infer::Kinds;
use crate::kind::{Kind, KindSet};
use crate::names::Names;
use crate::walk::{self, Surroundings};
use crate::{CellFacts, CellFeedback};

/// One code cell.
pub(crate) struct Source {
    /// Index in the notebook's cells.
    pub(crate) cell: usize,
    /// Text and tree.
    pub(crate) parsed: Parsed,
}

impl Source {
    /// Parses the text of a cell.
    pub(crate) fn new(cell: usize, text: &str) -> Self {
        Self { cell, parsed: parse(text) }
    }
}

/// The parsed code of a notebook, and what all rules ask of it.
pub(crate) struct Code<'a> {
    /// Code cells in order.
    pub(crate) cells: &'a [Source],
    /// Expressions and words.
    pub(crate) index: Index<'a>,
    /// Imports.
    pub(crate) names: Names,
    /// Kinds of variables.
    pub(crate) kinds: Kinds,
    /// What a run told of the cells that failed.
    pub(crate) facts: &'a [CellFacts],
    /// Names of the files and folders that the notebook finds, in lower case, where they are known.
    pub(crate) files: Option<&'a BTreeSet<String>>,
}

impl<'a> Code<'a> {
    /// Reads the cells.
    pub(crate) fn of(cells: &'a [Source]) -> Self {
        Self::of_run(cells, &[])
    }

    /// Reads the cells, and takes what a run told of them where they say nothing themselves.
    pub(crate) fn of_run(cells: &'a [Source], facts: &'a [CellFacts]) -> Self {
        let mut names = Names::of(cells.iter().map(|source| &source.parsed));
        let mut kinds = Kinds::of(cells, &names);
        if !facts.is_empty() {
            held::learn(facts, cells, &mut names, &mut kinds);
        }
        Self { cells, index: Index::of(cells), names, kinds, facts, files: None }
    }

    /// Whether the notebook takes all names of numpy, or of what hands them on.
    pub(crate) fn imports_all_of_numpy(&self) -> bool {
        let mut found = false;
        for source in self.cells {
            found |= source.parsed.source().lines().any(|line| line.trim_start().starts_with("%pylab"));
            walk::statements(source.parsed.body(), &mut |statement, _| {
                if let Stmt::ImportFrom(import) = statement {
                    let module = import.module.as_ref().map(|module| module.as_str());
                    let hands_on = matches!(module, Some("numpy" | "pylab" | "scipy" | "matplotlib.pylab"));
                    found |= hands_on && import.names.iter().any(|alias| alias.name.as_str() == "*");
                }
            });
        }
        found
    }
}

/// The code together with what the execution said, as one rule sees it.
pub(crate) struct View<'a> {
    /// The code.
    pub(crate) code: &'a Code<'a>,
    /// The errors by which the rule was called; empty when it acts without one.
    pub(crate) errors: Vec<&'a CellFeedback>,
    /// The lines that those errors blame.
    pub(crate) faults: Faults,
}

/// A place in the code: position among the code cells.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Place(pub(crate) usize);

impl<'a> View<'a> {
    /// The parsed cell at a place.
    pub(crate) fn parsed(&self, place: Place) -> &'a Parsed {
        &self.code.cells[place.0].parsed
    }

    /// Visits every expression of every cell that is sound: a cell that does not parse cannot run anyway, and the
    /// ranges of what was recovered from it are not to be trusted.
    pub(crate) fn expressions(&self, visit: impl FnMut(Place, &'a Expr, &Surroundings<'a, '_>)) {
        self.code.index.expressions(visit);
    }

    /// Visits every call of every cell that is sound.
    pub(crate) fn calls(&self, visit: impl FnMut(Place, &'a ExprCall, &Surroundings<'a, '_>)) {
        self.code.index.calls(visit);
    }

    /// Names that the notebook binds itself: variables, parameters and functions, anywhere.
    pub(crate) fn own_names(&self) -> HashSet<&'a str> {
        let mut names = HashSet::new();
        self.expressions(|_, expression, _| match expression {
            Expr::Name(name) if name.ctx.is_store() => drop(names.insert(name.id.as_str())),
            Expr::Lambda(lambda) => {
                let parameters = lambda.parameters.iter().flat_map(|parameters| parameters.iter());
                names.extend(parameters.map(|parameter| parameter.name().as_str()));
            }
            _ => {}
        });
        for source in self.code.cells {
            walk::statements(source.parsed.body(), &mut |statement, _| {
                if let Stmt::FunctionDef(function) = statement {
                    names.insert(function.name.as_str());
                    names.extend(function.parameters.iter().map(|parameter| parameter.name().as_str()));
                }
            });
        }
        names
    }

    /// What a name holds that is bound once in the whole notebook, and where that stands.
    pub(crate) fn only_value(&self, name: &str) -> Option<(Place, &'a Expr)> {
        let mut bindings = Vec::new();
        self.expressions(|place, expression, around| {
            if matches!(expression, Expr::Name(one) if one.ctx == ExprContext::Store && one.id.as_str() == name) {
                bindings.push((place, around.statement()));
            }
        });
        let [(place, Stmt::Assign(assign))] = bindings[..] else { return None };
        matches!(assign.targets[..], [Expr::Name(_)]).then(|| (place, assign.value.as_ref()))
    }

    /// The dotted name that an expression stands for.
    pub(crate) fn qualified(&self, expression: &Expr) -> Option<String> {
        self.code.names.qualified(expression)
    }

    /// What an expression may be; empty when unknown.
    pub(crate) fn kinds(&self, expression: &Expr) -> KindSet {
        self.code.kinds.infer(expression, &self.code.names)
    }

    /// Whether the errors blame a line of this range.
    pub(crate) fn at_fault(&self, place: Place, range: TextRange) -> bool {
        self.faults.blame(&self.code.cells[place.0], range)
    }

    /// Whether a run found that an attribute of this name is missing at a place that the errors blame, on one of the owner's.
    pub(crate) fn is_missed(&self, place: Place, range: TextRange, (owner, name): (&str, &str)) -> bool {
        let missed = self.code.facts.iter().filter_map(|facts| facts.missing.as_ref());
        let mut missed = missed.filter(|missing| missing.name == name);
        missed.any(|missing| missing.owners.iter().any(|one| one == owner)) && self.at_fault(place, range)
    }

    /// The class of an estimator or other instance, by its dotted name.
    pub(crate) fn class_of(&self, expression: &Expr) -> Option<String> {
        self.kinds(expression).into_iter().find_map(|kind| match kind {
            Kind::Instance(class) => Some(class),
            _ => None,
        })
    }
}
