//! The counts that the paper prints, and the same in proportion to another size.

use std::collections::BTreeMap;
use std::path::Path;

use nbrevive_corpus::{FixType, FlowState, Outcome, Printed, PublishedError, PublishedFiles};
use serde::Deserialize;

use super::fate::Fate;

/// Counts with what is counted.
pub(super) type Tally<T> = Vec<(T, u64)>;

/// The printed counts of Tables 1 to 4 and of who was modernized.
pub(super) struct Counts {
    /// Table 1.
    pub(super) baseline: Tally<Fate>,
    /// Table 2.
    pub(super) backport: Tally<Fate>,
    /// Table 3.
    pub(super) modernize: Tally<Fate>,
    /// The left side of Figure 6: outcomes at baseline of those who were modernized.
    pub(super) subjects: Tally<Outcome>,
    /// Table 4, state by state.
    pub(super) fixes: Tally<(FixType, FlowState)>,
}

/// What is read of the published numbers: counts as printed.
#[derive(Deserialize)]
struct Published {
    table1: Rows,
    table2: Rows,
    table3: Rows,
    table4: FixRows,
    figure6: Flow,
}

#[derive(Deserialize)]
struct Rows {
    rows: BTreeMap<String, Printed>,
}

#[derive(Deserialize)]
struct FixRows {
    rows: BTreeMap<FixType, BTreeMap<String, Printed>>,
}

#[derive(Deserialize)]
struct Flow {
    from: BTreeMap<Outcome, Printed>,
}

impl Counts {
    /// Reads the counts of published numbers like `study/mle-modernizer/published`.
    pub(super) fn read(path: &Path) -> Result<Self, PublishedError> {
        let files = PublishedFiles::read(path)?;
        Counts::of(&files.parse()?).map_err(|(table, message)| files.invalid(table, message))
    }

    /// The counts, or the table that lacks one, and what it lacks.
    fn of(published: &Published) -> Result<Self, (&'static str, String)> {
        let subjects = published.figure6.from.iter();
        let mut fixes = Vec::new();
        for (fix_type, row) in &published.table4.rows {
            for state in FlowState::COLUMNS {
                let printed = row.get(state.as_str());
                let printed =
                    printed.ok_or_else(|| ("table4", format!("`table4.rows.{fix_type}.{state}` is missing")))?;
                fixes.push(((*fix_type, *state), printed.count()));
            }
        }
        Ok(Counts {
            baseline: outcomes("table1", &published.table1)?,
            backport: outcomes("table2", &published.table2)?,
            modernize: outcomes("table3", &published.table3)?,
            subjects: subjects.map(|(outcome, printed)| (*outcome, printed.count())).collect(),
            fixes,
        })
    }
}

fn outcomes(table: &'static str, rows: &Rows) -> Result<Tally<Fate>, (&'static str, String)> {
    let row = |(name, printed): (&String, &Printed)| {
        let fate = Fate::named(name).ok_or_else(|| (table, format!("`{name}` is no row of Tables 1 to 3")))?;
        Ok((fate, printed.count()))
    };
    rows.rows.iter().map(row).collect()
}

/// The sum of a tally.
pub(super) fn sum<T>(tally: &Tally<T>) -> u64 {
    tally.iter().map(|(_, count)| count).sum()
}

/// `part` of `whole`, in proportion to `total`, rounded.
pub(super) fn proportion(part: u64, whole: u64, total: u64) -> u64 {
    let (part, whole, total) = (u128::from(part), u128::from(whole.max(1)), u128::from(total));
    u64::try_from((part * total + whole / 2) / whole).unwrap_or(u64::MAX)
}

/// The tally in proportion, with the sum `total`: largest remainders (Hamilton) are rounded up, earlier ones where they are equal.
pub(super) fn scaled<T: Copy>(tally: &Tally<T>, total: u64) -> Tally<T> {
    let whole = u128::from(sum(tally).max(1));
    let quota = |count: &u64| u128::from(*count) * u128::from(total);
    let mut scaled: Tally<T> =
        tally.iter().map(|(what, count)| (*what, u64::try_from(quota(count) / whole).unwrap_or(u64::MAX))).collect();
    let mut places: Vec<usize> = (0..tally.len()).collect();
    places.sort_by_key(|place| std::cmp::Reverse(quota(&tally[*place].1) % whole));
    let missing = total.saturating_sub(sum(&scaled));
    for place in places.into_iter().take(missing as usize) {
        scaled[place].1 += 1;
    }
    scaled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_in_proportion_have_the_wanted_sum() {
        let tally = vec![('a', 3007), ('b', 762), ('c', 19)];
        assert_eq!(scaled(&tally, 3788), tally);
        assert_eq!(scaled(&tally, 378_800), [('a', 300_700), ('b', 76_200), ('c', 1900)]);
        assert_eq!(scaled(&tally, 5), [('a', 4), ('b', 1), ('c', 0)]);
        assert_eq!(scaled(&tally, 0), [('a', 0), ('b', 0), ('c', 0)]);
        for total in 0..200 {
            assert_eq!(sum(&scaled(&tally, total)), total);
        }
    }

    #[test]
    fn what_is_no_count_is_named() {
        let folder = tempfile::tempdir().unwrap();
        for file in std::fs::read_dir("../../study/mle-modernizer/published").unwrap() {
            let file = file.unwrap();
            let text = std::fs::read_to_string(file.path()).unwrap();
            std::fs::write(folder.path().join(file.file_name()), text.replace("\"3,007\"", "\"many\"")).unwrap();
        }
        let error = Counts::read(folder.path()).err().unwrap().to_string();
        assert!(error.contains("table1.toml, line ") && error.contains("`many` is not a count"), "{error}");
    }
}
