//! Names the rules by the content of their sources.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::path::{Path, PathBuf};

fn main() {
    let mut files = Vec::new();
    collect(Path::new("src/rules"), &mut files);
    files.sort();
    let mut hasher = DefaultHasher::new();
    for file in files {
        let text = std::fs::read(&file).unwrap_or_default();
        (file, text).hash(&mut hasher);
    }
    println!("cargo::rustc-env=NBREVIVE_RULES_REVISION={:016x}", hasher.finish());
    println!("cargo::rerun-if-changed=src/rules");
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        // What tries the rules changes nothing that they do.
        if path.file_name().is_some_and(|name| name == "trial") {
            continue;
        }
        if path.is_dir() {
            collect(&path, files);
        } else {
            files.push(path);
        }
    }
}
