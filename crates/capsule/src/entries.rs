//! The entries of a tar file, with names of any length that is allowed: the reader of crate `tar` would hold one of any length.

use std::io::{self, Read};

use tar::{Entries, Entry, EntryType};

/// Longest name in an entry of its own.
const LONGEST_NAME: u64 = 4 << 10;

/// One entry: what it is and under which names.
pub(crate) struct NamedEntry<'archive, Source: Read> {
    pub(crate) kind: EntryType,
    pub(crate) name: String,
    /// Where a link leads.
    pub(crate) target: String,
    pub(crate) entry: Entry<'archive, Source>,
}

/// The next entry that is no name of another one; `None` at the end.
pub(crate) fn next<'archive, Source: Read>(
    entries: &mut Entries<'archive, Source>,
) -> io::Result<Option<NamedEntry<'archive, Source>>> {
    let (mut name, mut target) = (None, None);
    for entry in entries.by_ref() {
        let mut entry = entry?;
        let kind = entry.header().entry_type();
        match kind {
            EntryType::GNULongName => name = Some(long(&mut entry)?),
            EntryType::GNULongLink => target = Some(long(&mut entry)?),
            _ => {
                let of_header = |bytes: &[u8]| text(bytes.to_vec());
                let name = name.map_or_else(|| of_header(&entry.path_bytes()), Ok)?;
                let link = entry.link_name_bytes().map(|bytes| bytes.to_vec()).unwrap_or_default();
                let target = target.map_or_else(|| text(link), Ok)?;
                return Ok(Some(NamedEntry { kind, name, target, entry }));
            }
        }
    }
    Ok(None)
}

fn long(entry: &mut impl Read) -> io::Result<String> {
    let mut bytes = Vec::new();
    entry.take(LONGEST_NAME.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LONGEST_NAME {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "a name is too long"));
    }
    while bytes.last() == Some(&0) {
        bytes.pop();
    }
    text(bytes)
}

fn text(bytes: Vec<u8>) -> io::Result<String> {
    String::from_utf8(bytes).map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "a name is no text"))
}
