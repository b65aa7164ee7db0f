//! Settings of libraries: they change how everything is shown that comes after them, and have no name in a notebook.

use std::collections::BTreeSet;

use nbrevive_order::CellEffects;

/// The name that stands for all of them.
const SETTINGS: &str = "<settings>";

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

#[cfg(test)]
mod tests {
    use nbrevive_notebook::{Cell, Notebook};
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
}
