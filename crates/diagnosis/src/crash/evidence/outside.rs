//! Signs that code stands outside of the pipeline: lessons on the language, simulations, tools.
//!
//! The labelled crashes that we learn from have none outside, so that no model can have learnt it; of those on GitHub 10 of 194 have this sign.

use std::collections::HashSet;
use std::sync::LazyLock;

use super::Seen;
use super::code::identifiers;

static OF_THE_PIPELINE: LazyLock<HashSet<&str>> = LazyLock::new(|| {
    let lines = include_str!("../../../data/pipeline-words.txt").lines().filter(|line| !line.starts_with('#'));
    lines.flat_map(str::split_whitespace).collect()
});

/// Errors of files and modules that are missing: they tell nothing of what the code is for.
const OF_SURROUNDINGS: [&str; 3] = ["modulenotfounderror", "importerror", "filenotfounderror"];

/// Whether the code that is shown calls no package, and no name in it has a word of the pipeline. Hardly a notebook on Kaggle is outside.
pub(super) fn is_outside(seen: &Seen<'_>) -> bool {
    let calls_package = seen.traceback.frames.iter().any(|frame| frame.place.package().is_some());
    if seen.platform == "kaggle" || calls_package || OF_SURROUNDINGS.contains(&seen.ename.as_str()) {
        return false;
    }
    let shown = seen.traceback.of_notebook().flat_map(|frame| &frame.code);
    let mut names = shown.flat_map(|line| identifiers(line.text)).map(str::to_ascii_lowercase).peekable();
    let is_of_pipeline = |word: &str| OF_THE_PIPELINE.contains(word);
    names.peek().is_some() && !names.any(|name| is_of_pipeline(&name) || name.split('_').any(is_of_pipeline))
}
