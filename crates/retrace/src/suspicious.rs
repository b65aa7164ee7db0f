//! The first line at which two runs part, or a run and what was saved (Osiris, section 4.4).
//!
//! Two runs in processes of their own go through an order side by side. After each cell their names are held against each other by what is
//! in the values, and what was shown too. The first cell that differs is run again from the state before it, statement by statement.

use std::collections::BTreeMap;
use std::io;
use std::time::Duration;

use nbrevive_compare::{Agreement, OutputComparer};
use nbrevive_execute::{BranchHub, BranchProcess, NameState};
use nbrevive_notebook::Output;
use nbrevive_pysource::ast::Stmt;
use nbrevive_pysource::parse::parse;
use nbrevive_pysource::text_size::Ranged as _;
use serde::Serialize;

use crate::subject::TracedNotebook;

/// Cells that are gone through at most.
const MOST_CELLS: usize = 400;

/// A line, and what makes it suspicious.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SuspiciousLine {
    /// The cell, by its place among the code cells.
    pub cell: usize,
    /// The line of the cell, from 1, at which the statement begins.
    pub line: u32,
    /// Its text.
    pub text: String,
    /// The name whose value differs; none where what is shown does.
    pub name: Option<String>,
    /// Both values as they are shown; of a run beside what was saved, that of the run first.
    pub values: (String, String),
    /// Whether the run was held against what was saved: two runs agree.
    pub is_beside_saved: bool,
}

/// One of the runs.
#[derive(Debug)]
pub struct InspectedRun {
    hub: BranchHub,
    /// The kernel lives as long as it.
    _first: BranchProcess,
    process: BranchProcess,
    limit: Duration,
}

type Names = BTreeMap<String, NameState>;

impl InspectedRun {
    /// A run that begins in a copy of the first process at `hub`. What runs longer than `limit` is an error.
    ///
    /// # Errors
    /// When the process does not split.
    pub fn begin(mut hub: BranchHub, mut first: BranchProcess, limit: Duration) -> io::Result<Self> {
        let (process, _) = hub.fork(&mut first, "pass", limit)?;
        Ok(Self { hub, _first: first, process, limit })
    }

    /// A copy that has run `code`: what it showed, and its names.
    fn ahead(&mut self, code: &str) -> io::Result<(BranchProcess, Vec<Output>, Names)> {
        let (mut copy, step) = self.hub.fork(&mut self.process, code, self.limit)?;
        if let Some(ended) = step.ended {
            return Err(io::Error::other(ended));
        }
        let names = self.hub.look(&mut copy, self.limit)?;
        Ok((copy, step.outputs, names))
    }
}

/// The first line at which two runs of an order part; where they do not, the first at which one parts from what was saved, at the last run of
/// each cell. `fits` says which of the runs of cells, by position, are as saved.
///
/// # Errors
/// When a process ended, or was too slow.
pub fn first_suspicious(
    subject: &TracedNotebook<'_>,
    order: &[usize],
    fits: &[bool],
    one: &mut InspectedRun,
    other: &mut InspectedRun,
) -> io::Result<Option<SuspiciousLine>> {
    for (position, cell) in order.iter().enumerate().take(MOST_CELLS) {
        let source = &subject.cells[*cell].source;
        let (first, second) = (one.ahead(source)?, other.ahead(source)?);
        if part(&first, &second).is_some() {
            let found = within(subject, *cell, |code| {
                let (first, second) = (one.ahead(code)?, other.ahead(code)?);
                let parted = part(&first, &second);
                (one.process, other.process) = (first.0, second.0);
                Ok(parted)
            });
            return found.map(|line| line.or_else(|| Some(whole(subject, *cell, part(&first, &second)?, false))));
        }
        if fits.get(position) == Some(&false) {
            let saved = text(subject.cells[*cell].outputs());
            let mut shown = String::new();
            let found = within(subject, *cell, |code| {
                let (process, outputs, _) = one.ahead(code)?;
                one.process = process;
                let new = text(&outputs);
                let rest = saved.get(shown.len()..).unwrap_or_default().to_owned();
                shown.push_str(&new);
                Ok((!saved.starts_with(&shown)).then(|| (None, (short(&new), short(&rest)))))
            })?;
            let all = || whole(subject, *cell, (None, (short(&text(&first.1)), short(&saved))), true);
            return Ok(Some(found.map_or_else(all, |line| SuspiciousLine { is_beside_saved: true, ..line })));
        }
        (one.process, other.process) = (first.0, second.0);
    }
    Ok(None)
}

/// What differs, and how both show it.
type Parted = (Option<String>, (String, String));

fn part(one: &(BranchProcess, Vec<Output>, Names), other: &(BranchProcess, Vec<Output>, Names)) -> Option<Parted> {
    let differs =
        |(name, state): &(&String, &NameState)| other.2.get(*name).is_some_and(|new| new.digest != state.digest);
    if let Some((name, state)) = one.2.iter().find(differs) {
        return Some((Some(name.clone()), (state.shown.clone(), other.2[name].shown.clone())));
    }
    let compared = OutputComparer::default().outputs(&one.1, &other.1);
    let differs = compared.agreement.is_ok_and(|level| !level.holds_at(Agreement::Normalized));
    differs.then(|| (None, (short(&text(&one.1)), short(&text(&other.1)))))
}

/// Goes through a cell statement by statement until `differs`.
fn within(
    subject: &TracedNotebook<'_>,
    cell: usize,
    mut differs: impl FnMut(&str) -> io::Result<Option<Parted>>,
) -> io::Result<Option<SuspiciousLine>> {
    let parsed = parse(&subject.cells[cell].source);
    let is_magic = |line: &str| line.trim_start().starts_with(['%', '!', '?']);
    if parsed.is_opaque() || !parsed.errors().is_empty() || parsed.source().lines().any(is_magic) {
        return Ok(None);
    }
    let last = parsed.body().len().saturating_sub(1);
    for (place, statement) in parsed.body().iter().enumerate() {
        let text = parsed.text(statement.range());
        // Of the last statement alone the value is shown.
        let is_silent = place < last && matches!(statement, Stmt::Expr(_));
        let code = if is_silent { format!("{text};") } else { text.to_owned() };
        if let Some((name, values)) = differs(&code)? {
            let line = parsed.line(statement.start());
            let text = text.lines().next().unwrap_or_default().to_owned();
            return Ok(Some(SuspiciousLine { cell, line, text, name, values, is_beside_saved: false }));
        }
    }
    Ok(None)
}

/// A cell that cannot be taken apart.
fn whole(subject: &TracedNotebook<'_>, cell: usize, parted: Parted, is_beside_saved: bool) -> SuspiciousLine {
    let text = subject.cells[cell].source.lines().next().unwrap_or_default().to_owned();
    let (name, values) = parted;
    SuspiciousLine { cell, line: 1, text, name, values, is_beside_saved }
}

/// What outputs say as text.
fn text(outputs: &[Output]) -> String {
    let one = |output: &Output| match output {
        Output::Stream { name, text } if name == "stdout" => text.clone(),
        Output::DisplayData { data, .. } | Output::ExecuteResult { data, .. } => {
            data.get("text/plain").and_then(|text| text.as_str()).unwrap_or_default().to_owned()
        }
        Output::Stream { .. } | Output::Error { .. } => String::new(),
    };
    outputs.iter().map(one).collect()
}

fn short(text: &str) -> String {
    text.chars().take(200).collect()
}
