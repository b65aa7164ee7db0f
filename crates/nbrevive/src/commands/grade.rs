//! `nbrevive grade`: submissions to the competitions of MLE-bench, many at a time.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use nbrevive_corpus::Direction;
use nbrevive_grade::{Invalid, Leaderboard, Limits, MleAnswers, MleCompetition, mle_competition, mle_competitions};
use rayon::prelude::*;
use serde_json::json;

use crate::Outcome;
use crate::arguments::{GradeArguments, GradeFormat, GradeSelfTestArguments};
use crate::exit_code::{Exit, Failure};
use crate::printer;

/// One line a competition.
pub(crate) fn list() -> Outcome {
    let mut text = String::new();
    for competition in mle_competitions() {
        let flags: Vec<&str> = competition.flags.iter().map(|flag| flag.reason.as_str()).collect();
        let (metric, direction) = (competition.metric, competition.metric.direction());
        let _ = writeln!(text, "{:<60} {metric:<32} {direction:<9} {}", competition.id, flags.join("; "));
    }
    printer::data(&text);
    Ok(Exit::Success)
}

/// Grades submissions; in the order in which they were given.
pub(crate) fn submissions(arguments: &GradeArguments) -> Outcome {
    let competition = known(&arguments.competition)?;
    let answers = answers(competition, &arguments.answers)?;
    let board = arguments.leaderboard.as_deref().map(Leaderboard::read).transpose();
    let board = board.map_err(|error| Failure::new(Exit::BadInput, &error))?;
    let paths = paths(arguments)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(arguments.jobs.unwrap_or(0)).build();
    let pool = pool.map_err(|error| Failure::new(Exit::Other, &error))?;
    let line = |path: &PathBuf| {
        let result = answers.grade(path, &Limits::default());
        Graded { path, result, competition, board: board.as_ref(), target: arguments.target }.written(arguments.format)
    };
    // Printed in pieces, so that a long list can be watched and nothing but a piece is kept.
    for piece in paths.chunks(256) {
        let lines: Vec<String> = pool.install(|| piece.par_iter().map(line).collect());
        printer::data(&lines.concat());
    }
    Ok(Exit::Success)
}

fn known(id: &str) -> Result<&'static MleCompetition, Failure> {
    mle_competition(id).ok_or_else(|| Failure {
        exit: Exit::Usage,
        message: format!("MLE-bench has no competition `{id}`: `nbrevive grade list` names them all"),
    })
}

fn answers(competition: &MleCompetition, path: &Path) -> Result<MleAnswers, Failure> {
    let file = if path.is_dir() { path.join(&competition.answers) } else { path.to_owned() };
    MleAnswers::read(&file, competition).map_err(|error| Failure::new(Exit::BadInput, &error))
}

fn paths(arguments: &GradeArguments) -> Result<Vec<PathBuf>, Failure> {
    let mut paths = arguments.submissions.clone();
    if let Some(folder) = &arguments.dir {
        let unreadable = |error: std::io::Error| Failure {
            exit: Exit::BadInput,
            message: format!("cannot list {}: {error}", folder.display()),
        };
        let mut found = Vec::new();
        for entry in std::fs::read_dir(folder).map_err(unreadable)? {
            let path = entry.map_err(unreadable)?.path();
            if path.extension().is_some_and(|extension| extension == "csv") {
                found.push(path);
            }
        }
        found.sort();
        paths.extend(found);
    }
    if paths.is_empty() {
        let message = "there is nothing to grade: name submissions, or a folder with CSVs by --dir".to_owned();
        return Err(Failure { exit: Exit::Usage, message });
    }
    Ok(paths)
}

/// A submission with what there is to say of it.
struct Graded<'g> {
    path: &'g Path,
    result: Result<f64, Invalid>,
    competition: &'g MleCompetition,
    board: Option<&'g Leaderboard>,
    target: Option<f64>,
}

impl Graded<'_> {
    fn direction(&self) -> Direction {
        self.competition.metric.direction()
    }

    /// How far the score is from the target, as a share of it; more than 0 is better.
    fn deviation(&self) -> Option<f64> {
        let (score, target) = (*self.result.as_ref().ok()?, self.target?);
        let share = (score - target) / target.abs();
        Some(if self.direction() == Direction::Maximize { share } else { -share })
    }

    fn medal(&self) -> Option<&'static str> {
        let medal = self.board?.medal(*self.result.as_ref().ok()?, self.direction());
        Some(medal.map_or("none", nbrevive_grade::Medal::as_str))
    }

    fn written(&self, format: GradeFormat) -> String {
        if format == GradeFormat::Json { self.json() } else { self.line() }
    }

    fn json(&self) -> String {
        let score = self.result.as_ref().ok().copied();
        let reason = self.result.as_ref().err();
        let object = json!({
            "competition": self.competition.id,
            "submission": self.path,
            "metric": self.competition.metric,
            "direction": self.direction(),
            "score": score.filter(|score| score.is_finite()),
            "not_finite": score.filter(|score| !score.is_finite()).map(|score| score.to_string()),
            "deviation": self.deviation(),
            "medal": self.medal(),
            "invalid": reason.map(Invalid::kind),
            "reason": reason.map(ToString::to_string),
        });
        format!("{object}\n")
    }

    fn line(&self) -> String {
        let mut text = match &self.result {
            Ok(score) => format!("{score:<22}"),
            Err(invalid) => format!("{:<22}", invalid.kind()),
        };
        if let Some(deviation) = self.deviation() {
            let _ = write!(text, " {:>+8.2}%", 100.0 * deviation);
        }
        if let Some(medal) = self.medal() {
            let _ = write!(text, " {medal:<6}");
        }
        let _ = write!(text, " {}", self.path.display());
        if let Err(invalid) = &self.result {
            let _ = write!(text, ": {invalid}");
        }
        text + "\n"
    }
}

/// Checks prepared competitions.
pub(crate) fn self_test(arguments: &GradeSelfTestArguments) -> Outcome {
    let mut failed = false;
    for folder in &arguments.prepared {
        let (competition, prepared) = prepared(folder)?;
        let answers = answers(competition, &prepared)?;
        let found = findings(competition, &answers, &prepared);
        failed |= found.iter().any(|finding| !finding.1);
        for (what, holds) in found {
            printer::data(&format!("{:<60} {:<4} {what}\n", competition.id, if holds { "ok" } else { "FAIL" }));
        }
    }
    Ok(if failed { Exit::Incomplete } else { Exit::Success })
}

/// The competition that a folder is of, and the folder with `public` and `private`.
fn prepared(folder: &Path) -> Result<(&'static MleCompetition, PathBuf), Failure> {
    let inner = folder.join("prepared");
    let prepared = if inner.is_dir() { inner } else { folder.to_owned() };
    let named = folder.ancestors().filter_map(|folder| folder.file_name()?.to_str());
    let competition = named.take(2).find_map(mle_competition).ok_or_else(|| Failure {
        exit: Exit::BadInput,
        message: format!("{} is not named after a competition of MLE-bench", folder.display()),
    })?;
    Ok((competition, prepared))
}

/// What was checked, and whether it holds.
fn findings(competition: &MleCompetition, answers: &MleAnswers, prepared: &Path) -> Vec<(String, bool)> {
    let grade = |name: &str| answers.grade(&prepared.join(name), &Limits::default());
    let metric = competition.metric;
    let mut found = Vec::new();
    let sample = grade(&competition.sample);
    found.push(match &sample {
        Ok(score) => (format!("the sample submission is valid and scores {score}"), true),
        Err(invalid) => (format!("the sample submission: {invalid}"), false),
    });
    // Where there is no right submission, the answers are one, if they have its columns.
    let gold = competition.gold.as_ref().unwrap_or(&competition.answers);
    let best = metric.best();
    match grade(gold) {
        Ok(score) => {
            let holds = score == best || (score - best).abs() < 1e-6;
            found.push((format!("{gold} scores {score}, the best value is {best}"), holds));
            let shifted = answers.grade_shifted(&prepared.join(gold), &Limits::default());
            let worse = |shifted: f64| match metric.direction() {
                Direction::Maximize => shifted < score,
                Direction::Minimize => shifted > score,
            };
            found.push((format!("with the next row's predictions it is worse: {shifted:?}"), shifted.is_ok_and(worse)));
        }
        Err(invalid) if competition.gold.is_some() => found.push((format!("{gold}: {invalid}"), false)),
        Err(_) => {}
    }
    found
}
