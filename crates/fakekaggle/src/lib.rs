//! x
mod moment;
mod random;
mod source;
mod world;
pub use moment::Moment;
pub use source::{Outputs, source};
pub use world::*;
