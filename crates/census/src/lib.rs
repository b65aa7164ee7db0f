//! What libraries took away: their public names, release by release, and where each one that is gone went.
//!
//! Everything is read, nothing executed: the Python text of a release ([`SourceFiles`]) becomes a surface of names as users spell them,
//! two releases that follow each other become rows ([`Census`], [`ApiRow`]).

/// Raised whenever the same releases are read otherwise: rows that were kept before are read anew then.
pub const CENSUS_VERSION: u32 = 3;

mod archive;
mod class;
mod deprecation;
mod difference;
mod docstring;
mod function;
mod hints;
mod lending;
mod lent;
mod library;
mod loops;
mod module;
mod module_path;
mod module_text;
mod pair;
mod parameters;
mod row;
mod spelled;
mod successor;
mod surface;
mod syntax;
mod table;
mod words;

pub use archive::{CensusArchiveError, SourceFiles, kept_bytes, of_kept_bytes};
pub use difference::{Census, LastRelease};
pub use function::default_text;
pub use lent::LentNames;
pub use library::{CensusLibrary, LIBRARIES, lender_of, library_of, modules_of};
pub use row::{ApiCertainty, ApiRow, ApiRowKind, CensusRelease};
pub use spelled::SpelledNames;
pub use table::{ApiChanges, packed};
