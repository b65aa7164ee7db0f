//! What the rules write must pass the guards, or the loop would refuse it: together with everything else that was
//! proposed at the same time.

use nbrevive_notebook::{Cell, Notebook};
use nbrevive_repair::{Contract, Guard};
use nbrevive_rules::catalogue;

fn notebook(source: &str) -> Notebook {
    Notebook::from_cells(vec![Cell::code(source)])
}

#[test]
fn the_guards_admit_every_example() {
    let mut refused = Vec::new();
    for rule in catalogue() {
        let guard = Guard::new(&notebook(rule.example.before), Contract::default());
        let findings = guard.check(&notebook(rule.example.after));
        refused.extend(findings.iter().map(|finding| format!("{}: {finding}", rule.id)));
    }
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}
