//! The study's file: what is studied, under which conditions, with which limits.

pub(crate) mod at_a_time;
pub(crate) mod disk;
pub(crate) mod exclusion_list;
pub(crate) mod installs;
pub(crate) mod limits;
pub(crate) mod manners;
pub(crate) mod mine;
pub(crate) mod recipe;
pub(crate) mod repair;
pub(crate) mod retry;
pub(crate) mod snapshot;
pub(crate) mod token_cutoff;
pub(crate) mod told;

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};

use nbrevive_corpus::funnel::{Funnel, TargetScore};
use nbrevive_corpus::{
    Competition, CompetitionError, Condition, DEFAULT_TAU, Judge, Recipe, Role, TargetError, Targets, UnknownWord,
};
use nbrevive_environment::Strategy;
use nbrevive_model::{Encoding, ModelSettings};
use nbrevive_sandbox::SandboxSettings;
use serde::Deserialize;
use toml::Spanned;

use crate::settings::disk::DiskSettings;
use crate::settings::exclusion_list::ExclusionList;
use crate::settings::installs::InstallSettings;
use crate::settings::mine::MineSettings;
use crate::settings::recipe::{Named, RawRecipe, resolve};
use crate::settings::repair::{RawRepair, RepairSettings};
use crate::settings::retry::RetrySettings;
use crate::settings::snapshot::StudySnapshot;
use crate::settings::token_cutoff::Cutoff;
use crate::{AtATime, StudyLimits};

/// A study as its `study.toml` describes it. Every path is resolved against the file's folder.
#[derive(Debug, Clone)]
pub struct Study {
    /// The name that tables show.
    pub name: String,
    /// One sentence on what is studied.
    pub title: String,
    /// What is asked of its executions; `score` by default.
    pub judge: Judge,
    /// The folder of competitions, where it has some.
    pub competitions: Option<PathBuf>,
    /// The folder of notebooks, one sub-folder a competition or repository.
    pub notebooks: PathBuf,
    /// Whom it leaves out because a list says so; nobody by default.
    pub exclusions: ExclusionList,
    /// The target scores, where scores are asked for.
    pub targets: Option<PathBuf>,
    /// The locks in which target scores are measured.
    pub eras: PathBuf,
    /// The numbers of the paper, to stand beside ours.
    pub published: Option<PathBuf>,
    /// The index of a day from which alone it plans and builds; the user's index by default.
    pub snapshot: Option<StudySnapshot>,
    /// The lock of the baseline and modernize conditions.
    pub baseline: PathBuf,
    /// The conditions, in the order in which they run.
    pub conditions: Vec<Recipe>,
    /// The threshold τ.
    pub tau: f64,
    /// The largest number of fixes in a modernize loop (paper: N = 16).
    pub max_fixes: u32,
    /// How the backport condition chooses versions; `paper` by default.
    pub strategy: Strategy,
    /// Seed of Python's string hashing in every execution.
    pub seed: u32,
    /// The limits of one execution.
    pub limits: StudyLimits,
    /// How many executions run at a time; one for each core by default. No result depends on it.
    pub jobs: AtATime,
    /// How often each condition runs, everything being equal; once by default.
    pub repeat: NonZeroU32,
    /// What it may take of disks.
    pub disk: DiskSettings,
    /// How patiently trouble that is no notebook's fault is waited out.
    pub retry: RetrySettings,
    /// What stands between a notebook and the machine; bubblewrap by default.
    pub sandbox: SandboxSettings,
    /// What install lines may ask for beside names.
    pub installs: InstallSettings,
    /// How notebooks are repaired, and by whom.
    pub repair: RepairSettings,
    /// Where its notebooks are mined.
    pub mine: MineSettings,
    /// From which length on a notebook is no subject of modernization; the paper's by default.
    pub token_cutoff: Cutoff,
    /// How tokens are counted for it; `o200k_base` by default.
    pub token_encoding: Encoding,
    /// Which of Kaggle's scores is the target of a mined version; `private-then-public` by default.
    pub target_score: TargetScore,
    /// Which mined versions are kept; the paper's steps by default.
    pub funnel: Funnel,
}

/// Why a study's file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// It cannot be read.
    #[error("cannot read {path}: {source}")]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A list of exclusions is not valid.
    #[error("{path} is not a valid list of exclusions: {message}")]
    InvalidList {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
    /// It is not valid.
    #[error("{path} is not a valid study file: {message}")]
    Invalid {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Raw {
    name: String,
    title: String,
    #[serde(default = "default_judge")]
    judge: Judge,
    competitions: Option<PathBuf>,
    notebooks: PathBuf,
    exclude: Option<PathBuf>,
    targets: Option<PathBuf>,
    #[serde(default = "default_eras")]
    eras: PathBuf,
    #[serde(default)]
    published: Option<PathBuf>,
    snapshot: Option<PathBuf>,
    environments: PathBuf,
    baseline: String,
    conditions: Option<Spanned<Vec<Named>>>,
    #[serde(default)]
    condition: Vec<RawRecipe>,
    #[serde(default = "default_tau")]
    tau: f64,
    #[serde(default = "default_max_fixes")]
    max_fixes: u32,
    #[serde(default = "default_strategy")]
    strategy: Strategy,
    #[serde(default)]
    seed: u32,
    #[serde(default)]
    limits: StudyLimits,
    #[serde(default)]
    jobs: AtATime,
    #[serde(default = "default_repeat")]
    repeat: NonZeroU32,
    #[serde(default)]
    disk: DiskSettings,
    #[serde(default)]
    retry: RetrySettings,
    #[serde(default)]
    sandbox: SandboxSettings,
    #[serde(default)]
    installs: InstallSettings,
    #[serde(default)]
    repair: RawRepair,
    model: Option<ModelSettings>,
    #[serde(default)]
    mine: MineSettings,
    #[serde(default)]
    token_cutoff: Cutoff,
    #[serde(default)]
    token_encoding: Option<String>,
    #[serde(default)]
    target_score: TargetScore,
    #[serde(default)]
    funnel: Funnel,
}

fn default_eras() -> PathBuf {
    PathBuf::from("../eras")
}

const fn default_judge() -> Judge {
    Judge::Score
}

const fn default_tau() -> f64 {
    DEFAULT_TAU
}

const fn default_strategy() -> Strategy {
    Strategy::Paper
}

const fn default_repeat() -> NonZeroU32 {
    NonZeroU32::MIN
}

const fn default_max_fixes() -> u32 {
    // The cap is a small number by definition; `as` because conversions are not const.
    nbrevive_repair::DEFAULT_MAX_FIXES as u32
}

impl Study {
    /// The conditions that cannot be carried out, because they ask a model and the study names none.
    #[must_use]
    pub fn without_model(&self) -> Vec<Condition> {
        let is_without = |recipe: &&Recipe| recipe.needs_model() && self.repair.model.is_none();
        self.conditions.iter().filter(is_without).map(|recipe| recipe.name).collect()
    }

    /// Reads a study's file.
    ///
    /// # Errors
    /// When it is unreadable, has unknown keys, or a value that makes no sense.
    pub fn load(path: &Path) -> Result<Self, SettingsError> {
        let text = read_file(path)?;
        let invalid = |message: String| SettingsError::Invalid { path: path.to_owned(), message };
        let at_its_key = |sentence: String| invalid(told::at_its_key(&text, &sentence));
        let raw: Raw = toml::from_str(&text).map_err(|error| invalid(told::told(&error)))?;
        check(&raw).map_err(at_its_key)?;
        let conditions = resolve(raw.conditions.as_ref(), &raw.condition, raw.judge)
            .map_err(|(place, sentence)| invalid(told::at(&text, place, &sentence)))?;
        let encoding = raw.token_encoding.as_deref().map_or_else(|| Ok(Encoding::default()), str::parse);
        let token_encoding = encoding.map_err(|error| at_its_key(format!("token_encoding: {error}")))?;
        let folder = path.parent().unwrap_or(Path::new("."));
        let lock = folder.join(&raw.environments).join(format!("{}.lock", raw.baseline));
        if !folder.join(&raw.environments).is_dir() {
            let place = folder.join(&raw.environments);
            return Err(at_its_key(format!("`environments` names {}, which is no folder", place.display())));
        }
        if !lock.is_file() {
            let (word, expected) = (raw.baseline.clone(), locks_in(&folder.join(&raw.environments)).join(", "));
            let unknown = UnknownWord { kind: "baseline", word, expected };
            let (place, nearest) = (lock.display(), unknown.nearest());
            return Err(at_its_key(format!(
                "baseline `{}` has no lock {place}; there are: {}{nearest}",
                raw.baseline, unknown.expected
            )));
        }
        let exclusions =
            raw.exclude.map(|list| ExclusionList::load(&folder.join(list))).transpose()?.unwrap_or_default();
        let snapshot = raw.snapshot.map(|snapshot| StudySnapshot::find(&folder.join(snapshot))).transpose();
        let snapshot = snapshot
            .map_err(|error| at_its_key(format!("`snapshot` is no folder of `nbrevive snapshot create`: {error}")))?;
        Ok(Study {
            name: raw.name,
            title: raw.title,
            judge: raw.judge,
            competitions: raw.competitions.map(|competitions| folder.join(competitions)),
            notebooks: folder.join(raw.notebooks),
            exclusions,
            targets: raw.targets.map(|targets| folder.join(targets)),
            eras: folder.join(raw.eras),
            published: raw.published.map(|file| folder.join(file)),
            snapshot,
            baseline: lock,
            conditions,
            tau: raw.tau,
            max_fixes: raw.max_fixes,
            strategy: raw.strategy,
            seed: raw.seed,
            limits: raw.limits,
            jobs: raw.jobs,
            repeat: raw.repeat,
            disk: raw.disk,
            retry: raw.retry,
            sandbox: raw.sandbox,
            installs: raw.installs,
            repair: RepairSettings::from_tables(raw.repair, raw.model, token_encoding, folder).map_err(at_its_key)?,
            mine: raw.mine.resolve(folder).map_err(at_its_key)?,
            token_cutoff: raw.token_cutoff,
            token_encoding,
            target_score: raw.target_score,
            funnel: raw.funnel,
        })
    }

    /// Looks whether what these keys of the study's `file` name is there: `competitions`, `notebooks`, `targets`.
    ///
    /// # Errors
    /// When one is not, with its line.
    pub fn check_places(&self, file: &Path, keys: &[&str]) -> Result<(), SettingsError> {
        let named = [
            ("competitions", self.competitions.as_deref()),
            ("notebooks", Some(self.notebooks.as_path())),
            ("targets", self.targets.as_deref()),
        ];
        let mut asked = named.into_iter().filter_map(|(key, place)| Some((key, place?)));
        let Some((key, place)) = asked.find(|(key, place)| keys.contains(key) && !place.exists()) else {
            return Ok(());
        };
        let sentence = format!("`{key}` names {}, which is not there", place.display());
        let message = told::at_its_key(&read_file(file)?, &sentence);
        Err(SettingsError::Invalid { path: file.to_owned(), message })
    }

    /// Its competitions, by id; none where it has no folder of them.
    ///
    /// # Errors
    /// When one cannot be read.
    pub fn load_competitions(&self) -> Result<BTreeMap<String, Competition>, CompetitionError> {
        self.competitions.as_deref().map_or_else(|| Ok(BTreeMap::new()), Competition::load_all)
    }

    /// Its target scores, by slug; none where it asks for no scores.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn load_targets(&self) -> Result<Targets, TargetError> {
        self.targets.as_deref().map_or_else(|| Ok(Targets::default()), Targets::load)
    }

    /// What the others are compared with: the condition of that role, whether it runs here or ran before.
    #[must_use]
    pub fn baseline_condition(&self) -> Condition {
        let found = self.conditions.iter().find(|recipe| recipe.role == Role::Baseline);
        found.map_or(Condition::BASELINE, |recipe| recipe.name)
    }

    /// The name of the baseline environment: its lock's file name without the ending.
    #[must_use]
    pub fn baseline_name(&self) -> String {
        self.baseline.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default()
    }
}

/// Longest file of settings that is read, in bytes.
const LONGEST_FILE: u64 = 16 << 20;

/// The text of a file of settings.
pub(crate) fn read_file(path: &Path) -> Result<String, SettingsError> {
    let read = nbrevive_files::read_text(path, LONGEST_FILE);
    read.map_err(|error| SettingsError::Unreadable { path: path.to_owned(), source: error.into() })
}

fn check(raw: &Raw) -> Result<(), String> {
    let plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte));
    if raw.name.is_empty() || !plain(&raw.name) || !plain(&raw.baseline) {
        return Err("`name` and `baseline` must be plain names of letters, digits, `-`, `_` and `.`".to_owned());
    }
    if raw.judge == Judge::Score && (raw.competitions.is_none() || raw.targets.is_none()) {
        return Err(
            "judge = \"score\" needs `competitions` and `targets`: name them, or write judge = \"executability\""
                .to_owned(),
        );
    }
    if !(raw.tau.is_finite() && raw.tau >= 0.0) {
        return Err(format!("tau = {} must be a number that is not negative", raw.tau));
    }
    raw.limits.check().map_err(|fault| fault.to_string())?;
    raw.disk.check()?;
    raw.retry.check()
}

fn locks_in(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> = entries
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "lock"))
        .filter_map(|path| path.file_stem().map(|stem| stem.to_string_lossy().into_owned()))
        .collect();
    names.sort();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    const VALID: &str = "name = \"s\"\ntitle = \"S\"\ncompetitions = \"c\"\nnotebooks = \"n\"\ntargets = \"t.toml\"\n\
                         environments = \"e\"\nbaseline = \"now\"\n";

    fn load(text: &str) -> Result<Study, SettingsError> {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("e")).unwrap();
        std::fs::write(dir.path().join("e/now.lock"), "# python: 3.12\n").unwrap();
        let path = dir.path().join("study.toml");
        std::fs::write(&path, text).unwrap();
        Study::load(&path)
    }

    #[test]
    fn what_is_not_said_is_as_in_the_paper() {
        let study = load(VALID).unwrap();
        assert_eq!((study.tau, study.max_fixes, study.limits.seconds), (0.1, 16, 600.0));
        assert_eq!(study.conditions, Recipe::main());
        assert_eq!((study.token_cutoff, study.token_encoding), (Cutoff::Tokens(13_485), Encoding::O200k));
        assert_eq!((study.funnel, study.target_score), (Funnel::default(), TargetScore::PrivateThenPublic));
        assert_eq!((study.jobs, study.repeat.get()), (AtATime::OnePerCore, 1));
    }

    #[test]
    fn executions_at_a_time_are_a_number_or_auto() {
        assert_eq!(load(&format!("{VALID}jobs = \"auto\"\n")).unwrap().jobs, AtATime::Auto);
        assert_eq!(load(&format!("{VALID}jobs = 3\n")).unwrap().jobs, AtATime::Count(3));
    }

    #[test]
    fn the_sandbox_is_bubblewrap_or_a_container_with_its_image() {
        assert_eq!(load(VALID).unwrap().sandbox, SandboxSettings::default());
        let text = format!("{VALID}[sandbox]\nbackend = \"oci\"\nimage = \"kaggle/python@sha256:ab\"\ngpus = true\n");
        let SandboxSettings::Oci(settings) = load(&text).unwrap().sandbox else { panic!("a container was asked for") };
        assert_eq!((settings.image.as_str(), settings.gpus), ("kaggle/python@sha256:ab", true));
        let dated = text.replace("gpus = true", "images = [{ from = \"2019-06-01\", image = \"old\" }]");
        let SandboxSettings::Oci(settings) = load(&dated).unwrap().sandbox else { panic!("a container was asked for") };
        assert_eq!(
            (settings.images[0].from, settings.images[0].image.as_str()),
            (jiff::civil::date(2019, 6, 1), "old")
        );
        let error = load(&dated.replace("2019-06-01", "June")).unwrap_err().to_string();
        assert!(error.contains("line 8") && error.contains("`June` is no day of the form 2019-06-01"), "{error}");
        let error = load(&text.replace("gpus", "gpu")).unwrap_err().to_string();
        assert!(error.contains("unknown field `gpu`"), "{error}");
    }

    mod attacks {
        use super::*;

        #[test]
        fn hosts_are_plain_names_and_none_by_default() {
            assert_eq!(load(VALID).unwrap().installs, InstallSettings::default());
            let text = |hosts: &str| format!("{VALID}[installs]\nhosts = [\"{hosts}\"]\n");
            assert_eq!(load(&text("files.example.org")).unwrap().installs.hosts.len(), 1);
            for wrong in
                ["127.0.0.1", "*.example.org", "files.example.org:8443", "https://files.example.org", "localhost"]
            {
                let error = load(&text(wrong)).unwrap_err().to_string();
                assert!(error.contains("is no plain name of a host") && error.contains("study.toml"), "{error}");
            }
            let error = load(&text("files.example.org").replace("hosts", "host")).unwrap_err().to_string();
            assert!(error.contains("unknown field `host`"), "{error}");
        }

        #[test]
        fn a_file_without_end_is_not_waited_for() {
            let dir = tempfile::tempdir().unwrap();
            let path = dir.path().join("study.toml");
            rustix::fs::mkfifoat(rustix::fs::CWD, &path, rustix::fs::Mode::RWXU).unwrap();
            assert!(Study::load(&path).unwrap_err().to_string().contains("is a named pipe"));
            std::fs::remove_file(&path).unwrap();
            std::os::unix::fs::symlink("/dev/zero", &path).unwrap();
            assert!(RepairSettings::load(&path).unwrap_err().to_string().contains("is a device"));
            std::fs::remove_file(&path).unwrap();
            std::fs::File::create(&path).unwrap().set_len(1 << 40).unwrap();
            assert!(Study::load(&path).unwrap_err().to_string().contains("has more than"));
        }
    }

    #[test]
    fn an_unknown_baseline_names_the_known_ones() {
        let error = load(&VALID.replace("\"now\"", "\"then\"")).unwrap_err().to_string();
        assert!(error.contains("`then`") && error.contains("there are: now"), "{error}");
        let error = load(&VALID.replace("\"now\"", "\"mow\"")).unwrap_err().to_string();
        assert!(error.contains("study.toml is not a valid study file: line 7: baseline `mow`"), "{error}");
        assert!(error.ends_with("there are: now; did you mean `now`?"), "{error}");
    }

    #[test]
    fn values_that_make_no_sense_are_refused() {
        assert!(load(&format!("{VALID}tau = -1.0\n")).is_err());
        assert!(load(&format!("{VALID}[limits]\nseconds = 0.0\n")).is_err());
        assert!(load(&format!("{VALID}[limits]\ncpu_seconds = nan\n")).is_err());
        assert!(load(&format!("{VALID}[limits]\ncell_seconds = 0\n")).is_err());
        let error = load(&format!("{VALID}[limits]\nseconds = 1e300\n")).unwrap_err().to_string();
        assert!(error.contains("line 9: limits.seconds = 1e300 must be at most 1000000000"), "{error}");
        let error = load(&format!("{VALID}\n[mine.manners]\nburst = 0\n")).unwrap_err().to_string();
        assert!(error.contains("line 10: mine.manners.burst must be at least 1"), "{error}");
        let error = load(&format!("{VALID}[limits]\nsecond = 5\n")).unwrap_err().to_string();
        assert!(error.ends_with("; did you mean `seconds`?") && error.contains("at line 9"), "{error}");
        assert!(load(&format!("{VALID}[limits]\nmemory = 5\n")).unwrap_err().to_string().contains("memory"));
        assert!(load(&VALID.replace("\"now\"", "\"../now\"")).is_err());
        assert!(load(&format!("{VALID}repeat = 0\n")).unwrap_err().to_string().contains("repeat"));
        assert!(load(&format!("{VALID}jobs = \"most\"\n")).unwrap_err().to_string().contains("`auto`"));
        assert!(load(&format!("{VALID}[disk]\nlongest_wait_seconds = nan\n")).is_err());
        assert!(load(&format!("{VALID}[retry]\nattempts = 0\n")).is_err());
        let error = load(&format!("{VALID}token_encoding = \"p50k\"\n")).unwrap_err().to_string();
        assert!(error.contains("token_encoding: `p50k` is not an encoding"), "{error}");
        let error = load(&format!("{VALID}[[funnel]]\nstep = \"pyhton\"\n")).unwrap_err().to_string();
        assert!(error.contains("unknown step `pyhton`"), "{error}");
    }

    #[test]
    fn the_bundled_study_says_what_the_defaults_are() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../study/mle-modernizer/study.toml");
        let study = Study::load(&path).unwrap();
        assert_eq!((study.funnel, study.target_score), (Funnel::default(), TargetScore::default()));
        assert_eq!((study.token_cutoff, study.token_encoding), (Cutoff::default(), Encoding::default()));
        assert_eq!(study.repair, RepairSettings::default());
        assert_eq!((study.disk, study.retry), (DiskSettings::default(), RetrySettings::default()));
    }
}
