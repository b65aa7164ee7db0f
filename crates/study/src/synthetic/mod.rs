//! A made-up study of any size whose counts are those of the paper's Tables 1 to 4, for tests and benchmarks.
//!
//! Every row says that it is made up: slugs of versions, competitions and environments begin with `synthetic`, and so does what a row
//! has in words. The same arguments give the same rows.
//!
//! What the paper does not print, or prints in two ways:
//! - How versions flow from a row of Table 1 to one of Table 2 is not printed: as many as the counts allow keep their row, chance
//!   deals out the others. The two sides of Figures 3 and 6 are those printed.
//! - Table 4's states are followed where they contradict its totals: runtime-reduction has 5,449 fixes then, not the printed 4,449.
//! - Table 4 has 9 fixes more that led to a reproducible state than Table 3 has versions: after those the loop goes on, and their rows say
//!   so.
//! - The means of section 4.2 do not fit the states either (1,910 versions that stay non-reproducible have room for 16 fixes each): these
//!   get 16, and the reproducible ones share what is left, 2.8 each instead of the printed 2.7. Their order within a version is chance.
//!
//! A study of another size has the counts in proportion, rounded by the largest remainders.
//!
//! Parts:
//! - [`counts`]: the printed counts, in proportion to a size;
//! - [`fate`]: what can come out of a run;
//! - [`deal`]: which version gets which of them;
//! - [`rows`]: the rows of the store.

mod counts;
mod deal;
mod fate;
mod rows;

use std::path::PathBuf;

use nbrevive_corpus::PublishedError;
use nbrevive_stats::Random;
use nbrevive_store::{Store, StoreError};

use counts::Counts;
use deal::Dealt;

/// Streams of random numbers of one seed.
const DEAL: u64 = 1;
const ROWS: u64 = 2;

/// What a made-up study is like.
#[derive(Debug, Clone)]
pub struct SyntheticSettings {
    /// The folder of the new store.
    pub store: PathBuf,
    /// Published numbers like `study/mle-modernizer/published`, whose counts are taken.
    pub published: PathBuf,
    /// How many versions.
    pub versions: u32,
    /// Cells of each execution.
    pub cells: u32,
    /// Where random numbers start.
    pub seed: u64,
    /// Revision of this program, for the rows.
    pub tool_revision: String,
}

/// No study was made up.
#[derive(Debug, thiserror::Error)]
pub enum SyntheticError {
    /// The published numbers cannot be used.
    #[error(transparent)]
    Published(#[from] PublishedError),
    /// The store cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Fills a new store.
///
/// # Errors
/// When the published numbers lack a count, or the store cannot be written.
pub fn make_up(settings: &SyntheticSettings) -> Result<(), SyntheticError> {
    let counts = Counts::read(&settings.published)?;
    let dealt = Dealt::deal(&counts, settings.versions as usize, &mut Random::stream(settings.seed, DEAL));
    let mut store = Store::open(&settings.store)?;
    let revision = format!("synthetic {}", settings.tool_revision);
    rows::prepare(&mut store, &revision)?;
    let filling = store.fill()?;
    let random = Random::stream(settings.seed, ROWS);
    rows::Rows::new(&filling, random, settings.cells, &revision).put(&dealt)?;
    Ok(filling.finish()?)
}

#[cfg(test)]
mod tests {
    use nbrevive_store::{executions, fixes, outcomes, versions};

    use super::*;

    fn made_up(versions: u32) -> (tempfile::TempDir, Store) {
        let folder = tempfile::tempdir().unwrap();
        let settings = SyntheticSettings {
            store: folder.path().join("store"),
            published: "../../study/mle-modernizer/published".into(),
            versions,
            cells: 3,
            seed: 0,
            tool_revision: "test".to_owned(),
        };
        make_up(&settings).unwrap();
        let store = Store::open_read_only(&settings.store).unwrap();
        (folder, store)
    }

    #[test]
    fn every_row_says_that_it_is_made_up() {
        let (_folder, store) = made_up(60);
        let says = |text: &str| assert!(text.to_lowercase().starts_with("synthetic"), "{text}");
        let rows = versions::all(&store).unwrap();
        assert_eq!(rows.len(), 60);
        rows.iter().for_each(|row| {
            [Some(&row.version), row.competition.as_ref(), Some(&row.title)]
                .into_iter()
                .flatten()
                .for_each(|text| says(text));
        });
        let rows = outcomes::all(&store).unwrap();
        assert!(rows.len() > 140);
        rows.iter()
            .for_each(|row| [&row.version, &row.reason, &row.tool_revision].into_iter().for_each(|text| says(text)));
        let rows = fixes::all(&store).unwrap();
        assert!(rows.len() > 190);
        rows.iter()
            .for_each(|row| [&row.version, &row.row.provider, &row.row.patch].into_iter().for_each(|text| says(text)));
        let rows = executions::all(&store).unwrap();
        assert!(rows.iter().all(|row| row.cells.len() == 3));
        rows.iter().for_each(|row| {
            [&row.key.version, &row.key.environment, &row.tool_revision].into_iter().for_each(|text| says(text));
        });
        executions::environments(&store).unwrap().iter().for_each(|row| says(&row.environment));
        let row = nbrevive_store::studies::last(&store).unwrap().unwrap();
        [&row.study, &row.title, &row.tool_revision, &row.machine].into_iter().for_each(|text| says(text));
    }

    #[test]
    fn the_same_arguments_give_the_same_rows() {
        let [first, second] = [made_up(30), made_up(30)];
        assert_eq!(outcomes::all(&first.1).unwrap(), outcomes::all(&second.1).unwrap());
        assert_eq!(fixes::all(&first.1).unwrap(), fixes::all(&second.1).unwrap());
        assert_eq!(executions::all(&first.1).unwrap(), executions::all(&second.1).unwrap());
    }

    #[test]
    fn runs_come_to_what_was_dealt() {
        let (_folder, store) = made_up(600);
        for row in outcomes::all(&store).unwrap() {
            assert_eq!(row.verdict.deviation.is_some(), row.verdict.score.is_some());
            let within = row.verdict.deviation.is_some_and(|deviation| deviation <= nbrevive_corpus::DEFAULT_TAU);
            assert_eq!(row.verdict.outcome.is_reproducible(), within, "{row:?}");
        }
    }
}
