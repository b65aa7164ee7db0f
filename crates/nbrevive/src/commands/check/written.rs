//! The page and the JUnit file, where they are asked for.

use std::path::Path;

use jiff::Timestamp;
use nbrevive_compare::Agreement;
use nbrevive_report::checked::{
    CheckPage, CheckVerdict, CheckedNotebook, ComparedRun, JunitCase, JunitEnd, JunitSuite, PageHead,
};
use nbrevive_shown::{Shown, shown};
use nbrevive_study::{NotebookCheck, OfRepository};

use super::Subject;
use super::told::{declared, lacking};
use crate::arguments::CheckArguments;
use crate::commands::setting::{REVISION, file_failure};
use crate::exit_code::Failure;
use crate::printer;

/// Both in the making.
pub(super) struct Written<'arguments> {
    level: Agreement,
    junit: Option<(&'arguments Path, JunitSuite)>,
    page: Option<(&'arguments Path, CheckPage)>,
}

impl<'arguments> Written<'arguments> {
    pub(super) fn of(
        arguments: &'arguments CheckArguments,
        subject: &Subject,
        environment: Option<&OfRepository>,
        facts: &[(&'static str, String)],
    ) -> Self {
        let (title, level) = (subject.surveyed().name().to_owned(), arguments.level);
        let junit = arguments.junit.as_deref().map(|path| {
            let properties = facts.iter().map(|(term, value)| ((*term).to_owned(), value.clone())).collect();
            (path, JunitSuite::new("nbrevive check", &title, Timestamp::now(), properties))
        });
        let page = arguments.report.as_deref().map(|path| {
            let mut notes = declared(subject.surveyed());
            notes.extend(environment.map(lacking).unwrap_or_default());
            let notes = notes.iter().map(|note| note.as_str().to_owned()).collect();
            let lock = environment.map(|environment| environment.prepared.lock()).unwrap_or_default();
            (path, CheckPage::new(PageHead { title: title.clone(), level, facts: facts.to_vec(), notes, lock }))
        });
        Self { level, junit, page }
    }

    pub(super) fn add(&mut self, path: &str, verdict: CheckVerdict, told: &Shown, checked: &NotebookCheck) {
        let raising: Vec<usize> = match checked {
            NotebookCheck::Ran(run) => run.errors.iter().map(|error| error.cell).collect(),
            NotebookCheck::Unread(_) => Vec::new(),
        };
        let (seconds, run) = match checked {
            NotebookCheck::Ran(run) => {
                let (saved, new, compared) = (&run.saved, &run.new, &run.compared);
                (run.seconds, Some(ComparedRun { saved, new, compared, raising: &raising, level: self.level }))
            }
            NotebookCheck::Unread(_) => (0.0, None),
        };
        let notebook = CheckedNotebook { path, verdict, told: told.as_str(), seconds, run };
        if let Some((_, junit)) = &mut self.junit {
            junit.add(&notebook);
        }
        if let Some((_, page)) = &mut self.page {
            page.add(&notebook);
        }
    }

    /// Says why no notebook ran.
    pub(super) fn no_environment(&mut self, word: &str, told: &str) {
        if let Some((_, junit)) = &mut self.junit {
            let first = told.lines().next().unwrap_or_default();
            let end = JunitEnd::Error((word, first, told));
            junit.case(&JunitCase { class: "", name: "environment", seconds: 0.0, end });
        }
        if let Some((_, page)) = &mut self.page {
            page.note(told);
        }
    }

    pub(super) fn write(self) -> Result<(), Failure> {
        let junit = self.junit.map(|(path, junit)| (path, junit.xml()));
        let page = self.page.map(|(path, page)| (path, page.html()));
        for (path, text) in junit.into_iter().chain(page) {
            nbrevive_files::write(path, text).map_err(|error| file_failure(&error))?;
            printer::note(&shown!("wrote {}", path.display()));
        }
        Ok(())
    }
}

/// What was checked, and in what, as terms and their meanings.
pub(super) fn facts(
    subject: &Subject,
    environment: Option<&OfRepository>,
    arguments: &CheckArguments,
    date: Timestamp,
) -> Vec<(&'static str, String)> {
    let mut facts = Vec::new();
    if let Subject::Commit(brought) = subject {
        facts.push(("commit", brought.commit.clone()));
    }
    facts.extend([
        ("strategy", arguments.repository.strategy.to_string()),
        ("date", date.strftime("%Y-%m-%d").to_string()),
        ("level", arguments.level.as_str().to_owned()),
    ]);
    if let Some(OfRepository { prepared, plan }) = environment {
        facts.push(("python", format!("{}: {}", prepared.python, plan.plan.python_reason.words())));
        facts.push(("environment", format!("{}, {} distributions", prepared.id, prepared.packages.len())));
    }
    facts.push(("program", format!("nbrevive {REVISION}")));
    facts
}
