//! A part of a dataset: the rows of the versions that a filter keeps, as a dataset of its own, which tables, figures and the page are made of
//! as of any.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use nbrevive_corpus::{Condition, outcome_columns};
use nbrevive_files::{FileError, Folder, Scratch};
use nbrevive_filter::{Filter, FilterColumn, FilterKind, FilterValue};
use polars::prelude::Column;

use crate::error::ReportError;
use crate::frame::{ColumnRule, Frame, FrameError, Kind, extra, required};
use crate::output::OutputError;

/// The rows of some versions of a dataset, in a folder that goes with it.
#[derive(Debug)]
pub struct DatasetPart {
    folder: Scratch,
}

const VERSIONS: &[ColumnRule] = &[required("version", Kind::Text), extra("repository", Kind::Text)];
/// Columns of [`outcome_columns`] that are whole numbers in parquet.
const COUNTS: [&str; 2] = ["fixes", "seed"];

impl DatasetPart {
    /// Takes of the dataset in `data` what belongs to versions with an outcome for which the filter holds, under all conditions. What belongs
    /// to no version stays whole. The study's title says what was asked.
    ///
    /// # Errors
    /// When the filter names what is not there, or a file cannot be used.
    pub fn of(data: &Path, filter: &str) -> Result<Self, ReportError> {
        let kept = kept(data, filter)?;
        let unreadable =
            |error: FileError| FrameError::Unreadable { path: data.to_owned(), source: std::io::Error::from(error) };
        let unwritable = |path: &Path, error: FileError| OutputError { path: path.to_owned(), source: error.into() };
        let below = std::env::temp_dir();
        let folder = Scratch::make(&below, "nbrevive-part-").map_err(|error| unwritable(&below, error))?;
        for entry in Folder::open(data).and_then(|folder| folder.entries()).map_err(unreadable)? {
            let name = Path::new(&entry.name);
            if name.extension().is_none_or(|ending| ending != "parquet") {
                continue;
            }
            let mut frame = Frame::whole(&data.join(name))?;
            if name == Path::new("study.parquet") {
                let title = frame.texts("title")?.into_iter().map(|title| format!("{title}; versions with {filter}"));
                frame.put(Column::new("title".into(), title.collect::<Vec<_>>()))?;
                frame.put(Column::new("versions".into(), [u32::try_from(kept.len()).unwrap_or(u32::MAX)]))?;
            } else if !name.to_string_lossy().starts_with("mined") {
                frame.retain("version", &|version| kept.contains(version))?;
            }
            let to = folder.path().join(name);
            nbrevive_files::write(&to, frame.parquet()?).map_err(|error| unwritable(&to, error))?;
        }
        Ok(Self { folder })
    }

    /// Where its parquet files lie.
    #[must_use]
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }
}

/// A column of outcomes.
enum Values {
    Texts(Vec<Option<String>>),
    Numbers(Vec<Option<f64>>),
}

impl Values {
    fn of(frame: &Frame, column: &FilterColumn) -> Result<Self, FrameError> {
        Ok(match kind(column) {
            Kind::Number => Values::Numbers(frame.extra_numbers(column.name)?),
            Kind::Count => {
                let counts = frame.extra_counts(column.name)?;
                Values::Numbers(counts.into_iter().map(|count| count.map(f64::from)).collect())
            }
            Kind::Text | Kind::Switch => Values::Texts(frame.extra_texts(column.name)?),
        })
    }

    fn at(&self, row: usize) -> FilterValue<'_> {
        let value = match self {
            Values::Texts(texts) => texts[row].as_deref().map(FilterValue::Text),
            Values::Numbers(numbers) => numbers[row].map(FilterValue::Number),
        };
        value.unwrap_or(FilterValue::Missing)
    }
}

/// What a column of outcomes holds in parquet.
fn kind(column: &FilterColumn) -> Kind {
    match column.kind {
        FilterKind::Number if COUNTS.contains(&column.name) => Kind::Count,
        FilterKind::Number => Kind::Number,
        FilterKind::Text | FilterKind::Word(_) => Kind::Text,
    }
}

/// The versions with an outcome that is meant.
fn kept(data: &Path, filter: &str) -> Result<BTreeSet<String>, ReportError> {
    let columns = outcome_columns(&conditions(data)?);
    let filter = Filter::parse(filter, &columns)?;
    let repositories = repositories(data)?;
    let further = columns.iter().filter(|column| column.name != "version");
    let mut rules = vec![required("version", Kind::Text)];
    rules.extend(further.map(|column| extra(column.name, kind(column))));
    let mut kept = BTreeSet::new();
    Frame::each(&data.join("outcomes.parquet"), &rules, |frame| {
        let of = |column: &FilterColumn| Ok((column.name, Values::of(frame, column)?));
        let values = columns.iter().map(of).collect::<Result<BTreeMap<&str, Values>, FrameError>>()?;
        for (row, version) in frame.texts("version")?.into_iter().enumerate() {
            let value = |column: &str| match column {
                "repository" => repositories.get(&version).map_or(FilterValue::Missing, |name| FilterValue::Text(name)),
                column => values.get(column).map_or(FilterValue::Missing, |values| values.at(row)),
            };
            if filter.holds(&value) {
                kept.insert(version);
            }
        }
        Ok(())
    })?;
    Ok(kept)
}

/// The conditions of the study; data of before have the paper's.
fn conditions(data: &Path) -> Result<Vec<&'static str>, FrameError> {
    let path = data.join("conditions.parquet");
    let names: Vec<Condition> = match path.is_file() {
        true => Frame::read(&path, &[required("condition", Kind::Text)])?.words("condition")?,
        false => Condition::PRESETS.to_vec(),
    };
    Ok(names.iter().map(|condition| condition.as_str()).collect())
}

/// The repositories of versions, where they are known.
fn repositories(data: &Path) -> Result<BTreeMap<String, String>, FrameError> {
    let (path, mut repositories) = (data.join("versions.parquet"), BTreeMap::new());
    if path.is_file() {
        Frame::each(&path, VERSIONS, |frame| {
            let named = frame.texts("version")?.into_iter().zip(frame.extra_texts("repository")?);
            repositories.extend(named.filter_map(|(version, repository)| Some((version, repository?))));
            Ok(())
        })?;
    }
    Ok(repositories)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome_line::Line;
    use crate::testing::Synthetic;
    use crate::{Flaky, terminal};

    #[test]
    fn of_versions_that_are_meant_everything_is_taken() {
        let folder = tempfile::tempdir().unwrap();
        let mut study = Synthetic::default();
        study.add(Condition::BASELINE, Line::ErrorFreeCsvWithin, 0, 3);
        study.add(Condition::BASELINE, Line::ErrorNoCsv, 3, 1);
        study.add(Condition::BACKPORT, Line::ErrorFreeCsvWithin, 0, 4);
        study.write(folder.path());
        let text = |filter: &str| {
            DatasetPart::of(folder.path(), filter).map(|part| terminal(part.folder(), None, Flaky::Show).unwrap())
        };
        let part = text("condition = baseline and outcome = error-non-reproducible").unwrap();
        assert!(part.contains("1 version under baseline") && part.contains("1 version under backport"), "{part}");
        assert!(part.contains("Made up; versions with condition = baseline and outcome"), "{part}");
        assert!(text("not version = v000003").unwrap().contains("3 versions under backport"));
        for (filter, said) in [
            ("outcom = failed", "did you mean `outcome`?"),
            ("condition = backprt", "did you mean `backport`?"),
            ("seconds > soon", "`seconds` is a number"),
        ] {
            let error = text(filter).unwrap_err().to_string();
            assert!(error.contains(said), "{error} is not: {said}");
        }
    }
}
