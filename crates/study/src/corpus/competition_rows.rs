//! The competitions of a study as rows of the store.

use std::path::Path;

use nbrevive_corpus::Competition;
use nbrevive_files::Folder;
use nbrevive_grade::{Metric, mle_competition};
use nbrevive_store::competitions::CompetitionRow;

/// What a reader of scores has to know of a competition; `prepared` is the folder with its `public/` data.
pub(crate) fn competition_row(competition: &Competition, prepared: &Path) -> CompetitionRow {
    let metric: Option<Metric> = competition.metric.parse().ok();
    let of_mle_bench = mle_competition(&competition.id);
    let flags =
        of_mle_bench.map(|rules| rules.flags.iter().map(|flag| flag.kind.as_str()).collect::<Vec<_>>().join(","));
    let public = Folder::open_real(&prepared.join("public")).ok();
    let size = |name: &str| Some(public.as_ref()?.open_file(Path::new(name)).ok()?.metadata().ok()?.len());
    let sizes: Option<Vec<u64>> = competition.public_files().map(size).collect();
    CompetitionRow {
        competition: competition.id.clone(),
        title: competition.title.clone(),
        metric: competition.metric.clone(),
        direction: competition.direction,
        worst_score: metric.map(Metric::worst),
        best_score: metric.map(Metric::best),
        unit: metric.map_or("1", Metric::unit).to_owned(),
        id_column: competition.id_column.clone(),
        target_columns: competition.target_columns.join(","),
        prediction: competition.prediction,
        data_source: competition.data.source.clone(),
        data_licence: competition.data.licence.clone(),
        data_files: u32::try_from(competition.public_files().count()).unwrap_or(u32::MAX),
        data_bytes: sizes.filter(|sizes| !sizes.is_empty()).map(|sizes| sizes.iter().sum()),
        level: of_mle_bench.and_then(|rules| rules.level).map(|level| level.as_str().to_owned()),
        flags,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bundled_competition_is_told_with_its_range_and_size() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../study/competitions/diabetes-progression");
        let competition = Competition::load(&folder).unwrap();
        let prepared = tempfile::tempdir().unwrap();
        let row = competition_row(&competition, prepared.path());
        assert_eq!((row.metric.as_str(), row.unit.as_str(), row.data_bytes), ("rmse", "target", None));
        assert_eq!((row.worst_score, row.best_score, row.data_files), (Some(f64::INFINITY), Some(0.0), 3));
        std::fs::create_dir(prepared.path().join("public")).unwrap();
        for name in competition.public_files() {
            std::fs::write(prepared.path().join("public").join(name), "12345").unwrap();
        }
        assert_eq!(competition_row(&competition, prepared.path()).data_bytes, Some(15));
    }

    #[test]
    fn a_competition_of_mle_bench_has_its_level_and_flags() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../study/competitions/iris-species");
        let flagged = nbrevive_grade::mle_competitions().iter().find(|rules| !rules.flags.is_empty()).unwrap();
        let competition = Competition { id: flagged.id.clone(), ..Competition::load(&folder).unwrap() };
        let row = competition_row(&competition, &folder);
        assert!(row.level.is_some() && row.flags.is_some_and(|flags| !flags.is_empty()));
    }
}
