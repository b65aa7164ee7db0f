//! Counts as the paper prints them.

/// A count with commas between thousands.
#[must_use]
pub fn thousands(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_stand_between_thousands() {
        let texts: Vec<String> = [0, 7, 999, 1000, 12_720, 1_000_000].map(thousands).into();
        assert_eq!(texts, ["0", "7", "999", "1,000", "12,720", "1,000,000"]);
    }
}
