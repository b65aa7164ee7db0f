//! Texts as every release would write them, without what belongs to a machine and a moment alone.
//!
//! Libraries changed how they show one and the same value. Each line of the table is one such change, with a text that shows
//! whether it has anything to say.

use std::sync::LazyLock;

use regex::{Regex, RegexBuilder};

/// What must stand in a text, a pattern, and what is written for it.
type Row = (&'static str, &'static str, &'static str);

/// In this order: types of columns before the lines that hold them.
static ROWS: &[Row] = &[
    // A scalar of numpy 2 shows its type.
    ("np.", r"np\.(?:float|int|uint|bool|str)_?\d*\(([^()]*)\)", "$1"),
    // Text columns have a type of their own in pandas 3.
    ("dtype", r"dtype(: |=')(?:object|str|string)\b", "dtype${1}text"),
    ("dtype('O')", r"dtype\('O'\)", "dtype(text)"),
    ("StringDtype", r"<StringDtype\([^()]*\)>", "dtype(text)"),
    ("dtype: text", r" (?:object|str|string)$", " text"),
    ("dtypes:", r"\b(?:object|str|string)\(", "text("),
    ("64[", r"(datetime|timedelta)64\[(?:us|ms|s)\b", "${1}64[ns"),
    // Shapes since numpy 2.2, the spelling of a frequency, indexes of pandas 2.
    ("shape=", r", shape=\([\d, ]*\)", ""),
    ("freq=", r",\s+freq='[^']*'", ""),
    ("64Index(", r"\b(?:Int|UInt|Float)64Index\(", "Index("),
    ("Categories (", r"Categories \((\d+), (?:object|str|string)\)", "Categories ($1, text)"),
    // `info()` numbers its columns since pandas 1.0, and its class lives elsewhere.
    ("<class 'pandas.", r"<class 'pandas\.(?:\w+\.)*(\w+)'>", "<class 'pandas.$1'>"),
    (" #   Column", r"^ #   Column.*\n[ -]+\n", ""),
    (" non-null", r"^ *(?:\d+ {1,3})?(\S.*?) +(\d+) non-null +(?:object|str|string)\b *$", "$1 $2 non-null text"),
    (" non-null", r"^ *(?:\d+ {1,3})?(\S.*?) +(\d+) non-null +(\S+) *$", "$1 $2 non-null $3"),
    ("memory usage", r"^memory usage: .*$", ""),
];

static COMPILED: LazyLock<Vec<(&str, Regex, &str)>> = LazyLock::new(|| {
    let compiled =
        |(mark, pattern, new): &Row| Some((*mark, RegexBuilder::new(pattern).multi_line(true).build().ok()?, *new));
    ROWS.iter().filter_map(compiled).collect()
});

/// The text as every release would write it.
pub(super) fn settled(text: &str) -> String {
    let mut text = text.to_owned();
    for (mark, regex, new) in COMPILED.iter() {
        if text.contains(mark) {
            text = regex.replace_all(&text, *new).into_owned();
        }
    }
    text
}

/// Calls whose answer is that of a machine, a release or a moment, and no result.
static OF_THE_MACHINE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"\b(?:dir|id|globals|locals|vars|help)\(|getsizeof|memory_usage|sys\.path|getcwd|show_versions|platform\.",
    )
    .ok()
});
/// Lines that name releases.
static RELEASES: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?i)\d+\.\d+\.\w+|version|python \d|\bGCC\b|anaconda").ok());
/// Lines that say how long something took.
static DURATIONS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?i)\btimes?\b|\bsec|\btook\b|elapsed|duration|\bminutes?\b|\d ?m?s\b|^[\d.e-]+$").ok()
});
/// Code that takes the time.
const CLOCKS: [&str; 6] = ["time()", "perf_counter()", "clock()", "datetime.now()", "%time", "default_timer()"];

/// What a cell shows beside what comes of the machine, the release or the moment; `None` where that is all.
pub(super) fn results(text: &str, code: &str) -> Option<String> {
    if OF_THE_MACHINE.as_ref().is_some_and(|calls| calls.is_match(code)) {
        return None;
    }
    let mut drop: Vec<&Regex> = Vec::new();
    drop.extend(RELEASES.as_ref().filter(|_| code.contains("version")));
    drop.extend(DURATIONS.as_ref().filter(|_| CLOCKS.iter().any(|clock| code.contains(clock))));
    if drop.is_empty() {
        return Some(text.to_owned());
    }
    let kept: Vec<&str> = text.lines().filter(|line| !drop.iter().any(|regex| regex.is_match(line.trim()))).collect();
    (!kept.iter().all(|line| line.trim().is_empty())).then(|| kept.join("\n"))
}

/// Counts of values as pandas wrote them before 2.0: without the name of what is counted, which stands in a line of its own since, and
/// without `count`.
pub(super) fn counts(text: &str, code: &str) -> String {
    if !code.contains("value_counts") {
        return text.to_owned();
    }
    let is_named = text.contains("Name: count, ");
    let kept = text.lines().enumerate().filter(|(at, line)| {
        // The line of the name has no count behind it.
        !(is_named && *at == 0 && !line.trim_end().ends_with(|letter: char| letter.is_ascii_digit()))
    });
    let name = |line: &str| match line
        .split_once("Name: ")
        .and_then(|(before, rest)| Some((before, rest.split_once(", ")?)))
    {
        Some((before, (_, rest))) => format!("{before}{rest}"),
        None => line.to_owned(),
    };
    kept.map(|(_, line)| name(line)).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_a_pattern() {
        assert_eq!(COMPILED.len(), ROWS.len());
    }

    #[test]
    fn releases_write_one_value_alike() {
        for (old, new) in [
            ("np.float64(0.5)", "0.5"),
            ("Int64Index([1], dtype='int64')", "Index([1], dtype='int64')"),
            ("a     int64\nb    object\ndtype: object", "a     int64\nb       str\ndtype: object"),
            ("dtype('O')", "<StringDtype(na_value=nan)>"),
            (
                "<class 'pandas.core.frame.DataFrame'>\nData columns (total 2 columns):\n1st     3 non-null int64\nName    2 non-null object\ndtypes: int64(1), object(1)\nmemory usage: 128.0+ bytes",
                "<class 'pandas.DataFrame'>\nData columns (total 2 columns):\n #   Column  Non-Null Count  Dtype\n---  ------  --------------  -----\n 0   1st     3 non-null      int64\n 1   Name    2 non-null      str  \ndtypes: int64(1), str(1)\nmemory usage: 180.0 bytes",
            ),
        ] {
            let squeezed = |text: &str| settled(text).split_whitespace().collect::<Vec<_>>().join(" ");
            assert_eq!(squeezed(old), squeezed(new));
        }
    }

    #[test]
    fn what_is_the_machines_is_no_result() {
        assert_eq!(results("['__doc__', 'x']", "dir(m)"), None);
        assert_eq!(results("1.13.3", "np.__version__"), None);
        assert_eq!(results("2.0.1\nacc 0.75", "print(k.__version__)\nprint('acc', a)").as_deref(), Some("acc 0.75"));
        assert_eq!(results("took 3 s\n0.75", "t = time()\nprint(a)"), None);
        assert_eq!(results("took 3\nacc 0.75", "t = time()\nf()").as_deref(), Some("acc 0.75"));
        assert_eq!(results("0.75", "grid(x)").as_deref(), Some("0.75"));
    }

    #[test]
    fn counts_are_written_as_before() {
        let old = counts("male    2\nName: Sex, dtype: int64", "df.Sex.value_counts()");
        assert_eq!(old, counts("Sex\nmale    2\nName: count, dtype: int64", "df.Sex.value_counts()"));
        assert_eq!(counts("Name: count, x", "df"), "Name: count, x");
    }
}
