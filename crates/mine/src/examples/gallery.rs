//! A script of a gallery as a notebook.
//!
//! The blocks are those of sphinx-gallery ("Structuring Python scripts for Sphinx-Gallery"): the text at the head, then code, parted by
//! lines of twenty or more `#`, by `# %%` or `#%%`, whose comments below are text again.

use nbrevive_notebook::{Cell, Notebook};

/// Folders in which releases keep examples.
const FOLDERS: [&str; 4] = ["examples", "galleries", "gallery", "tutorials"];
/// Folders whose scripts are no examples.
const OTHER: [&str; 3] = ["test", "tests", "benchmarks"];
/// Scripts that are no examples.
const NO_EXAMPLES: [&str; 4] = ["__init__.py", "conf.py", "conftest.py", "setup.py"];
/// How many `#` part blocks, at least.
const PARTING: usize = 20;

/// Whether a file of a source archive lies among its examples.
pub(super) fn is_inside(path: &str) -> bool {
    let folders = || path.split('/').rev().skip(1);
    folders().any(|folder| FOLDERS.contains(&folder)) && !folders().any(|folder| OTHER.contains(&folder))
}

/// Whether a file among the examples is one.
pub(super) fn is_script(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    // What matplotlib marks so needs a screen or a person.
    let is_left_out = name.starts_with("test_") || name.ends_with("_sgskip.py");
    name.ends_with(".py") && !NO_EXAMPLES.contains(&name) && !is_left_out
}

/// The notebook of a script.
pub(super) fn notebook(text: &str) -> Notebook {
    let mut cells = Vec::new();
    let (head, rest) = head(text);
    if !head.trim().is_empty() {
        cells.push(Cell::markdown(head.trim()));
    }
    let (mut code, mut said): (Vec<&str>, Option<Vec<&str>>) = (Vec::new(), None);
    for line in rest.lines() {
        if is_parting(line) {
            push(&mut cells, &mut code, said.take());
            said = Some(Vec::new());
            continue;
        }
        match (&mut said, line.strip_prefix('#')) {
            (Some(text), Some(comment)) => text.push(comment.strip_prefix(' ').unwrap_or(comment)),
            (open, _) => {
                if let Some(text) = open.take() {
                    push(&mut cells, &mut code, Some(text));
                }
                code.push(line);
            }
        }
    }
    push(&mut cells, &mut code, said);
    Notebook::from_cells(cells)
}

/// Adds the code so far, and then the text.
fn push(cells: &mut Vec<Cell>, code: &mut Vec<&str>, said: Option<Vec<&str>>) {
    let text = code.join("\n");
    code.clear();
    if !text.trim().is_empty() {
        cells.push(Cell::code(text.trim_matches('\n')));
    }
    if let Some(said) = said.map(|lines| lines.join("\n")).filter(|said| !said.trim().is_empty()) {
        cells.push(Cell::markdown(said.trim()));
    }
}

fn is_parting(line: &str) -> bool {
    let line = line.trim_end();
    let rest = line.trim_start_matches('#');
    (rest.is_empty() && line.len() >= PARTING) || line.starts_with("# %%") || line.starts_with("#%%")
}

/// The text at the head of a script, and what follows it.
fn head(text: &str) -> (&str, &str) {
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let bare = line.trim();
        if !bare.is_empty() && !bare.starts_with('#') {
            break;
        }
        start += line.len();
    }
    let rest = text.get(start..).unwrap_or_default();
    let quoted = rest.trim_start_matches(['r', 'R', 'u', 'U']);
    for quotes in ["\"\"\"", "'''"] {
        let Some(inside) = quoted.strip_prefix(quotes) else { continue };
        if let Some((head, after)) = inside.split_once(quotes) {
            return (head, after);
        }
    }
    ("", text)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn told(text: &str) -> Vec<String> {
        let notebook = notebook(text);
        let sort = |cell: &Cell| if cell.is_code() { "code" } else { "text" };
        notebook.cells.iter().map(|cell| format!("{}: {}", sort(cell), cell.source)).collect()
    }

    #[test]
    fn blocks_are_cells() {
        let script = "# -*- coding: utf-8 -*-\nr\"\"\"\nTitle\n=====\n\"\"\"\nprint(__doc__)\n\n# a comment\nx = 1\n\n\
                      ####################\n# Then\n# ----\n\ny = 2\n# %%\n# Last.\n#%%\nz = 3\n";
        assert_eq!(
            told(script),
            [
                "text: Title\n=====",
                "code: print(__doc__)\n\n# a comment\nx = 1",
                "text: Then\n----",
                "code: y = 2",
                "text: Last.",
                "code: z = 3"
            ]
        );
        assert_eq!(told("x = 1\n"), ["code: x = 1"]);
        assert_eq!(told("'''never closed\nx = 1\n"), ["code: '''never closed\nx = 1"]);
        assert!(told("").is_empty());
    }

    #[test]
    fn examples_are_known_by_their_folders() {
        for path in ["examples/a.py", "doc/examples/a/plot_b.py", "galleries/users/c.py"] {
            assert!(is_inside(path) && is_script(path), "{path}");
        }
        for path in ["x/a.py", "x/tests/examples/a.py", "examples.py"] {
            assert!(!is_inside(path), "{path}");
        }
        for path in ["examples/conf.py", "examples/test_a.py", "examples/a.txt"] {
            assert!(!is_script(path), "{path}");
        }
    }

    proptest! {
        #[test]
        fn no_script_does_harm_and_no_code_is_lost(lines in proptest::collection::vec("(x = [0-9]|# %%|#{18,22}|# word|\"\"\"|'''|)", 0..12)) {
            let text = lines.join("\n");
            let code: String = notebook(&text).cells.iter().filter(|cell| cell.is_code()).map(|cell| cell.source.clone() + "\n").collect();
            let (_, rest) = head(&text);
            for line in rest.lines().filter(|line| line.starts_with("x = ")) {
                prop_assert!(code.contains(line));
            }
        }
    }
}
