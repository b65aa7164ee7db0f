//! Modules that code needs and does not import: pandas asks for `openpyxl` itself once a spreadsheet is read.

use ruff_python_ast::visitor::{Visitor, walk_expr};
use ruff_python_ast::{Expr, ExprCall};

use crate::parse::parse;

/// A module that a library imports in the notebook's stead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unasked {
    /// The module, as a library imports it.
    pub module: &'static str,
    /// The function that does, or the option that asks for it.
    pub because: &'static str,
}

/// Functions and methods with a name of their own, and the module that they import when they are called. Sources: pandas,
/// "Installation", optional dependencies; Keras, `plot_model`; networkx, `graphviz_layout`.
const CALLS: [Unasked; 17] = [
    of("read_excel", "openpyxl"),
    of("to_excel", "openpyxl"),
    of("ExcelFile", "openpyxl"),
    of("ExcelWriter", "openpyxl"),
    of("read_html", "lxml"),
    of("read_xml", "lxml"),
    of("to_xml", "lxml"),
    of("read_hdf", "tables"),
    of("to_hdf", "tables"),
    of("HDFStore", "tables"),
    of("read_parquet", "pyarrow"),
    of("to_parquet", "pyarrow"),
    of("read_feather", "pyarrow"),
    of("to_feather", "pyarrow"),
    of("to_markdown", "tabulate"),
    of("plot_model", "pydot"),
    of("graphviz_layout", "pydot"),
];

/// Modules that an option names: `engine='xlsxwriter'`, `flavor='html5lib'`, `BeautifulSoup(page, 'lxml')`.
const ENGINES: [Unasked; 9] = [
    of("openpyxl", "openpyxl"),
    of("xlrd", "xlrd"),
    of("xlsxwriter", "xlsxwriter"),
    of("odf", "odf"),
    of("pyarrow", "pyarrow"),
    of("fastparquet", "fastparquet"),
    of("numexpr", "numexpr"),
    of("lxml", "lxml"),
    of("html5lib", "html5lib"),
];

const OPTIONS: [&str; 4] = ["engine", "flavor", "features", "parser"];

const fn of(because: &'static str, module: &'static str) -> Unasked {
    Unasked { module, because }
}

/// The modules that the cells need without importing them, each once, in the order of their uses. Cells that are not Python 3
/// are passed over.
///
/// ```
/// let found = nbrevive_pysource::unasked::unasked(&["import pandas as pd", "df = pd.read_excel('sales.xlsx')"]);
/// assert_eq!((found[0].module, found[0].because), ("openpyxl", "read_excel"));
/// ```
#[must_use]
pub fn unasked(cells: &[&str]) -> Vec<Unasked> {
    let mut calls = Calls(Vec::new());
    for source in cells {
        for statement in parse(source).body() {
            calls.visit_stmt(statement);
        }
    }
    calls.0
}

struct Calls(Vec<Unasked>);

impl<'a> Visitor<'a> for Calls {
    fn visit_expr(&mut self, expression: &'a Expr) {
        if let Expr::Call(call) = expression {
            self.read(call);
        }
        walk_expr(self, expression);
    }
}

impl Calls {
    fn read(&mut self, call: &ExprCall) {
        let name = match call.func.as_ref() {
            Expr::Name(name) => name.id.as_str(),
            Expr::Attribute(attribute) => attribute.attr.as_str(),
            _ => return,
        };
        let named = call.arguments.keywords.iter();
        let option = named
            .filter(|keyword| keyword.arg.as_ref().is_some_and(|arg| OPTIONS.contains(&arg.as_str())))
            .map(|keyword| &keyword.value);
        let second = call.arguments.args.get(1).filter(|_| name == "BeautifulSoup");
        let engine = option.chain(second).find_map(|value| row(&ENGINES, text(value)?));
        // An option takes the place of what would be imported without it.
        let found = engine
            .or_else(|| if is_old_sheet(name, call) { Some(of("read_excel", "xlrd")) } else { row(&CALLS, name) });
        if let Some(found) = found.filter(|found| !self.0.iter().any(|known| known.module == found.module)) {
            self.0.push(found);
        }
    }
}

fn row(table: &[Unasked], name: &str) -> Option<Unasked> {
    table.iter().find(|row| row.because == name).copied()
}

fn text(expression: &Expr) -> Option<&str> {
    Some(expression.as_string_literal_expr()?.value.to_str())
}

/// Whether a spreadsheet of the old format is read.
fn is_old_sheet(name: &str, call: &ExprCall) -> bool {
    let file = call.arguments.args.first().and_then(text);
    matches!(name, "read_excel" | "ExcelFile") && file.is_some_and(|file| file.to_lowercase().ends_with(".xls"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn modules(source: &str) -> Vec<&'static str> {
        unasked(&[source]).into_iter().map(|found| found.module).collect()
    }

    #[test]
    fn the_format_or_the_option_says_which_module() {
        assert_eq!(modules("pd.read_excel('a.XLS')\npd.ExcelFile(path)\n"), ["xlrd", "openpyxl"]);
        assert_eq!(modules("pd.read_parquet(f, engine='fastparquet')\n"), ["fastparquet"]);
        assert_eq!(
            modules("BeautifulSoup(page, 'html5lib')\nBeautifulSoup(page, features=\"lxml\")\n"),
            ["html5lib", "lxml"]
        );
        assert_eq!(modules("df.query('a > 1', engine='python')\n"), [""; 0]);
    }

    #[test]
    fn each_module_is_named_once_and_broken_cells_are_passed_over() {
        let cells = [
            "with pd.ExcelWriter('a.xlsx') as out:\n    df.to_excel(out)\n",
            "print 'a'\n",
            "%time df.to_hdf('a.h5', 'k')\n",
        ];
        let found: Vec<&str> = unasked(&cells).into_iter().map(|found| found.module).collect();
        assert_eq!(found[0], "openpyxl");
        assert_eq!(found.iter().filter(|module| **module == "openpyxl").count(), 1);
    }
}
