//! Saved outputs beside new ones: how far each cell agrees, where it first differs, and what in its code could make it differ.

mod agreement;
mod difference;
mod normal;
mod output;
mod picture;
mod table;
mod text;

pub use agreement::{Agreement, Incomparable};
pub use difference::{DifferenceKind, FirstDifference, PathStep};
pub use normal::{NORMAL_RULES, NormalRule};
pub use output::{CellComparison, Comparison};
pub use picture::{PictureError, picture_difference, picture_similarity};
pub use text::Tolerance;
