//! What a `setup.py` of a repository says, literal by literal with its place.
//!
//! More lenient than what is read of source archives: a list that is only partly literal gives its literals, and says what it lacks.

use std::collections::BTreeSet;

use nbrevive_pysource::ast::visitor::{Visitor, walk_expr};
use nbrevive_pysource::ast::{Expr, ExprCall, Operator};
use nbrevive_pysource::parse::parse;
use nbrevive_pysource::text_size::Ranged;

use super::{DEEPEST, Script, Value, text};
use crate::line_starts::LineStarts;

/// Most expressions that are followed: names bound often lead to each other in more ways than any script has.
const MOST_STEPS: usize = 20_000;
/// Most words of one script.
const MOST_WORDS: usize = 5_000;

/// A literal and the line where it stands, from 1.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SetupWord {
    pub(crate) line: u32,
    pub(crate) text: String,
}

/// What the call of `setup` says.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct SetupWords {
    /// `install_requires`.
    pub(crate) requires: Vec<SetupWord>,
    /// `setup_requires`.
    pub(crate) setup_requires: Vec<SetupWord>,
    /// `extras_require` and `tests_require`, each with the name of its extra.
    pub(crate) extras: Vec<(String, SetupWord)>,
    /// `python_requires`.
    pub(crate) python: Option<SetupWord>,
    /// Requirements files that the script names, where `install_requires` is no list of literals.
    pub(crate) files: Vec<SetupWord>,
    /// Pieces that only running it would tell.
    pub(crate) unknown: Vec<SetupWord>,
    /// Whether there is a call of `setup` at all.
    pub(crate) has_call: bool,
}

/// Reads a script.
pub(crate) fn declared(source: &str) -> SetupWords {
    let parsed = parse(source);
    let mut script = Script::default();
    for statement in parsed.body() {
        script.visit_stmt(statement);
    }
    let Some(call) = script.setup else { return SetupWords::default() };
    let starts = LineStarts::of(source);
    let mut reading = Reading { script: &script, source, starts: &starts, steps: 0, words: SetupWords::default() };
    reading.words.has_call = true;
    reading.call(call);
    let mut words = reading.words;
    if !words.unknown.is_empty() {
        let mut named = FileNames { starts: &starts, found: BTreeSet::new() };
        for statement in parsed.body() {
            named.visit_stmt(statement);
        }
        words.files = named.found.into_iter().collect();
    }
    words
}

struct Reading<'tree, 'source> {
    script: &'tree Script<'tree>,
    source: &'source str,
    starts: &'source LineStarts,
    steps: usize,
    words: SetupWords,
}

impl<'tree> Reading<'tree, '_> {
    fn call(&mut self, call: &'tree ExprCall) {
        let (requires, unknown) = self.list(call, "install_requires");
        self.words.requires = requires;
        self.words.unknown = unknown;
        self.words.setup_requires = self.list(call, "setup_requires").0;
        let tests = self.list(call, "tests_require").0;
        self.words.extras.extend(tests.into_iter().map(|word| ("tests_require".to_owned(), word)));
        if let Value::Given(value) = self.script.keyword(call, "extras_require", 0) {
            self.extras(value);
        }
        if let Value::Given(value) = self.script.keyword(call, "python_requires", 0) {
            self.words.python = self.only(value);
        }
    }

    fn list(&mut self, call: &'tree ExprCall, key: &str) -> (Vec<SetupWord>, Vec<SetupWord>) {
        let (mut words, mut unknown) = (Vec::new(), Vec::new());
        match self.script.keyword(call, key, 0) {
            Value::Given(value) => self.gather(value, 0, &mut words, &mut unknown),
            // `setup(**settings)` may hold anything, install_requires among it.
            Value::Unclear => unknown.push(self.word(call, key)),
            Value::NotGiven => {}
        }
        (words, unknown)
    }

    fn extras(&mut self, value: &'tree Expr) {
        let bound: Vec<&'tree Expr> = match value {
            Expr::Name(name) => self.bound(name.id.as_str()).0,
            other => vec![other],
        };
        for dictionary in bound.into_iter().filter_map(Expr::as_dict_expr) {
            for item in &dictionary.items {
                let Some(extra) = item.key.as_ref().and_then(text) else { continue };
                let (mut words, mut unknown) = (Vec::new(), Vec::new());
                self.gather(&item.value, 0, &mut words, &mut unknown);
                self.words.extras.extend(words.into_iter().map(|word| (extra.to_owned(), word)));
            }
        }
    }

    /// The literals of an expression: a list, a text with a line for each, names bound to such, sums of such.
    fn gather(&mut self, value: &'tree Expr, depth: u32, words: &mut Vec<SetupWord>, unknown: &mut Vec<SetupWord>) {
        self.steps += 1;
        if depth > DEEPEST || self.steps > MOST_STEPS || words.len() + unknown.len() > MOST_WORDS {
            return;
        }
        match value {
            Expr::List(list) => self.elements(&list.elts, words, unknown),
            Expr::Tuple(tuple) => self.elements(&tuple.elts, words, unknown),
            Expr::Set(set) => self.elements(&set.elts, words, unknown),
            Expr::StringLiteral(literal) => words.extend(self.lines(literal, literal.value.to_str())),
            Expr::Name(name) => {
                let (bound, is_whole) = self.bound(name.id.as_str());
                bound.iter().for_each(|value| self.gather(value, depth + 1, words, unknown));
                if !is_whole || bound.is_empty() {
                    unknown.push(self.word(value, name.id.as_str()));
                }
            }
            Expr::BinOp(sum) if sum.op == Operator::Add => {
                self.gather(&sum.left, depth + 1, words, unknown);
                self.gather(&sum.right, depth + 1, words, unknown);
            }
            other => unknown.push(self.unknown(other)),
        }
    }

    fn elements(&mut self, elements: &'tree [Expr], words: &mut Vec<SetupWord>, unknown: &mut Vec<SetupWord>) {
        for element in elements {
            match text(element) {
                Some(text) => words.push(self.word(element, text.trim())),
                None => unknown.push(self.unknown(element)),
            }
        }
    }

    /// The expressions that a name stands for, and whether they are all.
    fn bound(&self, name: &str) -> (Vec<&'tree Expr>, bool) {
        let bound = self.script.bound.get(name).map(Vec::as_slice).unwrap_or_default();
        (bound.iter().copied().flatten().collect(), bound.iter().all(Option::is_some))
    }

    fn only(&self, value: &'tree Expr) -> Option<SetupWord> {
        let value = match value {
            Expr::Name(name) => self.bound(name.id.as_str()).0.into_iter().next(),
            other => Some(other),
        };
        value.and_then(|value| Some(self.word(value, text(value)?)))
    }

    /// The lines of a text, as setuptools reads one: numbers are those of a literal in three quotes.
    fn lines(&self, place: &impl Ranged, value: &str) -> Vec<SetupWord> {
        let first = line_of(self.starts, place);
        let lines = value.lines().zip(first..).map(|(line, number)| (line.trim(), number));
        let lines = lines.filter(|(line, _)| !line.is_empty() && !line.starts_with('#'));
        lines.map(|(text, line)| SetupWord { line, text: text.to_owned() }).collect()
    }

    fn word(&self, place: &impl Ranged, text: &str) -> SetupWord {
        SetupWord { line: line_of(self.starts, place), text: text.to_owned() }
    }

    /// An expression as it is written, cut where it is long.
    fn unknown(&self, expression: &Expr) -> SetupWord {
        let written = self.source.get(expression.range().to_std_range()).unwrap_or_default();
        self.word(expression, &written.chars().take(200).collect::<String>())
    }
}

/// Literals that name a requirements file.
struct FileNames<'source> {
    starts: &'source LineStarts,
    found: BTreeSet<SetupWord>,
}

impl<'tree> Visitor<'tree> for FileNames<'_> {
    fn visit_expr(&mut self, expression: &'tree Expr) {
        if let Some(name) = text(expression)
            && name.len() < 200
            && name.ends_with(".txt")
            && name.to_lowercase().contains("require")
        {
            self.found.insert(SetupWord { line: line_of(self.starts, expression), text: name.to_owned() });
        }
        walk_expr(self, expression);
    }
}

fn line_of(starts: &LineStarts, place: &impl Ranged) -> u32 {
    starts.line(place.start().to_usize())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(source: &str) -> String {
        let words = declared(source);
        let show = |word: &SetupWord| format!("{}:{}", word.line, word.text);
        let list = |words: &[SetupWord]| words.iter().map(show).collect::<Vec<_>>().join(" ");
        let extras: Vec<String> = words.extras.iter().map(|(extra, word)| format!("{extra}={}", show(word))).collect();
        let python = words.python.as_ref().map(show).unwrap_or_default();
        let parts = [list(&words.requires), extras.join(" "), python, list(&words.files), list(&words.unknown)];
        parts.join(" | ")
    }

    #[test]
    fn literals_have_their_lines() {
        let source = "from setuptools import setup\nbase = [\n  'numpy>=1',\n  'six',\n]\nsetup(\n  install_requires=base + ['x'],\n  python_requires='>=3.6',\n  extras_require={'t': ['pytest']},\n  tests_require='''\n   nose\n   mock\n''')\n";
        assert_eq!(
            said(source),
            "3:numpy>=1 4:six 7:x | tests_require=11:nose tests_require=12:mock t=9:pytest | 8:>=3.6 |  | "
        );
    }

    #[test]
    fn files_that_are_read_are_named() {
        for source in [
            "with open('requirements.txt') as f:\n    need = f.read().splitlines()\nsetup(install_requires=need)",
            "setup(install_requires=open('requirements.txt').readlines())",
            "def parse(name):\n    return open(name).read()\nsetup(install_requires=parse('requirements.txt'))",
            "need = [str(r) for r in parse_requirements('requirements.txt', session=False)]\nsetup(install_requires=need)",
        ] {
            let words = declared(source);
            assert_eq!(words.files.len(), 1, "{source}");
            assert_eq!(words.files[0].text, "requirements.txt");
        }
    }

    #[test]
    fn what_is_partly_literal_gives_its_literals_and_says_what_it_lacks() {
        assert_eq!(said("need = ['a']\nneed.append(b())\nsetup(install_requires=need)"), "1:a |  |  |  | 3:need");
        assert_eq!(
            said("setup(install_requires=['a', 'b==' + v, f'c=={w}'])"),
            "1:a |  |  |  | 1:'b==' + v 1:f'c=={w}'"
        );
        assert_eq!(said("setup(**kw)"), " |  |  |  | 1:install_requires");
        assert_eq!(said("print('x')"), " |  |  |  | ");
    }

    #[test]
    fn names_that_lead_to_each_other_end() {
        let mut source = String::new();
        for at in 0..8 {
            source.push_str(&format!("a{at} = a{}\n", at + 1).repeat(40));
        }
        source.push_str("setup(install_requires=a0)");
        assert!(declared(&source).requires.is_empty());
    }
}
