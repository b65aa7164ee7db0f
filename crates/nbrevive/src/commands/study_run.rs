//! `nbrevive study run`: every job that has no result yet.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU32;
use std::path::Path;
use std::sync::{Arc, Mutex};

use nbrevive_corpus::{Condition, Recipe, Targets, UnknownWord, content_hash};
use nbrevive_files::unpoisoned;
use nbrevive_filter::Filter;
use nbrevive_grade::Grader;
use nbrevive_model::Account;
use nbrevive_sandbox::Sandbox;
use nbrevive_shown::{Shown, shown};
use nbrevive_store::dataset::Variant;
use nbrevive_store::studies;
use nbrevive_store::{Store, StoreError, repetitions};
use nbrevive_study::{
    AtATime, ChangedOutcome, Demand, DryRunError, ExclusionList, JobPlan, JobTrouble, Laboratory, LookedAt, Machine,
    OutcomesBefore, Prepared, RunSettings, RunSummary, SettingsError, Setup, Study, Undone, dry_run, know, plan,
    run as run_plan,
};

use crate::Outcome;
use crate::arguments::{OnWhat, SandboxArguments, StudyRunArguments};
use crate::commands::export::{parsed, write};
use crate::commands::job_answers::JobAnswers;
use crate::commands::model;
use crate::commands::setting::{
    LONGEST, Loaded, REVISION, file_failure, graders, laboratory_failure, load, run_failure, sandbox_of, store_failure,
    study_laboratory,
};
use crate::commands::study_cluster;
use crate::exit_code::{Exit, Failure};
use crate::printer;
use crate::progress::Progress;

/// Plans, runs what is open, and exports the rows.
pub(crate) fn run(arguments: &StudyRunArguments) -> Outcome {
    study_cluster::check(&arguments.cluster)?;
    let is_local = arguments.cluster.on == OnWhat::Local;
    let mut loaded = load(&arguments.file.study)?;
    model::of_study(&mut loaded.study, &arguments.model)?;
    narrow(&mut loaded, &arguments.condition, arguments.repeat)?;
    leave_out(&mut loaded, arguments.exclude.as_deref())?;
    let filter = arguments.again.as_deref().map(|text| parsed(text, &loaded.study.conditions)).transpose()?;
    if arguments.list {
        let is_asked = filter.is_some() || arguments.store.join("study.db").is_file();
        let store = is_asked.then(|| Store::open_read_only(&arguments.store));
        let store = store.transpose().map_err(|error| store_failure(&error))?;
        let (everything, _) = plan_of(&loaded, store.as_ref())?;
        list(&asked_of(arguments, &everything, filter.as_ref().zip(store.as_ref()))?);
        tell_without_model(&loaded.study);
        return Ok(Exit::Success);
    }
    let mut store = Store::open(&arguments.store).map_err(|error| store_failure(&error))?;
    let Planned { plan: everything, rows } = planned(&loaded, &mut store)?;
    let plan = asked_of(arguments, &everything, filter.as_ref().map(|filter| (filter, &store)))?;
    if arguments.dry_run && !is_local {
        return study_cluster::show(arguments, &loaded, &store, &plan);
    }
    if arguments.dry_run {
        return estimate(arguments, &loaded, store, &plan);
    }
    tell(&plan);
    tell_without_model(&loaded.study);
    let answers = JobAnswers::begin(arguments.format, &loaded.study, &plan);
    let mut summary = RunSummary::default();
    let is_new = studies::last(&store).map_err(|error| store_failure(&error))?.is_none();
    // A study of which every version is left out has tables that say so.
    if plan.open_jobs() > 0 || (is_new && everything.jobs.is_empty()) {
        let elsewhere = if is_local { None } else { Some(study_cluster::begin(arguments, &loaded)?) };
        let sandbox = sandbox_of(&arguments.sandbox, Some(&loaded.study.sandbox))?;
        // The machine that only prepares need not have the GPUs that nodes have.
        let sandbox = Sandbox { gpus: sandbox.gpus.filter(|_| is_local), ..sandbox };
        let mut laboratory = study_laboratory(&loaded.study, sandbox, arguments.offline)?;
        if filter.is_some() {
            laboratory = laboratory.try_failures_again();
        }
        if let Some(folder) = elsewhere {
            prepare(&loaded, &laboratory, &plan, &mut store, &rows)?;
            summary = study_cluster::follow_run(&folder, &loaded, &mut store, &plan)?;
        } else {
            let jobs = at_a_time(&mut laboratory, arguments.jobs.unwrap_or(loaded.study.jobs));
            let progress = Progress::new(plan.open_jobs());
            let watch = |event: &nbrevive_study::RunEvent<'_>| {
                progress.event(event);
                answers.event(event);
            };
            let carried = Carried { folder: &arguments.store, account: None, jobs, watch: &watch };
            let before = OutcomesBefore::of(&plan, &store).map_err(|error| store_failure(&error))?;
            let done = carry_out(&carried, &loaded, &laboratory, store, &plan, &rows);
            progress.finish();
            (store, summary) = done?;
            let doubtful = before.to_verify(&plan, &store).map_err(|error| store_failure(&error))?;
            if doubtful.open_jobs() > 0 {
                printer::note(&shown!("{} outcomes changed since the last run: once more", doubtful.open_jobs()));
                let carried = Carried { watch: &|_| (), ..carried };
                store = carry_out(&carried, &loaded, &laboratory, store, &doubtful, &rows)?.0;
            }
            tell_changed(&before.changed(&store).map_err(|error| store_failure(&error))?);
            if let Some(path) = &arguments.save_snapshot {
                laboratory.save_snapshot(path).map_err(|error| laboratory_failure(&error))?;
            }
        }
    } else {
        // What was studied before may be left out by now, and a condition may have another role.
        rows.store(&mut store, &loaded.study).map_err(|error| store_failure(&error))?;
    }
    Ok(answers.end(finish(&store, &arguments.store.join("data"), &summary)?))
}

/// What is another than at the last run, and whether it came out so once more.
fn tell_changed(changed: &[ChangedOutcome]) {
    for ChangedOutcome { version, condition, before, now, once_more } in changed {
        let once_more = match once_more {
            Some(again) if again == now => Shown::literal("and once more"),
            Some(again) => shown!("but {} when it ran once more: it is flaky, and no change is seen", again),
            None => Shown::literal("which did not run once more"),
        };
        printer::note(&shown!("changed: {} {}: {} before, {} now, {}", version, condition, before, now, once_more));
    }
}

/// The jobs that were asked for; `again` is what of them runs once more.
fn asked_of(
    arguments: &StudyRunArguments,
    all: &JobPlan,
    again: Option<(&Filter, &Store)>,
) -> Result<JobPlan, Failure> {
    let part = arguments.only.as_deref().unwrap_or_default();
    let plan = all.only(part);
    if !part.is_empty() && plan.jobs.is_empty() && !all.left_out.iter().any(|(version, ..)| version.slug.contains(part))
    {
        let slugs: BTreeSet<&str> = all.jobs.iter().map(|planned| planned.job.version.slug.as_str()).collect();
        let expected = slugs.into_iter().collect::<Vec<_>>().join(", ");
        let nearest = UnknownWord { kind: "version", word: part.to_owned(), expected }.nearest();
        let message = shown!("no version of the study has `{}` in its name{}", part, nearest);
        return Err(Failure { exit: Exit::Usage, message });
    }
    let plan = if arguments.smoke { plan.sample_of(SMOKE) } else { plan };
    match again {
        Some((filter, store)) => plan.again(filter, store).map_err(|error| store_failure(&error)),
        None => Ok(plan),
    }
}

/// Versions of a first look.
const SMOKE: usize = 8;

/// Takes the conditions and repetitions that were asked for, where some were.
pub(crate) fn narrow(loaded: &mut Loaded, conditions: &[Condition], repeat: Option<NonZeroU32>) -> Result<(), Failure> {
    if !conditions.is_empty() {
        loaded.study.conditions = asked_for(&loaded.study.conditions, conditions)?;
    }
    loaded.study.repeat = repeat.unwrap_or(loaded.study.repeat);
    Ok(())
}

/// Takes the list of exclusions that was asked for, where one was, and says whom a list leaves out no more.
pub(crate) fn leave_out(loaded: &mut Loaded, list: Option<&Path>) -> Result<(), Failure> {
    let bad = |error: SettingsError| Failure::new(Exit::BadInput, &error);
    if let Some(list) = list {
        loaded.study.exclusions = ExclusionList::load(list).map_err(bad)?;
        loaded.study.exclusions.check(&loaded.versions).map_err(bad)?;
    }
    loaded.study.exclusions.over().for_each(|sentence| printer::note(&Shown::line(&sentence)));
    Ok(())
}

/// A plan beside what is stored of the study.
pub(crate) struct Planned {
    /// The jobs.
    pub(crate) plan: JobPlan,
    /// What the study looked at.
    pub(crate) rows: LookedAt,
}

fn plan_of(loaded: &Loaded, store: Option<&Store>) -> Result<(JobPlan, Targets), Failure> {
    let targets = loaded.targets()?;
    let lock = nbrevive_files::read(&loaded.study.baseline, LONGEST).map_err(|error| file_failure(&error))?;
    let plan = plan(&loaded.study, &loaded.versions, &loaded.competitions, &targets, &content_hash(&lock), store)
        .map_err(|error| store_failure(&error))?;
    Ok((plan, targets))
}

/// Plans all jobs.
pub(crate) fn planned(loaded: &Loaded, store: &mut Store) -> Result<Planned, Failure> {
    let (everything, targets) = plan_of(loaded, Some(store))?;
    know(&everything, store).map_err(|error| store_failure(&error))?;
    let rows = LookedAt::of(&loaded.versions, &everything, &targets);
    Ok(Planned { plan: everything, rows })
}

/// The conditions that were asked for, those of the study in its order and then the others.
pub(crate) fn asked_for(of_study: &[Recipe], asked: &[Condition]) -> Result<Vec<Recipe>, Failure> {
    let known = of_study.iter().filter(|recipe| asked.contains(&recipe.name)).cloned().map(Ok);
    let others = asked.iter().filter(|name| !of_study.iter().any(|recipe| recipe.name == **name));
    let preset = |name: &Condition| {
        let further = Condition::PRESETS.iter().copied().filter(|name| !of_study.iter().any(|one| one.name == *name));
        let names = of_study.iter().map(|recipe| recipe.name).chain(further);
        let expected = names.map(Condition::as_str).collect::<Vec<_>>().join(", ");
        let unknown = UnknownWord { kind: "condition", word: name.to_string(), expected };
        Recipe::preset(*name).ok_or_else(|| Failure::new(Exit::Usage, &unknown))
    };
    known.chain(others.map(preset)).collect()
}

/// Opens the laboratory of a study.
pub(crate) fn open_laboratory(
    sandbox: &SandboxArguments,
    offline: bool,
    loaded: &Loaded,
) -> Result<Laboratory, Failure> {
    study_laboratory(&loaded.study, sandbox_of(sandbox, Some(&loaded.study.sandbox))?, offline)
}

/// `--dry-run`: what the model's first questions would cost, from the stored baselines.
fn estimate(arguments: &StudyRunArguments, loaded: &Loaded, store: Store, plan: &JobPlan) -> Outcome {
    let laboratory = open_laboratory(&arguments.sandbox, arguments.offline, loaded)?;
    let baseline = laboratory.from_lock(&loaded.study.baseline, &[]).map_err(|error| laboratory_failure(&error))?;
    let setup = Setup {
        study: &loaded.study,
        laboratory: &laboratory,
        baseline: Arc::new(baseline),
        graders: BTreeMap::new(),
        model: None,
    };
    let sum = dry_run(&setup, &Mutex::new(store), plan).map_err(|error| match &error {
        DryRunError::Laboratory(inner) => laboratory_failure(inner),
        _ => Failure::new(Exit::NoModel, &error),
    })?;
    printer::data(&model::estimated(&sum, &loaded.study.repair));
    Ok(Exit::Success)
}

/// What `--list` shows: every job with its state, and every version that is left out.
fn list(plan: &JobPlan) {
    let mut text = Shown::default();
    for planned in &plan.jobs {
        let name = planned.job.name();
        text.push_line(&shown!("{:<10} {:<44} {}", planned.job.condition, name, planned));
    }
    for (version, exclusion, detail) in &plan.left_out {
        text.push_line(&shown!("{:<10} {:<44} {}: {}", "left out", version.slug, exclusion, detail));
    }
    printer::data(&text);
}

fn tell(plan: &JobPlan) {
    let done = plan.jobs.len() - plan.open_jobs();
    printer::note(&shown!("{} jobs: {} to run, {} done or none", plan.jobs.len(), plan.open_jobs(), done));
    for (version, exclusion, detail) in &plan.left_out {
        printer::note(&shown!("left out: {} ({}): {}", version.slug, exclusion, detail));
    }
}

/// Which conditions are left out for want of a model, and how to name one.
fn tell_without_model(study: &Study) {
    for condition in study.without_model() {
        printer::note(&shown!(
            "left out: the condition {} asks a language model, and none is named: add [model] to the study's file, or --endpoint, --exchange or \
             --replay (docs/money.md); the other conditions run",
            condition
        ));
    }
}

/// How many jobs run at a time; where the machine decides that, it is said.
fn at_a_time(laboratory: &mut Laboratory, asked: AtATime) -> usize {
    match asked {
        AtATime::OnePerCore => nbrevive_sandbox::core_count(),
        AtATime::Count(count) => count,
        AtATime::Auto => {
            let machine = Machine::of_this_process();
            printer::note(&resources(&machine, laboratory.demand()));
            // For each execution one more job, which waits for an environment or an answer meanwhile.
            2 * laboratory.schedule(machine)
        }
    }
}

/// What there is, what one execution asks for, and how many run at once.
pub(crate) fn resources(machine: &Machine, demand: Demand) -> Shown {
    let (cores, memory) = (demand.cores, demand.memory_bytes >> 20);
    let room = machine.room_for(demand);
    shown!(
        "{}; one execution takes {} cores and {} MiB, so {} run at a time with `--jobs auto`",
        machine,
        cores,
        memory,
        room
    )
}

/// How the jobs of a plan are carried out.
pub(crate) struct Carried<'a> {
    /// The folder for what models are asked.
    pub(crate) folder: &'a Path,
    /// What a task may spend on that.
    pub(crate) account: Option<Account>,
    /// Jobs at a time.
    pub(crate) jobs: usize,
    /// Who hears of them.
    pub(crate) watch: &'a (dyn Fn(&nbrevive_study::RunEvent<'_>) + Sync),
}

/// Makes today's environment, and stores what the tables have to say of the run.
fn prepare(
    loaded: &Loaded,
    laboratory: &Laboratory,
    plan: &JobPlan,
    store: &mut Store,
    rows: &LookedAt,
) -> Result<(BTreeMap<String, Arc<Grader>>, Prepared), Failure> {
    for notice in laboratory.notices() {
        printer::note(&shown!("limit: {}", notice));
    }
    for missing in nbrevive_study::missing_interpreters(laboratory, plan) {
        printer::note(&Shown::line(&missing));
    }
    let graders = graders(laboratory, loaded)?;
    printer::note(&shown!("environment {}: building it or taking it from the cache", loaded.study.baseline_name()));
    let baseline = laboratory.from_lock(&loaded.study.baseline, &[]).map_err(|error| laboratory_failure(&error))?;
    let competitions = loaded.competitions.values();
    let recorded = rows.record(store, &loaded.study, (laboratory, &baseline), competitions, REVISION);
    recorded.map_err(|error| store_failure(&error))?;
    Ok((graders, baseline))
}

/// Carries the open jobs of a plan out on this machine.
pub(crate) fn carry_out(
    carried: &Carried<'_>,
    loaded: &Loaded,
    laboratory: &Laboratory,
    mut store: Store,
    plan: &JobPlan,
    rows: &LookedAt,
) -> Result<(Store, RunSummary), Failure> {
    let (graders, baseline) = prepare(loaded, laboratory, plan, &mut store, rows)?;
    let settings = RunSettings { jobs: carried.jobs, tool_revision: REVISION.to_owned() };
    let store = Mutex::new(store);
    let model = model::open(&loaded.study.repair, carried.folder, carried.account.clone())?;
    let setup = Setup { study: &loaded.study, laboratory, baseline: Arc::new(baseline), graders, model };
    let summary = run_plan(&setup, &store, plan, &settings, carried.watch).map_err(|error| run_failure(&error))?;
    Ok((unpoisoned(store.into_inner()), summary))
}

/// Exports the rows and says what came out.
pub(crate) fn finish(store: &Store, data: &Path, summary: &RunSummary) -> Outcome {
    write(store, data, Variant::Full)?;
    for ((condition, outcome), count) in &summary.outcomes {
        printer::note(&shown!("{:<10} {:<30} {}", condition, outcome, count));
    }
    if let Some(sentence) = flaky(store).map_err(|error| store_failure(&error))? {
        printer::note(&sentence);
    }
    if summary.undone.is_empty() {
        return Ok(Exit::Success);
    }
    let mut kinds = BTreeMap::<JobTrouble, usize>::new();
    for Undone { version, condition, trouble, reason } in &summary.undone {
        printer::note(&shown!("not decided: {} {} ({}): {}", version, condition, trouble, reason));
        *kinds.entry(*trouble).or_default() += 1;
    }
    let counts = kinds.iter().map(|(trouble, count)| shown!("{} {}", trouble, count));
    printer::note(&shown!(
        "without an outcome: {} ({}): mend the reason and run again; the rest is stored",
        summary.undone.len(),
        Shown::joined(counts, ", ")
    ));
    Ok(if kinds.contains_key(&JobTrouble::Disk) { Exit::CannotWrite } else { Exit::Incomplete })
}

/// Which versions are flaky, after an A/A run.
fn flaky(store: &Store) -> Result<Option<Shown>, StoreError> {
    let found = repetitions::flakiness(store)?;
    if found.is_empty() {
        return Ok(None);
    }
    let flaky = found.iter().filter(|(_, flakiness)| flakiness.is_flaky());
    let names: Vec<Shown> = flaky
        .map(|((condition, version), flakiness)| {
            shown!("{} {} ({:.0} % of {})", version, condition, flakiness.rate * 100.0, flakiness.repetitions)
        })
        .collect();
    let count = names.len();
    let list = if count == 0 { Shown::default() } else { shown!(": {}", Shown::joined(names, ", ")) };
    Ok(Some(shown!("run more than once: {}, of these flaky: {}{}", found.len(), count, list)))
}
