//! Printed p-values, as data: which shares each is of, and what every table of counts that rounds to them says.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;

use nbrevive_stats::{
    CountRanges, CountsError, FittingTables, barnard_of_fitting, chi_squared_of_fitting, counts_within,
};
use serde::Deserialize;

use super::check::known;
use super::number::Bounds;
use super::values::Values;
use crate::number_words::plural;

/// A printed p-value with the counts that it is of, in two groups.
///
/// Names stand for tables of numbers: `of` for the sizes of the groups, the others for shares of them, each with a number for each
/// group, and one for `all` where it is printed. What is not printed may be anything.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PrintedTest {
    /// The name of the p-value.
    p: String,
    by: Test,
    of: String,
    groups: [String; 2],
    /// The groups are those of this category alone.
    within: Option<String>,
    /// They are all but those of this category; shares are still of all.
    without: Option<String>,
    /// The categories; what they leave is one more.
    categories: Vec<String>,
    /// Bonferroni's factor.
    #[serde(default = "once")]
    times: u32,
}

const fn once() -> u32 {
    1
}

/// Which test.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Test {
    ChiSquared,
    /// Barnard's exact test, of one category.
    Barnard,
}

/// What was found of a printed p-value.
pub(crate) struct Fitted {
    /// The names of all numbers that took part.
    pub(crate) names: Vec<String>,
    /// How many tables fit, and on which side of the printed value theirs are.
    pub(crate) sentence: String,
    /// Whether a table gives what is printed.
    pub(crate) is_possible: bool,
}

impl PrintedTest {
    /// Tries every table that fits.
    ///
    /// # Errors
    /// A name that no number has, or more crashes than are tried.
    pub(crate) fn run(&self, values: &Values) -> Result<Fitted, String> {
        let places = values.places(&self.p).and_then(|places| places.first());
        let printed = places.ok_or_else(|| format!("a test is of `{}`, and no number is named so", self.p))?;
        let found = self.fitting(values).map_err(|error| format!("the test of `{}`: {error}", self.p))?;
        let ends = |found: FittingTables| [found.lowest, found.highest].map(|p| (p * f64::from(self.times)).min(1.0));
        let holds = |p: f64| printed.bounds.and(Bounds::exact(p)).is_some();
        let told = |p: f64| if p < 1e-3 { format!("{p:.0e}") } else { format!("{p:.3}") };
        let (is_possible, told) = match found {
            None => (false, "no table of counts rounds to what is printed".to_owned()),
            Some(found) => {
                let [low, high] = ends(found);
                let some = match (holds(low), holds(high)) {
                    (true, true) => "all of them give it",
                    (false, false) => "none of them gives it",
                    _ => "some of them give it, others do not",
                };
                let tables = plural(found.tables as u64, "table");
                let told = format!("of what fits, {tables}, {some}: {} to {}", told(low), told(high));
                (holds(low) || holds(high), told)
            }
        };
        let categories = self.categories.join(", ");
        let sentence = format!("{}: `{}` ({categories}) is {}; {told}", printed.section, self.p, printed.text);
        Ok(Fitted { names: self.names(values), sentence, is_possible })
    }

    fn names(&self, values: &Values) -> Vec<String> {
        let tables = self.categories.iter().chain(&self.within).chain(&self.without).chain([&self.of]);
        let columns = || self.groups.iter().map(String::as_str).chain(["all"]);
        let names = tables.flat_map(|table| columns().map(move |column| format!("{table}.{column}")));
        names.filter(|name| values.places(name).is_some()).chain([self.p.clone()]).collect()
    }

    fn fitting(&self, values: &Values) -> Result<Option<FittingTables>, String> {
        let mut wholes = self.sizes(values)?;
        if let Some(within) = &self.within {
            wholes = self.parts(values, &wholes, within)?.into_iter().map(|[_, part]| part).collect();
        }
        // Shares stay those of the wholes when a category is taken out of the groups.
        let groups: Vec<[[u64; 2]; 2]> = match &self.without {
            Some(without) => self.parts(values, &wholes, without)?,
            None => wholes.into_iter().map(|whole| [whole, [0, 0]]).collect(),
        };
        let groups: BTreeSet<[[u64; 2]; 2]> =
            groups.into_iter().map(|[whole, out]| [whole, [whole[0] - out[0], whole[1] - out[1]]]).collect();
        let mut found: Option<FittingTables> = None;
        for [whole, sizes] in groups.into_iter().filter(|[_, sizes]| !sizes.contains(&0)) {
            let ranges = self.categories.iter().map(|category| self.ranges(values, whole, category));
            let ranges: Vec<CountRanges> = ranges.collect::<Result<_, _>>()?;
            let these = match (self.by, ranges.as_slice()) {
                (Test::ChiSquared, ranges) => chi_squared_of_fitting(sizes, ranges),
                (Test::Barnard, [successes]) => barnard_of_fitting(sizes, successes),
                (Test::Barnard, _) => return Err("Barnard's test is of one category".to_owned()),
            };
            let these = these.map_err(|error: CountsError| error.to_string())?;
            found = [found, these].into_iter().flatten().reduce(FittingTables::and);
        }
        Ok(found)
    }

    /// The sizes that the groups may have.
    fn sizes(&self, values: &Values) -> Result<Vec<[u64; 2]>, String> {
        let bounds = |column: &str| bounds(values, &self.of, column);
        let missing = |column: &str| format!("no number is named `{}.{column}`", self.of);
        let count = |column: &String| {
            let bounds = bounds(column).ok_or_else(|| missing(column))?;
            Ok::<_, String>((bounds.low.ceil() as u64)..=(bounds.high.floor() as u64))
        };
        let [first, second] = [count(&self.groups[0])?, count(&self.groups[1])?];
        let all = bounds("all");
        let fits = |sum: u64| all.is_none_or(|all| all.and(Bounds::exact(sum as f64)).is_some());
        Ok(pairs(&first, &second).filter(|[x, y]| fits(x + y)).collect())
    }

    /// Each pair of groups, and each pair of counts that a category may have in them.
    fn parts(&self, values: &Values, groups: &[[u64; 2]], category: &str) -> Result<Vec<[[u64; 2]; 2]>, String> {
        let mut found = Vec::new();
        for sizes in groups {
            let ranges = self.ranges(values, *sizes, category)?;
            let fitting = pairs(&ranges.first, &ranges.second).filter(|[x, y]| ranges.both.contains(&(x + y)));
            found.extend(fitting.map(|part| [*sizes, part]));
        }
        Ok(found)
    }

    fn ranges(&self, values: &Values, sizes: [u64; 2], category: &str) -> Result<CountRanges, String> {
        let range = |column: &str, whole: u64| {
            let share = bounds(values, category, column);
            let Bounds { low, high } = share.unwrap_or(Bounds { low: 0.0, high: 1.0 });
            counts_within(whole, low, high)
        };
        let [first, second] = &self.groups;
        if [first.as_str(), second, "all"].iter().all(|column| bounds(values, category, column).is_none()) {
            return Err(format!("no number is named `{category}.{first}`"));
        }
        Ok(CountRanges {
            first: range(first, sizes[0]),
            second: range(second, sizes[1]),
            both: range("all", sizes[0] + sizes[1]),
        })
    }
}

fn bounds(values: &Values, table: &str, column: &str) -> Option<Bounds> {
    values.places(&format!("{table}.{column}")).map(known)
}

fn pairs(first: &RangeInclusive<u64>, second: &RangeInclusive<u64>) -> impl Iterator<Item = [u64; 2]> {
    let second = second.clone();
    first.clone().flat_map(move |x| second.clone().map(move |y| [x, y]))
}
