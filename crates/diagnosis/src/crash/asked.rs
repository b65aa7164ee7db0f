//! Which value a failing line asks for what is missing, and which names that value may come from.

use std::collections::BTreeSet;

use nbrevive_pysource::ast::Expr;
use nbrevive_pysource::ast::visitor::{self, Visitor};
use nbrevive_pysource::names::{Binder, CellNames, NameAct, Part, names};
use nbrevive_pysource::parse::parse;

use super::columns::{is_text, root};

/// The frames or mappings that the line asks for a key, and those that they may come from: a key of any of them can be the one that is
/// missing. None where the line does not tell.
pub(super) fn frames(line: &str, key: &str, cells: &[CellNames]) -> Option<BTreeSet<String>> {
    let mut asked = Asked { key, names: BTreeSet::new() };
    parse(line).body().iter().for_each(|statement| asked.visit_stmt(statement));
    let is_known = !asked.names.is_empty() && !asked.names.iter().any(|name| is_imported(name, cells));
    is_known.then(|| with_sources(asked.names, cells))
}

/// The first value of the line, no module, that a method is called of: `clf` of `print(clf.predict(X))`.
pub(super) fn object(line: &str, cells: &[CellNames]) -> Option<String> {
    let events = names(&[line]).cells.into_iter().flat_map(|cell| cell.acts.events);
    let mut objects = events.filter(|event| matches!(event.part, Some(Part::Method(_)))).map(|event| event.name);
    objects.find(|name| !is_imported(name, cells))
}

struct Asked<'line> {
    key: &'line str,
    names: BTreeSet<String>,
}

impl<'tree> Visitor<'tree> for Asked<'_> {
    fn visit_expr(&mut self, expression: &'tree Expr) {
        let owner = match expression {
            Expr::Subscript(part) if is_text(&part.slice, self.key) => Some(&part.value),
            Expr::Attribute(attribute) if attribute.attr.as_str() == self.key => Some(&attribute.value),
            Expr::Call(call) if call.arguments.args.iter().any(|argument| is_text(argument, self.key)) => {
                Some(&call.func)
            }
            _ => None,
        };
        self.names.extend(owner.and_then(|owner| root(owner)).map(str::to_owned));
        visitor::walk_expr(self, expression);
    }
}

fn is_imported(name: &str, cells: &[CellNames]) -> bool {
    let mut events = cells.iter().flat_map(|cell| &cell.acts.events);
    events.any(|event| event.name == name && event.act == NameAct::Bind(Binder::Import))
}

/// The names with those that stand for the same value, or that the code makes it from: `X = df.drop('y', axis=1)`.
fn with_sources(mut names: BTreeSet<String>, cells: &[CellNames]) -> BTreeSet<String> {
    loop {
        let before = names.len();
        for acts in cells.iter().map(|cell| &cell.acts) {
            for (one, other) in &acts.twins {
                if names.contains(one) || names.contains(other) {
                    names.extend([one.clone(), other.clone()]);
                }
            }
            for given in &acts.given {
                let events = &acts.events[given.events.clone()];
                if events.iter().any(|event| matches!(event.act, NameAct::Bind(_)) && names.contains(&event.name)) {
                    names.extend(events.iter().map(|event| event.name.clone()));
                }
            }
        }
        if names.len() == before {
            return names;
        }
    }
}
