//! Names of columns in little languages: queries of pandas, formulas of models, SQL.

use std::sync::OnceLock;

use nbrevive_pysource::parse::parse;
use regex::Regex;

use crate::evidence::Use;
use crate::follow::Follower;
use crate::follow::arguments::Given;
use crate::follow::value::{FrameId, Origin, Value};

impl Follower {
    /// `df.query("a > 5 and b == 'x'")`: the names in it are those of columns.
    pub(super) fn query(&mut self, frame: FrameId, method: &str, given: &Given) -> Value {
        let Some(written) = given.text(0, "expr").map(|text| text.replace(['\n', '`'], " ")) else {
            return self.derived(frame, |_| {});
        };
        // `@name` is a variable.
        let variables: Vec<String> =
            written.split('@').skip(1).filter_map(|rest| words(rest).next().map(str::to_owned)).collect();
        let text = written.replace('@', "");
        let (made, text) = match text.split_once('=') {
            Some((name, value)) if method == "eval" && !value.starts_with('=') => {
                (Some(name.trim().to_owned()), value.to_owned())
            }
            _ => (None, text),
        };
        let parsed = parse(text.trim());
        let is_other = |name: &str| matches!(name, "and" | "or" | "not" | "in" | "index" | "True" | "False");
        let mut names: Vec<String> = words(&text).map(str::to_owned).collect();
        names.retain(|name| !variables.contains(name) && !is_other(name) && !is_in_quotes(&text, name));
        let scope = names.iter().map(|name| (name.clone(), self.column(frame, name, "query"))).collect();
        self.scopes.push(scope);
        let line = self.line;
        for statement in parsed.body() {
            if let Some(expression) = statement.as_expr_stmt() {
                self.value(&expression.value);
            }
        }
        self.line = line;
        self.scopes.pop();
        let value = self.derived(frame, |frame| frame.is_whole &= method == "eval");
        if let (Value::Frame(new), Some(made)) = (&value, made) {
            let frame = if given.is_set("inplace") { frame } else { *new };
            self.frames[frame].names.insert(made, Origin::Made(Value::Unknown));
        }
        value
    }

    /// `"y ~ x + C(kind)"`: what is predicted, and from what.
    pub(super) fn formula(&mut self, given: &Given) {
        let frame = given.all().find_map(|value| match value {
            Value::Frame(frame) => Some(*frame),
            _ => None,
        });
        let formula = given.all().filter_map(Value::text).find(|text| text.contains('~'));
        let (Some(frame), Some(formula)) = (frame, formula.map(str::to_owned)) else { return };
        let is_of_classes =
            |name: &str| [format!("C({name}"), format!("C( {name}")].iter().any(|coded| formula.contains(coded));
        for name in words(&formula).filter(|name| !is_function_in(&formula, name)) {
            let column = self.column(frame, name, "formula");
            self.note(&column, &if is_of_classes(name) { Use::Category } else { Use::RatherNumber }, "formula");
        }
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    let word = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '.';
    text.split(move |letter: char| !word(letter))
        .map(|word| word.trim_matches('.').split('.').next().unwrap_or(word))
        .filter(|word| word.starts_with(|letter: char| letter.is_alphabetic() || letter == '_'))
}

fn is_function_in(text: &str, name: &str) -> bool {
    text.contains(&format!("{name}(")) || text.contains(&format!("{name}."))
}

/// Whether a word stands in quotes wherever it stands.
fn is_in_quotes(text: &str, name: &str) -> bool {
    text.split(['\'', '"']).step_by(2).all(|outside| !words(outside).any(|word| word == name))
}

/// What a statement of SQL names.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct OfSql {
    pub(super) tables: Vec<String>,
    pub(super) columns: Vec<String>,
    /// Columns that are named with their table.
    pub(super) qualified: Vec<(String, String)>,
    /// Other names of tables.
    aliases: Vec<(String, String)>,
    /// Names that the statement gives.
    pub(super) made: Vec<String>,
    /// Whether it gives the rows as they are.
    pub(super) is_whole: bool,
}

/// `p.name`, wherever it stands: a table and its column.
fn qualified(sql: &str, found: &OfSql) -> Vec<(String, String)> {
    static NAMED: OnceLock<Option<Regex>> = OnceLock::new();
    let named = NAMED.get_or_init(|| Regex::new(r"\b([A-Za-z_]\w*)\.([A-Za-z_]\w*)\b").ok());
    let all = named.iter().flat_map(|named| named.captures_iter(sql));
    let of_table = |name: &str| {
        let alias = found.aliases.iter().find(|(alias, _)| alias == name).map(|(_, table)| table.clone());
        alias.or_else(|| found.tables.iter().find(|table| *table == name).cloned())
    };
    all.filter_map(|captured| Some((of_table(&captured[1])?, captured[2].to_owned()))).collect()
}

/// Reads tables and columns of a `SELECT`, or the name of a table alone, by words.
pub(super) fn tables_of_sql(sql: &str) -> OfSql {
    static FROM: OnceLock<Option<Regex>> = OnceLock::new();
    let from = FROM.get_or_init(|| Regex::new(r#"(?i)\b(?:from|join)\s+["`\[]?(\w+)["`\]]?(?:\s+as\s+(\w+))?"#).ok());
    let mut found = OfSql::default();
    let sql = sql.trim().trim_end_matches(';');
    if !sql.contains(char::is_whitespace) {
        return OfSql { tables: vec![sql.to_owned()], is_whole: true, ..found };
    }
    for captured in from.iter().flat_map(|from| from.captures_iter(sql)) {
        let table = captured[1].to_owned();
        // The tables that a database keeps of itself are there anyway.
        if !found.tables.contains(&table) && !table.starts_with("sqlite_") {
            found.tables.push(table.clone());
        }
        if let Some(alias) = captured.get(2) {
            found.aliases.push((alias.as_str().to_owned(), table));
        }
    }
    found.qualified = qualified(sql, &found);
    let lower = sql.to_ascii_lowercase();
    let Some((start, end)) = lower.find("select").zip(lower.find(" from").or_else(|| lower.find("\nfrom"))) else {
        return found;
    };
    let list = sql.get(start + 6..end).unwrap_or("");
    found.is_whole = list.trim() == "*" && !lower.contains("group by") && !lower.contains("join");
    for item in list.split(',') {
        let item = item.trim();
        let lower = item.to_ascii_lowercase();
        let (expression, name) =
            lower.find(" as ").map_or((item, None), |at| (&item[..at], Some(item[at + 4..].trim())));
        let plain = expression.rsplit('.').next().unwrap_or(expression).trim_matches(['"', '`', '[', ']', ' ']);
        let is_elsewhere = expression.contains('.') && found.qualified.iter().any(|(_, column)| column == plain);
        if is_elsewhere {
            found.made.extend(name.is_none().then(|| plain.to_owned()));
        } else if !plain.is_empty() && plain.chars().all(|letter| letter.is_alphanumeric() || letter == '_') {
            found.columns.push(plain.to_owned());
        }
        found.made.extend(name.map(|name| name.trim_matches(['"', '`', '\'']).to_owned()));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_name_tables_and_columns() {
        let found = tables_of_sql("SELECT p.name, age AS years, count(*) FROM people p JOIN towns ON p.id = towns.id");
        assert_eq!(found.tables, ["people", "towns"]);
        assert_eq!(found.columns, ["name", "age"]);
        assert_eq!(found.made, ["years"]);
        assert!(tables_of_sql("select * from t;").is_whole && tables_of_sql("t").tables == ["t"]);
        let found =
            tables_of_sql("SELECT t.size, age FROM people AS p JOIN towns t ON p.town = towns.id WHERE p.age > 3");
        let named = |table: &str, column: &str| (table.to_owned(), column.to_owned());
        assert_eq!(found.qualified, [named("people", "town"), named("towns", "id"), named("people", "age")]);
        assert!(tables_of_sql("SELECT * FROM sqlite_master").tables.is_empty());
    }

    #[test]
    fn words_in_quotes_are_no_names() {
        assert!(is_in_quotes("city == 'Paris'", "Paris") && !is_in_quotes("city == 'city'", "city"));
    }
}
