//! An environment that notebooks can run in.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use nbrevive_environment::build::Lease;
use nbrevive_environment::kernel::bind_paths;
use nbrevive_environment::{Environment, KernelLayer, kernel_command};
use nbrevive_execute::Kernel;
use nbrevive_notebook::PythonVersion;

/// An environment that notebooks can run in, with its kernel.
#[derive(Debug, Clone)]
pub struct Prepared {
    /// The environment's name.
    pub id: String,
    /// Its folder.
    pub path: PathBuf,
    /// The folder that its distributions are installed in.
    pub(crate) site_packages: PathBuf,
    /// The folder of the kernel's own packages.
    pub(crate) kernel_packages: PathBuf,
    /// Keeps the environment from being pruned meanwhile; one of a capsule is nobody's to prune.
    _lease: Option<Arc<Lease>>,
    /// Full version of the interpreter.
    pub python: String,
    /// Installed distributions by normalised name.
    pub packages: BTreeMap<String, String>,
    /// How the kernel is started.
    pub kernel: Kernel,
}

impl Prepared {
    /// The interpreter's major and minor version.
    #[must_use]
    pub fn minor(&self) -> PythonVersion {
        let mut parts = self.python.split('.').map(|part| part.parse().unwrap_or(0));
        PythonVersion::new(parts.next().unwrap_or(0), parts.next().unwrap_or(0))
    }

    /// The lock as installed: one `name==version` a line.
    #[must_use]
    pub fn lock(&self) -> String {
        self.packages.iter().map(|(name, version)| format!("{name}=={version}\n")).collect()
    }

    /// The text of a lock from which the same environment is made, to put more on top of it.
    #[must_use]
    pub fn as_lock(&self) -> String {
        format!("# python: {}\n{}", self.minor(), self.lock())
    }

    /// An environment beside the layer of its kernel.
    pub(crate) fn of(environment: &Environment, layer: &KernelLayer, lease: Option<Arc<Lease>>) -> Self {
        let packages = environment.lock.iter().filter_map(|line| line.split_once("=="));
        Prepared {
            id: environment.id.clone(),
            path: environment.path.clone(),
            site_packages: environment.site_packages.clone(),
            kernel_packages: layer.packages(),
            _lease: lease,
            python: environment.interpreter.version.to_string(),
            packages: packages.map(|(name, version)| (name.to_owned(), version.to_owned())).collect(),
            kernel: Kernel {
                argv: kernel_command(environment, layer),
                env: Vec::new(),
                read_only: bind_paths(environment, layer),
            },
        }
    }

    /// The interpreter's path, for commands that are no kernel.
    pub(crate) fn interpreter(&self) -> std::ffi::OsString {
        self.kernel.argv.first().map(std::ffi::OsString::from).unwrap_or_default()
    }
}
