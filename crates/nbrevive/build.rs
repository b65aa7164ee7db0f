//! Gives the program the revision that it was built from, so that every stored row can bear it.

use std::process::Command;

fn main() {
    let git = |arguments: &[&str]| {
        let output = Command::new("git").args(arguments).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    let revision = git(&["rev-parse", "--short=12", "HEAD"]).filter(|text| !text.is_empty());
    println!("cargo::rustc-env=NBREVIVE_REVISION={}", revision.unwrap_or_else(|| "unknown".to_owned()));
    if let Some(folder) = git(&["rev-parse", "--absolute-git-dir"]) {
        println!("cargo::rerun-if-changed={folder}/HEAD");
        println!("cargo::rerun-if-changed={folder}/refs/heads");
    }
    println!("cargo::rerun-if-changed=build.rs");
}
