//! The tools' work: what they are given, and what they made of it.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use nbrevive_rules::trial::{SandboxScript, Stack, StackError};

/// Wall clock of the tools for all cells of a notebook.
const LIMIT: Duration = Duration::from_secs(120);

const SCRIPT: SandboxScript =
    SandboxScript { name: "run_tools.py", text: include_str!("../../data/run_tools.py"), result: "result.json" };

/// Cells for each tool.
#[derive(Debug, Serialize)]
pub(super) struct Work {
    pub(super) fissix: Vec<String>,
    pub(super) ruff: Vec<String>,
    /// Whether ruff may use names that only numpy 2 has.
    pub(super) r#unsafe: bool,
}

/// What became of the cells, in their order; `None` for one that a tool cannot read or leaves as it is.
#[derive(Debug, Deserialize)]
pub(super) struct Done {
    pub(super) fissix: Vec<Option<String>>,
    pub(super) ruff: Vec<Option<String>>,
}

impl Work {
    /// Lets the tools work, in the sandbox.
    pub(super) fn run(&self, stack: &Stack) -> Result<Done, StackError> {
        let text = stack.script(&SCRIPT, self, LIMIT)?;
        serde_json::from_str(&text).map_err(|error| StackError::Broke {
            how: "left no result that can be read".to_owned(),
            log: error.to_string(),
        })
    }
}
