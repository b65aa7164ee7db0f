//! `nbrevive audit`: do the numbers of our tables, and those of a paper, contradict each other?

use nbrevive_report::{Audit, AuditError};
use nbrevive_shown::{Shown, shown};
use serde_json::{Map, json};

use crate::Outcome;
use crate::answers::{AnswerCase, AnswerEnd, Answers, fields};
use crate::arguments::AuditArguments;
use crate::exit_code::{Exit, Failure};

/// Audits what was asked for, and shows each contradiction.
pub(crate) fn run(arguments: &AuditArguments) -> Outcome {
    let bad = |error: AuditError| Failure::new(Exit::BadInput, &error);
    let ours = nbrevive_report::audit_tables(&arguments.tables).map_err(bad)?;
    let published = arguments.published.as_deref().map(nbrevive_report::audit_published).transpose().map_err(bad)?;
    let answers = Answers::begin(arguments.format, "audit", Map::new());
    show(&answers, "our tables and figures", &ours, arguments.unchecked);
    if let Some(published) = &published {
        show(&answers, "the published numbers", published, arguments.unchecked);
    }
    let exit = if ours.findings.is_empty() { Exit::Success } else { Exit::Contradiction };
    Ok(answers.end(json!({}), exit))
}

/// Answers with each contradiction, and with one case for the invariants that hold.
fn show(answers: &Answers, what: &str, audit: &Audit, with_unchecked: bool) {
    let Audit { numbers, unchecked, checks, findings, p_values } = audit;
    let mut text = shown!(
        "{}: {} numbers, {} invariants, {} that do not hold; {} numbers are in none\n",
        what,
        numbers,
        checks,
        findings.len(),
        unchecked.len()
    );
    let case = |name: &str, end, word, told: &str| {
        let more = fields(json!({ "numbers": numbers, "invariants": checks, "numbers_in_none": unchecked.len() }));
        let case = AnswerCase { group: what, name, end, word, told, seconds: 0.0, more };
        answers.case(&case, &Shown::default());
    };
    case(&format!("{} invariants hold", checks - findings.len()), AnswerEnd::Passed, "holds", "");
    for finding in findings {
        case(finding, AnswerEnd::Failed, "contradiction", finding);
        text.push_line(&shown!("  {}", finding));
    }
    for sentence in p_values {
        text.push_line(&shown!("  possible: {}", sentence));
    }
    for name in unchecked.iter().filter(|_| with_unchecked) {
        text.push_line(&shown!("  in no invariant: {}", name));
    }
    answers.text(&text);
}
