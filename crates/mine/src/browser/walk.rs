//! A whole run: every notebook, its versions, their code. It can be stopped anywhere; run again, it goes the same way,
//! takes what is kept from the raw store, and asks for the rest. Offline, that is the replay.

use std::collections::HashSet;
use std::ops::ControlFlow;

use super::ask::PageAsk;
use super::client::Browser;
use super::error::BrowserError;
use super::read::FoundIn;
use crate::api::Harm;
use crate::raw::{MiningStanding, Progress};
use crate::records::{MinedRecord, NotebookName};

/// Doubtful failures in a row after which the site, or what we know of it, counts as broken.
const DOUBTS: usize = 5;

/// Something that could not be had.
#[derive(Debug)]
pub struct BrowserTrouble {
    /// The notebook (`owner/slug`) or version (`owner/slug#3`).
    pub item: String,
    /// Why.
    pub error: BrowserError,
}

/// What a run tells as it goes.
#[derive(Debug)]
pub enum BrowserEvent {
    /// A record.
    Record(MinedRecord),
    /// An item could not be had; the run goes on.
    Trouble(BrowserTrouble),
    /// How far the notebooks are, after each.
    Progress(Progress),
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BrowserSummary {
    /// Records that were told.
    pub records: usize,
    /// Items that could not be had.
    pub troubles: usize,
    /// Versions of which no state could be read, so that the marks on the page had to do.
    pub by_marks: usize,
    /// Whether the receiver stopped the run.
    pub stopped: bool,
    /// Whether everything was had that is there for us.
    pub complete: bool,
}

struct Run<'a> {
    sink: &'a mut dyn FnMut(BrowserEvent) -> ControlFlow<()>,
    summary: BrowserSummary,
    /// What was told, so that a second look tells nothing twice.
    told: HashSet<String>,
    doubts: usize,
    /// Whether failures are told: those that may be spurious are looked at a second time first.
    is_last: bool,
    unsure: bool,
}

impl Run<'_> {
    fn tell(&mut self, event: BrowserEvent) -> bool {
        self.summary.stopped |= (self.sink)(event).is_break();
        self.summary.stopped
    }

    fn record(&mut self, key: String, record: MinedRecord) {
        if self.told.insert(key) {
            self.summary.records += 1;
            self.tell(BrowserEvent::Record(record));
        }
    }

    /// Tells a trouble, or gives it back when the run cannot go on.
    fn trouble(&mut self, item: String, error: BrowserError) -> Result<(), BrowserError> {
        match error.harm() {
            Harm::Run => return Err(error),
            Harm::Doubt => self.doubts += 1,
            Harm::Item | Harm::Competition => {}
        }
        if error.is_unsure() && !self.is_last {
            self.unsure = true;
            return Ok(());
        }
        self.summary.complete &= error.is_settled();
        if self.doubts >= DOUBTS {
            return Err(error);
        }
        self.summary.troubles += 1;
        self.tell(BrowserEvent::Trouble(BrowserTrouble { item, error }));
        Ok(())
    }
}

impl Browser {
    /// Mines notebooks with all their versions. Events come in on the calling thread, which must not be one of an
    /// asynchronous runtime; the receiver may stop the run after any of them. The browser stays for the next run, until
    /// this value is dropped or the thread ends that started it.
    ///
    /// # Errors
    /// [`BrowserError`] of [`Harm::Run`], or the last of many doubtful failures in a row.
    pub fn mine(
        &mut self,
        notebooks: &[NotebookName],
        sink: &mut dyn FnMut(BrowserEvent) -> ControlFlow<()>,
    ) -> Result<BrowserSummary, BrowserError> {
        let summary = BrowserSummary { complete: true, ..BrowserSummary::default() };
        let mut run = Run { sink, summary, told: HashSet::new(), doubts: 0, is_last: false, unsure: false };
        self.rounds(notebooks, &mut run)?;
        self.store().keep_down()?;
        Ok(run.summary)
    }

    fn rounds(&mut self, notebooks: &[NotebookName], run: &mut Run<'_>) -> Result<(), BrowserError> {
        let mut left = notebooks.to_vec();
        for is_last in [false, true] {
            run.is_last = is_last;
            let mut progress = Progress { left: left.len(), ..Progress::default() };
            let mut unsure = Vec::new();
            for name in &left {
                run.unsure = false;
                self.work(name, run)?;
                progress.left = progress.left.saturating_sub(1);
                match self.standing(&PageAsk::Notebook(name.clone()))? {
                    MiningStanding::Done => progress.done += 1,
                    MiningStanding::Unavailable | MiningStanding::TooLarge => progress.without += 1,
                    MiningStanding::Left => progress.left += 1,
                }
                if run.unsure {
                    unsure.push(name.clone());
                }
                if run.summary.stopped || run.tell(BrowserEvent::Progress(progress)) {
                    return Ok(());
                }
            }
            left = unsure;
        }
        Ok(())
    }

    /// One notebook with its versions.
    fn work(&mut self, name: &NotebookName, run: &mut Run<'_>) -> Result<(), BrowserError> {
        let page = match self.notebook(name) {
            Ok(page) => page,
            Err(error) => return run.trouble(name.to_string(), error),
        };
        for entry in &page.entries {
            let mut had = self.version(name, &page, entry);
            if let Ok((record, _)) = &mut had {
                match self.file(name, entry, record.kind) {
                    Ok(code) => record.code = Some(code),
                    Err(error) => had = Err(error),
                }
            }
            match had {
                Ok((record, found)) => {
                    run.doubts = 0;
                    run.summary.by_marks += usize::from(found == FoundIn::Marks);
                    run.record(record.natural_key(), MinedRecord::Version(Box::new(record)));
                }
                Err(error) => {
                    run.trouble(PageAsk::Version(name.clone(), entry.clone()).item(), error)?;
                }
            }
            if run.summary.stopped {
                return Ok(());
            }
        }
        run.record(format!("notebook {name}"), MinedRecord::Notebook(page.record));
        Ok(())
    }
}
