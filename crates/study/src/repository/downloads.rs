//! Which cell would have brought the data that a notebook misses, had there been a network.

use nbrevive_corpus::Executability;
use nbrevive_notebook::{CellKind, Notebook};
use nbrevive_repair::CellFeedback;

/// Words of a line that brings a file from an address.
const BRINGS: [&str; 9] =
    ["wget", "curl ", "urlretrieve", "urlopen", "get_file(", "requests.get", "download", "fetch_", "git clone"];
/// What an address begins with.
const SCHEMES: [&str; 3] = ["http://", "https://", "ftp://"];
/// Longest address that is told, in bytes.
const LONGEST: usize = 200;

/// A cell that asks for an address, of which there is none in the sandbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissedDownload {
    /// Index of the cell among all, from 0.
    pub cell: usize,
    /// What it asks for. It is the notebook's own: hostile until it is shown.
    pub address: String,
}

/// The nearest download above an error that comes of missing data: of the error's cell and those before it. Where the network is what is missing,
/// any address counts, and in a line that brings a file where a file is.
pub(super) fn missed(notebook: &Notebook, error: &CellFeedback) -> Option<MissedDownload> {
    let any = match Executability::of_error(&error.ename, &error.evalue) {
        Executability::Network => true,
        Executability::FileNotFound => false,
        _ => return None,
    };
    let cells = notebook.cells.iter().enumerate().take(error.cell + 1).rev();
    let code = cells.filter(|(_, cell)| matches!(cell.kind, CellKind::Code { .. }));
    let found = code.filter_map(|(index, cell)| Some((index, of_cell(&cell.source, any)?)));
    found.map(|(cell, address)| MissedDownload { cell, address }).next()
}

/// The last address in the code of a cell.
fn of_cell(source: &str, any: bool) -> Option<String> {
    let is_comment = |line: &&str| line.trim_start().starts_with('#');
    let lines = source.lines().filter(|line| !is_comment(line));
    let bringing = lines.filter(|line| any || BRINGS.iter().any(|word| line.contains(word)));
    bringing.rev().find_map(address)
}

fn address(line: &str) -> Option<String> {
    let start = SCHEMES.iter().filter_map(|scheme| line.find(scheme)).min()?;
    let ends = |letter: char| letter.is_whitespace() || letter.is_control() || "'\"`<>)]}\\".contains(letter);
    let text = &line[start..];
    let text = &text[..text.find(ends).unwrap_or(text.len())];
    (text.len() <= LONGEST).then(|| text.trim_end_matches(['.', ',', ';']).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn missed_in(cells: &[&str], ename: &str, evalue: &str) -> Option<(usize, String)> {
        let cells: Vec<_> = cells
            .iter()
            .map(|source| serde_json::json!({"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": null, "source": source}))
            .collect();
        let text = serde_json::json!({"nbformat": 4, "nbformat_minor": 2, "metadata": {}, "cells": cells}).to_string();
        let notebook = nbrevive_notebook::read(text.as_bytes()).unwrap().notebook;
        let cell = cells.len() - 1;
        let (ename, evalue, traceback) = (ename.to_owned(), evalue.to_owned(), String::new());
        let error = CellFeedback { cell, ename, evalue, traceback, line: None };
        missed(&notebook, &error).map(|found| (found.cell, found.address))
    }

    #[test]
    fn the_nearest_download_is_named_where_data_is_missing() {
        let gone = "[Errno 2] No such file or directory: 'd.csv'";
        let cells =
            ["# http://h/comment\nx = 1", "!wget -q http://h/d.csv -O d.csv", "see = 'http://h/page'", "open('d.csv')"];
        assert_eq!(missed_in(&cells, "FileNotFoundError", gone), Some((1, "http://h/d.csv".to_owned())));
        assert_eq!(missed_in(&cells[2..], "FileNotFoundError", gone), None);
        assert_eq!(missed_in(&cells, "ValueError", ""), None);
        let asks = ["url = \"https://h/a\"", "pd.read_csv(url)"];
        assert_eq!(missed_in(&asks, "URLError", "<urlopen error>"), Some((0, "https://h/a".to_owned())));
        assert_eq!(missed_in(&["load()"], "URLError", "<urlopen error>"), None);
    }
}
