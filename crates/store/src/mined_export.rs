//! The mined versions and the selection as parquet, without titles, authors and teams.

use std::path::Path;

use nbrevive_mine::records::{CodeLanguage, DataKind, Kind, RunStatus, Source};
use polars::prelude::{Column, NamedFrom, Series};

use crate::export::{ExportError, count, optional_count, optional_number, optional_text, text};
use crate::mined::{MergedVersion, merged};
use crate::parquet::{ParquetError, enum_column, write};
use crate::{Store, selections};

/// Writes `mined-versions.parquet`, `selection.parquet` and `funnel.parquet` into `folder`, which is made where absent; gives the
/// number of versions. A store into which nothing was mined gets none of them.
///
/// # Errors
/// When the store cannot be read or a file cannot be written.
pub fn export(store: &Store, folder: &Path) -> Result<usize, ExportError> {
    let versions = merged(store)?;
    let path = folder.join("mined-versions.parquet");
    // After a take-down of everything an old file is written again, empty.
    if versions.is_empty() && !path.exists() {
        return Ok(0);
    }
    std::fs::create_dir_all(folder).map_err(|source| ExportError::Folder { path: folder.to_owned(), source })?;
    write(&path, version_columns(&versions)?)?;
    let (rows, path) = (selections::all(store)?, folder.join("selection.parquet"));
    if !rows.is_empty() || path.exists() {
        write(&path, selection_columns(&rows))?;
        write(&folder.join("funnel.parquet"), step_columns(&selections::steps(store)?))?;
    }
    Ok(versions.len())
}

fn words<'a>(
    name: &str,
    values: impl Iterator<Item = Option<&'a str>>,
    categories: &[&str],
) -> Result<Column, ParquetError> {
    enum_column(name, &values.collect::<Vec<_>>(), categories)
}

fn switch(name: &str, values: impl Iterator<Item = Option<bool>>) -> Column {
    Column::from(Series::new(name.into(), values.collect::<Vec<_>>()))
}

fn version_columns(rows: &[MergedVersion]) -> Result<Vec<Column>, ParquetError> {
    let records = || rows.iter().map(|row| &row.record);
    let languages: Vec<&str> = CodeLanguage::ALL.iter().map(|word| word.as_str()).collect();
    let kinds: Vec<&str> = Kind::ALL.iter().map(|word| word.as_str()).collect();
    let statuses: Vec<&str> = RunStatus::ALL.iter().map(|word| word.as_str()).collect();
    Ok(vec![
        text("version", rows.iter().map(|row| &row.key)),
        optional_text("competition", rows.iter().map(|row| row.competition.as_ref().map(ToString::to_string))),
        text("sources", rows.iter().map(sources)),
        optional_count("number", records().map(|record| record.number)),
        optional_text("version_id", records().map(|record| record.id.map(|id| id.to_string()))),
        optional_text("created", records().map(|record| record.created.map(|time| time.to_string()))),
        optional_text("evaluated", records().map(|record| record.evaluated.map(|time| time.to_string()))),
        words("language", records().map(|record| record.language.map(CodeLanguage::as_str)), &languages)?,
        words("kind", records().map(|record| record.kind.map(Kind::as_str)), &kinds)?,
        words("status", records().map(|record| record.status.map(RunStatus::as_str)), &statuses)?,
        optional_number("public_score", records().map(|record| record.public_score)),
        optional_number("private_score", records().map(|record| record.private_score)),
        optional_number("run_seconds", records().map(|record| record.run_seconds)),
        switch("external_data", rows.iter().map(MergedVersion::external_data)),
        optional_text("image", records().map(|record| record.image.clone())),
        switch("gpu", records().map(|record| record.gpu)),
        switch("internet", records().map(|record| record.internet)),
        switch("copied", records().map(|record| record.copied_from.as_ref().map(|_| true))),
        optional_text("code", records().map(|record| record.code.as_ref().map(ToString::to_string))),
    ])
}

fn sources(row: &MergedVersion) -> String {
    row.sources.iter().copied().map(Source::as_str).collect::<Vec<_>>().join(",")
}

impl MergedVersion {
    /// Whether it reads anything beyond the data of its competition; `None` where no source tells what it reads, or its competition
    /// is not known.
    #[must_use]
    pub fn external_data(&self) -> Option<bool> {
        let sources = self.record.data_sources.as_ref()?;
        let competition = self.competition.as_ref()?;
        Some(sources.iter().any(|source| source.kind != DataKind::Competition || source.name != competition.as_str()))
    }
}

fn selection_columns(rows: &[selections::SelectionRow]) -> Vec<Column> {
    let dropped = || rows.iter().map(|row| row.dropped.as_ref());
    vec![
        text("version", rows.iter().map(|row| &row.version)),
        optional_text("competition", rows.iter().map(|row| row.competition.clone())),
        switch("kept", dropped().map(|dropped| Some(dropped.is_none()))),
        optional_text("slug", rows.iter().map(|row| row.slug.clone())),
        optional_text("step", dropped().map(|dropped| dropped.map(|dropped| dropped.step.clone()))),
        optional_text("reason", dropped().map(|dropped| dropped.map(|dropped| dropped.reason.clone()))),
        optional_text("detail", dropped().map(|dropped| dropped.and_then(|dropped| dropped.detail.clone()))),
        optional_text("stratum", rows.iter().map(|row| row.stratum.clone())),
        text("funnel", rows.iter().map(|row| &row.funnel)),
    ]
}

fn step_columns(rows: &[selections::StepRow]) -> Vec<Column> {
    let short = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
    vec![
        count("position", rows.iter().map(|row| row.position)),
        text("step", rows.iter().map(|row| &row.step)),
        count("kept", rows.iter().map(|row| short(row.kept))),
        count("dropped", rows.iter().map(|row| short(row.dropped))),
        count("unknown_kept", rows.iter().map(|row| short(row.unknown_kept))),
        text("reasons", rows.iter().map(|row| &row.reasons)),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selections::SelectionRow;

    #[test]
    fn every_column_stands_in_the_schema_page_and_no_title_is_handed_on() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::open(&folder.path().join("store")).unwrap();
        let data = folder.path().join("data");
        assert_eq!(export(&store, &data).unwrap(), 0);
        assert!(!data.exists());
        crate::mined::put(&mut store, &[crate::mined::tests::told("ada/x", 1)]).unwrap();
        let row = SelectionRow {
            version: "ada/x#1".into(),
            competition: None,
            slug: None,
            dropped: None,
            funnel: "f".into(),
            stratum: None,
        };
        selections::replace(&mut store, &[row], &[]).unwrap();
        assert_eq!(export(&store, &data).unwrap(), 1);
        let columns = crate::export::tests::assert_documented(&data);
        assert!(!columns.iter().any(|name| name.contains("title") || name.contains("author") || name.contains("team")));
        assert_eq!(std::fs::read_dir(&data).unwrap().count(), 3);
    }
}
