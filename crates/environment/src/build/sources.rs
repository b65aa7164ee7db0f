//! Builds source archives apart from the installers: those would run a package's own code with the user's rights.
//!
//! An archive is fetched here and built in the [`Workshop`], without network, against a virtual environment with what it needs
//! to be built, which comes as wheels. Only the wheel that results is taken, as a file of a known name.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::Instant;

use nbrevive_files::{FileErrorKind, Folder};
use nbrevive_requests::chain;

use super::install::{Install, python, site_packages};
use super::installed::installed;
use super::scripts::own_scripts;
use super::workshop::{BUILD_FOLDER, BuildEnd, BuildJob, Workshop};
use super::{BuildError, BuildFailed, FailureClass, make_with_virtualenv};
use crate::eras;
use crate::home;
use crate::index::{BuildSystem, IndexAddress, IndexError, SourceArchive, WantedSource, source_archive};
use crate::interpreter::interpreter_paths;
use crate::requirement::NamedRequirement;
use crate::tools::{ToolError, uv};
use crate::versions::normalise;

/// What calls the build backends.
const SCRIPT: &str = include_str!("../../data/build_source.py");
const SCRIPT_NAME: &str = "build_source.py";
/// Longest wheel that is taken, and most bytes of a backend's list of requirements.
const LONGEST_WHEEL: u64 = 1 << 30;
const LONGEST_ANSWER: u64 = 64 << 10;

/// Where a source archive finds what it needs to be built.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Ground<'ground> {
    /// In an environment of its own, held to constraints.
    Isolated(&'ground str),
    /// In what is installed already, and beside it the setuptools of the interpreter's era: as in its own time.
    Installed,
}

/// What is done with one archive.
struct Site<'site> {
    /// The folder that the build writes.
    folder: PathBuf,
    /// The virtual environment that it is built with.
    tools: PathBuf,
    archive: &'site SourceArchive,
    name: &'site str,
    ground: Ground<'site>,
}

impl Install<'_> {
    pub(crate) fn workshop(&self) -> Option<&Arc<dyn Workshop>> {
        self.builder.settings.workshop.as_ref()
    }

    /// Where what is built for this environment lies until it is installed; held by the environment's lock.
    pub(super) fn builds(&self) -> PathBuf {
        self.builder.home.builds().join(self.path.file_name().unwrap_or_default())
    }

    /// The wheels that were built.
    pub(crate) fn wheelhouse(&self) -> Result<PathBuf, BuildError> {
        let folder = self.builds().join("wheels");
        home::create_folder(&folder)?;
        Ok(folder)
    }

    pub(crate) fn remove_builds(&self) -> Result<(), BuildError> {
        Ok(home::remove_folder(&self.builds())?)
    }

    /// Builds the wheel of a source archive: of the file that is named, else of the newest release within the bound.
    /// `None` where the index has no such archive.
    pub(crate) fn wheel_of(
        &self,
        wanted: &WantedSource<'_>,
        ground: Ground<'_>,
    ) -> Result<Option<PathBuf>, BuildError> {
        if self.workshop().is_none() {
            return Ok(None);
        }
        let index =
            self.builder.index().map_or_else(IndexAddress::find, Ok).map_err(|error| unavailable(&error.into()))?;
        let archive = source_archive(&index, wanted).map_err(|error| match error {
            IndexError::LongArchive { .. } => unbuilt(wanted.name, &error.to_string()).into(),
            other => unavailable(&other),
        })?;
        let Some(archive) = archive else { return Ok(None) };
        self.built(&archive, wanted.name, ground)
    }

    /// Builds the wheel of an archive; `None` without a workshop.
    pub(crate) fn built(
        &self,
        archive: &SourceArchive,
        name: &str,
        ground: Ground<'_>,
    ) -> Result<Option<PathBuf>, BuildError> {
        let Some(workshop) = self.workshop() else { return Ok(None) };
        let wheels = &self.builder.settings.built_wheels;
        let key = self.key(archive, ground);
        if let Some(key) = &key
            && let Some((wheel, built_with)) = wheels.put(key, &self.wheelhouse()?)?
        {
            self.built_with.borrow_mut().extend(built_with);
            return Ok(Some(wheel));
        }
        tracing::info!(archive = archive.file, "building a source archive in the sandbox");
        let site =
            Site { folder: self.builds().join("work"), tools: self.builds().join("tools"), archive, name, ground };
        home::remove_folder(&site.folder)?;
        home::create_folder(&site.folder.join("out"))?;
        home::write_atomically(&site.folder.join(&archive.file), &archive.bytes)?;
        home::write_atomically(&site.folder.join(SCRIPT_NAME), SCRIPT.as_bytes())?;
        let declared = self.declared(&archive.system, ground);
        let at_first = self.make_site(&site, &declared)?;
        self.call(workshop.as_ref(), &site, "requires")?;
        let asked = asked(&site.folder);
        let with_asked = self.add_tools(&site, &asked).and_then(|()| self.call(workshop.as_ref(), &site, "wheel"));
        match with_asked {
            // A setup.py may go without what it asks for, and fail with that of today (pyspark's, which has its description turned by pandoc).
            Err(BuildError::Failed(failed))
                if failed.class == FailureClass::NoWheelAndBuildFailed && !asked.is_empty() =>
            {
                self.make_site(&site, &declared)?;
                self.call(workshop.as_ref(), &site, "wheel").map_err(|_| failed)?;
            }
            other => other?,
        }
        let built_with: BTreeSet<String> = self.tools(&site).difference(&at_first).cloned().collect();
        self.built_with.borrow_mut().extend(built_with.iter().cloned());
        let wheel = self.take(&site)?;
        home::remove_folder(&site.folder)?;
        if let Some(key) = key {
            wheels.keep(&key, &wheel, built_with);
        }
        Ok(Some(wheel))
    }

    /// What the wheel of an archive depends on; `None` where that is what is installed.
    fn key(&self, archive: &SourceArchive, ground: Ground<'_>) -> Option<String> {
        let Ground::Isolated(constraints) = ground else { return None };
        let mut hash = blake3::Hasher::new();
        hash.update(&archive.bytes);
        Some(format!("{} {} {} {constraints}", hash.finalize().to_hex(), archive.file, self.interpreter.version))
    }

    /// What an archive says that it needs, or what holds for one that says nothing.
    fn declared(&self, system: &BuildSystem, ground: Ground<'_>) -> Vec<NamedRequirement> {
        if !self.interpreter.is_modern() {
            // The virtualenv that makes the environment brings setuptools and wheel along.
            return readable(system.requires.as_deref().unwrap_or_default());
        }
        let of_the_era = || {
            let lines = eras::seeds(self.interpreter.minor()).lines.iter();
            lines.filter(|line| !line.starts_with("pip=")).map(ToString::to_string).collect::<Vec<String>>()
        };
        let declared = match (ground, &system.requires) {
            (Ground::Installed, _) => of_the_era(),
            (Ground::Isolated(_), Some(requires)) => requires.clone(),
            (Ground::Isolated(_), None) => Vec::new(),
        };
        if declared.is_empty() && system.requires.is_none() {
            return readable(&["setuptools>=40.8.0".into(), "wheel".into()]);
        }
        readable(&declared)
    }

    /// An environment to build with that holds what an archive declares, and what it held before.
    fn make_site(&self, site: &Site<'_>, declared: &[NamedRequirement]) -> Result<BTreeSet<String>, BuildError> {
        self.make_tools(site)?;
        self.see_installed(site)?;
        let at_first = self.tools(site);
        self.add_tools(site, declared)?;
        Ok(at_first)
    }

    /// An empty environment to build with.
    fn make_tools(&self, site: &Site<'_>) -> Result<(), BuildError> {
        home::remove_folder(&site.tools)?;
        if !self.interpreter.is_modern() {
            return Ok(make_with_virtualenv(self.builder, &self.uv, self.interpreter, &site.tools, self.left()?)?);
        }
        let mut command = uv(&self.uv, ["venv", "--no-project", "--python"]);
        command.arg(&self.interpreter.path).arg(&site.tools);
        self.must(&mut command, &[])
    }

    /// Has an environment to build with see what is installed, behind Python's own modules as it would stand itself: enum34 of the time of
    /// Python 2 would take the place of the standard library's.
    fn see_installed(&self, site: &Site<'_>) -> Result<(), BuildError> {
        if let Ground::Installed = site.ground {
            let minor = self.interpreter.minor();
            let text = format!("{}\n", site_packages(self.path, minor).display());
            home::write_atomically(&site_packages(&site.tools, minor).join("installed.pth"), text.as_bytes())?;
        }
        Ok(())
    }

    /// What an environment to build with holds, `name==version`.
    fn tools(&self, site: &Site<'_>) -> BTreeSet<String> {
        let found = installed(&site_packages(&site.tools, self.interpreter.minor()));
        found.into_iter().map(|(name, version)| format!("{name}=={version}")).collect()
    }

    /// Installs build requirements, as wheels.
    fn add_tools(&self, site: &Site<'_>, requires: &[NamedRequirement]) -> Result<(), BuildError> {
        if requires.is_empty() {
            return Ok(());
        }
        let mut command = self.installer_of(&site.tools)?;
        self.forbid_builds(&mut command)?;
        if let Ground::Isolated(constraints) = site.ground {
            let file = self.builds().join("constraints.txt");
            home::write_atomically(&file, constraints.as_bytes())?;
            command.arg("--constraint").arg(file);
        }
        // Behind `--`: a requirement is never taken for an option.
        command.arg("--").args(requires);
        self.must(&mut command, &[]).map_err(|error| blame(error, site.name))?;
        own_scripts(&site.tools)
    }

    /// Has an installer build nothing, and find what was built here.
    pub(crate) fn forbid_builds(&self, command: &mut Command) -> Result<(), BuildError> {
        command.args(["--only-binary", ":all:"]).env_remove("PIP_NO_BINARY").env_remove("UV_NO_BINARY");
        command.arg("--find-links").arg(self.wheelhouse()?);
        Ok(())
    }

    /// Runs the script in the workshop.
    fn call(&self, workshop: &dyn Workshop, site: &Site<'_>, task: &str) -> Result<(), BuildError> {
        let python = python(&site.tools);
        let inside = |name: &str| OsString::from(format!("{BUILD_FOLDER}/{name}"));
        let system = &site.archive.system;
        let mut argv = vec![python.clone().into_os_string(), "-s".into(), inside(SCRIPT_NAME), task.into()];
        argv.push(inside(&site.archive.file));
        argv.extend([OsString::from(&system.backend), system.paths.join(":").into(), inside("out")]);
        let path = format!("{}:/usr/bin:/bin", site.tools.join("bin").display());
        let mut env = vec![("PATH".to_owned(), path)];
        env.extend([("HOME", "/tmp"), ("LANG", "C.UTF-8")].map(|(name, value)| (name.to_owned(), value.to_owned())));
        let mut more = vec![site.tools.clone()];
        if let Ground::Installed = site.ground {
            more.push(self.path.to_owned());
        }
        let log = self.builds().join("log");
        let job = BuildJob {
            argv,
            env,
            read_only: interpreter_paths(self.interpreter, &python, more),
            folder: &site.folder,
            log: log.clone(),
            limit: self.builder.settings.time_limit,
        };
        let began = Instant::now();
        let ended = workshop.run(&job).map_err(|source| ToolError::Start { program: "the sandbox".into(), source })?;
        self.apart.set(self.apart.get() + began.elapsed());
        let said = || String::from_utf8_lossy(&fs::read(&log).unwrap_or_default()).into_owned();
        match ended {
            BuildEnd::Done => Ok(()),
            BuildEnd::TimedOut => {
                Err(BuildFailed::of(FailureClass::Timeout, vec![site.name.to_owned()], &said()).into())
            }
            BuildEnd::Failed(how) => Err(unbuilt(site.name, &format!("{}\nthe build {how}", said())).into()),
        }
    }

    /// Takes the one wheel that a build left, which must be what was asked for.
    fn take(&self, site: &Site<'_>) -> Result<PathBuf, BuildError> {
        // The build wrote this folder: it may have put a link in the place of another.
        let out = Folder::open(&site.folder).and_then(|folder| folder.folder(Path::new("out")));
        let entries = out.as_ref().ok().and_then(|out| out.entries().ok()).unwrap_or_default();
        let mut found = entries.iter().filter_map(|entry| Some((entry.name.to_str()?, entry)));
        let found = found.find(|(name, _)| name.ends_with(".whl"));
        let (wheel, entry) = found.ok_or_else(|| unbuilt(site.name, "the build left no wheel"))?;
        let plain = entry.kind == FileErrorKind::File && entry.bytes <= LONGEST_WHEEL;
        let named = wheel.split('-').next().is_some_and(|name| normalise(name) == site.name)
            && wheel.chars().all(|found| found.is_ascii_alphanumeric() || "-_.+!".contains(found));
        if !plain || !named {
            return Err(unbuilt(site.name, &format!("the build left no wheel of {}, but {wheel:?}", site.name)).into());
        }
        let to = self.wheelhouse()?.join(wheel);
        let copied = out
            .and_then(|out| out.open_file(Path::new(wheel)))
            .map_err(io::Error::from)
            .and_then(|file| io::copy(&mut file.take(LONGEST_WHEEL), &mut fs::File::create(&to)?));
        copied.map_err(|error| home::HomeError::new("write", &to, error))?;
        Ok(to)
    }
}

/// Requirements of a build that an index can serve: what else stands there is not ours to fetch.
fn readable(requires: &[String]) -> Vec<NamedRequirement> {
    requires.iter().filter_map(|text| NamedRequirement::parse(text).ok()).collect()
}

/// What the backend asked for. It is the package's own code that wrote this.
fn asked(folder: &Path) -> Vec<NamedRequirement> {
    let read = Folder::open(folder).and_then(|folder| folder.read(Path::new("out/requires.json"), LONGEST_ANSWER));
    let text = read.unwrap_or_default();
    let asked: Vec<String> = serde_json::from_slice(&text).unwrap_or_default();
    readable(&asked)
}

pub(super) fn unbuilt(name: &str, text: &str) -> BuildFailed {
    BuildFailed::of(FailureClass::NoWheelAndBuildFailed, vec![name.to_owned()], text)
}

fn unavailable(error: &IndexError) -> BuildError {
    let class = match error {
        IndexError::WrongDigest { .. } => FailureClass::LockMismatch,
        IndexError::FileGone { .. } => FailureClass::NoMatchingVersion,
        _ => FailureClass::IndexUnreachable,
    };
    BuildFailed::new(class, &chain(error)).into()
}

/// A build requirement that cannot be had is a failure of what wants to be built.
fn blame(error: BuildError, name: &str) -> BuildError {
    match error {
        BuildError::Failed(failed) if !failed.class.is_spurious() && failed.class != FailureClass::Timeout => {
            unbuilt(name, &format!("what it is built with cannot be had as wheels:\n{}", failed.tail)).into()
        }
        other => other,
    }
}
