//! Printed counts and shares that stand beside lines of our tables, wherever a study's published files say so, and what its figures say.

use std::path::Path;

use nbrevive_corpus::{Printed, PublishedError, PublishedFiles};
use serde::Deserialize;

use crate::published::{Saying, TextNumber, sayings};

/// One `[[beside]]`: a line of a table of ours, and the names of the printed count and of its whole; where no whole is printed, of the share,
/// which may stand alone.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Told {
    table: String,
    condition: String,
    words: Vec<String>,
    count: Option<String>,
    of: Option<String>,
    share: Option<String>,
}

/// One `[[related]]`: what another study prints of its notebooks, as it is printed.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RelatedWork {
    /// The study.
    pub(crate) work: String,
    /// How many notebooks it has.
    pub(crate) notebooks: String,
    /// How many of them do not run.
    pub(crate) share: String,
    /// Where they are from.
    pub(crate) which: String,
}

/// A printed count and a share.
type PrintedShare = (Option<Printed>, f64);

/// Printed numbers by the lines that they stand beside, and those of the running text.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct PublishedLines {
    lines: Vec<(Told, PrintedShare)>,
    sayings: Vec<(String, Vec<Saying>)>,
    related: Vec<RelatedWork>,
}

impl PublishedLines {
    /// Reads the files.
    ///
    /// # Errors
    /// When one cannot be read, or a line names a number that is not there or is no count or share.
    pub(crate) fn read(path: &Path) -> Result<Self, PublishedError> {
        let files = PublishedFiles::read(path)?;
        let numbers: toml::Table = files.parse()?;
        let wrong = |why: String| files.invalid("beside", why);
        let told: Vec<Told> = list(&numbers, "beside").map_err(wrong)?;
        let texts: Vec<TextNumber> = list(&numbers, "number").map_err(|why| files.invalid("number", why))?;
        let lines = told.into_iter().map(|told| {
            let share = told.numbers(&numbers).map_err(wrong)?;
            Ok((told, share))
        });
        let lines = lines.collect::<Result<_, PublishedError>>()?;
        let related = list(&numbers, "related").map_err(|why| files.invalid("related", why))?;
        Ok(PublishedLines { lines, sayings: sayings(&texts), related })
    }

    /// The printed count of a line, where there is one, and its share.
    pub(crate) fn of(&self, table: &str, condition: &str, words: &[String]) -> Option<&PrintedShare> {
        let is_told = |told: &Told| told.table == table && told.condition == condition && told.words == words;
        self.lines.iter().find(|(told, _)| is_told(told)).map(|(_, share)| share)
    }

    /// A number of the running text as it is printed.
    pub(crate) fn said(&self, name: &str) -> Option<&str> {
        let (_, sayings) = self.sayings.iter().find(|(own, _)| own == name)?;
        Some(&sayings.first()?.value)
    }

    /// What other studies print.
    pub(crate) fn related(&self) -> &[RelatedWork] {
        &self.related
    }

    /// The numbers of the running text by their names.
    pub(crate) fn sayings(&self) -> &[(String, Vec<Saying>)] {
        &self.sayings
    }
}

impl Told {
    fn numbers(&self, numbers: &toml::Table) -> Result<PrintedShare, String> {
        let text = |name: &str| printed(numbers, name).ok_or_else(|| format!("`{name}` is no number of these files"));
        let count = |name: &String| Printed::try_from(text(name)?.to_owned()).map_err(|why| format!("`{name}`: {why}"));
        let printed = self.count.as_ref().map(count).transpose()?;
        match (&printed, &self.of, &self.share) {
            (Some(part), Some(of), None) => {
                let share = part.count() as f64 / count(of)?.count().max(1) as f64;
                Ok((printed, share))
            }
            (_, None, Some(share)) => {
                let percent = text(share)?.strip_suffix('%').and_then(|digits| digits.parse::<f64>().ok());
                Ok((printed, percent.ok_or_else(|| format!("`{share}` is no share such as \"35.4%\""))? / 100.0))
            }
            _ => Err(format!("a line of `{}` has neither `count` with `of` nor `share`", self.table)),
        }
    }
}

fn list<T: serde::de::DeserializeOwned>(numbers: &toml::Table, key: &str) -> Result<Vec<T>, String> {
    let all = numbers.get(key).cloned().unwrap_or_else(|| toml::Value::Array(Vec::new()));
    all.try_into().map_err(|error: toml::de::Error| error.to_string())
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
        let (count, share) = lines.of("t", "c", &words(&["a", "b"])).unwrap();
        assert_eq!((count.as_ref().map(Printed::count), *share), (Some(1024), 0.5));
        assert_eq!(lines.of("t", "c", &words(&["a"])), None);
        assert_eq!(lines.of("t", "d", &words(&["a", "b"])), None);
    }

    #[test]
    fn a_share_needs_no_whole() {
        let share = NUMBERS.replace("2,048", "71.5%");
        let alone = LINE.replace("count = \"t1.rows.x\"\nof", "share");
        let of = |line: &str| read(&format!("{share}{line}")).unwrap().lines[0].1.clone();
        assert_eq!(of(&alone), (None, 0.715));
        assert_eq!(of(&LINE.replace("of =", "share =")).0.unwrap().count(), 1024);
        let count_alone = LINE.replace("of = \"all of them\"\n", "");
        assert!(read(&format!("{NUMBERS}{count_alone}")).unwrap_err().contains("neither `count` with `of`"));
    }

    #[test]
    fn a_number_that_is_not_there_is_named() {
        assert!(read(LINE).unwrap_err().contains("`t1.rows.x` is no number of these files"));
        let share = format!("{}{LINE}", NUMBERS.replace("1,024", "12%"));
        assert!(read(&share).unwrap_err().contains("t1.rows.x"));
        assert!(read("[[beside]]\ntable = \"t\"\n").unwrap_err().contains("condition"));
    }
}
