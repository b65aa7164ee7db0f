//! One file a subcommand; what several of them need is in [`setting`] and [`single`].

pub(crate) mod audit;
pub(crate) mod competitions;
pub(crate) mod completions;
pub(crate) mod data;
pub(crate) mod date;
pub(crate) mod doctor;
pub(crate) mod environments;
pub(crate) mod execute;
pub(crate) mod export;
pub(crate) mod grade;
pub(crate) mod imports;
pub(crate) mod man;
pub(crate) mod mine;
mod model;
pub(crate) mod modernize;
pub(crate) mod plan;
pub(crate) mod report;
pub(crate) mod rules;
pub(crate) mod select;
mod setting;
mod single;
mod sources;
pub(crate) mod study_measure_targets;
pub(crate) mod study_prepare;
pub(crate) mod study_run;
pub(crate) mod synthetic;
pub(crate) mod tables;
