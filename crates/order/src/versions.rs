//! Orders that keep to the values that cells saw from the top.

use std::collections::{BTreeMap, BTreeSet};

use nbrevive_pysource::names::{Binder, NameAct, NotebookNames};

use crate::effects::effects;
use crate::sets::{CellSets, sharp};

/// What cells do to one name, from the top.
#[derive(Default)]
struct Touches {
    /// Each cell, whether it looks at what the name was, and whether the name is another then.
    acts: Vec<(usize, bool, bool)>,
}

impl Touches {
    /// Pairs of cells of which the first comes before the second, so that each sees what it saw from the top. What nobody looks at any more
    /// (most of `fig` and `i`) may stand anywhere but between a value and those who look at it.
    fn pairs(&self) -> Vec<(usize, usize)> {
        let (mut writer, mut readers, mut passing, mut pairs) = (None, Vec::new(), Vec::new(), Vec::new());
        for (at, &(cell, _, writes)) in self.acts.iter().enumerate() {
            let is_looked_at = self.acts.get(at + 1).is_some_and(|(_, looks, _)| *looks);
            if writes && is_looked_at && !passing.is_empty() {
                pairs.extend(passing.iter().map(|other| (*other, cell)));
            } else {
                let others = readers.iter().filter(|_| writes);
                pairs.extend(writer.iter().chain(others).map(|other| (*other, cell)));
            }
            match writes {
                false => readers.push(cell),
                true if is_looked_at => (writer, readers, passing) = (Some(cell), Vec::new(), Vec::new()),
                true => passing.push(cell),
            }
        }
        pairs
    }
}

/// Our reading, and besides: a cell that looks at a name waits for the cell above that gave or changed it last, and one that gives or
/// changes it for those above that look at it. What passes stands as `name#3`, of the third cell. Names that are only imported are left
/// out: imported again they are the same.
pub(crate) fn versions(names: &NotebookNames) -> Vec<CellSets> {
    let mut cells = sharp(names);
    let imported = only_imported(names);
    let effects = effects(names, &|_| false);
    let mut known: BTreeMap<&String, Touches> = BTreeMap::new();
    for (cell, own) in effects.iter().enumerate() {
        for name in own.depends.union(&own.writes).filter(|name| !imported.contains(name.as_str())) {
            let act = (cell, own.depends.contains(name), own.writes.contains(name));
            known.entry(name).or_default().acts.push(act);
        }
    }
    for (name, touches) in known {
        for (from, to) in touches.pairs() {
            let token = format!("{name}#{}", from + 1);
            cells[from].produced.insert(token.clone());
            cells[to].consumed.insert(token);
        }
    }
    cells
}

/// Names that nothing but imports binds.
fn only_imported(names: &NotebookNames) -> BTreeSet<&str> {
    let (mut imported, mut others) = (BTreeSet::new(), BTreeSet::new());
    for event in names.cells.iter().flat_map(|cell| cell.all_events()) {
        match event.act {
            NameAct::Bind(Binder::Import) => imported.insert(event.name.as_str()),
            NameAct::Bind(_) | NameAct::Delete => others.insert(event.name.as_str()),
            NameAct::Read | NameAct::Call | NameAct::Change => continue,
        };
    }
    imported.difference(&others).copied().collect()
}

#[cfg(test)]
mod tests {
    use nbrevive_pysource::names::names;

    use crate::{CellGraph, GraphKind};

    #[test]
    fn cells_keep_to_the_values_that_they_saw() {
        let cells = ["import os", "a = 1", "print(a)", "import os", "a = 'x'", "a.upper()", "b = 1"];
        let graph = CellGraph::new(&names(&cells), GraphKind::Versions);
        assert!(graph.obstruction(&[6, 1, 3, 2, 0, 4, 5]).is_none());
        assert_eq!(graph.obstruction(&[1, 4, 2]).map(|found| found.missing), Some(vec!["a#3".to_owned()]));
        assert_eq!(graph.orders().count().and_then(|count| count.exact), Some(7 * 6 * 5));
    }

    /// What each cell waits for besides what it lacks, as `name#cell`.
    fn waits(cells: &[&str]) -> Vec<Vec<String>> {
        let graph = CellGraph::new(&names(cells), GraphKind::Versions);
        let is_token = |name: &String| name.contains('#');
        graph.cells.into_iter().map(|cell| cell.consumed.into_iter().filter(is_token).collect()).collect()
    }

    #[test]
    fn what_nobody_looks_at_ties_nobody() {
        for own in [
            "x = 1\nprint(x)",
            "for x in l:\n    print(x)",
            "if c:\n    x = 1\n    print(x)",
            "x = 1\ndef f():\n    return x\nf()",
            "x = 1\nsorted(l, key=lambda y: x)",
            "print([x for x in l])",
            "with open('a') as x:\n    print(x)",
            "def f():\n    return x",
        ] {
            assert_eq!(waits(&[own, own, own]), [[""; 0]; 3], "{own}");
        }
        for others in ["x += 1", "print(x)\nx = 1", "if c:\n    x = 1\nprint(x)", "def f():\n    return x\nf()\nx = 1"]
        {
            assert_eq!(waits(&["x = 0", others])[1], ["x#1"], "{others}");
        }
    }

    #[test]
    fn what_nobody_looks_at_any_more_stands_outside_of_what_others_do() {
        let found = waits(&["x = 1", "x = 2", "x = 3", "print(x)", "x = 4", "x = 5", "x = 6", "print(x)"]);
        let expected: [&[&str]; 8] =
            [&[], &[], &["x#1", "x#2"], &["x#3"], &["x#3", "x#4"], &["x#3", "x#4"], &["x#5", "x#6"], &["x#7"]];
        assert_eq!(found, expected);
    }
}
