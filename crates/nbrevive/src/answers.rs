//! What a command answers: things that ended in some way, told one after the other to a person, or in a form for machines (docs/answers.md).
//!
//! All forms say the same: a command tells each thing once, and the form decides what becomes of it.

use std::sync::Mutex;

use jiff::Timestamp;
use nbrevive_files::unpoisoned;
use nbrevive_report::checked::{JunitCase, JunitEnd, JunitSuite};
use nbrevive_shown::{Shown, shown};
use serde::Serialize;
use serde_json::{Map, Value, json};

use crate::exit_code::Exit;
use crate::printer;
use crate::revision::REVISION;

/// Raised whenever a field gets another meaning or is gone; more fields do not raise it.
const VERSION: u32 = 1;

/// In which form a command answers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum AnswerFormat {
    /// Lines for people.
    #[default]
    Text,
    /// One JSON document at the end.
    Json,
    /// A line of JSON for each thing as it ends, between one for the beginning and one for the end.
    Ndjson,
    /// One JUnit file at the end, as continuous integration reads it.
    Junit,
}

/// How a thing ended, as far as all commands have it in common.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum AnswerEnd {
    /// As it should.
    Passed,
    /// It came to its end and is not what it should be.
    Failed,
    /// It did not come to its end.
    Error,
    /// It was not tried.
    Skipped,
}

impl AnswerEnd {
    const ALL: [(Self, &'static str); 4] =
        [(Self::Passed, "passed"), (Self::Failed, "failed"), (Self::Error, "error"), (Self::Skipped, "skipped")];
}

/// One thing that ended: a cell, a notebook, a job, an invariant.
#[derive(Debug, Serialize)]
pub(crate) struct AnswerCase<'a> {
    /// What it is part of.
    pub(crate) group: &'a str,
    /// Its name in there.
    pub(crate) name: &'a str,
    /// How it ended.
    pub(crate) end: AnswerEnd,
    /// The command's own word for how it ended.
    pub(crate) word: &'a str,
    /// The same in words; empty where there is nothing to say.
    pub(crate) told: &'a str,
    /// Wall-clock seconds; 0 where nothing ran.
    pub(crate) seconds: f64,
    /// What else the command says of it.
    #[serde(flatten)]
    pub(crate) more: Map<String, Value>,
}

/// The answers of one command in the making.
pub(crate) struct Answers {
    format: AnswerFormat,
    command: &'static str,
    about: Map<String, Value>,
    told: Mutex<Told>,
}

/// What was told so far.
struct Told {
    cases: Vec<Value>,
    suite: JunitSuite,
    counts: [usize; AnswerEnd::ALL.len()],
}

impl Answers {
    /// Begins to answer; `about` says of what.
    pub(crate) fn begin(format: AnswerFormat, command: &'static str, about: Map<String, Value>) -> Self {
        let property = |(name, value): (&String, &Value)| {
            (name.clone(), value.as_str().map_or_else(|| value.to_string(), str::to_owned))
        };
        let properties = about.iter().map(property).collect();
        let suite = JunitSuite::new(&format!("nbrevive {command}"), command, Timestamp::now(), properties);
        let told = Mutex::new(Told { cases: Vec::new(), suite, counts: [0; AnswerEnd::ALL.len()] });
        let answers = Answers { format, command, about, told };
        if format == AnswerFormat::Ndjson {
            let mut line = json!({ "event": "begin" });
            merge(&mut line, answers.head());
            print(&line);
        }
        answers
    }

    /// Tells how a thing ended; `text` is what a person reads of it.
    pub(crate) fn case(&self, case: &AnswerCase<'_>, text: &Shown) {
        let mut told = unpoisoned(self.told.lock());
        told.counts[case.end as usize] += 1;
        match self.format {
            AnswerFormat::Text => printer::data(text),
            AnswerFormat::Json => told.cases.push(json!(case)),
            AnswerFormat::Ndjson => {
                let mut line = json!({ "event": "case" });
                merge(&mut line, json!(case));
                print(&line);
            }
            AnswerFormat::Junit => told.suite.case(&junit(case)),
        }
    }

    /// Prints what only a person reads.
    pub(crate) fn text(&self, text: &Shown) {
        if self.format == AnswerFormat::Text {
            printer::data(text);
        }
    }

    /// Ends, with what came of all, and the code that the program ends with.
    pub(crate) fn end(self, sum: Value, exit: Exit) -> Exit {
        let head = self.head();
        let told = unpoisoned(self.told.into_inner());
        let counts: Map<String, Value> =
            AnswerEnd::ALL.iter().map(|(end, word)| ((*word).to_owned(), json!(told.counts[*end as usize]))).collect();
        let mut end = json!({ "counts": counts, "exit_code": exit as u8 });
        merge(&mut end, sum);
        match self.format {
            AnswerFormat::Text => {}
            AnswerFormat::Json => {
                let mut document = head;
                merge(&mut document, json!({ "cases": told.cases, "end": end }));
                printer::data(&shown!("{}\n", Shown::json(&format!("{document:#}"))));
            }
            AnswerFormat::Ndjson => {
                let mut line = json!({ "event": "end" });
                merge(&mut line, end);
                print(&line);
            }
            AnswerFormat::Junit => printer::data(&Shown::block(&told.suite.xml())),
        }
        exit
    }

    fn head(&self) -> Value {
        let (command, schema) = (self.command, format!("nbrevive.{}/{VERSION}", self.command.replace(' ', "-")));
        json!({ "schema": schema, "command": command, "program": REVISION, "about": self.about })
    }
}

fn junit<'a>(case: &'a AnswerCase<'a>) -> JunitCase<'a> {
    let told = (case.word, case.told, "");
    let end = match case.end {
        AnswerEnd::Passed => JunitEnd::Passed,
        AnswerEnd::Failed => JunitEnd::Failure(told),
        AnswerEnd::Error => JunitEnd::Error(told),
        AnswerEnd::Skipped => JunitEnd::Skipped(told),
    };
    JunitCase { class: case.group, name: case.name, seconds: case.seconds, end }
}

/// The fields of an object, for [`AnswerCase::more`].
pub(crate) fn fields(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}

fn merge(into: &mut Value, other: Value) {
    if let Value::Object(into) = into {
        into.extend(fields(other));
    }
}

fn print(line: &Value) {
    printer::data(&shown!("{}\n", Shown::json(&line.to_string())));
}
