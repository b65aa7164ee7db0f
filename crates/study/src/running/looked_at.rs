//! What a run stores of what it looked at, beside what came out.

use nbrevive_corpus::{Competition, EnvironmentKind, Targets, Version};
use nbrevive_store::conditions::remember;
use nbrevive_store::executions::{EnvironmentRow, set_environment};
use nbrevive_store::repositories::{self, RepositoryRow};
use nbrevive_store::studies::{self, StudyRow};
use nbrevive_store::versions::{VersionRow, replace_all};
use nbrevive_store::{Store, StoreError, competitions};

use crate::corpus::competition_rows::competition_row;
use crate::jobs::version_rows::{repository_rows, version_rows};
use crate::{JobPlan, Laboratory, Prepared, Study};

/// The versions and repositories that a study looked at.
#[derive(Debug)]
pub struct LookedAt {
    versions: Vec<VersionRow>,
    repositories: Vec<RepositoryRow>,
}

impl LookedAt {
    /// Those of a plan, what is left out with it.
    #[must_use]
    pub fn of(versions: &[Version], plan: &JobPlan, targets: &Targets) -> Self {
        LookedAt { versions: version_rows(versions, plan, targets), repositories: repository_rows(plan) }
    }

    /// Stores it with the study's conditions, in place of what the study saw before.
    ///
    /// # Errors
    /// When the store refuses.
    pub fn store(&self, store: &mut Store, study: &Study) -> Result<(), StoreError> {
        remember(store, &study.conditions)?;
        repositories::replace_all(store, &self.repositories)?;
        replace_all(store, &self.versions)
    }

    /// Stores all that the tables have to say of a run, before it begins: the study, today's environment and the competitions, too.
    ///
    /// # Errors
    /// When the store refuses.
    pub fn record<'c>(
        &self,
        store: &mut Store,
        study: &Study,
        (laboratory, baseline): (&Laboratory, &Prepared),
        competitions: impl IntoIterator<Item = &'c Competition>,
        tool_revision: &str,
    ) -> Result<(), StoreError> {
        studies::set(store, &study_row(study, baseline, tool_revision))?;
        let row = |competition| competition_row(competition, &laboratory.prepared_folder(competition));
        competitions::replace_all(store, &competitions.into_iter().map(row).collect::<Vec<_>>())?;
        set_environment(
            store,
            &EnvironmentRow {
                environment: baseline.id.clone(),
                kind: EnvironmentKind::Lock,
                python: baseline.python.clone(),
                requirements: study.baseline_name(),
                lock: Some(baseline.lock()),
                failure: None,
            },
        )?;
        self.store(store, study)
    }
}

fn study_row(study: &Study, baseline: &Prepared, tool_revision: &str) -> StudyRow {
    StudyRow {
        study: study.name.clone(),
        title: study.title.clone(),
        baseline_environment: study.baseline_name(),
        baseline_python: baseline.python.clone(),
        baseline_packages: main_packages(baseline),
        tool_revision: tool_revision.to_owned(),
        machine: machine(),
        time_limit_seconds: study.limits.seconds,
        judge: study.judge,
        tau: study.tau,
        max_fixes: study.max_fixes,
    }
}

/// The packages that a reader of the tables asks for first.
const MAIN_PACKAGES: &[&str] =
    &["numpy", "pandas", "scikit-learn", "scipy", "matplotlib", "seaborn", "statsmodels", "xgboost", "lightgbm"];

fn main_packages(environment: &Prepared) -> String {
    let known = MAIN_PACKAGES.iter().filter_map(|name| environment.packages.get(*name).map(|version| (name, version)));
    known.map(|(name, version)| format!("{name} {version}")).collect::<Vec<_>>().join(", ")
}

fn machine() -> String {
    let cores = nbrevive_sandbox::core_count();
    let memory = nbrevive_sandbox::available_memory().map(|bytes| format!("{} GiB, ", bytes >> 30)).unwrap_or_default();
    format!("{cores} cores, {memory}{} {}", std::env::consts::OS, std::env::consts::ARCH)
}
