//! Tables by rows and cells, of which a repr may leave out the middle.

use crate::difference::{Compared, DifferenceKind, PathStep, differ, within};
use crate::text::{Tolerance, same_text};

/// What a table shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Grid {
    /// Rows of cells, the head's first.
    pub(crate) rows: Vec<Vec<String>>,
    /// How many rows of the head there are, when that is known.
    pub(crate) heads: usize,
    /// How many rows and columns the whole table has, as printed below one that is not shown whole.
    pub(crate) whole: Option<(usize, usize)>,
}

/// Whether a cell stands for what is left out.
fn is_gap(cell: &str) -> bool {
    matches!(cell.trim(), "..." | ".." | "…" | "⋮" | "⋯" | "⋱")
}

/// Whether a cell of a row stands for what is left out.
fn has_gap(row: &[String]) -> bool {
    row.iter().any(|cell| is_gap(cell))
}

/// Whether a row stands for rows that are left out.
fn is_gap_row(row: &[String]) -> bool {
    has_gap(row) && row.iter().all(|cell| is_gap(cell) || cell.trim().is_empty())
}

impl Grid {
    /// Whether rows or columns are left out. Dots in one row alone are prose.
    pub(super) fn leaves_out(&self) -> bool {
        let with_gap = self.rows.iter().filter(|row| has_gap(row)).count();
        with_gap > 1 || self.rows.iter().any(|row| is_gap_row(row))
    }

    /// Whether its head says that columns are left out.
    fn has_cut_head(&self) -> bool {
        self.rows.iter().take(self.heads.max(1)).any(|row| has_gap(row))
    }

    /// Rows below the head, when all of them are shown.
    fn full_length(&self) -> Option<usize> {
        match self.whole {
            Some((rows, _)) => Some(rows),
            None if self.heads > 0 && !self.rows.iter().any(|row| is_gap_row(row)) => {
                Some(self.rows.len().saturating_sub(self.heads))
            }
            None => None,
        }
    }
}

/// Compares two tables: rows and columns that both show have the same values, and what is known of their size agrees.
pub(crate) fn same_grid(saved: &Grid, new: &Grid, tolerance: &Tolerance) -> Compared {
    if let (Some(old), Some(now)) = (saved.full_length(), new.full_length())
        && old != now
    {
        return differ(DifferenceKind::Shape, &format!("{old} rows"), &format!("{now} rows"));
    }
    if let (Some((_, old)), Some((_, now))) = (saved.whole, new.whole)
        && old != now
    {
        return differ(DifferenceKind::Shape, &format!("{old} columns"), &format!("{now} columns"));
    }
    let text = |row: &Vec<String>| row.join(" ");
    let is_cut = saved.has_cut_head() || new.has_cut_head();
    aligned(
        &saved.rows,
        &new.rows,
        |row| is_gap_row(row),
        text,
        |index, old, now| {
            // In data `..` stands for what is missing: where no head has a gap, and as many cells stand beside it, nothing was left out.
            let is_whole = !is_cut && old.len() == now.len() && has_gap(old) != has_gap(now);
            let compared = aligned(
                old,
                now,
                |cell| !is_whole && is_gap(cell),
                String::clone,
                |column, old, now| within(same_text(old, now, tolerance), || PathStep::Column(column)),
            );
            within(compared, || PathStep::Row(index))
        },
    )
}

/// Compares two sequences element by element. Where a gap stands in one of them, as many elements are compared before and behind it as both
/// have.
fn aligned<T>(
    saved: &[T],
    new: &[T],
    is_gap: impl Fn(&T) -> bool,
    text: impl Fn(&T) -> String,
    same: impl Fn(usize, &T, &T) -> Compared,
) -> Compared {
    let (old, now) = (saved.iter().position(&is_gap), new.iter().position(&is_gap));
    let head = old.unwrap_or(saved.len()).min(now.unwrap_or(new.len()));
    for (index, (left, right)) in saved.iter().zip(new).take(head).enumerate() {
        same(index, left, right)?;
    }
    if old.is_none() && now.is_none() {
        let (left, right) = (saved.get(head), new.get(head));
        return match (left, right) {
            (None, None) => Ok(()),
            _ => differ(
                DifferenceKind::Shape,
                &left.map(&text).unwrap_or_default(),
                &right.map(&text).unwrap_or_default(),
            ),
        };
    }
    let behind = |all: &[T], gap: Option<usize>| gap.map_or(all.len(), |gap| all.len() - gap - 1);
    let tail = behind(saved, old).min(behind(new, now));
    let (from, start) = (saved.len() - tail, new.len() - tail);
    for (index, (left, right)) in saved.iter().skip(from).zip(new.iter().skip(start)).enumerate() {
        same(from + index, left, right)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(text: &str) -> Grid {
        let rows = text.lines().map(|line| line.split(' ').map(str::to_owned).collect()).collect();
        Grid { rows, heads: 1, whole: None }
    }

    fn compared(saved: &str, new: &str) -> Compared {
        same_grid(&grid(saved), &grid(new), &Tolerance::default())
    }

    #[test]
    fn what_both_show_is_compared() {
        let full = "h a b\n0 1 2\n1 3 4\n2 5 6\n3 7 8";
        assert_eq!(compared(full, full), Ok(()));
        assert_eq!(compared(full, "h a b\n0 1 2\n... ... ...\n3 7 8"), Ok(()));
        assert_eq!(compared("h a b\n0 1 2\n1 3 4\n.. .. ..\n3 7 8", "h a b\n0 1 2\n.. .. ..\n2 5 6\n3 7 8"), Ok(()));
        assert_eq!(compared(full, "h ... b\n0 ... 2\n1 ... 4\n2 ... 6\n3 ... 8"), Ok(()));
    }

    #[test]
    fn differences_have_row_and_column() {
        let full = "h a b\n0 1 2\n1 3 4\n2 5 6";
        let place = compared(full, "h a b\n0 1 2\n.. .. ..\n2 5 7").expect_err("differs").at(0, None).to_string();
        assert_eq!(place, "output 1, row 3, column 2: number: \"6\" is now \"7\"");
        let missing =
            compared("h a b\n0 1 ..\n1 3 4", "h a b\n0 1 2\n1 3 4").expect_err("differs").at(0, None).to_string();
        assert_eq!(missing, "output 1, row 1, column 2: type: \"..\" is now \"2\"");
        let place = compared(full, "h a b\n0 1 2\n1 3 4").expect_err("differs").at(0, None).to_string();
        assert_eq!(place, "output 1: shape: \"3 rows\" is now \"2 rows\"");
    }
}
