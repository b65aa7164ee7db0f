//! Files that are made up, read by a notebook in the sandbox. Its environment has no pandas: what needs none is tried here.

use std::path::{Path, PathBuf};
use std::process::Command;

use nbrevive_execute::{Execution, ExecutionSettings, Kernel, NotebookWorld, execute};
use nbrevive_inputs::{InputRecipe, WrittenInput, written};
use nbrevive_notebook::{CellFeedback, Notebook};

use crate::golden::notebook;

/// The kernel that `NBREVIVE_TEST_KERNEL_ARGV` names (a JSON list), or one in an environment that is made once.
fn kernel() -> Kernel {
    let argv = std::env::var("NBREVIVE_TEST_KERNEL_ARGV").map_or_else(
        |_| {
            let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("kernel-environment-of-inputs");
            // Each test is a process of its own: the first makes it, the others wait.
            let lock = std::fs::File::create(folder.with_extension("lock")).expect("a lock file");
            lock.lock().expect("the lock");
            if !folder.join("ready").exists() {
                let _ = std::fs::remove_dir_all(&folder);
                run(Command::new("python3").args(["-m", "venv"]).arg(&folder));
                run(Command::new(folder.join("bin/python")).args([
                    "-m",
                    "pip",
                    "install",
                    "--quiet",
                    "ipykernel>=7,<8",
                ]));
                std::fs::write(folder.join("ready"), "").expect("the mark");
            }
            let python = folder.join("bin/python").to_string_lossy().into_owned();
            [&python, "-m", "ipykernel_launcher", "-f", "{connection_file}"].map(str::to_owned).to_vec()
        },
        |text| serde_json::from_str(&text).expect("a JSON list"),
    );
    let script = "import sys; print(sys.base_prefix); print(sys.prefix)";
    let said = Command::new(&argv[0]).args(["-c", script]).output().expect("python runs");
    let read_only = String::from_utf8(said.stdout).expect("paths").lines().map(PathBuf::from).collect();
    Kernel { argv, env: Vec::new(), read_only }
}

fn run(command: &mut Command) {
    assert!(command.status().expect("the program is there").success(), "{command:?} failed");
}

/// Writes the files of a recipe and runs a notebook with them.
fn run_with(recipe: &InputRecipe, notebook: &Notebook) -> (Vec<WrittenInput>, Execution) {
    let scratch = tempfile::tempdir().expect("a folder");
    let working = scratch.path().join("working");
    let starts_in = recipe.starts_in();
    std::fs::create_dir_all(working.join(&starts_in)).expect("a folder");
    let mut settings = ExecutionSettings::default();
    (settings.limits.memory_bytes, settings.limits.cores, settings.limits.disk_reserve_bytes) = (1 << 30, 1, 0);
    let mut world = NotebookWorld { input: Vec::new(), working: working.clone(), starts_in: starts_in.clone() };
    let mut kernel = kernel();
    let said = execute(&recipe.writer(&starts_in), &kernel, &world, &settings).expect("the writer starts");
    let files = written(&said.notebook);
    world.input = recipe.mounts(&working).into_iter().filter(|(host, _)| host.exists()).collect();
    if recipe.needs_home() {
        kernel.env.push(("HOME".to_owned(), InputRecipe::HOME.to_owned()));
    }
    (files, execute(notebook, &kernel, &world, &settings).expect("the notebook starts"))
}

fn errors(execution: &Execution) -> Vec<CellFeedback> {
    let found = execution.cells.iter().filter_map(|cell| {
        let error = cell.error.clone()?;
        let traceback = error.traceback.join("\n");
        Some(CellFeedback { cell: cell.index, ename: error.ename, evalue: error.evalue, traceback, line: error.line })
    });
    found.collect()
}

#[test]
fn every_format_of_the_standard_library_is_read() {
    let notebook = notebook(&[
        "import csv, json, os, sqlite3, wave, zipfile",
        "rows = list(csv.DictReader(open('data/rows.csv')))\nfor row in rows:\n    x = float(row['height']) / 2\nassert len(rows) >= 100",
        "with open('../table.tsv') as f:\n    reader = csv.reader(f, delimiter='\\t')\n    head = next(reader)\n    total = sum(float(row[2]) for row in reader)",
        "tree = json.load(open('/srv/data/tree.json'))\nfor item in tree['items']:\n    item['name']\ntree['meta']['version']",
        "base = sqlite3.connect('base.db')\nfound = base.execute('SELECT name, age FROM people').fetchall()\nassert found",
        "sound = wave.open('tone.wav')\nassert sound.getnframes()\nwords = open(os.path.expanduser('~/book.txt')).read().split()\nassert words",
        "open('out/report.txt', 'w').write('done')",
        "archive = zipfile.ZipFile('all.zip')\ninside = archive.open('data/rows.csv').read()\nassert inside",
        "picture = open('a.png', 'rb').read()\nassert picture[1:4] == b'PNG'",
    ]);
    let recipe = InputRecipe::of(&notebook, false);
    let (files, execution) = run_with(&recipe, &notebook);
    assert!(files.iter().all(|file| file.bytes.is_some_and(|bytes| bytes > 0)), "{files:?}");
    assert_eq!(errors(&execution), [], "{}", recipe.to_json());
}

#[test]
fn errors_of_a_run_correct_the_recipe_until_it_runs() {
    // What is read is hidden from who reads the code: the names come out of a list that is put together.
    let notebook = notebook(&[
        "import csv\nname = ''.join(reversed('eci') ) + ''.join(['.', 'c', 's', 'v'])",
        "rows = list(csv.DictReader(open('town' + name)))",
        "key = 'pri' + 'ce'[::1]\nvalues = [float(row[key]) for row in rows]\nassert len(values) > 10",
    ]);
    let mut recipe = InputRecipe::of(&notebook, false);
    let mut changes = Vec::new();
    for _ in 0..10 {
        let (_, execution) = run_with(&recipe, &notebook);
        let found = errors(&execution);
        let Some((corrected, made)) = recipe.corrected(&notebook, false, &found) else {
            assert_eq!(found, [], "{changes:#?}");
            break;
        };
        changes.extend(made.into_iter().map(|one| one.change));
        recipe = corrected;
    }
    assert!(changes.len() >= 2, "{changes:?}");
}

#[test]
fn nothing_leaves_the_working_folder_and_nothing_is_overwritten() {
    let text = r#"{"files": [{"path": "../../../../tmp/x.txt", "format": "text"}, {"path": "mine.txt", "format": "text"}, {"path": "/srv/y.txt", "format": "text"}]}"#;
    let recipe = InputRecipe::from_json(text).expect("a recipe");
    let scratch = tempfile::tempdir().expect("a folder");
    let working = scratch.path().join("working");
    std::fs::create_dir(&working).expect("a folder");
    std::fs::write(working.join("mine.txt"), "mine").expect("a file");
    let world = NotebookWorld { input: Vec::new(), working: working.clone(), starts_in: PathBuf::new() };
    let mut settings = ExecutionSettings::default();
    (settings.limits.memory_bytes, settings.limits.cores, settings.limits.disk_reserve_bytes) = (1 << 30, 1, 0);
    let said = execute(&recipe.writer(Path::new("")), &kernel(), &world, &settings).expect("the writer starts");
    let files = written(&said.notebook);
    let why: Vec<&str> = files.iter().map(|file| file.why.as_deref().unwrap_or("written")).collect();
    assert!(why[0].contains("outside of the working folder") && why[1].contains("lies there already"), "{why:?}");
    assert_eq!(why[2], "written");
    assert_eq!(std::fs::read_to_string(working.join("mine.txt")).expect("it is there"), "mine");
}
