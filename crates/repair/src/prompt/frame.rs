//! Fences around foreign text: one longer than any inside, so that nothing inside can end it.

/// The shortest fence; longer than the three backticks that people and models write by habit.
const SHORTEST: usize = 4;

/// A fence that no run of backticks in `text` can close.
pub(crate) fn fence_for(text: &str) -> String {
    let mut longest = 0;
    let mut run = 0;
    for character in text.chars() {
        run = if character == '`' { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    "`".repeat(SHORTEST.max(longest + 1))
}

/// `text` between two fences, with what it is behind the first.
pub(crate) fn fenced(text: &str, what: &str) -> String {
    let fence = fence_for(text);
    let end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    format!("{fence}{what}\n{text}{end}{fence}")
}

/// Foreign text for a place inside a sentence: one line, without backticks and control characters, cut.
pub(crate) fn inline(text: &str) -> String {
    const LONGEST: usize = 200;
    let plain = text.chars().map(|c| if c.is_control() || c == '`' { ' ' } else { c });
    plain.take(LONGEST).collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_fence_is_longer_than_any_inside() {
        assert_eq!(fence_for("x = 1"), "````");
        assert_eq!(fence_for("`````\n``` `"), "``````");
        assert_eq!(fenced("a", "python"), "````python\na\n````");
    }

    proptest! {
        #[test]
        fn no_line_inside_ends_the_frame(text in "[`~ a\n]{0,60}") {
            let framed = fenced(&text, "");
            let fence = framed.lines().next().unwrap_or_default();
            let closing = framed.lines().skip(1).filter(|line| line.trim_start().starts_with(fence)).count();
            prop_assert_eq!(closing, 1);
        }
    }
}
