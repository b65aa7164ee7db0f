//! What an execution leaves behind: the executed notebook, a record of every cell, and why it ended.

use std::fmt;

use nbrevive_notebook::Notebook;
use nbrevive_sandbox::{Limits, Notice, SandboxUsage};
use serde::{Deserialize, Serialize};

nbrevive_corpus::string_enum! {
    /// How one cell fared.
    pub enum CellStatus ("status of a cell") {
        /// Ran to its end.
        Ok => "ok",
        /// Raised an exception, or the kernel refused it; see [`CellRecord::error`].
        Error => "error",
        /// Was running when the time was up.
        Timeout => "timeout",
        /// Was running when the kernel died, for whatever reason.
        Died => "died",
        /// Never ran, because something before it ended the execution.
        NotRun => "not-run",
        /// Blank, or tagged `skip-execution`.
        Skipped => "skipped",
    }
}

/// An exception of a cell.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CellError {
    /// Class name, for example `KeyError`; `UsageError` for an unknown magic.
    pub ename: String,
    /// Message.
    pub evalue: String,
    /// Lines as the kernel sent them, with colour codes; empty for `UsageError`.
    pub traceback: Vec<String>,
    /// Line of the cell, from 1, where it was raised or passed through; `None` where the traceback does not say.
    pub line: Option<u32>,
}

/// One code cell of the notebook.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CellRecord {
    /// Index in [`Notebook::cells`].
    pub index: usize,
    /// How it fared.
    pub status: CellStatus,
    /// From the request to the end of its output.
    pub seconds: f64,
    /// The exception, where there was one.
    pub error: Option<CellError>,
    /// Whether output was cut at a limit.
    pub truncated: bool,
}

/// Why an execution is over. `cell` is the index in [`Notebook::cells`] of the cell that ran then, or ran last.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "end")]
pub enum End {
    /// Every cell was run, with or without errors.
    Completed,
    /// The cell called `exit()` or `quit()`: the kernel ends in order, the cells after it do not run.
    ExitRequested {
        /// Cell index.
        cell: usize,
    },
    /// The time of the cells was up.
    Timeout {
        /// Cell index.
        cell: usize,
    },
    /// The kernel's process ended by itself.
    KernelDied {
        /// Cell index; `None` when no cell had run yet.
        cell: Option<usize>,
        /// Exit code, if it exited.
        exit_code: Option<i32>,
        /// Signal, if one ended it.
        signal: Option<i32>,
    },
    /// The memory limit ended it.
    OutOfMemory {
        /// Cell index; `None` when no cell had run yet.
        cell: Option<usize>,
    },
    /// The disk limit ended it.
    DiskFull {
        /// Cell index; `None` when no cell had run yet.
        cell: Option<usize>,
    },
    /// The kernel ended in failure after it was refused processes or threads at the limit.
    TooManyProcesses {
        /// Cell index; `None` when no cell had run yet.
        cell: Option<usize>,
    },
    /// The limit of processor time ended it.
    ProcessorTime {
        /// Cell index; `None` when no cell had run yet.
        cell: Option<usize>,
    },
    /// The kernel never answered; the environment is broken or too slow.
    StartupFailed {
        /// What happened, and the end of the kernel's log.
        message: String,
    },
}

impl End {
    /// Whether every cell had its chance.
    #[must_use]
    pub fn is_completed(&self) -> bool {
        matches!(self, Self::Completed)
    }
}

/// Cells are counted from 1 here, as people count them, and as errors are told.
impl fmt::Display for End {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = |cell: &Option<usize>| cell.map_or_else(String::new, |cell| format!(" in cell {}", cell + 1));
        match self {
            Self::Completed => formatter.write_str("completed"),
            Self::ExitRequested { cell } => write!(formatter, "exit was called in cell {}", cell + 1),
            Self::Timeout { cell } => write!(formatter, "time was up in cell {}", cell + 1),
            Self::KernelDied { cell, exit_code: Some(code), .. } => {
                write!(formatter, "the kernel exited with code {code}{}", at(cell))
            }
            Self::KernelDied { cell, signal: Some(signal), .. } => {
                write!(formatter, "the kernel was ended by signal {signal}{}", at(cell))
            }
            Self::KernelDied { cell, .. } => write!(formatter, "the kernel died{}", at(cell)),
            Self::OutOfMemory { cell } => write!(formatter, "out of memory{}", at(cell)),
            Self::DiskFull { cell } => write!(formatter, "the disk limit was reached{}", at(cell)),
            Self::TooManyProcesses { cell } => {
                write!(formatter, "the kernel failed at the limit of processes{}", at(cell))
            }
            Self::ProcessorTime { cell } => write!(formatter, "processor time was up{}", at(cell)),
            Self::StartupFailed { message } => write!(formatter, "the kernel did not start: {message}"),
        }
    }
}

/// The whole result of an execution.
#[derive(Debug, Clone, PartialEq)]
pub struct Execution {
    /// The notebook with fresh outputs, execution counts, `metadata.execution` times and the kernel's `language_info`.
    pub notebook: Notebook,
    /// Every code cell in order.
    pub cells: Vec<CellRecord>,
    /// Why it is over.
    pub ended: End,
    /// Time of the cells together.
    pub seconds: f64,
    /// From the start of the sandbox to the kernel's first answer.
    pub startup_seconds: f64,
    /// What the sandbox measured.
    pub usage: SandboxUsage,
    /// The last 4 KiB of what the kernel's processes wrote outside of the protocol.
    pub kernel_log_tail: String,
    /// The limits that were in force.
    pub limits: Limits,
    /// Which of them the kernel enforced, and which were watched only.
    pub notices: Vec<Notice>,
}

impl Execution {
    /// The first cell that failed.
    #[must_use]
    pub fn first_error(&self) -> Option<&CellRecord> {
        self.cells.iter().find(|cell| cell.status == CellStatus::Error)
    }

    /// Whether every cell ran without an error.
    #[must_use]
    pub fn is_error_free(&self) -> bool {
        self.ended.is_completed() && self.first_error().is_none()
    }
}
