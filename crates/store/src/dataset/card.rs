//! The card of a dataset: a page for people, with the front matter that hubs of datasets read.

use std::collections::BTreeMap;

use nbrevive_corpus::{Condition, Outcome};

use super::croissant::HOME;
use super::manifest::{Manifest, ManifestFile};
use super::schema::Schema;

const PAGE: &str = include_str!("card.md");

/// Versions by condition, then by outcome in the order of its `ALL`.
pub type CardCounts = BTreeMap<Condition, [u64; Outcome::ALL.len()]>;

/// The card, with the numbers of the dataset.
#[must_use]
pub fn card(manifest: &Manifest, counts: &CardCounts) -> String {
    let rows: u64 = manifest.files.iter().map(|file| file.rows).sum();
    let values = [
        ("{title}", manifest.title.replace('"', "'")),
        ("{dataset}", manifest.dataset.clone()),
        ("{schema}", manifest.schema.clone()),
        ("{variant}", serde_json::to_string(&manifest.variant).unwrap_or_default().replace('"', "")),
        ("{tool_revision}", manifest.tool_revision.clone()),
        ("{size}", size(rows).to_owned()),
        ("{configs}", manifest.files.iter().map(config).collect::<Vec<_>>().join("\n")),
        ("{outcomes}", outcomes(counts)),
        ("{tables}", manifest.files.iter().map(table_line).collect()),
        ("{home}", HOME.to_owned()),
    ];
    values.iter().fold(PAGE.to_owned(), |page, (slot, value)| page.replace(slot, value))
}

/// One table as hubs know it; what most readers want opens first.
fn config(file: &ManifestFile) -> String {
    let default = if file.table == "outcomes" { "\n  default: true" } else { "" };
    format!("- config_name: {}\n  data_files: {}{default}", file.table, file.name)
}

fn table_line(file: &ManifestFile) -> String {
    let title = Schema::get().table(&file.table).map_or("", |table| &table.title);
    format!("| {} | {} | {} | {title} |\n", file.name, file.rows, file.bytes)
}

/// Versions by outcome under each condition that ran.
fn outcomes(counts: &CardCounts) -> String {
    if counts.is_empty() {
        return String::new();
    }
    let head: String = counts.keys().map(|condition| format!(" {condition} |")).collect();
    let rule = "---:|".repeat(counts.len());
    let line = |(outcome, word): (usize, &Outcome)| {
        let cells: String = counts.values().map(|of| format!(" {} |", of[outcome])).collect();
        format!("| {word} |{cells}\n")
    };
    let lines: String = Outcome::ALL.iter().enumerate().map(line).collect();
    format!("| outcome |{head}\n|---|{rule}\n{lines}\n")
}

/// The words of hubs for how many rows there are.
const fn size(rows: u64) -> &'static str {
    match rows {
        0..1_000 => "n<1K",
        1_000..10_000 => "1K<n<10K",
        10_000..100_000 => "10K<n<100K",
        100_000..1_000_000 => "100K<n<1M",
        1_000_000..10_000_000 => "1M<n<10M",
        10_000_000..100_000_000 => "10M<n<100M",
        100_000_000..1_000_000_000 => "100M<n<1B",
        _ => "n>1B",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dataset::Variant;

    #[test]
    fn every_slot_is_filled() {
        let file = ManifestFile {
            name: "outcomes.parquet".to_owned(),
            table: "outcomes".to_owned(),
            rows: 3,
            bytes: 9,
            sha256: String::new(),
        };
        let manifest = Manifest {
            dataset: "tiny".to_owned(),
            title: "Tiny".to_owned(),
            schema: "1.0.0".to_owned(),
            variant: Variant::IdsOnly,
            tool_revision: "test".to_owned(),
            recorded: None,
            files: vec![file],
            texts: Vec::new(),
        };
        let mut counts = CardCounts::default();
        counts.insert(Condition::BASELINE, [0, 0, 0, 0, 3]);
        let card = card(&manifest, &counts);
        assert!(!card.contains('{') && !card.contains('}'), "{card}");
        for told in ["variant `ids-only`", "| outcomes.parquet | 3 | 9 |", "| failed | 3 |", "- n<1K", "default: true"]
        {
            assert!(card.contains(told), "{told}: {card}");
        }
    }
}
