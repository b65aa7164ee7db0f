//! Official examples of a release as notebooks: programs of known date. Gallery scripts of a source archive, and the examples of
//! documentation, each release as one repository.
//!
//! | file | purpose |
//! |---|---|
//! | `gallery.rs` | a script as a notebook, by sphinx-gallery's blocks |
//! | `documentation.rs`, `doctest.rs` | examples of docstrings as notebooks, what they are said to show as saved outputs |
//! | `draw.rs` | which of them are taken |

mod doctest;
mod documentation;
mod draw;
mod gallery;

use std::collections::BTreeMap;
use std::io;

use jiff::Timestamp;
use nbrevive_notebook::write;

pub use documentation::ImportOf;
pub use draw::ExampleDraw;

use crate::content::{LocalSettings, LocalTrouble};
use crate::github::{Spooled, Tarball, TarballFault};
use crate::raw::{RawError, RawStore};
use crate::records::MiningSource;
use crate::repository::{Candidate, RepositoryPlace, Taken};

/// Most bytes that are unpacked of a source archive.
const MOST_UNPACKED: u64 = 2 << 30;
/// Longest script that is read, in bytes.
const LONGEST_SCRIPT: u64 = 1 << 20;

nbrevive_corpus::string_enum! {
    /// Which examples of a release.
    #[derive(Default)]
    pub enum ExampleSort ("sort of examples") {
        /// Scripts below its folders of examples.
        #[default]
        Gallery => "gallery",
        /// Examples in its documentation of functions and classes.
        Documentation => "documentation",
    }
}

/// Why the examples of a release are not taken.
#[derive(Debug, thiserror::Error)]
pub enum ExamplesError {
    /// The archive is damaged or too large.
    #[error("its source archive cannot be read: {0}")]
    Archive(String),
    /// There are none.
    #[error("it has no {0}")]
    Nothing(&'static str),
    /// The system refused.
    #[error("cannot read its examples: {0}")]
    System(#[from] io::Error),
    /// The raw store cannot be used.
    #[error(transparent)]
    Raw(#[from] RawError),
}

impl From<TarballFault> for ExamplesError {
    fn from(fault: TarballFault) -> Self {
        Self::Archive(fault.to_string())
    }
}

/// The release whose examples are taken.
#[derive(Debug, Clone, Copy)]
pub struct ExampleRelease<'a> {
    /// What names it in a file of requirements: `pandas==0.23.4`. The repository declares that, so that its examples run with no other.
    pub requirement: &'a str,
    /// When it was uploaded.
    pub uploaded: Timestamp,
}

/// A file that becomes part of the repository.
enum Part {
    Made(Vec<u8>),
    Spooled(Spooled),
}

impl RepositoryPlace {
    /// The gallery of a release: what lies below its folders of examples, scripts as notebooks, with the files around them.
    ///
    /// # Errors
    /// [`ExamplesError`]: no `.tar.gz` that can be read, no script in it, or the raw store cannot be used.
    pub fn take_gallery(
        &self,
        archive: &[u8],
        release: ExampleRelease<'_>,
        draw: &ExampleDraw,
        raw: &RawStore,
    ) -> Result<Taken, ExamplesError> {
        let mut tarball = Tarball::read(archive, tempfile::tempfile()?, self.limits.largest_file, MOST_UNPACKED)?;
        let mut around = Vec::new();
        let mut examples = BTreeMap::new();
        for file in std::mem::take(&mut tarball.files).into_iter().filter(|file| gallery::is_inside(&file.path)) {
            if LocalSettings::default().takes(&file.path) {
                if let Ok(bytes) = tarball.content(&file.from)? {
                    examples.insert(file.path, bytes);
                }
            } else if file.path.ends_with(".py") {
                // What one script imports of another is seldom, and what all of them import would be installed for each.
                if !gallery::is_script(&file.path) || file.bytes > LONGEST_SCRIPT {
                    continue;
                }
                let Ok(bytes) = tarball.content(&file.from)? else { continue };
                let notebook = gallery::notebook(&String::from_utf8_lossy(&bytes));
                let path = format!("{}.ipynb", file.path.trim_end_matches(".py"));
                examples.insert(path, write(&notebook).into_bytes());
            } else {
                let (path, bytes) = (file.path, file.bytes);
                around.push(Candidate { path, is_program: false, bytes, from: Part::Spooled(file.from) });
            }
        }
        if examples.is_empty() {
            return Err(ExamplesError::Nothing("scripts in folders of examples"));
        }
        self.take_notebooks(draw.of(examples), around, release, raw, &mut |place| Ok(tarball.content(place)?))
    }

    /// The examples in the documentation of a release, by the text of its modules: one notebook a function, class or method. Names that an
    /// example neither binds nor imports are those of the module that it stands in, by `import`.
    ///
    /// # Errors
    /// [`ExamplesError`]: no example, or the raw store cannot be used.
    pub fn take_documentation(
        &self,
        files: &BTreeMap<String, String>,
        release: ExampleRelease<'_>,
        import: &ImportOf<'_>,
        draw: &ExampleDraw,
        raw: &RawStore,
    ) -> Result<Taken, ExamplesError> {
        let notebooks: BTreeMap<String, Vec<u8>> = files
            .iter()
            .flat_map(|file| documentation::notebooks(file, import))
            .map(|(path, notebook)| (path, write(&notebook).into_bytes()))
            .collect();
        if notebooks.is_empty() {
            return Err(ExamplesError::Nothing("examples in its documentation"));
        }
        let nothing = &mut |_: &Spooled| Ok(Err("it lies in no archive".to_owned()));
        self.take_notebooks(draw.of(notebooks), Vec::new(), release, raw, nothing)
    }

    fn take_notebooks(
        &self,
        notebooks: Vec<(String, Vec<u8>)>,
        around: Vec<Candidate<Part>>,
        release: ExampleRelease<'_>,
        raw: &RawStore,
        read: crate::repository::Read<'_, Spooled, ExamplesError>,
    ) -> Result<Taken, ExamplesError> {
        let made = notebooks.into_iter().map(|(path, text)| Candidate {
            path,
            is_program: false,
            bytes: text.len() as u64,
            from: Part::Made(text),
        });
        let declared = format!("{}\n", release.requirement).into_bytes();
        let declared = Candidate {
            path: "requirements.txt".to_owned(),
            is_program: false,
            bytes: declared.len() as u64,
            from: Part::Made(declared),
        };
        let mut troubles: Vec<LocalTrouble> = Vec::new();
        let files = self.chosen(
            made.chain(around).chain([declared]).collect(),
            &mut troubles,
            &mut |part: &Part| match part {
                Part::Made(bytes) => Ok::<_, ExamplesError>(Ok(bytes.clone())),
                Part::Spooled(place) => read(place),
            },
        )?;
        let request = format!("examples {}", self.name.as_str());
        let record =
            self.kept(files, None, release.uploaded, (MiningSource::Examples, request), troubles.len(), raw)?;
        Ok((record, troubles))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::{ArchiveLimits, each_file};
    use crate::records::LocalPath;

    fn archive(files: &[(&str, &str)]) -> Vec<u8> {
        let mut archive = tar::Builder::new(flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast()));
        for (path, content) in files {
            let mut header = tar::Header::new_gnu();
            header.set_size(content.len() as u64);
            header.set_mode(0o644);
            archive.append_data(&mut header, path, content.as_bytes()).unwrap();
        }
        archive.into_inner().unwrap().finish().unwrap()
    }

    const RELEASE: ExampleRelease<'_> = ExampleRelease { requirement: "x==1.0", uploaded: Timestamp::UNIX_EPOCH };

    fn place() -> RepositoryPlace {
        let name = LocalPath::new("x/1.0/gallery").unwrap();
        RepositoryPlace { name, url: None, limits: ArchiveLimits::default() }
    }

    fn paths(taken: &Taken, raw: &RawStore) -> Vec<String> {
        let mut found = Vec::new();
        each_file(&raw.read(&taken.0.origin.raw).unwrap(), raw, &mut |path, _, _| {
            found.push(path.as_str().to_owned());
            Ok(())
        })
        .unwrap();
        found
    }

    #[test]
    fn scripts_of_a_gallery_are_notebooks_beside_the_files_that_they_read() {
        let folder = tempfile::tempdir().unwrap();
        let raw = RawStore::open(folder.path()).unwrap();
        let bytes = archive(&[
            ("x-1.0/examples/svm/plot_a.py", "import x\n"),
            ("x-1.0/examples/svm/data.csv", "1\n"),
            ("x-1.0/examples/setup.py", "import y\n"),
            ("x-1.0/examples/e.ipynb", "{}"),
            ("x-1.0/x/__init__.py", ""),
            ("x-1.0/x/tests/examples/b.py", ""),
        ]);
        let taken = place().take_gallery(&bytes, RELEASE, &ExampleDraw::default(), &raw).unwrap();
        assert_eq!(
            paths(&taken, &raw),
            ["examples/e.ipynb", "examples/svm/data.csv", "examples/svm/plot_a.ipynb", "requirements.txt"]
        );
        assert_eq!(taken.0.notebooks, 2);
        let again = place().take_gallery(&bytes, RELEASE, &ExampleDraw::default(), &raw).unwrap();
        assert_eq!(again, taken);
        for wrong in [&bytes[..40], b"no archive", b""] {
            assert!(place().take_gallery(wrong, RELEASE, &ExampleDraw::default(), &raw).is_err());
        }
        let none = archive(&[("x-1.0/x/__init__.py", "")]);
        assert!(place().take_gallery(&none, RELEASE, &ExampleDraw::default(), &raw).is_err());
    }

    #[test]
    fn examples_of_documentation_are_notebooks() {
        let folder = tempfile::tempdir().unwrap();
        let raw = RawStore::open(folder.path()).unwrap();
        let text = "def f():\n    '''F.\n\n    >>> 1 + 1\n    2\n    '''\n";
        let files = BTreeMap::from([("x/a.py".to_owned(), text.to_owned()), ("x/_b.py".to_owned(), text.to_owned())]);
        let taken = place().take_documentation(&files, RELEASE, &|_, _| None, &ExampleDraw::default(), &raw).unwrap();
        assert_eq!(paths(&taken, &raw), ["documentation/x.a.f.ipynb", "requirements.txt"]);
        let none = BTreeMap::from([("x/a.py".to_owned(), "x = 1\n".to_owned())]);
        assert!(place().take_documentation(&none, RELEASE, &|_, _| None, &ExampleDraw::default(), &raw).is_err());
    }
}
