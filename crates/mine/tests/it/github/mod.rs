//! The miner against servers that behave like GitHub, on good days and on bad ones.

mod faults;
mod limits;
mod rows;
mod support;
