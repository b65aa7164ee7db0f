//! A file of repositories that somebody found elsewhere, for example the articles of a library in which they are named.
//!
//! It is CSV with a line of names. The column `repository` (or `url`) has an address in any form; `article` (or
//! `article_id`, `pmcid`, `doi`) says where it was found; `commit` which branch, tag or hash is meant. Only the first has
//! to be there, and other columns are passed over.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::draw::first_by_chance;
use super::name::{AddressFault, HubAddress, harmless, plain_reference};

/// Longest list that is read, in bytes: a hundred for each of two million repositories.
const LONGEST: u64 = 200 << 20;
/// The columns that may name a repository, and where it was found.
const ADDRESS: [&str; 4] = ["repository", "url", "repository_url", "repo"];
const ARTICLE: [&str; 5] = ["article", "article_id", "pmcid", "pmid", "doi"];
const COMMIT: [&str; 2] = ["commit", "revision"];

/// A repository of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedHub {
    /// The repository, as its first line has it.
    pub address: HubAddress,
    /// Where it was found, in the list's order and each once.
    pub articles: Vec<String>,
    /// The lines that name it, from 1; more than one where it stands doubly.
    pub lines: Vec<u64>,
}

/// A line of a list that names no repository of the host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusedHub {
    /// What stands there, made harmless.
    pub shown: String,
    /// Where it was found.
    pub articles: Vec<String>,
    /// The line, from 1.
    pub line: u64,
    /// What is wrong with it.
    pub why: AddressFault,
}

/// A whole list: each repository once, in the order of their first lines.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HubList {
    /// The repositories.
    pub repositories: Vec<ListedHub>,
    /// What is none.
    pub refused: Vec<RefusedHub>,
}

/// How many of a list are taken: its beginning, and some of the rest.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ListDraw {
    /// So many from the beginning. Default: all, unless `random` says otherwise.
    pub first: Option<usize>,
    /// So many of the rest, by chance. Default none.
    pub random: usize,
    /// Another seed draws others. Default 0.
    pub seed: u64,
}

/// A list that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum HubListError {
    /// It cannot be read.
    #[error("cannot read the list of repositories {}: {source}", path.display())]
    File {
        /// The list.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// It names no column of addresses.
    #[error("{} has no column `repository` in its first line: write one, or call the column of addresses so", .0.display())]
    Columns(PathBuf),
    /// A line is no CSV.
    #[error("{}, line {line}: {message}", path.display())]
    Line {
        /// The list.
        path: PathBuf,
        /// The line, from 1.
        line: u64,
        /// What is wrong.
        message: String,
    },
    /// It is longer than any such list.
    #[error("{} is longer than {} MiB: no list of repositories is", .0.display(), LONGEST >> 20)]
    TooLong(PathBuf),
}

impl HubList {
    /// Reads a list.
    ///
    /// # Errors
    /// [`HubListError`]; lines that name no repository are in [`HubList::refused`] instead.
    pub fn read(path: &Path) -> Result<Self, HubListError> {
        let failed = |source| HubListError::File { path: path.to_owned(), source };
        let file = nbrevive_files::open(path).map_err(|error| failed(error.into()))?;
        let length = file.metadata().map_err(failed)?.len();
        if length > LONGEST {
            return Err(HubListError::TooLong(path.to_owned()));
        }
        let wrong = |error: csv::Error| {
            let line = error.position().map_or(0, csv::Position::line);
            HubListError::Line { path: path.to_owned(), line, message: error.to_string() }
        };
        let mut reader = csv::ReaderBuilder::new().flexible(true).trim(csv::Trim::All).from_reader(file.take(LONGEST));
        let names = reader.headers().map_err(wrong)?.clone();
        let column = |wanted: &[&str]| {
            let is_wanted = |name: &str| wanted.contains(&name.trim_start_matches('\u{feff}').to_lowercase().as_str());
            names.iter().position(is_wanted)
        };
        let address = column(&ADDRESS).ok_or_else(|| HubListError::Columns(path.to_owned()))?;
        let columns = Columns { address, article: column(&ARTICLE), commit: column(&COMMIT) };
        let mut gathering = Gathering::default();
        for row in reader.records() {
            gathering.take(&row.map_err(wrong)?, &columns);
        }
        Ok(gathering.list)
    }

    /// The repositories that a draw takes, in the list's order.
    #[must_use]
    pub fn drawn(&self, draw: &ListDraw) -> Vec<ListedHub> {
        let all = self.repositories.len();
        let first = draw.first.unwrap_or(if draw.random == 0 { all } else { 0 }).min(all);
        let (beginning, rest) = self.repositories.split_at(first);
        let chosen = first_by_chance(rest, draw.random, draw.seed, |listed| listed.address.name.key());
        beginning.iter().chain(chosen).cloned().collect()
    }
}

struct Columns {
    address: usize,
    article: Option<usize>,
    commit: Option<usize>,
}

#[derive(Default)]
struct Gathering {
    list: HubList,
    places: BTreeMap<String, usize>,
}

impl Gathering {
    fn take(&mut self, row: &csv::StringRecord, columns: &Columns) {
        let line = row.position().map_or(0, csv::Position::line);
        let text = row.get(columns.address).unwrap_or_default();
        let article = columns.article.and_then(|column| row.get(column)).filter(|article| !article.is_empty());
        let articles: Vec<String> = article.map(harmless).into_iter().collect();
        let commit = columns.commit.and_then(|column| plain_reference(row.get(column)?));
        match HubAddress::read(text) {
            Err(why) => self.list.refused.push(RefusedHub { shown: harmless(text), articles, line, why }),
            Ok(mut address) => {
                address.reference = commit.or(address.reference);
                self.add(address, articles, line);
            }
        }
    }

    fn add(&mut self, address: HubAddress, articles: Vec<String>, line: u64) {
        let key = address.name.key();
        let known = self.places.get(&key).and_then(|place| self.list.repositories.get_mut(*place));
        let Some(listed) = known else {
            self.places.insert(key, self.list.repositories.len());
            self.list.repositories.push(ListedHub { address, articles, lines: vec![line] });
            return;
        };
        listed.lines.push(line);
        for article in articles {
            if !listed.articles.contains(&article) {
                listed.articles.push(article);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<HubList, HubListError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("list.csv");
        nbrevive_files::write(&path, text).unwrap();
        HubList::read(&path)
    }

    #[test]
    fn a_list_has_each_repository_once_with_all_its_articles() {
        let text = "\u{feff}PMCID,URL,journal\n\
                    PMC1,https://github.com/Ada/Engine,A\n\
                    PMC2,https://gist.github.com/ada/12,B\n\
                    PMC3,git@github.com:ada/engine.git,C\n\
                    PMC1,https://github.com/ada/Engine/tree/dev,D\n\
                    PMC4,\"https://github.com/bob/tools.\"\n";
        let list = read(text).unwrap();
        let told: Vec<String> = list
            .repositories
            .iter()
            .map(|listed| format!("{} {:?} {:?}", listed.address.name, listed.articles, listed.lines))
            .collect();
        assert_eq!(told, [r#"Ada/Engine ["PMC1", "PMC3"] [2, 4, 5]"#, r#"bob/tools ["PMC4"] [6]"#]);
        assert_eq!((list.refused.len(), list.refused[0].line), (1, 3));
        assert_eq!(list.refused[0].why, AddressFault::Gist);
    }

    #[test]
    fn a_commit_of_its_own_column_is_meant() {
        let list = read("repository,commit\nhttps://github.com/a/b/tree/dev,abcdef1\na/c,--output=x\n").unwrap();
        assert_eq!(list.repositories[0].address.reference.as_deref(), Some("abcdef1"));
        assert_eq!(list.repositories[1].address.reference, None);
    }

    #[test]
    fn a_draw_takes_the_beginning_and_some_by_chance() {
        let lines: String = (0..100).map(|number| format!("ada/n{number}\n")).collect();
        let list = read(&format!("repository\n{lines}")).unwrap();
        let names = |draw: &ListDraw| -> Vec<String> {
            list.drawn(draw).iter().map(|listed| listed.address.name.name().to_owned()).collect()
        };
        assert_eq!(names(&ListDraw::default()).len(), 100);
        let draw = ListDraw { first: Some(3), random: 5, seed: 1 };
        let drawn = names(&draw);
        assert_eq!((drawn.len(), &drawn[..3]), (8, &["n0".to_owned(), "n1".to_owned(), "n2".to_owned()][..]));
        assert_eq!(names(&draw), drawn);
        assert_ne!(names(&ListDraw { seed: 2, ..draw }), drawn);
        assert_eq!(names(&ListDraw { first: Some(99), random: 50, seed: 1 }).len(), 100);
        assert_eq!(names(&ListDraw { random: 4, ..ListDraw::default() }).len(), 4);
    }

    #[test]
    fn what_is_no_list_is_refused() {
        assert!(matches!(read("name\nada/x\n"), Err(HubListError::Columns(_))));
        assert!(matches!(read(""), Err(HubListError::Columns(_))));
        assert!(matches!(HubList::read(Path::new("/nowhere/list.csv")), Err(HubListError::File { .. })));
        assert!(read("repository\n\"unclosed\nada/x\n").unwrap().repositories.is_empty());
    }
}
