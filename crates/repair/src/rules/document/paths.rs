//! Files that are there, in another folder or under a name with other capitals.

use nbrevive_pysource::ast::Expr;
use nbrevive_pysource::text_size::Ranged;

use crate::rules::change::Change;
use crate::rules::rule::{Rewrite, Rule, Trigger, example};
use crate::rules::shape;
use crate::rules::signature::{captures, sig};
use crate::rules::view::View;

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
            "import glob, os\n",
            "def find_file(path):\n",
            "    \"\"\"The file of this name, whatever its folder and capitals.\"\"\"\n",
            "    name = os.path.basename(path.rstrip('/')).lower()\n",
            "    for found in sorted(glob.glob('../input/**', recursive=True)) + sorted(glob.glob('**', recursive=True)):\n",
            "        if os.path.basename(found).lower() == name:\n",
            "            return found\n",
            "    return path\n",
            "import pandas as pd\n",
            "train = pd.read_csv(find_file('../input/titanic/Train.csv'))\n",
        ),
    ),
)];

/// What looks for a file when the notebook runs: only then is known what there is. The folders are literals, by which
/// the guards know that the search stays inside.
const FINDER: &str = "import glob, os\n\
def find_file(path):\n\
\x20   \"\"\"The file of this name, whatever its folder and capitals.\"\"\"\n\
\x20   name = os.path.basename(path.rstrip('/')).lower()\n\
\x20   for found in sorted(glob.glob('../input/**', recursive=True)) + sorted(glob.glob('**', recursive=True)):\n\
\x20       if os.path.basename(found).lower() == name:\n\
\x20           return found\n\
\x20   return path";

fn paths(view: &View<'_>, change: &mut Change<'_>) {
    let missing: Vec<&str> = view.errors.iter().filter_map(|error| missing_path(&error.evalue)).collect();
    view.expressions(|place, expression, around| {
        let Some(path) = shape::text(expression).filter(|path| missing.contains(path)) else { return };
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
            change.need_import(place, FINDER);
        }
    });
}

fn missing_path(message: &str) -> Option<&str> {
    let quoted = captures("No such file or directory: '*'", message).and_then(|found| found.first().copied());
    let quoted = quoted.or_else(|| captures("does not exist: '*'", message).and_then(|found| found.first().copied()));
    quoted.or_else(|| message.strip_suffix(" not found."))
}

fn writes(parent: Option<&Expr>) -> bool {
    let Some(Expr::Call(call)) = parent else { return false };
    let mode = call.arguments.args.get(1).and_then(shape::text).is_some_and(|mode| mode.contains(['w', 'a']));
    mode || matches!(shape::method(call), Some((_, name)) if name.starts_with("to_") || name.starts_with("save"))
}
