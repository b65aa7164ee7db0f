//! Light inference of what variables hold: by name over the whole notebook, without regard to order.
//!
//! Parameters take the kinds of the arguments that the notebook itself passes, and calls of its functions those of
//! their `return` statements. Where a name holds different things at different times all of them are kept.

mod unpacked;

use std::collections::{HashMap, HashSet};

use nbrevive_pysource::ast::{Expr, ExprCall, Operator, Stmt, StmtClassDef, StmtFor, StmtFunctionDef};

use crate::kind::{self, Kind, KindSet, join};
use crate::names::Names;
use crate::view::Source;
use crate::{shape, walk};

/// Rounds over the notebook; kinds that flow through more functions than this stay unknown.
const ROUNDS: usize = 4;

/// Kinds of names, and of what the notebook's functions return.
#[derive(Debug, Default)]
pub(crate) struct Kinds {
    variables: HashMap<String, KindSet>,
    returns: HashMap<String, KindSet>,
    /// Of functions that return tuples, each of their elements; empty where tuples of several lengths come back.
    returns_each: HashMap<String, Vec<KindSet>>,
    parameters: HashMap<String, Vec<String>>,
    /// Classes of the notebook that inherit from none but its own, each with the methods that stand in it.
    classes: HashMap<String, HashSet<String>>,
    /// Whether a run told of chains of names, which stand among the variables.
    has_chains: bool,
}

impl Kinds {
    /// Infers over all cells.
    pub(crate) fn of(cells: &[Source], names: &Names) -> Self {
        let mut kinds = Self::default();
        for source in cells {
            walk::statements(source.parsed.body(), &mut |statement, _| match statement {
                Stmt::FunctionDef(function) => {
                    kinds.parameters.insert(function.name.to_string(), parameter_names(function));
                }
                Stmt::ClassDef(class) => kinds.read_class(class),
                _ => {}
            });
        }
        kinds.follow(cells, names);
        kinds
    }

    /// Lets kinds flow from name to name.
    fn follow(&mut self, cells: &[Source], names: &Names) {
        for _ in 0..ROUNDS {
            let mut changed = false;
            for source in cells {
                walk::statements(source.parsed.body(), &mut |statement, around| {
                    changed |= self.read(statement, around, names);
                });
                walk::expressions(source.parsed.body(), &mut |expression, _| {
                    changed |= self.read_expression(expression, names);
                });
            }
            if !changed {
                break;
            }
        }
    }

    /// Takes the kinds of names and chains of names of which nothing is known, and lets them flow on.
    pub(crate) fn learn<'n>(
        &mut self,
        known: impl Iterator<Item = (&'n str, Kind)>,
        (cells, names): (&[Source], &Names),
    ) {
        let mut changed = false;
        for (name, kind) in known {
            self.has_chains |= name.contains('.');
            changed |= !self.variables.contains_key(name) && self.add(name, &[kind]);
        }
        if changed {
            self.follow(cells, names);
        }
    }

    /// Notes a class, of which `self` may be an instance. One that inherits from a library may have all that is there.
    fn read_class(&mut self, class: &StmtClassDef) {
        let bases = class.arguments.iter().flat_map(|arguments| &arguments.args);
        let is_own =
            |base: &Expr| shape::name(base).is_some_and(|name| name == "object" || self.classes.contains_key(name));
        if !bases.into_iter().all(is_own) {
            return;
        }
        let methods = class.body.iter().filter_map(|one| one.as_function_def_stmt());
        let methods = methods.map(|method| method.name.to_string()).collect();
        self.classes.insert(class.name.to_string(), methods);
        self.add("self", &[Kind::Instance(class.name.to_string())]);
    }

    /// Whether a receiver may be an instance of a class of the notebook that has this method itself, and is nothing else.
    pub(crate) fn is_own(&self, receiver: &[Kind], method: &str) -> bool {
        let own = |kind: &Kind| match kind {
            Kind::Instance(class) => self.classes.get(class),
            _ => None,
        };
        receiver.iter().all(|kind| own(kind).is_some())
            && receiver.iter().filter_map(own).any(|methods| methods.contains(method))
    }

    fn read(&mut self, statement: &Stmt, around: &[&Stmt], names: &Names) -> bool {
        match statement {
            Stmt::Assign(assign) => {
                assign.targets.iter().fold(false, |changed, target| self.bind(target, &assign.value, names) | changed)
            }
            Stmt::AnnAssign(assign) => {
                assign.value.as_ref().is_some_and(|value| self.bind(&assign.target, value, names))
            }
            Stmt::For(block) => self.read_loop(block, names),
            Stmt::With(block) => block.items.iter().fold(false, |changed, item| {
                let bound = item.optional_vars.as_ref().is_some_and(|v| self.bind(v, &item.context_expr, names));
                bound | changed
            }),
            Stmt::Return(ret) => {
                let Some(value) = &ret.value else { return false };
                let Some(Stmt::FunctionDef(function)) = around.iter().rev().find(|one| one.is_function_def_stmt())
                else {
                    return false;
                };
                let found = self.infer(value, names);
                let each = self.read_returned(function.name.as_str(), value, names);
                join(self.returns.entry(function.name.to_string()).or_default(), &found) | each
            }
            _ => false,
        }
    }

    fn read_loop(&mut self, block: &StmtFor, names: &Names) -> bool {
        let elements = self.elements(&block.iter, names);
        match block.target.as_ref() {
            Expr::Name(name) => self.add(name.id.as_str(), &elements),
            Expr::Tuple(tuple) => self.read_pairs(&tuple.elts, &block.iter, names),
            _ => false,
        }
    }

    /// Targets of `for i, row in df.iterrows()` and the like.
    fn read_pairs(&mut self, targets: &[Expr], iterable: &Expr, names: &Names) -> bool {
        let Expr::Call(call) = iterable else { return false };
        let (Some(first), Some(second)) = (targets.first().and_then(shape::name), targets.get(1).and_then(shape::name))
        else {
            return false;
        };
        if shape::name(&call.func) == Some("enumerate") {
            let inner = call.arguments.args.first().map(|inner| self.elements(inner, names)).unwrap_or_default();
            return self.add(first, &[Kind::Number]) | self.add(second, &inner);
        }
        if shape::name(&call.func) == Some("zip") {
            let pairs = targets.iter().zip(&call.arguments.args);
            let of_each: Vec<(&str, KindSet)> =
                pairs.filter_map(|(target, one)| Some((shape::name(target)?, self.elements(one, names)))).collect();
            return of_each.iter().fold(false, |new, (name, kinds)| self.add(name, kinds) | new);
        }
        let Some((attribute, method)) = shape::method(call) else { return false };
        let receiver = self.infer(&attribute.value, names);
        match method {
            "iterrows" => self.add(second, &[Kind::Series]),
            "iteritems" | "items" if receiver.contains(&Kind::DataTypes) => self.add(second, &[Kind::DataType]),
            "iteritems" | "items" if receiver.contains(&Kind::Frame) => {
                self.add(first, &[Kind::Text]) | self.add(second, &[Kind::Series])
            }
            _ if receiver.contains(&Kind::Grouped) => self.add(second, &[Kind::Frame]),
            _ => false,
        }
    }

    fn read_expression(&mut self, expression: &Expr, names: &Names) -> bool {
        match expression {
            Expr::Call(call) => self.read_arguments(call, names) | self.read_mapped(call, names),
            Expr::ListComp(comp) => self.read_generators(&comp.generators, names),
            Expr::Generator(comp) => self.read_generators(&comp.generators, names),
            Expr::SetComp(comp) => self.read_generators(&comp.generators, names),
            Expr::DictComp(comp) => self.read_generators(&comp.generators, names),
            _ => false,
        }
    }

    fn read_generators(&mut self, generators: &[nbrevive_pysource::ast::Comprehension], names: &Names) -> bool {
        let mut changed = false;
        for generator in generators {
            let elements = self.elements(&generator.iter, names);
            match &generator.target {
                Expr::Name(name) => changed |= self.add(name.id.as_str(), &elements),
                Expr::Tuple(tuple) => changed |= self.read_pairs(&tuple.elts, &generator.iter, names),
                _ => {}
            }
        }
        changed
    }

    /// `df.dtypes.map(lambda kind: …)`: the parameter is one of them.
    fn read_mapped(&mut self, call: &ExprCall, names: &Names) -> bool {
        let Some((attribute, "map" | "apply")) = shape::method(call) else { return false };
        let Some(Expr::Lambda(lambda)) = call.arguments.args.first() else { return false };
        let parameter = lambda.parameters.as_ref().and_then(|parameters| parameters.iter().next());
        let is_of_dtypes = || self.infer(&attribute.value, names) == [Kind::DataTypes];
        parameter.filter(|_| is_of_dtypes()).is_some_and(|one| {
            let name = one.name().to_string();
            self.add(&name, &[Kind::DataType])
        })
    }

    /// What a call of one of the notebook's functions tells of its parameters.
    fn read_arguments(&mut self, call: &ExprCall, names: &Names) -> bool {
        let Some(function) = shape::name(&call.func) else { return false };
        let Some(parameters) = self.parameters.get(function).cloned() else { return false };
        let mut changed = false;
        for (parameter, argument) in parameters.iter().zip(&call.arguments.args) {
            let found = self.infer(argument, names);
            changed |= self.add(parameter, &found);
        }
        for keyword in &call.arguments.keywords {
            if let Some(arg) = keyword.arg.as_ref().filter(|arg| parameters.iter().any(|one| one == arg.as_str())) {
                let found = self.infer(&keyword.value, names);
                changed |= self.add(arg.as_str(), &found);
            }
        }
        changed
    }

    fn bind(&mut self, target: &Expr, value: &Expr, names: &Names) -> bool {
        match target {
            Expr::Name(name) => {
                let found = self.infer(value, names);
                self.add(name.id.as_str(), &found)
            }
            Expr::Tuple(_) | Expr::List(_) => {
                let targets = shape::elements(target).unwrap_or_default();
                if let Some(values) = shape::elements(value).filter(|values| values.len() == targets.len()) {
                    return targets.iter().zip(values).fold(false, |changed, (t, v)| self.bind(t, v, names) | changed);
                }
                self.bind_split(targets, value, names)
            }
            _ => false,
        }
    }

    fn add(&mut self, name: &str, kinds: &[Kind]) -> bool {
        !kinds.is_empty() && join(self.variables.entry(name.to_owned()).or_default(), kinds)
    }

    /// What the elements of an iterable are.
    fn elements(&self, iterable: &Expr, names: &Names) -> KindSet {
        if let Some(elements) = shape::elements(iterable) {
            let mut found = KindSet::new();
            for element in elements {
                join(&mut found, &self.infer(element, names));
            }
            return found;
        }
        let mut found = KindSet::new();
        for kind in self.infer(iterable, names) {
            match kind {
                Kind::List(inner) => {
                    join(&mut found, &inner);
                }
                Kind::Frame | Kind::Index => {
                    join(&mut found, &[Kind::Text]);
                }
                Kind::DataTypes => {
                    join(&mut found, &[Kind::DataType]);
                }
                Kind::Instance(class) => {
                    join(&mut found, &kind::of_elements(&class));
                }
                _ => {}
            }
        }
        found
    }

    /// What an expression may be; empty when unknown.
    pub(crate) fn infer(&self, expression: &Expr, names: &Names) -> KindSet {
        match expression {
            Expr::Name(name) => self.variables.get(name.id.as_str()).cloned().unwrap_or_default(),
            Expr::Call(call) => self.infer_call(call, names),
            Expr::Attribute(attribute) => {
                let receiver = self.infer(&attribute.value, names);
                let name = attribute.attr.as_str();
                if receiver.is_empty() {
                    return match name {
                        "dtype" => vec![Kind::DataType],
                        "dtypes" => vec![Kind::DataTypes],
                        _ => self.of_chain(expression),
                    };
                }
                let found = spread(&receiver, |kind| kind::of_attribute(kind, name));
                if found.is_empty() { self.of_chain(expression) } else { found }
            }
            Expr::Subscript(subscript) => {
                let receiver = self.infer(&subscript.value, names);
                spread(&receiver, |kind| self.infer_item(kind, &subscript.slice, names))
            }
            Expr::BinOp(operation) => self.infer_operation(&operation.left, operation.op, &operation.right, names),
            Expr::Compare(compare) => {
                let left = self.infer(&compare.left, names);
                left.into_iter().filter(|kind| matches!(kind, Kind::Series | Kind::Frame | Kind::Array)).collect()
            }
            Expr::UnaryOp(unary) => self.infer(&unary.operand, names),
            Expr::If(choice) => {
                let mut found = self.infer(&choice.body, names);
                join(&mut found, &self.infer(&choice.orelse, names));
                found
            }
            Expr::List(list) => {
                let mut inner = KindSet::new();
                for element in &list.elts {
                    join(&mut inner, &self.infer(element, names));
                }
                vec![Kind::List(inner)]
            }
            Expr::ListComp(comp) => vec![Kind::List(self.infer(&comp.elt, names))],
            Expr::Dict(_) | Expr::DictComp(_) => vec![Kind::Dict],
            Expr::Set(_) | Expr::SetComp(_) => vec![Kind::Set],
            Expr::StringLiteral(_) | Expr::FString(_) => vec![Kind::Text],
            Expr::NumberLiteral(_) => vec![Kind::Number],
            _ => Vec::new(),
        }
    }

    /// What a run found at a chain of names.
    fn of_chain(&self, expression: &Expr) -> KindSet {
        if !self.has_chains {
            return Vec::new();
        }
        let chain = shape::dotted(expression).map(|chain| chain.join("."));
        chain.and_then(|chain| self.variables.get(&chain)).cloned().unwrap_or_default()
    }

    fn infer_call(&self, call: &ExprCall, names: &Names) -> KindSet {
        if let Some(dotted) = names.qualified(&call.func) {
            return kind::of_function(&dotted);
        }
        if let Some(name) = shape::name(&call.func) {
            if self.classes.contains_key(name) {
                return vec![Kind::Instance(name.to_owned())];
            }
            if let Some(found) = self.returns.get(name) {
                return found.clone();
            }
            return kind::of_function(&format!("builtins.{name}"));
        }
        let Some((attribute, method)) = shape::method(call) else { return Vec::new() };
        let receiver = self.infer(&attribute.value, names);
        spread(&receiver, |kind| kind::of_method(kind, method))
    }

    fn infer_operation(&self, left: &Expr, op: Operator, right: &Expr, names: &Names) -> KindSet {
        let (left, right) = (self.infer(left, names), self.infer(right, names));
        if op == Operator::Mod && left == [Kind::Text] {
            return vec![Kind::Text];
        }
        let strong = |kind: &Kind| matches!(kind, Kind::Frame | Kind::Series | Kind::Array | Kind::Index);
        let mut found: KindSet = left.iter().filter(|kind| strong(kind)).cloned().collect();
        join(&mut found, &right.iter().filter(|kind| strong(kind)).cloned().collect::<Vec<_>>());
        if found.is_empty() { left } else { found }
    }

    fn infer_item(&self, receiver: &Kind, key: &Expr, names: &Names) -> KindSet {
        match receiver {
            Kind::Frame => self.infer_column(key, names),
            Kind::Series if is_selection(key) => vec![Kind::Series],
            Kind::Array if is_selection(key) || key.is_tuple_expr() => vec![Kind::Array],
            Kind::Index if is_selection(key) => vec![Kind::Index],
            Kind::Grouped => match key {
                Expr::List(_) => vec![Kind::Grouped],
                Expr::StringLiteral(_) => vec![Kind::GroupedSeries],
                _ => vec![Kind::Grouped, Kind::GroupedSeries],
            },
            Kind::Indexer => match key {
                Expr::Tuple(tuple) => match tuple.elts.get(1) {
                    Some(Expr::Slice(_) | Expr::List(_)) => vec![Kind::Frame],
                    Some(column) if shape::text(column).is_some() => vec![Kind::Series],
                    _ => kind::PANDAS.to_vec(),
                },
                _ if is_selection(key) => vec![Kind::Frame],
                _ => kind::PANDAS.to_vec(),
            },
            Kind::List(inner) if key.is_slice_expr() => vec![Kind::List(inner.clone())],
            Kind::List(inner) => inner.clone(),
            Kind::DataTypes => vec![if is_selection(key) { Kind::DataTypes } else { Kind::DataType }],
            Kind::Text => vec![Kind::Text],
            _ => Vec::new(),
        }
    }

    /// `df[key]`: a series for one column, a frame for a list, mask or slice.
    fn infer_column(&self, key: &Expr, names: &Names) -> KindSet {
        match key {
            Expr::StringLiteral(_) | Expr::NumberLiteral(_) => vec![Kind::Series],
            _ if is_selection(key) => vec![Kind::Frame],
            _ => {
                let found = self.infer(key, names);
                let text = |kind: &Kind| matches!(kind, Kind::Text | Kind::Number);
                if found.is_empty() {
                    kind::PANDAS.to_vec()
                } else if found.iter().all(text) {
                    vec![Kind::Series]
                } else if found.iter().any(text) {
                    kind::PANDAS.to_vec()
                } else {
                    vec![Kind::Frame]
                }
            }
        }
    }
}

/// A key that takes several rows or columns: a list, slice, mask.
fn is_selection(key: &Expr) -> bool {
    match key {
        Expr::List(_) | Expr::Slice(_) | Expr::Compare(_) | Expr::ListComp(_) => true,
        Expr::UnaryOp(unary) => unary.op == nbrevive_pysource::ast::UnaryOp::Invert,
        Expr::BinOp(operation) => matches!(operation.op, Operator::BitAnd | Operator::BitOr),
        _ => false,
    }
}

fn spread(receiver: &[Kind], of: impl Fn(&Kind) -> KindSet) -> KindSet {
    let mut found = KindSet::new();
    for kind in receiver {
        join(&mut found, &of(kind));
    }
    found
}

fn parameter_names(function: &StmtFunctionDef) -> Vec<String> {
    let parameters = &function.parameters;
    parameters.posonlyargs.iter().chain(&parameters.args).map(|one| one.parameter.name.to_string()).collect()
}
