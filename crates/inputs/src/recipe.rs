//! What is to be made up: files, their tables, and the columns of those.

use serde::{Deserialize, Serialize};

nbrevive_spelling::string_enum! {
    /// What a file is, by the call that reads it, or else by its ending.
    pub enum InputFormat ("format of an input file") {
        /// Columns with a separator, whichever.
        Csv => "csv",
        /// A workbook, a table a sheet.
        Excel => "excel",
        /// One JSON value: a list of records, or whatever the names of its columns (pointers) say.
        Json => "json",
        /// A JSON record a line.
        JsonLines => "json-lines",
        /// Apache Parquet.
        Parquet => "parquet",
        /// Feather.
        Feather => "feather",
        /// HDF5 as pandas writes it, a table a key.
        Hdf => "hdf",
        /// HDF5 as `h5py` writes it, an array a name.
        HdfArrays => "hdf-arrays",
        /// Arrays of MATLAB by name.
        Mat => "mat",
        /// A pickled frame.
        Pickle => "pickle",
        /// One array of numbers.
        Npy => "npy",
        /// Arrays of numbers by name.
        Npz => "npz",
        /// Lines of words.
        Text => "text",
        /// One picture.
        Image => "image",
        /// A folder of pictures, in a folder a class where there are classes.
        ImageFolder => "image-folder",
        /// A second of sound.
        Wav => "wav",
        /// An archive of files of this recipe, which lie beside it too.
        Zip => "zip",
        /// A database, a table each.
        Sqlite => "sqlite",
        /// What somebody wrote, word for word.
        Written => "written",
    }
}

impl InputFormat {
    /// Whether it holds arrays of numbers, whose columns have no names.
    pub(crate) fn is_of_arrays(self) -> bool {
        matches!(self, Self::Npy | Self::Npz | Self::Mat | Self::HdfArrays)
    }
}

nbrevive_spelling::string_enum! {
    /// What the values of a column are.
    pub enum InputKind ("kind of column") {
        /// Whole numbers.
        Integer => "integer",
        /// Numbers with two decimals.
        Number => "number",
        /// One of few values.
        Category => "category",
        /// Words.
        Text => "text",
        /// Days or times, one after the other.
        Date => "date",
        /// True or false.
        Boolean => "boolean",
    }
}

/// Everything that is made up for one notebook. What is in it is made up, all of it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InputRecipe {
    /// Seed of all values. Default: 0.
    #[serde(default)]
    pub seed: u32,
    /// The files, in the order in which they are first read.
    pub files: Vec<InputFile>,
    /// Folders into which the notebook writes, and which it does not make.
    #[serde(default)]
    pub folders: Vec<String>,
    /// What the notebook reads and is not given, with the reason.
    #[serde(default)]
    pub not_made: Vec<NotMade>,
    /// What errors of runs have changed, in order.
    #[serde(default)]
    pub corrections: Vec<InputCorrection>,
}

/// One file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InputFile {
    /// As the notebook names it, without what changes nothing: relative to where it starts, absolute, or with `~`.
    pub path: String,
    /// What it is.
    pub format: InputFormat,
    /// How it is read, where that decides how it is written.
    #[serde(default)]
    pub options: ReadOptions,
    /// Its tables: one, but for sheets and databases.
    #[serde(default)]
    pub tables: Vec<InputTable>,
    /// Classes of a folder of pictures; members of an archive, by path; names of the arrays in it.
    #[serde(default)]
    pub parts: Vec<String>,
    /// Where it is read.
    #[serde(default)]
    pub used: Vec<UsedAt>,
    /// What stands in it, of [`InputFormat::Written`] alone: recipes from outside have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// How a file is read.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ReadOptions {
    /// Between two columns. Default: a comma, a tab for `.tsv`.
    pub separator: Option<String>,
    /// Whether no line names the columns.
    pub headless: bool,
    /// Lines before the first that counts.
    pub skipped_lines: usize,
    /// Python's name of the encoding. Default: UTF-8.
    pub encoding: Option<String>,
    /// `gzip`, `bz2`, `xz`, `zip`. Default: by the ending.
    pub compression: Option<String>,
    /// The sign before decimals. Default: a point.
    pub decimal: Option<String>,
    /// What a comment begins with.
    pub comment: Option<String>,
    /// Whether an unnamed column counts the rows before the others.
    pub counted: bool,
}

/// One table.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InputTable {
    /// Sheet, key, or table of a database.
    #[serde(default)]
    pub name: Option<String>,
    /// Rows. Default: 200.
    #[serde(default = "default_rows")]
    pub rows: usize,
    /// Its columns in order.
    pub columns: Vec<InputColumn>,
}

/// Rows of a table of which nothing is known: enough for ten folds of two classes.
pub(crate) const ROWS: usize = 200;

fn default_rows() -> usize {
    ROWS
}

/// One column.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InputColumn {
    /// Its name.
    pub name: String,
    /// What its values are.
    pub kind: InputKind,
    /// Values that occur: of a category all there are, of others those that must be among them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<String>,
    /// The least number or day. Default: 0 for numbers, the first of January of 2015 for days.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub low: Option<String>,
    /// The greatest number or last day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub high: Option<String>,
    /// Whether no value occurs twice.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unique: bool,
    /// On how many rows a day or a unique value stands before the next. Default: 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub each: Option<usize>,
    /// Whether the values of a category come one after the other, again and again. Default: in any order.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cycle: bool,
    /// Whether one value in ten is missing.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub missing: bool,
    /// How days are written, as `strftime` has it. Default: `%Y-%m-%d`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    /// A regular expression, Python's, that a text must have a match of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// What a text is cut at, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub separators: Vec<String>,
    /// What stands before and behind a number that is written as text: `$`, `%`. Of a text: its parts are numbers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub affixes: Option<(String, String)>,
    /// What says so, the first five.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub used: Vec<UsedAt>,
}

/// A place of the notebook, and what it says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UsedAt {
    /// Code cell, from 0.
    pub cell: usize,
    /// Line of the cell, from 1; 0 for its saved output.
    pub line: u32,
    /// What is done there, a word or two.
    pub how: String,
}

/// Something that is read and not made up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NotMade {
    /// Path or address.
    pub path: String,
    /// Why not, a sentence.
    pub why: String,
    /// Whether it comes from the network.
    #[serde(default)]
    pub is_network: bool,
}

/// One change of a recipe, and the error that asked for it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InputCorrection {
    /// The code cell that raised, from 0.
    pub cell: usize,
    /// The error in one line.
    pub error: String,
    /// The file that is changed.
    pub path: String,
    /// What is changed, a sentence without its end.
    pub change: String,
}

impl InputFile {
    /// A file with these words in it, which the notebook asks for at a place.
    #[must_use]
    pub fn written(path: impl Into<String>, text: impl Into<String>, used: UsedAt) -> Self {
        Self {
            path: path.into(),
            format: InputFormat::Written,
            options: ReadOptions::default(),
            tables: Vec::new(),
            parts: Vec::new(),
            used: vec![used],
            text: Some(text.into()),
        }
    }
}

impl InputColumn {
    /// A column of which only name and kind are known.
    #[must_use]
    pub fn new(name: impl Into<String>, kind: InputKind) -> Self {
        Self {
            name: name.into(),
            kind,
            values: Vec::new(),
            low: None,
            high: None,
            unique: false,
            each: None,
            cycle: false,
            missing: false,
            format: None,
            pattern: None,
            separators: Vec::new(),
            affixes: None,
            used: Vec::new(),
        }
    }
}
