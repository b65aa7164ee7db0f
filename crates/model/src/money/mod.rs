//! What tokens cost: amounts, prices by date, estimates.

mod amount;
mod estimate;
mod price;
mod table;

pub use amount::Money;
pub use estimate::{CACHED_SHARE, Estimate, Expectation, OUTPUT_PER_FIX, estimate};
pub use price::{LongContext, Price, Rates};
pub use table::{PriceError, Prices};
