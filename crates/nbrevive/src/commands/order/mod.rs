//! `nbrevive order`: which cell needs which, and in which orders they can run; with `--run`, which do, and which show what was saved.
//!
//! | file | purpose |
//! |---|---|
//! | `stage.rs` | the notebook with its environment and files |
//! | `run.rs` | runs and searches orders, and confirms the best |
//! | `kept.rs` | a kernel whose processes split |
//! | `lines.rs` | the first line at which runs part |
//! | `repeated.rs` | two runs of ours, with antidotes |
//! | `told_run.rs` | what came of it, for people |

mod lines;
mod repeated;
mod run;
mod stage;
mod told_run;

use nbrevive_notebook::Notebook;
use nbrevive_order::{
    CellEdge, CellGraph, CellSets, CounterOrder, DrawnOrders, Obstruction, OrderCount, counter_order, drawing,
};
use nbrevive_pysource::dialect::Major;
use nbrevive_pysource::names::{NotebookNames, names};
use nbrevive_shown::{Shown, shown};
use serde::Serialize;

use crate::Outcome;
use crate::arguments::OrderArguments;
use crate::commands::setting::file_failure;
use crate::exit_code::{Exit, Failure};
use crate::printer;

/// Characters of a cell's first line that are shown.
const LINE: usize = 60;
/// Names that are told of one cell.
const MOST_NAMES: usize = 8;
/// So many digits of a number of orders are written out.
const MOST_DIGITS: u128 = 1_000_000_000_000;

/// Everything that is known of a notebook, as JSON has it. Cells are places among the code cells, from 0.
#[derive(Serialize)]
struct Told<'a> {
    graph: &'static str,
    cells: Vec<Cell<'a>>,
    edges: Vec<CellEdge>,
    never: Vec<Obstruction>,
    /// What stops a run from the top.
    document: Option<Obstruction>,
    counter: Vec<usize>,
    counter_gaps: u64,
    counter_repeated: Vec<u64>,
    /// What stops a run by the counts.
    counter_obstruction: Option<Obstruction>,
    count: Option<OrderCount>,
    drawn: DrawnOrders,
}

#[derive(Serialize)]
struct Cell<'a> {
    /// Its place among all cells, from 0.
    index: usize,
    count: Option<u64>,
    #[serde(flatten)]
    sets: &'a CellSets,
}

/// Reads a notebook and says what its code tells, or what orders of it give. A notebook with cells that cannot be read ends with exit code 10.
pub(crate) fn run(arguments: &OrderArguments) -> Outcome {
    let notebook = read(arguments)?;
    if arguments.run {
        return run::run(arguments, &notebook);
    }
    let cells: Vec<(usize, Option<u64>, &str)> =
        notebook.code_cells().map(|(index, cell)| (index, cell.execution_count(), cell.source.as_str())).collect();
    let found = names(&cells.iter().map(|(.., source)| *source).collect::<Vec<_>>());
    let graph = arguments.graph.map_or_else(|| CellGraph::usual(&found), |kind| CellGraph::new(&found, kind));
    let counter = counter_order(&cells.iter().map(|(_, count, _)| *count).collect::<Vec<_>>());
    let mut orders = graph.orders();
    let told = Told {
        graph: graph.kind.as_str(),
        edges: graph.edges(),
        never: graph.never(),
        document: graph.obstruction(&(0..cells.len()).collect::<Vec<_>>()),
        counter_obstruction: graph.obstruction(&counter.order),
        counter_gaps: counter.gaps,
        counter_repeated: counter.repeated.clone(),
        counter: counter.order.clone(),
        count: orders.count(),
        drawn: orders.draw(arguments.orders, arguments.seed),
        cells: cells
            .iter()
            .zip(&graph.cells)
            .map(|((index, count, _), sets)| Cell { index: *index, count: *count, sets })
            .collect(),
    };
    if arguments.json {
        let json = serde_json::to_string(&told).expect("it has only string keys");
        printer::data(&shown!("{}\n", Shown::json(&json)));
    } else {
        printer::data(&for_people(&told, &cells, &counter));
    }
    draw(arguments, &graph, cells.iter().map(|(.., source)| *source))?;
    Ok(unread(&found))
}

/// Draws a graph where that was asked for.
fn draw<'a>(
    arguments: &OrderArguments,
    graph: &CellGraph,
    sources: impl Iterator<Item = &'a str>,
) -> Result<(), Failure> {
    let Some(path) = &arguments.svg else { return Ok(()) };
    let label = |(place, source): (usize, &str)| format!("{}  {}", place + 1, first_code_line(source));
    let labels: Vec<String> = sources.enumerate().map(label).collect();
    nbrevive_files::write(path, drawing(graph, &labels)).map_err(|error| file_failure(&error))
}

fn read(arguments: &OrderArguments) -> Result<Notebook, Failure> {
    let path = &arguments.notebook;
    let bytes = nbrevive_files::read(path, nbrevive_notebook::LONGEST_FILE).map_err(|error| file_failure(&error))?;
    let read = nbrevive_notebook::read(&bytes).map_err(|error| Failure {
        exit: Exit::BadInput,
        message: shown!("{}: {}", Shown::path(path), error.to_string()),
    })?;
    if read.notebook.code_cells().next().is_none() {
        return Err(Failure { exit: Exit::BadInput, message: shown!("{}: it has no code", Shown::path(path)) });
    }
    Ok(read.notebook)
}

/// Says which cells could not be read: what they need and give is not known.
fn unread(found: &NotebookNames) -> Exit {
    use nbrevive_pysource::names::CellState;
    if found.dialect.major == Major::Two {
        printer::note(&Shown::literal("the notebook is Python 2, of which only what Python 3 reads too is known"));
    }
    let mut exit = Exit::Success;
    for (place, cell) in found.cells.iter().enumerate() {
        let (line, why) = match &cell.state {
            CellState::Python | CellState::Opaque { .. } => continue,
            CellState::Python2 { line, why } => (line, why.as_str()),
            CellState::Broken { line, why, .. } => (line, why.as_str()),
        };
        printer::note(&shown!("code cell {}, line {} cannot be read: {}", place + 1, line, why));
        exit = Exit::NotReproduced;
    }
    exit
}

fn for_people(told: &Told<'_>, cells: &[(usize, Option<u64>, &str)], counter: &CounterOrder) -> Shown {
    let mut text = Shown::default();
    for (place, ((_, count, source), cell)) in cells.iter().zip(&told.cells).enumerate() {
        let count = count.map_or_else(|| " ".to_owned(), |count| count.to_string());
        text.push_line(&shown!("{:>4} [{:>3}]  {}", place + 1, count, first_code_line(source)));
        let needs: Vec<String> = cell.sets.consumed.iter().map(|name| needed(name, place, told)).collect();
        for (word, names) in [("needs", needs), ("gives", cell.sets.produced.iter().cloned().collect())] {
            if !names.is_empty() {
                text.push_line(&shown!("            {} {}", word, listed(&names)));
            }
        }
    }
    text.push_line(&shown!(""));
    text.push_line(&shown!("from the top   {}", standing(told.document.as_ref(), told)));
    if !told.counter.is_empty() {
        let gaps = if counter.gaps == 0 {
            shown!("")
        } else {
            shown!("; {} runs of cells are missing from the counts", counter.gaps)
        };
        text.push_line(&shown!("by the counts  {}{}", standing(told.counter_obstruction.as_ref(), told), gaps));
    }
    for (word, cells) in uncounted(cells, counter) {
        text.push_line(&shown!("{:<14} {}", word, cells));
    }
    for cell in &told.never {
        text.push_line(&shown!(
            "never          cell {} needs {}, which no cell gives that can run",
            cell.cell + 1,
            listed(&cell.missing)
        ));
    }
    text.push_line(&shown!("orders         {}", counted(told)));
    for order in &told.drawn.orders {
        let numbers: Vec<String> = order.iter().map(|cell| (cell + 1).to_string()).collect();
        text.push_line(&shown!("               {}", numbers.join(" ")));
    }
    text
}

/// What counts do not tell: cells that share one, and those that have none, or one that no session has.
fn uncounted(cells: &[(usize, Option<u64>, &str)], counter: &CounterOrder) -> Vec<(&'static str, String)> {
    let numbers = |places: &mut dyn Iterator<Item = usize>| {
        listed(&places.map(|place| (place + 1).to_string()).collect::<Vec<_>>())
    };
    let shared = counter.repeated.iter().take(MOST_NAMES).map(|count| {
        let mut having = (0..cells.len()).filter(|place| cells[*place].1 == Some(*count));
        ("shared", format!("count {count}, of cells {}: of several sessions, or a copy", numbers(&mut having)))
    });
    let lacking = Some(&counter.without_count).filter(|places| !(places.is_empty() || counter.order.is_empty()));
    let without = lacking.map(|places| {
        ("no count", format!("cells {}, which are in no order by the counts", numbers(&mut places.iter().copied())))
    });
    shared.chain(without).collect()
}

/// A name with the cells that give it.
fn needed(name: &str, place: usize, told: &Told<'_>) -> String {
    let givers: Vec<String> = told
        .edges
        .iter()
        .filter(|edge| edge.to == place && edge.names.iter().any(|other| other == name))
        .map(|edge| (edge.from + 1).to_string())
        .collect();
    match givers.len() {
        0 => format!("{name} (nobody gives it)"),
        _ => format!("{name} ({})", givers.join(" or ")),
    }
}

fn standing(obstruction: Option<&Obstruction>, told: &Told<'_>) -> Shown {
    let Some(Obstruction { cell, missing, .. }) = obstruction else { return shown!("every cell has what it needs") };
    let names: Vec<String> = missing.iter().map(|name| needed(name, *cell, told)).collect();
    shown!("cell {} needs {}", cell + 1, listed(&names))
}

fn counted(told: &Told<'_>) -> Shown {
    let how = told.drawn.how.as_str();
    match told.count {
        Some(OrderCount { exact: Some(exact), .. }) if exact <= MOST_DIGITS => shown!("{} ({})", exact, how),
        Some(OrderCount { ln, .. }) => shown!("about 10^{:.0} ({})", ln / std::f64::consts::LN_10, how),
        None => shown!("too many to count ({})", how),
    }
}

fn listed(names: &[String]) -> String {
    let mut text = names.iter().take(MOST_NAMES).cloned().collect::<Vec<_>>().join(", ");
    if names.len() > MOST_NAMES {
        text.push_str(&format!(" and {} more", names.len() - MOST_NAMES));
    }
    text
}

fn first_code_line(source: &str) -> String {
    let line = source.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    line.chars().take(LINE).collect()
}
