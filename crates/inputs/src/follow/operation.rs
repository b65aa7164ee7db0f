//! Operators: what they say of the columns on their sides.

use nbrevive_pysource::ast::{CmpOp, Operator};

use crate::evidence::Use;
use crate::follow::Follower;
use crate::follow::value::{About, Column, Value};

impl Follower {
    pub(super) fn operation(&mut self, left: &Value, right: &Value, operator: Operator) -> Value {
        let (left, right) = (&self.of_json(left), &self.of_json(right));
        match (left, right, operator) {
            (Value::Number(left), Value::Number(right), operator) => of_numbers(*left, *right, operator),
            (Value::Text(left), Value::Text(right), Operator::Add) => Value::Text(format!("{left}{right}")),
            (Value::Text(left), Value::Text(right), Operator::Div) => Value::Text(joined(left, right)),
            (Value::Text(left), right, Operator::Mod) => formatted(left, right),
            (Value::List(left), Value::List(right), Operator::Add) => {
                Value::List(left.iter().chain(right).cloned().collect())
            }
            (Value::List(one), Value::Number(_), Operator::Mult) => Value::List(one.clone()),
            (Value::Column(left), Value::Column(right), operator) => self.of_columns(left, right, operator),
            (Value::Column(column), other, operator) | (other, Value::Column(column), operator) => {
                self.of_column(column, other, operator)
            }
            (Value::Frame(frame), Value::Number(_) | Value::Unknown | Value::Frame(_), _)
            | (Value::Number(_) | Value::Unknown, Value::Frame(frame), _) => {
                self.whole_frame(*frame, "reckoned with");
                self.derived(*frame, |frame| (frame.is_of_rows, frame.is_made) = (false, true))
            }
            _ => Value::Unknown,
        }
    }

    fn of_columns(&mut self, left: &Column, right: &Column, operator: Operator) -> Value {
        let both = [Value::Column(left.clone()), Value::Column(right.clone())];
        let is_of_text = left.is_of_text || right.is_of_text;
        let how = match operator {
            // Words are added too; days are subtracted.
            Operator::Add if is_of_text || self.is_text(left) || self.is_text(right) => Use::Text,
            Operator::Sub if self.is_date(left) || self.is_date(right) => Use::Date,
            Operator::BitAnd | Operator::BitOr | Operator::BitXor => Use::Named,
            Operator::Add | Operator::Sub => Use::RatherNumber,
            _ => Use::Number,
        };
        for column in &both {
            self.note(column, &how, "reckoned with");
        }
        let ids = left.ids.iter().chain(&right.ids).copied().collect();
        Value::Column(Column { ids, index: left.index.clone(), is_of_text, ..Column::default() })
    }

    fn of_column(&mut self, column: &Column, other: &Value, operator: Operator) -> Value {
        let value = Value::Column(column.clone());
        match (other, operator) {
            (Value::Text(_), Operator::Add) => self.note(&value, &Use::Text, "added to a text"),
            (Value::Text(_), _) | (_, Operator::BitAnd | Operator::BitOr) => {}
            (Value::Number(_), Operator::Mod) => self.note(&value, &Use::Integer, "reckoned with"),
            (Value::Number(_), _) | (_, Operator::Mult | Operator::Div | Operator::Pow | Operator::FloorDiv) => {
                self.note(&value, &Use::Number, "reckoned with");
            }
            // A difference to something unknown may be one of days.
            _ if !self.is_date(column) => self.note(&value, &Use::RatherNumber, "reckoned with"),
            _ => {}
        }
        Value::Column(column.changed())
    }

    pub(super) fn is_text(&self, column: &Column) -> bool {
        column.ids.iter().any(|id| self.findings.column(*id).has(&Use::Text))
    }

    pub(super) fn is_date(&self, column: &Column) -> bool {
        column.ids.iter().any(|id| self.findings.column(*id).has(&Use::Date))
    }

    pub(super) fn comparison(&mut self, left: &Value, right: &Value, operator: CmpOp) {
        let (left, right) = (&self.of_json(left), &self.of_json(right));
        match (left, right) {
            (Value::Column(column), other) | (other, Value::Column(column)) => {
                let value = Value::Column(column.clone());
                match (other, operator) {
                    (Value::List(_), CmpOp::In | CmpOp::NotIn) => self.values_of(&value, other, "compared"),
                    // `"x" in text`
                    (Value::Text(part), CmpOp::In | CmpOp::NotIn) => {
                        self.note(&value, &Use::Holds(part.clone()), "searched");
                    }
                    (_, operator) => self.compared(column, other, operator),
                }
            }
            // `df.shape == (200, 4)`, `len(df) == 200`
            (Value::About(of, About::Shape), Value::List(shape))
            | (Value::List(shape), Value::About(of, About::Shape)) => {
                let of = (**of).clone();
                self.shape_asked(&of, shape.first(), shape.get(1));
            }
            (Value::About(of, About::Length), length) if operator == CmpOp::Eq => {
                let of = (**of).clone();
                self.shape_asked(&of, Some(&length.clone()), None);
            }
            // `"name" in df.columns`: it may or may not be.
            _ => {}
        }
    }

    fn compared(&mut self, column: &Column, other: &Value, operator: CmpOp) {
        let value = Value::Column(column.clone());
        let is_equal = matches!(operator, CmpOp::Eq | CmpOp::NotEq);
        match other {
            Value::Text(text) if looks_like_day(text) && (!is_equal || self.is_date(column)) => {
                self.note(&value, &Use::Day(text.clone()), "compared with a day");
            }
            Value::Text(text) => self.note(&value, &Use::Value(text.clone()), "compared"),
            Value::Flag(flag) if is_equal => {
                self.note(&value, &Use::Value(if *flag { "True" } else { "False" }.to_owned()), "compared");
            }
            Value::Number(number) if is_equal => {
                self.note(&value, &Use::Value(number.to_string()), "compared");
            }
            Value::Number(number) => {
                self.note(&value, &Use::Number, "compared with a number");
                self.note(&value, &Use::Bound(*number), "compared with a number");
            }
            _ => {}
        }
    }

    /// Values that must occur in a column.
    pub(super) fn values_of(&mut self, column: &Value, values: &Value, what: &str) {
        for text in values.elements().iter().filter_map(Value::literal) {
            self.note(column, &Use::Value(text), what);
        }
    }

    /// A shape that the code asks for.
    fn shape_asked(&mut self, of: &Value, rows: Option<&Value>, columns: Option<&Value>) {
        let Value::Frame(frame) = of else { return };
        let frame = &self.frames[*frame];
        let ([table], true) = (frame.tables.as_slice(), frame.is_of_rows) else { return };
        let (table, made) = (*table, frame.names.len());
        let size = |value: Option<&Value>| value.and_then(Value::whole).and_then(|size| usize::try_from(size).ok());
        if let Some(rows) = size(rows) {
            self.findings.tables[table].shown_rows = Some(rows);
        }
        if let Some(columns) = size(columns) {
            self.findings.tables[table].exactly = columns.checked_sub(made);
        }
    }
}

/// Whether a text is a day, a month or a time: `2014-01`, `2014-01-31 12:00`, `1/31/2014`.
pub(crate) fn looks_like_day(text: &str) -> bool {
    let digits = text.bytes().filter(u8::is_ascii_digit).count();
    let marks = text.bytes().filter(|byte| b"-/: T.Z".contains(byte)).count();
    let separators = text.bytes().filter(|byte| b"-/".contains(byte)).count();
    digits >= 4 && digits + marks == text.len() && (separators > 0 || digits == text.len() && digits == 4)
}

fn of_numbers(left: f64, right: f64, operator: Operator) -> Value {
    let number = match operator {
        Operator::Add => left + right,
        Operator::Sub => left - right,
        Operator::Mult => left * right,
        Operator::Div => left / right,
        Operator::FloorDiv => (left / right).floor(),
        Operator::Pow => left.powf(right),
        Operator::Mod => left.rem_euclid(right),
        _ => return Value::Unknown,
    };
    if number.is_finite() { Value::Number(number) } else { Value::Unknown }
}

/// A path below another; an absolute one replaces it.
pub(super) fn joined(left: &str, right: &str) -> String {
    if right.starts_with('/') || left.is_empty() {
        return right.to_owned();
    }
    format!("{}/{right}", left.trim_end_matches('/'))
}

/// `"%s.csv" % name`, where all of it is known.
fn formatted(pattern: &str, value: &Value) -> Value {
    let mut rest = pattern;
    let mut whole = String::new();
    let mut values = value.elements().iter();
    while let Some((before, after)) = rest.split_once('%') {
        whole.push_str(before);
        let Some(end) = after.find(|letter: char| letter.is_ascii_alphabetic() || letter == '%') else {
            return Value::Unknown;
        };
        let literal =
            if after.starts_with('%') { Some("%".to_owned()) } else { values.next().and_then(Value::literal) };
        let Some(literal) = literal else { return Value::Unknown };
        // `%02d`: zeros in front.
        let width = after[..end].strip_prefix('0').and_then(|width| width.parse::<usize>().ok()).unwrap_or(0).min(20);
        whole.push_str(&format!("{literal:0>width$}"));
        rest = &after[end + 1..];
    }
    whole.push_str(rest);
    Value::Text(whole)
}
