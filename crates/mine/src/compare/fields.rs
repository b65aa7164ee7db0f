//! The fields that two sources can both tell of a version, and when two values are the same.

use serde_json::Value;

use crate::records::{DataKind, MinedDataSource, VersionRecord};

/// Two times that are this many milliseconds apart, or less, are the same: the dump drops parts of a second, and sources
/// round.
const SAME_TIME: i64 = 1_000;
/// Two real numbers are the same when they differ by this part of the larger one, or less: pages round scores to five
/// decimals.
const SAME_NUMBER: f64 = 1e-4;
/// Two run times are the same when they are this many seconds apart, or less: pages round to tenths and to seconds.
const SAME_SECONDS: f64 = 1.0;

/// What is compared.
#[derive(Debug, Clone, Copy)]
pub(super) struct Field {
    /// The field's name in records.
    pub(super) name: &'static str,
    /// How two values of it are compared.
    pub(super) rule: Rule,
}

/// When two values are the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rule {
    /// When they are equal.
    Equal,
    /// Within a second.
    Time,
    /// Within a ten-thousandth.
    Number,
    /// Within a second of run time.
    Seconds,
    /// When the same things are read; those that one side knows by number alone (`#90012`) count by kind.
    Sources,
}

const fn field(name: &'static str, rule: Rule) -> Field {
    Field { name, rule }
}

/// Every field of a version but its origin.
pub(super) const FIELDS: [Field; 19] = [
    field("id", Rule::Equal),
    field("number", Rule::Equal),
    field("revision", Rule::Equal),
    field("title", Rule::Equal),
    field("created", Rule::Time),
    field("evaluated", Rule::Time),
    field("language", Rule::Equal),
    field("kind", Rule::Equal),
    field("status", Rule::Equal),
    field("public_score", Rule::Number),
    field("private_score", Rule::Number),
    field("run_seconds", Rule::Seconds),
    field("data_sources", Rule::Sources),
    field("image", Rule::Equal),
    field("gpu", Rule::Equal),
    field("internet", Rule::Equal),
    field("copied_from", Rule::Equal),
    field("votes", Rule::Equal),
    field("code", Rule::Equal),
];

/// The fields of a version as JSON, in the order of [`FIELDS`]; `Null` is unknown.
pub(super) fn values(version: &VersionRecord) -> Vec<Value> {
    let mut whole = serde_json::to_value(version).unwrap_or_default();
    FIELDS.iter().map(|field| whole[field.name].take()).collect()
}

impl Rule {
    /// Whether two known values are the same.
    pub(super) fn agrees(self, left: &Value, right: &Value) -> bool {
        left == right
            || match self {
                Self::Equal => false,
                Self::Time => {
                    time(left).zip(time(right)).is_some_and(|(left, right)| left.abs_diff(right) <= SAME_TIME as u64)
                }
                Self::Number => numbers(left, right, |left, right| {
                    (left - right).abs() <= SAME_NUMBER * left.abs().max(right.abs())
                }),
                Self::Seconds => numbers(left, right, |left, right| (left - right).abs() <= SAME_SECONDS),
                Self::Sources => sources(left, right),
            }
    }
}

/// Milliseconds since 1970.
fn time(value: &Value) -> Option<i64> {
    value.as_str()?.parse::<jiff::Timestamp>().ok().map(|time| time.as_millisecond())
}

fn numbers(left: &Value, right: &Value, is_same: impl Fn(f64, f64) -> bool) -> bool {
    left.as_f64().zip(right.as_f64()).is_some_and(|(left, right)| is_same(left, right))
}

fn sources(left: &Value, right: &Value) -> bool {
    let read = |value: &Value| serde_json::from_value::<Vec<MinedDataSource>>(value.clone()).ok();
    let Some((left, right)) = read(left).zip(read(right)) else { return false };
    DataKind::ALL.iter().all(|kind| {
        let of = |all: &[MinedDataSource]| {
            let own = all.iter().filter(|source| source.kind == *kind);
            let mut names: Vec<String> = own.map(|source| source.name.clone()).collect();
            names.sort();
            names
        };
        let (left, right) = (of(&left), of(&right));
        let is_number = |name: &String| name.starts_with('#');
        let only = |these: &[String], those: &[String]| {
            these.iter().filter(|name| !those.contains(name)).cloned().collect::<Vec<_>>()
        };
        let (lonely_left, lonely_right) = (only(&left, &right), only(&right, &left));
        lonely_left.len() == lonely_right.len()
            && (lonely_left.iter().all(is_number) || lonely_right.iter().all(is_number))
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn tolerances_are_those_that_are_documented() {
        let time = |left: &str, right: &str| Rule::Time.agrees(&json!(left), &json!(right));
        assert!(time("2022-03-02T10:11:12.347Z", "2022-03-02T10:11:12Z"));
        assert!(!time("2022-03-02T10:11:12Z", "2022-03-02T10:11:13.5Z"));
        assert!(Rule::Number.agrees(&json!(0.98765), &json!(0.9877)));
        assert!(!Rule::Number.agrees(&json!(0.98), &json!(0.99)));
        assert!(Rule::Seconds.agrees(&json!(123), &json!(123.4)) && !Rule::Seconds.agrees(&json!(10), &json!(12)));
        assert!(!Rule::Equal.agrees(&json!("a"), &json!("b")));
    }

    #[test]
    fn a_thing_known_by_number_can_be_any_of_its_kind() {
        let source = |kind: &str, name: &str| json!({"kind": kind, "name": name});
        let agrees = |left: Value, right: Value| Rule::Sources.agrees(&left, &right);
        let named = json!([source("competition", "iris"), source("model", "google/gemma")]);
        assert!(agrees(named.clone(), json!([source("model", "#4299"), source("competition", "iris")])));
        assert!(!agrees(named.clone(), json!([source("dataset", "#4299"), source("competition", "iris")])));
        assert!(!agrees(named, json!([source("competition", "iris"), source("model", "google/other")])));
    }
}
