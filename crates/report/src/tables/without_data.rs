//! Whether notebooks run as far with files that are made up as with their own, which the paper could not ask: its files were gone.

use std::collections::BTreeMap;

use nbrevive_corpus::{Condition, Preparation};

use super::share_table::{ShareLine, ShareTable, column, line};
use crate::executability::ExecutabilityRow;
use crate::inputs::Inputs;
use crate::restored::{PreparedCondition, under};

/// A condition that hides files and makes others up, and the two that it is told from: with the real files, and with none.
struct Triple<'a> {
    made_up: &'a PreparedCondition,
    real: Condition,
    hidden: Condition,
}

/// The triples of a study: alike but for the files.
fn triples(of: &[PreparedCondition]) -> Vec<Triple<'_>> {
    let makes_up = |one: &&PreparedCondition| one.hides && one.prepare.contains(&Preparation::Files);
    of.iter().filter(makes_up).filter_map(|made_up| triple(of, made_up)).collect()
}

fn triple<'a>(of: &'a [PreparedCondition], made_up: &'a PreparedCondition) -> Option<Triple<'a>> {
    let mut rest = made_up.prepare.clone();
    rest.remove(&Preparation::Files);
    // Where nothing else is put back, nobody has to say what.
    let alike = |one: &PreparedCondition| one.prepare == rest && (one.by == made_up.by || rest.is_empty());
    let found = |hides: bool| of.iter().find(|one| one.hides == hides && alike(one)).map(|one| one.condition);
    Some(Triple { made_up, real: found(false)?, hidden: found(true)? })
}

/// How many code cells ran, in one of the ways in which they are counted.
type CellsOf = fn(&ExecutabilityRow) -> u32;

type ByVersion<'a> = BTreeMap<&'a str, &'a ExecutabilityRow>;

fn by_version(inputs: &Inputs, condition: Condition) -> ByVersion<'_> {
    under(&inputs.executability, condition).map(|row| (row.version.as_str(), row)).collect()
}

/// The table; none where no condition hides files.
pub(super) fn table(inputs: &Inputs) -> Option<ShareTable> {
    let triples = triples(&inputs.restored.prepared);
    let rows = |condition| by_version(inputs, condition);
    let lines: Vec<ShareLine> = triples
        .iter()
        .flat_map(|triple| {
            let (real, hidden) = (rows(triple.real), rows(triple.hidden));
            lines(triple.made_up.condition, &real, &hidden, &rows(triple.made_up.condition))
        })
        .collect();
    let note = "The files that a notebook reads, as its code tells, are hidden although they lie beside it. Needs them: more of its code cells run \
                with them than when they are hidden and nothing is made up. As far: no fewer of its code cells run with files that are made up \
                than with its own.";
    let name = ("without-data", "Notebooks without their data: how far with files that are made up");
    let columns = vec![column("Cells that run", "way"), column("Notebooks that", "what")];
    let table = ShareTable::new(&inputs.data, name, columns, lines, note.to_owned()).of("Notebooks");
    (!triples.is_empty()).then_some(table)
}

/// The lines of one condition, over notebooks that ran in all three ways.
fn lines(
    condition: Condition,
    real: &ByVersion<'_>,
    hidden: &ByVersion<'_>,
    made_up: &ByVersion<'_>,
) -> Vec<ShareLine> {
    let all: Vec<[&ExecutabilityRow; 3]> = made_up
        .iter()
        .filter_map(|(version, made)| Some([*real.get(version)?, *hidden.get(version)?, *made]))
        .collect();
    let ways: [(&str, CellsOf); 2] =
        [("past errors", |row| row.ran), ("before the first error", |row| row.ran_before_error)];
    let of_way = |(way, ran): (&str, CellsOf)| {
        let needs: Vec<_> = all.iter().filter(|[real, hidden, _]| ran(real) > ran(hidden)).collect();
        let count = |holds: &dyn Fn(&[&ExecutabilityRow; 3]) -> bool| needs.iter().filter(|three| holds(three)).count();
        let whole: Vec<_> = needs.iter().filter(|[real, ..]| ran(real) == real.code_cells).collect();
        let whole_again = whole.iter().filter(|[_, _, made]| ran(made) == made.code_cells).count();
        [
            line(condition, [way, "need their files, of all"], needs.len(), all.len()),
            line(
                condition,
                [way, "run as far with made-up ones, of these"],
                count(&|[real, _, made]| ran(made) >= ran(real)),
                needs.len(),
            ),
            line(
                condition,
                [way, "run further than without, of these"],
                count(&|[_, hidden, made]| ran(made) > ran(hidden)),
                needs.len(),
            ),
            line(condition, [way, "run whole with both, of those that do with their own"], whole_again, whole.len()),
        ]
    };
    ways.into_iter().flat_map(of_way).collect()
}

#[cfg(test)]
mod tests {
    use nbrevive_corpus::{Executability, Restorer};

    use super::*;

    fn row(version: &str, ran: u32) -> ExecutabilityRow {
        ExecutabilityRow {
            version: version.to_owned(),
            condition: Condition::BASELINE,
            executability: Executability::OtherError,
            code_cells: 4,
            ran_before_error: ran,
            ran,
            first_error: None,
            first_error_cell: None,
        }
    }

    #[test]
    fn a_condition_is_told_from_those_that_differ_in_the_files_alone() {
        let one = |name: &str, prepare: &[Preparation], hides| PreparedCondition {
            condition: name.parse().unwrap(),
            prepare: prepare.iter().copied().collect(),
            by: Restorer::Rules,
            hides,
        };
        let (modules, both) = ([Preparation::Modules], [Preparation::Modules, Preparation::Files]);
        let all = [
            one("as-it-is", &[], false),
            one("modules", &modules, false),
            one("all", &both, false),
            one("hidden", &modules, true),
            one("made-up", &both, true),
        ];
        let found = triples(&all);
        assert_eq!(found.len(), 1);
        let names = [found[0].made_up.condition, found[0].real, found[0].hidden].map(Condition::as_str);
        assert_eq!(names, ["made-up", "modules", "hidden"]);
        assert!(triples(&all[..4]).is_empty() && triples(&all[2..]).is_empty());
    }

    #[test]
    fn only_notebooks_that_need_their_files_are_asked() {
        let of = |counts: [u32; 4]| {
            ["a", "b", "c", "d"].into_iter().zip(counts).map(|(name, ran)| row(name, ran)).collect::<Vec<_>>()
        };
        // `a` needs nothing, `b` comes as far, `c` further than without, `d` no further.
        let (real, hidden, made) = (of([2, 4, 4, 3]), of([2, 1, 1, 1]), of([3, 4, 2, 1]));
        let by = |rows: &'static [ExecutabilityRow]| {
            rows.iter().map(|row| (row.version.as_str(), row)).collect::<ByVersion<'_>>()
        };
        let [real, hidden, made] = [real, hidden, made].map(|rows| by(rows.leak()));
        let counts: Vec<(u64, u64)> = lines(Condition::BASELINE, &real, &hidden, &made)
            .iter()
            .map(|line| (line.cell.count(), line.cell.of()))
            .collect();
        assert_eq!(counts[..4], [(3, 4), (1, 3), (2, 3), (1, 2)]);
        assert_eq!(counts[..4], counts[4..]);
    }
}
