//! Meta Kaggle Code: one file a version, in folders by its number. Notebooks are without outputs.

use std::io;
use std::path::{Path, PathBuf};

use nbrevive_files::FileError;

use crate::content::LocalTrouble;

/// Endings of code files, most frequent first.
const ENDINGS: [&str; 9] = ["ipynb", "py", "r", "R", "Rmd", "irnb", "jl", "ijlnb", "sql"];
/// Longest file that is taken, in bytes. Sources without outputs are seldom above 1 MiB.
const LARGEST_CODE: u64 = 64 << 20;

/// A folder with Meta Kaggle Code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeFolder {
    folder: PathBuf,
    largest: u64,
}

/// The code of a version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Code {
    /// Its path below the folder, for example `0111/437/111437241.ipynb`.
    pub path: PathBuf,
    /// Its bytes.
    pub bytes: Vec<u8>,
}

impl CodeFolder {
    /// A folder as it was downloaded. Nothing is read yet.
    #[must_use]
    pub fn new(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), largest: LARGEST_CODE }
    }

    /// The code of a version; `None` where the folder has none, as for versions that did not end their run. Links are not
    /// followed.
    ///
    /// # Errors
    /// [`LocalTrouble`] when the file is longer than 64 MiB or cannot be read.
    pub fn read(&self, version: u64) -> Result<Option<Code>, LocalTrouble> {
        for path in places(version) {
            let whole = self.folder.join(&path);
            if !whole.symlink_metadata().is_ok_and(|metadata| metadata.is_file()) {
                continue;
            }
            let shown = path.display().to_string();
            let bytes = read(&whole, self.largest).map_err(|error| LocalTrouble::new(&shown, &error))?;
            return Ok(Some(Code { path, bytes }));
        }
        Ok(None)
    }
}

/// Where the code of a version can lie: `<4 digits of millions>/<3 digits of thousands>/<number>`, the number as it is or, in
/// one published copy, padded to ten digits.
fn places(version: u64) -> impl Iterator<Item = PathBuf> {
    let folder = format!("{:04}/{:03}", version / 1_000_000, version / 1_000 % 1_000);
    let mut names = vec![version.to_string()];
    let padded = format!("{version:010}");
    if padded != names[0] {
        names.push(padded);
    }
    let join = move |name: String| {
        let folder = folder.clone();
        ENDINGS.into_iter().map(move |ending| PathBuf::from(format!("{folder}/{name}.{ending}")))
    };
    names.into_iter().flat_map(join)
}

fn read(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    nbrevive_files::read(path, limit).map_err(|error| match error {
        FileError::TooLong { most, .. } => io::Error::other(format!("longer than {most} bytes")),
        other => other.into(),
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn code_lies_by_its_number_padded_or_not() {
        let folder = tempfile::tempdir().unwrap();
        let code = CodeFolder { largest: 10, ..CodeFolder::new(folder.path()) };
        let write = |path: &str, text: &str| {
            let path = folder.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        write("0111/437/111437241.ipynb", "{}");
        write("0000/004/0000004012.R", "1");
        write("0111/437/111437242.py", "01234567890");
        std::os::unix::fs::symlink("/etc/passwd", folder.path().join("0111/437/111437243.py")).unwrap();
        let found = code.read(111_437_241).unwrap().unwrap();
        assert_eq!((found.path.to_str().unwrap(), &*found.bytes), ("0111/437/111437241.ipynb", &b"{}"[..]));
        assert_eq!(code.read(4_012).unwrap().unwrap().bytes, b"1");
        let error = code.read(111_437_242).unwrap_err().to_string();
        assert_eq!(error, "0111/437/111437242.py: longer than 10 bytes");
        assert_eq!((code.read(111_437_243).unwrap(), code.read(1).unwrap()), (None, None));
    }
}
