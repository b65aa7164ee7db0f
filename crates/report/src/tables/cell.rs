//! A count with its share, its interval and its published counterpart.

use nbrevive_stats::{Interval, wilson_interval};
use serde_json::{Value, json};

use crate::number_words::{NOTHING, percent, rounded, thousands};
use crate::published::Printed;

/// The confidence of the intervals beside our shares.
pub(crate) const CONFIDENCE: f64 = 0.95;

/// A count out of a whole.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Cell {
    count: u64,
    whole: u64,
    is_whole: bool,
    published: Option<PublishedCell>,
}

/// The published counterpart of a cell: a count, a share, or both.
#[derive(Debug, Clone, PartialEq)]
struct PublishedCell {
    printed: Option<Printed>,
    share: Option<f64>,
}

impl Cell {
    /// A count out of `whole`, without a published counterpart.
    pub(crate) const fn new(count: u64, whole: u64) -> Self {
        Cell { count, whole, is_whole: false, published: None }
    }

    /// The whole itself.
    pub(crate) const fn whole(count: u64) -> Self {
        Cell { count, whole: count, is_whole: true, published: None }
    }

    /// The same with the published count, out of the published `whole`.
    pub(crate) fn beside(self, printed: &Printed, whole: &Printed) -> Self {
        let share = share(printed.count(), whole.count());
        self.beside_share(Some(printed.clone()), share)
    }

    /// The same with the published share, and the count where there is one.
    pub(crate) fn beside_share(self, printed: Option<Printed>, share: Option<f64>) -> Self {
        Cell { published: Some(PublishedCell { printed, share }), ..self }
    }

    /// Our count.
    pub(crate) const fn count(&self) -> u64 {
        self.count
    }

    /// Our count as text.
    pub(crate) fn count_text(&self) -> String {
        thousands(self.count)
    }

    /// The whole.
    pub(crate) const fn of(&self) -> u64 {
        self.whole
    }

    /// The whole as text.
    pub(crate) fn whole_text(&self) -> String {
        thousands(self.whole)
    }

    /// Our share of the whole, between 0 and 1; none of nothing.
    pub(crate) fn share(&self) -> Option<f64> {
        share(self.count, self.whole)
    }

    /// Our share as text.
    pub(crate) fn share_text(&self) -> String {
        percent(self.share())
    }

    /// Wilson's interval of our share; none of nothing, and none of a whole, whose share is no observation.
    pub(crate) fn interval(&self) -> Option<Interval> {
        if self.is_whole {
            return None;
        }
        wilson_interval(self.count, self.whole, CONFIDENCE).ok()
    }

    /// The interval as text.
    pub(crate) fn interval_text(&self) -> String {
        self.interval().map_or_else(
            || NOTHING.to_owned(),
            |interval| format!("{:.1}–{:.1} %", interval.lower * 100.0, interval.upper * 100.0),
        )
    }

    /// Whether it has a published counterpart.
    pub(crate) const fn is_published(&self) -> bool {
        self.published.is_some()
    }

    fn printed(&self) -> Option<&Printed> {
        self.published.as_ref()?.printed.as_ref()
    }

    /// The published count as printed.
    pub(crate) fn published_text(&self) -> String {
        self.printed().map_or_else(|| NOTHING.to_owned(), |printed| printed.text().to_owned())
    }

    /// The published share: computed from printed counts where both are printed.
    pub(crate) fn published_share_text(&self) -> String {
        percent(self.published.as_ref().and_then(|cell| cell.share))
    }

    /// The fields of this cell in a CSV, in the order of [`Cell::CSV_FIELDS`]; empty where there is no value.
    pub(crate) fn csv(&self) -> [String; 6] {
        let fraction = |value: Option<f64>| rounded(value).map_or_else(String::new, |value| value.to_string());
        let interval = self.interval();
        let published = self.published.as_ref();
        [
            self.count.to_string(),
            fraction(self.share()),
            fraction(interval.map(|interval| interval.lower)),
            fraction(interval.map(|interval| interval.upper)),
            self.printed().map_or_else(String::new, |printed| printed.count().to_string()),
            fraction(published.and_then(|cell| cell.share)),
        ]
    }

    /// The names of the fields of [`Cell::csv`].
    pub(crate) const CSV_FIELDS: [&'static str; 6] =
        ["count", "share", "share_low", "share_high", "published_count", "published_share"];

    /// This cell as JSON.
    pub(crate) fn json(&self) -> Value {
        let mut object = json!({ "count": self.count, "share": rounded(self.share()) });
        if let Some(interval) = self.interval() {
            object["interval"] = json!([rounded(Some(interval.lower)), rounded(Some(interval.upper))]);
        }
        if let Some(published) = &self.published {
            object["published"] = json!({
                "printed": self.printed().map(Printed::text),
                "count": self.printed().map(Printed::count),
                "share": rounded(published.share),
            });
        }
        object
    }
}

fn share(count: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| count as f64 / whole as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_of_nothing_is_no_number() {
        let cell = Cell::new(0, 0);
        assert_eq!((cell.share_text(), cell.interval_text()), (NOTHING.to_owned(), NOTHING.to_owned()));
        assert_eq!(cell.csv(), ["0", "", "", "", "", ""]);
    }

    #[test]
    fn nearly_nothing_and_nearly_all_do_not_look_so() {
        let texts = [(0, 9000), (1, 9000), (8999, 9000), (9000, 9000)].map(|(count, whole)| Cell::new(count, whole));
        assert_eq!(texts.map(|cell| cell.share_text()), ["0.0 %", "< 0.1 %", "> 99.9 %", "100.0 %"]);
    }

    #[test]
    fn the_interval_is_wilsons() {
        // 3 of 12 at 95 %: 0.0889 to 0.5323, by hand from the formula with z = 1.959964.
        assert_eq!(Cell::new(3, 12).interval_text(), "8.9–53.2 %");
    }
}
