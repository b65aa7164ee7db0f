//! Names that a release took away, and the errors that miss them: `data/api-changes.tsv`.

use std::collections::HashMap;
use std::sync::LazyLock;

use nbrevive_notebook::first_line;

/// A name that existed until a release.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ApiChange {
    /// The library, as it is imported; `python` for Python's own.
    pub library: &'static str,
    /// The first release without it.
    pub broken_in: &'static str,
    /// The last release that is known to have it; empty where none is.
    pub last_working: &'static str,
    /// Of what: a class, a module or a function.
    of: &'static str,
    name: &'static str,
}

/// How an error misses a name, of what, and which.
type Missed<'text> = (&'static str, &'text str, &'text str);

static CHANGES: LazyLock<HashMap<Missed<'static>, ApiChange>> = LazyLock::new(|| {
    let lines = include_str!("../../data/api-changes.tsv").lines().filter(|line| !line.starts_with('#'));
    lines.map(read).collect()
});

fn read(line: &'static str) -> (Missed<'static>, ApiChange) {
    let fields: Vec<&str> = line.split('\t').collect();
    let [how, of, name, library, broken_in, last_working] = fields[..] else { panic!("six fields: {line}") };
    let how = [ATTRIBUTE, IMPORT, MODULE, KEYWORD].into_iter().find(|known| *known == how);
    let how = how.unwrap_or_else(|| panic!("how a name is missed: {line}"));
    ((how, of, name), ApiChange { library, broken_in, last_working, of, name })
}

/// Of what the names are that need no import.
const BUILT_IN: &str = "builtins";

const ATTRIBUTE: &str = "attribute";
const IMPORT: &str = "import";
const MODULE: &str = "module";
const KEYWORD: &str = "keyword";

impl ApiChange {
    /// The change behind an error's value, where its name is one that was taken away; `line` is the line that failed, which says of what
    /// where an older Python's message does not.
    #[must_use]
    pub fn behind(value: &str, line: &str) -> Option<Self> {
        let value = first_line(value).trim();
        let changes: &HashMap<Missed<'_>, Self> = &CHANGES;
        missed(value, line).into_iter().find_map(|missed| changes.get(&missed).copied())
    }

    /// What happened, in words.
    #[must_use]
    pub fn told(&self) -> String {
        let Self { library, broken_in, last_working, of, name } = self;
        let what = if name.is_empty() { format!("module `{of}`") } else { format!("`{name}` of `{of}`") };
        let had = if last_working.is_empty() { String::new() } else { format!("; {last_working} had it") };
        format!("{what} is gone since {library} {broken_in}{had}")
    }
}

/// What a value may miss: several where a message names less than the table.
fn missed<'text>(value: &'text str, line: &'text str) -> Vec<Missed<'text>> {
    if let Some((owner, rest)) = value.split_once(" has no attribute ") {
        let owner = owner.strip_suffix(" object").unwrap_or(owner);
        let owner =
            owner.trim_start_matches(|letter: char| letter.is_ascii_lowercase() || letter == 'M' || letter == ' ');
        let owner = unquoted(owner);
        let class = owner.rsplit('.').next().unwrap_or(owner);
        return vec![(ATTRIBUTE, owner, first_name(rest)), (ATTRIBUTE, class, first_name(rest))];
    }
    if let Some((_, rest)) = value.split_once("cannot import name ") {
        let of = rest.split_once(" from ").map(|(_, module)| first_name(module));
        let of = of.or_else(|| line.trim().strip_prefix("from ")?.split_whitespace().next());
        return of.map(|of| (IMPORT, of, first_name(rest))).into_iter().collect();
    }
    if let Some((_, rest)) = value.split_once("No module named ") {
        return vec![(MODULE, first_name(rest), "")];
    }
    if let Some((function, rest)) = value.split_once("() got an unexpected keyword argument ") {
        return keywords(function, first_name(rest), line);
    }
    if let Some((_, rest)) = value.split_once("name ")
        && value.contains(" is not defined")
    {
        return vec![(ATTRIBUTE, BUILT_IN, first_name(rest))];
    }
    Vec::new()
}

/// The function as the message has it, and of a method the classes that the line calls: before Python 3.10 no message named a class.
fn keywords<'text>(function: &'text str, name: &'text str, line: &str) -> Vec<Missed<'text>> {
    let mut found = vec![(KEYWORD, function, name)];
    let known = CHANGES.keys().filter(|(how, of, keyword)| {
        let (class, method) = of.rsplit_once('.').unwrap_or(("", of));
        let is_called = match method {
            "__init__" => calls(line, class),
            _ => calls(line, method),
        };
        *how == KEYWORD && *keyword == name && method == function && is_called
    });
    found.extend(known.copied());
    found
}

/// Whether a line calls something of this name.
fn calls(line: &str, name: &str) -> bool {
    line.match_indices(name).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        line[at + name.len()..].starts_with('(')
            && !before.is_some_and(|letter| letter.is_alphanumeric() || letter == '_')
    })
}

/// The dotted name that a text begins with, in quotes or not.
fn first_name(text: &str) -> &str {
    let text = unquoted(text);
    let end = text.find(|letter: char| !(letter.is_alphanumeric() || letter == '_' || letter == '.'));
    text[..end.unwrap_or(text.len())].trim_end_matches('.')
}

fn unquoted(text: &str) -> &str {
    text.trim().trim_matches(['\'', '"'])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(value: &str, line: &str) -> Option<String> {
        ApiChange::behind(value, line).map(|change| change.told())
    }

    #[test]
    fn names_are_found_in_messages_of_all_times() {
        for (value, line, expected) in [
            (
                "'DataFrame' object has no attribute 'append'",
                "",
                "`append` of `DataFrame` is gone since pandas 2.0.0; 1.5.0 had it",
            ),
            (
                "DataFrame' object has no attribute 'append'",
                "",
                "`append` of `DataFrame` is gone since pandas 2.0.0; 1.5.0 had it",
            ),
            (
                "module 'collections' has no attribute 'Mapping'",
                "",
                "`Mapping` of `collections` is gone since python 3.10; 3.9.18 had it",
            ),
            ("Module 'scipy' has no attribute 'log'", "", "`log` of `scipy` is gone since scipy 1.12.0; 1.11.4 had it"),
            (
                "cannot import name 'imread' from 'scipy.misc' (/opt/x/scipy/misc/__init__.py)",
                "",
                "`imread` of `scipy.misc` is gone since scipy 1.3.0; 1.2.1 had it",
            ),
            (
                "cannot import name imread",
                "from scipy.misc import imread",
                "`imread` of `scipy.misc` is gone since scipy 1.3.0; 1.2.1 had it",
            ),
            (
                "No module named 'sklearn.cross_validation'",
                "",
                "module `sklearn.cross_validation` is gone since sklearn 0.20; 0.19.1 had it",
            ),
            (
                "__init__() got an unexpected keyword argument 'size'",
                "model = Word2Vec(texts, size=100)",
                "`size` of `Word2Vec.__init__` is gone since gensim 4.0.0; 3.8.3 had it",
            ),
            (
                "Word2Vec.__init__() got an unexpected keyword argument 'size'",
                "",
                "`size` of `Word2Vec.__init__` is gone since gensim 4.0.0; 3.8.3 had it",
            ),
            ("name 'xrange' is not defined", "", "`xrange` of `builtins` is gone since python 3.0; 2.7 had it"),
            (
                "global name 'unicode' is not defined",
                "",
                "`unicode` of `builtins` is gone since python 3.0; 2.7 had it",
            ),
            (
                "'dict' object has no attribute 'has_key'",
                "",
                "`has_key` of `dict` is gone since python 3.0; 2.7 had it",
            ),
        ] {
            let found = told(value, line).unwrap_or_default();
            let until = |text: &str| text.split(';').next().unwrap_or("").to_owned();
            assert_eq!(until(&found), until(expected), "{value}");
        }
    }

    #[test]
    fn what_nobody_took_away_is_none() {
        for (value, line) in [
            ("'NoneType' object has no attribute 'append'", ""),
            ("'DataFrame' object has no attribute 'concat'", ""),
            ("__init__() got an unexpected keyword argument 'size'", "MyWord2Vec(size=1)"),
            ("__init__() got an unexpected keyword argument 'size'", "Canvas(size=1)"),
            ("No module named 'joypy'", ""),
            ("cannot import name 'helper' from 'utils'", ""),
            ("cannot import name", "from"),
            ("name 'df' is not defined", "xrange(df)"),
            ("the name of xrange", ""),
            ("", ""),
        ] {
            assert_eq!(told(value, line), None, "{value}");
        }
    }
}
