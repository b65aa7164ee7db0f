//! The first line at which two runs part, or a run and what was saved (Osiris, section 4.4).
//!
//! Two runs in processes of their own go through an order side by side. After each cell their names are held against each other by what is
//! in the values, and what was shown too. The first cell that differs is run again from the state before it, statement by statement.

use std::collections::BTreeSet;
use std::io;
use std::ops::RangeInclusive;

use nbrevive_notebook::Output;
use nbrevive_pysource::ast::Stmt;
use nbrevive_pysource::names::{NameAct, NameEvent};
use nbrevive_pysource::parse::parse;
use nbrevive_pysource::text_size::Ranged as _;
use serde::Serialize;

use crate::blame::{Blamed, OtherConstant, blamed};
use crate::inspected::{Ahead, InspectedOrder, InspectedRun, Parted, Seen, printed, short, text};
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
    /// The cell and the line that show the difference first: the same, but where something above gave what is shown.
    pub shown_at: (usize, u32),
    /// Another value of one of its constants, with which the cell shows what was saved; none where none was found, or two runs differ.
    pub instead: Option<OtherConstant>,
    /// Where the names that the line that shows it looks at were bound or changed last: cells and their lines.
    pub reached_by: Vec<(usize, u32)>,
}

impl SuspiciousLine {
    /// Whether another line shows the difference than the one that is told.
    #[must_use]
    pub fn is_given_above(&self) -> bool {
        self.shown_at != (self.cell, self.line)
    }

    /// Tells the statement that gave what is shown.
    fn given_by(self, by: Option<Blamed>) -> Self {
        let Some(Blamed { cell, line, text, instead }) = by else { return self };
        SuspiciousLine { cell, line, text, instead, ..self }
    }
}

/// The line that gave what the first cell that does not match shows otherwise than it was saved, at the last run of each cell; where two runs of an order do
/// not show the same of it, or all cells match, the first line at which these part, if they do.
///
/// # Errors
/// When a process ended, or was too slow.
pub fn first_suspicious(
    subject: &TracedNotebook<'_>,
    walk: InspectedOrder<'_>,
    one: &mut InspectedRun,
    other: &mut InspectedRun,
) -> io::Result<Option<SuspiciousLine>> {
    let (mut shown, mut parting) = (Vec::new(), None);
    for (position, &cell) in walk.order.iter().enumerate().take(MOST_CELLS) {
        let source = &subject.cells[cell].source;
        let (first, second) = (one.ahead(source)?, other.ahead(source)?);
        let parted = if parting.is_none() { first.part(&second) } else { None };
        if let Some(parted) = parted {
            parting = Some(parting_at(subject, &walk.order[..=position], parted, (&mut *one, &mut *other))?);
        }
        if parting.is_some() && !walk.fits.contains(&false) {
            break;
        }
        let is_matching = walk.fits.get(position) != Some(&false);
        if let Some(line) = parting.take_if(|_| !is_matching && first.shows_other(&second)) {
            return Ok(Some(line));
        }
        shown.push(first.outputs);
        if !is_matching {
            return beside_saved(subject, walk, &shown, one).map(Some);
        }
        (one.process, other.process) = (first.process, second.process);
    }
    Ok(parting)
}

/// The line of the last cell of an order at which two runs part.
fn parting_at(
    subject: &TracedNotebook<'_>,
    order: &[usize],
    parted: Parted,
    (one, other): (&mut InspectedRun, &mut InspectedRun),
) -> io::Result<SuspiciousLine> {
    let Some((&cell, before)) = order.split_last() else { return Err(io::Error::other("no cell ran")) };
    let found = within(&subject.cells[cell].source, |code| {
        let (first, second) = (one.ahead(code)?, other.ahead(code)?);
        let parted = first.part(&second);
        (one.process, other.process) = (first.process, second.process);
        Ok(parted)
    })?;
    let (place, parted) = found.map_or((None, parted), |(place, parted)| (Some(place), parted));
    Ok(suspicious(subject, before, (cell, place), parted, false))
}

/// The line that gave what the last cell of which something is `shown` does not show as it was saved.
fn beside_saved(
    subject: &TracedNotebook<'_>,
    walk: InspectedOrder<'_>,
    shown: &[Vec<Output>],
    run: &mut InspectedRun,
) -> io::Result<SuspiciousLine> {
    let order = walk.order.get(..shown.len()).unwrap_or(walk.order);
    let (Some((&cell, before)), Some(new)) = (order.split_last(), shown.last()) else {
        return Err(io::Error::other("no cell ran"));
    };
    let (source, saved) = (&subject.cells[cell].source, subject.cells[cell].outputs());
    let is_text = printed(new) != printed(saved);
    let found = if is_text { statement_that_parts(run, source, &printed(saved))? } else { None };
    let both = (short(&text(new)), short(&text(saved)));
    let (place, parted) = found.map_or((None, (None, both)), |(place, parted)| (Some(place), parted));
    let lines = place.as_ref().map_or_else(|| 1..=u32::MAX, |(lines, _)| lines.clone());
    let by = blamed(subject, walk, &lines, shown, run)?;
    Ok(suspicious(subject, before, (cell, place), parted, true).given_by(by))
}

/// The statement of a cell by which its text is no longer what was `saved`.
fn statement_that_parts(run: &mut InspectedRun, source: &str, saved: &str) -> io::Result<Option<(Place, Parted)>> {
    let mut shown = String::new();
    within(source, |code| {
        let ahead = run.ahead(code)?;
        let (new, rest) = (printed(&ahead.outputs), saved.get(shown.len()..).unwrap_or_default());
        shown.push_str(&new);
        run.process = ahead.process;
        Ok((!saved.starts_with(&shown)).then(|| (None, (short(&new), short(rest)))))
    })
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
    SuspiciousLine {
        cell,
        line,
        text,
        name,
        values,
        is_beside_saved,
        shown_at: (cell, line),
        instead: None,
        reached_by,
    }
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
