//! Archives that nobody would make in good faith.

use flate2::Compression;
use flate2::write::GzEncoder;
use proptest::prelude::*;
use tar::Header;

use super::*;

const HASH: &str = "0123456789abcdef0123456789abcdef01234567";

fn packed(tar: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(tar).unwrap();
    encoder.finish().unwrap()
}

/// An entry with whatever path, also one that no library writes.
fn entry(path: &[u8], kind: EntryType, content: &[u8]) -> Vec<u8> {
    let mut header = Header::new_ustar();
    header.as_old_mut().name[..path.len()].copy_from_slice(path);
    header.set_entry_type(kind);
    header.set_size(content.len() as u64);
    header.set_mode(if path.ends_with(b".sh") { 0o755 } else { 0o644 });
    header.set_cksum();
    let mut bytes = header.as_bytes().to_vec();
    bytes.extend(content);
    bytes.resize(bytes.len().next_multiple_of(512), 0);
    bytes
}

fn record(key: &str, value: &str) -> Vec<u8> {
    let length = (1..).find(|length: &usize| format!("{length} {key}={value}\n").len() == *length).unwrap();
    format!("{length} {key}={value}\n").into_bytes()
}

fn archive(entries: &[Vec<u8>]) -> Vec<u8> {
    let mut tar = entries.concat();
    tar.extend([0; 1024]);
    packed(&tar)
}

fn read(packed: &[u8], largest: u64, most: u64) -> Result<Tarball, TarballFault> {
    Tarball::read(packed, tempfile::tempfile().unwrap(), largest, most)
}

fn told(tarball: &mut Tarball) -> Vec<String> {
    let files: Vec<(String, Spooled)> = tarball.files.iter().map(|file| (file.path.clone(), file.from)).collect();
    let mut told: Vec<String> = tarball.left_out.iter().map(ToString::to_string).collect();
    for (path, place) in files {
        let content = tarball.content(&place).unwrap();
        told.push(format!("{path} = {}", content.map_or_else(|why| why, |bytes| String::from_utf8(bytes).unwrap())));
    }
    told
}

#[test]
fn what_git_archive_writes_is_read() {
    let long = format!("top/{}/a.ipynb", "long".repeat(40));
    let mut tarball = read(
        &archive(&[
            entry(b"pax_global_header", EntryType::XGlobalHeader, &record("comment", HASH)),
            entry(b"top/", EntryType::Directory, b""),
            entry(b"top/run.sh", EntryType::Regular, b"ls"),
            entry(b"x", EntryType::XHeader, &record("path", &long)),
            entry(b"top/cut-name", EntryType::Regular, b"{}"),
            entry(b"x", EntryType::GNULongName, format!("{long}2\0").as_bytes()),
            entry(b"top/cut-name", EntryType::Regular, b"{ }"),
        ]),
        100,
        1 << 20,
    )
    .unwrap();
    assert_eq!(tarball.commit.as_deref(), Some(HASH));
    assert!(tarball.files[0].is_program && !tarball.files[1].is_program);
    let below = &long["top/".len()..];
    assert_eq!(told(&mut tarball), ["run.sh = ls".to_owned(), format!("{below} = {{}}"), format!("{below}2 = {{ }}")]);
}

#[test]
fn the_real_git_archive_is_read_as_its_tree_is() {
    let scene = crate::git::tests::Scene::new();
    scene.write("data/a b.csv", "1\n");
    scene.git(&["add", "--all"]);
    scene.commit(&format!("{}/One.ipynb", "deep".repeat(40)), crate::git::tests::NOTEBOOK, 1_500_000_000);
    let path = scene.tree().join("../out.tar.gz");
    scene.git(&["archive", "--prefix=ada-engine-0123456/", "--output", path.to_str().unwrap(), "HEAD"]);
    let mut tarball = read(&nbrevive_files::read(&path, 1 << 20).unwrap(), 1 << 20, 1 << 20).unwrap();
    assert_eq!(tarball.commit.as_deref(), Some(scene.git(&["rev-parse", "HEAD"]).trim()));
    let told = told(&mut tarball);
    assert!(told.iter().any(|told| told == "data/a b.csv = 1\n"), "{told:?}");
    assert!(told.iter().any(|told| told.starts_with(&"deep".repeat(40))), "{told:?}");
    assert_eq!(tarball.left_out, []);
}

#[test]
fn a_file_of_git_lfs_says_so_and_how_long_it_is() {
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12345\n";
    let mut tarball =
        read(&archive(&[entry(b"top/a.csv", EntryType::Regular, pointer.as_bytes())]), 1000, 1 << 20).unwrap();
    assert_eq!(told(&mut tarball), ["a.csv = its 12345 bytes lie in git-lfs"]);
}

mod attacks {
    use super::*;

    #[test]
    fn what_has_no_plain_place_is_left_out_and_named() {
        let mut tarball = read(
            &archive(&[
                entry(b"/etc/passwd", EntryType::Regular, b"x"),
                entry(b"../out", EntryType::Regular, b"x"),
                entry(b"bare", EntryType::Regular, b"x"),
                entry(b"top/link", EntryType::Symlink, b""),
                entry(b"top/hard", EntryType::Link, b""),
                entry(b"top/pipe", EntryType::Fifo, b""),
                entry(b"top/\xff", EntryType::Regular, b"x"),
                entry(b"top/a", EntryType::Regular, b"1"),
                entry(b"top/a", EntryType::Regular, b"2"),
                entry(b"top/a/b", EntryType::Regular, b"3"),
                entry(b"top/c/d", EntryType::Regular, b"4"),
                entry(b"top/c", EntryType::Regular, b"5"),
            ]),
            100,
            1 << 20,
        )
        .unwrap();
        insta::assert_snapshot!(told(&mut tarball).join("\n"));
    }

    #[test]
    fn much_out_of_little_is_not_unpacked() {
        let bomb = archive(&[entry(b"top/zeros", EntryType::Regular, &vec![0; 8 << 20])]);
        assert!(bomb.len() < 100 << 10);
        assert!(matches!(read(&bomb, 1000, 1 << 20), Err(TarballFault::TooLarge)));
        // A single long file that is not kept does not go to the spool.
        let tarball = read(&bomb, 1000, 16 << 20).unwrap();
        assert_eq!(tarball.spool.metadata().unwrap().len(), 0);
    }

    #[test]
    fn a_header_of_gigabytes_is_not_read() {
        for kind in [EntryType::XHeader, EntryType::GNULongName, EntryType::XGlobalHeader] {
            let long = archive(&[entry(b"x", kind, &vec![b'a'; 1 << 20])]);
            assert!(matches!(read(&long, 1000, 16 << 20), Err(TarballFault::Damaged(_))));
        }
    }

    #[test]
    fn sizes_that_lie_and_archives_that_end_are_damaged() {
        let whole = archive(&[entry(b"top/a", EntryType::Regular, &[b'a'; 3000])]);
        assert!(read(&whole, 5000, 1 << 20).is_ok());
        for length in 0..whole.len() {
            assert!(read(&whole[..length], 5000, 1 << 20).is_err(), "{length} of {}", whole.len());
        }
        let mut lying = entry(b"top/a", EntryType::Regular, b"");
        let mut header = Header::from_byte_slice(&lying).clone();
        header.set_size(u64::MAX >> 2);
        header.set_cksum();
        lying[..512].copy_from_slice(header.as_bytes());
        assert!(read(&packed(&lying), u64::MAX, 1 << 20).is_err());
        assert!(read(b"<html>", 5000, 1 << 20).is_err() && read(b"", 5000, 1 << 20).is_err());
    }

    proptest! {
        #[test]
        fn no_archive_does_harm(tar in proptest::collection::vec(any::<u8>(), 0..2048), at in 0..2000_usize, to: u8) {
            let _ = read(&packed(&tar), 1000, 1 << 16);
            let mut good = [
                entry(b"pax_global_header", EntryType::XGlobalHeader, &record("comment", HASH)),
                entry(b"x", EntryType::XHeader, &record("path", "top/a")),
                entry(b"top/a", EntryType::Regular, b"x"),
            ]
            .concat();
            if let Some(byte) = good.get_mut(at) {
                *byte = to;
            }
            if let Ok(mut tarball) = read(&packed(&good), 1000, 1 << 16) {
                for file in tarball.files.iter().map(|file| file.from).collect::<Vec<_>>() {
                    let _ = tarball.content(&file);
                }
            }
        }
    }
}
