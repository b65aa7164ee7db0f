//! Other values that a constant could have had.

use std::collections::BTreeSet;

use super::shown::ShownTexts;
use super::suspects::Constant;

/// Values that are tried of a constant at most.
const MOST: usize = 7;

/// What could have been written in the place of a constant, the likeliest first: what was saved where it is shown, its neighbours, its double and half, ten times
/// as much and a tenth, its negative; the other truth; of a text one with a letter less, and one with a letter more, which tells what it bears on.
pub(super) fn others(constant: &Constant, texts: &ShownTexts) -> Vec<String> {
    let text = constant.text.as_str();
    let mut found: Vec<String> =
        texts.saved_in_place_of(text.trim_matches(['\'', '"'])).into_iter().map(|saved| quoted(text, saved)).collect();
    match text {
        "True" => found.push("False".to_owned()),
        "False" => found.push("True".to_owned()),
        _ if constant.is_text() => found.extend(of_other_length(text).into_iter().flatten()),
        _ => found.extend(numbers(text)),
    }
    let mut met = BTreeSet::from([text.to_owned()]);
    found.retain(|other| met.insert(other.clone()));
    found.truncate(MOST);
    found
}

/// A word in the quotes of a constant; a number has none.
fn quoted(constant: &str, word: &str) -> String {
    let content = constant.trim_matches(['\'', '"']);
    constant.replacen(content, word, 1)
}

/// A text with a letter less, and with one more.
fn of_other_length(text: &str) -> Option<[String; 2]> {
    let quote = text.chars().next_back()?;
    let (content, end) = text.split_at(text.trim_end_matches(quote).len());
    let shorter = content
        .char_indices()
        .next_back()
        .map_or(content, |(at, last)| if last.is_alphanumeric() { &content[..at] } else { content });
    Some([format!("{shorter}{end}"), format!("{content}_{end}")])
}

fn numbers(text: &str) -> Vec<String> {
    if let Ok(number) = text.parse::<i64>() {
        let part = |by: i64| (number % by == 0).then(|| number / by);
        let all = [
            number.checked_sub(1),
            number.checked_add(1),
            number.checked_mul(2),
            part(2),
            number.checked_mul(10),
            part(10),
            Some(-number),
        ];
        return all.into_iter().flatten().map(|other| other.to_string()).collect();
    }
    let (Ok(number), Some((_, decimals))) = (text.parse::<f64>(), text.split_once('.')) else { return Vec::new() };
    let (places, is_plain) = (decimals.len(), decimals.chars().all(|digit| digit.is_ascii_digit()));
    if !is_plain || places > 12 {
        return [number * 2.0, number / 2.0, number * 10.0].map(|other| format!("{other:?}")).to_vec();
    }
    let step = 10f64.powi(-i32::try_from(places.max(1)).unwrap_or(1));
    let near = [number + step, number - step].map(|other| format!("{other:.*}", places.max(1)));
    let far = [number * 2.0, number / 2.0, number * 10.0, number / 10.0, -number].map(|other| format!("{other:?}"));
    near.into_iter().chain(far).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str, shown: &str, saved: &str) -> Vec<String> {
        others(&Constant { range: 0..text.len(), text: text.to_owned() }, &ShownTexts::new(shown, saved))
    }

    #[test]
    fn what_was_saved_where_a_constant_is_shown_comes_first() {
        assert_eq!(of("12", "rows 12 of 4", "rows 17 of 4")[..2], ["17", "11"]);
        assert_eq!(of("'ax'", "ax b", "a b")[..2], ["'a'", "'ax_'"]);
        assert_eq!(
            of("12", "12 4", "17 4 3")[0],
            "11",
            "where there are more words, nothing stands in the place of another"
        );
    }

    #[test]
    fn numbers_have_neighbours_multiples_and_negatives() {
        assert_eq!(of("20", "", ""), ["19", "21", "40", "10", "200", "2", "-20"]);
        assert_eq!(of("7", "", ""), ["6", "8", "14", "70", "-7"]);
        assert_eq!(of("0.25", "", ""), ["0.26", "0.24", "0.5", "0.125", "2.5", "0.025", "-0.25"]);
        assert_eq!(of("1e-3", "", ""), Vec::<String>::new(), "which has no decimals to count by");
        assert_eq!(of("9223372036854775807", "", "")[0], "9223372036854775806");
        assert_eq!(of("True", "", ""), ["False"]);
    }

    #[test]
    fn texts_lose_and_gain_a_letter_within_their_quotes() {
        assert_eq!(of("'ab'", "", ""), ["'a'", "'ab_'"]);
        assert_eq!(of("\"\"\"ab\"\"\"", "", ""), ["\"\"\"a\"\"\"", "\"\"\"ab_\"\"\""]);
        assert_eq!(of("r'a.'", "", ""), ["r'a._'"], "a sign at the end may be needed by what is before it");
    }
}
