//! The rows that the program carries along: a block of text for each library, unpacked when the library is first asked for.
//!
//! The file begins with a line `library offset length` for each block, and an empty line. A block is zstd; in it stands one row a line,
//! its fields between tabs, sorted by name.

use std::collections::{BTreeMap, HashSet};
use std::io::Read as _;
use std::sync::OnceLock;

use crate::library::{LIBRARIES, library_of};
use crate::row::{ApiCertainty, ApiRow, ApiRowKind};

/// What `nbrevive changes build` wrote, of all libraries.
static PACKED: &[u8] = include_bytes!("../data/changes.bin");
/// Names that were there before their releases' text showed them, as environments of a time say: what C code makes, or a loop. Of
/// `scripts/there-before`, sorted.
static THERE_BEFORE: &str = include_str!("../data/there-before.txt");
/// Longest block, unpacked, in bytes.
const LONGEST_BLOCK: u64 = 256 << 20;
/// Longest text of a row that is carried along, in bytes.
const LONGEST_TEXT: usize = 120;

/// The rows of the libraries.
#[derive(Debug)]
pub struct ApiChanges {
    packed: &'static [u8],
    /// Where the block of each library lies, and what was unpacked of it.
    blocks: BTreeMap<&'static str, (usize, usize, OnceLock<String>)>,
}

impl ApiChanges {
    /// The rows that the program carries along.
    #[must_use]
    pub fn get() -> &'static Self {
        static CHANGES: OnceLock<ApiChanges> = OnceLock::new();
        CHANGES.get_or_init(|| Self::of(PACKED))
    }

    fn of(packed: &'static [u8]) -> Self {
        let head = packed.windows(2).position(|two| two == b"\n\n").unwrap_or(0);
        let lines = packed.get(..head).and_then(|head| std::str::from_utf8(head).ok()).unwrap_or_default();
        let blocks = lines.lines().filter_map(|line| {
            let mut fields = line.split(' ');
            let library = fields.next()?;
            let (offset, length): (usize, usize) = (fields.next()?.parse().ok()?, fields.next()?.parse().ok()?);
            Some((library, (head + 2 + offset, length, OnceLock::new())))
        });
        Self { packed, blocks: blocks.collect() }
    }

    /// The libraries that have rows.
    pub fn libraries(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.blocks.keys().copied()
    }

    fn block(&self, library: &str) -> &str {
        let Some((offset, length, text)) = self.blocks.get(library) else { return "" };
        text.get_or_init(|| {
            let block = self.packed.get(*offset..offset + length).unwrap_or_default();
            let mut text = String::new();
            let read = zstd::Decoder::new(block).map(|unpacked| unpacked.take(LONGEST_BLOCK).read_to_string(&mut text));
            if matches!(read, Ok(Ok(_))) { text } else { String::new() }
        })
    }

    /// All rows of a library.
    pub fn rows(&self, library: &str) -> impl Iterator<Item = ApiRow> + '_ {
        let library = library.to_owned();
        self.block(&library).lines().filter_map(move |line| read(&library, line))
    }

    /// The rows of a name as users spell it, in the order of releases; empty for names of which nothing changed.
    #[must_use]
    pub fn of_name(&self, name: &str) -> Vec<ApiRow> {
        let rows = self.spelled(name);
        match name.strip_prefix("pylab.") {
            // What it hands on is told where it comes from.
            Some(rest) if rows.is_empty() => self.spelled(&format!("matplotlib.pyplot.{rest}")),
            _ => rows,
        }
    }

    fn spelled(&self, name: &str) -> Vec<ApiRow> {
        let Some(library) = name.split('.').next().and_then(library_of) else { return Vec::new() };
        let block = self.block(library.name);
        let mut rows = Vec::new();
        let mut at = first_of(block, name);
        while let Some(line) = block.get(at..).and_then(|rest| rest.lines().next()) {
            match line.strip_prefix(name).filter(|rest| rest.starts_with('\t')) {
                Some(_) => rows.extend(read(library.name, line)),
                None => break,
            }
            at += line.len() + 1;
        }
        rows.sort_by(|one, other| one.first_day.cmp(&other.first_day));
        rows
    }
}

/// The place of the first line of a name, or where it would stand.
fn first_of(block: &str, name: &str) -> usize {
    let (mut low, mut high) = (0, block.len());
    let key = |line: &str| line.split('\t').next().unwrap_or_default().to_owned();
    while low < high {
        let middle = block.floor_char_boundary(low + (high - low) / 2);
        let start = block.get(..middle).and_then(|head| head.rfind('\n')).map_or(0, |at| at + 1);
        let line = block.get(start..).and_then(|rest| rest.lines().next()).unwrap_or_default();
        if key(line).as_str() < name {
            low = (start + line.len() + 1).max(low + 1);
        } else {
            high = start;
        }
    }
    low
}

fn read(library: &str, line: &str) -> Option<ApiRow> {
    let mut fields = line.split('\t');
    let mut next = || fields.next().map(str::to_owned);
    Some(ApiRow {
        library: library.to_owned(),
        name: next()?,
        kind: next()?.parse::<usize>().ok().and_then(|at| ApiRowKind::ALL.get(at)).copied()?,
        parameter: next()?,
        word: next()?,
        last_with: next()?,
        last_day: next()?,
        first_without: next()?,
        first_day: next()?,
        successor: next()?,
        evidence: next()?,
        certainty: next()?.parse::<usize>().ok().and_then(|at| ApiCertainty::ALL.get(at)).copied()?,
        text: next()?,
    })
}

/// Packs rows as the program carries them along: without defaults, and without what nobody can be sure of or is known to be wrong.
#[must_use]
pub fn packed(rows: &[ApiRow]) -> Vec<u8> {
    let (mut head, mut blocks) = (String::new(), Vec::new());
    let there_before: HashSet<&str> = THERE_BEFORE.lines().collect();
    let is_carried = |row: &ApiRow| {
        let is_wrong = row.kind == ApiRowKind::Added && there_before.contains(row.name.as_str());
        row.kind != ApiRowKind::DefaultChanged && row.certainty != ApiCertainty::Unsure && !is_wrong
    };
    for library in LIBRARIES {
        let mut lines: Vec<String> =
            rows.iter().filter(|row| row.library == library.name && is_carried(row)).map(line).collect();
        if lines.is_empty() {
            continue;
        }
        // By name alone, whatever stands behind its tab.
        lines.sort_by(|one, other| one.split('\t').next().cmp(&other.split('\t').next()).then_with(|| one.cmp(other)));
        let block = zstd::encode_all(lines.concat().as_bytes(), 19).unwrap_or_default();
        head.push_str(&format!("{} {} {}\n", library.name, blocks.len(), block.len()));
        blocks.extend(block);
    }
    [head.as_bytes(), b"\n", &blocks].concat()
}

fn line(row: &ApiRow) -> String {
    let at = |found: Option<usize>| found.unwrap_or_default().to_string();
    let text = row.text.get(..row.text.floor_char_boundary(LONGEST_TEXT)).unwrap_or_default();
    let fields = [
        row.name.clone(),
        at(ApiRowKind::ALL.iter().position(|kind| *kind == row.kind)),
        row.parameter.clone(),
        row.word.clone(),
        row.last_with.clone(),
        row.last_day.clone(),
        row.first_without.clone(),
        row.first_day.clone(),
        row.successor.clone(),
        row.evidence.clone(),
        at(ApiCertainty::ALL.iter().position(|certainty| *certainty == row.certainty)),
        text.to_owned(),
    ];
    let plain = |field: &String| field.replace(['\t', '\n', '\r'], " ");
    fields.iter().map(plain).collect::<Vec<_>>().join("\t") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(name: &str, parameter: &str) -> ApiRow {
        ApiRow {
            library: "pandas".into(),
            name: name.into(),
            kind: ApiRowKind::Removed,
            parameter: parameter.into(),
            word: "a\tb".into(),
            last_with: "1.5.3".into(),
            last_day: "2023-01-19".into(),
            first_without: "2.0.3".into(),
            first_day: "2023-04-03".into(),
            text: "é".repeat(100),
            successor: String::new(),
            evidence: String::new(),
            certainty: ApiCertainty::Certain,
        }
    }

    #[test]
    fn rows_are_found_by_name_among_neighbours() {
        let names = ["pandas.A", "pandas.A.b", "pandas.A_b", "pandas.AB", "pandas.b", "pandas.b.c"];
        let rows: Vec<ApiRow> = names.iter().flat_map(|name| [row(name, "x"), row(name, "y")]).collect();
        let changes = ApiChanges::of(packed(&rows).leak());
        assert_eq!(changes.libraries().collect::<Vec<_>>(), ["pandas"]);
        for name in names {
            let found = changes.of_name(name);
            assert_eq!(found.len(), 2, "{name}");
            assert!(found.iter().all(|row| row.name == name && row.word == "a b"));
        }
        for other in ["pandas", "pandas.A.c", "pandas.zz", "other.A", ""] {
            assert!(changes.of_name(other).is_empty(), "{other}");
        }
        assert!(ApiChanges::of(b"rubbish").of_name("pandas.A").is_empty());
        assert!(ApiChanges::of(b"pandas 0 99999\n\nx").of_name("pandas.A").is_empty());
    }

    #[test]
    fn nothing_came_that_was_there_before() {
        for name in THERE_BEFORE.lines() {
            let rows = ApiChanges::get().of_name(name);
            assert!(rows.iter().all(|row| row.kind != ApiRowKind::Added), "{name}");
        }
    }

    #[test]
    fn the_program_carries_rows_along() {
        let gone = ApiChanges::get().of_name("pandas.DataFrame.append");
        assert!(gone.iter().any(ApiRow::is_loss), "{gone:?}");
    }
}
