//! The counts that the paper prints, and the same in proportion to another size.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use nbrevive_corpus::{FixType, FlowState, Outcome};
use serde::Deserialize;

use super::fate::Fate;
use crate::commands::setting::LONGEST;

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

/// Why the printed counts cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("cannot take the counts from {path}: {message}")]
pub(super) struct CountsError {
    path: PathBuf,
    message: String,
}

/// What is read of `published.toml`: counts as printed.
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
    rows: BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct FixRows {
    rows: BTreeMap<FixType, BTreeMap<String, String>>,
}

#[derive(Deserialize)]
struct Flow {
    from: BTreeMap<Outcome, String>,
}

impl Counts {
    /// Reads the counts of a file like `study/mle-modernizer/published.toml`.
    pub(super) fn read(path: &Path) -> Result<Self, CountsError> {
        let failed = |message: String| CountsError { path: path.to_owned(), message };
        let text = nbrevive_files::read_text(path, LONGEST);
        let text = text.map_err(|error| failed(std::io::Error::from(error).to_string()))?;
        let published: Published = toml::from_str(&text).map_err(|error| failed(error.to_string()))?;
        Counts::of(&published).map_err(failed)
    }

    fn of(published: &Published) -> Result<Self, String> {
        let subjects = published.figure6.from.iter();
        let mut fixes = Vec::new();
        for (fix_type, row) in &published.table4.rows {
            for state in FlowState::COLUMNS {
                let printed = row.get(state.as_str()).ok_or_else(|| format!("table4 has no {fix_type}.{state}"))?;
                fixes.push(((*fix_type, *state), count(printed)?));
            }
        }
        Ok(Counts {
            baseline: outcomes(&published.table1)?,
            backport: outcomes(&published.table2)?,
            modernize: outcomes(&published.table3)?,
            subjects: subjects
                .map(|(outcome, printed)| Ok((*outcome, count(printed)?)))
                .collect::<Result<_, String>>()?,
            fixes,
        })
    }
}

fn outcomes(table: &Rows) -> Result<Tally<Fate>, String> {
    let row = |(name, printed): (&String, &String)| {
        let fate = Fate::named(name).ok_or_else(|| format!("`{name}` is no row of Tables 1 to 3"))?;
        Ok((fate, count(printed)?))
    };
    table.rows.iter().map(row).collect()
}

/// A count as the paper prints it, with commas between thousands.
fn count(printed: &str) -> Result<u64, String> {
    printed.replace(',', "").parse().map_err(|_| format!("`{printed}` is no count"))
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
        let path = folder.path().join("published.toml");
        let published = std::fs::read_to_string("../../study/mle-modernizer/published.toml").unwrap();
        std::fs::write(&path, published.replace("\"3,007\"", "\"many\"")).unwrap();
        let error = Counts::read(&path).err().unwrap().to_string();
        assert!(error.contains("published.toml: `many` is no count"), "{error}");
    }
}
