//! Names of versions in a corpus: plain lower-case names, unique, and the same in every selection of the same versions.

use std::collections::BTreeSet;

use nbrevive_corpus::content_hash;
use nbrevive_mine::records::NotebookKey;
use nbrevive_store::mined::MergedVersion;

/// Longest name before the part that tells the version: file systems take 255 bytes with the ending.
const LONGEST: usize = 120;
/// Digits of a hash that tell two names apart.
const DIGITS: usize = 8;

/// The names that were given so far.
#[derive(Debug, Default)]
pub(super) struct Slugs(Names);

impl Slugs {
    /// The name of a version: `owner-slug-v3`, or the path and the beginning of the commit for a local file. Two versions whose names
    /// would be the same are told apart by the hash of the second one's key; versions come sorted by key.
    pub(super) fn of(&mut self, version: &MergedVersion) -> String {
        let record = &version.record;
        let base = match &record.notebook {
            NotebookKey::Kaggle(name) => plain(&format!("{}-{}", name.owner, name.slug)),
            NotebookKey::File(path) => {
                let path = path.as_str();
                plain(path.rsplit_once('.').map_or(path, |(stem, _)| stem))
            }
        };
        let tail = match (record.number, &record.revision) {
            (Some(number), _) => format!("v{number}"),
            (None, Some(revision)) => plain(revision).chars().take(DIGITS).collect(),
            (None, None) => hash(&version.key),
        };
        self.0.unique(format!("{base}-{tail}"), &version.key)
    }
}

/// Names of folders and notebooks of repositories.
#[derive(Debug, Default)]
pub(super) struct Names(BTreeSet<String>);

impl Names {
    /// The name of a file of a repository, or of the repository where the file is empty; told apart as [`Slugs::of`] does.
    pub(super) fn of(&mut self, repository: &str, file: &str) -> String {
        let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
        self.unique(plain(&format!("{repository}-{stem}")), &format!("{repository}:{file}"))
    }

    /// The name itself, with the hash of the key where another has it.
    fn unique(&mut self, short: String, key: &str) -> String {
        let name = if self.0.contains(&short) { format!("{short}-{}", hash(key)) } else { short };
        self.0.insert(name.clone());
        name
    }
}

fn hash(key: &str) -> String {
    content_hash(key.as_bytes()).chars().take(DIGITS).collect()
}

/// The text in lower-case letters, digits and single dashes, beginning with a letter or digit.
fn plain(text: &str) -> String {
    let mut out = String::new();
    for character in text.chars().map(|character| character.to_ascii_lowercase()) {
        if character.is_ascii_alphanumeric() {
            out.push(character);
        } else if !out.ends_with('-') && !out.is_empty() {
            out.push('-');
        }
        if out.len() >= LONGEST {
            break;
        }
    }
    let out = out.trim_matches('-');
    if out.is_empty() { "notebook".to_owned() } else { out.to_owned() }
}

#[cfg(test)]
mod tests {
    use nbrevive_mine::raw::ContentHash;
    use nbrevive_mine::records::{MiningSource, Origin, VersionRecord};

    use super::*;

    fn version(notebook: &str, number: Option<u32>, revision: Option<&str>) -> MergedVersion {
        let origin = Origin { source: MiningSource::KaggleApi, request: String::new(), raw: ContentHash::of(b"") };
        let record = VersionRecord {
            number,
            revision: revision.map(str::to_owned),
            ..VersionRecord::unknown(notebook.parse().unwrap(), origin)
        };
        let key = record.natural_key();
        MergedVersion {
            key,
            competition: None,
            in_competition: None,
            record,
            shown: None,
            notebook: None,
            sources: BTreeSet::from([MiningSource::KaggleApi]),
        }
    }

    #[test]
    fn names_are_plain_and_unique() {
        let mut slugs = Slugs::default();
        assert_eq!(slugs.of(&version("Ada_L/My.First--Kernel", Some(3), None)), "ada-l-my-first-kernel-v3");
        let second = slugs.of(&version("ada-l/my-first-kernel", Some(3), None));
        assert!(second.starts_with("ada-l-my-first-kernel-v3-") && second.len() == 33, "{second}");
        let local = version("file:Iris & Co/Über.ipynb", None, Some("0123456789abcdef"));
        assert_eq!(slugs.of(&local), "iris-co-ber-01234567");
        let long = version(&format!("file:{}.ipynb", "a".repeat(900)), None, None);
        assert_eq!(slugs.of(&long).len(), LONGEST + 1 + DIGITS);
        assert!(slugs.of(&version("file:---.ipynb", None, Some("f"))).starts_with("notebook-"));
    }
}
