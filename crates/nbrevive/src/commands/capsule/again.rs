//! `nbrevive run`: the runs of a capsule again, without a network and without an index, beside what they showed then.

use std::path::Path;

use nbrevive_capsule::{unpack, verify};
use nbrevive_corpus::RunEnd;
use nbrevive_environment::PortableError;
use nbrevive_files::{FileError, Scratch, make_folder, write};
use nbrevive_sandbox::SandboxSettings;
use nbrevive_shown::{Shown, shown};
use nbrevive_study::{AgainError, CapsuleAbout, DiskSettings, LaboratorySettings, PackedRun, RunAgain};

use super::{capsule_failure, sizes};
use crate::Outcome;
use crate::arguments::RunArguments;
use crate::commands::setting::{file_failure, laboratory, laboratory_failure, sandbox_of};
use crate::exit_code::{Exit, Failure};
use crate::printer;

/// Unpacks where that was not done, runs, and says what differs.
pub(crate) fn run(arguments: &RunArguments) -> Outcome {
    if arguments.capsule.is_dir() {
        let written = |listing: &nbrevive_capsule::CapsuleListing| {
            CapsuleAbout::of(listing).map(|about| about.written()).unwrap_or_default()
        };
        let listing = verify(&arguments.capsule, &written).map_err(|error| capsule_failure(&error))?;
        let about = CapsuleAbout::of(&listing).map_err(|error| capsule_failure(&error))?;
        let root = arguments.capsule.canonicalize();
        let root = root.map_err(|source| file_failure(&FileError::Read { path: arguments.capsule.clone(), source }))?;
        return run_all(arguments, &root, &about);
    }
    let scratch = Scratch::make(&std::env::temp_dir(), "nbrevive-capsule-").map_err(|error| file_failure(&error))?;
    let root = scratch.path().join("capsule");
    let most = arguments.max_size.saturating_mul(1 << 30);
    let listing = unpack(&arguments.capsule, &root, most).map_err(|error| capsule_failure(&error))?;
    printer::note(&sizes(&listing));
    let about = CapsuleAbout::of(&listing).map_err(|error| capsule_failure(&error))?;
    run_all(arguments, &root, &about)
}

fn run_all(arguments: &RunArguments, root: &Path, about: &CapsuleAbout) -> Outcome {
    let runs = chosen(arguments, about)?;
    let laboratory = laboratory(&LaboratorySettings {
        sandbox: sandbox_of(&arguments.sandbox, None::<&SandboxSettings>)?,
        limits: about.limits.clone(),
        seed: 0,
        offline: true,
        disk: DiskSettings::default(),
    })?;
    let mut exit = Exit::Success;
    let mut same = 0_usize;
    for run in &runs {
        let again =
            laboratory.run_again(root, about, run, arguments.data.as_deref()).map_err(|error| again_failure(&error))?;
        tell(run, &again);
        if let Some(folder) = &arguments.out {
            make_folder(folder).map_err(|error| file_failure(&error))?;
            let path = folder.join(format!("{}.{}.ipynb", run.version, run.condition));
            write(&path, nbrevive_notebook::write(&again.notebook)).map_err(|error| file_failure(&error))?;
        }
        match (again.is_same(), &again.end) {
            (true, _) => same += 1,
            (false, Some((_, RunEnd::Timeout | RunEnd::NotSaved(_)))) => exit = Exit::Failed,
            (false, _) if exit != Exit::Failed => exit = Exit::NotReproduced,
            (false, _) => {}
        }
    }
    printer::note(&shown!("the same: {} of {} runs", same, runs.len()));
    Ok(exit)
}

/// The runs that were asked for.
fn chosen<'a>(arguments: &RunArguments, about: &'a CapsuleAbout) -> Result<Vec<&'a PackedRun>, Failure> {
    let only = arguments.only.as_deref().unwrap_or_default();
    let is_asked = |run: &&PackedRun| {
        let of_condition = || arguments.condition.iter().any(|condition| condition.as_str() == run.condition);
        run.version.contains(only) && (arguments.condition.is_empty() || of_condition())
    };
    let runs: Vec<&PackedRun> = about.runs.iter().filter(is_asked).collect();
    if runs.is_empty() {
        let names = about.runs.iter().map(|run| shown!("{} {}", &run.version, &run.condition));
        let message = shown!("the capsule has no such run; it has: {}", Shown::joined(names, ", "));
        return Err(Failure { exit: Exit::BadInput, message });
    }
    Ok(runs)
}

/// One line of data a run, and a note for each thing that differs.
fn tell(run: &PackedRun, again: &RunAgain) {
    let word = if again.is_same() { "same" } else { "differs" };
    let levels = again.agreeing.iter().map(|(level, cells)| shown!("{} {}", cells, level));
    let cells: usize = again.agreeing.values().sum();
    let outputs = match &run.outputs_left_out {
        Some(why) => shown!("outputs not compared ({})", why),
        None => shown!(
            "{} of {} cells show the same ({})",
            cells,
            cells + again.differing.len(),
            Shown::joined(levels, ", ")
        ),
    };
    let graded = |grade: &Result<f64, String>| match grade {
        Ok(score) => shown!("{:.5}", score),
        Err(why) => shown!("no score ({})", why),
    };
    let score = match &again.grade {
        None => Shown::literal("no score asked for"),
        Some([then, _]) if again.has_same_score() => shown!("score {} then and now", graded(then)),
        Some([then, now]) => shown!("score {} then, {} now", graded(then), graded(now)),
    };
    printer::data(&shown!("{:<8} {:<44} {:<15} {}, {}\n", word, &run.version, &run.condition, outputs, score));
    for (cell, how) in &again.differing {
        printer::note(&shown!("  {} {}, cell {}: {}", &run.version, &run.condition, cell + 1, how));
    }
    if let Some((then, now)) = &again.end {
        let (then, now) = (then.word(), now.word());
        printer::note(&shown!("  {} {} ended otherwise: {} then, {} now", &run.version, &run.condition, then, now));
    }
}

fn again_failure(error: &AgainError) -> Failure {
    match error {
        AgainError::Laboratory(error) => laboratory_failure(error),
        AgainError::Environment(PortableError::NoInterpreter(_)) => Failure::new(Exit::Missing, error),
        AgainError::Environment(PortableError::Home(_)) => Failure::new(Exit::CannotWrite, error),
        _ => Failure::new(Exit::BadInput, error),
    }
}
