//! `nbrevive select --dump`: every version of a Meta Kaggle dump through the study's funnel, without mining one of them.

use std::ops::ControlFlow;
use std::path::Path;

use nbrevive_corpus::funnel::{PublishedFunnel, Tally};
use nbrevive_mine::metakaggle::{Dump, DumpPlan};
use nbrevive_shown::{Shown, shown};
use nbrevive_study::Study;

use crate::Outcome;
use crate::exit_code::{Exit, Failure};
use crate::printer;

/// Judges all versions of all competitions of the dump, and prints the funnel.
pub(super) fn funnel(folder: &Path, study: &Study, published: Option<&PublishedFunnel>, json: bool) -> Outcome {
    let bad = |error| Failure::new(Exit::BadInput, &error);
    let dump = Dump::open(folder).map_err(bad)?;
    for gap in dump.gaps() {
        printer::note(&shown!("{}: {}", folder.display(), gap));
    }
    let mut tally = Tally::new(&study.funnel);
    let summary = dump
        .candidates(&DumpPlan::default(), &mut |batch| {
            for facts in &batch {
                // What a step drops is counted in the tally.
                let _ = tally.judge(&study.funnel, &facts.candidate(study.target_score));
            }
            ControlFlow::Continue(())
        })
        .map_err(bad)?;
    printer::note(&Shown::block(&summary.to_string()));
    super::show(&tally, published, json)?;
    Ok(Exit::Success)
}
