//! `nbrevive crashes tables`: the tables and figures of crashes in sheets.

use std::collections::BTreeMap;

use nbrevive_diagnosis::crash::{
    CrashLabels, EXCLUDED, NotebookIssue, PAPER_SIMILARITY, SheetLabels, SheetRow, clusters,
};
use nbrevive_report::{CrashRow, render_crashes};
use nbrevive_shown::{Shown, shown};

use super::labels::{column, labels_of};
use super::{failure, sheet};
use crate::Outcome;
use crate::arguments::CrashesTablesArguments;
use crate::exit_code::{Exit, Failure};
use crate::printer;

/// The word for what nobody labelled.
const NOT_LABELLED: &str = "not labelled";

/// Labels that are outside of the scheme, and are told.
const TOLD: usize = 8;

/// Writes the files, and shows the tables.
pub(crate) fn tables(arguments: &CrashesTablesArguments) -> Outcome {
    let sheets = arguments.csv.iter().map(|path| sheet(path)).collect::<Result<Vec<_>, Failure>>()?;
    let rows = sheets.concat();
    let clusters = clusters(rows.iter().map(|row| row.evalue.as_str()), PAPER_SIMILARITY);
    let classified = || labels_of(&rows, arguments.notebooks.as_deref()).into_iter().map(of_labels).collect();
    let mut crashes: Vec<CrashRow> = if arguments.labelled { labelled(&rows) } else { classified() };
    for ((crash, row), cluster) in crashes.iter_mut().zip(&rows).zip(clusters) {
        (crash.group, crash.ename, crash.cluster) = (row.platform.clone(), row.ename.clone(), cluster);
        // Whoever labels the rest: that a person saw no crash there stands.
        column(row, EXCLUDED).clone_into(&mut crash.excluded);
        if crash.group.is_empty() {
            "all".clone_into(&mut crash.group);
        }
    }
    let published = arguments.published.as_deref();
    let rendered =
        render_crashes(&crashes, published, &arguments.out, &arguments.csv).map_err(|error| failure(&error))?;
    printer::data(&Shown::block(&rendered.text));
    printer::note(&shown!("wrote {} files below {}", rendered.files.len(), arguments.out.display()));
    Ok(Exit::Success)
}

fn of_labels(labels: CrashLabels) -> CrashRow {
    let CrashLabels { exception_type, root_cause, ml_bug, pipeline_stage, .. } = labels;
    CrashRow {
        issue: NotebookIssue::of(&root_cause),
        exception_type: exception_type.label.to_string(),
        root_cause: root_cause.label.to_string(),
        ml_bug: ml_bug.label.to_string(),
        stage: pipeline_stage.label.to_string(),
        ..CrashRow::default()
    }
}

/// The labels that stand in the sheets. Those outside of the scheme are told, and counted as the words that they are.
fn labelled(rows: &[SheetRow]) -> Vec<CrashRow> {
    let mut outside: BTreeMap<(&str, String), usize> = BTreeMap::new();
    let mut crashes = Vec::with_capacity(rows.len());
    for row in rows {
        let SheetLabels { exception_type, root_cause, ml_bug, stage, issue, excluded, outside: words } =
            SheetLabels::of(row);
        words.into_iter().for_each(|word| *outside.entry(word).or_default() += 1);
        let [exception_type, root_cause, ml_bug, stage] = [exception_type, root_cause, ml_bug, stage]
            .map(|word| if word.is_empty() { NOT_LABELLED.to_owned() } else { word });
        crashes.push(CrashRow { exception_type, root_cause, ml_bug, stage, issue, excluded, ..CrashRow::default() });
    }
    let mut told: Vec<(&(&str, String), &usize)> = outside.iter().collect();
    told.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    for ((dimension, word), count) in told.iter().take(TOLD) {
        let what = match word.as_str() {
            "" => shown!("there is no label, which counts as `{}`", NOT_LABELLED),
            word => shown!("`{}` is no label of the scheme, and is kept as it is", word),
        };
        printer::note(&shown!("{}: {} ({} rows)", *dimension, what, **count));
    }
    if told.len() > TOLD {
        printer::note(&shown!("{} more labels are outside of the scheme", told.len() - TOLD));
    }
    crashes
}
