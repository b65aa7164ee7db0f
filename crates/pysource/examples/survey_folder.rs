//! Surveys all notebooks below a folder and prints how fast that went: the imports alone, then the whole survey.
//!
//! `cargo run --release -p nbrevive-pysource --example survey_folder -- FOLDER [--list]`
//!
//! Files are read from disk as they come, on as many threads as there are processors. With `--list` each import and
//! broken cell is printed too: file, cell (of the code cells, from 0), line, module or problem.

use std::error::Error;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use nbrevive_notebook::read_code;
use nbrevive_pysource::imports::{Import, imports};
use nbrevive_pysource::survey::{Survey, survey};
use rayon::prelude::*;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args_os().skip(1);
    let folder = PathBuf::from(arguments.next().ok_or("name a folder of notebooks")?);
    let is_listing = arguments.next().is_some_and(|argument| argument == "--list");
    let files = notebooks_below(&folder)?;
    let start = Instant::now();
    let imports: usize = files.par_iter().filter_map(|path| Some(imports_of_file(path)?.len())).sum();
    let import_seconds = start.elapsed().as_secs_f64();
    let start = Instant::now();
    let surveys: Vec<(&PathBuf, Survey)> =
        files.par_iter().filter_map(|path| Some((path, survey_file(path)?))).collect();
    let seconds = start.elapsed().as_secs_f64();
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for (path, survey) in surveys.iter().filter(|_| is_listing) {
        for import in &survey.imports {
            let dots = ".".repeat(usize::try_from(import.level)?);
            writeln!(out, "{}\t{}\t{}\t{dots}{}", path.display(), import.cell, import.line, import.module)?;
        }
    }
    for (path, survey) in surveys.iter().filter(|_| is_listing) {
        for broken in &survey.broken_cells {
            writeln!(out, "{}\t{}\t{}\tbroken: {}", path.display(), broken.cell, broken.line, broken.why)?;
        }
    }
    let speed = files.len() as f64 / import_seconds;
    writeln!(out, "imports: {} notebooks in {import_seconds:.3} s: {speed:.0} a second; {imports} found", files.len())?;
    let count = |of: fn(&Survey) -> usize| surveys.iter().map(|(_, survey)| of(survey)).sum::<usize>();
    writeln!(
        out,
        "survey: {} of {} notebooks in {seconds:.3} s: {:.0} a second; {} imports, {} install lines, {} broken cells",
        surveys.len(),
        files.len(),
        files.len() as f64 / seconds,
        count(|survey| survey.imports.len()),
        count(|survey| survey.install_lines.len()),
        count(|survey| survey.broken_cells.len()),
    )?;
    Ok(())
}

/// The imports of a file, `None` when it is no notebook.
fn imports_of_file(path: &Path) -> Option<Vec<Import>> {
    let notebook = read_code(&std::fs::read(path).ok()?).ok()?;
    Some(imports(&notebook.code_sources()))
}

/// The survey of a file, `None` when it is no notebook.
fn survey_file(path: &Path) -> Option<Survey> {
    let notebook = read_code(&std::fs::read(path).ok()?).ok()?;
    Some(survey(&notebook.code_sources()))
}

fn notebooks_below(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(notebooks_below(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "ipynb") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}
