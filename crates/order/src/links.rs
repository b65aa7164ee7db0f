//! What ties cells together besides names: files that one writes and another reads, the working folder, values that have several names or are
//! changed by the functions that they are handed to.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use nbrevive_pysource::names::{
    Acts, Binder, Body, CellNames, EXTENSIONS, FOLDER, NameAct, NameEvent, NotebookNames, UnknownCause,
};

/// Names of one value, or of a part of it, are gone after so often: `c = b`, `b = a`.
const MOST_HOPS: usize = 4;

/// Names by others that have to do with the same value.
type Twins<'a> = BTreeMap<&'a str, BTreeSet<&'a str>>;

/// The ties of a notebook.
pub(crate) struct Links<'a> {
    /// Files, folders and the like that a cell changes.
    written: BTreeSet<&'a str>,
    /// Names by those that may stand for the same value.
    twins: Twins<'a>,
    /// Names by those in whose values what is added to theirs is seen.
    holders: Twins<'a>,
    /// Functions and methods by their names.
    functions: HashMap<&'a str, Vec<&'a Body>>,
    /// Names that an import binds.
    imported: BTreeSet<&'a str>,
}

impl<'a> Links<'a> {
    pub(crate) fn of(names: &'a NotebookNames) -> Self {
        let mut functions: HashMap<&str, Vec<&Body>> = HashMap::new();
        let (mut written, mut twins, mut holders) = (BTreeSet::new(), Twins::new(), Twins::new());
        let imports = names.cells.iter().flat_map(CellNames::all_events);
        let imports = imports.filter(|event| event.act == NameAct::Bind(Binder::Import));
        let imported: BTreeSet<&str> = imports.map(|event| event.name.as_str()).collect();
        for cell in &names.cells {
            for body in &cell.bodies {
                body.name.iter().for_each(|name| functions.entry(name).or_default().push(body));
            }
            for acts in all_acts(cell) {
                written.extend(acts.outside.iter().filter(|act| act.is_written).map(|act| act.what.as_str()));
            }
            let is_own =
                |pair: &&(String, String)| [&pair.0, &pair.1].iter().all(|name| !imported.contains(name.as_str()));
            for (one, other) in cell.acts.twins.iter().filter(is_own) {
                twins.entry(one).or_default().insert(other);
                twins.entry(other).or_default().insert(one);
            }
            for (one, other) in cell.acts.holders.iter().filter(is_own) {
                holders.entry(one).or_default().insert(other);
            }
        }
        Links { written, twins, holders, functions, imported }
    }

    /// What a cell does to files and the like: `'name'` by whether it is written. `called` are the functions that it calls.
    pub(crate) fn outside(&self, cell: &'a CellNames, called: &BTreeSet<&str>) -> BTreeMap<String, bool> {
        let mut found: BTreeMap<String, bool> = BTreeMap::new();
        let of_called = called.iter().filter_map(|name| self.functions.get(name)).flatten().map(|body| &body.acts);
        let all = || all_acts(cell).chain(of_called.clone());
        for act in all().flat_map(|acts| &acts.outside).filter(|act| self.written.contains(act.what.as_str())) {
            *found.entry(told(&act.what)).or_default() |= act.is_written;
        }
        let is_extension = |cause: &UnknownCause| matches!(cause, UnknownCause::Magic(_));
        if self.written.contains(EXTENSIONS) && cell.acts.unknown.iter().any(|one| is_extension(&one.cause)) {
            found.entry(EXTENSIONS.to_owned()).or_default();
        }
        let imports = cell.acts.events.iter().any(|event| event.act == NameAct::Bind(Binder::Import));
        let reaches = imports || all().flat_map(|acts| &acts.outside).any(|act| act.what.contains('.'));
        if self.written.contains(FOLDER) && reaches {
            found.entry(FOLDER.to_owned()).or_default();
        }
        found
    }

    /// Whether an import binds a name.
    pub(crate) fn is_imported(&self, name: &str) -> bool {
        self.imported.contains(name)
    }

    /// Names of values that a cell may change, by whatever name it does; of the changes that it writes itself those that count.
    pub(crate) fn changed(&self, cell: &'a CellNames, counts: impl Fn(&NameEvent) -> bool) -> BTreeSet<&'a str> {
        let changes = cell.acts.events.iter().filter(|event| event.act == NameAct::Change && counts(event));
        let mut changed: BTreeSet<&str> = changes.map(|event| event.name.as_str()).collect();
        changed.extend(self.changed_by_calls(&cell.acts));
        changed.retain(|name| !self.imported.contains(name));
        with(changed, &self.twins)
    }

    /// Names whose values are handed to a function that changes what it is handed, or to a method that changes its owner.
    fn changed_by_calls(&self, acts: &'a Acts) -> BTreeSet<&'a str> {
        let mut changed = BTreeSet::new();
        for call in &acts.handed {
            let bodies = self.functions.get(call.callee.as_str()).into_iter().flatten();
            for body in bodies.filter(|body| body.class.is_some() == call.owner.is_some()) {
                let is_self = |name: &&String| body.class.is_some() && name.as_str() == "self";
                if body.changed.iter().any(|name| !is_self(&name)) {
                    changed.extend(call.names.iter().map(String::as_str));
                }
                if body.changed.iter().any(|name| is_self(&name)) {
                    changed.extend(call.owner.as_deref());
                }
            }
        }
        changed
    }

    /// A name and those in whose values what is added to its value is seen.
    pub(crate) fn with_holders(&self, name: &'a str) -> BTreeSet<&'a str> {
        with(BTreeSet::from([name]), &self.holders)
    }
}

/// Names with those that have to do with the same values.
fn with<'a>(mut names: BTreeSet<&'a str>, twins: &Twins<'a>) -> BTreeSet<&'a str> {
    let mut last = names.clone();
    for _ in 0..MOST_HOPS {
        let next: BTreeSet<&str> = last.iter().filter_map(|name| twins.get(name)).flatten().copied().collect();
        last = next.difference(&names).copied().collect();
        names.extend(&last);
    }
    names
}

fn all_acts(cell: &CellNames) -> impl Iterator<Item = &Acts> + Clone {
    std::iter::once(&cell.acts).chain(cell.bodies.iter().map(|body| &body.acts))
}

/// How a file stands among names, of which none has quotes.
fn told(what: &str) -> String {
    if what.starts_with('<') { what.to_owned() } else { format!("'{what}'") }
}

#[cfg(test)]
mod tests {
    use nbrevive_pysource::names::names;

    use crate::effects;

    /// Pairs of cells whose order can matter, from 1.
    fn meeting(cells: &[&str]) -> Vec<(usize, usize)> {
        let found = effects(&names(cells), &|_| false);
        let pairs = (0..cells.len()).flat_map(|one| (one + 1..cells.len()).map(move |other| (one, other)));
        pairs
            .filter(|(one, other)| found[*one].meets(&found[*other]))
            .map(|(one, other)| (one + 1, other + 1))
            .collect()
    }

    #[test]
    fn files_tie_those_who_write_them_to_those_who_name_them() {
        for writes in [
            "d().to_csv('out/a.csv', sep=';')",
            "with open('a.csv', 'w'): pass",
            "with Path('out/a.csv').open('w') as f: pass",
            "import os\nos.rename('b.txt', os.path.join('out', 'a.csv'))",
            "from pathlib import Path\n(Path('out') / 'a.csv').write_text('1')",
            "!cp x/y.txt a.csv",
            "%%writefile out/a.csv\n1,2",
            "def w():\n    p.savefig(fname=f'{o}/a.csv')\nw()",
        ] {
            assert_eq!(meeting(&[writes, "print(open('a.csv'))", "print(open('b.csv'))"]), [(1, 2)], "{writes}");
        }
        let readers =
            ["print(open('a.csv'))", "r('a.csv')", "!head a.csv", "Path('a.csv').open()", "Z('z.zip').open('a.csv')"];
        assert_eq!(meeting(&readers), [], "nobody writes it");
    }

    #[test]
    fn the_working_folder_and_extensions_come_before_those_who_need_them() {
        assert_eq!(meeting(&["%cd data", "r('a.csv')", "print(1)"]), [(1, 2)]);
        assert_eq!(meeting(&["import sys\nsys.path.append('..')", "import mine", "print(1)"]), [(1, 2)]);
        assert_eq!(meeting(&["%load_ext Cython", "%%cython\ndef f(): pass", "print(1)"]), [(1, 2)]);
    }

    #[test]
    fn a_change_reaches_all_names_of_a_value() {
        assert_eq!(meeting(&["b = a", "b.append(1)", "print(a)"]), [(1, 2), (2, 3)]);
        assert_eq!(meeting(&["l = [a, c]", "for m in l:\n    m.fit(1)", "print(a)", "print(n)"]), [(1, 2), (2, 3)]);
        for loops in
            ["enumerate(a)", "zip(c, a)", "np.nditer([c, a])", "reversed(list(a))", "enumerate(zip(a, c))", "a.items()"]
        {
            let changes = format!("for i, m in {loops}:\n    m[...] = 1");
            assert_eq!(meeting(&[&changes, "print(a)", "print(n)"]), [(1, 2)], "{loops}");
        }
        assert_eq!(meeting(&["for m in f(a):\n    m.append(1)", "print(a)"]), [], "nobody knows what a function gives");
        assert_eq!(meeting(&["import n", "b = n.x", "b.append(1)", "print(n)"]), [(1, 2), (1, 4), (2, 3)]);
    }

    #[test]
    fn a_change_is_followed_into_functions_and_methods() {
        let changes = "def f(x):\n    x.append(1)\ndef g(x):\n    return len(x)";
        assert_eq!(meeting(&[changes, "f(a)", "g(b)", "print(a, b)"]), [(1, 2), (1, 3), (2, 4)]);
        let class = "class C:\n    def go(self, x):\n        self.n = x\n    def see(self):\n        return self.n";
        assert_eq!(meeting(&[class, "a.go(1)", "b.see()", "print(a, b)"]), [(2, 4)]);
    }
}
