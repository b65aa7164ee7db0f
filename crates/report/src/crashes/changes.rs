//! What a review changed of each dimension, or where raters differ (Table 6), beside what a paper prints.

use std::path::{Path, PathBuf};

use nbrevive_diagnosis::crash::{BugKind, ExceptionType, Label, RaterAgreement, RootCause, Stage};
use serde_json::{Value, json};

use super::printed::PrintedShares;
use crate::error::ReportError;
use crate::number_words::{NOTHING, rounded};
use crate::output::{Rendered, csv_text, input_files};
use crate::tables::{Cell, Grid, Table};

/// The rows of the paper's table by dimension.
const PRINTED: [(&str, &str); 4] = [
    (ExceptionType::DIMENSION, "exception-type"),
    (RootCause::DIMENSION, "root-cause"),
    (BugKind::DIMENSION, "bug"),
    (Stage::DIMENSION, "stage"),
];

/// Writes the table of changes below `out`.
///
/// # Errors
/// When the published numbers cannot be used, or a file cannot be written.
pub fn render_changes(
    found: &[RaterAgreement],
    published: Option<&Path>,
    out: &Path,
    inputs: &[PathBuf],
) -> Result<Rendered, ReportError> {
    let printed = published.map(PrintedShares::read).transpose()?.unwrap_or_default();
    let table = Changes { lines: found.iter().map(|found| Line::new(found, &printed)).collect() };
    let inputs = [inputs, &published.map(|path| input_files(path, None)).unwrap_or_default()].concat();
    let files = table.products().iter().map(|product| product.write(out, &inputs)).collect::<Result<_, _>>()?;
    Ok(Rendered { files, text: table.grid().plain() })
}

struct Changes {
    lines: Vec<Line>,
}

struct Line {
    dimension: &'static str,
    changed: Cell,
    /// Fleiss' kappa of all.
    kappa: Option<f64>,
    /// The printed count and share.
    printed: [String; 2],
}

impl Line {
    fn new(found: &RaterAgreement, printed: &PrintedShares) -> Self {
        let row = PRINTED.iter().find(|(dimension, _)| *dimension == found.dimension).map_or("", |(_, row)| row);
        let printed = ["changed", "share"].map(|part| printed.text(&format!("table6.rows.{row}.{part}")).to_owned());
        let changed = Cell::new((found.crashes - found.alike) as u64, found.crashes as u64);
        Line { dimension: found.dimension, changed, kappa: found.all.ok(), printed }
    }
}

impl Table for Changes {
    fn name(&self) -> String {
        "changes".to_owned()
    }

    fn grid(&self) -> Grid {
        let row = |line: &Line| {
            let Line { dimension, changed, kappa, printed } = line;
            let ours = [changed.count_text(), changed.whole_text(), changed.share_text(), changed.interval_text()];
            let kappa = kappa.map_or_else(|| NOTHING.to_owned(), |kappa| format!("{kappa:.3}"));
            [(*dimension).to_owned()].into_iter().chain(ours).chain([kappa]).chain(printed.clone()).collect()
        };
        let header =
            ["Dimension", "Changed", "Of", "Share", "95 % interval", "Kappa", "Paper, changed", "Paper, share"];
        Grid {
            title: "Labels that a review changed, or that raters do not share".to_owned(),
            header: header.map(str::to_owned).into(),
            word_columns: 1,
            rows: self.lines.iter().map(row).collect(),
            notes: vec![
                "As Table 6 of the paper. Crashes are those that all raters labelled; Fleiss' kappa is of all of them."
                    .to_owned(),
            ],
        }
    }

    fn csv(&self) -> String {
        let header = ["dimension", "changed", "of", "kappa", "paper_changed", "paper_share"].map(str::to_owned).into();
        let line = |line: &Line| {
            let kappa = rounded(line.kappa).map_or_else(String::new, |kappa| kappa.to_string());
            let counts = [line.changed.count(), line.changed.of()].map(|count| count.to_string());
            let words = [line.dimension.to_owned()].into_iter().chain(counts).chain([kappa]);
            words.chain(line.printed.clone()).collect()
        };
        csv_text(std::iter::once(header).chain(self.lines.iter().map(line)))
    }

    fn json(&self) -> Value {
        let row = |line: &Line| {
            let Line { dimension, changed, kappa, printed } = line;
            json!({ "dimension": dimension, "changed": changed.json(), "of": changed.of(), "kappa": rounded(*kappa), "printed": printed })
        };
        let rows: Vec<Value> = self.lines.iter().map(row).collect();
        json!({ "table": self.name(), "title": self.grid().title, "rows": rows })
    }
}

#[cfg(test)]
mod tests {
    use nbrevive_diagnosis::crash::{RatedCrash, RaterLabels, agreement};

    use super::*;

    #[test]
    fn changes_are_those_of_the_raters_beside_the_papers() {
        let rater = |causes: [&str; 4]| {
            let crash = |(id, cause): (usize, &str)| RatedCrash {
                id: id.to_string(),
                root_cause: cause.to_owned(),
                ..RatedCrash::default()
            };
            RaterLabels { rater: "a".to_owned(), labels: causes.into_iter().enumerate().map(crash).collect() }
        };
        let found = agreement(&[rater(["NB", "NB", "API", "DATA"]), rater(["NB", "IMPL", "API", "DATA"])]);
        let published = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../study/crashes/published");
        let out = tempfile::tempdir().unwrap();
        let rendered = render_changes(&found, Some(&published), out.path(), &[]).unwrap();
        assert_eq!(rendered.files.len(), 4);
        let csv = std::fs::read_to_string(out.path().join("tables/changes.csv")).unwrap();
        assert!(csv.contains("root_cause,1,4,0.652174,81,31.76%") && csv.contains("ml_bug,0,0,,25,9.80%"), "{csv}");
    }
}
