//! Requirements of a notebook's own install lines.

use pep440_rs::VersionSpecifiers;

use crate::versions::{is_name, normalise, specifiers};

/// A requirement that an index can serve.
#[derive(Debug, Clone)]
pub(crate) struct Pin {
    /// Normalised name.
    pub(crate) name: String,
    /// `[extra,other]` or an empty text.
    pub(crate) extras: String,
    /// The specifiers as text without blanks; empty for a bare name.
    pub(crate) bound: String,
    pub(crate) specifiers: VersionSpecifiers,
}

impl Pin {
    /// Reads `name[extras]specifiers`; an environment marker is dropped. `None` for locations (`git+…`, paths,
    /// `name @ url`) and for what cannot be read.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let text = text.split(';').next()?.trim();
        let end = text
            .find(|found: char| !(found.is_ascii_alphanumeric() || matches!(found, '-' | '_' | '.')))
            .unwrap_or(text.len());
        let (name, rest) = text.split_at(end);
        let (extras, rest) = match rest.trim_start().strip_prefix('[') {
            Some(inside) => {
                inside.split_once(']').map(|(extras, rest)| (format!("[{}]", without_blanks(extras)), rest))?
            }
            None => (String::new(), rest),
        };
        let bound = without_blanks(rest.trim().trim_start_matches('(').trim_end_matches(')'));
        let specifiers = specifiers(&bound);
        let readable = bound.is_empty() || !specifiers.is_empty();
        let is_path = name.contains(std::path::MAIN_SEPARATOR)
            || name.ends_with(".whl")
            || name.ends_with(".zip")
            || name.ends_with(".gz");
        (is_name(name) && readable && !is_path).then(|| Self { name: normalise(name), extras, bound, specifiers })
    }
}

fn without_blanks(text: &str) -> String {
    text.split_whitespace().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requirements_are_taken_apart() {
        let read = |text: &str| Pin::read(text).map(|pin| (pin.name, pin.extras, pin.bound));
        let parts =
            |name: &str, extras: &str, bound: &str| Some((name.to_owned(), extras.to_owned(), bound.to_owned()));
        assert_eq!(read("Pandas == 0.25.3"), parts("pandas", "", "==0.25.3"));
        assert_eq!(read("ray[tune, x] (>=1,<2) ; python_version > '3'"), parts("ray", "[tune,x]", ">=1,<2"));
        assert_eq!(read("lightgbm"), parts("lightgbm", "", ""));
        for other in
            ["git+https://host/x.git", "./x", "../input/x.whl", "x.whl", "name @ https://host/x.whl", "", "x==[]"]
        {
            assert_eq!(read(other), None, "{other}");
        }
    }
}
