//! The findings as a table.

use serde_json::{Value, json};

use super::answer::{ALIKE, Answer, Verdict};
use super::{Column, Finding};
use crate::crashes::CrashRow;
use crate::crashes::printed::PrintedShares;
use crate::number_words::NOTHING;
use crate::output::csv_text;
use crate::tables::{Grid, Table};

/// All lines of all findings, with the answers of each column.
pub(in crate::crashes) struct FindingTable {
    columns: Vec<String>,
    lines: Vec<Line>,
}

struct Line {
    finding: Finding,
    printed: String,
    answers: Vec<Option<Answer>>,
}

impl FindingTable {
    /// The answers of our crashes; no table where none is asked for.
    pub(in crate::crashes) fn count(rows: &[&CrashRow], printed: &PrintedShares) -> Option<Self> {
        let columns = Column::all(rows);
        let line = |finding: &Finding| Line {
            finding: finding.clone(),
            printed: finding.printed(printed),
            answers: (0..columns.len()).map(|place| finding.answer_in(place, &columns, rows, printed)).collect(),
        };
        let lines: Vec<Line> = printed.findings().iter().map(line).collect();
        let columns = columns.iter().map(|column| column.name().to_owned()).collect();
        (!lines.is_empty()).then_some(FindingTable { columns, lines })
    }

    /// How often each verdict is given in a column, of the lines of a takeaway.
    pub(super) fn verdicts(&self, column: usize, takeaway: u8) -> [usize; 3] {
        let lines = self.lines.iter().filter(|line| line.finding.takeaways.contains(&takeaway));
        let verdicts: Vec<Verdict> = lines.filter_map(|line| Some(line.answers[column].as_ref()?.verdict)).collect();
        Verdict::ALL.map(|verdict| verdicts.iter().filter(|one| **one == verdict).count())
    }

    /// How many lines belong to a takeaway.
    pub(super) fn lines_of(&self, takeaway: u8) -> usize {
        self.lines.iter().filter(|line| line.finding.takeaways.contains(&takeaway)).count()
    }

    /// The columns' names.
    pub(super) fn columns(&self) -> &[String] {
        &self.columns
    }

    fn note(&self) -> String {
        let answers: Vec<&Answer> = self.lines.iter().flat_map(|line| &line.answers).flatten().collect();
        let count = |verdict| answers.iter().filter(|answer| answer.verdict == verdict).count();
        let [agree, differ, few] = Verdict::ALL.map(count);
        format!(
            "Behind counts 95 % intervals: Wilson's of a share, Newcombe's of a difference of two. A share agrees where it is surely within {:.0} points \
             of the paper's (of a platform of the paper that platform's), whose sample counts as one, and differs where it is surely another; a bound, a lead and a comparison agree where \
             the interval is beyond it, and differ where it is on the other side. A lead is a share of the two most frequent words. Of {} \
             answers {agree} agree, {differ} differ, and {few} cannot be told from so few crashes; one in twenty would differ by chance.",
            ALIKE * 100.0,
            answers.len(),
        )
    }
}

impl Line {
    fn takeaways(&self) -> String {
        let numbers: Vec<String> = self.finding.takeaways.iter().map(ToString::to_string).collect();
        if numbers.is_empty() { NOTHING.to_owned() } else { numbers.join(", ") }
    }
}

impl Table for FindingTable {
    fn name(&self) -> String {
        "findings".to_owned()
    }

    fn grid(&self) -> Grid {
        let columns = self.columns.iter().map(String::as_str);
        let row = |line: &Line| {
            let answer = |answer: &Option<Answer>| answer.as_ref().map_or_else(|| NOTHING.to_owned(), Answer::text);
            let Finding { finding, says, .. } = &line.finding;
            let words = [finding.clone(), line.takeaways(), says.clone(), line.printed.clone()];
            words.into_iter().chain(line.answers.iter().map(answer)).collect()
        };
        Grid {
            title: "The paper's findings, line by line, and what our crashes say".to_owned(),
            header: ["Finding", "Takeaway", "The paper says", "Paper"]
                .into_iter()
                .chain(columns)
                .map(str::to_owned)
                .collect(),
            word_columns: 3,
            rows: self.lines.iter().map(row).collect(),
            notes: vec![self.note()],
        }
    }

    fn csv(&self) -> String {
        let header = ["finding", "takeaways", "says", "paper", "group"].into_iter().chain(Answer::CSV_FIELDS);
        let lines = self.lines.iter().flat_map(|line| {
            let Finding { finding, says, .. } = &line.finding;
            self.columns.iter().zip(&line.answers).filter_map(move |(column, answer)| {
                let words = [finding.clone(), line.takeaways(), says.clone(), line.printed.clone(), column.clone()];
                Some(words.into_iter().chain(answer.as_ref()?.csv()).collect())
            })
        });
        csv_text(std::iter::once(header.map(str::to_owned).collect()).chain(lines))
    }

    fn json(&self) -> Value {
        let row = |line: &Line| {
            let Finding { finding, takeaways, says, .. } = &line.finding;
            let answers = line.answers.iter().map(|answer| answer.as_ref().map(Answer::json));
            let answers: serde_json::Map<String, Value> =
                self.columns.iter().cloned().zip(answers.map(|answer| answer.unwrap_or(Value::Null))).collect();
            json!({ "finding": finding, "takeaways": takeaways, "says": says, "paper": line.printed, "answers": answers })
        };
        let rows: Vec<Value> = self.lines.iter().map(row).collect();
        json!({ "table": self.name(), "title": self.grid().title, "columns": self.columns, "rows": rows, "note": self.note() })
    }
}
