//! Why notebooks fail: their saved errors, what lies behind them, and what their code says about it.
//!
//! Parts:
//! - [`code`]: what keeps code from running, found without running it.
//! - [`roots`]: from the errors of a run that goes on past them to those that they follow from.
//! - [`crash`]: saved errors as data, groups of alike ones, samples of them, and labels of cause, stage and kind.
//!
//! Nothing here runs a notebook or touches the disk.

pub mod code;
pub mod crash;
pub mod roots;
