//! Studies for the tests, made from the rows of the released one: repeated, hostile, or with parts missing.

use std::fs::File;
use std::path::{Path, PathBuf};

use polars::prelude::{BooleanChunked, Column, DataFrame, DataType, NewChunkedArray};
use polars_io::SerReader;
use polars_io::parquet::read::ParquetReader;
use polars_io::parquet::write::{ParquetCompression, ParquetWriter};
use tempfile::TempDir;

/// The released study.
pub(crate) fn released() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data")
}

pub(crate) fn published() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../study/mle-modernizer/published")
}

/// A folder with a study and its page.
pub(crate) struct Study {
    pub(crate) folder: TempDir,
}

impl Study {
    /// The released study with its files changed; a file of which nothing is left is not written.
    pub(crate) fn changed(change: impl Fn(&str, DataFrame) -> Option<DataFrame>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for file in std::fs::read_dir(released()).unwrap() {
            let path = file.unwrap().path();
            let Some(name) = path.file_stem().and_then(|stem| stem.to_str()) else { continue };
            if path.extension().is_some_and(|extension| extension == "parquet")
                && let Some(frame) = change(name, read(&path))
            {
                write(&folder.path().join(format!("{name}.parquet")), frame);
            }
        }
        Study { folder }
    }

    /// The released study with every version this many times, under other names, and what a list of them needs.
    pub(crate) fn repeated(times: usize) -> Self {
        Study::changed(|name, frame| match name {
            "study" => Some(frame),
            "fixes" => Some(frame.head(Some(0))),
            "versions" | "outcomes" => {
                let renamed = |copy: usize| with_texts(frame.clone(), "version", |_, slug| format!("{copy:03}-{slug}"));
                let mut whole = renamed(0);
                for copy in 1..times {
                    whole.vstack_mut(&renamed(copy)).unwrap();
                }
                Some(whole)
            }
            _ => None,
        })
    }

    /// Writes the page and returns its path.
    pub(crate) fn page(&self) -> PathBuf {
        page_of(self.folder.path(), self.folder.path())
    }
}

/// Writes the page of the study in `data` into `folder`.
pub(crate) fn page_of(data: &Path, folder: &Path) -> PathBuf {
    let out = folder.join("report.html");
    nbrevive_report::write_page(data, Some(&published()), nbrevive_report::Flaky::Show, &out).unwrap()
}

/// A frame with every text of a column changed; the function gets the row, too.
pub(crate) fn with_texts(mut frame: DataFrame, name: &str, change: impl Fn(usize, &str) -> String) -> DataFrame {
    let column = texts(&frame, name);
    let changed: Vec<Option<String>> =
        column.into_iter().enumerate().map(|(row, text)| text.map(|text| change(row, &text))).collect();
    frame.with_column(Column::new(name.into(), changed)).unwrap();
    frame
}

/// The rows whose text in a column passes.
pub(crate) fn only(frame: &DataFrame, column: &str, is_wanted: impl Fn(&str) -> bool) -> DataFrame {
    let wanted = texts(frame, column).into_iter().map(|text| text.is_some_and(|text| is_wanted(&text)));
    frame.filter(&BooleanChunked::from_iter_values("wanted".into(), wanted)).unwrap()
}

/// A column of texts or words.
pub(crate) fn texts(frame: &DataFrame, name: &str) -> Vec<Option<String>> {
    let column = frame.column(name).unwrap().cast(&DataType::String).unwrap();
    column.str().unwrap().iter().map(|text| text.map(str::to_owned)).collect()
}

pub(crate) fn read(path: &Path) -> DataFrame {
    ParquetReader::new(File::open(path).unwrap()).finish().unwrap()
}

/// Writes a parquet file.
pub(crate) fn write(path: &Path, mut frame: DataFrame) {
    let file = File::create(path).unwrap();
    ParquetWriter::new(file).with_compression(ParquetCompression::Zstd(None)).finish(&mut frame).unwrap();
}
