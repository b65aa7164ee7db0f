//! What every job of a run needs.

use std::collections::BTreeMap;
use std::sync::Arc;

use nbrevive_grade::Grader;

use crate::Study;
use crate::conditions::asking_model::Asking;
use crate::laboratory::{Laboratory, Prepared};

/// What every job of a run needs.
#[derive(Debug)]
pub struct Setup<'a> {
    /// The study.
    pub study: &'a Study,
    /// Sandbox and environments.
    pub laboratory: &'a Laboratory,
    /// Today's environment.
    pub baseline: Arc<Prepared>,
    /// The grader of each competition, by its id.
    pub graders: BTreeMap<String, Arc<Grader>>,
    /// The model that is asked for what the rules leave, where there is one.
    pub model: Option<Asking>,
}
