//! The names, parameters and words of libraries that a notebook uses, and what the census has on them.

use std::collections::BTreeSet;

use nbrevive_census::{ApiChanges, ApiRow, ApiRowKind, library_of};
use nbrevive_pysource::ast::{Expr, ExprCall, Stmt};
use nbrevive_pysource::text_size::{Ranged as _, TextSize};
use serde::Serialize;

use crate::kind::Kind;
use crate::shape;
use crate::view::{Code, Place, Source};
use crate::walk;

/// One use of something that a library names.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct ApiUse {
    /// Index among the notebook's cells.
    pub cell: usize,
    /// Line of the cell, counted from 1.
    pub line: u32,
    /// The name, such as `pandas.DataFrame.append`, whatever the notebook calls it.
    pub name: String,
    /// A keyword of its call; empty for the name itself.
    pub parameter: String,
    /// The text that the keyword is given; empty for anything else.
    pub word: String,
    /// How many arguments its call gives by position; 0 for what is not called.
    pub positional: usize,
}

/// A use of something that is gone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GoneUse {
    /// Where it stands.
    #[serde(flatten)]
    pub used: ApiUse,
    /// The census on it.
    pub row: ApiRow,
}

/// What a notebook uses of the libraries of the census, by the sources of its code cells with their indices.
#[must_use]
pub fn api_uses<'c>(cells: impl IntoIterator<Item = (usize, &'c str)>) -> Vec<ApiUse> {
    let sources: Vec<Source> = cells.into_iter().map(|(index, text)| Source::new(index, text)).collect();
    let placed = uses_of(&Code::of(&sources));
    let uses: BTreeSet<ApiUse> = placed.into_iter().map(|(_, used)| used).collect();
    uses.into_iter().collect()
}

/// The uses of things that were gone on a day (`YYYY-MM-DD`).
#[must_use]
pub fn gone_uses(uses: &[ApiUse], day: &str) -> Vec<GoneUse> {
    let gone = |used: &ApiUse| rows_of(used).into_iter().rfind(|row| row.is_loss() && row.first_day.as_str() <= day);
    uses.iter().filter_map(|used| Some(GoneUse { row: gone(used)?, used: used.clone() })).collect()
}

/// The rows that speak of a use.
pub(super) fn rows_of(used: &ApiUse) -> Vec<ApiRow> {
    let mut rows = of_name(&used.name, 0);
    // Another parameter may stand in the position of one that is gone.
    let is_gone = |row: &ApiRow| matches!(row.kind, ApiRowKind::ParameterGone | ApiRowKind::ParameterRenamed);
    let gone: Vec<String> = rows.iter().filter(|row| is_gone(row)).map(|row| row.parameter.clone()).collect();
    rows.retain(|row| match row.kind {
        ApiRowKind::Added | ApiRowKind::Removed | ApiRowKind::Moved | ApiRowKind::Renamed => used.parameter.is_empty(),
        ApiRowKind::ParameterAdded | ApiRowKind::ParameterGone | ApiRowKind::ParameterRenamed => {
            !used.parameter.is_empty() && row.parameter == used.parameter
        }
        ApiRowKind::WordGone => !used.word.is_empty() && row.parameter == used.parameter && row.word == used.word,
        ApiRowKind::KeywordOnly => {
            used.parameter.is_empty()
                && !gone.contains(&row.parameter)
                && row.word.parse::<usize>().is_ok_and(|position| position < used.positional)
        }
        // Only a run shows whether these matter.
        ApiRowKind::ClassBecameFunction | ApiRowKind::Reordered | ApiRowKind::DefaultChanged => false,
    });
    rows
}

/// The rows of a name; those of a member where its class lives today too.
pub(super) fn of_name(name: &str, depth: usize) -> Vec<ApiRow> {
    let changes = ApiChanges::get();
    let rows = changes.of_name(name);
    if !rows.is_empty() || depth > 3 {
        return rows;
    }
    let Some((owner, member)) = name.rsplit_once('.') else { return rows };
    let moved = changes.of_name(owner).into_iter().rev().find(|row| row.kind == ApiRowKind::Moved);
    moved.map_or(rows, |row| of_name(&format!("{}.{member}", row.successor), depth + 1))
}

/// All uses with their places among the cells.
pub(super) fn uses_of(code: &Code<'_>) -> Vec<(Place, ApiUse)> {
    let mut uses = Uses { code, found: Vec::new() };
    for (position, source) in code.cells.iter().enumerate() {
        walk::statements(source.parsed.body(), &mut |statement, around| {
            // Who catches the error has thought of it.
            if !around.iter().any(|one| one.is_try_stmt()) {
                uses.import(Place(position), statement);
            }
        });
    }
    code.index.expressions(|place, expression, around| {
        if around.statements.iter().any(|one| one.is_try_stmt()) {
            return;
        }
        let called = match around.parent() {
            Some(Expr::Call(call)) if call.func.range() == expression.range() => Some(call),
            _ => None,
        };
        uses.expression(place, expression, called);
    });
    uses.found
}

struct Uses<'a> {
    code: &'a Code<'a>,
    found: Vec<(Place, ApiUse)>,
}

impl Uses<'_> {
    fn import(&mut self, place: Place, statement: &Stmt) {
        match statement {
            Stmt::Import(import) => {
                for alias in &import.names {
                    self.add(place, alias.range().start(), alias.name.as_str(), None);
                }
            }
            Stmt::ImportFrom(import) if import.level == 0 => {
                let module = import.module.as_ref().map(|name| name.as_str()).unwrap_or_default();
                self.add(place, import.range().start(), module, None);
                for alias in import.names.iter().filter(|alias| alias.name.as_str() != "*") {
                    self.add(place, alias.range().start(), &format!("{module}.{}", alias.name.as_str()), None);
                }
            }
            _ => {}
        }
    }

    fn expression(&mut self, place: Place, expression: &Expr, called: Option<&ExprCall>) {
        let start = expression.range().start();
        if let Some(name) = self.code.names.qualified(expression) {
            return self.add(place, start, &name, called);
        }
        let Expr::Attribute(attribute) = expression else { return };
        let kinds = self.code.kinds.infer(&attribute.value, &self.code.names);
        // Of a variable that may hold several things nothing is said.
        if let [kind] = kinds.as_slice()
            && let Some(class) = class_of(kind)
        {
            self.add(place, start, &format!("{class}.{}", attribute.attr.as_str()), called);
        }
    }

    fn add(&mut self, place: Place, start: TextSize, name: &str, called: Option<&ExprCall>) {
        if name.split('.').next().and_then(library_of).is_none() {
            return;
        }
        let Some(source) = self.code.cells.get(place.0) else { return };
        let positional = called.map_or(0, |call| {
            let stars = call.arguments.args.iter().any(Expr::is_starred_expr);
            if stars { 0 } else { call.arguments.args.len() }
        });
        let used = ApiUse {
            cell: source.cell,
            line: source.parsed.line(start),
            name: name.to_owned(),
            parameter: String::new(),
            word: String::new(),
            positional,
        };
        for keyword in called.into_iter().flat_map(|call| &call.arguments.keywords) {
            let Some(parameter) = &keyword.arg else { continue };
            let word = shape::text(&keyword.value).unwrap_or_default().to_owned();
            let line = source.parsed.line(keyword.range().start());
            self.found
                .push((place, ApiUse { parameter: parameter.to_string(), word, line, positional: 0, ..used.clone() }));
        }
        self.found.push((place, used));
    }
}

/// The class of a kind, as the census names it.
pub(super) fn class_of(kind: &Kind) -> Option<&str> {
    Some(match kind {
        Kind::Frame => "pandas.DataFrame",
        Kind::Series => "pandas.Series",
        Kind::Index => "pandas.Index",
        Kind::Array => "numpy.ndarray",
        Kind::Instance(class) => class,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(code: &str) -> Vec<String> {
        let gone = gone_uses(&api_uses([(3, code)]), "2026-01-01");
        gone.iter()
            .map(|one| format!("{} {}{}={}", one.used.line, one.used.name, one.used.parameter, one.row.successor))
            .collect()
    }

    #[test]
    fn gone_names_are_found_whatever_the_notebook_calls_them() {
        // The module is gone where it is imported and where it is read, and with it the name that it held.
        assert_eq!(
            told("from sklearn import cross_validation as cv\ncv.KFold(3)\n"),
            [
                "1 sklearn.cross_validation=",
                "2 sklearn.cross_validation=",
                "2 sklearn.cross_validation.KFold=sklearn.model_selection.KFold"
            ]
        );
        assert!(
            told("import pandas as p\nd = p.DataFrame()\ne = d.append(d)\n")
                .iter()
                .any(|line| line.starts_with("3 pandas.DataFrame.append"))
        );
        let drawn = "import matplotlib.pyplot as plt\nfig, (one, two) = plt.subplots(2)\ntwo.get_axis_bgcolor()\n";
        assert_eq!(told(drawn), ["3 matplotlib.axes.Axes.get_axis_bgcolor=matplotlib.axes.Axes.get_facecolor"]);
        assert!(told("import pandas as p\nd = p.DataFrame()\nd.merge(d)\nappend = 1\n").is_empty());
    }

    #[test]
    fn who_catches_the_error_has_thought_of_it() {
        assert!(
            told("try:\n    from sklearn.cross_validation import KFold\nexcept ImportError:\n    pass\n").is_empty()
        );
    }
}
