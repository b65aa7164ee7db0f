//! The source `meta-kaggle`.

use std::ops::ControlFlow;
use std::sync::Arc;

use nbrevive_mine::metakaggle::{CodeFolder, Dump, DumpError, DumpPlan, DumpScope, ScoreChoice};
use nbrevive_mine::records::{DataKind, MinedRecord, MiningSource, Slug};
use nbrevive_shown::{Shown, shown};
use nbrevive_store::mined::Told;

use super::Ending;
use super::interrupt::Interrupt;
use super::recorder::Recorder;
use super::workplace::{Workplace, raw_failure};
use crate::exit_code::{Exit, Failure};
use crate::printer;

/// Mines the dump that the study's file names, for the study's competitions. A run replaces what an older dump told.
pub(super) fn mine(workplace: &mut Workplace, interrupt: &Interrupt) -> Result<Ending, Failure> {
    let place = workplace.study.mine.meta_kaggle.clone();
    let Some(folder) = place.dump else {
        let message =
            Shown::literal("the study's file names no dump for source `meta-kaggle`: set dump in [mine.meta_kaggle]");
        return Err(Failure { exit: Exit::BadInput, message });
    };
    let dump = Dump::open(&folder).map_err(|error| failure(&error))?;
    for gap in dump.gaps() {
        printer::note(&shown!("meta-kaggle: {}", gap));
    }
    let code = place.code.as_deref().map(CodeFolder::new);
    let competitions = workplace.competitions.clone();
    let plan = DumpPlan { scope: DumpScope::Competitions(competitions.clone()), score: ScoreChoice::First };
    let raw = Arc::clone(&workplace.raw);
    let mut recorder = Recorder::replacing(&mut workplace.store, &raw, MiningSource::MetaKaggle);
    let mut sink = |record: MinedRecord| {
        if homes(&record, &competitions).into_iter().any(|told| recorder.tell(told).is_break()) {
            return ControlFlow::Break(());
        }
        if recorder.tell(Told::Record(record)).is_break() { ControlFlow::Break(()) } else { interrupt.flow() }
    };
    let summary = dump.mine(&plan, &raw, code.as_ref(), &mut sink).map_err(|error| failure(&error))?;
    if summary.stopped {
        // Half a dump is no dump: the next run reads it again.
        recorder.discard()?;
        return Ok(Ending { stopped: interrupt.is_asked(), ..Ending::default() });
    }
    for line in summary.to_string().lines() {
        printer::note(&shown!("meta-kaggle: {}", line));
    }
    for trouble in &summary.troubles {
        printer::note(&shown!("meta-kaggle: no code: {}", trouble));
    }
    recorder.finish()?;
    Ok(Ending::default())
}

/// The study's competitions that a version reads: its notebook is listed under them.
fn homes(record: &MinedRecord, competitions: &[Slug]) -> Vec<Told> {
    let MinedRecord::Version(version) = record else { return Vec::new() };
    let read = version.data_sources.iter().flatten().filter(|source| source.kind == DataKind::Competition);
    let known = read.filter_map(|source| competitions.iter().find(|slug| slug.as_str() == source.name));
    let notebook = &version.notebook;
    known
        .map(|slug| Told::Listed {
            competition: slug.clone(),
            notebook: notebook.clone(),
            source: MiningSource::MetaKaggle,
        })
        .collect()
}

fn failure(error: &DumpError) -> Failure {
    match error {
        DumpError::Raw(error) => raw_failure(error),
        DumpError::Unreadable { .. }
        | DumpError::NoTable { .. }
        | DumpError::NoColumn { .. }
        | DumpError::NoCompetition { .. } => Failure::new(Exit::BadInput, error),
    }
}
