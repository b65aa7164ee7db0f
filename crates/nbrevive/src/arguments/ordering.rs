//! What the user typed after `order`.

use std::path::PathBuf;

use clap::Args;
use nbrevive_compare::Agreement;
use nbrevive_corpus::Antidote;
use nbrevive_execute::Antidotes;
use nbrevive_order::GraphKind;
use nbrevive_retrace::{OrderMatch, OrderStrategy};

use super::SandboxArguments;
use super::checking::level;

/// Arguments of `order`.
#[derive(Debug, Args)]
pub(crate) struct OrderArguments {
    /// The notebook.
    pub(crate) notebook: PathBuf,
    /// How the names of cells are read (docs/order.md): `paper` as the paper on order does, `sharp` our way, `versions` so that cells see what they
    /// see from the top. Unless told `versions` where all cells have what they need from the top, else `sharp`, with which orders are looked for.
    #[arg(long)]
    pub(crate) graph: Option<GraphKind>,
    /// How many orders are shown, where there are more than a hundred; with --run, how many are run of `graph` and `gaps`.
    #[arg(long, default_value_t = 10)]
    pub(crate) orders: usize,
    /// Another seed draws others.
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Print everything as JSON.
    #[arg(long)]
    pub(crate) json: bool,
    /// Draw which cell needs which, as SVG.
    #[arg(long, conflicts_with = "run")]
    pub(crate) svg: Option<PathBuf>,
    /// Run orders, and say which run to their end and which show what was saved.
    #[arg(long)]
    pub(crate) run: bool,
    /// How they are run.
    #[command(flatten)]
    pub(crate) running: OrderRunArguments,
}

/// Arguments of `order --run`.
#[derive(Debug, Args)]
pub(crate) struct OrderRunArguments {
    /// Where orders come from: `counter`, `document`, `graph`, `gaps`, or `search`, which begins with the first two and looks for one by
    /// what cells show.
    #[arg(long, requires = "run", default_value_t = OrderStrategy::Search)]
    pub(crate) strategy: OrderStrategy,
    /// What has to agree: `strong` what was saved; `weak` two runs of ours; `best-effort` two runs of ours with antidotes.
    #[arg(long = "match", requires = "run", default_value_t = OrderMatch::Strong)]
    pub(crate) wanted: OrderMatch,
    /// How alike outputs have to be for `strong`, as for `check`.
    #[arg(long, requires = "run", default_value = "value", value_parser = level)]
    pub(crate) level: Agreement,
    /// What takes chance, time and places out of the runs of `best-effort`: `paper`, `all`, or a list such as `seeds,clock`.
    #[arg(long, requires = "run", default_value = "all", value_parser = antidotes)]
    pub(crate) antidotes: Antidotes,
    /// The environment: `dated`, `declared` or `paper` as for `check`, of the folder with the notebook; or a lock's file, or a shipped one.
    #[arg(long, requires = "run", default_value = "dated")]
    pub(crate) environment: String,
    /// When the notebook last ran (YYYY-MM-DD), for `dated`; default: when it was last committed.
    #[arg(long, requires = "run")]
    pub(crate) date: Option<jiff::civil::Date>,
    /// Data, shown read-only as `../input/` and as `/kaggle/input/<folder>/`.
    #[arg(long, requires = "run")]
    pub(crate) data: Option<PathBuf>,
    /// The folder whose files the notebook finds beside it, as copies; default: the one that it lies in.
    #[arg(long, requires = "run")]
    pub(crate) beside: Option<PathBuf>,
    /// Write the best notebook anew, in an order that works from the top.
    #[arg(long, requires = "run", value_name = "FILE")]
    pub(crate) write: Option<PathBuf>,
    /// Runs of cells at most, for all orders together.
    #[arg(long, requires = "run", default_value_t = 2_000)]
    pub(crate) executions: usize,
    /// Wall clock for all orders together, in seconds.
    #[arg(long, requires = "run", default_value_t = 600.0)]
    pub(crate) search_time: f64,
    /// Say at which line two runs of the best order part, or one parts from what was saved.
    #[arg(long, requires = "run")]
    pub(crate) debug: bool,
    /// Run each order from a fresh start, and keep no states.
    #[arg(long, requires = "run")]
    pub(crate) replay: bool,
    /// Wall clock for all cells of one run, in seconds.
    #[arg(long, requires = "run", default_value_t = 600.0)]
    pub(crate) time_limit: f64,
    /// Memory in MiB.
    #[arg(long, requires = "run", default_value_t = 30 * 1024)]
    pub(crate) memory: u64,
    /// The sandbox.
    #[command(flatten)]
    pub(crate) sandbox: SandboxArguments,
}

/// Antidotes by their words.
fn antidotes(words: &str) -> Result<Antidotes, String> {
    match words {
        "paper" => Ok(Antidotes::paper()),
        "all" => Ok(Antidotes::all()),
        list => {
            let known = || Antidote::ALL.iter().map(|one| one.as_str()).collect::<Vec<_>>().join(", ");
            let one = |word: &str| {
                word.parse::<Antidote>().map_err(|_| format!("expected paper, all, or some of {}", known()))
            };
            list.split(',').map(one).collect::<Result<_, _>>().map(Antidotes)
        }
    }
}
