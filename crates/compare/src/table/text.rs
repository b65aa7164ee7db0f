//! Tables as pandas prints them in plain text.

use super::grid::{Grid, same_grid};
use crate::difference::Compared;
use crate::text::Tolerance;

/// Compares two texts as tables, where that says more than comparing their words: one of them leaves rows or columns out, is broken into
/// blocks of columns, or has a line about types. `None` where neither does.
pub(crate) fn same_text_table(saved: &str, new: &str, tolerance: &Tolerance) -> Option<Compared> {
    let (mut old, mut now) = (Printed::of(saved), Printed::of(new));
    old.drop_heading_of(&now);
    now.drop_heading_of(&old);
    let is_table = |printed: &Printed| {
        let rows = printed.grid.rows.len();
        (rows > 0 && printed.is_special) || (rows > 1 && printed.grid.leaves_out())
    };
    (is_table(&old) || is_table(&now)).then(|| same_grid(&old.grid, &now.grid, tolerance))
}

struct Printed {
    grid: Grid,
    /// It had a footer or was broken into blocks.
    is_special: bool,
    /// The name of a series.
    name: Option<String>,
}

impl Printed {
    fn of(text: &str) -> Self {
        let (lines, footer, has_footer) = without_footer(text);
        let (rows, is_broken) = unbroken(&lines);
        let last = text.lines().rev().find(|line| !line.trim().is_empty());
        let name = last.and_then(series_name).map(str::to_owned);
        Self { grid: Grid { rows, heads: 0, whole: footer }, is_special: has_footer || is_broken, name }
    }

    /// Takes the first line out of counts, where it names what the other one names in its footer: since pandas 2 what was counted stands
    /// there, and the counts have a name of their own.
    fn drop_heading_of(&mut self, other: &Self) {
        let are_counts = matches!(self.name.as_deref(), Some("count" | "proportion"));
        let heading = self.grid.rows.first().map(|row| row.join(" "));
        if are_counts && heading.is_some() && heading == other.name && self.name != other.name {
            self.grid.rows.remove(0);
        }
    }
}

type Whole = Option<(usize, usize)>;

/// The lines above the footer, and the size that it tells. A dtype is how values are stored, and no value.
fn without_footer(text: &str) -> (Vec<&str>, Whole, bool) {
    let mut lines: Vec<&str> = text.lines().collect();
    let (mut whole, mut is_found) = (None, false);
    while let Some(last) = lines.last() {
        let line = last.trim();
        let dimensions = line.strip_prefix('[').and_then(|line| dimensions(line.strip_suffix(']')?));
        if let Some(found) = dimensions {
            whole = Some(found);
        } else if is_series_footer(line) {
            whole = length(line).map(|rows| (rows, 1)).or(whole);
        } else if !(line.is_empty() && lines.len() > 1) {
            break;
        }
        is_found |= !line.is_empty();
        lines.pop();
    }
    (lines, whole, is_found)
}

/// `891 rows x 12 columns`.
pub(super) fn dimensions(text: &str) -> Whole {
    let (rows, columns) = text.trim().split_once(['x', '×'])?;
    let rows = rows.trim().strip_suffix("rows")?.trim().parse().ok()?;
    let columns = columns.trim().strip_suffix("columns").or_else(|| columns.trim().strip_suffix("column"))?;
    Some((rows, columns.trim().parse().ok()?))
}

/// `Name: age, Length: 891, dtype: float64`.
fn is_series_footer(line: &str) -> bool {
    let starts = ["Name: ", "Length: ", "dtype: ", "Freq: ", "Categories ("];
    starts.iter().any(|start| line.starts_with(start)) && (line.contains("dtype: ") || line.starts_with("Categories ("))
}

/// The name in the last line of a series.
fn series_name(line: &str) -> Option<&str> {
    let (_, rest) = line.split_once("Name: ")?;
    let end = [", Length: ", ", dtype: "].iter().filter_map(|next| rest.find(next)).min()?;
    rest.get(..end)
}

fn length(line: &str) -> Option<usize> {
    let (_, rest) = line.split_once("Length: ")?;
    rest.split(',').next()?.trim().parse().ok()
}

/// Words by line. Blocks of columns that were printed below each other, each line of the head but the last block's ending in `\`, stand
/// beside each other, the index once.
fn unbroken(lines: &[&str]) -> (Vec<Vec<String>>, bool) {
    let blocks: Vec<&[&str]> = lines.split(|line| line.trim().is_empty()).filter(|block| !block.is_empty()).collect();
    let is_broken = blocks.len() > 1
        && blocks.iter().take(blocks.len() - 1).all(|block| block.first().is_some_and(|head| head.ends_with('\\')))
        && blocks.iter().all(|block| block.len() == blocks[0].len());
    let words =
        |line: &str| -> Vec<String> { line.trim_end_matches('\\').split_whitespace().map(str::to_owned).collect() };
    if !is_broken {
        return (lines.iter().map(|line| words(line)).collect(), false);
    }
    let mut rows: Vec<Vec<String>> = blocks[0].iter().map(|line| words(line)).collect();
    for block in &blocks[1..] {
        for (index, (row, line)) in rows.iter_mut().zip(*block).enumerate() {
            // The head has no word over the index.
            row.extend(words(line).into_iter().skip(usize::from(index > 0)));
        }
    }
    (rows, true)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compared(saved: &str, new: &str) -> Option<Compared> {
        same_text_table(saved, new, &Tolerance::default())
    }

    #[test]
    fn footers_tell_sizes_and_no_values() {
        let long = "0    1\n1    2\n    ..\n8    9\n9    10\nName: x, Length: 10, dtype: int64";
        let short = "0    1.0\n     ..\n9    10.0\nName: x, Length: 10, dtype: float64";
        assert_eq!(compared(long, short), Some(Ok(())));
        let other = short.replace("Length: 10", "Length: 11");
        assert!(compared(long, &other).is_some_and(|compared| compared.is_err()));
        assert_eq!(compared("a    1\ndtype: int64", "a    1.0\ndtype: float64"), Some(Ok(())));
        assert_eq!(compared("dtype: int64", "dtype: float64"), None);
        assert_eq!(compared("a b\nc d", "a b\nc d"), None);
        assert_eq!(dimensions("891 rows × 12 columns"), Some((891, 12)));
    }

    #[test]
    fn counts_are_those_of_before_pandas_2() {
        let old = "male      2\nfemale    1\nName: The sex, dtype: int64";
        let new = "The sex\nmale      2\nfemale    1\nName: count, dtype: int64";
        assert_eq!((compared(old, new), compared(new, old)), (Some(Ok(())), Some(Ok(()))));
        for other in [new.replace("The sex", "Sex"), new.replace("   2", "   3"), new.replace("count", "total")] {
            assert!(compared(old, &other).is_some_and(|compared| compared.is_err()), "{other}");
        }
        assert_eq!(series_name("Freq: D, Name: a, b, Length: 3, dtype: int64"), Some("a, b"));
        assert_eq!(series_name("Name: none"), None);
    }

    #[test]
    fn blocks_are_put_side_by_side() {
        let broken = "   a  b  \\\n0  1  2   \n1  3  4   \n\n   c  \n0  5  \n1  6  ";
        assert_eq!(compared(broken, "   a  b  c\n0  1  2  5\n1  3  4  6"), Some(Ok(())));
        assert!(compared(broken, "   a  b  c\n0  1  2  5\n1  3  4  7").is_some_and(|compared| compared.is_err()));
    }
}
