//! Who made the fixes: by provider, and by rule. The paper has one provider, a language model.

use std::collections::BTreeMap;

use foldhash::HashSet;
use nbrevive_corpus::Role;
use serde_json::{Value, json};

use super::cell::Cell;
use super::grid::Grid;
use super::list::Table;
use crate::number_words::thousands;
use crate::output::csv_text;
use crate::rows::{Data, FixRow, Study};
use crate::source;

/// Fixes by one of their columns.
pub(crate) struct ProviderTable {
    title: &'static str,
    /// What a row is about: `provider` or `rule`.
    by: &'static str,
    study: Study,
    lines: Vec<ProviderLine>,
    notes: Vec<String>,
}

struct ProviderLine {
    name: String,
    fixes: Cell,
    versions: u64,
    reproducible: Cell,
}

impl ProviderTable {
    /// The fixes of the modernize condition by provider.
    pub(crate) fn by_provider(data: &Data) -> Self {
        let title = "Fixes by provider, and how many of them left a reproducible notebook";
        Self::count(data, title, "provider", provider)
    }

    /// The fixes of the modernize condition by rule; a fix that applied several counts under each.
    pub(crate) fn by_rule(data: &Data) -> Self {
        let title = "Fixes by rule, and how many of them left a reproducible notebook";
        let mut table = Self::count(data, title, "rule", rules);
        table.notes.push("A fix that applied several rules counts under each.".to_owned());
        table
    }

    fn count(data: &Data, title: &'static str, by: &'static str, names: fn(&FixRow) -> Vec<&str>) -> Self {
        let mut groups: BTreeMap<&str, Group<'_>> = BTreeMap::new();
        let mut all = 0;
        for fix in data.fixes_of(Role::Modernize) {
            all += 1;
            for name in names(fix) {
                groups.entry(name).or_default().add(fix);
            }
        }
        let mut lines: Vec<_> = groups.into_iter().map(|(name, group)| group.line(name, all)).collect();
        // The most used first; among equals by name, as they come.
        lines.sort_by_key(|line| std::cmp::Reverse(line.fixes.count()));
        let notes = vec![source::our_fixes(&data.study, all)];
        ProviderTable { title, by, study: data.study.clone(), lines, notes }
    }
}

impl Table for ProviderTable {
    fn name(&self) -> String {
        format!("fixes-by-{}", self.by)
    }

    fn grid(&self) -> Grid {
        let by = if self.by == "rule" { "Rule" } else { "Provider" };
        let header = [by, "Fixes", "Share", "Versions", "Reproducible after it"];
        let row = |line: &ProviderLine| {
            let reproducible = format!("{} ({})", line.reproducible.count_text(), line.reproducible.share_text());
            let versions = thousands(line.versions);
            vec![line.name.clone(), line.fixes.count_text(), line.fixes.share_text(), versions, reproducible]
        };
        Grid {
            title: self.title.to_owned(),
            header: header.map(str::to_owned).into(),
            word_columns: 1,
            rows: self.lines.iter().map(row).collect(),
            notes: self.notes.clone(),
        }
    }

    fn csv(&self) -> String {
        let header = [self.by, "fixes", "versions", "reproducible"].map(str::to_owned).into();
        let rows = self.lines.iter().map(|line| {
            let counts = [line.fixes.count(), line.versions, line.reproducible.count()];
            [line.name.clone()].into_iter().chain(counts.map(|count| count.to_string())).collect()
        });
        csv_text([header].into_iter().chain(rows))
    }

    fn json(&self) -> Value {
        let row = |line: &ProviderLine| {
            json!({
                (self.by): line.name,
                "fixes": line.fixes.json(),
                "versions": line.versions,
                "reproducible": line.reproducible.json(),
            })
        };
        self.framed(&self.study, self.lines.iter().map(row).collect())
    }
}

/// The fixes of one line.
#[derive(Default)]
struct Group<'a> {
    fixes: u64,
    reproducible: u64,
    versions: HashSet<&'a str>,
}

impl<'a> Group<'a> {
    fn add(&mut self, fix: &'a FixRow) {
        self.fixes += 1;
        self.reproducible += u64::from(fix.led_to.outcome().is_reproducible());
        self.versions.insert(fix.version.as_str());
    }

    fn line(&self, name: &str, all: u64) -> ProviderLine {
        ProviderLine {
            name: name.to_owned(),
            fixes: Cell::new(self.fixes, all),
            versions: self.versions.len() as u64,
            reproducible: Cell::new(self.reproducible, self.fixes),
        }
    }
}

fn provider(fix: &FixRow) -> Vec<&str> {
    vec![&fix.provider]
}

fn rules(fix: &FixRow) -> Vec<&str> {
    fix.rules.split(',').filter(|rule| !rule.is_empty()).collect()
}
