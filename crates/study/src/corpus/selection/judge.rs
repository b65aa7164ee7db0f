//! Every merged version through the study's funnel, and then the question whether it can be written as a version of a corpus.

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use nbrevive_corpus::funnel::{Content, FunnelCandidate, Tally};
use nbrevive_corpus::{Outcome, content_hash, sample};
use nbrevive_mine::raw::{ContentHash, RawError, RawStore};
use nbrevive_mine::records::RunStatus;
use nbrevive_store::mined::{MergedVersion, merged};
use nbrevive_store::selections::{self, DroppedRow, SelectionRow, StepRow};
use nbrevive_store::{Store, StoreError, outcomes};

use super::slug::Slugs;
use crate::Study;

/// The name of the last step, which is no step of the funnel: what passed has to be writable as a version of a corpus.
const LAST_STEP: &str = "corpus";

nbrevive_corpus::string_enum! {
    /// Why a version that passed the funnel cannot be written into a corpus.
    pub enum Unusable ("reason") {
        /// Its code is not in the raw store.
        NoCode => "no-code",
        /// Its code is neither a notebook nor a script.
        UnreadableCode => "unreadable-code",
        /// No source tells when it was submitted.
        NoDate => "no-date",
        /// It has no target score, and the funnel did not ask for one.
        NoTarget => "no-target",
        /// It belongs to several competitions, or to none that the study has.
        NoSingleCompetition => "no-single-competition",
    }
}

/// A version on its way.
#[derive(Debug, Clone, PartialEq)]
pub struct JudgedVersion {
    /// What the sources tell.
    pub version: MergedVersion,
    /// What becomes of it.
    pub choice: Choice,
    /// Its outcome under the baseline in an earlier run, by which samples can be stratified.
    pub outcome: Option<Outcome>,
}

/// What becomes of a version.
#[derive(Debug, Clone, PartialEq)]
pub enum Choice {
    /// It can be studied.
    Kept {
        /// Its name in a corpus.
        slug: String,
        /// Its target score.
        target: f64,
        /// When it was submitted.
        submitted: Timestamp,
    },
    /// It is left out.
    Dropped(DroppedRow),
}

/// A whole selection.
#[derive(Debug, Clone, PartialEq)]
pub struct Selection {
    /// The counts.
    pub tally: Tally,
    /// Every version, by natural key.
    pub versions: Vec<JudgedVersion>,
    /// Hash of the funnel and the rule for targets.
    pub funnel: String,
}

/// Why nothing can be selected.
#[derive(Debug, thiserror::Error)]
pub enum SelectionError {
    /// The store cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The competitions cannot be read.
    #[error(transparent)]
    Competition(#[from] nbrevive_corpus::CompetitionError),
}

/// Judges every version that the store holds.
///
/// # Errors
/// When the store or the study's competitions cannot be read.
pub fn judge_mined(store: &Store, raw: &RawStore, study: &Study) -> Result<Selection, SelectionError> {
    let competitions: BTreeSet<String> = study.load_competitions()?.into_keys().collect();
    let outcomes = earlier_outcomes(study, store)?;
    let mut tally = Tally::new(&study.funnel);
    let mut slugs = Slugs::default();
    let mut versions = Vec::new();
    for version in merged(store)? {
        let judge = Judge { raw, study, competitions: &competitions };
        let choice = judge.choose(&version, &mut tally, &mut slugs);
        let outcome = outcomes.get(&version.key).copied();
        versions.push(JudgedVersion { version, choice, outcome });
    }
    Ok(Selection { tally, versions, funnel: funnel_hash(study) })
}

fn funnel_hash(study: &Study) -> String {
    // Plain data: it can always be written as JSON, and an empty text would only be another name.
    let steps = serde_json::to_string(&study.funnel).unwrap_or_default();
    content_hash(format!("{steps} {}", study.target_score).as_bytes())
}

/// Outcomes under the baseline by the natural key of the version.
fn earlier_outcomes(study: &Study, store: &Store) -> Result<BTreeMap<String, Outcome>, StoreError> {
    let rows = outcomes::all(store)?;
    let by_slug: BTreeMap<&str, Outcome> = rows
        .iter()
        .filter(|row| row.condition == study.baseline_condition())
        .map(|row| (row.version.as_str(), row.verdict.outcome))
        .collect();
    let of = |row: SelectionRow| Some((row.version, *by_slug.get(row.slug?.as_str())?));
    Ok(selections::all(store)?.into_iter().filter_map(of).collect())
}

struct Judge<'a> {
    raw: &'a RawStore,
    study: &'a Study,
    competitions: &'a BTreeSet<String>,
}

impl Judge<'_> {
    fn choose(&self, version: &MergedVersion, tally: &mut Tally, slugs: &mut Slugs) -> Choice {
        let code = code_of(self.raw, version).ok().flatten();
        let content = code.as_deref().map(Content::of);
        let candidate = self.candidate(version);
        let candidate = content.as_ref().map_or(candidate, |content| candidate.with_content(content));
        if let Err(dropped) = tally.judge(&self.study.funnel, &candidate) {
            let (step, reason) = (dropped.step.to_string(), dropped.reason.to_string());
            return Choice::Dropped(DroppedRow { step, reason, detail: None });
        }
        match self.usable(version, &candidate, content) {
            Ok((target, submitted)) => Choice::Kept { slug: slugs.of(version), target, submitted },
            Err(reason) => {
                Choice::Dropped(DroppedRow { step: LAST_STEP.to_owned(), reason: reason.to_string(), detail: None })
            }
        }
    }

    fn candidate(&self, version: &MergedVersion) -> FunnelCandidate {
        let record = &version.record;
        let in_competition = match &version.competition {
            Some(competition) => Some(self.competitions.contains(competition.as_str())),
            None => version.in_competition,
        };
        FunnelCandidate {
            in_competition,
            copied: record.copied_from.as_ref().map(|_| true),
            empty: None,
            ran: record.status.and_then(ran),
            score: self.study.target_score.choose(record.public_score, record.private_score),
            run_seconds: record.run_seconds,
            language: record.language,
            content_language: None,
            kind: record.kind,
            external_data: version.external_data(),
        }
    }

    fn usable(
        &self,
        version: &MergedVersion,
        candidate: &FunnelCandidate,
        content: Option<Content>,
    ) -> Result<(f64, Timestamp), Unusable> {
        let content = content.ok_or(Unusable::NoCode)?;
        content.kind.ok_or(Unusable::UnreadableCode)?;
        let known = |competition: &&nbrevive_mine::records::Slug| self.competitions.contains(competition.as_str());
        version.competition.as_ref().filter(known).ok_or(Unusable::NoSingleCompetition)?;
        let submitted = version.record.created.or(version.record.evaluated).ok_or(Unusable::NoDate)?;
        Ok((candidate.score.ok_or(Unusable::NoTarget)?, submitted))
    }
}

/// The code of a version: with the outputs that were saved where that is here, else without.
pub(super) fn code_of(raw: &RawStore, version: &MergedVersion) -> Result<Option<Vec<u8>>, RawError> {
    let shown = version.shown.as_ref().and_then(|code| raw.read(code).ok());
    match (shown, &version.record.code) {
        (Some(bytes), _) => Ok(Some(bytes)),
        (None, Some(code)) => raw.read(code).map(Some),
        (None, None) => Ok(None),
    }
}

/// Whether a run ended well; a run that had not ended when it was looked at says nothing.
fn ran(status: RunStatus) -> Option<bool> {
    match status {
        RunStatus::Complete => Some(true),
        RunStatus::Error | RunStatus::Cancelled => Some(false),
        RunStatus::Running | RunStatus::Queued => None,
    }
}

impl JudgedVersion {
    /// Whether it is kept.
    #[must_use]
    pub fn is_kept(&self) -> bool {
        matches!(self.choice, Choice::Kept { .. })
    }

    /// What sampling goes by.
    #[must_use]
    pub fn item(&self) -> sample::Item {
        let record = &self.version.record;
        let created = record.created.or(record.evaluated);
        sample::Item {
            key: self.version.key.clone(),
            competition: self.version.competition.as_ref().map(ToString::to_string),
            year: created.map(|time| time.to_zoned(jiff::tz::TimeZone::UTC).year()),
            outcome: self.outcome,
            run_seconds: record.run_seconds,
        }
    }
}

impl Selection {
    /// The selection as rows of the store; `drawn` says which of the kept versions are written, and from which stratum.
    #[must_use]
    pub fn rows(&self, drawn: impl Fn(&JudgedVersion) -> (bool, Option<String>)) -> Vec<SelectionRow> {
        let row = |selected: &JudgedVersion| {
            let (is_drawn, stratum) = drawn(selected);
            let (slug, dropped) = match &selected.choice {
                Choice::Kept { slug, .. } => (is_drawn.then(|| slug.clone()), None),
                Choice::Dropped(dropped) => (None, Some(dropped.clone())),
            };
            SelectionRow {
                version: selected.version.key.clone(),
                competition: selected.version.competition.as_ref().map(ToString::to_string),
                slug,
                dropped,
                funnel: self.funnel.clone(),
                stratum,
            }
        };
        self.versions.iter().map(row).collect()
    }

    /// The counts as rows of the store, with the last step.
    #[must_use]
    pub fn steps(&self) -> Vec<StepRow> {
        let mut rows = Vec::new();
        for (position, counts) in self.tally.steps().into_iter().enumerate() {
            rows.push(StepRow {
                position: u32::try_from(position).unwrap_or(u32::MAX),
                step: counts.step.to_string(),
                kept: counts.kept,
                dropped: counts.dropped,
                unknown_kept: counts.unknown_kept,
                // Words and numbers: this can always be written.
                reasons: serde_json::to_string(&counts.reasons).unwrap_or_default(),
            });
        }
        let unusable = self.unusable();
        let dropped: u64 = unusable.values().sum();
        rows.push(StepRow {
            position: u32::try_from(rows.len()).unwrap_or(u32::MAX),
            step: LAST_STEP.to_owned(),
            kept: self.tally.kept() - dropped,
            dropped,
            unknown_kept: 0,
            reasons: serde_json::to_string(&unusable).unwrap_or_default(),
        });
        rows
    }

    /// The keys of kept versions that have the same code to the last byte, together.
    #[must_use]
    pub fn equal(&self) -> Vec<Vec<&str>> {
        let mut by_code: BTreeMap<&ContentHash, Vec<&str>> = BTreeMap::new();
        for kept in self.versions.iter().filter(|version| version.is_kept()) {
            if let Some(code) = &kept.version.record.code {
                by_code.entry(code).or_default().push(&kept.version.key);
            }
        }
        by_code.into_values().filter(|keys| keys.len() > 1).collect()
    }

    /// Versions that passed the funnel and cannot be written, by reason.
    #[must_use]
    pub fn unusable(&self) -> BTreeMap<String, u64> {
        let mut counts = BTreeMap::new();
        for selected in &self.versions {
            if let Choice::Dropped(dropped) = &selected.choice
                && dropped.step == LAST_STEP
            {
                *counts.entry(dropped.reason.clone()).or_default() += 1;
            }
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use nbrevive_corpus::funnel::Funnel;
    use nbrevive_mine::records::{MiningSource, Origin, VersionRecord};

    use super::*;

    /// A version that is kept, with this code and what it showed.
    fn kept(notebook: &str, code: Option<ContentHash>, shown: Option<ContentHash>) -> JudgedVersion {
        let origin = Origin { source: MiningSource::KaggleApi, request: String::new(), raw: ContentHash::of(b"") };
        let record = VersionRecord { code, ..VersionRecord::unknown(notebook.parse().unwrap(), origin) };
        let version = MergedVersion {
            key: notebook.to_owned(),
            competition: None,
            in_competition: None,
            record,
            shown,
            notebook: None,
            sources: BTreeSet::from([MiningSource::KaggleApi]),
        };
        let choice = Choice::Kept { slug: notebook.replace('/', "-"), target: 1.0, submitted: Timestamp::UNIX_EPOCH };
        JudgedVersion { version, choice, outcome: None }
    }

    #[test]
    fn equal_code_under_two_names_is_found() {
        let code = |text: &[u8]| Some(ContentHash::of(text));
        let mut dropped = kept("ada/d", code(b"one"), None);
        dropped.choice = Choice::Dropped(DroppedRow { step: "corpus".into(), reason: "no-date".into(), detail: None });
        let versions = vec![
            kept("ada/a", code(b"one"), code(b"one, and what it showed")),
            kept("ada/b", code(b"two"), None),
            kept("bob/c", code(b"one"), None),
            kept("bob/e", None, None),
            kept("bob/f", None, None),
            dropped,
        ];
        let selection = Selection { tally: Tally::new(&Funnel::default()), versions, funnel: String::new() };
        assert_eq!(selection.equal(), [["ada/a", "bob/c"]]);
    }

    #[test]
    fn code_with_outputs_is_taken_where_it_is_here() {
        let folder = tempfile::tempdir().unwrap();
        let raw = RawStore::open(folder.path()).unwrap();
        let keep = |text: &[u8]| raw.keep(MiningSource::KaggleApi, "request", text).unwrap();
        let (code, gone) = (keep(b"code"), ContentHash::of(b"taken down"));
        let shown = keep(b"code and outputs");
        let of = |code: &Option<ContentHash>, shown: &Option<ContentHash>| {
            code_of(&raw, &kept("ada/a", code.clone(), shown.clone()).version)
        };
        assert_eq!(of(&Some(code.clone()), &Some(shown)).unwrap().unwrap(), b"code and outputs");
        assert_eq!(of(&Some(code), &Some(gone.clone())).unwrap().unwrap(), b"code");
        assert!(of(&Some(gone), &None).is_err() && of(&None, &None).unwrap().is_none());
    }
}
