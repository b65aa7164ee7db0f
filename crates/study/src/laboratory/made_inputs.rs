//! Input files that are made up: written into a working folder before the notebook runs there, in the sandbox and by the notebook's own
//! environment; and input files that are there and are hidden.

use std::path::{Component, Path, PathBuf};

use nbrevive_execute::{ExecutionSettings, Kernel, NotebookWorld, execute};
use nbrevive_inputs::{InputPlace, InputRecipe, WrittenInput, place, written};

use crate::KagglePlace;
use crate::laboratory::{Laboratory, LaboratoryError, Prepared};

/// Where a notebook starts: where its place says, or as far below as its `..` ask for. Where data are shown, `../input` has to lead to them.
pub(crate) fn starts_in(of: &KagglePlace) -> PathBuf {
    match &of.made {
        Some(recipe) if of.starts_in.as_os_str().is_empty() && of.input.is_empty() => recipe.starts_in(),
        _ => of.starts_in.clone(),
    }
}

/// The kernel of a notebook that may look for made-up files in its home folder.
pub(crate) fn kernel(environment: &Prepared, of: &KagglePlace) -> Kernel {
    let mut kernel = environment.kernel.clone();
    if of.made.as_ref().is_some_and(|recipe| recipe.needs_home()) {
        kernel.env.push(("HOME".to_owned(), InputRecipe::HOME.to_owned()));
    }
    kernel
}

impl Laboratory {
    /// Writes the files of a recipe into a world, and shows those of absolute paths in it; says what became of each.
    ///
    /// # Errors
    /// As [`Laboratory::attempt`]. What the environment cannot write is told, and no error.
    pub(crate) fn make_inputs(
        &self,
        recipe: &InputRecipe,
        kernel: &Kernel,
        world: &mut NotebookWorld,
        run_folder: &Path,
    ) -> Result<Vec<WrittenInput>, LaboratoryError> {
        let writer = recipe.writer(&world.starts_in);
        let ran = self.seated(|settings| {
            let settings = ExecutionSettings { run_folder: Some(run_folder.to_owned()), ..settings.clone() };
            execute(&writer, kernel, world, &settings)
        })?;
        // What the study itself shows at a place is not covered.
        let shown =
            |inside: &Path| world.input.iter().any(|(_, there)| inside.starts_with(there) || there.starts_with(inside));
        let mounts: Vec<(PathBuf, PathBuf)> = recipe.mounts(&world.working);
        let new = mounts.into_iter().filter(|(host, inside)| host.exists() && !shown(inside)).collect::<Vec<_>>();
        world.input.extend(new);
        Ok(written(&ran.notebook))
    }
}

/// Removes the files that a recipe would make from a working folder, as though they had never been there.
pub(crate) fn hide(recipe: &InputRecipe, working: &Path, starts_in: &Path) {
    for file in &recipe.files {
        let below = match place(&file.path) {
            Ok(InputPlace::Beside(path)) => starts_in.join(path),
            Ok(InputPlace::Working(path)) => PathBuf::from(path),
            Ok(InputPlace::Absolute(_) | InputPlace::Home(_)) | Err(_) => continue,
        };
        let Some(below) = without_ways_back(&below) else { continue };
        let path = working.join(below);
        // A folder of pictures is one file of a recipe.
        let _ = if path.is_dir() { std::fs::remove_dir_all(&path) } else { std::fs::remove_file(&path) };
    }
}

/// A relative path without `..`; `None` where it would leave the folder that it is relative to.
fn without_ways_back(path: &Path) -> Option<PathBuf> {
    let mut parts = PathBuf::new();
    for part in path.components() {
        match part {
            Component::Normal(name) => parts.push(name),
            Component::ParentDir if parts.pop() => {}
            Component::CurDir => {}
            Component::ParentDir | Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    (!parts.as_os_str().is_empty()).then_some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_lie_outside_of_the_folder_is_not_hidden() {
        let told = |path: &str| without_ways_back(Path::new(path)).map(|path| path.display().to_string());
        assert_eq!(told("a/../data/x.csv").as_deref(), Some("data/x.csv"));
        assert_eq!((told("../x.csv"), told("a/../../x"), told("/etc/x"), told("a/..")), (None, None, None, None));
    }
}
