//! Error signatures: the exception's class and a pattern of its message.

use std::collections::BTreeMap;

use crate::CellFeedback;

/// Recognises an error.
#[derive(Debug, Clone, Copy)]
pub struct Signature {
    /// The exception's class; empty for any.
    pub ename: &'static str,
    /// A pattern that occurs somewhere in the message, white space folded; `*` stands for any run of characters.
    pub evalue: &'static str,
    pairs: Pairs,
}

/// Shorthand for the tables.
pub(crate) const fn sig(ename: &'static str, evalue: &'static str) -> Signature {
    Signature { ename, evalue, pairs: Pairs::of(evalue) }
}

impl Signature {
    /// Whether an error looks like this one.
    #[must_use]
    pub fn matches(&self, error: &CellFeedback) -> bool {
        !Told::of([error]).like(&[*self]).is_empty()
    }
}

/// The pairs of neighbouring bytes of a text, each as one of 128 bits: a text without all the pairs of a pattern cannot
/// hold it. Most signatures are told from most messages by that alone.
#[derive(Debug, Clone, Copy)]
struct Pairs(u128);

impl Pairs {
    /// Stars are no part of what a pattern stands for.
    const fn of(text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut bits = 0;
        let mut next = 1;
        while next < bytes.len() {
            let (first, second) = (bytes[next - 1], bytes[next]);
            if first != b'*' && second != b'*' {
                bits |= 1 << (first.wrapping_mul(31).wrapping_add(second) % 128);
            }
            next += 1;
        }
        Self(bits)
    }

    fn contain(self, other: Self) -> bool {
        other.0 & !self.0 == 0
    }
}

/// Errors as signatures read them: read once, by class, then held against the whole catalogue.
#[derive(Debug, Default)]
pub(crate) struct Told<'e>(BTreeMap<&'e str, Vec<Message<'e>>>);

#[derive(Debug)]
struct Message<'e> {
    /// Position among the errors.
    number: usize,
    error: &'e CellFeedback,
    text: String,
    pairs: Pairs,
}

impl<'e> Told<'e> {
    /// Reads the errors.
    pub(crate) fn of(errors: impl IntoIterator<Item = &'e CellFeedback>) -> Self {
        let mut told = Self::default();
        for (number, error) in errors.into_iter().enumerate() {
            let class = error.ename.rsplit('.').next().unwrap_or_default();
            let text = fold(&error.evalue);
            told.0.entry(class).or_default().push(Message { number, error, pairs: Pairs::of(&text), text });
        }
        told
    }

    /// The errors that look like one of the signatures, in their order.
    pub(crate) fn like(&self, signatures: &[Signature]) -> Vec<&'e CellFeedback> {
        let mut found = BTreeMap::new();
        for signature in signatures {
            let classes = match signature.ename {
                "" => self.0.range::<&str, _>(..),
                class => self.0.range(class..=class),
            };
            let alike = |one: &&Message<'_>| one.pairs.contain(signature.pairs) && occurs(signature.evalue, &one.text);
            found.extend(classes.flat_map(|(_, messages)| messages).filter(alike).map(|one| (one.number, one.error)));
        }
        found.into_values().collect()
    }
}

/// White space runs become one blank.
fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !folded.is_empty() {
            folded.push(' ');
        }
        folded.push_str(word);
    }
    folded
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
    fn errors_are_found_once_and_in_their_order() {
        let errors = [
            error("KeyError", "'b'"),
            error("package.errors.KeyError", "'a'"),
            error("ValueError", "'a'"),
            error("KeyError", "'c'"),
        ];
        let told = Told::of(&errors);
        let found = |signatures: &[Signature]| -> Vec<usize> {
            let like = told.like(signatures);
            like.iter().map(|one| errors.iter().position(|error| error == *one).unwrap()).collect()
        };
        assert_eq!(found(&[sig("KeyError", "'a'"), sig("KeyError", "'b'"), sig("KeyError", "'*'")]), [0, 1, 3]);
        assert_eq!(found(&[sig("", "'a'"), sig("KeyError", "'c'")]), [1, 2, 3]);
        assert_eq!(found(&[sig("OtherError", "'a'")]), [0; 0]);
    }

    /// Stars in a message are characters like others, and stand for none of the pattern's.
    #[test]
    fn whatever_holds_a_pattern_has_its_pairs() {
        for (pattern, message) in [
            ("a*b", "xaxbx"),
            ("*é '*' no*", "é 'x' no"),
            ("", ""),
            ("x", "x"),
            ("got * **", "got 2 3"),
            ("operand", "unsupported operand type(s) for ** or pow()"),
        ] {
            assert!(occurs(pattern, message));
            assert!(Pairs::of(message).contain(Pairs::of(pattern)), "{pattern} {message}");
        }
        assert!(!Pairs::of("ab").contain(Pairs::of("ba")));
    }

    #[test]
    fn captures_are_the_texts_of_the_stars() {
        let text = "module 'numpy' has no attribute 'float'. `np.float` was";
        assert_eq!(captures("module '*' has no attribute '*'", text), Some(vec!["numpy", "float"]));
        assert_eq!(captures("no '*' here", text), None);
    }
}
