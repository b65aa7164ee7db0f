//! Whether an export wrote everything that a folder holds: only then may another one take its place.

use std::path::Path;

use nbrevive_corpus::{Condition, Outcome, file_sha256};
use nbrevive_files::{FileErrorKind, Folder, FolderEntry};

use super::card::{CardCounts, card};
use super::croissant::croissant;
use super::folder::DatasetFolderError;
use super::manifest::{LONGEST, Manifest};
use super::{CARD, CROISSANT, MANIFEST};

/// The longest card or metadata of an older program that is compared: ours have some kilobytes.
const LONGEST_TEXT: u64 = 4 << 20;

/// What lies in a folder, if it is nothing, or if the manifest in it is one of ours and names the content of all the rest.
///
/// # Errors
/// When it cannot be read, or holds something that the manifest does not vouch for.
pub(super) fn entries(place: &Path) -> Result<Vec<FolderEntry>, DatasetFolderError> {
    let unreadable = |error: nbrevive_files::FileError| DatasetFolderError::Unwritable {
        folder: place.to_owned(),
        source: error.into(),
    };
    let folder = match Folder::open(place) {
        Err(error) if error.is_not_found() => return Ok(Vec::new()),
        folder => folder.map_err(unreadable)?,
    };
    let entries = folder.entries().map_err(unreadable)?;
    let foreign = |entry: &FolderEntry, why: &str| {
        let name = entry.name.to_string_lossy().into_owned();
        Err(DatasetFolderError::Foreign { folder: place.to_owned(), name, why: why.to_owned() })
    };
    if let Some(entry) = entries.iter().find(|entry| entry.kind != FileErrorKind::File) {
        return foreign(entry, &format!("is {}", entry.kind));
    }
    let Some(first) = entries.first() else { return Ok(entries) };
    let Some(at) = entries.iter().position(|entry| entry.name == MANIFEST) else {
        return foreign(first, &format!("lies there without a {MANIFEST} that says who wrote it"));
    };
    let Some(manifest) = manifest(&folder) else { return foreign(&entries[at], "is not as an export writes it") };
    let strange = entries.iter().find(|entry| entry.name != MANIFEST && !is_ours(entry, &manifest, &folder));
    match strange {
        Some(entry) => foreign(entry, &format!("is not what {MANIFEST} says that an export wrote")),
        None => Ok(entries),
    }
}

/// The manifest in a folder, of whatever version, if it is word for word what an export writes.
fn manifest(folder: &Folder) -> Option<Manifest> {
    let text = folder.read(Path::new(MANIFEST), LONGEST).ok()?;
    let manifest: Manifest = serde_json::from_slice(&text).ok()?;
    (manifest.text().as_bytes() == text).then_some(manifest)
}

fn is_ours(entry: &FolderEntry, manifest: &Manifest, folder: &Folder) -> bool {
    let Some(name) = entry.name.to_str() else { return false };
    let table = manifest.files.iter().find(|file| file.name == name);
    let text = manifest.texts.iter().find(|text| text.name == name);
    let sha256 = match (table, text) {
        (Some(table), _) if table.bytes == entry.bytes => &table.sha256,
        (None, Some(text)) => &text.sha256,
        (None, None) if manifest.texts.is_empty() => return is_derived(name, manifest, folder),
        _ => return false,
    };
    file_sha256(&folder.path().join(name)).is_ok_and(|found| found == *sha256)
}

/// Whether a text beside the manifest of an older program, which does not vouch for it, is what follows from that manifest.
fn is_derived(name: &str, manifest: &Manifest, folder: &Folder) -> bool {
    let bytes = folder.read(Path::new(name), LONGEST_TEXT).unwrap_or_default();
    let Ok(text) = std::str::from_utf8(&bytes) else { return false };
    match name {
        CROISSANT => without_columns(text).is_some_and(|own| Some(own) == without_columns(&croissant(manifest))),
        CARD => text == card(manifest, &told(text)),
        _ => false,
    }
}

/// Metadata but for what columns mean, which each program says in words of its own.
fn without_columns(croissant: &str) -> Option<serde_json::Value> {
    let mut value: serde_json::Value = serde_json::from_str(croissant).ok()?;
    value.as_object_mut()?.remove("recordSet");
    Some(value)
}

/// The counts that a card tells: of each outcome a line, of each condition that ran a column.
fn told(card: &str) -> CardCounts {
    let cells = |line: &str| line.split('|').map(|cell| cell.trim().to_owned()).collect::<Vec<_>>();
    let rows = || card.lines().filter(|line| line.starts_with('|')).map(cells);
    let head = rows().find(|row| row.get(1).is_some_and(|cell| cell == "outcome")).unwrap_or_default();
    let mut counts = CardCounts::default();
    for row in rows() {
        let Some(outcome) = Outcome::ALL.iter().position(|word| row.get(1) == Some(&word.to_string())) else {
            continue;
        };
        for (cell, name) in row.iter().zip(&head).skip(2) {
            if let Ok(condition) = name.parse::<Condition>() {
                counts.entry(condition).or_default()[outcome] = cell.parse().unwrap_or(0);
            }
        }
    }
    counts
}

#[cfg(test)]
mod attacks {
    use std::os::unix::fs::symlink;
    use std::path::PathBuf;

    use super::*;
    use crate::dataset::Variant;
    use crate::export::export;
    use crate::export::tests::{SETTINGS, studied};

    /// A file that is then told, and what is done to the folder.
    type Change = (&'static str, fn(&Path));

    /// A folder that an export wrote, and the store that it came from.
    fn exported(parent: &Path) -> (crate::Store, PathBuf) {
        let (store, place) = (studied(parent, &["a-v1"]), parent.join("data"));
        export(&store, &place, &SETTINGS).unwrap();
        (store, place)
    }

    /// Everything in a folder, with its content.
    fn content(place: &Path) -> Vec<(PathBuf, Vec<u8>)> {
        let entries = std::fs::read_dir(place).unwrap().map(|entry| entry.unwrap().path());
        let mut all: Vec<_> = entries.map(|path| (path.clone(), std::fs::read(&path).unwrap_or_default())).collect();
        all.sort();
        all
    }

    #[test]
    fn what_an_export_wrote_is_replaced() {
        let parent = tempfile::tempdir().unwrap();
        let (store, place) = exported(parent.path());
        export(&store, &place, &SETTINGS).unwrap();
        let ids = crate::export::ExportSettings { variant: Variant::IdsOnly, ..SETTINGS };
        export(&store, &place, &ids).unwrap();
        assert!(!entries(&place).unwrap().is_empty());
    }

    #[test]
    fn files_of_the_user_are_never_replaced_under_any_name() {
        let changes: &[Change] = &[
            ("README.md", |place| std::fs::write(place.join("README.md"), "my notes").unwrap()),
            ("croissant.json", |place| std::fs::write(place.join("croissant.json"), "{}").unwrap()),
            ("outcomes.parquet", |place| std::fs::write(place.join("outcomes.parquet"), "mine").unwrap()),
            ("outcomes.parquet", |place| {
                let (path, mut bytes) =
                    (place.join("outcomes.parquet"), std::fs::read(place.join("outcomes.parquet")).unwrap());
                bytes[10] ^= 1;
                std::fs::write(path, bytes).unwrap();
            }),
            ("manifest.json", |place| std::fs::write(place.join("manifest.json"), "{\"name\": \"my-app\"}").unwrap()),
            ("thesis.tex", |place| std::fs::write(place.join("thesis.tex"), "years of work").unwrap()),
            (".git", |place| std::fs::create_dir(place.join(".git")).unwrap()),
            ("notes.partial", |place| std::fs::write(place.join("notes.partial"), "mine").unwrap()),
            ("cells.parquet", |place| {
                std::fs::rename(place.join("cells.parquet"), place.with_file_name("elsewhere")).unwrap();
                symlink("../elsewhere", place.join("cells.parquet")).unwrap();
            }),
        ];
        for (name, change) in changes {
            let parent = tempfile::tempdir().unwrap();
            let (store, place) = exported(parent.path());
            change(&place);
            let before = content(&place);
            let error = export(&store, &place, &SETTINGS).unwrap_err().to_string();
            assert!(error.contains(&format!("`{name}`")) && error.contains("choose another folder"), "{error}");
            assert_eq!(content(&place), before, "{name}");
        }
    }

    #[test]
    fn a_folder_of_the_user_that_looks_like_a_dataset_stays() {
        let parent = tempfile::tempdir().unwrap();
        let (store, place) = (studied(parent.path(), &["a-v1"]), parent.path().join("mine"));
        std::fs::create_dir(&place).unwrap();
        for (name, told) in
            [("README.md", "README.md"), ("outcomes.parquet", "README.md"), ("manifest.json", "manifest.json")]
        {
            std::fs::write(place.join(name), "mine").unwrap();
            let error = export(&store, &place, &SETTINGS).unwrap_err().to_string();
            assert!(error.contains(&format!("`{told}`")), "{error}");
        }
        assert!(content(&place).iter().all(|(_, bytes)| bytes == b"mine") && content(&place).len() == 3);
    }

    #[test]
    fn what_comes_while_an_export_runs_stays() {
        let parent = tempfile::tempdir().unwrap();
        let (_store, place) = exported(parent.path());
        let staging = super::super::folder::Staging::open(&place, Variant::Full).unwrap();
        std::fs::write(place.join("notes.txt"), "mine").unwrap();
        let error = staging.publish().unwrap_err().to_string();
        assert!(error.contains("notes.txt"), "{error}");
        assert_eq!(std::fs::read_to_string(place.join("notes.txt")).unwrap(), "mine");
    }

    #[test]
    fn the_dataset_of_an_older_program_is_known_by_what_follows_from_its_manifest() {
        let released = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data");
        let folder = tempfile::tempdir().unwrap();
        for entry in std::fs::read_dir(released).unwrap() {
            let path = entry.unwrap().path();
            std::fs::copy(&path, folder.path().join(path.file_name().unwrap())).unwrap();
        }
        let path = folder.path().join(MANIFEST);
        let mut manifest: Manifest = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        manifest.texts.clear();
        std::fs::write(&path, manifest.text()).unwrap();
        entries(folder.path()).unwrap();
        let card = std::fs::read_to_string(folder.path().join(CARD)).unwrap();
        std::fs::write(folder.path().join(CARD), card + "\nA note of mine.\n").unwrap();
        assert!(entries(folder.path()).unwrap_err().to_string().contains("`README.md`"));
    }
}
