//! What the names in a cell that failed held, as the kernel told it: claims, bounded here, since code of the notebook can speak in its name.

use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::{Cell, Notebook};

/// The key of a cell's metadata under which a run leaves its facts.
const KEY: &str = "nbrevive";
/// Values kept of a cell, and entries kept of a list in one of them.
const MOST_VALUES: usize = 60;
const MOST_ENTRIES: usize = 100;
/// Bytes kept of a text.
const LONGEST_TEXT: usize = 120;

/// What a run tells of the names in a cell that failed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct CellFacts {
    /// Index in [`Notebook::cells`], counted from 0 over cells of every kind.
    #[serde(skip)]
    pub cell: usize,
    /// What an `AttributeError` missed, where it says so (Python 3.10 and later).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub missing: Option<MissingAttribute>,
    /// Names and chains of names (`self.model`) with what they held, those of the function that failed first.
    pub values: Vec<NamedValue>,
}

/// An attribute that is not there.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct MissingAttribute {
    /// Its name.
    pub name: String,
    /// The dotted names of the module or class that lacks it and of the classes that this inherits from, the nearest first.
    pub owners: Vec<String>,
}

/// What a name held.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct NamedValue {
    /// The name, or chain of names.
    pub name: String,
    /// Dotted names of the value's class and of those that it inherits from, the nearest first; each class has all names under which its
    /// library shows it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub classes: Vec<String>,
    /// Dotted names of the class or function that the value is itself.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stands_for: Vec<String>,
    /// What it takes when it is called, or the keys of a dict.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parameters: Vec<String>,
    /// Rows, columns and so on; the length of a list or dict.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub shape: Vec<u64>,
    /// The dtype of an array or series.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub dtype: String,
    /// The columns of a frame with their dtypes.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub columns: Vec<(String, String)>,
    /// The value itself, where it is a number or text.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub text: String,
}

impl CellFacts {
    /// Reads a kernel's claim; `None` where it has another form.
    #[must_use]
    pub fn of_claim(claim: &[u8]) -> Option<Self> {
        let mut facts: Self = serde_json::from_slice(claim).ok()?;
        facts.bound();
        Some(facts)
    }

    /// The facts that an executed notebook has, in the order of its cells.
    #[must_use]
    pub fn of_notebook(notebook: &Notebook) -> Vec<Self> {
        let read = |(cell, content): (usize, &Cell)| {
            let mut facts = Self::deserialize(content.metadata.get(KEY)?.get("facts")?).ok()?;
            facts.bound();
            Some(Self { cell, ..facts })
        };
        notebook.cells.iter().enumerate().filter_map(read).collect()
    }

    /// Leaves facts in a cell, or takes out those of another run.
    pub fn leave(facts: Option<&Self>, cell: &mut Cell) {
        match facts {
            Some(facts) => {
                cell.metadata.insert(KEY.to_owned(), json!({ "facts": facts }));
            }
            None if cell.metadata.get(KEY).is_some_and(|own| own.get("facts").is_some()) => {
                cell.metadata.remove(KEY);
            }
            None => {}
        }
    }

    fn bound(&mut self) {
        self.values.truncate(MOST_VALUES);
        if let Some(missing) = &mut self.missing {
            shorten(&mut missing.name);
            bound_list(&mut missing.owners);
        }
        for value in &mut self.values {
            [&mut value.name, &mut value.dtype, &mut value.text].into_iter().for_each(shorten);
            [&mut value.classes, &mut value.stands_for, &mut value.parameters].into_iter().for_each(bound_list);
            value.shape.truncate(MOST_ENTRIES);
            value.columns.truncate(MOST_ENTRIES);
            value.columns.iter_mut().for_each(|(name, kind)| {
                shorten(name);
                shorten(kind);
            });
        }
    }
}

fn bound_list(list: &mut Vec<String>) {
    list.truncate(MOST_ENTRIES);
    list.iter_mut().for_each(shorten);
}

/// One line, no longer than what is kept.
fn shorten(text: &mut String) {
    if text.contains(char::is_control) {
        *text = text.replace(char::is_control, " ");
    }
    text.truncate(text.floor_char_boundary(LONGEST_TEXT));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_go_through_a_notebook_and_old_ones_are_taken_out() {
        let claim = json!({ "missing": { "name": "append", "owners": ["pandas.DataFrame"] }, "other": 1,
            "values": [{ "name": "df", "classes": ["pandas.DataFrame"], "shape": [3, 1], "columns": [["a", "int64"]] }] });
        let facts = CellFacts::of_claim(claim.to_string().as_bytes()).unwrap();
        let mut notebook = Notebook::from_cells(vec![Cell::code("x"), Cell::code("y")]);
        CellFacts::leave(Some(&facts), &mut notebook.cells[1]);
        assert_eq!(CellFacts::of_notebook(&notebook), [CellFacts { cell: 1, ..facts }]);
        CellFacts::leave(None, &mut notebook.cells[1]);
        assert!(notebook.cells[1].metadata.is_empty());
    }

    #[test]
    fn claims_are_bounded_whatever_they_are() {
        let long = "é\n".repeat(100);
        let value = json!({ "name": long, "columns": vec![("a", "b"); 200], "parameters": [&long] });
        let facts = CellFacts::of_claim(json!({ "values": vec![value; 70] }).to_string().as_bytes()).unwrap();
        assert_eq!((facts.values.len(), facts.values[0].columns.len()), (MOST_VALUES, MOST_ENTRIES));
        assert!(facts.values[0].name.len() <= LONGEST_TEXT && !facts.values[0].parameters[0].contains('\n'));
        for claim in ["", "{\"values\": 5}", "{\"values\": [{\"shape\": [-1]}]}"] {
            assert_eq!(CellFacts::of_claim(claim.as_bytes()), None, "{claim}");
        }
    }
}
