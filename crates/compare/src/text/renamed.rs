//! What libraries print otherwise than they did, with the same meaning. Of Python 2 and 3, numpy 1 and 2, pandas 0 to 3, matplotlib.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::Regex;

use super::lexer::{Numeral, Token, lexemes};
use super::tree::{Node, Placed};

/// Classes whose call around one argument is that argument: the scalars of numpy 2, and sets as Python 2 wrote them.
const SCALARS: &[&str] = &[
    "float16",
    "float32",
    "float64",
    "float128",
    "longdouble",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "longlong",
    "ulonglong",
    "intp",
    "str_",
    "bytes_",
    "bool_",
    "bool",
    "complex64",
    "complex128",
];

/// Names that became others.
const NAMES: &[(&str, &str)] = &[
    ("Int64Index", "Index"),
    ("UInt64Index", "Index"),
    ("Float64Index", "Index"),
    ("np.True_", "True"),
    ("np.False_", "False"),
    ("np.nan", "nan"),
    ("numpy.nan", "nan"),
    ("np.inf", "inf"),
];

/// Classes whose arguments say less from version to version.
const QUIET_ARGUMENTS: &[(&str, &[&str])] = &[
    // The shape stands since numpy 2.2 where the middle is left out.
    ("array", &["dtype", "shape"]),
    ("Index", &["dtype", "length"]),
    ("RangeIndex", &["dtype"]),
    ("DatetimeIndex", &["dtype", "freq", "length"]),
    ("CategoricalIndex", &["dtype", "ordered"]),
    ("MultiIndex", &["labels", "codes", "names"]),
    ("Series", &["dtype"]),
    ("Timestamp", &["freq", "tz"]),
    ("tensor", &["dtype", "device"]),
];

/// A word under the name that it has today; numbers that are written as words are numbers.
pub(super) fn word(word: &str) -> Node<'_> {
    let name = NAMES.iter().find(|(old, _)| *old == word).map_or(word, |(_, new)| new);
    match name {
        "nan" => Node::Number(Numeral { text: word, value: f64::NAN, is_integer: false }),
        "inf" => Node::Number(Numeral { text: word, value: f64::INFINITY, is_integer: false }),
        _ => Node::Word(name),
    }
}

/// `np.float64`, `numpy.str_` and their like.
pub(super) fn is_scalar(callee: &str) -> bool {
    let name = callee.strip_prefix("np.").or_else(|| callee.strip_prefix("numpy."));
    name.is_some_and(|name| SCALARS.contains(&name))
}

/// Takes arguments out that say how a value is stored and not what it is.
pub(super) fn drop_arguments(callee: &str, nodes: &mut Vec<Placed<'_>>) {
    let name = callee.rsplit('.').next().unwrap_or(callee);
    let Some((_, quiet)) = QUIET_ARGUMENTS.iter().find(|(class, _)| *class == name) else { return };
    let is_comma = |placed: &Placed<'_>| placed.node == Node::Mark(",");
    let is_quiet = |item: &[Placed<'_>]| matches!(item, [Placed { node: Node::Word(word), .. }, Placed { node: Node::Mark("=" | ":"), .. }, ..] if quiet.contains(word));
    if !nodes.split(is_comma).any(is_quiet) {
        return;
    }
    let mut kept: Vec<Placed<'_>> = Vec::with_capacity(nodes.len());
    for item in nodes.split(is_comma).filter(|item| !is_quiet(item)) {
        if let Some(last) = kept.last() {
            let comma = Placed { node: Node::Mark(","), start: last.end, end: last.end };
            kept.push(comma);
        }
        kept.extend_from_slice(item);
    }
    *nodes = kept;
}

/// Objects that show nothing of their content, by their kind: figures and axes have had many reprs. `None` for anything else.
pub(crate) fn object(text: &str) -> Option<&'static str> {
    let inner = text.trim().trim_start_matches('[').trim_end_matches([']', ',']).trim();
    let inner = inner.strip_prefix('<')?.strip_suffix('>')?;
    let lexemes = lexemes(inner);
    let Some(Token::Word(class)) = lexemes.first().map(|lexeme| lexeme.token) else { return None };
    let last = class.rsplit('.').next().unwrap_or(class);
    match last {
        "Figure" => Some("figure"),
        "Axes" | "AxesSubplot" | "Axes3DSubplot" | "Axes3D" | "PolarAxesSubplot" | "PolarAxes" => Some("axes"),
        _ => None,
    }
}

/// What objects show of themselves that show nothing of their content: what is in each text that a pattern matches, the pattern, and one name
/// for all that it matches.
static OBJECTS: LazyLock<Vec<(&str, Regex, &str)>> = LazyLock::new(|| {
    let rows = [
        (
            "Axes",
            r"<(?:matplotlib\.[a-z0-9_.]+\.)?(?:AxesSubplot|Axes3DSubplot|Axes3D|Axes|PolarAxesSubplot|PolarAxes)(?:[: ](?:[^<>]|<address>)*)?>",
            "<axes>",
        ),
        // What `hist` and `bar` give.
        ("<", r"<(?:a list of ([0-9]+) Patch objects|(?:Bar)?Container object of ([0-9]+) artists)>", "<$1$2 artists>"),
        // Classes move from module to module.
        (
            " at <address>",
            r"<(?:[A-Za-z_][A-Za-z0-9_]*\.)*([A-Za-z_][A-Za-z0-9_]*)(?: object)? at <address>>",
            "<$1 object>",
        ),
    ];
    rows.into_iter().filter_map(|(mark, pattern, name)| Some((mark, Regex::new(pattern).ok()?, name))).collect()
});

/// A text in which objects have one name, wherever their classes were: how many bars and axes there are is told, and what kind of object any
/// other is.
pub(crate) fn named_objects(text: &str) -> Cow<'_, str> {
    if !text.contains('<') {
        return Cow::Borrowed(text);
    }
    let mut named: Option<String> = None;
    for (mark, regex, name) in OBJECTS.iter() {
        let current = named.as_deref().unwrap_or(text);
        if !current.contains(mark) {
            continue;
        }
        if let Cow::Owned(replaced) = regex.replace_all(current, *name) {
            named = Some(replaced);
        }
    }
    named.map_or(Cow::Borrowed(text), Cow::Owned)
}

/// Whether a text is only the name of an object, which says nothing of its content: `<Figure size 640x480 with 1 Axes>`.
pub(crate) fn is_bare_object(text: &str) -> bool {
    let text = text.trim();
    (text.starts_with('<') && text.ends_with('>'))
        || ["HBox(", "VBox(", "Widget", "Map(", "Output("].iter().any(|start| text.starts_with(start))
        || text.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::same_text;

    #[test]
    fn reprs_of_old_are_those_of_today() {
        let pairs = [
            ("Int64Index([1, 2], dtype='int64')", "Index([1, 2], dtype='int64', length=2)"),
            ("array([ 1.,  2.])", "array([1., 2.])"),
            ("array([1, 2], dtype=int64)", "array([1, 2])"),
            ("array([0, 1, ..., 8, 9])", "array([0, 1, ..., 8, 9], shape=(1000,))"),
            ("array([0., ..., 9.], dtype=float32)", "array([0., ..., 9.], shape=(1000,), dtype=float32)"),
            ("OrderedDict([('a', 1), ('b', [2.5, 3])])", "OrderedDict({'a': 1, 'b': [2.5, 3]})"),
            ("Series([], dtype: float64)", "Series([], dtype: object)"),
            ("(1.0, 2)", "(np.float64(1.0), np.int64(2))"),
            ("[u'a', 10L]", "['a', 10]"),
            ("{'a': True}", "{'a': np.True_}"),
            ("Timestamp('2020-01-01 00:00:00', freq='D')", "Timestamp('2020-01-01 00:00:00')"),
        ];
        for (old, now) in pairs {
            assert_eq!(same_text(old, now, &crate::Tolerance::default()), Ok(()), "{old} {now}");
        }
    }

    #[test]
    fn lists_of_what_is_no_pair_are_no_dicts() {
        let differ = [
            ("OrderedDict([('a', 1)])", "OrderedDict({'a': 2})"),
            ("OrderedDict([('a', 1, 2)])", "OrderedDict({'a': 1})"),
            ("Other([('a', 1)])", "Other({'a': 1})"),
        ];
        for (old, now) in differ {
            assert!(same_text(old, now, &crate::Tolerance::default()).is_err(), "{old} {now}");
        }
    }

    #[test]
    fn objects_have_one_name_and_keep_their_number() {
        let pairs = [
            ("<a list of 2 Patch objects>", "<BarContainer object of 2 artists>", "<2 artists>"),
            (
                "[<tensorflow.python.keras.callbacks.History at <address>>]",
                "[<keras.src.callbacks.history.History object at <address>>]",
                "[<History object>]",
            ),
            ("<Container object of 5 artists>", "<BarContainer object of 5 artists>", "<5 artists>"),
            (
                "array([<matplotlib.axes._subplots.AxesSubplot object at <address>>,\n <AxesSubplot:title={'center':'a'}>])",
                "array([<Axes: >,\n <Axes: title={'center': 'a'}>])",
                "array([<axes>,\n <axes>])",
            ),
        ];
        for (old, now, named) in pairs {
            assert_eq!((named_objects(old).as_ref(), named_objects(now).as_ref()), (named, named));
        }
        for text in ["<Axes", "<AxesImage at 0x7f>", "a < b > Axes", "<Patch objects>", "<function f at <address>>"] {
            assert_eq!(named_objects(text), text);
        }
    }

    #[test]
    fn axes_are_axes() {
        assert_eq!(object("<matplotlib.axes._subplots.AxesSubplot at 0x7f>"), Some("axes"));
        assert_eq!(object("<Axes: xlabel='x'>"), Some("axes"));
        assert_eq!(object("<Figure size 432x288 with 1 Axes>"), Some("figure"));
        assert_eq!(object("[<matplotlib.lines.Line2D at 0x7f>]"), None);
    }
}
