//! Measures how many notebooks a second graphs are made of, and their orders counted and drawn.
//!
//! Arguments: a file with the path of a notebook a line, and how often each is gone through. The quickest time counts, so that what else the
//! machine does is left out. One thread goes from a file's bytes to ten orders drawn, by each graph for itself; then all processors go through the
//! notebooks together, in one pass by the clock. Prints a JSON object a graph; what cannot be read as a notebook is left out, and counted.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use nbrevive_order::{CellGraph, GraphKind};
use nbrevive_pysource::names::names;

/// Orders that are drawn of each notebook, as `nbrevive order` does.
const ORDERS: usize = 10;
/// What is done with a notebook, one after the other.
const STAGES: [&str; 4] = ["read", "names", "graph", "orders"];

fn main() {
    let mut arguments = std::env::args().skip(1);
    let list = arguments.next().expect("a file of paths");
    let rounds: usize = arguments.next().and_then(|text| text.parse().ok()).expect("a number of rounds");
    let list = std::fs::read_to_string(list).expect("a readable file");
    let files: Vec<Vec<u8>> = list.lines().map(|path| std::fs::read(path).expect("a readable notebook")).collect();
    for kind in [GraphKind::Paper, GraphKind::Sharp, GraphKind::Versions] {
        let spent: Vec<[f64; 4]> = files.iter().filter_map(|bytes| best(bytes, kind, rounds)).collect();
        let seconds = |stage: usize| spent.iter().map(|of_one| of_one[stage]).sum::<f64>();
        let all: f64 = (0..STAGES.len()).map(seconds).sum();
        let worst = spent.iter().map(|of_one| of_one.iter().sum()).fold(0.0, f64::max);
        let together = (0..rounds).map(|_| together(&files, kind)).fold(f64::INFINITY, f64::min);
        let stages: Vec<String> =
            STAGES.iter().enumerate().map(|(stage, name)| format!("\"{name}\": {:.3}", seconds(stage))).collect();
        #[expect(clippy::print_stdout, reason = "the figures are the program's output")]
        {
            println!(
                "{{\"graph\": \"{kind}\", \"notebooks\": {}, \"left_out\": {}, \"seconds\": {{{}}}, \"worst_seconds\": {worst:.4}, \
                 \"notebooks_per_second\": {:.0}, \"threads\": {}, \"notebooks_per_second_together\": {:.0}}}",
                spent.len(),
                files.len() - spent.len(),
                stages.join(", "),
                spent.len() as f64 / all,
                threads(),
                spent.len() as f64 / together
            );
        }
    }
}

fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Seconds by the clock until as many threads as there are processors have gone through all notebooks.
fn together(files: &[Vec<u8>], kind: GraphKind) -> f64 {
    let (started, next) = (Instant::now(), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for _ in 0..threads() {
            scope.spawn(|| {
                while let Some(bytes) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let _ = best(bytes, kind, 1);
                }
            });
        }
    });
    started.elapsed().as_secs_f64()
}

/// Seconds of each stage, the least of several rounds.
fn best(bytes: &[u8], kind: GraphKind, rounds: usize) -> Option<[f64; 4]> {
    let mut least = [f64::INFINITY; 4];
    for _ in 0..rounds {
        let mut started = Instant::now();
        let mut ended = |stage: usize| {
            least[stage] = least[stage].min(started.elapsed().as_secs_f64());
            started = Instant::now();
        };
        let notebook = nbrevive_notebook::read(bytes).ok()?.notebook;
        ended(0);
        let sources: Vec<&str> = notebook.code_cells().map(|(_, cell)| cell.source.as_str()).collect();
        let found = names(&sources);
        ended(1);
        let graph = CellGraph::new(&found, kind);
        ended(2);
        let mut orders = graph.orders();
        std::hint::black_box((orders.count(), orders.draw(ORDERS, 1)));
        ended(3);
    }
    Some(least)
}
