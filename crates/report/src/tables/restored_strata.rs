//! What stops notebooks, by the stars of their repositories (ReNote, Table II and Figure 5), by year and by length.

use nbrevive_corpus::{Condition, Executability};

use super::restored_tables::{Notion, notion};
use super::share_table::{ShareLine, ShareTable, column, line};
use crate::executability::ExecutabilityRow;
use crate::inputs::Inputs;
use crate::restored::under;

/// The paper's ranges of stars, by their lower ends, and those below.
const STARS: [(u32, &str); 6] =
    [(1000, "from 1,000"), (500, "500 to 999"), (100, "100 to 499"), (10, "10 to 99"), (4, "4 to 9"), (0, "under 4")];

/// Ranges of code cells, by their lower ends.
const LENGTHS: [(u32, &str); 5] =
    [(100, "from 100"), (50, "50 to 99"), (25, "25 to 49"), (10, "10 to 24"), (0, "under 10")];

fn range(ranges: &'static [(u32, &'static str)], value: u32) -> &'static str {
    ranges.iter().find(|(from, _)| value >= *from).map_or("", |(_, word)| *word)
}

/// Notebooks by the stars of their repositories, where those are known, in the order of the ranges.
pub(crate) fn star_counts(inputs: &Inputs, condition: Condition) -> Vec<(&'static str, u64)> {
    let stars = |row: &ExecutabilityRow| inputs.restored.stars(&row.version).map(|stars| range(&STARS, stars));
    let count = |word| under(&inputs.executability, condition).filter(|row| stars(row) == Some(word)).count() as u64;
    STARS.iter().map(|(_, word)| (*word, count(word))).collect()
}

/// Lines of a condition, a range at a time; a range without a notebook has none.
fn lines(inputs: &Inputs, words: &[String], word_of: &dyn Fn(&ExecutabilityRow) -> Option<String>) -> Vec<ShareLine> {
    let mut lines = Vec::new();
    for condition in inputs.conditions() {
        for word in words {
            let of_word = |row: &&ExecutabilityRow| word_of(row).as_ref() == Some(word);
            let rows: Vec<&ExecutabilityRow> = under(&inputs.executability, condition).filter(of_word).collect();
            if rows.is_empty() {
                continue;
            }
            let named = rows.iter().filter(|row| row.executability == Executability::NameError).count();
            let count = |wanted: Notion| rows.iter().filter(|row| notion(row) == wanted).count();
            lines.push(line(condition, [word.as_str(), "name without a definition"], named, rows.len()));
            for (what, wanted) in [
                ("runs", Notion::Executable),
                ("restorable", Notion::Restorable),
                ("pathological", Notion::Pathological),
            ] {
                lines.push(line(condition, [word.as_str(), what], count(wanted), rows.len()));
            }
        }
    }
    lines
}

fn words_of(ranges: &[(u32, &str)]) -> Vec<String> {
    ranges.iter().map(|(_, word)| (*word).to_owned()).collect()
}

/// Table II: by the stars of repositories.
pub(super) fn by_stars(inputs: &Inputs) -> ShareTable {
    let stars = |row: &ExecutabilityRow| Some(range(&STARS, inputs.restored.stars(&row.version)?).to_owned());
    let lines = lines(inputs, &words_of(&STARS), &stars);
    let note =
        "As Table II of the paper on executability, by the stars that the host told when the repository was looked at.";
    let name = ("by-stars", "What stops notebooks, by the stars of their repositories");
    let columns = vec![column("Stars", "stars"), column("What", "what")];
    ShareTable::new(&inputs.data, name, columns, lines, note.to_owned()).of("Notebooks")
}

/// By the year of a notebook's date.
pub(super) fn by_year(inputs: &Inputs) -> ShareTable {
    let year = |row: &ExecutabilityRow| inputs.kinds.years.get(&row.version).map(u16::to_string);
    let mut years: Vec<String> = inputs.executability.iter().filter_map(year).collect();
    years.sort_unstable();
    years.dedup();
    let lines = lines(inputs, &years, &year);
    let note = "By the year of a notebook's date; all notebooks of a repository may have that of one commit.";
    let name = ("executability-by-year", "What stops notebooks, by their year");
    let columns = vec![column("Year", "year"), column("What", "what")];
    ShareTable::new(&inputs.data, name, columns, lines, note.to_owned()).of("Notebooks")
}

/// By how many code cells a notebook has.
pub(super) fn by_length(inputs: &Inputs) -> ShareTable {
    let length = |row: &ExecutabilityRow| {
        let cells = inputs.sizes.get(&row.version)?.cells?;
        Some(range(&LENGTHS, cells).to_owned())
    };
    let lines = lines(inputs, &words_of(&LENGTHS), &length);
    let note = "By the code cells of the notebook as it is, empty ones included.";
    let name = ("executability-by-length", "What stops notebooks, by their length");
    let columns = vec![column("Code cells", "code_cells"), column("What", "what")];
    ShareTable::new(&inputs.data, name, columns, lines, note.to_owned()).of("Notebooks")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_stars_are_those_of_the_paper() {
        let ranges = [12_000, 1000, 999, 500, 499, 100, 10, 9, 4, 3, 0].map(|stars| range(&STARS, stars));
        let expected = [0, 0, 1, 1, 2, 2, 3, 4, 4, 5, 5].map(|place: usize| STARS[place].1);
        assert_eq!(ranges, expected);
        assert_eq!(
            [0, 9, 10, 100, 4000].map(|cells| range(&LENGTHS, cells)),
            ["under 10", "under 10", "10 to 24", "from 100", "from 100"]
        );
    }
}
