//! Brings notebooks in: the Kaggle API, a folder, a git repository. Every raw answer is kept; every record names the
//! bytes that it was read from.

pub mod api;
pub mod budget;
pub mod raw;
pub mod records;
pub mod secret;

#[cfg(test)]
mod testing;
