//! The rows of a study's parquet files, as far as tables and figures need them.

mod fix_rows;

use std::collections::{BTreeMap, HashSet};
use std::path::Path;

use nbrevive_compare::CameBack;
use nbrevive_corpus::{
    Condition, ConditionPart, Exclusion, Failure, Judge, Outcome, OutputStatus, Repairer, Role, Roles, Surrounding,
};
use serde::Serialize;

use crate::at_once::both;
use crate::calls::Dialogues;
use crate::flaky::{Flaky, Repeated};
use crate::frame::{ColumnRule, Frame, FrameError, Kind, extra, optional, required};
use crate::words::Text;
pub(crate) use fix_rows::FixRow;
use fix_rows::read_fixes;

/// What a study was run on: the only row of `study.parquet`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Study {
    /// Its name.
    pub(crate) study: String,
    /// Its name as people read it.
    pub(crate) title: String,
    /// Name of the contemporary environment.
    pub(crate) baseline_environment: String,
    /// Python version of that environment.
    pub(crate) baseline_python: String,
    /// Its main packages with versions, as text.
    pub(crate) baseline_packages: String,
    /// Version and revision of the program.
    pub(crate) tool_revision: String,
    /// Processors, memory and system, as text.
    pub(crate) machine: String,
    /// Wall clock for a whole notebook, in seconds.
    pub(crate) time_limit_seconds: f64,
    /// What was asked of executions; told where it is no score, as in the paper.
    #[serde(skip_serializing_if = "asks_scores")]
    pub(crate) judge: Judge,
    /// The largest deviation that counts as reproducible, as a fraction.
    pub(crate) tau: f64,
    /// The largest number of fixes for one version.
    pub(crate) max_fixes: u32,
    /// How many versions were studied.
    pub(crate) versions: u32,
    /// How many versions its list of exclusions leaves out; told where it leaves some out.
    #[serde(skip_serializing_if = "is_nobody")]
    pub(crate) listed: u32,
    /// What its conditions are to the tables.
    #[serde(skip)]
    pub(crate) roles: Roles,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
const fn asks_scores(judge: &Judge) -> bool {
    judge.asks_scores()
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
const fn is_nobody(count: &u32) -> bool {
    *count == 0
}

/// What came out of one version under one condition: a row of `outcomes.parquet`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct OutcomeRow {
    /// Slug of the version.
    pub(crate) version: Text,
    /// Slug of its competition; empty where it belongs to none.
    pub(crate) competition: Text,
    /// Under which it was run.
    pub(crate) condition: Condition,
    /// What came out.
    pub(crate) outcome: Outcome,
    /// Whether there is a valid submission; none when failed.
    pub(crate) output_status: Option<OutputStatus>,
    /// Why the outcome is `failed`.
    pub(crate) failure: Option<Failure>,
    /// The target score, in the metric's unit; none where no score is asked for.
    pub(crate) target_score: Option<f64>,
    /// The deviation of the reproduced score; none without one.
    pub(crate) deviation: Option<f64>,
    /// How many fixes were applied.
    pub(crate) fixes: u32,
    /// How much of what its author left the repaired version shows; none without a loop, and in data of before.
    pub(crate) came_back: Option<CameBack>,
    /// Wall clock of the cells, in seconds.
    pub(crate) seconds: f64,
}

/// Everything that tables and figures are made from.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Data {
    /// What the study was run on.
    pub(crate) study: Study,
    /// One row a version and condition, in the order of conditions.
    pub(crate) outcomes: Vec<OutcomeRow>,
    /// One row a fix.
    pub(crate) fixes: Vec<FixRow>,
    /// What language models were asked, and what it cost.
    pub(crate) dialogues: Dialogues,
    /// What A/A runs found.
    pub(crate) repeated: Repeated,
}

const STUDY: &[ColumnRule] = &[
    required("study", Kind::Text),
    required("title", Kind::Text),
    required("baseline_environment", Kind::Text),
    required("baseline_python", Kind::Text),
    required("baseline_packages", Kind::Text),
    required("tool_revision", Kind::Text),
    required("machine", Kind::Text),
    required("time_limit_seconds", Kind::Number),
    extra("judge", Kind::Text),
    required("tau", Kind::Number),
    required("max_fixes", Kind::Count),
    required("versions", Kind::Count),
];

const FUNNEL: &[ColumnRule] = &[required("reasons", Kind::Text)];

const CONDITIONS: &[ColumnRule] = &[
    required("condition", Kind::Text),
    required("role", Kind::Text),
    required("environment", Kind::Text),
    required("repair", Kind::Text),
    optional("start", Kind::Text),
];

const OUTCOMES: &[ColumnRule] = &[
    required("version", Kind::Text),
    optional("competition", Kind::Text),
    required("condition", Kind::Text),
    required("outcome", Kind::Text),
    optional("output_status", Kind::Text),
    optional("failure", Kind::Text),
    optional("target_score", Kind::Number),
    optional("deviation", Kind::Number),
    required("fixes", Kind::Count),
    extra("came_back", Kind::Text),
    required("seconds", Kind::Number),
];

/// More fixes than this no study allows a version: tables and figures have a place for each number.
const MOST_FIXES: u32 = 1000;

impl Data {
    /// Reads `study.parquet`, `outcomes.parquet`, `fixes.parquet`, and the files of dialogues in `folder`.
    pub(crate) fn read(folder: &Path) -> Result<Self, FrameError> {
        let mut study = read_study(&folder.join("study.parquet"), read_roles(folder)?)?;
        study.listed = read_listed(&folder.join("funnel.parquet"))?;
        let (outcomes, fixes) = both(
            || read_outcomes(&folder.join("outcomes.parquet"), &study),
            || read_fixes(&folder.join("fixes.parquet"), &study),
        );
        Ok(Data {
            outcomes: outcomes?,
            fixes: fixes?,
            dialogues: Dialogues::read(folder)?,
            repeated: Repeated::read(folder)?,
            study,
        })
    }

    /// Does with flaky versions what was asked.
    pub(crate) fn with_flaky(mut self, flaky: Flaky) -> Self {
        if flaky == Flaky::LeaveOut {
            self.repeated.left_out = true;
            let repeated = &self.repeated;
            self.outcomes.retain(|row| !repeated.is_flaky(row.version.as_str()));
            self.fixes.retain(|row| !repeated.is_flaky(row.version.as_str()));
        }
        self
    }

    /// The conditions that ran, in the study's order.
    pub(crate) fn conditions(&self) -> impl Iterator<Item = Condition> {
        let parts = self.outcomes.chunk_by(|one, next| one.condition == next.condition);
        self.study.roles.in_order(parts.map(|rows| rows[0].condition)).into_iter()
    }

    /// The condition that has a role in this study, and the paper's where none has.
    pub(crate) fn condition(&self, role: Role) -> Condition {
        self.study.roles.condition(role)
    }

    /// The rows of the condition that has a role.
    pub(crate) fn of(&self, role: Role) -> std::slice::Iter<'_, OutcomeRow> {
        self.under(self.condition(role))
    }

    /// The fixes of the condition that has a role.
    pub(crate) fn fixes_of(&self, role: Role) -> impl Iterator<Item = &FixRow> {
        let condition = self.condition(role);
        self.fixes.iter().filter(move |fix| fix.condition == condition)
    }

    /// The rows of one condition.
    pub(crate) fn under(&self, condition: Condition) -> std::slice::Iter<'_, OutcomeRow> {
        let begin = self.outcomes.partition_point(|row| row.condition < condition);
        let end = self.outcomes.partition_point(|row| row.condition <= condition);
        self.outcomes[begin..end].iter()
    }
}

fn read_study(path: &Path, roles: Roles) -> Result<Study, FrameError> {
    let frame = Frame::read(path, STUDY)?;
    if frame.height() != 1 {
        return Err(frame.content_error(format!("it has {} rows, expected one study", frame.height())));
    }
    let text = |name: &str| frame.texts(name).map(|mut values| values.remove(0));
    // A zero that is not negative: both are the same number, and only one of them reads well.
    let number = |name: &str| frame.measures(name).map(|values| values[0] + 0.0);
    let max_fixes = frame.counts("max_fixes")?[0];
    if max_fixes > MOST_FIXES {
        return Err(frame.content_error(format!("`max_fixes` is {max_fixes}, expected at most {MOST_FIXES}")));
    }
    Ok(Study {
        study: text("study")?,
        title: text("title")?,
        baseline_environment: text("baseline_environment")?,
        baseline_python: text("baseline_python")?,
        baseline_packages: text("baseline_packages")?,
        tool_revision: text("tool_revision")?,
        machine: text("machine")?,
        time_limit_seconds: number("time_limit_seconds")?,
        // Data of before had no other.
        judge: frame.extra_words("judge")?.remove(0).unwrap_or(Judge::Score),
        tau: number("tau")?,
        max_fixes,
        versions: frame.counts("versions")?[0],
        listed: 0,
        roles,
    })
}

/// How many versions a list of exclusions leaves out, as the last step of the funnel says; data of before have none.
fn read_listed(path: &Path) -> Result<u32, FrameError> {
    if !path.is_file() {
        return Ok(0);
    }
    let reasons = Frame::read(path, FUNNEL)?.texts("reasons")?;
    let counted = |reasons: &String| serde_json::from_str::<BTreeMap<String, u32>>(reasons).ok();
    let counts = reasons.last().and_then(counted).unwrap_or_default();
    Ok(counts.get(Exclusion::Listed.as_str()).copied().unwrap_or(0))
}

/// What a study asks of its executions.
pub(crate) fn read_judge(folder: &Path) -> Result<Judge, FrameError> {
    Ok(read_study(&folder.join("study.parquet"), Roles::default())?.judge)
}

/// Reads `conditions.parquet`. Data of before have none: their conditions are the paper's.
pub(crate) fn read_roles(folder: &Path) -> Result<Roles, FrameError> {
    let path = folder.join("conditions.parquet");
    if !path.is_file() {
        return Ok(Roles::default());
    }
    let frame = Frame::read(&path, CONDITIONS)?;
    let (conditions, roles): (Vec<Condition>, Vec<Role>) = (frame.words("condition")?, frame.words("role")?);
    let (repairs, starts) = (frame.words::<Repairer>("repair")?, frame.optional_words("start")?);
    let environments: Vec<Surrounding> = frame.words("environment")?;
    let part = |row: usize| ConditionPart {
        role: roles[row],
        runs: environments[row].runs(),
        in_lock: environments[row] == Surrounding::Lock,
        repairs: repairs[row].repairs(),
        start: starts[row],
    };
    Ok(Roles::of(conditions.iter().enumerate().map(|(row, condition)| (*condition, part(row)))))
}

fn read_outcomes(path: &Path, study: &Study) -> Result<Vec<OutcomeRow>, FrameError> {
    let mut rows = Vec::new();
    Frame::each(path, OUTCOMES, |frame| {
        let read = outcomes_of(frame)?;
        check_outcomes(frame, &read, study)?;
        rows.extend(read);
        Ok(())
    })?;
    // What `Data::under` rests on; an export has them so.
    rows.sort_by_key(|row: &OutcomeRow| row.condition);
    match standing_twice(&rows) {
        None => Ok(rows),
        Some(row) => {
            let (version, condition) = (&*row.version, row.condition);
            let message = format!("version `{version}` stands twice under `{condition}`");
            Err(FrameError::Content { path: path.to_owned(), message })
        }
    }
}

/// A row whose version has one before it under the same condition.
fn standing_twice(rows: &[OutcomeRow]) -> Option<&OutcomeRow> {
    let key = |row: &OutcomeRow| (row.condition, row.version.clone());
    // Rows in order need no memory of those before them.
    if rows.is_sorted_by(|a, b| (a.condition, &a.version) < (b.condition, &b.version)) {
        return None;
    }
    let mut seen = HashSet::new();
    rows.iter().find(|row| !seen.insert(key(row)))
}

fn outcomes_of(frame: &Frame) -> Result<Vec<OutcomeRow>, FrameError> {
    let conditions: Vec<Condition> = frame.words("condition")?;
    let outcomes: Vec<Outcome> = frame.words("outcome")?;
    let output_statuses: Vec<Option<OutputStatus>> = frame.optional_words("output_status")?;
    let failures: Vec<Option<Failure>> = frame.optional_words("failure")?;
    let deviations = frame.optional_numbers("deviation")?;
    let fixes = frame.counts("fixes")?;
    let came_back = frame.extra_words("came_back")?;
    let seconds = frame.measures("seconds")?;
    let target_scores = frame.optional_numbers("target_score")?;
    let names = frame.shared_texts("version")?.into_iter().zip(frame.extra_shared_texts("competition")?);
    let row = |(index, (version, competition)): (usize, (Text, Text))| OutcomeRow {
        version,
        competition,
        condition: conditions[index],
        outcome: outcomes[index],
        output_status: output_statuses[index],
        failure: failures[index],
        target_score: target_scores[index],
        deviation: deviations[index],
        fixes: fixes[index],
        came_back: came_back[index],
        seconds: seconds[index],
    };
    Ok(names.enumerate().map(row).collect())
}

/// Every row fits one row of Tables 1 to 3.
fn check_outcomes(frame: &Frame, rows: &[OutcomeRow], study: &Study) -> Result<(), FrameError> {
    let wrong = rows.iter().find_map(|row| Some((row, row.contradiction(study)?)));
    wrong.map_or(Ok(()), |(OutcomeRow { version, condition, .. }, problem)| {
        Err(frame.content_error(format!("version `{}` under `{condition}`: {problem}", version.as_str())))
    })
}

impl OutcomeRow {
    /// Why this row fits no row of the tables.
    fn contradiction(&self, study: &Study) -> Option<String> {
        if self.fixes > study.max_fixes {
            return Some(format!("{} fixes, where the study allows {}", self.fixes, study.max_fixes));
        }
        // Infinite is right: that is how far any score is from a target of zero.
        if let Some(deviation) = self.deviation.filter(|deviation| deviation.is_nan() || *deviation < 0.0) {
            return Some(format!("its deviation is {deviation}, expected a number that is not negative"));
        }
        let outcome = self.outcome;
        if let Some(deviation) =
            self.deviation.filter(|deviation| (*deviation <= study.tau) != outcome.is_reproducible())
        {
            return Some(format!("outcome `{outcome}` with a deviation of {deviation}, where τ is {}", study.tau));
        }
        match (outcome, self.output_status, self.failure) {
            (Outcome::Failed, _, Some(failure)) => (study.judge.asks_scores()
                && !can_fail_so(&study.roles, self.condition, failure))
            .then(|| format!("failure `{failure}` cannot happen under this condition")),
            (Outcome::Failed, _, None) => Some("outcome `failed` without a failure".to_owned()),
            (_, _, Some(failure)) => Some(format!("outcome `{outcome}` with failure `{failure}`")),
            (_, None, None) if !study.judge.asks_scores() => None,
            (_, None, None) => Some(format!("outcome `{outcome}` without an output status")),
            (_, Some(OutputStatus::NoCsv), None) if outcome.is_reproducible() => {
                Some(format!("outcome `{outcome}` with output status `no-csv`"))
            }
            (_, Some(_), None) => None,
        }
    }
}

/// Which failures the table of a condition has a row for (paper, Tables 1 to 3).
pub(crate) fn can_fail_so(roles: &Roles, condition: Condition, failure: Failure) -> bool {
    let role = roles.role(condition);
    match failure {
        Failure::NotRun => !roles.runs(condition),
        Failure::Timeout | Failure::NotSaved => true,
        // What others than the paper's do is not known by their names.
        Failure::BackportFailed => match role {
            Role::Backport | Role::Further => true,
            Role::Baseline | Role::Modernize | Role::Ablation => false,
        },
        Failure::LlmFailed => roles.repairs(condition) || role == Role::Further,
    }
}
