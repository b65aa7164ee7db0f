//! The sources of records, and which of them is believed in what.

#![deny(clippy::wildcard_enum_match_arm)]

/// The places of a source among all of them, for each kind of field: where sources tell the same field, the one at place 0 is
/// believed, else the one at 1 …. No two sources have the same place.
///
/// Notebooks that were already here have one source or two, the git history before the folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Precedence {
    /// When a version was made and evaluated, its numbers, scores, run time, image, GPU, internet. The dump has them exactly, pages
    /// round.
    pub run: usize,
    /// How its run ended, and what it was copied from: pages say it of each version; the dump does not tell how a run ended.
    pub status: usize,
    /// Title, votes and what it reads, and what is known of its notebook. The API tells the newest, and names all that is read; the
    /// dump's references may dangle.
    pub names: usize,
    /// Language, and notebook or script: the API tells those of the notebook's current version.
    pub language: usize,
    /// The code without what it showed, by whose hash a list of ids names it.
    pub code: usize,
    /// The code as a corpus takes it, with the outputs that were saved: pages alone bring them.
    pub shown: usize,
}

nbrevive_corpus::string_enum! {
    /// Where a record comes from.
    pub enum MiningSource ("source"): Precedence {
        /// The public API of Kaggle.
        KaggleApi => "kaggle-api", Precedence { run: 2, status: 1, names: 0, language: 1, code: 0, shown: 1 };
        /// The pages, read in a browser.
        Browser => "browser", Precedence { run: 1, status: 0, names: 1, language: 2, code: 2, shown: 0 };
        /// The official dump.
        MetaKaggle => "meta-kaggle", Precedence { run: 0, status: 2, names: 2, language: 0, code: 1, shown: 2 };
        /// A folder of notebooks that are already here.
        Folder => "folder", Precedence { run: 4, status: 4, names: 4, language: 4, code: 4, shown: 4 };
        /// The history of a git repository that is already here.
        Git => "git", Precedence { run: 3, status: 3, names: 3, language: 3, code: 3, shown: 3 };
        /// Repositories on GitHub, each whole.
        GitHub => "github", Precedence { run: 5, status: 5, names: 5, language: 5, code: 5, shown: 5 };
        /// The official examples of a library's release.
        Examples => "examples", Precedence { run: 6, status: 6, names: 6, language: 6, code: 6, shown: 6 };
    }
}

impl MiningSource {
    /// Where it stands among the sources.
    #[must_use]
    pub const fn precedence(self) -> Precedence {
        *self.about()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_sources_have_the_same_place() {
        let kinds: [fn(Precedence) -> usize; 6] =
            [|of| of.run, |of| of.status, |of| of.names, |of| of.language, |of| of.code, |of| of.shown];
        for place in kinds {
            let mut places: Vec<usize> = MiningSource::ALL.iter().map(|source| place(source.precedence())).collect();
            places.sort_unstable();
            assert!(places.into_iter().eq(0..MiningSource::ALL.len()));
        }
    }

    #[test]
    fn every_source_has_a_word_of_its_own() {
        for source in MiningSource::ALL {
            assert_eq!(source.as_str().parse(), Ok(*source));
        }
    }
}
