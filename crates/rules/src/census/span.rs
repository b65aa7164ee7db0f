//! When a notebook can have been written: the days on which all that it uses was there.

use serde::Serialize;

use super::uses::{ApiUse, rows_of};

/// The days on which everything existed that a notebook uses, as far as the census knows it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct WrittenSpan {
    /// The first day; `None` where nothing that it uses is younger than the census.
    pub from: Option<String>,
    /// What appeared on it.
    pub from_name: Option<String>,
    /// The first day on which something was gone; `None` where all of it is still there.
    pub until: Option<String>,
    /// What was gone then.
    pub until_name: Option<String>,
}

impl WrittenSpan {
    /// Whether one of its names was gone before another came: the notebook was never whole, or the census is wrong on one of them.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        matches!((&self.from, &self.until), (Some(from), Some(until)) if from >= until)
    }

    /// The last day in it, which is the day that an environment aims at: then the libraries were as new as they may be. `None` without an
    /// end, or where the span is empty.
    #[must_use]
    pub fn aim(&self) -> Option<jiff::civil::Date> {
        let until: jiff::civil::Date = self.until.as_ref().filter(|_| !self.is_empty())?.parse().ok()?;
        until.yesterday().ok()
    }
}

/// The span of some uses.
#[must_use]
pub fn written_span(uses: &[ApiUse]) -> WrittenSpan {
    let mut span = WrittenSpan::default();
    for used in uses {
        let named = || match used.parameter.as_str() {
            "" => used.name.clone(),
            parameter if used.word.is_empty() => format!("{}({parameter}=)", used.name),
            parameter => format!("{}({parameter}='{}')", used.name, used.word),
        };
        let rows = rows_of(used);
        if let Some(gone) = rows.iter().rfind(|row| row.is_loss())
            && span.until.as_ref().is_none_or(|known| gone.first_day < *known)
        {
            (span.until, span.until_name) = (Some(gone.first_day.clone()), Some(named()));
        }
        if let Some(came) = rows.iter().find(|row| !row.is_loss())
            && span.from.as_ref().is_none_or(|known| came.first_day > *known)
        {
            (span.from, span.from_name) = (Some(came.first_day.clone()), Some(named()));
        }
    }
    span
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::census::api_uses;

    #[test]
    fn a_span_is_bound_by_what_came_last_and_what_went_first() {
        let code = "import pandas as pd\nfrom sklearn.model_selection import KFold\nd = pd.DataFrame()\nd.append(d)\n";
        let span = written_span(&api_uses([(0, code)]));
        assert!(span.from_name.as_deref().is_some_and(|name| name.starts_with("sklearn.model_selection")));
        assert_eq!(span.until_name.as_deref(), Some("pandas.DataFrame.append"));
        assert!(!span.is_empty() && span.aim().is_some());
        assert_eq!(written_span(&[]), WrittenSpan::default());
    }
}
