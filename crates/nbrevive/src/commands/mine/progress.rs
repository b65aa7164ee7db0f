//! How far a source is: rate, requests left, time left. A bar on a terminal, a line now and then elsewhere.

use std::io::IsTerminal;
use std::sync::Arc;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use nbrevive_mine::raw::{Progress as Counts, RawStore};
use nbrevive_shown::{Shown, shown};

use crate::printer;

/// Least time between two lines.
const PAUSE: Duration = Duration::from_secs(10);

/// Progress over one source.
pub(super) struct Progress {
    raw: Arc<RawStore>,
    /// What is counted.
    what: &'static str,
    bar: ProgressBar,
    terminal: bool,
    start: Instant,
    /// Requests that were made for this store before.
    before: u64,
    told: Option<Instant>,
    /// Items that were handled in this run.
    handled: u64,
}

impl Progress {
    pub(super) fn new(raw: Arc<RawStore>, what: &'static str) -> Self {
        let terminal = std::io::stderr().is_terminal();
        let target = if terminal { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(None, target);
        let style =
            ProgressStyle::with_template(&format!("{{bar:24}} {{pos}}/{{len}} {what}, {{elapsed}} gone  {{msg}}"));
        bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
        let before = raw.requests().unwrap_or_default();
        Self { raw, what, bar, terminal, start: Instant::now(), before, told: None, handled: 0 }
    }

    /// Takes note of the counts after one more item.
    pub(super) fn update(&mut self, counts: Counts) {
        self.handled += 1;
        let done = (counts.done + counts.without) as u64;
        let all = done + counts.left as u64;
        let message = self.message(counts);
        self.bar.set_length(all);
        self.bar.set_position(done);
        self.bar.set_message(message.as_str().to_owned());
        let is_due = self.told.is_none_or(|told| told.elapsed() >= PAUSE) || counts.left == 0;
        if !self.terminal && is_due {
            self.told = Some(Instant::now());
            printer::note(&shown!("{}/{} {}, {}", done, all, Shown::literal(self.what), message));
        }
    }

    fn message(&self, counts: Counts) -> Shown {
        let seconds = self.start.elapsed().as_secs_f64().max(0.001);
        let requests = self.raw.requests().unwrap_or_default().saturating_sub(self.before);
        let rate = requests as f64 / seconds;
        let left = seconds / self.handled.max(1) as f64 * counts.left as f64;
        let without = if counts.without > 0 { shown!(", {} not to be had", counts.without) } else { Shown::default() };
        shown!("{:.1} requests/s, {} requests left, about {}{}", rate, counts.left, time(left), without)
    }

    /// Says something without disturbing the bar.
    pub(super) fn note(&self, text: &Shown) {
        self.bar.suspend(|| printer::note(text));
    }

    /// Takes the bar away, and says how many requests there were.
    pub(super) fn finish(&self, source: &str) {
        self.bar.finish_and_clear();
        let requests = self.raw.requests().unwrap_or_default().saturating_sub(self.before);
        printer::note(&shown!("{}: {} requests in {}", source, requests, time(self.start.elapsed().as_secs_f64())));
    }
}

/// Seconds as people say them.
fn time(seconds: f64) -> Shown {
    let whole = Duration::try_from_secs_f64(seconds).unwrap_or_default().as_secs();
    match whole {
        0..60 => shown!("{} s", whole),
        60..7_200 => shown!("{} min", whole.div_ceil(60)),
        _ => shown!("{} h", whole.div_ceil(3_600)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_short() {
        let times = [0.4, 59.9, 61.0, 7_300.0, f64::NAN].map(time);
        assert_eq!(times.each_ref().map(Shown::as_str), ["0 s", "59 s", "2 min", "3 h", "0 s"]);
    }
}
