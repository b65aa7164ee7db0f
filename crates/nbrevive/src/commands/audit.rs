//! `nbrevive audit`: do the numbers of our tables, and those of a paper, contradict each other?

use nbrevive_report::{Audit, AuditError};
use nbrevive_shown::shown;

use crate::Outcome;
use crate::arguments::AuditArguments;
use crate::exit_code::{Exit, Failure};
use crate::printer;

/// Audits what was asked for, and shows each contradiction.
pub(crate) fn run(arguments: &AuditArguments) -> Outcome {
    let bad = |error: AuditError| Failure::new(Exit::BadInput, &error);
    let ours = nbrevive_report::audit_tables(&arguments.tables).map_err(bad)?;
    let published = arguments.published.as_deref().map(nbrevive_report::audit_published).transpose().map_err(bad)?;
    show("our tables and figures", &ours, arguments.unchecked);
    if let Some(published) = &published {
        show("the published numbers", published, arguments.unchecked);
    }
    Ok(if ours.findings.is_empty() { Exit::Success } else { Exit::Contradiction })
}

fn show(what: &str, audit: &Audit, with_unchecked: bool) {
    let Audit { numbers, unchecked, checks, findings, p_values } = audit;
    let mut text = shown!(
        "{}: {} numbers, {} invariants, {} that do not hold; {} numbers are in none\n",
        what,
        numbers,
        checks,
        findings.len(),
        unchecked.len()
    );
    for finding in findings {
        text.push_line(&shown!("  {}", finding));
    }
    for sentence in p_values {
        text.push_line(&shown!("  possible: {}", sentence));
    }
    for name in unchecked.iter().filter(|_| with_unchecked) {
        text.push_line(&shown!("  in no invariant: {}", name));
    }
    printer::data(&text);
}
