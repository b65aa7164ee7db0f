//! What MLE-bench's own `prepare` wrote: its folders, and the checksums that its files must have.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::mle::rules::{GradingRules, mle_competition};

/// The checksums of all competitions; see the head of the file for their source.
const CHECKSUMS: &str = include_str!("../../data/checksums.txt");

/// The endings of the files that have checksums.
const ENDINGS: [&str; 5] = ["csv", "json", "jsonl", "parquet", "bson"];

/// MD5 of files, by their path below the folder with `public` and `private`.
pub type Checksums = BTreeMap<String, String>;

impl GradingRules {
    /// The competition of MLE-bench that a folder is named after, and the folder in it with `public` and `private`: the folder
    /// itself, or `prepared` below it.
    #[must_use]
    pub fn of_prepared(folder: &Path) -> Option<(&'static GradingRules, PathBuf)> {
        let inner = folder.join("prepared");
        let prepared = if inner.is_dir() { inner } else { folder.to_owned() };
        let named = folder.ancestors().filter_map(|folder| folder.file_name()?.to_str());
        Some((named.take(2).find_map(mle_competition)?, prepared))
    }

    /// The checksums that MLE-bench states for the prepared files of this competition; none for one that is not its own.
    #[must_use]
    pub fn checksums(&self) -> Checksums {
        let sections = CHECKSUMS.split("\n[").skip(1).filter_map(|section| section.split_once("]\n"));
        let own = sections.filter(|(id, _)| *id == self.id).flat_map(|(_, lines)| lines.lines());
        own.filter_map(|line| line.split_once("  ")).map(|(sum, name)| (name.to_owned(), sum.to_owned())).collect()
    }
}

/// The checksums of a `checksums.yaml` as MLE-bench writes it: `private` and `public` with `NAME: MD5` below each.
///
/// # Errors
/// The number of the first line that is something else, from 1.
pub fn parse_checksums(yaml: &str) -> Result<Checksums, usize> {
    let mut checksums = Checksums::new();
    let mut part = None;
    for (number, line) in yaml.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let (name, value) = line.rsplit_once(':').ok_or(number + 1)?;
        let (indented, name, value) = (name.starts_with(' '), unquoted(name), unquoted(value));
        match (indented, part) {
            (false, _) => part = matches!(name, "public" | "private").then_some(name),
            (true, Some(part)) if is_md5(value) => drop(checksums.insert(format!("{part}/{name}"), value.to_owned())),
            (true, _) => return Err(number + 1),
        }
    }
    Ok(checksums)
}

/// Whether files of this name have a checksum.
#[must_use]
pub fn has_checksum(name: &str) -> bool {
    name.rsplit_once('.').is_some_and(|(_, ending)| ENDINGS.contains(&ending))
}

fn unquoted(text: &str) -> &str {
    text.trim().trim_matches(['\'', '"'])
}

fn is_md5(text: &str) -> bool {
    text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mle::rules::mle_competitions;

    #[test]
    fn every_competition_has_checksums_of_its_answers() {
        for rules in mle_competitions() {
            let checksums = rules.checksums();
            assert!(checksums.contains_key(&rules.answers), "{}: {checksums:?}", rules.id);
            assert!(checksums.iter().all(|(name, sum)| has_checksum(name) && is_md5(sum)), "{}", rules.id);
        }
        assert_eq!(mle_competitions().iter().map(|rules| rules.checksums().len()).sum::<usize>(), 307);
    }

    #[test]
    fn a_file_of_checksums_as_mle_bench_writes_it() {
        let sum = "0123456789abcdef0123456789abcdef";
        let found = parse_checksums(&format!("private:\n  test.csv: {sum}\npublic:\n  'a b.csv': {sum}\nzip: {sum}\n"));
        let names: Vec<String> = found.unwrap().into_keys().collect();
        assert_eq!(names, ["private/test.csv", "public/a b.csv"]);
        assert_eq!(parse_checksums("public:\n  test.csv: 12\n"), Err(2));
        assert_eq!(parse_checksums("<html>\n"), Err(1));
    }

    #[test]
    fn a_prepared_folder_is_known_by_its_name() {
        let found =
            |path: &str| GradingRules::of_prepared(Path::new(path)).map(|(rules, folder)| (rules.id.as_str(), folder));
        let folder = PathBuf::from("data/spaceship-titanic/prepared");
        assert_eq!(found("data/spaceship-titanic/prepared"), Some(("spaceship-titanic", folder)));
        assert_eq!(found("data/titanic"), None);
    }
}
