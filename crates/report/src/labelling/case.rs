//! One crash on the page: its error, and the notebook around it with all cells and their counts.

use nbrevive_notebook::{Cell, CellKind, Notebook, Output, first_line};

use super::LabelCase;
use crate::page::markup::{block, escaped};

/// Characters of a cell's source, of an output and of a traceback that are shown.
const LONGEST_SOURCE: usize = 4000;
const LONGEST_OUTPUT: usize = 1000;
const LONGEST_TRACEBACK: usize = 8000;

/// The section of a crash, hidden until its turn comes; with its cells where they have room.
pub(super) fn section(case: &LabelCase<'_>, number: usize, room: usize) -> String {
    let cells = match case.notebook {
        Some((notebook, crashed)) => Some(cells(notebook, crashed)).filter(|cells| cells.len() <= room),
        None => None,
    };
    let cells = cells.unwrap_or_else(|| {
        let why = if case.notebook.is_some() {
            "The page has no room for its notebook."
        } else {
            "Its notebook is not at hand."
        };
        format!("<p class=\"notice\">{why}</p>\n")
    });
    let LabelCase { id, place, ename, evalue, traceback, .. } = case;
    format!(
        "<section class=\"crash\" id=\"crash-{number}\" data-id=\"{id}\" aria-labelledby=\"title-{number}\" hidden>\n\
         <h2 id=\"title-{number}\" tabindex=\"-1\">{ename}: {value}</h2>\n<p class=\"facts\">id {id}, {place}</p>\n\
         <pre class=\"traceback\" tabindex=\"0\" aria-label=\"Traceback\">{traceback}</pre>\n{cells}</section>\n",
        id = escaped(id),
        place = escaped(place),
        ename = escaped(&cut(ename, 100)),
        value = escaped(&cut(first_line(evalue), 300)),
        traceback = block(&ends(traceback)),
    )
}

fn cells(notebook: &Notebook, crashed: Option<usize>) -> String {
    let cells = notebook.cells.iter().enumerate().map(|(index, one)| cell(one, index, crashed == Some(index)));
    format!("<h3>Notebook</h3>\n<ol class=\"cells\">\n{}</ol>\n", cells.collect::<String>())
}

fn cell(cell: &Cell, index: usize, is_crashed: bool) -> String {
    let (mark, word) = if is_crashed { (" crashed", ", crashed here") } else { ("", "") };
    let number = index + 1;
    let source = block(&cut(&cell.source, LONGEST_SOURCE));
    let CellKind::Code { execution_count, outputs } = &cell.kind else {
        return format!(
            "<li class=\"cell text{mark}\"><span class=\"count\">cell {number}, text</span><pre>{source}</pre></li>\n"
        );
    };
    let count = execution_count.map_or_else(|| " ".to_owned(), |count| count.to_string());
    let outputs: String = outputs.iter().filter_map(output).collect();
    format!(
        "<li class=\"cell{mark}\"><span class=\"count\">cell {number}, [{count}]{word}</span><pre class=\"code\">{source}</pre>{outputs}</li>\n"
    )
}

/// What an output says in words; a traceback stands above.
fn output(output: &Output) -> Option<String> {
    let text = match output {
        Output::Stream { text, .. } => text.clone(),
        Output::Error { ename, evalue, .. } => format!("{ename}: {evalue}"),
        Output::DisplayData { data, .. } | Output::ExecuteResult { data, .. } => match &data.get("text/plain")? {
            serde_json::Value::String(text) => text.clone(),
            serde_json::Value::Array(lines) => lines.iter().filter_map(serde_json::Value::as_str).collect(),
            _ => return None,
        },
    };
    let text = nbrevive_diagnosis::crash::plain(&text).into_owned();
    Some(format!("<pre class=\"output\">{}</pre>", block(&cut(&text, LONGEST_OUTPUT))))
}

/// The beginning of a text.
fn cut(text: &str, longest: usize) -> String {
    match text.char_indices().nth(longest) {
        Some((end, _)) => format!("{} …", &text[..end]),
        None => text.to_owned(),
    }
}

/// Both ends of a text: of a traceback the middle matters least.
fn ends(text: &str) -> String {
    let half = LONGEST_TRACEBACK / 2;
    let count = text.chars().count();
    if count <= LONGEST_TRACEBACK {
        return text.to_owned();
    }
    let end: String = text.chars().skip(count - half).collect();
    format!("{}\n{end}", cut(text, half))
}
