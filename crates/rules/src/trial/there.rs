//! Which names an environment has.

use std::collections::BTreeSet;
use std::time::Duration;

use serde::Serialize;

use crate::trial::stack::{SandboxScript, Stack, StackError};

const NAMES: SandboxScript =
    SandboxScript { name: "names_there.py", text: include_str!("../../data/names_there.py"), result: "there.txt" };
/// What all names together may take: large libraries are imported from a cold disk.
const MOST_TIME: Duration = Duration::from_secs(1800);

#[derive(Serialize)]
struct Task<'a> {
    names: &'a BTreeSet<&'a str>,
}

impl Stack {
    /// Those of some dotted names that can be imported there, or read as attributes; of `a.b.` whether it is a module, of `a.b(c)` whether
    /// it takes that keyword, of `a.b(c=word)` whether it lists that word.
    ///
    /// # Errors
    /// When the sandbox cannot be started or ends early.
    pub fn names_there(&self, names: &BTreeSet<&str>) -> Result<BTreeSet<String>, StackError> {
        let text = self.script(&NAMES, &Task { names }, MOST_TIME)?;
        // Whatever else stands there was written by a library.
        Ok(text.lines().filter(|line| names.contains(line)).map(str::to_owned).collect())
    }
}
