//! The raw store under bad days: torn lines, killed writers, several processes, damaged bodies.

use std::fs::{self, OpenOptions};
use std::io::Write;

use jiff::Timestamp;
use proptest::prelude::*;

use super::*;
use crate::source::MiningSource;

pub(crate) fn exchange(key: &str) -> HttpExchange {
    let url = "http://127.0.0.1/x".to_owned();
    HttpExchange {
        seconds: 0.1,
        status: Some(200),
        ..HttpExchange::begun(MiningSource::KaggleApi, key.to_owned(), "GET", url, Timestamp::UNIX_EPOCH)
    }
}

/// Notes an answer as the API client does: first the body, then the line.
fn answer(store: &RawStore, key: &str, bytes: &[u8]) -> ContentHash {
    let mut writer = store.writer().unwrap();
    writer.write_all(bytes).unwrap();
    let body = writer.finish().unwrap();
    assert_eq!(body.bytes, bytes.len() as u64);
    store.note(HttpExchange { body: Some(body.hash.clone()), ..exchange(key) }).unwrap();
    body.hash
}

#[test]
fn a_body_is_kept_compressed_and_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let store = RawStore::open(folder.path()).unwrap();
    let bytes = b"the same words again and again ".repeat(1000);
    let hash = answer(&store, "a", &bytes);
    assert_eq!(hash, ContentHash::of(&bytes));
    let (first, rest) = hash.as_str().split_at(2);
    let file = folder.path().join("bodies").join(first).join(format!("{rest}.zst"));
    assert!(fs::metadata(&file).unwrap().len() < 200);
    let again = RawStore::open(folder.path()).unwrap();
    assert_eq!(again.read(&again.answers("a").unwrap()[0].body.clone().unwrap()).unwrap(), bytes);
    fs::write(&file, zstd::encode_all(&b"other"[..], 3).unwrap()).unwrap();
    assert!(matches!(again.read(&hash), Err(RawError::Damaged { .. })));
}

#[test]
fn a_dropped_writer_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let store = RawStore::open(folder.path()).unwrap();
    let mut writer = store.writer().unwrap();
    writer.write_all(b"half").unwrap();
    drop(writer);
    assert_eq!(fs::read_dir(folder.path().join("bodies")).unwrap().count(), 0);
}

#[test]
fn a_journal_torn_at_any_byte_heals() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.jsonl");
    let store = RawStore::open(folder.path()).unwrap();
    store.note(exchange("first")).unwrap();
    let first = fs::metadata(&path).unwrap().len();
    store.note(exchange("second")).unwrap();
    let whole = fs::read(&path).unwrap();
    for cut in 0..=whole.len() {
        fs::write(&path, &whole[..cut]).unwrap();
        let store = RawStore::open(folder.path()).unwrap();
        let expected = usize::from(cut as u64 >= first) + usize::from(cut == whole.len());
        assert_eq!(store.requests().unwrap(), expected as u64, "cut at {cut}");
        store.note(exchange("third")).unwrap();
        assert_eq!(store.answers("third").unwrap().len(), 1);
        assert_eq!(RawStore::open(folder.path()).unwrap().journal().unwrap().len(), expected + 1, "cut at {cut}");
    }
}

#[test]
fn a_torn_line_longer_than_a_block_heals() {
    let folder = tempfile::tempdir().unwrap();
    let store = RawStore::open(folder.path()).unwrap();
    store.note(exchange("first")).unwrap();
    let mut file = OpenOptions::new().append(true).open(folder.path().join("journal.jsonl")).unwrap();
    file.write_all(&vec![b'x'; 10_000]).unwrap();
    store.note(exchange("second")).unwrap();
    assert_eq!(RawStore::open(folder.path()).unwrap().journal().unwrap().len(), 2);
}

#[test]
fn a_damaged_line_is_skipped() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal.jsonl");
    let store = RawStore::open(folder.path()).unwrap();
    store.note(exchange("first")).unwrap();
    OpenOptions::new().append(true).open(&path).unwrap().write_all(b"\0\0\0{\xff}\n").unwrap();
    store.note(exchange("second")).unwrap();
    assert_eq!(RawStore::open(folder.path()).unwrap().requests().unwrap(), 2);
}

#[test]
fn several_stores_on_one_folder_see_each_other() {
    let folder = tempfile::tempdir().unwrap();
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let folder = &folder;
            scope.spawn(move || {
                let store = RawStore::open(folder.path()).unwrap();
                for count in 0..25 {
                    answer(&store, &format!("{thread}-{count}"), format!("{thread} {count}").as_bytes());
                }
            });
        }
    });
    let store = RawStore::open(folder.path()).unwrap();
    assert_eq!(store.requests().unwrap(), 100);
    let other = RawStore::open(folder.path()).unwrap();
    answer(&other, "news", b"news");
    assert_eq!(store.answers("news").unwrap().len(), 1);
}

#[test]
fn the_same_bytes_are_kept_once_for_every_owner() {
    let folder = tempfile::tempdir().unwrap();
    let store = RawStore::open(folder.path()).unwrap();
    for _ in 0..2 {
        store.keep(MiningSource::Folder, "file:a.py", b"1").unwrap();
        store.keep(MiningSource::Folder, "file:b.py", b"1").unwrap();
    }
    assert_eq!(store.journal().unwrap().len(), 2);
}

proptest! {
    #[test]
    fn no_journal_does_harm(bytes in proptest::collection::vec(any::<u8>(), 0..200), line in "[{}\":,a-z\n]{0,60}") {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("journal.jsonl"), [bytes.as_slice(), line.as_bytes()].concat()).unwrap();
        let store = RawStore::open(folder.path()).unwrap();
        store.note(exchange("after")).unwrap();
        prop_assert_eq!(RawStore::open(folder.path()).unwrap().answers("after").unwrap().len(), 1);
    }
}
