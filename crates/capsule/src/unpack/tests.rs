//! What somebody could hand over in place of a capsule: each made from a real one, by a writer that keeps to nothing.

use std::io::Write as _;

use proptest::prelude::*;
use tar::{Builder, Header};

use super::*;
use crate::listing::PackedLink;
use crate::{Gathered, verify};

/// A folder with what a capsule can hold.
fn given() -> tempfile::TempDir {
    let place = tempfile::tempdir().unwrap();
    let long = format!("given/{}/{}", "folder".repeat(20), "name".repeat(40));
    for (name, text) in [
        ("given/a.txt", "one"),
        ("given/deep/b.bin", "two"),
        ("given/same.txt", "one"),
        ("given/empty", ""),
        (&long, "long"),
    ] {
        let path = place.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    fs::set_permissions(place.path().join("given/deep/b.bin"), Permissions::from_mode(0o755)).unwrap();
    symlink("../a.txt", place.path().join("given/deep/up")).unwrap();
    place
}

fn packed(place: &Path) -> (PathBuf, CapsuleListing) {
    let mut gathered = Gathered::default();
    gathered.tree("tree", &place.join("given"), &|name| !name.ends_with("left-out")).unwrap();
    gathered.text("note.txt", "ours");
    let measured = gathered.measured(serde_json::json!({"what": "a test"})).unwrap();
    let archive = place.join("capsule.tar.zst");
    measured.write(&archive).unwrap();
    (archive, measured.listing().clone())
}

/// Name, kind, content and where a link leads.
type ForgedEntry<'case> = (&'case str, EntryType, &'case [u8], &'case str);

/// An archive with this list and these entries, which need not fit.
fn forged(archive: &Path, listing: &CapsuleListing, entries: &[ForgedEntry<'_>]) {
    let mut tar = Builder::new(zstd::stream::write::Encoder::new(File::create(archive).unwrap(), 1).unwrap());
    let mut put = |name: &str, kind, content: &[u8], target: &str| {
        let mut header = Header::new_gnu();
        // Past the checks of the crate, as an attacker writes.
        header.as_gnu_mut().unwrap().name[..name.len()].copy_from_slice(name.as_bytes());
        header.as_gnu_mut().unwrap().linkname[..target.len()].copy_from_slice(target.as_bytes());
        header.set_entry_type(kind);
        header.set_size(content.len() as u64);
        header.set_mode(0o4755);
        header.set_cksum();
        tar.append(&header, content).unwrap();
    };
    put(LISTING, EntryType::Regular, &listing.text(), "");
    for (name, kind, content, target) in entries {
        put(name, *kind, content, target);
    }
    tar.into_inner().unwrap().finish().unwrap();
}

fn file(path: &str, content: &[u8]) -> PackedFile {
    let (bytes, sha256) = crate::hash::measure(content).unwrap();
    PackedFile { path: path.to_owned(), bytes, sha256, executable: false }
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn what_was_packed_comes_back_and_stays_verified() {
    let place = given();
    let (archive, listing) = packed(place.path());
    let again = packed(place.path()).0;
    assert_eq!(fs::read(&archive).unwrap(), fs::read(again).unwrap(), "the same files, the same bytes");
    let to = place.path().join("out");
    assert_eq!(unpack(&archive, &to, MOST_BYTES).unwrap(), listing);
    let read = |name: &str| fs::read_to_string(to.join("tree").join(name)).unwrap();
    assert_eq!(
        (read("a.txt"), read("same.txt"), read("deep/up"), read("empty")),
        ("one".into(), "one".into(), "one".into(), String::new())
    );
    let mode = |name: &str| fs::metadata(to.join("tree").join(name)).unwrap().permissions().mode() & 0o7777;
    assert_eq!((mode("deep/b.bin"), mode("a.txt")), (0o755, 0o644));
    assert!(matches!(unpack(&archive, &to, MOST_BYTES), Err(CapsuleError::Exists { .. })));
    let none = |_: &CapsuleListing| BTreeSet::new();
    assert_eq!(verify(&to, &none).unwrap(), listing);
    fs::write(to.join("tree/sitecustomize.py"), "").unwrap();
    assert!(verify(&to, &none).unwrap_err().to_string().contains("`tree/sitecustomize.py`"));
    assert!(verify(&to, &|_| BTreeSet::from(["tree/sitecustomize.py".to_owned()])).is_ok());
    fs::write(to.join("note.txt"), "theirs").unwrap();
    assert!(verify(&to, &none).unwrap_err().to_string().starts_with("`note.txt` was altered since it was packed"));
}

#[test]
fn other_programs_read_it() {
    let place = given();
    let (archive, _) = packed(place.path());
    let tar = std::process::Command::new("tar").arg("--version").output();
    let zstd = std::process::Command::new("zstd").arg("--version").output();
    if tar.is_err() || zstd.is_err() {
        return;
    }
    let to = place.path().join("by-tar");
    fs::create_dir(&to).unwrap();
    let said =
        std::process::Command::new("tar").arg("--zstd").arg("-xf").arg(&archive).arg("-C").arg(&to).output().unwrap();
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
    let said = std::process::Command::new("sha256sum")
        .args(["--check", "--quiet", "manifest-sha256.txt"])
        .current_dir(&to)
        .output()
        .unwrap();
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stdout));
}

#[test]
fn what_does_not_keep_to_its_list_leaves_nothing() {
    let place = tempfile::tempdir().unwrap();
    let archive = place.path().join("forged");
    let list = |files: Vec<PackedFile>, links: &[(&str, &str)]| {
        let links =
            links.iter().map(|(path, target)| PackedLink { path: (*path).to_owned(), target: (*target).to_owned() });
        CapsuleListing::new(serde_json::Value::Null, files, links.collect())
    };
    let (regular, hard, soft) = (EntryType::Regular, EntryType::Link, EntryType::Symlink);
    let one = || list(vec![file("a", b"one"), file("b", b"one")], &[]);
    let cases: Vec<(CapsuleListing, Vec<ForgedEntry<'_>>, &str)> = vec![
        (
            one(),
            vec![("a", regular, b"two", ""), ("b", regular, b"one", "")],
            "`a` was altered since it was packed: its SHA-256",
        ),
        (one(), vec![("a", regular, b"longer", "")], "it has 6 bytes, and 3"),
        (one(), vec![("a", regular, b"one", "")], "`b` was altered since it was packed: it is not in the archive"),
        (one(), vec![("a", regular, b"one", ""), ("a", regular, b"one", "")], "cannot write"),
        (one(), vec![("../a", regular, b"one", "")], "`../a` was altered since it was packed: it is not in the list"),
        (one(), vec![("a", regular, b"one", ""), ("b", hard, b"", "/etc/passwd")], "the content of another file"),
        (one(), vec![("b", hard, b"", "a")], "the content of another file"),
        (one(), vec![("a", soft, b"", "/etc/passwd")], "of another kind"),
        (one(), vec![("a", EntryType::Fifo, b"", "")], "of another kind"),
        (list(vec![], &[("l", "x")]), vec![("l", soft, b"", "/etc")], "of another kind"),
        (list(vec![], &[("l", "/etc")]), vec![("l", soft, b"", "/etc")], "leads out of its folder"),
        (list(vec![file("../a", b"one")], &[]), vec![("../a", regular, b"one", "")], "`../a` leads out of its folder"),
        (list(vec![PackedFile { bytes: 1 << 60, ..file("a", b"one") }], &[]), vec![], "taken for a bomb"),
        (list(vec![PackedFile { bytes: 1 << 59, ..file("a", b"one") }], &[]), vec![], "has room for"),
        (one(), vec![("a", EntryType::GNULongName, &[b'x'; 5000], "")], "a name is too long"),
    ];
    for (listing, entries, expected) in cases {
        forged(&archive, &listing, &entries);
        let most = if expected == "has room for" { u64::MAX } else { MOST_BYTES };
        let said = unpack(&archive, &place.path().join("out"), most).unwrap_err().to_string();
        assert!(said.contains(expected), "{said} is not: {expected}");
        assert_eq!(names(place.path()), ["forged"], "{expected}");
    }
}

#[test]
fn a_bomb_behind_its_list_is_not_written() {
    let place = tempfile::tempdir().unwrap();
    let archive = place.path().join("bomb");
    let listing = CapsuleListing::new(serde_json::Value::Null, vec![file("a", b"one")], vec![]);
    let mut bytes = zstd::stream::write::Encoder::new(File::create(&archive).unwrap(), 1).unwrap();
    let mut tar = Builder::new(&mut bytes);
    let mut header = Header::new_gnu();
    header.set_size(listing.text().len() as u64);
    tar.append_data(&mut header, LISTING, listing.text().as_slice()).unwrap();
    let mut header = Header::new_gnu();
    header.set_size(1 << 30);
    tar.append_data(&mut header, "not-listed", io::repeat(0).take(1 << 30)).unwrap();
    tar.into_inner().unwrap();
    bytes.finish().unwrap().flush().unwrap();
    assert!(fs::metadata(&archive).unwrap().len() < 1 << 20);
    assert!(unpack(&archive, &place.path().join("out"), MOST_BYTES).is_err());
    assert_eq!(names(place.path()), ["bomb"]);
}

#[test]
fn the_checksum_at_the_end_of_an_archive_is_read() {
    let place = given();
    let (archive, _) = packed(place.path());
    let mut bytes = fs::read(&archive).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&archive, bytes).unwrap();
    let refused = unpack(&archive, &place.path().join("out"), MOST_BYTES).unwrap_err();
    assert!(refused.is_of_capsule(), "{refused}");
    assert_eq!(names(place.path()), ["capsule.tar.zst", "given"]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]
    /// Whatever is cut off or changed: the whole capsule comes out, or nothing.
    #[test]
    fn a_capsule_that_is_cut_or_altered_leaves_nothing(at in 0.0..1.0_f64, bit in 0..8_u32, cut: bool) {
        let place = given();
        let (archive, listing) = packed(place.path());
        let mut bytes = fs::read(&archive).unwrap();
        let at = ((bytes.len() - 1) as f64 * at) as usize;
        if cut { bytes.truncate(at) } else { bytes[at] ^= 1 << bit }
        fs::write(&archive, bytes).unwrap();
        let to = place.path().join("out");
        match unpack(&archive, &to, MOST_BYTES) {
            Ok(found) => {
                prop_assert_eq!(&found, &listing);
                prop_assert!(verify(&to, &|_| BTreeSet::new()).is_ok());
            }
            Err(error) => {
                prop_assert!(error.is_of_capsule(), "{error}");
                prop_assert_eq!(names(place.path()), ["capsule.tar.zst", "given"]);
            }
        }
    }
}
