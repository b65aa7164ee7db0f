//! Measures how many cells are compared in a second.
//!
//! Arguments: a file of cells with their outputs, one a line, as `tests/outputs/make.py` prints them, and how often all of them are
//! compared. Cells that show pictures are left out. Each cell is compared with itself after one of its digits has changed, so that no
//! comparison ends at equality. Prints one JSON object.

use std::time::Instant;

use nbrevive_compare::OutputComparer;
use nbrevive_notebook::{Notebook, read};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().expect("a file of cells");
    let rounds: usize = arguments.next().and_then(|text| text.parse().ok()).expect("a number of rounds");
    let text = std::fs::read_to_string(file).expect("a readable file");
    let pairs: Vec<(Notebook, Notebook)> = text
        .lines()
        .filter(|line| !line.contains("image/"))
        .map(|line| (notebook(line), notebook(&line.replacen("0.", "0.9", usize::MAX))))
        .collect();
    let started = Instant::now();
    let mut exact = 0;
    for _ in 0..rounds {
        for (saved, new) in &pairs {
            let compared = OutputComparer::default().cells(&saved.cells[0], &new.cells[0]);
            exact += usize::from(compared.difference.is_none());
        }
    }
    let seconds = started.elapsed().as_secs_f64();
    let cells = pairs.len() * rounds;
    #[expect(clippy::print_stdout, reason = "the figures are the program's output")]
    {
        println!(
            "{{\"cells\": {cells}, \"exact\": {exact}, \"seconds\": {seconds:.3}, \"cells_per_second\": {:.0}}}",
            cells as f64 / seconds
        );
    }
}

/// The notebook of one cell that a line holds.
fn notebook(line: &str) -> Notebook {
    let cell = line.split_once("\"cell\": ").map(|(_, cell)| &cell[..cell.len() - 1]).expect("a line has a cell");
    let file = format!("{{\"nbformat\": 4, \"nbformat_minor\": 5, \"metadata\": {{}}, \"cells\": [{cell}]}}");
    read(file.as_bytes()).expect("a notebook").notebook
}
