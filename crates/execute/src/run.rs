//! One execution from the empty folder to the record.

use std::ffi::OsString;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::Path;
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

use nbrevive_notebook::{CellFacts, CellKind, Notebook};
use nbrevive_sandbox::{Bind, Command, Ended, Running, SandboxStartError, start};
use serde_json::Value;

use crate::claims;
use crate::collector::Collector;
use crate::connection::Meeting;
use crate::error_budget::ErrorBudget;
use crate::link::{Event, Link};
use crate::record::{CellError, CellRecord, CellStatus, End, Execution};
use crate::session::{CellEnd, NotReady, OVERTIME, Session, is_limit};
use crate::settings::{ExecutionSettings, Kernel, NotebookWorld};
use crate::wire::{Requests, Signer};

/// Where the notebook works, inside.
const WORKING: &str = "/kaggle/working";
/// How much of the kernel's log is kept.
const LOG_TAIL: u64 = 4096;
/// What the sandbox may take beyond the cells, the start and the stop before its own clock ends it.
const MARGIN: Duration = Duration::from_secs(30);
/// A message of the kernel may be twice what is kept of a cell (text grows when it is written as JSON), and this at least.
const LARGEST_MESSAGE: u64 = 1 << 20;
/// The signal that nobody can refuse.
const KILL: i32 = 9;
/// How long a killed sandbox may take to be gone.
const GONE: Duration = Duration::from_secs(10);

/// Why nothing could be executed. Never the notebook's doing: such a run has no outcome and may be tried again.
#[derive(Debug, thiserror::Error)]
pub enum ExecuteError {
    /// The sandbox refused to start.
    #[error("cannot start the sandbox")]
    Sandbox(#[from] SandboxStartError),
    /// The sandbox broke down while it was being set up.
    #[error("the sandbox could not be set up: {message}")]
    NotStarted {
        /// What bubblewrap said.
        message: String,
    },
    /// The run folder with the sockets could not be prepared.
    #[error("cannot prepare the run folder")]
    RunFolder(#[source] io::Error),
    /// The thread or runtime for the kernel's sockets could not be started.
    #[error("cannot open the connection to the kernel")]
    Link(#[source] io::Error),
    /// The kernel's argument list is empty.
    #[error("the kernel has no command to run")]
    NoKernel,
}

/// Executes every code cell of a notebook and records how each fared.
///
/// Blocks the calling thread until the kernel is gone; the sandbox is supervised by a thread of its own, so any thread
/// may call this. The sandbox and all its processes are gone when it returns.
///
/// # Errors
/// [`ExecuteError`] for what is not the notebook's doing. Everything that the notebook or its environment can cause is
/// an [`Execution`] with its [`End`], with all output up to then.
pub fn execute(
    notebook: &Notebook,
    kernel: &Kernel,
    world: &NotebookWorld,
    settings: &ExecutionSettings,
) -> Result<Execution, ExecuteError> {
    if kernel.argv.is_empty() {
        return Err(ExecuteError::NoKernel);
    }
    let meeting =
        Meeting::arrange(settings.run_folder.as_deref(), &settings.backend).map_err(ExecuteError::RunFolder)?;
    let signer = Signer::new(&meeting.key).ok_or_else(|| ExecuteError::RunFolder(io::Error::other("unusable key")))?;
    let (sender, events) = channel();
    let began = Instant::now();
    let running = start_kernel(kernel, world, settings, &meeting)?;
    running.end_by(began + settings.startup_timeout + OVERTIME);
    let most = LARGEST_MESSAGE.max(settings.output_bytes_per_cell as u64 * 2);
    let link = Link::start(meeting.sockets(), most, sender.clone()).map_err(ExecuteError::Link)?;
    running.on_end(move |ended| {
        // Nobody listens any more when the run was dropped.
        let _ = sender.send(Event::Ended(ended.clone()));
    });
    let collector = Collector::new(notebook.cells.len(), settings);
    let requests = Requests::new(signer.clone(), meeting.session.clone());
    let mut session = Session::new(link, events, (signer, requests), &running, settings, collector);
    let mut run = Run::new(notebook, settings);
    match session.ready(began + settings.startup_timeout) {
        Ok(info) => {
            run.startup_seconds = began.elapsed().as_secs_f64();
            run.cells(&mut session);
            run.close(&mut session, &running);
            run.language_info = claims::language_info(&info);
        }
        Err(why) => {
            run.startup_seconds = began.elapsed().as_secs_f64();
            running.kill();
            let _ = running.wait(GONE);
            run.ended = Some(startup_failed(why, &meeting.log())?);
        }
    }
    Ok(run.finish(&session, &running, &meeting))
}

fn start_kernel(
    kernel: &Kernel,
    world: &NotebookWorld,
    settings: &ExecutionSettings,
    meeting: &Meeting,
) -> Result<Running, ExecuteError> {
    let connection = meeting.connection_path();
    let working = settings.backend.place(Path::new(WORKING), &world.working);
    let mut read_only: Vec<Bind> = kernel.read_only.iter().map(Bind::same).collect();
    read_only.extend(world.input.iter().map(|(host, inside)| Bind::new(host, inside)));
    let command = Command {
        argv: kernel.argv.iter().map(|part| OsString::from(part.replace("{connection_file}", &connection))).collect(),
        env: settings.environment(kernel, &meeting.home()),
        read_only,
        writable: vec![Bind::new(&world.working, working), meeting.bind()],
        // By components, since joining nothing would leave a slash at the end.
        working_directory: working.join(&world.starts_in).components().collect(),
        log: meeting.log(),
    };
    let mut limits = settings.limits.clone();
    // The session tells the sandbox when each cell's time is up; this is for a session that broke down.
    limits.wall_clock += settings.startup_timeout + settings.interrupt_grace + settings.shutdown_grace + MARGIN;
    Ok(start(&command, &limits, &settings.backend)?)
}

fn startup_failed(why: NotReady, log: &Path) -> Result<End, ExecuteError> {
    let said = tail(log);
    let message = match why {
        NotReady::Ended(Ended::NotStarted { message }) => return Err(ExecuteError::NotStarted { message }),
        NotReady::Ended(limit) if is_limit(&limit) => return Ok(death(&limit, None)),
        NotReady::Ended(ended) => format!("the kernel {ended} before it answered"),
        NotReady::TooSlow => "the kernel did not answer in time".to_owned(),
        NotReady::Lost(why) => format!("the connection failed ({why})"),
    };
    Ok(End::StartupFailed { message: if said.is_empty() { message } else { format!("{message}\n{said}") } })
}

fn tail(log: &Path) -> String {
    let read = || -> io::Result<Vec<u8>> {
        let mut file = nbrevive_files::open(log)?;
        let length = file.metadata()?.len();
        file.seek(SeekFrom::Start(length.saturating_sub(LOG_TAIL)))?;
        let mut bytes = Vec::new();
        file.take(LOG_TAIL).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    String::from_utf8_lossy(&read().unwrap_or_default()).trim().to_owned()
}

/// What is known so far.
struct Run<'run> {
    notebook: &'run Notebook,
    settings: &'run ExecutionSettings,
    records: Vec<CellRecord>,
    ended: Option<End>,
    last: Option<usize>,
    spent: Duration,
    /// Whether a cell raised, and no more are to run.
    stopped: bool,
    /// When the time of the cells is up.
    deadline: Option<Instant>,
    startup_seconds: f64,
    language_info: Option<Value>,
    errors: ErrorBudget,
    /// What is known of the names in cells that raised.
    facts: Vec<(usize, CellFacts)>,
}

impl<'run> Run<'run> {
    fn new(notebook: &'run Notebook, settings: &'run ExecutionSettings) -> Self {
        let (records, ended, last, deadline) = (Vec::new(), None, None, None);
        let (spent, startup_seconds, language_info, errors) = (Duration::ZERO, 0.0, None, ErrorBudget::default());
        let facts = Vec::new();
        Self {
            notebook,
            settings,
            records,
            ended,
            last,
            spent,
            stopped: false,
            deadline,
            startup_seconds,
            language_info,
            errors,
            facts,
        }
    }

    /// Runs the cells until one of them ends it all.
    fn cells(&mut self, session: &mut Session<'_>) {
        for (index, cell) in self.notebook.code_cells() {
            let blank = cell.source.trim().is_empty();
            let is_over = self.ended.is_some() || self.stopped;
            if blank || cell.has_tag("skip-execution") || is_over {
                let status = if is_over && !blank { CellStatus::NotRun } else { CellStatus::Skipped };
                self.record(index, status, Duration::ZERO, None);
                continue;
            }
            let left = self.settings.limits.wall_clock.saturating_sub(self.spent);
            if left.is_zero() {
                self.ended = Some(End::Timeout { cell: self.last.unwrap_or(index) });
                self.record(index, CellStatus::NotRun, Duration::ZERO, None);
                continue;
            }
            self.last = Some(index);
            let own = self.settings.cell_clock.filter(|own| *own < left);
            let began = Instant::now();
            let deadline = began + own.unwrap_or(left);
            self.deadline = Some(deadline);
            let end = match (session.run_cell(index, &cell.source, deadline), own) {
                (CellEnd::Interrupted(error), Some(own)) => CellEnd::Error(by_own_clock(error, own)),
                (end, _) => end,
            };
            let took = began.elapsed();
            self.spent += took;
            let raised = match &end {
                CellEnd::Error(error) if self.settings.facts => Some(error.ename.clone()),
                _ => None,
            };
            self.judge(index, end, took);
            match raised.and_then(|raised| session.facts(index, &cell.source, &raised)) {
                Some(Ok(facts)) => self.facts.push((index, facts)),
                Some(Err(ended)) => self.ended = Some(death(&ended, Some(index))),
                None => {}
            }
        }
    }

    fn judge(&mut self, index: usize, end: CellEnd, took: Duration) {
        let (status, error) = match end {
            CellEnd::Ok => (CellStatus::Ok, None),
            CellEnd::Error(error) => {
                self.stopped = self.settings.stop_at_error;
                (CellStatus::Error, Some(error))
            }
            CellEnd::ExitRequested => {
                self.ended = Some(End::ExitRequested { cell: index });
                (CellStatus::Ok, None)
            }
            CellEnd::Interrupted(error) => {
                self.ended = Some(End::Timeout { cell: index });
                (CellStatus::Timeout, error)
            }
            CellEnd::Stuck => {
                self.ended = Some(End::Timeout { cell: index });
                (CellStatus::Timeout, None)
            }
            CellEnd::Died(ended) => {
                self.ended = Some(death(&ended, Some(index)));
                (CellStatus::Died, None)
            }
            CellEnd::Lost(why) => {
                tracing::warn!(cell = index, %why, "lost the connection to a living kernel");
                self.ended = Some(End::KernelDied { cell: Some(index), exit_code: None, signal: None });
                (CellStatus::Died, None)
            }
        };
        self.record(index, status, took, error);
    }

    fn record(&mut self, index: usize, status: CellStatus, took: Duration, mut error: Option<CellError>) {
        if let Some(error) = &mut error {
            let lines = self.notebook.cells[index].source.lines().count();
            error.line = error.line.filter(|&line| usize::try_from(line).is_ok_and(|line| (1..=lines).contains(&line)));
            self.errors.keep(error);
        }
        self.records.push(CellRecord { index, status, seconds: took.as_secs_f64(), error, truncated: false });
    }

    /// Ends the kernel: in order where it still listens, by force otherwise.
    fn close(&mut self, session: &mut Session<'_>, running: &Running) {
        let grace = self.settings.shutdown_grace;
        if matches!(self.ended, None | Some(End::ExitRequested { .. })) {
            running.end_by(Instant::now() + grace + OVERTIME);
        }
        let ended = match &self.ended {
            None => session.shut_down(grace),
            // It is ending by itself.
            Some(End::ExitRequested { .. }) => session.await_end(grace),
            Some(End::Timeout { .. }) if self.came_back() => session.shut_down(grace.min(self.overtime())),
            Some(_) => None,
        };
        if ended.is_none() && running.ended().is_none() {
            running.kill();
        }
        let ended = running.wait(GONE);
        let is_open = matches!(self.ended, None | Some(End::ExitRequested { .. }));
        match ended {
            // A limit that was exceeded at the very end is exceeded all the same.
            Some(limit) if is_open && is_limit(&limit) => self.ended = Some(death(&limit, self.last)),
            // Killed before it could flush its files.
            Some(kill @ (Ended::Signalled(KILL) | Ended::NotStarted { .. })) if is_open => {
                self.ended = Some(death(&kill, self.last));
            }
            _ => {}
        }
    }

    /// What is left before the sandbox is ended for the time of the cells.
    fn overtime(&self) -> Duration {
        self.deadline.map_or(OVERTIME, |deadline| (deadline + OVERTIME).saturating_duration_since(Instant::now()))
    }

    /// Whether the last cell gave in to the interrupt.
    fn came_back(&self) -> bool {
        let interrupted = self.records.iter().find(|record| record.status == CellStatus::Timeout);
        interrupted.is_none_or(|record| record.error.is_some())
    }

    fn finish(mut self, session: &Session<'_>, running: &Running, meeting: &Meeting) -> Execution {
        if self.records.is_empty() {
            for (index, cell) in self.notebook.code_cells() {
                let blank = cell.source.trim().is_empty();
                self.record(index, if blank { CellStatus::Skipped } else { CellStatus::NotRun }, Duration::ZERO, None);
            }
        }
        for record in &mut self.records {
            record.truncated = session.collector.truncated(record.index);
        }
        Execution {
            notebook: self.executed(session),
            seconds: self.spent.as_secs_f64(),
            startup_seconds: self.startup_seconds,
            usage: running.usage(),
            kernel_log_tail: tail(&meeting.log()),
            limits: self.settings.limits.clone(),
            notices: running.notices().to_vec(),
            ended: self.ended.unwrap_or(End::Completed),
            cells: self.records,
        }
    }

    fn executed(&self, session: &Session<'_>) -> Notebook {
        let mut notebook = self.notebook.clone();
        notebook.nbformat = (4, 5);
        if let Some(info) = &self.language_info {
            notebook.metadata.insert("language_info".into(), info.clone());
        }
        for record in &self.records {
            let cell = &mut notebook.cells[record.index];
            if record.status == CellStatus::Skipped && cell.has_tag("skip-execution") {
                continue;
            }
            cell.metadata.remove("execution");
            let known = self.facts.iter().find(|(index, _)| *index == record.index);
            CellFacts::leave(known.map(|(_, facts)| facts), cell);
            if let Some(times) = session.times.get(&record.index) {
                cell.metadata.insert("execution".into(), Value::Object(times.clone()));
            }
            if let CellKind::Code { execution_count, outputs } = &mut cell.kind {
                *execution_count = session.counts.get(&record.index).copied();
                *outputs = session.collector.finish(record.index);
            }
        }
        notebook
    }
}

/// What a cell raised that was interrupted by its own clock, also where its code kept that to itself.
fn by_own_clock(error: Option<CellError>, clock: Duration) -> CellError {
    let silent =
        || CellError { ename: "KeyboardInterrupt".into(), evalue: String::new(), traceback: Vec::new(), line: None };
    let mut error = error.unwrap_or_else(silent);
    if error.evalue.is_empty() {
        error.evalue = format!("the time of the cell was up ({} s)", clock.as_secs_f64());
    }
    error
}

fn death(ended: &Ended, cell: Option<usize>) -> End {
    match ended {
        Ended::Memory => End::OutOfMemory { cell },
        Ended::Disk => End::DiskFull { cell },
        Ended::Processes => End::TooManyProcesses { cell },
        Ended::Cpu => End::ProcessorTime { cell },
        Ended::WallClock => End::Timeout { cell: cell.unwrap_or(0) },
        Ended::Exited(code) => End::KernelDied { cell, exit_code: Some(*code), signal: None },
        Ended::Signalled(signal) => End::KernelDied { cell, exit_code: None, signal: Some(*signal) },
        Ended::Killed | Ended::NotStarted { .. } => End::KernelDied { cell, exit_code: None, signal: None },
    }
}
