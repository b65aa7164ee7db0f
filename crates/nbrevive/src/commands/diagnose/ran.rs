//! A notebook that is run to see how far it comes.

use nbrevive_files::Folder;
use nbrevive_shown::{Shown, shown};
use nbrevive_study::{Beside, HowFar, KagglePlace, Laboratory, Manner, take_installs};
use serde::Serialize;

use crate::arguments::{HowToRun, limits};
use crate::commands::how_far::{Degree, TracedError, degree_line, error_tree, traced};
use crate::commands::setting::{file_failure, laboratory_failure, laboratory_of};
use crate::commands::single::{lock, with_installs};
use crate::exit_code::{Exit, Failure};

/// Where notebooks run.
pub(super) struct Bench {
    laboratory: Laboratory,
    lock: String,
    place: KagglePlace,
    beside: Beside,
}

/// How far one came.
#[derive(Serialize)]
pub(super) struct Ran {
    environment: String,
    degree: Degree,
    seconds: f64,
    errors: Vec<TracedError>,
    #[serde(skip)]
    line: Shown,
}

impl Bench {
    pub(super) fn open(how: &HowToRun) -> Result<Self, Failure> {
        let limits = limits(how.time_limit, None, how.memory)?;
        let lock = lock(&how.environment)?;
        let mut place = KagglePlace::default();
        let mut beside = Beside::default();
        if let Some(folder) = &how.beside {
            Folder::open(folder).map_err(|error| file_failure(&error))?;
            place.put_beside(folder).map_err(|error| file_failure(&error))?;
            beside = Beside::of(folder);
        }
        Ok(Bench { laboratory: laboratory_of(&how.sandbox, &limits)?, lock, place, beside })
    }

    /// Runs a notebook past its errors, in the lock's environment with what its install lines add.
    pub(super) fn run(&self, content: &[u8]) -> Result<Ran, Failure> {
        let reading = nbrevive_notebook::read(content).map_err(|error| Failure::new(Exit::BadInput, &error))?;
        let installs = take_installs(&reading.notebook, &self.beside);
        let environment =
            with_installs(&self.laboratory, &self.lock, &installs).map_err(|error| laboratory_failure(&error))?;
        let attempt = self.laboratory.attempt(&installs.notebook, &environment, &self.place, None, Manner::default());
        let mut attempt = attempt.map_err(|error| laboratory_failure(&error))?;
        attempt.take_disturbance().map_err(|error| laboratory_failure(&error))?;
        let far = HowFar::of(&attempt);
        Ok(Ran {
            environment: environment.id,
            degree: Degree::of(&far.row, &installs.notebook),
            seconds: attempt.execution.seconds,
            errors: traced(&installs.notebook, &far),
            line: degree_line(&far.row),
        })
    }
}

impl Ran {
    /// The degree, then the tree of errors.
    pub(super) fn told(&self) -> Shown {
        let mut text = shown!("    {}\n", &self.line);
        text.push(&error_tree(&self.errors));
        text
    }
}
