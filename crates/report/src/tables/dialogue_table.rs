//! What became of the dialogues with language models: questions, re-asks, and patches that were refused. The paper has no such table.

use std::collections::BTreeMap;

use nbrevive_corpus::FixType;
use serde_json::{Value, json};

use super::fix_table::type_label;
use super::grid::Grid;
use super::list::Table;
use crate::calls::Dialogues;
use crate::number_words::{plural, thousands};
use crate::output::csv_text;
use crate::rows::{Data, Study};
use crate::source;

const TITLE: &str = "Dialogues with language models, and patches that were refused";

/// Counts of a line, by fix type in their order.
type Counts = [u64; FixType::ALL.len()];

/// Dialogues by fix type.
pub(crate) struct DialogueTable {
    study: Study,
    lines: Vec<DialogueLine>,
    notes: Vec<String>,
}

struct DialogueLine {
    /// What is counted.
    what: &'static str,
    /// The kind of it; empty for all.
    kind: String,
    counts: Counts,
}

impl DialogueTable {
    /// Counts the dialogues.
    pub(crate) fn count(data: &Data) -> Self {
        let dialogues = &data.dialogues;
        let study = data.study.clone();
        let mut notes = vec![format!("Ours: {}; {}.", counted(dialogues), source::study_line(&study))];
        if dialogues.questions.iter().any(|question| question.breaches.len() > 1) {
            notes.push("An answer that broke several rules counts under each.".to_owned());
        }
        DialogueTable { study, lines: lines(dialogues), notes }
    }
}

impl Table for DialogueTable {
    fn name(&self) -> String {
        "dialogues".to_owned()
    }

    fn grid(&self) -> Grid {
        let types = FixType::ALL.iter().map(|fix_type| type_label(Some(*fix_type)));
        let header = ["What", "Kind"].into_iter().chain(types).chain(["Total"]);
        let row = |line: &DialogueLine| {
            let counts = line.counts.iter().copied().chain([line.total()]).map(thousands);
            [line.what.to_owned(), line.kind.clone()].into_iter().chain(counts).collect()
        };
        Grid {
            title: TITLE.to_owned(),
            header: header.map(str::to_owned).collect(),
            word_columns: 2,
            rows: self.lines.iter().map(row).collect(),
            notes: self.notes.clone(),
        }
    }

    /// The table as CSV: one line a row and fix type.
    fn csv(&self) -> String {
        let header = ["what", "kind", "fix_type", "count"].map(str::to_owned).into();
        let rows = self.lines.iter().flat_map(|line| {
            let types = FixType::ALL.iter().map(|fix_type| fix_type.as_str()).chain(["total"]);
            types.zip(line.counts.into_iter().chain([line.total()])).map(|(fix_type, count)| {
                vec![line.what.to_owned(), line.kind.clone(), fix_type.to_owned(), count.to_string()]
            })
        });
        csv_text([header].into_iter().chain(rows))
    }

    fn json(&self) -> Value {
        let row = |line: &DialogueLine| {
            let counts =
                FixType::ALL.iter().zip(line.counts).map(|(fix_type, count)| (fix_type.to_string(), count.into()));
            let counts: serde_json::Map<String, Value> = counts.collect();
            json!({ "what": line.what, "kind": line.kind, "counts": counts, "total": line.total() })
        };
        self.framed(&self.study, self.lines.iter().map(row).collect())
    }
}

impl DialogueLine {
    fn total(&self) -> u64 {
        self.counts.iter().sum()
    }
}

fn counted(dialogues: &Dialogues) -> String {
    match (dialogues.questions.len() as u64, dialogues.refusals.len() as u64) {
        (0, 0) => "no language model was asked, and nothing was refused".to_owned(),
        (questions, refusals) => {
            format!("{} to models, {} refused by the loop", plural(questions, "question"), plural(refusals, "proposal"),)
        }
    }
}

/// Rows that gather their kinds as they are met.
#[derive(Default)]
struct Sums(BTreeMap<(usize, String), Counts>);

/// What is counted, in the order of the rows.
const WHAT: [&str; 7] = [
    "Dialogues that led to a fix",
    "Dialogues that led to none",
    "Re-asks",
    "Questions without an answer",
    "Answers that could not be read",
    "Patches refused while the model was asked",
    "Proposals refused by the loop",
];

impl Sums {
    /// The rows without a kind, which are there also when nothing was counted.
    fn new() -> Self {
        let whole = |what| ((what, String::new()), Counts::default());
        Sums((0..WHAT.len()).map(whole).collect())
    }

    fn add(&mut self, what: usize, kind: &str, fix_type: FixType) {
        let Some(column) = FixType::ALL.iter().position(|known| *known == fix_type) else { return };
        self.0.entry((what, kind.to_owned())).or_default()[column] += 1;
    }
}

fn lines(dialogues: &Dialogues) -> Vec<DialogueLine> {
    let mut sums = Sums::new();
    for question in &dialogues.questions {
        let fix_type = question.fix_type;
        match (question.reask, question.led_to_fix) {
            (0, true) => sums.add(0, "", fix_type),
            (0, false) => sums.add(1, "", fix_type),
            _ => sums.add(2, "", fix_type),
        }
        if let Some(problem) = &question.problem {
            sums.add(4, "", fix_type);
            sums.add(4, problem, fix_type);
        } else if !question.breaches.is_empty() {
            sums.add(5, "", fix_type);
            question.breaches.iter().for_each(|breach| sums.add(5, breach, fix_type));
        } else if !question.detail.is_empty() {
            sums.add(3, "", fix_type);
        }
    }
    for refusal in &dialogues.refusals {
        sums.add(6, "", refusal.fix_type);
        sums.add(6, &refusal.breach, refusal.fix_type);
    }
    sums.0.into_iter().map(|((what, kind), counts)| DialogueLine { what: WHAT[what], kind, counts }).collect()
}
