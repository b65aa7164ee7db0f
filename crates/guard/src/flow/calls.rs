//! Gives calls a value.

use nbrevive_pysource::ast::{Expr, ExprCall, Keyword};

use super::execute::VARIABLES_A_STEP;
use super::value::Value;
use super::{DEEPEST_CALL, Machine, Origin};
use crate::code::{maker, plain, text};
use crate::words;

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
    pub(super) fn call(&mut self, call: &'a ExprCall) -> Value {
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
        if let Some(value) = self.own_function(name, matches!(&*call.func, Expr::Attribute(_)), &arguments, &keywords) {
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
        if !words::is_predicting(name) {
            return false;
        }
        let owner = plain(&attribute.value);
        let made = owner.as_ref().and_then(|name| self.code.makers.get(name));
        let is_own = |class: &String| self.classes.contains(class) && self.functions.contains_key(name);
        let is_no_model = |class: &String| words::is_dummy(class) || self.hollow.contains(class) || is_own(class);
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
        name: &str,
        is_method: bool,
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
            if is_method && parameters.first().is_some_and(|first| first == "self") {
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
            self.steps += self.environment.len() / VARIABLES_A_STEP;
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
        } else if (STORING.contains(&name) || words::is_training(name)) && any(arguments, keywords) {
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
        if matches!(name, "map" | "apply" | "applymap" | "transform" | "progress_apply")
            && let Some(function) = call.arguments.args.first()
            && let Some(value) = self.applied(function, receiver)
        {
            return value;
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

    /// What a function that is handed over makes of each row or value; `None` when it is not known.
    fn applied(&mut self, function: &'a Expr, receiver: &Value) -> Option<Value> {
        match function {
            Expr::Lambda(lambda) => {
                let before = self.snapshot();
                let first = lambda.parameters.as_ref().and_then(|parameters| parameters.iter().next());
                if let Some(parameter) = first {
                    self.environment.set(parameter.name().as_str(), receiver.clone());
                }
                let learned = self.value(&lambda.body).is_learned();
                self.environment = before;
                Some(Value::plain(learned))
            }
            Expr::Name(name) => self.own_function(name.id.as_str(), false, std::slice::from_ref(receiver), &[]),
            _ => None,
        }
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

fn is_same_literal(one: &Expr, other: &Expr) -> bool {
    let number = |expression: &Expr| match expression {
        Expr::NumberLiteral(number) => Some(format!("{:?}", number.value)),
        Expr::StringLiteral(literal) => Some(literal.value.to_str().to_owned()),
        _ => None,
    };
    number(one).is_some_and(|one| number(other) == Some(one))
}
