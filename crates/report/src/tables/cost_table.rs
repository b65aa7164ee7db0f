//! Table 5 of the paper (section 4.4): what language models cost, and their tokens, for a notebook and for a fix.

use std::collections::BTreeSet;

use nbrevive_corpus::FixType;
use serde_json::{Value, json};

use super::fix_table::type_label;
use super::grid::Grid;
use super::list::Table;
use crate::calls::{CallRow, REPLAY};
use crate::number_words::{NOTHING, plural, thousands};
use crate::output::csv_text;
use crate::published::{Published, PublishedCost};
use crate::rows::{Data, Study};
use crate::source;

const TITLE: &str = "Table 5. What language models cost: means for a notebook and for a fix";

/// Means of cost and tokens.
pub(crate) struct CostTable {
    study: Study,
    lines: Vec<CostLine>,
    beside: bool,
    notes: Vec<String>,
}

struct CostLine {
    /// None for the row of notebooks.
    fix_type: Option<FixType>,
    /// Notebooks or fixes.
    count: u64,
    means: Option<Means>,
    published: Option<PublishedCost>,
}

/// Means over notebooks or fixes.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Means {
    /// USD.
    cost: f64,
    /// Input tokens from no cache, input tokens from the cache, and output tokens.
    tokens: [f64; 3],
}

impl CostTable {
    /// Sums the calls.
    pub(crate) fn count(data: &Data, published: Option<&Published>) -> Self {
        let calls = &data.dialogues.calls;
        let table = published.map(|published| &published.table5);
        let line = |fix_type: Option<FixType>| {
            let printed = table.map(|table| match fix_type {
                None => table.notebook.clone(),
                Some(fix_type) => table.fixes[&fix_type].clone(),
            });
            CostLine::count(fix_type, calls, printed)
        };
        let types = FixType::ALL.iter().copied().map(Some);
        let lines: Vec<CostLine> = [None].into_iter().chain(types).map(line).collect();
        CostTable {
            notes: notes(data, &lines, published),
            study: data.study.clone(),
            lines,
            beside: published.is_some(),
        }
    }

    /// Cost in USD, input tokens from no cache and from the cache, and output tokens, as means for a notebook (none) or a fix of a
    /// type; none where nothing was asked.
    pub(super) fn means(&self, of: Option<FixType>) -> Option<[f64; 4]> {
        let Means { cost, tokens: [input, cached, output] } =
            self.lines.iter().find(|line| line.fix_type == of)?.means?;
        Some([cost, input, cached, output])
    }
}

impl Table for CostTable {
    fn name(&self) -> String {
        "table5".to_owned()
    }

    /// The table as text in columns; the published row stands below ours.
    fn grid(&self) -> Grid {
        let header = ["Per", "Source", "Count", "Cost (USD)", "Input (not cached)", "Input (cached)", "Output"];
        let mut grid = Grid {
            title: TITLE.to_owned(),
            header: header.map(str::to_owned).into(),
            word_columns: 2,
            rows: self.lines.iter().flat_map(CostLine::rows).collect(),
            notes: self.notes.clone(),
        };
        if !self.beside {
            grid.header.remove(1);
            grid.rows.iter_mut().for_each(|row| drop(row.remove(1)));
            grid.word_columns = 1;
        }
        grid
    }

    /// The table as CSV; empty where there is no value. Costs are in USD, the rest in tokens.
    fn csv(&self) -> String {
        let ours = ["per", "count", "cost_usd", "input_not_cached", "input_cached", "output"];
        let theirs = ["cost_usd", "input_not_cached", "input_cached", "output"].map(|name| format!("published_{name}"));
        let header = ours.map(str::to_owned).into_iter().chain(theirs).collect();
        let rows = self.lines.iter().map(|line| {
            let means = line.values().map(|value| value.map_or_else(String::new, |value| value.to_string()));
            let published = match &line.published {
                Some(cost) => cost.printed().map(|printed| printed.value().to_string()),
                None => Default::default(),
            };
            [line.key().to_owned(), line.count.to_string()].into_iter().chain(means).chain(published).collect()
        });
        csv_text([header].into_iter().chain(rows))
    }

    fn json(&self) -> Value {
        let mut json = self.framed(&self.study, self.lines.iter().map(CostLine::json).collect());
        json["table"] = json!(5);
        json
    }

    fn is_on_terminal(&self) -> bool {
        true
    }
}

impl CostLine {
    fn count(fix_type: Option<FixType>, calls: &[CallRow], published: Option<PublishedCost>) -> Self {
        let mine = || calls.iter().filter(|call| fix_type.is_none() || call.fix_type == fix_type);
        // Re-asks belong to their fix.
        let number = |call: &CallRow| fix_type.map(|_| call.fix_number);
        let units: BTreeSet<_> = mine().map(|call| (&call.study, &call.notebook, number(call))).collect();
        let count = units.len() as u64;
        let tokens = |index: usize| mine().filter_map(|call| call.tokens).map(|tokens| tokens[index]).sum::<u64>();
        let means = (count > 0).then(|| Means {
            cost: mine().map(|call| call.cost).sum::<f64>() / count as f64,
            tokens: [0, 1, 2].map(|index| tokens(index) as f64 / count as f64),
        });
        CostLine { fix_type, count, means, published }
    }

    fn rows(&self) -> Vec<Vec<String>> {
        let means = match self.means {
            None => [NOTHING; 4].map(str::to_owned),
            Some(Means { cost, tokens: [input, cached, output] }) => {
                [format!("{cost:.4}"), hundredths(input), hundredths(cached), hundredths(output)]
            }
        };
        let ours = [self.label().to_owned(), "ours".to_owned(), thousands(self.count)];
        let mut rows = vec![ours.into_iter().chain(means).collect()];
        if let Some(published) = &self.published {
            let theirs = [self.label().to_owned(), "published".to_owned(), NOTHING.to_owned()];
            rows.push(theirs.into_iter().chain(published.printed().map(|printed| printed.text().to_owned())).collect());
        }
        rows
    }

    /// The means with six decimals: what machines read must not depend on the last digits of a machine's arithmetic.
    fn values(&self) -> [Option<f64>; 4] {
        let rounded = |value: f64| (value * 1e6).round() / 1e6;
        match self.means {
            None => [None; 4],
            Some(Means { cost, tokens: [input, cached, output] }) => {
                [cost, input, cached, output].map(|value| Some(rounded(value)))
            }
        }
    }

    fn json(&self) -> Value {
        let object = |[cost, input, cached, output]: [Value; 4]| json!({ "cost_usd": cost, "input_not_cached": input, "input_cached": cached, "output": output });
        let mut row = object(self.values().map(Value::from));
        row["per"] = self.key().into();
        row["count"] = self.count.into();
        if let Some(published) = &self.published {
            row["published"] = object(
                published.printed().map(|printed| json!({ "printed": printed.text(), "value": printed.value() })),
            );
        }
        row
    }

    fn label(&self) -> &'static str {
        self.fix_type.map_or("Notebook", |fix_type| type_label(Some(fix_type)))
    }

    fn key(&self) -> &'static str {
        self.fix_type.map_or("notebook", FixType::as_str)
    }
}

/// A mean number of tokens as the paper prints it: `28,804.66`.
fn hundredths(value: f64) -> String {
    let text = format!("{value:.2}");
    match text.split_once('.') {
        Some((whole, part)) => format!("{}.{part}", whole.parse().map_or_else(|_| whole.to_owned(), thousands)),
        None => text,
    }
}

fn notes(data: &Data, lines: &[CostLine], published: Option<&Published>) -> Vec<String> {
    let calls = &data.dialogues.calls;
    let mut notes = vec![ours(data, lines)];
    let count = |is_meant: &dyn Fn(&CallRow) -> bool| calls.iter().filter(|call| is_meant(call)).count() as u64;
    let remarks = [
        (count(&|call| call.outcome == "reserved"), "Never settled, counted at their worst case"),
        (count(&|call| call.is_disputed), "Disputed, counted at their worst case"),
        (count(&|call| call.tokens.is_none()), "Without known tokens, counted as none"),
        (count(&|call| call.provider == REPLAY), "Replayed, counted at the cost that was recorded"),
    ];
    for (number, remark) in remarks.into_iter().filter(|(number, _)| *number > 0) {
        notes.push(format!("{remark}: {}.", plural(number, "call")));
    }
    if let Some(published) = published {
        let table = &published.table5;
        notes.push(source::published_costs(&published.paper, &table.section, &table.population));
    }
    notes
}

/// What our rows were counted from.
fn ours(data: &Data, lines: &[CostLine]) -> String {
    let calls = &data.dialogues.calls;
    let study = source::study_line(&data.study);
    if calls.is_empty() {
        return format!("Ours: no language model was called, so nothing was paid; {study}.");
    }
    let models: BTreeSet<&str> = calls.iter().map(|call| call.model.as_str()).collect();
    let models: Vec<&str> = models.into_iter().collect();
    let reasks = calls.iter().filter(|call| call.re_ask > 0).count() as u64;
    let notebooks = lines.first().map_or(0, |line| line.count);
    let total: f64 = calls.iter().map(|call| call.cost).sum();
    format!(
        "Ours: {} of {}, {} among them, for {}, {total:.4} USD in all; {study}.",
        plural(calls.len() as u64, "call"),
        models.join(", "),
        plural(reasks, "re-ask"),
        plural(notebooks, "notebook"),
    )
}
