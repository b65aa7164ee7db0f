use std::io::{Cursor, Write as _};

use jiff::Timestamp;
use nbrevive_environment::IndexSettings;
use nbrevive_environment::index::IndexAddress;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::*;

/// A wheel that holds a module and its metadata.
fn wheel(name: &str, version: &str) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let info = format!("{name}-{version}.dist-info");
    let metadata = format!("Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n");
    let tags = "Wheel-Version: 1.0\nGenerator: t\nRoot-Is-Purelib: true\nTag: py3-none-any\n".to_owned();
    let files = [
        (format!("{name}.py"), "x = 1\n".to_owned()),
        (format!("{info}/METADATA"), metadata),
        (format!("{info}/WHEEL"), tags),
    ];
    for (path, text) in files {
        writer.start_file(path, SimpleFileOptions::default()).unwrap();
        writer.write_all(text.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn held(name: &str, file: &str, bytes: &[u8]) -> HeldFile {
    HeldFile {
        name: file.to_owned(),
        distribution: name.to_owned(),
        version: "1.0".to_owned(),
        sha256: held::sha256(bytes),
        bytes: bytes.len() as u64,
        uploaded: Timestamp::UNIX_EPOCH,
        requires_python: Some(">=3.6, <4".to_owned()),
        is_yanked: false,
        metadata_sha256: None,
    }
}

/// Takes a file in as if it had been fetched.
fn put(mirror: &mut Mirror, held: HeldFile, bytes: &[u8]) {
    make_folder(&mirror.fetched()).unwrap();
    write(&mirror.fetched().join(&held.name), bytes).unwrap();
    mirror.hold(held).unwrap();
}

/// A folder with a wheel that fits, one that fits nowhere, and a source archive.
fn first(folder: &Path) {
    let mut mirror = Mirror::begin(folder).unwrap();
    for file in ["alpha-1.0-py3-none-any.whl", "alpha-1.0-cp27-cp27m-win32.whl"] {
        let bytes = wheel("alpha", "1.0");
        put(&mut mirror, held("alpha", file, &bytes), &bytes);
    }
    put(&mut mirror, held("beta", "beta-1.0.tar.gz", b"an archive"), b"an archive");
    mirror.seal().unwrap();
}

fn interpreter() -> Interpreter {
    let told = r#"{"path": "/python", "version": "3.12.1", "prefix": "/usr", "machine": "x86_64", "glibc": null, "wide_unicode": true}"#;
    serde_json::from_str(told).unwrap()
}

/// An index that is served from a folder, until the test ends.
fn served(folder: &Path, cache: &Path) -> Index {
    let server = MirrorServer::open(folder, 0).unwrap();
    let address = server.address();
    std::thread::spawn(move || server.serve());
    let settings = IndexSettings { address: Some(IndexAddress::given(&address)), ..IndexSettings::default() };
    Index::at(cache.to_owned(), settings)
}

#[test]
fn a_folder_is_taken_from_a_folder_that_is_served() {
    let scratch = tempfile::tempdir().unwrap();
    let (one, other) = (scratch.path().join("one"), scratch.path().join("other"));
    first(&one);
    let index = served(&one, &scratch.path().join("cache"));
    let version: Version = "1.0".parse().unwrap();
    let mut mirror = Mirror::begin(&other).unwrap();
    let mut take = |name: &str, version: &Version| mirror.take(&index, (name, version), &interpreter(), true);
    assert_eq!(take("alpha", &version).unwrap().files, 1);
    assert_eq!(take("alpha", &version).unwrap(), TakenFiles::default(), "it is there");
    let beta = take("beta", &version).unwrap();
    assert_eq!((beta.files, beta.is_source), (1, true));
    assert!(matches!(take("beta", &"2.0".parse().unwrap()), Err(MirrorError::Missing { .. })));
    assert!(matches!(take("gamma", &version), Err(MirrorError::Missing { .. })));
    mirror.seal().unwrap();
    let taken: Vec<HeldFile> = Mirror::open(&other).unwrap().files().cloned().collect();
    let mut expected: Vec<HeldFile> = Mirror::open(&one).unwrap().files().cloned().collect();
    expected.retain(|file| !file.name.ends_with("win32.whl"));
    assert_eq!(taken, expected, "with dates, interpreters and metadata");
    assert!(matches!(Mirror::begin(&other), Err(MirrorError::NotEmpty(_))));
}

#[test]
fn pages_name_metadata_as_every_pip_can_read_it() {
    let scratch = tempfile::tempdir().unwrap();
    first(scratch.path());
    let page = |name: &str| std::fs::read_to_string(scratch.path().join("simple/alpha").join(name)).unwrap();
    // pip 22.3, the first that asks for JSON, takes a table under the name of PEP 658 for a text, and dies.
    assert!(page("index.json").contains("\"core-metadata\"") && !page("index.json").contains("dist-info-metadata"));
    assert!(
        page("index.html").contains("data-core-metadata=\"sha256=")
            && page("index.html").contains("data-dist-info-metadata=\"sha256=")
    );
}

#[test]
fn what_a_killed_run_fetched_is_not_fetched_again() {
    let scratch = tempfile::tempdir().unwrap();
    let (one, other) = (scratch.path().join("one"), scratch.path().join("other"));
    first(&one);
    let (cache, name) = (scratch.path().join("cache"), "alpha-1.0-py3-none-any.whl");
    let online = served(&one, &cache);
    let offline = Index::at(cache, IndexSettings { offline: true, ..IndexSettings::default() });
    let version: Version = "1.0".parse().unwrap();
    let take = |mirror: &mut Mirror, index: &Index, name: &str| {
        mirror.take(index, (name, &version), &interpreter(), false).map(|taken| taken.files)
    };
    // Killed before it was sealed.
    take(&mut Mirror::begin(&other).unwrap(), &online, "alpha").unwrap();
    let mut mirror = Mirror::begin(&other).unwrap();
    assert_eq!(take(&mut mirror, &offline, "alpha").unwrap(), 1);
    mirror.seal().unwrap();
    let read = |folder: &Path| std::fs::read(folder.join("files").join(name)).unwrap();
    assert_eq!(read(&other), read(&one));
    // The same when more is added: what was sealed stays usable.
    take(&mut Mirror::open(&other).unwrap(), &online, "beta").unwrap();
    assert!(MirrorServer::open(&other, 0).is_ok());
    let mut mirror = Mirror::open(&other).unwrap();
    assert_eq!(mirror.files().count(), 1);
    assert_eq!(take(&mut mirror, &offline, "beta").unwrap(), 1);
    mirror.seal().unwrap();
    assert_eq!(Mirror::open(&other).unwrap().files().count(), 2);
    assert!(!other.join(FETCHED).exists());
}

#[test]
fn what_was_changed_is_named_and_what_is_not_meant_is_let_go() {
    let scratch = tempfile::tempdir().unwrap();
    let folder = scratch.path().join("one");
    first(&folder);
    let file = folder.join("files/beta-1.0.tar.gz");
    let refused = |expected: &str| {
        let error = MirrorServer::open(&folder, 0).unwrap_err().to_string();
        assert!(error.contains(expected), "{error} is not: {expected}");
    };
    std::fs::write(&file, b"an archivE").unwrap();
    refused("`files/beta-1.0.tar.gz` was altered since it was packed");
    std::fs::remove_file(&file).unwrap();
    refused("files/beta-1.0.tar.gz");
    std::fs::write(&file, b"an archive").unwrap();
    let more = folder.join("files/more");
    std::fs::write(&more, b"").unwrap();
    refused("`files/more` was altered since it was packed: it is not in the list");
    std::fs::remove_file(&more).unwrap();
    let error = MirrorServer::open(scratch.path(), 0).unwrap_err().to_string();
    assert!(error.contains("is no snapshot of an index: cannot read"), "{error}");
    let mut mirror = Mirror::open(&folder).unwrap();
    assert_eq!(mirror.prune(&|file| file.distribution == "beta").unwrap(), 2);
    mirror.seal().unwrap();
    assert_eq!(Mirror::open(&folder).unwrap().files().count(), 1);
    assert!(!folder.join("simple/alpha").exists());
}
