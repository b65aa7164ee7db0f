//! Signs through imports: what a name is, whatever it is called, and whether it has a seed.

use std::collections::HashSet;

use nbrevive_pysource::ast::visitor::{Visitor, walk_expr, walk_stmt};
use nbrevive_pysource::ast::{Expr, ExprCall, Stmt};
use nbrevive_pysource::parse::{Parsed, parse};
use nbrevive_pysource::text_size::Ranged;

use super::names::Imported;
use super::sign::{ChanceSign, FoundSign};

/// Names of modules and functions, each with the sign that it or anything in it is.
const NAMES: &[(&str, ChanceSign)] = &[
    ("numpy.random", ChanceSign::NumpyRandom),
    ("random", ChanceSign::Random),
    ("secrets", ChanceSign::Random),
    ("os.urandom", ChanceSign::Random),
    ("uuid", ChanceSign::Uuid),
    ("time.time", ChanceSign::Time),
    ("time.time_ns", ChanceSign::Time),
    ("time.clock", ChanceSign::Time),
    ("time.perf_counter", ChanceSign::Time),
    ("time.process_time", ChanceSign::Time),
    ("time.monotonic", ChanceSign::Time),
    ("time.ctime", ChanceSign::Time),
    ("time.localtime", ChanceSign::Time),
    ("time.gmtime", ChanceSign::Time),
    ("time.strftime", ChanceSign::Time),
    ("timeit", ChanceSign::Time),
    ("datetime.datetime.now", ChanceSign::DatetimeNow),
    ("datetime.datetime.today", ChanceSign::DatetimeNow),
    ("datetime.datetime.utcnow", ChanceSign::DatetimeNow),
    ("datetime.date.today", ChanceSign::DatetimeNow),
    ("pandas.Timestamp.now", ChanceSign::DatetimeNow),
    ("pandas.Timestamp.today", ChanceSign::DatetimeNow),
    ("os.environ", ChanceSign::Environ),
    ("os.getenv", ChanceSign::Environ),
    ("threading", ChanceSign::Threads),
    ("_thread", ChanceSign::Threads),
    ("multiprocessing", ChanceSign::Threads),
    ("concurrent.futures", ChanceSign::Threads),
    ("joblib.Parallel", ChanceSign::Threads),
];

/// Functions that give a sequence in the order of what they get.
const ORDERED: &[&str] = &["list", "tuple", "print", "enumerate", "iter", "next", "map", "zip", "str", "repr"];

/// Signs of chance in the code cells given, in their order: through imports of any cell up to the one that uses them. A use before any
/// import of its module, which could not run in this order, is no sign.
#[must_use]
pub fn chance_signs(cells: &[&str]) -> Vec<FoundSign> {
    told(cells, Known::default())
}

/// The same for cells of which nobody knows in which order they ran: through imports of any cell, and a seed that any cell sets counts for all.
#[must_use]
pub fn chance_signs_in_any_order(cells: &[&str]) -> Vec<FoundSign> {
    let mut known = Known::default();
    // Seeds are told by names that are imported, wherever that is.
    for _ in 0..2 {
        walk(cells, &mut known, &mut Vec::new());
    }
    told(cells, known)
}

/// What cells before have told.
#[derive(Default)]
struct Known {
    imported: Imported,
    /// Signs whose generator has a seed.
    seeded: HashSet<ChanceSign>,
}

fn told(cells: &[&str], mut known: Known) -> Vec<FoundSign> {
    let mut found = Vec::new();
    walk(cells, &mut known, &mut found);
    found
}

fn walk(cells: &[&str], known: &mut Known, found: &mut Vec<FoundSign>) {
    let mut sets = HashSet::new();
    for (cell, source) in cells.iter().enumerate() {
        let parsed = parse(source);
        known.imported.learn(parsed.body());
        let Known { imported, seeded } = &mut *known;
        let mut finder = Finder { parsed: &parsed, cell, imported, seeded, sets: &mut sets, found };
        finder.visit_body(parsed.body());
        // A set that is the value of the cell's last expression is shown.
        if let Some(Stmt::Expr(last)) = parsed.body().last() {
            finder.order(&last.value);
        }
    }
}

struct Finder<'a> {
    parsed: &'a Parsed,
    cell: usize,
    imported: &'a Imported,
    /// Signs whose generator has a seed.
    seeded: &'a mut HashSet<ChanceSign>,
    /// Names that hold sets.
    sets: &'a mut HashSet<String>,
    found: &'a mut Vec<FoundSign>,
}

impl Finder<'_> {
    fn push(&mut self, sign: ChanceSign, name: String, at: &Expr) {
        let line = self.parsed.line(at.start());
        let is_seeded = self.seeded.contains(&sign);
        self.found.push(FoundSign { sign, cell: self.cell, line, name, is_seeded });
    }

    /// A set whose order is used here.
    fn order(&mut self, expression: &Expr) {
        if self.is_set(expression) {
            self.push(ChanceSign::SetOrder, "set".to_owned(), expression);
        }
    }

    fn is_set(&self, expression: &Expr) -> bool {
        match expression {
            Expr::Set(_) | Expr::SetComp(_) => true,
            Expr::Name(name) => self.sets.contains(name.id.as_str()),
            Expr::Call(call) => is_named(&call.func, &["set", "frozenset"]),
            Expr::BinOp(both) => self.is_set(&both.left) && self.is_set(&both.right),
            _ => false,
        }
    }

    /// Whether a call sets a seed; then its module's sign has one from here on.
    fn seeds(&mut self, call: &ExprCall) -> bool {
        let Some(name) = self.imported.full(&call.func) else { return false };
        let has_seed = call.arguments.args.first().or(call.arguments.keywords.first().map(|keyword| &keyword.value));
        let is_given = has_seed.is_some_and(|seed| !seed.is_none_literal_expr());
        let makers = ["default_rng", "RandomState", "Random", "Generator", "SeedSequence", "PCG64", "MT19937"];
        let last = name.rsplit('.').next().unwrap_or(&name);
        let Some(sign) = sign_of(&name).filter(|sign| matches!(sign, ChanceSign::Random | ChanceSign::NumpyRandom))
        else {
            return false;
        };
        if last == "seed" && is_given {
            self.seeded.insert(sign);
            return true;
        }
        makers.contains(&last) && is_given
    }
}

impl Visitor<'_> for Finder<'_> {
    fn visit_stmt(&mut self, statement: &Stmt) {
        match statement {
            Stmt::Assign(assignment) => {
                let is_set = self.is_set(&assignment.value);
                for name in assignment.targets.iter().filter_map(Expr::as_name_expr) {
                    if is_set {
                        self.sets.insert(name.id.to_string());
                    } else {
                        self.sets.remove(name.id.as_str());
                    }
                }
            }
            Stmt::For(walk) => self.order(&walk.iter),
            _ => {}
        }
        walk_stmt(self, statement);
    }

    fn visit_expr(&mut self, expression: &Expr) {
        match expression {
            Expr::Call(call) if self.seeds(call) => {
                return call.arguments.args.iter().for_each(|argument| self.visit_expr(argument));
            }
            Expr::Call(call) if is_named(&call.func, ORDERED) || is_join(&call.func) => {
                call.arguments.args.iter().for_each(|argument| self.order(argument));
            }
            Expr::ListComp(list) => list.generators.iter().for_each(|part| self.order(&part.iter)),
            Expr::Attribute(_) | Expr::Name(_) => {
                if let Some(name) = self.imported.full(expression)
                    && let Some(sign) = sign_of(&name)
                    && name != "uuid"
                    && name != "random"
                {
                    self.push(sign, name, expression);
                    return;
                }
            }
            _ => {}
        }
        walk_expr(self, expression);
    }
}

fn is_named(function: &Expr, names: &[&str]) -> bool {
    function.as_name_expr().is_some_and(|name| names.contains(&name.id.as_str()))
}

/// `", ".join`.
fn is_join(function: &Expr) -> bool {
    function.as_attribute_expr().is_some_and(|method| method.attr.as_str() == "join")
}

/// The sign that a full name is.
fn sign_of(name: &str) -> Option<ChanceSign> {
    let is_in = |module: &str| name == module || name.strip_prefix(module).is_some_and(|rest| rest.starts_with('.'));
    NAMES.iter().find(|(module, _)| is_in(module)).map(|(_, sign)| *sign)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signs(cells: &[&str]) -> Vec<(&'static str, u32, bool)> {
        chance_signs(cells).iter().map(|found| (found.sign.as_str(), found.line, found.is_seeded)).collect()
    }

    #[test]
    fn names_are_followed_through_imports() {
        let cells = [
            "import numpy as np, random as r\nfrom time import time as now\nfrom datetime import datetime as dt\nimport os",
            "np.random.rand(3)\nr.choice([1])\nnow()\ndt.now()\nos.environ.get('A')\nos.getenv('B')",
        ];
        let kinds: Vec<_> = signs(&cells).iter().map(|(kind, ..)| *kind).collect();
        assert_eq!(kinds, ["numpy-random", "random", "time", "datetime-now", "environ", "environ"]);
        assert_eq!(signs(&["def random(): pass\nrandom()\nx.random.y"]), []);
    }

    #[test]
    fn seeds_count_from_where_they_are_set() {
        let cells = [
            "import numpy as np\nnp.random.rand()",
            "np.random.seed(0)\nnp.random.rand()\nrng = np.random.default_rng(3)\nold = np.random.RandomState()",
        ];
        assert_eq!(signs(&cells), [("numpy-random", 2, false), ("numpy-random", 2, true), ("numpy-random", 4, true)]);
        assert_eq!(signs(&["import random\nrandom.seed()\nrandom.random()"]).len(), 2);
    }

    #[test]
    fn where_no_order_is_known_imports_and_seeds_of_any_cell_count() {
        let cells =
            ["x = np.random.rand()", "r.random()", "np.random.seed(1)", "import numpy as np\nimport random as r"];
        assert_eq!(signs(&cells), []);
        let found = chance_signs_in_any_order(&cells);
        let told: Vec<_> = found.iter().map(|sign| (sign.cell, sign.sign, sign.is_seeded)).collect();
        assert_eq!(told, [(0, ChanceSign::NumpyRandom, true), (1, ChanceSign::Random, false)]);
    }

    #[test]
    fn sets_are_signs_where_their_order_shows() {
        let cells =
            ["names = {'a', 'b'}\nsorted(names)\n'a' in names\nlen(names)", "for name in names: print(name)\nnames"];
        assert_eq!(signs(&cells), [("set-order", 1, false), ("set-order", 2, false)]);
        assert_eq!(signs(&["names = {'a'}\nnames = []\nlist(names)"]), []);
        assert_eq!(signs(&["', '.join(set(x))\n[y for y in set(x)]"]).len(), 2);
    }

    #[test]
    fn threads_are_signs() {
        let code = "from concurrent.futures import ThreadPoolExecutor\nwith ThreadPoolExecutor() as pool: pass";
        assert_eq!(signs(&[code]), [("threads", 2, false)]);
    }
}
