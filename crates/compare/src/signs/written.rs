//! The paper's six signs as it names them (section 4.2): names as they are written, without looking where they come from.
//!
//! The paper lists `random.*`, `uuid.*`, `np.random`/`numpy.random`, `time.time`, `datetime.now` and `os.environ`, and calls them static
//! detection patterns. Here they are looked for in the tree of the code, so that comments and strings are none; a seed is a sign like any
//! other use of its module, and a name imported by `from random import …` is none, since no pattern of the paper would find its use.

use nbrevive_pysource::ast::visitor::{Visitor, walk_expr};
use nbrevive_pysource::ast::{Expr, ExprAttribute};
use nbrevive_pysource::parse::{Parsed, parse};
use nbrevive_pysource::text_size::Ranged;

use super::names::dotted;
use super::sign::{ChanceSign, FoundSign};

/// The paper's signs in the code cells given, in their order.
#[must_use]
pub fn signs_of_paper(cells: &[&str]) -> Vec<FoundSign> {
    let mut found = Vec::new();
    for (cell, source) in cells.iter().enumerate() {
        let parsed = parse(source);
        let mut finder = Finder { parsed: &parsed, cell, found: &mut found };
        finder.visit_body(parsed.body());
    }
    found
}

struct Finder<'a> {
    parsed: &'a Parsed,
    cell: usize,
    found: &'a mut Vec<FoundSign>,
}

impl Visitor<'_> for Finder<'_> {
    fn visit_expr(&mut self, expression: &Expr) {
        if let Expr::Attribute(attribute) = expression
            && let Some((sign, name)) = written(attribute)
        {
            let line = self.parsed.line(expression.start());
            self.found.push(FoundSign { sign, cell: self.cell, line, name, is_seeded: false });
            return;
        }
        walk_expr(self, expression);
    }
}

/// The sign that a dotted name is.
fn written(attribute: &ExprAttribute) -> Option<(ChanceSign, String)> {
    let name = format!("{}.{}", dotted(&attribute.value)?, attribute.attr);
    let starts = |start: &str| name == start || name.strip_prefix(start).is_some_and(|rest| rest.starts_with('.'));
    let ends = |end: &str| name == end || name.strip_suffix(end).is_some_and(|rest| rest.ends_with('.'));
    let sign = if starts("np.random") || starts("numpy.random") {
        ChanceSign::NumpyRandom
    } else if starts("random") {
        ChanceSign::Random
    } else if starts("uuid") {
        ChanceSign::Uuid
    } else if starts("time.time") {
        ChanceSign::Time
    } else if ends("datetime.now") {
        ChanceSign::DatetimeNow
    } else if starts("os.environ") {
        ChanceSign::Environ
    } else {
        return None;
    };
    Some((sign, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_count_as_they_are_written() {
        let cells = [
            "import random, numpy as np\nx = random.random() + np.random.rand(3)[0]\n# random.random()\n'uuid.uuid4()'",
            "t = time.time()\nd = datetime.datetime.now(); e = datetime.now()\nos.environ['A']\nuuid.uuid4().hex\nrng.random.x",
            "from random import choice\nchoice([1])\nnumpy.random.seed(0)",
        ];
        let found: Vec<_> =
            signs_of_paper(&cells).iter().map(|sign| (sign.sign.as_str(), sign.cell, sign.line)).collect();
        assert_eq!(
            found,
            [
                ("random", 0, 2),
                ("numpy-random", 0, 2),
                ("time", 1, 1),
                ("datetime-now", 1, 2),
                ("datetime-now", 1, 2),
                ("environ", 1, 3),
                ("uuid", 1, 4),
                ("numpy-random", 2, 3),
            ]
        );
    }
}
