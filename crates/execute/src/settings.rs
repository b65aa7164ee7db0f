//! What an execution needs to know: the kernel, the world the notebook sees, and the limits.

use std::path::PathBuf;
use std::time::Duration;

use nbrevive_sandbox::{Backend, Limits};

const KIBIBYTE: usize = 1 << 10;
const MEBIBYTE: usize = 1 << 20;

/// How to start a kernel in an environment.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Kernel {
    /// Program and arguments; `{connection_file}` is replaced wherever it occurs.
    pub argv: Vec<String>,
    /// Variables that come on top of (and win over) those every kernel gets.
    pub env: Vec<(String, String)>,
    /// Interpreter, environment, kernel layer: seen inside at the same path as outside.
    pub read_only: Vec<PathBuf>,
}

/// The files of the notebook's world.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotebookWorld {
    /// Host file or folder, and where the notebook finds it, for example `/kaggle/input/titanic`. Read-only.
    pub input: Vec<(PathBuf, PathBuf)>,
    /// Host folder shown as `/kaggle/working`: the notebook starts there and leaves its submission there.
    pub working: PathBuf,
    /// The folder of it in which the notebook starts, relative; empty for the working folder itself.
    pub starts_in: PathBuf,
}

/// Limits and habits of an execution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExecutionSettings {
    /// Limits of the sandbox. [`Limits::wall_clock`] (default 600 s, the paper's) counts the cells alone; the sandbox
    /// itself gets that plus the time to start and to stop.
    pub limits: Limits,
    /// The clock of each cell, after which it is interrupted and the next goes on; one that does not give in ends the notebook as its own
    /// clock does. Default: none but the notebook's.
    pub cell_clock: Option<Duration>,
    /// What isolates the kernel. Default: bubblewrap.
    pub backend: Backend,
    /// From the start of the sandbox to the kernel's first answer. Default 60 s, as in nbclient.
    pub startup_timeout: Duration,
    /// How long to wait for the end of the output after a cell's reply. Default 4 s, as in nbclient.
    pub idle_grace: Duration,
    /// How long an interrupted cell may take to come back before the kernel is killed. Default 1.5 s; two seconds after the time is
    /// up everything is dead in any case, so more would not be granted.
    pub interrupt_grace: Duration,
    /// How long the kernel may take to shut down after the last cell, flushing files. Default 5 s.
    pub shutdown_grace: Duration,
    /// Text kept of the streams of one cell. Default 1 MiB.
    pub stream_bytes_per_cell: usize,
    /// Everything kept of one cell: streams, pictures, tables. Default 16 MiB.
    pub output_bytes_per_cell: usize,
    /// Everything kept of one notebook. Default 64 MiB.
    pub output_bytes_per_notebook: usize,
    /// `PYTHONHASHSEED` of the kernel, so that set order and hash-based choices repeat. Default 0. (Kaggle leaves it
    /// random.)
    pub seed: u32,
    /// Whether the first cell that raises is the last that runs. Default: no.
    pub stop_at_error: bool,
    /// Whether the kernel is asked what the names in a cell that raised hold ([`nbrevive_notebook::CellFacts`]). Default: no.
    pub facts: bool,
    /// Host folder below which the short-lived run folder is made; its path must be short, since a unix socket's
    /// address holds 107 bytes. Default: the system's folder for temporary files.
    pub run_folder: Option<PathBuf>,
}

impl Default for ExecutionSettings {
    fn default() -> Self {
        Self {
            limits: Limits::default(),
            cell_clock: None,
            backend: Backend::default(),
            startup_timeout: Duration::from_secs(60),
            idle_grace: Duration::from_secs(4),
            interrupt_grace: Duration::from_millis(1500),
            shutdown_grace: Duration::from_secs(5),
            stream_bytes_per_cell: 1024 * KIBIBYTE,
            output_bytes_per_cell: 16 * MEBIBYTE,
            output_bytes_per_notebook: 64 * MEBIBYTE,
            seed: 0,
            stop_at_error: false,
            facts: false,
            run_folder: None,
        }
    }
}

/// Variables that pin numeric libraries to the cores a run has.
const THREADS: [&str; 13] = [
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "BLIS_NUM_THREADS",
    "NUMEXPR_NUM_THREADS",
    "NUMEXPR_MAX_THREADS",
    "VECLIB_MAXIMUM_THREADS",
    "NUMBA_NUM_THREADS",
    "POLARS_MAX_THREADS",
    "RAYON_NUM_THREADS",
    "TF_NUM_INTRAOP_THREADS",
    "TF_NUM_INTEROP_THREADS",
    "LOKY_MAX_CPU_COUNT",
];

/// Variables that give numeric libraries so many threads; of a [`Kernel`] they win over those that the limits ask for.
pub fn thread_variables(threads: usize) -> impl Iterator<Item = (String, String)> {
    THREADS.iter().map(move |name| ((*name).to_owned(), threads.to_string()))
}

impl ExecutionSettings {
    /// The complete environment of the kernel.
    pub(crate) fn environment(&self, kernel: &Kernel, home: &str) -> Vec<(String, String)> {
        let mut variables: Vec<(String, String)> = [
            ("PATH", "/usr/local/bin:/usr/bin:/bin"),
            ("HOME", home),
            ("TMPDIR", home),
            ("LANG", "C.UTF-8"),
            ("LC_ALL", "C.UTF-8"),
            ("TZ", "UTC"),
            // The environment is read-only, so compiled files could not be kept anyway.
            ("PYTHONDONTWRITEBYTECODE", "1"),
            ("KAGGLE_KERNEL_RUN_TYPE", "Batch"),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .into();
        variables.push(("PYTHONHASHSEED".into(), self.seed.to_string()));
        for (name, folder) in [("IPYTHONDIR", "ipython"), ("MPLCONFIGDIR", "matplotlib"), ("NUMBA_CACHE_DIR", "numba")]
        {
            variables.push((name.into(), format!("{home}/.{folder}")));
        }
        variables.extend(THREADS.map(|name| (name.to_owned(), self.limits.cores.to_string())));
        for (name, value) in &kernel.env {
            variables.retain(|(known, _)| known != name);
            variables.push((name.clone(), value.clone()));
        }
        variables
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernels_own_variables_win() {
        let kernel = Kernel { env: vec![("TZ".into(), "CET".into()), ("A".into(), "b".into())], ..Kernel::default() };
        let variables = ExecutionSettings::default().environment(&kernel, "/tmp");
        let value = |name: &str| variables.iter().filter(|(known, _)| known == name).collect::<Vec<_>>();
        assert_eq!(value("TZ"), [&("TZ".to_owned(), "CET".to_owned())]);
        assert_eq!(value("A").len(), 1);
        for name in THREADS {
            assert_eq!(value(name)[0].1, "4", "{name}");
        }
        assert_eq!(value("PYTHONHASHSEED")[0].1, "0");
    }
}
