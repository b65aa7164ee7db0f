//! Orders that keep to the values that cells saw from the top.

use std::collections::{BTreeMap, BTreeSet};

use nbrevive_pysource::names::{Binder, CellNames, GivenValue, NameAct, NameEvent, NotebookNames};

use crate::effects::{CellEffects, effects_by_element};
use crate::sets::{CellSets, sharp};

/// What a cell does to a name.
struct Touch<'a> {
    cell: usize,
    /// Whether it looks at what the name was.
    looks: bool,
    /// Whether the name is another then.
    writes: bool,
    /// Whether it adds to the value, which stays what it was otherwise.
    adds: bool,
    /// What gives the name its value, if nothing in the cell changes it after that.
    given: Option<&'a GivenValue>,
}

/// One value of a name, from the top.
#[derive(Default)]
struct Version<'a> {
    /// Cells that give it, any of which will do; none where it is not of the notebook.
    writers: Vec<usize>,
    /// Cells that look at it.
    readers: Vec<usize>,
    given: Option<&'a GivenValue>,
}

/// What ties cells together: any of the first comes before the last.
type Tie = (Vec<usize>, usize);

/// The versions of one name; `is_same` says whether two cells give the same by an equal text.
fn versions_of<'a>(touches: &[Touch<'a>], is_same: impl Fn(usize, usize) -> bool) -> (Vec<Version<'a>>, Vec<Tie>) {
    let (mut versions, mut ties) = (vec![Version::default()], Vec::new());
    for touch in touches {
        let last: &mut Version<'_> = versions.last_mut().expect("there is a first one");
        if touch.looks {
            last.readers.push(touch.cell);
        }
        if touch.adds {
            // What another writer gives would lack it.
            ties.extend(last.writers.iter().map(|writer| (vec![*writer], touch.cell)));
            last.given = None;
        }
        let is_equal = |given: &GivenValue| last.given.is_some_and(|other| other.text == given.text);
        if !touch.writes {
            continue;
        }
        if touch.given.is_some_and(is_equal) && last.writers.iter().all(|writer| is_same(*writer, touch.cell)) {
            last.writers.push(touch.cell);
        } else {
            versions.push(Version { writers: vec![touch.cell], readers: Vec::new(), given: touch.given });
        }
    }
    (versions, ties)
}

/// What keeps versions apart. One that nobody looks at (most of `fig` and `i`) may stand anywhere but between a value and those who look at it.
fn ties(versions: &[Version<'_>]) -> Vec<Tie> {
    let (mut before, mut passing, mut ties): (Vec<usize>, Vec<usize>, _) = (Vec::new(), Vec::new(), Vec::new());
    for version in versions {
        let is_looked_at = !version.readers.is_empty();
        let first = if is_looked_at && !passing.is_empty() { &passing } else { &before };
        for writer in &version.writers {
            ties.extend(first.iter().filter(|other| *other != writer).map(|other| (vec![*other], *writer)));
        }
        if !version.writers.is_empty() {
            ties.extend(version.readers.iter().map(|reader| (version.writers.clone(), *reader)));
        }
        if is_looked_at {
            before = [version.writers.as_slice(), &version.readers].concat();
            passing.clear();
        } else {
            passing.extend(&version.writers);
        }
    }
    ties
}

/// Our reading, and besides: a cell that looks at a name waits for a cell above that gave or changed it last, and one that gives or
/// changes it for those above that look at it. What passes stands as `name#3`, of the third cell, and as `name#3/5` where the fifth gives the same
/// as the third. Names that are only imported are left out: imported again they are the same.
pub(crate) fn versions(names: &NotebookNames) -> Vec<CellSets> {
    let mut cells = sharp(names);
    let imported = only_imported(names);
    let (effects, elements) = effects_by_element(names);
    let mut known: BTreeMap<&str, Vec<Touch<'_>>> = BTreeMap::new();
    for (cell, own) in effects.iter().enumerate() {
        for name in own.depends.union(&own.writes).filter(|name| !imported.contains(name.as_str())) {
            let given = own.settled.contains(name).then(|| given(&names.cells[cell], name)).flatten();
            let (looks, writes) = (own.depends.contains(name), own.writes.contains(name));
            let adds = elements.regions(name, cell).any(|region| own.writes.contains(region));
            known.entry(name).or_default().push(Touch { cell, looks, writes, adds, given });
        }
    }
    for (name, touches) in known {
        let is_same = |one, other| gives_the_same(name, names, &effects, &imported, one, other);
        let (versions, mut all) = versions_of(&touches, is_same);
        all.extend(ties(&versions));
        for (givers, to) in all {
            let places: Vec<String> = givers.iter().map(|giver| (giver + 1).to_string()).collect();
            let token = format!("{name}#{}", places.join("/"));
            for giver in givers {
                cells[giver].produced.insert(token.clone());
            }
            cells[to].consumed.insert(token);
        }
    }
    cells
}

/// The statement that gives a name its last value in a cell.
fn given<'a>(cell: &'a CellNames, name: &str) -> Option<&'a GivenValue> {
    let binds = |event: &NameEvent| event.name == name && matches!(event.act, NameAct::Bind(_));
    let last = cell.acts.events.iter().rposition(binds)?;
    cell.acts.given.iter().find(|given| given.events.contains(&last))
}

/// Whether what a cell gives by the text by which another does is the same: nothing that it is made of changes from the one to the other.
fn gives_the_same(
    name: &str,
    names: &NotebookNames,
    effects: &[CellEffects],
    imported: &BTreeSet<&str>,
    one: usize,
    other: usize,
) -> bool {
    let cell = &names.cells[other];
    let used = given(cell, name).into_iter().flat_map(|given| &cell.acts.events[given.events.clone()]);
    let used = used.filter(|event| event.is_use()).map(|event| &event.name);
    let mut needed = used.chain(&effects[other].depends).filter(|name| !imported.contains(name.as_str()));
    needed.all(|needed| !effects[one..=other].iter().any(|cell| cell.writes.contains(needed)))
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
    fn what_gives_the_same_ties_nobody() {
        let found = waits(&["x = 1", "print(x)", "x = 1", "print(x, x)", "x = 2", "print(x)"]);
        assert_eq!(found, [&[][..], &["x#1/3"], &[], &["x#1/3"], &["x#1", "x#2", "x#3", "x#4"], &["x#5"]]);
        for others in ["x = a", "x = 1\nx += 1", "x = 1\ndel x", "if c:\n    x = 1", "x = [1]", "x = y = 1"] {
            assert_eq!(waits(&["x = 1", "print(x)", others, "print(x)"])[2], ["x#1", "x#2"], "{others}");
        }
        for (first, between, again) in [
            ("a = 1\nx = a", "a = 2", "x = a"),
            ("x = open('f.txt')", "!cp a.txt f.txt", "x = open('f.txt')"),
            ("def f():\n    return a\nx = f()", "a = 2", "x = f()"),
            ("x = list(l)", "l.sort()", "x = list(l)"),
        ] {
            let found = waits(&[first, "print(x)", between, again, "print(x)"]);
            assert!(found[3].contains(&"x#2".to_owned()), "{first}: {found:?}");
        }
        let grown = waits(&["x = {}", "x['a'] = 1", "x['a']", "x = {}", "print(x)"]);
        assert_eq!(grown[3], ["x#1", "x#2", "x#3"], "it would lack the key");
    }

    #[test]
    fn elements_are_waited_for_by_those_who_read_them() {
        let frame = ["d = r()", "d.mean()", "d['k'] = 1", "d['l'] = 2", "d.k", "d.mean()", "d['k'] = 0", "d = 1"];
        let found = waits(&frame);
        let expected: [&[&str]; 8] = [
            &[],
            &["d#1"],
            &["d#1"],
            &["d#1"],
            &["d#1", "d['k']#3"],
            &["d#1", "d['k']#3", "d['l']#4"],
            &["d#1", "d['k']#3", "d['k']#5", "d['k']#6"],
            &["d#1", "d#2", "d#3", "d#4", "d#5", "d#6", "d#7"],
        ];
        assert_eq!(found, expected);
        let list = ["l = []", "print(l)", "l.append(1)", "l.append(2)", "print(l)", "l.sort()", "l.append(3)"];
        let found = waits(&list);
        let expected: [&[&str]; 7] = [
            &[],
            &["l#1"],
            &["l#1"],
            &["l#1"],
            &["l#1", "l[+3]#3", "l[+4]#4"],
            &["l#1", "l#2", "l#3", "l#4", "l#5", "l[+3]#3", "l[+4]#4"],
            &["l#6"],
        ];
        assert_eq!(found, expected);
        let replaced = waits(&["d = r()", "d['k'].min()", "d.mean()", "d['k'] = f(d['k'])", "d['k']"]);
        assert_eq!(replaced[3], ["d#1", "d['k']#2", "d['k']#3"], "it was there before");
        let twins = waits(&["d = {}", "e = d", "e['k'] = 1", "d['k']", "f(d)", "d['l']"]);
        assert_eq!(twins[3..].concat(), ["d#1", "e['k']#3", "d#1", "e['k']#3", "d#1"]);
        for (part, adds, looks, is_seen) in [
            ("e = d['k']", "d['l'] = 1", "f(e)", false),
            ("e = d['k']", "e['l'] = 1", "f(d)", true),
            ("e = [d]", "d.append(1)", "f(e)", true),
            ("e = [d]", "e.append(1)", "f(d)", false),
            ("e['k'] = d.k", "e['l'] = 1", "d.k", false),
            ("for e in d: pass", "e.append(1)", "f(d)", true),
        ] {
            let found = waits(&["d, e = r()", part, adds, looks]);
            assert_eq!(
                found[3].iter().any(|token| token.ends_with("#3")),
                is_seen,
                "{part}; {adds}; {looks}: {found:?}"
            );
        }
        let fitted = waits(&["m = M()", "m.get_params()", "m.fit(x)", "m.predict(x)", "m.fit(y)"]);
        assert_eq!(fitted[4], ["m#1", "m.fit()#3", "m.fit()#4"]);
    }

    #[test]
    fn what_nobody_looks_at_any_more_stands_outside_of_what_others_do() {
        let found = waits(&["x = 1", "x = 2", "x = 3", "print(x)", "x = 4", "x = 5", "x = 6", "print(x)"]);
        let expected: [&[&str]; 8] =
            [&[], &[], &["x#1", "x#2"], &["x#3"], &["x#3", "x#4"], &["x#3", "x#4"], &["x#5", "x#6"], &["x#7"]];
        assert_eq!(found, expected);
    }
}
