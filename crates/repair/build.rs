//! Names the rules and the loop by the content of their sources.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};

/// What decides which patches are executed, whoever proposes them.
const LOOP: &[&str] =
    &["src/answer", "src/answer.rs", "src/guard", "src/guard.rs", "src/states.rs", "src/turn.rs", "src/workflow.rs"];

fn main() {
    name("NBREVIVE_RULES_REVISION", &["src/rules"]);
    name("NBREVIVE_TOOLS_REVISION", &["data/run_tools.py", "data/tools.lock", "src/tools", "src/tools.rs"]);
    name("NBREVIVE_LOOP_REVISION", LOOP);
}

fn name(variable: &str, sources: &[&str]) {
    let mut files = Vec::new();
    for source in sources {
        collect(Path::new(source), &mut files);
        println!("cargo::rerun-if-changed={source}");
    }
    files.sort();
    let mut hasher = DefaultHasher::new();
    for file in files {
        let text = std::fs::read(&file).unwrap_or_default();
        (file, text).hash(&mut hasher);
    }
    println!("cargo::rustc-env={variable}={:016x}", hasher.finish());
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) {
    // What tries the rules, and tests, change nothing that they do.
    let is_left_out = |name: &std::ffi::OsStr| name == "trial" || name == "tests.rs";
    if path.file_name().is_some_and(is_left_out) {
        return;
    }
    if path.is_file() {
        files.push(path.to_owned());
    }
    for entry in std::fs::read_dir(path).into_iter().flatten().flatten() {
        collect(&entry.path(), files);
    }
}
