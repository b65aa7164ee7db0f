//! Named numbers: of a file of published numbers, and of the tables and figures that a report writes.

use std::collections::BTreeMap;

use nbrevive_corpus::section_order;

use super::number::{Bounds, read};

/// One place where a number stands.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Place {
    /// The number as printed.
    pub(crate) text: String,
    /// What it may stand for.
    pub(crate) bounds: Bounds,
    /// Where: a section, or a file.
    pub(crate) section: String,
}

/// Numbers by name, each with the places that print it; none where a table has nothing to say.
#[derive(Debug, Default, Clone)]
pub(crate) struct Values {
    places: BTreeMap<String, Vec<Place>>,
}

/// Texts of a published file that are no numbers.
const WORDS: [&str; 6] = ["section", "population", "title", "authors", "data", "role"];
/// Lists of a published file that hold no numbers of their own.
const LISTS: [&str; 8] = ["check", "test", "beside", "finding", "takeaway", "work", "alike", "related"];
/// The fields that name an element of a list in our tables and figures.
const NAMES: [&str; 8] = ["row", "fix_type", "per", "provider", "rule", "id", "condition", "name"];
/// Fields of our files that are no results: what the paper prints (audited in its own file) and their numbers.
const BESIDE: [&str; 3] = ["published", "table", "figure"];
/// The field of our files that describes the study, and has to say the same in all of them.
const SHARED: &str = "study";
/// Our tables round fractions to six decimals.
const SHARE_UNIT: f64 = 1e-6;

impl Values {
    /// The names, in order, with their places.
    pub(crate) fn all(&self) -> impl Iterator<Item = (&str, &[Place])> {
        self.places.iter().map(|(name, places)| (name.as_str(), places.as_slice()))
    }

    /// The places of a name; none when there is no such name.
    pub(crate) fn places(&self, name: &str) -> Option<&[Place]> {
        self.places.get(name).map(Vec::as_slice)
    }

    /// The names that a pattern fits, in order: `*` stands for one part between dots.
    pub(crate) fn matching(&self, pattern: &str) -> Vec<&str> {
        if !pattern.contains('*') {
            return self.places.get_key_value(pattern).map(|(name, _)| name.as_str()).into_iter().collect();
        }
        // What comes before the first star is common to all of them.
        let start = pattern.split('*').next().unwrap_or_default().to_owned();
        let names = self.places.range(start.clone()..).map(|(name, _)| name.as_str());
        let names = names.take_while(|name| name.starts_with(&start));
        names.filter(|name| prefix(pattern, name) == Some(*name)).collect()
    }

    /// What comes before the rest of a name, for each that begins as the pattern says.
    pub(crate) fn prefixes(&self, pattern: &str) -> Vec<&str> {
        let mut found: Vec<&str> = self.places.keys().filter_map(|name| prefix(pattern, name)).collect();
        found.dedup();
        found
    }

    fn add(&mut self, name: &str, place: Option<Place>) {
        self.places.entry(name.to_owned()).or_default().extend(place);
    }

    /// Changes what one place of a number prints.
    #[cfg(test)]
    pub(crate) fn change(&mut self, name: &str, place: usize, text: &str, bounds: Bounds) {
        let place = &mut self.places.get_mut(name).unwrap()[place];
        (place.text, place.bounds) = (text.to_owned(), bounds);
    }

    /// Adds the numbers of a published file: those of the tables by path, those of the text by name.
    ///
    /// # Errors
    /// A text that should be a number and is none.
    pub(crate) fn add_published(&mut self, file: &toml::Table) -> Result<(), String> {
        for (key, value) in file {
            match (key.as_str(), value) {
                (key, _) if LISTS.contains(&key) => {}
                ("number", toml::Value::Array(numbers)) => {
                    let mut numbers: Vec<&toml::Value> = numbers.iter().collect();
                    numbers.sort_by_cached_key(|number| section_order(section(number)));
                    numbers.into_iter().try_for_each(|number| self.add_text_number(number))?;
                }
                _ => self.add_toml(key, value, section(value))?,
            }
        }
        Ok(())
    }

    fn add_toml(&mut self, name: &str, value: &toml::Value, section: &str) -> Result<(), String> {
        match value {
            toml::Value::Table(table) => {
                for (key, value) in table.iter().filter(|(key, _)| !WORDS.contains(&key.as_str())) {
                    self.add_toml(&format!("{name}.{key}"), value, section)?;
                }
                Ok(())
            }
            value => self.add_printed(name, value.as_str().unwrap_or_default(), section, false),
        }
    }

    fn add_text_number(&mut self, number: &toml::Value) -> Result<(), String> {
        let text = |key: &str| number.get(key).and_then(toml::Value::as_str);
        let name = text("name").unwrap_or_default();
        let rounded = number.get("rounded").and_then(toml::Value::as_bool).unwrap_or(false);
        self.add_printed(name, text("value").unwrap_or_default(), text("section").unwrap_or_default(), rounded)?;
        if let (Some(words), Some(places)) = (text("words"), self.places.get_mut(name)) {
            places.last_mut().expect("it was just added").text = format!("“{words}”");
        }
        Ok(())
    }

    fn add_printed(&mut self, name: &str, text: &str, section: &str, rounded: bool) -> Result<(), String> {
        let bounds = read(text, rounded).ok_or_else(|| format!("`{name}`: `{text}` is no number such as \"35.4%\""))?;
        self.add(name, Some(Place { text: text.to_owned(), bounds, section: section.to_owned() }));
        Ok(())
    }

    /// Adds the numbers of one of our files, each under `file` and its path in it, but those of the study under its own name.
    pub(crate) fn add_json(&mut self, file: &str, value: &serde_json::Value) {
        self.add_json_at(file, value, (file, element_name));
    }

    /// The same of a table whose rows are named by all of their words.
    pub(crate) fn add_shares(&mut self, file: &str, value: &serde_json::Value) {
        self.add_json_at(file, value, (file, words_of));
    }

    /// Adds the counts of a table with one word above each column and one before each row, named by both.
    pub(crate) fn add_crosstab(&mut self, file: &str, value: &serde_json::Value) {
        let list = |of: &serde_json::Value, key: &str| of[key].as_array().cloned().unwrap_or_default();
        for (row, counts) in list(value, "rows").iter().zip(list(value, "counts")) {
            for (column, count) in list(value, "columns").iter().zip(counts.as_array().into_iter().flatten()) {
                let [row, column] = [row, column].map(|word| word.as_str().unwrap_or_default());
                self.add_json(&format!("{file}.{row}.{column}"), count);
            }
        }
    }

    fn add_json_at(&mut self, name: &str, value: &serde_json::Value, (file, named): (&str, ElementName)) {
        use serde_json::Value;
        match value {
            Value::Object(object) => {
                for (key, value) in object.iter().filter(|(key, _)| !BESIDE.contains(&key.as_str())) {
                    let name = if key == SHARED { SHARED.to_owned() } else { format!("{name}.{key}") };
                    self.add_json_at(&name, value, (file, named));
                }
            }
            Value::Array(list) => {
                for (index, element) in list.iter().enumerate() {
                    self.add_json_at(&format!("{name}.{}", named(element, index)), element, (file, named));
                }
            }
            Value::Null => self.add(name, None),
            Value::Number(number) => {
                let value = number.as_f64().unwrap_or(f64::NAN);
                let bounds = if number.is_f64() { Bounds::rounded(value, SHARE_UNIT) } else { Bounds::exact(value) };
                self.add(name, Some(Place { text: number.to_string(), bounds, section: file.to_owned() }));
            }
            Value::Bool(_) | Value::String(_) => {}
        }
    }
}

fn section(value: &toml::Value) -> &str {
    value.get("section").and_then(toml::Value::as_str).unwrap_or("title")
}

/// How an element of a list is named, by its place if need be.
type ElementName = fn(&serde_json::Value, usize) -> String;

fn words_of(element: &serde_json::Value, index: usize) -> String {
    let fields = element.as_object().into_iter().flatten();
    let words: Vec<&str> = fields.filter_map(|(_, value)| value.as_str()).collect();
    if words.is_empty() { index.to_string() } else { words.join(".") }
}

fn element_name(element: &serde_json::Value, index: usize) -> String {
    let text = |key: &str| element.get(key).and_then(serde_json::Value::as_str);
    if let (Some(from), Some(to)) = (text("from"), text("to")) {
        return format!("{from}.{to}");
    }
    NAMES.iter().find_map(|key| text(key)).map_or_else(|| index.to_string(), str::to_owned)
}

/// The beginning of `name` that `pattern` fits.
fn prefix<'n>(pattern: &str, name: &'n str) -> Option<&'n str> {
    let mut end = 0;
    let mut parts = name.split('.');
    for wanted in pattern.split('.') {
        let part = parts.next()?;
        if wanted != "*" && wanted != part {
            return None;
        }
        end += part.len() + 1;
    }
    Some(&name[..end - 1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_stand_for_whole_parts() {
        assert_eq!(prefix("table1.rows.*", "table1.rows.timeout.count"), Some("table1.rows.timeout"));
        assert_eq!(prefix("table1.*.count", "table1.total.count"), Some("table1.total.count"));
        assert_eq!(prefix("table1.rows", "table1.total"), None);
        assert_eq!(prefix("table1.rows.*", "table1.rows"), None);
    }

    #[test]
    fn our_tables_are_flattened_by_the_names_of_their_rows() {
        let mut values = Values::default();
        let table = serde_json::json!({
            "title": "x",
            "rows": [{ "row": "timeout", "count": 3, "share": 0.25, "interval": [0.1, 0.4] }, { "per": "a", "cost": null }],
            "links": [{ "from": "a", "to": "b", "count": 2 }],
        });
        values.add_json("t", &table);
        let names: Vec<&str> = values.all().map(|(name, _)| name).collect();
        assert_eq!(
            names,
            [
                "t.links.a.b.count",
                "t.rows.a.cost",
                "t.rows.timeout.count",
                "t.rows.timeout.interval.0",
                "t.rows.timeout.interval.1",
                "t.rows.timeout.share"
            ]
        );
        assert_eq!(values.matching("t.rows.*.count"), ["t.rows.timeout.count"]);
        assert_eq!(values.prefixes("t.rows.*"), ["t.rows.a", "t.rows.timeout"]);
        assert!(values.places("t.rows.a.cost").unwrap().is_empty());
    }

    #[test]
    fn a_slip_in_a_published_file_is_named() {
        let mut values = Values::default();
        let file = toml::from_str("[table1]\nsection = \"2\"\ntotal = \"12,72o\"").unwrap();
        assert!(values.add_published(&file).unwrap_err().contains("`table1.total`: `12,72o` is no number"));
    }
}
