//! Learns from labelled crashes, and says how well that does.
//!
//! - `crash_labels train SHEET MODEL` writes the model that the program uses: `data/crash-model.tsv`;
//! - `crash_labels folds SHEET [SEEDS]` prints, in five folds by notebook and for several seeds, what is right of each dimension;
//! - `crash_labels score SHEET [DIMENSION]` prints how often the program's own model and rules are right on crashes that they have not learnt
//!   from, and where they are not in a dimension.

use std::collections::HashMap;

use nbrevive_diagnosis::crash::{
    BugKind, Confusion, CrashLabels, Evidence, ExceptionType, JudgedLabel, Label, Models, RootCause, SheetLabels,
    SheetRow, Stage, Training, classify, folds, intervals, of_spelling, read_sheet,
};

/// Crashes with their labels by dimension.
struct Learnt {
    rows: Vec<SheetRow>,
    evidence: Vec<Evidence>,
}

const DIMENSIONS: [&str; 4] = [RootCause::DIMENSION, ExceptionType::DIMENSION, BugKind::DIMENSION, Stage::DIMENSION];

impl Learnt {
    fn read(path: &str) -> Self {
        let bytes = std::fs::read(path).expect("a readable sheet");
        let rows = read_sheet(bytes.as_slice()).expect("a sheet with labels");
        let evidence = rows.iter().map(|row| Evidence::of(row.crash())).collect();
        Self { rows, evidence }
    }

    /// The label that people gave, if it is in the scheme.
    fn truth(&self, row: usize, dimension: &str) -> Option<&'static str> {
        let column = |name: &str| self.rows[row].others.get(name).map(String::as_str);
        match dimension {
            ExceptionType::DIMENSION => column("exception_type_label").and_then(of_spelling).map(Label::code),
            RootCause::DIMENSION => column(dimension).and_then(RootCause::of).map(Label::code),
            BugKind::DIMENSION => column(dimension).and_then(BugKind::of).map(Label::code),
            _ => column(dimension).and_then(Stage::of).map(Label::code),
        }
    }

    fn notebook(&self, row: usize) -> &str {
        self.rows[row].others.get("notebook").map_or("", String::as_str)
    }

    fn models(&self, training: &[(&str, Training)], rows: &[usize]) -> Models {
        let mut models = Models::default();
        for (dimension, training) in training {
            let crashes: Vec<(&Evidence, &str)> =
                rows.iter().filter_map(|&row| Some((&self.evidence[row], self.truth(row, dimension)?))).collect();
            models.insert(dimension, training.fit(&crashes));
        }
        models
    }

    /// Predictions for every crash from models that never saw its notebook, by dimension; last the majority of the exception's name.
    fn out_of_fold(&self, training: &[(&str, Training)], seed: u64) -> HashMap<&'static str, Vec<JudgedLabel>> {
        let of = folds((0..self.rows.len()).map(|row| self.notebook(row)), 5, seed);
        let mut judged: HashMap<&'static str, Vec<JudgedLabel>> = HashMap::new();
        for fold in 0..5 {
            let (test, train): (Vec<usize>, Vec<usize>) =
                (0..self.rows.len()).partition(|&row| of[self.notebook(row)] == fold);
            let models = self.models(training, &train);
            let majority = self.majority(&train);
            for row in test {
                let labels = CrashLabels::by(&models, &self.evidence[row]);
                let mut add = |name: &'static str, dimension: &str, predicted: &str| {
                    if let Some(truth) = self.truth(row, dimension) {
                        let notebook = self.notebook(row).to_owned();
                        judged.entry(name).or_default().push(JudgedLabel {
                            notebook,
                            truth: truth.to_owned(),
                            predicted: predicted.to_owned(),
                        });
                    }
                };
                add(RootCause::DIMENSION, RootCause::DIMENSION, labels.root_cause.label.code());
                add(ExceptionType::DIMENSION, ExceptionType::DIMENSION, labels.exception_type.label.code());
                add(BugKind::DIMENSION, BugKind::DIMENSION, labels.ml_bug.label.code());
                add(Stage::DIMENSION, Stage::DIMENSION, labels.pipeline_stage.label.code());
                let most = majority.get(self.rows[row].ename.as_str()).copied().unwrap_or("API");
                add("majority of the name", RootCause::DIMENSION, most);
            }
        }
        judged
    }

    /// The most frequent cause of each exception's name.
    fn majority(&self, rows: &[usize]) -> HashMap<&str, &'static str> {
        let mut counts: HashMap<&str, HashMap<&'static str, usize>> = HashMap::new();
        for &row in rows {
            if let Some(truth) = self.truth(row, RootCause::DIMENSION) {
                *counts.entry(&self.rows[row].ename).or_default().entry(truth).or_default() += 1;
            }
        }
        let most = |counts: HashMap<&'static str, usize>| {
            counts.into_iter().max_by_key(|(label, count)| (*count, *label)).map_or("API", |(label, _)| label)
        };
        counts.into_iter().map(|(name, counts)| (name, most(counts))).collect()
    }
}

/// How each dimension is learnt.
fn training() -> Vec<(&'static str, Training)> {
    let of = |dimension: &'static str| match dimension {
        // Follows the exception's name closely.
        ExceptionType::DIMENSION => (dimension, Training { penalty: 1.0, ..Training::default() }),
        _ => (dimension, Training::default()),
    };
    DIMENSIONS.into_iter().map(of).collect()
}

#[expect(clippy::print_stdout, reason = "the figures are the program's output")]
fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["train", sheet, model] => {
            let learnt = Learnt::read(sheet);
            let all: Vec<usize> = (0..learnt.rows.len()).collect();
            let text = learnt.models(&training(), &all).written();
            std::fs::write(model, text).expect("a writable file");
        }
        ["folds", sheet, ref rest @ ..] => {
            let seeds = rest.first().and_then(|seeds| seeds.parse().ok()).unwrap_or(5);
            for line in report(&Learnt::read(sheet), seeds) {
                println!("{line}");
            }
        }
        ["score", sheet, ref rest @ ..] => {
            for line in score(&Learnt::read(sheet), rest.first().copied()) {
                println!("{line}");
            }
        }
        ["facts", sheet] => {
            let learnt = Learnt::read(sheet);
            for row in 0..learnt.rows.len() {
                let facts: Vec<&str> = learnt.evidence[row].facts().collect();
                let sign = learnt.evidence[row].sign_of_intention().unwrap_or("-");
                println!("{}\t{}\tsign={sign}", learnt.rows[row].id, facts.join("\t"));
            }
        }
        _ => println!("crash_labels train SHEET MODEL | folds SHEET [SEEDS] | score SHEET [DIMENSION]"),
    }
}

fn score(learnt: &Learnt, listed: Option<&str>) -> Vec<String> {
    let mut judged: [Vec<JudgedLabel>; 4] = [const { Vec::new() }; 4];
    let mut lines = Vec::new();
    for row in &learnt.rows {
        let truth = SheetLabels::of(row);
        let labels = classify(row.crash());
        let of_row = [
            (truth.root_cause, labels.root_cause.label.code(), labels.root_cause.reason),
            (truth.exception_type, labels.exception_type.label.code(), labels.exception_type.reason),
            (truth.ml_bug, labels.ml_bug.label.code(), labels.ml_bug.reason),
            (truth.stage, labels.pipeline_stage.label.code(), labels.pipeline_stage.reason),
        ];
        for ((dimension, judged), (truth, predicted, why)) in DIMENSIONS.iter().zip(&mut judged).zip(of_row) {
            if listed == Some(*dimension) && truth != predicted {
                lines.push(format!("{} {}: {truth}, {predicted} by us: {why}", row.id, row.ename));
            }
            judged.push(JudgedLabel { notebook: row.id.clone(), truth, predicted: predicted.to_owned() });
        }
    }
    for (dimension, judged) in DIMENSIONS.iter().zip(&judged) {
        let score = Confusion::of(judged).score();
        let [accuracy, ..] = intervals(judged, 1000, 1);
        lines.push(format!(
            "{dimension}: accuracy {:.3} ({:.3}-{:.3}), macro F1 {:.3}, kappa {:.3}",
            score.accuracy, accuracy.lower, accuracy.upper, score.macro_f1, score.kappa
        ));
    }
    lines
}

fn report(learnt: &Learnt, seeds: u64) -> Vec<String> {
    let mut lines = Vec::new();
    let mut sums: HashMap<&str, [f64; 3]> = HashMap::new();
    for seed in 1..=seeds {
        let judged = learnt.out_of_fold(&training(), seed);
        for (name, judged) in &judged {
            let score = Confusion::of(judged).score();
            let sum = sums.entry(name).or_default();
            for (sum, value) in sum.iter_mut().zip([score.accuracy, score.macro_f1, score.kappa]) {
                *sum += value / seeds as f64;
            }
            if seed == 1 {
                let [accuracy, f1, kappa] = intervals(judged, 1000, 1);
                lines.push(format!(
                    "seed 1, {name}: accuracy {:.3} ({:.3}-{:.3}), macro F1 {:.3} ({:.3}-{:.3}), kappa {:.3} ({:.3}-{:.3})",
                    score.accuracy, accuracy.lower, accuracy.upper, score.macro_f1, f1.lower, f1.upper, score.kappa, kappa.lower, kappa.upper
                ));
            }
        }
        if seed == 1 {
            let confusion = Confusion::of(&judged[RootCause::DIMENSION]);
            lines.push(format!("people (rows) and ours: {}", confusion.labels.join(" ")));
            for (label, counts) in confusion.labels.iter().zip(&confusion.counts) {
                lines.push(format!(
                    "{label:>6} {}",
                    counts.iter().map(|count| format!("{count:4}")).collect::<String>()
                ));
            }
        }
    }
    for (name, [accuracy, f1, kappa]) in sums {
        lines
            .push(format!("mean of {seeds} seeds, {name}: accuracy {accuracy:.3}, macro F1 {f1:.3}, kappa {kappa:.3}"));
    }
    lines.sort_by_key(|line| line.starts_with("mean"));
    lines
}
