//! The rules' own examples, in a real environment: the old form fails (or has another value), the new form has the value
//! that the old one had in its time.

use assert_cmd::Command;
use serde_json::Value;

fn nbrevive() -> Command {
    Command::new(env!("CARGO_BIN_EXE_nbrevive"))
}

#[test]
fn every_recorded_example_is_brought_back() {
    let folder = tempfile::tempdir().expect("a folder for the result");
    let json = folder.path().join("account.json");
    let arguments = ["rules", "test", "--forms", "own", "--json"];
    nbrevive().args(arguments).arg(&json).assert().success();
    let text = std::fs::read_to_string(&json).expect("the account is written");
    let account: Value = serde_json::from_str(&text).expect("the account is JSON");
    let triggers = account["triggers"].as_array().expect("a list of triggers");
    assert!(triggers.len() >= 230, "{}", triggers.len());
    for trigger in triggers {
        let own = &trigger["forms"]["own"];
        assert_eq!(own["verdict"], "repaired", "{trigger:#}");
        assert_ne!(own["fixes"], 0, "the old form of {} works today", trigger["id"]);
        assert_eq!(trigger["replacement_failed"], false, "{}", trigger["id"]);
        assert_eq!(trigger["replacement_differs"], false, "{}", trigger["id"]);
        let acted = own["rules"].as_array().expect("a list of rules");
        assert!(acted.contains(&trigger["id"]), "{trigger:#}");
    }
}

#[test]
fn a_rule_is_listed_and_explained() {
    let listed = nbrevive().args(["rules", "list", "--library", "networkx"]).output().expect("it runs");
    assert!(String::from_utf8_lossy(&listed.stdout).contains("networkx-views"));
    let explained = nbrevive().args(["rules", "explain", "networkx-views"]).output().expect("it runs");
    assert!(String::from_utf8_lossy(&explained.stdout).contains("list(G.nodes())[0]"));
    nbrevive().args(["rules", "explain", "no-such-rule"]).assert().failure().code(2);
}
