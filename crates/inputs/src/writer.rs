//! The notebook that writes the files of a recipe, and where its world has to have them.

use std::path::{Path, PathBuf};

use nbrevive_notebook::{Cell, Notebook, Output};
use serde::{Deserialize, Serialize};

use crate::place::{InputPlace, place};
use crate::recipe::InputRecipe;

/// The script that writes, for Python 3.6 and later.
const WRITER: &str = include_str!("../data/writer.py");
/// What a line of the script begins with that tells of a file.
const SAID: &str = "made-up ";
/// Where it puts files of absolute paths and of the home folder, below the working folder.
const ABSOLUTE: &str = ".made-up/absolute";
/// The folder in which a notebook starts that looks for files above it.
const BELOW: &str = "notebook";

/// What became of one file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrittenInput {
    /// Its path in the recipe.
    pub path: String,
    /// How large it is; `None` when it was not written.
    #[serde(default)]
    pub bytes: Option<u64>,
    /// Why it was not written.
    #[serde(default)]
    pub why: Option<String>,
}

impl InputRecipe {
    /// `HOME` for a notebook that reads files of its home folder.
    pub const HOME: &str = "/kaggle/working/.made-up/home";

    /// A notebook of one cell that writes everything. It is to be run in the sandbox, in the environment and the working folder of the
    /// notebook, from the folder in which that starts; it overwrites nothing and prints a line a file, for [`written`].
    ///
    /// `starts_in` is that folder, relative to the working folder. Nothing is made above the working folder.
    #[must_use]
    pub fn writer(&self, starts_in: &Path) -> Notebook {
        // JSON in quotes of JSON is a text for Python too.
        let text = serde_json::to_string(self).and_then(|json| serde_json::to_string(&json)).unwrap_or_default();
        let levels = starts_in.components().count();
        let call = format!("\n\n_make_inputs(_json.loads({text}), {levels})\n");
        Notebook::from_cells(vec![Cell::code(format!("{WRITER}{call}"))])
    }

    /// Where a notebook has to start, below its working folder, for all its `..` to stay in it: empty where there are none. A notebook that
    /// lies in a repository starts where it lies.
    #[must_use]
    pub fn starts_in(&self) -> PathBuf {
        let paths = self.files.iter().map(|file| &file.path).chain(&self.folders);
        let levels = paths.filter_map(|path| place(path).ok()).map(|place| place.levels_up()).max().unwrap_or(0);
        std::iter::repeat_n(BELOW, levels).collect()
    }

    /// What has to be mounted for absolute paths once the files are written: the host's file or folder, and where the notebook finds it.
    /// Read-only, as all input. `working` is the host's working folder.
    #[must_use]
    pub fn mounts(&self, working: &Path) -> Vec<(PathBuf, PathBuf)> {
        let places = self.files.iter().filter_map(|file| place(&file.path).ok());
        let mount = |place| match place {
            InputPlace::Absolute(path) => {
                let host = working.join(ABSOLUTE).join(path.trim_start_matches('/'));
                Some((host, PathBuf::from(path)))
            }
            _ => None,
        };
        places.filter_map(mount).collect()
    }

    /// Whether a file lies in the home folder, so that the kernel's `HOME` has to be [`InputRecipe::HOME`].
    #[must_use]
    pub fn needs_home(&self) -> bool {
        self.files.iter().any(|file| matches!(place(&file.path), Ok(InputPlace::Home(_))))
    }
}

/// What the writer's notebook said once it ran; of a file without a line nothing was written.
#[must_use]
pub fn written(executed: &Notebook) -> Vec<WrittenInput> {
    let text = executed.cells.iter().flat_map(Cell::outputs).filter_map(|output| match output {
        Output::Stream { text, .. } => Some(text.as_str()),
        _ => None,
    });
    text.flat_map(str::lines).filter_map(|line| serde_json::from_str(line.strip_prefix(SAID)?).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recipe::{InputFile, InputFormat, ReadOptions};

    fn recipe(paths: &[&str]) -> InputRecipe {
        let file = |path: &&str| InputFile {
            path: (*path).to_owned(),
            format: InputFormat::Text,
            options: ReadOptions::default(),
            tables: Vec::new(),
            parts: Vec::new(),
            used: Vec::new(),
            text: None,
        };
        InputRecipe { files: paths.iter().map(file).collect(), ..InputRecipe::default() }
    }

    #[test]
    fn the_world_has_room_for_every_path() {
        let recipe = recipe(&["a.csv", "../data/b.csv", "../../c.csv", "/data/d.csv", "~/e.csv"]);
        assert_eq!(recipe.starts_in(), Path::new("notebook/notebook"));
        let expected = [(PathBuf::from("/w/.made-up/absolute/data/d.csv"), PathBuf::from("/data/d.csv"))];
        assert_eq!(recipe.mounts(Path::new("/w")), expected);
        assert!(recipe.needs_home());
    }

    #[test]
    fn what_was_written_is_read_from_its_lines() {
        let mut executed = Notebook::from_cells(vec![Cell::code("")]);
        let text =
            "x\nmade-up {\"path\": \"a.csv\", \"bytes\": 12}\nmade-up {\"path\": \"b\", \"why\": \"no\"}\n".to_owned();
        if let nbrevive_notebook::CellKind::Code { outputs, .. } = &mut executed.cells[0].kind {
            outputs.push(Output::Stream { name: "stdout".to_owned(), text });
        }
        let found = written(&executed);
        assert_eq!((found[0].bytes, found[1].why.as_deref()), (Some(12), Some("no")));
    }
}
