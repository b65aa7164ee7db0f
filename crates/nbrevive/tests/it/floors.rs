//! The floors of the house: lower crates know nothing of higher ones, and every crate stands in the table.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// Each crate's floor and the crates of this workspace that it may use. ARCHITECTURE.md shows the same table.
const FLOORS: &[(&str, u32, &[&str])] = &[
    ("notebook", 0, &["fuzz"]),
    ("stats", 0, &[]),
    ("files", 0, &[]),
    ("shown", 0, &[]),
    ("requests", 0, &[]),
    ("spelling", 0, &[]),
    ("loopback", 0, &[]),
    ("fuzz", 0, &[]),
    ("fakegithub", 0, &["loopback"]),
    ("fakekaggle", 0, &["loopback"]),
    ("fakemodel", 0, &["loopback"]),
    ("pysource", 1, &["notebook", "fuzz"]),
    ("model", 1, &["files", "requests", "fakemodel"]),
    ("capsule", 1, &["files"]),
    ("filter", 1, &["spelling"]),
    ("corpus", 1, &["files", "filter", "notebook", "spelling"]),
    ("grade", 1, &["files", "corpus", "fuzz"]),
    ("compare", 2, &["spelling", "notebook", "pysource", "fuzz"]),
    ("order", 2, &["shown", "spelling", "stats", "pysource"]),
    ("census", 2, &["spelling", "pysource"]),
    ("environment", 2, &["files", "spelling", "notebook", "requests", "pysource", "fuzz"]),
    ("sandbox", 2, &["files"]),
    ("mine", 2, &["files", "notebook", "pysource", "requests", "corpus", "fakegithub", "fakekaggle"]),
    ("mirror", 3, &["files", "capsule", "environment"]),
    ("execute", 3, &["files", "notebook", "corpus", "environment", "sandbox", "fuzz"]),
    ("rules", 3, &["files", "census", "notebook", "pysource", "corpus", "sandbox"]),
    ("diagnosis", 3, &["spelling", "notebook", "stats", "pysource", "fuzz"]),
    ("inputs", 3, &["spelling", "notebook", "pysource", "diagnosis", "execute", "fuzz"]),
    ("guard", 3, &["notebook", "pysource", "corpus", "rules"]),
    ("repair", 3, &["notebook", "stats", "pysource", "model", "corpus", "rules", "guard", "fuzz"]),
    ("retrace", 4, &["compare", "execute", "notebook", "order", "pysource", "spelling"]),
    ("store", 4, &["files", "pysource", "model", "corpus", "compare", "grade", "mine", "execute", "diagnosis"]),
    (
        "study",
        5,
        &[
            "files",
            "shown",
            "spelling",
            "loopback",
            "notebook",
            "stats",
            "requests",
            "pysource",
            "inputs",
            "order",
            "retrace",
            "compare",
            "model",
            "capsule",
            "filter",
            "corpus",
            "grade",
            "environment",
            "sandbox",
            "mine",
            "mirror",
            "execute",
            "rules",
            "diagnosis",
            "guard",
            "repair",
            "store",
        ],
    ),
    ("report", 5, &["files", "filter", "shown", "notebook", "pysource", "compare", "stats", "corpus", "diagnosis"]),
    (
        "nbrevive",
        6,
        &[
            "files",
            "census",
            "shown",
            "notebook",
            "stats",
            "fakegithub",
            "fakekaggle",
            "fakemodel",
            "pysource",
            "inputs",
            "order",
            "retrace",
            "compare",
            "model",
            "capsule",
            "filter",
            "corpus",
            "grade",
            "environment",
            "mirror",
            "sandbox",
            "mine",
            "execute",
            "rules",
            "diagnosis",
            "guard",
            "repair",
            "store",
            "study",
            "report",
        ],
    ),
];

/// The workspace's crates and what each uses of the others, as cargo sees them (dev-dependencies included).
fn imports() -> BTreeMap<String, Vec<String>> {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../Cargo.toml");
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline", "--manifest-path"])
        .arg(manifest)
        .output()
        .expect("cargo runs");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo metadata prints JSON");
    let packages = metadata["packages"].as_array().expect("metadata lists packages");
    packages.iter().map(|package| (short(&package["name"]), dependencies(package))).collect()
}

fn dependencies(package: &Value) -> Vec<String> {
    let all = package["dependencies"].as_array().expect("a package lists dependencies");
    all.iter()
        .filter(|dependency| dependency["path"].is_string())
        .map(|dependency| short(&dependency["name"]))
        .collect()
}

fn short(name: &Value) -> String {
    let name = name.as_str().expect("names are text");
    name.strip_prefix("nbrevive-").unwrap_or(name).to_owned()
}

#[test]
fn every_crate_has_a_floor() {
    let known: Vec<&str> = FLOORS.iter().map(|(name, ..)| *name).collect();
    for name in imports().keys() {
        assert!(
            known.contains(&name.as_str()),
            "crate `{name}` has no floor: add it to the table and to ARCHITECTURE.md"
        );
    }
}

#[test]
fn no_crate_imports_upward() {
    let floor: BTreeMap<&str, u32> = FLOORS.iter().map(|(name, floor, _)| (*name, *floor)).collect();
    let imports = imports();
    for (name, own_floor, allowed) in FLOORS {
        let imported = imports.get(*name).map_or(&[][..], Vec::as_slice);
        for used in imported {
            assert!(allowed.contains(&used.as_str()), "crate `{name}` uses `{used}`, which its floor does not allow");
            assert!(floor[used.as_str()] <= *own_floor, "crate `{name}` imports upward: `{used}`");
        }
        let idle: Vec<_> = allowed.iter().filter(|one| !imported.iter().any(|used| used == *one)).collect();
        assert!(idle.is_empty(), "crate `{name}` does not use what the table allows it: {idle:?}");
    }
}

#[test]
fn the_architecture_page_has_one_sentence_for_each_crate() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../ARCHITECTURE.md");
    let page = std::fs::read_to_string(page).expect("ARCHITECTURE.md is there");
    for name in imports().keys() {
        assert!(page.contains(&format!("| `{name}` |")), "ARCHITECTURE.md has no row for crate `{name}`");
    }
}
