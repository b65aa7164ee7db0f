//! How files are written.

use nbrevive_pysource::ast::{Expr, ExprCall};

use super::Machine;
use super::value::Value;
use crate::code::plain;
use crate::code::text::{self, UNKNOWN};

/// What stands before the name of a variable that holds an open file or a path.
const HANDLE: &str = "open:";

impl<'a> Machine<'a> {
    /// Remembers the name of the file that a variable stands for: `f = open("x.csv", "w")`, `w = csv.writer(f)`.
    pub(super) fn open_file(&mut self, target: &Expr, written: &'a Expr) {
        let (Some(variable), Expr::Call(call)) = (plain(target), written) else { return };
        let names = self.code.dotted(&call.func);
        let opens = ["open", "io.open", "codecs.open", "gzip.open", "pathlib.Path"];
        let wraps = ["csv.writer", "csv.DictWriter"];
        let first = call.arguments.args.first();
        if names.iter().any(|name| opens.contains(&name.as_str())) {
            if let Some(file) = first.and_then(|first| self.file_name(first)) {
                self.environment.set(&format!("{HANDLE}{variable}"), named(&file));
            }
        } else if names.iter().any(|name| wraps.contains(&name.as_str())) {
            let inner = first.and_then(plain).map(|inner| self.environment.get(&format!("{HANDLE}{inner}")));
            if let Some(inner) = inner {
                self.environment.set(&format!("{HANDLE}{variable}"), inner);
            }
        }
    }

    /// Remembers what a call writes into a file.
    pub(super) fn write(&mut self, call: &'a ExprCall, name: &str, receiver: Option<&Value>, arguments: &[Value]) {
        let args = &call.arguments.args;
        let file_at = |machine: &Self, position: usize| args.get(position).and_then(|file| machine.file_name(file));
        match (name, receiver) {
            ("to_csv", Some(value)) => {
                let file = file_at(self, 0).or_else(|| self.keyword_file(call));
                // `pd.DataFrame.to_csv(table, "x.csv")`.
                let (value, file) = match (value.is_learned(), args.len()) {
                    (false, 2..) if arguments[0].is_learned() => (&arguments[0], file_at(self, 1)),
                    _ => (value, file),
                };
                let is_text_only = args.is_empty() && file.is_none();
                if !is_text_only {
                    self.written.push((file, value.clone()));
                }
            }
            ("savetxt", _) if arguments.len() >= 2 => {
                let file = file_at(self, 0);
                self.written.push((file, Value::plain(arguments[1].is_learned())));
            }
            ("copy" | "copyfile" | "copy2" | "move" | "rename" | "replace" | "link" | "symlink", _)
                if args.len() >= 2 =>
            {
                if let Some(file) = file_at(self, 1).filter(|file| file.ends_with(".csv")) {
                    let source = file_at(self, 0);
                    let copied = self.written.iter().rev().find(|(name, _)| *name == source).cloned();
                    let value = copied.filter(|_| source.is_some()).map(|(_, value)| value).unwrap_or_default();
                    self.written.push((Some(file), value));
                }
            }
            ("write" | "writelines" | "writerow" | "writerows" | "write_text" | "write_bytes", Some(_)) => {
                self.write_through_handle(call, arguments);
            }
            _ => {}
        }
    }

    /// Several writes into one open file make one content.
    fn write_through_handle(&mut self, call: &'a ExprCall, arguments: &[Value]) {
        let Expr::Attribute(attribute) = &*call.func else { return };
        let file = match &*attribute.value {
            Expr::Call(inner) => inner.arguments.args.first().and_then(|file| self.file_name(file)),
            owner => plain(owner).and_then(|owner| {
                let handle = self.environment.get(&format!("{HANDLE}{owner}"));
                handle.columns.keys().next().cloned()
            }),
        };
        let Some(file) = file.filter(|file| file.ends_with(".csv")) else { return };
        let value = Value::plain(arguments.iter().any(Value::is_learned));
        match self.written.iter_mut().find(|(name, _)| name.as_deref() == Some(file.as_str())) {
            Some((_, written)) => *written = written.joined(&value),
            None => self.written.push((Some(file), value)),
        }
    }

    fn keyword_file(&self, call: &'a ExprCall) -> Option<String> {
        let named = call.arguments.keywords.iter().find(|keyword| {
            keyword.arg.as_ref().is_some_and(|name| matches!(name.as_str(), "path_or_buf" | "path_or_buffer"))
        });
        named.and_then(|keyword| self.file_name(&keyword.value))
    }

    fn file_name(&self, expression: &Expr) -> Option<String> {
        let text = text::fold(expression, self.code).into_iter().next()?;
        let file = text.rsplit('/').next()?.to_owned();
        (!file.contains(UNKNOWN)).then_some(file)
    }
}

/// The name of a file as a value, so that it travels with the variables.
fn named(file: &str) -> Value {
    let mut value = Value::default();
    value.columns.insert(file.to_owned(), false);
    value
}
