//! Files that are there, in another folder or under a name with other capitals.

use nbrevive_pysource::ast::Expr;
use nbrevive_pysource::text_size::Ranged;

use crate::change::Change;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::{captures, sig};
use crate::view::View;
use crate::{CellFeedback, Feedback};

/// What looks for a file when the notebook runs: only then is known what there is. The folders are literals, by which
/// the guards know that the search stays inside, and what it imports hides no name of the notebook.
macro_rules! finder {
    () => {
        concat!(
            "def find_file(path):\n",
            "    \"\"\"The file of this name, whatever its capitals, in the likest folder; the path itself where two are alike.\"\"\"\n",
            "    import glob, os\n",
            "    folder, name = os.path.split(os.path.abspath(path.replace('\\\\', '/')))\n",
            "    def likeness(found):\n",
            "        where, own = os.path.split(os.path.abspath(found))\n",
            "        shared = set(folder.lower().split('/')) & set(where.lower().split('/'))\n",
            "        return where == folder, len(shared), own == name, found.startswith('..')\n",
            "    files = glob.glob('../input/**', recursive=True) + glob.glob('**', recursive=True)\n",
            "    ranked = sorted((found for found in files if os.path.basename(found).lower() == name.lower()), key=likeness)\n",
            "    alike = len(ranked) > 1 and likeness(ranked[-1]) == likeness(ranked[-2])\n",
            "    return ranked[-1] if ranked and not alike else path",
        )
    };
}
pub(super) use finder;

pub(super) static RULES: &[Rule] = &[Rule::new(
    "notebook-file-path",
    ("python", "3.0"),
    "a file is looked for below the input folders by its name, whatever its folder and capitals",
    Trigger::Error(&[
        sig("FileNotFoundError", "No such file or directory: '*'"),
        sig("FileNotFoundError", "File * does not exist: '*'"),
        sig("FileNotFoundError", "* not found."),
    ]),
    Rewrite::Code(paths),
    example(
        "import pandas as pd\ntrain = pd.read_csv('../input/titanic/Train.csv')\n",
        ("FileNotFoundError", "[Errno 2] No such file or directory: '../input/titanic/Train.csv'"),
        concat!(
            finder!(),
            "\n",
            "import pandas as pd\n",
            "train = pd.read_csv(find_file('../input/titanic/Train.csv'))\n",
        ),
    ),
)];

fn paths(view: &View<'_>, change: &mut Change<'_>) {
    // The message shows the path as Python writes it, with every backslash twice.
    let missing: Vec<String> =
        view.errors.iter().filter_map(|error| Some(missing_path(&error.evalue)?.replace("\\\\", "\\"))).collect();
    view.expressions(|place, expression, around| {
        let Some(path) = shape::text(expression).filter(|path| missing.iter().any(|one| one == path)) else { return };
        let searched = around.parents.iter().any(|parent| match parent {
            Expr::Call(call) => shape::name(&call.func) == Some("find_file"),
            _ => false,
        });
        // A path that is written to is meant as it is.
        let looks_like_a_path = path.contains('.') && path.len() < 256 && !path.contains(['{', '[', '<', '\n']);
        if searched || !looks_like_a_path || writes(around.parent()) {
            return;
        }
        let text = view.parsed(place).text(expression.range());
        if change.replace(place, expression.range(), format!("find_file({text})")) {
            change.need_import(place, finder!());
        }
    });
}

/// Whether an error misses a file that nothing could find: no file of its name is there, whatever the folder and
/// capitals, and no other place of the code names one that it might write before.
pub(crate) fn is_nowhere(error: &CellFeedback, feedback: &Feedback<'_>) -> bool {
    let Some(files) = feedback.ran.files.filter(|_| error.ename.ends_with("FileNotFoundError")) else { return false };
    let Some(path) = missing_path(&error.evalue) else { return false };
    let path = path.replace("\\\\", "\\").to_lowercase();
    let (folder, name) = path.split_at(path.rfind(['/', '\\']).map_or(0, |at| at + 1));
    let named_elsewhere = || {
        feedback.notebook.code_cells().any(|(_, cell)| {
            let text = cell.source.to_lowercase();
            let before = |at: usize| text[..at].rsplit(['\'', '"', '(', ' ', '\n']).next().unwrap_or_default();
            text.match_indices(name).any(|(at, _)| before(at) != folder)
        })
    };
    !files.contains(name) && !named_elsewhere()
}

fn missing_path(message: &str) -> Option<&str> {
    let quoted = captures("No such file or directory: '*'", message).and_then(|found| found.first().copied());
    let quoted = quoted.or_else(|| captures("does not exist: '*'", message).and_then(|found| found.first().copied()));
    quoted.or_else(|| message.strip_suffix(" not found."))
}

/// Whether the expression around a path writes there.
pub(super) fn writes(parent: Option<&Expr>) -> bool {
    let Some(Expr::Call(call)) = parent else { return false };
    let mode = call.arguments.args.get(1).and_then(shape::text).is_some_and(|mode| mode.contains(['w', 'a']));
    mode || matches!(shape::method(call), Some((_, name)) if name.starts_with("to_") || name.starts_with("save") || matches!(name, "imsave" | "imwrite" | "ExcelWriter"))
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use nbrevive_notebook::{Cell, Notebook};

    use crate::Rules;
    use crate::{CellFeedback, Feedback, Ran};

    /// Whether the rules look for `../input/Train.csv` in a notebook that finds these files.
    fn is_looked_for(files: Option<&[&str]>, before: &str) -> bool {
        let cells = [before, "import pandas as pd\nd = pd.read_csv('../input/Train.csv')\n"];
        let notebook = Notebook::from_cells(cells.map(Cell::code).to_vec());
        let error = CellFeedback {
            cell: 1,
            ename: "FileNotFoundError".to_owned(),
            evalue: "[Errno 2] No such file or directory: '../input/Train.csv'".to_owned(),
            traceback: String::new(),
            line: Some(2),
        };
        let files: Option<BTreeSet<String>> = files.map(|files| files.iter().map(|&name| name.to_owned()).collect());
        let packages = BTreeMap::new();
        let feedback = Feedback {
            ran: Ran { files: files.as_ref(), ..Ran::default() },
            ..Feedback::of_errors(&notebook, vec![error], &packages)
        };
        Rules.propose(&feedback).is_some()
    }

    #[test]
    fn a_file_that_is_nowhere_is_not_looked_for() {
        assert!(is_looked_for(None, "x = 1\n"), "nothing is known");
        assert!(is_looked_for(Some(&["titanic", "train.csv"]), "x = 1\n"));
        assert!(!is_looked_for(Some(&["titanic", "test.csv"]), "x = 1\n"));
        assert!(is_looked_for(Some(&[]), "d.to_csv('train.csv')\n"), "the notebook writes one of that name");
        assert!(!is_looked_for(Some(&[]), "p = '../input/Train.csv'\n"));
    }
}
