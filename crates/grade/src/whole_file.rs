//! Reading a long file by all cores: for most of that time the system copies it into pages that it has to find first.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::os::unix::fs::FileExt;
use std::path::Path;

use nbrevive_files::{FileError, open_handed_over};
use rayon::prelude::*;

/// The longest texts that are read: places in a text have 31 bits, and the answers of no competition have a tenth of it.
pub(crate) const LONGEST: u64 = 1 << 31;

/// How much a thread reads at a time.
const PIECE: usize = 1 << 22;

/// The bytes of `file` from its start, and no more than `most`, whatever length it announces.
///
/// # Errors
/// Those of reading.
pub(crate) fn read_bytes(mut file: File, most: u64) -> io::Result<Vec<u8>> {
    let announced = usize::try_from(file.metadata()?.len().min(most)).unwrap_or(usize::MAX);
    let mut bytes = vec![0; announced];
    let pieces: Vec<usize> = bytes
        .par_chunks_mut(PIECE)
        .enumerate()
        .map(|(number, piece)| fill(&file, piece, number * PIECE))
        .collect::<io::Result<_>>()?;
    // It may have become shorter meanwhile, or longer.
    let whole = pieces.iter().position(|&length| length < PIECE).unwrap_or(pieces.len());
    bytes.truncate(whole * PIECE + pieces.get(whole).copied().unwrap_or(0));
    if !bytes.is_empty() {
        // What announces no length may be a pipe, which has no places.
        file.seek(SeekFrom::Start(bytes.len() as u64))?;
    }
    let more = most - bytes.len() as u64;
    file.take(more).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The text of the file at `path`, which the user named: a regular file, or a pipe that he handed over (`<(…)`), no longer than
/// [`LONGEST`].
///
/// # Errors
/// Those of reading, [`ErrorKind::FileTooLarge`], and [`ErrorKind::InvalidData`] when it is not UTF-8.
pub(crate) fn read_text(path: &Path) -> io::Result<String> {
    let bytes = read_bytes(open_handed_over(path)?, LONGEST + 1)?;
    if bytes.len() as u64 > LONGEST {
        return Err(FileError::TooLong { path: path.to_owned(), most: LONGEST }.into());
    }
    String::from_utf8(bytes).map_err(|error| io::Error::new(ErrorKind::InvalidData, error))
}

/// Reads what stands at `place` until `piece` is full or the file ends; how much that was.
fn fill(file: &File, piece: &mut [u8], place: usize) -> io::Result<usize> {
    let mut length = 0;
    while length < piece.len() {
        match file.read_at(&mut piece[length..], (place + length) as u64) {
            Ok(0) => break,
            Ok(more) => length += more,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(length)
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::os::fd::OwnedFd;

    use super::*;

    #[test]
    fn a_file_is_read_whole_and_no_further_than_asked() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        for length in [0, 1, PIECE - 1, PIECE, 2 * PIECE + 7] {
            let bytes: Vec<u8> = (0..length).map(|place| (place % 251) as u8).collect();
            std::fs::write(&path, &bytes).unwrap();
            assert!(read_bytes(File::open(&path).unwrap(), u64::MAX).unwrap() == bytes, "{length}");
            let most = (length / 2) as u64;
            assert!(read_bytes(File::open(&path).unwrap(), most).unwrap() == bytes[..length / 2], "half of {length}");
        }
    }

    #[test]
    fn a_file_without_a_length_is_read_too() {
        let text = read_text(Path::new("/proc/self/status")).unwrap();
        assert!(text.starts_with("Name:"), "{text}");
        let (reader, mut writer) = std::io::pipe().unwrap();
        writer.write_all(b"a,b\n").unwrap();
        drop(writer);
        assert_eq!(read_bytes(File::from(OwnedFd::from(reader)), u64::MAX).unwrap(), b"a,b\n");
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("file"), b"\xff").unwrap();
        let error = read_text(&folder.path().join("file")).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidData);
    }
}

#[cfg(test)]
mod attacks {
    use std::io::Write;
    use std::os::fd::AsRawFd;

    use super::*;
    use crate::Leaderboard;

    #[test]
    fn answers_and_leaderboards_are_regular_files() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe.csv");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        for (path, kind) in [(pipe.as_path(), "named pipe"), (Path::new("/dev/zero"), "device")] {
            let error = read_text(path).unwrap_err().to_string();
            assert!(error.contains(kind), "{error}");
            let error = Leaderboard::read(path).unwrap_err().to_string();
            assert!(error.contains(kind), "{error}");
        }
        let long = folder.path().join("long.csv");
        File::create(&long).unwrap().set_len(1 << 40).unwrap();
        assert!(Leaderboard::read(&long).unwrap_err().to_string().contains("has more than"));
    }

    #[test]
    fn answers_that_the_user_hands_over_are_read_from_their_pipe() {
        let (reader, mut writer) = std::io::pipe().unwrap();
        let writing = std::thread::spawn(move || writer.write_all(b"id,y\n1,2\n"));
        let text = read_text(Path::new(&format!("/dev/fd/{}", reader.as_raw_fd()))).unwrap();
        writing.join().unwrap().unwrap();
        assert_eq!(text, "id,y\n1,2\n");
    }
}
