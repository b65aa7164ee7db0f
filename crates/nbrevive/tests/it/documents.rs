//! What documents say of the code is so: the files and functions that they name are there.

use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace is there")
}

/// The documents that people write, with their texts.
fn documents() -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for folder in [
        "",
        "docs",
        "study/containers",
        "study/crashes",
        "study/examples",
        "study/executability",
        "study/import-names",
        "study/order",
    ] {
        for entry in std::fs::read_dir(root().join(folder)).expect("the folder is there") {
            let path = entry.expect("it can be listed").path();
            if path.extension().is_some_and(|end| end == "md") {
                let text = std::fs::read_to_string(&path).expect("a document is text");
                found.push((path, text));
            }
        }
    }
    found
}

/// What stands in backquotes on a line.
fn quoted(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2)
}

/// Whether a quoted text is a path of the repository, and not a pattern or one of the reader's own.
fn is_path(text: &str) -> bool {
    let begins = ["crates/", "study/", "scripts/", "docs/"].iter().any(|folder| text.starts_with(folder));
    let is_whole = text.chars().all(|sign| sign.is_ascii_alphanumeric() || "._-/".contains(sign));
    let is_form = text.split(['/', '.']).any(|part| part.len() > 3 && part.chars().all(char::is_uppercase))
        || text.contains("-N.");
    begins && is_whole && (!is_form || text.ends_with(".md"))
}

#[test]
fn every_path_in_a_document_is_there() {
    let (root, mut missing, mut count) = (root(), Vec::new(), 0);
    for (document, text) in documents() {
        for path in text.lines().flat_map(quoted).filter(|text| is_path(text)) {
            count += 1;
            if !root.join(path).exists() {
                missing.push(format!("{}: {path}", document.display()));
            }
        }
    }
    assert!(count > 100, "only {count} paths were found");
    assert!(missing.is_empty(), "these lead nowhere: {missing:#?}");
}

/// The cells of a row of a table.
fn cells(line: &str) -> Option<Vec<&str>> {
    let inner = line.strip_prefix("| ")?.strip_suffix(" |")?;
    Some(inner.split(" | ").map(|cell| cell.trim_matches(['|', ' '])).collect())
}

fn has_function(file: &str, name: &str) -> bool {
    let text = std::fs::read_to_string(root().join(file)).unwrap_or_default();
    let ends = |rest: &str| !rest.starts_with(|sign: char| sign.is_alphanumeric() || sign == '_');
    let begun = format!("fn {name}");
    text.match_indices(&begun).any(|(at, _)| ends(&text[at + begun.len()..]))
}

#[test]
fn the_ways_of_notebook_and_job_lead_through_functions_that_are_there() {
    let page = std::fs::read_to_string(root().join("ARCHITECTURE.md")).expect("the page is there");
    let (mut steps, mut missing) = (0, Vec::new());
    for row in page.lines().filter_map(cells) {
        let [number, file, function, told] = &row[..] else { continue };
        if number.parse::<u32>().is_err() {
            continue;
        }
        steps += 1;
        // In the text: `function` in `file`.
        let words: Vec<&str> = told.split('`').collect();
        let further = words.windows(3).filter(|three| three[1] == " in ").map(|three| (three[2], three[0]));
        for (file, function) in further.chain([(file.trim_matches('`'), function.trim_matches('`'))]) {
            if !has_function(file, function) {
                missing.push(format!("{file}: {function}"));
            }
        }
    }
    assert_eq!(steps, 17, "ten steps of a notebook and seven of a job");
    assert!(missing.is_empty(), "these are not there: {missing:#?}");
}

#[test]
fn the_rooms_of_the_architecture_page_are_there() {
    let page = std::fs::read_to_string(root().join("ARCHITECTURE.md")).expect("the page is there");
    let rooms =
        page.split("\n## ").find(|part| part.starts_with("Rooms of the larger crates")).expect("there is such a part");
    let (mut house, mut count, mut missing) = (String::new(), 0, Vec::new());
    for line in rooms.lines().filter(|line| line.starts_with("| ")) {
        let row: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        let [name, places, told] = &row[..] else { continue };
        if let Some(name) = quoted(name).next() {
            name.clone_into(&mut house);
        }
        for place in quoted(places).chain(quoted(told).filter(|text| text.contains('/') && text.contains('.'))) {
            count += 1;
            let path =
                if place.starts_with("crates/") { place.to_owned() } else { format!("crates/{house}/src/{place}") };
            if !root().join(&path).exists() {
                missing.push(path);
            }
        }
    }
    assert!(count > 100, "only {count} places were found");
    assert!(missing.is_empty(), "these are not there: {missing:#?}");
}
