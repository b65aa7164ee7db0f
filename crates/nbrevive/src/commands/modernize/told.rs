//! What a person reads of a repair: each change with its reason, what was refused, and how the notebook fared.

use nbrevive_compare::{BroughtBack, CameBack};
use nbrevive_notebook::first_line;
use nbrevive_repair::{AppliedRule, Fix, LeastPatch, Modernization, QuestionAccount};
use nbrevive_shown::{Shown, shown};
use nbrevive_study::{Addition, OfToday};

use super::json::{Left, Ran};

/// The environment, and what it has and lacks of what the notebook asks for beyond the lock.
pub(super) fn environment(today: &OfToday) -> Shown {
    let prepared = &today.prepared;
    let mut text = shown!("environment {} with Python {}", prepared.id, prepared.python);
    let asked = |one: &Addition| shown!("{} ({})", one.requirement, one.because);
    if !today.added.is_empty() {
        let added = Shown::joined(today.added.iter().map(asked), ", ");
        text.push(&shown!("\nadded to the lock: {}", added));
    }
    for (one, why) in &today.left_out {
        text.push(&shown!("\ncannot be had, going on without: {}: {}", asked(one), first_line(why)));
    }
    text
}

/// The fixes as one text that `patch` passes over where it is not a diff: reasons are lines that begin with `#`. A source line that holds
/// controls is escaped and no longer applies: the repaired notebook is the file, and this is what people read.
pub(super) fn fixes(modernization: &Modernization) -> Shown {
    let mut text = Shown::default();
    for fix in &modernization.fixes {
        text.push_line(&shown!("# fix {} ({}, {})", fix.number, fix.fix_type, fix.provider));
        reasons(fix, &mut text);
        fix.account.iter().for_each(|account| re_asks(account, &mut text));
        text.push_line(&Shown::block(&fix.patch));
    }
    for dialogue in &modernization.fruitless {
        let account = &dialogue.account;
        text.push_line(&shown!("# no fix came of asking for {}", account.fix_type));
        re_asks(account, &mut text);
    }
    taken_back(&modernization.taken_back, &mut text);
    for cut in &modernization.cuts {
        text.push_line(&shown!("# cut: {} (cell {}, line {})", cut, cut.cell + 1, cut.line));
    }
    for refusal in &modernization.refusals {
        text.push_line(&shown!("# refused: a patch by {} for {}", refusal.provider, refusal.fix_type));
        for finding in &refusal.findings {
            text.push_line(&shown!("#   {}", finding));
        }
    }
    text
}

/// Why each place was changed: by a rule for its reason, by a model for its plan.
fn reasons(fix: &Fix, text: &mut Shown) {
    for rule in &fix.applied {
        text.push_line(&shown!("# cell {}, line {}: {}: {}", rule.cell + 1, rule.line, rule.rule, rule.reason));
    }
    taken_back(&fix.taken_back, text);
    if fix.applied.is_empty() {
        for line in fix.plan.lines().filter(|line| !line.trim().is_empty()) {
            text.push_line(&shown!("# {}", line));
        }
    }
}

/// What rules did, and is gone again.
fn taken_back(rules: &[AppliedRule], text: &mut Shown) {
    for rule in rules {
        let place = shown!("cell {}, line {}", rule.cell + 1, rule.line);
        let why = if nbrevive_rules::is_switch(&rule.rule) {
            "the same lines raised with it"
        } else {
            "a cell that ran before raised for its sake"
        };
        text.push_line(&shown!("# taken back: {}: {}: {}", place, rule.rule, why));
    }
}

/// The answers that could not be used, and why.
fn re_asks(account: &QuestionAccount, text: &mut Shown) {
    for question in account.questions.iter().filter(|question| !question.detail.is_empty()) {
        let what = if question.breaches.is_empty() { "answer" } else { "patch" };
        text.push_line(&shown!("# a refused {}: {}", what, question.detail.replace('\n', " ")));
    }
}

/// The hunks without which the notebook is not back.
pub(super) fn least(least: &LeastPatch) -> Shown {
    let minimal =
        if least.is_minimal { "none can be left out" } else { "perhaps not the fewest: executions were used up" };
    shown!(
        "# least patch: {} of {} hunks, {} ({} executions)\n{}\n",
        least.hunks_after,
        least.hunks_before,
        minimal,
        least.executions,
        Shown::block(&least.patch)
    )
}

/// Before and after in two lines.
pub(super) fn compared(before: &Ran, after: &Ran) -> Shown {
    shown!("before: {}\nafter:  {}", before.summary(), after.summary())
}

/// What it came to, and how much of what the author left it shows again.
pub(super) fn headline(outcome: &str, back: &BroughtBack) -> Shown {
    let count = |level| back.count(level);
    let cells = shown!(
        "{} cells show the same values, {} close ones, {} others",
        count(CameBack::Same),
        count(CameBack::Close),
        count(CameBack::Differs)
    );
    let of_text = shown!("{} of {} numbers in the text are shown", back.claims.shown, back.claims.made);
    let what = match back.cells.is_empty() {
        false => cells,
        true if back.claims.made > 0 => of_text,
        true => Shown::literal("nothing was saved that a run can be compared with"),
    };
    shown!("{}; what came back: {} ({})", outcome, back.level, what)
}

/// An error that is left, with its cause.
pub(super) fn left(left: &Left) -> Shown {
    let more = match left.followers {
        0 => Shown::default(),
        1 => Shown::literal("; 1 more error follows from it"),
        more => shown!("; {} more errors follow from it", more),
    };
    let place = left.cell.map(|cell| shown!("cell {}: {}: ", cell + 1, left.error)).unwrap_or_default();
    shown!("left: {}: {}{}{}", left.cause, place, left.message, more)
}
