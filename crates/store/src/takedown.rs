//! Takes notebooks out of every table, with the executed notebooks that came of them.

use std::collections::BTreeSet;

use nbrevive_mine::raw::{ContentHash, TakeDown};
use nbrevive_mine::records::{MinedRecord, NotebookKey, VersionRecord};
use nbrevive_model::forget;
use rusqlite::Transaction;

use crate::mined::{RowKind, merged, records};
use crate::{Store, StoreError, selections};

/// What a take-down removed from the store.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Removed {
    /// Rows of notebooks and versions, over all sources.
    pub rows: usize,
    /// Slugs under which removed versions stood in a corpus or a study.
    pub slugs: BTreeSet<String>,
    /// Executed notebooks that were deleted.
    pub executed: usize,
    /// Calls that were deleted from the record of dialogues with models.
    pub calls: usize,
}

/// Tables of a study that know a version by its slug in the column `version`; `cells` go with their executions.
const STUDY_TABLES: [&str; 17] = [
    "versions",
    "executions",
    "outcomes",
    "repetitions",
    "fixes",
    "left_out",
    "loops",
    "questions",
    "refusals",
    "least_patches",
    "cut_outputs",
    "install_refusals",
    "executability",
    "comparisons",
    "restorations",
    "error_roots",
    "order_runs",
];

/// What a list names in this store.
struct Named {
    /// Natural keys of merged versions.
    keys: BTreeSet<String>,
    notebooks: BTreeSet<String>,
    slugs: BTreeSet<String>,
}

impl Named {
    fn find(store: &Store, list: &TakeDown) -> Result<Self, StoreError> {
        let bodies: BTreeSet<&str> =
            list.items.iter().filter_map(|item| item.body.as_ref()).map(ContentHash::as_str).collect();
        let is_named = |record: &VersionRecord| {
            list.names(&record.notebook) || record.code.as_ref().is_some_and(|code| bodies.contains(code.as_str()))
        };
        let versions = merged(store)?.into_iter().filter(|version| is_named(&version.record));
        let keys: BTreeSet<String> = versions.map(|version| version.key).collect();
        let notebooks: BTreeSet<String> =
            list.items.iter().filter_map(|item| item.notebook.as_ref()).map(ToString::to_string).collect();
        let rows = selections::all(store)?;
        let named =
            rows.into_iter().filter(|row| keys.contains(&row.version) || notebooks.contains(notebook_of(&row.version)));
        let slugs = named.filter_map(|row| row.slug).collect();
        Ok(Self { keys, notebooks, slugs })
    }
}

/// The notebooks of which a version has a content that the list names by `body`. They have to go whole: answers of the API hold
/// the content inside a text of their own, which has another hash.
///
/// # Errors
/// When the database refuses.
pub fn owners(store: &Store, list: &TakeDown) -> Result<BTreeSet<NotebookKey>, StoreError> {
    let bodies: BTreeSet<&ContentHash> = list.items.iter().filter_map(|item| item.body.as_ref()).collect();
    let owner = |record| match record {
        MinedRecord::Version(version) if version.code.as_ref().is_some_and(|code| bodies.contains(code)) => {
            Some(version.notebook)
        }
        _ => None,
    };
    Ok(records(store, RowKind::Version, None)?.into_iter().filter_map(owner).collect())
}

/// The slugs under which what a list names stands in a corpus: to be removed there before [`take_down`] forgets them.
///
/// # Errors
/// When the database refuses.
pub fn slugs(store: &Store, list: &TakeDown) -> Result<BTreeSet<String>, StoreError> {
    Ok(Named::find(store, list)?.slugs)
}

/// Removes what a list names: rows of every source, selections, and what studies made of it. Other notebooks' rows may still name
/// a removed one as the source of a copy. What models answered about it goes too; what that cost stays in the ledger, without its
/// name. Doing it again changes nothing.
///
/// # Errors
/// When the database refuses.
pub fn take_down(store: &mut Store, list: &TakeDown) -> Result<Removed, StoreError> {
    let named = Named::find(store, list)?;
    let files = files(store, &named.slugs)?;
    // The files and the dialogues first: without their rows nobody would find them again.
    let executed = files.iter().filter_map(|file| store.executed(file));
    let executed = executed.filter(|file| std::fs::remove_file(file).is_ok()).count();
    let calls = forget(store.folder(), &named.slugs).map_err(Box::new)?;
    let rows = store.write(|transaction| delete(transaction, &named))?;
    Ok(Removed { rows, slugs: named.slugs, executed, calls })
}

/// The notebook of a version's natural key: `owner/slug` of `owner/slug#3`.
fn notebook_of(key: &str) -> &str {
    key.split(['#', '@', '=']).next().unwrap_or(key)
}

fn files(store: &Store, slugs: &BTreeSet<String>) -> Result<Vec<String>, StoreError> {
    store.read(|connection| {
        let mut statement = connection.prepare("SELECT notebook_file FROM executions WHERE version = ?1")?;
        let mut files = Vec::new();
        for slug in slugs {
            let found = statement.query_map([slug], |row| row.get(0))?;
            files.extend(found.collect::<Result<Vec<String>, _>>()?);
        }
        Ok(files)
    })
}

fn delete(transaction: &Transaction<'_>, named: &Named) -> Result<usize, rusqlite::Error> {
    let Named { keys, notebooks, slugs } = named;
    let mut rows = 0;
    let mut remove = transaction.prepare("DELETE FROM mined WHERE kind = 'version' AND key = ?1")?;
    for key in versions_of(transaction, notebooks)?.iter().chain(keys) {
        rows += remove.execute([key])?;
    }
    for notebook in notebooks {
        rows += transaction.execute("DELETE FROM mined WHERE kind = 'notebook' AND key = ?1", [notebook])?;
        transaction.execute("DELETE FROM listed WHERE notebook = ?1", [notebook])?;
        transaction.execute("DELETE FROM wanted WHERE notebook = ?1", [notebook])?;
    }
    for key in versions_selected(transaction, notebooks)?.iter().chain(keys) {
        transaction.execute("DELETE FROM selections WHERE version = ?1", [key])?;
    }
    for slug in slugs {
        for table in STUDY_TABLES {
            transaction.execute(&format!("DELETE FROM {table} WHERE version = ?1"), [slug])?;
        }
    }
    Ok(rows)
}

/// Keys of all rows of these notebooks' versions, also of those that are merged under another key.
fn versions_of(transaction: &Transaction<'_>, notebooks: &BTreeSet<String>) -> Result<Vec<String>, rusqlite::Error> {
    keys_of(transaction, "SELECT DISTINCT key FROM mined WHERE kind = 'version'", notebooks)
}

fn versions_selected(
    transaction: &Transaction<'_>,
    notebooks: &BTreeSet<String>,
) -> Result<Vec<String>, rusqlite::Error> {
    keys_of(transaction, "SELECT version FROM selections", notebooks)
}

fn keys_of(
    transaction: &Transaction<'_>,
    query: &str,
    notebooks: &BTreeSet<String>,
) -> Result<Vec<String>, rusqlite::Error> {
    let mut statement = transaction.prepare(query)?;
    let keys = statement.query_map([], |row| row.get::<_, String>(0))?.collect::<Result<Vec<_>, _>>()?;
    Ok(keys.into_iter().filter(|key| notebooks.contains(notebook_of(key))).collect())
}

#[cfg(test)]
mod tests {
    use nbrevive_mine::raw::TakeDownEntry;

    use super::*;
    use crate::mined::{self, Told};
    use crate::selections::SelectionRow;

    #[test]
    fn a_notebook_goes_with_all_that_came_of_it() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::open(folder.path()).unwrap();
        let told = [mined::tests::told("ada/x", 1), mined::tests::told("ada/x", 2), mined::tests::told("bob/y", 1)];
        mined::put(&mut store, &told).unwrap();
        let selected = |version: &str, slug: &str| SelectionRow {
            version: version.to_owned(),
            competition: None,
            slug: Some(slug.to_owned()),
            dropped: None,
            funnel: String::new(),
            stratum: None,
        };
        selections::replace(&mut store, &[selected("ada/x#1", "ada-x-v1"), selected("bob/y#1", "bob-y-v1")], &[])
            .unwrap();
        let entry = TakeDownEntry { notebook: "ada/x".parse().ok(), body: None, reason: None, asked: None };
        let list = TakeDown::new(vec![entry]);
        let removed = take_down(&mut store, &list).unwrap();
        assert_eq!((removed.rows, removed.slugs), (2, BTreeSet::from(["ada-x-v1".to_owned()])));
        let left: Vec<Told> =
            mined::records(&store, mined::RowKind::Version, None).unwrap().into_iter().map(Told::Record).collect();
        assert_eq!(left, [mined::tests::told("bob/y", 1)]);
        assert_eq!(selections::all(&store).unwrap().len(), 1);
        assert_eq!(take_down(&mut store, &list).unwrap(), Removed::default());
    }

    #[test]
    fn a_key_names_its_notebook() {
        assert_eq!(notebook_of("ada/x#3"), "ada/x");
        assert_eq!(notebook_of("file:a/b.ipynb@0f"), "file:a/b.ipynb");
    }
}
