//! Titles of notebooks, awkward ones included, and the slugs made of them.

use nbrevive_loopback::RandomStream;

/// `{}` stands for the competition's title.
const PATTERNS: &[&str] = &[
    "{}: a gentle start",
    "{} | EDA + Random Forest",
    "Simple baseline for {}",
    "XGBoost with feature engineering ({})",
    "Stacking, blending, and \"luck\" on {}",
    "Top 3% with one model",
    "🚀 {} in 10 minutes 📊",
    "Мой первый ноутбук: {}",
    "初心者のための {}",
    "تحليل البيانات",
    "<script>window.__executed = true; document.title = 'owned'</script> {}",
    "<img src=x onerror=\"window.__executed = true\"> tuning",
    "<b>Bold</b> &amp; beautiful {}",
    "{}; DROP TABLE kernels;--",
    "notebook1f2e3d4c5b",
    "kernel=9, C=0.5 & more\u{200b}",
    "\"Quoted\", with commas, and 'marks'",
    "{} — très détaillé",
];

/// A title for a notebook of a competition.
pub(super) fn draw(stream: &mut RandomStream, competition: &str) -> String {
    stream.pick(PATTERNS).replace("{}", competition)
}

/// A slug as Kaggle makes it: ASCII letters and digits in lower case, one hyphen for all between. The ending keeps it unique.
pub(super) fn slug(title: &str, index: u64) -> String {
    let mut slug = String::new();
    for character in title.chars() {
        if character.is_ascii_alphanumeric() {
            slug.push(character.to_ascii_lowercase());
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    slug.truncate(40);
    let start = slug.trim_end_matches('-');
    if start.is_empty() { format!("notebook-{index}") } else { format!("{start}-{index}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_are_plain_whatever_the_title() {
        assert_eq!(slug("Store & Demand <Forecast>!", 7), "store-demand-forecast-7");
        assert_eq!(slug("تحليل البيانات", 8), "notebook-8");
        for pattern in PATTERNS {
            let slug = slug(pattern, 12);
            assert!(slug.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-'), "{slug}");
            assert!(slug.len() >= 5 && !slug.contains("--"), "{slug}");
        }
    }
}
