//! Conditions over a corpus: plans jobs, runs them here, resumes.
//!
//! Parts:
//! - [`Study`]: the study's file;
//! - [`prepare`]: makes the competitions' data and checks it;
//! - [`Laboratory`]: everything that an execution needs (sandbox, environments, data, answers), and [`Laboratory::attempt`], which
//!   runs one notebook once and grades it;
//! - [`MineSettings`]: where its notebooks come from;
//! - [`judge_mined`], [`write_corpus`]: from what was mined to a corpus that can be run;
//! - [`Laboratory::from_date`], [`Laboratory::of_today`]: the environment of one notebook, of its date or of today;
//! - [`plan`]: which jobs there are, and which of them are done;
//! - [`RepairSettings`], [`Asking`], [`modernize_with`]: how notebooks are repaired, and by whom;
//! - [`Cutoff`]: from which length on a notebook is no subject of modernization;
//! - [`Scheduler`]: places executions on the cores and memory of this [`Machine`];
//! - [`run`]: carries the jobs out on all cores, one row at a time;
//! - [`Trouble`], [`RetrySettings`]: what keeps a job from having an outcome, and how patiently it is tried again;
//! - [`measure_targets`]: what each version scores in an environment of its date.

mod admission;
mod around;
mod asking;
mod at_a_time;
mod attempt;
mod attempting;
mod beside;
mod competition_rows;
mod conditions;
mod copies;
mod cutoff;
mod doubt;
mod dry_run;
mod fingerprints;
mod import;
mod installs;
mod jobs;
mod kept;
mod laboratory;
mod loop_rows;
mod machine;
mod mine_settings;
mod modernize;
mod of_date;
mod of_today;
mod outputs;
mod place;
mod prepare;
mod ready;
mod recipe;
mod repair_settings;
mod repaired;
mod retry;
mod run;
mod scheduler;
mod seated;
mod selection;
mod settings;
mod source;
mod space;
mod submission;
mod surroundings;
mod targets;
mod trouble;
mod versions;
mod workfolder;
mod workshop;
mod world;

pub use around::{Around, RepositoryFiles};
pub use asking::{Asking, model_prompt};
pub use at_a_time::{AtATime, NotAtATime};
pub use attempt::Attempt;
pub use attempting::Manner;
pub use beside::Beside;
pub use competition_rows::competition_row;
pub use conditions::judge_attempt;
pub use cutoff::{Cutoff, Member, PAPER_CUTOFF};
pub use dry_run::{DryRun, DryRunError, dry_run};
pub use import::{ImportError, ImportSettings, Imported, import};
pub use installs::{InstallSettings, Installs, RefusedInstall, take_installs};
pub use jobs::{Job, JobState, LeftOut, Plan, PlannedJob, know, plan};
pub use laboratory::{
    LONGEST_LOCK, Laboratory, LaboratoryError, LaboratorySettings, Prepared, Unbuildable, competitions_folder,
    imported_folder,
};
pub use machine::{Demand, Machine};
pub use mine_settings::{BrowserPlace, DumpPlace, LocalPlace, MineManners, MineSettings, MinedVersions, seconds};
pub use modernize::{Asked, Goal, Helpers, Judged, Modernized, modernize_with};
pub use of_date::{OfDate, OfDateRequest};
pub use of_today::{Addition, OfToday, OfTodayRequest};
pub use outputs::text_outputs;
pub use place::{Place, Withheld};
pub use prepare::{Preparation, PrepareError, prepare};
pub use repair_settings::RepairSettings;
pub use retry::RetrySettings;
pub use run::{Event, RunError, RunSettings, Setup, Summary, Undone, run};
pub use scheduler::{Scheduler, Seat};
pub use selection::{
    Choice, CorpusError, Selected, Selection, SelectionError, Unusable, judge_mined, remove_from_corpus, write_corpus,
};
pub use settings::{SettingsError, Study, StudyLimits};
pub use source::{Source, SourceError};
pub use space::{DiskSettings, Pause};
pub use surroundings::{Surroundings, missing_interpreters};
pub use targets::{MeasureError, Measured, measure_targets};
pub use trouble::Trouble;
pub use versions::{repository_rows, version_rows};
pub use workshop::SandboxedBuilds;
pub use world::{contract, task};
