//! What is told of a run over a source, while it goes on.

use std::ops::ControlFlow;
use std::sync::Arc;

use nbrevive_mine::LocalTrouble;
use nbrevive_mine::api::ApiEvent;
use nbrevive_mine::browser::BrowserEvent;
use nbrevive_mine::github::{HubEvent, HubSummary};
use nbrevive_mine::metakaggle::DumpSummary;
use nbrevive_mine::raw::{Progress as Counts, RawStore};
use nbrevive_mine::records::MiningSource;
use nbrevive_shown::{Shown, shown};
use nbrevive_study::{Mining, MiningEvent, MiningListener};

use super::progress::Progress;
use crate::commands::interrupt::Interrupt;
use crate::printer;

/// Files of a repository that are told one by one at most.
const MOST_TOLD: usize = 20;

/// Tells of one run, until Ctrl-C ends it.
pub(super) struct Screen<'a> {
    raw: Arc<RawStore>,
    interrupt: &'a Interrupt,
    /// There while items are counted.
    progress: Option<Progress>,
}

impl<'a> Screen<'a> {
    pub(super) fn new(mining: &Mining, interrupt: &'a Interrupt) -> Self {
        Self { raw: Arc::clone(&mining.raw), interrupt, progress: None }
    }

    /// Says something without disturbing the bar.
    fn note(&self, text: &Shown) {
        match &self.progress {
            Some(progress) => progress.note(text),
            None => printer::note(text),
        }
    }

    fn update(&mut self, counts: Counts) {
        if let Some(progress) = &mut self.progress {
            progress.update(counts);
        }
    }

    fn api(&mut self, event: &ApiEvent) {
        match event {
            ApiEvent::Record(_) => {}
            ApiEvent::Listed(listing) => {
                let count = listing.notebooks.len();
                let more = if listing.complete { "" } else { ", perhaps more that no list shows" };
                self.note(&shown!("{}: {} notebooks{}", listing.competition, count, more));
                for refused in &listing.refused {
                    self.note(&shown!("{}: left out: {}", listing.competition, refused.why));
                }
            }
            ApiEvent::Trouble(trouble) => self.note(&shown!("{}: {}", trouble.item, trouble.error)),
            ApiEvent::Progress(counts) => self.update(*counts),
        }
    }

    fn pages(&mut self, event: &BrowserEvent) {
        match event {
            BrowserEvent::Record(_) => {}
            BrowserEvent::Trouble(trouble) => self.note(&shown!("{}: {}", trouble.item, trouble.error)),
            BrowserEvent::Progress(counts) => self.update(*counts),
        }
    }

    fn hub(&mut self, event: &HubEvent) {
        match event {
            HubEvent::Record(_) => {}
            HubEvent::Searched(found) => {
                let counts = shown!("{} of {} repositories drawn", found.drawn, found.total);
                let slices = shown!("{} slices, {} results beyond them", found.slices, found.beyond);
                let hurried = shown!("{} slices for which the host had no time", found.incomplete);
                self.note(&shown!("github: {}: {}; {}, {}", found.tier, counts, slices, hurried));
            }
            HubEvent::LeftOut { repository, files } => tell_left_out(&shown!("github {}", repository), files),
            HubEvent::Trouble { repository, error } => self.note(&shown!("{}: {}", repository, error)),
            HubEvent::Progress(counts) => self.update(*counts),
        }
    }
}

impl MiningListener for Screen<'_> {
    fn hear(&mut self, event: MiningEvent<'_>) {
        match event {
            MiningEvent::Odd(warning) => printer::note(&shown!("warning: {}", warning)),
            MiningEvent::Asking(MiningSource::Browser, site) => {
                printer::note(&shown!("browser: reading pages of {}", site));
            }
            MiningEvent::Asking(source, address) => printer::note(&shown!("{}: asking {}", source, address)),
            MiningEvent::Begins(what) => self.progress = Some(Progress::new(Arc::clone(&self.raw), what)),
            MiningEvent::Api(event) => self.api(event),
            MiningEvent::Pages(event) => self.pages(event),
            MiningEvent::Hub(event) => self.hub(event),
            MiningEvent::Ends(source) => {
                if let Some(progress) = self.progress.take() {
                    progress.finish(source.as_str());
                }
            }
            MiningEvent::ByMarks(count) => {
                printer::note(&shown!("{} versions were read by the marks on their pages alone", count));
            }
            MiningEvent::Double(listed) => {
                printer::note(&shown!("github: {} stands in {} lines", listed.address.name, listed.lines.len()));
            }
            MiningEvent::HubEnds(summary) => tell_hub(summary),
            MiningEvent::Gap(gap) => printer::note(&shown!("meta-kaggle: {}", gap)),
            MiningEvent::DumpEnds(summary) => tell_dump(summary),
            MiningEvent::Place { source, path, notebooks, left_out } => {
                printer::note(&shown!("{} {}: {} notebooks", source, path.display(), notebooks));
                for trouble in left_out {
                    printer::note(&shown!("{} {}: left out: {}", source, path.display(), trouble));
                }
            }
            MiningEvent::Whole { source, name, record, left_out } => {
                let (notebooks, files, mebibytes) = (record.notebooks, record.files, record.bytes >> 20);
                let told = shown!("{} notebooks among {} files of {} MiB", notebooks, files, mebibytes);
                let name = shown!("{} {}", source, name.as_str());
                printer::note(&shown!("{}: {}", name, told));
                tell_left_out(&name, left_out);
            }
            MiningEvent::PlaceFails(source, error) => printer::error(&shown!("{}: {}", source, error)),
        }
    }

    fn flow(&self) -> ControlFlow<()> {
        self.interrupt.flow()
    }
}

fn tell_hub(summary: &HubSummary) {
    for (state, count) in &summary.states {
        printer::note(&shown!("github: {:>6} {}", count, state));
    }
    printer::note(&shown!("github: {} notebooks, {} different ones", summary.notebooks, summary.distinct));
}

fn tell_dump(summary: &DumpSummary) {
    for line in summary.to_string().lines() {
        printer::note(&shown!("meta-kaggle: {}", line));
    }
    for trouble in &summary.troubles {
        printer::note(&shown!("meta-kaggle: no code: {}", trouble));
    }
}

/// Says what was left out of a repository.
pub(super) fn tell_left_out(of: &Shown, troubles: &[LocalTrouble]) {
    for trouble in troubles.iter().take(MOST_TOLD) {
        printer::note(&shown!("{}: left out: {}", of, trouble));
    }
    if troubles.len() > MOST_TOLD {
        printer::note(&shown!("{}: left out: {} more", of, troubles.len() - MOST_TOLD));
    }
}
