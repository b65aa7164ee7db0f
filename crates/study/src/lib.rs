//! Conditions over a corpus: plans jobs, runs them here, resumes.
//!
//! Folders, each named for what is in it, those that others stand on first: `settings` (the study's file), `laboratory` (one execution, and
//! this machine), `environments` (of a date, of today, with what a notebook installs), `repository` and `restoration` (all notebooks of a
//! repository; what a notebook misses is put back), `corpus` (what is studied: versions, competitions and their data), `mining` (where
//! versions come from), `jobs` (which there are, and what they are known by), `conditions` (from a job to its outcome, repair too),
//! `running` (the run of the jobs), `cluster` (the run on many machines), `capsule` (runs that others take away), `synthetic` (a study that
//! is made up).
//!
//! Parts:
//! - [`Study`]: the study's file;
//! - [`prepare`]: makes the competitions' data and checks it;
//! - [`Laboratory`]: everything that an execution needs (sandbox, environments, data, answers), and [`Laboratory::attempt`], which
//!   runs one notebook once and grades it;
//! - [`MineSettings`]: where its notebooks come from; [`Mining`]: brings them;
//! - [`judge_mined`], [`write_corpus`]: from what was mined to a corpus that can be run;
//! - [`Laboratory::from_date`], [`Laboratory::of_today`]: the environment of one notebook, of its date or of today;
//! - [`plan`]: which jobs there are, and which of them are done;
//! - [`RepairSettings`], [`Asking`], [`modernize_with`]: how notebooks are repaired, and by whom;
//! - [`Cutoff`]: from which length on a notebook is no subject of modernization;
//! - [`Scheduler`]: places executions on the cores and memory of this [`Machine`];
//! - [`restore_with`]: puts back what a notebook misses, until it runs;
//! - [`run`]: carries the jobs out on all cores, one row at a time;
//! - [`follow`]: has them carried out on other machines, and merges what comes back;
//! - [`JobTrouble`], [`RetrySettings`]: what keeps a job from having an outcome, and how patiently it is tried again;
//! - [`Packing`] packs runs with all that they need, [`Laboratory::run_again`] runs one of them again and compares;
//! - [`measure_targets`]: what each version scores in an environment of its date.

mod capsule;
mod cluster;
mod conditions;
mod corpus;
mod environments;
mod jobs;
mod laboratory;
mod mining;
mod repository;
mod restoration;
mod running;
mod settings;
mod synthetic;

pub use capsule::about::{CapsuleAbout, PackedCompetition, PackedRun};
pub use capsule::again::{AgainError, RunAgain, compared_cells};
pub use capsule::image::CapsuleImage;
pub use capsule::packing::{PackError, Packing};
pub use cluster::accounts::RunAccounts;
pub use cluster::batch_file::{BatchError, BatchFile, BatchManner};
pub use cluster::cluster_event::ClusterEvent;
pub use cluster::command::{BATCH_PLACE, CommandSubmitter};
pub use cluster::expected::expected;
pub use cluster::failed_job::store_failed;
pub use cluster::folder::{
    ClusterFolder, ClusterFolderError, ClusterRun, SubmitSettings, TaskSizes, cancelled_mark, is_merged,
};
pub use cluster::follow::{DEATHS, FollowSettings, GiveUp, cancel, follow};
pub use cluster::follow_error::FollowError;
pub use cluster::parcel::{ParcelError, ParcelHead, open_parcel, seal_parcel};
pub use cluster::sizes::{ExpectedJob, JobBatch, batches};
pub use cluster::slurm::{SLURM_TEMPLATE, SlurmSettings, SlurmSubmitter};
pub use cluster::submitter::{Submission, SubmitError, Submitter, TaskState};
pub use cluster::task_end::TaskEnd;
pub use cluster::task_journal::{HEARTBEAT_SECONDS, TaskJournal, TaskNote, TaskSoFar};
pub use conditions::asking_model::Asking;
pub use conditions::judge_attempt;
pub use conditions::modernize::{Goal, Helpers, Judged, ModelAndErrand, Modernized, modernize_with};
pub use conditions::setup::Setup;
pub use corpus::around::{Around, RepositoryFiles};
pub use corpus::import::{ImportError, ImportSettings, Imported, import};
pub use corpus::prepare::{DataPreparation, PrepareError, prepare};
pub use corpus::prompt_facts::{contract, task};
pub use corpus::selection::{
    Choice, CorpusError, JudgedVersion, Selection, SelectionError, Unusable, judge_mined, remove_from_corpus,
    write_corpus,
};
pub use corpus::source_file::{SourceError, SourceText};
pub use corpus::targets::{MeasureError, Measured, measure_targets};
pub use environments::files_beside::Beside;
pub use environments::installs::{Installs, RefusedInstall, take_installs};
pub use environments::of_date::{OfDate, OfDateRequest};
pub use environments::of_repository::OfRepository;
pub use environments::of_today::{Addition, OfToday, OfTodayRequest};
pub use environments::surroundings::Surroundings;
pub use jobs::again::versions_with;
pub use jobs::changed::{ChangedOutcome, OutcomesBefore};
pub use jobs::cutoff::Member;
pub use jobs::missing_interpreters::missing_interpreters;
pub use jobs::{Job, JobPlan, JobState, LeftOut, PlannedJob, know, plan};
pub use laboratory::attempt::Attempt;
pub use laboratory::disk_space::{Pause, RoomLack};
pub use laboratory::kaggle_folders::{KagglePlace, Withheld};
pub use laboratory::kept_processes::PartedRuns;
pub use laboratory::machine::{Demand, Machine};
pub use laboratory::one_execution::Manner;
pub use laboratory::scheduler::{Scheduler, Seat};
pub use laboratory::source_builds::SandboxedBuilds;
pub use laboratory::text_outputs::text_outputs;
pub use laboratory::{
    LONGEST_LOCK, Laboratory, LaboratoryError, LaboratorySettings, Prepared, Unbuildable, competitions_folder,
    imported_folder,
};
pub use mining::error::MiningError;
pub use mining::event::{MiningEnd, MiningEvent, MiningListener};
pub use mining::listed_ids::{FetchedIds, ids_of};
pub use mining::recorder::MinedRecorder;
pub use mining::taking_down::{TakenFromAll, take_down};
pub use mining::{Mining, raw_answers};
pub use repository::{
    BringError, BroughtRepository, CheckedInstalls, CheckedRun, MissedDownload, NotebookCheck, SurveyedRepository,
};
pub use restoration::{
    HowFar, PutBack, RESTORE_TURNS, Restorable, RestoreEnd, RestoreHelp, RestoreSettings, RestoreTurn, Restored,
    left_causes, restore_with,
};
pub use running::dry_run::{DryRun, DryRunError, dry_run};
pub use running::looked_at::LookedAt;
pub use running::run::{RunError, RunEvent, RunSettings, RunSummary, Undone, run};
pub use running::trouble::JobTrouble;
pub use settings::at_a_time::{AtATime, NotAtATime};
pub use settings::disk::DiskSettings;
pub use settings::exclusion_list::ExclusionList;
pub use settings::installs::InstallSettings;
pub use settings::limits::{LimitFault, StudyLimits, seconds};
pub use settings::manners::MineManners;
pub use settings::mine::{BrowserPlace, DumpPlace, ExamplesPlace, HubPlace, LocalPlace, MineSettings, MinedVersions};
pub use settings::repair::RepairSettings;
pub use settings::retry::RetrySettings;
pub use settings::snapshot::StudySnapshot;
pub use settings::token_cutoff::{Cutoff, PAPER_CUTOFF};
pub use settings::{SettingsError, Study};
pub use synthetic::{SyntheticError, SyntheticSettings, make_up};
