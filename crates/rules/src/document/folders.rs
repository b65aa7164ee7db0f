//! Folders that a notebook writes into, and that were on its author's machine alone.

use nbrevive_pysource::text_size::Ranged as _;

use super::paths::writes;
use crate::change::Change;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::{captures, sig};
use crate::view::View;

pub(super) static RULES: &[Rule] = &[Rule::new(
    "notebook-folder-to-write",
    ("python", "3.0"),
    "a folder that is written into is made; a file with a whole path is written into the working folder",
    Trigger::Error(&[
        sig("FileNotFoundError", "No such file or directory: '*'"),
        sig("OSError", "Cannot save file into a non-existent directory: '*'"),
    ]),
    Rewrite::Code(folders),
    example(
        "import pandas as pd\nd = pd.DataFrame({'a': [1]})\nd.to_csv('c:/code/one.csv')\n",
        ("OSError", "Cannot save file into a non-existent directory: 'c:/code'"),
        "import os\nimport pandas as pd\nd = pd.DataFrame({'a': [1]})\nos.makedirs('c:/code', exist_ok=True)\nd.to_csv('c:/code/one.csv')\n",
    ),
)];

fn folders(view: &View<'_>, change: &mut Change<'_>) {
    let patterns = ["No such file or directory: '*'", "non-existent directory: '*'"];
    let told =
        |text: &str| patterns.iter().find_map(|pattern| captures(pattern, text)?.first().map(ToString::to_string));
    let missing: Vec<String> = view.errors.iter().filter_map(|error| told(&error.evalue)).collect();
    view.expressions(|place, expression, around| {
        let path = shape::text(expression).and_then(|path| Some((path, path.rsplit_once('/')?)));
        let Some((path, (folder, name))) = path.filter(|(_, (_, name))| !name.contains(['\'', '\\', '\n'])) else {
            return;
        };
        if !missing.iter().any(|one| one == path || one == folder) || !writes(around.parent()) {
            return;
        }
        if path.starts_with(['/', '~']) {
            change.replace(place, expression.range(), format!("'{name}'"));
        } else if let Some(statement) = around.statements.last() {
            let line = format!("os.makedirs('{folder}', exist_ok=True)");
            if !view.parsed(place).source().contains(&line) && change.line_before(place, statement, &line) {
                change.need_import(place, "import os");
            }
        }
    });
}
