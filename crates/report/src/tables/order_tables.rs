//! The tables of a study of orders (Osiris, Tables 1 to 4, Figures 7 and 8, sections 3.4, 5.1 and 5.4).

use std::collections::BTreeMap;

use nbrevive_compare::Agreement;
use nbrevive_corpus::{Condition, Role};

use super::share_table::{ShareLine, ShareTable, column, line};
use crate::inputs::Inputs;
use crate::outputs::{MismatchSign, OrderedNotebook, OrderingCondition, Orders};

const LEVELS: [Agreement; 4] = [Agreement::Exact, Agreement::Normalized, Agreement::Value, Agreement::Picture];

/// Tables 1 and 3: notebooks that run in an order, and of these those that show what was saved, or twice the same.
pub(super) fn matches(inputs: &Inputs, orders: &Orders) -> ShareTable {
    let mut lines = Vec::new();
    for OrderingCondition { condition, .. } in &orders.conditions {
        let all: Vec<&OrderedNotebook> = orders.under(*condition).map(|(_, row)| row).collect();
        let run: Vec<&OrderedNotebook> = all.iter().copied().filter(|row| row.run > 0).collect();
        lines.push(line(*condition, ["run", "whole"], run.len(), all.len()));
        let empty = run.iter().filter(|row| row.compared == 0).count();
        lines.push(line(*condition, ["nothing to compare", "whole"], empty, run.len()));
        for (what, of) in [("as saved", as_saved as LevelOf), ("twice the same", twice)] {
            if what == "as saved" || all.iter().any(|row| row.ran_twice) {
                let at = |level| run.iter().filter(|row| of(row).is_some_and(|found| found.holds_at(level))).count();
                lines.extend(LEVELS.map(|level| line(*condition, [what, level.as_str()], at(level), run.len())));
            }
        }
    }
    let note = "Of several orders of a notebook the best counts. The whole of `run` are all notebooks, of the others those that run. `as saved`: \
                every cell that can be compared shows what was saved (strong match); `twice the same`: two runs of one order show the same \
                (weak match; with the antidotes of a condition best-effort match). Where nothing can be compared nothing is the same.";
    let name = ("matches", "Notebooks by whether their cells run in an order, and what they show then");
    let columns = vec![column("What", "what"), column("Level", "level")];
    ShareTable::new(&inputs.data, name, columns, lines, note.to_owned()).of("Notebooks")
}

type LevelOf = fn(&OrderedNotebook) -> Option<Agreement>;

const fn as_saved(row: &OrderedNotebook) -> Option<Agreement> {
    row.as_saved
}

const fn twice(row: &OrderedNotebook) -> Option<Agreement> {
    row.twice
}

/// RQ1: of notebooks that run under the baseline, those of which all, some or none of the drawn orders run.
pub(super) fn soundness(inputs: &Inputs, orders: &Orders) -> ShareTable {
    let baseline = inputs.data.condition(Role::Baseline);
    let runs = |version: &str| orders.notebooks.get(&(baseline, version.to_owned())).is_some_and(|row| row.run > 0);
    let mut lines = Vec::new();
    for OrderingCondition { condition, .. } in orders.conditions.iter().filter(|one| one.cells.is_drawn()) {
        let rows: Vec<&OrderedNotebook> =
            orders.under(*condition).filter(|(version, _)| runs(version)).map(|(_, row)| row).collect();
        let mut add = |word, of: fn(&OrderedNotebook) -> bool| {
            lines.push(line(*condition, [word], rows.iter().filter(|row| of(row)).count(), rows.len()));
        };
        add("all drawn orders run", |row| row.run == row.orders);
        add("some do not", |row| row.run < row.orders && row.run > 0);
        add("none runs", |row| row.run == 0);
    }
    let note = "Notebooks that run under the baseline. A notebook has as many orders as were drawn, or all that its graph allows.";
    let name = ("soundness", "Notebooks by how many of their drawn orders run");
    ShareTable::new(&inputs.data, name, vec![column("Orders", "orders")], lines, note.to_owned()).of("Notebooks")
}

/// Table 1, and Table 3 where cells ran twice: the same by the Python that notebooks ran on, exactly as saved.
pub(super) fn by_python(inputs: &Inputs, orders: &Orders) -> ShareTable {
    let mut lines = Vec::new();
    for OrderingCondition { condition, .. } in &orders.conditions {
        let mut pythons: BTreeMap<&str, Vec<&OrderedNotebook>> = BTreeMap::new();
        for (version, row) in orders.under(*condition) {
            let python = orders.pythons.get(&(*condition, version.to_owned())).map_or("none", String::as_str);
            pythons.entry(python).or_default().push(row);
        }
        let is_repeated = orders.under(*condition).any(|(_, row)| row.ran_twice);
        for (python, rows) in pythons {
            let run: Vec<_> = rows.iter().filter(|row| row.run > 0).collect();
            let exact = |of: LevelOf| run.iter().filter(|row| of(row) == Some(Agreement::Exact)).count();
            lines.push(line(*condition, [python, "run"], run.len(), rows.len()));
            lines.push(line(*condition, [python, "as saved"], exact(as_saved), run.len()));
            if is_repeated {
                lines.push(line(*condition, [python, "twice the same"], exact(twice), run.len()));
            }
        }
    }
    let note = "As the table of matches, at the level exact. `none` are notebooks without an environment.";
    let name = ("matches-by-python", "Notebooks by whether their cells run in an order and show the same, by Python");
    let columns = vec![column("Python", "python"), column("What", "what")];
    ShareTable::new(&inputs.data, name, columns, lines, note.to_owned()).of("Notebooks")
}

/// How many orders are drawn of a notebook in Table 2.
const DRAWN: [usize; 4] = [10, 20, 50, 100];
/// Notebooks that are told one by one: as many as in Table 2.
const TOLD: usize = 10;

/// Table 2: the share of drawn orders that run, by how many are drawn; none where no notebook had more than ten.
pub(super) fn by_drawn(inputs: &Inputs, orders: &Orders) -> Option<ShareTable> {
    let mut lines = Vec::new();
    for OrderingCondition { condition, .. } in orders.conditions.iter().filter(|one| one.cells.is_drawn()) {
        let rows: Vec<(&str, &[bool])> =
            orders.under(*condition).map(|(version, row)| (version, row.ran.as_slice())).collect();
        if rows.iter().all(|(_, ran)| ran.len() <= DRAWN[0]) {
            continue;
        }
        for drawn in DRAWN {
            let first = |ran: &[bool]| {
                let first = &ran[..ran.len().min(drawn)];
                (first.iter().filter(|ran| **ran).count(), first.len())
            };
            let (words, counts) = (drawn.to_string(), rows.iter().map(|(_, ran)| first(ran)));
            let sum = counts.clone().fold((0, 0), |(run, of), one| (run + one.0, of + one.1));
            lines.push(line(*condition, [&words, "orders of all notebooks"], sum.0, sum.1));
            let whole = counts.clone().filter(|(run, of)| run == of && *of > 0).count();
            lines.push(line(*condition, [&words, "notebooks all of whose orders run"], whole, rows.len()));
            let many = rows.iter().zip(counts).filter(|((_, ran), _)| ran.len() > DRAWN[0]).take(TOLD);
            lines.extend(many.map(|((version, _), (run, of))| line(*condition, [&words, version], run, of)));
        }
    }
    let note = "A notebook whose graph allows fewer orders has all of them in each line. The first ten notebooks with more than ten stand by \
                themselves.";
    let name = ("orders-by-drawn", "Orders that run, by how many are drawn of a notebook");
    let columns = vec![column("Drawn", "drawn"), column("Of", "of_what")];
    (!lines.is_empty()).then(|| ShareTable::new(&inputs.data, name, columns, lines, note.to_owned()).of("Run"))
}

/// Section 3.4: of notebooks that run and do not show exactly what was saved, those with each cause.
pub(super) fn causes(inputs: &Inputs, orders: &Orders) -> ShareTable {
    let mut lines = Vec::new();
    for OrderingCondition { condition, .. } in orders.conditions.iter().filter(|one| one.antidotes.is_none()) {
        let differs = |version: &String| {
            let row = orders.notebooks.get(&(*condition, version.clone()));
            row.is_some_and(|row| {
                row.ran.first() == Some(&true) && row.compared > 0 && row.as_saved != Some(Agreement::Exact)
            })
        };
        let rows: Vec<_> = inputs.outputs.under(*condition).filter(|row| differs(&row.run.version)).collect();
        for (cause, word) in MismatchSign::ALL {
            let having = rows.iter().filter(|row| row.cells.has_cause(cause)).count();
            lines.push(line(*condition, [word], having, rows.len()));
        }
        let none = rows.iter().filter(|row| MismatchSign::ALL.iter().all(|(cause, _)| !row.cells.has_cause(*cause)));
        lines.push(line(*condition, ["no sign"], none.count(), rows.len()));
    }
    let note = "By the numbers of the paper, as signs in the code (R1, R2, R6, R7, of what has no seed) and differences of cells (R3, R5) tell, \
                in the first order. A notebook may have several. The paper's are by hand; R4 is not seen where a notebook runs.";
    let name = ("mismatch-causes", "Notebooks that run and do not show what was saved, by cause");
    ShareTable::new(&inputs.data, name, vec![column("Cause", "cause")], lines, note.to_owned()).of("Notebooks")
}

/// Table 4: what the debugger tells of notebooks that run, by whether they show the same; none where it was not asked.
pub(super) fn debugged(inputs: &Inputs, orders: &Orders) -> Option<ShareTable> {
    let mut lines = Vec::new();
    for OrderingCondition { condition, .. } in &orders.conditions {
        let rows = orders.debugged(*condition);
        if rows.is_empty() {
            continue;
        }
        for (which, is_same) in [("show the same", true), ("do not", false)] {
            let of = || rows.iter().filter(|(_, same)| *same == is_same).map(|(row, _)| row);
            let told = || of().filter_map(|row| row.suspicious);
            lines.push(line(*condition, [which, "notebooks"], of().count(), rows.len()));
            let has_unrepeatable = of().filter(|row| row.unrepeatable > Some(0)).count();
            lines.push(line(*condition, [which, "with cells that cannot be repeated"], has_unrepeatable, of().count()));
            lines.push(line(*condition, [which, "with a suspicious line"], told().count(), of().count()));
            let unrepeatable = told().filter(|is_repeatable| !is_repeatable).count();
            lines.push(line(
                *condition,
                [which, "whose cell cannot be repeated, of these"],
                unrepeatable,
                told().count(),
            ));
        }
    }
    let note = "Notebooks whose first order ran to its end. They show the same where two runs of an order do, in conditions that run \
                orders twice; else where they show what was saved. The debugger's runs are two more, with the antidotes of the \
                condition: a line is suspicious where these part, or one of them from what was saved. Whether it is the right one \
                is not counted here.";
    let name = ("debugger", "Notebooks by what the debugger tells of them");
    let columns = vec![column("Notebooks that", "which"), column("What", "what")];
    (!lines.is_empty()).then(|| ShareTable::new(&inputs.data, name, columns, lines, note.to_owned()).of("Notebooks"))
}

/// Figures 7 and 8: notebooks by the strategies that run them, and by those that show the same.
pub(super) fn sets(inputs: &Inputs, orders: &Orders) -> ShareTable {
    let mut groups: BTreeMap<&Option<String>, Vec<&OrderingCondition>> = BTreeMap::new();
    for one in &orders.conditions {
        groups.entry(&one.antidotes).or_default().push(one);
    }
    let mut lines = Vec::new();
    for group in groups.values().filter(|group| group.len() > 1) {
        lines.extend(sets_of(orders, group, "run", |row| row.run > 0));
        lines.extend(sets_of(orders, group, "as saved", |row| row.as_saved.is_some()));
        if group.iter().any(|one| orders.under(one.condition).any(|(_, row)| row.ran_twice)) {
            lines.extend(sets_of(orders, group, "twice the same", |row| row.twice.is_some()));
        }
    }
    let note = "Notebooks by the conditions under which it holds, among those with the same antidotes, of which the first stands in the \
                column of conditions. Of conditions that take one strategy the first counts, and filling gaps by chance is none. The \
                whole are notebooks that ran under all of these that ran any, and without an error under one at least; for `run` whether \
                or not.";
    let name = ("order-sets", "Notebooks by the conditions under which they run, and show the same");
    let columns = vec![column("What", "what"), column("Holds under", "holds_under")];
    ShareTable::new(&inputs.data, name, columns, lines, note.to_owned()).of("Notebooks")
}

/// The sets of conditions under which something holds of a notebook.
fn sets_of(
    orders: &Orders,
    group: &[&OrderingCondition],
    what: &str,
    holds: fn(&OrderedNotebook) -> bool,
) -> Vec<ShareLine> {
    let counts = orders.sets(group, what == "run", holds);
    let whole = counts.values().sum();
    let words = |under: &[Condition]| match under {
        [] => "none".to_owned(),
        under => under.iter().map(|one| one.as_str()).collect::<Vec<_>>().join(" + "),
    };
    counts.iter().map(|(under, count)| line(group[0].condition, [what, &words(under)], *count, whole)).collect()
}

#[cfg(test)]
mod tests {
    use nbrevive_corpus::CellOrder;

    use super::*;
    use crate::Flaky;
    use crate::tables::list::Table as _;
    use crate::testing::Synthetic;

    /// A study of one version under one condition.
    fn inputs_of_one() -> (Inputs, Condition) {
        let (folder, condition) = (tempfile::tempdir().expect("a folder"), Condition::PRESETS[0]);
        let mut study = Synthetic::default();
        study.add_table(condition, &[1]);
        study.write(folder.path());
        (Inputs::read(folder.path(), None, Flaky::Show).expect("it was just written"), condition)
    }

    #[test]
    fn orders_that_run_are_counted_by_how_many_are_drawn() {
        let (inputs, condition) = inputs_of_one();
        let mut orders = Orders::default();
        assert!(by_drawn(&inputs, &orders).is_none());
        orders.conditions.push(OrderingCondition { condition, cells: CellOrder::PaperGraph, antidotes: None });
        let mut put = |name: &str, ran: Vec<bool>| {
            let row = OrderedNotebook { orders: ran.len(), ran, ..OrderedNotebook::default() };
            orders.notebooks.insert((condition, name.to_owned()), row);
        };
        put("few", vec![true; 4]);
        put("many", (0..25).map(|order| order % 5 > 0 || order < 10).collect());
        let csv = by_drawn(&inputs, &orders).expect("25 are more than ten").csv();
        let kept = |line: &str| line.split(',').skip(1).take(4).collect::<Vec<_>>().join(",");
        let lines: Vec<String> = csv.lines().skip(1).map(kept).collect();
        assert_eq!(
            lines[..3],
            ["10,orders of all notebooks,14,14", "10,notebooks all of whose orders run,2,2", "10,many,10,10"]
        );
        assert_eq!(
            lines[3..6],
            ["20,orders of all notebooks,22,24", "20,notebooks all of whose orders run,1,2", "20,many,18,20"]
        );
        assert_eq!(lines[11], "100,many,22,25");
    }

    #[test]
    fn sets_are_of_notebooks_that_ran_by_every_strategy() {
        let (_, counter) = inputs_of_one();
        let [document, graph, more] = [1, 2, 3].map(|at| Condition::PRESETS[at]);
        let [unasked, gaps] = ["unasked", "gaps"].map(|name| name.parse().expect("a name that a condition may have"));
        let mut orders = Orders::default();
        let strategies = [
            (counter, CellOrder::Counter),
            (document, CellOrder::Document),
            (graph, CellOrder::Graph),
            (more, CellOrder::Graph),
            (unasked, CellOrder::VersionsGraph),
            (gaps, CellOrder::Gaps),
        ];
        for (condition, cells) in strategies {
            orders.conditions.push(OrderingCondition { condition, cells, antidotes: None });
        }
        let mut put = |name: &str, ran: &[(Condition, usize)]| {
            for (condition, run) in ran {
                let row = OrderedNotebook { orders: 1, run: *run, ..OrderedNotebook::default() };
                orders.notebooks.insert((*condition, name.to_owned()), row);
            }
        };
        put("all", &[(counter, 1), (document, 1), (graph, 1), (more, 0), (gaps, 1)]);
        put("two", &[(counter, 1), (document, 0), (graph, 1)]);
        put("none", &[(counter, 0), (document, 0), (graph, 0)]);
        put("not asked for its graph", &[(counter, 1), (document, 1)]);
        let group: Vec<&OrderingCondition> = orders.conditions.iter().collect();
        let sets = |is_of_all| orders.sets(&group, is_of_all, |row| row.run > 0);
        let of_those_that_run = BTreeMap::from([(vec![counter, document, graph], 1), (vec![counter, graph], 1)]);
        assert_eq!(sets(false), of_those_that_run);
        let none = BTreeMap::from([(Vec::new(), 1)]);
        assert_eq!(sets(true), of_those_that_run.into_iter().chain(none).collect());
    }

    #[test]
    fn none_that_shows_the_same_twice_is_a_number_too() {
        let (inputs, condition) = inputs_of_one();
        let mut orders = Orders::default();
        orders.conditions.push(OrderingCondition { condition, cells: CellOrder::Counter, antidotes: None });
        let row = OrderedNotebook {
            orders: 1,
            run: 1,
            compared: 1,
            as_saved: Some(Agreement::Exact),
            ran_twice: true,
            unrepeatable: Some(2),
            ..OrderedNotebook::default()
        };
        orders.notebooks.insert((condition, "moody".to_owned()), row);
        let csv = matches(&inputs, &orders).csv();
        assert!(csv.contains("twice the same,exact,0,1"), "{csv}");
        let csv = debugged(&inputs, &orders).expect("the debugger went through one").csv();
        assert!(csv.contains("do not,notebooks,1,1"), "what was saved does not count where it ran twice: {csv}");
        let silent = OrderedNotebook { orders: 1, run: 1, unrepeatable: Some(0), ..OrderedNotebook::default() };
        orders.notebooks.insert((condition, "silent".to_owned()), silent);
        assert_eq!(orders.debugged(condition).len(), 1, "what shows nothing is neither");
    }
}
