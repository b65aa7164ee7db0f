//! The Python statement inside a line magic such as `%time` or `%timeit -n 10`.

use std::ops::Range;

/// The options that take a value, by magic that runs a statement. Options of one letter may have it attached.
fn options_with_value(magic: &str) -> Option<&'static str> {
    match magic {
        "time" => Some(""),
        "timeit" => Some("nrp"),
        "prun" => Some("lsTD"),
        "memit" => Some("rt"),
        "lprun" | "mprun" => Some("fmsuTD"),
        _ => None,
    }
}

/// Where the statement stands in `arguments` (a range of `source`); `None` when the magic runs none.
pub(super) fn python_part(source: &str, magic: &str, arguments: Range<usize>) -> Option<Range<usize>> {
    let valued = options_with_value(magic)?;
    let mut rest = source[arguments.clone()].trim_start();
    while magic != "time" && rest.starts_with('-') {
        let word = rest.split_whitespace().next().unwrap_or(rest);
        rest = rest[word.len()..].trim_start();
        let mut letters = word[1..].chars();
        let takes_next = letters.next().is_some_and(|letter| valued.contains(letter)) && letters.next().is_none();
        if takes_next {
            let value = rest.split_whitespace().next().unwrap_or("");
            rest = rest[value.len()..].trim_start();
        }
    }
    let statement = rest.trim_end();
    let start = arguments.end - rest.len();
    (!statement.is_empty()).then_some(start..start + statement.len())
}

/// Whether a statement cannot follow `;` on a line.
pub(crate) fn is_compound(statement: &str) -> bool {
    let word = statement.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or("");
    matches!(word, "for" | "while" | "if" | "with" | "try" | "def" | "class" | "async" | "match")
        || statement.starts_with(['@', '%', '!'])
}
