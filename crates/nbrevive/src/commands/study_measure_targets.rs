//! `nbrevive study measure-targets`: what each version scores in the environment of its date.

use nbrevive_corpus::{Target, Targets};
use nbrevive_shown::{Shown, shown};
use nbrevive_study::{Measured, measure_targets};

use crate::Outcome;
use crate::arguments::MeasureTargetsArguments;
use crate::commands::setting::{Loaded, graders, load, sandbox_of, study_laboratory};
use crate::exit_code::{Exit, Failure};
use crate::printer;

/// A score that is measured again may differ by this much, relatively: threads sum floats in another order.
const SAME_SCORE: f64 = 0.01;

/// Measures, and writes or compares.
pub(crate) fn run(arguments: &MeasureTargetsArguments) -> Outcome {
    let mut loaded = load(&arguments.file.study)?;
    if let Some(part) = &arguments.only {
        loaded.versions.retain(|version| version.slug.contains(part.as_str()));
    }
    let path = loaded.study.targets.clone().ok_or_else(|| Failure {
        exit: Exit::BadInput,
        message: Shown::literal("the study's file names no `targets`: where are the scores to be written?"),
    })?;
    let path = path.as_path();
    let laboratory =
        study_laboratory(&loaded.study, sandbox_of(&arguments.sandbox, Some(&loaded.study.sandbox))?, false)?;
    let graders = graders(&laboratory, &loaded)?;
    let jobs = nbrevive_sandbox::core_count();
    let Loaded { study, competitions, versions, .. } = &loaded;
    let watch = |measured: &Measured| printer::note(&line(measured));
    let measured = measure_targets(study, &laboratory, versions, competitions, &graders, jobs, &watch);
    let failed = measured.iter().filter(|(_, result)| result.is_err()).count();
    let known = path.is_file().then(|| Targets::load(path)).transpose();
    let mut targets = known.map_err(|error| Failure::new(Exit::BadInput, &error))?.unwrap_or_default();
    if arguments.check {
        let changed =
            measured.iter().filter(|(slug, result)| is_another(targets.target.get(slug), result.as_ref().ok()));
        let changed: Vec<Shown> = changed.map(|(slug, _)| Shown::line(slug)).collect();
        printer::note(&shown!(
            "{} measured, {} differ from {}: [{}]",
            measured.len(),
            changed.len(),
            path.display(),
            Shown::joined(changed.iter().cloned(), ", ")
        ));
        return Ok(if changed.is_empty() && failed == 0 { Exit::Success } else { Exit::Incomplete });
    }
    for (slug, result) in measured {
        if let Ok(target) = result {
            targets.target.insert(slug, target);
        }
    }
    targets.save(path).map_err(|error| Failure::new(Exit::CannotWrite, &error))?;
    Ok(if failed == 0 { Exit::Success } else { Exit::Incomplete })
}

fn line((slug, result): &Measured) -> Shown {
    match result {
        Ok(target) => shown!("{}: {} ({:.1} s)", slug, target.score, target.seconds.unwrap_or(0.0)),
        Err(error) => shown!("{}: {}", slug, error),
    }
}

fn is_another(stored: Option<&Target>, measured: Option<&Target>) -> bool {
    match (stored, measured) {
        (Some(stored), Some(measured)) => (stored.score - measured.score).abs() > SAME_SCORE * stored.score.abs(),
        _ => true,
    }
}
