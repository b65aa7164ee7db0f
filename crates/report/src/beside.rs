//! Printed counts that stand beside lines of our tables, wherever a study's published files say so.

use std::path::Path;

use nbrevive_corpus::{Printed, PublishedError, PublishedFiles};
use serde::Deserialize;

/// One `[[beside]]`: a line of a table of ours, and the names of the printed count and of its whole.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Told {
    table: String,
    condition: String,
    words: Vec<String>,
    count: String,
    of: String,
}

/// Printed counts by the lines that they stand beside.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct PublishedLines(Vec<(Told, Printed, Printed)>);

impl PublishedLines {
    /// Reads the files.
    ///
    /// # Errors
    /// When one cannot be read, or a line names a number that is not there or is no count.
    pub(crate) fn read(path: &Path) -> Result<Self, PublishedError> {
        let files = PublishedFiles::read(path)?;
        let numbers: toml::Table = files.parse()?;
        let told = numbers.get("beside").cloned().unwrap_or_else(|| toml::Value::Array(Vec::new()));
        let told: Vec<Told> =
            told.try_into().map_err(|error: toml::de::Error| files.invalid("beside", error.to_string()))?;
        let named = |name: &str| {
            let text = printed(&numbers, name)
                .ok_or_else(|| files.invalid("beside", format!("`{name}` is no number of these files")))?;
            Printed::try_from(text.to_owned()).map_err(|why| files.invalid("beside", format!("`{name}`: {why}")))
        };
        let lines = told.into_iter().map(|told| {
            let (count, of) = (named(&told.count)?, named(&told.of)?);
            Ok((told, count, of))
        });
        Ok(PublishedLines(lines.collect::<Result<_, _>>()?))
    }

    /// The printed count and whole of a line.
    pub(crate) fn of(&self, table: &str, condition: &str, words: &[String]) -> Option<(&Printed, &Printed)> {
        let is_told = |told: &Told| told.table == table && told.condition == condition && told.words == words;
        self.0.iter().find(|(told, ..)| is_told(told)).map(|(_, count, of)| (count, of))
    }
}

/// A number by its path in a table, or by its name in the running text.
fn printed<'a>(numbers: &'a toml::Table, name: &str) -> Option<&'a str> {
    let mut parts = name.split('.');
    let first = parts.next().and_then(|part| numbers.get(part));
    let by_path = first.and_then(|first| parts.try_fold(first, |value, part| value.get(part)));
    by_path.and_then(toml::Value::as_str).or_else(|| text_number(numbers, name))
}

fn text_number<'a>(numbers: &'a toml::Table, name: &str) -> Option<&'a str> {
    let list = numbers.get("number")?.as_array()?;
    let is_named = |number: &&toml::Value| number.get("name").and_then(toml::Value::as_str) == Some(name);
    list.iter().find(is_named)?.get("value")?.as_str()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<PublishedLines, String> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("published.toml");
        std::fs::write(&path, text).unwrap();
        PublishedLines::read(&path).map_err(|error| error.to_string())
    }

    const LINE: &str = "[[beside]]\ntable = \"t\"\ncondition = \"c\"\nwords = [\"a\", \"b\"]\ncount = \"t1.rows.x\"\nof = \"all of them\"\n";
    const NUMBERS: &str =
        "[t1.rows]\nx = \"1,024\"\n[[number]]\nsection = \"4\"\nname = \"all of them\"\nvalue = \"2,048\"\n";

    #[test]
    fn a_line_has_the_numbers_that_its_table_says() {
        let lines = read(&format!("{NUMBERS}{LINE}")).unwrap();
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        let (count, of) = lines.of("t", "c", &words(&["a", "b"])).unwrap();
        assert_eq!((count.count(), of.count()), (1024, 2048));
        assert_eq!(lines.of("t", "c", &words(&["a"])), None);
        assert_eq!(lines.of("t", "d", &words(&["a", "b"])), None);
    }

    #[test]
    fn a_number_that_is_not_there_is_named() {
        assert!(read(LINE).unwrap_err().contains("`t1.rows.x` is no number of these files"));
        let share = format!("{}{LINE}", NUMBERS.replace("1,024", "12%"));
        assert!(read(&share).unwrap_err().contains("t1.rows.x"));
        assert!(read("[[beside]]\ntable = \"t\"\n").unwrap_err().contains("condition"));
    }
}
