//! Runs one untrusted command with limits and says how it ended: bubblewrap by default, an OCI engine where asked.
//!
//! [`start`] puts a [`Command`] behind namespaces, a seccomp filter, cgroups and resource limits, and hands back a
//! [`Running`]. One supervisor thread per run watches it and tears it down; [`Ended`] says why it is over and
//! [`SandboxUsage`] what it took. [`check`] tells before the first run what the machine lacks and which limits are enforced
//! by the kernel and which only watched.
//!
//! Behind bubblewrap the command sees `/usr` and the folders it was given, nothing else of the host: no home, no network, no process
//! outside its own tree, and exactly the environment variables of [`Command::env`]. In a container ([`Backend::Oci`], [`Backend::Apptainer`])
//! the image stands in the place of `/usr`.
//!
//! Started as root, the command runs as an unprivileged uid of its own (20000 and up, one per running sandbox of the
//! machine); started by an ordinary user, inside a user namespace.

mod apptainer;
mod backend;
mod bubblewrap;
mod cgroup;
mod check;
mod command;
mod cores;
mod disk;
mod ended;
mod engine;
mod error;
mod gpu;
mod held;
mod launch;
mod ledger;
mod limits;
mod log;
mod machine;
mod missing;
mod mount;
mod oci;
mod places;
mod processes;
mod programs;
mod running;
mod seccomp;
mod settings;
mod shared;
mod slot;
mod supervisor;
mod undertaker;

pub use apptainer::Apptainer;
pub use backend::Backend;
pub use cgroup::available_memory;
pub use check::{check, unseen};
pub use command::{Bind, Command};
pub use cores::{available as available_cores, count as core_count};
pub use ended::{Ended, GpuUsage, SandboxUsage};
pub use engine::Engine;
pub use error::SandboxStartError;
pub use gpu::available as available_gpus;
pub use limits::{Limits, Notice};
pub use missing::MissingMeans;
pub use oci::{DatedImage, Oci, OciSettings};
pub use running::{Running, start};
pub use settings::{BubblewrapSettings, Sandbox, SandboxSettings};
