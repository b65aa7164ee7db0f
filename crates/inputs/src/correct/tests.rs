use nbrevive_notebook::Cell;

use super::*;

fn notebook(cells: &[&str]) -> Notebook {
    Notebook::from_cells(cells.iter().map(|source| Cell::code(*source)).collect())
}

fn error(cell: usize, line: u32, ename: &str, evalue: &str) -> CellFeedback {
    let traceback = format!("Cell In[{}], line {line}\n----> {line} code", cell + 1);
    CellFeedback { cell, ename: ename.to_owned(), evalue: evalue.to_owned(), traceback, line: Some(line) }
}

fn changes(cells: &[&str], error: &CellFeedback) -> Vec<String> {
    let notebook = notebook(cells);
    let recipe = InputRecipe::of(&notebook, false);
    let corrected = recipe.corrected(&notebook, false, std::slice::from_ref(error));
    corrected
        .map(|(_, made)| made.into_iter().map(|one| format!("{}: {}", one.path, one.change)).collect())
        .unwrap_or_default()
}

const READ: &str = "import pandas as pd\na = pd.read_csv('a.csv')\nb = pd.read_csv('b.csv')";

#[test]
fn a_column_is_added_to_the_table_of_the_line() {
    let cells = [READ, "x = b['one']\nf(a)"];
    assert_eq!(changes(&cells, &error(1, 1, "KeyError", "'price'")), ["b.csv: column `price` added, number"]);
    assert_eq!(changes(&cells, &error(1, 2, "KeyError", "'price'")), ["a.csv: column `price` added, number"]);
}

#[test]
fn a_text_tells_its_column() {
    let cells = [READ, "a['town'].str.lower()\nf(a)"];
    let raised = error(1, 2, "ValueError", "could not convert string to float: 'town 3 amber'");
    assert_eq!(changes(&cells, &raised), ["a.csv: column `town` is number"]);
}

#[test]
fn nothing_is_tried_twice() {
    let notebook = notebook(&[READ, "x = b['one']"]);
    let raised = error(1, 1, "KeyError", "'price'");
    let recipe = InputRecipe::of(&notebook, false);
    let (corrected, made) = recipe.corrected(&notebook, false, std::slice::from_ref(&raised)).expect("a change");
    assert_eq!(made.len(), 1);
    // The second time the name can only be a value; the third time nothing is left.
    let (again, _) = corrected.corrected(&notebook, false, std::slice::from_ref(&raised)).expect("another change");
    assert!(again.corrected(&notebook, false, &[raised]).is_none());
}

#[test]
fn sizes_follow_the_message() {
    let cells = [READ, "a.columns = names", "c = a.iloc[:, 7]"];
    let raised =
        error(1, 1, "ValueError", "Length mismatch: Expected axis has 8 elements, new values have 10 elements");
    assert_eq!(changes(&cells, &raised), ["a.csv: 10 columns"]);
    let raised = error(1, 1, "FileNotFoundError", "[Errno 2] No such file or directory: 'other/b.json'");
    assert_eq!(changes(&cells, &raised), ["other/b.json: added, json"]);
    assert!(changes(&cells, &error(1, 1, "ZeroDivisionError", "division by zero")).is_empty());
}

fn blamed(cell: usize, code: &str, ename: &str, evalue: &str) -> CellFeedback {
    let traceback = format!("Cell In[{}], line 1\n----> 1 {code}", cell + 1);
    CellFeedback { traceback, ..error(cell, 1, ename, evalue) }
}

#[test]
fn a_number_that_is_cut_out_of_a_text_stays_in_a_text() {
    let cells = [READ, "a['size'].str.lower()", "a['size'].map(own.first_number)"];
    let raised =
        blamed(2, "return int(x.split(' ')[0])", "ValueError", "invalid literal for int() with base 10: 'size'");
    assert_eq!(changes(&cells, &raised), ["a.csv: the parts of column `size` are numbers"]);
}

#[test]
fn words_that_the_notebook_names_are_no_numbers() {
    let code = "a['n'] = own.ratio(a.total, a.weight)";
    let cells = [READ, "a[a.total == 'much'].total.str.lower()\na.weight.str.lower()", code];
    let raised = blamed(2, code, "TypeError", "unsupported operand type(s) for /: 'str' and 'int'");
    assert_eq!(changes(&cells, &raised), ["a.csv: column `weight` is number"]);
}

#[test]
fn what_places_left_out_comes_first() {
    let cells = [READ, "x = b[['one', 'two', 'three', 'four']]", "y = b.iloc[:, :-3]", "y[['three']]"];
    let raised = error(3, 1, "KeyError", "\"['three'] not in index\"");
    assert_eq!(changes(&cells, &raised), ["b.csv: column `three` is the first"]);
}

#[test]
fn outliers_are_made_where_they_are_drawn_from() {
    let code = "b[b.price > b.price.mean() + 3 * b.price.std()].sample(5)";
    let cells = [READ, code];
    let raised = blamed(1, code, "ValueError", "a must be greater than 0 unless no samples are taken");
    assert_eq!(changes(&cells, &raised), ["b.csv: column `price` has 12 values far above the others"]);
}
