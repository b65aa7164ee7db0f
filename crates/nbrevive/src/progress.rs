//! Progress of a run: counts by outcome and the time left, on standard error.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use nbrevive_corpus::Outcome;
use nbrevive_files::unpoisoned;
use nbrevive_shown::{Shown, shown};
use nbrevive_study::{Pause, RunEvent};

/// The bar of a run; on anything but a terminal one line a job instead.
pub(crate) struct Progress {
    bar: ProgressBar,
    terminal: bool,
    counts: Mutex<BTreeMap<Outcome, usize>>,
}

/// Short names of the outcomes, as the bar shows them.
const fn short(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::ErrorFreeReproducible => "EF-R",
        Outcome::ErrorReproducible => "E-R",
        Outcome::ErrorFreeNonReproducible => "EF-NR",
        Outcome::ErrorNonReproducible => "E-NR",
        Outcome::Failed => "failed",
    }
}

/// Counts by outcome, as the bar shows them.
fn told(counts: &BTreeMap<Outcome, usize>) -> Shown {
    Shown::joined(counts.iter().map(|(outcome, count)| shown!("{} {}", short(*outcome), count)), ", ")
}

/// A bar that is seen on a terminal alone.
fn bar(length: Option<u64>, template: &str) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(length, ProgressDrawTarget::stderr());
    bar.set_style(ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}

/// What runs just now and since when, on a terminal, until it is dropped.
pub(crate) struct Running(ProgressBar);

impl Running {
    pub(crate) fn tell(what: &Shown) -> Self {
        let bar = bar(None, "{msg}, {elapsed}");
        bar.set_message(what.as_str().to_owned());
        Running(bar)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

impl Progress {
    /// A bar over this many jobs.
    pub(crate) fn new(jobs: usize) -> Self {
        let terminal = std::io::IsTerminal::is_terminal(&std::io::stderr());
        let bar = bar(Some(jobs as u64), "{bar:24} {pos}/{len} jobs, {elapsed} gone, {eta} left  {msg}");
        Progress { bar, terminal, counts: Mutex::new(BTreeMap::new()) }
    }

    /// Takes note of an event.
    pub(crate) fn event(&self, event: &RunEvent<'_>) {
        match event {
            RunEvent::Started(job) => tracing::info!("{} {}: started", job.condition, job.name()),
            RunEvent::Ended(job, outcome) => {
                let counts = self.count(*outcome);
                self.bar.set_message(counts.as_str().to_owned());
                self.bar.inc(1);
                if !self.terminal {
                    let done = shown!("{}/{}", self.bar.position(), self.bar.length().unwrap_or(0));
                    crate::printer::note(&shown!("{} {} {}: {}", done, job.condition, job.name(), outcome));
                }
            }
            RunEvent::Skipped(_) => self.bar.inc(1),
            RunEvent::Paused(Pause::Begun(why)) => self.say(&shown!("paused: {}; it goes on by itself", why)),
            RunEvent::Paused(Pause::Over) => self.say(&Shown::literal("going on: there is room again")),
            RunEvent::Troubled(job, error, pause) => {
                let seconds = pause.as_secs_f64();
                self.say(&shown!(
                    "{} {}: {}: {}; trying again in {:.0} s",
                    job.condition,
                    job.version.slug,
                    error.trouble(),
                    Shown::error(error),
                    seconds
                ));
            }
            RunEvent::Undone(job, error) => {
                self.bar.inc(1);
                let text = shown!("{} {}: not carried out: {}", job.condition, job.name(), Shown::error(error));
                self.say(&text);
            }
        }
    }

    /// Takes note of what came from another machine: how many jobs are decided by now, and what the last of them came to.
    pub(crate) fn merged(&self, decided: usize, outcomes: &BTreeMap<Outcome, usize>, line: &Shown) {
        let mut counts = unpoisoned(self.counts.lock());
        outcomes.iter().for_each(|(outcome, count)| *counts.entry(*outcome).or_default() += count);
        self.bar.set_message(told(&counts).as_str().to_owned());
        self.bar.set_position(decided as u64);
        if !self.terminal {
            crate::printer::note(line);
        }
    }

    /// A line above the bar.
    pub(crate) fn say(&self, text: &Shown) {
        self.bar.suspend(|| crate::printer::note(text));
    }

    fn count(&self, outcome: Outcome) -> Shown {
        let mut counts = unpoisoned(self.counts.lock());
        *counts.entry(outcome).or_default() += 1;
        told(&counts)
    }

    /// Takes the bar away.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
