//! Tasks by Slurm: job arrays of one task a batch.

mod states;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::{Deserialize, Serialize};

use crate::cluster::slurm::states::{of_accounting, of_queue};
use crate::cluster::submitter::{Submission, SubmitError, Submitter, TaskState};
use crate::cluster::task_end::TaskEnd;

/// The script of a task, unless the user gives another one.
pub const SLURM_TEMPLATE: &str = include_str!("slurm/template.sh");

/// What of a script is put in by this program: its own path, the list of an array's batches, the shared folder.
const PLACES: [&str; 2] = ["{program}", "{list}"];
/// Most tasks of one array: one less than Slurm's own default of `MaxArraySize`.
const LARGEST_ARRAY: usize = 1000;
/// The oldest version whose words are known, as year and month.
const OLDEST: (u32, u32) = (20, 11);
/// What a task's time limit has beside twice the time that is expected, in seconds.
const SLACK: f64 = 900.0;
/// After so many seconds without a word a task is given up that Slurm does not know any more.
const SILENCE: u64 = 300;
/// After so many seconds one is given up that never began either. A controller that is killed forgets what it was given in the seconds
/// before; what is over it knows for `MinJobAge`, 300 seconds unless told.
const LOST: u64 = 60;

/// What of Slurm is asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SlurmSettings {
    /// The partition; Slurm's default without it.
    pub partition: Option<String>,
    /// The account.
    pub account: Option<String>,
    /// Generic resources of a task, such as `gpu:1`.
    pub gres: Option<String>,
    /// The script of a task.
    pub template: String,
    /// Most tasks at a time, running or waiting.
    pub max_jobs: usize,
    /// Cores of a task.
    pub cores: u32,
    /// Memory of a task in MiB.
    pub memory_mib: u64,
    /// Jobs at a time in a task.
    pub jobs: usize,
    /// The shared folder.
    pub shared: PathBuf,
    /// This program.
    pub program: PathBuf,
}

/// Submits arrays with `sbatch`, and asks `squeue` and `sacct` for them.
#[derive(Debug)]
pub struct SlurmSubmitter {
    settings: SlurmSettings,
}

impl SlurmSubmitter {
    /// With these settings.
    #[must_use]
    pub fn new(settings: &SlurmSettings) -> Self {
        SlurmSubmitter { settings: settings.clone() }
    }

    /// Whether tasks can be submitted, asked before anything is prepared for them.
    ///
    /// # Errors
    /// When Slurm is not here, too old or does not answer, or has no such partition; when the script never starts this program.
    pub fn check(&self) -> Result<(), SubmitError> {
        let refused = |command: &str, said: String| Err(SubmitError::Refused { command: command.to_owned(), said });
        if let Some(place) = PLACES.iter().find(|place| !self.settings.template.contains(**place)) {
            return refused("--template", format!("the template has no `{place}`, so that it starts no task"));
        }
        let version = answer(Command::new("sinfo").arg("--version"))?;
        if version_of(&version).is_none_or(|version| version < OLDEST) {
            let (year, month) = OLDEST;
            return refused("sinfo --version", format!("{}; {year}.{month} or later is needed", version.trim()));
        }
        let known = answer(Command::new("sinfo").args(["--noheader", "--format=%R"]))?;
        let partitions: Vec<&str> = known.lines().map(str::trim).collect();
        match &self.settings.partition {
            Some(asked) if !partitions.contains(&asked.as_str()) => {
                refused("--partition", format!("there is no partition `{asked}`; known: {}", partitions.join(", ")))
            }
            _ => Ok(()),
        }
    }

    /// The script of an array whose batches stand in `list`, one a line.
    #[must_use]
    pub fn script(&self, list: &Path) -> String {
        let quoted = |path: &Path| format!("'{}'", path.display().to_string().replace('\'', "'\\''"));
        let of = self.settings.template.replace("{list}", &quoted(list));
        of.replace("{program}", &quoted(&self.settings.program))
    }

    /// The words with which an array of `count` tasks is submitted, the longest of which is expected to take `seconds`.
    #[must_use]
    pub fn words(&self, count: usize, seconds: f64) -> Vec<String> {
        let settings = &self.settings;
        let minutes = ((2.0 * seconds / settings.jobs.max(1) as f64 + SLACK) / 60.0).ceil().max(1.0);
        let mut words = vec![
            "--parsable".to_owned(),
            "--job-name=nbrevive".to_owned(),
            "--requeue".to_owned(),
            "--open-mode=append".to_owned(),
            // The program gets it, which hands in what it has.
            "--signal=B:TERM@60".to_owned(),
            format!("--array=0-{}", count.saturating_sub(1)),
            format!("--output={}", settings.shared.join("output/%A_%a.txt").display()),
            format!("--cpus-per-task={}", settings.cores),
            format!("--mem={}M", settings.memory_mib),
            format!("--time={minutes}"),
        ];
        let named = [("partition", &settings.partition), ("account", &settings.account), ("gres", &settings.gres)];
        words.extend(named.into_iter().filter_map(|(word, value)| Some(format!("--{word}={}", value.as_ref()?))));
        words
    }

    fn submit_array(&self, batches: &[Submission]) -> Result<Vec<String>, SubmitError> {
        let Some(first) = batches.first() else { return Ok(Vec::new()) };
        let list = self.settings.shared.join("output").join(format!("{}.list", first.batch));
        let script = list.with_extension("sh");
        let lines: String = batches.iter().map(|batch| format!("{}\n", batch.file.display())).collect();
        let written =
            nbrevive_files::write(&list, lines).and_then(|()| nbrevive_files::write(&script, self.script(&list)));
        written.map_err(|error| SubmitError::Refused { command: "sbatch".to_owned(), said: error.to_string() })?;
        let seconds = batches.iter().map(|batch| batch.expected_seconds).fold(0.0, f64::max);
        let said = answer(Command::new("sbatch").args(self.words(batches.len(), seconds)).arg(&script))?;
        // `--parsable` gives the number, and the cluster after a semicolon.
        let number = said.trim().split(';').next().and_then(|number| number.parse::<u64>().ok());
        let not_understood = || SubmitError::NotUnderstood { command: "sbatch --parsable".to_owned(), said };
        let number = number.ok_or_else(not_understood)?;
        Ok((0..batches.len()).map(|place| format!("{number}_{place}")).collect())
    }
}

impl Submitter for SlurmSubmitter {
    fn room(&self, under_way: usize) -> usize {
        self.settings.max_jobs.saturating_sub(under_way).min(LARGEST_ARRAY)
    }

    fn submit(&mut self, batches: &[Submission]) -> Result<Vec<String>, SubmitError> {
        self.submit_array(batches)
    }

    fn look(&mut self, tasks: &BTreeMap<u32, String>) -> Result<BTreeMap<u32, TaskState>, SubmitError> {
        if tasks.is_empty() {
            return Ok(BTreeMap::new());
        }
        let format = "--Format=jobarrayid:64,state:24,exit_code:16,reason:64";
        let said = answer(Command::new("squeue").args(["--me", "--noheader", "--array", "--states=all", format]))?;
        let mut known = of_queue(&said);
        let forgotten: Vec<&str> =
            tasks.values().map(String::as_str).filter(|task| !known.contains_key(*task)).collect();
        if !forgotten.is_empty() {
            let jobs = format!("--jobs={}", forgotten.join(","));
            let words = ["--noheader", "--parsable2", "--allocations", "--format=JobID,State,ExitCode", &jobs];
            // Where there is no accounting, only the journals know.
            if let Ok(said) = answer(Command::new("sacct").args(words)) {
                known.extend(of_accounting(&said));
            }
        }
        let state = |task: &String| known.get(task).copied().unwrap_or(TaskState::Unknown);
        Ok(tasks.iter().map(|(batch, task)| (*batch, state(task))).collect())
    }

    fn cancel(&mut self, tasks: &BTreeMap<u32, String>) -> Result<(), SubmitError> {
        if tasks.is_empty() {
            return Ok(());
        }
        answer(Command::new("scancel").arg("--quiet").args(tasks.values())).map(drop)
    }

    fn silence_seconds(&self) -> u64 {
        SILENCE
    }

    fn unbegun(&self) -> (u64, TaskEnd) {
        (LOST, TaskEnd::Lost)
    }
}

/// What a command of Slurm says.
fn answer(command: &mut Command) -> Result<String, SubmitError> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.stdin(Stdio::null()).output().map_err(|source| SubmitError::NoProgram {
        program: name.clone(),
        source,
        what: "`--on slurm` runs where Slurm's commands are, on a cluster's login node",
    })?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    // Words of its library for a controller that is away or busy (slurm/slurm_errno.c).
    let passing = ["Unable to contact", "timed out", "Connection refused", "Zero Bytes", "Unexpected message", "busy"];
    if passing.iter().any(|word| said.contains(word)) {
        return Err(SubmitError::Away { command: name, said });
    }
    Err(SubmitError::Refused { command: name, said })
}

/// Year and month of `slurm 22.05.8` or `slurm-wlm 22.05.8`.
fn version_of(said: &str) -> Option<(u32, u32)> {
    let mut numbers = said.split_whitespace().nth(1)?.split('.');
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(crate) fn submitter() -> SlurmSubmitter {
        SlurmSubmitter::new(&SlurmSettings {
            partition: Some("p".to_owned()),
            account: None,
            gres: Some("gpu:1".to_owned()),
            template: SLURM_TEMPLATE.to_owned(),
            max_jobs: 500,
            cores: 4,
            memory_mib: 2048,
            jobs: 2,
            shared: PathBuf::from("/home/it's shared"),
            program: PathBuf::from("/usr/bin/nbrevive"),
        })
    }

    #[test]
    fn a_task_is_asked_for_with_what_it_needs() {
        let words = submitter().words(12, 1800.0);
        for word in ["--array=0-11", "--partition=p", "--gres=gpu:1", "--cpus-per-task=4", "--mem=2048M", "--time=45"] {
            assert!(words.contains(&word.to_owned()), "{word} of {words:?}");
        }
        assert!(!words.iter().any(|word| word.starts_with("--account")));
    }

    #[test]
    fn the_script_is_the_template_with_paths_as_words_of_a_shell() {
        let script = submitter().script(Path::new("/home/it's shared/output/1.list"));
        assert!(script.starts_with("#!/bin/sh") && !script.contains("{list}") && !script.contains("{program}"));
        assert!(
            script.contains("'/home/it'\\''s shared/output/1.list'")
                && script.contains("'/usr/bin/nbrevive' study work")
        );
    }

    #[test]
    fn a_template_that_starts_nothing_is_refused_before_anything_else() {
        let mut submitter = submitter();
        submitter.settings.template = "echo {list}".to_owned();
        assert!(submitter.check().unwrap_err().to_string().contains("no `{program}`"));
    }

    #[test]
    fn versions_are_read_as_distributions_write_them() {
        assert_eq!(version_of("slurm 22.05.8\n"), Some((22, 5)));
        assert_eq!(version_of("slurm-wlm 23.11.4"), Some((23, 11)));
        assert!(version_of("slurm 19.05.5").is_some_and(|version| version < OLDEST));
        assert_eq!(version_of("slurm"), None);
    }
}
