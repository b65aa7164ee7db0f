//! The page: summary, what it ran in, and a section for each notebook that is not as saved.

use std::fmt::Write as _;

use nbrevive_compare::{Agreement, FoundSign, chance_signs};

use super::cell::article;
use super::{CheckVerdict, CheckedNotebook, ComparedRun};
use crate::page::markup::{block, escaped, filled, policy};

const TEMPLATE: &str = include_str!("page.html");
/// Colours and shapes of the study's report, then what only this page has.
const STYLE: &str = concat!(include_str!("../page/page.css"), include_str!("page.css"));

/// Longest page, in bytes: one that a browser still opens, and a mail still carries.
const LONGEST: usize = 24 << 20;
/// Differing cells of one notebook that are shown at most.
const MOST_CELLS: usize = 60;
/// The part of the page that one notebook may take, so that the first does not take the room of all: a fourth.
const SHARE: usize = 4;

/// What was checked, and how.
#[derive(Debug, Clone)]
pub struct PageHead {
    /// The repository.
    pub title: String,
    /// How alike outputs have to be.
    pub level: Agreement,
    /// Terms and their meanings: commit, date, Python, and the like.
    pub facts: Vec<(&'static str, String)>,
    /// What is declared and missing, a sentence each.
    pub notes: Vec<String>,
    /// The lock that it ran in, a distribution a line.
    pub lock: String,
}

/// A page in the making, a notebook at a time: none has to be kept.
#[derive(Debug)]
pub struct CheckPage {
    head: PageHead,
    counts: [usize; CheckVerdict::ALL.len()],
    rows: String,
    sections: String,
    left_out: usize,
    longest: usize,
}

impl CheckPage {
    /// A page without notebooks.
    #[must_use]
    pub fn new(head: PageHead) -> Self {
        Self::of_length(head, LONGEST)
    }

    /// The same, of at most so many bytes beside its frame.
    pub(super) fn of_length(head: PageHead, longest: usize) -> Self {
        let (rows, sections) = (String::new(), String::new());
        Self { head, counts: [0; CheckVerdict::ALL.len()], rows, sections, left_out: 0, longest }
    }

    /// Adds a note about the whole.
    pub fn note(&mut self, text: &str) {
        self.head.notes.push(text.to_owned());
    }

    /// Adds a notebook.
    pub fn add(&mut self, notebook: &CheckedNotebook<'_>) {
        let number = self.counts.iter().sum::<usize>() + 1;
        self.counts[notebook.verdict as usize] += 1;
        let room = self.longest.saturating_sub(self.sections.len() + self.rows.len());
        let section =
            notebook.run.as_ref().and_then(|run| section(notebook, run, number, room.min(self.longest / SHARE)));
        let path = escaped(notebook.path);
        let name = match &section {
            Some(text) if text.len() <= room => format!("<a href=\"#notebook-{number}\">{path}</a>"),
            _ => path,
        };
        let (word, told) = (notebook.verdict.as_str(), escaped(notebook.told));
        if room > self.longest / 400 {
            let _ = writeln!(
                self.rows,
                "<tr><td><span class=\"verdict {word}\">{word}</span></td><th scope=\"row\">{name}</th><td>{told}</td>\
                 <td class=\"number\">{:.1}</td></tr>",
                notebook.seconds
            );
        } else {
            self.left_out += 1;
        }
        match section {
            Some(text) if text.len() <= room => self.sections.push_str(&text),
            Some(_) => self.left_out += 1,
            None => {}
        }
    }

    /// The file.
    #[must_use]
    pub fn html(&self) -> String {
        let PageHead { title, level, facts, notes, lock } = &self.head;
        let fact = |(term, meaning): &(&str, String)| format!("<dt>{term}</dt><dd>{}</dd>\n", escaped(meaning));
        let notes: String = notes.iter().map(|note| format!("<li>{}</li>\n", escaped(note))).collect();
        let notes = if notes.is_empty() { notes } else { format!("<ul class=\"notes\">{notes}</ul>") };
        let left_out = match self.left_out {
            0 => String::new(),
            number => format!(
                "<p class=\"notice\">{number} notebooks are not shown whole: the page has no more room. Check them alone with \
                 <code>--only</code>.</p>"
            ),
        };
        let (headline, lead) = self.headline(*level);
        let parts = [
            ("policy", policy(None, STYLE)),
            ("title", escaped(title)),
            ("style", STYLE.to_owned()),
            ("headline", headline),
            ("lead", lead),
            ("tally", self.tally()),
            ("left_out", left_out),
            ("facts", facts.iter().map(fact).collect()),
            ("notes", notes),
            ("lock", block(lock)),
            ("rows", self.rows.clone()),
            ("sections", self.sections.clone()),
        ];
        filled(TEMPLATE, &parts)
    }

    fn headline(&self, level: Agreement) -> (String, String) {
        let ran: usize = CheckVerdict::ALL
            .iter()
            .zip(self.counts)
            .filter(|(verdict, _)| **verdict != CheckVerdict::Skipped)
            .map(|(_, count)| count)
            .sum();
        let good: usize = CheckVerdict::ALL
            .iter()
            .zip(self.counts)
            .filter(|(verdict, _)| verdict.is_good() && **verdict != CheckVerdict::Skipped)
            .map(|(_, count)| count)
            .sum();
        let alike = match level {
            Agreement::Exact => "data and text are equal",
            Agreement::Normalized => "they are equal, but for addresses, times, paths and colours",
            Agreement::Value => "they hold the same values, however they are printed",
            Agreement::Picture | Agreement::Different => "they hold the same values, and pictures look alike",
        };
        (format!("{good} of {ran} notebooks show what they showed"), format!("Two outputs are alike when {alike}."))
    }

    /// The verdicts that there are, counted.
    fn tally(&self) -> String {
        let entry = |(verdict, count): (&CheckVerdict, usize)| {
            let word = verdict.as_str();
            format!("<li><span class=\"verdict {word}\">{word}</span> {count}</li>\n")
        };
        CheckVerdict::ALL.iter().zip(self.counts).filter(|(_, count)| *count > 0).map(entry).collect()
    }
}

/// What of a notebook is not as saved, in at most so many bytes; `None` where all is.
fn section(notebook: &CheckedNotebook<'_>, run: &ComparedRun<'_>, number: usize, room: usize) -> Option<String> {
    let differing: Vec<_> = run.differing().collect();
    if differing.is_empty() {
        return None;
    }
    let signs = chance_signs(&run.saved.code_sources());
    let (path, word, told) = (escaped(notebook.path), notebook.verdict.as_str(), escaped(notebook.told));
    let mut text = format!(
        "<section class=\"notebook\" id=\"notebook-{number}\" aria-labelledby=\"title-{number}\">\n\
         <h3 id=\"title-{number}\"><span class=\"verdict {word}\">{word}</span> {path}</h3>\n<p class=\"facts\">{told}</p>\n"
    );
    let mut shown = 0;
    for (cell, why) in differing.iter().take(MOST_CELLS) {
        // Signs count code cells alone.
        let place = run.compared.cells.iter().position(|other| other.index == cell.index);
        let signs: Vec<&FoundSign> = signs.iter().filter(|sign| Some(sign.cell) == place).collect();
        let article = article(run, cell, why, &signs);
        if text.len() + article.len() > room {
            break;
        }
        text.push_str(&article);
        shown += 1;
    }
    if shown < differing.len() {
        let _ = writeln!(
            text,
            "<p class=\"notice\">{} more cells differ and are not shown: there is no more room.</p>",
            differing.len() - shown
        );
    }
    text.push_str("</section>\n");
    Some(text)
}
