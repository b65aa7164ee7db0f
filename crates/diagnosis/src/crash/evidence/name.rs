//! Of a name that is not defined: what kind of name, how it is used, and whether the code shown has one that is nearly the same.

use super::code::identifiers;
use super::{Evidence, Seen};

/// Names that imports bind by custom.
const ALIASES: [&str; 34] = [
    "np",
    "pd",
    "plt",
    "sns",
    "tf",
    "os",
    "sys",
    "re",
    "nn",
    "torch",
    "cv2",
    "keras",
    "sklearn",
    "nltk",
    "px",
    "go",
    "tfds",
    "sm",
    "stats",
    "json",
    "math",
    "time",
    "random",
    "glob",
    "datetime",
    "requests",
    "mpl",
    "matplotlib",
    "numpy",
    "pandas",
    "scipy",
    "xgb",
    "lgb",
    "tqdm",
];

/// The name that a `NameError` misses.
#[must_use]
pub fn missing_name(ename: &str, value: &str) -> Option<String> {
    let is_name_error = matches!(ename.to_ascii_lowercase().as_str(), "nameerror" | "unboundlocalerror");
    let (_, rest) = value.split_once("name '").or_else(|| value.split_once("variable '"))?;
    let name = rest.split('\'').next()?;
    (is_name_error && !name.is_empty()).then(|| name.to_owned())
}

pub(super) fn gather(seen: &Seen<'_>, evidence: &mut Evidence) {
    let Some(name) = missing_name(&seen.ename, &seen.value) else { return };
    evidence.add("missing", kind(&name));
    let Some(frame) = seen.traceback.of_notebook().next_back() else { return };
    if let Some(line) = frame.blamed() {
        evidence.add("missing-is", role(&name, line));
    }
    evidence.add("missing-in", if frame.function.is_some() { "a function" } else { "the cell" });
    let shown = || seen.traceback.of_notebook().flat_map(|frame| &frame.code);
    if shown().flat_map(|line| identifiers(line.text)).any(|other| is_nearly(&name, other)) {
        evidence.add("missing-has", "a name like it");
    }
    if name.split('_').any(is_misspelt) {
        evidence.add("missing-has", "a misspelt word");
    }
    let uses = shown().flat_map(|line| identifiers(line.text)).filter(|other| *other == name).count();
    evidence.add("missing-uses", if uses > 1 { "several" } else { "one" });
    let binds = |text: &str| {
        let text = text.trim_start();
        text.strip_prefix(name.as_str())
            .is_some_and(|rest| rest.trim_start().starts_with('=') && !rest.trim_start().starts_with("=="))
    };
    if shown().any(|line| binds(line.text)) {
        evidence.add("missing-has", "a definition beside it");
    }
}

fn kind(name: &str) -> &'static str {
    let is_upper = |letter: char| letter.is_ascii_uppercase();
    match () {
        () if ALIASES.contains(&name) => "an import",
        () if name.chars().all(|letter| is_upper(letter) || letter == '_' || letter.is_ascii_digit())
            && name.len() > 1 =>
        {
            "a constant"
        }
        () if name.starts_with(is_upper)
            && name.chars().any(|letter| letter.is_ascii_lowercase())
            && !name.contains('_') =>
        {
            "a class"
        }
        () if ["train", "test", "val", "X", "y", "x"]
            .iter()
            .any(|part| name.split('_').any(|piece| piece == *part)) =>
        {
            "a split"
        }
        () if name.starts_with("df") || name.ends_with("df") || name.contains("data") => "a frame",
        () if name.contains("model") || name.contains("clf") || name.contains("history") => "a model",
        () if name.ends_with(|letter: char| letter.is_ascii_digit()) => "a numbered name",
        () if name.len() <= 2 => "a letter",
        () if name.contains('_') => "a long name",
        () => "a word",
    }
}

/// How the line uses the name.
fn role(name: &str, line: &str) -> &'static str {
    let Some(at) = line.find(name) else { return "not shown" };
    let after = line[at + name.len()..].trim_start();
    let before = line[..at].trim_end();
    match after.chars().next() {
        Some('(') => "called",
        Some('.') => "an owner",
        Some('[') => "indexed",
        None if before.is_empty() => "alone",
        Some(',' | ')') => "an argument",
        _ if before.ends_with('=') => "assigned from",
        _ => "used",
    }
}

/// A typing error away: another case, one letter more, less or other inside of a word, or two that are swapped. `x_train` and `y_train`, `best_p` and `best_q`,
/// `df1` and `df2` are two names.
pub(in crate::crash) fn is_nearly(name: &str, other: &str) -> bool {
    if name == other || name.len() < 5 || name.len().abs_diff(other.len()) > 1 {
        return false;
    }
    let ends = |text: &str| {
        (text.chars().next(), text.chars().next_back().filter(|last| !last.is_ascii_alphabetic() || text.contains('_')))
    };
    let is_slip = || nbrevive_stats::edit_distance(name, other) == 1 || is_swapped(name, other);
    name.eq_ignore_ascii_case(other) || ends(name) == ends(other) && is_slip()
}

/// Words that names of such notebooks are made of, of six letters and more.
const WORDS: [&str; 101] = [
    "account",
    "accuracy",
    "average",
    "batch_size",
    "boosting",
    "callback",
    "category",
    "centroid",
    "classes",
    "classifier",
    "cluster",
    "columns",
    "confusion",
    "convert",
    "correlation",
    "counter",
    "country",
    "dataframe",
    "dataset",
    "decision",
    "decoder",
    "dictionary",
    "directory",
    "distance",
    "dropout",
    "embedding",
    "embeddings",
    "encoded",
    "encoder",
    "estimator",
    "evaluate",
    "example",
    "feature",
    "features",
    "figure",
    "filtered",
    "forest",
    "function",
    "generator",
    "gradient",
    "height",
    "hidden",
    "history",
    "indices",
    "iteration",
    "iterations",
    "keyword",
    "kmeans",
    "labels",
    "learning",
    "length",
    "logistic",
    "matrix",
    "metrics",
    "network",
    "normalize",
    "number",
    "optimizer",
    "original",
    "output",
    "parameter",
    "pipeline",
    "position",
    "predict",
    "prediction",
    "predictions",
    "probabilities",
    "probability",
    "random",
    "regression",
    "regressor",
    "request",
    "response",
    "results",
    "sample",
    "samples",
    "scaler",
    "search",
    "sequence",
    "sigmoid",
    "similarity",
    "softmax",
    "standard",
    "string",
    "submission",
    "summary",
    "targets",
    "temperature",
    "tensor",
    "testing",
    "threshold",
    "tokenizer",
    "tokens",
    "training",
    "transform",
    "transformer",
    "validation",
    "variance",
    "vectorizer",
    "velocity",
    "weights",
];

/// Whether a word, as a part of a name, is one letter, or two that are swapped, away from one of those words.
fn is_misspelt(part: &str) -> bool {
    let part = part.to_ascii_lowercase();
    if part.len() < 5 || WORDS.iter().any(|word| part.starts_with(word) || word.starts_with(part.as_str())) {
        return false;
    }
    WORDS.iter().any(|word| {
        // An ending more or less is another word, no slip.
        let inner = part.as_bytes().last() == word.as_bytes().last() && part.as_bytes()[0] == word.as_bytes()[0];
        is_swapped(&part, word) || inner && nbrevive_stats::edit_distance(&part, word) == 1
    })
}

/// Whether two names differ by two neighbouring letters that are swapped.
fn is_swapped(name: &str, other: &str) -> bool {
    let (name, other) = (name.as_bytes(), other.as_bytes());
    let differ: Vec<usize> = (0..name.len().min(other.len())).filter(|&at| name[at] != other[at]).collect();
    matches!(differ[..], [a, b] if name.len() == other.len() && b == a + 1 && name[a] == other[b] && name[b] == other[a])
}
