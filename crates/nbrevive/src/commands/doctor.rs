//! `nbrevive doctor`: what is missing, and the command that installs it.

use nbrevive_environment::index::IndexAddress;
use nbrevive_environment::{Home, Interpreters};
use nbrevive_study::{Demand, Machine};

use crate::Outcome;
use crate::arguments::DoctorArguments;
use crate::commands::setting::load;
use crate::commands::study_run::resources;
use crate::exit_code::Exit;
use crate::printer;

/// One thing that is needed.
struct Finding {
    what: String,
    /// What it is, or the way to get it.
    result: Result<String, String>,
}

/// Looks at everything; the exit code says whether anything is missing.
pub(crate) fn run(arguments: &DoctorArguments) -> Outcome {
    let mut findings = vec![sandbox(arguments), home(), uv(), index()];
    findings.extend(interpreters());
    findings.extend(study(arguments));
    let mut text = String::new();
    for finding in &findings {
        match &finding.result {
            Ok(detail) => text.push_str(&format!("ok       {:<14} {detail}\n", finding.what)),
            Err(way_out) => text.push_str(&format!("MISSING  {:<14} {way_out}\n", finding.what)),
        }
    }
    printer::data(&text);
    Ok(if findings.iter().all(|finding| finding.result.is_ok()) { Exit::Success } else { Exit::Missing })
}

/// The sandbox of the study, or bubblewrap where no study is found.
fn sandbox(arguments: &DoctorArguments) -> Finding {
    let settings = load(&arguments.file.study).map(|loaded| loaded.study.sandbox).unwrap_or_default();
    let result = match settings.backend().and_then(|backend| nbrevive_sandbox::check(&backend)) {
        Ok(notices) => Ok(notices.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")),
        Err(missing) => Err(missing.to_string()),
    };
    Finding { what: "sandbox".to_owned(), result }
}

fn home() -> Finding {
    let result = match Home::from_environment() {
        Ok(home) => {
            let root = home.root().display().to_string();
            let probe = std::fs::create_dir_all(home.root()).and_then(|()| tempfile::tempfile_in(home.root()));
            match probe {
                Ok(_) => Ok(format!("environments are kept in {root}")),
                Err(error) => {
                    Err(format!("cannot write {root}: {error}; set NBREVIVE_HOME to a folder that you may write"))
                }
            }
        }
        Err(error) => Err(error.to_string()),
    };
    Finding { what: "home".to_owned(), result }
}

fn uv() -> Finding {
    let found = Home::from_environment().ok().and_then(|home| nbrevive_environment::find_uv(&home));
    let way_out = "uv builds environments: `python3 -m pip install uv`, or `make setup`".to_owned();
    Finding { what: "uv".to_owned(), result: found.map(|path| path.display().to_string()).ok_or(way_out) }
}

fn index() -> Finding {
    let result = match IndexAddress::find() {
        Ok(address) => Ok(format!("package index {address}")),
        Err(error) => Err(error.to_string()),
    };
    Finding { what: "index".to_owned(), result }
}

/// The interpreters that the backport condition uses; uv installs a missing one where the network allows.
fn interpreters() -> Vec<Finding> {
    let Ok(home) = Home::from_environment() else { return Vec::new() };
    let found = Interpreters::installed_only(&home);
    let known = found.all().iter().map(|interpreter| interpreter.version.to_string());
    let detail = known.collect::<Vec<_>>().join(", ");
    if detail.is_empty() {
        let way_out = "no Python was found under pyenv, uv's store or the PATH: `uv python install 3.12`".to_owned();
        return vec![Finding { what: "interpreters".to_owned(), result: Err(way_out) }];
    }
    vec![Finding { what: "interpreters".to_owned(), result: Ok(detail) }]
}

/// The study, and how many of its executions this machine has room for.
fn study(arguments: &DoctorArguments) -> Vec<Finding> {
    let finding = |what: &str, result| Finding { what: what.to_owned(), result };
    match load(&arguments.file.study) {
        Ok(loaded) => {
            let room = resources(&Machine::of_this_process(), Demand::of(&loaded.study.limits));
            let versions = format!("{}: {} versions", loaded.study.name, loaded.versions.len());
            vec![finding("study", Ok(versions)), finding("resources", Ok(room))]
        }
        Err(failure) => vec![finding("study", Err(failure.message))],
    }
}
