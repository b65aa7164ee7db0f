//! A cell that is not as saved: its code, and its outputs beside each other.

use std::fmt::Write as _;

use nbrevive_compare::{Agreement, ComparedCell, FoundSign, ShownOutput, shown_outputs};
use nbrevive_notebook::{Cell, Output};

use super::ComparedRun;
use super::output::{Pair, one};
use super::passage::{beside, shortened};
use crate::page::markup::{block, escaped};

/// Longest code that is shown, in characters.
const LONGEST_CODE: usize = 20_000;
/// Outputs of a cell that are shown at most.
const MOST_OUTPUTS: usize = 30;
/// Signs of chance that are told at most.
const MOST_SIGNS: usize = 8;

/// The cell as an article of the page.
pub(super) fn article(run: &ComparedRun<'_>, cell: &ComparedCell, why: &str, signs: &[&FoundSign]) -> String {
    let (saved, new) = (run.saved.cells.get(cell.index), run.new.cells.get(cell.index));
    let source = saved.map(|cell| cell.source.as_str()).unwrap_or_default();
    let mut text = format!(
        "<article class=\"cell\">\n<h4>Cell {}</h4>\n<p class=\"facts\">{}</p>\n<pre><code>{}</code></pre>\n",
        cell.index + 1,
        escaped(why),
        block(&shortened(source, LONGEST_CODE))
    );
    text.push_str(&told(signs));
    let outputs = |cell: Option<&'_ Cell>| cell.map(|cell| cell.outputs().to_vec()).unwrap_or_default();
    let (saved, new) = (outputs(saved), outputs(new));
    let ((old, old_errors), (now, new_errors)) = (shown_outputs(&saved), shown_outputs(&new));
    let all = old.len().max(now.len());
    for index in 0..all.min(MOST_OUTPUTS) {
        let level = cell.comparison.outputs.get(index).copied();
        text.push_str(&output(index, old.get(index), now.get(index), level, run.level));
    }
    if all > MOST_OUTPUTS {
        let _ = writeln!(text, "<p class=\"notice\">{} more outputs are not shown.</p>", all - MOST_OUTPUTS);
    }
    text.push_str(&traceback(&new));
    if old_errors != new_errors {
        let _ = writeln!(
            text,
            "<details><summary>Standard error, which decides nothing</summary>\n{}</details>",
            beside(&old_errors, &new_errors)
        );
    }
    text.push_str("</article>\n");
    text
}

fn output(
    index: usize,
    saved: Option<&ShownOutput<'_>>,
    new: Option<&ShownOutput<'_>>,
    found: Option<Agreement>,
    level: Agreement,
) -> String {
    let number = index + 1;
    match (saved, new) {
        (Some(old), Some(now)) if old == now || found.is_some_and(|found| found.holds_at(level)) => {
            format!("<p class=\"note\">Output {number} is as saved.</p>\n")
        }
        (Some(old), Some(now)) => Pair { number, level }.beside(old, now),
        (Some(old), None) => one(number, old, true),
        (None, Some(now)) => one(number, now, false),
        (None, None) => String::new(),
    }
}

/// What in the code could make it differ.
fn told(signs: &[&FoundSign]) -> String {
    if signs.is_empty() {
        return String::new();
    }
    let sign = |sign: &&FoundSign| {
        let seeded = if sign.is_seeded { ", seeded" } else { "" };
        format!("line {}: <code>{}</code> ({}{seeded})", sign.line, escaped(&sign.name), sign.sign.as_str())
    };
    let mut named: Vec<String> = signs.iter().take(MOST_SIGNS).map(sign).collect();
    if signs.len() > MOST_SIGNS {
        named.push(format!("and {} more", signs.len() - MOST_SIGNS));
    }
    format!("<p class=\"note\">Signs of chance: {}</p>\n", named.join("; "))
}

/// How the exception came about that ends the new cell.
fn traceback(new: &[Output]) -> String {
    let found = new.iter().find_map(|output| match output {
        Output::Error { traceback, .. } if !traceback.is_empty() => Some(traceback.join("\n")),
        _ => None,
    });
    let Some(lines) = found else { return String::new() };
    let lines = nbrevive_compare::settled_text(&lines).into_owned();
    format!("<details><summary>Traceback</summary><pre>{}</pre></details>\n", block(&shortened(&lines, LONGEST_CODE)))
}
