//! What `study run` answers of its jobs.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Instant;

use nbrevive_corpus::Outcome;
use nbrevive_files::unpoisoned;
use nbrevive_shown::Shown;
use nbrevive_study::{Job, JobPlan, JobState, RunEvent, Study};
use serde_json::{Map, json};

use crate::answers::{AnswerCase, AnswerEnd, AnswerFormat, Answers, fields};
use crate::exit_code::Exit;

/// The jobs of a run, those that have their outcomes already among them.
pub(super) struct JobAnswers {
    answers: Answers,
    started: Mutex<BTreeMap<String, Instant>>,
}

impl JobAnswers {
    pub(super) fn begin(format: AnswerFormat, study: &Study, plan: &JobPlan) -> Self {
        let about = fields(json!({ "study": study.name, "title": study.title, "jobs": plan.jobs.len() }));
        let answers = JobAnswers { answers: Answers::begin(format, "study run", about), started: Mutex::default() };
        for planned in &plan.jobs {
            let told = planned.state.to_string();
            match planned.state {
                JobState::Done(outcome) => answers.case(&planned.job, ended(outcome), outcome.as_str(), &told),
                JobState::NotASubject(_) => answers.case(&planned.job, AnswerEnd::Skipped, "no-subject", &told),
                JobState::TooLong => answers.case(&planned.job, AnswerEnd::Skipped, "too-long", &told),
                JobState::OutOfDate | JobState::Missing | JobState::Again(_) | JobState::AfterBaseline => {}
            }
        }
        answers
    }

    pub(super) fn event(&self, event: &RunEvent<'_>) {
        match event {
            RunEvent::Started(job) => {
                unpoisoned(self.started.lock()).insert(key(job), Instant::now());
            }
            RunEvent::Ended(job, outcome) => self.case(job, ended(*outcome), outcome.as_str(), ""),
            RunEvent::Skipped(job) => self.case(job, AnswerEnd::Skipped, "no-subject", ""),
            RunEvent::Undone(job, error) => {
                self.case(job, AnswerEnd::Error, "undone", Shown::error(*error).as_str());
            }
            RunEvent::Paused(_) | RunEvent::Troubled(..) => {}
        }
    }

    fn case(&self, job: &Job, end: AnswerEnd, word: &str, told: &str) {
        let started = unpoisoned(self.started.lock()).remove(&key(job));
        let seconds = started.map_or(0.0, |started| started.elapsed().as_secs_f64());
        let (group, name) = (job.condition.as_str(), job.name());
        let case = AnswerCase { group, name: &name, end, word, told, seconds, more: Map::new() };
        self.answers.case(&case, &Shown::default());
    }

    pub(super) fn end(self, exit: Exit) -> Exit {
        self.answers.end(json!({}), exit)
    }
}

fn key(job: &Job) -> String {
    format!("{} {}", job.condition, job.name())
}

fn ended(outcome: Outcome) -> AnswerEnd {
    match outcome {
        Outcome::Failed => AnswerEnd::Error,
        outcome if outcome.is_reproducible() => AnswerEnd::Passed,
        _ => AnswerEnd::Failed,
    }
}
