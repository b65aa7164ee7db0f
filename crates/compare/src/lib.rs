//! Saved outputs beside new ones: how far each cell agrees, where it first differs, and what in its code could make it differ.
//!
//! Parts:
//! - [`OutputComparer`] compares cells and notebooks; [`Agreement`] has the levels, [`FirstDifference`] the place that kept a cell from the next one;
//! - [`NORMAL_RULES`] are what the level `normalized` takes for the same, [`Tolerance`] says when numbers agree;
//! - [`picture_similarity`] and [`picture_difference`] are of pictures alone;
//! - [`ComparedNotebook`] has the scores, the paper's by [`is_unchanged_for_nbdime`];
//! - [`BroughtBack`] says in one word how much of what the author left a mended notebook shows again;
//! - [`shown_outputs`] and [`html_parts`] are what is compared, for who shows it;
//! - [`signs_of_paper`] and [`chance_signs`] read code for what makes runs differ. That they do differ, a comparison of two runs shows.
//!
//! Nothing here reads or writes files. Time and memory are bounded by the size of the outputs; of those that are too large, and differ,
//! only that is said.

mod agreement;
mod brought_back;
mod comparer;
mod difference;
mod document;
mod normal;
mod output;
mod picture;
mod score;
mod signs;
mod table;
mod text;

pub use agreement::{Agreement, Incomparable};
pub use brought_back::{BroughtBack, CLOSE, CameBack, CellBack, Claims, compare_values};
pub use comparer::OutputComparer;
pub use difference::{DifferenceKind, FirstDifference, PathStep};
pub use document::{ComparedCell, ComparedNotebook, OtherDocument};
pub use normal::{NORMAL_RULES, NormalRule, normal_text, settled_text};
pub use output::{CellComparison, ShownOutput, shown_outputs};
pub use picture::{PictureError, differing_squares, picture_difference, picture_similarity, picture_size};
pub use score::{CellShare, ScoreCategory, is_unchanged_for_nbdime};
pub use signs::{ChanceSign, FoundSign, chance_signs, chance_signs_in_any_order, signs_of_paper};
pub use table::{HtmlPart, HtmlTable, html_parts};
pub use text::Tolerance;

/// Version of what a comparison says of the same outputs: raised once for all changes between two releases, after which studies that judge
/// outputs compare again.
pub const COMPARISON_VERSION: u32 = 1;
