//! Snapshots, sound and damaged.

use super::*;
use crate::metadata::MetadataSource;

fn history(name: &str) -> History {
    let text = format!(
        r#"{{"name":"{name}","releases":[{{"version":"1.0","text":"1.0","uploaded":"2018-01-02T00:00:00Z","files":[{{"name":"{name}-1.0.tar.gz","uploaded":"2018-01-02T00:00:00Z","size":5}}]}}]}}"#
    );
    serde_json::from_str(&text).unwrap()
}

fn index() -> Index {
    let described = Metadata::new(vec!["b>=1".into()], MetadataSource::Sdist);
    let metadata = BTreeMap::from([("a-1.0.tar.gz".to_owned(), described)]);
    Index::fixed(vec![
        IndexEntry { history: history("a"), metadata },
        IndexEntry { history: history("b"), metadata: BTreeMap::new() },
    ])
}

/// A snapshot of everything in [`index`], as bytes, and where it lies.
fn exported(folder: &Path) -> (PathBuf, Vec<u8>) {
    let path = folder.join("x.snapshot.zst");
    index().export_snapshot(&path, ExportScope::Kept).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    (path, bytes)
}

#[test]
fn a_snapshot_gives_back_what_was_known() {
    let folder = tempfile::tempdir().unwrap();
    let (path, bytes) = exported(folder.path());
    let index = Index::of_snapshot(&path).unwrap();
    let Lookup::Known { history: found, stale: None } = index.history("A").unwrap() else { panic!() };
    assert_eq!(*found, history("a"));
    let metadata = index.metadata(&found, &found.releases[0].files[0]).unwrap();
    assert_eq!((metadata.requires.as_slice(), metadata.source), (&["b>=1".to_owned()][..], MetadataSource::Sdist));
    // Exported again, it is the same file; and so it is by name, whatever their order.
    for scope in [ExportScope::Kept, ExportScope::Names(&["B".into(), "a".into()])] {
        let again = folder.path().join("again");
        index.export_snapshot(&again, scope).unwrap();
        assert_eq!(std::fs::read(&again).unwrap(), bytes);
    }
}

#[test]
fn the_names_asked_for_are_exported_with_absent_ones() {
    let gone = ("404 Not Found", "", "{}");
    let dated = r#"{"files":[{"filename":"x-1.0.tar.gz","url":"x","upload-time":"2020-01-01T00:00:00Z"}]}"#;
    let scene = Scene::scripted(vec![("200 OK", "", dated), gone, gone]);
    let index = scene.index();
    index.history("x").unwrap();
    index.history("No_Such").unwrap();
    assert_eq!(index.asked(), ["no-such", "x"]);
    let path = scene.folder.path().join("asked");
    index.export_snapshot(&path, ExportScope::Asked).unwrap();
    let kept = scene.folder.path().join("kept");
    scene.index().export_snapshot(&kept, ExportScope::Kept).unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), std::fs::read(&kept).unwrap());
    assert!(!String::from_utf8_lossy(&std::fs::read(&path).unwrap()).contains("127.0.0.1"));
    let snapshot = Index::of_snapshot(&path).unwrap();
    assert!(matches!(snapshot.history("no.such"), Ok(Lookup::Absent)));
    assert!(matches!(snapshot.history("x"), Ok(Lookup::Known { .. })));
    let error = snapshot.history("never-asked").unwrap_err();
    assert!(matches!(error, IndexError::NotInSnapshot { .. }), "{error}");
    assert_eq!(scene.seen().len(), 3);
}

#[test]
fn programs_for_zstd_print_it_as_lines() {
    let folder = tempfile::tempdir().unwrap();
    let (_, bytes) = exported(folder.path());
    let text = String::from_utf8(zstd::decode_all(&bytes[..]).unwrap()).unwrap();
    let names: Vec<_> =
        text.lines().map(|line| serde_json::from_str::<IndexEntry>(line).unwrap().history.name).collect();
    assert_eq!(names, ["a", "b"]);
}

/// What opening it, or else asking for every name, says of these bytes.
fn complaint(folder: &Path, bytes: &[u8]) -> Option<String> {
    let path = folder.join("damaged");
    std::fs::write(&path, bytes).unwrap();
    let index = match Index::of_snapshot(&path) {
        Ok(index) => index,
        Err(error) => return Some(error.to_string()),
    };
    ["a", "b"].iter().find_map(|name| index.history(name).err()).map(|error| error.to_string())
}

#[test]
fn damage_anywhere_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let (_, bytes) = exported(folder.path());
    assert_eq!(complaint(folder.path(), &bytes), None);
    for length in 0..bytes.len() {
        assert!(complaint(folder.path(), &bytes[..length]).is_some(), "cut to {length} bytes");
    }
    for place in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[place] ^= 0x20;
        // A bit that packing does not use may change; what is unpacked is checked by its sum.
        if complaint(folder.path(), &changed).is_none() {
            let again = folder.path().join("again");
            let index = Index::of_snapshot(&folder.path().join("damaged")).unwrap();
            index.export_snapshot(&again, ExportScope::Kept).unwrap();
            assert_eq!(std::fs::read(&again).unwrap(), bytes, "byte {place} changed");
        }
    }
    let longer = [&bytes[..], b"more"].concat();
    assert!(complaint(folder.path(), &longer).is_some());
}

#[test]
fn other_files_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let (_, bytes) = exported(folder.path());
    let of = |bytes: &[u8]| {
        let path = folder.path().join("other");
        std::fs::write(&path, bytes).unwrap();
        Index::of_snapshot(&path).unwrap_err()
    };
    for other in [&b""[..], b"{}", b"PK\x03\x04 a long zip archive", &zstd::encode_all(&b"text"[..], 3).unwrap()] {
        assert!(matches!(of(other), SnapshotError::OtherFormat { .. }));
    }
    let at = bytes.windows(11).position(|part| part == b"\"version\":1").unwrap();
    let mut newer = bytes.clone();
    newer[at + 10] = b'7';
    assert!(matches!(of(&newer), SnapshotError::Version { found: 7, .. }));
    assert!(matches!(of(&bytes[..bytes.len() - 3]), SnapshotError::Damaged { .. }));
    let absent = Index::of_snapshot(&folder.path().join("absent")).unwrap_err();
    assert!(matches!(absent, SnapshotError::File { action: "open", .. }));
}
