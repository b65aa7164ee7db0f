use std::collections::BTreeMap;
use std::convert::Infallible;
use std::time::Duration;

use nbrevive_compare::Agreement;
use nbrevive_notebook::{Cell, CellKind, Notebook, Output};
use nbrevive_order::GraphKind;
use proptest::prelude::*;

use super::*;
use crate::{CellRun, RaisedError, TraceBudget};

/// Numbers by their names.
type State = BTreeMap<&'static str, i64>;

/// Runs cells of lines like `a = 1`, `a = b + 1`, `a += b` and `print(a)`, and of `late()`, which shows `a`; none where a name is missing.
fn act(source: &'static str, state: &mut State) -> Option<Vec<Output>> {
    let mut shown = String::new();
    for line in source.lines() {
        let value = |word: &str, state: &State| word.parse().ok().or_else(|| state.get(word).copied());
        if line == "late()" {
            shown += &format!("{}\n", state.get("a")?);
        } else if let Some(name) = line.strip_prefix("print(") {
            shown += &format!("{}\n", value(name.trim_end_matches(')'), state)?);
        } else if let Some((name, more)) = line.split_once(" += ") {
            let sum = value(name, state)? + value(more, state)?;
            state.insert(name, sum);
        } else {
            let (name, given) = line.split_once(" = ")?;
            let sum = given.split(" + ").map(|word| value(word, state)).sum::<Option<i64>>()?;
            state.insert(name, sum);
        }
    }
    let text = Output::Stream { name: "stdout".into(), text: shown.clone() };
    Some((!shown.is_empty()).then_some(text).into_iter().collect())
}

struct Simulated(usize, Vec<&'static str>);

impl Bench for Simulated {
    type Error = Infallible;

    fn steps(&mut self, before: &[usize], cell: usize, _: &[usize]) -> Result<Vec<CellRun>, Infallible> {
        let mut state = State::new();
        for cell in before {
            act(self.1[*cell], &mut state);
        }
        self.0 += 1;
        let outputs = act(self.1[cell], &mut state);
        let raised = outputs.is_none().then(|| RaisedError { ename: "NameError".into(), evalue: String::new() });
        Ok(vec![CellRun { outputs: outputs.unwrap_or_default(), raised, ended: None }])
    }

    fn executed(&self) -> usize {
        self.0
    }

    fn why_replayed(&self) -> Option<&str> {
        None
    }
}

/// Does something with a tracer of cells that were saved without counts and stand in another sequence.
fn with_shuffled<T>(
    cells: &[&'static str],
    shuffled: &[usize],
    then: impl FnOnce(&mut Tracer<'_, Simulated>) -> T,
) -> T {
    let mut state = State::new();
    let saved: Vec<Vec<Output>> =
        cells.iter().map(|cell| act(cell, &mut state).expect("it runs from the top")).collect();
    let cell = |place: &usize| Cell {
        kind: CellKind::Code { execution_count: None, outputs: saved[*place].clone() },
        ..Cell::code(cells[*place])
    };
    let notebook = Notebook::from_cells(shuffled.iter().map(cell).collect());
    let subject = TracedNotebook::new(&notebook, GraphKind::Sharp);
    let budget = TraceBudget { executions: 100_000, time: Duration::from_secs(600) };
    let sources = shuffled.iter().map(|place| cells[*place]).collect();
    then(&mut Tracer::new(&subject, Simulated(0, sources), Agreement::Exact, budget))
}

/// What the search comes to, and runs of cells that it took.
fn searched(cells: &[&'static str], shuffled: &[usize]) -> (SearchedOrder, usize) {
    with_shuffled(cells, shuffled, |tracer| {
        let Ok(found) = search_once(tracer, &BTreeSet::new());
        (found.expect("it fits into the budget"), tracer.spent().executions)
    })
}

fn shows_all(found: &SearchedOrder) -> bool {
    found.verdict.holds_at(Agreement::Exact) && found.excused.is_empty()
}

#[test]
fn what_does_not_bear_on_a_cell_is_not_tried_in_another_way() {
    // `x` is bound three times, each time for the next two; twelve others have nothing to do with it.
    let beside: Vec<&'static str> = [
        "b = 1",
        "c = b + 1\nprint(c)",
        "d = c + 1",
        "e = d + b\nprint(e)",
        "f = 5",
        "g = f + 1",
        "h = g + 1",
        "i = h + f",
    ]
    .into();
    let mut cells = vec!["x = 1", "y = x + 1", "z = y + 1\nprint(z)", "x = 2", "y = x + 2", "w = y + 1\nprint(w)"];
    cells.extend(["x = 3", "v = x + 3", "u = v + 1\nprint(u)"]);
    cells.extend(beside);
    let shuffled: Vec<usize> = (0..cells.len()).map(|place| place * 7 % cells.len()).collect();
    let (found, executions) = searched(&cells, &shuffled);
    assert!(shows_all(&found), "{found:?}");
    assert!(executions < 80, "{executions} runs of {} cells", cells.len());
}

#[test]
fn a_cell_that_looks_at_more_than_its_text_says_finds_its_place() {
    // What `a` is when `late` runs; no text says so.
    let cells = ["a = 1", "b = a + 1", "a = 2", "late()", "a = 3", "c = a + b\nprint(c)"];
    let (found, _) = searched(&cells, &[3, 5, 0, 4, 2, 1]);
    assert!(shows_all(&found), "{found:?}");
}

#[test]
fn a_cell_that_can_fit_nowhere_is_excused_soon() {
    let mut cells = vec!["a = 1", "a += 1", "a += 2", "b = a + 1\nprint(b)", "a = 5", "a += 3", "c = a + 1\nprint(c)"];
    cells.push("print(7)");
    let mut state = State::new();
    let saved: Vec<_> = cells.iter().map(|cell| act(cell, &mut state).expect("it runs")).collect();
    let mut found = Vec::new();
    for place in [6, 3, 0, 7, 5, 1, 4, 2] {
        let outputs = if place == 7 { saved[3].clone() } else { saved[place].clone() };
        found.push(Cell { kind: CellKind::Code { execution_count: None, outputs }, ..Cell::code(cells[place]) });
    }
    let notebook = Notebook::from_cells(found);
    let subject = TracedNotebook::new(&notebook, GraphKind::Sharp);
    let sources = [6, 3, 0, 7, 5, 1, 4, 2].map(|place| cells[place]).to_vec();
    let budget = TraceBudget { executions: 1_000, time: Duration::from_secs(600) };
    let mut tracer = Tracer::new(&subject, Simulated(0, sources), Agreement::Exact, budget);
    let Ok(found) = search_once(&mut tracer, &BTreeSet::new());
    let verdict = found.expect("it fits into the budget").verdict;
    assert_eq!((verdict.matched_at(Agreement::Exact), verdict.comparable), (2, 3));
    assert!(!tracer.spent().is_all, "{:?}", tracer.spent());
}

/// A line of a cell over three names.
fn line() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "a = 1",
        "b = 2",
        "c = 5",
        "a = b + 1",
        "b = a + 2",
        "c = a + b",
        "a += b",
        "b += 3",
        "c += a",
        "a += 1",
        "print(a)",
        "print(b)",
        "print(c)",
        "a = 7\nprint(a)",
        "b += 1\nprint(b)",
        "c = b + 4\nprint(c)",
    ])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    /// Cells that ran from the top and were shuffled show again what they showed: nothing is passed over that would have led there.
    #[test]
    fn an_order_that_was_there_is_found(
        lines in prop::collection::vec(line(), 2..6),
        order in Just((0..8).collect::<Vec<usize>>()).prop_shuffle(),
    ) {
        let mut state = State::new();
        let cells: Vec<&'static str> =
            ["a = 0", "b = 0", "c = 0"].into_iter().chain(lines).filter(|cell| act(cell, &mut state).is_some()).collect();
        let shuffled: Vec<usize> = order.into_iter().filter(|place| *place < cells.len()).collect();
        let rest = with_shuffled(&cells, &shuffled, |tracer| {
            let mut walk = Walk::new(tracer, BTreeSet::new(), &Doubts::new(), false, false);
            walk.descend(&mut Vec::new(), &mut BTreeSet::new())
        });
        prop_assert_eq!(rest, Ok(None), "{:?} as {:?}", cells, shuffled);
    }
}
