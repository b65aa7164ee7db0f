//! Reads the workspace's sources for the tests of how the house is built.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The lines of each crate's sources by their path below the workspace, without what is compiled for tests alone.
pub(crate) struct Sources(pub(crate) BTreeMap<String, Vec<String>>);

impl Sources {
    pub(crate) fn read() -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace is there");
        let (mut files, mut tests) = (BTreeMap::new(), BTreeSet::new());
        for folder in folders(&root.join("crates")).into_iter().chain(folders(&root.join("crates/testing"))) {
            walk(&folder.join("src"), &mut |path, text| {
                let (lines, modules) = without_tests(text);
                tests.extend(modules.into_iter().flat_map(|module| places(path, &module)));
                files.insert(path.to_owned(), lines);
            });
        }
        files.retain(|path, _| !tests.iter().any(|test| path.starts_with(test)));
        let below = |path: PathBuf| path.strip_prefix(&root).expect("it is below").display().to_string();
        Sources(files.into_iter().map(|(path, lines)| (below(path), lines)).collect())
    }
}

fn folders(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("there are crates");
    entries.map(|entry| entry.expect("it can be listed").path()).collect()
}

/// Hands every source below a folder to `take`.
pub(crate) fn walk(folder: &Path, take: &mut dyn FnMut(&Path, &str)) {
    for entry in std::fs::read_dir(folder).into_iter().flatten() {
        let path = entry.expect("it can be listed").path();
        if path.is_dir() {
            walk(&path, take);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            take(&path, &std::fs::read_to_string(&path).expect("sources are text"));
        }
    }
}

/// A module that is compiled for tests alone: its name, and its file where that is another.
pub(crate) type Module = (String, Option<String>);

/// The lines of a source without items under `#[cfg(test)]`, laid out as rustfmt does it, and the modules among these items.
pub(crate) fn without_tests(text: &str) -> (Vec<String>, Vec<Module>) {
    let (mut kept, mut modules) = (Vec::new(), Vec::new());
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if line.trim() != "#[cfg(test)]" {
            kept.push(line.to_owned());
            continue;
        }
        let mut file = None;
        let mut item = lines.next().unwrap_or_default();
        while item.trim_start().starts_with("#[") {
            file = item.trim().strip_prefix("#[path = \"").and_then(|rest| rest.strip_suffix("\"]")).or(file);
            item = lines.next().unwrap_or_default();
        }
        if let Some(name) = item.strip_suffix(';').and_then(|item| item.rsplit_once("mod ")).map(|(_, name)| name) {
            modules.push((name.to_owned(), file.map(str::to_owned)));
        }
        if !item.ends_with([';', '}']) {
            let end = format!("{}}}", &item[..item.len() - item.trim_start().len()]);
            lines.by_ref().find(|line| line.trim_end_matches(';') == end);
        }
    }
    (kept, modules)
}

/// Where a module lies: its file, and the folder of its own modules.
fn places(parent: &Path, (name, file): &Module) -> [PathBuf; 2] {
    let folder = parent.parent().expect("sources lie in a folder");
    if let Some(file) = file {
        return [folder.join(file), folder.join(name)];
    }
    let stem = parent.file_stem().and_then(|stem| stem.to_str()).expect("names are text");
    let folder = if ["lib", "main", "mod"].contains(&stem) { folder.to_owned() } else { folder.join(stem) };
    [folder.join(format!("{name}.rs")), folder.join(name)]
}

#[test]
fn what_is_compiled_for_tests_alone_is_left_out() {
    let (lines, modules) =
        without_tests("a\n#[cfg(test)]\nmod tests {\n    b\n}\n#[cfg(test)]\n#[path = \"x.rs\"]\nmod y;\nc\n");
    assert_eq!((lines.join(" "), modules), ("a c".to_owned(), vec![("y".to_owned(), Some("x.rs".to_owned()))]));
}
