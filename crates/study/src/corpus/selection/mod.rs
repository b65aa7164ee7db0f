//! From what was mined to a corpus that can be run: the funnel over every version, then folders of notebooks with their targets.
//!
//! | file | purpose |
//! |---|---|
//! | `judge.rs` | every version through the funnel |
//! | `slug.rs` | names of versions in a corpus |
//! | `corpus.rs` | writes the folders, whole or not at all |
//! | `mark.rs` | which files of a folder are a selection's |
//! | `remove.rs` | takes versions out of a corpus again |

mod corpus;
mod judge;
mod mark;
mod remove;
mod slug;

pub use corpus::{CorpusError, write_corpus};
pub use judge::{Choice, JudgedVersion, Selection, SelectionError, Unusable, judge_mined};
pub use remove::remove_from_corpus;
