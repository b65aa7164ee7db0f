//! Orders that keep to the values that cells saw from the top.

use std::collections::{BTreeMap, BTreeSet};

use nbrevive_pysource::names::{Binder, NameAct, NotebookNames};

use crate::effects::effects;
use crate::sets::{CellSets, sharp};

/// Who has last given or changed a name, and who has looked at it since.
#[derive(Default)]
struct Version {
    writer: Option<usize>,
    readers: Vec<usize>,
}

/// Our reading, and besides: a cell that looks at a name waits for the cell above that gave or changed it last, and one that gives or
/// changes it for those above that look at it. What passes stands as `name#3`, of the third cell. Names that are only imported are left
/// out: imported again they are the same.
pub(crate) fn versions(names: &NotebookNames) -> Vec<CellSets> {
    let mut cells = sharp(names);
    let imported = only_imported(names);
    let mut known: BTreeMap<String, Version> = BTreeMap::new();
    for (cell, own) in effects(names, &|_| false).into_iter().enumerate() {
        let touched = own.reads.union(&own.writes).filter(|name| !imported.contains(name.as_str()));
        for name in touched {
            let version = known.entry(name.clone()).or_default();
            let is_written = own.writes.contains(name);
            let readers = version.readers.iter().filter(|_| is_written);
            let before: BTreeSet<usize> =
                version.writer.iter().chain(readers).copied().filter(|other| *other != cell).collect();
            for other in before {
                let token = format!("{name}#{}", other + 1);
                cells[other].produced.insert(token.clone());
                cells[cell].consumed.insert(token);
            }
            if is_written {
                *version = Version { writer: Some(cell), readers: Vec::new() };
            } else {
                version.readers.push(cell);
            }
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
}
