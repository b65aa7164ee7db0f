//! Who is modernized: the versions that ran at baseline without reproducing, and are not too long (paper, section 4, "Subjects").

use std::sync::Mutex;

use nbrevive_corpus::Exclusion;
use nbrevive_files::unpoisoned;
use nbrevive_store::left_out::LeftOutRow;
use nbrevive_store::{Store, StoreError, left_out, outcomes};

use crate::Job;
use crate::jobs::cutoff::{Gate, Length, Member};
use crate::jobs::is_subject;

/// Why a job waits for another run: the percentile of a part would depend on which part it is.
const PERCENTILE: &str = "the token cut-off is a percentile of all versions, and some have no baseline execution yet";
/// Why a job waits for another job.
const BASELINE: &str = "whether it is a subject is known only after its baseline, which has no outcome yet";

/// Whether a modernize job is carried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Admission {
    /// It is.
    Subject,
    /// It is not, and the store says why.
    Skipped,
    /// That cannot be said yet, for this reason.
    Undecided(&'static str),
}

/// Decides on a modernize job by its version's stored baseline, and stores who is left out.
///
/// # Errors
/// When the store cannot be used.
pub(crate) fn admit(store: &Mutex<Store>, gate: &Gate<'_>, job: &Job) -> Result<Admission, StoreError> {
    let lock = || unpoisoned(store.lock());
    let slug = &job.version.slug;
    let baseline = job.recipe.start.map(|start| outcomes::find(&lock(), slug, start)).transpose()?.flatten();
    let Some(baseline) = baseline else { return Ok(Admission::Undecided(BASELINE)) };
    if !is_subject(job.recipe.level, baseline.verdict.outcome) {
        let mut store = lock();
        left_out::remove(&mut store, slug, job.condition)?;
        outcomes::remove(&mut store, slug, job.condition)?;
        return Ok(Admission::Skipped);
    }
    match gate.length(&Member::new(slug, &job.selected), &|read| read(&lock()))? {
        Length::Fits => {
            left_out::remove(&mut lock(), slug, job.condition)?;
            Ok(Admission::Subject)
        }
        Length::TooLong(detail) => {
            let row =
                LeftOutRow { version: slug.clone(), condition: job.condition, reason: Exclusion::TooLong, detail };
            left_out::set(&mut lock(), &row)?;
            Ok(Admission::Skipped)
        }
        Length::Undecided => Ok(Admission::Undecided(PERCENTILE)),
    }
}
