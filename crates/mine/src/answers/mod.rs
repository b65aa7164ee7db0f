//! One way to an answer, whoever is asked: what is kept counts first, a failure that time may cure is tried again, and a
//! body comes into the raw store piece by piece.
//!
//! | file | purpose |
//! |---|---|
//! | `kept.rs` | what the kept answers settle |
//! | `tries.rs` | one try after another |
//! | `body.rs` | the body of an answer |

mod body;
mod kept;
mod tries;

pub(crate) use body::{BodyLimits, Torn, keep, stream};
pub(crate) use kept::{Kept, Settled};
pub(crate) use tries::{Failure, Hold, Tried, persist};
