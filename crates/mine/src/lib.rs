//! Brings notebooks in: the Kaggle API, a folder, a git repository. Every raw answer is kept; every record names the
//! bytes that it was read from.

pub mod api;
pub mod budget;
mod content;
pub mod folder;
pub mod git;
pub mod list;
pub mod raw;
pub mod records;
pub mod secret;

pub use content::{LocalSettings, LocalTrouble};

#[cfg(test)]
mod testing;
