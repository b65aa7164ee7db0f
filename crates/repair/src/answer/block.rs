//! Finds the plan and the fenced block of an answer.

use super::AnswerError;

/// The shortest fence of markdown.
const SHORTEST: usize = 3;
/// Blanks before a fence; more make it indented code in markdown.
const MOST_INDENT: usize = 3;

/// Plan and block of an answer.
#[derive(Debug)]
pub(super) struct Block {
    pub(super) plan: String,
    pub(super) code: String,
}

/// The one fenced block of an answer. What stands behind it is a remark without meaning.
pub(super) fn find(answer: &str) -> Result<Block, AnswerError> {
    let lines: Vec<&str> = answer.lines().collect();
    let Some((start, length)) = next_fence(&lines, 0) else { return Err(AnswerError::NoBlock) };
    let inside = &lines[start + 1..];
    let end = inside.iter().position(|line| closes(line, length)).ok_or(AnswerError::Truncated)?;
    if let Some((second, _)) = next_fence(&lines, start + end + 2) {
        return Err(AnswerError::TwoBlocks { line: second + 1 });
    }
    let plan = lines[..start].join("\n").trim().to_owned();
    if !plan.chars().any(char::is_alphanumeric) {
        return Err(AnswerError::EmptyPlan);
    }
    let mut code = inside[..end].join("\n");
    code.push('\n');
    Ok(Block { plan, code })
}

/// The next line that opens a block, with the length of its fence.
fn next_fence(lines: &[&str], from: usize) -> Option<(usize, usize)> {
    let opening = |line: &str| {
        let (length, rest) = fence(line)?;
        // Backticks behind a fence make it inline code.
        (!rest.contains('`')).then_some(length)
    };
    lines.iter().enumerate().skip(from).find_map(|(index, line)| Some((index, opening(line)?)))
}

fn closes(line: &str, length: usize) -> bool {
    fence(line).is_some_and(|(found, rest)| found >= length && rest.trim().is_empty())
}

/// Length of the fence at the start of a line, and what follows it.
fn fence(line: &str) -> Option<(usize, &str)> {
    let text = line.trim_start_matches(' ');
    let rest = text.trim_start_matches('`');
    let length = text.len() - rest.len();
    (length >= SHORTEST && line.len() - text.len() <= MOST_INDENT).then_some((length, rest))
}
