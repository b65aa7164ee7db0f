//! A kernel for the tests: a private virtual environment with ipykernel, made once under cargo's folder for such things.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use nbrevive_environment::{
    BuildSettings, Builder, Environment, Home, Interpreters, KernelLayer, bind_paths, kernel_command,
};
use nbrevive_execute::{Execution, ExecutionSettings, Kernel, NotebookWorld, execute};
use nbrevive_notebook::{Cell, Notebook, Output};

/// What the tests install; the protocol is the same for all of this major version.
const REQUIREMENT: &str = "ipykernel>=7,<8";

/// The kernel, from `NBREVIVE_TEST_KERNEL_ARGV` (a JSON list) or the private environment.
pub(crate) fn kernel() -> Kernel {
    static KERNEL: OnceLock<Kernel> = OnceLock::new();
    KERNEL.get_or_init(find_or_make).clone()
}

fn find_or_make() -> Kernel {
    let tail = ["-m", "ipykernel_launcher", "-f", "{connection_file}"].map(str::to_owned);
    if let Ok(text) = std::env::var("NBREVIVE_TEST_KERNEL_ARGV") {
        let argv: Vec<String> = serde_json::from_str(&text).expect("a JSON list of arguments");
        let read_only = prefixes(Path::new(&argv[0]));
        return Kernel { argv, env: Vec::new(), read_only };
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("kernel-environment");
    let python = folder.join("bin/python");
    let lock = fs::File::create(folder.with_extension("lock")).expect("a lock file");
    rustix::fs::flock(&lock, rustix::fs::FlockOperation::LockExclusive).expect("the lock");
    if !folder.join("ready").exists() {
        let _ = fs::remove_dir_all(&folder);
        run(Command::new("python3").args(["-m", "venv"]).arg(&folder));
        run(Command::new(&python).args([
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
            REQUIREMENT,
        ]));
        fs::write(folder.join("ready"), REQUIREMENT).expect("the mark");
    }
    let mut read_only = prefixes(&python);
    read_only.push(folder);
    let mut argv = vec![python.to_string_lossy().into_owned()];
    argv.extend(tail);
    Kernel { argv, env: Vec::new(), read_only }
}

/// The kernel of a study: our launcher and the layer that lives apart from the environment, in a home that later runs share.
pub(crate) fn kernel_in(environment: &Environment) -> Kernel {
    let home = Home::at(Path::new(env!("CARGO_TARGET_TMPDIR")).join("environment-home"));
    let interpreters = Interpreters::installed_only(&home);
    let builder = Builder::new(&home, &interpreters, BuildSettings::default());
    let layer = KernelLayer::ensure(&builder, &environment.interpreter).expect("a kernel's layer");
    Kernel { argv: kernel_command(environment, &layer), env: Vec::new(), read_only: bind_paths(environment, &layer) }
}

fn prefixes(python: &Path) -> Vec<PathBuf> {
    let script = "import sys; print(sys.base_prefix); print(sys.prefix)";
    let output = Command::new(python).args(["-c", script]).output().expect("python runs");
    let text = String::from_utf8(output.stdout).expect("a path");
    let mut paths: Vec<PathBuf> = text.lines().map(PathBuf::from).collect();
    paths.dedup();
    paths
}

fn run(command: &mut Command) {
    let status = command.status().expect("the program is there");
    assert!(status.success(), "{command:?} failed");
}

/// One execution and the folder it worked in.
pub(crate) struct Ran {
    pub(crate) execution: Execution,
    pub(crate) working: tempfile::TempDir,
}

impl Ran {
    pub(crate) fn file(&self, name: &str) -> Option<String> {
        fs::read_to_string(self.working.path().join(name)).ok()
    }

    /// Text of all streams of a cell.
    pub(crate) fn text(&self, cell: usize) -> String {
        let stream = |output: &Output| match output {
            Output::Stream { text, .. } => text.clone(),
            _ => String::new(),
        };
        self.execution.notebook.cells[cell].outputs().iter().map(stream).collect()
    }

    /// Status of every code cell, in words.
    pub(crate) fn statuses(&self) -> Vec<String> {
        let word = |status| serde_json::to_value(status).expect("a word").as_str().expect("a word").to_owned();
        self.execution.cells.iter().map(|cell| word(cell.status)).collect()
    }
}

pub(crate) fn notebook(cells: &[&str]) -> Notebook {
    Notebook::from_cells(cells.iter().map(|source| Cell::code(*source)).collect())
}

/// Settings for small runs on a shared machine.
pub(crate) fn settings() -> ExecutionSettings {
    let mut settings = ExecutionSettings::default();
    settings.limits.memory_bytes = 1 << 30;
    settings.limits.cores = 1;
    settings.limits.disk_reserve_bytes = 0;
    settings
}

pub(crate) fn run_with(cells: &[&str], settings: &ExecutionSettings) -> Ran {
    run_notebook(&notebook(cells), settings)
}

pub(crate) fn run_notebook(notebook: &Notebook, settings: &ExecutionSettings) -> Ran {
    run_by(&kernel(), notebook, settings)
}

pub(crate) fn run_by(kernel: &Kernel, notebook: &Notebook, settings: &ExecutionSettings) -> Ran {
    let working = tempfile::tempdir().expect("a working folder");
    let world = NotebookWorld { input: Vec::new(), working: working.path().to_path_buf(), starts_in: PathBuf::new() };
    let execution = execute(notebook, kernel, &world, settings).expect("the execution starts");
    Ran { execution, working }
}

pub(crate) fn run_cells(cells: &[&str]) -> Ran {
    run_with(cells, &settings())
}
