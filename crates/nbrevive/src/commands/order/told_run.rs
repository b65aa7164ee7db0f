//! What came of running orders, for people.

use nbrevive_notebook::first_line;
use nbrevive_retrace::{CellVerdict, OrderStrategy, OrderVerdict, TracedNotebook};
use nbrevive_shown::{Shown, shown};
use nbrevive_study::PartedRuns;

use super::first_code_line;
use super::repeated::{RepeatedRuns, TwoRuns};
use super::run::OrderRun;

/// Orders that are told one by one at most.
const MOST_ORDERS: usize = 20;
/// Cells of an order that are told.
const MOST_CELLS: usize = 60;

/// The whole of it; cells from 1, code cells alone.
pub(super) fn told(run: &OrderRun, subject: &TracedNotebook<'_>) -> Shown {
    let mut text = Shown::default();
    for verdict in run.traced.orders.iter().take(MOST_ORDERS) {
        text.push_line(&line("tried", verdict, run));
    }
    if run.traced.orders.len() > MOST_ORDERS {
        text.push_line(&shown!("           and {} more", run.traced.orders.len() - MOST_ORDERS));
    }
    if run.traced.ties.len() > 1 {
        text.push_line(&shown!(
            "a tie      {} sequences with the fewest repetitions agree with counts and outputs",
            run.traced.ties.len()
        ));
    }
    match &run.best {
        Some(best) => {
            text.push_line(&line(if run.is_found { "found" } else { "best" }, best, run));
            let of_cell = |cell: usize| best.cells.iter().find(|verdict| verdict.cell == cell);
            for (cell, causes) in &run.causes {
                let words: Vec<&str> = causes.iter().map(|cause| cause.as_str()).collect();
                let why = of_cell(*cell).map_or_else(Shown::default, told_cell);
                text.push_line(&shown!("{:>4}  {}", cell + 1, first_code_line(&subject.cells[*cell].source)));
                text.push_line(&shown!(
                    "      {} ({})",
                    why,
                    if words.is_empty() { "no sign of a cause".to_owned() } else { words.join(", ") }
                ));
            }
        }
        None => text.push_line(&shown!("no order could be run within the limits")),
    }
    if let Some(parted) = &run.parted {
        parted_runs(&mut text, parted);
    }
    if let Some(repeated) = &run.repeated {
        repeated_runs(&mut text, repeated);
    }
    if matches!(run.strategy, OrderStrategy::Graph | OrderStrategy::Gaps | OrderStrategy::Search) {
        text.push_line(&shown!("graph      {}", run.graph.as_str()));
    }
    let kept =
        run.traced.why_replayed.as_ref().map_or_else(|| shown!("states kept"), |why| shown!("replayed: {}", why));
    let all = if run.traced.spent.is_all { "; the limit was reached" } else { "" };
    text.push_line(&shown!(
        "spent      {} runs of cells for {} ({}){}",
        run.traced.spent.executions,
        run.traced.spent.asked,
        kept,
        all
    ));
    text
}

fn line(word: &str, verdict: &OrderVerdict, run: &OrderRun) -> Shown {
    let mut cells: Vec<String> = verdict.order.iter().take(MOST_CELLS).map(|cell| (cell + 1).to_string()).collect();
    if verdict.order.len() > MOST_CELLS {
        cells.push("…".to_owned());
    }
    shown!(
        "{:<10} {} of {} ran, {} of {} as saved ({}): {}",
        word,
        verdict.ran,
        verdict.order.len(),
        verdict.matched_at(run.level),
        verdict.comparable,
        run.level.as_str(),
        cells.join(" ")
    )
}

fn told_cell(verdict: &CellVerdict) -> Shown {
    match (&verdict.ended, &verdict.raised, &verdict.difference) {
        (Some(ended), ..) => Shown::line(ended),
        (_, Some(raised), _) => shown!("{}: {}", &raised.ename, first_line(&raised.evalue)),
        (.., Some(difference)) => Shown::line(difference),
        _ => shown!("differs"),
    }
}

fn parted_runs(text: &mut Shown, parted: &PartedRuns) {
    if let Some(found) = &parted.line {
        let what = found.name.as_deref().unwrap_or("what is shown");
        let (one, other) = (&found.values.0, &found.values.1);
        let beside = if found.is_beside_saved { "saved" } else { "in another run" };
        text.push_line(&shown!("line       cell {}, line {}: {}", found.cell + 1, found.line, &found.text));
        let (cell, line) = found.shown_at;
        if found.is_given_above() {
            text.push_line(&shown!("           it gives what cell {}, line {} shows", cell + 1, line));
        }
        text.push_line(&shown!("           {} is `{}`, {} `{}`", what, one, beside, other));
        if let Some(other) = &found.instead {
            text.push_line(&shown!("           with {} in place of {} it is as saved", &other.with, &other.was));
        }
        let by: Vec<String> =
            found.reached_by.iter().map(|(cell, line)| format!("cell {}, line {}", cell + 1, line)).collect();
        if !by.is_empty() {
            text.push_line(&shown!("           it looks at what comes from {}", by.join("; ")));
        }
    }
    let cells: Vec<String> = parted.unrepeatable.iter().map(|cell| (cell + 1).to_string()).collect();
    if !cells.is_empty() {
        text.push_line(&shown!("repeated   cells {} give something else a second time", cells.join(" ")));
    }
}

fn repeated_runs(text: &mut Shown, repeated: &RepeatedRuns) {
    let told = |runs: &TwoRuns| {
        let names: Vec<&str> = runs.antidotes.0.iter().map(|antidote| antidote.as_str()).collect();
        let with = if names.is_empty() { "nothing".to_owned() } else { names.join(", ") };
        let cells: Vec<String> = runs.differing.iter().map(|cell| (cell + 1).to_string()).collect();
        let agree = if cells.is_empty() { "agree".to_owned() } else { format!("differ in {}", cells.join(" ")) };
        let whole = if runs.is_whole { "" } else { ", and do not come to their end" };
        shown!("two runs   with {}: {}{}", with, agree, whole)
    };
    for runs in [&repeated.plain].into_iter().chain(&repeated.together).chain(&repeated.alone) {
        text.push_line(&told(runs));
    }
    if !repeated.helped.is_empty() {
        let names: Vec<&str> = repeated.helped.iter().map(|antidote| antidote.as_str()).collect();
        text.push_line(&shown!("helped     {}", names.join(", ")));
    }
}
