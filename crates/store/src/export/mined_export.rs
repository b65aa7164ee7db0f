//! The mined versions and the selection as parquet, without titles, authors and teams.

use nbrevive_mine::records::{CodeKind, CodeLanguage, DataKind, HostedState, MiningSource, RunStatus};

use crate::columns::{
    Column, count, optional_count, optional_number, optional_switch, optional_text, switch, text, words,
};
use crate::dataset::folder::Staging;
use crate::dataset::table_file::write_table;
use crate::mined::{MergedVersion, hosted, merged};
use crate::parquet::ParquetError;
use crate::selections::SelectionRow;
use crate::{Store, StoreError, selections};

/// What was mined and selected.
pub(crate) struct Mined {
    pub(crate) versions: Vec<MergedVersion>,
    selection: Vec<SelectionRow>,
    /// States that repositories came to, with how many did.
    wanted: Vec<(HostedState, u32)>,
}

impl Mined {
    /// Reads it from a store.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub(crate) fn read(store: &Store) -> Result<Self, StoreError> {
        let states: Vec<HostedState> = hosted(store)?.into_iter().map(|one| one.state).collect();
        let count = |state| u32::try_from(states.iter().filter(|found| *found == state).count()).unwrap_or(u32::MAX);
        let wanted = HostedState::ALL.iter().map(|state| (*state, count(state))).filter(|(_, count)| *count > 0);
        Ok(Mined { versions: merged(store)?, selection: selections::all(store)?, wanted: wanted.collect() })
    }

    /// Writes `mined-versions`, `selection` and `wanted-repositories`. A store into which nothing was mined gets none of them, unless the dataset that is
    /// there has them: after a take-down of everything they are written again, empty.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub(crate) fn write(self, staging: &Staging) -> Result<(), ParquetError> {
        if !self.versions.is_empty() || staging.had("mined-versions.parquet") {
            write_table(staging, "mined-versions", self.versions, version_columns)?;
        }
        if !self.selection.is_empty() || staging.had("selection.parquet") {
            write_table(staging, "selection", self.selection, |rows| Ok(selection_columns(rows)))?;
        }
        if !self.wanted.is_empty() || staging.had("wanted-repositories.parquet") {
            write_table(staging, "wanted-repositories", self.wanted, wanted_columns)?;
        }
        Ok(())
    }
}

fn version_columns(rows: &[MergedVersion]) -> Result<Vec<Column>, ParquetError> {
    let records = || rows.iter().map(|row| &row.record);
    Ok(vec![
        text("version", rows.iter().map(|row| &row.key)),
        optional_text("competition", rows.iter().map(|row| row.competition.as_ref().map(ToString::to_string))),
        text("sources", rows.iter().map(sources)),
        optional_count("number", records().map(|record| record.number)),
        optional_text("version_id", records().map(|record| record.id.map(|id| id.to_string()))),
        optional_text("created", records().map(|record| record.created.map(|time| time.to_string()))),
        optional_text("evaluated", records().map(|record| record.evaluated.map(|time| time.to_string()))),
        words!("language", CodeLanguage, records().map(|record| record.language.map(CodeLanguage::as_str))),
        words!("kind", CodeKind, records().map(|record| record.kind.map(CodeKind::as_str))),
        words!("status", RunStatus, records().map(|record| record.status.map(RunStatus::as_str))),
        optional_number("public_score", records().map(|record| record.public_score)),
        optional_number("private_score", records().map(|record| record.private_score)),
        optional_number("run_seconds", records().map(|record| record.run_seconds)),
        optional_switch("external_data", rows.iter().map(MergedVersion::external_data)),
        optional_text("image", records().map(|record| record.image.clone())),
        optional_switch("gpu", records().map(|record| record.gpu)),
        optional_switch("internet", records().map(|record| record.internet)),
        optional_switch("copied", records().map(|record| record.copied_from.as_ref().map(|_| true))),
        optional_text("code", records().map(|record| record.code.as_ref().map(ToString::to_string))),
    ])
}

fn sources(row: &MergedVersion) -> String {
    row.sources.iter().copied().map(MiningSource::as_str).collect::<Vec<_>>().join(",")
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

fn selection_columns(rows: &[SelectionRow]) -> Vec<Column> {
    let dropped = || rows.iter().map(|row| row.dropped.as_ref());
    vec![
        text("version", rows.iter().map(|row| &row.version)),
        optional_text("competition", rows.iter().map(|row| row.competition.clone())),
        switch("kept", dropped().map(|dropped| dropped.is_none())),
        optional_text("slug", rows.iter().map(|row| row.slug.clone())),
        optional_text("step", dropped().map(|dropped| dropped.map(|dropped| dropped.step.clone()))),
        optional_text("reason", dropped().map(|dropped| dropped.map(|dropped| dropped.reason.clone()))),
        optional_text("detail", dropped().map(|dropped| dropped.and_then(|dropped| dropped.detail.clone()))),
        optional_text("stratum", rows.iter().map(|row| row.stratum.clone())),
        text("funnel", rows.iter().map(|row| &row.funnel)),
    ]
}

fn wanted_columns(rows: &[(HostedState, u32)]) -> Result<Vec<Column>, ParquetError> {
    let states = rows.iter().map(|(state, _)| Some(state.as_str()));
    Ok(vec![words!("state", HostedState, states), count("repositories", rows.iter().map(|(_, count)| *count))])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::export::tests::{SETTINGS, exported};
    use crate::export::{Exported, export};
    use crate::mined::tests::told_of_host;

    #[test]
    fn what_was_mined_is_exported_without_a_run() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::open(&folder.path().join("store")).unwrap();
        let data = folder.path().join("data");
        assert_eq!(export(&store, &data, &SETTINGS).unwrap(), Exported::default());
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
        assert_eq!(export(&store, &data, &SETTINGS).unwrap(), Exported { mined: 1, ran: false });
        for name in ["mined-versions.parquet", "selection.parquet", "funnel.parquet"] {
            assert!(data.join(name).is_file(), "{name}");
        }
        assert!(!exported(&store).path().join("outcomes.parquet").exists());
    }

    #[test]
    fn repositories_that_were_wanted_are_counted_by_what_became_of_them() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::open(folder.path()).unwrap();
        let states = [HostedState::Taken, HostedState::Missing, HostedState::Taken];
        let told = ["a/a", "b/b", "c/c"].into_iter().zip(states).map(|(name, state)| told_of_host(name, state));
        crate::mined::put(&mut store, &told.collect::<Vec<_>>()).unwrap();
        let wanted = Mined::read(&store).unwrap().wanted;
        assert_eq!(wanted, [(HostedState::Taken, 2), (HostedState::Missing, 1)]);
    }

    #[test]
    fn no_title_author_or_team_is_handed_on() {
        let table = |name| crate::dataset::Schema::get().table(name).unwrap();
        for column in ["mined-versions", "selection", "funnel"].iter().flat_map(|name| &table(name).columns) {
            let name = &column.name;
            assert!(!name.contains("title") && !name.contains("author") && !name.contains("team"), "{name}");
        }
    }
}
