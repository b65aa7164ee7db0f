use std::convert::Infallible;
use std::time::Duration;

use nbrevive_compare::Agreement;
use nbrevive_notebook::{Cell, CellKind, Notebook, Output};
use nbrevive_order::GraphKind;
use proptest::prelude::*;

use super::*;
use crate::{CellRun, TraceBudget};

/// What a cell does to two numbers; a number that it prints.
fn act(source: &str, state: &mut (i64, i64)) -> Option<i64> {
    match source {
        "a = 10\nprint(a)" => state.0 = 10,
        "b = 20\na = a + b\nprint(a)" => *state = (state.0 + 20, 20),
        "b += 10" => {
            state.1 += 10;
            return None;
        }
        "a += b\nprint(a)" => state.0 += state.1,
        "a *= 2\nprint(a)" => state.0 = state.0.wrapping_mul(2),
        _ => return None,
    }
    Some(state.0)
}

fn shown(number: Option<i64>) -> Vec<Output> {
    number.map(|number| Output::Stream { name: "stdout".into(), text: format!("{number}\n") }).into_iter().collect()
}

struct Counted(usize, Vec<&'static str>);

impl Bench for Counted {
    type Error = Infallible;

    fn steps(&mut self, before: &[usize], cell: usize, _: &[usize]) -> Result<Vec<CellRun>, Infallible> {
        let mut state = (0, 0);
        for cell in before {
            act(self.1[*cell], &mut state);
        }
        self.0 += 1;
        Ok(vec![CellRun { outputs: shown(act(self.1[cell], &mut state)), ..CellRun::default() }])
    }

    fn executed(&self) -> usize {
        self.0
    }

    fn why_replayed(&self) -> Option<&str> {
        None
    }
}

/// The notebook of the paper's Figure 2, of which the random number is 10.
const EXAMPLE: [&str; 5] =
    ["a = 10\nprint(a)", "b = 20\na = a + b\nprint(a)", "b += 10", "a += b\nprint(a)", "Image('cats.jpg')"];

/// What is saved of a session.
fn saved(cells: &[&'static str], session: &[usize]) -> Notebook {
    let mut state = (0, 0);
    let mut kinds = vec![CellKind::Code { execution_count: None, outputs: Vec::new() }; cells.len()];
    for (count, cell) in session.iter().enumerate() {
        let outputs = shown(act(cells[*cell], &mut state));
        kinds[*cell] = CellKind::Code { execution_count: Some(count as u64 + 1), outputs };
    }
    let cell = |(source, kind): (&&'static str, CellKind)| Cell { kind, ..Cell::code(*source) };
    Notebook::from_cells(cells.iter().zip(kinds).map(cell).collect())
}

fn found(cells: &[&'static str], session: &[usize]) -> Vec<Vec<usize>> {
    let notebook = saved(cells, session);
    let subject = TracedNotebook::new(&notebook, GraphKind::Sharp);
    let budget = TraceBudget { executions: 100_000, time: Duration::from_secs(600) };
    let mut tracer = Tracer::new(&subject, Counted(0, cells.to_vec()), Agreement::Exact, budget);
    let Ok(found) = search_repeated(&mut tracer, &BTreeSet::new());
    found.fitting.into_iter().map(|verdict| verdict.order).collect()
}

#[test]
fn both_sequences_of_the_papers_example_are_found() {
    let (one, other) = ([0, 1, 3, 3, 4, 2, 2, 3], [0, 1, 2, 3, 4, 2, 2, 3]);
    for session in [one, other] {
        let mut all = found(&EXAMPLE, &session);
        all.sort();
        assert_eq!(all, [other, one]);
    }
}

/// All sequences with runs in gaps that show what was saved, the shortest alone.
fn by_force(cells: &[&'static str], notebook: &Notebook) -> BTreeSet<Vec<usize>> {
    let subject = TracedNotebook::new(notebook, GraphKind::Sharp);
    let counted = counter_order(&subject.counts).order;
    let largest = counted.iter().filter_map(|cell| subject.counts[*cell]).max().unwrap_or(0);
    let mut open: Vec<Vec<usize>> = vec![Vec::new()];
    for count in 1..=largest {
        let own = counted.iter().copied().find(|cell| subject.counts[*cell] == Some(count));
        let later: Vec<usize> =
            counted.iter().copied().filter(|cell| subject.counts[*cell].is_some_and(|last| last > count)).collect();
        let with = |order: &Vec<usize>, cell: usize| [order.as_slice(), &[cell]].concat();
        open = match own {
            Some(own) => open.iter().map(|order| with(order, own)).collect(),
            None => open
                .iter()
                .flat_map(|order| {
                    later.iter().map(|cell| with(order, *cell)).chain([order.clone()]).collect::<Vec<_>>()
                })
                .collect(),
        };
    }
    let fits = |order: &Vec<usize>| {
        let (mut state, mut shows) = ((0, 0), vec![Vec::new(); cells.len()]);
        order.iter().for_each(|cell| shows[*cell] = shown(act(cells[*cell], &mut state)));
        counted.iter().all(|cell| subject.cells[*cell].outputs() == shows[*cell])
    };
    let fitting: BTreeSet<Vec<usize>> = open.into_iter().filter(fits).collect();
    let shortest = fitting.iter().map(Vec::len).min().unwrap_or(0);
    fitting.into_iter().filter(|order| order.len() == shortest).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Whatever was run, the shortest sequences are those that trying all of them finds.
    #[test]
    fn nothing_that_fits_is_missed(session in proptest::collection::vec(0_usize..5, 1..8)) {
        let cells = ["a = 10\nprint(a)", "b = 20\na = a + b\nprint(a)", "b += 10", "a += b\nprint(a)", "a *= 2\nprint(a)"];
        let session: Vec<usize> = [0, 1].into_iter().chain(session).collect();
        let all: BTreeSet<Vec<usize>> = found(&cells, &session).into_iter().collect();
        prop_assert_eq!(all, by_force(&cells, &saved(&cells, &session)));
    }
}
