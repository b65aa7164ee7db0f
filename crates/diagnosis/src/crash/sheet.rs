//! A sheet of crashes: a CSV with the columns of the labelled data set.

use std::collections::BTreeMap;
use std::io::Read;

use nbrevive_pysource::ast::{Expr, Stmt};
use nbrevive_pysource::parse::parse;

use super::evidence::CrashText;

/// One row of a sheet.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SheetRow {
    /// Its id; the number of the row, from 1, where the sheet has none.
    pub id: String,
    /// Where the notebook was published.
    pub platform: String,
    /// The exception's name.
    pub ename: String,
    /// Its value.
    pub evalue: String,
    /// The traceback, its parts joined.
    pub traceback: String,
    /// The other columns, as they stand: never read by the classifier.
    pub others: BTreeMap<String, String>,
}

/// Why a sheet cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum SheetError {
    /// A column that is needed is missing.
    #[error("the sheet has no column `{column}`; it needs platform, ename, evalue and traceback")]
    NoColumn {
        /// The column.
        column: &'static str,
    },
    /// The file is no CSV, or no UTF-8.
    #[error("the sheet cannot be read as CSV")]
    Csv(#[from] csv::Error),
}

impl SheetRow {
    /// What the classifier may see.
    #[must_use]
    pub fn crash(&self) -> CrashText<'_> {
        let Self { platform, ename, evalue, traceback, .. } = self;
        CrashText { platform, ename, evalue, traceback }
    }
}

/// Reads the rows of a sheet. A column that stands there twice counts once.
///
/// # Errors
///
/// When one of the four columns is missing, or a line is no CSV.
pub fn read_sheet(reader: impl Read) -> Result<Vec<SheetRow>, SheetError> {
    let mut csv = csv::Reader::from_reader(reader);
    let columns: Vec<String> =
        csv.headers()?.iter().map(|name| name.trim().trim_start_matches('\u{feff}').to_owned()).collect();
    for column in ["platform", "ename", "evalue", "traceback"] {
        if !columns.iter().any(|name| name == column) {
            return Err(SheetError::NoColumn { column });
        }
    }
    let mut rows = Vec::new();
    for record in csv.records() {
        let record = record?;
        let mut row = SheetRow::default();
        for (name, field) in columns.iter().zip(&record) {
            match name.as_str() {
                "id" => row.id = unguarded(field).to_owned(),
                "platform" => row.platform = unguarded(field).to_owned(),
                "ename" => row.ename = unguarded(field).to_owned(),
                "evalue" => row.evalue = unguarded_value(field).to_owned(),
                "traceback" => row.traceback = joined(field),
                _ => drop(row.others.insert(name.clone(), unguarded(field).to_owned())),
            }
        }
        if row.id.is_empty() {
            row.id = (rows.len() + 1).to_string();
        }
        rows.push(row);
    }
    Ok(rows)
}

/// A field without the apostrophe that keeps spreadsheets from computing with it.
fn unguarded(field: &str) -> &str {
    field.strip_prefix('\'').filter(|text| text.starts_with(['=', '+', '-', '@', '\t', '\r'])).unwrap_or(field)
}

/// The same of an error's value, which may begin with an apostrophe of its own: `'-c' is no option`. Those stand in pairs, so that the one
/// that was put before them makes their number odd.
fn unguarded_value(field: &str) -> &str {
    if field.matches('\'').count() % 2 == 1 { unguarded(field) } else { field }
}

/// A traceback as sheets keep it: a list of texts as Python or JSON prints it, or the text itself.
fn joined(field: &str) -> String {
    let field = unguarded(field);
    let parts = || {
        let parsed = field.trim_start().starts_with('[').then(|| parse(field))?;
        let [Stmt::Expr(statement)] = parsed.body() else { return None };
        let Expr::List(list) = &*statement.value else { return None };
        let part = |part: &Expr| part.as_string_literal_expr().map(|text| text.value.to_str().to_owned());
        list.elts.iter().map(part).collect::<Option<Vec<String>>>()
    };
    parts().map_or_else(|| field.to_owned(), |parts| parts.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tracebacks_are_lists_of_python_of_json_or_texts() {
        assert_eq!(joined(r#"['a\nb', "it's"]"#), "a\nb\nit's");
        assert_eq!(joined(r#"["a", "\u001b[31m"]"#), "a\n\u{1b}[31m");
        assert_eq!(joined("['a', b"), "['a', b");
        assert_eq!(joined("ValueError: x"), "ValueError: x");
        assert_eq!(joined("'-----\nValueError: x"), "-----\nValueError: x");
        assert_eq!(joined("'a' is missing"), "'a' is missing");
    }

    #[test]
    fn the_apostrophe_before_a_formula_goes_and_those_of_a_value_stay() {
        for (field, value) in [
            ("'=1+1 is no number", "=1+1 is no number"),
            ("'@main", "@main"),
            ("'-c: no such file", "-c: no such file"),
            ("'=cmd|' /C calc'!A0", "=cmd|' /C calc'!A0"),
            ("'-c' is no option", "'-c' is no option"),
            ("'=x'", "'=x'"),
            ("'price'", "'price'"),
            ("'", "'"),
        ] {
            let sheet = format!("id,platform,ename,evalue,traceback,notebook\n'-a,'+b,'@c,\"{field}\",,'=d.ipynb\n");
            let rows = read_sheet(sheet.as_bytes()).unwrap();
            let row = &rows[0];
            assert_eq!(row.evalue, value);
            assert_eq!([&row.id, &row.platform, &row.ename, &row.others["notebook"]], ["-a", "+b", "@c", "=d.ipynb"]);
        }
    }

    #[test]
    fn a_missing_column_is_named() {
        let error = read_sheet("id,ename\n1,x\n".as_bytes()).unwrap_err();
        assert!(error.to_string().contains("`platform`"), "{error}");
        let rows = read_sheet("platform,ename,evalue,traceback\nkaggle,KeyError,'a',\n".as_bytes()).unwrap();
        assert_eq!((rows[0].id.as_str(), rows[0].ename.as_str()), ("1", "KeyError"));
    }
}
