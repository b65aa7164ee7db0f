//! The source `meta-kaggle`.

use std::sync::Arc;

use nbrevive_mine::metakaggle::{CodeFolder, Dump, DumpPlan, DumpScope, ScoreChoice};
use nbrevive_mine::records::{DataKind, MinedRecord, MiningSource, Slug};
use nbrevive_store::mined::Told;

use crate::mining::Mining;
use crate::mining::error::MiningError;
use crate::mining::event::{MiningEnd, MiningEvent, MiningListener};

impl Mining {
    /// Reads the dump that the study's file names, for the study's competitions. A run replaces what an older dump told.
    ///
    /// # Errors
    /// [`MiningError`]; then what an older dump told stays.
    pub fn kaggle_dump(&mut self, listener: &mut dyn MiningListener) -> Result<MiningEnd, MiningError> {
        let place = self.study.mine.meta_kaggle.clone();
        let dump = Dump::open(&place.dump.ok_or(MiningError::NoDump)?)?;
        for gap in dump.gaps() {
            listener.hear(MiningEvent::Gap(&gap));
        }
        let code = place.code.as_deref().map(CodeFolder::new);
        let competitions = self.competitions.clone();
        let plan = DumpPlan { scope: DumpScope::Competitions(competitions.clone()), score: ScoreChoice::First };
        let raw = Arc::clone(&self.raw);
        let mut recorder = self.replacing(MiningSource::MetaKaggle);
        let mut sink = |record: MinedRecord| {
            homes(&record, &competitions).into_iter().try_for_each(|told| recorder.tell(told))?;
            recorder.tell(Told::Record(record))?;
            listener.flow()
        };
        let summary = dump.mine(&plan, &raw, code.as_ref(), &mut sink)?;
        if summary.stopped {
            // Half a dump is no dump: the next run reads it again.
            recorder.discard()?;
            return Ok(MiningEnd { is_stopped: listener.flow().is_break(), ..MiningEnd::default() });
        }
        listener.hear(MiningEvent::DumpEnds(&summary));
        recorder.finish()?;
        Ok(MiningEnd::default())
    }
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
