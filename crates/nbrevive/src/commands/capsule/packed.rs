//! `nbrevive pack`: what ran, with all that it needs.

use std::collections::BTreeSet;
use std::path::Path;

use nbrevive_capsule::{CapsuleError, MeasuredCapsule, write_image, write_layer};
use nbrevive_corpus::content_hash;
use nbrevive_files::{FileError, make_folder};
use nbrevive_mirror::Mirror;
use nbrevive_shown::{Shown, shown};
use nbrevive_store::Store;
use nbrevive_study::{CapsuleAbout, CapsuleImage, Job, LaboratorySettings, PackError, Packing, plan};

use super::{capsule_failure, mebibytes, sizes};
use crate::Outcome;
use crate::arguments::{PackArguments, PackedAs};
use crate::commands::setting::{LONGEST, REVISION, file_failure, laboratory, load, sandbox_of, store_failure};
use crate::commands::snapshot::mirror_failure;
use crate::commands::study_run::asked_for;
use crate::exit_code::{Exit, Failure};
use crate::printer;

/// Gathers, says how large it is, and writes.
pub(crate) fn pack(arguments: &PackArguments) -> Outcome {
    let mut loaded = load(&arguments.study)?;
    if !arguments.condition.is_empty() {
        loaded.study.conditions = asked_for(&loaded.study.conditions, &arguments.condition)?;
    }
    if let Some(index) = &arguments.index {
        Mirror::open(index).map_err(|error| mirror_failure(&error))?;
    }
    let store = Store::open_read_only(&arguments.store).map_err(|error| store_failure(&error))?;
    let targets = loaded.targets()?;
    let lock = nbrevive_files::read(&loaded.study.baseline, LONGEST).map_err(|error| file_failure(&error))?;
    let plan = plan(&loaded.study, &loaded.versions, &loaded.competitions, &targets, &content_hash(&lock), None)
        .map_err(|error| store_failure(&error))?;
    let all: Vec<&Job> = plan.jobs.iter().map(|planned| &planned.job).filter(|job| job.repetition == 1).collect();
    let laboratory = laboratory(&LaboratorySettings {
        sandbox: sandbox_of(&arguments.sandbox, Some(&loaded.study.sandbox))?,
        limits: loaded.study.limits.clone(),
        seed: loaded.study.seed,
        offline: true,
        disk: loaded.study.disk.clone(),
    })?;
    let packing = Packing {
        study: &loaded.study,
        study_file: &arguments.study,
        store: &store,
        laboratory: &laboratory,
        with_data: !arguments.without_data,
        index: arguments.index.as_deref(),
        tool_revision: REVISION,
    };
    let jobs = chosen(arguments, &all, &packing)?;
    let (measured, about) = packing.pack(&jobs).map_err(|error| pack_failure(&error))?;
    printer::note(&shown!(
        "{} runs of {} versions in {} environments",
        about.runs.len(),
        about.runs.iter().map(|run| &run.version).collect::<BTreeSet<_>>().len(),
        about.environments.len()
    ));
    printer::note(&sizes(measured.listing()));
    for (id, competition) in about.competitions.iter().filter(|(_, competition)| !competition.has_data) {
        printer::note(&shown!("without the data of {} ({}): {}", id, competition.licence, competition.command));
    }
    if arguments.list {
        return Ok(Exit::Success);
    }
    write(arguments, &measured, &about)
}

/// Writes what was asked for, and says how large it is.
fn write(arguments: &PackArguments, measured: &MeasuredCapsule, about: &CapsuleAbout) -> Outcome {
    let default = match arguments.packed_as {
        PackedAs::Capsule => "capsule.tar.zst",
        PackedAs::Oci => "capsule.oci.tar",
        PackedAs::Containerfile => "capsule",
    };
    let out = arguments.out.as_deref().unwrap_or(Path::new(default));
    let failed = |error: CapsuleError| capsule_failure(&error);
    let written = match arguments.packed_as {
        PackedAs::Capsule => {
            measured.write(out).map_err(failed)?;
            vec![out.to_owned()]
        }
        PackedAs::Oci => {
            let image = image(measured, about)?;
            write_image(&[&image.system, &image.capsule], &image.settings, out).map_err(failed)?;
            vec![out.to_owned()]
        }
        PackedAs::Containerfile => {
            let image = image(measured, about)?;
            if out.exists() {
                return Err(failed(CapsuleError::Exists { path: out.to_owned() }));
            }
            make_folder(out).map_err(|error| file_failure(&error))?;
            let [capsule, system] = ["capsule.tar.zst", "system.tar.gz"].map(|name| out.join(name));
            measured.write(&capsule).map_err(failed)?;
            write_layer(&image.system, &system).map_err(failed)?;
            nbrevive_files::write(&out.join("Containerfile"), image.containerfile())
                .map_err(|error| file_failure(&error))?;
            vec![capsule, system]
        }
    };
    for path in written {
        let bytes = nbrevive_files::open(&path).ok().and_then(|file| file.metadata().ok()).map(|found| found.len());
        printer::note(&shown!("wrote {}: {}", path.display(), mebibytes(bytes.unwrap_or(0))));
    }
    Ok(Exit::Success)
}

/// The capsule with this program, as an image.
fn image(measured: &MeasuredCapsule, about: &CapsuleAbout) -> Result<CapsuleImage, Failure> {
    let program =
        std::env::current_exe().map_err(|source| file_failure(&FileError::Read { path: "nbrevive".into(), source }))?;
    let image = CapsuleImage::of(measured, about, &program).map_err(|error| capsule_failure(&error))?;
    let system = image.system.listing();
    printer::note(&shown!("of the system: {} in {} files", mebibytes(system.bytes()), system.files.len()));
    Ok(image)
}

/// The jobs that were asked for. Of those that were named, each condition under which they ran; a name that is nobody's is an error.
fn chosen<'a>(arguments: &PackArguments, all: &[&'a Job], packing: &Packing<'_>) -> Result<Vec<&'a Job>, Failure> {
    let mut jobs = Vec::new();
    let names: Vec<Option<&str>> = match arguments.versions.as_slice() {
        [] => vec![None],
        names => names.iter().map(|name| Some(name.as_str())).collect(),
    };
    for name in names {
        let of_name: Vec<&&Job> = all.iter().filter(|job| name.is_none_or(|name| is_named(job, name))).collect();
        if let (Some(name), true) = (name, of_name.is_empty()) {
            return Err(unknown(name, all));
        }
        let (mut first, before) = (None, jobs.len());
        for job in of_name {
            match packing.check(job) {
                Ok(()) => jobs.push(*job),
                Err(error @ (PackError::NotRun { .. } | PackError::NothingRan { .. } | PackError::MadeUp { .. })) => {
                    if !matches!(error, PackError::NotRun { .. }) {
                        printer::note(&shown!("left out: {}", Shown::error(&error)));
                    }
                    first = first.or(Some(error));
                }
                Err(error) => return Err(pack_failure(&error)),
            }
        }
        if let Some(error) = first.filter(|_| jobs.len() == before) {
            return Err(pack_failure(&error));
        }
    }
    Ok(jobs)
}

fn is_named(job: &Job, name: &str) -> bool {
    let is_same = || {
        Path::new(name).canonicalize().is_ok_and(|file| job.version.path.canonicalize().is_ok_and(|path| path == file))
    };
    job.version.slug == name || (Path::new(name).extension().is_some_and(|ending| ending == "ipynb") && is_same())
}

fn unknown(name: &str, all: &[&Job]) -> Failure {
    let slugs: BTreeSet<&str> = all.iter().map(|job| job.version.slug.as_str()).collect();
    let slugs: Vec<&str> = slugs.into_iter().collect();
    let error = nbrevive_corpus::UnknownWord { kind: "version", word: name.to_owned(), expected: slugs.join(", ") };
    Failure::new(Exit::BadInput, &error)
}

fn pack_failure(error: &PackError) -> Failure {
    match error {
        PackError::Capsule(error) => capsule_failure(error),
        PackError::Store(error) => store_failure(error),
        PackError::Environment(_) => Failure::new(Exit::NoEnvironment, error),
        PackError::NotRun { .. }
        | PackError::NothingRan { .. }
        | PackError::MadeUp { .. }
        | PackError::Elsewhere(_) => Failure::new(Exit::BadInput, error),
    }
}
