//! Texts beside each other, with marks where they differ.

use std::time::{Duration, Instant};

use nbrevive_compare::settled_text;
use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};

use crate::page::markup::block;

/// How long two texts may be compared for their marks; afterwards the rest is marked whole.
const PATIENCE: Duration = Duration::from_millis(300);
/// Longest text whose lines are compared, in bytes; of longer ones the beginnings stand beside each other without marks.
const LONGEST: usize = 4 << 20;
/// Longest side, in bytes.
const LONGEST_SIDE: usize = 24 << 10;
/// Longest line whose words are compared, in bytes.
const LONGEST_LINE: usize = 2000;
/// Lines as saved that are shown before and behind those that differ.
const AROUND: usize = 3;

/// Saved and new content beside each other.
pub(super) fn sides(saved: &str, new: &str) -> String {
    format!(
        "<div class=\"beside\"><div class=\"side saved\"><h5>Saved</h5>{saved}</div><div class=\"side now\"><h5>New</h5>{new}</div></div>\n"
    )
}

/// Two texts beside each other.
pub(super) fn beside(saved: &str, new: &str) -> String {
    let (old, now) = if saved.len().max(new.len()) > LONGEST {
        (block(&shortened(saved, LONGEST_SIDE)), block(&shortened(new, LONGEST_SIDE)))
    } else {
        marked(&settled_text(saved), &settled_text(new))
    };
    sides(&format!("<pre>{old}</pre>"), &format!("<pre>{now}</pre>"))
}

/// At most so many characters, with how many there are.
pub(super) fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}\n… ({} characters in all)", &text[..end], text.chars().count()),
        None => text.to_owned(),
    }
}

/// One side in the making.
#[derive(Default)]
struct Side {
    html: String,
    left_out: usize,
}

impl Side {
    fn line(&mut self, html: &str) {
        if self.html.len() + html.len() > LONGEST_SIDE {
            self.left_out += 1;
        } else {
            self.html.push_str(html);
            self.html.push('\n');
        }
    }

    fn marked(&mut self, line: &str) {
        if self.html.len() >= LONGEST_SIDE {
            self.left_out += 1;
            return;
        }
        self.line(&format!("<mark>{}</mark>", block(&shortened(line, LONGEST_LINE))));
    }

    fn folded(&mut self, lines: usize) {
        self.line(&format!("<span class=\"skipped-lines\">… {lines} lines as saved</span>"));
    }

    fn end(mut self) -> String {
        if self.left_out > 0 {
            self.html.push_str(&format!(
                "<span class=\"skipped-lines\">… {} more lines are left out</span>\n",
                self.left_out
            ));
        }
        self.html
    }
}

/// Both texts as HTML.
fn marked(saved: &str, new: &str) -> (String, String) {
    let (old, now): (Vec<&str>, Vec<&str>) = (saved.lines().collect(), new.lines().collect());
    let deadline = Instant::now() + PATIENCE;
    let (mut left, mut right) = (Side::default(), Side::default());
    let ops = capture_diff_slices_deadline(Algorithm::Myers, &old, &now, Some(deadline));
    let last = ops.len().saturating_sub(1);
    for (place, op) in ops.into_iter().enumerate() {
        match op {
            DiffOp::Equal { old_index, len, .. } => {
                let lines = old.get(old_index..old_index + len).unwrap_or_default();
                equal(lines, place == 0, place == last, &mut left, &mut right);
            }
            DiffOp::Delete { old_index, old_len, .. } => {
                old.iter().skip(old_index).take(old_len).for_each(|line| left.marked(line));
            }
            DiffOp::Insert { new_index, new_len, .. } => {
                now.iter().skip(new_index).take(new_len).for_each(|line| right.marked(line));
            }
            DiffOp::Replace { old_index, old_len, new_index, new_len } => {
                let shared = old_len.min(new_len);
                for (before, after) in old.iter().skip(old_index).zip(now.iter().skip(new_index)).take(shared) {
                    let (before, after) = words(before, after, deadline);
                    left.line(&before);
                    right.line(&after);
                }
                old.iter().skip(old_index + shared).take(old_len - shared).for_each(|line| left.marked(line));
                now.iter().skip(new_index + shared).take(new_len - shared).for_each(|line| right.marked(line));
            }
        }
    }
    (left.end(), right.end())
}

/// Lines that both have: of many those beside a difference.
fn equal(lines: &[&str], is_first: bool, is_last: bool, left: &mut Side, right: &mut Side) {
    let (head, tail) = (if is_first { 0 } else { AROUND }, if is_last { 0 } else { AROUND });
    let folded = lines.len().saturating_sub(head + tail);
    // A note would be as long as what it stands for.
    let folded = if folded > 2 { folded } else { 0 };
    for (place, line) in lines.iter().enumerate() {
        if folded > 0 && place == head {
            left.folded(folded);
            right.folded(folded);
        }
        if folded == 0 || place < head || place >= head + folded {
            let text = block(&shortened(line, LONGEST_LINE));
            left.line(&text);
            right.line(&text);
        }
    }
}

/// Two lines with marks at the words that differ.
fn words(saved: &str, new: &str, deadline: Instant) -> (String, String) {
    if saved.len().max(new.len()) > LONGEST_LINE {
        let whole = |line: &str| format!("<mark>{}</mark>", block(&shortened(line, LONGEST_LINE)));
        return (whole(saved), whole(new));
    }
    let (old, now) = (pieces(saved), pieces(new));
    let (mut left, mut right) = (String::new(), String::new());
    for op in capture_diff_slices_deadline(Algorithm::Myers, &old, &now, Some(deadline)) {
        let (before, after) = (old[op.old_range()].concat(), now[op.new_range()].concat());
        let is_equal = matches!(op, DiffOp::Equal { .. });
        for (text, to) in [(before, &mut left), (after, &mut right)] {
            match (text.is_empty(), is_equal) {
                (true, _) => {}
                (false, true) => to.push_str(&block(&text)),
                (false, false) => to.push_str(&format!("<mark>{}</mark>", block(&text))),
            }
        }
    }
    (left, right)
}

/// Words, numbers with their points, spaces and single signs.
fn pieces(line: &str) -> Vec<&str> {
    let kind = |letter: char| match letter {
        letter if letter.is_alphanumeric() || letter == '_' || letter == '.' => 0,
        letter if letter.is_whitespace() => 1,
        _ => 2,
    };
    let mut pieces = Vec::new();
    let (mut start, mut before) = (0, None);
    for (at, letter) in line.char_indices() {
        let now = kind(letter);
        if at > start && (before != Some(now) || now == 2) {
            pieces.push(&line[start..at]);
            start = at;
        }
        before = Some(now);
    }
    if start < line.len() {
        pieces.push(&line[start..]);
    }
    pieces
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn words_that_differ_are_marked_and_long_runs_folded() {
        let lines: Vec<String> = (0..30).map(|line| format!("line {line}")).collect();
        let saved = format!("{}\nloss: 0.51 <b>\n", lines.join("\n"));
        let (old, now) = marked(&saved, &saved.replace("0.51", "0.49"));
        assert_eq!(
            old,
            "<span class=\"skipped-lines\">… 27 lines as saved</span>\nline 27\nline 28\nline 29\nloss: <mark>0.51</mark> &lt;b&gt;\n"
        );
        assert!(now.ends_with("loss: <mark>0.49</mark> &lt;b&gt;\n"), "{now}");
    }

    proptest! {
        #[test]
        fn what_is_shown_of_short_texts_is_all_of_them(saved in "[ab<&\n \u{1b}]{0,40}", new in "[ab<&\n \u{1b}]{0,40}") {
            let (old, now) = marked(&saved, &new);
            for (html, text) in [(old, saved), (now, new)] {
                let is_escaped = !html.contains(char::from(27));
                prop_assert!(is_escaped);
                if !html.contains("as saved") {
                    let plain = html.replace("<mark>", "").replace("</mark>", "");
                    let lines: Vec<String> = text.lines().map(block).collect();
                    prop_assert_eq!(plain.lines().collect::<Vec<_>>(), lines);
                }
            }
        }
    }
}
