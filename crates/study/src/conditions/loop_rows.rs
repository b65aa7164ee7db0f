//! What a modernize loop leaves, as rows of the store.

use nbrevive_compare::CameBack;
use nbrevive_corpus::{FlowState, Verdict};
use nbrevive_repair::{AppliedRule, Breach, Fix, LeastPatch, Modernization, QuestionAccount, RefusedFix};
use nbrevive_store::fixes::FixRow;
use nbrevive_store::least_patches::LeastPatchRow;
use nbrevive_store::loops::{LoopEndRow, LoopRows};
use nbrevive_store::questions::QuestionRow;
use nbrevive_store::refusals::RefusalRow;

/// All rows of a loop; `verdicts` are those of its executions in order, the first that of the code as it was, and `came_back` says how
/// much of what was saved the last of them shows.
pub(crate) fn loop_rows(
    modernization: &Modernization,
    verdicts: &[Verdict],
    least: Option<&LeastPatch>,
    came_back: Option<CameBack>,
) -> LoopRows {
    let fixes = modernization.fixes.iter();
    LoopRows {
        fixes: fixes.filter_map(|fix| Some(fix_row(fix, verdicts.get(fix.execution)?))).collect(),
        questions: questions(modernization),
        refusals: modernization.refusals.iter().map(refusal_row).collect(),
        least_patch: least.map(least_patch_row),
        end: Some(LoopEndRow {
            loop_end: modernization.end,
            provider_errors: modernization.provider_errors.clone(),
            came_back,
        }),
        executability: None,
        comparisons: Vec::new(),
        order_run: None,
        put_back: Vec::new(),
        error_roots: Vec::new(),
    }
}

fn fix_row(fix: &Fix, verdict: &Verdict) -> FixRow {
    FixRow {
        number: count(fix.number),
        fix_type: fix.fix_type,
        provider: fix.provider.clone(),
        rules: rule_names(&fix.applied),
        plan: fix.plan.clone(),
        patch: fix.patch.clone(),
        similarity_to_previous: fix.similarity_to_previous,
        similarity_to_original: fix.similarity_to_original,
        led_to: FlowState::of(verdict.outcome, verdict.failure).column(),
        led_to_failure_cause: verdict.failure_cause.clone(),
        level: fix.account.as_ref().map(|account| account.level),
        template: fix.account.as_ref().map(|account| account.template.clone()),
        seconds: Some(fix.seconds),
        score: fix.score,
        state_code: Some(fix.code.clone()),
        state_failure: Some(fix.failure.clone()),
        taken_back: Some(rule_names(&fix.taken_back)),
        is_switch: Some(fix.is_switch),
    }
}

/// The questions of every dialogue in the order in which they were asked: of one number those in vain come first, since the
/// fix ended the step.
fn questions(modernization: &Modernization) -> Vec<QuestionRow> {
    let in_vain = modernization
        .fruitless
        .iter()
        .map(|dialogue| (dialogue.number, false, dialogue.provider.as_str(), &dialogue.account));
    let of_fixes = modernization
        .fixes
        .iter()
        .filter_map(|fix| Some((fix.number, true, fix.provider.as_str(), fix.account.as_ref()?)));
    let mut dialogues: Vec<_> = in_vain.chain(of_fixes).collect();
    dialogues.sort_by_key(|(number, led_to_fix, ..)| (*number, *led_to_fix));
    dialogues
        .into_iter()
        .flat_map(|(number, led_to_fix, provider, account)| rows(number, led_to_fix, provider, account))
        .collect()
}

fn rows(number: usize, led_to_fix: bool, provider: &str, account: &QuestionAccount) -> Vec<QuestionRow> {
    let row = |question: &nbrevive_repair::Question| QuestionRow {
        number: count(number),
        led_to_fix,
        fix_type: account.fix_type,
        provider: provider.to_owned(),
        level: account.level,
        template: account.template.clone(),
        reask: question.reask,
        prompt_hash: question.prompt_hash.clone(),
        prompt_tokens: count(question.prompt_tokens),
        answer_tokens: count(question.answer_tokens),
        problem: question.problem.map(|problem| problem.to_string()),
        breaches: question.breaches.iter().map(ToString::to_string).collect(),
        detail: question.detail.clone(),
        patch: question.patch.clone(),
    };
    account.questions.iter().map(row).collect()
}

fn refusal_row(refusal: &RefusedFix) -> RefusalRow {
    let findings: Vec<String> = refusal.findings.iter().map(ToString::to_string).collect();
    RefusalRow {
        number: count(refusal.number),
        fix_type: refusal.fix_type,
        provider: refusal.provider.clone(),
        breach: refusal.breach().unwrap_or(Breach::Unreadable),
        findings: findings.join("\n"),
        patch: refusal.patch.clone(),
    }
}

fn least_patch_row(least: &LeastPatch) -> LeastPatchRow {
    LeastPatchRow {
        patch: least.patch.clone(),
        whole_patch: least.whole_patch.clone(),
        hunks_before: count(least.hunks_before),
        hunks_after: count(least.hunks_after),
        similarity_to_original: least.similarity_to_original,
        executions: count(least.executions),
        is_minimal: least.is_minimal,
    }
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn rule_names(applied: &[AppliedRule]) -> String {
    let mut names: Vec<&str> = applied.iter().map(|rule| rule.rule.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    names.join(",")
}
