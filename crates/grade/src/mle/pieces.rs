//! Finds the cells of a long text on all cores.
//!
//! Only where the text has no quotes: then every line end ends a row, so that the text can be cut anywhere at one.

use rayon::prelude::*;

use crate::scanner::Span;

/// Texts shorter than this are not worth a thread.
const SHORTEST: usize = 1 << 20;

/// Which cells of a row are looked for.
pub(crate) struct Wanted<'w> {
    /// Their places, ascending.
    pub(crate) places: &'w [usize],
    /// How many cells a row may have.
    pub(crate) most: usize,
}

impl Wanted<'_> {
    /// The cells of each wanted place in `text` from `start` on, where a row starts, in pieces; none where the text has quotes,
    /// zero bytes or blank lines that end in CR, or a row has too many cells.
    pub(crate) fn cells(&self, text: &str, start: usize) -> Option<Vec<Vec<Vec<Span>>>> {
        let bytes = text.as_bytes();
        let pieces: Vec<Vec<Vec<Span>>> = cuts(bytes, start)
            .into_par_iter()
            .map(|(from, end)| self.piece(bytes, from, end))
            .collect::<Option<_>>()?;
        let mut columns: Vec<Vec<Vec<Span>>> = self.places.iter().map(|_| Vec::new()).collect();
        for piece in pieces {
            columns.iter_mut().zip(piece).for_each(|(column, spans)| column.push(spans));
        }
        Some(columns)
    }

    fn piece(&self, bytes: &[u8], from: usize, end: usize) -> Option<Vec<Vec<Span>>> {
        if memchr::memchr(b'"', &bytes[from..end]).is_some() {
            return None;
        }
        let first = memchr::memchr(b'\n', &bytes[from..end]).map_or(0, |length| length + 1);
        // Most rows are about as long as the first; where it is cut short, they have a byte a cell at least.
        let rows = (end - from) / first.max(self.most).max(1);
        let mut columns: Vec<Vec<Span>> = self.places.iter().map(|_| Vec::with_capacity(rows + rows / 16)).collect();
        let mut row = from;
        while row < end {
            row = self.row(bytes, row, end, &mut columns)?;
        }
        Some(columns)
    }

    /// Takes one row in, unless it is blank; where the next one starts.
    fn row(&self, bytes: &[u8], row: usize, end: usize, columns: &mut [Vec<Span>]) -> Option<usize> {
        let (mut start, mut cell, mut next) = (row, 0, 0);
        loop {
            let stop = next_stop(&bytes[..end], start);
            if bytes[..end].get(stop) == Some(&0) {
                return None;
            }
            let is_last = stop == end || bytes[stop] != b',';
            let is_blank = is_last && cell == 0 && bytes[start..stop].iter().all(|byte| matches!(byte, b' ' | b'\t'));
            if !is_blank && self.places.get(next) == Some(&cell) {
                columns[next].push(Span::new(start, stop));
                next += 1;
            }
            cell += 1;
            if cell > self.most {
                return None;
            }
            if is_last {
                if !is_blank {
                    columns[next..].iter_mut().for_each(|column| column.push(Span::new(row, row)));
                }
                let crlf = bytes[stop..end].starts_with(b"\r\n");
                // What follows may begin here, see the scanner.
                if is_blank && !crlf && bytes[..end].get(stop) == Some(&b'\r') {
                    return None;
                }
                return Some(stop + if crlf { 2 } else { 1 });
            }
            start = stop + 1;
        }
    }
}

const fn is_stop(byte: u8) -> bool {
    matches!(byte, b',' | b'\n' | b'\r' | 0)
}

/// A one in each byte of a word.
const ONES: u64 = u64::MAX / 255;

/// Where the next cell or row ends from `place` on: eight bytes at a time, as most of what cells hold lies above the comma.
///
/// Source of the test for a byte below a number in a word: S. E. Anderson, "Bit Twiddling Hacks".
fn next_stop(bytes: &[u8], mut place: usize) -> usize {
    while let Some(word) = bytes[place..].first_chunk() {
        let word = u64::from_le_bytes(*word);
        // Bytes above the first that is marked may be marked wrongly.
        let marked = word.wrapping_sub(ONES * (b',' as u64 + 1)) & !word & (ONES << 7);
        if marked == 0 {
            place += 8;
            continue;
        }
        place += (marked.trailing_zeros() / 8) as usize;
        if is_stop(bytes[place]) {
            return place;
        }
        place += 1;
    }
    bytes[place..].iter().position(|&byte| is_stop(byte)).map_or(bytes.len(), |length| place + length)
}

/// The text from `start` on in pieces that end at line ends, one a thread.
fn cuts(bytes: &[u8], start: usize) -> Vec<(usize, usize)> {
    let length = ((bytes.len() - start) / rayon::current_num_threads().max(1)).max(SHORTEST);
    let (mut cuts, mut from) = (Vec::new(), start);
    loop {
        let least = (from + length).min(bytes.len());
        let end = memchr::memchr(b'\n', &bytes[least..]).map_or(bytes.len(), |more| least + more + 1);
        cuts.push((from, end));
        if end == bytes.len() {
            return cuts;
        }
        from = end;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::scanner::{Fields, Scanner};

    fn by_pieces(text: &str, wanted: &Wanted<'_>) -> Option<Vec<Vec<String>>> {
        let columns = wanted.cells(text, 0)?;
        Some(
            columns
                .iter()
                .map(|pieces| pieces.iter().flatten().map(|span| span.of(text, "").to_owned()).collect())
                .collect(),
        )
    }

    fn by_rows(text: &str, wanted: &Wanted<'_>) -> Option<Vec<Vec<String>>> {
        let mut scanner = Scanner::new(text, wanted.most);
        let (mut fields, mut columns) = (Fields::new(), vec![Vec::new(); wanted.places.len()]);
        while scanner.next_row(&mut fields).ok()?.is_some() {
            for (column, place) in columns.iter_mut().zip(wanted.places) {
                column.push(fields.cell(*place).to_owned());
            }
        }
        Some(columns)
    }

    proptest! {
        #[test]
        fn pieces_and_rows_find_the_same(text in "[a1, \t\n\ré-]{0,60}|[a1é-]{0,20},[a1é +]{0,20}\n[a1é]{0,20}", places in prop::sample::subsequence(vec![0, 1, 2], 0..3)) {
            let wanted = Wanted { places: &places, most: 3 };
            let (found, expected) = (by_pieces(&text, &wanted), by_rows(&text, &wanted));
            if found.is_some() || !text.contains('\r') {
                prop_assert_eq!(found, expected);
            }
        }
    }

    #[test]
    fn a_long_text_is_cut_at_line_ends() {
        let text = (0..400_000).fold(String::new(), |text, row| text + &format!("{row},é{row}\r\n"));
        let wanted = Wanted { places: &[1], most: 2 };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
        assert_eq!(pool.install(|| cuts(text.as_bytes(), 0)).len(), 3);
        let found = pool.install(|| by_pieces(&text, &wanted)).unwrap().remove(0);
        assert_eq!((found.len(), found[399_999].as_str()), (400_000, "é399999"));
        assert!(by_pieces("a,\"b\"\n", &wanted).is_none());
    }
}
