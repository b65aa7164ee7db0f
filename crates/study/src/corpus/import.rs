//! Takes over what MLE-bench's own `prepare` wrote for a competition: its files are compared with the checksums that MLE-bench
//! states, copied, and given a description, so that grading and studies find a competition as any other.
//!
//! The copy is made beside its place and put there in one step: whoever looks sees the whole competition or none. What a killed
//! import had copied is kept, and the next one goes on from there.

mod files;

use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use nbrevive_corpus::{Competition, file_sha256, opened_sha256};
use nbrevive_files::{FileError, remove, replace_folder};
use nbrevive_grade::{Checksums, GradingRules, parse_checksums};

use files::{Given, copy_new, copy_whole, different};

/// How the source of imported data is named.
const SOURCE: &str = "Kaggle, as MLE-bench (commit 783b15a) prepares it";

/// Longest file of checksums that is read, in bytes.
const LONGEST_CHECKSUMS: u64 = 64 << 20;

/// What [`import`] did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Imported {
    /// The slug.
    pub id: String,
    /// Where it lies now.
    pub folder: PathBuf,
    /// How many files it has.
    pub files: usize,
    /// Whether the same had been imported before, so that nothing was done.
    pub present: bool,
    /// How the files differ from the checksums, where that was allowed.
    pub differences: Vec<String>,
}

/// Why a competition could not be imported.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The folder is not what `prepare` writes.
    #[error("{folder} is not a competition that MLE-bench prepared: {why}", folder = folder.display())]
    NotPrepared {
        /// The folder.
        folder: PathBuf,
        /// What is missing, and what to give.
        why: String,
    },
    /// The checksums cannot be read.
    #[error("{path} cannot be used: {why}", path = path.display())]
    Checksums {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// Files are missing or differ.
    #[error(
        "the files in {folder} are not those that MLE-bench states ({list}): prepare the competition again, or add \
         --allow-differences to import it as it is",
        folder = folder.display(),
        list = differences.join("; ")
    )]
    Different {
        /// The folder with `public` and `private`.
        folder: PathBuf,
        /// One sentence a file.
        differences: Vec<String>,
    },
    /// Another process imports the same competition.
    #[error("another process imports competition `{0}`")]
    Busy(String),
    /// A file is no regular one, or leads out of the folder that was given.
    #[error(transparent)]
    File(FileError),
    /// A file cannot be read or written.
    #[error("cannot copy to or from {path}: {source}", path = path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

/// What to import, and how strictly.
#[derive(Debug, Clone)]
pub struct ImportSettings {
    /// `SLUG/prepared` or `SLUG`, as `prepare` names it.
    pub folder: PathBuf,
    /// A `checksums.yaml` to compare with; else the one in the folder, else those that are built in.
    pub checksums: Option<PathBuf>,
    /// Import files that differ from the checksums.
    pub allow_differences: bool,
}

/// Imports a competition into a folder of its own below `into`.
///
/// # Errors
/// When the folder is not one that `prepare` wrote, files differ from their checksums, or something cannot be read or written.
/// What was there before stays in place then.
pub fn import(settings: &ImportSettings, into: &Path) -> Result<Imported, ImportError> {
    let given = fs::canonicalize(&settings.folder).map_err(at(&settings.folder))?;
    let (rules, prepared) = GradingRules::of_prepared(&given).ok_or_else(|| ImportError::NotPrepared {
        folder: given.clone(),
        why: "neither it nor the folder above is named after one (`nbrevive grade list` names them all)".to_owned(),
    })?;
    let files = Given::prepared(&prepared)?;
    let found = files.listed()?;
    complete(rules, &prepared, &found)?;
    let (path, checksums) = checksums(settings, rules, &given, &prepared)?;
    let differences = different(&files, &found, &checksums, &path)?;
    if !differences.is_empty() && !settings.allow_differences {
        return Err(ImportError::Different { folder: prepared, differences });
    }
    fs::create_dir_all(into).map_err(at(into))?;
    let _lock = locked(&into.join(format!(".{}.lock", rules.id)), &rules.id)?;
    let folder = into.join(&rules.id);
    let present = is_same(&folder, &files, &found);
    if !present {
        let partial = into.join(format!(".{}.partial", rules.id));
        copy_new(&files, &found, &partial)?;
        describe(rules, &found, &partial)?;
        put(&partial, &folder)?;
    }
    Ok(Imported { id: rules.id.clone(), folder, files: found.len(), present, differences })
}

/// Whether there is all that grading needs.
fn complete(rules: &GradingRules, prepared: &Path, found: &BTreeMap<String, u64>) -> Result<(), ImportError> {
    let needed = [&rules.answers, &rules.sample].into_iter().chain(&rules.gold);
    let missing: Vec<&str> = needed.filter(|name| !found.contains_key(*name)).map(String::as_str).collect();
    if missing.is_empty() {
        return Ok(());
    }
    Err(ImportError::NotPrepared { folder: prepared.to_owned(), why: format!("there is no {}", missing.join(", no ")) })
}

/// The checksums to compare with, and where they stand, in words.
fn checksums(
    settings: &ImportSettings,
    rules: &GradingRules,
    given: &Path,
    prepared: &Path,
) -> Result<(String, Checksums), ImportError> {
    // Beside `prepared`, or in it.
    let above = prepared.parent().filter(|_| prepared.ends_with("prepared"));
    let mut beside =
        [Some(given), Some(prepared), above].into_iter().flatten().map(|folder| folder.join("checksums.yaml"));
    let Some(path) = settings.checksums.clone().or_else(|| beside.find(|path| path.is_file())) else {
        return Ok(("the checksums of MLE-bench".to_owned(), rules.checksums()));
    };
    let wrong = |why: String| ImportError::Checksums { path: path.clone(), why };
    let text = nbrevive_files::read_text(&path, LONGEST_CHECKSUMS)
        .map_err(|error| wrong(io::Error::from(error).to_string()))?;
    let checksums = parse_checksums(&text)
        .map_err(|line| wrong(format!("line {line} is not as MLE-bench writes it (`private:` or `  NAME: MD5`)")))?;
    Ok((path.display().to_string(), checksums))
}

/// Whether the competition lies there already with the same files, by name, length and the hashes of its description.
fn is_same(folder: &Path, prepared: &Given, found: &BTreeMap<String, u64>) -> bool {
    let Ok(competition) = Competition::load(folder) else { return false };
    let same_hash = |(name, hash): (&String, &String)| {
        prepared.file(name).is_ok_and(|file| opened_sha256(file).is_ok_and(|own| own == *hash))
    };
    Given::own(folder).and_then(|own| own.listed()).is_ok_and(|own| own == *found)
        && competition.verify(folder).is_ok()
        && competition.files.iter().all(same_hash)
}

/// Writes what the files are, and the competition's own words beside it.
fn describe(rules: &GradingRules, found: &BTreeMap<String, u64>, partial: &Path) -> Result<(), ImportError> {
    let hashed = |name: &&String| nbrevive_grade::has_checksum(name) && name.matches('/').count() == 1;
    let hash = |name: &String| {
        let path = partial.join(name);
        Ok((name.clone(), file_sha256(&path).map_err(at(&path))?))
    };
    let files = found.keys().filter(hashed).map(hash).collect::<Result<_, ImportError>>()?;
    let path = partial.join("competition.toml");
    let text = toml::to_string(&rules.description(SOURCE, files)).map_err(io::Error::other).map_err(at(&path))?;
    fs::write(&path, text).map_err(at(&path))?;
    let words = partial.join("public/description.md");
    if words.is_file() {
        let words = File::open(&words).map_err(at(&words))?;
        copy_whole(words, &partial.join("description.md"))?;
    }
    Ok(())
}

/// Puts a finished copy in its place, in one step also where there is one before.
fn put(partial: &Path, folder: &Path) -> Result<(), ImportError> {
    replace_folder(partial, folder).map_err(at(folder))?;
    // What was there before.
    if partial.exists() { remove(partial).map_err(ImportError::File) } else { Ok(()) }
}

fn locked(path: &Path, id: &str) -> Result<File, ImportError> {
    let file = File::create(path).map_err(at(path))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(ImportError::Busy(id.to_owned())),
        Err(TryLockError::Error(source)) => Err(at(path)(source)),
    }
}

fn at(path: &Path) -> impl FnOnce(io::Error) -> ImportError {
    let path = path.to_owned();
    move |source| ImportError::Io { path, source }
}

#[cfg(test)]
mod tests;
