//! Tables of the paper that hold words: related work (Table 1), and values that are alike (Table 3).

use nbrevive_diagnosis::crash::{PAPER_SIMILARITY, clusters, ml_libraries, normal_value};
use serde_json::{Value, json};

use super::printed::PrintedShares;
use super::{CrashRow, groups};
use crate::number_words::plural;
use crate::output::csv_text;
use crate::tables::{Grid, Table};

/// A table of words, and of counts as words.
pub(super) struct WordTable {
    name: &'static str,
    title: &'static str,
    header: &'static [&'static str],
    /// Columns from the left that are words.
    word_columns: usize,
    rows: Vec<Vec<String>>,
    note: &'static str,
}

/// The studies that the paper compares itself with, the paper, and ours; none where no published file lists them.
pub(super) fn related_work(rows: &[&CrashRow], printed: &PrintedShares) -> Option<WordTable> {
    if printed.works().is_empty() {
        return None;
    }
    let of_work = |work: &super::printed::Work| {
        [&work.study, &work.dimensions, &work.targets, &work.libraries, &work.sources].map(Clone::clone).to_vec()
    };
    let count = |group: &str| rows.iter().filter(|row| row.group == group).count() as u64;
    let group = |group: &str| format!("{group} ({})", plural(count(group), "crash"));
    let ours = [
        "ours".to_owned(),
        "exception type, root cause, ML or Python bug, stage of the pipeline, library to blame".to_owned(),
        "notebooks".to_owned(),
        format!("the {} of Table 2", ml_libraries().count()),
        format!(
            "saved errors, and errors of executions: {}",
            groups(rows).into_iter().map(group).collect::<Vec<_>>().join(", ")
        ),
    ];
    Some(WordTable {
        name: "related-work",
        title: "Studies of bugs, of the paper, and of ours",
        header: &["Study", "Dimensions", "Targets", "Libraries", "Sources"],
        word_columns: 5,
        rows: printed.works().iter().map(of_work).chain([ours.to_vec()]).collect(),
        note: "Table 1 of the paper, in our words; the last line is ours.",
    })
}

/// The paper's examples of alike values, with the words that we leave of them; none where no published file lists them.
pub(super) fn alike_values(printed: &PrintedShares) -> Option<WordTable> {
    let values: Vec<&str> = printed.alike().iter().map(|alike| alike.value.as_str()).collect();
    let cluster = clusters(values.iter().copied(), PAPER_SIMILARITY);
    let row = |(alike, cluster): (&super::printed::Alike, &usize)| {
        let ours = normal_value(&alike.value);
        let same = if ours == alike.words { "the same" } else { "others" };
        vec![alike.value.clone(), alike.words.clone(), ours, same.to_owned(), (cluster + 1).to_string()]
    };
    (!values.is_empty()).then(|| WordTable {
        name: "alike-values",
        title: "Values of errors that the paper finds alike, and the words that are left of them",
        header: &["Value", "Paper's words", "Our words", "Ours are", "Cluster"],
        word_columns: 4,
        rows: printed.alike().iter().zip(&cluster).map(row).collect(),
        note: "The examples of Table 3 of the paper: both share a cluster where their words' Jaccard similarity is above 0.7.",
    })
}

impl Table for WordTable {
    fn name(&self) -> String {
        self.name.to_owned()
    }

    fn grid(&self) -> Grid {
        Grid {
            title: self.title.to_owned(),
            header: self.header.iter().map(|head| (*head).to_owned()).collect(),
            word_columns: self.word_columns,
            rows: self.rows.clone(),
            notes: vec![self.note.to_owned()],
        }
    }

    fn csv(&self) -> String {
        let header = self.header.iter().map(|head| head.to_lowercase().replace(' ', "_")).collect();
        csv_text(std::iter::once(header).chain(self.rows.iter().cloned()))
    }

    fn json(&self) -> Value {
        json!({ "table": self.name, "title": self.title, "header": self.header, "rows": self.rows, "note": self.note })
    }
}
