//! Who is called: receivers of methods and functions of libraries, as tables name them.

use nbrevive_pysource::ast::{Expr, ExprCall};
use nbrevive_pysource::text_size::TextRange;

use crate::kind::Kind;
use crate::shape;
use crate::view::{Place, View};

/// The receivers that a table row speaks of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum On {
    /// The name is unmistakable: any receiver.
    Any,
    Frame,
    Series,
    /// Frame or series.
    Pandas,
    /// A group-by, columns chosen or not.
    Grouped,
    Index,
    Dates,
    Strings,
    Array,
    Sparse,
    /// Only where an error blames the line.
    AtFault,
    /// Any receiver, once an error says of this method how many arguments it takes: for calls that arrays take as well.
    Told,
    /// An instance of a class of this last name.
    Instance(&'static str),
}

impl On {
    /// Whether a receiver of one of these kinds (of an unknown one, where there are none) may be what an error blames. What is
    /// built in is no library's.
    pub(crate) fn may_be(self, found: &[Kind]) -> bool {
        let built_in = |kind: &Kind| {
            matches!(
                kind,
                Kind::Text | Kind::Number | Kind::Dict | Kind::Set | Kind::List(_) | Kind::DictView | Kind::Lazy
            )
        };
        match self {
            Self::AtFault => found.is_empty() || !found.iter().all(built_in),
            // Estimators and their kin are no arrays.
            Self::Told => {
                found.is_empty() || !found.iter().all(|kind| built_in(kind) || matches!(kind, Kind::Instance(_)))
            }
            on => found.is_empty() || found.iter().any(|kind| on.accepts(kind)),
        }
    }

    /// Whether a value of this kind is one of those receivers.
    pub(crate) fn accepts(self, kind: &Kind) -> bool {
        match self {
            Self::Any => true,
            Self::Frame => *kind == Kind::Frame,
            Self::Series => *kind == Kind::Series,
            Self::Pandas => matches!(kind, Kind::Frame | Kind::Series),
            Self::Grouped => matches!(kind, Kind::Grouped | Kind::GroupedSeries),
            Self::Index => *kind == Kind::Index,
            Self::Dates => *kind == Kind::DateMethods,
            Self::Strings => *kind == Kind::StringMethods,
            Self::Array => *kind == Kind::Array,
            Self::Sparse => *kind == Kind::Sparse,
            Self::AtFault | Self::Told => false,
            Self::Instance(class) => match kind {
                Kind::Instance(dotted) => dotted.rsplit('.').next() == Some(class),
                _ => false,
            },
        }
    }
}

/// What is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Callee {
    /// A function or class: the root of its dotted name and its last part (`*` for any), wherever it lives between.
    Function(&'static str, &'static str),
    /// A method.
    Method(On, &'static str),
}

impl View<'_> {
    /// Whether a receiver is what a row speaks of: for certain, or possibly and blamed by an error.
    pub(crate) fn receiver_is(&self, on: On, place: Place, receiver: &Expr, range: TextRange) -> bool {
        self.receiver_is_certain(on, receiver) || on.may_be(&self.kinds(receiver)) && self.at_fault(place, range)
    }

    /// Whether a method is one that the notebook defines itself, in the class of its receiver.
    pub(crate) fn is_own(&self, receiver: &Expr, method: &str) -> bool {
        self.code.kinds.is_own(&self.kinds(receiver), method)
    }

    /// Whether a receiver is what a row speaks of, whatever the errors say.
    pub(crate) fn receiver_is_certain(&self, on: On, receiver: &Expr) -> bool {
        if on == On::Any {
            return true;
        }
        let found = self.kinds(receiver);
        !found.is_empty() && found.iter().all(|kind| on.accepts(kind))
    }

    /// Whether a call is one of the callee.
    pub(crate) fn is_call_of(&self, callee: Callee, place: Place, call: &ExprCall) -> bool {
        match callee {
            Callee::Function(root, last) => {
                if last != "*" && !ends_with_name(&call.func, last) && !self.renamed(&call.func) {
                    return false;
                }
                self.qualified(&call.func).is_some_and(|dotted| {
                    let found = dotted.rsplit('.').next().unwrap_or_default();
                    dotted.split('.').next() == Some(root) && (last == "*" || last == found)
                })
            }
            Callee::Method(on, name) => match shape::method(call) {
                Some((attribute, method)) => {
                    method == name
                        && !self.is_own(&attribute.value, name)
                        && (on == On::Told && self.told_of(name) && on.may_be(&self.kinds(&attribute.value))
                            || self.receiver_is(on, place, &attribute.value, call_range(call)))
                }
                None => false,
            },
        }
    }

    /// Whether an error says how many arguments a method of this name takes.
    fn told_of(&self, method: &str) -> bool {
        let told = format!(".{method}() takes");
        self.errors.iter().any(|error| error.evalue.contains(&told))
    }

    fn renamed(&self, function: &Expr) -> bool {
        shape::name(function).is_some_and(|local| self.code.names.bound(local).is_some())
    }
}

fn ends_with_name(function: &Expr, last: &str) -> bool {
    match function {
        Expr::Name(name) => name.id.as_str() == last,
        Expr::Attribute(attribute) => attribute.attr.as_str() == last,
        _ => false,
    }
}

/// The range of a whole call.
pub(crate) fn call_range(call: &ExprCall) -> TextRange {
    use nbrevive_pysource::text_size::Ranged;
    call.range()
}
