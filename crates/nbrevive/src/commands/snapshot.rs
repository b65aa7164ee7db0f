//! `nbrevive snapshot`: the index of a day, taken along.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process;

use nbrevive_environment::build::{LockFile, kept};
use nbrevive_environment::{Index, IndexSettings, Interpreters, KernelLayer, installers};
use nbrevive_mirror::{Mirror, MirrorError, MirrorServer, TakenFiles};
use nbrevive_notebook::PythonVersion;
use nbrevive_shown::{Shown, shown};
use nbrevive_store::{Store, executions};
use nbrevive_study::Study;
use pep440_rs::Version;

use super::capsule::{capsule_failure, mebibytes};
use crate::Outcome;
use crate::arguments::{SnapshotCommand, SnapshotServeArguments, WantedLocks};
use crate::commands::setting::{LONGEST, file_failure, home, store_failure};
use crate::exit_code::{Exit, Failure};
use crate::printer;

/// The variables by which installers, and this program, are told of an index.
const INDEX_VARIABLES: [&str; 4] = ["NBREVIVE_INDEX_URL", "UV_DEFAULT_INDEX", "UV_INDEX_URL", "PIP_INDEX_URL"];

/// What locks ask for.
#[derive(Default)]
struct Wanted {
    /// `name==version` lines, by the interpreters that they are for.
    lines: BTreeMap<PythonVersion, BTreeSet<String>>,
    /// Lines of environments of which is known what their source archives were built with, which is wanted too.
    with_tools: BTreeSet<String>,
}

impl Wanted {
    fn add(&mut self, minor: PythonVersion, lines: impl IntoIterator<Item = String>) {
        self.lines.entry(minor).or_default().extend(lines);
    }
}

/// Does what was asked.
pub(crate) fn run(command: &SnapshotCommand) -> Outcome {
    match command {
        SnapshotCommand::Create(arguments) => {
            let wanted = wanted(&arguments.wanted)?;
            fill(Mirror::begin(&arguments.out).map_err(|error| mirror_failure(&error))?, &arguments.wanted, &wanted)
        }
        SnapshotCommand::Add(arguments) => {
            let wanted = wanted(&arguments.wanted)?;
            fill(Mirror::open(&arguments.folder).map_err(|error| mirror_failure(&error))?, &arguments.wanted, &wanted)
        }
        SnapshotCommand::Prune(arguments) => prune(&arguments.folder, &wanted(&arguments.wanted)?),
        SnapshotCommand::Verify(place) => {
            let mirror = Mirror::open(&place.folder).map_err(|error| mirror_failure(&error))?;
            told(&mirror);
            Ok(Exit::Success)
        }
        SnapshotCommand::Serve(arguments) => serve(arguments),
    }
}

/// Fetches what is not there yet. Files that could be had stay, whatever happens to others.
fn fill(mut mirror: Mirror, arguments: &WantedLocks, wanted: &Wanted) -> Outcome {
    let home = home()?;
    let interpreters = Interpreters::of_machine(&home);
    let index = Index::open(&home, IndexSettings::default());
    let names: Vec<String> =
        wanted.lines.values().flatten().filter_map(|line| Some(line.split_once("==")?.0.to_owned())).collect();
    index.prefetch(&names);
    let mut exit = Exit::Success;
    for (minor, lines) in &wanted.lines {
        let mut left_out = |what: &Shown, why: &Shown| {
            printer::note(&shown!("left out: {} for Python {}: {}", what, minor, why));
            exit = Exit::Incomplete;
        };
        let interpreter = match interpreters.find(*minor) {
            Ok(interpreter) => interpreter,
            Err(error) => {
                left_out(&shown!("{} distributions", lines.len()), &Shown::error(&error));
                continue;
            }
        };
        for line in lines {
            let Some((name, version)) = pinned(line) else {
                left_out(&Shown::line(line), &Shown::literal("it is no `name==version`, so that no index has it"));
                continue;
            };
            match mirror.take(&index, (name, &version), &interpreter, arguments.deny.is_some()) {
                Ok(taken) => tell_taken(line, taken, wanted.with_tools.contains(line)),
                Err(error) if is_of_release(&error) => left_out(&Shown::line(line), &Shown::error(&error)),
                Err(error) => return Err(mirror_failure(&error)),
            }
        }
    }
    if let Some(histories) = &arguments.histories {
        mirror.take_histories(histories).map_err(|error| mirror_failure(&error))?;
    }
    sealed(mirror)?;
    Ok(exit)
}

/// Says what a person has to know of a release that was taken.
fn tell_taken(line: &str, taken: TakenFiles, with_tools: bool) {
    if taken.is_yanked {
        printer::note(&shown!("{} was yanked by its authors", line));
    }
    if taken.is_source && !with_tools {
        let more = "what it is built with (setuptools, wheel, …) has to stand in one of the locks, too";
        printer::note(&shown!("{} has no wheel for this Python, and comes as source: {}", line, more));
    }
}

/// Whether an error is about one release alone, so that the others can be had.
const fn is_of_release(error: &MirrorError) -> bool {
    matches!(
        error,
        MirrorError::Missing { .. } | MirrorError::Index(_) | MirrorError::Yanked { .. } | MirrorError::NoWheel { .. }
    )
}

fn prune(folder: &Path, wanted: &Wanted) -> Outcome {
    let mut mirror = Mirror::open(folder).map_err(|error| mirror_failure(&error))?;
    let meant: BTreeSet<(&str, Version)> = wanted.lines.values().flatten().filter_map(|line| pinned(line)).collect();
    let is_meant = |file: &nbrevive_mirror::HeldFile| {
        file.version.parse().is_ok_and(|version| meant.contains(&(file.distribution.as_str(), version)))
    };
    let gone = mirror.prune(&is_meant).map_err(|error| mirror_failure(&error))?;
    printer::note(&shown!("let go of {} files", gone));
    sealed(mirror)?;
    Ok(Exit::Success)
}

fn sealed(mirror: Mirror) -> Result<(), Failure> {
    told(&mirror);
    mirror.seal().map(drop).map_err(|error| mirror_failure(&error))
}

fn told(mirror: &Mirror) {
    let (mut files, mut bytes, mut distributions) = (0_usize, 0_u64, BTreeSet::new());
    for file in mirror.files() {
        files += 1;
        bytes = bytes.saturating_add(file.bytes);
        distributions.insert(file.distribution.as_str());
    }
    printer::note(&shown!("{} files of {} distributions, {}", files, distributions.len(), mebibytes(bytes)));
}

/// Serves until the command is over, or somebody stops it.
fn serve(arguments: &SnapshotServeArguments) -> Outcome {
    let server = MirrorServer::open(&arguments.folder, arguments.port).map_err(|error| mirror_failure(&error))?;
    let address = server.address();
    let Some((program, words)) = arguments.command.split_first() else {
        printer::data(&shown!("{}\n", &address));
        server.serve();
        return Ok(Exit::Success);
    };
    std::thread::spawn(move || server.serve());
    let mut command = process::Command::new(program);
    command.args(words).envs(INDEX_VARIABLES.map(|name| (name, &address)));
    // Another index beside it would be asked as well.
    command.env_remove("PIP_EXTRA_INDEX_URL").env_remove("UV_INDEX").env_remove("UV_EXTRA_INDEX_URL");
    let status = command.status().map_err(|error| Failure {
        exit: Exit::Usage,
        message: shown!("cannot run {}: {}", Shown::path(program.as_ref()), error),
    })?;
    if status.success() {
        return Ok(Exit::Success);
    }
    printer::note(&shown!("the command ended otherwise than with 0: {}", status));
    Ok(Exit::Other)
}

/// What is asked for.
fn wanted(arguments: &WantedLocks) -> Result<Wanted, Failure> {
    let mut wanted = Wanted::default();
    for path in &arguments.locks {
        for lock in locks(path)? {
            let text = nbrevive_files::read_text(&lock, LONGEST).map_err(|error| file_failure(&error))?;
            let lock = LockFile::read(&text).map_err(|error| Failure {
                exit: Exit::BadInput,
                message: shown!("{}: {}", Shown::path(&lock), Shown::error(&error)),
            })?;
            wanted.add(lock.minor, lock.lines);
        }
    }
    if let Some(store) = &arguments.store {
        let home = home()?;
        let store = Store::open_read_only(store).map_err(|error| store_failure(&error))?;
        for row in executions::environments(&store).map_err(|error| store_failure(&error))? {
            let (Ok(minor), Some(lock)) = (row.python.parse::<PythonVersion>(), row.lock) else { continue };
            let lines = lock.lines().map(str::to_owned);
            if let Some(environment) = kept(&home, &row.environment).filter(|found| !found.built_with.is_empty()) {
                wanted.with_tools.extend(lines.clone());
                wanted.add(minor, environment.built_with);
            }
            wanted.add(minor, lines);
        }
    }
    if wanted.lines.is_empty() {
        let message = Shown::literal("name a lock, a study's file, or a store with --store");
        return Err(Failure { exit: Exit::Usage, message });
    }
    if !arguments.without_kernels {
        let tools = installers(wanted.lines.keys(), &Interpreters::of_machine(&home()?));
        for (minor, lines) in &mut wanted.lines {
            let kernel = KernelLayer::pinned(*minor).and_then(|lock| LockFile::read(&lock).ok());
            lines.extend(kernel.into_iter().flat_map(|lock| lock.lines));
        }
        if let Some((host, lines)) = tools {
            wanted.add(host, lines);
        }
    }
    Ok(wanted)
}

/// The locks that a path stands for: itself, or of a study's file that of its baseline and its eras.
fn locks(path: &Path) -> Result<Vec<PathBuf>, Failure> {
    if path.extension().is_none_or(|ending| ending != "toml") {
        return Ok(vec![path.to_owned()]);
    }
    let study = Study::load(path).map_err(|error| Failure::new(Exit::BadInput, &error))?;
    let entries = nbrevive_files::Folder::open(&study.eras).and_then(|folder| folder.entries());
    let names = entries.unwrap_or_default().into_iter().map(|entry| study.eras.join(entry.name));
    let eras = names.filter(|path| path.extension().is_some_and(|ending| ending == "lock"));
    Ok([study.baseline.clone()].into_iter().chain(eras).collect())
}

fn pinned(line: &str) -> Option<(&str, Version)> {
    let (name, version) = line.split_once("==")?;
    Some((name, version.parse().ok()?))
}

/// The code for an error of a snapshot.
pub(crate) fn mirror_failure(error: &MirrorError) -> Failure {
    match error {
        MirrorError::Capsule(error) => capsule_failure(error),
        MirrorError::File(error) => file_failure(error),
        MirrorError::Index(_) => Failure::new(Exit::NoEnvironment, error),
        MirrorError::Serve { .. } | MirrorError::NotEmpty(_) => Failure::new(Exit::CannotWrite, error),
        MirrorError::Other { .. }
        | MirrorError::Missing { .. }
        | MirrorError::Yanked { .. }
        | MirrorError::NoWheel { .. } => Failure::new(Exit::BadInput, error),
    }
}
