//! Meta Kaggle: the official dump, and the code beside it. Competitions, notebooks and versions with
//! score, run time, language, data sources, image and date, without a request.
//!
//! The tables are CSV files of up to several gigabytes. They are scanned in pieces on several threads, and a scan keeps the
//! wanted columns of the wanted rows alone: the study's competitions decide on the versions, the versions on the notebooks,
//! the notebooks on the users. What is left is small.
//!
//! What the dump does not tell stays unknown: how a run ended above all. References that lead nowhere are counted, by
//! reason; rows that cannot be read are counted, and the first few named by their lines.
//!
//! | file | purpose |
//! |---|---|
//! | `dump.rs`, `tables.rs`, `file.rs` | the folder: which files and columns are there, packed or not |
//! | `pieces.rs`, `scan.rs`, `values.rs` | reads a table |
//! | `ids.rs`, `lookups.rs`, `scores.rs`, `copies.rs` | the parts of joins |
//! | `facts.rs` | facts of all versions for the funnel |
//! | `mine.rs`, `names.rs`, `hashes.rs` | records of the wanted versions |
//! | `code.rs` | Meta Kaggle Code |
//! | `plan.rs` | what is wanted |
//! | `summary.rs`, `error.rs` | what was left out, what can go wrong |

mod code;
mod copies;
mod dump;
mod error;
mod facts;
mod file;
mod hashes;
mod ids;
mod lookups;
mod mine;
mod names;
mod pieces;
mod plan;
mod scan;
mod scores;
mod summary;
mod tables;
mod values;

pub use code::{Code, CodeFolder};
pub use dump::{Dump, Gap};
pub use error::DumpError;
pub use facts::Facts;
pub use plan::{DumpPlan, DumpScope};
pub use scan::{BadRow, BadRows};
pub use scores::ScoreChoice;
pub use summary::{DroppedRows, DumpSummary};
pub use tables::DumpTable;
