//! What the values of a column are, by all that is known of it.
//!
//! What outputs show goes first, since it was true once; then what code cannot do without; then what it would rather have; a name last.

use crate::build::words;
use crate::evidence::{ColumnFacts, ColumnKey, TableFacts, Use};
use crate::recipe::{InputColumn, InputKind};
use crate::saved::is_number;

/// Values of a category of which none is known.
const CATEGORIES: usize = 5;
/// Rows of a day by which rows are grouped.
const ROWS_OF_DAY: usize = 10;
/// Values that are taken from outputs, at most.
const VALUES_KEPT: usize = 500;

pub(super) fn input_column(facts: &ColumnFacts, table: &TableFacts) -> InputColumn {
    let name = match &facts.key {
        ColumnKey::Named(name) => name.clone(),
        ColumnKey::At(place) => format!("column_{}", place + 1),
    };
    let mut column = InputColumn::new(name, InputKind::Number);
    column.used = facts.used.clone();
    column.unique = facts.has(&Use::Unique);
    if !of_outputs(&mut column, facts) {
        of_code(&mut column, facts, table);
    }
    column.missing = wants_missing(facts);
    details(&mut column, facts);
    if column.unique && column.kind == InputKind::Category {
        column.kind = InputKind::Text;
    }
    let is_shared = column.kind == InputKind::Date && !column.unique && facts.has(&Use::Several);
    column.each = is_shared.then_some(ROWS_OF_DAY);
    column
}

/// Values are missing where outputs show it and code fills them: code that fills what is not missing runs as well.
fn wants_missing(facts: &ColumnFacts) -> bool {
    facts.has(&Use::Missing) && facts.shown.missing
}

/// What outputs show. False when they show nothing.
fn of_outputs(column: &mut InputColumn, facts: &ColumnFacts) -> bool {
    let shown = &facts.shown;
    if !facts.is_shown() {
        return false;
    }
    let dtype = shown.dtype.as_deref().unwrap_or("");
    let values = &shown.values;
    let are = |is_it: fn(&str) -> bool| !values.is_empty() && values.iter().all(|value| is_it(value));
    let is_date = facts.has(&Use::Date) && !facts.has(&Use::Integer);
    column.kind = match dtype {
        _ if is_date || dtype.starts_with("datetime") => InputKind::Date,
        "bool" => InputKind::Boolean,
        "object" | "category" | "string" | "str" => InputKind::Text,
        _ if are(|value| matches!(value, "True" | "False")) => InputKind::Boolean,
        _ if dtype.starts_with("int") || dtype.starts_with("uint") => InputKind::Integer,
        // Whole numbers with some missing are floats.
        _ if dtype.starts_with("float") || dtype == "number" => {
            if are(is_whole) {
                InputKind::Integer
            } else {
                InputKind::Number
            }
        }
        _ if are(is_whole) => InputKind::Integer,
        _ if are(is_number) => InputKind::Number,
        _ if values.is_empty() => return false,
        _ if are(crate::follow::looks_like_day) => InputKind::Date,
        _ => InputKind::Text,
    };
    let mut known: Vec<String> = values.iter().take(VALUES_KEPT).cloned().collect();
    match column.kind {
        InputKind::Integer | InputKind::Number => of_shown_numbers(column, facts, &known),
        InputKind::Text => {
            for value in code_values(facts) {
                if !known.contains(&value) {
                    known.push(value);
                }
            }
            let distinct = known.iter().collect::<std::collections::BTreeSet<_>>().len();
            let is_category =
                shown.is_all || facts.has(&Use::Category) || facts.has(&Use::Encoded) || distinct < values.len();
            if known.is_empty() {
                known = made_values(&column.name, 0);
            }
            column.kind = if is_category { InputKind::Category } else { InputKind::Text };
            column.values = known;
        }
        InputKind::Date => {
            column.values = known;
            if dtype.starts_with("int") {
                column.format = Some("%Y%m%d".to_owned());
            }
        }
        InputKind::Boolean | InputKind::Category => {}
    }
    true
}

fn of_shown_numbers(column: &mut InputColumn, facts: &ColumnFacts, values: &[String]) {
    let shown = &facts.shown;
    let numbers: Vec<f64> = values.iter().filter_map(|value| value.parse().ok()).chain(bounds(facts)).collect();
    let low = numbers.iter().copied().chain(shown.low).reduce(f64::min);
    let high = numbers.iter().copied().chain(shown.high).reduce(f64::max);
    (column.low, column.high) = (low.map(|low| low.to_string()), high.map(|high| high.to_string()));
    let is_category = shown.is_all || facts.has(&Use::Classes);
    column.values = values.to_vec();
    for value in code_values(facts).into_iter().filter(|value| is_number(value)) {
        if !column.values.contains(&value) {
            column.values.push(value);
        }
    }
    let distinct = column.values.iter().collect::<std::collections::BTreeSet<_>>().len();
    if is_category && distinct > 1 {
        column.kind = InputKind::Category;
    } else if facts.has(&Use::Classes) {
        column.kind = InputKind::Category;
        column.values = vec!["0".to_owned(), "1".to_owned()];
    }
}

fn of_code(column: &mut InputColumn, facts: &ColumnFacts, table: &TableFacts) {
    let has = |how: &Use| facts.has(how);
    let values = code_values(facts);
    let (numbers, words): (Vec<String>, Vec<String>) = values.iter().cloned().partition(|value| is_number(value));
    let only = facts.uses.iter().find_map(|how| match how {
        Use::OnlyValues(values) if !values.is_empty() => Some(values.clone()),
        _ => None,
    });
    let is_of_words =
        facts.any(|how| matches!(how, Use::Text | Use::Pattern(_) | Use::Separator(_) | Use::Holds(_) | Use::Affix(_)));
    let is_number = has(&Use::Number) || has(&Use::Integer) || has(&Use::Quantity);
    let is_feature = table.is_numeric
        || !table.is_encoded && table.features_but.as_ref().is_some_and(|but| !but.contains(&column.name));
    // Days that nothing reads as days are words, unless words of their kind are in the order of time.
    let is_iso = |day: &str| day.len() >= 4 && !day.contains('/');
    let is_of_days = has(&Use::Date)
        || facts.any(|how| matches!(how, Use::Format(_)) || matches!(how, Use::Day(day) if is_iso(day)));
    if let Some(only) = only {
        column.kind = InputKind::Category;
        column.values = only;
    } else if is_of_days && has(&Use::Integer) {
        // Seconds, or days since some day.
        column.kind = InputKind::Integer;
        (column.low, column.high) = (Some("1400000000".to_owned()), Some("1500000000".to_owned()));
    } else if is_of_days {
        column.kind = InputKind::Date;
    } else if !values.is_empty() && values.iter().all(|value| matches!(value.as_str(), "True" | "False"))
        || has(&Use::Boolean)
    {
        column.kind = InputKind::Boolean;
    } else if is_of_words && !is_number && values.is_empty() && is_day_in_words(column, facts) {
        column.kind = InputKind::Date;
        column.format = Some("%Y-%m-%d %H:%M:%S".to_owned());
    } else if is_of_words && (!is_number || has(&Use::Digits)) {
        column.kind = if words.is_empty() { InputKind::Text } else { InputKind::Category };
        column.values = words;
        if column.kind == InputKind::Category {
            column.values.extend(made_values(&column.name, column.values.len()));
        }
    } else if is_number || is_feature && !has(&Use::Encoded) && words.is_empty() {
        of_numbers(column, facts, numbers);
    } else if !words.is_empty() {
        column.kind = InputKind::Category;
        column.values = values;
        column.values.extend(made_values(&column.name, column.values.len()));
    } else if has(&Use::Classes) || !numbers.is_empty() {
        of_numbers(column, facts, numbers);
    } else if has(&Use::Category) || has(&Use::Encoded) {
        of_category(column, has(&Use::RatherNumber));
    } else if has(&Use::RatherNumber) {
        of_numbers(column, facts, numbers);
    } else if has(&Use::Key) {
        column.kind = InputKind::Integer;
        (column.low, column.high) = (Some("1".to_owned()), Some("100".to_owned()));
        column.unique |= words::is_id(&column.name);
    } else {
        words::of_name(column);
    }
}

/// Whether words are days by their name, and are cut as days are.
fn is_day_in_words(column: &InputColumn, facts: &ColumnFacts) -> bool {
    let is_cut_as_day = |how: &Use| match how {
        Use::Separator(separator) => matches!(separator.as_str(), " " | "-" | ":"),
        Use::Pattern(_) | Use::Holds(_) | Use::Affix(_) => false,
        _ => true,
    };
    words::kind_of_name(&column.name) == Some(InputKind::Date) && facts.uses.iter().all(is_cut_as_day)
}

/// Few values: numbers where they are averaged too, words otherwise.
fn of_category(column: &mut InputColumn, is_averaged: bool) {
    let by_name = words::kind_of_name(&column.name);
    if matches!(by_name, Some(InputKind::Integer | InputKind::Number | InputKind::Date)) || is_averaged {
        words::of_name(column);
        if column.kind == InputKind::Number {
            column.kind = InputKind::Integer;
            (column.low, column.high) = (Some("1".to_owned()), Some(CATEGORIES.to_string()));
        }
        return;
    }
    column.kind = InputKind::Category;
    column.values = made_values(&column.name, 0);
}

fn of_numbers(column: &mut InputColumn, facts: &ColumnFacts, values: Vec<String>) {
    let is_few = facts.has(&Use::Classes) || facts.has(&Use::Category);
    if is_few || !values.is_empty() && !facts.has(&Use::Number) && values.iter().all(|value| is_whole(value)) {
        let known: Vec<f64> = values.iter().filter_map(|value| value.parse().ok()).collect();
        let is_small = known.iter().all(|number| (0.0..=20.0).contains(number));
        if is_small {
            // Classes without a gap, of which the code names some.
            let most = known.iter().copied().fold(1.0, f64::max);
            let from = if known.contains(&0.0) || known.is_empty() { 0 } else { 1 };
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 1 and 20")]
            let most = most as usize;
            let from = if facts.has(&Use::Classes) && most <= 1 { 0 } else { from };
            column.kind = InputKind::Category;
            column.values = (from..=most.max(from + 1)).map(|class| class.to_string()).collect();
            return;
        }
    }
    words::of_name(column);
    let is_of_numbers = !column.values.is_empty() && column.values.iter().all(|value| is_number(value));
    if column.kind == InputKind::Category && is_of_numbers && values.is_empty() && bounds(facts).next().is_none() {
        return;
    }
    if !matches!(column.kind, InputKind::Integer | InputKind::Number) {
        column.kind = InputKind::Number;
    }
    if facts.has(&Use::Integer) {
        column.kind = InputKind::Integer;
    }
    if facts.has(&Use::Quantity) && column.kind == InputKind::Integer && column.low.is_none() {
        column.kind = InputKind::Number;
    }
    column.values = values;
    let bounds: Vec<f64> = bounds(facts).collect();
    let low = bounds.iter().copied().reduce(f64::min);
    let high = bounds.iter().copied().reduce(f64::max);
    if let (Some(low), Some(high)) = (low, high) {
        // On both sides of every number that it is compared with.
        let span = (high - low).max(high.abs() / 2.0).max(1.0);
        let least = if low >= 0.0 { (low - span).max(0.0) } else { low - span };
        column.low = Some(least.floor().to_string());
        column.high = Some((high + span).ceil().to_string());
    }
}

fn bounds(facts: &ColumnFacts) -> impl Iterator<Item = f64> {
    facts.uses.iter().filter_map(|how| match how {
        Use::Bound(bound) => Some(*bound),
        _ => None,
    })
}

/// The values that code names.
fn code_values(facts: &ColumnFacts) -> Vec<String> {
    let is_read = facts.has(&Use::Date);
    let values = facts.uses.iter().filter_map(|how| match how {
        Use::Value(value) => Some(value.clone()),
        Use::Day(day) if !is_read && day.contains('/') => Some(day.clone()),
        _ => None,
    });
    let mut found: Vec<String> = Vec::new();
    for value in values.filter(|value| !value.is_empty() && value != "nan") {
        if !found.contains(&value) {
            found.push(value);
        }
    }
    found
}

/// Values of a category, named after the column so that an error tells which it was.
fn made_values(name: &str, known: usize) -> Vec<String> {
    let wanted = if known == 0 { CATEGORIES } else { 2 };
    (1..=wanted).map(|number| format!("{name} {number}")).collect()
}

fn is_whole(text: &str) -> bool {
    text.parse::<f64>().is_ok_and(|number| number.is_finite() && number.fract() == 0.0)
}

/// What stands before and behind a number, of all that code takes off it.
///
/// Where that are several words, of which some rows may have one and some another, it is none of them but zeros that pandas takes for a word
/// and Python for a part of the number.
fn around(affixes: &[&str]) -> (String, String) {
    let (mut before, mut behind) = (String::new(), String::new());
    let mut words = 0;
    for part in affixes {
        match part.trim() {
            "," | "." | "" => {}
            "%" | "+" => (*part).clone_into(&mut behind),
            word if word.chars().all(char::is_alphabetic) => {
                words += 1;
                (*part).clone_into(&mut behind);
            }
            _ => (*part).clone_into(&mut before),
        }
    }
    if words > 1 { ("0_".to_owned(), String::new()) } else { (before, behind) }
}

/// What texts and days look like.
fn details(column: &mut InputColumn, facts: &ColumnFacts) {
    let mut holds = Vec::new();
    let mut days = Vec::new();
    let mut affixes = Vec::new();
    for how in &facts.uses {
        match how {
            Use::Format(format) => column.format = Some(format.clone()),
            Use::Pattern(pattern) if column.kind == InputKind::Text => column.pattern = Some(pattern.clone()),
            Use::Separator(separator) if matches!(column.kind, InputKind::Text | InputKind::Category) => {
                column.separators.push(separator.clone());
            }
            Use::Holds(part) => holds.push(part.clone()),
            Use::Day(day) => days.push(day.clone()),
            Use::Affix(part) if !facts.is_shown() => affixes.push(part.as_str()),
            _ => {}
        }
    }
    if !affixes.is_empty() {
        column.kind = if facts.has(&Use::Integer) { InputKind::Integer } else { InputKind::Number };
        column.affixes = Some(around(&affixes));
    }
    let parts = facts.uses.iter().find_map(|how| match how {
        Use::Parts(parts) => Some(*parts),
        _ => None,
    });
    if let [separator] = column.separators.as_slice() {
        // Four parts where their number is not known.
        let usual = if facts.has(&Use::Digits) && facts.has(&Use::Number) { 2 } else { 4 };
        column.separators = vec![separator.clone(); parts.unwrap_or(usual).clamp(2, 20) - 1];
    }
    if column.kind == InputKind::Text && facts.has(&Use::Digits) && !facts.is_shown() {
        column.affixes.get_or_insert_default();
    }
    if column.kind == InputKind::Date {
        days.sort();
        column.low = days.first().cloned();
        column.high = days.last().cloned();
    }
    if matches!(column.kind, InputKind::Text | InputKind::Category) && !facts.is_shown() {
        for part in holds.into_iter().filter(|part| !part.contains(['\\', '(', '[', '^', '$', '*'])) {
            column
                .values
                .extend(part.split('|').filter(|part| !part.is_empty()).map(|part| format!("{part} {}", column.name)));
        }
        if column.kind == InputKind::Category && !column.separators.is_empty() {
            column.kind = InputKind::Text;
        }
    }
}
