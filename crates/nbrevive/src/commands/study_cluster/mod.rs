//! `nbrevive study run --on …`, `attach`, `cancel` and `work`: a study on many machines.

pub(crate) mod simulate;
pub(crate) mod work;

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::ValueEnum as _;
use nbrevive_model::{Accounts, Caps, LEDGER, ProviderKind, RECORD};
use nbrevive_shown::{Shown, shown};
use nbrevive_store::Store;
use nbrevive_store::shards::{SecondOutcome, ShardJob};
use nbrevive_study::{
    AtATime, BATCH_PLACE, BatchManner, ClusterEvent, ClusterFolder, ClusterFolderError, CommandSubmitter, Cutoff,
    FollowError, FollowSettings, Job, JobPlan, JobState, RunAccounts, RunSummary, SLURM_TEMPLATE, SlurmSettings,
    SlurmSubmitter, SubmitSettings, Submitter, TaskEnd, TaskSizes, batches, cancel as cancel_tasks, expected, follow,
    store_failed,
};

use crate::Outcome;
use crate::arguments::{
    ClusterArguments, ClusterPlace, ModelArguments, OnWhat, SandboxArguments, SandboxChoice, StudyRunArguments,
};
use crate::commands::model;
use crate::commands::setting::{LONGEST, Loaded, REVISION, file_failure, load, store_failure};
use crate::commands::study_run::{finish, leave_out, narrow, planned};
use crate::exit_code::{Exit, Failure};
use crate::printer;
use crate::progress::Progress;

/// How often the shared folder is looked at.
const POLL: Duration = Duration::from_secs(2);

/// What a task's own program may take beside its executions, in MiB.
const OWN_MEMORY_MIB: u64 = 512;

/// Where the shared folder of a run is.
fn shared(store: &Path, shared: Option<&Path>) -> PathBuf {
    shared.map_or_else(|| store.join("cluster"), Path::to_owned)
}

fn usage(message: &'static str) -> Failure {
    Failure { exit: Exit::Usage, message: Shown::literal(message) }
}

/// How tasks are started, as the user typed it; asked before anything is read. Nothing where this machine does everything itself.
pub(crate) fn check(arguments: &ClusterArguments) -> Result<(), Failure> {
    let of_slurm = [&arguments.partition, &arguments.account, &arguments.gres];
    let has_slurm = of_slurm.iter().any(|word| word.is_some()) || arguments.template.is_some();
    match (arguments.on, &arguments.submit) {
        (on, _) if has_slurm && on != OnWhat::Slurm => {
            Err(usage("--partition, --account, --gres and --template are for tasks of `--on slurm`: add that"))
        }
        (OnWhat::Local | OnWhat::Slurm, Some(_)) => Err(usage("`--submit` starts tasks of `--on command`: add that")),
        (OnWhat::Command, Some(submit)) if !submit.contains(BATCH_PLACE) => {
            Err(usage("the command of `--submit` needs `{batch}` where the batch's file is to stand"))
        }
        _ => Ok(()),
    }
}

/// How tasks of this study are started; none where this machine does everything itself. `shared` is the folder of the run.
fn submit_settings(
    arguments: &ClusterArguments,
    loaded: &Loaded,
    manner: &BatchManner,
    shared: &Path,
) -> Result<SubmitSettings, Failure> {
    let jobs = manner.jobs;
    if let Some(submit) = &arguments.submit {
        let (submit, max_jobs, silence_seconds) = (submit.clone(), arguments.max_jobs, arguments.silence);
        return Ok(SubmitSettings::Command { submit, max_jobs, silence_seconds });
    }
    let template = match &arguments.template {
        Some(path) => nbrevive_files::read_text(path, LONGEST).map_err(|error| file_failure(&error))?,
        None => SLURM_TEMPLATE.to_owned(),
    };
    // As many GPUs as its executions take at a time; what else a cluster wants of a request for some, `--gres` says.
    let together = loaded.study.sandbox.gpus().or(manner.gpus.then_some(NonZeroU32::MIN));
    let gpus = together.map(|together| format!("gpu:{}", jobs.div_ceil(together.get() as usize)));
    let (limits, at_a_time) = (&loaded.study.limits, u32::try_from(jobs).unwrap_or(u32::MAX));
    Ok(SubmitSettings::Slurm(SlurmSettings {
        partition: arguments.partition.clone(),
        account: arguments.account.clone(),
        gres: arguments.gres.clone().or(gpus),
        template,
        max_jobs: arguments.max_jobs,
        cores: limits.cores.max(1).saturating_mul(at_a_time),
        memory_mib: limits.memory_mib.saturating_mul(u64::from(at_a_time)).saturating_add(OWN_MEMORY_MIB),
        jobs,
        shared: shared.to_owned(),
        program: std::env::current_exe().map_err(|error| Failure::new(Exit::Other, &error))?,
    }))
}

/// What tasks have to do as this command was told to.
fn manner(arguments: &StudyRunArguments, loaded: &Loaded) -> Result<BatchManner, Failure> {
    let path = &arguments.file.study;
    let study = path.canonicalize().map_err(|error| Failure::new(Exit::BadInput, &error))?;
    let jobs = match arguments.jobs.unwrap_or(AtATime::Count(1)) {
        AtATime::Count(count) => count,
        AtATime::OnePerCore | AtATime::Auto => {
            return Err(usage("with `--on`, `--jobs` is how many run at a time in a task: give a number"));
        }
    };
    if loaded.study.repair.model.as_ref().is_some_and(|model| model.provider == ProviderKind::Exchange) {
        return Err(usage(
            "with an exchange of files people answer, for which no task waits: run the conditions that ask it with `--on local`",
        ));
    }
    if matches!(loaded.study.token_cutoff, Cutoff::Percentile(_)) {
        return Err(usage(
            "a token cut-off that is a percentile needs all baselines in one store: run this study with `--on local`",
        ));
    }
    Ok(BatchManner {
        study,
        conditions: arguments.condition.clone(),
        repeat: arguments.repeat,
        only: arguments.only.clone(),
        exclude: arguments.exclude.as_deref().map(absolute).transpose()?,
        model: model_words(&arguments.model)?,
        jobs,
        offline: arguments.offline,
        sandbox: arguments.sandbox.sandbox.and_then(|choice| Some(choice.to_possible_value()?.get_name().to_owned())),
        image: arguments.sandbox.image.clone(),
        trusted: arguments.sandbox.i_trust_these_notebooks,
        gpus: arguments.sandbox.gpus,
    })
}

/// Tasks are elsewhere.
fn absolute(path: &Path) -> Result<PathBuf, Failure> {
    std::path::absolute(path).map_err(|error| Failure::new(Exit::BadInput, &error))
}

/// Who is asked for repairs, for the run's file.
fn model_words(arguments: &ModelArguments) -> Result<serde_json::Value, Failure> {
    let mut words = arguments.clone();
    for place in [&mut words.settings, &mut words.replay].into_iter().flatten() {
        *place = absolute(place)?;
    }
    serde_json::to_value(words).map_err(|error| Failure::new(Exit::BadInput, &error))
}

/// The study as a run was told to take it.
pub(crate) fn loaded_as(manner: &BatchManner) -> Result<Loaded, Failure> {
    let mut loaded = load(&manner.study)?;
    let words = serde_json::from_value(manner.model.clone()).map_err(|error| Failure::new(Exit::BadInput, &error))?;
    model::of_study(&mut loaded.study, &words)?;
    narrow(&mut loaded, &manner.conditions, manner.repeat)?;
    Ok(loaded)
}

/// The sandbox that a run was asked for.
fn sandbox(manner: &BatchManner) -> Result<SandboxArguments, Failure> {
    let choice = manner.sandbox.as_ref().map(|word| SandboxChoice::from_str(word, false)).transpose();
    let sandbox = choice.map_err(|_| usage("the run's file names a sandbox that is not known"))?;
    let (image, i_trust_these_notebooks, gpus) = (manner.image.clone(), manner.trusted, manner.gpus);
    Ok(SandboxArguments { sandbox, image, i_trust_these_notebooks, gpus })
}

/// Makes the run's folder, or opens it, before anything is built.
pub(crate) fn begin(arguments: &StudyRunArguments, loaded: &Loaded) -> Result<ClusterFolder, Failure> {
    let manner = manner(arguments, loaded)?;
    let path = shared(&arguments.store, arguments.cluster.shared.as_deref());
    nbrevive_files::make_folder(&path).map_err(|error| file_failure(&error))?;
    let path = path.canonicalize().map_err(|error| Failure::new(Exit::CannotWrite, &error))?;
    let submit = submit_settings(&arguments.cluster, loaded, &manner, &path)?;
    if let SubmitSettings::Slurm(settings) = &submit {
        SlurmSubmitter::new(settings).check().map_err(|error| Failure::new(Exit::Missing, &error))?;
    }
    let second = if arguments.cluster.keep_second { SecondOutcome::KeptAsRepetition } else { SecondOutcome::Dropped };
    ClusterFolder::make(&path, REVISION, &manner, &submit, (sizes(&arguments.cluster), second))
        .map_err(|error| folder_failure(&error))
}

fn sizes(arguments: &ClusterArguments) -> TaskSizes {
    TaskSizes { nodes: arguments.nodes, minutes: arguments.task_minutes }
}

/// `--dry-run`: what would be sent, and how.
pub(crate) fn show(arguments: &StudyRunArguments, loaded: &Loaded, store: &Store, plan: &JobPlan) -> Outcome {
    let manner = manner(arguments, loaded)?;
    let path = std::path::absolute(shared(&arguments.store, arguments.cluster.shared.as_deref()))
        .map_err(|error| Failure::new(Exit::CannotWrite, &error))?;
    let jobs = expected(&loaded.study, plan, store).map_err(|error| store_failure(&error))?;
    let sizes = sizes(&arguments.cluster);
    let made = batches(&jobs, sizes.nodes, manner.jobs, sizes.shortest());
    let seconds = made.iter().map(|batch| batch.seconds).fold(0.0, f64::max);
    let first = path.join("batches/1.json");
    let (count, hours) = (made.len(), made.iter().map(|batch| batch.seconds).sum::<f64>() / 3600.0);
    printer::note(&shown!("{} jobs in {} tasks, {:.1} hours of one job at a time", jobs.len(), count, hours));
    match submit_settings(&arguments.cluster, loaded, &manner, &path)? {
        SubmitSettings::Command { submit, .. } => {
            printer::data(&Shown::line(&submit.replace(BATCH_PLACE, &first.to_string_lossy())));
        }
        SubmitSettings::Slurm(settings) => {
            let (submitter, list) = (SlurmSubmitter::new(&settings), path.join("output/1.list"));
            printer::note(&shown!("sbatch {} {}", submitter.words(count.min(1000), seconds).join(" "), "SCRIPT"));
            printer::data(&Shown::block(&submitter.script(&list)));
        }
    }
    Ok(Exit::Success)
}

/// Sends the open jobs of a plan out and follows them to their end.
pub(crate) fn follow_run(
    folder: &ClusterFolder,
    loaded: &Loaded,
    store: &mut Store,
    plan: &JobPlan,
) -> Result<RunSummary, Failure> {
    let jobs = expected(&loaded.study, plan, store).map_err(|error| store_failure(&error))?;
    let by_shard: BTreeMap<ShardJob, &Job> =
        plan.jobs.iter().map(|planned| (planned.job.in_shard(), &planned.job)).collect();
    let is_stored = |state: JobState| matches!(state, JobState::Done(_) | JobState::OutOfDate);
    let stored: BTreeSet<String> = plan
        .jobs
        .iter()
        .filter(|planned| is_stored(planned.state))
        .map(|planned| planned.job.version.slug.clone())
        .collect();
    let give_up = |store: &mut Store, job: &ShardJob| {
        let job = by_shard.get(job);
        job.map(|job| store_failed(store, &loaded.study, job, REVISION)).transpose()
    };
    let accounts = RunAccounts::open(&loaded.study, store.folder());
    let accounts = accounts.map_err(|error| Failure::new(Exit::NoModel, &error))?;
    let settings = FollowSettings { poll: POLL, accounts };
    let mut submitter = submitter(&folder.run.submit);
    let progress = Progress::new(jobs.len());
    let watch = |event: &ClusterEvent<'_>| tell(&progress, event);
    let followed = follow((folder, store), (&jobs, stored), submitter.as_mut(), &settings, (&give_up, &watch));
    progress.finish();
    followed.map_err(|error| follow_failure(&error))
}

fn submitter(settings: &SubmitSettings) -> Box<dyn Submitter> {
    match settings {
        SubmitSettings::Slurm(settings) => Box::new(SlurmSubmitter::new(settings)),
        SubmitSettings::Command { submit, max_jobs, silence_seconds } => {
            Box::new(CommandSubmitter::new(submit, *max_jobs, *silence_seconds))
        }
    }
}

fn tell(progress: &Progress, event: &ClusterEvent<'_>) {
    progress.say(&match event {
        ClusterEvent::Sent(batches, jobs) => shown!("sent {} batches with {} jobs", batches, jobs),
        ClusterEvent::Merged { batch, node, outcomes, decided, jobs, .. } => {
            let line = shown!("{}/{} jobs: batch {} of {}", decided, jobs, batch, node);
            return progress.merged(*decided, outcomes, &line);
        }
        ClusterEvent::Refused(error) => Shown::paragraph(*error),
        ClusterEvent::Ended { batch, node, end, why, again } => {
            let on = node.map(|node| shown!(" on {}", node)).unwrap_or_default();
            let why = if why.is_empty() { Shown::default() } else { shown!(": {}", why) };
            shown!("the task of batch {}{} {}{}; {} of its jobs are sent again", batch, on, end.told(), why, again)
        }
        ClusterEvent::Failed(job) => {
            shown!("{} {}: failed: alone in its task, it died again and again", job.condition, job.version)
        }
        ClusterEvent::Short(why) => Shown::line(why),
        ClusterEvent::Unasked(error) => shown!("{}; it is asked again", error),
    });
}

/// `study attach`: goes on following.
pub(crate) fn attach(place: &ClusterPlace) -> Outcome {
    let folder = open(place)?;
    let manner = &folder.run.manner;
    let mut loaded = loaded_as(manner)?;
    leave_out(&mut loaded, manner.exclude.as_deref())?;
    let mut store = Store::open(&place.store).map_err(|error| store_failure(&error))?;
    let only = manner.only.clone().unwrap_or_default();
    let plan = planned(&loaded, &mut store)?.plan.only(&only);
    let summary = follow_run(&folder, &loaded, &mut store, &plan)?;
    finish(&store, &place.store.join("data"), &summary)
}

/// `study cancel`: ends what is under way.
pub(crate) fn cancel(place: &ClusterPlace) -> Outcome {
    let folder = open(place)?;
    // Nobody follows meanwhile: he would send it all again.
    let _held = Store::open(&place.store).map_err(|error| store_failure(&error))?;
    let mut submitter = submitter(&folder.run.submit);
    let has = |name: &str| place.store.join(name).is_file();
    // What was handed out comes back, too, whoever asks the model next.
    let accounts = has(LEDGER).then(|| Accounts::open(&place.store, has(RECORD), Caps::default())).transpose();
    let accounts = accounts.map_err(|error| Failure::new(Exit::NoModel, &error))?;
    let ended = cancel_tasks(&folder, submitter.as_mut(), accounts.as_ref()).map_err(|error| follow_failure(&error))?;
    printer::note(&shown!("cancelled {} tasks; what was done stays, and `nbrevive study attach` goes on", ended));
    Ok(Exit::Success)
}

fn open(place: &ClusterPlace) -> Result<ClusterFolder, Failure> {
    let path = shared(&place.store, place.shared.as_deref());
    ClusterFolder::open(&path, REVISION).map_err(|error| folder_failure(&error))
}

fn folder_failure(error: &ClusterFolderError) -> Failure {
    match error {
        ClusterFolderError::File(error) => file_failure(error),
        _ => Failure::new(Exit::BadInput, error),
    }
}

fn follow_failure(error: &FollowError) -> Failure {
    match error {
        FollowError::Store(error) => store_failure(error),
        FollowError::File(error) => file_failure(error),
        FollowError::Io { .. } | FollowError::Seed(_) | FollowError::SetUp { end: TaskEnd::SharedFull, .. } => {
            Failure::new(Exit::CannotWrite, error)
        }
        FollowError::Submit(_) | FollowError::SetUp { .. } => Failure::new(Exit::Missing, error),
        FollowError::Account(_) => Failure::new(Exit::NoModel, error),
    }
}
