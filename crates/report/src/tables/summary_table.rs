//! The numbers of the paper's running text, each by its name: ours beside the published.

use serde_json::{Value, json};

use super::grid::Grid;
use super::list::Table;
use super::summary_values::{Number, Values};
use crate::errors::Errors;
use crate::number_words::{NOTHING, percent, thousands};
use crate::output::csv_text;
use crate::published::{Published, Saying};
use crate::rows::{Data, Study};
use crate::source;

const TITLE: &str = "The numbers of the text: ours and the published";

/// Named numbers.
pub(crate) struct SummaryTable {
    study: Study,
    values: Values,
    /// What the paper prints, by name and in its order.
    sayings: Vec<(String, Vec<Saying>)>,
    beside: bool,
    notes: Vec<String>,
}

struct SummaryLine<'a> {
    name: &'a str,
    ours: Option<Number>,
    /// What the paper prints, once for each form in which it stands there.
    published: &'a [Saying],
}

impl SummaryTable {
    /// Every number of `values`, and every one that the paper prints.
    pub(crate) fn new(data: &Data, values: Values, published: Option<&Published>) -> Self {
        let mut notes = vec![format!("Ours: {}.", source::study_line(&data.study))];
        if let Some(published) = published {
            notes.push(format!(
                "Published: {} (τ = {}); not the same notebooks as ours. A number of theirs without one of ours is a setting of their \
                 machine, an example, or was found by hand.",
                published.paper.authors, published.paper.tau
            ));
        }
        SummaryTable {
            study: data.study.clone(),
            values,
            sayings: published.map(Published::sayings).unwrap_or_default(),
            beside: published.is_some(),
            notes,
        }
    }

    /// The numbers of the paper first, in its order.
    fn lines(&self) -> impl Iterator<Item = SummaryLine<'_>> {
        let beside =
            self.sayings.iter().map(|(name, published)| SummaryLine { name, ours: self.values.get(name), published });
        let further = self.values.iter().filter(|(name, _)| self.sayings.iter().all(|(told, _)| told != name));
        beside.chain(further.map(|(name, number)| SummaryLine { name, ours: Some(number), published: &[] }))
    }
}

impl Table for SummaryTable {
    fn name(&self) -> String {
        "summary".to_owned()
    }

    fn grid(&self) -> Grid {
        let header = ["What", "Ours", "Published", "Section"].map(str::to_owned);
        let columns = if self.beside { 4 } else { 2 };
        let row = |line: SummaryLine<'_>| {
            let ours = line.ours.map_or_else(|| NOTHING.to_owned(), Number::text);
            let cells = [line.name.to_owned(), ours, line.values(), line.sections()];
            cells.into_iter().take(columns).collect()
        };
        Grid {
            title: TITLE.to_owned(),
            header: header.into_iter().take(columns).collect(),
            word_columns: 1,
            rows: self.lines().map(row).collect(),
            notes: self.notes.clone(),
        }
    }

    /// The table as CSV: shares as fractions, empty where there is no value.
    fn csv(&self) -> String {
        let header = ["name", "unit", "ours", "published", "section"].map(str::to_owned).to_vec();
        let rows = self.lines().map(|line| {
            let unit = line.ours.map_or("", Number::unit).to_owned();
            let ours = line.ours.map_or_else(String::new, |number| number.value().to_string());
            let published = |text: String| if line.published.is_empty() { String::new() } else { text };
            vec![line.name.to_owned(), unit, ours, published(line.values()), published(line.sections())]
        });
        csv_text(std::iter::once(header).chain(rows))
    }

    fn json(&self) -> Value {
        let row = |line: SummaryLine<'_>| {
            json!({
                "name": line.name,
                "unit": line.ours.map(Number::unit),
                "ours": line.ours.map(Number::value),
                "published": line.published,
            })
        };
        self.framed(&self.study, self.lines().map(row).collect())
    }

    fn add_errors(&mut self, errors: &Errors) {
        self.values = std::mem::take(&mut self.values).with_errors(errors);
    }
}

impl SummaryLine<'_> {
    /// What is printed; where the paper is not of one mind, all of it.
    fn values(&self) -> String {
        self.joined(|saying| saying.value.clone(), " / ")
    }

    fn sections(&self) -> String {
        self.joined(|saying| saying.sections.join(", "), " / ")
    }

    fn joined(&self, of: impl Fn(&Saying) -> String, between: &str) -> String {
        if self.published.is_empty() {
            return NOTHING.to_owned();
        }
        self.published.iter().map(of).collect::<Vec<_>>().join(between)
    }
}

impl Number {
    /// As people read it.
    pub(crate) fn text(self) -> String {
        match self {
            Number::Count(count) => thousands(count),
            Number::Share(share) => percent(Some(share)),
            Number::Mean(mean) if mean >= 1000.0 => thousands(mean.round() as u64),
            Number::Mean(mean) => format!("{mean:.2}"),
            Number::Usd(usd) => format!("{usd:.4}"),
        }
    }

    const fn unit(self) -> &'static str {
        match self {
            Number::Count(_) => "count",
            Number::Share(_) => "share",
            Number::Mean(_) => "number",
            Number::Usd(_) => "USD",
        }
    }

    /// With six decimals, see `CostLine::values`.
    fn value(self) -> f64 {
        match self {
            Number::Count(count) => count as f64,
            Number::Share(value) | Number::Mean(value) | Number::Usd(value) => (value * 1e6).round() / 1e6,
        }
    }
}
