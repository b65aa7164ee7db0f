//! What a cell leaves to those after it without a name in a notebook: settings of libraries, which change how everything is shown, and what IPython
//! calls `_`, the last value that was shown.

use std::collections::BTreeSet;

use nbrevive_notebook::{Cell, Output};
use nbrevive_order::CellEffects;

/// The name that stands for all of them.
pub(crate) const SETTINGS: &str = "<settings>";

/// What IPython calls the last value.
const LAST_VALUE: &str = "_";

/// What changes them, as it is written: matplotlib and seaborn, pandas, numpy, scikit-learn, warnings, IPython.
const SET_BY: &[&str] = &[
    "%matplotlib",
    "matplotlib.use(",
    "mpl.use(",
    "style.use(",
    "rcParams",
    ".rc(",
    "rcdefaults(",
    "sns.set",
    "set_style(",
    "set_context(",
    "set_palette(",
    "set_option(",
    "reset_option(",
    ".options.",
    "set_printoptions(",
    ".seterr(",
    "set_config(",
    "filterwarnings(",
    "simplefilter(",
    "setlocale(",
    "%precision",
    "%config",
];

/// Lets cells that change settings meet all others: each looks at what those before it left.
pub(crate) fn tie(sources: &[&str], effects: &mut [CellEffects]) {
    let sets = |source: &&str| SET_BY.iter().any(|written| source.contains(written));
    let setting: BTreeSet<usize> = (0..sources.len()).filter(|cell| sets(&sources[*cell])).collect();
    if setting.is_empty() {
        return;
    }
    for (cell, of_cell) in effects.iter_mut().enumerate() {
        of_cell.reads.insert(SETTINGS.to_owned());
        of_cell.depends.insert(SETTINGS.to_owned());
        if setting.contains(&cell) {
            of_cell.writes.insert(SETTINGS.to_owned());
        }
    }
}

/// Lets cells that use `_` meet those that were saved with a value shown.
pub(crate) fn tie_last_values(cells: &[&Cell], effects: &mut [CellEffects]) {
    if !effects.iter().any(|effects| effects.reads.contains(LAST_VALUE)) {
        return;
    }
    for (cell, of_cell) in cells.iter().zip(effects) {
        if cell.outputs().iter().any(|output| matches!(output, Output::ExecuteResult { .. })) {
            of_cell.writes.insert(LAST_VALUE.to_owned());
            of_cell.replaces.insert(LAST_VALUE.to_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use nbrevive_notebook::{Cell, CellKind, Notebook, Output};
    use nbrevive_order::GraphKind;

    use crate::TracedNotebook;

    #[test]
    fn cells_that_change_settings_meet_all_others() {
        let cells =
            ["import matplotlib.pyplot as plt", "plt.style.use('classic')", "%matplotlib inline", "f(1)", "g(2)"];
        let notebook = Notebook::from_cells(cells.map(Cell::code).into());
        let effects = TracedNotebook::new(&notebook, GraphKind::Sharp).effects;
        assert!(effects[1].meets(&effects[2]) && effects[2].meets(&effects[1]), "the last one that set them holds");
        assert!(effects[1].meets(&effects[3]) && effects[2].meets(&effects[3]) && !effects[2].only_looks());
        assert!(!effects[3].meets(&effects[4]), "who looks at them alone may change places");
    }
    #[test]
    fn who_uses_the_last_value_depends_on_who_showed_one() {
        let shown = |source: &str| Cell {
            kind: CellKind::Code {
                execution_count: None,
                outputs: vec![Output::ExecuteResult {
                    execution_count: None,
                    data: Default::default(),
                    metadata: Default::default(),
                }],
            },
            ..Cell::code(source)
        };
        let effects = |cells: Vec<Cell>| TracedNotebook::new(&Notebook::from_cells(cells), GraphKind::Sharp).effects;
        let found = effects(vec![shown("[1]"), Cell::code("a = 1"), shown("len(_)")]);
        assert!(found[0].reaches(&found[2]) && !found[1].reaches(&found[2]));
        assert!(effects(vec![shown("[1]"), Cell::code("a = 1")])[0].only_looks());
    }
}
