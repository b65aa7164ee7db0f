//! What changed between the releases of a library.

use std::collections::BTreeSet;

use crate::class::MemberText;
use crate::function::FunctionText;
use crate::lent::LentNames;
use crate::pair::{Pair, shortened};
use crate::parameters::{Callable, compare_parameters};
use crate::row::{ApiCertainty, ApiRow, ApiRowKind, CensusRelease};
use crate::successor::{Successor, Today};
use crate::surface::{Home, Surface, WholeClass};

/// The rows of a library. Releases come one after the other, ascending, so that no more than three are in memory.
pub struct Census<'a> {
    library: &'a str,
    today: &'a LastRelease,
    before: Option<(CensusRelease, Surface)>,
    rows: Vec<ApiRow>,
    seen: BTreeSet<String>,
}

/// The last release of a library, which tells what is there today.
pub struct LastRelease(Surface);

impl LastRelease {
    /// Reads it, with what others lend it.
    #[must_use]
    pub fn of(files: &crate::SourceFiles, lent: &LentNames) -> Self {
        Self(Surface::of(files, lent))
    }
}

impl<'a> Census<'a> {
    /// An empty census of a library.
    #[must_use]
    pub fn new(library: &'a str, today: &'a LastRelease) -> Self {
        Self { library, today, before: None, rows: Vec::new(), seen: BTreeSet::new() }
    }

    /// Compares the next release, with what others lent it, with the one before. Gives the modules that are not Python 3, of which less is
    /// known.
    pub fn add(&mut self, release: CensusRelease, files: &crate::SourceFiles, lent: &LentNames) -> Vec<String> {
        let mut surface = Surface::of(files, lent);
        if let Some((_, older)) = &self.before {
            surface.adopt(older);
        }
        let unsound = surface.unsound.clone();
        if let Some((before, old)) = self.before.take() {
            let today = Today::of(&self.today.0);
            let pair = Pair {
                library: self.library,
                old: &old,
                new: &surface,
                today: &today,
                before: &before,
                after: &release,
            };
            let mut rows = Vec::new();
            pair.names(&mut rows);
            pair.definitions(&mut rows);
            for row in rows {
                let key = format!("{} {} {} {}", row.kind, row.name, row.parameter, row.word);
                // What comes and goes is told once: its last loss, and its first appearance.
                if row.is_loss() || self.seen.insert(key) {
                    self.rows.push(row);
                }
            }
        }
        self.before = Some((release, surface));
        unsound
    }

    /// The rows, sorted by name, those of one name in the order of releases. What came back and went again has a row for each time.
    #[must_use]
    pub fn finish(mut self) -> Vec<ApiRow> {
        self.rows.sort_by_cached_key(|row| (row.name.clone(), row.parameter.clone(), row.word.clone()));
        self.rows
    }
}

impl Pair<'_> {
    /// Names that came and went.
    fn names(&self, rows: &mut Vec<ApiRow>) {
        for (path, home) in &self.old.paths {
            if self.new.has(path) || self.today.surface.has(path) {
                continue;
            }
            let parent = path.rsplit_once('.').map_or("", |(parent, _)| parent);
            let whole_module = !self.new.has(parent);
            // Of a module that is gone, what it defined or handed on is told, and not what it bound by the way.
            if whole_module && matches!(home, Home::Value | Home::Foreign) {
                continue;
            }
            let text = self.old.text_of(home, parent);
            let found = self.today.name(path, home, self.old, &text);
            let mut row = self.row(ApiRowKind::Removed, path);
            // A module is a file, and no code makes one up.
            let last = path.rsplit('.').next().unwrap_or_default();
            let may_be_made = !matches!(home, Home::Module(_)) && self.today.surface.may_make(parent, last);
            lost(&mut row, &text, found, may_be_made);
            rows.push(row);
        }
        for (path, home) in &self.new.paths {
            let is_spelling = match home {
                Home::Function(..) | Home::Class(..) => self.new.preferred.get(home).is_some_and(|known| known == path),
                Home::Module(module) => module == path,
                Home::Value => true,
                Home::Foreign => false,
            };
            if is_spelling && !self.old.has(path) {
                rows.push(self.row(ApiRowKind::Added, path));
            }
        }
    }

    /// What became of functions and classes that are there in both releases.
    fn definitions(&self, rows: &mut Vec<ApiRow>) {
        for (path, home) in &self.old.paths {
            let Some(now) = self.new.paths.get(path) else { continue };
            let is = |surface: &Surface, home: &Home| surface.preferred.get(home).is_some_and(|known| known == path);
            if !is(self.old, home) && !is(self.new, now) {
                continue;
            }
            match (home, now) {
                (Home::Function(..), Home::Function(..)) => {
                    let (Some(old), Some(new)) = (self.old.function(home), self.new.function(now)) else { continue };
                    let last = self.today.surface.paths.get(path).and_then(|home| self.today.surface.function(home));
                    let callable = |function| Callable { function: Some(function), class: None };
                    let last = last.map(callable).unwrap_or_default();
                    compare_parameters(self, path, [&callable(old), &callable(new), &last], rows);
                }
                (Home::Class(..), Home::Class(..)) => self.class(path, home, now, rows),
                (Home::Class(..), Home::Function(..)) => rows.push(self.row(ApiRowKind::ClassBecameFunction, path)),
                _ => {}
            }
        }
    }

    fn class(&self, path: &str, home: &Home, now: &Home, rows: &mut Vec<ApiRow>) {
        let (Some(old), Some(new)) = (self.old.class(home), self.new.class(now)) else { return };
        let last = self.today.surface.paths.get(path).and_then(|home| self.today.surface.class(home));
        let init = |class: &WholeClass<'_>| match class.members.get("__init__") {
            Some(MemberText::Method(init)) => Some(init.clone()),
            _ => None,
        };
        let (old_init, new_init, last_init) = (init(&old), init(&new), last.as_ref().and_then(init));
        let old_call = Callable { function: old_init.as_ref(), class: Some(&old) };
        let new_call = Callable { function: new_init.as_ref(), class: Some(&new) };
        let last_call = Callable { function: last_init.as_ref(), class: last.as_ref() };
        compare_parameters(self, path, [&old_call, &new_call, &last_call], rows);
        for (name, member) in old.members.iter().filter(|(name, _)| !name.starts_with('_')) {
            let full = format!("{path}.{name}");
            match (member, new.members.get(name)) {
                (_, None) => {
                    if last.as_ref().is_some_and(|last| last.members.contains_key(name)) {
                        continue;
                    }
                    let text = member_text(member);
                    let found = self.today.member(path, name, member, &text);
                    let mut row = self.row(ApiRowKind::Removed, &full);
                    lost(&mut row, &text, found, new.open);
                    rows.push(row);
                }
                (MemberText::Method(old), Some(MemberText::Method(new))) => {
                    let today = last.as_ref().and_then(|last| last.members.get(name));
                    let last = match today {
                        Some(MemberText::Method(last)) => Callable { function: Some(last), class: None },
                        _ => Callable::default(),
                    };
                    let callable = |function| Callable { function: Some(function), class: None };
                    compare_parameters(self, &full, [&callable(old), &callable(new), &last], rows);
                }
                _ => {}
            }
        }
        for name in new.members.keys().filter(|name| !name.starts_with('_') && !old.members.contains_key(*name)) {
            if !old.open {
                rows.push(self.row(ApiRowKind::Added, &format!("{path}.{name}")));
            }
        }
    }
}

/// What a member's library says of its end.
fn member_text(member: &MemberText) -> String {
    let marks = match member {
        MemberText::Method(FunctionText { marks, .. }) | MemberText::Property(marks) => marks,
        MemberText::Attribute => return String::new(),
    };
    marks.deprecated.clone().unwrap_or_default()
}

/// Completes the row of a name that is gone.
fn lost(row: &mut ApiRow, text: &str, found: Option<Successor>, dynamic: bool) {
    row.text = shortened(text);
    row.certainty = match (text.is_empty(), dynamic) {
        (false, _) => ApiCertainty::Certain,
        (true, false) => ApiCertainty::Likely,
        (true, true) => ApiCertainty::Unsure,
    };
    let Some(found) = found else { return };
    let last = |name: &str| name.rsplit('.').next().unwrap_or_default().to_owned();
    row.kind = if last(&row.name) == last(&found.name) { ApiRowKind::Moved } else { ApiRowKind::Renamed };
    row.successor = found.name;
    found.evidence.clone_into(&mut row.evidence);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SourceFiles;

    fn files(texts: &[(&str, &str)]) -> SourceFiles {
        let files = texts.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
        SourceFiles { files, ..SourceFiles::default() }
    }

    /// The rows between releases, as lines.
    fn rows(releases: &[SourceFiles]) -> Vec<String> {
        rows_with(releases, &LentNames::default())
    }

    fn rows_with(releases: &[SourceFiles], lent: &LentNames) -> Vec<String> {
        let last = LastRelease::of(releases.last().unwrap(), lent);
        let mut census = Census::new("x", &last);
        for (number, files) in releases.iter().enumerate() {
            let text = number.to_string();
            census.add(CensusRelease { version: text.clone(), day: text.clone(), since: text }, files, lent);
        }
        let told = |row: ApiRow| {
            format!(
                "{} {} {} {} -> {} {} {}",
                row.kind, row.name, row.parameter, row.word, row.successor, row.evidence, row.certainty
            )
        };
        census.finish().into_iter().map(told).collect()
    }

    #[test]
    fn names_that_went_are_found_where_they_are_today() {
        let old = files(&[
            ("x/__init__.py", "from .a import f, G\n"),
            (
                "x/a.py",
                "def f(one, two, three=1): pass\nclass G:\n    def __init__(self, n=1): self.fitted_ = n\n    def fit(self, data): pass\n    def score(self): pass\n",
            ),
        ]);
        let new = files(&[
            ("x/__init__.py", "from .b import G\n"),
            (
                "x/b.py",
                "def f(one, two, three=1, four=2): pass\nclass G:\n    def __init__(self, n=2): pass\n    def fit(self, data): pass\n",
            ),
        ]);
        insta::assert_snapshot!(rows(&[old, new]).join("\n"));
    }

    #[test]
    fn parameters_and_words_that_went_are_found_by_what_was_said() {
        let old = "import warnings\nclass C:\n    def __init__(self, loss='ls', n_iter=5, old=None):\n        pass\n    def fit(self, a, b):\n                           if self.loss not in ('ls', 'lad'):\n            raise ValueError\n        if self.loss == 'ls':\n                               warnings.warn(\"The loss 'ls' is deprecated, use 'squared' instead\", FutureWarning)\n        if self.n_iter:\n                               warnings.warn(\"`n_iter` was renamed to `max_iter`\", FutureWarning)\n@deprecated('Use D instead')\nclass E: pass\nclass D: pass\n";
        let new = "class C:\n    _parameter_constraints = {'loss': [StrOptions({'squared', 'lad'})]}\n    def __init__(self, *, loss='squared', max_iter=5):\n                           pass\n    def fit(self, b, a): pass\nclass D: pass\n";
        insta::assert_snapshot!(rows(&[files(&[("x/__init__.py", old)]), files(&[("x/__init__.py", new)])]).join("\n"));
    }

    #[test]
    fn what_is_there_today_was_never_gone() {
        let with = files(&[("x/__init__.py", "def f(): pass\ndef g(): pass\n")]);
        let without = files(&[("x/__init__.py", "def g(): pass\n")]);
        let rows = |releases: &[&SourceFiles]| rows(&releases.iter().map(|files| (*files).clone()).collect::<Vec<_>>());
        assert!(rows(&[&with, &without, &with]).iter().all(|row| !row.starts_with("removed")));
        assert_eq!(
            rows(&[&with, &without, &with, &without]).iter().filter(|row| row.starts_with("removed")).count(),
            2
        );
    }

    #[test]
    fn a_namespace_that_is_wrapped_when_it_runs_is_there() {
        let plain = files(&[("x/__init__.py", "from .a import *\n"), ("x/a.py", "def f(b): pass\ndef g(): pass\n")]);
        let wrapped = files(&[
            ("x/__init__.py", "from .w import *\nfrom . import w\n__all__ = w.__all__\ndel w\n"),
            (
                "x/w.py",
                "from . import api\n__all__ = api.__all__\nfor n in api.__all__:\n    vars()[n] = wrap(getattr(api, n))\n",
            ),
            ("x/api.py", "from .a import *\n__all__ = [s for s in dir() if not s.startswith('_')]\n"),
            ("x/a.py", "def f(c): pass\n"),
        ]);
        let told = rows(&[plain, wrapped]);
        assert_eq!(
            told.iter().filter(|row| row.starts_with("removed") || row.starts_with("moved")).count(),
            2,
            "{told:?}"
        );
        assert!(told.iter().any(|row| row.starts_with("parameter-renamed x.f b")), "{told:?}");
    }

    #[test]
    fn names_that_are_made_when_asked_for_end_where_they_are_listed_as_gone() {
        let made = |list: &str| {
            format!(
                "_info = [('int', 1)]\n{list} = {{n: 1 for n, _ in _info}}\n_info = [('float', 2)]\ndef __getattr__(n): pass\n"
            )
        };
        let told = rows(&[
            files(&[("x/a.py", ""), ("x/__init__.py", "from builtins import int, float\n")]),
            files(&[
                ("x/a.py", ""),
                (
                    "x/__init__.py",
                    "a.update({n: 1 for n, _ in [('int', 1), ('float', 2)]})\ndef __getattr__(n): pass\n",
                ),
            ]),
            files(&[("x/a.py", ""), ("x/__init__.py", &made("__deprecated__"))]),
            files(&[("x/a.py", ""), ("x/__init__.py", &made("__former_attrs__"))]),
        ]);
        assert_eq!(told, ["moved x.int   -> builtins.int import likely"]);
    }

    #[test]
    fn names_that_were_taken_of_another_library_are_there_still() {
        let lent = LentNames::of(&files(&[("numpy/__init__.py", "__all__ = ['mean']\ndef mean(): pass\n")]));
        let releases = [
            files(&[("x/__init__.py", "from numpy import *\n")]),
            files(&[(
                "x/__init__.py",
                "import numpy as _num\nfor k in _num.__all__:\n    globals()[k] = 1\nfor k in ['a', 'b']:\n    globals()[k] = 1\n",
            )]),
            files(&[("x/__init__.py", "b = 1\n")]),
        ];
        assert_eq!(
            rows_with(&releases, &lent),
            [
                "added x.a   ->   likely",
                "removed x.a   ->   likely",
                "added x.b   ->   likely",
                "moved x.mean   -> numpy.mean import likely"
            ]
        );
    }

    #[test]
    fn members_that_a_loop_sets_are_members() {
        let old = files(&[
            (
                "x/__init__.py",
                "from . import a\nclass D:\n    def make(c, n): pass\nfor n, i in a.listed():\n    D.make(n, i)\n",
            ),
            ("x/a.py", "def listed():\n    return [('ix', 1), ('loc', 2)]\n"),
        ]);
        let new = files(&[
            (
                "x/__init__.py",
                "class D:\n    loc = 1\n    def make(c, n): pass\nfor n in ['iloc']:\n    setattr(D, n, 1)\n",
            ),
            ("x/a.py", ""),
        ]);
        let told = rows(&[old, new]);
        assert!(told.contains(&"removed x.D.ix   ->   likely".to_owned()), "{told:?}");
        assert!(
            told.contains(&"added x.D.iloc   ->   likely".to_owned()) && !told.iter().any(|row| row.contains("D.loc")),
            "{told:?}"
        );
    }

    #[test]
    fn a_definition_is_spelled_below_the_package_that_has_it() {
        let release = |members: &str| {
            files(&[
                ("x/__init__.py", ""),
                ("x/axes.py", &format!("class A:\n    def b(self): pass\n{members}")),
                ("y.py", "from x.axes import *\n"),
            ])
        };
        let told = rows(&[release("    def gone(self): pass\n"), release("")]);
        assert_eq!(told, ["removed x.axes.A.gone   ->   likely"]);
    }

    #[test]
    fn imports_in_circles_and_endless_bases_end() {
        let handed = "from . import a, b, c\n__all__ = a.__all__ + b.__all__ + c.__all__ + made()\n";
        let round = files(&["x/__init__.py", "x/a.py", "x/b.py", "x/c.py"].map(|path| (path, handed)));
        assert!(rows(&[round.clone(), round]).is_empty());
        let circle = files(&[
            ("x/__init__.py", "from .a import *\nfrom .a import f\nclass A(B): pass\nclass B(A): pass\n"),
            (
                "x/a.py",
                "from . import *\nfrom . import f, g\nh = h\nk = l\nl = k\n__all__ = ['f'] + b.__all__\nimport x.a as b\n",
            ),
        ]);
        assert!(rows(&[circle.clone(), circle]).is_empty());
    }
}
