//! Source files of versions, made from templates of our own.
//!
//! Notebooks of the six bundled competitions are real: they read the competition's files, fit a model and write
//! `submission.csv`; each year has its own habits, some of which no longer run today.

mod document;
mod others;
mod python;

use crate::random::{Purpose, Stream};
use crate::world::{Kernel, Kind, Language, Outcome, Version, World};

/// One cell: text or code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Cell {
    is_code: bool,
    text: String,
}

impl Cell {
    fn text(text: impl Into<String>) -> Self {
        Self { is_code: false, text: text.into() }
    }

    fn code(text: impl Into<String>) -> Self {
        Self { is_code: true, text: text.into() }
    }
}

/// What a source file carries besides the code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outputs {
    /// Nothing: as the API's pull and Meta Kaggle Code give it.
    Stripped,
    /// What the cells printed: as the download of a version gives it.
    Kept,
}

/// The source file of one version. An unchanged copy's first version is its parent's file, byte for byte when stripped.
pub fn source(world: &World, kernel: &Kernel, version: &Version, outputs: Outputs) -> String {
    let Some(parent) = kernel.parent.filter(|parent| parent.unchanged && version.number == 1) else {
        return own_source(world, kernel, version, outputs);
    };
    let original = world.kernel(parent.kernel);
    match original.version(parent.number) {
        Some(copied) => source(world, &original, copied, outputs),
        None => own_source(world, kernel, version, outputs),
    }
}

fn own_source(world: &World, kernel: &Kernel, version: &Version, outputs: Outputs) -> String {
    if let Some(real) = world.bundled_source(kernel.index) {
        return real.to_owned();
    }
    let cells = cells(world, kernel, version);
    match kernel.kind {
        Kind::Notebook => document::render(world, kernel, version, &cells, outputs),
        Kind::Script => script(kernel.language, &cells),
    }
}

fn cells(world: &World, kernel: &Kernel, version: &Version) -> Vec<Cell> {
    let mut stream = Stream::of(world.spec().seed, Purpose::Source, kernel.index);
    if kernel.is_empty {
        return if stream.chance(0.5) { Vec::new() } else { vec![Cell::code(""), Cell::code("  \n")] };
    }
    match kernel.language {
        Language::Python if !kernel.is_mislabelled => python::cells(world, kernel, version, &mut stream),
        Language::Python | Language::R | Language::RMarkdown => others::r(world, kernel, version),
        Language::Julia => others::julia(world, kernel, version),
        Language::Sqlite => others::sql(kernel, version),
    }
}

/// A script: text becomes comments, except in R Markdown, where code becomes fenced chunks.
fn script(language: Language, cells: &[Cell]) -> String {
    let comment = if language == Language::Sqlite { "-- " } else { "# " };
    let parts = cells.iter().map(|cell| match (language, cell.is_code) {
        (Language::RMarkdown, true) => format!("```{{r}}\n{}\n```\n", cell.text),
        (Language::RMarkdown, false) | (_, true) => format!("{}\n", cell.text),
        (_, false) => cell.text.lines().map(|line| format!("{comment}{line}\n")).collect(),
    });
    parts.collect::<Vec<_>>().join("\n")
}

/// Whether running this version ends with an error in its last code cell.
fn fails(version: &Version) -> bool {
    version.outcome == Outcome::Error
}

#[cfg(test)]
mod tests;
