//! Target scores: what each version's code scores in the environment of its date that its era names.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use nbrevive_corpus::{Competition, RunEnd, Target, Version, content_hash, select};
use nbrevive_files::unpoisoned;
use nbrevive_grade::Grader;

use crate::environments::installs::take_installs;
use crate::laboratory::{LONGEST_LOCK, Laboratory, LaboratoryError};
use crate::{Beside, KagglePlace, Manner, Study};

/// Why a version has no measured target.
#[derive(Debug, thiserror::Error)]
pub enum MeasureError {
    /// The version names no era.
    #[error("version `{slug}` names no era: add `era = \"…\"` to its entry in versions.toml")]
    NoEra {
        /// The version.
        slug: String,
    },
    /// The era has no lock.
    #[error("era `{era}` of version `{slug}` has no lock {path}: {source}")]
    NoLock {
        /// The version.
        slug: String,
        /// The era.
        era: String,
        /// Where the lock should be.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The notebook cannot be studied.
    #[error("version `{slug}` cannot be measured: {detail}")]
    Excluded {
        /// The version.
        slug: String,
        /// Why.
        detail: String,
    },
    /// It did not run as it must in the environment of its date.
    #[error("version `{slug}` does not run in era `{era}`: {detail}")]
    DoesNotRun {
        /// The version.
        slug: String,
        /// The era.
        era: String,
        /// What happened.
        detail: String,
    },
    /// Something of ours is broken.
    #[error(transparent)]
    Laboratory(#[from] LaboratoryError),
}

/// One version with its measured target, or why it has none.
pub type Measured = (String, Result<Target, MeasureError>);

/// Measures the targets of `versions`, `jobs` at a time; `watch` hears of each as it is known.
pub fn measure_targets(
    study: &Study,
    laboratory: &Laboratory,
    versions: &[Version],
    competitions: &BTreeMap<String, Competition>,
    graders: &BTreeMap<String, Arc<Grader>>,
    jobs: usize,
    watch: &(dyn Fn(&Measured) + Sync),
) -> Vec<Measured> {
    let next = Mutex::new(versions.iter());
    let done = Mutex::new(Vec::new());
    let work = || {
        loop {
            let Some(version) = unpoisoned(next.lock()).next() else { return };
            let measured = (version.slug.clone(), measure(study, laboratory, version, competitions, graders));
            watch(&measured);
            unpoisoned(done.lock()).push(measured);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..jobs.max(1) {
            scope.spawn(work);
        }
    });
    let mut done = unpoisoned(done.into_inner());
    done.sort_by(|a, b| a.0.cmp(&b.0));
    done
}

fn measure(
    study: &Study,
    laboratory: &Laboratory,
    version: &Version,
    competitions: &BTreeMap<String, Competition>,
    graders: &BTreeMap<String, Arc<Grader>>,
) -> Result<Target, MeasureError> {
    let slug = || version.slug.clone();
    let excluded = |detail| MeasureError::Excluded { slug: slug(), detail };
    let selected = select(&version.path).map_err(|(_, detail)| excluded(detail))?;
    let id = version.belongs.competition().unwrap_or("none");
    let no_competition = || excluded(format!("there is no competition `{id}`"));
    let competition = competitions.get(id).ok_or_else(no_competition)?;
    let era = version.era.clone().ok_or_else(|| MeasureError::NoEra { slug: slug() })?;
    let path = study.eras.join(format!("{era}.lock"));
    let lock = nbrevive_files::read(&path, LONGEST_LOCK).map_err(|error| MeasureError::NoLock {
        slug: slug(),
        era: era.clone(),
        path: path.clone(),
        source: error.into(),
    })?;
    let installs = take_installs(&selected.notebook, &Beside::default());
    let environment = laboratory.from_lock(&path, &installs.requirements)?;
    let place = KagglePlace::of(competition, &laboratory.prepared_folder(competition), version.submitted);
    let grader = graders.get(&competition.id).ok_or_else(no_competition)?;
    let attempt =
        laboratory.attempt(&installs.notebook, &environment, &place, Some(grader), Manner::default())?.undisturbed()?;
    let broken = |detail| MeasureError::DoesNotRun { slug: slug(), era: era.clone(), detail };
    if attempt.end != RunEnd::Completed {
        return Err(broken(format!("it ended with {:?}", attempt.end)));
    }
    if let Some(error) = attempt.errors.first() {
        return Err(broken(format!("cell {} raised {}: {}", error.cell, error.ename, error.evalue)));
    }
    let graded = attempt.grade.ok_or_else(no_competition)?;
    let score = graded.map_err(|invalid| broken(invalid.to_string()))?;
    Ok(Target {
        score,
        python: Some(environment.python),
        lock_hash: Some(content_hash(&lock)),
        notebook_hash: Some(selected.hash),
        seconds: Some((attempt.execution.seconds * 10.0).round() / 10.0),
        era: Some(era),
    })
}
