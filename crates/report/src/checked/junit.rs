//! JUnit XML, as continuous integration reads it: a suite a repository, a case a notebook.
//!
//! There is no standard, only what readers take (Jenkins' and Ant's schemas); elements and attributes here are those that pytest writes.

use std::fmt::Write as _;

use jiff::Timestamp;
use nbrevive_shown::xml;

use super::{CheckVerdict, CheckedNotebook};

/// Differing cells that are told of a notebook at most.
const MOST_CELLS: usize = 20;

/// One case of a suite.
#[derive(Debug)]
pub struct JunitCase<'a> {
    /// What it is part of.
    pub class: &'a str,
    /// Its name in there.
    pub name: &'a str,
    /// Wall-clock seconds.
    pub seconds: f64,
    /// How it ended.
    pub end: JunitEnd<'a>,
}

/// How a case ended: but for one that passed, in a word, in a sentence, and in full.
#[derive(Debug)]
pub enum JunitEnd<'a> {
    /// As it should.
    Passed,
    /// It was not tried.
    Skipped((&'a str, &'a str, &'a str)),
    /// It is not what it should be.
    Failure((&'a str, &'a str, &'a str)),
    /// It did not come to its end.
    Error((&'a str, &'a str, &'a str)),
}

/// Cases, as they come.
#[derive(Debug)]
pub struct JunitSuite {
    program: String,
    name: String,
    started: Timestamp,
    properties: Vec<(String, String)>,
    cases: String,
    tests: usize,
    failures: usize,
    errors: usize,
    skipped: usize,
    seconds: f64,
}

impl JunitSuite {
    /// A suite of a program without cases. `properties` are what it ran on and in.
    #[must_use]
    pub fn new(program: &str, name: &str, started: Timestamp, properties: Vec<(String, String)>) -> Self {
        let (tests, failures, errors, skipped) = (0, 0, 0, 0);
        let (program, name, cases, seconds) = (program.to_owned(), name.to_owned(), String::new(), 0.0);
        Self { program, name, started, properties, cases, tests, failures, errors, skipped, seconds }
    }

    /// Adds a notebook: other outputs are a failure; what it raises, and what ends it before its time, an error.
    pub fn add(&mut self, notebook: &CheckedNotebook<'_>) {
        let (folder, name) = notebook.path.rsplit_once('/').unwrap_or(("", notebook.path));
        let class = folder.replace('/', ".");
        let details = details(notebook);
        let told = (notebook.verdict.as_str(), notebook.told, details.as_str());
        let end = match notebook.verdict {
            CheckVerdict::Holds | CheckVerdict::RaisesAgain => JunitEnd::Passed,
            CheckVerdict::Skipped => JunitEnd::Skipped(told),
            CheckVerdict::Differs => JunitEnd::Failure(told),
            CheckVerdict::Raises | CheckVerdict::TimedOut | CheckVerdict::Died => JunitEnd::Error(told),
        };
        self.case(&JunitCase { class: &class, name, seconds: notebook.seconds, end });
    }

    /// Adds a case; one of no class is the suite's own.
    pub fn case(&mut self, case: &JunitCase<'_>) {
        self.tests += 1;
        self.seconds += case.seconds;
        let class = if case.class.is_empty() { &self.name } else { case.class };
        let (class, name, seconds) = (xml(class), xml(case.name), case.seconds);
        let _ = write!(self.cases, "<testcase classname=\"{class}\" name=\"{name}\" time=\"{seconds:.3}\"");
        let (element, count, (kind, told, details)) = match case.end {
            JunitEnd::Passed => {
                self.cases.push_str(" />\n");
                return;
            }
            JunitEnd::Skipped(told) => ("skipped", &mut self.skipped, told),
            JunitEnd::Failure(told) => ("failure", &mut self.failures, told),
            JunitEnd::Error(told) => ("error", &mut self.errors, told),
        };
        *count += 1;
        let (kind, told, details) = (xml(kind), xml(told), xml(details));
        let _ = write!(self.cases, "><{element} type=\"{kind}\" message=\"{told}\">{details}");
        let _ = writeln!(self.cases, "</{element}></testcase>");
    }

    /// The file.
    #[must_use]
    pub fn xml(&self) -> String {
        let Self { program, name, tests, failures, errors, skipped, seconds, .. } = self;
        let mut text = String::from("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n");
        let _ = write!(text, "<testsuites name=\"{}\">", xml(program));
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
                let _ = write!(text, "<property name=\"{}\" value=\"{}\" />", xml(name), xml(value));
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
        let mut suite =
            JunitSuite::new("nbrevive check", "me/it", started, vec![("python".to_owned(), "3.6.8".to_owned())]);
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

    #[test]
    fn a_notebook_of_no_folder_is_of_the_suites_class() {
        assert!(suite(&[("c.ipynb", CheckVerdict::Holds, "")]).contains("classname=\"me/it\" name=\"c.ipynb\""));
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
