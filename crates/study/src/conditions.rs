//! The conditions: from a job to its outcome.

pub(crate) mod asking_model;
pub(crate) mod code_alone;
pub(crate) mod comparisons;
pub(crate) mod debugging;
pub(crate) mod loop_rows;
pub(crate) mod modernize;
pub(crate) mod ready;
pub(crate) mod repair_loop;
pub(crate) mod restoring;
pub(crate) mod setup;
pub(crate) mod shared_environments;

use std::sync::{Arc, Mutex, MutexGuard};

use jiff::Timestamp;
use nbrevive_corpus::{
    Condition, Criterion, EnvironmentKind, Executability, Fingerprint, RunEnd, RunFacts, Verdict, content_hash, judge,
};
use nbrevive_environment::link::{FetchError, Fetched, Link};
use nbrevive_files::unpoisoned;
use nbrevive_inputs::InputRecipe;
use nbrevive_notebook::{Notebook, percent};
use nbrevive_shown::shown;
use nbrevive_store::executability::ExecutabilityRow;
use nbrevive_store::executions::{CellErrorRow, CellRow, EnvironmentRow, ExecutionCost, ExecutionKey, ExecutionRow};
use nbrevive_store::grades::GradeRow;
use nbrevive_store::loops::LoopRows;
use nbrevive_store::outcomes::OutcomeRow;
use nbrevive_store::{
    Store, StoreError, cut_outputs, executions, fingerprints as stored_fingerprints, install_refusals,
};

use crate::conditions::ready::Ready;
use crate::conditions::restoring::error_root_rows;
use crate::conditions::setup::Setup;
use crate::conditions::shared_environments::SharedEnvironments;
use crate::environments::installs::{Installs, take_allowed};
use crate::environments::of_date::OfDate;
use crate::jobs::fingerprints::{self, before};
use crate::laboratory::attempt::Attempt;
use crate::laboratory::disk_space::{Pause, Space};
use crate::laboratory::doubtful_ends::undoubted;
use crate::laboratory::kept_outputs::Kept;
use crate::laboratory::{LaboratoryError, Prepared, Unbuildable, lock_text};
use crate::{Job, KagglePlace, Manner, Study};

/// What a job came to: its outcome and what stands beside it.
pub(crate) struct Done {
    pub(crate) outcome: OutcomeRow,
    pub(crate) rows: LoopRows,
}

/// What all jobs of a run share.
pub(crate) struct Runner<'a> {
    pub(crate) setup: &'a Setup<'a>,
    pub(crate) store: &'a Mutex<Store>,
    pub(crate) tool_revision: &'a str,
    space: Space<'a>,
    kept: Kept,
    shared: SharedEnvironments,
    /// Files from hosts that the study allows: each is asked for once, so that all conditions have the same.
    fetched: Mutex<Vec<(Link, Result<Fetched, FetchError>)>>,
}

impl<'a> Runner<'a> {
    /// Looks at the disks; `tell` hears when the run has to wait for room on them.
    pub(crate) fn new(
        setup: &'a Setup<'a>,
        store: &'a Mutex<Store>,
        tool_revision: &'a str,
        tell: Box<dyn Fn(&Pause) + Sync + 'a>,
    ) -> Self {
        let folder = unpoisoned(store.lock()).folder().to_owned();
        let (disk, one) = (&setup.study.disk, setup.study.limits.disk_mib << 20);
        Runner {
            setup,
            store,
            tool_revision,
            space: Space::new(disk, (&std::env::temp_dir(), one), &folder, tell),
            kept: Kept::measure(&folder.join("executed"), disk.executed_mib << 20),
            shared: SharedEnvironments::default(),
            fetched: Mutex::default(),
        }
    }
}

impl Runner<'_> {
    /// Carries one job out. Whatever is the notebook's or its environment's fault is an outcome.
    ///
    /// # Errors
    /// What is ours to mend: the index out of reach, a full disk, a sandbox that does not start.
    pub(crate) fn carry_out(&self, job: &Job) -> Result<Done, LaboratoryError> {
        match self.ready(job) {
            Ok(None) => Ok(self.code_alone(job)),
            Ok(Some(ready)) if job.recipe.repairs() => self.modernize(job, ready),
            Ok(Some(ready)) if job.recipe.prepares() => self.restore(job, &ready),
            Ok(Some(ready)) => self.own_code(job, &ready),
            Err(LaboratoryError::Unbuildable(failed)) => self.without_environment(job, &failed),
            Err(error) => Err(error),
        }
    }

    pub(crate) fn store(&self) -> MutexGuard<'_, Store> {
        unpoisoned(self.store.lock())
    }

    /// What a job's notebook installs; what is refused of it is stored, and said when it is new.
    pub(crate) fn installs(&self, job: &Job) -> Result<Installs, LaboratoryError> {
        let installs = self.taken(job);
        if install_refusals::set(&mut self.store(), &job.version.slug, &installs.refusal_rows())? {
            for refused in &installs.refused {
                tracing::warn!("{}", shown!("{}: {}", job.version.slug, refused.told()).as_str());
            }
        }
        Ok(installs)
    }

    /// The same, and nothing stored.
    pub(crate) fn taken(&self, job: &Job) -> Installs {
        // What is fetched is built in the sandbox or not at all.
        let isolates = self.setup.laboratory.isolates();
        let hosts = if isolates { self.setup.study.installs.hosts.as_slice() } else { &[] };
        let mut installs = take_allowed(&job.selected.notebook, &job.around.beside(&job.version), hosts);
        installs.fetch(|link| self.fetched(link));
        installs
    }

    fn fetched(&self, link: &Link) -> Result<Fetched, FetchError> {
        let mut all = unpoisoned(self.fetched.lock());
        if let Some((_, fetched)) = all.iter().find(|(known, _)| known == link) {
            return fetched.clone();
        }
        let fetched = self.setup.laboratory.fetch(link);
        all.push((link.clone(), fetched.clone()));
        fetched
    }

    fn own_code(&self, job: &Job, ready: &Ready) -> Result<Done, LaboratoryError> {
        let row = self.execute(job, &ready.notebook, &ready.environment, 0)?;
        let verdict = self.verdict(job, &row);
        let reason = describe(&verdict, &ready.note);
        let outcome = self.outcome(job, verdict, Some(&ready.environment.id), &row, 0, reason);
        let (executability, comparisons) = (ExecutabilityRow::of(&row), self.comparisons(job, &row)?);
        let error_roots = error_root_rows(&ready.notebook, &row);
        let compared = comparisons.as_deref();
        let order_run = self.order_run(job, &executability, compared);
        let order_run = order_run.map(|row| self.debugged(job, ready, compared, row)).transpose()?;
        let executability = Some(executability);
        Ok(Done {
            outcome,
            rows: LoopRows {
                executability,
                comparisons: comparisons.unwrap_or_default(),
                order_run,
                error_roots,
                ..LoopRows::default()
            },
        })
    }

    /// There is no environment of its date or repository: that is an outcome.
    fn without_environment(&self, job: &Job, failed: &Unbuildable) -> Result<Done, LaboratoryError> {
        let (kind, whose) = match job.recipe.environment.is_of_repository() {
            true => (EnvironmentKind::Repository, "repository"),
            false => (EnvironmentKind::Plan, "date"),
        };
        let row = EnvironmentRow {
            environment: failed.id.clone(),
            kind,
            python: failed.python.clone(),
            requirements: failed.requirements.clone(),
            lock: None,
            failure: Some((failed.class.to_string(), failed.tail.clone())),
        };
        executions::set_environment(&mut self.store(), &row)?;
        let end = RunEnd::NoEnvironment(failed.class.to_string());
        let executability = ExecutabilityRow::without_run(Executability::NoEnvironment, job.code_cells());
        let order_run = self.order_run(job, &executability, None);
        let executability = Some(executability);
        let verdict = judge(&self.facts(job, end, 0, None));
        let reason = format!("no environment of its {whose}: {}: {}", failed.class, last_line(&failed.tail));
        let outcome = OutcomeRow { reason, ..self.outcome_without_run(job, verdict) };
        Ok(Done { outcome, rows: LoopRows { executability, order_run, ..LoopRows::default() } })
    }

    /// Today's environment, with what the notebook installs for itself.
    pub(crate) fn today(&self, job: &Job, installs: &Installs) -> Result<(Arc<Prepared>, String), LaboratoryError> {
        self.on_top(job, &self.setup.baseline, || lock_text(&self.setup.study.baseline), installs)
    }

    /// An environment with what the notebook installs for itself, where the recipe says so. As after a failed install, the environment alone
    /// where that cannot be had.
    pub(crate) fn on_top(
        &self,
        job: &Job,
        environment: &Arc<Prepared>,
        lock: impl FnOnce() -> Result<String, LaboratoryError>,
        installs: &Installs,
    ) -> Result<(Arc<Prepared>, String), LaboratoryError> {
        if installs.is_empty() || !job.recipe.installs {
            return Ok((Arc::clone(environment), String::new()));
        }
        let asked = installs.asked_for();
        match self.setup.laboratory.with_installs(&lock()?, installs) {
            Ok(environment) => {
                self.remember(EnvironmentKind::Lock, &environment, &asked)?;
                Ok((Arc::new(environment), format!("; installed before: {asked}")))
            }
            Err(LaboratoryError::Unbuildable(failed)) => {
                Ok((Arc::clone(environment), format!("; could not install {asked}: {}", failed.class)))
            }
            Err(error) => Err(error),
        }
    }

    /// The environment of a job's date, built or from the cache.
    pub(crate) fn environment_of_date(&self, job: &Job) -> Result<OfDate, LaboratoryError> {
        let surroundings = job.surroundings();
        self.setup.laboratory.from_date(&surroundings, self.setup.study.strategy)
    }

    /// Runs `notebook`, or takes the execution from the store if exactly this ran before.
    pub(crate) fn execute(
        &self,
        job: &Job,
        notebook: &Notebook,
        environment: &Prepared,
        fix_number: u32,
    ) -> Result<ExecutionRow, LaboratoryError> {
        self.execute_with(job, (notebook, environment, None), fix_number)
    }

    /// The same with input files that are made up.
    pub(crate) fn execute_with(
        &self,
        job: &Job,
        (notebook, environment, made): (&Notebook, &Prepared, Option<&Arc<InputRecipe>>),
        fix_number: u32,
    ) -> Result<ExecutionRow, LaboratoryError> {
        let mut key = self.key(job, notebook, environment);
        if let Some(recipe) = made {
            // What is read is part of what ran.
            let recipe = serde_json::to_string(&**recipe).unwrap_or_default();
            key.code_hash = content_hash(format!("{}\n{recipe}", key.code_hash).as_bytes());
        }
        let hidden = job.recipe.hide_data.then(|| Arc::new(InputRecipe::of(&job.selected.notebook, true)));
        if let Some(recipe) = &hidden {
            let recipe = serde_json::to_string(&**recipe).unwrap_or_default();
            key.code_hash = content_hash(format!("{}\nhidden {recipe}", key.code_hash).as_bytes());
        }
        if let Some(row) = self.executed(job, &key)? {
            return Ok(row);
        }
        let place = KagglePlace { made: made.cloned(), ..job.around.place(self.setup.laboratory, &job.version) };
        // What is shown and does not lie beside it is all data.
        let input = if hidden.is_some() { Vec::new() } else { place.input };
        let place = KagglePlace { hidden, input, ..place };
        let grader = job.around.competition().and_then(|competition| self.setup.graders.get(&competition.id));
        let started_at = Timestamp::now();
        let (_, time) = job.recipe.order_and_time(job.repetition);
        let antidotes = job.recipe.antidotes.as_ref().map(|antidotes| (antidotes, time));
        let manner = Manner {
            seed: job.recipe.seed,
            stop: job.recipe.stop,
            antidotes,
            submitted: Some(job.version.submitted),
            ..Manner::default()
        };
        let attempt = undoubted(self.setup.study.retry.deaths, &mut || {
            let _permit = self.space.permit()?;
            let attempt =
                self.setup.laboratory.attempt(notebook, environment, &place, grader.map(Arc::as_ref), manner)?;
            attempt.undisturbed()
        })?;
        let name = format!("{}.{}.{}", key.version, job.condition, &key.code_hash[..12]);
        let (executed, note) = self.kept.text(&attempt.execution.notebook);
        let mut store = self.store();
        let again = if job.repetition > 1 { format!(".r{}", job.repetition) } else { String::new() };
        let notebook_file = store.write_executed(&format!("{name}.{}{again}", &environment.id[..8]), &executed)?;
        cut_outputs::set(&mut store, &key.version, &notebook_file, note.as_deref())?;
        // Before its first fix a repair repeats what it starts from.
        let condition = job.recipe.start.filter(|_| fix_number == 0).unwrap_or(job.condition);
        let row = ExecutionRow {
            fix_number,
            repetition: job.repetition,
            started_at: started_at.to_string(),
            tool_revision: self.tool_revision.to_owned(),
            seed: job.recipe.seed.unwrap_or(self.setup.study.seed),
            notebook_file,
            ..execution_row(key, condition, &attempt)
        };
        stored_fingerprints::remember(&mut store, [&self.settings(job, job.repetition)])?;
        executions::insert(&mut store, &row)?;
        Ok(row)
    }

    /// What an execution is known by.
    pub(crate) fn key(&self, job: &Job, notebook: &Notebook, environment: &Prepared) -> ExecutionKey {
        ExecutionKey {
            version: job.version.slug.clone(),
            code_hash: content_hash(percent::render(notebook).as_bytes()),
            environment: environment.id.clone(),
            settings_hash: self.settings(job, job.repetition).hash(),
        }
    }

    /// What an execution is known by beside its code and environment.
    fn settings(&self, job: &Job, repetition: u32) -> Fingerprint {
        let sandbox = self.setup.laboratory.backend_word(Some(job.version.submitted));
        fingerprints::of_execution(self.setup.study, &job.recipe, &job.around, &sandbox, repetition)
    }

    /// An execution of this key, also one of a store of before there were fingerprints.
    fn executed(&self, job: &Job, key: &ExecutionKey) -> Result<Option<ExecutionRow>, StoreError> {
        if job.anew {
            return Ok(None);
        }
        let mut store = self.store();
        if let Some(row) = executions::find(&store, key)? {
            return Ok(Some(row));
        }
        let Some(competition) = job.around.competition() else { return Ok(None) };
        let sandbox = self.setup.laboratory.backend_word(Some(job.version.submitted));
        let hash_before = before::execution(self.setup.study, &job.recipe, competition, &sandbox, job.repetition);
        let Some(hash_before) = hash_before else { return Ok(None) };
        if executions::rename(&mut store, key, &hash_before)? { executions::find(&store, key) } else { Ok(None) }
    }

    fn facts(&self, job: &Job, end: RunEnd, error_cells: u32, grade: Option<Result<f64, String>>) -> RunFacts {
        RunFacts { end, error_cells: error_cells as usize, grade, criterion: job.criterion(self.setup.study.tau) }
    }

    pub(crate) fn verdict(&self, job: &Job, row: &ExecutionRow) -> Verdict {
        judge(&self.facts(job, row.end.clone(), row.error_cells, row.grade.as_ref().map(|grade| grade.result.clone())))
    }

    fn outcome_without_run(&self, job: &Job, verdict: Verdict) -> OutcomeRow {
        outcome_without_run(self.setup.study, self.tool_revision, job, verdict)
    }

    pub(crate) fn outcome(
        &self,
        job: &Job,
        verdict: Verdict,
        environment: Option<&str>,
        row: &ExecutionRow,
        fixes: u32,
        reason: String,
    ) -> OutcomeRow {
        OutcomeRow {
            environment: environment.map(str::to_owned),
            fixes,
            seconds: row.spent.seconds,
            reason,
            ..self.outcome_without_run(job, verdict)
        }
    }

    pub(crate) fn remember(
        &self,
        kind: EnvironmentKind,
        environment: &Prepared,
        requirements: &str,
    ) -> Result<(), LaboratoryError> {
        let row = EnvironmentRow {
            environment: environment.id.clone(),
            kind,
            python: environment.python.clone(),
            requirements: requirements.to_owned(),
            lock: Some(environment.lock()),
            failure: None,
        };
        Ok(executions::set_environment(&mut self.store(), &row)?)
    }
}

/// The outcome of a job of which nothing ran.
pub(crate) fn outcome_without_run(study: &Study, tool_revision: &str, job: &Job, verdict: Verdict) -> OutcomeRow {
    OutcomeRow {
        target_score: job.target.as_ref().map(|target| target.score),
        tool_revision: tool_revision.to_owned(),
        seed: job.recipe.seed.unwrap_or(study.seed),
        recorded_at: Timestamp::now().to_string(),
        ..OutcomeRow::new(&job.version.slug, job.condition, &job.inputs_hash, verdict)
    }
}

fn last_line(text: &str) -> &str {
    text.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("no output").trim()
}

/// Why a verdict is what it is, in words.
pub(crate) fn describe(verdict: &Verdict, note: &str) -> String {
    let grade = match (verdict.score, verdict.deviation, &verdict.output_reason) {
        (Some(score), Some(deviation), _) => format!("score {score:.5}, deviation {:.1} %", deviation * 100.0),
        (_, _, Some(reason)) => format!("no valid submission: {reason}"),
        _ => match (&verdict.failure, &verdict.failure_cause, verdict.error_status) {
            (Some(failure), Some(cause), _) => format!("{failure}: {cause}"),
            (Some(failure), None, _) => failure.to_string(),
            (None, _, Some(status)) if verdict.output_status.is_none() => status.to_string(),
            (None, ..) => "no score".to_owned(),
        },
    };
    format!("{grade}{note}")
}

fn execution_row(key: ExecutionKey, condition: Condition, attempt: &Attempt) -> ExecutionRow {
    let execution = &attempt.execution;
    ExecutionRow {
        error_cells: u32::try_from(attempt.errors.len()).unwrap_or(u32::MAX),
        grade: attempt.graded().map(|result| GradeRow { result, detail: attempt.ungraded() }),
        spent: ExecutionCost {
            seconds: execution.seconds,
            startup_seconds: execution.startup_seconds,
            cpu_seconds: Some(execution.usage.cpu_seconds),
            peak_memory_bytes: Some(execution.usage.peak_memory_bytes),
            gpu_busy_seconds: execution.usage.gpu.map(|gpu| gpu.busy_seconds),
            gpu_peak_memory_bytes: execution.usage.gpu.map(|gpu| gpu.peak_memory_bytes),
        },
        cells: attempt.cell_rows(),
        ..ExecutionRow::new(key, condition, attempt.end.clone())
    }
}

pub(crate) fn errors_of(row: &ExecutionRow) -> Vec<nbrevive_repair::CellFeedback> {
    let failed = row.cells.iter().filter_map(|cell: &CellRow| cell.error.as_ref().map(|error| (cell.cell, error)));
    failed
        .map(|(cell, error): (u32, &CellErrorRow)| nbrevive_repair::CellFeedback {
            cell: cell as usize,
            ename: error.ename.clone(),
            evalue: error.evalue.clone(),
            traceback: error.traceback.clone(),
            line: error.line,
        })
        .collect()
}

/// The verdict on an attempt outside of a study.
#[must_use]
pub fn judge_attempt(attempt: &Attempt, criterion: Criterion) -> Verdict {
    judge(&RunFacts { end: attempt.end.clone(), error_cells: attempt.errors.len(), grade: attempt.graded(), criterion })
}
