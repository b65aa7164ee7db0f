//! Two exports row for row: what differs between runs that should have come out the same.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use polars::prelude::{AnyValue, BooleanChunked, DataFrame, PolarsError};
use polars_io::SerReader;
use polars_io::parquet::read::ParquetReader;

/// Columns that no two runs share: when something happened, how long it took, how much memory was seen; which revision of the program ran;
/// and tracebacks, which may name the kernel's process.
pub const UNSTEADY: &[&str] = &[
    "seconds",
    "startup_seconds",
    "cpu_seconds",
    "peak_memory_mib",
    "gpu_busy_seconds",
    "gpu_peak_memory_mib",
    "started_at",
    "recorded_at",
    "reserved_at",
    "settled_at",
    "tool_revision",
    "traceback",
];
/// Differences that are told of one column; the rest is counted.
const MOST_TOLD: usize = 10;

/// Why two exports cannot be compared.
#[derive(Debug, thiserror::Error)]
pub enum CompareError {
    /// A folder or file cannot be read.
    #[error("cannot read {path}: {source}")]
    Unreadable {
        /// The folder or file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A file is no parquet.
    #[error("{path} is no readable parquet file: {source}")]
    NoParquet {
        /// The file.
        path: PathBuf,
        /// What polars said.
        source: PolarsError,
    },
}

/// How the parquet files of two folders differ but for [`UNSTEADY`], one line a difference; none when they agree.
///
/// # Errors
/// When a folder or file cannot be read.
pub fn differences(one: &Path, other: &Path) -> Result<Vec<String>, CompareError> {
    let (files, others) = (parquet_files(one)?, parquet_files(other)?);
    let mut told = Vec::new();
    for (folder, mine, theirs) in [(one, &files, &others), (other, &others, &files)] {
        told.extend(mine.difference(theirs).map(|file| format!("{file} is in {} alone", folder.display())));
    }
    for file in files.intersection(&others) {
        told.extend(of_frames(file, &read(&one.join(file))?, &read(&other.join(file))?));
    }
    Ok(told)
}

fn parquet_files(folder: &Path) -> Result<BTreeSet<String>, CompareError> {
    let unreadable =
        |error: nbrevive_files::FileError| CompareError::Unreadable { path: folder.to_owned(), source: error.into() };
    let mut files = BTreeSet::new();
    let entries = nbrevive_files::Folder::open(folder).and_then(|folder| folder.entries()).map_err(unreadable)?;
    for entry in entries {
        let name = entry.name.to_string_lossy().into_owned();
        if name.ends_with(".parquet") {
            files.insert(name);
        }
    }
    Ok(files)
}

fn read(path: &Path) -> Result<DataFrame, CompareError> {
    let opened = nbrevive_files::open(path);
    let file = opened.map_err(|error| CompareError::Unreadable { path: path.to_owned(), source: error.into() })?;
    ParquetReader::new(file).finish().map_err(|source| CompareError::NoParquet { path: path.to_owned(), source })
}

fn of_frames(file: &str, one: &DataFrame, other: &DataFrame) -> Vec<String> {
    let (names, others) = (one.get_column_names(), other.get_column_names());
    let mut told = Vec::new();
    if names != others {
        let alone = names.iter().filter(|name| !others.contains(name));
        let alone = alone.chain(others.iter().filter(|name| !names.contains(name)));
        let which: Vec<String> = alone.map(|name| format!("`{name}`")).collect();
        let which = if which.is_empty() { "their order".to_owned() } else { which.join(", ") };
        told.push(format!("{file}: the columns differ: {which}"));
    }
    if one.height() != other.height() {
        let rows = format!("{file}: {} rows, and {}", one.height(), other.height());
        let Some((repetitions, one, other)) = of_shared_repetitions(one, other) else {
            return [told, vec![rows]].concat();
        };
        let numbers: Vec<String> = repetitions.iter().map(u32::to_string).collect();
        let compared = format!("{rows}; those of repetition {} are compared", numbers.join(", "));
        return [vec![compared], of_frames(file, &one, &other)].concat();
    }
    let steady = names.into_iter().filter(|name| !UNSTEADY.contains(&name.as_str()));
    told.extend(steady.flat_map(|name| of_columns(file, name, one, other)));
    told
}

/// The repetitions that both have, and the rows of these: a study may have run once, and once more with others. None where that leaves
/// nothing, or nothing out.
fn of_shared_repetitions(one: &DataFrame, other: &DataFrame) -> Option<(BTreeSet<u32>, DataFrame, DataFrame)> {
    let numbers = |frame: &DataFrame| Some(frame.column("repetition").ok()?.u32().ok()?.iter().flatten().collect());
    let (left, right): (BTreeSet<u32>, BTreeSet<u32>) = (numbers(one)?, numbers(other)?);
    let shared: BTreeSet<u32> = left.intersection(&right).copied().collect();
    let kept = |frame: &DataFrame| {
        let of_shared = |number: Option<u32>| number.is_some_and(|number| shared.contains(&number));
        let mask: BooleanChunked = frame.column("repetition").ok()?.u32().ok()?.iter().map(of_shared).collect();
        frame.filter(&mask).ok()
    };
    let (one, other) = (left != right && !shared.is_empty()).then(|| Some((kept(one)?, kept(other)?)))??;
    Some((shared, one, other))
}

fn of_columns(file: &str, name: &str, one: &DataFrame, other: &DataFrame) -> Vec<String> {
    let (Ok(left), Ok(right)) = (one.column(name), other.column(name)) else { return Vec::new() };
    if left.dtype() != right.dtype() {
        return vec![format!("{file}: the types of `{name}` differ")];
    }
    let pairs = (0..one.height()).filter_map(|row| Some((row, left.get(row).ok()?, right.get(row).ok()?)));
    let mut differing = pairs.filter(|(_, left, right)| left != right);
    let tell = |(row, left, right)| {
        format!("{file} row {row}, {}: `{name}` is {} and {}", key(one, row), shown(&left), shown(&right))
    };
    let mut told: Vec<String> = differing.by_ref().take(MOST_TOLD).map(tell).collect();
    let more = differing.count();
    if more > 0 {
        told.push(format!("{file}: and {more} more of `{name}`"));
    }
    told
}

/// A value with all of its digits: two floats that differ do not look alike.
fn shown(value: &AnyValue<'_>) -> String {
    if let AnyValue::Float64(number) = value { number.to_string() } else { value.to_string() }
}

/// What names a row to a reader: its first text columns.
fn key(frame: &DataFrame, row: usize) -> String {
    let named = ["version", "condition", "environment", "cell"];
    let values = named.iter().filter_map(|name| frame.column(name).ok()?.get(row).ok());
    values.map(|value| value.to_string()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use polars::prelude::{Column, NamedFrom, Series};

    use super::*;
    use crate::parquet::writer;

    fn put(folder: &Path, scores: &[Option<f64>], seconds: f64) {
        let column = |name: &str, series: Series| Column::from(series.with_name(name.into()));
        let versions: Vec<String> = (0..scores.len()).map(|number| format!("v{number}")).collect();
        let columns = vec![
            column("version", Series::new("".into(), versions)),
            column("score", Series::new("".into(), scores)),
            column("seconds", Series::new("".into(), vec![seconds; scores.len()])),
        ];
        let mut frame = DataFrame::new(scores.len(), columns).unwrap();
        writer(&folder.join("outcomes.parquet")).unwrap().finish(&mut frame).unwrap();
    }

    #[test]
    fn times_may_differ_and_nothing_else() {
        let (one, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        put(one.path(), &[Some(0.5), None], 1.0);
        put(other.path(), &[Some(0.5), None], 2.0);
        assert_eq!(differences(one.path(), other.path()).unwrap(), Vec::<String>::new());
        put(other.path(), &[Some(0.5), Some(0.25)], 1.0);
        let told = differences(one.path(), other.path()).unwrap();
        assert_eq!(told, ["outcomes.parquet row 1, \"v1\": `score` is null and 0.25"]);
        put(other.path(), &[Some(0.500_000_000_1), None], 1.0);
        let told = differences(one.path(), other.path()).unwrap();
        assert_eq!(told, ["outcomes.parquet row 0, \"v0\": `score` is 0.5 and 0.5000000001"]);
        put(other.path(), &[Some(0.5)], 1.0);
        assert_eq!(differences(one.path(), other.path()).unwrap(), ["outcomes.parquet: 2 rows, and 1"]);
        std::fs::rename(other.path().join("outcomes.parquet"), other.path().join("fixes.parquet")).unwrap();
        let alone = |file: &str, folder: &Path| format!("{file}.parquet is in {} alone", folder.display());
        let expected = [alone("outcomes", one.path()), alone("fixes", other.path())];
        assert_eq!(differences(one.path(), other.path()).unwrap(), expected);
    }

    #[test]
    fn a_study_that_ran_once_is_held_against_the_first_of_three_runs() {
        let frame = |rows: &[(u32, f64)]| {
            let (repetitions, scores): (Vec<u32>, Vec<f64>) = rows.iter().copied().unzip();
            let columns = vec![Column::new("repetition".into(), repetitions), Column::new("score".into(), scores)];
            DataFrame::new(rows.len(), columns).unwrap()
        };
        let (once, thrice) = (frame(&[(1, 0.5), (1, 0.25)]), frame(&[(1, 0.5), (2, 0.75), (3, 0.5), (1, 0.125)]));
        let told = of_frames("grades.parquet", &once, &thrice);
        assert_eq!(
            told,
            [
                "grades.parquet: 2 rows, and 4; those of repetition 1 are compared",
                "grades.parquet row 1, : `score` is 0.25 and 0.125"
            ]
        );
        // Of the same repetition rows are missing, or there is none that both have.
        assert_eq!(of_frames("a", &once, &frame(&[(1, 0.5)])), ["a: 2 rows, and 1"]);
        assert_eq!(of_frames("a", &once, &frame(&[(2, 0.5)])), ["a: 2 rows, and 1"]);
        assert_eq!(of_frames("a", &frame(&[]), &thrice), ["a: 0 rows, and 4"]);
    }

    #[test]
    fn a_column_that_differs_everywhere_hides_no_other() {
        let frame = |revision: &str, number: i32| {
            let column = |name: &str, series: Series| Column::from(series.with_name(name.into()));
            let columns = vec![
                column("tool_revision", Series::new("".into(), vec![revision; 14])),
                column("hash", Series::new("".into(), (number..number + 14).collect::<Vec<i32>>())),
                column("score", Series::new("".into(), vec![number; 14])),
            ];
            DataFrame::new(14, columns).unwrap()
        };
        let told = of_frames("a.parquet", &frame("one", 0), &frame("two", 1));
        assert_eq!(told.len(), 22);
        assert_eq!(
            (told[10].as_str(), told[21].as_str()),
            ("a.parquet: and 4 more of `hash`", "a.parquet: and 4 more of `score`")
        );
        let mut fewer = frame("one", 0);
        fewer.drop_in_place("hash").unwrap();
        assert_eq!(of_frames("a.parquet", &frame("one", 0), &fewer), ["a.parquet: the columns differ: `hash`"]);
        // What both have is compared all the same.
        fewer.drop_in_place("score").unwrap();
        fewer.with_column(Column::new("score".into(), vec![1; 14])).unwrap();
        assert_eq!(of_frames("a.parquet", &frame("one", 0), &fewer).len(), 12);
    }
}
