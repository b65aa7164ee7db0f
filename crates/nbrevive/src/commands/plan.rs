//! `nbrevive plan`: an environment of a date for one notebook or for thousands; built and tried where asked.

use std::path::{Path, PathBuf};
use std::time::Instant;

use jiff::Timestamp;
use nbrevive_environment::index::ExportScope;
use nbrevive_environment::plan::{PlanError, PlanRequest};
use nbrevive_environment::{EnvironmentPlan, Home, Index, IndexSettings, Interpreters, plan};
use nbrevive_shown::{Shown, shown};
use nbrevive_study::{DiskSettings, LaboratorySettings, OfDate, OfDateRequest, SourceText, StudyLimits};
use rayon::prelude::*;

use crate::Outcome;
use crate::arguments::{IndexArguments, PlanArguments, PlanFormat};
use crate::commands::changes::aim;
use crate::commands::setting::{file_failure, laboratory, laboratory_failure};
use crate::commands::sources;
use crate::exit_code::{Exit, Failure};
use crate::printer;

/// Plans whatever the paths name.
pub(crate) fn run(arguments: &PlanArguments) -> Outcome {
    let paths = sources::find(&arguments.paths)?;
    let builds = arguments.install || arguments.tried;
    match paths.as_slice() {
        [path] if builds => build_one(arguments, path),
        [path] => plan_one(arguments, path),
        _ if builds => Err(Failure {
            exit: Exit::Usage,
            message: shown!("--install and --try take one notebook, and the paths name {}", paths.len()),
        }),
        _ => plan_many(arguments, &paths),
    }
}

/// What plans are made with.
struct Planner {
    index: Index,
    interpreters: Interpreters,
}

impl Planner {
    fn open(arguments: &IndexArguments) -> Result<Self, Failure> {
        let home = home()?;
        let index = open_index(&home, arguments)?;
        Ok(Self { index, interpreters: Interpreters::of_machine(&home) })
    }

    fn plan(&self, arguments: &PlanArguments, source: &SourceText) -> Result<EnvironmentPlan, Failure> {
        let date = date(arguments, source);
        let surroundings = source.surroundings(date);
        let request =
            PlanRequest { python: arguments.python, ..PlanRequest::new(&surroundings.needs, date, arguments.strategy) };
        plan(&request, &self.index, &self.interpreters).map_err(|error| planning_failure(&source.path, &error))
    }

    fn save(&self, arguments: &PlanArguments) -> Result<(), Failure> {
        let Some(path) = &arguments.save_snapshot else { return Ok(()) };
        self.index
            .export_snapshot(path, ExportScope::Asked)
            .map_err(|error| Failure::new(Exit::CannotWrite, &error))?;
        printer::note(&shown!("all that the plans went by is in {}", path.display()));
        Ok(())
    }
}

/// The date that was given, else the one that a notebook's names tell.
fn date(arguments: &PlanArguments, source: &SourceText) -> Timestamp {
    arguments.date.unwrap_or_else(|| aim(&source.path, &source.notebook))
}

fn home() -> Result<Home, Failure> {
    Home::from_environment().map_err(|error| Failure::new(Exit::Missing, &error))
}

/// The index that the arguments name.
fn open_index(home: &Home, arguments: &IndexArguments) -> Result<Index, Failure> {
    match &arguments.snapshot {
        Some(path) => Index::of_snapshot(path).map_err(|error| Failure::new(Exit::BadInput, &error)),
        None => Ok(Index::open(home, IndexSettings { offline: arguments.offline, ..IndexSettings::default() })),
    }
}

fn plan_one(arguments: &PlanArguments, path: &Path) -> Outcome {
    check_places(arguments, &[&arguments.out, &arguments.save_snapshot], Some(path))?;
    let source = sources::read(path)?;
    let planner = Planner::open(&arguments.index)?;
    let plan = planner.plan(arguments, &source)?;
    write_out(arguments.out.as_deref(), &plan, arguments.format)?;
    planner.save(arguments)?;
    Ok(told(&plan))
}

/// Tells what a plan is expected to come to; the exit code says it too.
fn told(plan: &EnvironmentPlan) -> Exit {
    match &plan.expected_failure {
        Some(failure) => {
            printer::note(&shown!("this environment cannot be installed ({}): {}", failure.class, failure.words));
            Exit::NoEnvironment
        }
        None => Exit::Success,
    }
}

fn planning_failure(path: &Path, error: &PlanError) -> Failure {
    let exit = match error {
        PlanError::TooEarly { .. } | PlanError::Future(_) => Exit::Usage,
        PlanError::Major(_) | PlanError::NoInterpreter(_) | PlanError::Index(_) => Exit::NoEnvironment,
    };
    let Failure { exit, message } = Failure::new(exit, error);
    Failure { exit, message: shown!("{}: {}", path.display(), message) }
}

fn rendered(plan: &EnvironmentPlan, format: PlanFormat) -> Result<String, Failure> {
    let no_lock = |error: nbrevive_environment::lock::NotALock| Failure::new(Exit::NoEnvironment, &error);
    match format {
        PlanFormat::Table => Ok(plan.table_text()),
        PlanFormat::Requirements => Ok(plan.requirements_text()),
        PlanFormat::Hashes => plan.hashed_requirements_text().map_err(no_lock),
        PlanFormat::Pylock => plan.pylock_text().map_err(no_lock),
        PlanFormat::Json => Ok(plan.to_json()),
    }
}

/// Writes a plan into a file as it is, or prints it. Escaping leaves what is printed as valid as it was: JSON stays the same JSON, and in
/// requirements and locks stand names, versions, addresses and hashes, which have nothing to escape.
fn write_out(out: Option<&Path>, plan: &EnvironmentPlan, format: PlanFormat) -> Result<(), Failure> {
    let text = rendered(plan, format)?;
    match (out, format) {
        (Some(path), _) => nbrevive_files::write(path, text).map_err(|error| file_failure(&error))?,
        (None, PlanFormat::Json) => printer::data(&Shown::json(&text)),
        (None, _) => printer::data(&Shown::block(&text)),
    }
    Ok(())
}

/// Refuses places for results that cannot be written, or are what is read, before anything is asked or built.
fn check_places(arguments: &PlanArguments, places: &[&Option<PathBuf>], path: Option<&Path>) -> Result<(), Failure> {
    let inputs: Vec<&Path> = path.into_iter().chain(arguments.index.snapshot.as_deref()).collect();
    let check = |place: &PathBuf| nbrevive_files::check_place(place, &inputs).map_err(|error| file_failure(&error));
    places.iter().copied().flatten().try_for_each(check)
}

/// Plans many at once: a file each in the folder `--out`, or one line of JSON each.
fn plan_many(arguments: &PlanArguments, paths: &[PathBuf]) -> Outcome {
    if arguments.out.is_none() && arguments.format != PlanFormat::Json {
        let message =
            shown!("the paths name {} notebooks: name a folder with --out, or use --format json", paths.len());
        return Err(Failure { exit: Exit::Usage, message });
    }
    if let Some(folder) = &arguments.out {
        distinct(paths, arguments.format)?;
        nbrevive_files::make_folder(folder).map_err(|error| file_failure(&error))?;
    }
    check_places(arguments, &[&arguments.save_snapshot], None)?;
    let planner = Planner::open(&arguments.index)?;
    let started = Instant::now();
    let ends: Vec<End> = paths.par_iter().map(|path| planned(arguments, &planner, path)).collect();
    let seconds = started.elapsed().as_secs_f64();
    for end in &ends {
        match end {
            End::Line(line) => printer::data(line),
            End::Failed(failure) => printer::error(&failure.message),
            End::Expected(words, line) => {
                printer::data(line.as_ref().unwrap_or(&Shown::default()));
                printer::note(words);
            }
            End::Written => {}
        }
    }
    planner.save(arguments)?;
    Ok(summary(&ends, seconds))
}

/// What came of one notebook among many.
enum End {
    /// Its plan is written.
    Written,
    /// Its plan as a line of JSON.
    Line(Shown),
    /// It is planned, but cannot be installed: why, and the plan as a line of JSON where that is wanted.
    Expected(Shown, Option<Shown>),
    /// No plan.
    Failed(Failure),
}

fn planned(arguments: &PlanArguments, planner: &Planner, path: &Path) -> End {
    match plan_to(arguments, planner, path) {
        Ok(end) => end,
        Err(failure) => End::Failed(failure),
    }
}

fn plan_to(arguments: &PlanArguments, planner: &Planner, path: &Path) -> Result<End, Failure> {
    let source = sources::read(path)?;
    let plan = planner.plan(arguments, &source)?;
    let line = arguments.out.is_none().then(|| {
        let line = serde_json::json!({ "path": printer::json_path(path), "plan": plan });
        shown!("{}\n", Shown::json(&line.to_string()))
    });
    if let Some(failure) = &plan.expected_failure {
        let words = shown!("{}: cannot be installed ({}): {}", path.display(), failure.class, failure.words);
        if let Some(folder) = &arguments.out {
            write_out(Some(&folder.join(file_name(path, PlanFormat::Json))), &plan, PlanFormat::Json)?;
        }
        return Ok(End::Expected(words, line));
    }
    let Some(folder) = &arguments.out else { return Ok(End::Line(line.unwrap_or_default())) };
    write_out(Some(&folder.join(file_name(path, arguments.format))), &plan, arguments.format)?;
    Ok(End::Written)
}

/// A name of its own for every path: the path's words, then the ending of the format.
fn file_name(path: &Path, format: PlanFormat) -> String {
    let words: Vec<String> = path
        .components()
        .filter_map(|part| match part {
            std::path::Component::Normal(word) => Some(word.to_string_lossy().into_owned()),
            _ => None,
        })
        .collect();
    let ending = match format {
        PlanFormat::Table => "plan.txt",
        PlanFormat::Requirements | PlanFormat::Hashes => "requirements.txt",
        PlanFormat::Pylock => "pylock.toml",
        PlanFormat::Json => "plan.json",
    };
    format!("{}.{ending}", words.join("--"))
}

/// Refuses paths that would be written to one file.
fn distinct(paths: &[PathBuf], format: PlanFormat) -> Result<(), Failure> {
    let mut seen = std::collections::BTreeMap::new();
    for path in paths {
        if let Some(other) = seen.insert(file_name(path, format), path) {
            let message = shown!(
                "{} and {} would be written to one file: plan them one after the other",
                other.display(),
                path.display()
            );
            return Err(Failure { exit: Exit::Usage, message });
        }
    }
    Ok(())
}

fn summary(ends: &[End], seconds: f64) -> Exit {
    let count = |wanted: fn(&End) -> bool| ends.iter().filter(|end| wanted(end)).count();
    let failed = count(|end| matches!(end, End::Failed(_)));
    let expected = count(|end| matches!(end, End::Expected(..)));
    let speed = ends.len() as f64 / seconds.max(1e-9);
    printer::note(&shown!(
        "{} notebooks in {:.2} s ({:.0} a second): {} planned, {} cannot be installed, {} without a plan",
        ends.len(),
        seconds,
        speed,
        ends.len() - failed - expected,
        expected,
        failed
    ));
    if failed == 0 { Exit::Success } else { Exit::NoEnvironment }
}

/// Plans one notebook, builds its environment, and tries its imports where asked.
fn build_one(arguments: &PlanArguments, path: &Path) -> Outcome {
    if arguments.index.snapshot.is_some() || arguments.save_snapshot.is_some() {
        let message = Shown::literal("--install and --try work with the configured index: leave the snapshot out");
        return Err(Failure { exit: Exit::Usage, message });
    }
    check_places(arguments, &[&arguments.out], Some(path))?;
    let source = sources::read(path)?;
    let settings = LaboratorySettings {
        sandbox: nbrevive_sandbox::Backend::Bubblewrap.into(),
        limits: StudyLimits::default(),
        seed: 0,
        offline: arguments.index.offline,
        disk: DiskSettings::default(),
    };
    let laboratory = laboratory(&settings)?;
    let surroundings = source.surroundings(date(arguments, &source));
    let request = OfDateRequest {
        surroundings: &surroundings,
        strategy: arguments.strategy,
        python: arguments.python,
        tried: arguments.tried,
        next: arguments.next_strategy,
    };
    let of_date = laboratory.of_date(&request).map_err(|error| laboratory_failure(&error))?;
    write_out(arguments.out.as_deref(), &of_date.plan, arguments.format)?;
    printer::note(&shown!("environment {} at {}", of_date.prepared.id, of_date.prepared.path.display()));
    Ok(tried(&of_date))
}

/// Tells which imports failed.
fn tried(of_date: &OfDate) -> Exit {
    let mut exit = Exit::Success;
    for result in of_date.failed_imports() {
        exit = Exit::NotReproduced;
        printer::note(&shown!("import {} fails: {}", result.import.module, result.outcome));
    }
    if exit == Exit::Success && !of_date.imports.is_empty() {
        printer::note(&shown!("all {} imports work", of_date.imports.len()));
    }
    exit
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_path_has_a_file_name_of_its_own() {
        let name = |path: &str| file_name(Path::new(path), PlanFormat::Json);
        assert_eq!(name("a/b.ipynb"), "a--b.ipynb.plan.json");
        assert_eq!(name("../x/./c.py"), "x--c.py.plan.json");
        let twice = [PathBuf::from("a/b.py"), PathBuf::from("a--b.py")];
        assert!(distinct(&twice, PlanFormat::Json).unwrap_err().message.as_str().contains("a--b.py"));
        assert!(distinct(&twice[..1], PlanFormat::Json).is_ok());
    }
}
