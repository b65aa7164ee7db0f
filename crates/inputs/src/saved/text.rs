//! Frames, series and what is told of them, as pandas prints them.

use std::sync::OnceLock;

use regex::Regex;

use crate::saved::ShownFrame;

/// One column as `info()` tells of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct InfoColumn {
    pub(super) name: String,
    pub(super) dtype: String,
    pub(super) filled: Option<usize>,
}

/// What `info()` prints.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct InfoBlock {
    pub(super) rows: Option<usize>,
    pub(super) columns: Vec<InfoColumn>,
}

/// All that `info()` printed in a text.
pub(super) fn infos_of_text(text: &str) -> Vec<InfoBlock> {
    text.split("<class 'pandas.").skip(1).map(info).collect()
}

fn info(block: &str) -> InfoBlock {
    static COLUMN: OnceLock<Option<Regex>> = OnceLock::new();
    // Of old pandas `name    891 non-null int64`, of new ` 0   name  891 non-null    int64`.
    let pattern = r"^(.+?)\s+(\d+)\s+non-null\s+(\S+)$";
    let column = COLUMN.get_or_init(|| Regex::new(pattern).ok()).as_ref();
    let is_numbered = block.contains("Non-Null Count");
    let mut found = InfoBlock::default();
    for line in block.lines().map(str::trim_end) {
        if let Some(captured) = column.and_then(|column| column.captures(line)) {
            let name = captured[1].trim();
            let name = if is_numbered {
                name.split_once(char::is_whitespace).map_or("", |(_, name)| name.trim_start())
            } else {
                name
            };
            if !name.is_empty() {
                found.columns.push(InfoColumn {
                    name: name.to_owned(),
                    dtype: captured[3].to_owned(),
                    filled: captured[2].parse().ok(),
                });
            }
        } else if let Some((before, _)) = line.split_once(" entries") {
            found.rows = before.rsplit(' ').next().and_then(|rows| rows.parse().ok());
        }
    }
    found
}

/// A frame in columns of text, one block of columns below the other where it was too wide.
pub(super) fn frames_of_text(text: &str) -> Option<ShownFrame> {
    let mut whole = ShownFrame::default();
    for block in text.split("\n\n") {
        if let Some(shape) = shape_line(block) {
            whole.shape = Some(shape);
            continue;
        }
        let lines: Vec<&str> =
            block.lines().map(|line| line.trim_end_matches('\\').trim_end()).filter(|line| !line.is_empty()).collect();
        let Some((head, rows)) = lines.split_first() else { continue };
        whole.has_gap |= rows.iter().any(|row| row.starts_with(".."));
        // A line of names begins with blanks, since the labels have none.
        if !head.starts_with(' ') || rows.is_empty() {
            return None;
        }
        let (names, ends) = heads(head);
        whole.is_cut |= names.iter().any(|name| name == "...");
        let rows: Vec<(String, Vec<String>)> = rows.iter().filter_map(|row| cut(row, &ends)).collect();
        if whole.names.is_empty() {
            whole.rows = rows;
        } else if whole.rows.len() == rows.len() {
            for (known, (_, more)) in whole.rows.iter_mut().zip(rows) {
                known.1.extend(more);
            }
        } else {
            return None;
        }
        whole.names.extend(names);
    }
    (!whole.names.is_empty() && !whole.rows.is_empty() && !whole.is_cut).then_some(whole)
}

/// Names with two blanks or more between them, and where each ends.
fn heads(line: &str) -> (Vec<String>, Vec<usize>) {
    let letters: Vec<char> = line.chars().collect();
    let (mut names, mut ends) = (Vec::new(), Vec::new());
    let mut name = String::new();
    for (at, letter) in letters.iter().enumerate() {
        let is_gap = *letter == ' ' && letters.get(at + 1).is_none_or(|next| *next == ' ');
        if is_gap && !name.trim().is_empty() {
            names.push(name.trim().to_owned());
            ends.push(at);
            name.clear();
        } else if !is_gap {
            name.push(*letter);
        }
    }
    if !name.trim().is_empty() {
        names.push(name.trim().to_owned());
        ends.push(letters.len());
    }
    (names, ends)
}

fn cut(line: &str, ends: &[usize]) -> Option<(String, Vec<String>)> {
    let letters: Vec<char> = line.chars().collect();
    let label: String = letters.iter().take_while(|letter| **letter != ' ').collect();
    if label.is_empty() || label.starts_with("..") || label.starts_with('[') {
        return None;
    }
    let mut start = label.chars().count();
    let mut values = Vec::new();
    for end in ends {
        let end = (*end).min(letters.len());
        values.push(letters.get(start.min(end)..end)?.iter().collect::<String>().trim().to_owned());
        start = end;
    }
    Some((label, values))
}

fn shape_line(block: &str) -> Option<(usize, usize)> {
    let inner = block.trim().strip_prefix('[')?.strip_suffix(" columns]")?;
    let (rows, columns) = inner.split_once(" rows x ")?;
    Some((rows.parse().ok()?, columns.parse().ok()?))
}

/// `(891, 12)`
pub(super) fn shape(text: &str) -> Option<(usize, usize)> {
    let (rows, columns) = text.trim().strip_prefix('(')?.strip_suffix(')')?.split_once(',')?;
    Some((rows.trim().parse().ok()?, columns.trim().parse().ok()?))
}

/// The elements of `Index(['a', 'b'], dtype='object')` or `array([1, 2])`; nothing when some are left out.
pub(super) fn elements(text: &str) -> Option<Vec<String>> {
    let (_, inner) = text.split_once('[')?;
    let (inner, _) = inner.rsplit_once(']')?;
    if inner.contains("...") || inner.contains('[') {
        return None;
    }
    let mut found = Vec::new();
    let mut rest = inner.trim_start();
    while !rest.is_empty() {
        let quote = rest.chars().next().filter(|letter| matches!(letter, '\'' | '"'));
        let (element, after) = match quote {
            Some(quote) => rest[1..].split_once(quote)?,
            None => rest.find([',', ' ', '\n']).map_or((rest, ""), |end| rest.split_at(end)),
        };
        found.push(element.to_owned());
        rest = after.trim_start_matches([',', ' ', '\n']);
    }
    Some(found)
}

/// The pairs of a series, and its dtype.
type ShownSeries = (Vec<(String, String)>, Option<String>);

/// Label and value of each line of a series; nothing when some are left out. The last lines tell of the whole.
pub(super) fn series(text: &str) -> Option<ShownSeries> {
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let (last, lines) = lines.split_last()?;
    let dtype = last.rsplit_once("dtype: ").map(|(_, dtype)| dtype.trim().to_owned());
    dtype.as_ref()?;
    let mut pairs = Vec::new();
    for line in lines {
        let Some((label, value)) = line.trim_end().rsplit_once("  ") else { continue };
        if label.trim() == "..." || value.trim() == "..." {
            continue;
        }
        pairs.push((label.trim().to_owned(), value.trim().to_owned()));
    }
    Some((pairs, dtype))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn info_of_old_and_new_pandas() {
        let old = "<class 'pandas.core.frame.DataFrame'>\nRangeIndex: 891 entries, 0 to 890\nData columns (total 2 columns):\n\
            Age         714 non-null float64\nFull Name   891 non-null object\ndtypes: float64(1)\n";
        let new = "<class 'pandas.core.frame.DataFrame'>\nIndex: 5 entries\n #   Column     Non-Null Count  Dtype \n---  ------     --------------  ----- \n \
            0   Age        714 non-null    float64\n 1   Full Name  891 non-null    object \n";
        for (text, rows) in [(old, 891), (new, 5)] {
            let found = infos_of_text(text);
            assert_eq!(found[0].rows, Some(rows));
            let names: Vec<&str> = found[0].columns.iter().map(|column| column.name.as_str()).collect();
            assert_eq!(names, ["Age", "Full Name"]);
            assert_eq!(found[0].columns[1].dtype, "object");
        }
    }

    #[test]
    fn frames_and_series_in_text() {
        let text =
            "        day  wind speed event\n0  1/1/2017           6  Rain\n1  1/2/2017           7   Sunny day\n";
        let frame = frames_of_text(&text.replace("   Sunny day", " Sunny")).expect("a frame");
        assert_eq!(frame.names, ["day", "wind speed event"]);
        let text = "        day  wind speed  event\n0  1/1/2017           6   Rain\n1  1/2/2017           7  Sunny\n";
        let frame = frames_of_text(text).expect("a frame");
        assert_eq!(frame.rows[1].1, ["1/2/2017", "7", "Sunny"]);
        assert_eq!(series("male      577\nfemale    314\nName: Sex, dtype: int64").expect("it is").0[1].0, "female");
        assert_eq!(elements("Index(['a', 'b c'], dtype='object')").expect("it is"), ["a", "b c"]);
        assert_eq!(elements("array([3, 1, 2])").expect("it is"), ["3", "1", "2"]);
        assert_eq!(shape("(891, 12)"), Some((891, 12)));
    }
}
