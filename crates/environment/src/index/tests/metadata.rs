//! Metadata of files, from servers that give parts, wholes, copies, and rubbish.

use std::io::Cursor;

use sha2::Digest;
use zip::write::SimpleFileOptions;

use super::*;
use crate::history::Sha256;
use crate::metadata::MetadataSource;

const WHEEL: &str = "x-1.0-py3-none-any.whl";
const SDIST: &str = "x-1.0.tar.gz";
const METADATA: &str = "Metadata-Version: 2.1\nName: X\nVersion: 1.0\nRequires-Dist: six (>=1.0)\n\nText.\n";

fn archive(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (path, content) in members {
        let stored = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
        writer.start_file(*path, stored).unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// A wheel with a megabyte before its metadata.
fn wheel() -> Vec<u8> {
    let noise = vec![7; 1 << 20];
    archive(&[
        ("x/__init__.py", b""),
        ("x/big.bin", &noise),
        ("x-1.0.dist-info/METADATA", METADATA.as_bytes()),
        ("x-1.0.dist-info/RECORD", b""),
    ])
}

fn sdist(members: &[(&str, &str)]) -> Vec<u8> {
    let mut builder = tar::Builder::new(flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast()));
    for (path, content) in members {
        let mut header = tar::Header::new_gnu();
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        builder.append_data(&mut header, path, content.as_bytes()).unwrap();
    }
    builder.into_inner().unwrap().finish().unwrap()
}

fn digest(bytes: &[u8]) -> Sha256 {
    Sha256::from(<[u8; 32]>::from(sha2::Sha256::digest(bytes)))
}

/// An index with one file; `more` are further fields of its listing.
fn scene(name: &str, content: Vec<u8>, sha256: Sha256, more: &str, copy: Option<&str>, parts: Parts) -> Scene {
    let listing = format!(
        r#"{{"name":"x","files":[{{"filename":"{name}","url":"/f/{name}","upload-time":"2020-01-01T00:00:00Z","hashes":{{"sha256":"{sha256}"}}{more}}}]}}"#
    );
    let mut files = HashMap::from([("/simple/x/".to_owned(), listing.into_bytes()), (format!("/f/{name}"), content)]);
    files.extend(copy.map(|copy| (format!("/f/{name}.metadata"), copy.as_bytes().to_vec())));
    let mut scene = Scene::of(file_server(files, parts));
    scene.settings.fresh_for = Duration::from_secs(600);
    scene
}

fn plain(name: &str, content: Vec<u8>, parts: Parts) -> Scene {
    let sha256 = digest(&content);
    scene(name, content, sha256, "", None, parts)
}

fn known(index: &Index) -> Arc<History> {
    match index.history("x").unwrap() {
        Lookup::Known { history, .. } => history,
        Lookup::Absent => panic!("x is there"),
    }
}

fn metadata(scene: &Scene) -> Result<Arc<Metadata>, IndexError> {
    let index = scene.index();
    let history = known(&index);
    index.metadata(&history, &history.releases[0].files[0])
}

fn summary(found: &Metadata) -> (Vec<&str>, Vec<&str>, MetadataSource) {
    let texts = |list: &'_ [String]| -> Vec<_> { list.iter().map(|text| &*text.clone().leak()).collect() };
    (texts(&found.requires), texts(&found.modules), found.source)
}

#[test]
fn the_end_of_a_wheel_is_enough_and_kept() {
    let mut scene = plain(WHEEL, wheel(), Parts::Given);
    assert_eq!(summary(&metadata(&scene).unwrap()), (vec!["six (>=1.0)"], vec!["x"], MetadataSource::Wheel));
    assert_eq!(scene.seen(), ["/simple/x/", &format!("/f/{WHEEL} range: bytes=-98304")]);
    scene.settings.offline = true;
    assert_eq!(summary(&metadata(&scene).unwrap()).1, ["x"]);
    assert!(scene.seen().is_empty());
}

#[test]
fn a_list_of_files_before_the_end_is_fetched_too() {
    let names: Vec<String> = (0..3000).map(|number| format!("x/part_{number:0>40}.py")).collect();
    let mut members: Vec<(&str, &[u8])> = vec![("x-1.0.dist-info/METADATA", METADATA.as_bytes())];
    members.extend(names.iter().map(|name| (name.as_str(), &b""[..])));
    let scene = plain(WHEEL, archive(&members), Parts::Given);
    let found = metadata(&scene).unwrap();
    assert_eq!((found.requires.len(), found.modules.len()), (1, 2000));
    assert!(scene.seen().len() > 3);
}

#[test]
fn servers_without_parts_give_the_whole() {
    for parts in [Parts::Ignored, Parts::Refused, Parts::Wrong] {
        let scene = plain(WHEEL, wheel(), parts);
        assert_eq!(summary(&metadata(&scene).unwrap()).0, ["six (>=1.0)"]);
    }
}

#[test]
fn a_copy_of_the_metadata_is_preferred_and_modules_come_on_request() {
    let wheel = wheel();
    let more = format!(r#","core-metadata":{{"sha256":"{}"}}"#, digest(METADATA.as_bytes()));
    let scene = scene(WHEEL, wheel.clone(), digest(&wheel), &more, Some(METADATA), Parts::Given);
    assert_eq!(summary(&metadata(&scene).unwrap()), (vec!["six (>=1.0)"], vec![], MetadataSource::Wheel));
    assert_eq!(scene.seen(), ["/simple/x/", &format!("/f/{WHEEL}.metadata")]);
    let index = scene.index();
    let history = known(&index);
    let file = &history.releases[0].files[0];
    assert_eq!(index.metadata_with_modules(&history, file).unwrap().modules, ["x"]);
    assert_eq!(index.metadata(&history, file).unwrap().modules, ["x"]);
    assert_eq!(metadata(&scene).unwrap().modules, ["x"]);
    assert_eq!(scene.seen().len(), 1);
}

#[test]
fn copies_that_are_wrong_are_passed_over() {
    let wheel = wheel();
    let other = METADATA.replace("Name: X", "Name: Y");
    for copy in [Some("<html>oops</html>"), Some(other.as_str()), None] {
        let scene = scene(WHEEL, wheel.clone(), digest(&wheel), r#","core-metadata":true"#, copy, Parts::Given);
        assert_eq!(summary(&metadata(&scene).unwrap()), (vec!["six (>=1.0)"], vec!["x"], MetadataSource::Wheel));
    }
}

#[test]
fn source_archives_are_read_whole() {
    let content = sdist(&[
        ("x-1.0/setup.py", "setup(install_requires=['no'])"),
        ("x-1.0/x.egg-info/requires.txt", "six\n"),
        ("x-1.0/pyproject.toml", "[build-system]\nrequires = ['cython']\n"),
        ("x-1.0/x.egg-info/top_level.txt", "x\n"),
    ]);
    let scene = plain(SDIST, content, Parts::Given);
    let found = metadata(&scene).unwrap();
    assert_eq!(summary(&found), (vec!["six"], vec!["x"], MetadataSource::Sdist));
    assert_eq!(found.build_requires, ["cython"]);
    let zipped = archive(&[("x-1.0/setup.py", b"setup(install_requires=['six'])")]);
    let scene = plain("x-1.0.zip", zipped, Parts::Given);
    assert_eq!(summary(&metadata(&scene).unwrap()), (vec!["six"], vec![], MetadataSource::SetupScript));
}

#[test]
fn a_changed_file_is_an_error_and_not_kept() {
    for (name, parts) in [(SDIST, Parts::Given), (WHEEL, Parts::Ignored)] {
        let scene = scene(name, wheel(), digest(b"other"), "", None, parts);
        let error = metadata(&scene).unwrap_err();
        assert!(matches!(error, IndexError::WrongDigest { .. }), "{error}");
        assert!(matches!(metadata(&scene), Err(IndexError::WrongDigest { .. })));
    }
}

#[test]
fn unreadable_files_are_unknown_for_ever_but_absent_ones_are_errors() {
    let bomb = sdist(&[("x-1.0/PKG-INFO", &" ".repeat(5 << 20))]);
    for (name, content) in [
        (WHEEL, b"no archive".to_vec()),
        (WHEEL, wheel()[..1 << 19].to_vec()),
        (WHEEL, archive(&[("x/__init__.py", b"")])),
        (SDIST, b"no archive".to_vec()),
        (SDIST, sdist(&[("x-1.0/README", "nothing")])),
        (SDIST, bomb),
        ("x-1.0.tar.bz2", b"BZh9".to_vec()),
    ] {
        let mut scene = plain(name, content, Parts::Given);
        assert_eq!(metadata(&scene).unwrap().source, MetadataSource::Unknown, "{name}");
        scene.settings.offline = true;
        assert_eq!(metadata(&scene).unwrap().source, MetadataSource::Unknown, "{name}");
    }
    let listing = r#"{"files":[{"filename":"x-1.0.tar.gz","url":"/gone","upload-time":"2020-01-01T00:00:00Z"}]}"#;
    let scene = Scene::of(file_server(HashMap::from([("/simple/x/".into(), listing.into())]), Parts::Given));
    let error = metadata(&scene).unwrap_err();
    assert!(matches!(error, IndexError::FileGone { .. }), "{error}");
}

#[test]
fn poisoned_metadata_is_read_again() {
    let scene = plain(SDIST, sdist(&[("x-1.0/setup.py", "setup(install_requires=['six'])")]), Parts::Given);
    metadata(&scene).unwrap();
    let path = scene.folder.path().join("metadata/x").join(format!("{SDIST}.json"));
    let sound = std::fs::read_to_string(&path).unwrap();
    let other = sound.replace(SDIST, "x-2.0.tar.gz");
    let changed = sound.replace(&digest(b"a").to_string()[..4], "0000");
    for poison in ["", "{", other.as_str(), &changed[..changed.len() / 2]] {
        std::fs::write(&path, poison).unwrap();
        assert_eq!(metadata(&scene).unwrap().requires, ["six"]);
    }
    std::fs::remove_file(&path).unwrap();
    std::fs::create_dir_all(path.join("full")).unwrap();
    assert_eq!(metadata(&scene).unwrap().requires, ["six"]);
    assert!(path.is_file());
}

#[test]
fn places_that_are_lost_are_asked_for_again() {
    let scene = plain(SDIST, sdist(&[("x-1.0/setup.py", "setup(install_requires=['six'])")]), Parts::Given);
    let index = scene.index();
    let history = known(&index);
    std::fs::remove_file(scene.folder.path().join("x.json.zst")).unwrap();
    index.prefetch_metadata(&[(&history, &history.releases[0].files[0])]);
    assert_eq!(scene.seen(), ["/simple/x/", "/simple/x/", &format!("/f/{SDIST}")]);
    assert_eq!(index.metadata(&history, &history.releases[0].files[0]).unwrap().requires, ["six"]);
    assert!(scene.seen().is_empty());
}

/// The file of a scene in pieces of 100 bytes.
fn in_pieces(scene: &Scene) -> Result<Vec<Vec<u8>>, IndexError> {
    let index = scene.index();
    let history = known(&index);
    let Source::Online(online) = &index.source else { panic!("it is online") };
    online.pieces(&index.memory, "x", &history.releases[0].files[0])?.of_length(100).collect()
}

#[test]
fn a_long_file_comes_in_pieces_and_all_of_them_are_held_against_the_digest() {
    let content: Vec<u8> = (0..=255_u8).cycle().take(250).collect();
    let of = |parts| in_pieces(&plain(SDIST, content.clone(), parts));
    let pieces = of(Parts::Given).unwrap();
    assert_eq!(pieces.iter().map(Vec::len).collect::<Vec<_>>(), [100, 100, 50]);
    assert_eq!(pieces.concat(), content);
    for parts in [Parts::Ignored, Parts::Refused] {
        assert_eq!(of(parts).unwrap(), [content.as_slice()]);
    }
    assert!(matches!(of(Parts::Wrong), Err(IndexError::FileUnreachable { .. })));
    let other = scene(SDIST, content.clone(), digest(b"other"), "", None, Parts::Given);
    assert!(matches!(in_pieces(&other), Err(IndexError::WrongDigest { .. })));
}
