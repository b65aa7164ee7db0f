//! Imports of a notebook's code cells, at any depth, from the syntax tree.
//!
//! Found are statements, `__import__` and `importlib.import_module` with literal names, statements in literal texts that
//! are executed, extensions that magics load, what `%matplotlib` and `%pylab` import, and Cython cells. A cell that the Python 3 grammar rejects is read by the tolerant grammar too,
//! so that one broken or Python 2 line costs no other import.

pub use crate::readers::imports::{How, Import};
use crate::survey::{imports_of, survey};

/// The imports of a notebook's code cells, in order of cell and line: those of [`survey()`], faster where
/// nothing else is asked for, because cells without a word of import are not parsed.
#[must_use]
pub fn imports(cells: &[&str]) -> Vec<Import> {
    let may_import = |source: &str| WORDS.iter().any(|word| source.contains(word));
    let suspects = cells.iter().enumerate().filter(|(_, source)| may_import(source));
    suspects.flat_map(|(index, source)| imports_of(index, source)).collect()
}

/// What stands in every cell that imports: the statement and the functions, the escapes' signs, the magics as calls, and the
/// magics that may lack their sign.
const WORDS: [&str; 6] = ["import", "%", "magic", "load_ext", "matplotlib", "pylab"];

/// Names of the modules and packages that cells write themselves, with `%%writefile` or `%%file`, or by copying or
/// downloading a `.py` file: importing them needs no distribution.
#[must_use]
pub fn written_modules(cells: &[&str]) -> Vec<String> {
    survey(cells).written_modules
}
