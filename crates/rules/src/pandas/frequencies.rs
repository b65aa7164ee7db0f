//! Frequencies: since pandas 3 those of time stamps and those of periods have letters of their own.

use nbrevive_pysource::ast::{Expr, ExprCall};
use nbrevive_pysource::text_size::Ranged;

use crate::change::Change;
use crate::faults::Faults;
use crate::receiver::On;
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::sig;
use crate::view::{Place, View};

pub(super) static RULES: &[Rule] = &[Rule::new(
    "pandas-frequency-names",
    ("pandas", "3.0.0"),
    "frequencies have other letters (M is ME, H is h, T is min, …)",
    Trigger::Error(&[
        sig("ValueError", "Invalid frequency:"),
        sig("ValueError", "is no longer supported for offsets"),
        sig("ValueError", "is not compatible with a datetimelike index"),
        sig("ValueError", "invalid unit abbreviation:"),
        sig("ValueError", "Unrecognized unit"),
    ]),
    Rewrite::Code(frequencies),
    example(
        "import pandas as pd\na = pd.date_range('2019-01-01', periods=3, freq='M')\nb = s.resample('2H').sum()\n",
        ("ValueError", "Invalid frequency: M. Failed to parse with error message"),
        "import pandas as pd\na = pd.date_range('2019-01-01', periods=3, freq='ME')\nb = s.resample('2h').sum()\n",
    ),
)
.certain()];

/// Which letters are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Letters {
    /// Those of time stamps: `ME` is the end of a month.
    Stamps,
    /// Those of periods, whose months have no end: `M`.
    Periods,
    /// Units of durations, among which `M` and `m` are not what they are elsewhere.
    Durations,
}

/// Letters of durations, old and new.
const SHORT: &[(&str, &str)] = &[("T", "min"), ("S", "s"), ("L", "ms"), ("U", "us"), ("N", "ns")];
/// Letters of time stamps alone, old and new.
const STAMPS: &[(&str, &str)] = &[
    ("M", "ME"),
    ("Q", "QE"),
    ("Y", "YE"),
    ("A", "YE"),
    ("BM", "BME"),
    ("BQ", "BQE"),
    ("BA", "BYE"),
    ("SM", "SME"),
    ("AS", "YS"),
    ("BAS", "BYS"),
    ("CBM", "CBME"),
    ("BH", "bh"),
    ("H", "h"),
];
/// Letters of periods alone, old and new; those of time stamps, should they have got here, among the old.
const PERIODS: &[(&str, &str)] = &[("A", "Y"), ("H", "h"), ("ME", "M"), ("QE", "Q"), ("YE", "Y")];
/// Small letters that were read as capitals.
const SMALL: &[&str] = &["m", "q", "y", "a", "t", "l", "u", "n"];

impl Letters {
    /// The new spelling of `2H`, `M`, `A-DEC`; `None` where it is the old one.
    fn of(self, text: &str) -> Option<String> {
        let letters = text.trim_start_matches(|c: char| c.is_ascii_digit());
        let (count, anchor) = (&text[..text.len() - letters.len()], letters.find('-').map_or("", |at| &letters[at..]));
        let unit = &letters[..letters.len() - anchor.len()];
        if anchor.is_empty() && unit.contains(|c: char| c.is_ascii_digit()) {
            return self.of_sum(text);
        }
        let new = self.unit(unit)?;
        let anchor = if SMALL.contains(&unit) { anchor.to_uppercase() } else { anchor.to_owned() };
        Some(format!("{count}{new}{anchor}"))
    }

    fn unit(self, old: &str) -> Option<String> {
        let is_small = self != Self::Durations && SMALL.contains(&old);
        let capital = if is_small { old.to_uppercase() } else { old.to_owned() };
        let own = match self {
            Self::Stamps => STAMPS,
            Self::Periods => PERIODS,
            Self::Durations => &[],
        };
        let row = own.iter().chain(SHORT).find(|(old, _)| *old == capital);
        row.map(|(_, new)| (*new).to_owned()).or_else(|| is_small.then_some(capital))
    }

    /// The new spelling of a sum of durations such as `2H30T`.
    fn of_sum(self, text: &str) -> Option<String> {
        let (mut rest, mut result, mut changed) = (text, String::new(), false);
        while !rest.is_empty() {
            let letters = rest.find(|c: char| c.is_ascii_alphabetic())?;
            let end = rest[letters..].find(|c: char| !c.is_ascii_alphabetic()).map_or(rest.len(), |end| letters + end);
            let unit = &rest[letters..end];
            let new = self.unit(unit);
            changed |= new.is_some();
            result.push_str(&rest[..letters]);
            result.push_str(new.as_deref().unwrap_or(unit));
            rest = &rest[end..];
        }
        changed.then_some(result)
    }
}

fn frequencies(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        for (letters, written) in candidates(view, place, call) {
            if let Some(new) = shape::text(written).and_then(|text| letters.of(text)) {
                change.replace(place, written.range(), format!("'{new}'"));
            }
        }
    });
}

/// The arguments of a call that are frequencies, and in which letters.
fn candidates<'a>(view: &View<'_>, place: Place, call: &'a ExprCall) -> Vec<(Letters, &'a Expr)> {
    let name = shape::method(call).map_or_else(|| shape::name(&call.func).unwrap_or_default(), |(_, name)| name);
    let (letters, position, keywords): (_, _, &[&str]) = match name {
        "resample" => (Letters::Stamps, Some(0), &["rule", "freq"]),
        "asfreq" => (Letters::Stamps, Some(0), &["freq"]),
        "floor" | "ceil" | "round" | "to_offset" | "TimeGrouper" => (Letters::Stamps, Some(0), &["freq"]),
        "date_range" | "bdate_range" | "timedelta_range" => (Letters::Stamps, Some(3), &["freq"]),
        "Grouper" | "DatetimeIndex" | "infer_freq" | "shift" => (Letters::Stamps, None, &["freq"]),
        "rolling" => (Letters::Stamps, Some(0), &["window"]),
        "Period" => (Letters::Periods, Some(1), &["freq"]),
        "period_range" => (Letters::Periods, Some(3), &["freq"]),
        "PeriodIndex" => (Letters::Periods, None, &["freq"]),
        "to_period" | "to_timestamp" => (Letters::Periods, Some(0), &["freq"]),
        "to_timedelta" | "Timedelta" => (Letters::Durations, Some(1), &["unit"]),
        "to_datetime" => (Letters::Durations, None, &["unit"]),
        _ => return Vec::new(),
    };
    let letters = if matches!(name, "resample" | "asfreq") && wants_period(view, place, call) {
        Letters::Periods
    } else if name == "asfreq" && !is_of_stamps(view, place, call) {
        return Vec::new();
    } else {
        letters
    };
    let positional = position.and_then(|position| call.arguments.args.get(position));
    let named = keywords.iter().filter_map(|name| shape::keyword(call, name)).map(|keyword| &keyword.value);
    positional.into_iter().chain(named).map(|written| (letters, written)).collect()
}

/// Whether an error that blames the call speaks of periods.
fn wants_period(view: &View<'_>, place: Place, call: &ExprCall) -> bool {
    let source = &view.code.cells[place.0];
    let told = |error: &&&crate::CellFeedback| error.evalue.contains("for Period, please use");
    view.errors.iter().filter(told).any(|error| Faults::of(&[error]).blame(source, call.range()))
}

/// Whether `asfreq` is asked of time stamps: a period's takes `M` as it did.
fn is_of_stamps(view: &View<'_>, place: Place, call: &ExprCall) -> bool {
    shape::method(call)
        .is_some_and(|(attribute, _)| view.receiver_is(On::Pandas, place, &attribute.value, call.range()))
}

#[cfg(test)]
mod tests {
    use super::Letters::{Durations, Periods, Stamps};

    #[test]
    fn sums_of_durations_have_new_letters_too() {
        assert_eq!(Stamps.of("2H30T").as_deref(), Some("2h30min"));
        assert_eq!(Stamps.of("A-DEC").as_deref(), Some("YE-DEC"));
        assert_eq!(Stamps.of("2h30min"), None);
        assert_eq!(Stamps.of("12:30"), None);
    }

    #[test]
    fn months_of_periods_have_no_end() {
        assert_eq!(Periods.of("M"), None);
        assert_eq!(Periods.of("Q-JAN"), None);
        assert_eq!(Periods.of("A-DEC").as_deref(), Some("Y-DEC"));
        assert_eq!(Periods.of("3ME").as_deref(), Some("3M"));
        assert_eq!(Periods.of("q-jan").as_deref(), Some("Q-JAN"));
    }

    #[test]
    fn small_letters_were_capitals_but_in_durations() {
        assert_eq!(Stamps.of("q-jan").as_deref(), Some("QE-JAN"));
        assert_eq!(Stamps.of("d"), None);
        assert_eq!(Durations.of("m"), None);
        assert_eq!(Durations.of("M"), None);
        assert_eq!(Durations.of("T").as_deref(), Some("min"));
    }
}
