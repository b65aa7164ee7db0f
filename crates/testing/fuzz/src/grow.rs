//! Inputs that grow, and whether their cost grows with them.

use std::time::Duration;

use crate::FuzzTarget;
use crate::meter::{Cost, metered};
use crate::random::Random;

/// An input that can be made in any size.
#[derive(Clone, Copy)]
pub struct Shape<'a> {
    /// What it is.
    pub name: &'a str,
    /// Makes one of about so many bytes.
    pub make: fn(usize) -> Vec<u8>,
}

/// From step to step, about eightfold, in bytes.
pub(crate) struct Sizes {
    all: &'static [usize],
    /// Those for pairs of words, which are many.
    pairs: &'static [usize],
}

/// In every test run.
pub(crate) const QUICK: Sizes = Sizes { all: &[4 << 10, 32 << 10, 256 << 10], pairs: &[2 << 10, 16 << 10] };
/// By hand.
pub(crate) const BY_HAND: Sizes = Sizes {
    all: &[4 << 10, 32 << 10, 256 << 10, 2 << 20, 12 << 20, 50_000_000],
    pairs: &[4 << 10, 32 << 10, 256 << 10],
};

/// Memory that any input may cost, in bytes.
const ANY_INPUT: usize = 1 << 20;
/// Time may grow so many times as much as the input: more than a logarithm or a colder cache explains, and much less than the
/// eightfold of a square.
const STEEPEST: f64 = 3.5;
/// Less time than this is not judged.
const NOTHING: Duration = Duration::from_millis(40);
/// How often a time that looks bad is taken again; the least counts.
const TRIES: usize = 3;

/// Lets every shape grow. `before` is told of each input before it is read.
pub(crate) fn grow(target: &FuzzTarget<'_>, sizes: &Sizes, mut before: impl FnMut(&[u8])) -> usize {
    let Sizes { all: sizes, pairs } = *sizes;
    let mut cost = |input: &[u8]| {
        before(input);
        metered(|| (target.parse)(input)).1
    };
    let mut climb = |name: &str, sizes, make: &dyn Fn(usize) -> Vec<u8>| climb(target, name, sizes, make, &mut cost);
    let mut shapes = 0;
    for shape in target.shapes {
        climb(shape.name, sizes, &shape.make);
        shapes += 1;
    }
    let mut random = Random::new(7);
    for (one, word) in target.words.iter().enumerate() {
        let example = random.one_of(target.examples).copied().unwrap_or_default();
        let (head, tail) = example.split_at(random.below(example.len() + 1));
        climb(&shown(&[word]), sizes, &|size| repeated(head, &[word], tail, size));
        shapes += 1;
        for other in target.words.iter().enumerate().filter(|(two, _)| *two != one).map(|(_, other)| other) {
            let many = |word: &[u8], size: usize| word.repeat(size / 2 / word.len());
            let within = |size| [head, &many(word, size), &many(other, size), tail].concat();
            let in_turn = |size| repeated(head, &[word, other], tail, size);
            climb(&shown(&[word, other]), pairs, &in_turn);
            climb(&format!("many {}", shown(&[word, other])), pairs, &within);
            shapes += 2;
        }
    }
    shapes
}

fn shown(words: &[&[u8]]) -> String {
    words.iter().map(|word| format!("{:?}", String::from_utf8_lossy(word))).collect::<Vec<_>>().join(" ")
}

fn repeated(head: &[u8], words: &[&[u8]], tail: &[u8], size: usize) -> Vec<u8> {
    let once = words.concat();
    [head, &once.repeat(size / once.len()), tail].concat()
}

/// Lets a shape grow through all sizes; `cost_of` reads an input and says what that cost.
fn climb(
    target: &FuzzTarget<'_>,
    name: &str,
    sizes: &[usize],
    make: &dyn Fn(usize) -> Vec<u8>,
    cost_of: &mut dyn FnMut(&[u8]) -> Cost,
) {
    let mut smaller: Option<(usize, Duration)> = None;
    for &size in sizes {
        let input = make(size);
        let mut cost = cost_of(&input);
        let most = target.most_bytes.min(ANY_INPUT + target.bytes_per_byte * input.len());
        assert!(
            cost.bytes <= most,
            "{name}: {} bytes of input cost {} bytes of memory, more than {most}",
            input.len(),
            cost.bytes
        );
        if let Some((length, time)) = smaller {
            let allowed =
                |time: Duration| time.mul_f64(STEEPEST * input.len() as f64 / length.max(1) as f64).max(NOTHING);
            let mut allowed_time = allowed(time);
            for _ in 1..TRIES {
                if cost.time <= allowed_time {
                    break;
                }
                cost.time = cost.time.min(cost_of(&input).time);
                // The smaller one may have been lucky.
                allowed_time = allowed_time.max(allowed(cost_of(&make(length)).time));
            }
            assert!(
                cost.time <= allowed_time,
                "{name}: {length} bytes took {time:?}, {} bytes {:?}: that is no straight line",
                input.len(),
                cost.time
            );
        }
        smaller = Some((input.len(), cost.time));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(parse: fn(&[u8]) -> u64) -> FuzzTarget<'static> {
        FuzzTarget {
            name: "",
            test: "",
            crate_folder: "",
            examples: &[b"x"],
            words: &[b"a"],
            shapes: &[],
            bytes_per_byte: 2,
            most_bytes: usize::MAX,
            mutations: 0,
            parse,
        }
    }

    const SIZES: Sizes = Sizes { all: &[1 << 10, 8 << 10], pairs: &[] };

    fn work(steps: usize) -> u64 {
        (0..steps as u64).fold(0, |sum, next| std::hint::black_box(sum ^ next))
    }

    #[test]
    fn straight_lines_pass() {
        assert_eq!(grow(&target(|input| work(input.len() * 10_000)), &SIZES, |_| {}), 1);
    }

    /// Lets an input grow whose times are computed: those of short work jump on a busy machine.
    fn climb_by(nanoseconds: fn(usize) -> usize) {
        let mut cost = |input: &[u8]| Cost { bytes: 0, time: Duration::from_nanos(nanoseconds(input.len()) as u64) };
        climb(&target(|_| 0), "", SIZES.all, &|size| vec![b'a'; size], &mut cost);
    }

    #[test]
    fn a_logarithm_more_passes() {
        climb_by(|bytes| bytes * bytes.ilog2() as usize * 10_000);
    }

    #[test]
    #[should_panic(expected = "no straight line")]
    fn squares_are_found() {
        climb_by(|bytes| bytes * bytes * 3);
    }

    #[test]
    #[should_panic(expected = "no straight line")]
    fn cubes_are_found_by_the_clock() {
        grow(&target(|input| work(input.len().pow(3) / 16_384)), &SIZES, |_| {});
    }

    #[test]
    #[should_panic(expected = "bytes of memory")]
    fn memory_is_found() {
        grow(&target(|input| std::hint::black_box(vec![0_u8; input.len() * 1000]).len() as u64), &SIZES, |_| {});
    }
}
