//! The first line at which two runs part, or a run and what was saved (Osiris, section 4.4).
//!
//! Two runs in processes of their own go through an order side by side. After each cell their names are held against each other by what is
//! in the values, and what was shown too. The first cell that differs is run again from the state before it, statement by statement.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::ops::RangeInclusive;
use std::time::Duration;

use nbrevive_compare::{Agreement, OutputComparer};
use nbrevive_execute::{BranchHub, BranchProcess, NameState};
use nbrevive_notebook::Output;
use nbrevive_pysource::ast::Stmt;
use nbrevive_pysource::names::{NameAct, NameEvent};
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
    /// Where the names that it looks at were bound or changed last: cells and their lines.
    pub reached_by: Vec<(usize, u32)>,
}

/// One of the runs.
#[derive(Debug)]
pub struct InspectedRun {
    hub: BranchHub,
    /// The kernel lives as long as it.
    first: BranchProcess,
    process: BranchProcess,
    limit: Duration,
}

impl InspectedRun {
    /// A run that begins in a copy of the first process at `hub`. What runs longer than `limit` is an error.
    ///
    /// # Errors
    /// When the process does not split.
    pub fn begin(mut hub: BranchHub, mut first: BranchProcess, limit: Duration) -> io::Result<Self> {
        let (process, _) = hub.fork(&mut first, "pass", limit)?;
        Ok(Self { hub, first, process, limit })
    }

    /// The same from the beginning again.
    fn again(&mut self) -> io::Result<()> {
        self.process = self.hub.fork(&mut self.first, "pass", self.limit)?.0;
        Ok(())
    }

    /// A copy that has run `code`.
    fn ahead(&mut self, code: &str) -> io::Result<Ahead> {
        let (mut process, step) = self.hub.fork(&mut self.process, code, self.limit)?;
        if let Some(ended) = step.ended {
            return Err(io::Error::other(ended));
        }
        let names = self.hub.look(&mut process, self.limit)?;
        Ok(Ahead { process, outputs: step.outputs, names })
    }
}

/// A state, and what was shown on the way to it.
struct Ahead {
    process: BranchProcess,
    outputs: Vec<Output>,
    names: BTreeMap<String, NameState>,
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
    for (position, &cell) in order.iter().enumerate().take(MOST_CELLS) {
        let source = &subject.cells[cell].source;
        let (first, second) = (one.ahead(source)?, other.ahead(source)?);
        let told = |place, parted, is_beside_saved| {
            suspicious(subject, &order[..position], (cell, place), parted, is_beside_saved)
        };
        if let Some(parted) = first.part(&second) {
            let found = within(source, |code| {
                let (first, second) = (one.ahead(code)?, other.ahead(code)?);
                let parted = first.part(&second);
                (one.process, other.process) = (first.process, second.process);
                Ok(parted)
            })?;
            let (place, parted) = found.map_or((None, parted), |(place, parted)| (Some(place), parted));
            return Ok(Some(told(place, parted, false)));
        }
        if fits.get(position) == Some(&false) {
            let saved = text(subject.cells[cell].outputs());
            let parted = (None, (short(&text(&first.outputs)), short(&saved)));
            let mut shown = String::new();
            let found = within(source, |code| {
                let ahead = one.ahead(code)?;
                let (new, rest) = (text(&ahead.outputs), saved.get(shown.len()..).unwrap_or_default());
                shown.push_str(&new);
                one.process = ahead.process;
                Ok((!saved.starts_with(&shown)).then(|| (None, (short(&new), short(rest)))))
            })?;
            let (place, parted) = found.map_or((None, parted), |(place, parted)| (Some(place), parted));
            return Ok(Some(told(place, parted, true)));
        }
        (one.process, other.process) = (first.process, second.process);
    }
    Ok(None)
}

/// What differs, and how both show it.
type Parted = (Option<String>, (String, String));

/// What is seen of a state.
#[derive(Clone, Copy)]
struct Seen<'a> {
    outputs: &'a [Output],
    names: &'a BTreeMap<String, NameState>,
}

impl Ahead {
    fn seen(&self) -> Seen<'_> {
        Seen { outputs: &self.outputs, names: &self.names }
    }

    fn part(&self, other: &Self) -> Option<Parted> {
        self.seen().part(other.seen())
    }
}

impl Seen<'_> {
    fn part(self, other: Self) -> Option<Parted> {
        let new = |name: &String, state: &NameState| other.names.get(name).filter(|new| new.digest != state.digest);
        if let Some((name, state, new)) =
            self.names.iter().find_map(|(name, state)| Some((name, state, new(name, state)?)))
        {
            return Some((Some(name.clone()), (state.shown.clone(), new.shown.clone())));
        }
        let (old, now, comparer) = (self.outputs, other.outputs, OutputComparer::default());
        let differs = match comparer.outputs(old, now).agreement {
            Ok(level) => !level.holds_at(Agreement::Normalized),
            Err(_) => raises(old) != raises(now) || comparer.same_error(old, now) == Some(false),
        };
        differs.then(|| (None, (short(&text(old)), short(&text(now)))))
    }
}

fn raises(outputs: &[Output]) -> bool {
    outputs.iter().any(|output| matches!(output, Output::Error { .. }))
}

/// A statement: its lines in the cell, from 1, and how it begins.
type Place = (RangeInclusive<u32>, String);

/// Goes through a cell statement by statement until `differs`; none of a cell that cannot be taken apart.
fn within(
    source: &str,
    mut differs: impl FnMut(&str) -> io::Result<Option<Parted>>,
) -> io::Result<Option<(Place, Parted)>> {
    let parsed = parse(source);
    let is_magic = |line: &str| line.trim_start().starts_with(['%', '!', '?']);
    if parsed.is_opaque() || !parsed.errors().is_empty() || source.lines().any(is_magic) {
        return Ok(None);
    }
    let last = parsed.body().len().saturating_sub(1);
    for (place, statement) in parsed.body().iter().enumerate() {
        let text = parsed.text(statement.range());
        // Of the last statement alone the value is shown.
        let is_silent = place < last && matches!(statement, Stmt::Expr(_));
        let code = if is_silent { format!("{text};") } else { text.to_owned() };
        if let Some(parted) = differs(&code)? {
            let lines = parsed.line(statement.start())..=parsed.line(statement.end());
            return Ok(Some(((lines, text.lines().next().unwrap_or_default().to_owned()), parted)));
        }
    }
    Ok(None)
}

/// What is told of a statement, or of a whole cell.
fn suspicious(
    subject: &TracedNotebook<'_>,
    before: &[usize],
    (cell, place): (usize, Option<Place>),
    (name, values): Parted,
    is_beside_saved: bool,
) -> SuspiciousLine {
    let first_line = || subject.cells[cell].source.lines().next().unwrap_or_default().to_owned();
    let (lines, text) = place.unwrap_or_else(|| (1..=u32::MAX, first_line()));
    let line = *lines.start();
    let reached_by = reached_by(subject, before, cell, lines);
    SuspiciousLine { cell, line, text, name, values, is_beside_saved, reached_by }
}

/// Where the names that lines of a cell look at were bound or changed last before.
fn reached_by(
    subject: &TracedNotebook<'_>,
    before: &[usize],
    cell: usize,
    lines: RangeInclusive<u32>,
) -> Vec<(usize, u32)> {
    let events = |cell: usize| subject.names.cells[cell].acts.events.iter();
    let looked_at: BTreeSet<&str> = events(cell)
        .filter(|event| event.is_use() && lines.contains(&event.line))
        .map(|event| event.name.as_str())
        .collect();
    let gives =
        |event: &&NameEvent, name: &str| event.name == name && matches!(event.act, NameAct::Change | NameAct::Bind(_));
    let mut found = BTreeSet::new();
    for name in looked_at {
        let above = events(cell).rfind(|event| event.line < *lines.start() && gives(event, name));
        let earlier = || {
            let of_cell = |other: &usize| Some((*other, events(*other).rfind(|event| gives(event, name))?.line));
            before.iter().rev().find_map(of_cell)
        };
        found.extend(above.map(|event| (cell, event.line)).or_else(earlier));
    }
    found.into_iter().collect()
}

/// Cells that cannot be repeated: run twice in a row, one leaves other values behind than after the first time, shows something else, or
/// raises.
///
/// # Errors
/// When a process ended, or was too slow.
pub fn unrepeatable(
    subject: &TracedNotebook<'_>,
    order: &[usize],
    run: &mut InspectedRun,
) -> io::Result<BTreeSet<usize>> {
    run.again()?;
    let mut found = BTreeSet::new();
    for cell in order.iter().take(MOST_CELLS) {
        let source = &subject.cells[*cell].source;
        let Ahead { process, outputs, names } = run.ahead(source)?;
        run.process = process;
        let twice = run.ahead(source)?;
        if (Seen { outputs: &outputs, names: &names }).part(twice.seen()).is_some() {
            found.insert(*cell);
        }
    }
    Ok(found)
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
