//! Dumps of small worlds, and hands that rearrange and damage them.

pub(crate) mod truth;

use std::collections::BTreeMap;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;

use nbrevive_fakekaggle::{DumpOptions, FakeWorld, WorldSpec, write_dump};
use nbrevive_mine::metakaggle::{CodeFolder, Dump, DumpError, DumpPlan, DumpSummary, DumpTable};
use nbrevive_mine::raw::{ContentHash, RawStore};
use nbrevive_mine::records::{CompetitionRecord, MinedRecord, MiningSource, NotebookRecord, Origin, VersionRecord};

/// A world that is dumped in a moment.
pub(crate) fn spec() -> WorldSpec {
    WorldSpec { seed: 11, kernels: 300, competitions: 6, users: 40 }
}

/// A world and its dump.
pub(crate) fn dumped(spec: WorldSpec, options: DumpOptions) -> (FakeWorld, tempfile::TempDir) {
    let world = FakeWorld::new(spec);
    let folder = tempfile::tempdir().expect("a folder can be made");
    write_dump(&world, folder.path(), options).expect("the dump can be written");
    (world, folder)
}

/// The dump in a folder.
pub(crate) fn dump(folder: &Path) -> Dump {
    Dump::open(folder).expect("the dump is whole")
}

/// What a run brought, each record once.
#[derive(Debug, Default)]
pub(crate) struct Haul {
    pub(crate) versions: BTreeMap<u64, VersionRecord>,
    pub(crate) notebooks: BTreeMap<u64, NotebookRecord>,
    pub(crate) competitions: BTreeMap<String, CompetitionRecord>,
    pub(crate) summary: DumpSummary,
}

impl Haul {
    /// An origin that says nothing.
    pub(crate) fn origin(&self) -> Origin {
        Origin { source: MiningSource::MetaKaggle, request: String::new(), raw: ContentHash::of(b"") }
    }

    fn add(&mut self, record: MinedRecord) {
        match record {
            MinedRecord::Version(version) => {
                let id = version.id.expect("the dump tells ids");
                assert!(self.versions.insert(id, *version).is_none(), "{id} was told twice");
            }
            MinedRecord::Notebook(notebook) => {
                let id = notebook.id.expect("the dump tells ids");
                assert!(self.notebooks.insert(id, notebook).is_none(), "{id} was told twice");
            }
            MinedRecord::Competition(competition) => {
                self.competitions.insert(competition.slug.to_string(), competition);
            }
            other @ (MinedRecord::Leaderboard(_) | MinedRecord::Repository(_) | MinedRecord::Hosted(_)) => {
                panic!("nobody asked for that: {other:?}")
            }
        }
    }
}

/// Mines a dump without code.
pub(crate) fn mine(folder: &Path, plan: &DumpPlan) -> Haul {
    let raw = tempfile::tempdir().expect("a folder can be made");
    let store = RawStore::open(raw.path()).expect("the folder can be made");
    mine_with(folder, plan, &store, None).expect("the dump is whole")
}

/// Mines a dump.
pub(crate) fn mine_with(
    folder: &Path,
    plan: &DumpPlan,
    store: &RawStore,
    code: Option<&CodeFolder>,
) -> Result<Haul, DumpError> {
    let mut haul = Haul::default();
    haul.summary = dump(folder).mine(plan, store, code, &mut |record| {
        haul.add(record);
        ControlFlow::Continue(())
    })?;
    Ok(haul)
}

/// Rewrites a table.
pub(crate) fn edit(folder: &Path, table: DumpTable, change: impl FnOnce(&mut Vec<String>, &mut Vec<Vec<String>>)) {
    let path = folder.join(format!("{table}.csv"));
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_path(&path).expect("the table is there");
    let mut rows: Vec<Vec<String>> =
        reader.deserialize().collect::<Result<_, _>>().expect("the table is whole before it is changed");
    let mut header = rows.remove(0);
    change(&mut header, &mut rows);
    let mut writer = csv::Writer::from_path(&path).expect("the table can be written");
    for row in std::iter::once(&header).chain(&rows) {
        writer.write_record(row).expect("rows have one width");
    }
    writer.flush().expect("the table can be written");
}

/// The lines of a table whose rows are lines, header first; rows with line breaks in them are joined.
pub(crate) fn rows(path: &Path) -> Vec<Vec<u8>> {
    let text = std::fs::read(path).expect("the table is there");
    let mut rows: Vec<Vec<u8>> = Vec::new();
    for line in text.split(|byte| *byte == b'\n') {
        let quotes = |row: &Vec<u8>| row.iter().filter(|byte| **byte == b'"').count();
        match rows.last_mut().filter(|last| quotes(last) % 2 == 1) {
            Some(last) => {
                last.push(b'\n');
                last.extend(line);
            }
            None => rows.push(line.to_vec()),
        }
    }
    rows
}

/// Writes what [`rows`] gave.
pub(crate) fn write_rows(path: &Path, rows: &[Vec<u8>]) {
    std::fs::write(path, rows.join(&b'\n')).expect("the table can be written");
}

/// Packs a file as the site hands single files out.
pub(crate) fn pack_zip(path: &Path) {
    let name = path.file_name().and_then(|name| name.to_str()).expect("a name in ASCII");
    let file = std::fs::File::create(path.with_extension("csv.zip")).expect("the file can be made");
    let mut archive = zip::ZipWriter::new(file);
    archive.start_file(name, zip::write::SimpleFileOptions::default()).expect("an entry can be begun");
    archive.write_all(&std::fs::read(path).expect("the table is there")).expect("the entry can be written");
    archive.finish().expect("the archive can be written");
    std::fs::remove_file(path).expect("the table can be removed");
}

/// Packs a file with gzip.
pub(crate) fn pack_gzip(path: &Path) {
    let file = std::fs::File::create(path.with_extension("csv.gz")).expect("the file can be made");
    let mut packed = flate2::write::GzEncoder::new(file, flate2::Compression::fast());
    packed.write_all(&std::fs::read(path).expect("the table is there")).expect("the file can be written");
    packed.finish().expect("the file can be written");
    std::fs::remove_file(path).expect("the table can be removed");
}
