//! What takes chance, time and places out of a run (Osiris, section 4.3.1: best-effort match).
//!
//! They are given by code of ours that the kernel runs before the first cell, and by variables of its environment. No package is needed for
//! it: a clock that stands for the code of cells alone, and moves when they sleep or look at it, is what no package has, and one that stood
//! for the kernel too would stop it.

use std::collections::BTreeSet;

use nbrevive_corpus::Antidote;
use serde::Serialize;
use serde_json::json;

use crate::settings::{Kernel, thread_variables};

const SCRIPT: &str = include_str!("../data/antidotes.py");
/// Version of what the antidotes do; raised when runs with the same ones may come out otherwise.
pub const ANTIDOTES_VERSION: u32 = 4;
/// The paper's seed.
const SEED: u32 = 100;
/// The paper's moment, 2019-01-01 00:00:00 UTC, in seconds since 1970.
const CLOCK: u64 = 1_546_300_800;

/// Those of one run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Antidotes(pub BTreeSet<Antidote>);

impl Antidotes {
    /// The paper's three.
    #[must_use]
    pub fn paper() -> Self {
        Antidotes(BTreeSet::from([Antidote::Seeds, Antidote::Clock, Antidote::Inline]))
    }

    /// All of them.
    #[must_use]
    pub fn all() -> Self {
        Antidotes(Antidote::ALL.iter().copied().collect())
    }

    /// The kernel with these. `run` tells runs of one notebook from each other: without an antidote for it, each has hashes of its own, as every
    /// start of Python has.
    #[must_use]
    pub fn given_to(&self, kernel: &Kernel, run: u32) -> Kernel {
        let mut kernel = kernel.clone();
        let has = |antidote| self.0.contains(&antidote);
        let hash_seed = if has(Antidote::HashSeed) { 0 } else { run };
        kernel.env.push(("PYTHONHASHSEED".to_owned(), hash_seed.to_string()));
        if has(Antidote::Threads) {
            kernel.env.extend(thread_variables(1));
        }
        let names: Vec<&str> = self.0.iter().map(|antidote| antidote.as_str()).collect();
        if !self.0.is_empty() {
            let settings = json!({ "antidotes": names, "seed": SEED, "clock": CLOCK });
            kernel.argv.push(run_first(SCRIPT, &settings));
        }
        kernel
    }
}

/// The argument by which a kernel runs a script before the first cell, in a namespace of its own. A text of JSON is one of Python too.
fn run_first(script: &str, settings: &serde_json::Value) -> String {
    let text = |text: &str| serde_json::Value::from(text).to_string();
    let names = format!(
        "{{'get_ipython': get_ipython, 'settings': __import__('json').loads({})}}",
        text(&settings.to_string())
    );
    format!("--IPKernelApp.code_to_run=exec({}, {names})", text(script))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kernel_is_given_what_is_asked_for() {
        let plain = Antidotes::default().given_to(&Kernel::default(), 3);
        assert_eq!((plain.argv.len(), plain.env), (0, vec![("PYTHONHASHSEED".to_owned(), "3".to_owned())]));
        let all = Antidotes::all().given_to(&Kernel::default(), 3);
        assert!(all.env.contains(&("PYTHONHASHSEED".to_owned(), "0".to_owned())));
        assert!(all.env.contains(&("OMP_NUM_THREADS".to_owned(), "1".to_owned())));
        assert!(!all.argv[0].contains('\n') && all.argv[0].contains("hash-seed"), "one line");
    }
}
