//! The small tables committed with this crate: comma separated, a `#` line naming the source, a header line.

/// The rows of a table below its `#` lines and its header, each split at the commas.
///
/// The last column may hold commas itself when `columns` says how many there are.
pub(crate) fn rows(text: &'static str, columns: usize) -> impl Iterator<Item = Vec<&'static str>> {
    text.lines()
        .filter(|line| !line.starts_with('#') && !line.trim().is_empty())
        .skip(1)
        .map(move |line| line.splitn(columns, ',').map(str::trim).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_header_are_skipped_and_the_last_column_keeps_commas() {
        let read: Vec<_> = rows("# from there\na,b\nx,one, two\n\ny,\n", 2).collect();
        assert_eq!(read, [vec!["x", "one, two"], vec!["y", ""]]);
    }
}
