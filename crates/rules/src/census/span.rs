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
    /// The last day in it, which is the day that an environment aims at: then the libraries were as new as they may be. `None` without an
    /// end.
    #[must_use]
    pub fn aim(&self) -> Option<jiff::civil::Date> {
        let until: jiff::civil::Date = self.until.as_ref()?.parse().ok()?;
        until.yesterday().ok()
    }
}

/// The span of some uses. Nothing came after another thing was gone, in a notebook that ran: what C code makes is often read too late from the
/// text of releases, so that this is left out.
#[must_use]
pub fn written_span(uses: &[ApiUse]) -> WrittenSpan {
    let named = |used: &ApiUse| match used.parameter.as_str() {
        "" => used.name.clone(),
        parameter if used.word.is_empty() => format!("{}({parameter}=)", used.name),
        parameter => format!("{}({parameter}='{}')", used.name, used.word),
    };
    let uses: Vec<_> = uses.iter().map(|used| (used, rows_of(used))).collect();
    let gone = uses.iter().filter_map(|(used, rows)| Some((&rows.iter().rfind(|row| row.is_loss())?.first_day, *used)));
    let until = gone.min_by(|(one, _), (other, _)| one.cmp(other));
    let came = uses.iter().filter_map(|(used, rows)| Some((&rows.iter().find(|row| !row.is_loss())?.first_day, *used)));
    let is_before = |day: &String| until.is_none_or(|(end, _)| day < end);
    let from = came.filter(|(day, _)| is_before(day)).reduce(|best, next| if next.0 > best.0 { next } else { best });
    WrittenSpan {
        from: from.map(|(day, _)| day.clone()),
        from_name: from.map(|(_, used)| named(used)),
        until: until.map(|(day, _)| day.clone()),
        until_name: until.map(|(_, used)| named(used)),
    }
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
        assert!(span.from < span.until && span.aim().is_some());
        assert_eq!(written_span(&[]), WrittenSpan::default());
    }

    #[test]
    fn what_came_after_another_thing_was_gone_bounds_nothing() {
        let (late, gone) = (
            "import numpy as np\nx = np.asarray([1], copy=True)\n",
            "import pandas as pd\nd = pd.DataFrame()\nd.append(d)\n",
        );
        let alone = written_span(&api_uses([(0, late)]));
        assert_eq!(alone.from_name.as_deref(), Some("numpy.asarray(copy=)"));
        let both = written_span(&api_uses([(0, late), (1, gone)]));
        assert!(both.until < alone.from && both.aim().is_some());
        assert_ne!(both.from, alone.from);
    }
}
