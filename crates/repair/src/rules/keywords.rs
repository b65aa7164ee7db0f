//! Keyword arguments that were renamed, removed, or take other values.

use nbrevive_pysource::ast::{Expr, ExprCall};
use nbrevive_pysource::text_size::Ranged;

use crate::rules::call::CallEdit;
use crate::rules::change::Change;
use crate::rules::receiver::Callee;
use crate::rules::shape;
use crate::rules::view::View;

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
}

fn change_one(row: &KeywordChange, edit: &mut CallEdit<'_>) {
    let Some(number) = edit.find(row.keyword) else { return };
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
                edit.set(number, text);
            }
        }
        Fate::Written(text) => {
            let written = text.replace("{}", edit.value_text(number));
            edit.set(number, written);
        }
    }
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
