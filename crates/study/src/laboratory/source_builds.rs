//! Source archives are built in the sandbox, as notebooks run there.

use std::io;
use std::time::Duration;

use nbrevive_environment::build::{BUILD_FOLDER, BuildEnd, BuildJob, Workshop};
use nbrevive_sandbox::{Backend, Bind, Command, Ended, Limits, start};

/// Memory of a build. What needs more is on the list of what is never built.
const MEMORY: u64 = 8 << 30;
/// What the supervisor may take to tear the sandbox down.
const GONE: Duration = Duration::from_secs(30);

/// Builds behind a backend: without network, and with no file of the machine in sight but `/usr`, the interpreter and the tools.
#[derive(Debug, Clone)]
pub struct SandboxedBuilds {
    backend: Backend,
}

impl SandboxedBuilds {
    /// Behind that backend.
    #[must_use]
    pub fn new(backend: Backend) -> Self {
        Self { backend }
    }
}

impl Workshop for SandboxedBuilds {
    fn run(&self, job: &BuildJob<'_>) -> io::Result<BuildEnd> {
        let command = Command {
            argv: job.argv.clone(),
            env: job.env.clone(),
            read_only: job.read_only.iter().map(Bind::same).collect(),
            writable: vec![Bind::new(job.folder, BUILD_FOLDER)],
            working_directory: BUILD_FOLDER.into(),
            log: job.log.clone(),
        };
        let wanted = Limits { wall_clock: job.limit, memory_bytes: MEMORY, ..Limits::default() };
        let (limits, _) = wanted.fitted_to_machine();
        let running = start(&command, &limits, &self.backend).map_err(io::Error::other)?;
        match running.wait(job.limit + GONE) {
            Some(Ended::Exited(0)) => Ok(BuildEnd::Done),
            Some(Ended::WallClock) => Ok(BuildEnd::TimedOut),
            Some(Ended::NotStarted { message }) => Err(io::Error::other(message)),
            Some(ended) => Ok(BuildEnd::Failed(ended.to_string())),
            None => Err(io::Error::other("the sandbox could not be ended")),
        }
    }
}
