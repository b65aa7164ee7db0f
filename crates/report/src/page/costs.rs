//! What language models cost: Table 5, and the same money by model and type of fix.

use std::collections::BTreeMap;

use super::markup::table;
use crate::calls::CallRow;
use crate::number_words::thousands;
use crate::rows::Data;
use crate::tables::{Grid, type_label};

/// The section's content.
pub(super) fn section(data: &Data, grids: &[(String, Grid)]) -> String {
    let calls = &data.dialogues.calls;
    let table5: String = grids.iter().filter(|(name, _)| name == "table5").map(|(_, grid)| table(grid)).collect();
    if calls.is_empty() {
        return format!("<p>No language model was called in this study, so nothing was paid.</p>\n{table5}");
    }
    format!("{}{table5}", table(&spent(calls)))
}

/// Calls, tokens and money by model and type of fix.
fn spent(calls: &[CallRow]) -> Grid {
    let mut sums: BTreeMap<(&str, &str), (u64, [u64; 3], f64)> = BTreeMap::new();
    for call in calls {
        let kind = call.fix_type.map_or("No fix", |fix_type| type_label(Some(fix_type)));
        for key in [(call.model.as_str(), kind), (call.model.as_str(), "Total")] {
            let (count, tokens, cost) = sums.entry(key).or_default();
            *count += 1;
            *cost += call.cost;
            tokens.iter_mut().zip(call.tokens.unwrap_or_default()).for_each(|(sum, more)| *sum += more);
        }
    }
    let row = |((model, kind), (count, tokens, cost)): (&(&str, &str), &(u64, [u64; 3], f64))| {
        let words = [(*model).to_owned(), (*kind).to_owned(), thousands(*count), format!("{cost:.4}")];
        words.into_iter().chain(tokens.map(thousands)).collect()
    };
    let header =
        ["Model", "For", "Calls", "Cost (USD)", "Input tokens (not cached)", "Input tokens (cached)", "Output tokens"];
    Grid {
        title: "What was spent, by model and type of fix".to_owned(),
        header: header.map(str::to_owned).into(),
        word_columns: 2,
        rows: sums.iter().map(row).collect(),
        notes: Vec::new(),
    }
}
