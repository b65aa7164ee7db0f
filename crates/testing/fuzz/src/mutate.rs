//! One input made into another.

use crate::random::Random;

/// Longest input that a mutation gives, in bytes.
const LONGEST: usize = 64 << 10;
/// Most changes on the way to one input.
const MOST_CHANGES: usize = 8;
/// Longest run and longest piece, in bytes.
const LONGEST_RUN: usize = 4 << 10;
/// Most repetitions of a word.
const MOST_REPETITIONS: usize = 600;

/// What replaces a number: bounds of integers and floats, and what no number is.
const NUMBERS: [&[u8]; 14] = [
    b"0",
    b"-1",
    b"-0",
    b"255",
    b"65536",
    b"4294967296",
    b"9223372036854775808",
    b"18446744073709551616",
    b"1e308",
    b"1e999",
    b"-1e-999",
    b"0.1e-323",
    b"NaN",
    b"00000000000000000000000000000000000000001",
];
/// Bytes that are no UTF-8, and characters that are often forgotten: a lone surrogate, an overlong slash, half a character,
/// a byte order mark, a line separator, a letter that grows in lower case, a combining mark, a right-to-left override.
const CHARACTERS: [&[u8]; 10] = [
    b"\xff",
    b"\xed\xa0\x80",
    b"\xc0\xaf",
    b"\xf0\x9f\x98",
    b"\xef\xbb\xbf",
    b"\xe2\x80\xa8",
    b"\xc4\xb0",
    b"\xcc\x88",
    b"\xe2\x80\xae",
    b"\x00",
];

/// A mutation of one of `examples`.
pub(crate) fn mutated(random: &mut Random, examples: &[Vec<u8>], words: &[&[u8]]) -> Vec<u8> {
    let mut input = random.one_of(examples).cloned().unwrap_or_default();
    for _ in 0..=random.below(MOST_CHANGES) {
        change(random, &mut input, examples, words);
        input.truncate(LONGEST);
    }
    input
}

fn change(random: &mut Random, input: &mut Vec<u8>, examples: &[Vec<u8>], words: &[&[u8]]) {
    let place = random.below(input.len() + 1);
    match random.below(12) {
        0 => {
            if let Some(byte) = input.get_mut(place) {
                *byte ^= 1 << random.below(8);
            }
        }
        1 => insert(input, place, &[random.below(256).to_le_bytes()[0]]),
        2 | 3 => insert(input, place, random.one_of(words).copied().unwrap_or_default()),
        4 => insert(input, place, random.one_of(&CHARACTERS).copied().unwrap_or_default()),
        5 => drop(input.drain(place..piece_end(random, input.len(), place))),
        6 => {
            let piece = input[place..piece_end(random, input.len(), place)].to_vec();
            insert(input, place, &piece.repeat(1 + random.below(4)));
        }
        7 => {
            // The head of one and the tail of another.
            let other = random.one_of(examples).cloned().unwrap_or_default();
            let from = random.below(other.len() + 1);
            input.truncate(place);
            input.extend_from_slice(&other[from..]);
        }
        8 => {
            let byte = random.one_of(input).copied().unwrap_or(b' ');
            insert(input, place, &vec![byte; random.below(LONGEST_RUN)]);
        }
        9 => {
            let word = random.one_of(words).copied().unwrap_or_default();
            insert(input, place, &word.repeat(random.below(MOST_REPETITIONS)));
        }
        10 => replace_number(random, input, place),
        _ => input.truncate(place),
    }
}

fn insert(input: &mut Vec<u8>, place: usize, piece: &[u8]) {
    input.splice(place..place, piece.iter().copied());
}

fn piece_end(random: &mut Random, length: usize, place: usize) -> usize {
    place + random.below((length - place).min(LONGEST_RUN) + 1)
}

/// Replaces the first number from `place` on.
fn replace_number(random: &mut Random, input: &mut Vec<u8>, place: usize) {
    let Some(start) = input[place..].iter().position(u8::is_ascii_digit).map(|found| place + found) else { return };
    let length = input[start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let number = random.one_of(&NUMBERS).copied().unwrap_or_default();
    input.splice(start..start + length, number.iter().copied());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_inputs_and_another_gives_others() {
        let examples = [b"{\"a\": [1, 2]}".to_vec(), b"x".to_vec()];
        let inputs = |seed: u64| {
            let mut random = Random::new(seed);
            (0..200).map(|_| mutated(&mut random, &examples, &[b"[", b"]"])).collect::<Vec<_>>()
        };
        assert_eq!(inputs(1), inputs(1));
        assert_ne!(inputs(1), inputs(2));
        assert!(inputs(1).iter().all(|input| input.len() <= LONGEST));
    }

    #[test]
    fn nothing_to_start_from_is_no_fault() {
        let mut random = Random::new(0);
        for _ in 0..1000 {
            mutated(&mut random, &[], &[]);
        }
    }
}
