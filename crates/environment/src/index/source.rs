//! Source archives as a whole, to be built.

use pep440_rs::{Version, VersionSpecifiers};

use super::client::Fetcher;
use super::fetch::Question;
use super::metadata::{self, BuildSystem};
use super::{IndexAddress, IndexError, patience};
use crate::history::{FileTag, ListedFile, Sha256, version_in_file_name};
use crate::versions::{specifiers, within};

/// Longest source archive that is fetched to be built, in bytes. Those of pyspark, which has no wheels, have up to 440 MiB.
const LONGEST_ARCHIVE: u64 = 1 << 30;

/// Which source archive is wanted.
#[derive(Debug)]
pub(crate) struct WantedSource<'wanted> {
    /// Normalised name of the distribution.
    pub(crate) name: &'wanted str,
    /// The file, where it is known.
    pub(crate) file: Option<&'wanted str>,
    /// Its digest, where it is known.
    pub(crate) sha256: Option<Sha256>,
    /// The newest version within these, where the file is not known.
    pub(crate) bound: VersionSpecifiers,
    /// Version of the interpreter.
    pub(crate) python: &'wanted Version,
}

/// A source archive.
#[derive(Debug)]
pub(crate) struct SourceArchive {
    /// The file's name.
    pub(crate) file: String,
    pub(crate) bytes: Vec<u8>,
    pub(crate) system: BuildSystem,
}

impl SourceArchive {
    pub(crate) fn of(file: String, bytes: Vec<u8>) -> Self {
        let system = metadata::build_system(&file, &bytes);
        Self { file, bytes, system }
    }
}

/// Fetches a source archive and checks its digest; `None` where the index has none that is wanted.
pub(crate) fn source_archive(
    address: &IndexAddress,
    wanted: &WantedSource<'_>,
) -> Result<Option<SourceArchive>, IndexError> {
    let unreachable = |source| IndexError::Unreachable { name: wanted.name.to_owned(), source };
    let fetcher = Fetcher::new(patience()).map_err(unreachable)?;
    let files = Question { address, fetcher: &fetcher, name: wanted.name }.files()?;
    let Some(listed) = wanted.choose(&files) else { return Ok(None) };
    let long = || IndexError::LongArchive { file: listed.name.clone(), mib: LONGEST_ARCHIVE >> 20 };
    if listed.size.is_some_and(|size| size > LONGEST_ARCHIVE) {
        return Err(long());
    }
    let bytes = fetcher.file(&address.authorised(&listed.url), LONGEST_ARCHIVE).map_err(|source| {
        if source.too_long { long() } else { IndexError::FileUnreachable { file: listed.name.clone(), source } }
    })?;
    let bytes = bytes.ok_or_else(|| IndexError::FileGone { file: listed.name.clone() })?;
    let found = metadata::digest_of(&bytes);
    for sha256 in [listed.sha256, wanted.sha256].into_iter().flatten() {
        if sha256 != found {
            let file = listed.name.clone();
            return Err(IndexError::WrongDigest { file, listed: sha256.into(), found: found.into() });
        }
    }
    Ok(Some(SourceArchive::of(listed.name.clone(), bytes)))
}

impl WantedSource<'_> {
    fn choose<'files>(&self, files: &'files [ListedFile]) -> Option<&'files ListedFile> {
        let mut archives = files
            .iter()
            .filter(|file| file.is_installable() && FileTag::from_file_name(&file.name) == Some(FileTag::Sdist));
        if let Some(name) = self.file {
            return archives.find(|file| file.name == name);
        }
        let serves = |file: &&ListedFile| {
            let requires = file.requires_python.as_deref().unwrap_or_default();
            !file.yanked && within(&specifiers(requires), self.python)
        };
        let version = |file: &ListedFile| version_in_file_name(&file.name, self.name)?.parse::<Version>().ok();
        let fitting = archives.filter(serves).filter_map(|file| Some((version(file)?, file)));
        let fitting = fitting.filter(|(version, _)| within(&self.bound, version));
        fitting.max_by_key(|(version, _)| (version.is_stable(), version.clone())).map(|(_, file)| file)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::MetadataCopy;

    fn file(name: &str, requires_python: &str, yanked: bool) -> ListedFile {
        ListedFile {
            name: name.into(),
            version: None,
            uploaded: None,
            yanked,
            requires_python: Some(requires_python.into()),
            size: None,
            sha256: None,
            url: name.into(),
            metadata_copy: MetadataCopy::Missing,
        }
    }

    fn chosen(bound: &str, named: Option<&str>) -> Option<String> {
        let files = [
            file("x-1.0.tar.gz", "", false),
            file("x-1.2.zip", ">=2.7", false),
            file("x-1.3-py3-none-any.whl", "", false),
            file("x-1.4.tar.gz", "", true),
            file("x-1.5rc1.tar.gz", "", false),
            file("x-2.0.tar.gz", ">=3.9", false),
        ];
        let python = "3.7.1".parse().unwrap();
        let wanted = WantedSource { name: "x", file: named, sha256: None, bound: specifiers(bound), python: &python };
        wanted.choose(&files).map(|file| file.name.clone())
    }

    #[test]
    fn the_newest_archive_within_the_bound_that_suits_the_interpreter_is_taken() {
        assert_eq!(chosen("", None).as_deref(), Some("x-1.2.zip"));
        assert_eq!(chosen("<=1.1", None).as_deref(), Some("x-1.0.tar.gz"));
        assert_eq!(chosen(">1.2", None).as_deref(), Some("x-1.5rc1.tar.gz"));
        assert_eq!(chosen("==1.3", None), None);
        assert_eq!(chosen("", Some("x-1.4.tar.gz")).as_deref(), Some("x-1.4.tar.gz"));
    }
}
