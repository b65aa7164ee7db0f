//! A fix as a unified diff of the notebook's percent cells.

use similar::TextDiff;

/// Lines around a change that a stored patch shows.
const CONTEXT_LINES: usize = 3;

/// The unified diff between two renderings; empty when they are equal.
#[must_use]
pub fn unified_diff(before: &str, after: &str) -> String {
    if before == after {
        return String::new();
    }
    TextDiff::from_lines(before, after)
        .unified_diff()
        .context_radius(CONTEXT_LINES)
        .header("before", "after")
        .to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_have_no_diff() {
        assert_eq!(unified_diff("a\n", "a\n"), "");
    }

    #[test]
    fn a_changed_line_is_shown_in_its_context() {
        insta::assert_snapshot!(unified_diff("# %%\na = 1\nb = df.ix[0]\n", "# %%\na = 1\nb = df.loc[0]\n"), @r"
        --- before
        +++ after
        @@ -1,3 +1,3 @@
         # %%
         a = 1
        -b = df.ix[0]
        +b = df.loc[0]
        ");
    }
}
