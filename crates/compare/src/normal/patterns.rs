//! What no run has twice, as patterns. One line each: what must be in the text for the pattern to be tried, the pattern, what replaces it.
//!
//! Patterns are of crate `regex`, whose time is linear in the text. They are written without classes that need tables of Unicode.

/// One pattern.
pub(super) struct Pattern {
    /// One of these is in every text that the pattern matches.
    pub(super) triggers: &'static [&'static str],
    pub(super) pattern: &'static str,
    pub(super) replacement: &'static str,
}

const fn pattern(triggers: &'static [&'static str], pattern: &'static str, replacement: &'static str) -> Pattern {
    Pattern { triggers, pattern, replacement }
}

/// Inputs of the kernel, as tracebacks, warnings and prompts name them. Before paths: one form is a temporary file.
pub(super) const CELLS: &[Pattern] = &[
    pattern(&["<ipython-input-"], r"<ipython-input-[0-9]+-[0-9a-f]+>", "<cell>"),
    pattern(&["ipykernel_"], r"(?:/[A-Za-z0-9_.+-]+)*/ipykernel_[0-9]+/[0-9]+\.py", "<cell>"),
    pattern(&["In ["], r"(?:Cell )?In ?\[[0-9 *]*\]", "<cell>"),
];

/// Addresses in memory, in the default repr of objects.
pub(super) const ADDRESSES: &[Pattern] = &[
    pattern(&["0x"], r"(?-u:\b)at 0x[0-9a-fA-F]{4,16}", "at <address>"),
    pattern(&["0X"], r"(?-u:\b)at 0X[0-9a-fA-F]{4,16}", "at <address>"),
    // Alone it is one by its looks: where Linux and Windows put what programs ask for.
    pattern(&["0x"], r"(?-u:\b)0x(?:7f|5[56])[0-9a-f]{10}(?-u:\b)|(?-u:\b)0x00000[0-9a-fA-F]{11}(?-u:\b)", "<address>"),
];

/// Paths that the system gives out anew.
pub(super) const TEMPORARY_PATHS: &[Pattern] = &[
    pattern(&["/tmp/"], r#"(?:/private|/var)?/tmp/[^ \n\t'"<>:,;)\]}]*"#, "<temporary>"),
    pattern(&["/var/folders/"], r#"(?:/private)?/var/folders/[^ \n\t'"<>:,;)\]}]*"#, "<temporary>"),
    pattern(&["\\Temp\\"], r#"[A-Z]:\\[^\n'"<>:*?]{0,200}\\Temp\\[^ \n\t'"<>:,;)\]}]*"#, "<temporary>"),
    pattern(&["/Temp/"], r#"[A-Z]:/[^\n'"<>:*?]{0,200}/Temp/[^ \n\t'"<>:,;)\]}]*"#, "<temporary>"),
];

/// Where a user's files and the installed packages lie.
pub(super) const HOME_PATHS: &[Pattern] = &[
    pattern(
        &["site-packages", "dist-packages"],
        r#"(?:[A-Z]:)?(?:[/\\][^/\\ \n\t'"<>:]+)*[/\\](?:site|dist)-packages[/\\]"#,
        "<packages>/",
    ),
    pattern(&["/lib/python"], r#"(?:/[^/ \n\t'"<>:]+)*/lib/python[0-9.]+/"#, "<library>/"),
    pattern(&["/home/"], r#"/home/[^/ \n\t'"<>:,)]+"#, "<home>"),
    pattern(&["/Users/"], r#"/Users/[^/ \n\t'"<>:,)]+"#, "<home>"),
    pattern(&["/root"], r"/root\b", "<home>"),
    pattern(&["\\Users\\"], r#"[A-Z]:\\{1,2}Users\\{1,2}[^\\ \n\t'"<>:,)]+"#, "<home>"),
    pattern(&["C:/Users/", "c:/Users/"], r#"[Cc]:/Users/[^/ \n\t'"<>:,)]+"#, "<home>"),
];

/// Bars of tqdm, of Keras, of pip, of whatever draws blocks. What they count stays.
pub(super) const PROGRESS: &[Pattern] = &[
    // Behind time and rate stands what the loop tells of itself: a loss is a result.
    pattern(
        &["%|"],
        r"[0-9]{1,3}%\|[^|\n]*\| *([0-9.,kMGT]+/[0-9.,kMGT?]+) \[[^\],\n]*(?:,[^\],\n]*)?((?:,[^\]\n]*)?)\]",
        "<progress $1$2>",
    ),
    pattern(&["it/s", "s/it"], r"([0-9.kM]+)it \[[0-9:]+, +[0-9.?kM]+(?:it/s|s/it)([^\]\n]*)\]", "<progress $1$2>"),
    pattern(
        &["[==", "[>", "[.."],
        r"\[[=>.]{8,}\](?: - (?:ETA: )?[0-9][0-9a-zµ: .]*(?:/[a-z]+)?)?(?: [0-9.]+[a-zµ]+/(?:step|sample|epoch))?",
        "<bar>",
    ),
    pattern(&["━━━"], r"[━╸╺╇]{3,}(?: +[0-9][0-9a-zµ: .]*(?:/(?:step|sample|epoch))?)?", "<bar>"),
    // Blocks draw a progress where a share or a count of some stands beside them. Charts of text are drawn with them too, and are data.
    pattern(&["█", "▏"], r"([0-9]%[ |]*)[█▉▊▋▌▍▎▏]{2,}[█▉▊▋▌▍▎▏░ ]*(?:-+\|)?\|?", "$1<bar>"),
    pattern(&["█", "▏"], r"\|?[█▉▊▋▌▍▎▏]{2,}[█▉▊▋▌▍▎▏░ ]*(?:-+\|)?\|?([^\n█▏]*(?:%|B/s|[0-9]/[0-9]))", "<bar>$1"),
    pattern(&["<bar>"], r"<bar>([^\n]*?) +[0-9.]+ ?[kMG]?i?B/s(?: +eta [0-9:-]+)?", "<bar>$1"),
    pattern(
        &["<bar>"],
        r"<bar>([^\n]*?)\[([0-9]+/[0-9]+ )?[0-9:]+<[0-9:?]+(?:, *[0-9.?kM]+ ?(?:it/s|s/it))?([^\]\n]*)\]",
        "<bar>$1[$2$3]",
    ),
];

/// How long something took, and when it was.
pub(super) const TIMES: &[Pattern] = &[
    // On Windows the first line is not there, and where code was short the last ones are not.
    pattern(&["CPU times:"], r"CPU times: [^\n]*\nWall time: [^\n]*", "Wall time: <time>"),
    pattern(&["CPU times:"], r"CPU times: [^\n]*", "CPU times: <time>"),
    pattern(&["Compiler :", "Parser   :"], r"\n(?:Compiler|Parser  ) : [0-9.]+ ?(?:ns|[µμu]s|ms|s|min)[^\n]*", ""),
    pattern(
        &["all time:"],
        r"(?:Parser|Compiler|W|w)(?:all)? ?[Tt]?ime ?: [^\n]*|Wall time: [^\n]*",
        "Wall time: <time>",
    ),
    pattern(
        &[" per loop"],
        r"(?:[0-9,]+ loops?, best of [0-9]+: )?[0-9][0-9.e+-]* ?(?:ns|[µμu]s|ms|s|min|h)[^\n]* per loop[^\n]*",
        "<time> per loop",
    ),
    pattern(&["The slowest run took"], r"The slowest run took [^\n]*\n(?:This could mean[^\n]*\n?)?", ""),
    // `datetime.now()` has microseconds, which data seldom has; a log line starts with its time.
    pattern(
        &[":"],
        r"[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2}:[0-9]{2}[.,](?:[0-9]{6}|[0-9]{3})(?-u:\b)(?:Z|[+-][0-9]{2}:?[0-9]{2})?",
        "<moment>",
    ),
    pattern(
        &["datetime.datetime("],
        r"datetime\.datetime\((?:[0-9]{1,4}, ){6}[0-9]{1,6}(?:, tzinfo=[^\n()]*(?:\(\))?)?\)",
        "<moment>",
    ),
    pattern(
        &[":"],
        r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? [A-Z][a-z]{2} [ 0-9][0-9] [0-9]{2}:[0-9]{2}:[0-9]{2}(?: [A-Z]{3,4})? [0-9]{4}",
        "<moment>",
    ),
    // The head of a summary of statsmodels.
    pattern(&["Date:"], r"Date: +(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), [0-9]{2} [A-Z][a-z]{2} [0-9]{4}", "Date: <moment>"),
    pattern(&["Time:"], r"Time: +[0-9]{2}:[0-9]{2}:[0-9]{2}", "Time: <moment>"),
    // Lines of Keras without bars, of CatBoost, of XGBoost, of a search of scikit-learn.
    pattern(
        &["s - "],
        r"(?m)^((?:[0-9]+/[0-9]+)? ?- )[0-9]+s(?: [0-9]+[a-zµ]+/(?:step|sample|epoch))? - ",
        "$1<time> - ",
    ),
    pattern(&["/step", "/epoch"], r" - [0-9.]+(?:ns|[µμu]s|ms|s|min)/(?:step|sample|epoch)", " - <time>"),
    pattern(
        &["remaining: "],
        r"total: [0-9][0-9a-zµ .]*\tremaining: [0-9][0-9a-zµ .]*",
        "total: <time>\tremaining: <time>",
    ),
    pattern(&["] "], r"(?m)^\[[0-9]{2}:[0-9]{2}:[0-9]{2}\] ", "[<moment>] "),
    // Lines of `ls -l`: whose a file is, and since when, is of the one who ran it; its rights and its size stay.
    pattern(
        &["rw", "r-"],
        r"(?m)^([bcdlps-]r[w-][xsS-](?:[r-][w-][xsStT-]){2})[.+@]? +[0-9]+ +[^ \n]+ +[^ \n]+ +([0-9][0-9.,]*[BKMGT]?) +[A-Z][a-z]{2} +[0-9]{1,2} +(?:[0-9]{4}|[0-9]{2}:[0-9]{2})",
        "$1 $2 <moment>",
    ),
    pattern(&["[CV"], r"(\[CV[^\n]*? total(?: time)?=) *[0-9.]+(?:s|min)", "$1<time>"),
    pattern(&["emaining:"], r"([Rr]emaining:) *[0-9.]+ ?(?:s|min)(?-u:\b)", "$1 <time>"),
    // Numbers below each other have more or fewer blanks before them.
    pattern(&["lapsed: ", "ime: "], r"([Ee]lapsed|[Tt]ime): {2,12}([0-9])", "$1: $2"),
    // Times in words, and only beside a word that says so.
    pattern(
        &[
            "time",
            "Time",
            "took",
            "Took",
            "lapsed",
            "uration",
            "untime",
            "inished in",
            "one in",
            "ompleted in",
            "rained in",
            "itted in",
            "oaded in",
            "ETA",
        ],
        r"((?:[Tt]ime|[Tt]ook|[Ee]lapsed|[Dd]uration|[Rr]untime|(?:[Ff]inished|[Dd]one|[Cc]ompleted|[Tt]rained|[Ff]itted|[Ll]oaded) in|ETA)(?: taken| elapsed| is| was| for [a-z ]{1,30}| to [a-z ]{1,30})?(?: ?\([a-z]{1,12}\))?\)? ?[:=]? ?)(?:[0-9]+:[0-9]{2}:[0-9]{2}(?:\.[0-9]+)?|[0-9]+\.[0-9]+(?:e[+-]?[0-9]+)?(?: ?(?:ns|[µμu]s|ms|s|secs?|seconds?|mins?|minutes?|hours?)(?-u:\b))?|[0-9]+(?: ?(?:ns|[µμu]s|ms|s|secs?|seconds?|mins?|minutes?|hours?)(?-u:\b)))",
        "$1<time>",
    ),
    // LightGBM, of how it chose to build histograms.
    pattern(&["overhead of testing was"], r"(overhead of testing was) [0-9.]+ seconds", "$1 <time>"),
    pattern(&["seconds ---", "seconds --"], r"-{2,} [0-9.e+-]+ seconds -{2,}", "--- <time> ---"),
];

/// Names by chance.
pub(super) const IDENTIFIERS: &[Pattern] = &[
    pattern(
        &["-"],
        r"(?-u:\b)[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}(?-u:\b)",
        "<uuid>",
    ),
    pattern(&["model_id", "model-id"], r#"(model[_-]id["']?[:=] ?["'])[0-9a-f]{32}"#, "$1<uuid>"),
];

/// Names by chance in HTML, beside those that are numbered.
pub(super) const MARKUP_IDENTIFIERS: &[Pattern] = &[
    pattern(&["T_"], r"(?-u:\b)T_[0-9a-f]{5,32}", "T_<style>"),
    pattern(&["sk-"], r"sk-(container|estimator)-id-[0-9]+", "sk-$1-id"),
    pattern(&["<dc:date>"], r"<dc:date>[^<]*</dc:date>", "<dc:date/>"),
    pattern(&["<!-- Created with"], r"<!-- Created with [^>]*-->", ""),
    pattern(&["<title>Matplotlib"], r"<title>Matplotlib [^<]*</title>", "<title/>"),
    pattern(&["Matplotlib v"], r"Matplotlib v[0-9][^<]*", "Matplotlib"),
];
