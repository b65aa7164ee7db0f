//! Something shown in several mime types at once.
//!
//! `exact` and `normalized` ask that both have the same types, and every one of them agrees. `value` and `picture` ask the one type that
//! holds most of what is shown, of those that both have: plain text beside a picture is only the figure's name and size, and where only one
//! of them has the picture they differ.

use serde_json::{Map, Value};

use super::json::same_json;
use super::mime::{MimeKind, kind, weight};
use super::text::{Judged, LONGEST, TextKind, judge, vouches};
use crate::agreement::Agreement;
use crate::comparer::OutputComparer;
use crate::difference::{DifferenceKind, differ};
use crate::normal::normal;
use crate::picture;
use crate::text::renamed::is_bare_object;

type Bundle = Map<String, Value>;

/// How far two bundles agree, with the type that decided.
pub(super) fn judge_bundles(saved: &Bundle, new: &Bundle, comparison: &OutputComparer) -> (Judged, Option<String>) {
    if saved == new {
        return ((Agreement::Exact, None), None);
    }
    let strays = stray(saved, new);
    let judged: Vec<(&str, Judged)> = saved
        .iter()
        .filter_map(|(mime, old)| Some((mime.as_str(), judge_strictly(mime, old, new.get(mime)?))))
        .collect();
    let worst = judged.iter().max_by_key(|(_, (level, _))| *level);
    if strays.is_none()
        && let Some((mime, (Agreement::Normalized, place))) = worst
    {
        return ((Agreement::Normalized, place.clone()), Some((*mime).to_owned()));
    }
    let Some((decisive, old, now)) = decisive(saved, new) else {
        let types = |bundle: &Bundle| bundle.keys().cloned().collect::<Vec<_>>().join(", ");
        return ((Agreement::Different, differ(DifferenceKind::MimeTypes, &types(saved), &types(new)).err()), None);
    };
    if names_alone(decisive, saved, new) {
        return ((Agreement::Different, strays), None);
    }
    let (level, place) = judge_meaning(decisive, old, now, comparison);
    if level == Agreement::Different && plain_vouches(decisive, saved, new, comparison) {
        return ((Agreement::Value, place), Some(decisive.to_owned()));
    }
    if level > Agreement::Normalized {
        return ((level, place), Some(decisive.to_owned()));
    }
    // The deciding type is the same; another one, or their number, is not.
    let kept = worst.filter(|(_, (level, _))| *level > Agreement::Normalized);
    match (strays, kept) {
        (Some(place), _) => ((Agreement::Value, Some(place)), None),
        (None, Some((mime, (_, place)))) => ((Agreement::Value, place.clone()), Some((*mime).to_owned())),
        (None, None) => ((Agreement::Value, place), Some(decisive.to_owned())),
    }
}

/// A type that only one of them has, as a difference.
fn stray(saved: &Bundle, new: &Bundle) -> Option<Box<crate::difference::Place>> {
    let without = |one: &Bundle, other: &Bundle| one.keys().find(|mime| !other.contains_key(*mime)).cloned();
    let (old, now) = (without(saved, new), without(new, saved));
    if old.is_none() && now.is_none() {
        return None;
    }
    differ(DifferenceKind::MimeTypes, &old.unwrap_or_default(), &now.unwrap_or_default()).err()
}

/// The type that decides, of those that both have.
fn decisive<'b>(saved: &'b Bundle, new: &'b Bundle) -> Option<(&'b str, &'b Value, &'b Value)> {
    let shared = saved.iter().filter_map(|(mime, old)| Some((mime.as_str(), old, new.get(mime)?)));
    shared.min_by_key(|(mime, ..)| weight(mime))
}

/// Whether plain text decides that only names what is shown, and one of both has in another type what that is.
fn names_alone(decisive: &str, saved: &Bundle, new: &Bundle) -> bool {
    let holds_more = |one: &Bundle, other: &Bundle| {
        one.keys().any(|mime| !other.contains_key(mime) && weight(mime) < weight(decisive))
    };
    let is_name = |bundle: &Bundle| bundle.get(decisive).and_then(Value::as_str).is_some_and(is_bare_object);
    // The HTML beside a widget says that there is no widget.
    let has_view = saved.keys().chain(new.keys()).any(|mime| kind(mime) == MimeKind::Widget);
    let is_plain = decisive == "text/plain" && !has_view;
    is_plain && is_name(saved) && is_name(new) && (holds_more(saved, new) || holds_more(new, saved))
}

/// Exact, normalized or no more than that.
fn judge_strictly(mime: &str, saved: &Value, new: &Value) -> Judged {
    if saved == new {
        return (Agreement::Exact, None);
    }
    let (Value::String(old), Value::String(now)) = (saved, new) else {
        return match same_json(saved, new, None) {
            Ok(()) => (Agreement::Normalized, differ(DifferenceKind::Text, "", "").err()),
            Err(place) => (Agreement::Different, Some(place)),
        };
    };
    let differing = || differ(DifferenceKind::Text, old, now).err();
    match kind(mime) {
        MimeKind::Raster | MimeKind::Unknown => {
            let is_same =
                old.split_ascii_whitespace().flat_map(str::bytes).eq(now.split_ascii_whitespace().flat_map(str::bytes));
            (if is_same { Agreement::Normalized } else { Agreement::Different }, differing())
        }
        _ if old.len().max(now.len()) > LONGEST => (Agreement::Different, differing()),
        other => {
            let is_markup = matches!(other, MimeKind::Html | MimeKind::Svg);
            let is_same = normal(old, is_markup) == normal(now, is_markup);
            (if is_same { Agreement::Normalized } else { Agreement::Different }, differing())
        }
    }
}

/// Judges data of the deciding type at every level.
fn judge_meaning(mime: &str, saved: &Value, new: &Value, comparison: &OutputComparer) -> Judged {
    let tolerance = &comparison.tolerance;
    match (kind(mime), saved, new) {
        (MimeKind::Html, Value::String(old), Value::String(now)) => judge(old, now, TextKind::Html, tolerance),
        (MimeKind::Latex, Value::String(old), Value::String(now)) => judge(old, now, TextKind::Latex, tolerance),
        (MimeKind::Text, Value::String(old), Value::String(now)) => judge(old, now, TextKind::Plain, tolerance),
        (MimeKind::Raster | MimeKind::Svg, Value::String(old), Value::String(now)) => {
            picture::judge(mime, old, now, comparison)
        }
        (MimeKind::Unknown, ..) if saved != new => (Agreement::Different, differ(DifferenceKind::Bytes, "", "").err()),
        _ => match same_json(saved, new, Some(tolerance)) {
            Ok(()) => (Agreement::Value, same_json(saved, new, None).err()),
            Err(place) => (Agreement::Different, Some(place)),
        },
    }
}

/// Whether the plain texts beside HTML say the same.
fn plain_vouches(decisive: &str, saved: &Bundle, new: &Bundle, comparison: &OutputComparer) -> bool {
    let texts = |mime: &str| Some([saved.get(mime)?.as_str()?, new.get(mime)?.as_str()?]);
    match (kind(decisive), texts(decisive), texts("text/plain")) {
        (MimeKind::Html, Some(html), Some(plain)) => vouches(html, plain, &comparison.tolerance),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_without_what_it_stands_for_is_something_else() {
        let bundle = |pairs: &[(&str, &str)]| -> Bundle {
            pairs.iter().map(|(mime, text)| ((*mime).to_owned(), Value::from(*text))).collect()
        };
        let level = |saved: &[(&str, &str)], new: &[(&str, &str)]| {
            judge_bundles(&bundle(saved), &bundle(new), &OutputComparer::default()).0.0
        };
        let (figure, picture) = (("text/plain", "<Figure size 9x9 with 1 Axes>"), ("image/png", "AAAA"));
        let view = ("application/vnd.jupyter.widget-view+json", "1");
        assert_eq!(level(&[figure, picture], &[figure]), Agreement::Different);
        assert_eq!(level(&[figure], &[figure, picture]), Agreement::Different);
        assert_eq!(level(&[figure, view], &[figure]), Agreement::Value);
        assert_eq!(level(&[("text/plain", "x**2"), picture], &[("text/plain", "x**2")]), Agreement::Value);
    }
}
