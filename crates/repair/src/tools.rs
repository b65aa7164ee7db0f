//! The provider `tools`: well-kept tools for what the rules leave.
//!
//! fissix carries cells over that no Python 3 grammar reads, and ruff's rules NPY001,
//! NPY003 and NPY201 the removed names of numpy. Both run in the sandbox, in an environment of their own
//! (`data/tools.lock`) that is asked for when it is first needed.

mod masked;
mod work;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use nbrevive_notebook::Notebook;
use nbrevive_pysource::parse::parse;
use nbrevive_rules::trial::Stack;

use crate::{AppliedRule, CellFeedback, Feedback, FixType, PatchProvider, Proposal, Proposer, ProviderError};
use masked::Masked;
use work::{Done, Work};

/// The lock of the tools' environment, one `name==version` a line.
pub const LOCK: &str = include_str!("../data/tools.lock");
/// Under this name a change by fissix is recorded.
const FISSIX: &str = "fissix";
/// Under this name a change by ruff is recorded.
const RUFF: &str = "ruff-numpy";
/// The numpy that removed most names; ruff has replacements that older ones lack.
const NEW_NUMPY: u32 = 2;

/// Where the tools run: the environment of [`LOCK`] and its sandbox, or why there is none.
pub type Open<'a> = Box<dyn FnMut() -> Result<Stack, String> + 'a>;

/// The tools, asked for cells that are no Python 3 and for errors of numpy.
pub struct Tools<'a> {
    open: Open<'a>,
    place: Place,
}

/// What is known of the tools' environment.
enum Place {
    Unopened,
    Opened(Box<Stack>),
    /// It cannot be had, which was said.
    Absent,
}

impl<'a> Tools<'a> {
    /// `open` is called at most once, when the tools are first needed.
    #[must_use]
    pub fn new(open: Open<'a>) -> Self {
        Self { open, place: Place::Unopened }
    }

    /// The environment; an error the first time that it cannot be had, and `None` from then on.
    fn stack(&mut self) -> Result<Option<&Stack>, ProviderError> {
        if matches!(self.place, Place::Unopened) {
            self.place = match (self.open)() {
                Ok(stack) => Place::Opened(Box::new(stack)),
                Err(reason) => {
                    self.place = Place::Absent;
                    return Err(missing(reason));
                }
            };
        }
        Ok(match &self.place {
            Place::Opened(stack) => Some(stack),
            Place::Unopened | Place::Absent => None,
        })
    }
}

fn missing(reason: String) -> ProviderError {
    ProviderError::Missing { provider: Proposer::Tools.as_str(), reason }
}

impl PatchProvider for Tools<'_> {
    fn name(&self) -> &'static str {
        Proposer::Tools.as_str()
    }

    fn proposer(&self) -> Proposer {
        Proposer::Tools
    }

    fn propose(&mut self, feedback: &Feedback<'_>) -> Result<Option<Proposal>, ProviderError> {
        self.propose_without(feedback, &BTreeSet::new())
    }

    fn propose_without(
        &mut self,
        feedback: &Feedback<'_>,
        rules: &BTreeSet<String>,
    ) -> Result<Option<Proposal>, ProviderError> {
        let fissix = if rules.contains(FISSIX) { Vec::new() } else { unread_cells(feedback) };
        let ruff = if rules.contains(RUFF) { Vec::new() } else { numpy_cells(feedback) };
        if fissix.is_empty() && ruff.is_empty() {
            return Ok(None);
        }
        let Some(stack) = self.stack()? else { return Ok(None) };
        let text = |cells: &[Masked]| cells.iter().map(|cell| cell.text.clone()).collect();
        let work = Work { fissix: text(&fissix), ruff: text(&ruff), r#unsafe: has_new_numpy(feedback) };
        match work.run(stack) {
            Ok(done) => Ok(proposal(feedback.notebook, (&fissix, &ruff), &done)),
            Err(error) => {
                self.place = Place::Absent;
                Err(missing(error.to_string()))
            }
        }
    }
}

/// Cells that raised for their syntax and that no Python 3 grammar reads.
fn unread_cells(feedback: &Feedback<'_>) -> Vec<Masked> {
    let is_of_syntax =
        |error: &CellFeedback| matches!(error.ename.as_str(), "SyntaxError" | "IndentationError" | "TabError");
    let raised: BTreeSet<usize> =
        feedback.errors.iter().filter(|error| is_of_syntax(error)).map(|error| error.cell).collect();
    let cells = feedback.notebook.code_cells().filter(|(index, _)| raised.contains(index));
    let unread = cells.filter(|(_, cell)| !parse(&cell.source).errors().is_empty());
    unread.filter_map(|(index, cell)| Masked::of(index, &cell.source)).collect()
}

/// All cells that Python 3 reads, where an error is numpy's.
fn numpy_cells(feedback: &Feedback<'_>) -> Vec<Masked> {
    if !feedback.errors.iter().any(is_of_numpy) {
        return Vec::new();
    }
    let sound = feedback.notebook.code_cells().filter(|(_, cell)| parse(&cell.source).errors().is_empty());
    sound.filter_map(|(index, cell)| Masked::of(index, &cell.source)).collect()
}

/// Whether an error misses a name of numpy.
fn is_of_numpy(error: &CellFeedback) -> bool {
    let says = |text: &str| error.evalue.contains(text);
    match error.ename.as_str() {
        "AttributeError" => says("module 'numpy") || says("`np."),
        "ImportError" => says("from 'numpy"),
        "ModuleNotFoundError" => says("'numpy."),
        _ => false,
    }
}

/// Whether the installed numpy is a new one; an unknown one counts as new.
fn has_new_numpy(feedback: &Feedback<'_>) -> bool {
    let major = |version: &String| version.split('.').next().and_then(|part| part.parse::<u32>().ok());
    feedback.packages.get("numpy").and_then(major).is_none_or(|major| major >= NEW_NUMPY)
}

/// The notebook with what the tools made of its cells; `None` where that is nothing that Python 3 reads.
fn proposal(notebook: &Notebook, (fissix, ruff): (&[Masked], &[Masked]), done: &Done) -> Option<Proposal> {
    let mut new = notebook.clone();
    let mut applied = Vec::new();
    let tools = [
        (FISSIX, "python 3.0: no Python 3 grammar reads the cell; fissix carried it over", fissix, &done.fissix),
        (RUFF, "numpy: a name that was removed or renamed (ruff's rules NPY001, NPY003, NPY201)", ruff, &done.ruff),
    ];
    for (rule, reason, cells, texts) in tools {
        for (cell, text) in cells.iter().zip(texts) {
            let Some(text) = text.as_ref().and_then(|text| cell.unmasked(text)) else { continue };
            let old = &mut new.cells[cell.cell].source;
            if *old == text || !parse(&text).errors().is_empty() {
                continue;
            }
            let line = first_changed_line(old, &text);
            applied.push(AppliedRule { rule: rule.to_owned(), cell: cell.cell, line, reason: reason.to_owned() });
            *old = text;
        }
    }
    let plan = plan(&applied);
    (!applied.is_empty()).then_some(Proposal { notebook: new, fix_type: FixType::ErrorRepair, applied, plan })
}

/// The first line, from 1, in which two texts differ.
fn first_changed_line(old: &str, new: &str) -> u32 {
    let same = old.lines().zip(new.lines()).take_while(|(old, new)| old == new).count();
    u32::try_from(same + 1).unwrap_or(u32::MAX)
}

fn plan(applied: &[AppliedRule]) -> String {
    let mut text = String::new();
    for rule in [FISSIX, RUFF] {
        let mut of_rule = applied.iter().filter(|one| one.rule == rule);
        if let Some(first) = of_rule.next() {
            let cells = of_rule.count() + 1;
            let noun = if cells == 1 { "cell" } else { "cells" };
            let _ = writeln!(text, "- {rule} ({cells} {noun}): {}", first.reason);
        }
    }
    text
}

#[cfg(test)]
mod tests;
