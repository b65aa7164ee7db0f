//! `nbrevive doctor`: what is missing, and the command that installs it.

use std::path::Path;

use nbrevive_environment::index::IndexAddress;
use nbrevive_environment::{Home, Interpreters};
use nbrevive_shown::{Shown, shown};
use nbrevive_study::{Demand, Machine, StudyLimits};

use crate::Outcome;
use crate::arguments::{BUNDLED_STUDY, DoctorArguments};
use crate::commands::setting::{Loaded, load};
use crate::commands::study_run::resources;
use crate::exit_code::{Exit, Failure};
use crate::printer;

/// One thing that is needed.
struct Finding {
    what: &'static str,
    /// What it is, or the way to get it.
    result: Result<Shown, Shown>,
}

/// Looks at everything; the exit code says whether anything is missing.
pub(crate) fn run(arguments: &DoctorArguments) -> Outcome {
    let bundled = Path::new(BUNDLED_STUDY);
    let path = arguments.study.as_deref().or_else(|| bundled.exists().then_some(bundled));
    let study = path.map(load);
    let mut findings = vec![sandbox(study.as_ref()), home(), uv(), index()];
    findings.extend(interpreters());
    findings.extend(of_study(study));
    let mut text = Shown::default();
    for finding in &findings {
        match &finding.result {
            Ok(detail) => text.push_line(&shown!("ok       {:<14} {}", finding.what, detail)),
            Err(way_out) => text.push_line(&shown!("MISSING  {:<14} {}", finding.what, way_out)),
        }
    }
    printer::data(&text);
    Ok(if findings.iter().all(|finding| finding.result.is_ok()) { Exit::Success } else { Exit::Missing })
}

/// The sandbox of the study, or bubblewrap where no study is found.
fn sandbox(study: Option<&Result<Loaded, Failure>>) -> Finding {
    let settings =
        study.and_then(|study| study.as_ref().ok()).map(|loaded| loaded.study.sandbox.clone()).unwrap_or_default();
    let result = match settings.find().and_then(|sandbox| sandbox.check()) {
        Ok(notices) => Ok(Shown::joined(notices.iter().map(Shown::line), "; ")),
        Err(missing) => Err(Shown::line(&missing)),
    };
    Finding { what: "sandbox", result }
}

fn home() -> Finding {
    let result = match Home::from_environment() {
        Ok(home) => {
            let (root, near) = (Shown::path(home.root()), Shown::path(home.near()));
            let probe = |folder: &Path| std::fs::create_dir_all(folder).and_then(|()| tempfile::tempfile_in(folder));
            match (probe(home.root()), probe(home.near())) {
                (Ok(_), Ok(_)) if home.packed().is_some() => {
                    Ok(shown!("environments are packed in {}, and unpacked in {}", root, near))
                }
                (Ok(_), Ok(_)) => Ok(shown!("environments are kept in {}", root)),
                (Err(error), _) => {
                    Err(shown!("cannot write {}: {}; set NBREVIVE_HOME to a folder that you may write", root, error))
                }
                (_, Err(error)) => {
                    Err(shown!("cannot write {}: {}; set NBREVIVE_LOCAL to a folder that you may write", near, error))
                }
            }
        }
        Err(error) => Err(Shown::line(&error)),
    };
    Finding { what: "home", result }
}

fn uv() -> Finding {
    let found = Home::from_environment().ok().and_then(|home| nbrevive_environment::find_uv(&home));
    let way_out = Shown::literal("uv builds environments: `python3 -m pip install uv`, or `make setup`");
    Finding { what: "uv", result: found.map(|path| Shown::path(&path)).ok_or(way_out) }
}

fn index() -> Finding {
    let result = match IndexAddress::find() {
        Ok(address) => Ok(shown!("package index {}", address)),
        Err(error) => Err(Shown::line(&error)),
    };
    Finding { what: "index", result }
}

/// The interpreters that the backport condition uses; uv installs a missing one where the network allows.
fn interpreters() -> Vec<Finding> {
    let Ok(home) = Home::from_environment() else { return Vec::new() };
    let found = Interpreters::installed_only(&home);
    let known = found.all().iter().map(|interpreter| Shown::line(&interpreter.version));
    let detail = Shown::joined(known, ", ");
    if detail.is_empty() {
        let way_out =
            Shown::literal("no Python was found under pyenv, uv's store or the PATH: `uv python install 3.12`");
        return vec![Finding { what: "interpreters", result: Err(way_out) }];
    }
    vec![Finding { what: "interpreters", result: Ok(detail) }]
}

/// The study where there is one, and how many of its executions this machine has room for.
fn of_study(study: Option<Result<Loaded, Failure>>) -> Vec<Finding> {
    let finding = |what, result| Finding { what, result };
    let room =
        |limits: &StudyLimits| finding("resources", Ok(resources(&Machine::of_this_process(), Demand::of(limits))));
    match study {
        Some(Ok(loaded)) => {
            let versions = shown!("{}: {} versions", loaded.study.name, loaded.versions.len());
            vec![finding("study", Ok(versions)), room(&loaded.study.limits)]
        }
        Some(Err(failure)) => vec![finding("study", Err(failure.message))],
        None => vec![room(&StudyLimits::default())],
    }
}
