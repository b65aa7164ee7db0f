//! `nbrevive changes check` and `date`: what of a notebook is gone, and when it can have been written. Nothing is run.

use std::path::{Path, PathBuf};
use std::time::Instant;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use nbrevive_notebook::Notebook;
use nbrevive_rules::census::{ApiUse, GoneUse, WrittenSpan, api_uses, gone_uses, written_span};
use nbrevive_shown::{Shown, shown};
use nbrevive_study::SourceText;
use rayon::prelude::*;

use super::list::line;
use crate::Outcome;
use crate::arguments::{ChangesCheckArguments, ChangesDateArguments};
use crate::commands::sources;
use crate::exit_code::{Exit, Failure};
use crate::printer;

/// Later than any release that is known.
pub(super) const TODAY: &str = "9999-12-31";

/// Tells which names are gone; exit code 1 where some are.
pub(crate) fn check(arguments: &ChangesCheckArguments) -> Outcome {
    let day = arguments.date.map_or_else(|| TODAY.to_owned(), |day| day.to_string());
    let told = |path: &Path, uses: &[ApiUse]| {
        let gone = gone_uses(uses, &day);
        let text = if arguments.json { gone_json(path, &gone) } else { gone_text(path, &gone) };
        (text, !gone.is_empty())
    };
    each(&arguments.paths, &told)
}

/// Tells when notebooks can have been written.
pub(crate) fn date(arguments: &ChangesDateArguments) -> Outcome {
    let told = |path: &Path, uses: &[ApiUse]| {
        let span = written_span(uses);
        let text = if arguments.json {
            let line = serde_json::json!({ "path": printer::json_path(path), "span": span });
            shown!("{}\n", Shown::json(&line.to_string()))
        } else {
            shown!("{}: {}\n", path.display(), span_text(&span))
        };
        (text, false)
    };
    each(&arguments.paths, &told)
}

/// The date that an environment of a notebook aims at where nobody gave one: the last day on which all that it uses was there, or today
/// where all of it still is. Says so.
pub(crate) fn aim(path: &Path, notebook: &Notebook) -> Timestamp {
    let span = written_span(&uses_of(notebook));
    let last = span.aim().and_then(|day| day.to_zoned(TimeZone::UTC).ok());
    let date = last.as_ref().map_or_else(Timestamp::now, |day| day.timestamp());
    let day = last.map_or_else(|| Shown::literal("today"), |day| shown!("{}", day.date()));
    printer::note(&shown!(
        "{}: no --date, so {}: all that it uses was there {}",
        path.display(),
        day,
        span_text(&span)
    ));
    date
}

/// A span in words.
fn span_text(span: &WrittenSpan) -> Shown {
    let bound = |day: &Option<String>, name: &Option<String>| match (day, name) {
        (Some(day), Some(name)) => Some(shown!("{} ({})", day, name)),
        _ => None,
    };
    let (from, until) = (bound(&span.from, &span.from_name), bound(&span.until, &span.until_name));
    match (from, until) {
        (Some(from), Some(until)) => shown!("from {} until before {}", from, until),
        (Some(from), None) => shown!("from {} on", from),
        (None, Some(until)) => shown!("before {}", until),
        (None, None) => Shown::literal("on any day"),
    }
}

fn uses_of(notebook: &Notebook) -> Vec<ApiUse> {
    api_uses(notebook.code_cells().map(|(index, cell)| (index, cell.source.as_str())))
}

/// What is said of the uses of a file, and whether it is a finding.
type Told<'t> = dyn Fn(&Path, &[ApiUse]) -> (Shown, bool) + Sync + 't;

/// Reads all files on all cores and tells of each in the order of the paths.
fn each(paths: &[PathBuf], told: &Told<'_>) -> Outcome {
    let paths = sources::find(paths)?;
    let started = Instant::now();
    let read = |path: &Path| SourceText::read_notebook(path).map_err(|error| Failure::new(Exit::BadInput, &error));
    let ends: Vec<_> =
        paths.par_iter().map(|path| read(path).map(|notebook| told(path, &uses_of(&notebook)))).collect();
    let seconds = started.elapsed().as_secs_f64();
    let (mut unreadable, mut found) = (0, 0);
    for end in ends {
        match end {
            Ok((text, is_found)) => {
                found += usize::from(is_found);
                printer::data(&text);
            }
            Err(failure) => {
                unreadable += 1;
                printer::error(&failure.message);
            }
        }
    }
    if paths.len() > 1 {
        let speed = paths.len() as f64 / seconds.max(1e-9);
        let counts = shown!("{} files in {:.2} s ({:.0} a second)", paths.len(), seconds, speed);
        printer::note(&shown!("{}, {} with names that are gone, {} unreadable", counts, found, unreadable));
    }
    Ok(match (unreadable, found) {
        (0, 0) => Exit::Success,
        (0, _) => Exit::NotReproduced,
        _ => Exit::BadInput,
    })
}

fn gone_text(path: &Path, gone: &[GoneUse]) -> Shown {
    let mut text = Shown::default();
    for one in gone {
        text.push_line(&shown!(
            "{}: cell {}, line {}: {}",
            path.display(),
            one.used.cell,
            one.used.line,
            line(&one.row)
        ));
    }
    text
}

fn gone_json(path: &Path, gone: &[GoneUse]) -> Shown {
    let line = serde_json::json!({ "path": printer::json_path(path), "gone": gone });
    shown!("{}\n", Shown::json(&line.to_string()))
}
