//! Do notebooks run as far with files that are made up as with their own? Runs every notebook of a list with its files, without them, and
//! with files made up in turns, and prints a line of JSON for each.
//!
//! `made_up_inputs --recipe NOTEBOOK` prints what would be made up.
//!
//! `made_up_inputs ENVIRONMENT LIST OUT [--code-only] [--seconds N]`: ENVIRONMENT is a virtual environment with ipykernel; each line of LIST is
//! the path of a notebook; OUT is read first, and what it has of runs with files and without is not run again. `scripts/made_up_inputs.py`
//! makes the list and counts.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use nbrevive_execute::{CellStatus, Execution, ExecutionSettings, Kernel, NotebookWorld, execute};
use nbrevive_inputs::{InputRecipe, written};
use nbrevive_notebook::{CellFeedback, Notebook, read};
use serde_json::{Value, json};

/// Turns of correction, as the issue has them.
const TURNS: usize = 10;
/// What is carried of the folder of a notebook: larger files are data that no test needs.
const LARGEST: u64 = 40 << 20;
const MOST: u64 = 150 << 20;
/// Endings of files that are code or text about it, and stay when data are hidden.
const KEPT: [&str; 7] = ["py", "ipynb", "pyx", "c", "h", "cfg", "mplstyle"];

struct Evaluation {
    kernel: Kernel,
    settings: ExecutionSettings,
    with_outputs: bool,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [word, path] = arguments.as_slice()
        && word == "--recipe"
    {
        let notebook = read(&fs::read(path)?).map_err(|error| error.to_string())?.notebook;
        writeln!(std::io::stdout(), "{}", InputRecipe::of(&notebook, true).to_json())?;
        return Ok(());
    }
    let [environment, list, out, rest @ ..] = arguments.as_slice() else { return Err("ENVIRONMENT LIST OUT".into()) };
    let after = |name: &str| rest.iter().skip_while(|word| *word != name).nth(1);
    let seconds = after("--seconds").map_or(Ok(60), |seconds| seconds.parse())?;
    let mut settings = ExecutionSettings::default();
    settings.limits.wall_clock = Duration::from_secs(seconds);
    settings.limits.cores = 1;
    settings.limits.memory_bytes = 3 << 30;
    settings.limits.disk_reserve_bytes = 0;
    let with_outputs = !rest.iter().any(|word| word == "--code-only");
    let evaluation = Evaluation { kernel: kernel(Path::new(environment))?, settings, with_outputs };
    let known = known(Path::new(out));
    let mut file = fs::OpenOptions::new().create(true).append(true).open(out)?;
    for path in fs::read_to_string(list)?.lines() {
        match evaluation.notebook(Path::new(path), known.get(path)) {
            Ok(Some(row)) => writeln!(file, "{row}")?,
            Ok(None) => {}
            Err(error) => writeln!(file, "{}", json!({"path": path, "failed": error.to_string()}))?,
        }
        file.flush()?;
    }
    Ok(())
}

/// The rows of an earlier evaluation by path, the last of each.
fn known(out: &Path) -> BTreeMap<String, Value> {
    let text = fs::read_to_string(out).unwrap_or_default();
    let rows = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    rows.filter_map(|row| Some((row["path"].as_str()?.to_owned(), row))).collect()
}

fn kernel(environment: &Path) -> Result<Kernel, Box<dyn Error>> {
    let python = environment.join("bin/python");
    let script = "import sys; print(sys.base_prefix); print(sys.prefix)";
    let text = String::from_utf8(Command::new(&python).args(["-c", script]).output()?.stdout)?;
    let argv = [&python.to_string_lossy(), "-m", "ipykernel_launcher", "-f", "{connection_file}"];
    let read_only = text.lines().map(PathBuf::from).collect();
    let env = vec![("MPLBACKEND".to_owned(), "agg".to_owned())];
    Ok(Kernel { argv: argv.map(str::to_owned).into(), env, read_only })
}

/// How far a run came.
#[derive(Clone, Copy, PartialEq)]
struct Reach {
    code: usize,
    ran: usize,
    prefix: usize,
}

impl Reach {
    fn of(execution: &Execution) -> Self {
        let cells: Vec<_> = execution.cells.iter().filter(|cell| cell.status != CellStatus::Skipped).collect();
        let is_ok = |cell: &&&nbrevive_execute::CellRecord| cell.status == CellStatus::Ok;
        Self {
            code: cells.len(),
            ran: cells.iter().filter(is_ok).count(),
            prefix: cells.iter().take_while(is_ok).count(),
        }
    }

    fn json(self) -> Value {
        json!({"code": self.code, "ran": self.ran, "prefix": self.prefix})
    }

    fn from_json(value: &Value) -> Option<Self> {
        let size = |name: &str| value[name].as_u64().and_then(|size| usize::try_from(size).ok());
        Some(Self { code: size("code")?, ran: size("ran")?, prefix: size("prefix")? })
    }
}

impl Evaluation {
    fn notebook(&self, path: &Path, known: Option<&Value>) -> Result<Option<Value>, Box<dyn Error>> {
        let notebook = read(&fs::read(path)?).map_err(|error| error.to_string())?.notebook;
        let recipe = InputRecipe::of(&notebook, self.with_outputs);
        if known.is_some_and(|row| row["unneeded"] == true) {
            return Ok(None);
        }
        let folder = path.parent().ok_or("a file")?;
        let levels = recipe.starts_in().components().count();
        let base = folder.ancestors().nth(levels).unwrap_or(folder);
        let starts_in = folder.strip_prefix(base)?.to_owned();
        let began = Instant::now();
        let reach = |name: &str| known.and_then(|row| Reach::from_json(&row[name]));
        let real = match reach("real") {
            Some(real) => real,
            None => Reach::of(&self.run(&notebook, base, &starts_in, true, None)?.0),
        };
        let bare = match reach("bare") {
            Some(bare) => bare,
            None => Reach::of(&self.run(&notebook, base, &starts_in, false, None)?.0),
        };
        let name = path.to_string_lossy();
        if bare.ran >= real.ran {
            return Ok(Some(json!({"path": name, "unneeded": true, "real": real.json(), "bare": bare.json()})));
        }
        let real_seconds = began.elapsed().as_secs_f64();
        let began = Instant::now();
        let mut best = Reach { ran: 0, ..bare };
        let (mut recipe, mut turns, mut left, mut first) = (recipe, 0, Vec::new(), None);
        while turns <= TURNS {
            let (execution, refused) = self.run(&notebook, base, &starts_in, false, Some(&recipe))?;
            let found = Reach::of(&execution);
            let errors = errors(&execution);
            first.get_or_insert(found);
            if found.ran >= best.ran || turns == 0 {
                best = found;
                left = errors
                    .iter()
                    .map(|error| {
                        format!(
                            "{}: {}: {}",
                            error.cell,
                            error.ename,
                            error.evalue.chars().take(200).collect::<String>()
                        )
                    })
                    .collect();
                left.extend(refused.into_iter().map(|why| format!("not written: {why}")));
            }
            // What would go on until nothing raises is only stopped early where the own files came no further.
            if best.ran >= real.ran {
                break;
            }
            let Some((corrected, _)) = recipe.corrected(&notebook, self.with_outputs, &errors) else { break };
            recipe = corrected;
            turns += 1;
        }
        let corrections: Vec<String> =
            recipe.corrections.iter().map(|one| format!("{}: {} ({})", one.path, one.change, one.error)).collect();
        Ok(Some(json!({
            "path": name, "real": real.json(), "bare": bare.json(), "made": best.json(), "first": first.map(Reach::json), "turns": turns,
            "seconds": began.elapsed().as_secs_f64(), "real_seconds": real_seconds, "left": left, "corrections": corrections,
            "files": recipe.files.len(), "outputs": self.with_outputs,
        })))
    }

    /// One run in a copy of the notebook's folder; what was not written of a recipe.
    fn run(
        &self,
        notebook: &Notebook,
        base: &Path,
        starts_in: &Path,
        with_files: bool,
        recipe: Option<&InputRecipe>,
    ) -> Result<(Execution, Vec<String>), Box<dyn Error>> {
        let scratch = tempfile::tempdir()?;
        let working = scratch.path().join("working");
        fs::create_dir(&working)?;
        copy(base, &working, with_files, &mut 0)?;
        fs::create_dir_all(working.join(starts_in))?;
        let mut world = NotebookWorld { input: Vec::new(), working: working.clone(), starts_in: starts_in.to_owned() };
        let (mut kernel, mut refused) = (self.kernel.clone(), Vec::new());
        if let Some(recipe) = recipe {
            let said = written(&execute(&recipe.writer(starts_in), &kernel, &world, &self.settings)?.notebook);
            refused.extend(said.into_iter().filter_map(|file| Some(format!("{}: {}", file.path, file.why?))));
            world.input = recipe.mounts(&working).into_iter().filter(|(host, _)| host.exists()).collect();
            if recipe.needs_home() {
                kernel.env.push(("HOME".to_owned(), InputRecipe::HOME.to_owned()));
            }
        }
        Ok((execute(notebook, &kernel, &world, &self.settings)?, refused))
    }
}

fn errors(execution: &Execution) -> Vec<CellFeedback> {
    let found = execution.cells.iter().filter_map(|cell| {
        let error = cell.error.clone()?;
        let traceback = error.traceback.join("\n");
        Some(CellFeedback { cell: cell.index, ename: error.ename, evalue: error.evalue, traceback, line: error.line })
    });
    found.collect()
}

/// Copies a folder, without data where they are hidden.
fn copy(from: &Path, to: &Path, with_files: bool, copied: &mut u64) -> std::io::Result<()> {
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (kind, target) = (entry.file_type()?, to.join(entry.file_name()));
        if kind.is_dir() && entry.file_name() != ".git" {
            fs::create_dir_all(&target)?;
            copy(&entry.path(), &target, with_files, copied)?;
        } else if kind.is_file() {
            let ending =
                entry.path().extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default();
            let size = entry.metadata()?.len();
            let is_wanted =
                if with_files { ending != "ipynb" } else { KEPT.contains(&ending.as_str()) && ending != "ipynb" };
            if is_wanted && size <= LARGEST && *copied + size <= MOST {
                *copied += size;
                fs::copy(entry.path(), &target)?;
            }
        }
    }
    Ok(())
}
