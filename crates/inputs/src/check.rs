//! Recipes from outside, of a model or a person: what is too much or has no place is refused, with what to do.

use std::collections::BTreeSet;

use crate::place::place;
use crate::recipe::{InputColumn, InputFile, InputFormat, InputRecipe, InputTable};

/// Files of a recipe.
const MOST_FILES: usize = 500;
/// Columns of a table.
const MOST_COLUMNS: usize = 2_000;
/// Rows of a table.
const MOST_ROWS: usize = 100_000;
/// Values in all tables together.
const MOST_VALUES: usize = 5_000_000;
/// Bytes of a name, a value or a pattern.
const LONGEST_TEXT: usize = 1_000;
/// Bytes of a file that somebody wrote.
const LONGEST_WRITTEN: usize = 1 << 20;
/// Bytes of the JSON.
const LONGEST_RECIPE: usize = 8 << 20;
/// Bytes of a regular expression: what is longer may take Python for ever.
const LONGEST_PATTERN: usize = 200;

/// Why a recipe is not taken.
#[derive(Debug, thiserror::Error)]
pub enum InputRecipeError {
    /// It is longer than any recipe has to be.
    #[error("the recipe has {0} bytes, more than {LONGEST_RECIPE}: name fewer files and values")]
    TooLong(usize),
    /// It is not JSON, or not of this form.
    #[error("not a recipe: {0}; docs/inputs.md shows the form")]
    NotRecipe(#[from] serde_json::Error),
    /// Something in it is too much.
    #[error("{what} has {found} {of}, more than {most}: take fewer")]
    TooMuch {
        /// File or recipe.
        what: String,
        /// How many it has.
        found: usize,
        /// Of what.
        of: &'static str,
        /// How many it may have.
        most: usize,
    },
    /// A path has no place in the notebook's world.
    #[error("the path `{path}` is refused: {why}")]
    Path {
        /// As it stands in the recipe.
        path: String,
        /// Why.
        why: String,
    },
    /// Something is there twice.
    #[error("{what} has `{name}` twice: name each once")]
    Twice {
        /// File or recipe.
        what: String,
        /// The name.
        name: String,
    },
    /// A file has no table where its format needs one, or none with a column.
    #[error("`{0}` has no column: name at least one")]
    NoColumn(String),
    /// A recipe from outside has what stands in a file, or none stands in one that is to have it.
    #[error("`{0}` has contents of its own: name columns and kinds, files are not taken from outside")]
    Written(String),
}

impl InputRecipe {
    /// Reads a recipe from JSON and checks it.
    ///
    /// # Errors
    /// When it is no recipe, has a path that would leave the notebook's world, or is too much.
    pub fn from_json(text: &str) -> Result<Self, InputRecipeError> {
        if text.len() > LONGEST_RECIPE {
            return Err(InputRecipeError::TooLong(text.len()));
        }
        let recipe: Self = serde_json::from_str(text)?;
        if let Some(file) = recipe.files.iter().find(|file| file.is_written()) {
            return Err(InputRecipeError::Written(file.path.clone()));
        }
        recipe.check()?;
        Ok(recipe)
    }

    /// The recipe as JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default()
    }

    /// Checks sizes, paths and names.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn check(&self) -> Result<(), InputRecipeError> {
        at_most("the recipe", self.files.len() + self.folders.len(), "files and folders", MOST_FILES)?;
        let mut paths = BTreeSet::new();
        let mut values = 0;
        for path in self.files.iter().map(|file| &file.path).chain(&self.folders) {
            place(path).map_err(|why| InputRecipeError::Path { path: path.clone(), why: why.to_string() })?;
            if !paths.insert(path) {
                return Err(InputRecipeError::Twice { what: "the recipe".to_owned(), name: path.clone() });
            }
        }
        for file in &self.files {
            check_file(file)?;
            values += file.tables.iter().map(|table| table.rows * table.columns.len()).sum::<usize>();
        }
        at_most("the recipe", values, "values", MOST_VALUES)
    }
}

impl InputFile {
    fn is_written(&self) -> bool {
        self.format == InputFormat::Written || self.text.is_some()
    }
}

impl InputColumn {
    /// Whether a recipe may have it.
    pub(crate) fn is_usable(&self) -> bool {
        check_column("", self).is_ok()
    }
}

impl InputRecipe {
    /// Takes away what is too much of a recipe that code asks for.
    pub(crate) fn cap(&mut self) {
        let is_free = |path: &str| place(path).is_ok();
        let mut known = BTreeSet::new();
        self.folders.retain(|path| is_free(path) && known.insert(path.clone()));
        self.folders.truncate(MOST_FILES / 2);
        self.files.retain(|file| known.insert(file.path.clone()));
        self.files.truncate(MOST_FILES - self.folders.len());
        for file in &mut self.files {
            file.parts.retain(|part| is_free(part));
            file.parts.truncate(MOST_FILES);
        }
        let tables = || self.files.iter().flat_map(|file| &file.tables);
        let values: usize = tables().map(|table| table.rows * table.columns.len()).sum();
        if values > MOST_VALUES {
            let share = values / MOST_VALUES + 1;
            for table in self.files.iter_mut().flat_map(|file| &mut file.tables) {
                table.rows = (table.rows / share).max(1);
            }
        }
    }
}

fn at_most(what: &str, found: usize, of: &'static str, most: usize) -> Result<(), InputRecipeError> {
    if found <= most { Ok(()) } else { Err(InputRecipeError::TooMuch { what: what.to_owned(), found, of, most }) }
}

fn check_file(file: &InputFile) -> Result<(), InputRecipeError> {
    if file.is_written() {
        let is_whole = file.format == InputFormat::Written && file.tables.is_empty() && file.parts.is_empty();
        let text =
            file.text.as_ref().filter(|_| is_whole).ok_or_else(|| InputRecipeError::Written(file.path.clone()))?;
        return at_most(&file.path, text.len(), "bytes", LONGEST_WRITTEN);
    }
    at_most(&file.path, file.parts.len(), "parts", MOST_FILES)?;
    for part in &file.parts {
        // Members of an archive are paths of their own; classes are names of folders.
        place(part).map_err(|why| InputRecipeError::Path { path: part.clone(), why: why.to_string() })?;
    }
    let needs_columns = !matches!(
        file.format,
        InputFormat::Text | InputFormat::Image | InputFormat::ImageFolder | InputFormat::Wav | InputFormat::Zip
    );
    if needs_columns && (file.tables.is_empty() || file.tables.iter().any(|table| table.columns.is_empty())) {
        return Err(InputRecipeError::NoColumn(file.path.clone()));
    }
    file.tables.iter().try_for_each(|table| check_table(&file.path, table))
}

fn check_table(path: &str, table: &InputTable) -> Result<(), InputRecipeError> {
    at_most(path, table.columns.len(), "columns", MOST_COLUMNS)?;
    at_most(path, table.rows, "rows", MOST_ROWS)?;
    let mut names = BTreeSet::new();
    for column in &table.columns {
        if !names.insert(&column.name) {
            return Err(InputRecipeError::Twice { what: path.to_owned(), name: column.name.clone() });
        }
        check_column(path, column)?;
    }
    Ok(())
}

fn check_column(path: &str, column: &InputColumn) -> Result<(), InputRecipeError> {
    at_most(path, column.values.len(), "values of a column", MOST_ROWS)?;
    at_most(path, column.separators.len(), "separators of a column", 20)?;
    at_most(path, column.pattern.as_ref().map_or(0, String::len), "bytes in a pattern", LONGEST_PATTERN)?;
    let texts = column.values.iter().chain([&column.name]).chain(&column.separators).chain(&column.format);
    let longest = texts.map(String::len).max().unwrap_or(0);
    at_most(path, longest, "bytes in one text", LONGEST_TEXT)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(json: &str) -> String {
        InputRecipe::from_json(json).expect_err("it is refused").to_string()
    }

    #[test]
    fn a_written_file_has_words_and_nothing_else_and_not_too_many() {
        let used = crate::UsedAt { cell: 0, line: 1, how: "open".to_owned() };
        let checked = |path: &str, text: &str| {
            let files = vec![InputFile::written(path, text, used.clone())];
            InputRecipe { files, ..InputRecipe::default() }.check().map_err(|error| error.to_string())
        };
        assert_eq!(checked("data/a.csv", "a,b"), Ok(()));
        assert!(checked("/etc/a.csv", "a,b").unwrap_err().contains("refused"));
        assert!(checked("a.csv", &"a".repeat(LONGEST_WRITTEN + 1)).unwrap_err().contains("more than 1048576"));
    }

    #[test]
    fn what_is_too_much_or_has_no_place_is_refused() {
        let file = |path: &str, rest: &str| {
            format!(r#"{{"files": [{{"path": "{path}", "format": "csv", "tables": [{rest}]}}]}}"#)
        };
        let table = r#"{"columns": [{"name": "a", "kind": "integer"}]}"#;
        let good = InputRecipe::from_json(&file("a.csv", table)).expect("a recipe");
        assert_eq!(good.files[0].tables[0].rows, 200);
        assert_eq!(InputRecipe::from_json(&good.to_json()).expect("again"), good);
        assert!(refusal(&file("/etc/passwd", table)).contains("refused: it would lie in /etc"));
        assert!(refusal(&file("https://x/a.csv", table)).contains("network"));
        assert!(refusal(&file("a.csv", "")).contains("no column"));
        let rows = r#"{"rows": 1000000000000, "columns": [{"name": "a", "kind": "integer"}]}"#;
        assert!(refusal(&file("a.csv", rows)).contains("more than 100000"));
        let twice = r#"{"columns": [{"name": "a", "kind": "integer"}, {"name": "a", "kind": "text"}]}"#;
        assert!(refusal(&file("a.csv", twice)).contains("`a` twice"));
        let kind = r#"{"columns": [{"name": "a", "kind": "intger"}]}"#;
        assert!(refusal(&file("a.csv", kind)).contains("did you mean `integer`?"));
        assert!(refusal("{").contains("not a recipe"));
        let written = r#"{"files": [{"path": "a.csv", "format": "written", "text": "a,b"}]}"#;
        assert!(refusal(written).contains("files are not taken from outside"));
        assert!(
            refusal(&file("a.csv", table).replace("\"csv\"", "\"csv\", \"text\": \"a,b\""))
                .contains("contents of its own")
        );
    }
}
