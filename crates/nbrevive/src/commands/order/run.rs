//! `nbrevive order --run`: which orders run, and which show what was saved.

use std::collections::BTreeSet;
use std::time::Duration;

use nbrevive_compare::Agreement;
use nbrevive_corpus::Antidote;
use nbrevive_execute::Antidotes;
use nbrevive_files::{check_place, write_beside_inputs};
use nbrevive_notebook::Notebook;
use nbrevive_order::{CellGraph, GraphKind};
use nbrevive_retrace::{
    Bench, BranchBench, CellVerdict, MismatchCause, OrderMatch, OrderStrategy, OrderVerdict, ReplayBench, TraceBudget,
    TracedNotebook, TracedOrders, Tracer, causes, confirm, rewritten, trace,
};
use nbrevive_shown::{Shown, shown};
use nbrevive_study::{LaboratoryError, Manner, PartedRuns};
use serde::Serialize;

use super::stage::Stage;
use super::{lines, repeated, told_run};
use crate::Outcome;
use crate::arguments::OrderArguments;
use crate::commands::setting::{file_failure, laboratory_failure};
use crate::exit_code::{Exit, Failure};
use crate::printer;

/// Code cells of a notebook whose states are kept at most: of longer ones nothing is searched.
const LONGEST_KEPT: usize = 400;
/// How long a kernel whose processes are kept may live beyond the search.
pub(super) const MARGIN: Duration = Duration::from_secs(120);

/// Everything that came of it, as JSON has it. Cells are places among the code cells, from 0.
#[derive(Serialize)]
pub(super) struct OrderRun {
    pub(super) strategy: OrderStrategy,
    /// The graph that drawn and searched orders keep to.
    pub(super) graph: GraphKind,
    pub(super) level: Agreement,
    #[serde(flatten)]
    pub(super) traced: TracedOrders,
    /// The best of them as a kernel ran it by itself, from the top.
    pub(super) best: Option<OrderVerdict>,
    /// Whether all that can be compared is as saved.
    pub(super) is_found: bool,
    /// Why cells of the best order do not show what was saved, by cell.
    pub(super) causes: Vec<(usize, Vec<MismatchCause>)>,
    pub(super) repeated: Option<repeated::RepeatedRuns>,
    /// Where runs part, if that was asked for.
    pub(super) parted: Option<PartedRuns>,
}

/// Runs orders and says what came of them. Exit code 10 where none is as asked for.
pub(super) fn run(arguments: &OrderArguments, saved: &Notebook) -> Outcome {
    let time = arguments.running.search_time()?;
    if let Some(path) = &arguments.running.write {
        check_place(path, &[&arguments.notebook]).map_err(|error| file_failure(&error))?;
    }
    let stage = Stage::set(arguments, saved)?;
    let kind = arguments.graph.unwrap_or(GraphKind::Sharp);
    let mut subject = TracedNotebook::new(&stage.notebook, kind);
    if arguments.graph.is_none() && arguments.running.strategy == OrderStrategy::Graph {
        subject.graph = CellGraph::usual(&subject.names);
    }
    super::draw(arguments, &subject.graph, subject.cells.iter().map(|cell| cell.source.as_str()))?;
    let run = on_bench(arguments, &stage, &subject, |bench| traced(arguments, time, &subject, bench))?;
    let mut run = run.map_err(|error| laboratory_failure(&error))?;
    judged(arguments, &stage, &subject, &mut run).map_err(|error| laboratory_failure(&error))?;
    if arguments.running.debug {
        run.parted = lines::parted(arguments, &stage, &subject, &run)?;
    }
    if arguments.json {
        let json = serde_json::to_string(&run).expect("it has only string keys");
        printer::data(&shown!("{}\n", Shown::json(&json)));
    } else {
        printer::data(&told_run::told(&run, &subject));
    }
    if let (Some(path), Some(best)) = (&arguments.running.write, &run.best) {
        let original = TracedNotebook::new(saved, kind);
        let text = nbrevive_notebook::write(&rewritten(&original, &best.order));
        write_beside_inputs(path, text, &[&arguments.notebook]).map_err(|error| file_failure(&error))?;
        printer::note(&shown!("wrote {}", Shown::path(path)));
    }
    let holds = match arguments.running.wanted {
        OrderMatch::Strong => run.is_found,
        OrderMatch::Weak => run.repeated.as_ref().is_some_and(|repeated| repeated.plain.holds()),
        OrderMatch::BestEffort => run.repeated.as_ref().is_some_and(repeated::RepeatedRuns::holds),
    };
    Ok(if holds { Exit::Success } else { Exit::NotReproduced })
}

type Runner<'a> = Box<dyn Bench<Error = LaboratoryError> + 'a>;

/// What orders are searched with: one seed of hashes, and one thread, since a process with threads cannot be kept.
fn quiet() -> Antidotes {
    Antidotes(BTreeSet::from([Antidote::HashSeed, Antidote::Threads]))
}

/// Calls `act` with a bench that keeps states where that can be.
fn on_bench<T>(
    arguments: &OrderArguments,
    stage: &Stage,
    subject: &TracedNotebook<'_>,
    act: impl FnOnce(Runner<'_>) -> T,
) -> Result<T, Failure> {
    let running = &arguments.running;
    let replayed = |why| ReplayBench::new(subject, why, |document: &Notebook| stage.execute(document, &quiet(), 0));
    let is_long = subject.len() > LONGEST_KEPT;
    let quiet = quiet();
    let manner = Manner {
        antidotes: Some((&quiet.0, 0)),
        wall_clock: Some(running.search_time()? + MARGIN),
        ..Manner::default()
    };
    let cannot = || stage.laboratory.why_no_processes(&stage.environment, manner);
    let why = match running.replay {
        true => Some("asked for"),
        false => is_long.then_some("more than 400 code cells").or_else(cannot),
    };
    if let Some(why) = why {
        return Ok(act(Box::new(replayed(why))));
    }
    let limit = running.limits()?.wall_clock();
    stage.with_processes(manner, |hub, first| {
        let bench: Runner<'_> = match first {
            Ok(first) => Box::new(BranchBench::new(subject, hub, first, limit, replayed("processes cannot be kept"))),
            Err(error) => {
                drop(hub);
                printer::note(&shown!("states are not kept: {}", error));
                Box::new(replayed("the kernel whose processes are kept did not start"))
            }
        };
        act(bench)
    })
}

/// Runs the orders of the strategy, and searches where it says so.
fn traced(
    arguments: &OrderArguments,
    time: Duration,
    subject: &TracedNotebook<'_>,
    bench: Runner<'_>,
) -> Result<OrderRun, LaboratoryError> {
    let running = &arguments.running;
    let budget = TraceBudget { executions: running.executions, time };
    let mut tracer = Tracer::new(subject, bench, running.level, budget);
    let traced = trace(&mut tracer, running.strategy, arguments.orders, arguments.seed)?;
    let best = traced.best(&tracer).cloned();
    let (strategy, graph, level, causes) = (running.strategy, subject.graph.kind, running.level, Vec::new());
    Ok(OrderRun { strategy, graph, level, traced, best, is_found: false, causes, repeated: None, parted: None })
}

/// Runs the best order by itself, says why cells differ, and runs it twice where the match asks for that.
fn judged(
    arguments: &OrderArguments,
    stage: &Stage,
    subject: &TracedNotebook<'_>,
    run: &mut OrderRun,
) -> Result<(), LaboratoryError> {
    let Some(best) = run.best.take() else { return Ok(()) };
    let level = run.level;
    let budget = TraceBudget { executions: usize::MAX, time: Duration::from_secs(1 << 30) };
    let replay = ReplayBench::new(subject, "asked for", |document: &Notebook| stage.execute(document, &quiet(), 0));
    let confirmed = confirm(&mut Tracer::new(subject, replay, level, budget), &best)?;
    let Some(confirmed) = confirmed else { return Ok(()) };
    run.is_found = confirmed.holds_at(level);
    let shown = |verdict: &OrderVerdict| -> BTreeSet<usize> {
        let holds = |found: Agreement| found.holds_at(level);
        verdict.cells.iter().filter(|cell| cell.agreement.is_some_and(holds)).map(|cell| cell.cell).collect()
    };
    let elsewhere: BTreeSet<usize> = run.traced.orders.iter().flat_map(&shown).collect();
    let own = shown(&confirmed);
    let differing = confirmed
        .cells
        .iter()
        .filter(|cell| (cell.agreement.is_some() || cell.raised.is_some()) && !own.contains(&cell.cell));
    if arguments.running.wanted != OrderMatch::Strong {
        let antidotes = (arguments.running.wanted == OrderMatch::BestEffort).then_some(&arguments.running.antidotes);
        run.repeated = Some(repeated::run_twice(stage, subject, &confirmed.order, antidotes)?);
    }
    let repeated = run.repeated.as_ref();
    let mended = |cell| repeated.into_iter().flat_map(move |runs| runs.mending(cell)).map(repeated::cause_of);
    let why = |cell: &CellVerdict| -> BTreeSet<MismatchCause> {
        causes(subject, cell, &elsewhere).into_iter().chain(mended(cell.cell)).collect()
    };
    run.causes = differing.map(|cell| (cell.cell, why(cell).into_iter().collect())).collect();
    run.best = Some(confirmed);
    Ok(())
}
