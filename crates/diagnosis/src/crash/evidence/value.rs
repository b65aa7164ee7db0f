//! What the value says: its words, and the types that it names.

use std::borrow::Cow;

use super::super::label::ExceptionType;
use super::super::normal::words;
use super::super::traceback::Frame;
use super::{Evidence, Seen};

/// Bytes of a value that are read: what follows lists shapes, layers or graphs.
const MOST_READ: usize = 1500;

/// The value with the lines that a sheet leaves out, taken from the end of the traceback, where `Name: value` stands last.
pub(in crate::crash) fn whole<'text>(ename: &str, evalue: &'text str, traceback: &'text str) -> Cow<'text, str> {
    let evalue = head(evalue.trim());
    let name = ename.trim().rsplit('.').next().unwrap_or("");
    let says = |line: &'text str| {
        let (found, value) = line.split_once(':')?;
        let found = found.rsplit('.').next().unwrap_or(found);
        (!name.is_empty() && found.eq_ignore_ascii_case(name)).then_some(value)
    };
    let Some(value) = traceback.lines().rev().take(3000).find_map(says) else { return Cow::Borrowed(evalue) };
    let at = value.as_ptr() as usize - traceback.as_ptr() as usize;
    let rest = head(traceback[at..].trim());
    if rest.len() > evalue.len() { Cow::Borrowed(rest) } else { Cow::Borrowed(evalue) }
}

/// Words of messages that tell the refined type under exceptions of many types.
const TOLD_TYPES: [(&str, ExceptionType); 5] = [
    ("cannot import name", ExceptionType::Environment),
    ("No space left on device", ExceptionType::Resource),
    ("Invalid parameter", ExceptionType::ApiArgument),
    ("expected scalar type", ExceptionType::Type),
    ("Expected object of scalar type", ExceptionType::Type),
];

pub(super) fn told_type(value: &str) -> Option<ExceptionType> {
    TOLD_TYPES.iter().find(|(words, _)| value.contains(words)).map(|(_, told)| *told)
}

fn head(text: &str) -> &str {
    &text[..text.floor_char_boundary(MOST_READ)]
}

pub(super) fn gather(seen: &Seen<'_>, evidence: &mut Evidence) {
    let words: Vec<String> = words(&seen.value).into_iter().take(60).collect();
    for word in &words {
        evidence.add("says", word);
    }
    if seen.value.is_empty() {
        evidence.add("value", "empty");
    }
    for (index, quoted) in quoted(&seen.value).take(3).enumerate() {
        evidence.add("quotes", kind_of(quoted));
        if index == 0 && seen.ename == "attributeerror" {
            evidence.add("object", kind_of(quoted));
        }
    }
    if seen.ename == "attributeerror" {
        attribute(seen, evidence);
    }
    if let Some(ending) = file_ending(&seen.value) {
        evidence.add("file", &ending);
    }
}

/// Texts between quotes, the first of which may have lost its opening one, as some sheets have it.
pub(super) fn quoted(value: &str) -> impl Iterator<Item = &str> {
    let lost = value.split_once("' object").map(|(name, _)| name).filter(|name| !name.contains(['\'', ' ', '"']));
    lost.into_iter().chain(value.split('\'').skip(1).step_by(2).filter(move |_| lost.is_none()))
}

/// What kind of thing a type or name is.
fn kind_of(name: &str) -> &'static str {
    let last = name.rsplit('.').next().unwrap_or(name);
    match last {
        "NoneType" | "None" => "none",
        "list" | "tuple" | "set" | "range" | "dict_keys" | "dict_values" | "generator" | "zip" | "map" => "sequence",
        "dict" | "OrderedDict" => "dict",
        "str" | "bytes" | "unicode" => "text",
        "int" | "float" | "bool" | "complex" | "float64" | "int64" | "float32" | "numpy" => "number",
        "function" | "method" | "builtin_function_or_method" | "module" | "type" => "function",
        "ndarray" | "matrix" => "array",
        "DataFrame" | "Series" | "Index" | "DataFrameGroupBy" | "SeriesGroupBy" | "Timestamp" | "datetime" => "frame",
        "Tensor" | "EagerTensor" | "KerasTensor" | "SparseTensor" | "Variable" | "csr_matrix" => "tensor",
        _ if name.is_empty() => "nothing",
        _ if name.contains(['/', '\\']) => "path",
        _ if name.contains(' ') => "phrase",
        _ if last.starts_with(|letter: char| letter.is_ascii_uppercase()) => "class",
        _ if name.starts_with(|letter: char| letter.is_ascii_digit()) => "digits",
        _ => "name",
    }
}

/// `'list' object has no attribute 'shape'`, `module 'numpy' has no attribute 'x'`.
fn attribute(seen: &Seen<'_>, evidence: &mut Evidence) {
    let value: &str = &seen.value;
    let owner = match () {
        () if value.starts_with("module") || value.contains("partially initialized module") => "module",
        () if value.starts_with("type object") => "type",
        () => "object",
    };
    evidence.add("owner", owner);
    let Some((_, lacks)) = value.split_once("has no attribute ") else { return };
    let lacks = lacks.trim_matches(['\'', '"', '.', ' ']);
    // Known from frames and arrays: the object was taken for one.
    let known = match lacks {
        "shape" | "head" | "columns" | "dtype" | "dtypes" | "iloc" | "loc" | "values" | "index" | "apply"
        | "astype" | "reshape" | "mean" | "sum" | "describe" | "info" | "drop" | "groupby" | "plot" | "ravel"
        | "flatten" | "size" | "ndim" | "iterrows" | "fillna" | "isnull" | "unique" | "value_counts" | "to_csv"
        | "toarray" | "max" | "min" | "numpy" => "of-frames",
        "items" | "keys" | "get" | "update" | "iteritems" => "of-dicts",
        "append" | "extend" | "pop" | "sort" => "of-lists",
        "split" | "lower" | "upper" | "strip" | "replace" | "encode" | "decode" | "startswith" | "endswith" => {
            "of-texts"
        }
        _ if owner == "module" && is_misspelt(lacks) => "misspelt",
        _ if owner == "object" && is_of_library(value) && is_a_letter_away(lacks) => "misspelt",
        _ if is_own(seen, lacks) => "of-self",
        _ if value.contains("DataFrame' object") && is_read_as_column(seen, lacks) => "a column",
        _ if lacks.starts_with('_') => "private",
        _ => "other",
    };
    evidence.add("lacks", known);
}

/// The ending of a file that the value names.
fn file_ending(value: &str) -> Option<String> {
    let (before, ending) = value.trim_end_matches(['\'', '"', '.', ')', ' ']).rsplit_once('.')?;
    let is_ending = (1..=6).contains(&ending.len()) && ending.bytes().all(|byte| byte.is_ascii_alphanumeric());
    (is_ending && !before.is_empty() && ending.bytes().any(|byte| byte.is_ascii_alphabetic()))
        .then(|| ending.to_ascii_lowercase())
}

/// Whether the object that lacks the attribute is of a type of Python or of its libraries, whose attributes are known.
fn is_of_library(value: &str) -> bool {
    let kind = quoted(value).next().map_or("nothing", kind_of);
    matches!(kind, "frame" | "array" | "tensor" | "text" | "sequence" | "dict")
}

/// Whether the code of a class in the notebook asks its own object for the attribute.
fn is_own(seen: &Seen<'_>, attribute: &str) -> bool {
    let asked = ["self.", attribute].concat();
    let deepest = seen.traceback.of_notebook().next_back().filter(|frame| frame.function.is_some());
    !attribute.is_empty() && deepest.and_then(Frame::blamed).is_some_and(|line| line.contains(&asked))
}

/// Whether a line of the notebook reads the attribute, and does not call it: `df.Age`.
fn is_read_as_column(seen: &Seen<'_>, attribute: &str) -> bool {
    let reads = |line: &str| {
        let mut parts = line.split('.').skip(1).filter_map(|rest| rest.strip_prefix(attribute));
        parts.any(|rest| !rest.starts_with(|letter: char| letter == '(' || letter == '_' || letter.is_alphanumeric()))
    };
    !attribute.is_empty() && seen.traceback.of_notebook().filter_map(Frame::blamed).any(reads)
}

/// Names that the libraries of such notebooks have.
fn known_names() -> impl Iterator<Item = &'static str> {
    let lines = include_str!("../../../data/api-names.txt").lines().filter(|line| !line.starts_with('#'));
    lines.flat_map(str::split_whitespace)
}

/// Whether an attribute is nearly one that the libraries of such notebooks have: in another case, or one letter away.
fn is_misspelt(attribute: &str) -> bool {
    let in_another_case = known_names().any(|name| name != attribute && name.eq_ignore_ascii_case(attribute));
    is_a_letter_away(attribute) || in_another_case && !known_names().any(|name| name == attribute)
}

/// Whether an attribute has one letter more, less or other than one that the libraries of such notebooks have.
fn is_a_letter_away(attribute: &str) -> bool {
    attribute.len() >= 5
        && !known_names().any(|name| name == attribute)
        && known_names().any(|name| name.len() >= 5 && nbrevive_stats::edit_distance(name, attribute) == 1)
}
