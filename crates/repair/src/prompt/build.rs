//! Puts a prompt together and keeps it within its budget.

use nbrevive_notebook::Cell;

use crate::prompt::frame::{fence_for, fenced, inline};
use crate::prompt::near;
use crate::prompt::sections::{self, Shares};
use crate::prompt::templates::{self, template_version};
use crate::prompt::{PatchProtocol, PromptError, PromptSettings, PromptTask, RepairQuestion};
use crate::{Feedback, Finding, FixType, RepairLevel, fix_type};
use nbrevive_model::Message;

/// How often the shares of tracebacks and outputs are halved before the notebook counts as too long.
const HALVINGS: u32 = 6;
/// What stays of a traceback at the least: the exception's own line.
const LEAST_TRACEBACK: usize = 16;
/// An output below this share is left out.
const LEAST_OUTPUT: usize = 16;

/// A prompt and what its answer has to be.
#[derive(Debug, Clone)]
pub struct Asked {
    /// The prompt.
    pub prompt: RepairQuestion,
    /// The cell that is asked for, by its index in the notebook; `None` when the whole notebook is.
    pub cell: Option<usize>,
    /// The fence that the answer's block is to have.
    pub fence: String,
    /// The form that the answer is to have.
    pub protocol: PatchProtocol,
}

/// Asks for the next fix of the notebook in `feedback`.
///
/// `level` counts for error-repair alone: a timeout and a drifted score concern the whole notebook (paper, section 5.1).
///
/// # Errors
///
/// [`PromptError::TooLong`] when the code with the shortest errors exceeds [`PromptSettings::prompt_tokens`].
pub fn build(
    feedback: &Feedback<'_>,
    task: &PromptTask,
    level: RepairLevel,
    settings: &PromptSettings,
) -> Result<Asked, PromptError> {
    let fix_type = fix_type(feedback);
    let failing = feedback.errors.iter().map(|error| error.cell).min();
    let by_cell = level == RepairLevel::Cell && settings.protocol == PatchProtocol::Whole;
    let cell =
        failing.filter(|cell| by_cell && fix_type == FixType::ErrorRepair && *cell < feedback.notebook.cells.len());
    let mut tokens = 0;
    for halvings in 0..=HALVINGS {
        let shares = shares(settings, halvings);
        let asked = attempt(feedback, task, (fix_type, cell), shares, settings);
        tokens = asked.prompt.tokens;
        if tokens <= settings.prompt_tokens {
            return Ok(asked);
        }
    }
    Err(PromptError::TooLong { tokens, limit: settings.prompt_tokens })
}

fn shares(settings: &PromptSettings, halvings: u32) -> Shares {
    let output = settings.output_tokens >> halvings;
    Shares {
        traceback: (settings.traceback_tokens >> halvings).max(LEAST_TRACEBACK),
        output: if output < LEAST_OUTPUT { 0 } else { output },
    }
}

fn attempt(
    feedback: &Feedback<'_>,
    task: &PromptTask,
    (fix_type, cell): (FixType, Option<usize>),
    shares: Shares,
    settings: &PromptSettings,
) -> Asked {
    let cells = shown_cells(&feedback.notebook.cells, cell);
    let common = [
        ("task", sections::task(task, settings)),
        ("environment", sections::environment(feedback, settings)),
        ("contract", sections::contract(task)),
        ("scores", sections::scores(task, feedback)),
    ];
    let common = common.iter().map(|(name, text)| (*name, text.as_str()));
    let (shared, fence, how) = match settings.protocol {
        PatchProtocol::Whole => {
            let shown = sections::notebook(cells, feedback, shares, settings);
            let (notes, code) = (sections::notes_note(shown.has_notes), fenced(&shown.text, "python"));
            let values: Vec<_> = common.chain([("notes", notes), ("notebook", code.as_str())]).collect();
            let fence = fence_for(&shown.text);
            let how = protocol(&fence, cells.len(), cell);
            (templates::SHARED.fill(&values), fence, how)
        }
        PatchProtocol::Edits => {
            let code = fenced(&near::cells(feedback, shares, settings), "python");
            let limit = match task.limit_seconds {
                0 => String::new(),
                seconds => format!(" All cells together have {seconds} seconds."),
            };
            let values: Vec<_> = common.chain([("limit", limit.as_str()), ("notebook", code.as_str())]).collect();
            (templates::SHARED_EDITS.fill(&values), String::new(), templates::PROTOCOL_EDITS.fill(&[]))
        }
    };
    let user = format!("{shared}\n\n{}\n\n{how}\n", part_for(fix_type, feedback, task, cell));
    let system = templates::SYSTEM.fill(&[]);
    let tokens = settings.encoding.count(&system) + settings.encoding.count(&user);
    let messages = vec![Message::user(user)];
    let level = if cell.is_some() { RepairLevel::Cell } else { RepairLevel::File };
    let prompt = RepairQuestion { fix_type, level, system, messages, template: template_version(), tokens, reask: 0 };
    Asked { prompt, cell, fence, protocol: settings.protocol }
}

/// All cells, or those up to the failing one and on to the next code cell (paper, section 5.1).
fn shown_cells(cells: &[Cell], failing: Option<usize>) -> &[Cell] {
    let Some(failing) = failing else { return cells };
    let next = cells.iter().skip(failing + 1).position(Cell::is_code);
    let end = next.map_or(failing + 1, |next| failing + 2 + next);
    &cells[..end.min(cells.len())]
}

fn protocol(fence: &str, cells: usize, cell: Option<usize>) -> String {
    let fence = format!("a line of {} backticks", fence.len());
    match cell {
        Some(cell) => templates::PROTOCOL_CELL.fill(&[("cell", &(cell + 1).to_string()), ("fence", &fence)]),
        None => templates::PROTOCOL.fill(&[("cells", &cells.to_string()), ("fence", &fence)]),
    }
}

/// The part of the prompt that depends on the type of the fix.
fn part_for(fix_type: FixType, feedback: &Feedback<'_>, task: &PromptTask, cell: Option<usize>) -> String {
    if let Some(cell) = cell {
        return templates::CELL_ERROR_REPAIR.fill(&[("cell", &(cell + 1).to_string())]);
    }
    match fix_type {
        FixType::ErrorRepair => {
            let failed: std::collections::BTreeSet<usize> = feedback.errors.iter().map(|error| error.cell).collect();
            let death = if feedback.ran.failed { ", and the kernel did not live to the end" } else { "" };
            templates::ERROR_REPAIR.fill(&[
                ("failed_cells", &failed.len().to_string()),
                ("code_cells", &feedback.notebook.code_cells().count().to_string()),
                ("death", death),
            ])
        }
        FixType::RuntimeReduction => {
            let limit = match task.limit_seconds {
                0 => "its time limit".to_owned(),
                seconds => format!("its limit of {seconds} seconds"),
            };
            templates::RUNTIME_REDUCTION.fill(&[("limit", &limit)])
        }
        FixType::ScoreCalibration => templates::SCORE_CALIBRATION.fill(&[("drift", &drift(feedback))]),
    }
}

fn drift(feedback: &Feedback<'_>) -> String {
    match (feedback.score, feedback.target, feedback.ran.no_score) {
        (Some(score), Some(target), _) => {
            let better = (score > target) == feedback.higher_is_better;
            let word = if better { "better" } else { "worse" };
            format!("yet its score {score} is {word} than the {target} that it had.")
        }
        (_, _, Some(reason)) => format!("yet no submission of it could be graded: {}.", inline(reason)),
        _ => "yet no submission of it could be graded.".to_owned(),
    }
}

/// The dialogue after an answer that could not be read.
pub(crate) fn again(asked: &Asked, answer: &str, problem: &str, settings: &PromptSettings) -> RepairQuestion {
    let values = [("problem", problem), ("form", &form(asked))];
    follow_up(&asked.prompt, answer, templates::AGAIN.fill(&values), settings)
}

/// The dialogue after a patch that was refused.
pub(crate) fn refused(asked: &Asked, answer: &str, findings: &[Finding], settings: &PromptSettings) -> RepairQuestion {
    let list: Vec<String> = findings.iter().map(|finding| format!("- {finding}")).collect();
    let values = [("findings", list.join("\n")), ("form", form(asked))];
    let values: Vec<(&str, &str)> = values.iter().map(|(name, value)| (*name, value.as_str())).collect();
    follow_up(&asked.prompt, answer, templates::REFUSED.fill(&values), settings)
}

/// The form of an answer in a few words.
fn form(asked: &Asked) -> String {
    let content = if asked.cell.is_some() { "that one cell" } else { "the whole notebook" };
    match asked.protocol {
        PatchProtocol::Whole => {
            format!("a plan, then one block fenced by a line of {} backticks with {content}", asked.fence.len())
        }
        PatchProtocol::Edits => "a plan, then all edits of the cells that change".to_owned(),
    }
}

/// Appends the answer and what is wrong with it; an answer that does not fit into the budget is left out.
fn follow_up(prompt: &RepairQuestion, answer: &str, text: String, settings: &PromptSettings) -> RepairQuestion {
    let count = |text: &str| settings.encoding.count(text);
    let mut messages = prompt.messages.clone();
    let mut tokens = prompt.tokens + count(&text);
    let answer_tokens = count(answer);
    if tokens + answer_tokens <= settings.prompt_tokens {
        tokens += answer_tokens;
        messages.push(Message::assistant(answer));
    }
    messages.push(Message::user(text));
    RepairQuestion { messages, tokens, reask: prompt.reask + 1, ..prompt.clone() }
}
