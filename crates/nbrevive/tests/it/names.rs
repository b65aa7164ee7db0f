//! Public types have names of their own in the whole workspace, so that who searches for one finds one.

use std::collections::BTreeMap;
use std::path::Path;

use crate::sources::{walk, without_tests};

/// The files in which each name is that of a public type, without what is compiled for tests alone.
fn public_types() -> BTreeMap<String, Vec<String>> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("crates lie in a folder");
    let mut found: BTreeMap<String, Vec<String>> = BTreeMap::new();
    walk(crates, &mut |path, text| {
        let path = path.strip_prefix(crates).expect("it is below");
        if path.components().any(|part| ["tests", "examples", "benches"].iter().any(|name| part.as_os_str() == *name)) {
            return;
        }
        for name in without_tests(text).0.iter().filter_map(|line| type_name(line)) {
            found.entry(name.to_owned()).or_default().push(path.display().to_string());
        }
    });
    found
}

/// The name of the type that a line makes public.
fn type_name(line: &str) -> Option<&str> {
    let (kind, rest) = line.trim_start().strip_prefix("pub ")?.split_once(' ')?;
    let end = rest.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(rest.len());
    // Macros have `$name` there.
    (end > 0 && ["struct", "enum", "trait", "type", "union"].contains(&kind)).then_some(&rest[..end])
}

#[test]
fn no_two_public_types_have_one_name() {
    let types = public_types();
    assert!(types.len() > 500, "only {} types were found", types.len());
    let doubled: Vec<_> = types.iter().filter(|(_, files)| files.len() > 1).collect();
    assert!(doubled.is_empty(), "these names are taken: {doubled:#?}");
}

#[test]
fn a_public_type_is_told_from_what_only_looks_like_one() {
    assert_eq!(type_name("pub struct Seat<'a> {"), Some("Seat"));
    assert_eq!(type_name("    pub enum Stop (\"stop\") {"), Some("Stop"));
    assert_eq!(type_name("pub type Bytes = Vec<u8>;"), Some("Bytes"));
    assert_eq!(type_name("pub(crate) struct Hidden;"), None);
    assert_eq!(type_name("pub fn structure() {}"), None);
    assert_eq!(type_name("/// pub struct Said"), None);
    assert_eq!(type_name("        pub enum $name {"), None);
}
