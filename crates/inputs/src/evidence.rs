//! What is known of files, their tables and columns, as it is gathered.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::recipe::{InputFormat, ReadOptions, UsedAt};

/// Index of a file in [`Findings::files`].
pub(crate) type FileId = usize;
/// Index of a table in [`Findings::tables`].
pub(crate) type TableId = usize;

/// A column of a table, by its index there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ColumnId {
    pub(crate) table: TableId,
    pub(crate) column: usize,
}

/// How a column is named: in words, or by its place, from the end where it is negative.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum ColumnKey {
    Named(String),
    At(isize),
}

/// One thing that is done with a column, and what it says.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Use {
    /// It is there.
    Named,
    /// Numbers, since it is reckoned with.
    Number,
    /// Whole numbers.
    Integer,
    /// Numbers, if nothing better is known: it is plotted, or averaged.
    RatherNumber,
    /// Words.
    Text,
    /// Days or times.
    Date,
    /// True or false.
    Boolean,
    /// Few values.
    Category,
    /// It becomes numbers by an encoder, so that it can be words.
    Encoded,
    /// What a model predicts, classes or numbers.
    Classes,
    Quantity,
    /// A value that must occur.
    Value(String),
    /// All the values that may occur: keys of a dictionary.
    OnlyValues(Vec<String>),
    /// A number that it is compared with.
    Bound(f64),
    /// A day that must lie among its days.
    Day(String),
    /// No value occurs twice.
    Unique,
    /// Each value occurs on several rows: they are grouped by it.
    Several,
    /// Rows of another table are found by it.
    Key,
    /// Some values are missing.
    Missing,
    /// How days are written.
    Format(String),
    /// Texts have a match of this.
    Pattern(String),
    /// Texts are cut at this.
    Separator(String),
    /// Texts are cut into so many parts.
    Parts(usize),
    /// The parts that texts are cut into are numbers.
    Digits,
    /// Texts hold this.
    Holds(String),
    /// Texts are numbers behind or before this.
    Affix(String),
}

/// What saved outputs show of a column.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shown {
    /// Values in order, as they are shown.
    pub(crate) values: Vec<String>,
    /// Whether these are all there are.
    pub(crate) is_all: bool,
    /// The dtype of pandas.
    pub(crate) dtype: Option<String>,
    pub(crate) low: Option<f64>,
    pub(crate) high: Option<f64>,
    pub(crate) missing: bool,
}

/// What is known of a column.
#[derive(Clone, Debug)]
pub(crate) struct ColumnFacts {
    pub(crate) key: ColumnKey,
    pub(crate) uses: Vec<Use>,
    pub(crate) shown: Shown,
    pub(crate) used: Vec<UsedAt>,
}

/// What is known of a table.
#[derive(Clone, Debug, Default)]
pub(crate) struct TableFacts {
    pub(crate) file: FileId,
    pub(crate) name: Option<String>,
    pub(crate) columns: Vec<ColumnFacts>,
    /// Where each of them lies there.
    pub(crate) places: HashMap<ColumnKey, usize>,
    /// Whether the named columns are all there are, in order.
    pub(crate) is_complete: bool,
    /// Those columns, where they are.
    pub(crate) order: Vec<usize>,
    /// Columns that it was seen to have where no other table was beside it.
    pub(crate) own: BTreeSet<String>,
    /// How many columns by place come before all that are named: an index that nothing names.
    pub(crate) leading: usize,
    /// How many columns there must be.
    pub(crate) exactly: Option<usize>,
    /// The rows that saved outputs tell of.
    pub(crate) shown_rows: Option<usize>,
    /// Rows that slices ask for.
    pub(crate) rows_asked: usize,
    /// Rows that are asked for one by one, by their numbers: so many there are.
    pub(crate) rows_counted: usize,
    /// Columns of which no pair of values is there twice: rows and columns of a pivot.
    pub(crate) crossed: Vec<(usize, usize)>,
    /// Columns that label the rows.
    pub(crate) labels: usize,
    /// What code calls the columns by place, where the file does not.
    pub(crate) called: Vec<String>,
    /// Columns other than these are handed to a model as they are.
    pub(crate) features_but: Option<BTreeSet<String>>,
    /// Whether it is an array of numbers, or lines of them.
    pub(crate) is_numeric: bool,
    /// Whether all of it becomes numbers by an encoder.
    pub(crate) is_encoded: bool,
}

/// What is known of a file.
#[derive(Clone, Debug)]
pub(crate) struct FileFacts {
    pub(crate) path: String,
    pub(crate) format: InputFormat,
    pub(crate) options: ReadOptions,
    pub(crate) tables: Vec<TableId>,
    pub(crate) parts: BTreeSet<String>,
    pub(crate) used: Vec<UsedAt>,
    /// Whether a reader has read it: the first says what it is like, and others that differ show how else it can be read.
    pub(crate) is_read: bool,
    /// Whether the notebook writes it before it reads it.
    pub(crate) is_written: bool,
}

impl FileFacts {
    /// A file of which nothing is known but where it is asked for.
    pub(crate) fn new(path: String, format: InputFormat, at: UsedAt) -> Self {
        Self {
            path,
            format,
            options: ReadOptions::default(),
            tables: Vec::new(),
            parts: BTreeSet::new(),
            used: vec![at],
            is_read: false,
            is_written: false,
        }
    }
}

/// What a line of the notebook touches, for the errors that it raises.
pub(crate) type Touched = BTreeMap<(usize, u32), (BTreeSet<TableId>, BTreeSet<ColumnId>)>;

/// Everything that was found in a notebook.
#[derive(Clone, Debug, Default)]
pub(crate) struct Findings {
    pub(crate) files: Vec<FileFacts>,
    pub(crate) tables: Vec<TableFacts>,
    /// Files that the notebook writes.
    pub(crate) written: BTreeSet<String>,
    /// Folders that it makes itself.
    pub(crate) made_folders: BTreeSet<String>,
    /// Addresses that it reads.
    pub(crate) network: BTreeSet<String>,
    pub(crate) touched: Touched,
    /// Columns of several tables that share their values.
    pub(crate) joined: Vec<(ColumnId, ColumnId)>,
    /// Tables that share their columns, since they were put one below the other.
    pub(crate) alike: BTreeSet<(TableId, TableId)>,
}

/// How many places are kept of a column or a file.
const PLACES_KEPT: usize = 5;
/// Values kept of a column.
const VALUES_KEPT: usize = 200;

impl Findings {
    pub(crate) fn column(&self, id: ColumnId) -> &ColumnFacts {
        &self.tables[id.table].columns[id.column]
    }

    pub(crate) fn column_mut(&mut self, id: ColumnId) -> &mut ColumnFacts {
        &mut self.tables[id.table].columns[id.column]
    }

    /// The column of this key, which is there from now on.
    pub(crate) fn id_of(&mut self, table: TableId, key: &ColumnKey) -> ColumnId {
        let facts = &mut self.tables[table];
        let column = facts.places.get(key).copied().unwrap_or_else(|| {
            let (uses, shown, used) = (Vec::new(), Shown::default(), Vec::new());
            facts.columns.push(ColumnFacts { key: key.clone(), uses, shown, used });
            facts.places.insert(key.clone(), facts.columns.len() - 1);
            facts.columns.len() - 1
        });
        ColumnId { table, column }
    }

    /// The column of this name, if it is known.
    pub(crate) fn known(&self, table: TableId, name: &str) -> Option<ColumnId> {
        let column = *self.tables[table].places.get(&ColumnKey::Named(name.to_owned()))?;
        Some(ColumnId { table, column })
    }

    pub(crate) fn note(&mut self, id: ColumnId, how: Use, at: &UsedAt) {
        let facts = self.column_mut(id);
        keep(&mut facts.used, at);
        if facts.uses.len() < VALUES_KEPT && !facts.uses.contains(&how) {
            facts.uses.push(how);
        }
    }
}

/// Keeps a place, of the first few and each once.
pub(crate) fn keep(used: &mut Vec<UsedAt>, at: &UsedAt) {
    if used.len() < PLACES_KEPT && !used.contains(at) {
        used.push(at.clone());
    }
}

impl ColumnFacts {
    pub(crate) fn has(&self, how: &Use) -> bool {
        self.uses.contains(how)
    }
}
