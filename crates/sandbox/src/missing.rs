//! What the machine lacks.

use crate::engine::Engine;

/// What a backend needs and the machine does not have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MissingMeans {
    /// A program is not installed.
    #[error("{program} is not installed; install it with: {install}")]
    Program {
        /// Name of the program.
        program: String,
        /// Command that installs it on Debian and its relatives.
        install: String,
    },
    /// The program is too old.
    #[error("{program} {found} is too old, {needed} or later is needed")]
    TooOld {
        /// Name of the program.
        program: String,
        /// Version found.
        found: String,
        /// Oldest version that serves.
        needed: String,
    },
    /// The kernel or an outer container refuses what the sandbox is made of.
    #[error("bubblewrap cannot build a sandbox here: {said}; {hint}")]
    Refused {
        /// What bubblewrap said.
        said: String,
        /// What to do about it.
        hint: String,
    },
    /// A container engine does not answer, or cannot run a container.
    #[error("{engine} cannot run a container here: {said}")]
    Engine {
        /// Which engine.
        engine: Engine,
        /// What it said.
        said: String,
    },
    /// An image is not on this machine.
    #[error("the image {image} is not on this machine ({said}); {way_out}")]
    Image {
        /// The image asked for.
        image: String,
        /// What the engine said.
        said: String,
        /// What to do about it.
        way_out: String,
    },
    /// GPUs are asked for.
    #[error(
        "no NVIDIA GPU is free for this program: no node such as /dev/nvidia0 can be opened for reading and writing, or CUDA_VISIBLE_DEVICES \
         names none; `nvidia-smi -L` lists what the driver has, and `gpus = false` does without"
    )]
    Gpu,
    /// The operating system is not supported.
    #[error("the sandbox needs Linux")]
    NotLinux,
}
