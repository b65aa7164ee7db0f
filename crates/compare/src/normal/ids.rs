//! Names that HTML and SVG give their parts: new for each picture, and only used within it.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

use regex::{Captures, Regex};

/// Where a part gets its name.
static NAMED: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r#"(?:^|[ \n\t])(?:id|data-root-id|data-mime-id|data-viewid) ?= ?(?:"([^"<>]+)"|'([^'<>]+)')"#).ok()
});
/// Anything that could be such a name.
static WORD: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"[A-Za-z0-9_][A-Za-z0-9_.:-]*").ok());

/// Most names that are looked for. A document with more keeps the others.
const MOST: usize = 20_000;

/// Numbers the names of parts in their order, wherever they are used.
pub(super) fn numbered(text: &str) -> Cow<'_, str> {
    let (Some(named), Some(word)) = (&*NAMED, &*WORD) else { return Cow::Borrowed(text) };
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    for found in named.captures_iter(text).take(MOST) {
        let name = found.get(1).or_else(|| found.get(2)).map_or("", |name| name.as_str());
        // Short plain words are also in the text: `id="table"`.
        if name.bytes().any(|byte| byte.is_ascii_digit()) {
            let next = numbers.len() + 1;
            numbers.entry(name).or_insert(next);
        }
    }
    if numbers.is_empty() {
        return Cow::Borrowed(text);
    }
    word.replace_all(text, |found: &Captures<'_>| match found.get(0).map(|word| word.as_str()) {
        Some(word) => numbers.get(word).map_or_else(|| word.to_owned(), |number| format!("part-{number}")),
        None => String::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_numbered_wherever_they_are_used() {
        let svg = r##"<path id="m5f3a" d="M 0 3"/><use xlink:href="#m5f3a"/><clipPath id='p77'/><g clip-path="url(#p77)" id="axes"/>"##;
        let numbered = numbered(svg);
        assert_eq!(
            numbered,
            r##"<path id="part-1" d="M 0 3"/><use xlink:href="#part-1"/><clipPath id='part-2'/><g clip-path="url(#part-2)" id="axes"/>"##
        );
    }
}
