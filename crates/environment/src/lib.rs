//! Release histories, version choice by date, interpreters, materialised environments shared by content.
//!
//! The way of a notebook through this crate: its imports become distributions ([`distribution`]), the date of
//! its submission picks an interpreter ([`interpreter`]) and one release per distribution ([`mod@plan`]) from the
//! histories of the package index ([`index`]), the plan or a full lock becomes a folder ([`build`]), and the
//! kernel that runs there comes from a layer of its own ([`kernel`]). All of it lies below one [`home`].

pub mod build;
pub mod container;
pub mod declared;
pub mod distribution;
mod eras;
mod failure_class;
pub mod history;
pub mod home;
pub mod index;
pub mod inferred;
pub mod interpreter;
pub mod kernel;
mod line_starts;
pub mod link;
pub mod lock;
pub mod metadata;
pub mod plan;
mod planned;
mod portable;
mod process;
pub mod repository;
pub mod requirement;
mod requires;
mod setup_script;
mod solver;
mod table;
mod tools;
mod uv;
pub mod versions;

pub use build::{
    BuildError, BuildFailed, BuildSettings, Builder, Environment, EnvironmentInfo, FailureClass, Lease, Pinned,
    PinnedFile, PinnedSet, PruneReport, PruneSettings, Spec, environments,
};
pub use home::Home;
pub use index::{Index, IndexSettings};
pub use interpreter::{Interpreter, Interpreters};
pub use kernel::{KernelLayer, bind_paths, kernel_command};
pub use plan::{EnvironmentPlan, Needs, PlanRequest, StepBack, Strategy, UnrequiredModule, plan};
pub use portable::{Portable, PortableError, PortableFolder};
pub use tools::{ToolError, installers};
pub use uv::find_uv;
