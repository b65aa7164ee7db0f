//! Error signatures: the exception's class and a pattern of its message.

use crate::CellFeedback;

/// Recognises an error.
#[derive(Debug, Clone, Copy)]
pub struct Signature {
    /// The exception's class; empty for any.
    pub ename: &'static str,
    /// A pattern that occurs somewhere in the message, white space folded; `*` stands for any run of characters.
    pub evalue: &'static str,
}

/// Shorthand for the tables.
pub(crate) const fn sig(ename: &'static str, evalue: &'static str) -> Signature {
    Signature { ename, evalue }
}

impl Signature {
    /// Whether an error looks like this one.
    #[must_use]
    pub fn matches(&self, error: &CellFeedback) -> bool {
        self.matches_told(&Told::of(error))
    }

    /// Whether an error that was read before looks like this one.
    pub(crate) fn matches_told(&self, error: &Told<'_>) -> bool {
        (self.ename.is_empty() || self.ename == error.class) && occurs(self.evalue, &error.message)
    }
}

/// An error as signatures read it: read once, then held against the whole catalogue.
#[derive(Debug)]
pub(crate) struct Told<'e> {
    /// The error itself.
    pub(crate) error: &'e CellFeedback,
    class: &'e str,
    message: String,
}

impl<'e> Told<'e> {
    pub(crate) fn of(error: &'e CellFeedback) -> Self {
        let class = error.ename.rsplit('.').next().unwrap_or_default();
        Self { error, class, message: fold(&error.evalue) }
    }
}

/// White space runs become one blank.
fn fold(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Whether the parts between the stars of a pattern occur in a text in this order.
fn occurs(pattern: &str, text: &str) -> bool {
    let mut rest = text;
    for part in pattern.split('*') {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    true
}

/// The words of a message that stand for the stars of a pattern, such as the attribute's name; `None` without a match.
pub(crate) fn captures<'t>(pattern: &str, text: &'t str) -> Option<Vec<&'t str>> {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let mut rest = &text[text.find(first)? + first.len()..];
    let mut found = Vec::new();
    for part in parts {
        let end = if part.is_empty() { rest.len() } else { rest.find(part)? };
        found.push(&rest[..end]);
        rest = &rest[end + part.len()..];
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(ename: &str, evalue: &str) -> CellFeedback {
        CellFeedback {
            cell: 0,
            ename: ename.to_owned(),
            evalue: evalue.to_owned(),
            traceback: String::new(),
            line: None,
        }
    }

    #[test]
    fn stars_stand_for_any_run_and_white_space_is_folded() {
        let signature = sig("AttributeError", "'*' object has no attribute 'ix'");
        assert!(signature.matches(&error("AttributeError", "'DataFrame' object has\n no attribute 'ix'")));
        assert!(!signature.matches(&error("KeyError", "'DataFrame' object has no attribute 'ix'")));
        assert!(!signature.matches(&error("AttributeError", "'DataFrame' object has no attribute 'iy'")));
    }

    #[test]
    fn captures_are_the_texts_of_the_stars() {
        let text = "module 'numpy' has no attribute 'float'. `np.float` was";
        assert_eq!(captures("module '*' has no attribute '*'", text), Some(vec!["numpy", "float"]));
        assert_eq!(captures("no '*' here", text), None);
    }
}
