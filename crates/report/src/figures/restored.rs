//! Figures of a study of executability (ReNote, Figures 5 to 10).

use std::collections::BTreeMap;

use nbrevive_corpus::{Condition, Role};

use super::charted::ChartFigure;
use super::grouped::Bars;
use crate::executability::ExecutabilityRow;
use crate::inputs::Inputs;
use crate::restored::{degree, under};
use crate::tables::{Notion, notion, star_counts};

fn names(of: &Inputs) -> Vec<String> {
    of.conditions().iter().map(ToString::to_string).collect()
}

/// Figure 5: notebooks by the stars of their repositories; none where nobody told them.
pub(super) fn stars(of: &Inputs) -> Option<ChartFigure> {
    let counts = star_counts(of, of.data.condition(Role::Baseline));
    let bars = Bars {
        name: "5",
        said: &[],
        title: "Figure 5. Notebooks by the stars of their repositories",
        axes: ("Stars", "Notebooks"),
        counted: ("notebook", "whose stars are known"),
        groups: counts.iter().map(|(word, _)| (*word).to_owned()).collect(),
        series: vec![("notebooks".to_owned(), counts.iter().map(|(_, count)| *count).collect())],
    };
    counts.iter().any(|(_, count)| *count > 0).then(|| bars.figure(of))
}

/// Figures 6 and 10: what runs, could run and could not, as notebooks are and after each preparation.
pub(super) fn notions(of: &Inputs) -> ChartFigure {
    let kinds = [
        ("executable", Notion::Executable),
        ("restorable", Notion::Restorable),
        ("pathological", Notion::Pathological),
        ("apart", Notion::Apart),
    ];
    let counts = |wanted: Notion| {
        let count = |condition: Condition| {
            under(&of.executability, condition).filter(|row| notion(row) == wanted).count() as u64
        };
        of.conditions().into_iter().map(count).collect::<Vec<_>>()
    };
    let bars = Bars {
        name: "6",
        said: &[],
        title: "Figures 6 and 10. Notebooks that run, could run, and could not",
        axes: ("Condition", "Notebooks"),
        counted: ("notebook", "in all conditions together"),
        groups: names(of),
        series: kinds.iter().map(|(label, wanted)| ((*label).to_owned(), counts(*wanted))).collect(),
    };
    bars.figure(of)
}

/// Tenths, as the paper's histograms have them.
const TENTHS: usize = 10;

fn tenth(share: f64) -> usize {
    // The upper end belongs to the last.
    ((share * TENTHS as f64) as usize).min(TENTHS - 1)
}

fn tenths() -> Vec<String> {
    (0..TENTHS).map(|tenth| format!("{}–{} %", tenth * 10, (tenth + 1) * 10)).collect()
}

/// Figure 7: how far pathological notebooks run, as they are.
pub(super) fn degrees(of: &Inputs) -> ChartFigure {
    let baseline = of.data.condition(Role::Baseline);
    let counts = |is_tolerant: bool| {
        let mut counts = vec![0; TENTHS];
        for row in under(&of.executability, baseline).filter(|row| notion(row) == Notion::Pathological) {
            counts[tenth(degree(row, is_tolerant))] += 1;
        }
        counts
    };
    let bars = Bars {
        name: "7",
        said: &[],
        title: "Figure 7. How far pathological notebooks run",
        axes: ("Share of code cells before the first error", "Notebooks"),
        counted: ("pathological notebook", "as they are"),
        groups: tenths(),
        series: vec![("before the first error".to_owned(), counts(false))],
    };
    bars.figure(of)
}

/// Figures 8 and 9: how much further notebooks run under each condition that puts something back.
pub(super) fn gains(of: &Inputs) -> ChartFigure {
    let baseline = of.data.condition(Role::Baseline);
    let before: BTreeMap<&str, &ExecutabilityRow> =
        under(&of.executability, baseline).map(|row| (row.version.as_str(), row)).collect();
    let counts = |condition: Condition| {
        let mut counts = vec![0; TENTHS];
        for row in under(&of.executability, condition) {
            let gain =
                before.get(row.version.as_str()).map_or(0.0, |before| degree(row, false) - degree(before, false));
            if gain > 0.0 {
                counts[tenth(gain)] += 1;
            }
        }
        (condition.to_string(), counts)
    };
    let bars = Bars {
        name: "8",
        said: &[],
        title: "Figures 8 and 9. How much further notebooks run with what was put back",
        axes: ("Gain, share of code cells before the first error", "Notebooks"),
        counted: ("notebook", "which run further, in all conditions together"),
        groups: tenths(),
        series: of.data.study.roles.in_order(of.restored.conditions()).into_iter().map(counts).collect(),
    };
    bars.figure(of)
}
