//! Measures, on a sheet of crashes: how fast they are labelled, how fast as many values as the paper had are clustered, and how fast as many
//! crashes as it labelled are tested type by type and cause by cause.
//!
//! Arguments: the sheet, and where it has the columns `evalue_normalized` and `cluster`, our values and clusters are compared with those.
//! The 92,542 values are made from the sheet's by seed: each is one of them, with some words put in, left out or exchanged.

use std::time::Instant;

use nbrevive_diagnosis::crash::{
    ExceptionType, PAPER_SIMILARITY, RootCause, SheetRow, classify, clusters, normal_value, read_sheet,
};
use nbrevive_stats::{Random, barnard_exact, bonferroni};

/// Crashes in the paper's population.
const PAPER_CRASHES: usize = 92_542;

/// Crashes that the paper labelled, on each platform.
const PAPER_LABELLED: [u64; 2] = [389, 353];

#[expect(clippy::print_stdout, reason = "the figures are the program's output")]
fn main() {
    let path = std::env::args().nth(1).expect("a sheet");
    let rows = read_sheet(std::fs::read(path).expect("a readable sheet").as_slice()).expect("a sheet of crashes");

    // The fastest of many rounds: what else runs on the machine makes others slower.
    let round = |_| {
        let started = Instant::now();
        for row in &rows {
            std::hint::black_box(classify(row.crash()));
        }
        started.elapsed().as_secs_f64()
    };
    let seconds = (0..40).map(round).fold(f64::INFINITY, f64::min);
    println!("{:.0} crashes labelled a second, on one core", rows.len() as f64 / seconds);

    let values = made(&rows, PAPER_CRASHES);
    let started = Instant::now();
    let found = clusters(values.iter().map(String::as_str), PAPER_SIMILARITY);
    let seconds = started.elapsed().as_secs_f64();
    println!("{} values in {} clusters in {seconds:.2} s", values.len(), found.iter().max().map_or(0, |most| most + 1));

    let started = Instant::now();
    let tests: usize = type_by_type().iter().map(|p_values| bonferroni(p_values).map_or(0, |found| found.len())).sum();
    println!("{tests} of Barnard's tests of made-up crashes in {:.2} s, on one core", started.elapsed().as_secs_f64());

    let theirs = |column: &str| -> Vec<&str> {
        rows.iter().filter_map(|row| row.others.get(column).map(String::as_str)).collect()
    };
    let normal = theirs("evalue_normalized");
    let alike = rows.iter().zip(&normal).filter(|(row, theirs)| normal_value(&row.evalue) == **theirs).count();
    println!("{alike} of {} values normalised to the same words", normal.len());
    let (ours, theirs) = (clusters(rows.iter().map(|row| row.evalue.as_str()), PAPER_SIMILARITY), theirs("cluster"));
    let pairs = (0..theirs.len()).flat_map(|a| (a + 1..theirs.len()).map(move |b| (a, b)));
    let (mut same, mut both, mut mine, mut all) = (0, 0, 0, 0);
    for (a, b) in pairs {
        let (is_ours, is_theirs) = (ours[a] == ours[b], theirs[a] == theirs[b]);
        all += 1;
        same += usize::from(is_ours == is_theirs);
        both += usize::from(is_theirs && is_ours);
        mine += usize::from(is_theirs);
    }
    println!(
        "{same} of {all} pairs are told together or apart as theirs; of {mine} that are together there, {both} are here"
    );
}

/// Barnard's p-values of each cause by exception type: made-up crashes, as many as the paper labelled, of every
/// type at least one, and of the first types most.
fn type_by_type() -> Vec<Vec<f64>> {
    let mut random = Random::stream(29, 1);
    let (types, causes) = (ExceptionType::ALL.len(), RootCause::ALL.len());
    let mut counts = vec![vec![[0; 2]; causes]; types];
    for (platform, many) in PAPER_LABELLED.into_iter().enumerate() {
        for number in 0..many {
            let below = random.below(types as u64) + 1;
            let of_type = if number < types as u64 { number } else { random.below(below) } as usize;
            counts[of_type][random.below(causes as u64) as usize][platform] += 1;
        }
    }
    let tests = |counts: &Vec<[u64; 2]>| {
        let wholes = [0, 1].map(|platform| counts.iter().map(|counts| counts[platform]).sum::<u64>());
        let test = |counts: &[u64; 2]| {
            barnard_exact([0, 1].map(|platform| [counts[platform], wholes[platform] - counts[platform]]))
        };
        counts.iter().filter_map(|counts| Some(test(counts).ok()?.p_value)).collect()
    };
    counts.iter().map(tests).collect()
}

/// Values made from those of a sheet.
fn made(rows: &[SheetRow], many: usize) -> Vec<String> {
    let mut random = Random::stream(29, 0);
    let words: Vec<&str> = rows.iter().flat_map(|row| row.evalue.split_whitespace()).collect();
    let one = |_| {
        let value = &rows[random.below(rows.len() as u64) as usize].evalue;
        let mut parts: Vec<&str> = value.split_whitespace().take(60).collect();
        for _ in 0..random.below(4) {
            let word = words[random.below(words.len() as u64) as usize];
            match (random.below(3), parts.len() as u64) {
                (0, _) | (_, 0) => parts.push(word),
                (1, len) => parts[random.below(len) as usize] = word,
                (_, len) => drop(parts.remove(random.below(len) as usize)),
            }
        }
        parts.join(" ")
    };
    (0..many).map(one).collect()
}
