//! One execution of a notebook in its place: what is carried into its working folder, and what is made of what it left.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::Timestamp;
use nbrevive_corpus::{Antidote, Stop};
use nbrevive_execute::{Antidotes, Execution, ExecutionSettings, NotebookWorld, execute};
use nbrevive_files::{FileError, Folder, free_bytes};
use nbrevive_grade::{Grader, Invalid};
use nbrevive_inputs::WrittenInput;
use nbrevive_notebook::Notebook;
use nbrevive_sandbox::Limits;

use crate::KagglePlace;
use crate::laboratory::attempt::Attempt;
use crate::laboratory::copies::Tree;
use crate::laboratory::machine::Load;
use crate::laboratory::made_inputs::{hide, kernel, starts_in};
use crate::laboratory::starvation::is_starved;
use crate::laboratory::submission::find_submission;
use crate::laboratory::working_folder::WorkFolder;
use crate::laboratory::{Laboratory, LaboratoryError, Prepared};

/// The folder of the capsule in an image for containers, where the container is the sandbox.
pub(crate) const IMAGE_CAPSULE: &str = "/capsule";
/// Where Kaggle has its working folder.
pub(crate) const KAGGLE_WORKING: &str = "/kaggle/working";

/// How one attempt is made; the default is as the laboratory was opened.
#[derive(Debug, Clone, Copy)]
pub struct Manner<'a> {
    /// Seed of Python's string hashing, where it is another than the laboratory's.
    pub seed: Option<u32>,
    /// What stops it.
    pub stop: Stop,
    /// What takes chance out of it, and which time an order runs, which gives it hashes of its own; as the laboratory was opened otherwise.
    pub antidotes: Option<(&'a BTreeSet<Antidote>, u32)>,
    /// When its code was submitted, for a sandbox that goes by date.
    pub submitted: Option<Timestamp>,
    /// Its wall clock, where it is another than the laboratory's.
    pub wall_clock: Option<Duration>,
    /// Whether the working folder stays until the attempt is dropped, for [`Attempt::keep`].
    pub hold: bool,
}

impl Default for Manner<'_> {
    fn default() -> Self {
        Manner { seed: None, stop: Stop::Tolerant, antidotes: None, submitted: None, wall_clock: None, hold: false }
    }
}

impl Laboratory {
    /// Runs a notebook, and grades what it left; once more where the time was up because neighbours held the processors.
    ///
    /// # Errors
    /// What is not the notebook's doing, before it ran: the sandbox, our own folders. What comes after is told by the attempt, which has
    /// the executed notebook whatever happens.
    pub fn attempt(
        &self,
        notebook: &Notebook,
        environment: &Prepared,
        place: &KagglePlace,
        grader: Option<&Grader>,
        manner: Manner<'_>,
    ) -> Result<Attempt, LaboratoryError> {
        let attempt = self.attempt_once(notebook, environment, place, grader, manner)?;
        let load = Load::now();
        if !is_starved(&attempt.execution, load) {
            return Ok(attempt);
        }
        let cpu_seconds = attempt.execution.usage.cpu_seconds;
        tracing::warn!(?load, cpu_seconds, "the time was up while others held the processors; running once more");
        // Its working folder would count twice.
        drop(attempt);
        self.attempt_once(notebook, environment, place, grader, manner)
    }

    /// The same, and never again.
    pub(super) fn attempt_once(
        &self,
        notebook: &Notebook,
        environment: &Prepared,
        place: &KagglePlace,
        grader: Option<&Grader>,
        manner: Manner<'_>,
    ) -> Result<Attempt, LaboratoryError> {
        let base = std::env::temp_dir();
        let folder = WorkFolder::make(&base).map_err(|source| LaboratoryError::Io { path: base, source })?;
        let working = folder.working();
        if let Some(beside) = &place.beside {
            let unread = |error: FileError| LaboratoryError::Io { path: beside.clone(), source: error.into() };
            let most = self.settings.limits.disk_bytes;
            // Beside a notebook that starts further down, for its `..` to have a place.
            let below = if place.starts_in.as_os_str().is_empty() { starts_in(place) } else { PathBuf::new() };
            let beside_it = working.join(below);
            let made = |source| LaboratoryError::Io { path: beside_it.clone(), source };
            std::fs::create_dir_all(&beside_it).map_err(made)?;
            Tree::of(beside).and_then(|tree| tree.copy_to(&beside_it, most)).map_err(unread)?;
        }
        if let Some(hidden) = &place.hidden {
            hide(hidden, &working, &starts_in(place));
        }
        if !self.settings.backend.isolates() {
            link_input(place, folder.path()).map_err(|source| LaboratoryError::Io { path: working.clone(), source })?;
            link_kaggle(place, &working);
        }
        let mut world = NotebookWorld { input: place.input.clone(), working, starts_in: starts_in(place) };
        let mut kernel = kernel(environment, place);
        if let Some((antidotes, time)) = manner.antidotes {
            kernel = Antidotes(antidotes.clone()).given_to(&kernel, time);
        }
        let made = match &place.made {
            Some(recipe) => self.make_inputs(recipe, &kernel, &mut world, folder.path())?,
            None => Vec::new(),
        };
        let mut execution = self.seated(|settings| {
            let settings = ExecutionSettings {
                run_folder: Some(folder.path().to_owned()),
                backend: self.backend_of(manner.submitted).clone(),
                seed: manner.seed.unwrap_or(settings.seed),
                stop_at_error: manner.stop == Stop::FirstError,
                facts: true,
                limits: Limits {
                    wall_clock: manner.wall_clock.unwrap_or(settings.limits.wall_clock),
                    ..settings.limits.clone()
                },
                ..settings.clone()
            };
            execute(notebook, &kernel, &world, &settings)
        })?;
        let disturbance = lack_of_room(&execution, &world.working);
        execution.notebook.metadata.insert("nbrevive".to_owned(), provenance(environment, &execution, &made));
        let left = folder.reclaim();
        let graded = grader.map(|grader| grade(grader, left.as_ref().ok()));
        Ok(Attempt::new(execution, graded, disturbance, manner.hold.then_some(folder)))
    }
}

/// The score of what was left, if it can be looked at at all.
fn grade(grader: &Grader, left: Option<&Folder>) -> Result<f64, Invalid> {
    let (id_column, target_columns) = grader.columns();
    let submission = find_submission(left.ok_or(Invalid::Missing)?, id_column, target_columns);
    grader.score(&submission).map(|score| score.value())
}

/// A disk that fell below its reserve while the notebook kept to its own share may have failed the notebook.
fn lack_of_room(execution: &Execution, working: &Path) -> Option<LaboratoryError> {
    let limits = &execution.limits;
    let free = free_bytes(working).ok().filter(|free| *free < limits.disk_reserve_bytes)?;
    let is_own_doing = execution.usage.disk_bytes > limits.disk_bytes;
    (!is_own_doing).then(|| LaboratoryError::LowDisk {
        folder: working.to_owned(),
        free_mib: free >> 20,
        reserve_mib: limits.disk_reserve_bytes >> 20,
    })
}

/// What an executed notebook says of its execution, under the key `nbrevive` of its metadata.
fn provenance(environment: &Prepared, execution: &Execution, made: &[WrittenInput]) -> serde_json::Value {
    let mut told = serde_json::json!({
        "environment": environment.id,
        "python": environment.python,
        "kernel": environment.kernel.argv.iter().map(|word| below_home(word)).collect::<Vec<_>>(),
        "ended": execution.ended.to_string(),
        "startup_seconds": execution.startup_seconds,
        "seconds": execution.seconds,
        "peak_memory_bytes": execution.usage.peak_memory_bytes,
        "cpu_seconds": execution.usage.cpu_seconds,
    });
    if !made.is_empty() {
        told["made_up_inputs"] = serde_json::json!(made);
    }
    if let Some(gpu) = execution.usage.gpu {
        told["gpu"] = serde_json::json!(gpu);
    }
    told
}

/// A word of a command without the folder in which this user keeps environments and kernels: a notebook is handed on.
fn below_home(word: &str) -> &str {
    let place = ["/environments/", "/kernels/"].iter().find_map(|folder| word.find(folder));
    place.map_or(word, |place| &word[place + 1..])
}

/// Without a sandbox nothing is mounted: `../input` of the working folder is then made of links. `/kaggle` is there in an image alone.
fn link_input(place: &KagglePlace, folder: &Path) -> std::io::Result<()> {
    for (host, inside) in &place.input {
        let link = folder.join(inside.strip_prefix("/kaggle").unwrap_or(inside));
        std::fs::create_dir_all(link.parent().unwrap_or(folder))?;
        std::os::unix::fs::symlink(host, link)?;
    }
    Ok(())
}

/// In an image of ours, which has links below `/kaggle`, has them lead to what this run finds there. On any other machine `/kaggle` is
/// somebody else's.
fn link_kaggle(place: &KagglePlace, working: &Path) {
    if !Path::new(IMAGE_CAPSULE).join("capsule.json").is_file() {
        return;
    }
    let inputs = place.input.iter().map(|(host, inside)| (host.as_path(), inside.as_path()));
    for (to, link) in inputs.chain([(working, Path::new(KAGGLE_WORKING))]) {
        if let Err(error) = lead(link, to) {
            tracing::warn!(link = %link.display(), %error, "the image cannot be written, and a link in it leads where it did");
        }
    }
}

/// Has a link lead elsewhere; what is no link stays what it is.
fn lead(link: &Path, to: &Path) -> std::io::Result<()> {
    if !link.is_symlink() || link.read_link()? == to {
        return Ok(());
    }
    std::fs::remove_file(link)?;
    std::os::unix::fs::symlink(to, link)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_link_is_led_elsewhere() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        std::fs::create_dir(path("folder")).unwrap();
        std::os::unix::fs::symlink("../proc/self/cwd", path("link")).unwrap();
        for name in ["link", "folder", "none"] {
            lead(&path(name), &path("there")).unwrap();
            lead(&path(name), &path("there")).unwrap();
        }
        assert_eq!(path("link").read_link().unwrap(), path("there"));
        assert!(path("folder").is_dir() && !path("folder").is_symlink() && !path("none").is_symlink());
    }
}
