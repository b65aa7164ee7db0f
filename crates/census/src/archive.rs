//! The Python text of a release, out of a wheel or a source archive.
//!
//! Nothing is written to disk or executed, links are passed by, and what is unpacked is bounded: archives are hostile.

use std::collections::BTreeMap;
use std::io::{self, Cursor, Read, Seek};

use flate2::read::MultiGzDecoder;

/// Longest file that is read, in bytes; a longer one is named and passed by.
const LONGEST_MEMBER: u64 = 4 << 20;
/// Most bytes of Python text of one release.
const MOST_TEXT: u64 = 192 << 20;
/// Most members that are passed by, and most bytes that are unpacked on the way.
const MOST_MEMBERS: usize = 200_000;
const MOST_UNPACKED: u64 = 2 << 30;
/// Deepest folder of a package.
const DEEPEST: usize = 24;
/// Longest path in bytes.
const LONGEST_PATH: usize = 400;
/// Folders that hold no public names.
const NOT_PUBLIC: [&str; 9] =
    ["tests", "test", "benchmarks", "examples", "docs", "doc", "conftest", "_vendor", "node_modules"];

/// The Python text of one release: module files by path below the place where packages are installed, such as
/// `sklearn/svm/__init__.py`, and what was passed by.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct SourceFiles {
    /// Text by path.
    pub files: BTreeMap<String, String>,
    /// Paths of compiled modules, of which nothing is read.
    pub compiled: Vec<String>,
    /// Paths that were passed by, with the reason.
    pub skipped: Vec<(String, String)>,
}

/// An archive that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum CensusArchiveError {
    /// Neither a wheel nor a `.tar.gz` or `.zip`.
    #[error("{0} is neither a wheel nor a tar.gz or zip archive")]
    Format(String),
    /// It is damaged.
    #[error("{0} cannot be unpacked: {1}")]
    Damaged(String, String),
    /// It holds more than a release can.
    #[error("{0} holds more than {1}")]
    TooLarge(String, &'static str),
    /// It holds none of the modules that were asked for.
    #[error("{0} holds no Python text of {1}")]
    NoModules(String, String),
    /// What was kept of it is damaged.
    #[error("what is kept of it is damaged: {0}")]
    Kept(String),
}

impl SourceFiles {
    /// Reads the text of some modules out of an archive, by the archive's name.
    ///
    /// # Errors
    /// [`CensusArchiveError`]: another format, damage, too much of it, or none of the modules.
    pub fn of_archive(name: &str, bytes: &[u8], modules: &[String]) -> Result<Self, CensusArchiveError> {
        let mut gathered = Gathered { name, modules, found: Self::default(), text: 0 };
        if name.ends_with(".tar.gz") || name.ends_with(".tgz") {
            gathered.tarred(bytes)?;
        } else {
            return Self::of_zip(name, Cursor::new(bytes), modules);
        }
        gathered.finish()
    }

    /// Reads the text of some modules out of a wheel or a zip archive, which need not be here as a whole.
    ///
    /// # Errors
    /// As [`SourceFiles::of_archive`].
    pub fn of_zip(name: &str, archive: impl Read + Seek, modules: &[String]) -> Result<Self, CensusArchiveError> {
        if !name.ends_with(".whl") && !name.ends_with(".zip") {
            return Err(CensusArchiveError::Format(name.to_owned()));
        }
        let mut gathered = Gathered { name, modules, found: Self::default(), text: 0 };
        gathered.zipped(archive)?;
        gathered.finish()
    }

    /// Packs the text, to be kept.
    #[must_use]
    pub fn packed(&self) -> Vec<u8> {
        kept_bytes(self)
    }

    /// Reads what [`SourceFiles::packed`] gave.
    ///
    /// # Errors
    /// [`CensusArchiveError::Kept`]: it is something else, or too long.
    pub fn of_packed(bytes: &[u8]) -> Result<Self, CensusArchiveError> {
        of_kept_bytes(bytes)
    }
}

/// Packs something that was read, to be kept.
#[must_use]
pub fn kept_bytes(value: &impl serde::Serialize) -> Vec<u8> {
    let text = serde_json::to_vec(value).unwrap_or_default();
    zstd::encode_all(&text[..], 6).unwrap_or_default()
}

/// Reads what [`kept_bytes`] gave.
///
/// # Errors
/// [`CensusArchiveError::Kept`]: it is something else, or too long.
pub fn of_kept_bytes<T: serde::de::DeserializeOwned>(bytes: &[u8]) -> Result<T, CensusArchiveError> {
    let damaged = |error: &dyn std::fmt::Display| CensusArchiveError::Kept(error.to_string());
    let mut text = Vec::new();
    let unpacked = zstd::Decoder::new(bytes).map_err(|error| damaged(&error))?;
    unpacked.take(2 * MOST_TEXT).read_to_end(&mut text).map_err(|error| damaged(&error))?;
    serde_json::from_slice(&text).map_err(|error| damaged(&error))
}

struct Gathered<'a> {
    name: &'a str,
    modules: &'a [String],
    found: SourceFiles,
    text: u64,
}

/// What a path in an archive is.
enum PathKind {
    Text(String),
    Compiled(String),
    Other,
}

impl Gathered<'_> {
    fn damaged(&self, error: &impl std::fmt::Display) -> CensusArchiveError {
        CensusArchiveError::Damaged(self.name.to_owned(), error.to_string())
    }

    fn too_large(&self, what: &'static str) -> CensusArchiveError {
        CensusArchiveError::TooLarge(self.name.to_owned(), what)
    }

    fn finish(self) -> Result<SourceFiles, CensusArchiveError> {
        if self.found.files.is_empty() {
            return Err(CensusArchiveError::NoModules(self.name.to_owned(), self.modules.join(", ")));
        }
        Ok(self.found)
    }

    fn zipped(&mut self, archive: impl Read + Seek) -> Result<(), CensusArchiveError> {
        let mut archive = zip::ZipArchive::new(archive).map_err(|error| self.damaged(&error))?;
        if archive.len() > MOST_MEMBERS {
            return Err(self.too_large("200,000 files"));
        }
        for number in 0..archive.len() {
            // A member that cannot be read (an unknown method, a wrong header) costs itself alone.
            let path = archive.name_for_index(number);
            if path.is_some_and(|path| path.is_ok_and(|path| matches!(self.kind_of(&path), PathKind::Other))) {
                continue;
            }
            let Ok(member) = archive.by_index(number) else { continue };
            if !member.is_file() {
                continue;
            }
            let Some(path) = member.enclosed_name().and_then(|path| path.to_str().map(str::to_owned)) else { continue };
            self.take(&path, member)?;
        }
        Ok(())
    }

    fn tarred(&mut self, bytes: &[u8]) -> Result<(), CensusArchiveError> {
        let mut archive = tar::Archive::new(MultiGzDecoder::new(bytes).take(MOST_UNPACKED));
        let entries = archive.entries().map_err(|error| self.damaged(&error))?;
        for (count, entry) in entries.enumerate() {
            let entry = match entry {
                Ok(entry) => entry,
                Err(error) if self.found.files.is_empty() => return Err(self.damaged(&error)),
                // Old archives end with rubbish; what came before serves.
                Err(_) => break,
            };
            if count > MOST_MEMBERS {
                return Err(self.too_large("200,000 files"));
            }
            if !entry.header().entry_type().is_file() {
                continue;
            }
            let path = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
            self.take(&path, entry)?;
        }
        Ok(())
    }

    fn take(&mut self, path: &str, member: impl Read) -> Result<(), CensusArchiveError> {
        let path = match self.kind_of(path) {
            PathKind::Text(path) => path,
            PathKind::Compiled(path) => {
                self.found.compiled.push(path);
                return Ok(());
            }
            PathKind::Other => return Ok(()),
        };
        match text_of(member) {
            Ok(Some(text)) => {
                self.text += text.len() as u64;
                if self.text > MOST_TEXT {
                    return Err(self.too_large("192 MiB of Python text"));
                }
                self.found.files.insert(path, text);
            }
            Ok(None) => self.found.skipped.push((path, format!("longer than {LONGEST_MEMBER} bytes"))),
            Err(error) => self.found.skipped.push((path, error.to_string())),
        }
        Ok(())
    }

    fn kind_of(&self, path: &str) -> PathKind {
        let Some(inside) = self.below_packages(path) else { return PathKind::Other };
        let name = inside.rsplit('/').next().unwrap_or_default();
        let ending = name.rsplit('.').next().unwrap_or_default();
        match ending {
            "py" | "pyi" => PathKind::Text(inside.to_owned()),
            "so" | "pyd" | "pyx" => PathKind::Compiled(inside.to_owned()),
            _ => PathKind::Other,
        }
    }

    /// The path below the folder in which the wanted modules lie; `None` for what is no part of them.
    fn below_packages<'p>(&self, path: &'p str) -> Option<&'p str> {
        let path = path.trim_start_matches("./");
        let parts: Vec<&str> = path.split('/').collect();
        let public = |part: &&str| !NOT_PUBLIC.contains(&part.trim_end_matches(".py"));
        let is_wanted = |part: &&str| {
            self.modules.iter().any(|module| module == part || part.strip_suffix(".py") == Some(module.as_str()))
        };
        if path.len() > LONGEST_PATH || parts.len() > DEEPEST || !parts.iter().all(|part| *part != "..") {
            return None;
        }
        // Wheels have modules at the top or below `x.data/purelib`, source archives below a folder and mostly `src` or `lib`.
        let at = parts.iter().take(4).position(is_wanted)?;
        let before = parts.get(..at)?;
        if !before.iter().all(public) || !parts.get(at..)?.iter().all(public) {
            return None;
        }
        let start: usize = before.iter().map(|part| part.len() + 1).sum();
        path.get(start..)
    }
}

/// The text of a member; `None` where it is too long. Bytes that are no UTF-8 are replaced: old files are Latin-1.
fn text_of(member: impl Read) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    member.take(LONGEST_MEMBER + 1).read_to_end(&mut bytes)?;
    Ok((bytes.len() as u64 <= LONGEST_MEMBER).then(|| String::from_utf8_lossy(&bytes).into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;

    fn wheel(members: &[(&str, &[u8])]) -> Vec<u8> {
        let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for (path, content) in members {
            writer.start_file(*path, zip::write::SimpleFileOptions::default()).unwrap();
            writer.write_all(content).unwrap();
        }
        writer.finish().unwrap().into_inner()
    }

    fn paths(files: &SourceFiles) -> Vec<&str> {
        files.files.keys().map(String::as_str).collect()
    }

    #[test]
    fn the_text_of_the_wanted_modules_is_taken() {
        let bytes = wheel(&[
            ("x/__init__.py", b"a = 1"),
            ("x/tests/test_a.py", b"b"),
            ("x/_c.cpython-39.so", b"\x7fELF"),
            ("x/../../y.py", b"c"),
            ("other/__init__.py", b"d"),
            ("x-1.0.dist-info/METADATA", b"e"),
        ]);
        let files = SourceFiles::of_archive("x-1.0-py3-none-any.whl", &bytes, &["x".into()]).unwrap();
        assert_eq!(paths(&files), ["x/__init__.py"]);
        assert_eq!(files.compiled, ["x/_c.cpython-39.so"]);
        assert_eq!(SourceFiles::of_packed(&files.packed()).unwrap(), files);
    }

    #[test]
    fn source_archives_hold_modules_below_folders_and_links_are_passed_by() {
        let mut archive = tar::Builder::new(flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast()));
        let mut add = |path: &str, content: &[u8]| {
            let mut header = tar::Header::new_gnu();
            header.set_size(content.len() as u64);
            archive.append_data(&mut header, path, content).unwrap();
        };
        add("x-1.0/lib/x/__init__.py", b"a = 1");
        add("x-1.0/setup.py", b"b");
        add("x-1.0/docs/x/conf.py", b"c");
        let mut link = tar::Header::new_gnu();
        link.set_entry_type(tar::EntryType::Symlink);
        link.set_size(0);
        archive.append_link(&mut link, "x-1.0/lib/x/evil.py", "/etc/passwd").unwrap();
        let bytes = archive.into_inner().unwrap().finish().unwrap();
        let files = SourceFiles::of_archive("x-1.0.tar.gz", &bytes, &["x".into()]).unwrap();
        assert_eq!(paths(&files), ["x/__init__.py"]);
    }

    #[test]
    fn bombs_and_rubbish_are_refused_by_name() {
        let long = vec![b' '; LONGEST_MEMBER as usize + 1];
        let bytes = wheel(&[("x/__init__.py", b"a"), ("x/long.py", &long)]);
        let files = SourceFiles::of_archive("x.whl", &bytes, &["x".into()]).unwrap();
        assert_eq!(files.skipped.len(), 1);
        for (name, bytes) in [("x.whl", &b"PK"[..]), ("x.tar.gz", b"x"), ("x.exe", b""), ("y.whl", &bytes[..50])] {
            assert!(SourceFiles::of_archive(name, bytes, &["x".into()]).is_err(), "{name}");
        }
        assert!(SourceFiles::of_packed(b"x").is_err());
    }
}
