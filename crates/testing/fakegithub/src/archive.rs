//! Archives as `git archive` makes them.

use std::io::{self, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use tar::{Builder, EntryType, Header};

use crate::files::HubFile;
use crate::world::{Fate, HubRepository};

/// Much of nothing, in bytes: what packs to a thousandth.
const BOMB: u64 = 16 << 20;

/// The packed archive of a commit. `named` is the commit that its header names.
pub(crate) fn packed(repository: &HubRepository, commit: &str, named: &str, files: &[HubFile]) -> io::Result<Vec<u8>> {
    let mut tar = Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
    let comment = format!("52 comment={named}\n");
    let mut header = Header::new_ustar();
    header.set_entry_type(EntryType::XGlobalHeader);
    header.set_size(comment.len() as u64);
    header.set_mode(0o666);
    tar.append_data(&mut header, "pax_global_header", comment.as_bytes())?;
    let top = format!("{}-{}-{}", repository.owner, repository.name, commit.get(..7).unwrap_or(commit));
    for file in files {
        append(&mut tar, &format!("{top}/{}", file.path), file)?;
    }
    match repository.fate {
        Fate::Hostile => hostile(&mut tar, &top)?,
        Fate::Bomb => {
            let mut header = regular(BOMB);
            tar.append_data(&mut header, format!("{top}/zeros.bin"), io::Read::take(io::repeat(0), BOMB))?;
        }
        _ => {}
    }
    tar.into_inner()?.finish()
}

fn regular(size: u64) -> Header {
    let mut header = Header::new_ustar();
    header.set_entry_type(EntryType::Regular);
    header.set_size(size);
    header.set_mode(0o644);
    header
}

fn append(tar: &mut Builder<impl Write>, path: &str, file: &HubFile) -> io::Result<()> {
    if file.is_link {
        let mut header = regular(0);
        header.set_entry_type(EntryType::Symlink);
        return tar.append_link(&mut header, path, String::from_utf8_lossy(&file.content).as_ref());
    }
    let mut header = regular(file.content.len() as u64);
    header.set_mode(if file.is_program { 0o755 } else { 0o644 });
    tar.append_data(&mut header, path, file.content.as_slice())
}

/// What no repository of good faith has.
fn hostile(tar: &mut Builder<impl Write>, top: &str) -> io::Result<()> {
    let climbing = format!("{top}/../../climbing.csv");
    for (path, kind) in [
        ("/etc/absolute.csv", EntryType::Regular),
        ("../outside.csv", EntryType::Regular),
        (climbing.as_str(), EntryType::Regular),
        (&format!("{top}/pipe"), EntryType::Fifo),
        (&format!("{top}/device"), EntryType::Char),
        (&format!("{top}/README.md/below.csv"), EntryType::Regular),
    ] {
        let mut header = regular(2);
        // The library refuses such paths.
        let name = &mut header.as_old_mut().name;
        for (place, byte) in name.iter_mut().zip(path.bytes()) {
            *place = byte;
        }
        header.set_entry_type(kind);
        if kind != EntryType::Regular {
            header.set_size(0);
        }
        header.set_cksum();
        let content: &[u8] = if kind == EntryType::Regular { b"1\n" } else { b"" };
        tar.append(&header, content)?;
    }
    Ok(())
}
