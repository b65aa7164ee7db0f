//! Keyword arguments that were renamed, removed, or take other values.

use std::collections::{BTreeMap, BTreeSet};

use nbrevive_pysource::ast::{Expr, ExprCall, ExprDict, Stmt};
use nbrevive_pysource::text_size::{Ranged, TextRange};

use crate::call::CallEdit;
use crate::change::Change;
use crate::receiver::Callee;
use crate::view::{Place, View};
use crate::{shape, walk};

/// What became of a keyword.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Fate {
    /// It has this name now.
    Renamed(&'static str),
    /// It is gone, and its default is what remains.
    Removed,
    /// It is gone, and this value is what remains; another value is left for others to mend.
    RemovedWhen(&'static str),
    /// These values are written otherwise: literal (text content, or the source of other literals) and new source.
    Values(&'static [(&'static str, &'static str)]),
    /// These values ask for arguments in the place of this one, such as `max_iter=5, tol=None`; `{}` stands for the
    /// old value.
    Written(&'static str),
    /// As `Written`, for one value alone.
    WrittenWhen(&'static str, &'static str),
}

/// One changed keyword of one callee.
#[derive(Debug, Clone, Copy)]
pub(crate) struct KeywordChange {
    pub(crate) callee: Callee,
    pub(crate) keyword: &'static str,
    pub(crate) fate: Fate,
}

/// A row of a table of keywords.
pub(crate) const fn keyword(callee: Callee, keyword: &'static str, fate: Fate) -> KeywordChange {
    KeywordChange { callee, keyword, fate }
}

/// Changes the keywords of the table in all calls.
pub(crate) fn apply(table: &[KeywordChange], view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let mut edit: Option<CallEdit<'_>> = None;
        for row in table {
            if shape::keyword(call, row.keyword).is_none() || !view.is_call_of(row.callee, place, call) {
                continue;
            }
            let current = edit.get_or_insert_with(|| CallEdit::new(view.parsed(place), call));
            change_one(row, current);
        }
        if let Some(edit) = edit {
            change.edit(place, call_start(call), edit.finish());
        }
    });
    apply_to_options(table, view, change);
}

/// Keywords that reach a callee as `**options`: they are changed where the dict is written, when every call that it is
/// spread into is one that the row speaks of.
fn apply_to_options(table: &[KeywordChange], view: &View<'_>, change: &mut Change<'_>) {
    let mut rows: BTreeMap<String, Vec<&KeywordChange>> = BTreeMap::new();
    view.calls(|place, call, _| {
        for spread in call.arguments.keywords.iter().filter(|keyword| keyword.arg.is_none()) {
            let Some(name) = shape::name(&spread.value) else { continue };
            let speaks = |row: &&KeywordChange| view.is_call_of(row.callee, place, call);
            match rows.get_mut(name) {
                Some(known) => known.retain(speaks),
                None => {
                    rows.insert(name.to_owned(), table.iter().filter(speaks).collect());
                }
            }
        }
    });
    rows.retain(|_, rows| !rows.is_empty());
    if rows.is_empty() {
        return;
    }
    for (position, source) in view.code.cells.iter().enumerate() {
        let place = Place(position);
        walk::statements(source.parsed.body(), &mut |statement, _| {
            let Stmt::Assign(assign) = statement else { return };
            let named = assign.targets.first().and_then(shape::name).and_then(|name| rows.get(name));
            let Some(rows) = named else { return };
            match assign.value.as_ref() {
                Expr::Call(call) if shape::name(&call.func) == Some("dict") => {
                    let mut edit = CallEdit::new(&source.parsed, call);
                    if rows.iter().any(|row| edit.find(row.keyword).is_some()) {
                        rows.iter().for_each(|row| change_one(row, &mut edit));
                        change.edit(place, call_start(call), edit.finish());
                    }
                }
                Expr::Dict(dict) => {
                    change_items(rows, dict, place, view, change);
                }
                _ => {}
            }
        });
    }
}

/// Changes what a dict says of keywords, as far as one item says it: its name, its value, or that it is there.
pub(crate) fn change_items(
    rows: &[&KeywordChange],
    dict: &ExprDict,
    place: Place,
    view: &View<'_>,
    change: &mut Change<'_>,
) {
    let parsed = view.parsed(place);
    let called = std::cell::OnceCell::new();
    for (number, item) in dict.items.iter().enumerate() {
        let Some((key, text)) = item.key.as_ref().and_then(|key| Some((key, shape::text(key)?))) else { continue };
        // `model__parameter` of a pipeline.
        let (step, name) = text.rsplit_once("__").map_or(("", text), |(step, name)| (step, name));
        for row in rows.iter().filter(|row| row.keyword == name) {
            if !is_step_of(row, step, || called.get_or_init(|| classes_in_lower_case(view))) {
                continue;
            }
            match row.fate {
                Fate::Renamed(new) => {
                    let link = if step.is_empty() { "" } else { "__" };
                    change.replace(place, key.range(), format!("'{step}{link}{new}'"));
                }
                Fate::RemovedWhen(literal) if !literal_is(&item.value, parsed.text(item.value.range()), literal) => {}
                Fate::Removed | Fate::RemovedWhen(_) => {
                    change.replace(place, item_range(dict, number), "");
                }
                Fate::Values(values) => {
                    let given = shape::elements(&item.value).unwrap_or(std::slice::from_ref(&item.value));
                    for one in given {
                        let found = values.iter().find(|(old, _)| literal_is(one, parsed.text(one.range()), old));
                        if let Some((_, new)) = found {
                            change.replace(place, one.range(), *new);
                        }
                    }
                }
                Fate::WrittenWhen(literal, _) if !literal_is(&item.value, parsed.text(item.value.range()), literal) => {
                }
                Fate::Written(text) | Fate::WrittenWhen(_, text) => {
                    let is_given = |keyword: &str| {
                        dict.items.iter().any(|item| item.key.as_ref().and_then(shape::text) == Some(keyword))
                    };
                    let link = if step.is_empty() { "" } else { "__" };
                    let item_of = |part: &String| {
                        let (keyword, value) = part.split_once('=')?;
                        Some(format!(
                            "'{step}{link}{keyword}': {}",
                            value.replace("{}", parsed.text(item.value.range()))
                        ))
                    };
                    let written: Vec<String> = arguments_of(text, &is_given).iter().filter_map(item_of).collect();
                    if !written.is_empty() {
                        change.replace(place, TextRange::new(key.start(), item.value.end()), written.join(", "));
                    }
                }
            }
        }
    }
}

/// Names of classes that the notebook calls, as `make_pipeline` names their steps.
fn classes_in_lower_case(view: &View<'_>) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    view.calls(|_, call, _| {
        let last = shape::dotted(&call.func).and_then(|parts| parts.last().copied());
        found.extend(last.filter(|name| name.starts_with(char::is_uppercase)).map(str::to_lowercase));
    });
    found
}

/// Whether a step's parameter may be the row's: a step that is named after a class is of that class.
fn is_step_of<'c>(row: &KeywordChange, step: &str, called: impl FnOnce() -> &'c BTreeSet<String>) -> bool {
    let last = step.rsplit("__").next().unwrap_or(step);
    let Callee::Function(_, class) = row.callee else { return true };
    last.is_empty() || class == "*" || class.to_lowercase() == last || !called().contains(last)
}

/// An item of a dict with the comma that goes with it.
pub(crate) fn item_range(dict: &ExprDict, number: usize) -> TextRange {
    let start = |number: usize| dict.items.get(number).and_then(|item| item.key.as_ref()).map(Ranged::start);
    let item = &dict.items[number];
    let from = item.key.as_ref().map_or(item.value.start(), Ranged::start);
    match (start(number + 1), number.checked_sub(1).and_then(|before| dict.items.get(before))) {
        (Some(next), _) => TextRange::new(from, next),
        (None, Some(before)) => TextRange::new(before.value.end(), item.value.end()),
        (None, None) => TextRange::new(from, item.value.end()),
    }
}

/// Of several rows of a keyword, the first that has something to say decides.
pub(crate) fn change_one(row: &KeywordChange, edit: &mut CallEdit<'_>) {
    let Some(number) = edit.find(row.keyword).filter(|number| !edit.is_set(*number)) else { return };
    match row.fate {
        Fate::Renamed(new) => {
            if edit.find(new).is_some() {
                edit.remove(number);
            } else {
                edit.name(number, new);
            }
        }
        Fate::Removed => edit.remove(number),
        Fate::RemovedWhen(literal) => {
            if literal_is(edit.value(number), edit.value_text(number), literal) {
                edit.remove(number);
            }
        }
        Fate::Values(values) => {
            let value = edit.value(number);
            let found = values.iter().find(|(old, _)| literal_is(value, edit.value_text(number), old));
            if let Some((_, new)) = found {
                edit.set(number, format!("{}={new}", row.keyword));
            }
        }
        Fate::WrittenWhen(literal, text) => {
            if literal_is(edit.value(number), edit.value_text(number), literal) {
                write(edit, number, text);
            }
        }
        Fate::Written(text) => write(edit, number, text),
    }
}

/// Writes arguments in the place of one, without those that the call gives itself.
fn write(edit: &mut CallEdit<'_>, number: usize, text: &str) {
    let parts = arguments_of(text, &|keyword| edit.find(keyword).is_some_and(|found| found != number));
    if parts.is_empty() {
        edit.remove(number);
    } else {
        let written = parts.join(", ").replace("{}", edit.value_text(number));
        edit.set(number, written);
    }
}

/// The arguments of a row, one by one, without those that are given.
fn arguments_of(text: &str, is_given: &dyn Fn(&str) -> bool) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    for part in text.split(", ") {
        match parts.last_mut().filter(|_| keyword_of(part).is_none()) {
            Some(last) => *last = format!("{last}, {part}"),
            None => parts.push(part.to_owned()),
        }
    }
    parts.retain(|part| !keyword_of(part).is_some_and(is_given));
    parts
}

/// The keyword of an argument as it is written.
fn keyword_of(argument: &str) -> Option<&str> {
    let (name, _) = argument.split_once('=')?;
    name.chars().all(|letter| letter == '_' || letter.is_alphanumeric()).then_some(name)
}

/// Whether a value is the literal that a table names: a text's content, or the source of anything else.
pub(crate) fn literal_is(value: &Expr, source: &str, literal: &str) -> bool {
    match shape::text(value) {
        Some(text) => text == literal,
        None => source == literal,
    }
}

fn call_start(call: &ExprCall) -> nbrevive_pysource::text_size::TextSize {
    call.arguments.range().start()
}
