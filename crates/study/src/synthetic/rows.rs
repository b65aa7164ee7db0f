//! The rows of a made-up study; each says that it is made up.

use nbrevive_corpus::{
    Condition, DEFAULT_TAU, EnvironmentKind, Exclusion, Failure, FixType, FlowState, Judge, LoopEnd,
};
use nbrevive_stats::Random;
use nbrevive_store::executions::{
    CellErrorRow, CellRow, CellStatus, EnvironmentRow, ExecutionCost, ExecutionKey, ExecutionRow, set_environment,
};
use nbrevive_store::fixes::FixRow;
use nbrevive_store::grades::GradeRow;
use nbrevive_store::left_out::LeftOutRow;
use nbrevive_store::loops::LoopEndRow;
use nbrevive_store::outcomes::OutcomeRow;
use nbrevive_store::studies::{self, StudyRow};
use nbrevive_store::versions::VersionRow;
use nbrevive_store::{Filling, Store, StoreError};

use super::deal::{Dealt, Fix, MAX_FIXES};
use super::fate::{Distance, Fate};

const MADE_UP: &str = "synthetic: made up, nothing was run";
const ENVIRONMENT: &str = "synthetic-environment";
const TIME: &str = "2000-01-01T00:00:00Z";
/// Wall clock for a notebook (paper, section 2.1.2).
const TIME_LIMIT: f64 = 600.0;
/// Competitions of the paper (section 2.1.1).
const COMPETITIONS: usize = 79;
/// Errors at baseline by type, as section 4.5 of the paper counts them; the last type stands for all others.
const ERRORS: [(&str, u64); 6] = [
    ("NameError", 51_772),
    ("AttributeError", 19_923),
    ("ValueError", 9316),
    ("KeyError", 2773),
    ("TypeError", 2407),
    ("SyntheticError", 6595),
];

/// Stores the facts of the study and its environment.
pub(super) fn prepare(store: &mut Store, revision: &str) -> Result<(), StoreError> {
    let row = StudyRow {
        study: "synthetic".to_owned(),
        title: "SYNTHETIC: made up with the counts of the paper, nothing was run".to_owned(),
        baseline_environment: ENVIRONMENT.to_owned(),
        baseline_python: "0".to_owned(),
        baseline_packages: "synthetic".to_owned(),
        tool_revision: revision.to_owned(),
        machine: "synthetic machine".to_owned(),
        time_limit_seconds: TIME_LIMIT,
        judge: Judge::Score,
        tau: DEFAULT_TAU,
        max_fixes: u32::try_from(MAX_FIXES).unwrap_or(u32::MAX),
    };
    studies::set(store, &row)?;
    let environment = EnvironmentRow {
        environment: ENVIRONMENT.to_owned(),
        kind: EnvironmentKind::Lock,
        python: "0".to_owned(),
        requirements: MADE_UP.to_owned(),
        lock: None,
        failure: None,
    };
    set_environment(store, &environment)
}

/// One run: what came of it, and in how many errors.
struct Run {
    fate: Fate,
    error_cells: u32,
    grade: Result<f64, String>,
    seconds: f64,
}

/// Puts rows into a store.
pub(super) struct Rows<'a> {
    filling: &'a Filling<'a>,
    random: Random,
    cells: u32,
    revision: &'a str,
}

impl<'a> Rows<'a> {
    /// `cells` is how many rows of cells an execution has.
    pub(super) const fn new(filling: &'a Filling<'a>, random: Random, cells: u32, revision: &'a str) -> Self {
        Rows { filling, random, cells, revision }
    }

    /// All rows of all versions.
    pub(super) fn put(mut self, dealt: &Dealt) -> Result<(), StoreError> {
        for (number, (baseline, backport)) in dealt.baseline.iter().zip(&dealt.backport).enumerate() {
            let version = self.version(number)?;
            let run = self.run(*baseline, &version);
            self.outcome(&version, Condition::BASELINE, &run, 0)?;
            self.execution(&version, Condition::BASELINE, &run, 0)?;
            let run = self.run(*backport, &version);
            self.outcome(&version, Condition::BACKPORT, &run, 0)?;
            if *backport != Fate::Failed(Failure::BackportFailed) {
                self.execution(&version, Condition::BACKPORT, &run, 0)?;
            }
            match &dealt.modernize[number] {
                Some((end, fixes)) => self.modernize(&version, *end, fixes)?,
                None if baseline.outcome().is_reproducible() || baseline.state() == Some(FlowState::Timeout) => {}
                None if matches!(baseline, Fate::Ran { .. }) => self.left_out(&version)?,
                None => {}
            }
        }
        Ok(())
    }

    fn version(&mut self, number: usize) -> Result<VersionRow, StoreError> {
        let code_cells = 5 + self.below(60);
        let row = VersionRow {
            version: format!("synthetic-{number:07}"),
            competition: Some(format!("synthetic-competition-{:02}", number % COMPETITIONS)),
            repository: None,
            title: format!("synthetic notebook {number}"),
            submitted: format!("{}-{:02}-01T00:00:00Z", 2016 + self.below(10), 1 + self.below(12)),
            notebook_hash: None,
            code_cells: Some(code_cells),
            code_lines: Some(code_cells * (2 + self.below(8))),
            markdown_cells: Some(code_cells / 2),
            largest_count: Some(code_cells * 3),
            target_score: Some(0.5 + self.share() / 2.0),
            exclusion: None,
            exclusion_detail: None,
        };
        self.filling.version(&row)?;
        Ok(row)
    }

    /// A run of a version that comes to `fate`.
    fn run(&mut self, fate: Fate, version: &VersionRow) -> Run {
        let target = version.target_score.unwrap_or(1.0);
        let sign = if self.below(2) == 0 { 1.0 } else { -1.0 };
        let (errors, deviation) = match fate {
            Fate::Ran { errors, score: Distance::Within } => (errors, Some(self.share() * 0.99 * DEFAULT_TAU)),
            Fate::Ran { errors, score: Distance::Beyond } => (errors, Some(DEFAULT_TAU * (1.01 + 4.0 * self.share()))),
            Fate::Ran { errors, score: Distance::NoScore } => (errors, None),
            Fate::Failed(_) => (false, None),
        };
        let most = if self.cells == 0 { 10 } else { self.cells };
        let error_cells = if errors { 1 + self.below(most) } else { 0 };
        let grade = deviation.map(|deviation| target * (1.0 + sign * deviation)).ok_or_else(|| "missing".to_owned());
        let seconds = if fate == Fate::Failed(Failure::Timeout) { TIME_LIMIT } else { 1.0 + self.share() * 400.0 };
        Run { fate, error_cells, grade, seconds }
    }

    fn outcome(
        &self,
        version: &VersionRow,
        condition: Condition,
        run: &Run,
        fixes: usize,
    ) -> Result<OutcomeRow, StoreError> {
        let target = version.target_score.unwrap_or(1.0);
        let verdict = run.fate.verdict(run.error_cells, run.grade.clone(), target, DEFAULT_TAU);
        let row = OutcomeRow {
            target_score: Some(target),
            environment: Some(ENVIRONMENT.to_owned()),
            fixes: fixes as u32,
            seconds: run.seconds,
            reason: MADE_UP.to_owned(),
            tool_revision: self.revision.to_owned(),
            recorded_at: TIME.to_owned(),
            ..OutcomeRow::new(&version.version, condition, "synthetic", verdict)
        };
        self.filling.outcome(&row)?;
        Ok(row)
    }

    fn execution(&mut self, version: &VersionRow, condition: Condition, run: &Run, fix: u32) -> Result<(), StoreError> {
        let environment = match condition {
            Condition::BACKPORT => "synthetic-environment-of-its-date",
            _ => ENVIRONMENT,
        };
        let key = ExecutionKey {
            version: version.version.clone(),
            code_hash: format!("synthetic-{fix}"),
            environment: environment.to_owned(),
            settings_hash: "synthetic".to_owned(),
        };
        let row = ExecutionRow {
            fix_number: fix,
            started_at: TIME.to_owned(),
            tool_revision: self.revision.to_owned(),
            error_cells: run.error_cells,
            grade: Some(GradeRow { result: run.grade.clone(), detail: None }),
            spent: ExecutionCost {
                seconds: run.seconds,
                startup_seconds: 1.0,
                cpu_seconds: Some(run.seconds),
                peak_memory_bytes: Some(1 << 28),
                ..ExecutionCost::default()
            },
            notebook_file: "executed/synthetic.ipynb".to_owned(),
            cells: (0..self.cells).map(|cell| self.cell(cell, run)).collect(),
            ..ExecutionRow::new(key, condition, run.fate.end())
        };
        self.filling.execution(&row)
    }

    /// The first cells are those that raise.
    fn cell(&mut self, cell: u32, run: &Run) -> CellRow {
        let raised = cell < run.error_cells;
        let error = raised.then(|| CellErrorRow {
            ename: self.error().to_owned(),
            evalue: MADE_UP.to_owned(),
            traceback: String::new(),
            line: Some(1),
        });
        let status = if raised { CellStatus::Error } else { CellStatus::Ok };
        CellRow { cell, status, seconds: Some(run.seconds / f64::from(self.cells)), error }
    }

    /// A type of errors, as often as the paper counts it.
    fn error(&mut self) -> &'static str {
        let mut at = self.random.below(ERRORS.iter().map(|(_, count)| count).sum());
        for (name, count) in ERRORS {
            if at < count {
                return name;
            }
            at -= count;
        }
        ERRORS[0].0
    }

    fn modernize(&mut self, version: &VersionRow, end: Fate, fixes: &[Fix]) -> Result<(), StoreError> {
        let mut rows = Vec::with_capacity(fixes.len());
        for (number, (fix_type, led_to)) in (1_u32..).zip(fixes) {
            let is_last = number as usize == fixes.len();
            let run = self.run(if is_last { end } else { Fate::in_state(*led_to) }, version);
            self.execution(version, Condition::MODERNIZE, &run, number)?;
            rows.push(self.fix(number, *fix_type, *led_to, &run, is_last));
            if is_last {
                let outcome = self.outcome(version, Condition::MODERNIZE, &run, fixes.len())?;
                self.repairs(&outcome, &rows)?;
            }
        }
        if fixes.is_empty() {
            let run = self.run(end, version);
            let outcome = self.outcome(version, Condition::MODERNIZE, &run, 0)?;
            self.repairs(&outcome, &rows)?;
        }
        Ok(())
    }

    fn repairs(&self, outcome: &OutcomeRow, rows: &[FixRow]) -> Result<(), StoreError> {
        let loop_end = match (outcome.verdict.outcome.is_reproducible(), rows.len()) {
            (true, _) => LoopEnd::Reproducible,
            (false, MAX_FIXES) => LoopEnd::FixesExhausted,
            (false, 0) => LoopEnd::ModelFailed,
            (false, _) => LoopEnd::NothingToPropose,
        };
        let end = LoopEndRow { loop_end, provider_errors: Vec::new(), came_back: None };
        self.filling.repairs(outcome, rows, &end)
    }

    fn fix(&mut self, number: u32, fix_type: FixType, led_to: FlowState, run: &Run, is_last: bool) -> FixRow {
        let note = match (led_to.outcome().is_reproducible() && !is_last, fix_type, led_to) {
            (true, ..) => "; Table 4 counts more fixes that led here than Table 3 has versions, so the loop went on",
            (_, FixType::RuntimeReduction, FlowState::ErrorFreeNonReproducible) => {
                "; one of the 1365 that Table 4 prints, with which its row adds up to 5,449 and not to the printed 4,449"
            }
            _ => "",
        };
        FixRow {
            number,
            fix_type,
            provider: "synthetic".to_owned(),
            rules: String::new(),
            plan: MADE_UP.to_owned(),
            patch: format!("{MADE_UP}{note}"),
            similarity_to_previous: 1.0 - 0.1 * self.share(),
            similarity_to_original: 1.0 - f64::from(number) / MAX_FIXES as f64 * self.share(),
            led_to,
            led_to_failure_cause: None,
            level: None,
            template: None,
            seconds: Some(self.share()),
            score: run.grade.as_ref().ok().copied(),
            state_code: Some(format!("synthetic-{number}")),
            state_failure: Some("synthetic".to_owned()),
            taken_back: None,
            is_switch: None,
        }
    }

    fn left_out(&self, version: &VersionRow) -> Result<(), StoreError> {
        self.filling.left_out(&LeftOutRow {
            version: version.version.clone(),
            condition: Condition::MODERNIZE,
            reason: Exclusion::TooLong,
            detail: MADE_UP.to_owned(),
        })
    }

    fn below(&mut self, end: u32) -> u32 {
        self.random.below(u64::from(end)) as u32
    }

    /// A number from 0 to below 1, in thousandths.
    fn share(&mut self) -> f64 {
        f64::from(self.below(1000)) / 1000.0
    }
}
