//! What a person reads of a repair: each change with its reason, what was refused, and how the notebook fared.

use std::fmt::Write as _;

use nbrevive_repair::{Account, Fix, LeastPatch, Modernization};
use nbrevive_study::{Addition, OfToday};

use super::json::Ran;

/// The environment, and what it has and lacks of what the notebook asks for beyond the lock.
pub(super) fn environment(today: &OfToday) -> String {
    let prepared = &today.prepared;
    let mut text = format!("environment {} with Python {}", prepared.id, prepared.python);
    let asked = |one: &Addition| format!("{} ({})", one.requirement, one.because);
    if !today.added.is_empty() {
        let added: Vec<String> = today.added.iter().map(asked).collect();
        let _ = write!(text, "\nadded to the lock: {}", added.join(", "));
    }
    for (one, why) in &today.left_out {
        let _ =
            write!(text, "\ncannot be had, going on without: {}: {}", asked(one), why.lines().next().unwrap_or(why));
    }
    text
}

/// The fixes as one text that `patch` passes over where it is not a diff: reasons are lines that begin with `#`.
pub(super) fn fixes(modernization: &Modernization) -> String {
    let mut text = String::new();
    for fix in &modernization.fixes {
        let _ = writeln!(text, "# fix {} ({}, {})", fix.number, fix.fix_type, fix.provider);
        reasons(fix, &mut text);
        fix.account.iter().for_each(|account| re_asks(account, &mut text));
        let _ = writeln!(text, "{}", fix.patch);
    }
    for dialogue in &modernization.fruitless {
        let account = &dialogue.account;
        let _ = writeln!(text, "# no fix came of asking for {}", account.fix_type);
        re_asks(account, &mut text);
    }
    for refusal in &modernization.refusals {
        let _ = writeln!(text, "# refused: a patch by {} for {}", refusal.provider, refusal.fix_type);
        for finding in &refusal.findings {
            let _ = writeln!(text, "#   {finding}");
        }
    }
    text
}

/// Why each place was changed: by a rule for its reason, by a model for its plan.
fn reasons(fix: &Fix, text: &mut String) {
    for rule in &fix.applied {
        let _ = writeln!(text, "# cell {}, line {}: {}: {}", rule.cell + 1, rule.line, rule.rule, rule.reason);
    }
    if fix.applied.is_empty() {
        for line in fix.plan.lines().filter(|line| !line.trim().is_empty()) {
            let _ = writeln!(text, "# {line}");
        }
    }
}

/// The answers that could not be used, and why.
fn re_asks(account: &Account, text: &mut String) {
    for question in account.questions.iter().filter(|question| !question.detail.is_empty()) {
        let what = if question.breaches.is_empty() { "answer" } else { "patch" };
        let _ = writeln!(text, "# a refused {what}: {}", question.detail.replace('\n', " "));
    }
}

/// The hunks without which the notebook is not back.
pub(super) fn least(least: &LeastPatch) -> String {
    let minimal =
        if least.is_minimal { "none can be left out" } else { "perhaps not the fewest: executions were used up" };
    format!(
        "# least patch: {} of {} hunks, {minimal} ({} executions)\n{}\n",
        least.hunks_after, least.hunks_before, least.executions, least.patch
    )
}

/// Before and after in two lines.
pub(super) fn compared(before: &Ran, after: &Ran) -> String {
    format!("before: {}\nafter:  {}", before.summary(), after.summary())
}
