//! Gives expressions a value.

use nbrevive_pysource::ast::{Comprehension, Expr, ExprBinOp, ExprCall, ExprDict, Keyword, Number, Operator};

use super::value::Value;
use super::{DEEPEST_CALL, MOST_STEPS, Machine, Origin, truth};
use crate::guard::code::{maker, plain};
use crate::guard::{tables, text};

/// Attributes that say something about the form of a value and nothing of what it holds.
const FORM: &[&str] = &[
    "shape",
    "size",
    "index",
    "columns",
    "dtype",
    "dtypes",
    "ndim",
    "empty",
    "nbytes",
    "name",
    "classes_",
    "__class__",
];
/// Functions whose result tells nothing of what their arguments hold.
const BLIND: &[&str] = &[
    "len",
    "range",
    "type",
    "isinstance",
    "id",
    "print",
    "display",
    "zeros_like",
    "ones_like",
    "empty_like",
    "shape",
    "isnull",
    "isna",
    "notnull",
    "notna",
    "hasattr",
    "count",
    "info",
    "nunique",
];
/// Functions and methods of which one argument, by position or name, is the whole result.
const FILLING: &[(&str, usize, &str)] =
    &[("full", 1, "fill_value"), ("full_like", 1, "fill_value"), ("repeat", 0, "a"), ("tile", 0, "A")];
/// Methods that put their arguments into what they are called on.
const STORING: &[&str] =
    &["append", "extend", "insert", "add", "update", "setdefault", "put", "appendleft", "assign_add", "itemset"];
/// Methods that keep the columns of a table.
const KEEPING: &[&str] = &[
    "copy",
    "reset_index",
    "set_index",
    "sort_values",
    "sort_index",
    "astype",
    "round",
    "fillna",
    "dropna",
    "head",
    "tail",
    "sample",
    "drop",
    "drop_duplicates",
    "rename",
    "merge",
    "join",
    "assign",
    "reindex",
    "to_frame",
    "reindex_like",
    "pipe",
    "replace",
    "clip",
    "abs",
    "concat",
];

impl<'a> Machine<'a> {
    pub(super) fn value(&mut self, expression: &'a Expr) -> Value {
        self.steps += 1;
        if self.steps > MOST_STEPS {
            return Value::plain(true);
        }
        match expression {
            Expr::Name(name) => self.environment.get(name.id.as_str()),
            Expr::Attribute(attribute) => self.attribute(expression, &attribute.value, attribute.attr.as_str()),
            Expr::Subscript(subscript) => {
                let whole = self.value(&subscript.value);
                let index = self.value(&subscript.slice);
                self.part(&whole, &index, &subscript.slice)
            }
            Expr::Call(call) => self.call(call),
            Expr::BinOp(operation) => self.operation(operation),
            Expr::If(choice) => match truth(&choice.test) {
                Some(true) => self.value(&choice.body),
                Some(false) => self.value(&choice.orelse),
                None => {
                    let test = self.value(&choice.test);
                    let (one, other) = (self.value(&choice.body), self.value(&choice.orelse));
                    Value { learned: test.is_learned() || one.learned || other.learned, ..one.joined(&other) }
                }
            },
            Expr::Dict(dict) => self.dict(dict),
            Expr::Named(named) => {
                let value = self.value(&named.value);
                self.assign(&named.target, &value, Some(&named.value));
                value
            }
            Expr::ListComp(list) => self.comprehension(&list.generators, &[&list.elt]),
            Expr::SetComp(set) => self.comprehension(&set.generators, &[&set.elt]),
            Expr::Generator(generator) => self.comprehension(&generator.generators, &[&generator.elt]),
            Expr::DictComp(dict) => self.comprehension(&dict.generators, &[&dict.value]),
            Expr::Lambda(lambda) => self.value(&lambda.body),
            Expr::StringLiteral(_) | Expr::NumberLiteral(_) | Expr::BooleanLiteral(_) => Value::default(),
            _ => Value::plain(self.any_inside(expression)),
        }
    }

    /// Whether anything in a list, a tuple, a comparison and so on is learned.
    fn any_inside(&mut self, expression: &'a Expr) -> bool {
        let parts: Vec<&'a Expr> = match expression {
            Expr::List(list) => list.elts.iter().collect(),
            Expr::Tuple(tuple) => tuple.elts.iter().collect(),
            Expr::Set(set) => set.elts.iter().collect(),
            Expr::BoolOp(operation) => operation.values.iter().collect(),
            Expr::UnaryOp(operation) => vec![&operation.operand],
            Expr::Compare(comparison) => std::iter::once(&*comparison.left).chain(&comparison.comparators).collect(),
            Expr::Starred(starred) => vec![&starred.value],
            Expr::Await(waiting) => vec![&waiting.value],
            Expr::Yield(given) => given.value.iter().map(|value| &**value).collect(),
            Expr::YieldFrom(given) => vec![&given.value],
            Expr::Slice(slice) => [&slice.lower, &slice.upper].into_iter().flatten().map(|bound| &**bound).collect(),
            Expr::FString(string) => string
                .value
                .elements()
                .filter_map(|element| element.as_interpolation())
                .map(|hole| &*hole.expression)
                .collect(),
            _ => Vec::new(),
        };
        let mut learned = false;
        for part in parts {
            learned |= self.value(part).is_learned();
        }
        learned
    }

    fn attribute(&mut self, whole: &'a Expr, owner: &'a Expr, name: &str) -> Value {
        if let Some(dotted) = plain(whole)
            && self.environment.knows(&dotted)
        {
            return self.environment.get(&dotted);
        }
        let owner = self.value(owner);
        if FORM.contains(&name) {
            return Value::default();
        }
        match name {
            "loc" | "iloc" | "T" | "at" | "iat" => owner,
            _ => Value::plain(owner.columns.get(name).copied().unwrap_or_else(|| owner.is_learned())),
        }
    }

    /// `whole[index]`.
    fn part(&mut self, whole: &Value, index: &Value, written: &Expr) -> Value {
        let columns = match written {
            Expr::Tuple(parts) => parts.elts.last().map(|last| self.column_names(last)).unwrap_or_default(),
            single => self.column_names(single),
        };
        match columns.as_slice() {
            [] => Value { learned: whole.learned || index.is_learned(), columns: whole.columns.clone() },
            [one] if !matches!(written, Expr::List(_)) => Value::plain(whole.column(one)),
            names => {
                let columns = names.iter().map(|name| (name.clone(), whole.column(name))).collect();
                Value { learned: false, columns }
            }
        }
    }

    fn operation(&mut self, operation: &'a ExprBinOp) -> Value {
        let (left, right) = (self.value(&operation.left), self.value(&operation.right));
        let wipes = match operation.op {
            Operator::Mult | Operator::BitAnd => is_zero(&operation.left) || is_zero(&operation.right),
            Operator::Pow => is_zero(&operation.right),
            Operator::Sub | Operator::Div | Operator::FloorDiv | Operator::BitXor => {
                plain(&operation.left).is_some_and(|left| plain(&operation.right) == Some(left))
            }
            _ => false,
        };
        let learned = !wipes && (left.is_learned() || right.is_learned());
        if wipes { Value::default() } else { Value { learned, ..left } }
    }

    fn dict(&mut self, dict: &'a ExprDict) -> Value {
        let mut value = Value::default();
        for item in &dict.items {
            let part = self.value(&item.value);
            let name = item.key.as_ref().map(|key| self.column_names(key)).unwrap_or_default();
            match name.as_slice() {
                [name] => {
                    value.columns.insert(name.clone(), part.is_learned());
                }
                _ => value = Value { learned: value.learned || part.learned, ..value.joined(&part) },
            }
        }
        value
    }

    fn comprehension(&mut self, generators: &'a [Comprehension], parts: &[&'a Expr]) -> Value {
        let before = self.snapshot();
        for generator in generators {
            let iterated = self.value(&generator.iter);
            self.assign(&generator.target, &Value::plain(iterated.is_learned()), None);
        }
        let mut learned = false;
        for part in parts {
            learned |= self.value(part).is_learned();
        }
        self.environment = before;
        Value::plain(learned)
    }

    fn call(&mut self, call: &'a ExprCall) -> Value {
        let arguments: Vec<Value> = call.arguments.args.iter().map(|argument| self.value(argument)).collect();
        let keywords: Vec<(&'a Keyword, Value)> = {
            let all = call.arguments.keywords.iter();
            all.map(|keyword| (keyword, self.value(&keyword.value))).collect()
        };
        let receiver = match &*call.func {
            Expr::Attribute(attribute) => Some((&*attribute.value, self.value(&attribute.value))),
            _ => None,
        };
        let name = match &*call.func {
            Expr::Name(name) => name.id.as_str(),
            Expr::Attribute(attribute) => attribute.attr.as_str(),
            _ => "",
        };
        self.write(call, name, receiver.as_ref().map(|(_, value)| value), &arguments);
        let is_origin = match self.origin {
            Origin::Predictions => self.is_prediction(call, name),
            Origin::TrainingData => self.reads_training_data(call),
        };
        if is_origin {
            return Value::plain(true);
        }
        if let Some(value) = self.own_function(call, name, &arguments, &keywords) {
            return value;
        }
        if let Some(value) = self.known_function(call, name, &arguments, &keywords) {
            return value;
        }
        if let Some((owner, value)) = &receiver {
            self.store(owner, name, &arguments, &keywords);
            return self.method(value, name, call, &arguments, &keywords);
        }
        Value::plain(any(&arguments, &keywords))
    }

    /// Whether a call asks a trained model. Dummies and hollow classes are none, and what a class of the notebook answers
    /// is followed through its own method.
    fn is_prediction(&self, call: &ExprCall, name: &str) -> bool {
        let by_function = self
            .code
            .dotted(&call.func)
            .iter()
            .any(|dotted| dotted.ends_with(".cross_val_predict") || dotted == "cross_val_predict");
        if by_function || self.is_called_model(call) {
            return true;
        }
        let Expr::Attribute(attribute) = &*call.func else { return false };
        if !tables::is_predicting(name) {
            return false;
        }
        let owner = plain(&attribute.value);
        let made = owner.as_ref().and_then(|name| self.code.makers.get(name));
        let is_own = |class: &String| self.classes.contains(class) && self.functions.contains_key(name);
        let is_no_model = |class: &String| tables::is_dummy(class) || self.hollow.contains(class) || is_own(class);
        let is_patched = owner.is_some_and(|owner| self.environment.knows(&format!("{owner}.{name}")));
        match (maker(&attribute.value), made) {
            _ if is_patched => false,
            (Some(class), _) => !is_no_model(&class),
            (None, Some(classes)) => !classes.iter().all(is_no_model),
            (None, None) => true,
        }
    }

    /// Whether a network is called as such: `net(batch)`, where `net` was made of layers.
    fn is_called_model(&self, call: &ExprCall) -> bool {
        let Some(makers) = plain(&call.func).and_then(|name| self.code.makers.get(&name)) else { return false };
        let is_network = |class: &String| {
            let has_method = |name: &str| self.functions.contains_key(name);
            matches!(class.as_str(), "Sequential" | "Model" | "DataParallel" | "from_pretrained")
                || (self.classes.contains(class) && (has_method("forward") || has_method("call")))
        };
        !makers.is_empty() && makers.iter().any(is_network)
    }

    /// Whether a call reads a file with a name such as `train.csv`.
    fn reads_training_data(&self, call: &ExprCall) -> bool {
        let reads = self.code.dotted(&call.func).iter().any(|dotted| {
            dotted == "open"
                || dotted.contains(".read_")
                || dotted.ends_with(".loadtxt")
                || dotted.ends_with(".genfromtxt")
        });
        let texts = call.arguments.args.first().map(|file| text::fold(file, self.code)).unwrap_or_default();
        reads && texts.iter().any(|file| file.to_ascii_lowercase().contains("train"))
    }

    /// Runs a function of the notebook on the values of a call.
    fn own_function(
        &mut self,
        call: &'a ExprCall,
        name: &str,
        arguments: &[Value],
        keywords: &[(&'a Keyword, Value)],
    ) -> Option<Value> {
        let functions = self.functions.get(name)?.clone();
        if self.depth >= DEEPEST_CALL {
            return Some(Value::plain(any(arguments, keywords)));
        }
        let mut result = Value::default();
        for function in functions {
            let mut parameters: Vec<String> =
                function.parameters.iter().map(|parameter| parameter.name().to_string()).collect();
            if matches!(&*call.func, Expr::Attribute(_)) && parameters.first().is_some_and(|first| first == "self") {
                parameters.remove(0);
            }
            let before = self.snapshot();
            for (parameter, value) in parameters.iter().zip(arguments) {
                self.environment.set(parameter, value.clone());
            }
            for (keyword, value) in keywords {
                if let Some(parameter) = &keyword.arg {
                    self.environment.set(parameter.as_str(), value.clone());
                }
            }
            self.depth += 1;
            self.returned.push(Value::default());
            self.run(&function.body);
            let returned = self.returned.pop().unwrap_or_default();
            self.depth -= 1;
            let inside = std::mem::replace(&mut self.environment, before);
            self.environment.after_call(&inside, &parameters);
            result = result.joined(&returned);
        }
        Some(result)
    }

    /// Functions whose result is known to hold other things than all of their arguments.
    fn known_function(
        &mut self,
        call: &'a ExprCall,
        name: &str,
        arguments: &[Value],
        keywords: &[(&'a Keyword, Value)],
    ) -> Option<Value> {
        if BLIND.contains(&name) {
            return Some(Value::default());
        }
        if let Some((_, position, keyword)) = FILLING.iter().find(|(filling, ..)| *filling == name) {
            let named = keywords.iter().find(|(one, _)| one.arg.as_ref().is_some_and(|arg| arg.as_str() == *keyword));
            let is_method = matches!(&*call.func, Expr::Attribute(_)) && self.is_value_method(call);
            if !is_method {
                let filled = arguments.get(*position).or(named.map(|(_, value)| value));
                return Some(Value::plain(filled.is_some_and(Value::is_learned)));
            }
        }
        match (name, &*call.arguments.args) {
            ("where", [_, one, other]) if is_same_literal(one, other) => Some(Value::default()),
            ("clip", [_, low, high]) if is_same_literal(low, high) => Some(Value::default()),
            ("clip", [low, high]) if is_same_literal(low, high) => Some(Value::default()),
            ("DataFrame" | "Series" | "dict" | "OrderedDict", _) => Some(table(arguments, keywords)),
            _ => None,
        }
    }

    /// Whether a call is a method of a value, and no function of a module.
    fn is_value_method(&self, call: &ExprCall) -> bool {
        let Expr::Attribute(attribute) = &*call.func else { return false };
        !plain(&attribute.value).is_some_and(|owner| self.code.is_bound(&owner))
    }

    /// Methods that change what they are called on.
    fn store(&mut self, owner: &'a Expr, name: &str, arguments: &[Value], keywords: &[(&'a Keyword, Value)]) {
        let Some(owner) = plain(owner) else { return };
        if name == "fill" {
            let learned = any(arguments, keywords);
            self.environment.change(&owner, |value| value.replace_all(learned));
        } else if (STORING.contains(&name) || tables::is_training(name)) && any(arguments, keywords) {
            self.environment.change(&owner, |value| value.learned = true);
        }
    }

    fn method(
        &mut self,
        receiver: &Value,
        name: &str,
        call: &'a ExprCall,
        arguments: &[Value],
        keywords: &[(&'a Keyword, Value)],
    ) -> Value {
        // `pred.map(lambda p: 0)` gives what the function gives, when that is a constant.
        let only_constant = matches!(name, "map" | "apply" | "applymap" | "transform")
            && matches!(&*call.arguments.args, [Expr::Lambda(lambda)] if is_literal(&lambda.body));
        if only_constant {
            return Value::default();
        }
        let learned = receiver.learned || any(arguments, keywords);
        if !KEEPING.contains(&name) {
            return Value::plain(learned || receiver.is_learned());
        }
        let mut value = Value { learned: receiver.learned, columns: receiver.columns.clone() };
        for argument in arguments {
            value = Value { learned: value.learned || argument.learned, ..value.joined(argument) };
        }
        for (keyword, given) in keywords {
            match (&keyword.arg, name) {
                (Some(column), "assign") => {
                    value.columns.insert(column.to_string(), given.is_learned());
                }
                (Some(argument), "rename") if argument == "columns" => self.rename(&mut value, &keyword.value),
                _ => value.learned |= given.learned,
            }
        }
        value
    }

    fn rename(&self, value: &mut Value, mapping: &Expr) {
        let Expr::Dict(dict) = mapping else { return };
        for item in &dict.items {
            let (Some(Expr::StringLiteral(old)), Expr::StringLiteral(new)) = (&item.key, &item.value) else { continue };
            let learned = value.columns.remove(old.value.to_str()).unwrap_or(value.learned);
            value.columns.insert(new.value.to_str().to_owned(), learned);
        }
    }
}

/// A table made of its data; its index and names say nothing of what it holds.
fn table(arguments: &[Value], keywords: &[(&Keyword, Value)]) -> Value {
    let is_data = |keyword: &Keyword| {
        keyword
            .arg
            .as_ref()
            .is_none_or(|name| !matches!(name.as_str(), "index" | "columns" | "name" | "dtype" | "copy"))
    };
    let mut value = arguments.first().cloned().unwrap_or_default();
    for (keyword, given) in keywords.iter().filter(|(keyword, _)| is_data(keyword)) {
        match &keyword.arg {
            Some(name) if name.as_str() != "data" => {
                value.columns.insert(name.to_string(), given.is_learned());
            }
            _ => value = value.joined(given),
        }
    }
    value
}

fn any(arguments: &[Value], keywords: &[(&Keyword, Value)]) -> bool {
    let by_keyword = keywords.iter().filter(|(keyword, _)| keyword.arg.as_ref().is_none_or(|name| name != "index"));
    arguments.iter().any(Value::is_learned) || by_keyword.into_iter().any(|(_, value)| value.is_learned())
}

pub(super) fn is_zero(expression: &Expr) -> bool {
    match expression {
        Expr::NumberLiteral(number) => match &number.value {
            Number::Int(value) => value.as_i64() == Some(0),
            Number::Float(value) => *value == 0.0,
            Number::Complex { .. } => false,
        },
        Expr::BooleanLiteral(literal) => !literal.value,
        _ => false,
    }
}

fn is_literal(expression: &Expr) -> bool {
    match expression {
        Expr::UnaryOp(unary) => is_literal(&unary.operand),
        expression => expression.is_literal_expr(),
    }
}

fn is_same_literal(one: &Expr, other: &Expr) -> bool {
    let number = |expression: &Expr| match expression {
        Expr::NumberLiteral(number) => Some(format!("{:?}", number.value)),
        Expr::StringLiteral(literal) => Some(literal.value.to_str().to_owned()),
        _ => None,
    };
    number(one).is_some_and(|one| number(other) == Some(one))
}
