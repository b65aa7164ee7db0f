//! Plain text at every level.

use crate::Tolerance;
use crate::agreement::Agreement;
use crate::difference::{Compared, DifferenceKind, Place, differ, first_line};
use crate::normal::normal;
use crate::table::{has_table, same_html, same_text_table};
use crate::text::{renamed, same_text};

/// Longest text that is compared by meaning, in bytes. A longer one agrees exactly or not at all.
pub(super) const LONGEST: usize = 4 << 20;

/// How far two representations agree, and what kept them from the next stricter level.
pub(super) type Judged = (Agreement, Option<Box<Place>>);

/// What a text is to its reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TextKind {
    Plain,
    Latex,
    Html,
}

/// Judges two texts.
pub(super) fn judge(saved: &str, new: &str, kind: TextKind, tolerance: &Tolerance) -> Judged {
    if saved == new {
        return (Agreement::Exact, None);
    }
    if saved.len().max(new.len()) > LONGEST {
        return (Agreement::Different, differ(DifferenceKind::TooLarge, saved, new).err());
    }
    let is_markup = kind == TextKind::Html;
    let (old, now) = (normal(saved, is_markup), normal(new, is_markup));
    if old == now {
        return (Agreement::Normalized, first_line(saved, new).err());
    }
    match same_value(&old, &now, kind, tolerance) {
        Ok(()) => (Agreement::Value, first_line(&old, &now).err()),
        Err(place) => (Agreement::Different, Some(place)),
    }
}

fn same_value(saved: &str, new: &str, kind: TextKind, tolerance: &Tolerance) -> Compared {
    match kind {
        TextKind::Html => same_html(saved, new, tolerance),
        TextKind::Latex => same_text(formula(saved), formula(new), tolerance),
        TextKind::Plain => same_plain(saved, new, tolerance),
    }
}

fn same_plain(saved: &str, new: &str, tolerance: &Tolerance) -> Compared {
    let object = renamed::object(saved);
    if object.is_some() && object == renamed::object(new) {
        return Ok(());
    }
    let (saved, new) = (renamed::named_objects(saved), renamed::named_objects(new));
    let as_table = |place| same_text_table(&saved, &new, tolerance).unwrap_or(Err(place));
    same_text(&saved, &new, tolerance).or_else(as_table)
}

/// A formula without the signs that say how it stands in the line.
fn formula(text: &str) -> &str {
    let inner = text.trim().trim_matches('$').trim();
    inner.strip_prefix("\\displaystyle").unwrap_or(inner).trim()
}

/// Whether plain texts beside HTML say the same where the HTML does not: a library has changed how it draws a thing, and not the thing.
/// They say nothing beside two tables, of which they may leave out more, and when they only name an object. Where one alone has a table,
/// it is none of data: scikit-learn draws an estimator with one since 1.7.
pub(super) fn vouches(html: [&str; 2], plain: [&str; 2], tolerance: &Tolerance) -> bool {
    let [saved, new] = plain;
    !html.iter().all(|html| has_table(html))
        && !plain.iter().any(|text| renamed::is_bare_object(text))
        && judge(saved, new, TextKind::Plain, tolerance).0.holds_at(Agreement::Value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_texts_vouch_for_what_is_drawn_otherwise_and_not_for_tables() {
        let (plain, drawn) = ("<pre>Ridge()</pre>", "<b>Ridge</b><table><tr><td>alpha</td></tr></table>");
        let (table, other) = ("<table><tr><td>1</td></tr></table>", "<table><tr><td>2</td></tr></table>");
        let vouched = |html, texts| vouches(html, texts, &Tolerance::default());
        assert!(vouched([plain, drawn], ["Ridge()"; 2]) && vouched([drawn, plain], ["Ridge()"; 2]));
        assert!(!vouched([plain, drawn], ["Ridge()", "Ridge(alpha=2)"]));
        assert!(!vouched([table, other], ["DataFrame[a: int]"; 2]));
    }
}
