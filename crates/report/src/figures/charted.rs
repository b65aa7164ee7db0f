//! Figures 7 to 10: one chart each, from counts of fixes, edits, errors and approaches.

use std::path::Path;

use serde_json::{Map, Value, json};

use super::canvas::FigureError;
use super::chart::{Caption, Chart};
use super::{approaches, edits, error_types, fix_counts, products};
use crate::errors::Errors;
use crate::output::Product;
use crate::rows::Data;
use crate::source;

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

    /// Every chart that there is data for: that of the approaches needs a study with both, that of the errors an export with
    /// executions.
    pub(crate) fn all(data: &Data, errors: Option<&Errors>) -> Vec<Self> {
        let mut figures = vec![fix_counts::by_count(data), fix_counts::by_outcome(data)];
        figures.extend([edits::cumulative(data), edits::by_fix(data)]);
        figures.extend(errors.into_iter().flat_map(|errors| error_types::figures(errors, data)));
        figures.extend(approaches::figure(data));
        figures
    }

    /// The figure's data as JSON, and the picture as SVG and PNG; see `Figure::products`.
    pub(crate) fn products(&self, out: &Path) -> Result<[Product; 3], FigureError> {
        products(self.name, &self.json, &self.chart, out)
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
