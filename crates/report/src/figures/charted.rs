//! Figures 7 to 10: one chart each, from counts of fixes, edits, errors and approaches.

use serde_json::{Map, Value, json};

use super::canvas::Painting;
use super::chart::{Caption, Chart};
use super::list::Figure;
use crate::beside::PublishedLines;
use crate::error::FigureError;
use crate::number_words::plural;
use crate::published::{Published, Saying};
use crate::rows::Data;
use crate::source;

/// A figure that is one chart.
pub(crate) struct ChartFigure {
    name: &'static str,
    /// What the paper's text says of it, by the names of the published numbers.
    said: &'static [&'static str],
    chart: Chart,
    json: Value,
}

impl ChartFigure {
    /// A figure with its data; title, source and study are put beside them.
    pub(super) fn new(
        (name, said): (&'static str, &'static [&'static str]),
        chart: Chart,
        caption: &Caption,
        data: &Data,
        content: Value,
    ) -> Self {
        let head = json!({ "figure": name, "title": caption.title, "source": caption.source, "study": data.study });
        let parts = [head, content].into_iter().filter_map(|part| match part {
            Value::Object(part) => Some(part),
            _ => None,
        });
        ChartFigure { name, said, chart, json: parts.flatten().collect::<Map<_, _>>().into() }
    }

    /// A figure of no study, with all its data.
    pub(crate) const fn of(name: &'static str, chart: Chart, json: Value) -> Self {
        ChartFigure { name, said: &[], chart, json }
    }

    /// The same with the published numbers in the data, below the title and in the text alternative.
    pub(super) fn beside(self, published: Option<&Published>) -> Self {
        match published {
            Some(published) => self.with_sayings(&published.sayings(), &format!(" ({})", published.paper.authors)),
            None => self,
        }
    }

    /// The same with what is printed in files that know no tables of scores.
    pub(super) fn beside_lines(self, lines: &PublishedLines) -> Self {
        self.with_sayings(lines.sayings(), "")
    }

    fn with_sayings(mut self, sayings: &[(String, Vec<Saying>)], whose: &str) -> Self {
        let said: Vec<&(String, Vec<Saying>)> =
            self.said.iter().filter_map(|name| sayings.iter().find(|(own, _)| own == name)).collect();
        if said.is_empty() {
            return self;
        }
        let words: Vec<String> = said
            .iter()
            .map(|(name, forms)| {
                let forms: Vec<&str> = forms.iter().map(|saying| saying.value.as_str()).collect();
                format!("{name} {}", forms.join(" or "))
            })
            .collect();
        let line = format!("Published{whose}: {}.", words.join("; "));
        self.json["published"] =
            said.iter().map(|(name, sayings)| json!({ "name": name, "sayings": sayings })).collect();
        let caption = self.chart.caption_mut();
        caption.description = format!("{} {line}", caption.description);
        caption.published = Some(line);
        self
    }
}

impl Figure for ChartFigure {
    fn name(&self) -> &'static str {
        self.name
    }

    fn json(&self) -> Value {
        self.json.clone()
    }

    fn svg(&self) -> Result<String, FigureError> {
        self.chart.svg()
    }

    fn png(&self) -> Result<Vec<u8>, FigureError> {
        self.chart.png()
    }
}

/// What a chart was counted from.
pub(super) fn source_line(count: u64, noun: &str, of: &str, data: &Data) -> String {
    format!("Ours: {} {of}; {}.", plural(count, noun), source::study_line(&data.study))
}
