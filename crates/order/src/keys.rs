//! Keys of values, which are names of their own: literal items, columns, and that an estimator is fitted.

use nbrevive_pysource::names::{NameAct, NameEvent, Part};

/// What an estimator has once it is fitted, as a key of its own.
const FITTED: &str = "fit()";
/// Methods that fit an estimator, and those that raise where it is not fitted, as attributes do that end in an underscore. Source: scikit-learn
/// ("Developing scikit-learn estimators").
const FITS: &[&str] = &["fit", "fit_predict", "fit_transform", "partial_fit"];
const NEEDS_FITTED: &[&str] = &[
    "decision_function",
    "inverse_transform",
    "kneighbors",
    "predict",
    "predict_log_proba",
    "predict_proba",
    "score",
    "score_samples",
    "staged_predict",
    "transform",
];

/// The key of a literal item, or that the value is fitted.
pub(crate) fn key(event: &NameEvent) -> Option<&str> {
    let is_change = event.act == NameAct::Change;
    match &event.part {
        Some(Part::Item(key)) => Some(key),
        Some(Part::Method(method)) if is_change && FITS.contains(&method.as_str()) => Some(FITTED),
        Some(Part::Method(method)) if !is_change && NEEDS_FITTED.contains(&method.as_str()) => Some(FITTED),
        Some(Part::Attribute(name)) if !is_change && name.ends_with('_') && !name.starts_with('_') => Some(FITTED),
        _ => None,
    }
}

/// A column of a frame that is read as an attribute, or another attribute.
pub(crate) fn attribute(event: &NameEvent) -> Option<&str> {
    match &event.part {
        Some(Part::Attribute(column)) if event.act == NameAct::Read => Some(column),
        _ => None,
    }
}

/// A key of a value, as a name.
pub(crate) fn keyed(name: &str, key: &str) -> String {
    if key == FITTED { format!("{name}.{key}") } else { format!("{name}['{key}']") }
}
