//! Functions of numpy.

use crate::evidence::Use;
use crate::follow::Follower;
use crate::follow::arguments::Given;
use crate::follow::series::changed;
use crate::follow::value::Value;

impl Follower {
    pub(super) fn of_numpy(&mut self, name: &str, given: &Given) -> Value {
        let first = given.first().cloned().unwrap_or(Value::Unknown);
        match name {
            "array" | "asarray" | "ravel" | "squeeze" | "copy" | "asmatrix" | "matrix" | "atleast_2d"
            | "ascontiguousarray" => match first {
                Value::Frame(frame) => self.derived(frame, |frame| frame.is_by_place = true),
                Value::List(parts) if parts.iter().all(|part| matches!(part, Value::Frame(_))) => self.stack(&parts),
                other => other,
            },
            "reshape" => match first {
                Value::Frame(frame) => {
                    self.reshaped(frame, given.places.get(1..).unwrap_or_default());
                    self.derived(frame, |frame| frame.is_opaque = true)
                }
                other => changed(&other),
            },
            "unique" => {
                self.note(&first, &Use::Category, "counted");
                first
            }
            "where" | "select" => {
                for value in given.places.iter().skip(1) {
                    self.note(value, &Use::Named, "chosen");
                }
                match given.all().find(|value| matches!(value, Value::Column(_))) {
                    Some(column) => changed(column),
                    None => Value::Unknown,
                }
            }
            "isnan" | "log" | "log1p" | "exp" | "sqrt" | "expm1" | "sin" | "cos" | "square" | "abs" | "round"
            | "ceil" | "floor" | "power" | "log10" | "log2" | "sum" | "mean" | "std" | "var" | "median"
            | "percentile" | "min" | "max" | "dot" | "corrcoef" | "polyfit" | "cov" | "histogram" | "cumsum"
            | "diff" | "average" | "quantile" | "clip" | "bincount" | "maximum" | "minimum" | "nanmean" | "radians"
            | "argsort" | "interp" => {
                self.reckoned(given);
                changed(&first)
            }
            "concatenate" | "vstack" | "row_stack" | "append" => self.stack(first.elements()),
            "hstack" | "column_stack" | "c_" => self.beside(first.elements()),
            "save" | "savetxt" | "savez" | "savez_compressed" => {
                self.writes(given.first());
                Value::Nothing
            }
            "arange" | "linspace" | "zeros" | "ones" | "random" => Value::Unknown,
            _ => {
                self.unknown_call(given);
                Value::Unknown
            }
        }
    }

    /// All columns that are given are numbers.
    pub(super) fn reckoned(&mut self, given: &Given) {
        for value in given.places.clone() {
            match value {
                column @ Value::Column(_) => self.note(&column, &Use::Number, "reckoned with"),
                Value::Frame(frame) => self.whole_frame(frame, "reckoned with"),
                _ => {}
            }
        }
    }
}
