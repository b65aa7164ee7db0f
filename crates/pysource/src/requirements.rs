//! Install commands in cells, and the requirements that they name.
//!
//! Notebooks install what they need in many ways: `!pip install`, `%pip install`, `%%bash` cells, `os.system`,
//! `subprocess`. [`install_lines`] finds them, so that the packages can be installed before the run, and
//! [`without_installs`] takes them out of a cell, so that the run needs no network.

pub use crate::readers::requirements::{
    FileLine, FollowedFiles, InstallLine, InstallRefusal, RefusedPiece, RequirementsEntry, Tool, follow_files,
    is_harmless_option, requirements_file, without_installs,
};
use crate::survey::survey;

/// The install commands of a notebook's code cells, in order of cell and line.
///
/// A function of the notebook that installs its argument is followed: `install("x")` after
/// `def install(name): subprocess.check_call([sys.executable, "-m", "pip", "install", name])` is found too.
#[must_use]
pub fn install_lines(cells: &[&str]) -> Vec<InstallLine> {
    survey(cells).install_lines
}
