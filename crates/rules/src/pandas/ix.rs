//! `.ix`, which took whole numbers as labels where labels are numbers, and as positions elsewhere.

use std::collections::BTreeSet;

use nbrevive_pysource::ast::{Expr, ExprAttribute, ExprCall, ExprSubscript};
use nbrevive_pysource::edits::Edit;
use nbrevive_pysource::parse::Parsed;
use nbrevive_pysource::text_size::Ranged;

use crate::CellFeedback;
use crate::call::receiver_text;
use crate::change::{Change, insertion, replacement};
use crate::faults::Faults;
use crate::receiver::On;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::{captures, sig};
use crate::view::{Place, View};

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "pandas-ix",
        ("pandas", "1.0.0"),
        ".ix was removed: labels by .loc, positions by .iloc",
        Trigger::Error(&[sig("AttributeError", "object has no attribute 'ix'")]),
        Rewrite::Code(ix),
        example(
            "a = df.ix[0, 'b']\nb = df.ix[:, 2:]\nc = df.ix[:2, 0:2]\ndf.ix[df.a > 1, 'b'] = 0\n",
            ("AttributeError", "'DataFrame' object has no attribute 'ix'"),
            "a = df.loc[0, 'b']\nb = df.iloc[:, 2:]\nc = df.loc[:2, df.columns[0:2]]\ndf.loc[df.a > 1, 'b'] = 0\n",
        ),
    )
    .shift("a whole-number key is taken as a label of the rows and as a position among the columns")
    .certain(),
    Rule::new(
        "pandas-loc-of-positions",
        ("pandas", "1.0.0"),
        "whole numbers are no labels among texts and dates, where .ix took them as positions; those are .iloc",
        Trigger::Error(&[
            sig("KeyError", ""),
            sig("TypeError", "cannot do slice indexing on * with these indexers [*] of type int"),
            sig("TypeError", "Slicing a positional slice with .loc is not allowed"),
        ]),
        Rewrite::Code(loc_of_positions),
        example(
            "a = df.loc[-5:, 'c']\nb = df.loc[0]\n",
            ("TypeError", "cannot do slice indexing on Index with these indexers [-5] of type int"),
            "a = df.iloc[-5:, df.columns.get_loc('c')]\nb = df.iloc[0]\n",
        ),
    ),
];

/// A subscript of an accessor, such as `df.ix[0, 'b']`.
struct Access<'a> {
    parsed: &'a Parsed,
    subscript: &'a ExprSubscript,
    attribute: &'a ExprAttribute,
    rows: &'a Expr,
    columns: Option<&'a Expr>,
}

impl<'a> Access<'a> {
    fn of(view: &View<'a>, place: Place, expression: &'a Expr, accessor: &str) -> Option<Self> {
        let subscript = expression.as_subscript_expr()?;
        let attribute = subscript.value.as_attribute_expr().filter(|one| one.attr.as_str() == accessor)?;
        let (rows, columns) = match subscript.slice.as_ref() {
            Expr::Tuple(tuple) if tuple.elts.len() == 2 => (&tuple.elts[0], Some(&tuple.elts[1])),
            rows => (rows, None),
        };
        Some(Self { parsed: view.parsed(place), subscript, attribute, rows, columns })
    }

    fn frame(&self) -> &'a str {
        receiver_text(self.parsed, self.attribute)
    }

    /// By `.loc`, with columns by position.
    fn by_label(&self) -> Vec<Edit> {
        let mut edits = vec![replacement(self.attribute.attr.range(), "loc")];
        match self.columns.filter(|columns| is_position(columns)) {
            Some(_) if is_everything(self.rows) => edits = vec![replacement(self.attribute.attr.range(), "iloc")],
            Some(columns) => {
                edits.push(insertion(columns.start(), format!("{}.columns[", self.frame())));
                edits.push(insertion(columns.end(), "]"));
            }
            None => {}
        }
        edits
    }

    /// By `.iloc`, with columns by name.
    fn by_position(&self) -> Vec<Edit> {
        let mut edits = vec![replacement(self.attribute.attr.range(), "iloc")];
        let named = self.columns.filter(|columns| !is_position(columns) && !is_everything(columns));
        edits.extend(named.map(|columns| replacement(columns.range(), self.places(columns))));
        edits
    }

    /// The positions of columns. A name that is missing raises, which `get_indexer` would take for the last one.
    fn places(&self, columns: &Expr) -> String {
        let names = self.parsed.text(columns.range());
        let all = format!("{}.columns", self.frame());
        match columns {
            Expr::List(_) => format!("[{all}.get_loc(name) for name in {names}]"),
            Expr::Slice(slice) => {
                let bound =
                    |bound: &Option<Box<Expr>>| bound.as_ref().map_or("None", |one| self.parsed.text(one.range()));
                format!("{all}.slice_indexer({}, {})", bound(&slice.lower), bound(&slice.upper))
            }
            // As the rule for `.ix` writes it.
            Expr::Subscript(chosen) if self.parsed.text(chosen.value.range()) == all => {
                self.parsed.text(chosen.slice.range()).to_owned()
            }
            _ => format!("{all}.get_loc({names})"),
        }
    }

    /// Whether an error says that the rows have no such labels, being named by texts or dates.
    fn is_refused(&self, error: &CellFeedback) -> bool {
        if error.ename == "TypeError" {
            return self.rows.is_slice_expr();
        }
        let message = error.evalue.trim();
        let missed = match captures("None of [Index([*], dtype='int64')] are in the [index]", message) {
            Some(several) => format!("[{}]", several[0]) == self.parsed.text(self.rows.range()),
            None => shape::integer(self.rows).is_some_and(|row| message.parse() == Ok(row)),
        };
        missed && !is_of_numbers(&error.traceback)
    }
}

fn ix(view: &View<'_>, change: &mut Change<'_>) {
    view.expressions(|place, expression, _| {
        let Some(access) = Access::of(view, place, expression, "ix") else { return };
        let edits = if is_position(access.rows) && has_labels(view, &access.attribute.value) {
            access.by_position()
        } else if may_add_a_row(view, &access) {
            return;
        } else {
            access.by_label()
        };
        change.edit(place, expression.start(), edits);
    });
}

/// What an error proves of a frame holds for its other rows in the cell: each would fail the next execution.
fn loc_of_positions(view: &View<'_>, change: &mut Change<'_>) {
    let mut proven = BTreeSet::new();
    view.expressions(|place, expression, _| {
        let Some(access) = Access::of(view, place, expression, "loc") else { return };
        let refuses = |error: &&CellFeedback| {
            access.is_refused(error) && Faults::of(&[error]).blame(&view.code.cells[place.0], expression.range())
        };
        if view.errors.iter().copied().any(|error| refuses(&error)) {
            proven.insert((place, access.frame()));
        }
    });
    view.expressions(|place, expression, _| {
        let Some(access) = Access::of(view, place, expression, "loc") else { return };
        if is_position(access.rows) && proven.contains(&(place, access.frame())) {
            change.edit(place, expression.start(), access.by_position());
        }
    });
}

/// Whether `.loc` would make a row where `.ix` took one by its position: that raises nothing.
fn may_add_a_row(view: &View<'_>, access: &Access<'_>) -> bool {
    let words = &view.code.index.words;
    access.subscript.ctx.is_store()
        && shape::integer(access.rows).is_some()
        && (words.contain("set_index") || words.contain("index_col"))
}

/// Names that are followed at most, for one may be bound by itself.
const MOST_NAMES: usize = 8;

/// Whether rows are named by texts or dates for certain: in what compares columns, and what is read with its dates in front.
fn has_labels<'a>(view: &View<'a>, mut frame: &'a Expr) -> bool {
    for _ in 0..MOST_NAMES {
        let before = match frame {
            Expr::Name(name) => view.only_value(name.id.as_str()).map(|(_, value)| value),
            Expr::Subscript(column) => Some(column.value.as_ref()).filter(|_| shape::text(&column.slice).is_some()),
            Expr::Call(call) => match shape::method(call) {
                Some((_, "corr" | "cov")) => return true,
                // Of groups it has a row for each.
                Some((told, "describe")) if view.receiver_is_certain(On::Pandas, &told.value) => return true,
                _ if is_read_by_date(view, call) => return true,
                _ => call
                    .arguments
                    .args
                    .first()
                    .filter(|_| view.qualified(&call.func).is_some_and(|name| name.starts_with("numpy."))),
            },
            _ => None,
        };
        let Some(before) = before else { return false };
        frame = before;
    }
    false
}

/// Whether a file is read with one of its dates as the labels.
fn is_read_by_date(view: &View<'_>, call: &ExprCall) -> bool {
    let is_pandas = view.qualified(&call.func).is_some_and(|name| name.starts_with("pandas.read_"));
    let value = |name| shape::keyword(call, name).map(|keyword| &keyword.value).filter(|_| is_pandas);
    let (Some(labels), Some(dates)) = (value("index_col"), value("parse_dates")) else { return false };
    let is_label = |date: &Expr| match (shape::text(date), shape::integer(date)) {
        (None, None) => false,
        date => date == (shape::text(labels), shape::integer(labels)),
    };
    shape::boolean(dates) == Some(true) || shape::elements(dates).unwrap_or_default().iter().any(is_label)
}

/// A key of whole numbers: `2`, `0:3`, `[0, 1]`.
fn is_position(key: &Expr) -> bool {
    match key {
        Expr::Slice(slice) => {
            let mut bounds = [&slice.lower, &slice.upper].into_iter().flatten().peekable();
            bounds.peek().is_some() && bounds.all(|bound| shape::integer(bound).is_some())
        }
        Expr::List(list) => !list.elts.is_empty() && list.elts.iter().all(|one| shape::integer(one).is_some()),
        _ => shape::integer(key).is_some(),
    }
}

fn is_everything(key: &Expr) -> bool {
    matches!(key, Expr::Slice(slice) if slice.lower.is_none() && slice.upper.is_none() && slice.step.is_none())
}

/// Whether numbers are the labels of what a traceback of pandas looked at: there they were never positions.
pub(super) fn is_of_numbers(traceback: &str) -> bool {
    ["Int64HashTable", "Float64HashTable", "is not in range"].iter().any(|sign| traceback.contains(sign))
}
