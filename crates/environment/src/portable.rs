//! An environment taken along: which folders it takes to run, and how it is set up where they lie on another machine.
//!
//! Below one root lie `environments/<id>`, `kernels/<name>` and, unless it is the system's own, `interpreters/<version>`. What names
//! places of the machine that it was made on is left out, and written anew by [`Portable::settle`]: `pyvenv.cfg`, and the links from the
//! environment to its interpreter. Compiled files are left out too, and what of an interpreter no notebook runs: its own tests, its own
//! packages, static libraries.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::build::{Environment, kept};
use crate::home::{self, Home, HomeError};
use crate::interpreter::Interpreters;
use crate::kernel::KernelLayer;

/// Where virtual environments say what they were made with.
const CONFIG: &str = "pyvenv.cfg";
/// Longest interpreter, in bytes, and longest configuration.
const LONGEST_PROGRAM: u64 = 256 << 20;
const LONGEST_CONFIG: u64 = 64 << 10;

/// An environment with kernel and interpreter, as they lie below a root.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Portable {
    /// Its record. The paths are relative to the root; those of an interpreter that is not taken along are absolute.
    pub environment: Environment,
    /// The name of the kernel layer.
    pub kernel: String,
    /// SHA-256 of the interpreter's program and of the library that it is linked with, by their names.
    pub program_sha256: Vec<(String, String)>,
    /// Whether the interpreter is taken along.
    pub has_interpreter: bool,
    /// Links of the environment to its interpreter, by their paths in it.
    links: BTreeSet<PathBuf>,
    /// `pyvenv.cfg`, line by line.
    config: Vec<(String, String)>,
}

/// A folder to take along: where it lies on this machine, and below the root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PortableFolder {
    /// On this machine.
    pub from: PathBuf,
    /// Below the root.
    pub to: String,
    /// What is left out.
    kind: FolderKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FolderKind {
    Environment,
    Kernel,
    Interpreter,
}

/// An environment cannot be taken along, or not be set up.
#[derive(Debug, thiserror::Error)]
pub enum PortableError {
    /// It is not there.
    #[error("the environment {0} is not kept on this machine any more: run the study again, which builds it")]
    Gone(String),
    /// Its kernel is not there.
    #[error(
        "the kernel of the environment {0} is not kept on this machine any more: run a notebook in it, which installs it"
    )]
    NoKernel(String),
    /// The machine cannot run it.
    #[error("it was made for {made} machines, and this one is {here}: run it on such a machine")]
    OtherMachine {
        /// The machine it was made for.
        made: String,
        /// This machine.
        here: &'static str,
    },
    /// The interpreter was not taken along, and there is no such one.
    #[error("it needs Python {0}, which was the system's own and is not in the capsule: install that version")]
    NoInterpreter(String),
    /// A path of its record leads out of its root.
    #[error("its record names {}, which is no path in it", .0.display())]
    Outside(PathBuf),
    /// A file of ours.
    #[error(transparent)]
    Home(#[from] HomeError),
}

impl PortableFolder {
    /// Whether something in it is taken along, by its path in the folder.
    #[must_use]
    pub fn takes(&self, portable: &Portable, path: &Path) -> bool {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name == "__pycache__" {
            return false;
        }
        let depth = path.components().count();
        match self.kind {
            FolderKind::Environment => {
                let is_ours = depth == 1 && (name.starts_with("nbrevive-") || name == ".lock" || name == CONFIG);
                !is_ours && !portable.links.contains(path)
            }
            FolderKind::Kernel => true,
            FolderKind::Interpreter => {
                let is_own = depth == 3 && (name == "test" || name == "site-packages") && path.starts_with("lib");
                !is_own && !name.ends_with(".a") && !path.starts_with("share")
            }
        }
    }
}

impl Portable {
    /// An environment that is kept in a home, by its name.
    ///
    /// # Errors
    /// When it is not there, or something of it cannot be read.
    pub fn of(home: &Home, id: &str) -> Result<Self, PortableError> {
        let found = kept(home, id).ok_or_else(|| PortableError::Gone(id.to_owned()))?;
        let layer =
            KernelLayer::kept(home, &found.interpreter).ok_or_else(|| PortableError::NoKernel(id.to_owned()))?;
        let has_interpreter =
            !["/", "/usr", "/usr/local"].iter().any(|system| found.interpreter.prefix == Path::new(system));
        let mut environment = found.clone();
        environment.path = Path::new("environments").join(id);
        environment.python = moved(&found.python, &found.path, &environment.path);
        environment.site_packages = moved(&found.site_packages, &found.path, &environment.path);
        if has_interpreter {
            let to = Path::new("interpreters").join(found.interpreter.version.to_string());
            environment.interpreter.path = moved(&found.interpreter.path, &found.interpreter.prefix, &to);
            environment.interpreter.prefix = to;
        }
        Ok(Self {
            kernel: layer.path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            program_sha256: programs(&found)?,
            has_interpreter,
            links: outer_links(&found.path)?,
            config: config(&found.path)?,
            environment,
        })
    }

    /// What has to be taken along of a home.
    ///
    /// # Errors
    /// When the environment is not there any more.
    pub fn folders(&self, home: &Home) -> Result<Vec<PortableFolder>, PortableError> {
        let id = &self.environment.id;
        let found = kept(home, id).ok_or_else(|| PortableError::Gone(id.clone()))?;
        let folder =
            |from: PathBuf, to: &Path, kind| PortableFolder { from, to: to.to_string_lossy().into_owned(), kind };
        let mut folders = vec![
            folder(found.path.clone(), &self.environment.path, FolderKind::Environment),
            folder(home.kernels().join(&self.kernel), &self.kernel_path(), FolderKind::Kernel),
        ];
        if self.has_interpreter {
            folders.push(folder(
                found.interpreter.prefix,
                &self.environment.interpreter.prefix,
                FolderKind::Interpreter,
            ));
        }
        Ok(folders)
    }

    fn kernel_path(&self) -> PathBuf {
        Path::new("kernels").join(&self.kernel)
    }

    /// What [`Portable::settle`] writes, by its paths below the root.
    #[must_use]
    pub fn written(&self) -> BTreeSet<String> {
        let below = |path: &Path| self.environment.path.join(path).to_string_lossy().into_owned();
        self.links.iter().map(|link| below(link)).chain([below(Path::new(CONFIG))]).collect()
    }

    /// Sets it up below a root that holds its folders, so that it runs there; again and again where it was moved.
    ///
    /// # Errors
    /// When this is no machine for it, or the root cannot be written.
    pub fn settle(
        &self,
        root: &Path,
        interpreters: &Interpreters,
    ) -> Result<(Environment, KernelLayer), PortableError> {
        let made = &self.environment.interpreter.machine;
        if made != std::env::consts::ARCH {
            return Err(PortableError::OtherMachine { made: made.clone(), here: std::env::consts::ARCH });
        }
        let mut environment = self.environment.clone();
        for path in [&mut environment.path, &mut environment.python, &mut environment.site_packages] {
            *path = below(root, path)?;
        }
        let (program, prefix) = (&mut environment.interpreter.path, &mut environment.interpreter.prefix);
        if self.has_interpreter {
            (*program, *prefix) = (below(root, program)?, below(root, prefix)?);
        } else {
            let found = interpreters.find(self.environment.interpreter.minor()).ok();
            let found = found.filter(|found| found.version == self.environment.interpreter.version);
            let missing = || PortableError::NoInterpreter(self.environment.interpreter.version.to_string());
            environment.interpreter = found.ok_or_else(missing)?;
        }
        self.write_config(&environment)?;
        for link in &self.links {
            let place = below(&environment.path, link)?;
            home::remove_file(&place)?;
            symlink(&environment.interpreter.path, &place).map_err(|error| HomeError::new("write", &place, error))?;
        }
        let layer = KernelLayer { minor: environment.interpreter.minor(), path: below(root, &self.kernel_path())? };
        Ok((environment, layer))
    }

    /// What the kernel has to find in its variables: a library that the interpreter looks for where it lay before.
    #[must_use]
    pub fn variables(environment: &Environment) -> Vec<(String, String)> {
        let library = environment.interpreter.prefix.join("lib");
        vec![("LD_LIBRARY_PATH".to_owned(), library.to_string_lossy().into_owned())]
    }

    fn write_config(&self, environment: &Environment) -> Result<(), PortableError> {
        if self.config.is_empty() {
            return Ok(());
        }
        let interpreter = &environment.interpreter;
        let bin = interpreter.path.parent().unwrap_or(&interpreter.prefix);
        let lines = self.config.iter().map(|(key, value)| {
            let value = match key.as_str() {
                "home" => bin.to_string_lossy(),
                "base-prefix" | "base-exec-prefix" => interpreter.prefix.to_string_lossy(),
                "base-executable" | "executable" => interpreter.path.to_string_lossy(),
                _ => value.as_str().into(),
            };
            format!("{key} = {value}\n")
        });
        Ok(home::write_atomically(&environment.path.join(CONFIG), lines.collect::<String>().as_bytes())?)
    }
}

/// A path below one folder as a path below another.
fn moved(path: &Path, from: &Path, to: &Path) -> PathBuf {
    path.strip_prefix(from).map_or_else(|_| path.to_owned(), |inner| to.join(inner))
}

/// A path of a record that somebody else may have written.
fn below(root: &Path, path: &Path) -> Result<PathBuf, PortableError> {
    let is_plain = !path.as_os_str().is_empty() && path.components().all(|part| matches!(part, Component::Normal(_)));
    is_plain.then(|| root.join(path)).ok_or_else(|| PortableError::Outside(path.to_owned()))
}

/// The links in `bin` that lead to the interpreter.
fn outer_links(environment: &Path) -> Result<BTreeSet<PathBuf>, HomeError> {
    let bin = environment.join("bin");
    let entries = fs::read_dir(&bin).map_err(|error| HomeError::new("read", &bin, error))?;
    let outer = entries.flatten().filter(|entry| fs::read_link(entry.path()).is_ok_and(|target| target.is_absolute()));
    Ok(outer.map(|entry| Path::new("bin").join(entry.file_name())).collect())
}

fn config(environment: &Path) -> Result<Vec<(String, String)>, HomeError> {
    let path = environment.join(CONFIG);
    if !path.exists() {
        return Ok(Vec::new());
    }
    let text = nbrevive_files::read_text(&path, LONGEST_CONFIG)
        .map_err(|error| HomeError::new("read", &path, io::Error::from(error)))?;
    let pair = |line: &str| line.split_once('=').map(|(key, value)| (key.trim().to_owned(), value.trim().to_owned()));
    Ok(text.lines().filter_map(pair).collect())
}

/// Digests of the program and of `libpython`, where it is a library of its own: the build that ran.
fn programs(environment: &Environment) -> Result<Vec<(String, String)>, HomeError> {
    let interpreter = &environment.interpreter;
    let mut paths = vec![interpreter.path.clone()];
    let libraries = fs::read_dir(interpreter.prefix.join("lib")).into_iter().flatten().flatten();
    let is_library =
        |name: &str| name.starts_with(&format!("libpython{}", interpreter.minor())) && name.contains(".so.");
    paths.extend(
        libraries
            .map(|entry| entry.path())
            .filter(|path| path.file_name().is_some_and(|name| is_library(&name.to_string_lossy()))),
    );
    paths.sort();
    let digest = |path: PathBuf| {
        let bytes = nbrevive_files::read(&path, LONGEST_PROGRAM);
        let bytes = bytes.map_err(|error| HomeError::new("read", &path, io::Error::from(error)))?;
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Ok((name, nbrevive_files::hex(Sha256::digest(&bytes))))
    };
    paths.into_iter().map(digest).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_of_a_record_stay_below_its_root() {
        let root = Path::new("/unpacked");
        assert_eq!(below(root, Path::new("environments/a")).unwrap(), Path::new("/unpacked/environments/a"));
        for path in ["/etc/passwd", "../x", "a/../../x", "", "."] {
            assert!(matches!(below(root, Path::new(path)), Err(PortableError::Outside(_))), "{path}");
        }
    }

    #[test]
    fn places_of_this_machine_are_left_out() {
        let folder = |kind| PortableFolder { from: PathBuf::new(), to: String::new(), kind };
        let record = r#"{"id": "e", "path": "environments/e", "python": "environments/e/bin/python", "site_packages": "environments/e/lib",
            "interpreter": {"path": "interpreters/3.12.1/bin/python3.12", "version": "3.12.1", "prefix": "interpreters/3.12.1",
            "machine": "x86_64", "glibc": null, "wide_unicode": true}, "requested": [], "lock": [], "tool": "uv", "why": "", "seconds": 1.0,
            "built": "2026-01-01T00:00:00Z"}"#;
        let portable = Portable {
            environment: serde_json::from_str(record).unwrap(),
            kernel: "3.12-k".to_owned(),
            program_sha256: Vec::new(),
            has_interpreter: true,
            links: BTreeSet::from([PathBuf::from("bin/python")]),
            config: Vec::new(),
        };
        let takes = |kind, path: &str| folder(kind).takes(&portable, Path::new(path));
        let (environment, interpreter) = (FolderKind::Environment, FolderKind::Interpreter);
        for path in ["bin/python", "pyvenv.cfg", "nbrevive-environment.json", "lib/a/__pycache__"] {
            assert!(!takes(environment, path), "{path}");
        }
        assert!(takes(environment, "bin/f2py") && takes(environment, "lib/python3.12/site-packages/nbrevive-x"));
        for path in ["lib/python3.12/test", "lib/python3.12/site-packages", "lib/libpython3.12.a", "share"] {
            assert!(!takes(interpreter, path), "{path}");
        }
        assert!(takes(interpreter, "lib/python3.12/os.py") && takes(interpreter, "lib/python3.12/unittest/test"));
        assert_eq!(
            portable.written(),
            ["environments/e/bin/python", "environments/e/pyvenv.cfg"].map(str::to_owned).into()
        );
        let other = Portable {
            environment: Environment {
                interpreter: crate::Interpreter {
                    machine: "riscv64".into(),
                    ..portable.environment.interpreter.clone()
                },
                ..portable.environment.clone()
            },
            ..portable.clone()
        };
        let place = tempfile::tempdir().unwrap();
        let home = Home::at(place.path());
        let said = other.settle(place.path(), &Interpreters::of_machine(&home)).unwrap_err().to_string();
        assert!(said.starts_with("it was made for riscv64 machines"), "{said}");
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0, "nothing is written");
        assert!(matches!(Portable::of(&home, "gone"), Err(PortableError::Gone(_))));
    }
}
