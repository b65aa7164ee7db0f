//! The tables of a study that compares outputs (containers, Tables 1 and 2, Figures 2 to 4).

use std::collections::{BTreeMap, BTreeSet};

use nbrevive_compare::{Agreement, ScoreCategory};
use nbrevive_corpus::{Condition, Executability, Role};

use super::cell::Cell;
use super::output_classes::{ChangeClass, FailureTaxonomy};
use super::share_table::{ShareLine, ShareTable, column, line};
use crate::inputs::Inputs;
use crate::number_words::NOTHING;
use crate::outputs::{NotebookRow, Outputs};
use crate::sizes::Size;

/// Table 1: what is there, what has an environment, and what runs.
pub(super) fn composition(inputs: &Inputs, outputs: &Outputs) -> ShareTable {
    let mut lines = Vec::new();
    for condition in inputs.conditions() {
        let repositories: Vec<_> = outputs.environments(condition).collect();
        let notebooks: Vec<&NotebookRow> = outputs.under(condition).collect();
        let of_repositories = |word, count: usize| line(condition, [word], count, repositories.len());
        let of_notebooks = |word, count: usize| line(condition, [word], count, notebooks.len());
        let provisioned = notebooks.iter().filter(|row| row.has_environment()).count();
        let error_free = notebooks.iter().filter(|row| row.is_error_free()).count();
        lines.extend(wanted(condition, &outputs.wanted));
        if !repositories.is_empty() {
            let declaring = repositories.iter().filter(|row| row.declares).count();
            let listed = repositories.iter().filter(|row| row.has_requirements).count();
            lines.push(whole(condition, "repositories", repositories.len()));
            lines.push(of_repositories(
                "repositories with an environment",
                repositories.iter().filter(|row| row.is_built).count(),
            ));
            lines.push(of_repositories("repositories with requirements.txt", listed));
            lines.push(of_repositories("repositories without requirements.txt", repositories.len() - listed));
            lines.push(of_repositories("repositories that declare anything", declaring));
        }
        lines.push(whole(condition, "notebooks", notebooks.len()));
        lines.push(of_notebooks("notebooks with an environment", provisioned));
        lines.push(of_notebooks("notebooks without an error", error_free));
        lines.push(line(
            condition,
            ["notebooks without an error, of those with an environment"],
            error_free,
            provisioned,
        ));
        lines.push(of_notebooks("notebooks with errors", notebooks.len() - error_free));
        lines.push(of_notebooks("notebooks with the paper's signs of non-determinism", signed(&notebooks, true)));
        lines.push(of_notebooks("notebooks with unseeded signs of chance", signed(&notebooks, false)));
    }
    let note = "As Table 1 of the paper on containers; its six signs stand for themselves, ours follow imports and leave out what was \
                seeded. What became of repositories that were wanted is known where they were mined from a host: the paper's Kernel not \
                Found is no-kernel, its repositories with no Python notebooks no-notebooks, its invalid address, which was taken down, \
                blocked-by-law; its Module not Found has no counterpart.";
    let name = ("composition", "What was studied, what has an environment, and what runs");
    ShareTable::new(&inputs.data, name, vec![column("What", "what")], lines, note.to_owned()).of("Count")
}

/// What became of the repositories that were wanted; nothing where none were.
fn wanted(condition: Condition, states: &BTreeMap<String, u32>) -> Vec<ShareLine> {
    let all = states.values().sum::<u32>() as usize;
    let of_state = |(state, count): (&String, &u32)| {
        let word = format!("wanted repositories: {state}");
        line(condition, [word.as_str()], *count as usize, all)
    };
    let first = (all > 0).then(|| whole(condition, "wanted repositories", all));
    first.into_iter().chain(states.iter().map(of_state)).collect()
}

/// A line of all there are.
fn whole(condition: Condition, word: &str, count: usize) -> ShareLine {
    ShareLine { cell: Cell::whole(count as u64), ..line(condition, [word], 0, 0) }
}

fn signed(notebooks: &[&NotebookRow], paper: bool) -> usize {
    notebooks.iter().filter(|row| row.cells.is_signed(paper)).count()
}

/// Cells by how far they agree.
pub(super) fn cells(inputs: &Inputs, outputs: &Outputs) -> ShareTable {
    let mut lines = Vec::new();
    for condition in inputs.conditions() {
        let sum = |of: &dyn Fn(&NotebookRow) -> u64| outputs.under(condition).map(of).sum::<u64>() as usize;
        let comparable = sum(&|row| row.cells.comparable());
        for level in Agreement::ALL.iter().filter(|level| **level != Agreement::Different) {
            lines.push(line(condition, [level.as_str()], sum(&|row| row.cells.at(*level)), comparable));
        }
        let (unchanged, all) = (sum(&|row| row.cells.unchanged), sum(&|row| row.cells.code_cells));
        lines.push(line(condition, ["unchanged for nbdime"], unchanged, all));
    }
    let note = "Each level holds all stricter ones. Of our levels the whole are cells that show something in the saved notebook and ran; \
                nbdime's verdict is over all code cells, nothing equal to nothing, as the paper's score counts.";
    let name = ("cells-as-saved", "Cells that show what was saved, by how much is asked");
    ShareTable::new(&inputs.data, name, vec![column("Level", "level")], lines, note.to_owned()).of("Cells")
}

/// Figure 4b: notebooks by the category of their score.
pub(super) fn categories(inputs: &Inputs, outputs: &Outputs) -> ShareTable {
    type Score = fn(&NotebookRow) -> Option<f64>;
    let scores: [(&str, Score); 3] = [
        ("paper", NotebookRow::score_of_paper),
        ("exact", |row| row.score_at(Agreement::Exact)),
        ("picture", |row| row.score_at(Agreement::Picture)),
    ];
    let mut lines = Vec::new();
    for condition in inputs.conditions() {
        for (word, score) in scores {
            let scores: Vec<f64> = outputs.under(condition).filter_map(score).collect();
            for category in ScoreCategory::ALL {
                let count = scores.iter().filter(|score| ScoreCategory::of(**score) == *category).count();
                lines.push(line(condition, [word, category.as_str()], count, scores.len()));
            }
        }
    }
    let note = "poor is a score of at most 0.2 and perfect one of 1, as the paper prints them; the bins between are ours. A notebook \
                without an environment scores 0; one without comparable cells has none of our scores.";
    let name = ("score-categories", "Notebooks by the share of their cells that show what was saved");
    let columns = vec![column("Score", "score"), column("Category", "category")];
    ShareTable::new(&inputs.data, name, columns, lines, note.to_owned()).of("Notebooks")
}

/// Notebooks under the baseline and under another condition.
struct Pairs<'o> {
    condition: Condition,
    pairs: Vec<(&'o NotebookRow, &'o NotebookRow)>,
}

/// Those of each condition but the baseline.
fn pairs<'o>(inputs: &Inputs, outputs: &'o Outputs) -> Vec<Pairs<'o>> {
    let baseline = inputs.data.condition(Role::Baseline);
    let before: BTreeMap<&str, &NotebookRow> =
        outputs.under(baseline).map(|row| (row.run.version.as_str(), row)).collect();
    let pairs = |condition| {
        let pairs = outputs.under(condition).filter_map(|now| Some((*before.get(now.run.version.as_str())?, now)));
        Pairs { condition, pairs: pairs.collect() }
    };
    inputs.conditions().into_iter().filter(|condition| *condition != baseline).map(pairs).collect()
}

/// Table 2: what each condition changes against the baseline, by notebook and by repository.
pub(super) fn classes(inputs: &Inputs, outputs: &Outputs) -> ShareTable {
    let baseline = inputs.data.condition(Role::Baseline);
    let unbuilt: BTreeSet<&str> =
        outputs.environments(baseline).filter(|row| !row.is_built).map(|row| row.repository.as_str()).collect();
    let mut lines = Vec::new();
    for Pairs { condition, pairs } in pairs(inputs, outputs) {
        let resolved =
            outputs.environments(condition).filter(|row| row.is_built && unbuilt.contains(row.repository.as_str()));
        lines.push(line(
            condition,
            ["repositories without an environment before", ChangeClass::Resolved.as_str()],
            resolved.count(),
            unbuilt.len(),
        ));
        let repositories: BTreeSet<&str> = pairs.iter().filter_map(|(_, now)| now.repository.as_deref()).collect();
        for class in ChangeClass::ALL {
            let of_class = || pairs.iter().filter(|(before, now)| ChangeClass::of(before, now).contains(class));
            let touched: BTreeSet<&str> = of_class().filter_map(|(_, now)| now.repository.as_deref()).collect();
            lines.push(line(condition, ["notebooks", class.as_str()], of_class().count(), pairs.len()));
            lines.push(line(condition, ["repositories", class.as_str()], touched.len(), repositories.len()));
        }
    }
    let note = format!(
        "Against {baseline}. A notebook may be of several classes: one that had no environment and now raises is both failure-resolved and \
         persistent-error. A repository is of each class that one of its notebooks is of."
    );
    let name = ("classes", "What another environment changes");
    let columns = vec![column("Of", "unit"), column("Class", "class")];
    ShareTable::new(&inputs.data, name, columns, lines, note).of("Count")
}

/// Notebooks that are of two classes of Table 2.
pub(super) fn overlaps(inputs: &Inputs, outputs: &Outputs) -> ShareTable {
    let mut lines = Vec::new();
    for Pairs { condition, pairs } in pairs(inputs, outputs) {
        let classes: Vec<Vec<ChangeClass>> = pairs.iter().map(|(before, now)| ChangeClass::of(before, now)).collect();
        for (place, one) in ChangeClass::ALL.iter().enumerate() {
            for other in &ChangeClass::ALL[place + 1..] {
                let count = classes.iter().filter(|found| found.contains(one) && found.contains(other)).count();
                if count > 0 {
                    lines.push(line(condition, [one.as_str(), other.as_str()], count, pairs.len()));
                }
            }
        }
    }
    let note = "Pairs of classes that no notebook is of together are left out.".to_owned();
    let name = ("class-overlaps", "Notebooks that are of two classes of change together");
    let columns = vec![column("Class", "class"), column("And", "other_class")];
    ShareTable::new(&inputs.data, name, columns, lines, note).of("Notebooks")
}

/// What stops a notebook: the class of its first error, the paper's word where it has no environment, or how the run ended; none where
/// nothing does.
pub(crate) fn first_error(row: &NotebookRow) -> Option<&str> {
    match (row.run.executability, row.run.first_error.as_deref()) {
        (Executability::Executable, _) => None,
        (Executability::NoEnvironment, _) => Some("Install Dependency Error"),
        (_, Some(class)) => Some(class),
        (word, None) => Some(word.as_str()),
    }
}

/// How many notebooks each class stops, the most frequent first, by name where they are equal.
pub(crate) fn error_counts<'a>(rows: impl Iterator<Item = &'a NotebookRow>) -> Vec<(&'a str, usize)> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    rows.filter_map(first_error).for_each(|class| *counts.entry(class).or_default() += 1);
    let mut counts: Vec<(&str, usize)> = counts.into_iter().collect();
    counts.sort_by_key(|(class, count)| (std::cmp::Reverse(*count), *class));
    counts
}

/// Figure 2: what stops notebooks, by the class of their first error.
pub(super) fn error_types(inputs: &Inputs, outputs: &Outputs) -> ShareTable {
    let mut lines = Vec::new();
    for condition in inputs.conditions() {
        let failed: Vec<&NotebookRow> = outputs.under(condition).filter(|row| !row.is_error_free()).collect();
        let counts = error_counts(failed.iter().copied());
        lines.extend(counts.into_iter().map(|(class, count)| line(condition, [class], count, failed.len())));
    }
    let note = "Of notebooks that do not run without an error, the class of the first one; the paper's word stands for an environment that \
                could not be built. In data of ids alone `other` stands for every class that is not Python's own."
        .to_owned();
    let name = ("first-errors", "What stops notebooks, by the class of the first error");
    ShareTable::new(&inputs.data, name, vec![column("Error", "error")], lines, note).of("Notebooks")
}

/// The paper's four causes of failure, and what is none of them.
pub(super) fn taxonomy(inputs: &Inputs, outputs: &Outputs) -> ShareTable {
    let mut lines = Vec::new();
    for condition in inputs.conditions() {
        let causes: Vec<FailureTaxonomy> = outputs.under(condition).filter_map(FailureTaxonomy::of).collect();
        let of = |cause: &FailureTaxonomy| causes.iter().filter(|found| *found == cause).count();
        lines.extend(
            FailureTaxonomy::ALL.iter().map(|cause| line(condition, [cause.as_str()], of(cause), causes.len())),
        );
    }
    let note = "By what the first error stands for and by its class, as the paper's taxonomy names them (section 4.2); network and other are \
                ours. The paper counts deprecated APIs among the obsolete dependencies: here only what cannot be imported is, since an \
                AttributeError or a TypeError does not say whose it is, and stands as other. So do, in data of ids alone, classes that are \
                not Python's own."
        .to_owned();
    let name = ("failure-taxonomy", "Why notebooks do not run");
    ShareTable::new(&inputs.data, name, vec![column("Cause", "cause")], lines, note).of("Notebooks")
}

/// Whether a repository is of a group: by whether it has `requirements.txt`, and whether it declares anything.
type Declaring = fn((bool, bool)) -> bool;

/// Figures 3 and 4a: what runs and what shows what was saved, with and without declared requirements.
pub(super) fn requirements(inputs: &Inputs, outputs: &Outputs) -> ShareTable {
    let mut lines = Vec::new();
    for condition in inputs.conditions() {
        let states: BTreeMap<&str, (bool, bool)> = outputs
            .environments(condition)
            .map(|row| (row.repository.as_str(), (row.has_requirements, row.declares)))
            .collect();
        let state_of = |row: &NotebookRow| states.get(row.repository.as_deref()?).copied();
        let groups: [(&str, Declaring); 4] = [
            ("requirements.txt", |(listed, _)| listed),
            ("no requirements.txt", |(listed, _)| !listed),
            ("declares anything", |(_, declares)| declares),
            ("declares nothing", |(_, declares)| !declares),
        ];
        for (word, is_of) in groups {
            let rows: Vec<&NotebookRow> =
                outputs.under(condition).filter(|row| state_of(row).is_some_and(is_of)).collect();
            if rows.is_empty() {
                continue;
            }
            let error_free = rows.iter().filter(|row| row.is_error_free()).count();
            lines.push(line(condition, [word, "notebooks without an error"], error_free, rows.len()));
            let sum = |of: &dyn Fn(&NotebookRow) -> u64| rows.iter().map(|row| of(row)).sum::<u64>() as usize;
            let (unchanged, all) = (sum(&|row| row.cells.unchanged), sum(&|row| row.cells.code_cells));
            lines.push(line(condition, [word, "cells unchanged for nbdime"], unchanged, all));
            lines.push(line(
                condition,
                [word, "cells with the same values"],
                sum(&|row| row.cells.at(Agreement::Picture)),
                sum(&|row| row.cells.comparable()),
            ));
        }
    }
    let note = format!(
        "By what the repository of a notebook declares. Shares of cells are over all cells of these notebooks together. {}",
        mean_scores(inputs, outputs)
    );
    let name = ("by-requirements", "What runs and what shows what was saved, by what the repository declares");
    let columns = vec![column("Repository", "repository_state"), column("What", "what")];
    ShareTable::new(&inputs.data, name, columns, lines, note).of("Count")
}

/// Means of the paper's score with and without `requirements.txt`, which the paper prints.
fn mean_scores(inputs: &Inputs, outputs: &Outputs) -> String {
    let mean = |condition: Condition, listed: bool| {
        let rows = outputs.under(condition).filter(|row| outputs.is_listed(row) == Some(listed));
        let scores: Vec<f64> = rows.filter_map(NotebookRow::score_of_paper).collect();
        (!scores.is_empty()).then(|| scores.iter().sum::<f64>() / scores.len() as f64)
    };
    let text = |mean: Option<f64>| mean.map_or_else(|| NOTHING.to_owned(), |mean| format!("{mean:.3}"));
    let ours = inputs
        .conditions()
        .into_iter()
        .map(|condition| format!("{condition} {} and {}", text(mean(condition, true)), text(mean(condition, false))));
    let said = |name| inputs.lines.said(name);
    let printed = said("mean score with requirements").zip(said("mean score without requirements"));
    let printed = printed.map(|(with, without)| format!("; the paper prints {with} and {without}")).unwrap_or_default();
    let ours = ours.collect::<Vec<_>>().join(", ");
    format!("Means of the paper's score with and without requirements.txt: {ours}{printed}.")
}

/// Notebooks that run, by how much text stands beside their code (containers, section 3.2); none where that is not known.
pub(super) fn text_ratio(inputs: &Inputs, outputs: &Outputs) -> Option<ShareTable> {
    let ratio_of = |row: &NotebookRow| inputs.sizes.get(&row.run.version).and_then(Size::text_ratio);
    let mut lines = Vec::new();
    for condition in inputs.conditions() {
        let mut least = 0.0;
        for (word, most) in TEXT_RATIOS {
            let is_within = |ratio: f64| ratio <= most && (ratio > least || most == 0.0);
            let rows = || outputs.under(condition).filter(|row| ratio_of(row).is_some_and(is_within));
            lines.push(line(condition, [word], rows().filter(|row| row.is_error_free()).count(), rows().count()));
            least = most;
        }
    }
    let ratios: Vec<f64> = outputs.under(inputs.data.condition(Role::Baseline)).filter_map(ratio_of).collect();
    let quartiles = nbrevive_stats::quantiles(&ratios, &[0.25, 0.5, 0.75]).unwrap_or_default();
    let quartiles: Vec<String> = quartiles.iter().map(|ratio| format!("{ratio:.2}")).collect();
    let note = format!(
        "Of notebooks with so many cells of text for one of code, those that run without an error; the bins are ours. Quartiles of the \
         ratio: {}.",
        quartiles.join(", ")
    );
    let name = ("text-ratio", "Notebooks that run, by the ratio of cells of text to cells of code");
    let table = ShareTable::new(&inputs.data, name, vec![column("Ratio", "ratio")], lines, note).of("Without an error");
    (!ratios.is_empty()).then_some(table)
}

/// Bins of the ratio by their upper ends, which are in them.
const TEXT_RATIOS: [(&str, f64); 4] =
    [("no text", 0.0), ("up to 0.5", 0.5), ("up to 1", 1.0), ("more than 1", f64::INFINITY)];

/// How well signs in the code tell that two runs of ours differ.
pub(super) fn chance(inputs: &Inputs, outputs: &Outputs) -> ShareTable {
    let mut lines = Vec::new();
    for condition in inputs.conditions() {
        for (word, paper) in [("paper's", true), ("ours", false)] {
            let cells: Vec<(bool, bool)> = outputs.under(condition).flat_map(|row| row.cells.repeated(paper)).collect();
            if cells.is_empty() {
                continue;
            }
            let count = |signed: Option<bool>, differs: Option<bool>| {
                let is = |(is_signed, same): &&(bool, bool)| {
                    signed.is_none_or(|signed| signed == *is_signed) && differs.is_none_or(|differs| differs != *same)
                };
                cells.iter().filter(is).count()
            };
            let both = count(Some(true), Some(true));
            lines.push(line(
                condition,
                [word, "cells with a sign that differ (precision)"],
                both,
                count(Some(true), None),
            ));
            lines.push(line(
                condition,
                [word, "cells that differ and have a sign (recall)"],
                both,
                count(None, Some(true)),
            ));
            lines.push(line(
                condition,
                [word, "cells without a sign that differ"],
                count(Some(false), Some(true)),
                count(Some(false), None),
            ));
        }
    }
    let note = "Cells of which two runs of ours are known, in one environment; they differ where the level normalized does not hold. A cell \
                may differ by what one before it drew: the sign stands there then.";
    let name = ("signs-of-chance", "How well signs of chance in the code tell cells that differ by themselves");
    let columns = vec![column("Signs", "signs"), column("What", "what")];
    ShareTable::new(&inputs.data, name, columns, lines, note.to_owned()).of("Cells")
}
