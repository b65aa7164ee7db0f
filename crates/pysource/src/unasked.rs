//! Modules that code needs and does not import: pandas asks for `openpyxl` itself once a spreadsheet is read.

use ruff_python_ast::visitor::{Visitor, walk_expr};
use ruff_python_ast::{Expr, ExprCall};

use crate::parse::parse;

/// A module that a library imports in the notebook's stead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unasked {
    /// The module, as a library imports it.
    pub module: &'static str,
    /// The function that does, or the option that asks for it.
    pub because: &'static str,
    /// Whether pandas reads a spreadsheet with it, of which neither the file nor an option says with what.
    reads_sheet: bool,
}

impl Unasked {
    /// The module where spreadsheets are read so.
    #[must_use]
    pub const fn module_by(self, sheets: SheetReader) -> &'static str {
        match sheets {
            SheetReader::Xlrd if self.reads_sheet => "xlrd",
            _ => self.module,
        }
    }
}

/// Functions and methods with a name of their own, and the module that they import when they are called. Sources: pandas,
/// "Installation", optional dependencies; Keras, `plot_model`; networkx, `graphviz_layout`.
const CALLS: [Unasked; 15] = [
    of("to_excel", "openpyxl"),
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

/// Functions that read spreadsheets, with the module that these are for.
const SHEETS: [&str; 2] = ["read_excel", "ExcelFile"];

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
    Unasked { module, because, reads_sheet: false }
}

/// Which module pandas reads spreadsheets with, where neither its file nor an option says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SheetReader {
    /// Before 1.2.0, of December 2020.
    Xlrd,
    /// Since then ("What's new in 1.2.0").
    Openpyxl,
}

impl SheetReader {
    const ALL: [Self; 2] = [Self::Xlrd, Self::Openpyxl];
}

/// The modules that the cells need without importing them, each once, in the order of their uses. Cells that are not Python 3
/// are passed over.
///
/// ```
/// use nbrevive_pysource::unasked::{SheetReader, unasked};
///
/// let found = unasked(&["import pandas as pd", "df = pd.read_excel('sales.xlsx')"]);
/// assert_eq!((found[0].module, found[0].because), ("openpyxl", "read_excel"));
/// assert_eq!(found[0].module_by(SheetReader::Xlrd), "xlrd");
/// ```
#[must_use]
pub fn unasked(cells: &[&str]) -> Vec<Unasked> {
    let mut calls = Calls { found: Vec::new() };
    for source in cells {
        for statement in parse(source).body() {
            calls.visit_stmt(statement);
        }
    }
    calls.found
}

struct Calls {
    found: Vec<Unasked>,
}

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
        let found = engine.or_else(|| reader(name, call)).or_else(|| row(&CALLS, name));
        let of_all = |one: &Unasked| SheetReader::ALL.map(|sheets| one.module_by(sheets));
        if let Some(found) = found.filter(|found| !self.found.iter().any(|known| of_all(known) == of_all(found))) {
            self.found.push(found);
        }
    }
}

/// What reads a spreadsheet, if the call reads one.
fn reader(name: &str, call: &ExprCall) -> Option<Unasked> {
    let because = SHEETS.into_iter().find(|known| *known == name)?;
    let is_old = call.arguments.args.first().and_then(text).is_some_and(|file| file.to_lowercase().ends_with(".xls"));
    Some(if is_old { of(because, "xlrd") } else { Unasked { reads_sheet: true, ..of(because, "openpyxl") } })
}

fn row(table: &[Unasked], name: &str) -> Option<Unasked> {
    table.iter().find(|row| row.because == name).copied()
}

fn text(expression: &Expr) -> Option<&str> {
    Some(expression.as_string_literal_expr()?.value.to_str())
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
    fn pandas_of_before_reads_each_sheet_with_xlrd() {
        let cells =
            ["df = pd.read_excel('a.xlsx')\ndf.to_excel('b.xlsx')\npd.read_excel('c.xlsx', engine='openpyxl')\n"];
        let told = |one: Unasked| (one.because, one.module_by(SheetReader::Xlrd), one.module);
        let found: Vec<_> = unasked(&cells).into_iter().map(told).collect();
        assert_eq!(found, [("read_excel", "xlrd", "openpyxl"), ("to_excel", "openpyxl", "openpyxl")]);
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
