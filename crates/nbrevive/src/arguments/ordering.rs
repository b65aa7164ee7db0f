//! What the user typed after `order`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use nbrevive_compare::Agreement;
use nbrevive_corpus::Antidote;
use nbrevive_execute::Antidotes;
use nbrevive_order::GraphKind;
use nbrevive_retrace::{OrderMatch, OrderStrategy};
use nbrevive_shown::shown;
use nbrevive_study::{StudyLimits, seconds};

use super::checking::level;
use super::{SandboxArguments, limits};
use crate::exit_code::{Exit, Failure};

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
    #[arg(long)]
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
    /// When the notebook last ran (YYYY-MM-DD), for `dated`; default: when it was last committed, or
    /// earlier where the Python that saved notebooks beside it tells so.
    #[arg(long, requires = "run", value_parser = crate::arguments::date::instant)]
    pub(crate) date: Option<jiff::Timestamp>,
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
    search_time: f64,
    /// Say at which line two runs of the best order part, or one parts from what was saved.
    #[arg(long, requires = "run")]
    pub(crate) debug: bool,
    /// Run each order from a fresh start, and keep no states.
    #[arg(long, requires = "run")]
    pub(crate) replay: bool,
    /// Wall clock for all cells of one run, in seconds.
    #[arg(long, requires = "run", default_value_t = StudyLimits::SECONDS)]
    time_limit: f64,
    /// Memory in MiB.
    #[arg(long, requires = "run", default_value_t = StudyLimits::MEMORY_MIB)]
    memory: u64,
    /// The sandbox.
    #[command(flatten)]
    pub(crate) sandbox: SandboxArguments,
}

impl OrderRunArguments {
    /// The limits of one run, where they make sense.
    pub(crate) fn limits(&self) -> Result<StudyLimits, Failure> {
        limits(self.time_limit, None, self.memory)
    }

    /// How long orders are searched for, where that makes sense: a second at least.
    pub(crate) fn search_time(&self) -> Result<Duration, Failure> {
        search_time(self.search_time)
    }
}

fn search_time(asked: f64) -> Result<Duration, Failure> {
    if !(0.0..=StudyLimits::LONGEST_SECONDS).contains(&asked) {
        let message = shown!("--search-time must be from 0 to {} seconds", StudyLimits::LONGEST_SECONDS);
        return Err(Failure { exit: Exit::Usage, message });
    }
    Ok(seconds(asked.max(1.0)))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_takes_a_second_at_least_and_no_more_than_can_be_waited_for() {
        let told = |asked| search_time(asked).map_err(|error| (error.exit, error.to_string()));
        assert_eq!(told(0.0), Ok(Duration::from_secs(1)));
        assert_eq!(told(600.0), Ok(Duration::from_secs(600)));
        for wrong in [-200.0, f64::NAN, f64::INFINITY, 1e300] {
            let message = "--search-time must be from 0 to 1000000000 seconds".to_owned();
            assert_eq!(told(wrong), Err((Exit::Usage, message)));
        }
    }
}
