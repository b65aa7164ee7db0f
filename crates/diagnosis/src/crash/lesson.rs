//! Whether the text around a crashed cell says that it fails: lessons show errors, and go on.

use nbrevive_notebook::{Cell, CellKind, Notebook, Output};

use super::evidence::announces;
use super::saved::SavedError;

/// What text says of code that fails, beside what comments say of it.
const SAID: [&str; 16] = [
    "unhappy",
    "complain",
    "incompatible",
    "not compatible",
    "not well-defined",
    "not well defined",
    "not a well-defined",
    "will break",
    "it breaks",
    "will crash",
    "not supported",
    "does not support",
    "doesn't support",
    "cannot be modified",
    "cannot be changed",
    "what happens if we try",
];

/// What people say of errors that came upon them.
const SUFFERED: [&str; 8] =
    ["i got ", "i get ", "we got ", "unfortunately", "todo", "don't know why", "can't figure", "not sure why"];

/// Statements at most of a cell that shows an error.
const LONGEST: usize = 8;

/// Why an error is taken for a lesson: the text right above its cell, or right below, says that the code fails, the cell is short, and no code
/// stands below that did not run after it.
pub(super) fn announced(notebook: &Notebook, error: &SavedError) -> Option<&'static str> {
    let cell = notebook.cells.get(error.cell)?;
    let lines = cell.source.lines().filter(|line| !line.trim().is_empty()).count();
    if lines > LONGEST || !goes_on(notebook, error) {
        return None;
    }
    let text = |at: Option<usize>| at.and_then(|at| notebook.cells.get(at)).filter(|cell| is_text(cell));
    let above = text(error.cell.checked_sub(1)).is_some_and(|cell| says(last_part(&cell.source)));
    let below = || text(error.cell.checked_add(1)).is_some_and(|cell| says(first_sentence(&cell.source)));
    match () {
        () if above => Some("the text above the cell says that it fails"),
        () if below() => Some("the text below the cell says why it fails"),
        () => None,
    }
}

/// Whether a cell below ran later, and without an error, or there is no code below.
fn goes_on(notebook: &Notebook, error: &SavedError) -> bool {
    let Some(crashed) = error.execution_count else { return false };
    let mut below =
        notebook.code_cells().filter(|(at, cell)| *at > error.cell && !cell.source.trim().is_empty()).peekable();
    let is_last = below.peek().is_none();
    is_last
        || below.any(|(_, cell)| match &cell.kind {
            CellKind::Code { execution_count: Some(count), outputs } => {
                *count > crashed && !outputs.iter().any(|output| matches!(output, Output::Error { .. }))
            }
            _ => false,
        })
}

fn is_text(cell: &Cell) -> bool {
    matches!(cell.kind, CellKind::Markdown { .. })
}

fn says(text: &str) -> bool {
    let text = text.to_lowercase().replace('’', "'");
    !SUFFERED.iter().any(|words| text.contains(words))
        && (announces(&text) || SAID.iter().any(|words| text.contains(words)))
}

/// The last paragraph, and the one before it where the last only leads over to the code (`For example:`).
fn last_part(text: &str) -> &str {
    const LEADS_OVER: usize = 40;
    let text = text.trim_end();
    let begin = |text: &str| text.rfind("\n\n").map_or(0, |at| at + 2);
    let last = begin(text);
    let from = if text.len() - last < LEADS_OVER { begin(text[..last].trim_end()) } else { last };
    &text[from..]
}

/// The first sentence.
fn first_sentence(text: &str) -> &str {
    let text = text.trim_start();
    let end = [". ", ".\n", "\n\n"].iter().filter_map(|end| text.find(end)).min();
    &text[..end.unwrap_or(text.len())]
}

#[cfg(test)]
mod tests {
    use super::super::explain::explain;
    use super::super::label::{RootCause, Stage};
    use super::super::saved::saved_errors;
    use super::*;

    /// A text, a cell that raises, a text, and a cell that ran with this count.
    fn notebook(above: &str, source: &str, below: &str, next: Option<u64>) -> Notebook {
        let mut crashed = Cell::code(source);
        let traceback = vec![format!("Cell In[3], line 1\n----> 1 {source}"), "ValueError: shapes differ".to_owned()];
        let error = Output::Error { ename: "ValueError".into(), evalue: "shapes differ".into(), traceback };
        crashed.kind = CellKind::Code { execution_count: Some(3), outputs: vec![error] };
        let mut after = Cell::code("print(m)");
        after.kind = CellKind::Code { execution_count: next, outputs: Vec::new() };
        Notebook::from_cells(vec![Cell::markdown(above), crashed, Cell::markdown(below), after])
    }

    fn is_lesson(notebook: &Notebook) -> bool {
        explain(notebook, &saved_errors(notebook)[0], "").labels.root_cause.label == RootCause::Intentional
    }

    #[test]
    fn text_that_says_that_code_fails_makes_a_lesson_of_it() {
        for above in [
            "If the shapes differ, NumPy will throw an error.",
            "These two are incompatible, as we can observe:",
            "It will give the same `ValueError` as before:",
            "It works with these, but it will break if there are more.\n\nFor example:",
            "Let’s see: this won’t work",
        ] {
            let notebook = notebook(above, "f(m)", "", Some(4));
            assert!(is_lesson(&notebook), "{above}");
            let labels = explain(&notebook, &saved_errors(&notebook)[0], "").labels;
            assert_eq!(labels.pipeline_stage.label, Stage::Outside);
            assert!(labels.root_cause.reason.contains("the text above"), "{}", labels.root_cause.reason);
        }
        assert!(is_lesson(&notebook("", "f(m)", "This raises an error because the shapes differ. So use", Some(4))));
    }

    #[test]
    fn errors_that_came_upon_somebody_ended_the_notebook_or_are_measured_are_no_lesson() {
        let text = "Adding them will throw an error.";
        for notebook in [
            notebook("Unfortunately, I got an error when trying it.", "f(m)", "", Some(4)),
            notebook("We print the mean squared error of the test set:", "f(m)", "", Some(4)),
            notebook("## Training", "f(m)", "Now we plot the training error. This raises", Some(4)),
            notebook(
                "Adding them will throw an error.\n\nBut first we read the data, which have three columns:",
                "f(m)",
                "",
                Some(4),
            ),
            notebook(text, "f(m)", "", None),
            notebook(text, "f(m)", "", Some(2)),
            notebook(text, &"f(m)\n".repeat(9), "", Some(4)),
        ] {
            assert!(!is_lesson(&notebook), "{:?}", notebook.cells[0].source);
        }
        let ran_on = notebook(text, "f(m)", "", Some(4));
        let mut last = ran_on.clone();
        last.cells.pop();
        assert!(is_lesson(&ran_on) && is_lesson(&last));
    }
}
