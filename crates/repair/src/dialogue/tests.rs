//! Dialogues with a model that is a script.

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::convert::Infallible;
use std::rc::Rc;

use nbrevive_notebook::{Cell, Notebook};

use super::*;
use crate::{
    AnswerProblem, Assessment, Breach, CellFeedback, Contract, FixType, LoopEnd, Modernization, Subject,
    WorkflowSettings, modernize,
};

const BROKEN: &str = "import pandas as pd\ndf = pd.read_csv('../input/train.csv')\ndf.ix[0]";
const MENDED: &str = "import pandas as pd\ndf = pd.read_csv('../input/train.csv')\ndf.loc[0]";
const CHEATING: &str = "import pandas as pd\ndf = pd.read_csv('../input/private/answers.csv')";

fn original() -> Notebook {
    Notebook::from_cells(vec![Cell::code(BROKEN)])
}

fn answer(code: &str) -> String {
    format!("Use what is there today.\n\n````python\n# %%\n{code}\n````\n")
}

type Prompts = Rc<RefCell<Vec<RepairQuestion>>>;

/// A model that gives these answers in turn, and the prompts that it was given.
fn model(settings: DialogueSettings, answers: Vec<Result<String, AskError>>) -> (LanguageModel<'static>, Prompts) {
    let prompts = Prompts::default();
    let heard = Rc::clone(&prompts);
    let mut answers = VecDeque::from(answers);
    let ask = move |prompt: &RepairQuestion| {
        heard.borrow_mut().push(prompt.clone());
        answers.pop_front().unwrap_or_else(|| Err(AskError::Unavailable("the script is over".to_owned())))
    };
    let guard = Guard::new(&original(), Contract::default());
    (LanguageModel::new("openai", PromptTask::default(), guard, settings, Box::new(ask)), prompts)
}

fn error() -> CellFeedback {
    CellFeedback {
        cell: 0,
        ename: "AttributeError".to_owned(),
        evalue: "'DataFrame' object has no attribute 'ix'".to_owned(),
        traceback: String::new(),
        line: Some(3),
    }
}

/// Runs the loop with this model alone; [`MENDED`] code runs, everything else raises.
fn run(model: LanguageModel<'static>) -> Modernization {
    let first = Assessment { errors: vec![error()], ..Assessment::default() };
    let mut execute = |notebook: &Notebook| -> Result<Assessment, Infallible> {
        let is_mended = notebook.cells[0].source == MENDED;
        Ok(if is_mended {
            Assessment::default()
        } else {
            Assessment { errors: vec![error()], ..Assessment::default() }
        })
    };
    let mut providers: Vec<Box<dyn PatchProvider>> = vec![Box::new(model)];
    let (subject, settings) = (Subject::default(), WorkflowSettings::default());
    match modernize(&original(), first, &subject, &settings, &mut providers, &mut execute) {
        Ok(outcome) => outcome,
        Err(never) => match never {},
    }
}

fn good(code: &str) -> Result<String, AskError> {
    Ok(answer(code))
}

#[test]
fn a_good_answer_is_one_question() {
    let (model, prompts) = model(DialogueSettings::default(), vec![good(MENDED)]);
    let outcome = run(model);
    assert_eq!((outcome.end, outcome.fixes.len()), (LoopEnd::Runs, 1));
    let fix = &outcome.fixes[0];
    assert_eq!((fix.fix_type, fix.provider.as_str()), (FixType::ErrorRepair, "openai"));
    assert_eq!(fix.plan, "Use what is there today.");
    let account = fix.account.as_ref().unwrap();
    assert_eq!((account.level, account.reasks()), (RepairLevel::File, 0));
    assert_eq!(account.template, prompt::template_version());
    let question = &account.questions[0];
    assert_eq!(question.prompt_hash, prompts.borrow()[0].hash());
    assert_eq!(account.tokens(), (prompts.borrow()[0].tokens, question.answer_tokens));
    assert!(question.answer_tokens > 10 && question.problem.is_none() && question.patch.is_empty());
}

#[test]
fn a_broken_form_is_asked_again_with_what_was_wrong() {
    let (model, prompts) = model(DialogueSettings::default(), vec![Ok("no idea".to_owned()), good(MENDED)]);
    let outcome = run(model);
    assert_eq!(outcome.end, LoopEnd::Runs);
    let account = outcome.fixes[0].account.clone().unwrap();
    assert_eq!(account.reasks(), 1);
    assert_eq!(account.questions[0].problem, Some(AnswerProblem::NoBlock));
    let prompts = prompts.borrow();
    let messages = &prompts[1].messages;
    assert_eq!((prompts[1].reask, messages.len()), (1, 3));
    assert_eq!(messages[1].text, "no idea");
    assert!(messages[2].text.contains("it has no fenced block"), "{}", messages[2].text);
    assert!(prompts[1].tokens > prompts[0].tokens && prompts[1].hash() != prompts[0].hash());
}

#[test]
fn after_two_re_asks_the_model_has_failed() {
    let (model, prompts) = model(DialogueSettings::default(), vec![Ok(String::new()); 9]);
    let outcome = run(model);
    assert_eq!((outcome.end, outcome.end.failure()), (LoopEnd::ModelFailed, Some(nbrevive_corpus::Failure::LlmFailed)));
    assert_eq!(prompts.borrow().len(), 3);
    assert_eq!(outcome.fruitless[0].account.reasks(), 2);
    assert!(outcome.fixes.is_empty() && outcome.provider_errors[0].contains("broke the patch protocol"));
}

#[test]
fn a_refused_patch_is_recorded_with_its_rule_and_asked_again() {
    let (model, prompts) = model(DialogueSettings::default(), vec![good(CHEATING), good(MENDED)]);
    let outcome = run(model);
    assert_eq!(outcome.end, LoopEnd::Runs);
    let question = &outcome.fixes[0].account.as_ref().unwrap().questions[0];
    assert_eq!(question.breaches, [Breach::HiddenAnswers]);
    assert!(question.patch.contains("+df = pd.read_csv('../input/private/answers.csv')"));
    assert!(prompts.borrow()[1].messages[2].text.contains("hidden-answers: cell 1, line 2"));
}

#[test]
fn a_model_that_only_cheats_ends_the_loop() {
    let (model, _) = model(DialogueSettings::default(), vec![good(CHEATING); 9]);
    let outcome = run(model);
    assert_eq!((outcome.end, outcome.end.failure()), (LoopEnd::Refused, None));
    assert!(outcome.fixes.is_empty() && outcome.fruitless[0].account.questions.len() == 3);
}

#[test]
fn a_model_that_gives_the_same_code_back_is_not_run_again() {
    let settings = DialogueSettings::default();
    let (model, _) = model(settings, vec![good(&format!("# mended\n\n{BROKEN}"))]);
    let outcome = run(model);
    assert_eq!((outcome.end, outcome.fixes.len()), (LoopEnd::Repeated, 0));
    let fruitless: Vec<_> =
        outcome.fruitless.iter().map(|dialogue| (dialogue.number, dialogue.provider.as_str())).collect();
    assert_eq!(fruitless, [(1, "openai")]);
}

#[test]
fn reasons_for_no_answer_are_told_apart() {
    let cases = [
        (AskError::Unavailable("no route".to_owned()), LoopEnd::Unavailable),
        (AskError::OverBudget("0.31 of 0.30 USD".to_owned()), LoopEnd::OverBudget),
        (AskError::Declined("content filter".to_owned()), LoopEnd::ModelFailed),
        (AskError::ContextOverflow("8192 tokens are the most".to_owned()), LoopEnd::TooLong),
    ];
    for (error, end) in cases {
        let words = error.to_string();
        let (model, _) = model(DialogueSettings::default(), vec![Err(error)]);
        let outcome = run(model);
        assert_eq!(outcome.end, end, "{words}");
        assert_eq!(outcome.fruitless[0].account.questions[0].detail, words);
    }
}

#[test]
fn a_notebook_that_is_too_long_is_not_asked_about() {
    let prompt = PromptSettings { prompt_tokens: 100, ..PromptSettings::default() };
    let (model, prompts) = model(DialogueSettings { prompt, ..DialogueSettings::default() }, Vec::new());
    assert_eq!(run(model).end, LoopEnd::TooLong);
    assert!(prompts.borrow().is_empty());
}

#[test]
fn at_cell_level_one_cell_is_asked_for() {
    let settings = DialogueSettings { level: RepairLevel::Cell, ..DialogueSettings::default() };
    let (mut model, prompts) = model(settings, vec![good("a = 1\n\n# %%\nb = 2"), good("df.loc[0]")]);
    let notebook = Notebook::from_cells(vec![Cell::code("df = 1"), Cell::code("df.ix[0]"), Cell::code("print(df)")]);
    let packages = BTreeMap::new();
    let feedback = Feedback::of_errors(&notebook, vec![CellFeedback { cell: 1, ..error() }], &packages);
    let proposal = model.propose(&feedback).unwrap().unwrap();
    let sources: Vec<&str> = proposal.notebook.cells.iter().map(|cell| cell.source.as_str()).collect();
    assert_eq!(sources, ["df = 1", "df.loc[0]", "print(df)"]);
    let account = model.take_account().unwrap();
    assert_eq!((account.level, account.reasks()), (RepairLevel::Cell, 1));
    assert_eq!(account.questions[0].problem, Some(AnswerProblem::NotOneCell));
    assert!(prompts.borrow()[1].messages[2].text.ends_with("with that one cell."));
    assert!(model.take_account().is_none());
}

fn by_edits() -> DialogueSettings {
    let prompt = PromptSettings { protocol: PatchProtocol::Edits, ..PromptSettings::default() };
    DialogueSettings { max_reasks: 1, prompt, ..DialogueSettings::default() }
}

fn edit(search: &str, text: &str) -> Result<String, AskError> {
    Ok(format!("Use loc.\n\n=== cell 1\n<<<< search\n{search}\n==== replace\n{text}\n>>>>\n"))
}

#[test]
fn edits_that_cannot_be_applied_are_asked_for_once_more_and_counted() {
    let (model, prompts) = model(by_edits(), vec![edit("df.iy[0]", "df.loc[0]"), edit("df.ix[0]", "df.loc[0]")]);
    let outcome = run(model);
    assert_eq!((outcome.end, outcome.notebook.cells[0].source.as_str()), (LoopEnd::Runs, MENDED));
    let questions = &outcome.fixes[0].account.as_ref().unwrap().questions;
    assert_eq!(questions.iter().map(|one| one.problem).collect::<Vec<_>>(), [Some(AnswerProblem::SearchLost), None]);
    assert!(prompts.borrow()[1].messages[2].text.contains("does not stand in cell 1"));
}

#[test]
fn a_model_that_declines_has_answered() {
    let (model, prompts) = model(by_edits(), vec![Ok("=== decline: train.csv is not there".to_owned())]);
    let outcome = run(model);
    assert_eq!((outcome.end, outcome.fixes.len(), prompts.borrow().len()), (LoopEnd::NothingToPropose, 0, 1));
    let question = &outcome.fruitless[0].account.questions[0];
    assert_eq!((question.problem, question.detail.as_str()), (None, "declined: train.csv is not there"));
    assert!(outcome.provider_errors.is_empty());
}
