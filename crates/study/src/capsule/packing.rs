//! From a store to a capsule: what ran last of each job, and all that it needs to run again.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use nbrevive_capsule::{CapsuleError, Gathered, MeasuredCapsule};
use nbrevive_corpus::{Competition, Stop};
use nbrevive_environment::container::ContainerSettings;
use nbrevive_environment::{Portable, PortableError};
use nbrevive_files::FileError;
use nbrevive_store::executions::{EnvironmentRow, ExecutionRow};
use nbrevive_store::outcomes::OutcomeRow;
use nbrevive_store::{Store, StoreError, cut_outputs, executions, fixes, outcomes};
use serde_json::json;

use crate::capsule::about::{CapsuleAbout, PackedCompetition, PackedRun};
use crate::capsule::metadata::crate_metadata;
use crate::corpus::around::Around;
use crate::{Job, Laboratory, Study, imported_folder};

/// The folders of a competition's data: what notebooks see, and what grades them.
const DATA: [&str; 2] = ["private", "public"];

/// From what runs are packed.
#[derive(Debug)]
pub struct Packing<'a> {
    /// The study.
    pub study: &'a Study,
    /// Its file, as it was named.
    pub study_file: &'a Path,
    /// Where it keeps what ran.
    pub store: &'a Store,
    /// Where its environments and data are.
    pub laboratory: &'a Laboratory,
    /// Whether data is packed where its licence lets it be handed on; else hashes alone.
    pub with_data: bool,
    /// A folder with the files that its locks need, as an index, to be packed as well.
    pub index: Option<&'a Path>,
    /// Revision of this program.
    pub tool_revision: &'a str,
}

/// Why runs cannot be packed.
#[derive(Debug, thiserror::Error)]
pub enum PackError {
    /// A job has not run.
    #[error("`{version}` has no outcome under `{condition}` in this store: run the study first")]
    NotRun {
        /// The version's slug.
        version: String,
        /// The condition.
        condition: String,
    },
    /// Its outcome came without an execution.
    #[error("there is nothing to run again of `{version}` under `{condition}`: {why}")]
    NothingRan {
        /// The version's slug.
        version: String,
        /// The condition.
        condition: String,
        /// The outcome in words.
        why: String,
    },
    /// Its inputs are made up when it runs.
    #[error(
        "`{version}` under `{condition}` runs with inputs that are made up, which is not packed yet: name another condition"
    )]
    MadeUp {
        /// The version's slug.
        version: String,
        /// The condition.
        condition: String,
    },
    /// Something that it shows a notebook lies elsewhere.
    #[error("{} is data of a notebook and lies in no folder that is packed", .0.display())]
    Elsewhere(PathBuf),
    /// An environment cannot be taken along.
    #[error(transparent)]
    Environment(#[from] PortableError),
    /// The capsule cannot be made.
    #[error(transparent)]
    Capsule(#[from] CapsuleError),
    /// The store cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<FileError> for PackError {
    fn from(error: FileError) -> Self {
        PackError::Capsule(error.into())
    }
}

impl Packing<'_> {
    /// Gathers jobs with all that they need, and measures it. What several of them need is packed once.
    ///
    /// # Errors
    /// When a job has not run, or something that it needs is not there any more.
    pub fn pack(&self, jobs: &[&Job]) -> Result<(MeasuredCapsule, CapsuleAbout), PackError> {
        let mut gathered = Gathered::default();
        let mut about = CapsuleAbout {
            study: self.study.name.clone(),
            title: self.study.title.clone(),
            tool_revision: self.tool_revision.to_owned(),
            sandbox: self.laboratory.backend_word(None),
            limits: self.study.limits.clone(),
            environments: Vec::new(),
            competitions: BTreeMap::new(),
            runs: Vec::new(),
        };
        let built = executions::environments(self.store)?;
        let cut = cut_outputs::all(self.store)?;
        for job in jobs {
            let (outcome, execution) = self.ran(job)?;
            let mut run = packed_run(job, &outcome, &execution);
            run.outputs_left_out = cut.get(&execution.notebook_file).cloned();
            self.around(job, &mut run, &mut gathered, &mut about)?;
            self.own_files(job, &run, &execution, &mut gathered)?;
            let row = built.iter().find(|row| row.environment == run.environment);
            self.environment(&run, row, &mut gathered, &mut about)?;
            about.runs.push(run);
        }
        self.patches(&about.runs, &mut gathered)?;
        if let Some(index) = self.index {
            gathered.tree("index", index, &|_| true)?;
        }
        gathered.text("ro-crate-metadata.json", crate_metadata(&about));
        gathered.text("README.md", readme(&about));
        let told = serde_json::to_value(&about).unwrap_or_default();
        Ok((gathered.measured(told)?, about))
    }

    /// Whether a job can be packed as far as the store tells.
    ///
    /// # Errors
    /// Why not.
    pub fn check(&self, job: &Job) -> Result<(), PackError> {
        self.ran(job).map(drop)
    }

    /// The outcome of a job, and the execution that it came of.
    fn ran(&self, job: &Job) -> Result<(OutcomeRow, ExecutionRow), PackError> {
        let (version, condition) = (job.version.slug.clone(), job.condition.to_string());
        if job.recipe.prepares() || job.recipe.hide_data {
            return Err(PackError::MadeUp { version, condition });
        }
        let Some(outcome) = outcomes::find(self.store, &version, job.condition)? else {
            return Err(PackError::NotRun { version, condition });
        };
        match executions::of_outcome(self.store, &outcome)? {
            Some(execution) => Ok((outcome, execution)),
            None => Err(PackError::NothingRan { version, condition, why: outcome.reason }),
        }
    }

    /// The data or files that a run finds.
    fn around(
        &self,
        job: &Job,
        run: &mut PackedRun,
        gathered: &mut Gathered,
        about: &mut CapsuleAbout,
    ) -> Result<(), PackError> {
        let place = job.around.place(self.laboratory, &job.version);
        let mut roots: Vec<(PathBuf, String)> = Vec::new();
        match &job.around {
            Around::Competition(competition) => {
                let id = &competition.id;
                roots.push((self.laboratory.prepared_folder(competition), format!("data/{id}")));
                if !about.competitions.contains_key(id) {
                    let packed = self.competition(competition, gathered)?;
                    about.competitions.insert(id.clone(), packed);
                }
                run.competition = Some(id.clone());
            }
            Around::Repository(files) => {
                let to = format!("repositories/{}", files.repository.name.replace('/', "+"));
                if !gathered.has(&to) {
                    gathered.tree(&to, &files.repository.files, &|name| !name.starts_with(".git"))?;
                }
                run.beside = Some(to);
            }
            Around::Nothing => {}
        }
        run.starts_in = place.starts_in.to_string_lossy().into_owned();
        for (host, inside) in &place.input {
            let below = roots.iter().find_map(|(root, to)| {
                let root = root.canonicalize().ok()?;
                Some(Path::new(to).join(host.strip_prefix(root).ok()?))
            });
            let below = below.ok_or_else(|| PackError::Elsewhere(host.clone()))?;
            // A folder joined with nothing ends in a slash.
            let below = below.to_string_lossy().trim_end_matches('/').to_owned();
            run.input.push((below, inside.to_string_lossy().into_owned()));
        }
        Ok(())
    }

    /// A competition's description, and its data where that can be handed on.
    fn competition(&self, competition: &Competition, gathered: &mut Gathered) -> Result<PackedCompetition, PackError> {
        let is_imported = competition.folder.starts_with(imported_folder(&self.laboratory.home));
        let id = &competition.id;
        let has_data = self.with_data && !is_imported;
        // The words and pictures of a competition that was imported are its host's; data that lies beside a description is packed as data, or not.
        let is_data = |name: &Path| DATA.iter().any(|folder| name == Path::new(folder));
        let description = |name: &Path| !is_data(name) && (!is_imported || name == Path::new("competition.toml"));
        gathered.tree(&format!("competitions/{id}"), &competition.folder, &description)?;
        if has_data {
            let is_taken =
                |name: &Path| name.components().count() > 1 || DATA.iter().any(|folder| name == Path::new(folder));
            gathered.tree(&format!("data/{id}"), &self.laboratory.prepared_folder(competition), &is_taken)?;
        }
        let command = match is_imported {
            true => "nbrevive competitions import".to_owned(),
            false => format!("nbrevive study prepare {}", self.study_file.display()),
        };
        let licence = competition.data.licence.clone();
        Ok(PackedCompetition { has_data, licence, command, files: competition.files.clone() })
    }

    /// The notebook before and after, and what was done with it.
    fn own_files(
        &self,
        job: &Job,
        run: &PackedRun,
        execution: &ExecutionRow,
        gathered: &mut Gathered,
    ) -> Result<(), PackError> {
        let gone = || PackError::NothingRan {
            version: run.version.clone(),
            condition: run.condition.clone(),
            why: "its executed notebook is not in the store any more".to_owned(),
        };
        gathered.file(&run.notebook(), &job.version.path)?;
        gathered.file(&run.executed(), &self.store.executed(&execution.notebook_file).ok_or_else(gone)?)?;
        let recipe = &job.recipe;
        let told = json!({
            "condition": recipe.name.to_string(),
            "role": recipe.role.to_string(),
            "environment": recipe.environment.to_string(),
            "strategy": self.study.strategy.to_string(),
            "cells": recipe.cells.to_string(),
            "installs": recipe.installs,
            "stop": recipe.stop.to_string(),
            "antidotes": recipe.antidotes,
            "repair": recipe.repair.to_string(),
            "level": recipe.level.to_string(),
            "start": recipe.start.map(|start| start.to_string()),
            "tau": self.study.tau,
            "max_fixes": self.study.max_fixes,
            "seed": run.seed,
            "inputs_hash": job.inputs_hash,
            "code_hash": execution.key.code_hash,
        });
        gathered.text(&format!("{}/recipe.json", run.folder), format!("{told:#}\n"));
        Ok(())
    }

    /// The environment of a run with its lock, once.
    fn environment(
        &self,
        run: &PackedRun,
        row: Option<&EnvironmentRow>,
        gathered: &mut Gathered,
        about: &mut CapsuleAbout,
    ) -> Result<(), PackError> {
        if about.environment(run).is_some() {
            return Ok(());
        }
        let home = &self.laboratory.home;
        let portable = Portable::of(home, &run.environment)?;
        for folder in portable.folders(home)? {
            if !gathered.has(&folder.to) {
                gathered.tree(&folder.to, &folder.from, &|name| folder.takes(&portable, name))?;
            }
        }
        let locks = format!("locks/{}", run.environment);
        if let Ok(texts) = portable.environment.container_texts(&ContainerSettings::default()) {
            gathered.text(&format!("{locks}/Containerfile"), texts.containerfile);
            gathered.text(&format!("{locks}/requirements.lock"), texts.lock);
        }
        if let Some(row) = row {
            gathered.text(&format!("{locks}/requested.txt"), format!("{}\n", row.requirements.trim_end()));
        }
        about.environments.push(portable);
        Ok(())
    }

    /// The fixes that led to the code of the runs.
    fn patches(&self, runs: &[PackedRun], gathered: &mut Gathered) -> Result<(), PackError> {
        let folders: BTreeMap<(&str, &str), &str> =
            runs.iter().map(|run| ((run.version.as_str(), run.condition.as_str()), run.folder.as_str())).collect();
        for fix in fixes::all(self.store)? {
            if let Some(folder) = folders.get(&(fix.version.as_str(), fix.condition.as_str())) {
                let row = fix.row;
                let name = format!("{folder}/patches/{:02}-{}.diff", row.number, row.fix_type);
                gathered.text(&name, format!("# {}\n{}", row.provider, row.patch));
            }
        }
        Ok(())
    }
}

fn packed_run(job: &Job, outcome: &OutcomeRow, execution: &ExecutionRow) -> PackedRun {
    PackedRun {
        version: outcome.version.clone(),
        title: job.version.title.clone(),
        condition: job.condition.to_string(),
        folder: format!("runs/{}/{}", outcome.version, job.condition),
        environment: execution.key.environment.clone(),
        competition: None,
        input: Vec::new(),
        beside: None,
        starts_in: String::new(),
        seed: execution.seed,
        stops_at_error: job.recipe.stop == Stop::FirstError,
        antidotes: job.recipe.antidotes.clone(),
        end: execution.end.clone(),
        grade: execution.grade.as_ref().map(|grade| grade.result.clone()),
        verdict: outcome.verdict.clone(),
        target: outcome.target_score,
        outputs_left_out: None,
        recorded_at: outcome.recorded_at.clone(),
    }
}

/// What a person reads first who unpacked it.
fn readme(about: &CapsuleAbout) -> String {
    let conditions: BTreeSet<&str> = about.runs.iter().map(|run| run.condition.as_str()).collect();
    let conditions = conditions.into_iter().collect::<Vec<_>>().join(", ");
    format!(
        "# Runs of the study `{}`\n\n{} runs ({conditions}) with all that they need: notebooks before and after (`runs/`), environments \
         (`environments/`, their locks in `locks/`), kernels, interpreters, data.\n\n    nbrevive run CAPSULE      # runs them \
         again without a network, and compares\n    sha256sum --check --quiet manifest-sha256.txt\n\nPacked by nbrevive {}. \
         `ro-crate-metadata.json` describes it for archives, `capsule.json` for nbrevive.\n",
        about.study,
        about.runs.len(),
        about.tool_revision
    )
}
