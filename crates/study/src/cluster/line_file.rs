//! A file of JSON that one process adds lines to, and others read meanwhile.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::Path;

use nbrevive_files::FileError;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The longest such file that is read, in bytes.
const LONGEST: u64 = 1 << 30;

/// A file that lines are added to.
#[derive(Debug)]
pub(crate) struct LineFile(File);

impl LineFile {
    /// Opens it at its end, or begins it.
    ///
    /// # Errors
    /// When the system refuses.
    pub(crate) fn open(path: &Path) -> std::io::Result<Self> {
        let mut file = OpenOptions::new().create(true).append(true).open(path)?;
        // A line that was cut when its writer died stays alone, and is passed over.
        if file.metadata()?.len() > 0 {
            file.write_all(b"\n")?;
        }
        Ok(LineFile(file))
    }

    /// When it was written to last, by the clock of whoever keeps it.
    ///
    /// # Errors
    /// When the system refuses.
    pub(crate) fn written_at(&self) -> std::io::Result<std::time::SystemTime> {
        self.0.metadata()?.modified()
    }

    /// Adds one line.
    ///
    /// # Errors
    /// When the system refuses.
    pub(crate) fn add(&mut self, line: &impl Serialize) -> std::io::Result<()> {
        let mut text = serde_json::to_string(line)?;
        text.push('\n');
        self.0.write_all(text.as_bytes())
    }
}

/// The lines of such a file; what is no whole line is passed over. None where there is no file.
///
/// # Errors
/// When it cannot be read.
pub(crate) fn lines<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, FileError> {
    match nbrevive_files::read(path, LONGEST) {
        Ok(text) => {
            Ok(text.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect())
        }
        Err(error) if error.is_not_found() => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_was_cut_takes_no_other_with_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lines");
        assert_eq!(lines::<u32>(&path).unwrap(), Vec::<u32>::new());
        LineFile::open(&path).unwrap().add(&12).unwrap();
        std::fs::write(&path, "12\n{\"cut").unwrap();
        LineFile::open(&path).unwrap().add(&34).unwrap();
        assert_eq!(lines::<u32>(&path).unwrap(), [12, 34]);
    }
}
