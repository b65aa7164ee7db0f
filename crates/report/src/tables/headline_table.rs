//! The headline: how many versions reproduce under each condition, in one line each, for a reader in a hurry.

use nbrevive_corpus::{Condition, Outcome, Role};
use serde_json::{Value, json};

use super::cell::{CONFIDENCE, Cell};
use super::grid::Grid;
use super::list::Table;
use crate::number_words::{NOTHING, percent, thousands};
use crate::outcome_line::Line;
use crate::output::csv_text;
use crate::published::{Published, PublishedOutcomes};
use crate::rows::{Data, Study};
use crate::source;

const TITLE: &str = "How many notebooks reproduce";

/// One line a condition that was run.
pub(crate) struct HeadlineTable {
    study: Study,
    lines: Vec<Headline>,
    beside: bool,
    notes: Vec<String>,
}

struct Headline {
    condition: Condition,
    reproducible: Cell,
    error_free: Cell,
    /// How many of how many reproduce in the paper.
    published: Option<(u64, u64)>,
}

impl HeadlineTable {
    /// Counts the conditions of the paper.
    pub(crate) fn count(data: &Data, published: Option<&Published>) -> Self {
        let line = |role: &Role| {
            let table = published.and_then(|published| published.outcomes(*role));
            Headline::count(data, data.condition(*role), table)
        };
        let lines = Role::MAIN.iter().filter_map(line).collect();
        let mut notes = vec![format!(
            "Ours: {}; Wilson's intervals at {:.0} %. Modernize runs the versions that do not reproduce at baseline.",
            source::study_line(&data.study),
            CONFIDENCE * 100.0
        )];
        if let Some(published) = published {
            notes.push(format!(
                "Published: {} (τ = {}), other notebooks on another machine, so shares can be compared only with care.",
                published.paper.authors, published.paper.tau
            ));
        }
        HeadlineTable { study: data.study.clone(), lines, beside: published.is_some(), notes }
    }
}

impl Table for HeadlineTable {
    fn name(&self) -> String {
        "headline".to_owned()
    }

    fn grid(&self) -> Grid {
        let header = ["Condition", "Versions", "Reproducible", "Share", "95 % interval", "Free of errors", "Published"];
        let columns = header.len() - usize::from(!self.beside);
        let row = |line: &Headline| {
            let cells = [
                line.condition.to_string(),
                line.reproducible.whole_text(),
                line.reproducible.count_text(),
                line.reproducible.share_text(),
                line.reproducible.interval_text(),
                line.error_free.share_text(),
                line.published_text(),
            ];
            cells.into_iter().take(columns).collect()
        };
        let header = header.into_iter().take(columns).map(str::to_owned).collect();
        Grid {
            title: TITLE.to_owned(),
            header,
            word_columns: 1,
            rows: self.lines.iter().map(row).collect(),
            notes: self.notes.clone(),
        }
        .or_nothing()
    }

    fn csv(&self) -> String {
        let fields = ["condition", "versions", "reproducible", "share", "share_low", "share_high", "error_free_share"];
        let header = fields.into_iter().chain(["published_reproducible", "published_versions"]).map(str::to_owned);
        let rows = self.lines.iter().map(|line| {
            let [count, share, low, high, ..] = line.reproducible.csv();
            let [_, error_free, ..] = line.error_free.csv();
            let published =
                line.published.map_or_else(Default::default, |(count, of)| [count, of].map(|n| n.to_string()));
            let own =
                [line.condition.to_string(), line.reproducible.of().to_string(), count, share, low, high, error_free];
            own.into_iter().chain(published).collect()
        });
        csv_text(std::iter::once(header.collect()).chain(rows))
    }

    fn json(&self) -> Value {
        let row = |line: &Headline| {
            json!({
                "condition": line.condition,
                "versions": line.reproducible.of(),
                "reproducible": line.reproducible.json(),
                "error_free": line.error_free.json(),
                "published": line.published.map(|(count, of)| json!({ "reproducible": count, "versions": of })),
            })
        };
        self.framed(&self.study, self.lines.iter().map(row).collect())
    }
}

impl Headline {
    /// None when the condition was not run.
    fn count(data: &Data, condition: Condition, published: Option<&PublishedOutcomes>) -> Option<Self> {
        let of = data.under(condition).count() as u64;
        let count =
            |is: fn(Outcome) -> bool| Cell::new(data.under(condition).filter(|row| is(row.outcome)).count() as u64, of);
        let within = |table: &PublishedOutcomes| {
            let lines = [Line::ErrorFreeCsvWithin, Line::ErrorCsvWithin];
            let counts = lines.iter().filter_map(|line| table.rows.get(line.key()));
            (counts.map(|printed| printed.count()).sum(), table.total.count())
        };
        (of > 0).then(|| Headline {
            condition,
            reproducible: count(Outcome::is_reproducible),
            error_free: count(Outcome::is_error_free),
            published: published.map(within),
        })
    }

    fn published_text(&self) -> String {
        self.published.map_or_else(
            || NOTHING.to_owned(),
            |(count, of)| {
                let share = percent((of > 0).then(|| count as f64 / of as f64));
                format!("{share} ({} of {})", thousands(count), thousands(of))
            },
        )
    }
}
