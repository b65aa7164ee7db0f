//! Environments in which a study runs notebooks: of a date, of today, with what a notebook installs for itself.

pub(crate) mod files_beside;
pub(crate) mod installs;
mod learnt;
pub(crate) mod of_date;
pub(crate) mod of_repository;
pub(crate) mod of_today;
pub(crate) mod snapshot;
pub(crate) mod surroundings;
