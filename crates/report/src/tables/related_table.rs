//! How many notebooks do not run, in one paper after the other (ReNote, Table III), and here.

use nbrevive_corpus::Role;
use serde_json::{Value, json};

use super::cell::Cell;
use super::grid::Grid;
use super::list::Table;
use super::restored_tables::{Notion, notion};
use crate::beside::RelatedWork;
use crate::inputs::Inputs;
use crate::number_words::NOTHING;
use crate::output::csv_text;
use crate::restored::under;
use crate::rows::Study;
use crate::source;

/// Printed studies, and ours.
pub(crate) struct RelatedTable {
    study: Study,
    works: Vec<RelatedWork>,
    /// Notebooks of ours that do not run as they are.
    failing: Cell,
    /// Those of them that are pathological, which is what the paper prints of itself.
    pathological: Cell,
}

impl RelatedTable {
    /// Ours as they are; none where no related work is printed, or nothing ran.
    pub(crate) fn count(of: &Inputs) -> Option<Self> {
        let works = of.lines.related().to_vec();
        let rows: Vec<Notion> = under(&of.executability, of.data.condition(Role::Baseline)).map(notion).collect();
        let failing = rows.iter().filter(|notion| **notion != Notion::Executable).count() as u64;
        let pathological = rows.iter().filter(|notion| **notion == Notion::Pathological).count() as u64;
        let is_any = !works.is_empty() && !rows.is_empty();
        is_any.then(|| RelatedTable {
            study: of.data.study.clone(),
            works,
            failing: Cell::new(failing, rows.len() as u64),
            pathological: Cell::new(pathological, failing),
        })
    }

    /// The lines of ours.
    fn own(&self) -> [(&'static str, &Cell); 2] {
        [("ours, that do not run", &self.failing), ("ours, pathological of those", &self.pathological)]
    }
}

impl Table for RelatedTable {
    fn name(&self) -> String {
        "related-work".to_owned()
    }

    fn grid(&self) -> Grid {
        let header = ["Study", "Notebooks", "Share", "95 % interval", "Which notebooks"];
        let printed = |work: &RelatedWork| {
            let RelatedWork { work, notebooks, share, which } = work.clone();
            vec![work, notebooks, share, NOTHING.to_owned(), which]
        };
        let own = self.own().map(|(word, cell)| {
            vec![word.to_owned(), cell.whole_text(), cell.share_text(), cell.interval_text(), NOTHING.to_owned()]
        });
        Grid {
            title: "How many notebooks do not run, from study to study".to_owned(),
            header: header.map(str::to_owned).into(),
            word_columns: 1,
            rows: self.works.iter().map(printed).chain(own).collect(),
            notes: vec![
                format!("Ours: {}; intervals are Wilson's.", source::study_line(&self.study)),
                "As Table III of the paper on executability, whose own share is of another thing: of pathological ones among those that do not run."
                    .to_owned(),
            ],
        }
    }

    fn csv(&self) -> String {
        let header: Vec<String> = ["study", "notebooks", "share", "share_low", "share_high"].map(str::to_owned).into();
        let printed = |work: &RelatedWork| {
            vec![work.work.clone(), work.notebooks.clone(), work.share.clone(), String::new(), String::new()]
        };
        let own = self.own().map(|(word, cell)| {
            let [_, share, low, high, ..] = cell.csv();
            vec![word.to_owned(), cell.of().to_string(), share, low, high]
        });
        csv_text(std::iter::once(header).chain(self.works.iter().map(printed)).chain(own))
    }

    fn json(&self) -> Value {
        let printed = |work: &RelatedWork| {
            let RelatedWork { work, notebooks, share, which } = work;
            json!({ "study": work, "notebooks": notebooks, "published_share": share, "which": which })
        };
        let own = self.own().map(|(word, cell)| json!({ "study": word, "notebooks": cell.of(), "share": cell.json() }));
        self.framed(&self.study, self.works.iter().map(printed).chain(own).collect())
    }
}
