//! Builtins, texts, lists, the system's folders, and what the escapes of IPython do.

use crate::evidence::Use;
use crate::follow::Follower;
use crate::follow::arguments::Given;
use crate::follow::operation::joined;
use crate::follow::series::changed;
use crate::follow::value::{About, Value};

/// A list that is longer is not known by its elements.
const LONGEST_RANGE: isize = 100;

impl Follower {
    pub(super) fn builtin(&mut self, name: &str, given: &Given) -> Value {
        let first = given.first().cloned().unwrap_or(Value::Unknown);
        match name {
            "open" => self.opens(given.get(0, "file"), given.text(1, "mode")),
            "len" => match first {
                Value::List(elements) => of_length(elements.len()),
                Value::Text(text) => of_length(text.chars().count()),
                of @ Value::Frame(_) => Value::About(Box::new(of), About::Length),
                column => changed(&column),
            },
            "print" | "display" => {
                for value in given.places.clone() {
                    self.show(value, true);
                }
                Value::Nothing
            }
            "int" => self.number_of(&first, &Use::Integer),
            "float" => self.number_of(&first, &Use::Number),
            "str" => first.literal().map_or_else(|| changed(&first), Value::Text),
            "list" | "tuple" | "set" | "sorted" | "reversed" | "iter" | "next" => match (name, first) {
                ("next", value) => self.element(&value),
                ("reversed" | "sorted", Value::Text(_)) => Value::Unknown,
                (_, value) => value,
            },
            "sum" | "max" | "min" | "abs" | "round" => {
                self.reckoned(given);
                changed(&first)
            }
            "enumerate" => match first {
                Value::List(elements) => {
                    let numbered = elements.into_iter().enumerate();
                    Value::List(numbered.map(|(index, one)| Value::List(vec![of_length(index), one])).collect())
                }
                other => {
                    let one = self.element(&other);
                    Value::List(vec![Value::List(vec![Value::Unknown, one])])
                }
            },
            "zip" => {
                let shortest = given.places.iter().filter_map(list_of).map(<[Value]>::len).min().unwrap_or(1);
                let mut rows = Vec::new();
                for index in 0..shortest {
                    let row = given.places.iter().map(|value| match list_of(value) {
                        Some(elements) => elements.get(index).cloned().unwrap_or(Value::Unknown),
                        None => self.element(value),
                    });
                    rows.push(Value::List(row.collect()));
                }
                Value::List(rows)
            }
            "map" | "filter" => {
                let (function, over) = (first, given.places.get(1).cloned().unwrap_or(Value::Unknown));
                match over {
                    Value::List(elements) if name == "map" => {
                        let values = elements.into_iter().take(40).map(|one| self.apply(&function, one));
                        Value::List(values.collect())
                    }
                    other => {
                        let one = self.element(&other);
                        let mapped = self.apply(&function, one);
                        if name == "map" { mapped } else { other }
                    }
                }
            }
            "range" => range(given),
            "dict" => Value::Dict(
                given.names.iter().map(|(name, value)| (Value::Text(name.clone()), value.clone())).collect(),
            ),
            "getattr" => match given.text(1, "name") {
                Some(name) => self.attribute(first, name),
                None => Value::Unknown,
            },
            _ if name.starts_with(|letter: char| letter.is_uppercase()) => self.object(name, given),
            _ => {
                self.unknown_call(given);
                Value::Unknown
            }
        }
    }

    /// Functions of `os`, `shutil`, `pathlib` and `glob`.
    pub(super) fn of_system(&mut self, name: &str, last: &str, given: &Given) -> Value {
        let first = given.first();
        match last {
            "join" | "Path" | "PurePath" | "PosixPath" => {
                let parts: Option<Vec<&str>> = given.places.iter().map(Value::text).collect();
                let parts = parts.filter(|_| !given.places.is_empty());
                parts.map_or(
                    if given.places.is_empty() { Value::Text(".".to_owned()) } else { Value::Unknown },
                    |parts| Value::Text(parts.iter().fold(String::new(), |whole, part| joined(&whole, part))),
                )
            }
            "abspath" | "realpath" | "normpath" | "expanduser" | "fspath" => first.cloned().unwrap_or(Value::Unknown),
            "getcwd" | "cwd" => Value::Text(".".to_owned()),
            "home" => Value::Text("~".to_owned()),
            "dirname" => first.and_then(Value::text).map_or(Value::Unknown, |path| {
                Value::Text(path.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned())
            }),
            "basename" => first
                .and_then(Value::text)
                .map_or(Value::Unknown, |path| Value::Text(path.rsplit('/').next().unwrap_or(path).to_owned())),
            "splitext" => first
                .and_then(Value::text)
                .and_then(|path| path.rsplit_once('.'))
                .map_or(Value::Unknown, |(stem, ending)| {
                    Value::List(vec![Value::Text(stem.to_owned()), Value::Text(format!(".{ending}"))])
                }),
            "listdir" => self.lists(first, false),
            "scandir" => self.lists_below(first),
            "walk" => match self.lists(first, false) {
                names @ Value::List(_) => {
                    let folder = first.cloned().unwrap_or(Value::Unknown);
                    Value::List(vec![Value::List(vec![folder, names.clone(), names])])
                }
                other => other,
            },
            "glob" | "iglob" => self.lists(first, true),
            "makedirs" | "mkdir" => {
                self.makes_folder(first);
                Value::Nothing
            }
            "chdir" => {
                self.changes_folder(first);
                Value::Nothing
            }
            "copy" | "copyfile" | "move" | "rename" if name.starts_with("shutil") || name.starts_with("os") => {
                if let Some(Value::Text(from)) = first {
                    self.file(&from.clone(), None, last);
                }
                self.writes(given.places.get(1));
                Value::Unknown
            }
            _ => Value::Unknown,
        }
    }

    /// What paths have: `path.parent`, `path.name`.
    pub(super) fn path_attribute(&mut self, path: String, name: &str) -> Value {
        match name {
            "parent" => Value::Text(path.rsplit_once('/').map_or(".", |(folder, _)| folder).to_owned()),
            "path" => Value::Text(path),
            "name" => Value::Text(path.rsplit('/').next().unwrap_or(&path).to_owned()),
            _ => Value::Method(Box::new(Value::Text(path)), name.to_owned()),
        }
    }

    /// Methods of texts and of paths.
    pub(super) fn text_method(&mut self, text: &str, name: &str, given: &Given) -> Value {
        let of = Value::Text(text.to_owned());
        let part = |place: usize| given.places.get(place).and_then(Value::text);
        match name {
            "format" => formatted(text, given),
            "join" => {
                let parts: Option<Vec<String>> =
                    given.first().map(Value::elements).unwrap_or_default().iter().map(Value::literal).collect();
                parts.filter(|parts| !parts.is_empty()).map_or(Value::Unknown, |parts| Value::Text(parts.join(text)))
            }
            "joinpath" => given
                .places
                .iter()
                .filter_map(Value::text)
                .fold(of, |whole, part| Value::Text(joined(whole.text().unwrap_or(""), part))),
            "lower" => Value::Text(text.to_lowercase()),
            "upper" => Value::Text(text.to_uppercase()),
            "strip" => Value::Text(text.trim().to_owned()),
            "replace" => match (part(0), part(1)) {
                (Some(old), Some(new)) if !old.is_empty() => Value::Text(text.replace(old, new)),
                _ => Value::Unknown,
            },
            "split" => match part(0) {
                Some(separator) if !separator.is_empty() => {
                    Value::List(text.split(separator).take(200).map(|part| Value::Text(part.to_owned())).collect())
                }
                Some(_) => Value::Unknown,
                None => {
                    Value::List(text.split_whitespace().take(200).map(|part| Value::Text(part.to_owned())).collect())
                }
            },
            "absolute" | "resolve" | "as_posix" | "expanduser" | "encode" | "decode" => of,
            "open" => self.opens(Some(&of), given.text(0, "mode")),
            "read_text" | "read_bytes" => self.opens(Some(&of), None),
            "write_text" | "write_bytes" => {
                self.writes(Some(&of));
                Value::Nothing
            }
            "mkdir" => {
                self.makes_folder(Some(&of));
                Value::Nothing
            }
            "iterdir" => self.lists_below(Some(&of)),
            "glob" | "rglob" => {
                let pattern = part(0).map(|pattern| joined(text, pattern));
                pattern.map_or(Value::Unknown, |pattern| self.lists(Some(&Value::Text(pattern)), true))
            }
            _ => Value::Unknown,
        }
    }

    pub(super) fn list_method(&mut self, elements: &[Value], name: &str) -> Value {
        match name {
            "copy" => Value::List(elements.to_vec()),
            _ => Value::Unknown,
        }
    }

    /// `%cd folder`, `!mkdir folder` and `%%writefile path`.
    pub(super) fn escapes(&mut self, source: &str) {
        for (line, number) in source.lines().zip(1_u32..) {
            self.line = number;
            let words: Vec<&str> = line.trim().trim_start_matches(['!', '%']).split_whitespace().collect();
            let Some((command, rest)) = words.split_first() else { continue };
            let is_escape = line.trim_start().starts_with(['!', '%']);
            let target =
                rest.iter().rev().find(|word| !word.starts_with('-')).map(|word| Value::Text((*word).to_owned()));
            match *command {
                "cd" if is_escape => self.changes_folder(target.as_ref()),
                "mkdir" if is_escape => self.makes_folder(target.as_ref()),
                "writefile" if line.starts_with("%%") => self.writes(target.as_ref()),
                _ => {}
            }
        }
    }
}

fn list_of(value: &Value) -> Option<&[Value]> {
    match value {
        Value::List(elements) => Some(elements),
        _ => None,
    }
}

#[expect(clippy::cast_precision_loss, reason = "a list of code is short")]
fn of_length(length: usize) -> Value {
    Value::Number(length as f64)
}

#[expect(clippy::cast_precision_loss, reason = "a short range")]
fn range(given: &Given) -> Value {
    let bounds: Option<Vec<isize>> = given.places.iter().map(Value::whole).collect();
    let (start, end, step) = match bounds.as_deref() {
        Some([end]) => (0, *end, 1),
        Some([start, end]) => (*start, *end, 1),
        Some([start, end, step]) if *step > 0 => (*start, *end, *step),
        _ => return Value::Unknown,
    };
    if (end - start) / step > LONGEST_RANGE {
        return Value::Unknown;
    }
    let mut numbers = Vec::new();
    let mut at = start;
    while at < end {
        numbers.push(Value::Number(at as f64));
        at += step;
    }
    Value::List(numbers)
}

/// `"{}/{name}.csv".format(folder, name=name)`, where all of it is known.
fn formatted(pattern: &str, given: &Given) -> Value {
    let mut whole = String::new();
    let mut rest = pattern;
    let mut next = 0;
    while let Some((before, after)) = rest.split_once('{') {
        whole.push_str(before);
        let Some((field, after)) = after.split_once('}') else { return Value::Unknown };
        let (name, format) = field.split_once(':').unwrap_or((field, ""));
        let value = match name.parse::<usize>() {
            Ok(place) => given.places.get(place),
            Err(_) if name.is_empty() => {
                next += 1;
                given.places.get(next - 1)
            }
            Err(_) => given.named(name),
        };
        let Some(literal) = value.and_then(Value::literal) else { return Value::Unknown };
        let width = format.trim_end_matches('d').strip_prefix('0').and_then(|width| width.parse::<usize>().ok());
        let width = width.unwrap_or(0).min(20);
        whole.push_str(&format!("{literal:0>width$}"));
        rest = after;
    }
    whole.push_str(rest);
    Value::Text(whole)
}
