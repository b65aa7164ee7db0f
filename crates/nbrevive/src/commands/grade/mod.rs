//! `nbrevive grade`: submissions to a competition, many at a time.

mod bundled;
mod competition;
mod graded;
mod self_test;

use std::collections::HashSet;
use std::path::PathBuf;

use nbrevive_files::Folder;
use nbrevive_grade::{Leaderboard, SubmissionLimits, mle_competitions};
use nbrevive_shown::{Shown, shown};
use rayon::prelude::*;

use crate::Outcome;
use crate::arguments::GradeArguments;
use crate::commands::setting::file_failure;
use crate::exit_code::{Exit, Failure};
use crate::printer;

use competition::Chosen;
use graded::{Graded, Yardstick};
pub(crate) use self_test::self_test;

/// One line a competition of MLE-bench.
pub(crate) fn list() -> Outcome {
    let mut text = Shown::default();
    for rules in mle_competitions() {
        let flags: Vec<&str> = rules.flags.iter().map(|flag| flag.reason.as_str()).collect();
        let level = rules.level.map_or_else(String::new, |level| format!("{level:?}").to_lowercase());
        let (metric, direction) = (rules.metric, rules.metric.direction());
        text.push_line(&shown!("{:<60} {:<6} {:<32} {:<9} {}", rules.id, level, metric, direction, flags.join("; ")));
    }
    printer::data(&text);
    Ok(Exit::Success)
}

/// How many submissions are graded before their lines are printed: a long list can be watched, and nothing else is kept.
const PIECE: usize = 64;

/// From how many submissions on huge pages pay: a thousand take 4.7 s with them, 6.8 s without; a single one up to 0.28 s and 0.12 s
/// (docs/benchmarks.md). Where between them is not measured.
const MANY: usize = 64;

/// A submission is read once and let go. The system empties each page before it hands it over, and a huge one, of which a virtual machine
/// has to ask its host for the memory, takes longer than all that is done with it; in a long list it pays again.
fn do_without_huge_pages() {
    // Where it is refused, it is slower.
    let _ = rustix::thread::disable_transparent_huge_pages(true);
}

/// Grades submissions; in the order in which they were given.
pub(crate) fn submissions(arguments: &GradeArguments) -> Outcome {
    let paths = paths(arguments)?;
    if paths.len() < MANY {
        do_without_huge_pages();
    }
    let name = arguments.competition.as_deref().unwrap_or_default();
    let chosen = Chosen::named(name, arguments.answers.as_deref())?;
    let grader = chosen.grader()?;
    let board = arguments.leaderboard.as_deref().map(Leaderboard::read).transpose();
    let board = board.map_err(|error| Failure::new(Exit::BadInput, &error))?;
    let yardstick = Yardstick {
        competition: &chosen.competition.id,
        metric: grader.metric(),
        board: board.as_ref(),
        target: arguments.target,
    };
    let mut foreign = None;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(arguments.jobs.unwrap_or(0)).build();
    let pool = pool.map_err(|error| Failure::new(Exit::Other, &error))?;
    let limits = SubmissionLimits::default();
    let line = |path: &PathBuf| {
        let result = grader.grade(path, &limits);
        let is_foreign = result.as_ref().is_err_and(|invalid| grader.is_foreign(path, invalid, &limits));
        (Graded { path, result, yardstick: &yardstick }.written(arguments.format), is_foreign)
    };
    for piece in paths.chunks(PIECE) {
        let lines: Vec<(Shown, bool)> = pool.install(|| piece.par_iter().map(line).collect());
        foreign = foreign.or_else(|| piece.iter().zip(&lines).find(|(_, line)| line.1).map(|(path, _)| path));
        printer::data(&lines.into_iter().map(|line| line.0).collect());
    }
    match foreign {
        None => Ok(Exit::Success),
        Some(path) => Err(Failure {
            exit: Exit::BadInput,
            message: shown!(
                "{} is no submission to `{}`: it has none of the columns that are scored, or none of the ids; name another --competition, or mend the file",
                path.display(),
                chosen.competition.id
            ),
        }),
    }
}

fn paths(arguments: &GradeArguments) -> Result<Vec<PathBuf>, Failure> {
    let mut paths = arguments.submissions.clone();
    if let Some(folder) = &arguments.dir {
        let entries = Folder::open(folder).and_then(|folder| folder.entries()).map_err(|error| file_failure(&error))?;
        let found = entries.into_iter().map(|entry| folder.join(entry.name));
        paths.extend(found.filter(|path| path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("csv"))));
    }
    if paths.is_empty() {
        let message = Shown::literal("there is nothing to grade: name submissions, or a folder with CSVs by --dir");
        return Err(Failure { exit: Exit::Usage, message });
    }
    let mut seen = HashSet::new();
    let whole = |path: &&PathBuf| std::path::absolute(path).unwrap_or_else(|_| (*path).clone());
    match paths.iter().find(|path| !seen.insert(whole(path))) {
        None => Ok(paths),
        Some(path) => Err(Failure {
            exit: Exit::BadInput,
            message: shown!("{} is named twice: name each submission once, or leave it to --dir", path.display()),
        }),
    }
}
