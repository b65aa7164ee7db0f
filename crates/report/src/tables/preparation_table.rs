//! What each preparation adds: alone, to all others, and whatever the order in which they are put back (Shapley's value).

use std::collections::{BTreeMap, BTreeSet};

use nbrevive_corpus::{Condition, Preparation, Restorer, Role};

use super::mean_table::{MeanLine, MeanTable};
use super::share_table::column;
use crate::executability::ExecutabilityRow;
use crate::inputs::Inputs;
use crate::restored::{PreparedCondition, degree, under};

/// Sets of preparations as bits, in the order of [`Preparation::ALL`].
type Bits = usize;

/// All sets.
const SETS: usize = 1 << Preparation::ALL.len();

fn bits(of: &BTreeSet<Preparation>) -> Bits {
    Preparation::ALL.iter().enumerate().filter(|(_, one)| of.contains(one)).map(|(place, _)| 1_usize << place).sum()
}

/// The condition of each set, where every set has one.
fn conditions(of: &[PreparedCondition], baseline: Condition) -> Option<[Condition; SETS]> {
    let mut found: BTreeMap<Bits, Condition> = BTreeMap::from([(0, baseline)]);
    for one in of.iter().filter(|one| one.by == Restorer::Rules && !one.hides && !one.prepare.is_empty()) {
        found.entry(bits(&one.prepare)).or_insert(one.condition);
    }
    (found.len() == SETS).then(|| std::array::from_fn(|set| found[&set]))
}

/// What a set of preparations came to in one notebook.
type Measure = fn(&ExecutabilityRow) -> f64;

/// What one preparation adds, of one value that each set came to.
#[derive(Debug, PartialEq)]
struct Added {
    alone: f64,
    to_all_others: f64,
    whatever_the_order: f64,
}

/// One of the ways in which it is counted what a preparation adds.
type Way = fn(&Added) -> f64;

fn added(values: &[f64; SETS], place: usize) -> Added {
    let own: Bits = 1 << place;
    let count = Preparation::ALL.len();
    let factorial = |number: usize| (1..=number).product::<usize>() as f64;
    let sets = (0..SETS).filter(|set| set & own == 0);
    // Of all orders, those in which exactly this set comes before.
    let share = |set: Bits| {
        let before = set.count_ones() as usize;
        factorial(before) * factorial(count - before - 1) / factorial(count)
    };
    Added {
        alone: values[own] - values[0],
        to_all_others: values[SETS - 1] - values[SETS - 1 - own],
        whatever_the_order: sets.map(|set| share(set) * (values[set | own] - values[set])).sum(),
    }
}

/// The table; none where a set of preparations has no condition.
pub(super) fn table(inputs: &Inputs) -> Option<MeanTable> {
    let baseline = inputs.data.condition(Role::Baseline);
    let conditions = conditions(&inputs.restored.prepared, baseline)?;
    let mut rows: BTreeMap<&str, Vec<&ExecutabilityRow>> = BTreeMap::new();
    for condition in conditions {
        for row in under(&inputs.executability, condition) {
            rows.entry(&row.version).or_default().push(row);
        }
    }
    // One row a set, in their order.
    let whole: Vec<[&ExecutabilityRow; SETS]> = rows.into_values().filter_map(|rows| rows.try_into().ok()).collect();
    let measures: [(&str, Measure); 3] = [
        ("notebooks that run whole", |row| f64::from(u8::from(row.ran_before_error == row.code_cells))),
        ("cells before the first error", |row| degree(row, false)),
        ("cells past errors", |row| degree(row, true)),
    ];
    let mut lines = Vec::new();
    for (measure, of) in measures {
        let values: Vec<[f64; SETS]> = whole.iter().map(|rows| rows.map(of)).collect();
        for (place, what) in Preparation::ALL.iter().enumerate() {
            let all: Vec<Added> = values.iter().map(|values| added(values, place)).collect();
            let ways: [(&str, Way); 3] = [
                ("alone", |added| added.alone),
                ("to all others", |added| added.to_all_others),
                ("whatever the order", |added| added.whatever_the_order),
            ];
            for (way, of) in ways {
                let values: Vec<f64> = all.iter().map(of).collect();
                lines.push(MeanLine::of(conditions[SETS - 1], [measure, what.as_str(), way], &values));
            }
        }
        let together: Vec<f64> = values.iter().map(|values| values[SETS - 1] - values[0]).collect();
        lines.push(MeanLine::of(conditions[SETS - 1], [measure, "all", "together"], &together));
    }
    let note = "What is added to the notebooks as they are, in points, over all notebooks that ran with every set of preparations. Whatever \
                the order: the mean over all orders in which they can be put back, Shapley's value; these sum up to all together.";
    let name = ("preparations", "What each preparation adds, alone, to all others, and whatever the order");
    let columns = vec![column("Of", "measure"), column("Preparation", "preparation"), column("Added", "way")];
    Some(MeanTable::new(inputs, name, columns, lines, note))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_free_shares_sum_up_to_all_together() {
        // The second helps only once the first is there, and the third always by a tenth.
        let values: [f64; SETS] = std::array::from_fn(|set| {
            let has = |place: usize| set & (1 << place) != 0;
            f64::from(u8::from(has(0))) * 0.2
                + f64::from(u8::from(has(0) && has(1))) * 0.4
                + f64::from(u8::from(has(2))) * 0.1
        });
        let of = [0, 1, 2].map(|place| added(&values, place));
        let near = |one: f64, other: f64| (one - other).abs() < 1e-12;
        assert!(
            near(of[0].alone, 0.2) && near(of[0].to_all_others, 0.6) && near(of[0].whatever_the_order, 0.4),
            "{of:?}"
        );
        assert!(
            near(of[1].alone, 0.0) && near(of[1].to_all_others, 0.4) && near(of[1].whatever_the_order, 0.2),
            "{of:?}"
        );
        assert!(near(of[2].alone, 0.1) && near(of[2].whatever_the_order, 0.1), "{of:?}");
        assert!(near(of.iter().map(|added| added.whatever_the_order).sum(), values[SETS - 1] - values[0]));
    }

    #[test]
    fn every_set_needs_a_condition_of_rules_that_hides_nothing() {
        let one = |set: Bits| PreparedCondition {
            condition: format!("set-{set}").parse().unwrap(),
            prepare: Preparation::ALL
                .iter()
                .enumerate()
                .filter(|(place, _)| set & (1 << place) != 0)
                .map(|(_, one)| *one)
                .collect(),
            by: Restorer::Rules,
            hides: false,
        };
        let all: Vec<PreparedCondition> = (1..SETS).map(one).collect();
        let found = conditions(&all, Condition::BASELINE).unwrap();
        assert_eq!((found[0], found[5].as_str()), (Condition::BASELINE, "set-5"));
        assert_eq!(conditions(&all[1..], Condition::BASELINE), None);
        let mut hiding = all;
        hiding[0].hides = true;
        assert_eq!(conditions(&hiding, Condition::BASELINE), None);
    }
}
