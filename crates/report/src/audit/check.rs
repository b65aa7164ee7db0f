//! Invariants between named numbers, as data, and how they are checked.

use serde::Deserialize;

use super::number::Bounds;
use super::values::{Place, Values};
use crate::number_words::thousands;

/// What should hold between a number and others.
///
/// The other side is a sum, each term times a factor where `times` has one, over another sum where `over` names one: a total
/// of parts, a share, a mean of groups. Names may hold `*` for one part between dots, and then may fit no number at all.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Check {
    /// Repeats the check for every beginning of a name that this pattern fits; `{}` then stands for it, `{last}` for its last
    /// part. Where the number is not there, as the interval of a share of nothing, the instance is left out.
    each: Option<String>,
    /// The number.
    value: String,
    /// The terms.
    sum: Vec<String>,
    /// A factor for each term.
    #[serde(default)]
    times: Vec<String>,
    /// The terms of the divisor.
    #[serde(default)]
    over: Vec<String>,
    /// How the number stands to the other side.
    #[serde(default)]
    is: Relation,
    /// Why it should hold, where that needs saying.
    because: Option<String>,
}

/// How a number stands to others.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Relation {
    #[default]
    Equal,
    AtLeast,
    AtMost,
}

impl Relation {
    const fn words(self) -> &'static str {
        match self {
            Relation::Equal => "",
            Relation::AtLeast => "at least ",
            Relation::AtMost => "at most ",
        }
    }
}

/// What a check found.
pub(crate) struct Checked {
    /// How many instances were checked.
    pub(crate) count: usize,
    /// The names of all numbers that took part.
    pub(crate) names: Vec<String>,
    /// A sentence for each that does not hold.
    pub(crate) findings: Vec<String>,
}

impl Check {
    /// Checks every instance.
    ///
    /// # Errors
    /// A name that no number has, or factors that do not fit the terms.
    pub(crate) fn run(&self, values: &Values) -> Result<Checked, String> {
        let mut checked = Checked { count: 0, names: Vec::new(), findings: Vec::new() };
        let Some(each) = &self.each else {
            self.run_once(values, "", &mut checked)?;
            return Ok(checked);
        };
        for prefix in values.prefixes(each) {
            self.run_once(values, prefix, &mut checked)?;
        }
        Ok(checked)
    }

    fn run_once(&self, values: &Values, prefix: &str, checked: &mut Checked) -> Result<(), String> {
        if self.each.is_some() && values.matching(&filled(&self.value, prefix)).is_empty() {
            return Ok(());
        }
        let resolve = |patterns: &[String]| resolve(values, patterns, prefix);
        let whole = resolve(std::slice::from_ref(&self.value))?;
        let [(name, places)] = whole.as_slice() else {
            return Err(format!("a check is of `{}`, which is not one number", self.value));
        };
        let (terms, factors, divisors) = (resolve(&self.sum)?, resolve(&self.times)?, resolve(&self.over)?);
        if !factors.is_empty() && factors.len() != terms.len() {
            return Err(format!("the check of `{name}` has {} terms and {} factors", terms.len(), factors.len()));
        }
        let every = [&terms, &factors, &divisors].into_iter().flatten();
        checked.names.extend(every.clone().chain([&whole[0]]).map(|(name, _)| (*name).to_owned()));
        if places.is_empty() || every.clone().any(|(_, places)| places.is_empty()) {
            return Ok(());
        }
        let Some(other) = other_side(&terms, &factors, &divisors) else { return Ok(()) };
        checked.count += 1;
        let wrong: Vec<&Place> = places.iter().filter(|place| !self.holds(place.bounds, other)).collect();
        if let Some(first) = wrong.first() {
            let mut sections: Vec<&str> = wrong.iter().map(|place| place.section.as_str()).collect();
            sections.dedup();
            let side = format!("{} = {}", shown(other), written(&terms, &factors, &divisors));
            let because = self.because.as_ref().map_or_else(String::new, |because| format!(" ({because})"));
            let (sections, text, relation) = (sections.join(", "), &first.text, self.is.words());
            checked.findings.push(format!("{sections}: `{name}` is {text}, but should be {relation}{side}{because}"));
        }
        Ok(())
    }

    fn holds(&self, value: Bounds, other: Bounds) -> bool {
        match self.is {
            Relation::Equal => value.and(other).is_some(),
            Relation::AtLeast => other.may_be_at_most(value),
            Relation::AtMost => value.may_be_at_most(other),
        }
    }
}

type Named<'v> = (&'v str, &'v [Place]);

/// The numbers that patterns name, in order.
fn resolve<'v>(values: &'v Values, patterns: &[String], prefix: &str) -> Result<Vec<Named<'v>>, String> {
    let mut found = Vec::new();
    for pattern in patterns {
        let pattern = filled(pattern, prefix);
        let names = values.matching(&pattern);
        if names.is_empty() && !pattern.contains('*') {
            return Err(format!("a check names `{pattern}`, and no number is named so"));
        }
        found.extend(names.into_iter().map(|name| (name, values.places(name).expect("it was just found"))));
    }
    Ok(found)
}

/// A pattern of a check for one beginning of a name.
fn filled(pattern: &str, prefix: &str) -> String {
    let last = prefix.rsplit('.').next().unwrap_or_default();
    pattern.replace("{}", prefix).replace("{last}", last)
}

/// What all places of a number may stand for together; the first one's where they contradict each other.
pub(crate) fn known(places: &[Place]) -> Bounds {
    let first = places[0].bounds;
    places.iter().try_fold(first, |both, place| both.and(place.bounds)).unwrap_or(first)
}

fn other_side(terms: &[Named<'_>], factors: &[Named<'_>], divisors: &[Named<'_>]) -> Option<Bounds> {
    let factor = |index: usize| factors.get(index).map_or(Bounds::exact(1.0), |(_, places)| known(places));
    let products = terms.iter().enumerate().map(|(index, (_, places))| known(places).times(factor(index)));
    let sum = products.fold(Bounds::exact(0.0), Bounds::plus);
    if divisors.is_empty() {
        return Some(sum);
    }
    sum.over(divisors.iter().map(|(_, places)| known(places)).fold(Bounds::exact(0.0), Bounds::plus))
}

/// The other side with the numbers as they are printed.
fn written(terms: &[Named<'_>], factors: &[Named<'_>], divisors: &[Named<'_>]) -> String {
    let text = |index: usize, (_, places): &Named<'_>| match factors.get(index) {
        Some((_, factor)) => format!("{} × {}", places[0].text, factor[0].text),
        None => places[0].text.clone(),
    };
    let join = |texts: Vec<String>| if texts.is_empty() { "nothing".to_owned() } else { texts.join(" + ") };
    let sum = join(terms.iter().enumerate().map(|(index, term)| text(index, term)).collect());
    if divisors.is_empty() {
        return sum;
    }
    let divisor = join(divisors.iter().map(|(_, places)| places[0].text.clone()).collect());
    let bracketed = |text: String, long: bool| if long { format!("({text})") } else { text };
    format!("{} / {}", bracketed(sum, terms.len() > 1), bracketed(divisor, divisors.len() > 1))
}

/// A computed number for people: whole where it is exactly so, else with the digits that are known.
fn shown(bounds: Bounds) -> String {
    let middle = f64::midpoint(bounds.low, bounds.high);
    if bounds.is_exact() && middle.fract() == 0.0 && middle >= 0.0 {
        // Sums of counts are far below 2^53.
        return thousands(middle as u64);
    }
    let digits = if middle < 1.0 { 4 } else { 2 };
    format!("{middle:.digits$}")
}
