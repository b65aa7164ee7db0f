//! What libraries of a date import in a notebook's stead.

use std::collections::BTreeSet;

use jiff::Timestamp;
use nbrevive_pysource::unasked::{SheetReader, Unasked};

use super::UnrequiredModule;

/// 2020-12-26, the day of pandas 1.2.0.
const PANDAS_1_2: Timestamp = Timestamp::constant(1_608_940_800, 0);

/// The modules that libraries of a date import when they are called so, each once, but for those that are imported (`imports`, dotted) anyway.
#[must_use]
pub fn unrequired<'imports>(
    called: &[Unasked],
    imports: impl Iterator<Item = &'imports str>,
    date: Timestamp,
) -> Vec<UnrequiredModule> {
    let sheets = if date < PANDAS_1_2 { SheetReader::Xlrd } else { SheetReader::Openpyxl };
    let mut known: BTreeSet<&str> = imports.filter_map(|module| module.split('.').next()).collect();
    let named = called.iter().map(|one| (one.module_by(sheets), one.because));
    let new = named.filter(|(module, _)| known.insert(*module));
    new.map(|(module, by)| UnrequiredModule { module: module.to_owned(), by: by.to_owned() }).collect()
}

#[cfg(test)]
mod tests {
    use nbrevive_pysource::unasked::unasked;

    use super::*;

    #[test]
    fn the_date_tells_what_reads_sheets_and_what_is_imported_is_asked_for_already() {
        let called = unasked(&["pd.read_excel('a.xlsx')\npd.read_html(page)\npd.read_excel('b.xls')\n"]);
        let at = |date: &str| unrequired(&called, ["pandas", "lxml.etree"].into_iter(), date.parse().expect("a date"));
        let of = |module: &str| UnrequiredModule { module: module.into(), by: "read_excel".into() };
        assert_eq!(at("2019-01-01T00:00:00Z"), [of("xlrd")]);
        assert_eq!(at("2021-01-01T00:00:00Z"), [of("openpyxl"), of("xlrd")]);
    }
}
