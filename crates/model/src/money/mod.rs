//! What tokens cost: prices by date, estimates.

mod estimate;
mod price;
mod study;
mod table;

pub use estimate::{CACHED_SHARE, Estimate, Expectation, OUTPUT_PER_FIX, estimate};
pub use price::{LongContext, Price, Rates};
pub use study::{FIXES_PER_NOTEBOOK, StudyEstimate, StudyExpectation, estimate_study};
pub use table::{PriceError, Prices};
