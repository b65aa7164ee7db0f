//! Figures 7 to 10: one chart each, from counts of fixes, edits, errors and approaches.

use serde_json::{Map, Value, json};

use super::canvas::FigureError;
use super::chart::{Caption, Chart};
use super::{approaches, edits, error_types, fix_counts, products};
use crate::errors::Errors;
use crate::output::Product;
use crate::published::{Published, Saying};
use crate::rows::Data;
use crate::source;

/// What the paper's text says of a figure, by the names of `published.toml`.
const SAID: [(&str, &[&str]); 7] = [
    (
        "7a",
        &[
            "notebooks made reproducible",
            "fixes with which most reproducible notebooks become so",
            "fixes from which error-free-reproducible is more frequent",
        ],
    ),
    (
        "7b",
        &[
            "fixes per reproducible notebook, mean",
            "fixes per reproducible notebook, median",
            "fixes per error-reproducible notebook, mean",
            "fixes per error-free-reproducible notebook, mean",
            "fixes per notebook, mean",
        ],
    ),
    (
        "8a",
        &[
            "edit similarity to the baseline after the first fixes",
            "edit similarity to the baseline after 16 fixes",
            "edit similarity to the baseline after 16 fixes, after timeouts",
            "edit similarity to the baseline after 16 fixes, with and without errors",
        ],
    ),
    ("8b", &["edit similarity to the version before, median"]),
    (
        "9a",
        &[
            "NameErrors at baseline",
            "AttributeErrors at baseline",
            "ValueErrors at baseline",
            "KeyErrors at baseline",
            "TypeErrors at baseline",
            "other errors at baseline",
            "errors after 1 fix",
            "errors after 2 fixes",
            "errors after 16 fixes",
        ],
    ),
    (
        "9b",
        &[
            "errors left in error-reproducible",
            "AttributeErrors left in error-reproducible",
            "ValueErrors left in error-reproducible",
            "TypeErrors left in error-reproducible",
            "errors left in error-non-reproducible",
            "AttributeErrors left in error-non-reproducible",
            "NameErrors left in error-non-reproducible",
            "ValueErrors left in error-non-reproducible",
        ],
    ),
    (
        "10b",
        &[
            "made reproducible cell by cell",
            "made reproducible by file and not cell by cell",
            "made reproducible cell by cell and not by file",
        ],
    ),
];

/// A figure that is one chart.
pub(crate) struct ChartFigure {
    name: &'static str,
    chart: Chart,
    json: Value,
}

impl ChartFigure {
    /// A figure with its data; title, source and study are put beside them.
    pub(super) fn new(name: &'static str, chart: Chart, caption: &Caption, data: &Data, content: Value) -> Self {
        let head = json!({ "figure": name, "title": caption.title, "source": caption.source, "study": data.study });
        let parts = [head, content].into_iter().filter_map(|part| match part {
            Value::Object(part) => Some(part),
            _ => None,
        });
        ChartFigure { name, chart, json: parts.flatten().collect::<Map<_, _>>().into() }
    }

    /// The charts of fixes and edits, which every study has.
    pub(crate) fn of_fixes(data: &Data) -> Vec<Self> {
        let ((by_count, by_outcome), (cumulative, by_fix)) = rayon::join(
            || (fix_counts::by_count(data), fix_counts::by_outcome(data)),
            || (edits::cumulative(data), edits::by_fix(data)),
        );
        vec![by_count, by_outcome, cumulative, by_fix]
    }

    /// Every chart that there is data for, with what the paper says of it: beside those of the fixes that of the approaches, which needs
    /// a study with both, and that of the errors, which needs an export with executions.
    pub(crate) fn all(
        of_fixes: Vec<Self>,
        data: &Data,
        errors: Option<&Errors>,
        published: Option<&Published>,
    ) -> Vec<Self> {
        let mut figures = of_fixes;
        figures.extend(errors.into_iter().flat_map(|errors| error_types::figures(errors, data)));
        figures.extend(approaches::figure(data));
        if let Some(published) = published {
            let sayings = published.sayings();
            figures.iter_mut().for_each(|figure| figure.put_beside(&sayings, published));
        }
        figures
    }

    /// Puts the published numbers into the data, below the title and into the text alternative.
    fn put_beside(&mut self, sayings: &[(String, Vec<Saying>)], published: &Published) {
        let names = SAID.iter().find(|(figure, _)| *figure == self.name).map_or(&[][..], |(_, names)| *names);
        let said: Vec<&(String, Vec<Saying>)> =
            names.iter().filter_map(|name| sayings.iter().find(|(own, _)| own == name)).collect();
        if said.is_empty() {
            return;
        }
        let words: Vec<String> = said
            .iter()
            .map(|(name, forms)| {
                let forms: Vec<&str> = forms.iter().map(|saying| saying.value.as_str()).collect();
                format!("{name} {}", forms.join(" or "))
            })
            .collect();
        let line = format!("Published ({}): {}.", published.paper.authors, words.join("; "));
        self.json["published"] =
            said.iter().map(|(name, sayings)| json!({ "name": name, "sayings": sayings })).collect();
        let caption = self.chart.caption_mut();
        caption.description = format!("{} {line}", caption.description);
        caption.published = Some(line);
    }

    /// The figure's data as JSON, and the picture as SVG and PNG; see `Figure::products`.
    pub(crate) fn products(&self) -> Result<[Product; 3], FigureError> {
        products(self.name, &self.json, &self.chart)
    }

    /// The figure's data.
    #[cfg(test)]
    pub(super) fn json(&self) -> &Value {
        &self.json
    }
}

/// What a chart was counted from.
pub(super) fn source_line(count: u64, noun: &str, of: &str, data: &Data) -> String {
    format!("Ours: {} {of}; {}.", source::plural(count, noun), source::study_line(&data.study))
}
