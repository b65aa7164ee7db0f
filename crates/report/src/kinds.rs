//! What parts versions into kinds: the year of submission, the metric of the competition, and targets of zero.

use std::path::Path;

use foldhash::HashMap;
use nbrevive_corpus::Exclusion;

use crate::frame::{ColumnRule, Frame, FrameError, Kind, extra, required};

/// What is known of versions and competitions; nothing where the files lack it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Kinds {
    /// The year of submission, by version.
    pub(crate) years: HashMap<String, u16>,
    /// The metric, by competition.
    pub(crate) metrics: HashMap<String, String>,
    /// How many versions were left out because their target is zero.
    pub(crate) zero_targets: u64,
}

const VERSIONS: &[ColumnRule] =
    &[required("version", Kind::Text), extra("submitted", Kind::Text), extra("exclusion", Kind::Text)];

const COMPETITIONS: &[ColumnRule] = &[required("competition", Kind::Text), extra("metric", Kind::Text)];

impl Kinds {
    /// Reads `versions.parquet` and `competitions.parquet` in `folder`, as far as they are there.
    pub(crate) fn read(folder: &Path) -> Result<Self, FrameError> {
        let mut kinds = Kinds::default();
        let (versions, competitions) = (folder.join("versions.parquet"), folder.join("competitions.parquet"));
        if versions.is_file() {
            Frame::each(&versions, VERSIONS, |frame| {
                let zero = Exclusion::ZeroTarget.as_str();
                let exclusions = frame.extra_texts("exclusion")?;
                kinds.zero_targets += exclusions.iter().flatten().filter(|one| *one == zero).count() as u64;
                let dates = frame.extra_texts("submitted")?;
                let dated = frame.texts("version")?.into_iter().zip(dates);
                let years = dated.filter_map(|(version, date)| Some((version, year(&date?)?)));
                kinds.years.extend(years);
                Ok(())
            })?;
        }
        if competitions.is_file() {
            Frame::each(&competitions, COMPETITIONS, |frame| {
                let named = frame.texts("competition")?.into_iter().zip(frame.extra_texts("metric")?);
                kinds.metrics.extend(named.filter_map(|(competition, metric)| Some((competition, metric?))));
                Ok(())
            })?;
        }
        Ok(kinds)
    }
}

/// The year of an RFC 3339 time; none of anything else.
fn year(time: &str) -> Option<u16> {
    time.get(..5)?.strip_suffix('-')?.parse().ok()
}

#[cfg(test)]
mod tests {
    use polars::prelude::Column;

    use super::*;
    use crate::testing::write;

    #[test]
    fn what_is_known_is_read() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(Kinds::read(folder.path()).unwrap(), Kinds::default());
        let versions = vec![
            Column::new("version".into(), ["a", "b", "c"]),
            Column::new("submitted".into(), ["2018-01-02T00:00:00Z", "", "2020"]),
            Column::new("exclusion".into(), [None, Some("zero-target"), Some("no-target")]),
        ];
        write(&folder.path().join("versions.parquet"), versions);
        let competitions =
            vec![Column::new("competition".into(), ["iris"]), Column::new("metric".into(), ["accuracy"])];
        write(&folder.path().join("competitions.parquet"), competitions);
        let kinds = Kinds::read(folder.path()).unwrap();
        assert_eq!((kinds.years, kinds.zero_targets), (HashMap::from_iter([("a".to_owned(), 2018)]), 1));
        assert_eq!(kinds.metrics["iris"], "accuracy");
    }
}
