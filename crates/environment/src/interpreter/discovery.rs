//! Finds installed interpreters: pyenv's, uv's, those on `PATH`; fetches a missing minor through uv.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, UNIX_EPOCH};

use nbrevive_files::unpoisoned;
use nbrevive_notebook::PythonVersion;
use serde::{Deserialize, Serialize};

use super::Interpreter;
use crate::home::{Home, write_atomically};
use crate::process;
use crate::uv::{find_uv, is_program};

/// Longest time for an interpreter that describes itself.
const PROBE_LIMIT: Duration = Duration::from_secs(20);
/// Longest time for uv to fetch an interpreter.
const FETCH_LIMIT: Duration = Duration::from_secs(300);

/// What an interpreter prints of itself; runs on 2.7 as well. An interpreter inside a virtual environment prints
/// nothing, for environments are built from base interpreters.
const PROBE: &str = r#"
import json, os, platform, sys
base = getattr(sys, "base_prefix", getattr(sys, "real_prefix", sys.prefix))
try:
    try:
        name, number = os.confstr("CS_GNU_LIBC_VERSION").split()
    except ValueError:  # 2.7 knows only the number of that setting
        name, number = os.confstr(2).split()
    glibc = [int(part) for part in number.split(".")[:2]] if name == "glibc" else None
except Exception:
    glibc = None
if base == sys.prefix and platform.python_implementation() == "CPython":
    print(json.dumps({"path": os.path.realpath(sys.executable), "version": platform.python_version().rstrip("+"),
        "prefix": os.path.realpath(base), "machine": platform.machine(), "glibc": glibc, "wide_unicode": sys.maxunicode > 0xffff}))
"#;

/// No interpreter of a minor is installed, nor could one be fetched.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("no Python {minor} on this machine; {hint}")]
pub struct NoInterpreter {
    /// The minor that is missing.
    pub minor: PythonVersion,
    /// What was tried and what to do.
    pub hint: String,
}

/// The interpreters of this machine. Looked for once, when first needed.
#[derive(Debug)]
pub struct Interpreters {
    home: Home,
    fetch: bool,
    found: OnceLock<Vec<Interpreter>>,
    fetched: Mutex<HashMap<PythonVersion, Result<Interpreter, NoInterpreter>>>,
}

/// A probe's result, kept in `<home>/tools/interpreters-<hash>.json` under the program's path.
#[derive(Serialize, Deserialize)]
struct Probed {
    /// Time of the program's last change, nanoseconds since 1970.
    changed: u128,
    interpreter: Option<Interpreter>,
}

impl Interpreters {
    /// The interpreters of this machine; a missing minor is fetched through uv when asked for.
    #[must_use]
    pub fn of_machine(home: &Home) -> Self {
        Self { home: home.clone(), fetch: true, found: OnceLock::new(), fetched: Mutex::default() }
    }

    /// The same, but nothing is fetched.
    #[must_use]
    pub fn installed_only(home: &Home) -> Self {
        Self { fetch: false, ..Self::of_machine(home) }
    }

    /// Exactly these interpreters, for tests and for machines with a fixed set.
    #[must_use]
    pub fn fixed(home: &Home, interpreters: Vec<Interpreter>) -> Self {
        Self { found: OnceLock::from(interpreters), ..Self::installed_only(home) }
    }

    /// All found ones, ascending by version.
    pub fn all(&self) -> &[Interpreter] {
        self.found.get_or_init(|| discover(&self.home, &candidates(&self.home)))
    }

    /// The newest installed patch of a minor; a missing minor is fetched once a process.
    ///
    /// # Errors
    /// [`NoInterpreter`] with what to do about it.
    pub fn find(&self, minor: PythonVersion) -> Result<Interpreter, NoInterpreter> {
        if let Some(found) = self.all().iter().rfind(|interpreter| interpreter.minor() == minor) {
            return Ok(found.clone());
        }
        let mut fetched = unpoisoned(self.fetched.lock());
        fetched.entry(minor).or_insert_with(|| self.fetch(minor)).clone()
    }

    fn fetch(&self, minor: PythonVersion) -> Result<Interpreter, NoInterpreter> {
        let missing = |tried: &str| NoInterpreter {
            minor,
            hint: format!("{tried}; install it, for example with pyenv (`pyenv install {minor}`)"),
        };
        if !self.fetch {
            return Err(missing("fetching is switched off"));
        }
        let Some(uv) = find_uv(&self.home) else { return Err(missing("uv, which could fetch it, was not found")) };
        tracing::info!(%minor, "fetching an interpreter through uv");
        let mut command = Command::new(uv);
        command.args(["python", "install", "--no-progress", "--no-bin", &minor.to_string()]);
        let tried = match process::run(&mut command, FETCH_LIMIT) {
            Ok(finished) if finished.success => {
                let again = discover(&self.home, &candidates(&self.home));
                if let Some(found) = again.into_iter().rfind(|interpreter| interpreter.minor() == minor) {
                    return Ok(found);
                }
                "uv installed it, but it does not run".to_owned()
            }
            Ok(finished) if finished.timed_out => format!("uv did not fetch it within {} s", FETCH_LIMIT.as_secs()),
            Ok(finished) => {
                let said =
                    finished.messages.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("no message").trim();
                format!("uv could not fetch it ({said})")
            }
            Err(error) => format!("uv could not be run ({error})"),
        };
        Err(missing(&tried))
    }
}

/// Programs that may be interpreters: pyenv's, uv's, and those on `PATH`.
fn candidates(home: &Home) -> Vec<PathBuf> {
    let pyenv = std::env::var_os("PYENV_ROOT")
        .map(PathBuf::from)
        .or_else(|| std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".pyenv")));
    let stores = pyenv.map(|root| root.join("versions")).into_iter().chain(uv_store(home));
    let mut programs: Vec<PathBuf> =
        stores.flat_map(|store| subfolders(&store)).map(|version| version.join("bin/python")).collect();
    // uv's older interpreters have only the numbered name.
    let numbered: Vec<PathBuf> =
        programs.iter().filter(|program| !program.exists()).map(|program| program.with_file_name("python3")).collect();
    programs.extend(numbered);
    for folder in std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()) {
        // pyenv's shims stand for interpreters that are listed already, and cost a shell each.
        if !folder.ends_with("shims") {
            programs.push(folder.join("python2.7"));
            programs.extend((3..30).map(|minor| folder.join(format!("python3.{minor}"))));
        }
    }
    programs.retain(|program| is_program(program));
    programs
}

/// uv's own store of interpreters.
fn uv_store(home: &Home) -> Option<PathBuf> {
    let finished = process::run(Command::new(find_uv(home)?).args(["python", "dir"]), PROBE_LIMIT).ok()?;
    let path = finished.output.trim();
    (finished.success && !path.is_empty()).then(|| PathBuf::from(path))
}

fn subfolders(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut found: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    found.sort();
    found
}

/// Where descriptions are kept; another probe means another file.
fn descriptions(home: &Home) -> PathBuf {
    let probe = blake3::hash(PROBE.as_bytes()).to_hex();
    home.tools().join(format!("interpreters-{}.json", &probe[..8]))
}

/// Lets each program describe itself, unless its description is kept; ascending by version, each program once.
fn discover(home: &Home, programs: &[PathBuf]) -> Vec<Interpreter> {
    let path = descriptions(home);
    let mut kept: BTreeMap<PathBuf, Probed> =
        std::fs::read(&path).ok().and_then(|text| serde_json::from_slice(&text).ok()).unwrap_or_default();
    let mut changed_any = false;
    let mut found: Vec<Interpreter> = Vec::new();
    for program in programs {
        let Some(changed) = last_change(program) else { continue };
        let known =
            kept.get(program).filter(|probed| probed.changed == changed).map(|probed| probed.interpreter.clone());
        let interpreter = known.unwrap_or_else(|| {
            changed_any = true;
            let interpreter = probe(program);
            kept.insert(program.clone(), Probed { changed, interpreter: interpreter.clone() });
            interpreter
        });
        found.extend(interpreter.filter(|new| !found.iter().any(|old| old.path == new.path)));
    }
    if changed_any {
        let text = serde_json::to_vec_pretty(&kept).expect("paths and numbers serialise");
        if let Err(error) = write_atomically(&path, &text) {
            tracing::warn!(%error, "interpreters not remembered");
        }
    }
    // Stable: of two programs with one version the earlier candidate stays last, where `find` looks first.
    found.reverse();
    found.sort_by(|one, other| one.version.cmp(&other.version));
    found
}

fn last_change(program: &Path) -> Option<u128> {
    let modified = program.metadata().ok()?.modified().ok()?;
    Some(modified.duration_since(UNIX_EPOCH).ok()?.as_nanos())
}

fn probe(program: &Path) -> Option<Interpreter> {
    let finished =
        process::run(Command::new(program).args(["-s", "-c", PROBE]).env_remove("PYTHONHOME"), PROBE_LIMIT).ok()?;
    serde_json::from_str(finished.output.trim()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_has_an_interpreter_that_describes_itself_once() {
        let folder = tempfile::tempdir().unwrap();
        let home = Home::at(folder.path());
        let interpreters = Interpreters::installed_only(&home);
        let newest = interpreters.all().last().expect("tests need a Python").clone();
        assert!(newest.path.is_absolute() && newest.prefix.is_absolute());
        assert_eq!(interpreters.find(newest.minor()).unwrap(), newest);
        assert!(interpreters.all().iter().all(|found| found.glibc == newest.glibc), "{:?}", interpreters.all());
        let kept = std::fs::read_to_string(descriptions(&home)).unwrap();
        assert_eq!(Interpreters::installed_only(&home).all(), interpreters.all());
        assert_eq!(std::fs::read_to_string(descriptions(&home)).unwrap(), kept);
    }

    #[test]
    fn a_missing_minor_is_told_with_a_hint() {
        let folder = tempfile::tempdir().unwrap();
        let missing = PythonVersion::new(3, 2);
        let error = Interpreters::fixed(&Home::at(folder.path()), Vec::new()).find(missing).unwrap_err();
        assert_eq!(error.minor, missing);
        assert!(error.to_string().contains("pyenv install 3.2"), "{error}");
    }

    #[test]
    fn programs_that_are_no_interpreter_are_left_out() {
        let folder = tempfile::tempdir().unwrap();
        assert!(discover(&Home::at(folder.path()), &["/bin/true".into(), "/nonexistent".into()]).is_empty());
    }
}
