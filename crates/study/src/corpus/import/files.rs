//! The files of a prepared competition: listed, compared with their checksums, copied.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use md5::{Digest, Md5};
use nbrevive_files::{FileError, FileErrorKind, Folder, hex};
use nbrevive_grade::{Checksums, has_checksum};

use super::{ImportError, at};

/// Folders that lie in one another at most, those behind links included: links can go round in circles.
const DEEPEST: usize = 32;

/// A prepared folder, and the one that no link in it may lead out of.
#[derive(Debug)]
pub(super) struct Given {
    root: Folder,
    /// The prepared folder below `root`.
    below: PathBuf,
    /// The answers, as a path without links.
    answers: PathBuf,
    /// The prepared folder, as it was given.
    path: PathBuf,
}

impl Given {
    /// What `prepare` wrote. It may link to its raw files, which lie beside the folder `prepared`.
    pub(super) fn prepared(prepared: &Path) -> Result<Self, ImportError> {
        let above = prepared.parent().filter(|_| prepared.ends_with("prepared"));
        let below = above.map_or_else(|| PathBuf::from("."), |_| PathBuf::from("prepared"));
        Self::open(prepared, above.unwrap_or(prepared), below)
    }

    /// A folder of ours.
    pub(super) fn own(folder: &Path) -> Result<Self, ImportError> {
        Self::open(folder, folder, PathBuf::from("."))
    }

    fn open(path: &Path, root: &Path, below: PathBuf) -> Result<Self, ImportError> {
        let root = Folder::open(root).map_err(ImportError::File)?;
        let (real, _) = root.resolve(&below).map_err(ImportError::File)?;
        Ok(Self { root, below, answers: real.join("private"), path: path.to_owned() })
    }

    /// A file by its path below the prepared folder.
    pub(super) fn file(&self, name: &str) -> Result<File, ImportError> {
        self.root.open_file(&self.below.join(name)).map_err(ImportError::File)
    }

    /// Every file below `public` and `private` with its length, by its path below `prepared`.
    pub(super) fn listed(&self) -> Result<BTreeMap<String, u64>, ImportError> {
        let mut found = BTreeMap::new();
        let mut left = vec!["private".to_owned(), "public".to_owned()];
        while let Some(name) = left.pop() {
            let folder = self.folder(&name)?;
            for entry in folder.entries().map_err(ImportError::File)? {
                let inner = entry.name.to_str().ok_or_else(|| {
                    self.wrong(format!("the name of {} is not UTF-8", folder.path().join(&entry.name).display()))
                })?;
                let name = format!("{name}/{inner}");
                match self.kind(&name, entry.kind)? {
                    FileErrorKind::Folder if name.split('/').count() > DEEPEST => {
                        return Err(self.wrong(format!("it has more than {DEEPEST} levels")));
                    }
                    FileErrorKind::Folder => left.push(name),
                    FileErrorKind::File => {
                        let length = self.file(&name)?.metadata().map_err(at(folder.path()))?.len();
                        found.insert(name, length);
                    }
                    other => return Err(self.wrong(format!("{name} is {other}"))),
                }
            }
        }
        Ok(found)
    }

    fn folder(&self, name: &str) -> Result<Folder, ImportError> {
        let missing = |error: FileError| match error {
            FileError::Read { .. } => self.wrong(format!("there is no folder `{name}`")),
            other => ImportError::File(other),
        };
        self.root.folder(&self.below.join(name)).map_err(missing)
    }

    /// What an entry is. What a link leads to is taken over, but nothing of the answers under a name that notebooks see.
    fn kind(&self, name: &str, kind: FileErrorKind) -> Result<FileErrorKind, ImportError> {
        if kind != FileErrorKind::Link {
            return Ok(kind);
        }
        let (real, kind) = self.root.resolve(&self.below.join(name)).map_err(ImportError::File)?;
        let leads_to_answers = real.starts_with(&self.answers) || self.answers.starts_with(&real);
        match name.starts_with("public/") && leads_to_answers {
            true => Err(self.wrong(format!("{name} leads to the answers"))),
            false => Ok(kind),
        }
    }

    fn wrong(&self, why: String) -> ImportError {
        ImportError::NotPrepared { folder: self.path.clone(), why }
    }
}

/// One sentence for each file that is missing, differs, or has no checksum though it should.
pub(super) fn different(
    prepared: &Given,
    found: &BTreeMap<String, u64>,
    checksums: &Checksums,
    stated: &str,
) -> Result<Vec<String>, ImportError> {
    let mut differences = Vec::new();
    for (name, expected) in checksums {
        if !found.contains_key(name) {
            differences.push(format!("{name} is missing"));
            continue;
        }
        let sum = md5(prepared.file(name)?).map_err(at(Path::new(name)))?;
        if !sum.eq_ignore_ascii_case(expected) {
            differences.push(format!("{name} has MD5 {sum}, expected {expected}"));
        }
    }
    let summed = |name: &&String| has_checksum(name) && name.matches('/').count() == 1;
    let unknown = found.keys().filter(summed).filter(|name| !checksums.contains_key(*name));
    differences.extend(unknown.map(|name| format!("{name} is not among {stated}")));
    Ok(differences)
}

fn md5(mut file: File) -> io::Result<String> {
    let mut hasher = Md5::new();
    let mut buffer = vec![0; 1 << 20];
    loop {
        match file.read(&mut buffer)? {
            0 => break,
            read => hasher.update(&buffer[..read]),
        }
    }
    Ok(hex(hasher.finalize()))
}

/// Makes `to` hold exactly these files; those without checksum that an import before copied whole are kept.
pub(super) fn copy_new(from: &Given, found: &BTreeMap<String, u64>, to: &Path) -> Result<(), ImportError> {
    let kept = Given::own(to).and_then(|own| own.listed()).unwrap_or_default();
    for name in kept.keys().filter(|name| !found.contains_key(*name)) {
        fs::remove_file(to.join(name)).map_err(at(&to.join(name)))?;
    }
    for (name, length) in found {
        let (source, target) = (from.file(name)?, to.join(name));
        if kept.get(name) == Some(length) && !has_checksum(name) && is_newer(&target, &source) {
            continue;
        }
        let folder = target.parent().unwrap_or(to);
        fs::create_dir_all(folder).map_err(at(folder))?;
        copy_whole(source, &target)?;
    }
    Ok(())
}

/// Copies a file so that it is there whole or not at all, readable by everybody: kernels may run as another user.
pub(super) fn copy_whole(mut source: File, target: &Path) -> Result<(), ImportError> {
    let copying = target.with_file_name(".copying");
    let copied = File::create(&copying).and_then(|mut copy| {
        io::copy(&mut source, &mut copy)?;
        copy.set_permissions(fs::Permissions::from_mode(0o644))
    });
    copied.and_then(|()| fs::rename(&copying, target)).map_err(at(target))
}

/// Whether a copy was made after its source was last written.
fn is_newer(copy: &Path, source: &File) -> bool {
    let time = |found: io::Result<fs::Metadata>| found.and_then(|metadata| metadata.modified()).ok();
    time(fs::metadata(copy)).zip(time(source.metadata())).is_some_and(|(copy, source)| copy >= source)
}
