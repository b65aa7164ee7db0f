//! Says when a version was forgotten: what rules and loop do with a fixed corpus is kept beside the number of their version.
//!
//! A snapshot that differs means: outcomes made before may be others now. Raise [`RULES_VERSION`] or [`LOOP_VERSION`], which makes those
//! run again, run this test once more with `INSTA_UPDATE=always`, and delete the snapshot of the version before. A change that cannot
//! change an outcome (a comment, another way to the same text) leaves the snapshot as it is.

use std::collections::BTreeMap;
use std::convert::Infallible;

use nbrevive_corpus::content_hash;
use nbrevive_notebook::{Cell, Notebook, percent};
use nbrevive_repair::{
    Assessment, Breach, CellFeedback, Contract, Feedback, FirstError, Guard, LOOP_VERSION, PatchProvider, Proposal,
    ProviderError, RULES_VERSION, Ran, RefusedFix, Rules, Subject, WorkflowSettings, answer, fix_type, modernize,
};
use nbrevive_rules::{Rule, catalogue};

/// Enough to tell two texts apart.
fn digest(text: &str) -> String {
    content_hash(text.as_bytes())[..12].to_owned()
}

/// The example of a rule between cells of other ones, so that what a rule does beside its own cell is seen too.
fn notebook(before: &Rule, rule: &Rule, after: &Rule) -> Notebook {
    Notebook::from_cells([before, rule, after].map(|rule| Cell::code(rule.example.before)).to_vec())
}

/// The error of the middle cell, on each of its lines.
fn errors(rule: &Rule) -> Vec<CellFeedback> {
    let (ename, evalue) = rule.example.error;
    let lines = if ename.is_empty() { 0 } else { rule.example.before.lines().count() };
    let error = |line: usize| CellFeedback {
        cell: 1,
        ename: ename.to_owned(),
        evalue: evalue.to_owned(),
        traceback: String::new(),
        line: u32::try_from(line).ok(),
    };
    (1..=lines).map(error).collect()
}

/// Each rule's example with its neighbours in the catalogue.
fn corpus() -> Vec<(&'static Rule, Notebook)> {
    let rules: Vec<&Rule> = catalogue().collect();
    let next = |place: usize| rules[(place + 1) % rules.len()];
    let last = |place: usize| rules[(place + rules.len() - 1) % rules.len()];
    (0..rules.len()).map(|place| (rules[place], notebook(last(place), rules[place], next(place)))).collect()
}

#[test]
fn what_the_rules_propose_is_that_of_their_version() {
    let packages = BTreeMap::new();
    let mut told = String::new();
    for (rule, notebook) in corpus() {
        let mut feedback = Feedback::of_errors(&notebook, errors(rule), &packages);
        feedback.submitted = Some(jiff::civil::date(2017, 6, 1));
        feedback.timed_out = rule.example.error.0.is_empty();
        let said =
            [Ok(Rules.propose(&feedback)), FirstError(Rules).propose(&feedback)].map(|proposal| match proposal {
                Ok(Some(proposal)) => {
                    let applied: Vec<String> =
                        proposal.applied.iter().map(|one| format!("{} {}", one.rule, one.cell)).collect();
                    digest(&[percent::render(&proposal.notebook), proposal.plan, applied.join("\n")].join("\n"))
                }
                Ok(None) => "nothing".to_owned(),
                Err(error) => error.to_string(),
            });
        told.push_str(&format!("{} {}\n", rule.id, said.join(" ")));
    }
    insta::assert_snapshot!(format!("rules-{RULES_VERSION}"), told);
}

/// Cells that a patch may not bring, or may, one of each kind; the guards' own tests have more.
const PATCHES: &[&str] = &[
    "import pandas as pd\ny = pd.read_csv('/kaggle/input/private/answers.csv')\n",
    "import requests\n",
    "!pip install pandas\n",
    "import os\nos.environ['A']\n",
    "import subprocess\nsubprocess.run(['ls'])\n",
    "open('/etc/passwd').read()\n",
    "exec('x = 1')\n",
    "def f(:\n",
    "score = 0.87654\n",
    "x = [1, 2, 3]\n",
    "sub['y'] = 0\nsub.to_csv('submission.csv')\n",
];

/// Answers of a model to a question about a notebook of one cell, well formed or not.
const ANSWERS: &[&str] = &[
    "1. plan\n\n```python\n# %%\nx = 2\n```\n",
    "1. plan\n\n```python\nx = 2\n```\n",
    "```\n# %%\nx = 2\n```\n",
    "no code at all\n",
    "1. plan\n\n```python\n# %%\nx = 2\n",
    "1. plan\n\n```python\n# %%\n...\n```\n",
    "1. plan\n\n```python\n# %%\nx = 2\n```\n```python\n# %%\nx = 3\n```\n",
    "1. plan\n\n```python\n# %%\nx = (\n```\n",
];

fn told(assessment: &Assessment) -> String {
    let (notebook, packages) = (Notebook::from_cells(vec![Cell::code("x = 1")]), BTreeMap::new());
    let ran = Ran { failed: assessment.failed, ..Ran::default() };
    let feedback = Feedback {
        timed_out: assessment.timed_out,
        score: assessment.score,
        ran,
        ..Feedback::of_errors(&notebook, assessment.errors.clone(), &packages)
    };
    fix_type(&feedback).to_string()
}

/// Replaces the code by the next text of a list.
struct Script(Vec<&'static str>);

impl PatchProvider for Script {
    fn name(&self) -> &'static str {
        "script"
    }

    fn propose(&mut self, feedback: &Feedback<'_>) -> Result<Option<Proposal>, ProviderError> {
        if self.0.is_empty() {
            return Ok(None);
        }
        let notebook = Notebook::from_cells(vec![Cell::code(self.0.remove(0))]);
        Ok(Some(Proposal { notebook, fix_type: fix_type(feedback), applied: Vec::new(), plan: "next".to_owned() }))
    }
}

/// What is proposed one after the other; the words say what their execution comes to.
const SCRIPTS: &[&[&str]] = &[
    &[],
    &["good"],
    &["bad", "slow", "good"],
    &["slow", "dead", "off", "good"],
    &["bad", "start"],
    &["bad", "bad"],
    &["import requests", "good"],
    &["b1", "b2", "b3", "b4", "good"],
];

/// What the loop comes to with a script.
fn looped(script: &[&'static str]) -> String {
    let raised =
        CellFeedback { cell: 0, ename: "E".to_owned(), evalue: "e".to_owned(), traceback: String::new(), line: None };
    let failing = Assessment { errors: vec![raised], ..Assessment::default() };
    let mut run = |notebook: &Notebook| -> Result<Assessment, Infallible> {
        Ok(match notebook.cells[0].source.as_str() {
            "good" => Assessment { reproducible: true, score: Some(0.5), ..Assessment::default() },
            "slow" => Assessment { timed_out: true, ..Assessment::default() },
            "dead" => Assessment { failed: true, ..Assessment::default() },
            "off" => Assessment { score: Some(0.1), ..Assessment::default() },
            _ => failing.clone(),
        })
    };
    let original = Notebook::from_cells(vec![Cell::code("start")]);
    let (subject, settings) = (Subject::default(), WorkflowSettings { max_fixes: 4, ..WorkflowSettings::default() });
    let mut providers: [Box<dyn PatchProvider>; 1] = [Box::new(Script(script.to_vec()))];
    let Ok(found) = modernize(&original, failing.clone(), &subject, &settings, &mut providers, &mut run);
    let fixes: Vec<String> = found.fixes.iter().map(|fix| format!("{} {:?}", fix.fix_type, fix.led_to)).collect();
    let refused: Vec<Option<Breach>> = found.refusals.iter().map(RefusedFix::breach).collect();
    format!("loop: {script:?}: {} [{}] {refused:?}", found.end, fixes.join(", "))
}

#[test]
fn what_the_loop_does_is_that_of_its_version() {
    let error =
        CellFeedback { cell: 0, ename: "E".to_owned(), evalue: "e".to_owned(), traceback: String::new(), line: None };
    let clean = Assessment::default();
    let states = [
        clean.clone(),
        Assessment { timed_out: true, ..clean.clone() },
        Assessment { failed: true, ..clean.clone() },
        Assessment { errors: vec![error.clone()], ..clean.clone() },
        Assessment { errors: vec![error], timed_out: true, ..clean.clone() },
        Assessment { score: Some(0.1), ..clean },
    ];
    let mut lines: Vec<String> = states.iter().map(|state| format!("kind of fix: {}", told(state))).collect();

    let original = Notebook::from_cells(vec![Cell::code("x = 1\n")]);
    let guard = Guard::new(&original, Contract { target: Some(0.87654), ..Contract::default() });
    for patch in PATCHES {
        let cells = vec![Cell::code("x = 1\n"), Cell::code(*patch)];
        let findings: Vec<String> = guard.check(&Notebook::from_cells(cells)).iter().map(ToString::to_string).collect();
        lines.push(format!("guards: {patch:?}: {}", findings.join("; ")));
    }
    for text in ANSWERS {
        let read = [None, Some(0)].map(|cell| match answer::read(text, &original, cell) {
            Ok(answer) => format!("{:?}", percent::render(&answer.notebook)),
            Err(error) => format!("refused: {error}"),
        });
        lines.push(format!("answer: {text:?}: {}", read.join(" / ")));
    }
    lines.extend(SCRIPTS.iter().map(|script| looped(script)));
    insta::assert_snapshot!(format!("loop-{LOOP_VERSION}"), lines.join("\n"));
}
