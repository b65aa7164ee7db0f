//! Edit distance of two texts over characters, by bit-parallel dynamic programming.
//!
//! The table of Levenshtein's recurrence is kept as differences of neighbouring cells, 64 rows to a machine word (Myers,
//! Journal of the ACM 46, 1999; in blocks as by Hyyrö, 2003). Only the band of diagonals that a distance below a guess can
//! reach is computed, and the guess grows until it holds (Ukkonen, Information and Control 64, 1985).

use std::collections::HashMap;

/// Rows of the table in one machine word.
const WORD: usize = 64;
/// The first guess for the distance.
const FIRST_GUESS: usize = 64;
/// By how much a guess that was too small grows.
const GROWTH: usize = 4;

/// `1 - edit_distance(a, b) / max(|a|, |b|)` with lengths in characters: 1 for equal texts, also two empty ones, and 0 for
/// texts that have nothing in common.
#[must_use]
pub fn edit_similarity(a: &str, b: &str) -> f64 {
    let longest = a.chars().count().max(b.chars().count());
    if longest == 0 {
        return 1.0;
    }
    1.0 - edit_distance(a, b) as f64 / longest as f64
}

/// Levenshtein's distance: the least number of characters to insert, delete or replace that turns `a` into `b`.
///
/// A character is a Unicode scalar value. Takes time in the order of `n d / 64` for texts of `n` characters at distance `d`;
/// equal beginnings and ends cost next to nothing.
#[must_use]
pub fn edit_distance(a: &str, b: &str) -> usize {
    if a == b {
        return 0;
    }
    let first: Vec<char> = a.chars().collect();
    let second: Vec<char> = b.chars().collect();
    let (first, second) = trim(&first, &second);
    let (rows, columns) = if first.len() >= second.len() { (first, second) } else { (second, first) };
    if columns.is_empty() {
        return rows.len();
    }
    let table = Table::of(rows, columns);
    let mut guess = FIRST_GUESS.max(rows.len() - columns.len());
    loop {
        // Paths that leave the band are missed, so that `found` is never too small, and right once it is within the guess.
        let found = table.distance_within(guess);
        if found <= guess {
            return found;
        }
        guess = found.min(guess * GROWTH);
    }
}

/// Both texts without their common beginning and end.
fn trim<'t>(a: &'t [char], b: &'t [char]) -> (&'t [char], &'t [char]) {
    let prefix = a.iter().zip(b).take_while(|(left, right)| left == right).count();
    let (a, b) = (&a[prefix..], &b[prefix..]);
    let suffix = a.iter().rev().zip(b.iter().rev()).take_while(|(left, right)| left == right).count();
    (&a[..a.len() - suffix], &b[..b.len() - suffix])
}

/// Two texts prepared for the recurrence: `rows` is at least as long as `columns`.
struct Table {
    /// For each kind of character, one bit a row that holds it; the last kind stands for characters that no row holds.
    matches: Vec<Vec<u64>>,
    /// The kind of character in each column.
    kinds: Vec<usize>,
    rows: usize,
    blocks: usize,
}

/// The vertical differences in one block of rows.
#[derive(Clone, Copy)]
struct Block {
    /// Rows whose cell is one more than the cell above.
    plus: u64,
    /// Rows whose cell is one less than the cell above.
    minus: u64,
}

impl Table {
    fn of(rows: &[char], columns: &[char]) -> Self {
        let blocks = rows.len().div_ceil(WORD);
        let mut kind_of: HashMap<char, usize> = HashMap::new();
        let mut matches: Vec<Vec<u64>> = Vec::new();
        for (row, &character) in rows.iter().enumerate() {
            let kind = *kind_of.entry(character).or_insert(matches.len());
            if kind == matches.len() {
                matches.push(vec![0; blocks]);
            }
            matches[kind][row / WORD] |= 1 << (row % WORD);
        }
        let absent = matches.len();
        matches.push(vec![0; blocks]);
        let kinds = columns.iter().map(|character| kind_of.get(character).copied().unwrap_or(absent)).collect();
        Table { matches, kinds, rows: rows.len(), blocks }
    }

    /// The distance when it is at most `guess`, otherwise a number that is not below the distance and above `guess`.
    ///
    /// `guess` is at least the difference in length.
    fn distance_within(&self, guess: usize) -> usize {
        let longer_by = self.rows - self.kinds.len();
        let slack = (guess - longer_by) / 2;
        // Cell (row, column) matters when row - column is between -slack and longer_by + slack.
        let lowest = |column: usize| ((column + longer_by + slack) / WORD).min(self.blocks - 1);
        let mut column_blocks = vec![Block { plus: u64::MAX, minus: 0 }; self.blocks];
        let mut last = lowest(0);
        let mut score = self.rows_through(last);
        for (column, &kind) in self.kinds.iter().enumerate() {
            let top = column.saturating_sub(slack) / WORD;
            let wanted = lowest(column + 1);
            if wanted > last {
                // The block enters with the largest differences possible, which never undercuts the true cells.
                score += self.rows_through(wanted) - self.rows_through(last);
                last = wanted;
            }
            let change = self.advance(&mut column_blocks[top..=last], &self.matches[kind][top..=last], last);
            score = score.strict_add_signed(change);
        }
        score
    }

    /// The number of rows in the blocks up to and including `block`.
    fn rows_through(&self, block: usize) -> usize {
        ((block + 1) * WORD).min(self.rows)
    }

    /// Moves the blocks of one column to the next one; returns by how much the cell below the last block's last row changes.
    fn advance(&self, column: &mut [Block], matches: &[u64], last: usize) -> isize {
        // The row above the band grows by one a column: exact for row 0, and never too small elsewhere.
        let (mut in_plus, mut in_minus) = (1_u64, 0_u64);
        let end = column.len() - 1;
        for (block, &matching) in column[..end].iter_mut().zip(matches) {
            let (plus, minus) = block.step(matching, in_plus, in_minus);
            in_plus = plus >> (WORD - 1);
            in_minus = minus >> (WORD - 1);
        }
        let (plus, minus) = column[end].step(matches[end], in_plus, in_minus);
        let shift = (self.rows_through(last) - 1) % WORD;
        (plus >> shift & 1) as isize - (minus >> shift & 1) as isize
    }
}

impl Block {
    /// One column further. Takes the horizontal difference that comes in from above as two bits, and returns those of all
    /// rows of the block as two words.
    #[inline(always)]
    fn step(&mut self, matching: u64, in_plus: u64, in_minus: u64) -> (u64, u64) {
        let vertical = matching | self.minus;
        let matching = matching | in_minus;
        let diagonal = ((matching & self.plus).wrapping_add(self.plus) ^ self.plus) | matching;
        let plus = self.minus | !(diagonal | self.plus);
        let minus = self.plus & diagonal;
        let shifted_plus = plus << 1 | in_plus;
        let shifted_minus = minus << 1 | in_minus;
        self.plus = shifted_minus | !(vertical | shifted_plus);
        self.minus = shifted_plus & vertical;
        (plus, minus)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The recurrence as it is written in books.
    fn textbook(a: &str, b: &str) -> usize {
        let b: Vec<char> = b.chars().collect();
        let mut row: Vec<usize> = (0..=b.len()).collect();
        for (i, x) in a.chars().enumerate() {
            let mut diagonal = row[0];
            row[0] = i + 1;
            for (j, &y) in b.iter().enumerate() {
                let replaced = diagonal + usize::from(x != y);
                diagonal = row[j + 1];
                row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
            }
        }
        row[b.len()]
    }

    #[test]
    fn known_distances() {
        for (a, b, distance) in [
            ("", "", 0),
            ("", "abc", 3),
            ("kitten", "sitting", 3),
            ("Saturday", "Sunday", 3),
            ("flaw", "lawn", 2),
            ("naïve", "naive", 1),
            ("日本語", "日本", 1),
        ] {
            assert_eq!(edit_distance(a, b), distance, "{a} {b}");
            assert_eq!(edit_distance(b, a), distance, "{b} {a}");
        }
    }

    #[test]
    fn similarity_goes_from_nothing_to_equal() {
        assert_eq!(edit_similarity("", ""), 1.0);
        assert_eq!(edit_similarity("abc", "abc"), 1.0);
        assert_eq!(edit_similarity("abc", "xyz"), 0.0);
        assert_eq!(edit_similarity("abcd", ""), 0.0);
        assert_eq!(edit_similarity("ééé", "éé"), 1.0 - 1.0 / 3.0);
    }

    #[test]
    fn a_small_change_in_a_long_text_is_found() {
        let line = "train = pd.read_csv('../input/train.csv')\n";
        let before = line.repeat(1200);
        let after = before.replacen("read_csv", "read_table", 700).replacen("../input", "/kaggle/input", 1);
        assert_eq!(edit_distance(&before, &after), textbook_by_line(&before, &after));
    }

    /// The lines of both texts correspond, and each pair of lines is so alike that no better pairing exists.
    fn textbook_by_line(a: &str, b: &str) -> usize {
        a.lines().zip(b.lines()).map(|(left, right)| textbook(left, right)).sum()
    }

    /// Texts over few letters, long enough for several blocks and more than one guess.
    fn text(alphabet: &'static str, length: usize) -> impl Strategy<Value = String> {
        let letters: Vec<char> = alphabet.chars().collect();
        prop::collection::vec(prop::sample::select(letters), 0..length).prop_map(String::from_iter)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(96))]

        #[test]
        fn unrelated_texts_agree_with_the_textbook(a in text("abé\n", 420), b in text("abc日", 420)) {
            prop_assert_eq!(edit_distance(&a, &b), textbook(&a, &b));
        }

        #[test]
        fn edited_texts_agree_with_the_textbook(
            base in text("abcdefgh", 600),
            cuts in prop::collection::vec((0.0..1.0_f64, 0_usize..40, text("abcx", 30)), 0..6),
        ) {
            let mut edited: Vec<char> = base.chars().collect();
            for (place, removed, inserted) in cuts {
                let start = (place * edited.len() as f64) as usize;
                let end = (start + removed).min(edited.len());
                edited.splice(start..end, inserted.chars());
            }
            let edited = String::from_iter(edited);
            prop_assert_eq!(edit_distance(&base, &edited), textbook(&base, &edited));
        }

        #[test]
        fn distance_is_symmetric_and_bounded(a in text("ab", 200), b in text("abc", 200)) {
            let distance = edit_distance(&a, &b);
            prop_assert_eq!(distance, edit_distance(&b, &a));
            prop_assert!(distance >= a.len().abs_diff(b.len()) && distance <= a.len().max(b.len()));
        }
    }
}
