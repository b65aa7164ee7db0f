//! `nbrevive crashes agree`: how far raters agree, and what a review changed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use nbrevive_diagnosis::crash::{DIMENSIONS, EXCLUDED, RatedCrash, RaterAgreement, RaterLabels, agreement};
use nbrevive_report::render_changes;
use nbrevive_shown::{Shown, shown};
use nbrevive_stats::median;

use super::{csv_of, failure, sheet};
use crate::Outcome;
use crate::arguments::CrashesAgreeArguments;
use crate::commands::setting::file_failure;
use crate::exit_code::{Exit, Failure};
use crate::printer;

/// The largest file of labels that is read, in bytes.
const LONGEST: u64 = 64 << 20;

/// Prints the agreement on each dimension, and how long raters took.
pub(crate) fn agree(arguments: &CrashesAgreeArguments) -> Outcome {
    let raters = arguments.labels.iter().map(|path| read_labels(path)).collect::<Result<Vec<_>, Failure>>()?;
    for rater in &raters {
        let seconds: Vec<f64> = rater.labels.iter().map(|crash| crash.seconds).filter(|time| *time > 0.0).collect();
        let time = median(&seconds).map_or_else(|_| Shown::literal("no time"), |time| shown!("{:.1} s a crash", time));
        printer::data(&shown!("{}: {} crashes, {} in the median\n", &rater.rater, rater.labels.len(), time));
        let excluded = rater.labels.iter().filter(|crash| crash.is_excluded()).count();
        if excluded > 0 {
            printer::data(&shown!("    {} of them are no crash, and are left out\n", excluded));
        }
    }
    if raters.len() > 1 {
        let found = agreement(&raters);
        found.iter().for_each(|found| printer::data(&told(found, &raters)));
        if let Some(folder) = &arguments.tables {
            let published = arguments.published.as_deref();
            let rendered =
                render_changes(&found, published, folder, &arguments.labels).map_err(|error| failure(&error))?;
            printer::note(&shown!("wrote {} files below {}", rendered.files.len(), folder.display()));
        }
    }
    if let (Some(csv), Some(out), Some(last)) = (&arguments.csv, &arguments.out, raters.last()) {
        let inputs: Vec<&Path> = arguments.labels.iter().chain([csv]).map(AsRef::as_ref).collect();
        nbrevive_files::write_beside_inputs(out, labelled(csv, last)?, &inputs)
            .map_err(|error| file_failure(&error))?;
    }
    Ok(Exit::Success)
}

fn told(found: &RaterAgreement, raters: &[RaterLabels]) -> Shown {
    let RaterAgreement { dimension, crashes, alike, pairs, all } = found;
    let differ = crashes - alike;
    let share = 100.0 * differ as f64 / (*crashes).max(1) as f64;
    let mut text = shown!("{}: {} crashes, {} ({:.2} %) changed or not alike\n", *dimension, *crashes, differ, share);
    let kappa = |kappa: &Result<f64, _>| match kappa {
        Ok(kappa) => shown!("{:.3}", *kappa),
        Err(error) => shown!("none ({})", Shown::error(error)),
    };
    for ([one, other], cohen) in pairs {
        text.push_line(&shown!(
            "    Cohen's kappa of {} and {}: {}",
            &raters[*one].rater,
            &raters[*other].rater,
            kappa(cohen)
        ));
    }
    text.push_line(&shown!("    Fleiss' kappa of all: {}", kappa(all)));
    text
}

/// Reads a file that a page saved.
///
/// # Errors
/// When it cannot be read, is no such file, or labels a crash twice.
pub(super) fn read_labels(path: &Path) -> Result<RaterLabels, Failure> {
    let text = nbrevive_files::read_text(path, LONGEST).map_err(|error| file_failure(&error))?;
    let bad = |why: Shown| Failure {
        exit: Exit::BadInput,
        message: shown!("{}: {}; a page of `nbrevive crashes label` saves such files", path.display(), why),
    };
    let labels: RaterLabels = serde_json::from_str(&text).map_err(|error| bad(Shown::error(&error)))?;
    let mut ids = BTreeSet::new();
    match labels.labels.iter().find(|crash| !ids.insert(&crash.id)) {
        Some(twice) => Err(bad(shown!("crash {} is labelled twice", &twice.id))),
        None => Ok(labels),
    }
}

/// The sheet's crashes that have labels, with them.
fn labelled(csv: &Path, labels: &RaterLabels) -> Result<String, Failure> {
    let of: BTreeMap<&str, &RatedCrash> = labels.labels.iter().map(|crash| (crash.id.as_str(), crash)).collect();
    let rows = sheet(csv)?;
    let header = ["id", "platform", "ename", "evalue", "traceback"].into_iter().chain(DIMENSIONS);
    let header = header.chain([EXCLUDED, "note"]);
    let header: [&str; 11] = header.collect::<Vec<_>>().try_into().expect("eleven columns");
    let lines = rows.iter().filter_map(|row| Some((row, of.get(row.id.as_str())?)));
    let lines = lines.map(|(row, crash)| {
        let [exception, cause, bug, stage] = crash.words();
        let why = [exception, cause, bug, stage, crash.excluded.trim(), crash.note.trim()];
        let line = [&*row.id, &row.platform, &row.ename, &row.evalue, &row.traceback].into_iter().chain(why);
        line.map(str::to_owned).collect::<Vec<_>>().try_into().expect("eleven columns")
    });
    Ok(csv_of(&header, lines))
}
