//! What several names hold that are bound at once.

use nbrevive_pysource::ast::{Expr, ExprCall};

use super::Kinds;
use crate::kind::{self, Kind, join};
use crate::names::Names;
use crate::shape;

impl Kinds {
    /// Takes what a function returns, where that is a tuple.
    pub(super) fn read_returned(&mut self, function: &str, value: &Expr, names: &Names) -> bool {
        let Some(values) = value.as_tuple_expr().map(|tuple| &tuple.elts) else { return false };
        let found: Vec<_> = values.iter().map(|one| self.infer(one, names)).collect();
        let Some(known) = self.returns_each.get_mut(function) else {
            self.returns_each.insert(function.to_owned(), found);
            return true;
        };
        if known.len() != found.len() {
            let changed = !known.is_empty();
            known.clear();
            return changed;
        }
        known.iter_mut().zip(&found).fold(false, |changed, (known, found)| join(known, found) | changed)
    }

    /// `a, b = own()`, where a function of the notebook returns two, and `a, b, c, d = train_test_split(X, y)`, where each argument
    /// gives two results of its kind.
    pub(super) fn bind_split(&mut self, targets: &[Expr], value: &Expr, names: &Names) -> bool {
        let Expr::Call(call) = value else { return false };
        if let Some(each) = shape::name(&call.func).and_then(|name| self.returns_each.get(name)) {
            let each = if each.len() == targets.len() { each.clone() } else { Vec::new() };
            let named = targets.iter().map(shape::name).zip(each);
            return named
                .fold(false, |changed, (name, kinds)| name.is_some_and(|name| self.add(name, &kinds)) | changed);
        }
        let called = names.qualified(&call.func).unwrap_or_default();
        if let ("matplotlib.pyplot.subplots", [figure, axes]) = (called.as_str(), targets) {
            return self.bind_axes(figure, axes, call);
        }
        if !called.ends_with(".train_test_split") {
            return false;
        }
        let mut changed = false;
        for (number, target) in targets.iter().enumerate() {
            if let (Some(name), Some(argument)) = (shape::name(target), call.arguments.args.get(number / 2)) {
                let found = self.infer(argument, names);
                changed |= self.add(name, &found);
            }
        }
        changed
    }

    /// `fig, ax = plt.subplots()`, and `fig, (above, below) = plt.subplots(2)`.
    fn bind_axes(&mut self, figure: &Expr, axes: &Expr, call: &ExprCall) -> bool {
        let arguments = &call.arguments;
        let is_one =
            arguments.args.is_empty() && ["nrows", "ncols"].iter().all(|name| arguments.find_keyword(name).is_none());
        let mut changed = shape::name(figure).is_some_and(|name| self.add(name, &[kind::instance(kind::FIGURE)]));
        let one = kind::instance(kind::AXES);
        match shape::name(axes) {
            Some(name) if is_one => changed |= self.add(name, &[one]),
            Some(name) => changed |= self.add(name, &[Kind::List(vec![one])]),
            None => {
                for name in shape::elements(axes).unwrap_or_default().iter().filter_map(shape::name) {
                    changed |= self.add(name, std::slice::from_ref(&one));
                }
            }
        }
        changed
    }
}
