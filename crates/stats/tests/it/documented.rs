//! `docs/statistics.md` has a row for every function that the crate offers, and for no other.

use std::collections::BTreeSet;

fn read(path: &str) -> String {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn the_table_of_functions_is_complete() {
    let source = read("src/lib.rs");
    let exports = source.lines().filter(|line| line.starts_with("pub use "));
    let names = exports.flat_map(|line| line.split(|c: char| !(c.is_alphanumeric() || c == '_')).skip(3));
    // Functions begin in lower case, types do not.
    let offered: BTreeSet<&str> = names.filter(|name| name.starts_with(|c: char| c.is_lowercase())).collect();
    let page = read("../../docs/statistics.md");
    let rows: Vec<&str> = page.lines().filter(|line| line.starts_with("| `")).collect();
    let documented: BTreeSet<&str> = rows.iter().filter_map(|row| row.split('`').nth(1)).collect();
    assert_eq!(documented, offered);
    for row in rows {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").collect();
        assert!(cells.len() == 7 && cells.iter().all(|cell| !cell.trim().is_empty()), "{row}");
    }
}
