//! What made a result: named fields with a hash by specification, so that what changed can be said by name.
//!
//! Two results are the same work when their fingerprints have the same hash. Which fields there are, and what a change of each makes run
//! again, is a table in `docs/nothing-lost.md`.

use std::collections::BTreeMap;
use std::fmt;

use crate::content_hash;

/// The field that says what kind of result it is, and by which version of its fields.
const KIND: &str = "of";

/// Named fields and their values, each once.
///
/// The text is one JSON object (RFC 8259) of strings, its names in the order of their code points, without blanks. The hash is the first
/// 128 bits of the BLAKE3 of that text in UTF-8, as 32 hexadecimal digits. Neither depends on how a type of the program is named, nor on
/// the order in which fields are given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fingerprint(BTreeMap<String, String>);

/// A field by which two fingerprints differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The field's name.
    pub field: String,
    /// Its value before; none where there was no such field.
    pub before: Option<String>,
    /// Its value now; none where there is no such field any more.
    pub now: Option<String>,
}

impl Fingerprint {
    /// Of a kind of result; `version` is raised when its fields come to mean something else.
    #[must_use]
    pub fn of(kind: &str, version: u32) -> Self {
        Fingerprint(BTreeMap::from([(KIND.to_owned(), format!("{kind} {version}"))]))
    }

    /// With one more field.
    ///
    /// # Panics
    /// When there is a field of this name: one of the two would decide nothing.
    #[must_use]
    pub fn with(mut self, field: impl Into<String>, value: impl fmt::Display) -> Self {
        let field = field.into();
        assert!(!self.0.contains_key(&field), "the field `{field}` is given twice");
        self.0.insert(field, value.to_string());
        self
    }

    /// With the fields of another one, but for its kind.
    ///
    /// # Panics
    /// As [`Fingerprint::with`].
    #[must_use]
    pub fn and(self, other: Fingerprint) -> Self {
        let further = other.0.into_iter().filter(|(field, _)| field != KIND);
        further.fold(self, |all, (field, value)| all.with(field, value))
    }

    /// The name of the result: 32 hexadecimal digits.
    #[must_use]
    pub fn hash(&self) -> String {
        content_hash(self.text().as_bytes())
    }

    /// The text that is hashed; see the type.
    #[must_use]
    pub fn text(&self) -> String {
        serde_json::to_string(&self.0).expect("texts by texts are JSON")
    }

    /// Reads what [`Fingerprint::text`] wrote.
    ///
    /// # Errors
    /// When it is no JSON object of strings.
    pub fn read(text: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text).map(Fingerprint)
    }

    /// The fields that are others now than they were `before`, by name.
    #[must_use]
    pub fn changes_since(&self, before: &Fingerprint) -> Vec<Change> {
        let gone = before.0.keys().filter(|field| !self.0.contains_key(*field));
        let mut fields: Vec<&String> = self.0.keys().chain(gone).collect();
        fields.sort();
        let changed = fields.into_iter().filter(|field| self.0.get(*field) != before.0.get(*field));
        let change = |field: &String| Change {
            field: field.clone(),
            before: before.0.get(field).cloned(),
            now: self.0.get(field).cloned(),
        };
        changed.map(change).collect()
    }
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// Longest value that is shown whole, in characters: a hash is longer, and says nothing to a reader.
        const LONGEST: usize = 24;
        let value = |value: &Option<String>| match value {
            None => "none".to_owned(),
            Some(value) if value.chars().count() > LONGEST => value.chars().take(8).collect::<String>() + "…",
            Some(value) => value.clone(),
        };
        write!(f, "{}: {}, was {}", self.field, value(&self.now), value(&self.before))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one() -> Fingerprint {
        Fingerprint::of("execution", 1).with("seed", 0).with("limits.seconds", 600.0).with("a \"name\"\n", "ü")
    }

    #[test]
    fn text_and_hash_are_those_of_the_specification() {
        let text = r#"{"a \"name\"\n":"ü","limits.seconds":"600","of":"execution 1","seed":"0"}"#;
        assert_eq!(one().text(), text);
        // b3sum of that text, its first 32 digits.
        assert_eq!(one().hash(), "0531fcb7741fe2fa29767576caa545f4");
        assert_eq!(Fingerprint::read(text).unwrap(), one());
        assert!(Fingerprint::read("{\"seed\":0}").is_err() && Fingerprint::read("[]").is_err());
    }

    #[test]
    fn the_order_in_which_fields_are_given_does_not_count() {
        let other =
            Fingerprint::of("execution", 1).with("limits.seconds", 600).with("a \"name\"\n", 'ü').with("seed", "0");
        assert_eq!(other.hash(), one().hash());
        assert_ne!(Fingerprint::of("execution", 2).hash(), Fingerprint::of("execution", 1).hash());
    }

    #[test]
    fn changes_are_told_by_name() {
        let now = one().with("tau", 0.1);
        let before =
            Fingerprint::of("execution", 1).with("seed", 1).with("limits.seconds", 600).with("lock", "0".repeat(32));
        let told: Vec<String> = now.changes_since(&before).iter().map(ToString::to_string).collect();
        assert_eq!(
            told,
            ["a \"name\"\n: ü, was none", "lock: none, was 00000000…", "seed: 0, was 1", "tau: 0.1, was none"]
        );
        assert!(now.changes_since(&now).is_empty());
    }

    #[test]
    fn the_fields_of_another_join_without_its_kind() {
        let joined =
            Fingerprint::of("outcome", 3).with("tau", 0.1).and(Fingerprint::of("execution", 1).with("seed", 0));
        assert_eq!(joined.text(), r#"{"of":"outcome 3","seed":"0","tau":"0.1"}"#);
    }

    #[test]
    #[should_panic(expected = "the field `seed` is given twice")]
    fn no_field_is_given_twice() {
        let _ = one().with("seed", 0);
    }
}
