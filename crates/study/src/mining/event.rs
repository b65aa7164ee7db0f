//! What is heard of a run over a source.

use std::ops::ControlFlow;
use std::path::Path;

use nbrevive_mine::LocalTrouble;
use nbrevive_mine::api::ApiEvent;
use nbrevive_mine::browser::BrowserEvent;
use nbrevive_mine::github::{HubEvent, HubSummary, ListedHub};
use nbrevive_mine::metakaggle::{DumpSummary, Gap};
use nbrevive_mine::records::{LocalPath, MiningSource, RepositoryRecord};
use nbrevive_mine::secret::CredentialsWarning;

use crate::mining::error::MiningError;

/// What happens while a source is mined.
#[derive(Debug, Clone, Copy)]
pub enum MiningEvent<'a> {
    /// Something is odd about the credentials.
    Odd(&'a CredentialsWarning),
    /// A server is about to be asked, at an address.
    Asking(MiningSource, &'a str),
    /// From here on items are counted: which, in the plural.
    Begins(&'static str),
    /// The API tells something; a record among it is stored after this.
    Api(&'a ApiEvent),
    /// A page tells something; a record among it is stored after this.
    Pages(&'a BrowserEvent),
    /// GitHub tells something; a record among it is stored after this.
    Hub(&'a HubEvent),
    /// Nothing is counted any more.
    Ends(MiningSource),
    /// So many versions could be read by the marks on their pages alone.
    ByMarks(usize),
    /// A repository stands in several lines of the list.
    Double(&'a ListedHub),
    /// What became of the repositories of GitHub.
    HubEnds(&'a HubSummary),
    /// Something that the dump does not tell.
    Gap(&'a Gap),
    /// What became of the dump.
    DumpEnds(&'a DumpSummary),
    /// A folder or git repository was taken, notebook by notebook.
    Place {
        /// Which of both it is.
        source: MiningSource,
        /// Where it is.
        path: &'a Path,
        /// How many notebooks it has.
        notebooks: usize,
        /// What was left out of it.
        left_out: &'a [LocalTrouble],
    },
    /// A folder or git repository was taken whole.
    Whole {
        /// Which of both it is.
        source: MiningSource,
        /// Its name.
        name: &'a LocalPath,
        /// What is kept.
        record: &'a RepositoryRecord,
        /// What is not.
        left_out: &'a [LocalTrouble],
    },
    /// A folder or git repository cannot be taken, and is not the first such one, which the run ends with.
    PlaceFails(MiningSource, &'a MiningError),
}

/// Who hears of a run, and may end it.
pub trait MiningListener {
    /// Takes note of an event.
    fn hear(&mut self, event: MiningEvent<'_>);

    /// Whether the run goes on; asked after each event.
    fn flow(&self) -> ControlFlow<()>;
}

/// A listener who cannot end the run: half of what a source tells must not take the place of all that it told.
pub(crate) struct ToTheEnd<'a>(pub(crate) &'a mut dyn MiningListener);

impl MiningListener for ToTheEnd<'_> {
    fn hear(&mut self, event: MiningEvent<'_>) {
        self.0.hear(event);
    }

    fn flow(&self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// How the run over a source came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MiningEnd {
    /// Items that another run may bring.
    pub unsure: usize,
    /// Competitions whose rules are not accepted.
    pub rules: usize,
    /// Whether the listener ended it.
    pub is_stopped: bool,
}
