//! One file a subcommand; what several of them need is in [`setting`] and [`single`].

pub(crate) mod doctor;
pub(crate) mod execute;
pub(crate) mod export;
pub(crate) mod modernize;
mod setting;
mod single;
pub(crate) mod study_measure_targets;
pub(crate) mod study_prepare;
pub(crate) mod study_run;
pub(crate) mod tables;
