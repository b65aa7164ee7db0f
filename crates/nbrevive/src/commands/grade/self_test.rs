//! `nbrevive grade self-test`: whether competitions grade as they should.

use std::io::Write as _;
use std::path::Path;

use nbrevive_corpus::{Competition, Direction};
use nbrevive_grade::{Grader, Invalid, Metric, SubmissionLimits, shifted};
use nbrevive_shown::{Shown, shown};

use crate::Outcome;
use crate::arguments::GradeSelfTestArguments;
use crate::commands::setting::file_failure;
use crate::exit_code::{Exit, Failure};
use crate::printer;

use super::bundled::{self, Bundled};
use super::competition::{Chosen, imported};

/// What was found of one question.
enum Found {
    Right(Shown),
    Wrong(Shown),
    /// The data does not let it be asked.
    Unasked(Shown),
}

/// Checks the prepared competitions that were named; without any, the bundled ones and all that were imported.
pub(crate) fn self_test(arguments: &GradeSelfTestArguments) -> Outcome {
    let mut failed = false;
    let mut folders = arguments.competitions.clone();
    if folders.is_empty() {
        folders = imported()?;
        for bundled in &bundled::ALL {
            let competition = bundled.competition()?;
            failed |= report(&competition.id, &is_counted(bundled, &competition)?);
            if let Some(chosen) = Chosen::if_prepared(competition)? {
                failed |= is_unfit(&chosen)?;
            }
        }
    }
    for folder in &folders {
        failed |= is_unfit(&Chosen::of_folder(folder)?)?;
    }
    Ok(if failed { Exit::Incomplete } else { Exit::Success })
}

/// Asks a prepared competition all questions, and says whether an answer is wrong.
fn is_unfit(chosen: &Chosen) -> Result<bool, Failure> {
    let grader = chosen.grader()?;
    let mut failed = false;
    for found in findings(chosen, &grader, &chosen.folder())? {
        failed |= report(&chosen.competition.id, &found);
    }
    Ok(failed)
}

/// Says what was found, and whether it is wrong.
fn report(competition: &str, found: &Found) -> bool {
    let (word, what) = match found {
        Found::Right(what) => ("ok", what),
        Found::Wrong(what) => ("FAIL", what),
        Found::Unasked(what) => ("-", what),
    };
    printer::data(&shown!("{:<60} {:<4} {}\n", competition, word, what));
    matches!(found, Found::Wrong(_))
}

/// The submission of a bundled competition whose score is known.
fn is_counted(bundled: &Bundled, competition: &Competition) -> Result<Found, Failure> {
    let folder = tempfile::tempdir().map_err(|error| Failure::new(Exit::CannotWrite, &error))?;
    let [answers, submission] = bundled.write(folder.path())?.map(|name| folder.path().join(name));
    let grader = Grader::with_answers(competition, &answers).map_err(|error| Failure::new(Exit::Other, &error))?;
    Ok(match grader.grade(&submission, &SubmissionLimits::default()) {
        Ok(score) if (score - bundled.score).abs() < 1e-12 => {
            Found::Right(shown!("a submission of known score scores {}: {}", score, bundled.why))
        }
        Ok(score) => Found::Wrong(shown!("a submission scores {}, not {}: {}", score, bundled.score, bundled.why)),
        Err(invalid) => Found::Wrong(shown!("a submission that scores {}: {}", bundled.score, invalid)),
    })
}

fn findings(chosen: &Chosen, grader: &Grader, prepared: &Path) -> Result<Vec<Found>, Failure> {
    let competition = &chosen.competition;
    let mut found = vec![match grader.grade(&prepared.join(&competition.sample), &SubmissionLimits::default()) {
        Ok(score) => Found::Right(shown!("the sample submission is valid and scores {}", score)),
        Err(invalid) => Found::Wrong(shown!("the sample submission: {}", invalid)),
    }];
    // Where there is no right submission, the answers are one, if they have its form.
    let gold = competition.gold.as_ref().unwrap_or(&competition.answers);
    let path = prepared.join(gold);
    match grader.grade(&path, &SubmissionLimits::default()) {
        Ok(score) => {
            found.push(is_best(grader.metric(), gold, score));
            found.push(is_worse(grader.metric(), score, grade_shifted(chosen, grader, &path)?));
        }
        Err(invalid) if competition.gold.is_some() => found.push(Found::Wrong(shown!("{}: {}", gold, invalid))),
        Err(_) => found.push(Found::Unasked(Shown::literal("there is no right submission, and the answers are none"))),
    }
    Ok(found)
}

fn is_best(metric: Metric, gold: &str, score: f64) -> Found {
    let best = metric.best();
    let what = shown!("{} scores {}, the best value is {}", gold, score, best);
    let holds = score == best || (score - best).abs() < metric.best_within();
    if holds { Found::Right(what) } else { Found::Wrong(what) }
}

/// Every row with the predictions of the next one.
fn grade_shifted(chosen: &Chosen, grader: &Grader, gold: &Path) -> Result<Result<f64, Invalid>, Failure> {
    let failed = |error: std::io::Error| Failure::new(Exit::CannotWrite, &error);
    let text =
        nbrevive_files::read_text(gold, SubmissionLimits::default().bytes).map_err(|error| file_failure(&error))?;
    let text = shifted(&text, &chosen.competition.id_column).unwrap_or(text);
    let mut file = tempfile::NamedTempFile::new().map_err(failed)?;
    file.write_all(text.as_bytes()).map_err(failed)?;
    Ok(grader.grade(file.path(), &SubmissionLimits::default()))
}

fn is_worse(metric: Metric, score: f64, shifted: Result<f64, Invalid>) -> Found {
    let worse = |shifted: f64| match metric.direction() {
        Direction::Maximize => shifted < score,
        Direction::Minimize => shifted > score,
    };
    match shifted {
        Ok(shifted) if worse(shifted) => {
            Found::Right(shown!("with the next row's predictions it is worse: {}", shifted))
        }
        Ok(shifted) => Found::Wrong(shown!("with the next row's predictions it is no worse: {}", shifted)),
        Err(invalid) => Found::Unasked(shown!("with the next row's predictions it has no score: {}", invalid)),
    }
}
