//! Tries to break a parser: mutated inputs, input that grows, memory and time counted. For tests only.
//!
//! A [`FuzzTarget`] is a parser with examples of what it reads and the words of its language. [`attack`] gives it, in a process of
//! its own so that a stack that overflows or memory that runs out is a finding and not the end of the test:
//!
//! 1. every file of `tests/regressions/<name>/` of its crate: what once broke it;
//! 2. shapes that grow ([`Shape`], and from its words: each repeated, each before and inside of each other), eightfold from step
//!    to step. The stack must hold, memory must stay below a multiple of the input, and time must not grow much faster than
//!    the input. Time is the thread's own, compared with itself and never with a clock;
//! 3. mutations of the examples, by a generator that always gives the same ones. What the parser answers is the only guide: an
//!    input with a new answer joins the examples.
//!
//! A finding is written to `target/fuzz/`; put into `tests/regressions/<name>/` it is tried ever after.
//!
//! `FUZZ_SECONDS` lets the mutations of each target go on for so long and the shapes grow to 50 MB (`make fuzz`), `FUZZ_SEED`
//! (a number) starts the generator elsewhere.
//!
//! This is no replacement of a fuzzer that sees which branches an input takes. Such a one needs a nightly compiler and its own
//! build of every crate; this one runs with the other tests, wherever they run.

mod grow;
mod meter;
mod mutate;
mod random;
mod run;

pub use grow::Shape;
pub use meter::{Cost, metered};
pub use run::attack;

/// A parser to be broken.
#[derive(Clone, Copy)]
pub struct FuzzTarget<'a> {
    /// Its name: that of the folder of regressions.
    pub name: &'a str,
    /// The test that calls [`attack`], as the test runner knows it: `module::tests::function`.
    pub test: &'a str,
    /// The crate's folder: `env!("CARGO_MANIFEST_DIR")`.
    pub crate_folder: &'a str,
    /// Inputs that are read without complaint, or nearly so.
    pub examples: &'a [&'a [u8]],
    /// What the language is made of: brackets, keys, keywords.
    pub words: &'a [&'a [u8]],
    /// Inputs that could be expensive.
    pub shapes: &'a [Shape<'a>],
    /// How many bytes of memory a byte of input may cost, beside a constant part.
    pub bytes_per_byte: usize,
    /// How many bytes of memory any input may cost.
    pub most_bytes: usize,
    /// How many mutations are tried when no time is given.
    pub mutations: u64,
    /// The parser. It panics when something is wrong. Its answer, in any coding, tells kinds of input apart.
    pub parse: fn(&[u8]) -> u64,
}

/// A short code of anything that can be shown, for [`FuzzTarget::parse`].
#[must_use]
pub fn code_of(answer: &str) -> u64 {
    // FNV-1a, 64 bits.
    answer.bytes().fold(0xcbf2_9ce4_8422_2325, |code, byte| (code ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
