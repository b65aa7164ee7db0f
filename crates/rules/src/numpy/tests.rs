//! Our rules know every name that ruff's numpy rules move.

use std::collections::BTreeMap;

use nbrevive_notebook::{Cell, Notebook};

use crate::{CellFeedback, Feedback, Rules};

/// What ruff 0.17 replaces by itself (NPY001, NPY003 and NPY201), and what stands there afterwards. Where ruff's name is
/// one more that was removed since, or another spelling of the same object, ours differs. `np.bool` is left out: it
/// exists since numpy 2.0. Source: the names in ruff's documentation of these rules.
const MOVED: &[(&str, &str)] = &[
    ("int", "int"),
    ("float", "float"),
    ("object", "object"),
    ("str", "str"),
    ("complex", "complex"),
    ("unicode", "str"),
    ("round_", "np.round"),
    ("product", "np.prod"),
    ("cumproduct", "np.cumprod"),
    ("sometrue", "np.any"),
    ("alltrue", "np.all"),
    ("add_docstring", "np.lib.add_docstring"),
    ("add_newdoc", "np.lib.add_newdoc"),
    ("byte_bounds", "np.lib.array_utils.byte_bounds"),
    ("cfloat", "np.complex128"),
    ("clongfloat", "np.clongdouble"),
    ("complex_", "np.complex128"),
    ("DataSource", "np.lib.npyio.DataSource"),
    ("float_", "np.float64"),
    ("INF", "np.inf"),
    ("Inf", "np.inf"),
    ("Infinity", "np.inf"),
    ("infty", "np.inf"),
    ("issubclass_", "issubclass"),
    ("issubsctype", "np.issubdtype"),
    ("mat", "np.asmatrix"),
    ("NaN", "np.nan"),
    ("NAN", "np.nan"),
    ("NINF", "-np.inf"),
    ("NZERO", "-0.0"),
    ("longcomplex", "np.clongdouble"),
    ("longfloat", "np.longdouble"),
    ("PINF", "np.inf"),
    ("PZERO", "0.0"),
    ("safe_eval", "literal_eval"),
    ("singlecomplex", "np.complex64"),
    ("string_", "np.bytes_"),
    ("source", "getsource"),
    ("tracemalloc_domain", "np.lib.tracemalloc_domain"),
    ("trapz", "np.trapezoid"),
    ("unicode_", "np.str_"),
    ("row_stack", "np.vstack"),
    ("AxisError", "np.exceptions.AxisError"),
    ("ComplexWarning", "np.exceptions.ComplexWarning"),
    ("DTypePromotionError", "np.exceptions.DTypePromotionError"),
    ("ModuleDeprecationWarning", "np.exceptions.ModuleDeprecationWarning"),
    ("RankWarning", "np.exceptions.RankWarning"),
    ("TooHardError", "np.exceptions.TooHardError"),
    ("VisibleDeprecationWarning", "np.exceptions.VisibleDeprecationWarning"),
    ("compare_chararrays", "np.char.compare_chararrays"),
    ("chararray", "np.char.chararray"),
    ("format_parser", "np.rec.format_parser"),
];

/// The cell after one proposal for a name that numpy lacks.
fn repaired(source: &str, name: &str) -> String {
    let notebook = Notebook::from_cells(vec![Cell::code(source)]);
    let error = CellFeedback {
        cell: 0,
        ename: "AttributeError".to_owned(),
        evalue: format!("module 'numpy' has no attribute '{name}'"),
        traceback: String::new(),
        line: Some(2),
    };
    let packages = BTreeMap::new();
    let feedback = Feedback::of_errors(&notebook, vec![error], &packages);
    let proposal = Rules.propose(&feedback);
    proposal.map_or_else(|| source.to_owned(), |proposal| proposal.notebook.cells[0].source.clone())
}

#[test]
fn every_name_that_ruff_moves_is_moved() {
    let mut left = Vec::new();
    for (name, new) in MOVED {
        let after = repaired(&format!("import numpy as np\nx = np.{name}\n"), name);
        if !after.ends_with(&format!("\nx = {new}\n")) {
            left.push(after);
        }
    }
    assert!(left.is_empty(), "{left:#?}");
}

#[test]
fn in1d_keeps_its_one_dimension() {
    let after = repaired("import numpy as np\nx = np.in1d(a, b, invert=True)\n", "in1d");
    assert_eq!(after, "import numpy as np\nx = np.isin(a, b, invert=True).ravel()\n");
    let imported = repaired("from numpy import in1d\nx = in1d(a, b)\n", "in1d");
    assert_eq!(imported, "from numpy import isin as in1d\nx = in1d(a, b)\n");
}
