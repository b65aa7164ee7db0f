//! Source files of versions, made from templates of our own.
//!
//! Notebooks of the six bundled competitions are real: they read the competition's files, fit a model and write
//! `submission.csv`; each year has its own habits, some of which no longer run today.

mod document;
mod others;
mod python;

use crate::random::Purpose;
use crate::world::{FakeKernel, FakeKernelKind, FakeLanguage, FakeOutcome, FakeVersion, FakeWorld};
use nbrevive_loopback::RandomStream;

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
pub fn source(world: &FakeWorld, kernel: &FakeKernel, version: &FakeVersion, outputs: Outputs) -> String {
    let Some(parent) = kernel.parent.filter(|parent| parent.unchanged && version.number == 1) else {
        return own_source(world, kernel, version, outputs);
    };
    let original = world.kernel(parent.kernel);
    match original.version(parent.number) {
        Some(copied) => source(world, &original, copied, outputs),
        None => own_source(world, kernel, version, outputs),
    }
}

fn own_source(world: &FakeWorld, kernel: &FakeKernel, version: &FakeVersion, outputs: Outputs) -> String {
    if let Some(real) = world.bundled_source(kernel.index) {
        return real.to_owned();
    }
    let cells = cells(world, kernel, version);
    match kernel.kind {
        FakeKernelKind::Notebook => document::render(world, kernel, version, &cells, outputs),
        FakeKernelKind::Script => script(kernel.language, &cells),
    }
}

fn cells(world: &FakeWorld, kernel: &FakeKernel, version: &FakeVersion) -> Vec<Cell> {
    let mut stream = RandomStream::of(world.spec().seed, Purpose::Source, kernel.index);
    if kernel.is_empty {
        return if stream.chance(0.5) { Vec::new() } else { vec![Cell::code(""), Cell::code("  \n")] };
    }
    match kernel.language {
        FakeLanguage::Python if !kernel.is_mislabelled => python::cells(world, kernel, version, &mut stream),
        FakeLanguage::Python | FakeLanguage::R | FakeLanguage::RMarkdown => others::r(world, kernel, version),
        FakeLanguage::Julia => others::julia(world, kernel, version),
        FakeLanguage::Sqlite => others::sql(kernel, version),
    }
}

/// A script: text becomes comments, except in R Markdown, where code becomes fenced chunks.
fn script(language: FakeLanguage, cells: &[Cell]) -> String {
    let comment = if language == FakeLanguage::Sqlite { "-- " } else { "# " };
    let parts = cells.iter().map(|cell| match (language, cell.is_code) {
        (FakeLanguage::RMarkdown, true) => format!("```{{r}}\n{}\n```\n", cell.text),
        (FakeLanguage::RMarkdown, false) | (_, true) => format!("{}\n", cell.text),
        (_, false) => cell.text.lines().map(|line| format!("{comment}{line}\n")).collect(),
    });
    parts.collect::<Vec<_>>().join("\n")
}

/// Whether running this version ends with an error in its last code cell.
fn fails(version: &FakeVersion) -> bool {
    version.outcome == FakeOutcome::Error
}

#[cfg(test)]
mod tests;
