//! x
mod api;
mod control;
mod faults;
mod internal;
mod listing;
mod meta;
mod moment;
mod pages;
mod random;
mod refusal;
mod route;
mod server;
mod site;
mod source;
#[cfg(test)]
mod testing;
mod world;

pub use faults::{Fault, RetryAfter, Rule, When};
pub use meta::{DumpError, DumpOptions, code_path, write_code, write_dump};
pub use moment::Moment;
pub use server::log::{LogEntry, busiest};
pub use server::{FakeKaggle, Settings, StartError, VersionLabels};
pub use site::Credentials;
pub use source::{Outputs, source};
pub use world::*;
