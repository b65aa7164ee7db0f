//! The loop against a provider and an executor that are scripted.

use std::collections::BTreeSet;
use std::convert::Infallible;

use nbrevive_notebook::Cell;

use super::*;
use crate::{Breach, CellFeedback, Feedback, FixType, FlowState, Proposal, Proposer, ProviderError, fix_type};

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

/// Cannot be asked.
struct Absent;

impl PatchProvider for Absent {
    fn name(&self) -> &'static str {
        "absent"
    }

    fn propose(&mut self, _: &Feedback<'_>) -> Result<Option<Proposal>, ProviderError> {
        Err(ProviderError::Unavailable { provider: "absent", reason: "no endpoint is configured".to_owned() })
    }
}

fn failing() -> Assessment {
    let error =
        CellFeedback { cell: 0, ename: "E".to_owned(), evalue: "e".to_owned(), traceback: String::new(), line: None };
    Assessment { errors: vec![error], ..Assessment::default() }
}

fn run_script(texts: Vec<&'static str>, settings: &WorkflowSettings) -> Modernization {
    let original = Notebook::from_cells(vec![Cell::code("a = 0")]);
    let mut providers: Vec<Box<dyn PatchProvider>> = vec![Box::new(Absent), Box::new(Script(texts))];
    let mut run = |notebook: &Notebook| -> Result<Assessment, Infallible> {
        Ok(match notebook.cells[0].source.as_str() {
            "good" => Assessment { reproducible: true, score: Some(0.5), ..Assessment::default() },
            "slow" => Assessment { timed_out: true, ..Assessment::default() },
            _ => failing(),
        })
    };
    match modernize(&original, failing(), &Subject::default(), settings, &mut providers, &mut run) {
        Ok(outcome) => outcome,
        Err(never) => match never {},
    }
}

#[test]
fn the_loop_ends_when_the_goal_is_reached() {
    let outcome = run_script(vec!["bad", "slow", "good", "never"], &WorkflowSettings::default());
    assert_eq!(outcome.end, LoopEnd::Runs);
    let states: Vec<FlowState> = outcome.fixes.iter().map(|fix| fix.led_to).collect();
    assert_eq!(states, [FlowState::ErrorNonReproducible, FlowState::Timeout, FlowState::ErrorFreeReproducible]);
    let types: Vec<FixType> = outcome.fixes.iter().map(|fix| fix.fix_type).collect();
    assert_eq!(types, [FixType::ErrorRepair, FixType::ErrorRepair, FixType::RuntimeReduction]);
    assert!(outcome.fixes[0].patch.contains("+bad"));
    assert_eq!(outcome.provider_errors.len(), 3);
}

#[test]
fn the_loop_ends_at_its_cap_without_a_proposal_and_on_repetition() {
    let settings = WorkflowSettings { max_fixes: 2, ..WorkflowSettings::default() };
    assert_eq!(run_script(vec!["b", "c", "good"], &settings).end, LoopEnd::FixesExhausted);
    assert_eq!(run_script(Vec::new(), &settings).end, LoopEnd::Unavailable);
    assert_eq!(run_script(vec!["b", "a = 0"], &WorkflowSettings::default()).end, LoopEnd::Repeated);
}

#[test]
fn a_reproducible_notebook_is_left_alone() {
    let original = Notebook::from_cells(vec![Cell::code("a = 0")]);
    let first = Assessment { reproducible: true, ..Assessment::default() };
    let mut run = |_: &Notebook| -> Result<Assessment, Infallible> { unreachable!("nothing to run") };
    let outcome = modernize(&original, first, &Subject::default(), &WorkflowSettings::default(), &mut [], &mut run);
    assert_eq!(outcome.map(|outcome| outcome.fixes.len()), Ok(0));
}

#[test]
fn nobody_to_ask_and_nothing_to_propose_are_told_apart() {
    let end = |mut providers: Vec<Box<dyn PatchProvider>>| {
        let mut run = |_: &Notebook| -> Result<Assessment, Infallible> { Ok(failing()) };
        let original = Notebook::from_cells(vec![Cell::code("a = 0")]);
        let (subject, settings) = (Subject::default(), WorkflowSettings::default());
        modernize(&original, failing(), &subject, &settings, &mut providers, &mut run).map(|outcome| outcome.end)
    };
    assert_eq!(end(vec![Box::new(Script(Vec::new()))]), Ok(LoopEnd::NothingToPropose));
    assert_eq!(end(vec![Box::new(Script(Vec::new())), Box::new(Absent)]), Ok(LoopEnd::Unavailable));
    assert_eq!(end(Vec::new()), Ok(LoopEnd::NothingToPropose));
}

#[test]
fn without_a_target_the_goal_is_no_error() {
    let (with, without) = (Subject { target: Some(0.5), ..Subject::default() }, Subject::default());
    let clean = Assessment::default();
    assert!(without.is_reached(&clean) && !with.is_reached(&clean));
    for open in [failing(), Assessment { timed_out: true, ..clean.clone() }, Assessment { failed: true, ..clean }] {
        assert!(!without.is_reached(&open) && !with.is_reached(&open));
    }
}

#[test]
fn a_patch_that_breaks_a_rule_is_refused_and_recorded() {
    let outcome = run_script(vec!["import requests", "good"], &WorkflowSettings::default());
    assert_eq!((outcome.end, outcome.fixes.len(), outcome.refusals.len()), (LoopEnd::Refused, 0, 1));
    let refusal = &outcome.refusals[0];
    assert_eq!((refusal.breach(), refusal.number), (Some(Breach::Network), 1));
    assert!(refusal.patch.contains("+import requests"));
}

#[test]
fn every_fix_knows_the_state_it_led_to() {
    let outcome = run_script(vec!["bad", "worse", "good"], &WorkflowSettings::default());
    let states: Vec<(&str, &str)> = outcome.fixes.iter().map(|fix| (fix.code.as_str(), fix.failure.as_str())).collect();
    assert_eq!(states[0].1, states[1].1, "they fail alike");
    assert_ne!(states[0].0, states[1].0, "their code differs");
    assert_ne!(states[1].1, states[2].1);
}

#[test]
fn the_order_for_the_type_of_a_fix_says_who_is_asked() {
    let order = ProposerOrder { error_repair: vec![Proposer::Rules], ..ProposerOrder::default() };
    let outcome = run_script(vec!["good"], &WorkflowSettings { order, ..WorkflowSettings::default() });
    assert_eq!((outcome.end, outcome.fixes.len()), (LoopEnd::NothingToPropose, 0), "no model is asked for errors");
    assert_eq!(outcome.unavailable, None);
    let order = ProposerOrder { score_calibration: vec![Proposer::Rules], ..ProposerOrder::default() };
    let outcome = run_script(vec!["good"], &WorkflowSettings { order, ..WorkflowSettings::default() });
    assert_eq!((outcome.end, outcome.fixes.len()), (LoopEnd::Runs, 1));
    assert_eq!(outcome.unavailable.as_deref(), Some("provider `absent` is not available: no endpoint is configured"));
}

#[test]
fn a_good_rule_mends_beside_a_refused_one() {
    let cells =
        ["from sklearn.datasets import load_boston\nb = load_boston()\n", "import numpy as np\nx = np.float(1)\n"];
    let original = Notebook::from_cells(cells.map(Cell::code).to_vec());
    let error = |cell, ename: &str, evalue: &str| CellFeedback {
        cell,
        ename: ename.to_owned(),
        evalue: evalue.to_owned(),
        traceback: String::new(),
        line: Some(1),
    };
    let boston = error(0, "ImportError", "`load_boston` has been removed from scikit-learn since version 1.2.");
    let float = error(1, "AttributeError", "module 'numpy' has no attribute 'float'");
    let first = Assessment { errors: vec![boston.clone(), float], ..Assessment::default() };
    let mut run = |_: &Notebook| -> Result<Assessment, Infallible> {
        Ok(Assessment { errors: vec![boston.clone()], ..Assessment::default() })
    };
    // The names of the columns that the one rule writes are a table, where none is allowed.
    let contract = Contract { most_new_constants: 5, ..Contract::default() };
    let settings = WorkflowSettings { contract, ..WorkflowSettings::default() };
    let mut providers: Vec<Box<dyn PatchProvider>> = vec![Box::new(crate::Rules)];
    let Ok(outcome) = modernize(&original, first, &Subject::default(), &settings, &mut providers, &mut run);
    let refusals: Vec<(usize, Option<Breach>)> =
        outcome.refusals.iter().map(|refusal| (refusal.number, refusal.breach())).collect();
    assert_eq!(refusals, [(1, Some(Breach::ConstantPredictions)), (2, Some(Breach::ConstantPredictions))]);
    let rules: Vec<&str> = outcome.fixes.iter().flat_map(|fix| &fix.applied).map(|one| one.rule.as_str()).collect();
    assert_eq!((rules, outcome.end), (vec!["numpy-removed-names"], LoopEnd::Refused));
    assert_eq!(outcome.notebook.cells[0].source, cells[0]);
    assert_eq!(outcome.notebook.cells[1].source, "import numpy as np\nx = float(1)\n");
}

/// Rules of the test's own.
struct Own<F>(F);

impl<F: Fn(&Feedback<'_>) -> (Notebook, Vec<crate::AppliedRule>)> PatchProvider for Own<F> {
    fn name(&self) -> &'static str {
        "rules"
    }

    fn propose(&mut self, feedback: &Feedback<'_>) -> Result<Option<Proposal>, ProviderError> {
        self.propose_without(feedback, &BTreeSet::new())
    }

    fn propose_without(
        &mut self,
        feedback: &Feedback<'_>,
        rules: &BTreeSet<String>,
    ) -> Result<Option<Proposal>, ProviderError> {
        let (notebook, applied) = (self.0)(feedback);
        let takes_part = !applied.is_empty() && !applied.iter().any(|one| rules.contains(&one.rule));
        let proposal = Proposal { notebook, fix_type: fix_type(feedback), plan: String::new(), applied };
        Ok(takes_part.then_some(proposal))
    }
}

fn applied(rule: &str, cell: usize) -> crate::AppliedRule {
    crate::AppliedRule { rule: rule.to_owned(), cell, line: 1, reason: String::new() }
}

/// Acts in two cells, in the first of them as no patch may.
fn careless(feedback: &Feedback<'_>) -> (Notebook, Vec<crate::AppliedRule>) {
    let (mut notebook, mut sites) = (feedback.notebook.clone(), Vec::new());
    for (cell, text) in ["import os\nos.system('ls')\n", "a = 2\n"].into_iter().enumerate() {
        let is_barred = feedback.barred.contains(&("careless".to_owned(), cell));
        if !is_barred && notebook.cells[cell].source != text {
            notebook.cells[cell].source = text.to_owned();
            sites.push(applied("careless", cell));
        }
    }
    (notebook, sites)
}

/// Has always something more to write, and never helps.
fn runaway(feedback: &Feedback<'_>) -> (Notebook, Vec<crate::AppliedRule>) {
    let source = format!("{}.again", feedback.notebook.cells[0].source);
    (Notebook::from_cells(vec![Cell::code(source)]), vec![applied("again", 0)])
}

#[test]
fn a_rule_that_is_refused_in_one_cell_mends_the_others() {
    let original = Notebook::from_cells(vec![Cell::code("a = 0\n"), Cell::code("a = 1\n")]);
    let mut providers: Vec<Box<dyn PatchProvider>> = vec![Box::new(Own(careless))];
    let mut run = |_: &Notebook| -> Result<Assessment, Infallible> { Ok(Assessment::default()) };
    let settings = WorkflowSettings::default();
    let Ok(outcome) = modernize(&original, failing(), &Subject::default(), &settings, &mut providers, &mut run);
    let sources: Vec<&str> = outcome.notebook.cells.iter().map(|cell| cell.source.as_str()).collect();
    assert_eq!((sources, outcome.end), (vec!["a = 0\n", "a = 2\n"], LoopEnd::Runs));
    assert_eq!(outcome.refusals.iter().map(|refusal| refusal.breach()).collect::<Vec<_>>(), [Some(Breach::Process)]);
}

#[test]
fn a_rule_that_acts_in_vain_is_not_asked_for_ever() {
    let original = Notebook::from_cells(vec![Cell::code("a")]);
    let mut providers: Vec<Box<dyn PatchProvider>> = vec![Box::new(Own(runaway))];
    let mut run = |_: &Notebook| -> Result<Assessment, Infallible> { Ok(failing()) };
    let settings = WorkflowSettings::default();
    let Ok(outcome) = modernize(&original, failing(), &Subject::default(), &settings, &mut providers, &mut run);
    assert_eq!((outcome.fixes.len(), outcome.end), (2, LoopEnd::NothingToPropose));
}

#[test]
fn rules_mend_what_their_own_fix_made_raise_in_the_same_fix() {
    let original = Notebook::from_cells(vec![Cell::code(
        "from sklearn.linear_model import LogisticRegression\nmodel = LogisticRegression()\nmodel.fit(x, y)\n",
    )]);
    let mut providers: Vec<Box<dyn PatchProvider>> = vec![Box::new(Rules)];
    // Of three classes, which liblinear takes one against the rest alone.
    let mut run = |notebook: &Notebook| -> Result<Assessment, Infallible> {
        let source = &notebook.cells[0].source;
        let raises = source.contains("liblinear") && !source.contains("OneVsRestClassifier(");
        let evalue = "The 'liblinear' solver does not support multiclass classification (n_classes >= 3).".to_owned();
        let error =
            CellFeedback { ename: "ValueError".to_owned(), evalue, line: Some(3), ..failing().errors.remove(0) };
        Ok(Assessment { errors: Vec::from_iter(raises.then_some(error)), ..Assessment::default() })
    };
    let subject = Subject {
        target: Some(0.5),
        submitted: "2018-06-01".parse().ok(),
        packages: [("scikit-learn".to_owned(), "1.8.0".to_owned())].into(),
        ..Subject::default()
    };
    let settings = WorkflowSettings { max_fixes: 1, ..WorkflowSettings::default() };
    let Ok(outcome) = modernize(&original, Assessment::default(), &subject, &settings, &mut providers, &mut run);
    let rules: Vec<&str> = outcome.fixes[0].applied.iter().map(|one| &one.rule[..]).collect();
    assert_eq!(rules, ["sklearn-default-solver", "sklearn-logistic-one-vs-rest"]);
    assert!(outcome.last.errors.is_empty() && outcome.taken_back.is_empty());
}

#[test]
fn what_is_kept_was_executed_last_where_rules_could_not_mend_it() {
    let original = Notebook::from_cells(vec![
        Cell::code("pairs = s.iteritems()"),
        Cell::code("from sklearn.linear_model import LogisticRegression\nmodel = LogisticRegression()\n"),
    ]);
    let mut providers: Vec<Box<dyn PatchProvider>> = vec![Box::new(Rules)];
    let mut executed = Vec::new();
    // A cell before the change, which therefore is not its cause, and raises whatever is done to it.
    let mut run = |notebook: &Notebook| -> Result<Assessment, Infallible> {
        executed.push(notebook.clone());
        let evalue = "'Series' object has no attribute 'iteritems'".to_owned();
        let error = CellFeedback { ename: "AttributeError".to_owned(), evalue, ..failing().errors.remove(0) };
        Ok(Assessment { errors: vec![error], ..Assessment::default() })
    };
    let subject = Subject {
        target: Some(0.5),
        submitted: "2018-06-01".parse().ok(),
        packages: [("scikit-learn".to_owned(), "1.8.0".to_owned())].into(),
        ..Subject::default()
    };
    let settings = WorkflowSettings { max_fixes: 1, ..WorkflowSettings::default() };
    let Ok(outcome) = modernize(&original, Assessment::default(), &subject, &settings, &mut providers, &mut run);
    assert!(executed.iter().any(|one| one.cells[0].source.contains("items()") && one.cells[0] != original.cells[0]));
    assert_eq!(executed.last(), Some(&outcome.notebook));
}

#[test]
fn a_fix_of_which_nothing_is_left_is_no_fix_and_counts_all_the_same() {
    // With each of these another cell raises: by its hunk in the cell, and by a cell that came.
    let harmful = |number: usize| {
        let cells = vec![Cell::code("a = 0"), Cell::code(format!("harm = {number}"))];
        let more = (number % 2 == 1).then(|| Cell::code("harm"));
        Notebook::from_cells(cells.into_iter().chain(more).collect())
    };
    struct Harmful<F>(usize, F);
    impl<F: Fn(usize) -> Notebook> PatchProvider for Harmful<F> {
        fn name(&self) -> &'static str {
            "script"
        }
        fn propose(&mut self, feedback: &Feedback<'_>) -> Result<Option<Proposal>, ProviderError> {
            self.0 += 1;
            let (notebook, fix_type) = ((self.1)(self.0), fix_type(feedback));
            Ok(Some(Proposal { notebook, fix_type, applied: Vec::new(), plan: String::new() }))
        }
    }
    let original = Notebook::from_cells(vec![Cell::code("a = 0"), Cell::code("b = 1")]);
    let mut providers: Vec<Box<dyn PatchProvider>> = vec![Box::new(Harmful(0, harmful))];
    let mut run = |notebook: &Notebook| -> Result<Assessment, Infallible> {
        let raises = |(_, cell): &(usize, &Cell)| cell.source == "a = 0" || cell.source.contains("harm");
        let raised = notebook.cells.iter().enumerate().filter(raises);
        let errors = raised.map(|(cell, _)| CellFeedback { cell, ..failing().errors.remove(0) }).collect();
        Ok(Assessment { errors, ..Assessment::default() })
    };
    let settings = WorkflowSettings { max_fixes: 4, ..WorkflowSettings::default() };
    let Ok(outcome) = modernize(&original, failing(), &Subject::default(), &settings, &mut providers, &mut run);
    assert_eq!((outcome.fixes.len(), outcome.end), (0, LoopEnd::FixesExhausted));
    assert_eq!(outcome.notebook, original);
    assert_eq!(outcome.last.errors.len(), 1);
}
