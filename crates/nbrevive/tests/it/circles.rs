//! No circles inside a crate: of two modules that use each other, be it by way of others, nobody reads one alone.
//!
//! Modules are told apart by the first part of their path: what lies together in a folder may use each other.

use std::collections::{BTreeMap, BTreeSet};

use crate::sources::Sources;

/// The name here for what stands in `lib.rs` itself.
const ROOT: &str = "lib";

/// A crate, and modules of it.
type Circle = (String, Vec<String>);

/// Modules of a crate, and which others each of them names.
type Graph<'a> = BTreeMap<&'a str, BTreeSet<&'a str>>;

#[test]
fn no_modules_of_a_crate_use_each_other_in_a_circle() {
    let found = circles(&Sources::read());
    assert!(found.is_empty(), "move what these share into a module that uses none of them: {found:#?}");
}

/// The circles in all crates, and the steps that each consists of.
fn circles(Sources(files): &Sources) -> BTreeMap<Circle, Vec<String>> {
    let mut crates: BTreeMap<&str, Vec<Source<'_>>> = BTreeMap::new();
    for (path, lines) in files {
        let (folder, file) = path.split_once("/src/").expect("sources lie in `src`");
        let name = folder.rsplit('/').next().expect("a path has a last part");
        // A crate of its own, above the library.
        if file != "main.rs" {
            crates.entry(name).or_default().push(Source::new(file, lines));
        }
    }
    let mut all = BTreeMap::new();
    for (name, sources) in &crates {
        let graph = graph(sources);
        all.extend(groups(&graph).into_iter().map(|group| {
            let modules = group.iter().map(|module| (*module).to_owned()).collect();
            (((*name).to_owned(), modules), steps(&graph, &group))
        }));
    }
    all
}

/// One file.
struct Source<'a> {
    /// The path of its module, of no parts for `lib.rs`.
    module: Vec<&'a str>,
    /// What stands in it, without comments.
    text: String,
}

impl<'a> Source<'a> {
    fn new(file: &'a str, lines: &[String]) -> Self {
        let module = file.strip_suffix(".rs").unwrap_or(file).split('/');
        let module = module.filter(|part| ![ROOT, "mod"].contains(part)).collect();
        let code: Vec<&str> =
            lines.iter().map(String::as_str).filter(|line| !line.trim_start().starts_with("//")).collect();
        Self { module, text: code.join("\n") }
    }

    /// The first name of every path that begins at the crate's root.
    fn named_from_root(&self) -> Vec<&str> {
        let absolute = paths(&self.text, "crate::");
        let relative = paths(&self.text, "super::").filter_map(|mut rest| {
            let mut up = 1;
            while let Some(further) = rest.strip_prefix("super::") {
                (up, rest) = (up + 1, further);
            }
            (up == self.module.len()).then_some(rest)
        });
        absolute.chain(relative).flat_map(heads).collect()
    }
}

/// What follows a prefix wherever a path begins with it.
fn paths<'text>(text: &'text str, prefix: &'static str) -> impl Iterator<Item = &'text str> {
    text.match_indices(prefix)
        .filter(|(at, _)| !text[..*at].ends_with(|letter| is_word(letter) || letter == ':'))
        .map(move |(at, _)| &text[at + prefix.len()..])
}

/// The first names of a path, or of all paths in braces.
fn heads(rest: &str) -> Vec<&str> {
    let Some(group) = rest.strip_prefix('{') else { return vec![word(rest)] };
    let (mut heads, mut depth, mut begins) = (Vec::new(), 0_usize, true);
    for (at, letter) in group.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => begins = true,
            _ if begins && is_word(letter) => {
                heads.push(word(&group[at..]));
                begins = false;
            }
            _ => {}
        }
    }
    heads
}

fn word(text: &str) -> &str {
    &text[..text.find(|letter| !is_word(letter)).unwrap_or(text.len())]
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// Which modules of a crate name which.
fn graph<'a>(sources: &'a [Source<'_>]) -> Graph<'a> {
    let modules: BTreeSet<&str> = sources.iter().filter_map(|source| source.module.first().copied()).collect();
    let root = sources.iter().find(|source| source.module.is_empty()).map_or("", |source| &source.text);
    let declared = declarations(root);
    let renamed: BTreeMap<&str, &str> =
        declared.iter().flat_map(|(module, names)| names.iter().map(move |name| (*name, *module))).collect();
    // Of another crate's names that the root hands on, nothing here is used.
    let module_of = |head: &'a str| match (modules.get(head), renamed.get(head)) {
        (Some(module), _) => Some(*module),
        (None, Some(module)) => modules.get(module).copied(),
        (None, None) => Some(ROOT),
    };
    let mut graph = Graph::new();
    for source in sources {
        let from = source.module.first().copied().unwrap_or(ROOT);
        let named = graph.entry(from).or_default();
        named.extend(source.named_from_root().into_iter().filter_map(module_of).filter(|to| *to != from));
    }
    let used = modules.iter().filter(|module| uses(root, module)).copied();
    graph.entry(ROOT).or_default().extend(used);
    graph
}

/// The modules that `lib.rs` takes names from by `use`, other crates among them, and these names.
fn declarations(root: &str) -> Vec<(&str, Vec<&str>)> {
    let statements = root.split(';').filter_map(|piece| {
        let start = piece.rfind("use ").filter(|at| *at == 0 || piece[..*at].ends_with(['\n', ' ']))?;
        let path = &piece[start + "use ".len()..];
        path.strip_prefix("crate::").unwrap_or(path).split_once("::")
    });
    statements
        .map(|(module, names)| {
            let names = names.split([',', '{', '}']).filter_map(|name| name.trim().rsplit([':', ' ']).next());
            (module, names.filter(|name| !name.is_empty()).collect())
        })
        .collect()
}

/// Whether `lib.rs` uses a module for itself, and does not only hand its names on.
fn uses(root: &str, module: &str) -> bool {
    let prefix = format!("{module}::");
    root.match_indices(&prefix)
        .map(|(at, _)| &root[..at])
        .filter(|before| !before.ends_with(|letter| is_word(letter) || letter == ':'))
        .any(|before| !["pub use ", "pub(crate) use "].iter().any(|hands_on| before.ends_with(hands_on)))
}

/// The modules that can be reached from each other.
fn groups<'a>(graph: &Graph<'a>) -> BTreeSet<BTreeSet<&'a str>> {
    let reached: Graph<'a> = graph.keys().map(|module| (*module, reached(graph, module))).collect();
    let group = |from: &&'a str| reached[from].iter().copied().filter(|to| reached[to].contains(from)).collect();
    graph.keys().map(group).filter(|group: &BTreeSet<_>| group.len() > 1).collect()
}

fn reached<'a>(graph: &Graph<'a>, from: &'a str) -> BTreeSet<&'a str> {
    let (mut found, mut open) = (BTreeSet::new(), vec![from]);
    while let Some(module) = open.pop() {
        open.extend(graph.get(module).into_iter().flatten().copied().filter(|next| found.insert(*next)));
    }
    found
}

fn steps(graph: &Graph<'_>, group: &BTreeSet<&str>) -> Vec<String> {
    let among = |from: &&str| graph[*from].intersection(group).map(|to| format!("{from} -> {to}")).collect::<Vec<_>>();
    group.iter().flat_map(among).collect()
}

#[test]
fn a_circle_is_found_through_names_that_the_root_hands_on() {
    let file = |path: &str, text: &str| (path.to_owned(), text.lines().map(str::to_owned).collect());
    let sources = |low: &str| {
        Sources(BTreeMap::from([
            file(
                "crates/house/src/lib.rs",
                "mod high;\nmod low;\n\npub use high::{Roof, Wall as Side};\nconst A: u8 = 1;",
            ),
            file("crates/house/src/high/mod.rs", "use crate::{\n    low::{Cellar, Well},\n    A,\n};"),
            file("crates/house/src/high/window.rs", "use super::Roof;\nuse super::super::low::Well;"),
            file("crates/house/src/low.rs", low),
        ]))
    };
    for circle in ["use super::high::Roof;", "use crate::Side;", "fn f() -> crate::{A, Roof}", "use crate::high;"] {
        let modules = vec!["high".to_owned(), "low".to_owned()];
        let found = circles(&sources(circle)).into_keys().collect::<Vec<_>>();
        assert_eq!(found, [("house".to_owned(), modules)], "{circle}");
    }
    for none in ["use crate::A;", "// See crate::high.", "use other_crate::high::Roof;", "use std::high;"] {
        assert!(circles(&sources(none)).is_empty(), "{none}");
    }
}
