//! The paper's takeaways (section 5), each with how many lines of the findings behind it ours agree with.

use serde_json::{Value, json};

use super::answer::Verdict;
use super::{FindingTable, Takeaway};
use crate::crashes::printed::PrintedShares;
use crate::output::csv_text;
use crate::tables::{Grid, Table};

/// The takeaways.
pub(in crate::crashes) struct TakeawayTable {
    columns: Vec<String>,
    lines: Vec<Line>,
}

struct Line {
    takeaway: Takeaway,
    lines: usize,
    /// How often each verdict is given, in the order of [`Verdict::ALL`], by column.
    verdicts: Vec<[usize; 3]>,
}

impl TakeawayTable {
    pub(in crate::crashes) fn count(findings: &FindingTable, printed: &PrintedShares) -> Self {
        let line = |takeaway: &Takeaway| Line {
            takeaway: takeaway.clone(),
            lines: findings.lines_of(takeaway.number),
            verdicts: (0..findings.columns().len()).map(|at| findings.verdicts(at, takeaway.number)).collect(),
        };
        let lines = printed.takeaways().iter().map(line).collect();
        TakeawayTable { columns: findings.columns().to_vec(), lines }
    }
}

impl Table for TakeawayTable {
    fn name(&self) -> String {
        "takeaways".to_owned()
    }

    fn grid(&self) -> Grid {
        let header = ["Takeaway", "It says", "Lines"].into_iter().chain(self.columns.iter().map(String::as_str));
        let row = |line: &Line| {
            let verdicts = line.verdicts.iter().map(|counts| counts.map(|count| count.to_string()).join(" / "));
            let Takeaway { number, says } = &line.takeaway;
            [number.to_string(), says.clone(), line.lines.to_string()].into_iter().chain(verdicts).collect()
        };
        Grid {
            title: "The paper's takeaways, and how the lines behind them stand in ours".to_owned(),
            header: header.map(str::to_owned).collect(),
            word_columns: 2,
            rows: self.lines.iter().map(row).collect(),
            notes: vec![format!(
                "Lines are those of the findings that the takeaway rests on; of each column how many {}. Lines of one platform count \
                 where it is a group of ours.",
                Verdict::ALL
                    .map(|verdict| verdict.words().replace("agrees", "agree").replace("differs", "differ"))
                    .join(" / ")
            )],
        }
    }

    fn csv(&self) -> String {
        let header = ["takeaway", "says", "lines", "group"].into_iter().chain(Verdict::ALL.map(Verdict::words));
        let lines = self.lines.iter().flat_map(|line| {
            let Takeaway { number, says } = &line.takeaway;
            self.columns.iter().zip(&line.verdicts).map(move |(column, counts)| {
                let words = [number.to_string(), says.clone(), line.lines.to_string(), column.clone()];
                words.into_iter().chain(counts.map(|count| count.to_string())).collect()
            })
        });
        let header = header.map(|field| field.replace(' ', "_")).collect();
        csv_text(std::iter::once(header).chain(lines))
    }

    fn json(&self) -> Value {
        let row = |line: &Line| {
            let Takeaway { number, says } = &line.takeaway;
            let of = |counts: &[usize; 3]| {
                let words = Verdict::ALL.map(|verdict| verdict.words().to_owned());
                Value::Object(words.into_iter().zip(counts.map(Value::from)).collect())
            };
            let columns = self.columns.iter().cloned().zip(line.verdicts.iter().map(of));
            json!({ "takeaway": number, "says": says, "lines": line.lines, "verdicts": Value::Object(columns.collect()) })
        };
        let rows: Vec<Value> = self.lines.iter().map(row).collect();
        json!({ "table": self.name(), "title": self.grid().title, "columns": self.columns, "rows": rows })
    }
}
