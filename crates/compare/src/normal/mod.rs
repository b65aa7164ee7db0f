//! Texts without what no two runs have in common: the rules of the level `normalized`, in one table.

mod ids;
mod patterns;
mod sets;
mod terminal;

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::Regex;

use patterns::Pattern;
pub use terminal::settled_text;

/// One rule of the level `normalized`.
pub struct NormalRule {
    /// Its name in reports.
    pub name: &'static str,
    /// What it takes for the same, in one sentence.
    pub what: &'static str,
    /// Whether it is for HTML and SVG alone.
    pub is_for_markup: bool,
    act: Act,
}

/// What a rule does.
enum Act {
    Patterns(&'static [Pattern]),
    Function(fn(&str) -> Cow<'_, str>),
}

const fn rule(name: &'static str, what: &'static str, act: Act) -> NormalRule {
    NormalRule { name, what, is_for_markup: false, act }
}

const fn markup(name: &'static str, what: &'static str, act: Act) -> NormalRule {
    NormalRule { name, what, is_for_markup: true, act }
}

/// The rules in the order in which they are applied.
pub static NORMAL_RULES: &[NormalRule] = &[
    rule(
        "terminal",
        "Colours are gone, carriage returns and backspaces have done what they do.",
        Act::Function(terminal::settled_text),
    ),
    rule(
        "line-ends",
        "Line ends are one character, and no spaces stand before them or at the end.",
        Act::Function(trimmed),
    ),
    rule("cells", "Inputs of the kernel have no numbers.", Act::Patterns(patterns::CELLS)),
    rule("addresses", "Objects lie nowhere in memory.", Act::Patterns(patterns::ADDRESSES)),
    rule("temporary-paths", "Temporary files have no names.", Act::Patterns(patterns::TEMPORARY_PATHS)),
    rule("home-paths", "Users have one home, packages one folder.", Act::Patterns(patterns::HOME_PATHS)),
    rule("progress", "Progress bars are what they count.", Act::Patterns(patterns::PROGRESS)),
    rule("times", "How long something took and when it was written is left out.", Act::Patterns(patterns::TIMES)),
    rule("identifiers", "UUIDs and names of widgets are one.", Act::Patterns(patterns::IDENTIFIERS)),
    markup(
        "markup-identifiers",
        "Names of styles and dates of drawings are one.",
        Act::Patterns(patterns::MARKUP_IDENTIFIERS),
    ),
    markup("markup-parts", "Parts of HTML and SVG are numbered in their order.", Act::Function(ids::numbered)),
    rule("sets", "Elements of sets are sorted.", Act::Function(sets::sorted)),
];

/// The patterns of [`NORMAL_RULES`], compiled: for each rule, those of its patterns.
static COMPILED: LazyLock<Vec<Vec<(&'static Pattern, Regex)>>> = LazyLock::new(|| {
    let compiled = |pattern: &'static Pattern| Some((pattern, Regex::new(pattern.pattern).ok()?));
    let of_rule = |rule: &'static NormalRule| match rule.act {
        Act::Patterns(patterns) => patterns.iter().filter_map(compiled).collect(),
        Act::Function(_) => Vec::new(),
    };
    NORMAL_RULES.iter().map(of_rule).collect()
});

/// A text with what says nothing of a result written alike: addresses of objects, times that were taken, and what else [`NORMAL_RULES`] have.
#[must_use]
pub fn normal_text(text: &str) -> Cow<'_, str> {
    normal(text, false)
}

/// A text after all rules, with those of markup where `is_markup`.
pub(crate) fn normal(text: &str, is_markup: bool) -> Cow<'_, str> {
    let mut normal = Cow::Borrowed(text);
    for (rule, compiled) in NORMAL_RULES.iter().zip(COMPILED.iter()) {
        if rule.is_for_markup && !is_markup {
            continue;
        }
        // The order of what stands in braces is that of a style sheet there.
        if is_markup && rule.name == "sets" {
            continue;
        }
        let changed = applied(rule, compiled, &normal);
        if let Some(changed) = changed {
            normal = Cow::Owned(changed);
        }
    }
    normal
}

/// The text after one rule; `None` when it stays as it is.
fn applied(rule: &NormalRule, compiled: &[(&Pattern, Regex)], text: &str) -> Option<String> {
    if let Act::Function(function) = rule.act {
        return match function(text) {
            Cow::Owned(changed) => Some(changed),
            Cow::Borrowed(_) => None,
        };
    }
    let mut changed: Option<String> = None;
    for (pattern, regex) in compiled {
        let current = changed.as_deref().unwrap_or(text);
        if !pattern.triggers.iter().any(|trigger| current.contains(trigger)) {
            continue;
        }
        if let Cow::Owned(replaced) = regex.replace_all(current, pattern.replacement) {
            changed = Some(replaced);
        }
    }
    changed
}

/// Lines without spaces at their ends, the text without empty lines at its end.
fn trimmed(text: &str) -> Cow<'_, str> {
    let is_trimmed = |line: &str| !line.ends_with(|letter: char| letter.is_whitespace());
    if !text.ends_with('\n') && text.split('\n').all(is_trimmed) {
        return Cow::Borrowed(text);
    }
    let lines: Vec<&str> = text.trim_end().split('\n').map(str::trim_end).collect();
    Cow::Owned(lines.join("\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_is_one() {
        for (rule, compiled) in NORMAL_RULES.iter().zip(COMPILED.iter()) {
            if let Act::Patterns(patterns) = rule.act {
                assert_eq!(patterns.len(), compiled.len(), "{}", rule.name);
            }
        }
    }

    #[test]
    fn runs_differ_in_none_of_these() {
        let pairs = [
            ("<Foo object at 0x7f3c2c0b5a90>", "<Foo object at 0x10d3f4c88>"),
            ("File <ipython-input-3-abc123>, line 1", "File /tmp/ipykernel_99/1234.py, line 1"),
            ("saved to /tmp/tmpab12/x.csv.", "saved to /var/folders/q1/zz/T/tmp9/x.csv."),
            ("/home/ann/data/x.csv", "/Users/bob/data/x.csv"),
            (
                "total 8\n-rw-r--r--  1 ann  staff    16K Aug 11 12:59 a.png\ndrwxr-xr-x@ 2 ann  staff 4096 Nov  3  2015 d\n",
                "total 8\n-rw-r--r-- 1 kaggle kaggle 16K Nov 30 09:23 a.png\ndrwxr-xr-x 3 root root 4096 Jan 12 10:00 d\n",
            ),
            ("/opt/conda/lib/python3.6/site-packages/a/b.py:3: W", "/usr/lib/python3/dist-packages/a/b.py:3: W"),
            (
                "CPU times: user 2 s, sys: 3 ms, total: 2 s\nWall time: 3.1 s\n",
                "CPU times: user 20 ms, sys: 0 ns, total: 20 ms\nWall time: 21.5 ms\n",
            ),
            (
                "1.21 µs ± 20 ns per loop (mean ± std. dev. of 7 runs, 1000000 loops each)",
                "100000 loops, best of 3: 2.59 us per loop",
            ),
            (
                "0%|  | 0/9 [00:00<?, ?it/s]\r100%|██| 9/9 [00:01<00:00, 8.1it/s]",
                "100%|█████| 9/9 [00:00<00:00, 99.1it/s]",
            ),
            (
                "375/375 [==============================] - 3s 8ms/step - loss: 0.5",
                "375/375 [==============================] - 1s 2ms/step - loss: 0.5",
            ),
            (
                "\u{1b}[1m9/9\u{1b}[0m \u{1b}[32m━━━━━━━━━━\u{1b}[0m\u{1b}[37m\u{1b}[0m \u{1b}[1m0s\u{1b}[0m 2ms/step - loss: 0.5",
                "9/9 ━━━━━━━━━━ 1s 12ms/step - loss: 0.5",
            ),
            ("100%|██| 9/9 [00:01<00:00,  8.1it/s, loss=0.3]", "100%|█████| 9/9 [01:00<00:00, 3.2s/it, loss=0.3]"),
            ("Progress: |█████-----| 50.0% done", "Progress: |███---| 50.0% done"),
            ("     |████████| 61kB 2.3MB/s eta 0:00:01", "     |██████████| 61kB 523kB/s"),
            ("50% ████▌     5/10 [00:01<00:03, 8.1it/s, loss=1]", "50% █████     5/10 [00:09<00:08, 1.1it/s, loss=1]"),
            ("375/375 - 3s - loss: 0.5 - 3s/epoch - 8ms/step", "375/375 - 12s - loss: 0.5 - 12s/epoch - 31ms/step"),
            ("375/375 - 3s - 8ms/step - loss: 0.5", "375/375 - 1s - 20ms/step - loss: 0.5"),
            ("Epoch 1/2\n - 3s - loss: 0.5", "Epoch 1/2\n - 12s - loss: 0.5"),
            ("0:\tlearn: 0.6\ttotal: 56ms\tremaining: 1m 3s", "0:\tlearn: 0.6\ttotal: 1.2ms\tremaining: 0us"),
            ("Done  10 out of  10 | elapsed:    0.5s finished", "Done  10 out of  10 | elapsed:   10.5s finished"),
            ("[CV] C=1, score=0.9, total=   0.0s", "[CV] C=1, score=0.9, total= 1.3min"),
            ("[CV] END C=1;, score=0.9 total time=   0.0s", "[CV] END C=1;, score=0.9 total time=   1.2s"),
            ("[14:03:01] WARNING: x", "[05:13:21] WARNING: x"),
            ("Wall time: 3.1 s", "CPU times: user 20 ms, sys: 0 ns, total: 20 ms\nWall time: 21.5 ms"),
            ("Wall time: 3.1 s\nCompiler : 114 ms\nParser   : 120 ms", "Wall time: 3.1 s"),
            ("<Element 0x7f3c2c0b5a90>, 0x00000172A5A4B2C0", "<Element 0x55d0c2a7b010>, 0x00000199A5A4B2C0"),
            ("Fitted in 3.2s", "Fitted in 13.2s"),
            (
                "[LightGBM] [Info] Auto-choosing col-wise multi-threading, the overhead of testing was 0.000157 seconds.",
                "[LightGBM] [Info] Auto-choosing col-wise multi-threading, the overhead of testing was 0.001178 seconds.",
            ),
            ("Elapsed time: 0.1234 s", "Elapsed time: 11.5 s"),
            ("took 3.5 seconds", "took 14 seconds"),
            ("2024-01-02 03:04:05.123456 start", "2026-11-12 13:14:15.654321 start"),
            ("datetime.datetime(2020, 1, 2, 3, 4, 5, 678)", "datetime.datetime(2021, 11, 12, 13, 14, 15, 999999)"),
            ("{'b', 'a'}", "{'a', 'b'}"),
            ("a \r\nb\r\n\r\n", "a\nb"),
            ("id 123e4567-e89b-12d3-a456-426614174000", "id 00000000-e89b-12d3-a456-426614174000"),
        ];
        for (saved, new) in pairs {
            assert_eq!(normal(saved, false), normal(new, false));
        }
    }

    #[test]
    fn data_stays_data() {
        let texts = [
            "2020-01-02 03:04:05    1.5",
            "distance 3.5 s",
            "time series of 12 rows",
            "0x1f",
            "0xff00ff00ff00",
            "0x7f3c2c0b5a901",
            "accuracy: 0.75",
            "{'a': 1, 'b': 2}",
            "[==]",
            "Timestamp('2020-01-02 03:04:05')",
            "row-wise 1 ann staff 16 Aug 11 12:59",
            "3 runs, 12 loops",
            "apple  ██████ 12\nplum   ████ 8",
            "apple |██████",
            "time    3.5",
            "[12:30:00]",
        ];
        for text in texts {
            assert_eq!(normal(text, false), text);
        }
    }

    #[test]
    fn what_is_normal_stays_so() {
        for text in ["/tmp/a /home/b {c, a}", "at 0x1234567 Wall time: 3 s", "9/9 [==========] - 3s"] {
            let once = normal(text, false).into_owned();
            assert_eq!(normal(&once, false), once);
        }
    }
}
