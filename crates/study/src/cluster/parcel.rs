//! A shard as it travels: one tar of what is known about it, its database and its executed notebooks, with the hash of all that in its name.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use nbrevive_corpus::{Outcome, file_sha256};
use nbrevive_files::{FileError, OutgoingFile};
use nbrevive_store::shards::ShardJob;
use nbrevive_store::{Store, StoreError};
use serde::{Deserialize, Serialize};

use crate::JobTrouble;
use crate::running::trouble::is_full;

/// The format that is written, and the only one that is read.
const FORMAT: u32 = 1;
/// The longest head that is read, in bytes.
const LONGEST_HEAD: u64 = 64 << 20;
const HEAD: &str = "parcel.json";
const DATABASE: &str = "study.db";
const EXECUTED: &str = "executed/";

/// What is known about a shard.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ParcelHead {
    /// Version of this format.
    format: u32,
    /// The run that it belongs to.
    pub run: String,
    /// The program that made it.
    pub program: String,
    /// The batch; 0 for what batches start from.
    pub batch: u32,
    /// The machine where it ran.
    pub node: String,
    /// Whether the whole batch was carried out.
    pub is_whole: bool,
    /// The jobs that are decided.
    pub decided: Vec<ShardJob>,
    /// How many of its first runs came to which outcome.
    pub outcomes: BTreeMap<Outcome, usize>,
    /// Those that met trouble there, with its kind and in words.
    pub undone: Vec<(ShardJob, JobTrouble, String)>,
}

impl ParcelHead {
    /// A head of the present format, of a shard that decides nothing.
    #[must_use]
    pub fn new(run: &str, program: &str, batch: u32, node: &str) -> Self {
        let (run, program, node) = (run.to_owned(), program.to_owned(), node.to_owned());
        let (decided, outcomes, undone) = (Vec::new(), BTreeMap::new(), Vec::new());
        ParcelHead { format: FORMAT, run, program, batch, node, is_whole: false, decided, outcomes, undone }
    }
}

/// Why a parcel is not sealed, or not opened.
#[derive(Debug, thiserror::Error)]
pub enum ParcelError {
    /// Its content is not what its name says.
    #[error("shard {parcel} was cut or changed on its way: it is left out, and its jobs run again")]
    Cut {
        /// The file.
        parcel: PathBuf,
    },
    /// It is no shard of this run.
    #[error("{parcel} is no shard of this run ({why}): it is left out")]
    Foreign {
        /// The file.
        parcel: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// A file cannot be opened or put in its place.
    #[error(transparent)]
    File(#[from] FileError),
    /// A file cannot be read or written.
    #[error("cannot access {path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The store cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl ParcelError {
    fn io(path: &Path) -> impl FnOnce(std::io::Error) -> Self + '_ {
        move |source| ParcelError::Io { path: path.to_owned(), source }
    }

    /// Whether a disk is full.
    #[must_use]
    pub fn is_full(&self) -> bool {
        match self {
            ParcelError::Io { source, .. } | ParcelError::File(FileError::Write { source, .. }) => is_full(source),
            ParcelError::Store(error) => matches!(error, StoreError::DiskFull { .. }),
            ParcelError::Cut { .. } | ParcelError::Foreign { .. } | ParcelError::File(_) => false,
        }
    }
}

/// Packs a store, as it is now, in the folder `scratch`, and moves it to `folder` in one step, under a name that begins with `stem`. Others may
/// go on storing meanwhile. The name.
///
/// # Errors
/// When something cannot be read or written: then nothing stands in `folder`.
pub fn seal_parcel(
    store: &Path,
    head: &ParcelHead,
    scratch: &Path,
    (folder, stem): (&Path, &str),
) -> Result<String, ParcelError> {
    let work = tempfile::tempdir_in(scratch).map_err(ParcelError::io(scratch))?;
    let database = work.path().join(DATABASE);
    Store::open_read_only(store)?.seal(&database)?;
    let packed = work.path().join("packed");
    let file = OutgoingFile::begin(&packed)?;
    let text = serde_json::to_vec(head).map_err(|error| ParcelError::io(&packed)(error.into()))?;
    let mut archive = tar::Builder::new(file);
    add(&mut archive, HEAD, text.len() as u64, text.as_slice()).map_err(ParcelError::io(&packed))?;
    add_file(&mut archive, DATABASE, &database)?;
    // The database first: a notebook that is put there later has no row in it, and is in nobody's way.
    for name in notebooks(store)? {
        add_file(&mut archive, &format!("{EXECUTED}{name}"), &store.join(EXECUTED).join(&name))?;
    }
    let file = archive.into_inner().map_err(ParcelError::io(&packed))?;
    file.commit()?;
    let name = format!("{stem}-{}.tar", file_sha256(&packed).map_err(ParcelError::io(&packed))?);
    let place = folder.join(&name);
    let moved = || -> std::io::Result<()> {
        let mut output = OutgoingFile::begin(&place)?;
        std::io::copy(&mut nbrevive_files::open(&packed)?, &mut output)?;
        Ok(output.commit()?)
    };
    moved().map_err(ParcelError::io(&place))?;
    Ok(name)
}

fn add(archive: &mut tar::Builder<OutgoingFile>, name: &str, bytes: u64, content: impl Read) -> std::io::Result<()> {
    let mut header = tar::Header::new_gnu();
    header.set_size(bytes);
    header.set_mode(0o644);
    archive.append_data(&mut header, name, content)
}

fn add_file(archive: &mut tar::Builder<OutgoingFile>, name: &str, path: &Path) -> Result<(), ParcelError> {
    let mut added = || {
        let file: File = nbrevive_files::open(path)?;
        let bytes = file.metadata()?.len();
        add(archive, name, bytes, file.take(bytes))
    };
    added().map_err(ParcelError::io(path))
}

/// The executed notebooks of a store.
fn notebooks(store: &Path) -> Result<Vec<String>, ParcelError> {
    let entries = nbrevive_files::Folder::open(&store.join(EXECUTED))?.entries()?;
    let names = entries.into_iter().filter_map(|entry| entry.name.into_string().ok());
    Ok(names.filter(|name| name.ends_with(".ipynb")).collect())
}

/// Unpacks a parcel of the run `run`, made by `program`, as a store into the empty folder `into`.
///
/// # Errors
/// When it was cut, or is none of this run.
pub fn open_parcel(parcel: &Path, (run, program): (&str, &str), into: &Path) -> Result<ParcelHead, ParcelError> {
    let foreign = |why: String| ParcelError::Foreign { parcel: parcel.to_owned(), why };
    let named = parcel.file_stem().and_then(|name| name.to_str()).and_then(|name| name.rsplit('-').next());
    let file = nbrevive_files::open(parcel)?;
    let hash = file_sha256(parcel).map_err(ParcelError::io(parcel))?;
    if named != Some(hash.as_str()) {
        return Err(ParcelError::Cut { parcel: parcel.to_owned() });
    }
    nbrevive_files::make_folder(&into.join(EXECUTED))?;
    let mut archive = tar::Archive::new(file);
    let mut head = None;
    let mut unpack = || -> std::io::Result<()> {
        for entry in archive.entries()? {
            let mut entry = entry?;
            let name = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
            match name.strip_prefix(EXECUTED) {
                _ if !entry.header().entry_type().is_file() => {}
                Some(notebook) if !notebook.contains(['/', '\0']) && notebook.ends_with(".ipynb") => {
                    put(&into.join(EXECUTED).join(notebook), &mut entry)?;
                }
                None if name == DATABASE => put(&into.join(DATABASE), &mut entry)?,
                None if name == HEAD => {
                    let mut text = Vec::new();
                    entry.take(LONGEST_HEAD).read_to_end(&mut text)?;
                    head = Some(serde_json::from_slice::<ParcelHead>(&text)?);
                }
                _ => {}
            }
        }
        Ok(())
    };
    unpack()
        .map_err(|error| if is_full(&error) { ParcelError::io(into)(error) } else { foreign(error.to_string()) })?;
    let head = head.ok_or_else(|| foreign(format!("it has no {HEAD}")))?;
    match &head {
        head if head.format != FORMAT => Err(foreign(format!("its format is {}, and {FORMAT} is known", head.format))),
        head if head.run != run => Err(foreign("it is of another run".to_owned())),
        head if head.program != program => {
            Err(foreign(format!("nbrevive {} made it, and this is {program}", head.program)))
        }
        _ => Ok(head),
    }
}

fn put(path: &Path, content: &mut impl Read) -> std::io::Result<()> {
    let mut output = OutgoingFile::begin(path)?;
    std::io::copy(content, &mut output)?;
    output.flush()?;
    Ok(output.commit()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cluster::batch_file::tests::job;

    fn store(folder: &Path) -> PathBuf {
        let path = folder.join("store");
        let store = Store::open(&path).unwrap();
        store.write_executed("a", "{}").unwrap();
        path
    }

    fn sealed(folder: &Path) -> (ParcelHead, PathBuf) {
        let head = ParcelHead { decided: vec![job("a")], ..ParcelHead::new("run", "me", 7, "n1") };
        let name = seal_parcel(&store(folder), &head, folder, (folder, "7-x")).unwrap();
        (head, folder.join(name))
    }

    #[test]
    fn what_is_sealed_is_opened_as_a_store() {
        let folder = tempfile::tempdir().unwrap();
        let (head, path) = sealed(folder.path());
        let into = tempfile::tempdir().unwrap();
        assert_eq!(open_parcel(&path, ("run", "me"), into.path()).unwrap(), head);
        assert_eq!(std::fs::read_to_string(into.path().join("executed/a.ipynb")).unwrap(), "{}");
        Store::open_read_only(into.path()).unwrap();
    }

    #[test]
    fn what_was_cut_or_is_of_others_is_refused_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let (_, path) = sealed(folder.path());
        let refused = |path: &Path, of: (&str, &str)| {
            let error = open_parcel(path, of, tempfile::tempdir().unwrap().path()).unwrap_err();
            assert!(error.to_string().contains(&*path.file_name().unwrap().to_string_lossy()), "{error}");
            error
        };
        assert!(matches!(refused(&path, ("walk", "me")), ParcelError::Foreign { .. }));
        assert!(matches!(refused(&path, ("run", "you")), ParcelError::Foreign { .. }));
        let bytes = std::fs::read(&path).unwrap();
        for cut in [0, 1, 511, 512, bytes.len() / 2, bytes.len() - 1] {
            std::fs::write(&path, &bytes[..cut]).unwrap();
            assert!(matches!(refused(&path, ("run", "me")), ParcelError::Cut { .. }), "{cut} bytes");
            // Somebody who gives what was cut its own hash.
            let other = folder.path().join(format!("7-x-{}.tar", file_sha256(&path).unwrap()));
            std::fs::copy(&path, &other).unwrap();
            if let Ok(head) = open_parcel(&other, ("run", "me"), tempfile::tempdir().unwrap().path()) {
                assert!(cut > bytes.len() / 2 && head.batch == 7, "{cut} bytes");
            }
        }
    }

    #[test]
    fn names_that_lead_elsewhere_are_passed_over() {
        let folder = tempfile::tempdir().unwrap();
        let mut archive = tar::Builder::new(Vec::new());
        let text = serde_json::to_vec(&ParcelHead::new("run", "me", 1, "n")).unwrap();
        for name in [HEAD, "executed/../../out.ipynb", "executed/sub/a.ipynb", "/out", "out.ipynb"] {
            let mut header = tar::Header::new_gnu();
            header.set_size(text.len() as u64);
            header.as_gnu_mut().unwrap().name[..name.len()].copy_from_slice(name.as_bytes());
            header.set_cksum();
            archive.append(&header, text.as_slice()).unwrap();
        }
        let packed = folder.path().join("packed");
        std::fs::write(&packed, archive.into_inner().unwrap()).unwrap();
        let path = folder.path().join(format!("1-{}.tar", file_sha256(&packed).unwrap()));
        std::fs::rename(&packed, &path).unwrap();
        let into = folder.path().join("into/store");
        std::fs::create_dir_all(&into).unwrap();
        open_parcel(&path, ("run", "me"), &into).unwrap();
        assert_eq!(std::fs::read_dir(into.join("executed")).unwrap().count(), 0);
        assert_eq!(std::fs::read_dir(folder.path().join("into")).unwrap().count(), 1);
    }
}
