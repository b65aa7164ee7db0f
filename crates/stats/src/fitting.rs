//! All tables of counts that fit what is printed of them, and the p-values that they would have.

use std::ops::RangeInclusive;

use crate::barnard::barnard_exact;
use crate::counts::{CountsError, check_total};
use crate::normal::chi_squared_tail;

/// The most observations: the work grows with the product of both groups.
const MOST: u64 = 2_000;
/// Shares are computed with this error at most, relative to their whole.
const ROUNDING: f64 = 1e-9;

/// What is known of a category's counts in two groups: each is within its range, and so is their sum.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountRanges {
    /// In the first group.
    pub first: RangeInclusive<u64>,
    /// In the second group.
    pub second: RangeInclusive<u64>,
    /// In both together.
    pub both: RangeInclusive<u64>,
}

/// The p-values of all tables that fit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FittingTables {
    /// How many tables that is; beyond 2^53 rounded.
    pub tables: f64,
    /// The smallest p-value of one.
    pub lowest: f64,
    /// The largest one.
    pub highest: f64,
}

impl FittingTables {
    /// These tables and others.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        let (lowest, highest) = (self.lowest.min(other.lowest), self.highest.max(other.highest));
        FittingTables { tables: self.tables + other.tables, lowest, highest }
    }
}

/// The counts out of `whole` whose share is from `low` to `high`; an empty range where none is.
#[must_use]
pub fn counts_within(whole: u64, low: f64, high: f64) -> RangeInclusive<u64> {
    let of = whole as f64;
    let least = (low * of - of * ROUNDING).ceil().max(0.0) as u64;
    least..=((high * of + of * ROUNDING).floor().clamp(0.0, of) as u64)
}

impl CountRanges {
    fn tables(&self) -> impl Iterator<Item = (u64, u64)> {
        let pairs = self.first.clone().flat_map(|first| self.second.clone().map(move |second| (first, second)));
        pairs.filter(|(first, second)| self.both.contains(&(first + second)))
    }
}

/// Tables of the categories so far, by how far their sums in both groups are above the least possible, and by how many categories are empty.
struct Sums {
    widths: [usize; 2],
    places: Vec<Option<Partial>>,
}

/// Of such tables: their number, and the least and largest sum of `observed^2 / (row * column)`, of which chi-squared is made.
#[derive(Clone, Copy)]
struct Partial {
    tables: f64,
    least: f64,
    most: f64,
}

impl Sums {
    /// No category yet, with room for so many that go as far above.
    fn new(widths: [usize; 2], categories: usize) -> Self {
        let empty = categories + 1;
        Sums { widths, places: vec![None; widths[0] * widths[1] * empty] }
    }

    fn add(&mut self, [a, b]: [usize; 2], empty: usize, found: Partial) {
        let place = &mut self.places[(empty * self.widths[0] + a) * self.widths[1] + b];
        match place {
            Some(all) => all.add(found),
            None => *place = Some(found),
        }
    }

    fn iter(&self) -> impl Iterator<Item = ([usize; 2], usize, Partial)> {
        let [rows, columns] = self.widths;
        let found = self.places.iter().enumerate().filter_map(|(place, partial)| Some((place, (*partial)?)));
        found.map(move |(place, partial)| ([place / columns % rows, place % columns], place / columns / rows, partial))
    }
}

/// What the chi-squared test says of every table of two groups of these sizes whose categories have counts in these ranges; what is left of
/// the groups is one category more. None where no table fits.
///
/// Pearson's statistic without correction, as [`chi_squared`](crate::chi_squared), is a sum over categories once the groups are fixed, so
/// that its ends are found category by category, without a look at each table. Categories that are empty do not count.
///
/// # Errors
/// When a group is empty, or there are more than 2,000 observations.
pub fn chi_squared_of_fitting(
    groups: [u64; 2],
    categories: &[CountRanges],
) -> Result<Option<FittingTables>, CountsError> {
    check(groups)?;
    let [first, second] = groups;
    let part = |x: u64, y: u64| match (x + y) as f64 {
        0.0 => 0.0,
        both => ((x * x) as f64 / first as f64 + (y * y) as f64 / second as f64) / both,
    };
    let range = |group: fn(&CountRanges) -> &RangeInclusive<u64>| {
        let least: u64 = categories.iter().map(|category| *group(category).start()).sum();
        let most: u64 = categories.iter().map(|category| *group(category).end()).sum();
        (least, most.saturating_sub(least) as usize + 1)
    };
    let [(least_first, width), (least_second, other_width)] =
        [range(|category| &category.first), range(|category| &category.second)];
    let places = (width * other_width) as u64;
    if places > MOST * MOST {
        return Err(CountsError::TooMany { total: places, most: MOST * MOST });
    }
    let empty = || Sums::new([width, other_width], categories.len());
    let mut sums = empty();
    sums.add([0, 0], 0, Partial { tables: 1.0, least: 0.0, most: 0.0 });
    for category in categories {
        let parts = category.tables().map(|(x, y)| {
            let above = [x - category.first.start(), y - category.second.start()].map(|above| above as usize);
            (above, usize::from(x + y == 0), part(x, y))
        });
        let parts: Vec<_> = parts.collect();
        let mut next = empty();
        for ([a, b], empty, partial) in sums.iter() {
            for ([x, y], is_empty, part) in &parts {
                let found = Partial { tables: partial.tables, least: partial.least + part, most: partial.most + part };
                next.add([a + x, b + y], empty + is_empty, found);
            }
        }
        sums = next;
    }
    let all = (first + second) as f64;
    let ends = sums.iter().filter_map(|([a, b], empty, partial)| {
        let x = first.checked_sub(least_first + a as u64)?;
        let y = second.checked_sub(least_second + b as u64)?;
        let degrees = (categories.len() - empty + usize::from(x + y > 0)).saturating_sub(1);
        let p = |sum: f64| match degrees {
            0 => 1.0,
            degrees => chi_squared_tail((all * (sum + part(x, y) - 1.0)).max(0.0), degrees as u64),
        };
        Some(FittingTables { tables: partial.tables, lowest: p(partial.most), highest: p(partial.least) })
    });
    Ok(ends.reduce(FittingTables::and))
}

impl Partial {
    fn add(&mut self, other: Self) {
        self.tables += other.tables;
        self.least = self.least.min(other.least);
        self.most = self.most.max(other.most);
    }
}

/// What [`barnard_exact`] says of every table of two groups of these sizes whose successes are in these ranges. None where no table fits.
///
/// # Errors
/// When a group is empty, or there are more than 2,000 observations.
pub fn barnard_of_fitting(groups: [u64; 2], successes: &CountRanges) -> Result<Option<FittingTables>, CountsError> {
    check(groups)?;
    let [first, second] = groups;
    let tables = successes.tables().filter(|(x, y)| *x <= first && *y <= second);
    let found = tables.map(|(x, y)| {
        let p = barnard_exact([[x, first - x], [y, second - y]])?.p_value;
        Ok(FittingTables { tables: 1.0, lowest: p, highest: p })
    });
    let found: Vec<FittingTables> = found.collect::<Result<_, _>>()?;
    Ok(found.into_iter().reduce(FittingTables::and))
}

fn check(groups: [u64; 2]) -> Result<(), CountsError> {
    check_total([groups, [0, 0]], MOST)?;
    groups.iter().position(|&size| size == 0).map_or(Ok(()), |row| Err(CountsError::EmptyRow { row }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_those_that_round_to_a_share() {
        // 31 % of 389: 30.59 % to 31.36 %.
        assert_eq!(counts_within(389, 0.305, 0.315), 119..=122);
        // Half a percent belongs to both neighbours, also where 0.285 is not its fraction.
        assert_eq!((counts_within(200, 0.275, 0.285), counts_within(200, 0.285, 0.295)), (55..=57, 57..=59));
        assert_eq!(counts_within(10, 0.0, 2.0), 0..=10);
        assert!(counts_within(3, 0.4, 0.6).is_empty());
    }

    #[test]
    fn no_table_is_no_answer() {
        let ranges = |first, second, both| CountRanges { first, second, both };
        assert_eq!(chi_squared_of_fitting([3, 3], &[ranges(1..=2, 1..=2, 5..=6)]), Ok(None));
        assert_eq!(barnard_of_fitting([3, 3], &ranges(4..=5, 0..=1, 0..=9)), Ok(None));
        assert_eq!(barnard_of_fitting([3, 0], &ranges(0..=1, 0..=1, 0..=9)), Err(CountsError::EmptyRow { row: 1 }));
        assert!(chi_squared_of_fitting([MOST, 1], &[]).is_err());
        // One category alone depends on nothing.
        let alone = chi_squared_of_fitting([3, 4], &[]).unwrap().unwrap();
        assert_eq!((alone.tables, alone.lowest, alone.highest), (1.0, 1.0, 1.0));
    }
}
