//! Figure 10b: what error repair at file level and at cell level bring back, each alone and both (paper, section 5.1).

use foldhash::HashMap;
use nbrevive_corpus::Role;
use serde_json::json;

use super::chart::{Caption, Chart};
use super::charted::{ChartFigure, source_line};
use super::overlap::Overlap;
use crate::number_words::thousands;
use crate::rows::Data;
use crate::tables::significant;

const NOTHING: &str = "No version was modernized at both levels.";

/// Figure 10b, and what the paper's text says of it.
const FIGURE: (&str, &[&str]) = (
    "10b",
    &[
        "made reproducible cell by cell",
        "made reproducible by file and not cell by cell",
        "made reproducible cell by cell and not by file",
    ],
);

/// The figure; none when the study has no cell level.
pub(super) fn figure(data: &Data) -> Option<ChartFigure> {
    data.of(Role::Ablation).next()?;
    let by_file: HashMap<&str, bool> =
        data.of(Role::Modernize).map(|row| (row.version.as_str(), row.outcome.is_reproducible())).collect();
    let pairs = data
        .of(Role::Ablation)
        .filter_map(|row| Some((*by_file.get(row.version.as_str())?, row.outcome.is_reproducible())));
    let (mut counts, mut neither) = ([0, 0, 0], 0);
    for pair in pairs {
        match pair {
            (true, false) => counts[0] += 1,
            (true, true) => counts[1] += 1,
            (false, true) => counts[2] += 1,
            (false, false) => neither += 1,
        }
    }
    let [file, both, cell] = counts;
    let source = source_line(file + both + cell + neither, "version", "modernized at both levels", data);
    let said = format!(
        "File level alone brings back {}, cell level alone {}, both {}, neither {}.",
        thousands(file),
        thousands(cell),
        thousands(both),
        thousands(neither)
    );
    let caption = Caption {
        title: "Figure 10b. Versions brought back by error repair at file level and at cell level",
        description: format!("{said} {source}"),
        source,
        published: None,
    };
    let content = json!({
        "file_level_only": file, "both": both, "cell_level_only": cell, "neither": neither,
        "mcnemar_exact_p": significant(nbrevive_stats::mcnemar_exact(file, cell)),
    });
    let names = ["File level", "Cell level"];
    let overlap = Overlap { caption: caption.clone(), names, counts, neither, nothing: NOTHING };
    Some(ChartFigure::new(FIGURE, Chart::Overlap(overlap), &caption, data, content))
}
