//! Interpreters: which Python a date asks for, and which ones this machine has.
//!
//! The paper installs the latest patch of a minor. Here the newest *installed* patch of that minor is used and
//! recorded, since patches rarely change what a notebook sees.

mod discovery;
mod paths;
mod releases;
mod tags;

pub use discovery::{Interpreters, NoInterpreter};
pub(crate) use paths::interpreter_paths;
pub use releases::{PythonChoice, first_supported, python_at, released};

use std::path::{Path, PathBuf};

use nbrevive_notebook::PythonVersion;
use pep440_rs::Version;
use serde::{Deserialize, Serialize};

/// One installed interpreter, as it describes itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Interpreter {
    /// The program, links resolved.
    pub path: PathBuf,
    /// Full version, such as 3.9.18.
    pub version: Version,
    /// Folder that a sandbox has to show for it to run (`sys.prefix` of the base interpreter).
    pub prefix: PathBuf,
    /// Machine name, such as `x86_64`.
    pub machine: String,
    /// Version of glibc it runs on, `None` elsewhere.
    pub glibc: Option<(u32, u32)>,
    /// Python 2 only: whether it has the wide Unicode build (`cp27mu`), as Linux distributions do.
    pub wide_unicode: bool,
}

impl Interpreter {
    /// The minor of its version.
    #[must_use]
    pub fn minor(&self) -> PythonVersion {
        let number = |at: usize| self.version.release().get(at).and_then(|part| u32::try_from(*part).ok()).unwrap_or(0);
        PythonVersion::new(number(0), number(1))
    }

    /// Whether a wheel with these tags (PEP 425, `python-abi-platform`) installs here.
    #[must_use]
    pub fn fits(&self, tags: &str) -> bool {
        tags::fit(self, tags)
    }

    /// Whether uv can work with it: Python 3.6 or newer.
    #[must_use]
    pub fn is_modern(&self) -> bool {
        self.minor() >= PythonVersion::new(3, 6)
    }

    /// The program's path.
    #[must_use]
    pub fn program(&self) -> &Path {
        &self.path
    }
}
