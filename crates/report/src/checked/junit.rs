//! JUnit XML, as continuous integration reads it: a suite a repository, a case a notebook.
//!
//! There is no standard, only what readers take (Jenkins' and Ant's schemas); elements and attributes here are those that pytest writes.

use std::fmt::Write as _;

use jiff::Timestamp;
use nbrevive_shown::xml;

use super::{CheckVerdict, CheckedNotebook};

/// Differing cells that are told of a notebook at most.
const MOST_CELLS: usize = 20;

/// A repository's cases, as they come.
#[derive(Debug)]
pub struct JunitSuite {
    name: String,
    started: Timestamp,
    properties: Vec<(&'static str, String)>,
    cases: String,
    tests: usize,
    failures: usize,
    errors: usize,
    skipped: usize,
    seconds: f64,
}

impl JunitSuite {
    /// A suite without cases. `properties` are what it ran on and in.
    #[must_use]
    pub fn new(name: &str, started: Timestamp, properties: Vec<(&'static str, String)>) -> Self {
        let (tests, failures, errors, skipped) = (0, 0, 0, 0);
        let (name, cases, seconds) = (name.to_owned(), String::new(), 0.0);
        Self { name, started, properties, cases, tests, failures, errors, skipped, seconds }
    }

    /// Adds a notebook: other outputs are a failure; what it raises, and what ends it before its time, an error.
    pub fn add(&mut self, notebook: &CheckedNotebook<'_>) {
        let (folder, name) = notebook.path.rsplit_once('/').unwrap_or(("", notebook.path));
        let class = if folder.is_empty() { self.name.clone() } else { folder.replace('/', ".") };
        self.tests += 1;
        self.seconds += notebook.seconds;
        let _ = write!(
            self.cases,
            "<testcase classname=\"{}\" name=\"{}\" time=\"{:.3}\"",
            xml(&class),
            xml(name),
            notebook.seconds
        );
        let element = match notebook.verdict {
            CheckVerdict::Holds | CheckVerdict::RaisesAgain => {
                self.cases.push_str(" />\n");
                return;
            }
            CheckVerdict::Skipped => {
                self.skipped += 1;
                "skipped"
            }
            CheckVerdict::Differs => {
                self.failures += 1;
                "failure"
            }
            CheckVerdict::Raises | CheckVerdict::TimedOut | CheckVerdict::Died => {
                self.errors += 1;
                "error"
            }
        };
        let (kind, told) = (notebook.verdict.as_str(), xml(notebook.told));
        let _ = write!(self.cases, "><{element} type=\"{kind}\" message=\"{told}\">{}", xml(&details(notebook)));
        let _ = writeln!(self.cases, "</{element}></testcase>");
    }

    /// The file.
    #[must_use]
    pub fn xml(&self) -> String {
        let Self { name, tests, failures, errors, skipped, seconds, .. } = self;
        let mut text = String::from("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<testsuites name=\"nbrevive check\">");
        let started = self.started.strftime("%Y-%m-%dT%H:%M:%S");
        let _ = writeln!(
            text,
            "<testsuite name=\"{}\" errors=\"{errors}\" failures=\"{failures}\" skipped=\"{skipped}\" tests=\"{tests}\" \
             time=\"{seconds:.3}\" timestamp=\"{started}\" hostname=\"localhost\">",
            xml(name)
        );
        if !self.properties.is_empty() {
            text.push_str("<properties>");
            for (name, value) in &self.properties {
                let _ = write!(text, "<property name=\"{name}\" value=\"{}\" />", xml(value));
            }
            text.push_str("</properties>\n");
        }
        text.push_str(&self.cases);
        text.push_str("</testsuite></testsuites>\n");
        text
    }
}

/// The differing cells, a line each.
fn details(notebook: &CheckedNotebook<'_>) -> String {
    let Some(run) = &notebook.run else { return String::new() };
    let all: Vec<String> = run.differing().map(|(cell, why)| format!("cell {}: {why}\n", cell.index + 1)).collect();
    let left_out = all.len().saturating_sub(MOST_CELLS);
    let mut text: String = all.into_iter().take(MOST_CELLS).collect();
    if left_out > 0 {
        let _ = writeln!(text, "and {left_out} more cells");
    }
    text
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use roxmltree::Document;

    use super::*;

    fn suite(cases: &[(&str, CheckVerdict, &str)]) -> String {
        let started = Timestamp::from_second(1_500_000_000).expect("a time");
        let mut suite = JunitSuite::new("me/it", started, vec![("python", "3.6.8".to_owned())]);
        for (path, verdict, told) in cases {
            suite.add(&CheckedNotebook { path, verdict: *verdict, told, seconds: 1.5, run: None });
        }
        suite.xml()
    }

    #[test]
    fn a_suite_has_a_case_a_notebook() {
        let cases: Vec<(&str, CheckVerdict, &str)> =
            CheckVerdict::ALL.iter().map(|verdict| ("a/b/c.ipynb", *verdict, "1 of 2 cells <as> saved")).collect();
        let text = suite(&cases);
        insta::assert_snapshot!(text);
        assert!(Document::parse(&text).is_ok());
    }

    proptest! {
        #[test]
        fn any_text_comes_out_of_a_reader_with_all_that_xml_can_hold(text in any::<String>()) {
            let xml = suite(&[("a.ipynb", CheckVerdict::Differs, &text), (&text, CheckVerdict::Holds, "")]);
            let document = Document::parse(&xml).expect("it is XML");
            let message = document.descendants().find_map(|node| node.attribute("message")).expect("a failure");
            let plain = |text: &str| text.chars().filter(|letter| !letter.is_control() && *letter < '\u{fffe}').collect::<String>();
            if text.chars().all(|letter| plain(&letter.to_string()).len() == letter.len_utf8()) {
                prop_assert_eq!(message, text);
            }
        }
    }
}
