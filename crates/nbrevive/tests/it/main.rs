//! The real program from end to end, as people call it.

mod bad_input;
mod before;
mod chaos;
mod check;
mod crashes;
mod dataset;
mod diagnose;
mod doors;
mod export_kills;
mod flaky;
mod floors;
mod golden;
mod grade;
mod mine;
mod model;
mod names;
mod order;
mod outputs;
mod plan;
mod repositories;
mod resume;
mod rules;
mod support;
mod synthetic;
mod tools;
mod zero_targets;
