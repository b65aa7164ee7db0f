//! What a column is by its name, where nothing else is known.

use crate::recipe::{InputColumn, InputKind};

/// From where to where numbers go.
type Range = Option<(&'static str, &'static str)>;

/// Words of names, the kind that they mean, and from where to where numbers go.
const WORDS: [(&[&str], InputKind, Range); 15] = [
    (&["date", "datetime", "timestamp", "dt"], InputKind::Date, None),
    (&["year", "yr"], InputKind::Integer, Some(("2000", "2020"))),
    (&["quarter"], InputKind::Integer, Some(("1", "4"))),
    (&["month", "mnth"], InputKind::Integer, Some(("1", "12"))),
    (&["day", "weekday"], InputKind::Integer, Some(("1", "28"))),
    (&["hour", "hr"], InputKind::Integer, Some(("0", "23"))),
    (&["age"], InputKind::Integer, Some(("18", "80"))),
    (&["lat", "latitude"], InputKind::Number, Some(("-60", "60"))),
    (&["lon", "lng", "long", "longitude"], InputKind::Number, Some(("-150", "150"))),
    (&["id", "index", "key", "idx"], InputKind::Integer, Some(("1", "100000"))),
    (&["rating", "stars"], InputKind::Integer, Some(("1", "5"))),
    (&["count", "num", "number", "quantity", "qty", "votes", "population"], InputKind::Integer, Some(("1", "1000"))),
    (
        &[
            "name",
            "title",
            "text",
            "description",
            "comment",
            "comments",
            "review",
            "url",
            "email",
            "address",
            "author",
            "tweet",
            "message",
            "content",
            "abstract",
            "question",
            "answer",
            "sentence",
            "headline",
            "body",
            "summary",
            "link",
            "filename",
            "file",
            "path",
            "image",
            "ticket",
        ],
        InputKind::Text,
        None,
    ),
    (
        &[
            "city",
            "country",
            "state",
            "region",
            "gender",
            "sex",
            "category",
            "type",
            "status",
            "color",
            "colour",
            "brand",
            "class",
            "species",
            "department",
            "genre",
            "genres",
            "language",
            "continent",
            "province",
            "county",
            "team",
            "player",
            "company",
            "product",
            "group",
            "label",
            "kind",
            "neighbourhood",
            "location",
            "town",
            "variety",
            "job",
            "occupation",
            "education",
            "embarked",
            "model",
            "make",
            "sector",
            "industry",
            "platform",
            "publisher",
            "symbol",
            "ticker",
        ],
        InputKind::Category,
        None,
    ),
    (
        &["price", "amount", "cost", "salary", "income", "revenue", "sales", "total"],
        InputKind::Number,
        Some(("1", "1000")),
    ),
];

/// The kind that a name means, if it means one.
pub(super) fn kind_of_name(name: &str) -> Option<InputKind> {
    entry(name).map(|(kind, _)| kind)
}

fn entry(name: &str) -> Option<(InputKind, Range)> {
    let words = words(name);
    // The last word of a name says what it is: `release_year`, `CustomerID`.
    words.iter().rev().find_map(|word| {
        let found = WORDS.iter().find(|(known, _, _)| known.contains(&word.as_str()))?;
        Some((found.1, found.2))
    })
}

/// Makes a column what its name means; numbers where it means nothing.
pub(crate) fn of_name(column: &mut InputColumn) {
    let (kind, range) = entry(&column.name).unwrap_or((InputKind::Number, None));
    column.kind = kind;
    if let Some((low, high)) = range {
        (column.low, column.high) = (Some(low.to_owned()), Some(high.to_owned()));
    }
    column.unique |= is_id(&column.name);
    if words(&column.name)
        .last()
        .is_some_and(|word| matches!(word.as_str(), "target" | "outcome" | "survived" | "churn"))
    {
        column.kind = InputKind::Category;
        column.values = vec!["0".to_owned(), "1".to_owned()];
    } else if kind == InputKind::Category {
        column.values = (1..=5).map(|number| format!("{} {number}", column.name)).collect();
    }
}

/// Whether a name says that it is an identifier.
pub(super) fn is_id(name: &str) -> bool {
    words(name).last().is_some_and(|word| word == "id")
}

/// The words of a name, in small letters: cut at what is no letter and before capitals.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    let mut was_small = false;
    for letter in name.chars() {
        if !letter.is_alphabetic() || letter.is_uppercase() && was_small {
            words.extend(Some(std::mem::take(&mut word)).filter(|word| !word.is_empty()));
        }
        if letter.is_alphabetic() {
            word.extend(letter.to_lowercase());
        }
        was_small = letter.is_lowercase();
    }
    words.extend(Some(word).filter(|word| !word.is_empty()));
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_word_that_means_something_decides() {
        assert_eq!(words("CustomerID"), ["customer", "id"]);
        assert_eq!(words("order_date 2"), ["order", "date"]);
        assert_eq!(kind_of_name("releaseYear"), Some(InputKind::Integer));
        assert_eq!(kind_of_name("name of city"), Some(InputKind::Category));
        assert_eq!(kind_of_name("sepal width"), None);
    }
}
