//! Cuts tracebacks and outputs to their share of tokens, by rule.
//!
//! The rule: terminal escapes and carriage-return progress lines go first, always. A traceback that is too long loses the
//! frames of libraries, from the inner ones outwards except the innermost; then lines from its middle; at last all but the
//! exception's own line, which is cut itself when it alone is too long. An output keeps its first and its last lines. What
//! was cut is said where it was.

use nbrevive_model::Encoding;

use crate::prompt::mask::mask;

/// The longest line that is counted at all, in characters: beyond it a line is data and no message.
const LONGEST_LINE: usize = 400;
/// The most lines that are looked at, half of them from each end.
const MOST_LINES: usize = 600;

/// The text without terminal escapes (`ESC [ … letter`, `ESC ] … BEL`), without control characters, and of each line only
/// what stands behind its last carriage return; masked.
pub(super) fn plain(text: &str) -> String {
    let without = without_escapes(text);
    let mut lines = Vec::new();
    for line in without.split('\n') {
        let line = line.trim_end_matches('\r');
        let shown = line.rsplit('\r').next().unwrap_or_default();
        lines.push(shown.chars().filter(|c| *c == '\t' || !c.is_control()).collect::<String>());
    }
    mask(&lines.join("\n"))
}

fn without_escapes(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        if character != '\u{1b}' {
            result.push(character);
            continue;
        }
        match characters.next() {
            Some('[') => while characters.next().is_some_and(|c| !c.is_ascii_alphabetic() && c != '@' && c != '~') {},
            Some(']') => while characters.next().is_some_and(|c| c != '\u{7}' && c != '\u{1b}') {},
            _ => {}
        }
    }
    result
}

/// A traceback within `limit` tokens; `last` is the exception's own line, which always stays in part.
pub(super) fn traceback(text: &str, last: &str, limit: usize, encoding: Encoding) -> String {
    let lines = cut_lines(&plain(text));
    let text = lines.join("\n");
    let text = text.trim();
    let own = cut_line(plain(last).lines().next().unwrap_or_default());
    let whole = if text.is_empty() { own.as_str() } else { text };
    if fits(whole, limit, encoding) {
        return whole.to_owned();
    }
    let frames = without_library_frames(&lines);
    if !frames.trim().is_empty() && fits(frames.trim(), limit, encoding) {
        return frames.trim().to_owned();
    }
    let ends = ends(&frames.lines().collect::<Vec<_>>(), limit, encoding);
    match ends {
        Some(ends) if ends.contains(&own) => ends,
        _ => cut_to(&own, limit, encoding),
    }
}

/// An output within `limit` tokens; empty when not even two lines fit.
pub(super) fn output(text: &str, limit: usize, encoding: Encoding) -> String {
    let plain = plain(text);
    let lines = cut_lines(plain.trim());
    let text = lines.join("\n");
    if fits(&text, limit, encoding) {
        return text;
    }
    ends(&lines.iter().map(String::as_str).collect::<Vec<_>>(), limit, encoding).unwrap_or_default()
}

/// Text from its start within `limit` tokens, at a line end where there is one.
pub(super) fn start(text: &str, limit: usize, encoding: Encoding) -> String {
    if fits(text, limit, encoding) {
        return text.to_owned();
    }
    let lines: Vec<&str> = text.lines().collect();
    let sums = running_sums(lines.iter().map(|line| encoding.count(line) + 1));
    let most = most_that_fits(lines.len(), |count| sums[count] <= limit);
    match most {
        0 => cut_to(text, limit, encoding),
        most => format!("{}\n[… {} more lines]", lines[..most].join("\n"), lines.len() - most),
    }
}

fn fits(text: &str, limit: usize, encoding: Encoding) -> bool {
    // No token is shorter than a byte, so that short texts need no count.
    text.len() <= limit || encoding.count(text) <= limit
}

/// The lines, each cut, and of very many those at the ends.
fn cut_lines(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().collect();
    let left_out = lines.len().saturating_sub(MOST_LINES);
    if left_out == 0 {
        return lines.into_iter().map(cut_line).collect();
    }
    let (head, tail) = (&lines[..MOST_LINES / 2], &lines[lines.len() - MOST_LINES / 2..]);
    let note = std::iter::once(format!("[… {left_out} lines left out]"));
    head.iter().map(|line| cut_line(line)).chain(note).chain(tail.iter().map(|line| cut_line(line))).collect()
}

fn cut_line(line: &str) -> String {
    let line = line.trim_end();
    match line.char_indices().nth(LONGEST_LINE) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}

/// The longest start of `text` within `limit` tokens.
fn cut_to(text: &str, limit: usize, encoding: Encoding) -> String {
    let places: Vec<usize> = text.char_indices().map(|(place, _)| place).collect();
    let most = most_that_fits(places.len(), |count| {
        let end = places.get(count).copied().unwrap_or(text.len());
        fits(&text[..end], limit, encoding)
    });
    let end = places.get(most).copied().unwrap_or(text.len());
    if end == text.len() { text.to_owned() } else { format!("{}…", &text[..end]) }
}

/// The first and last lines with a note between them, as many as fit; `None` when one line at each end does not.
///
/// Lines are counted one by one, once: both encodings end a token at nearly every line end, so that the sum is the count of
/// the whole or a little more.
fn ends(lines: &[&str], limit: usize, encoding: Encoding) -> Option<String> {
    // Two thirds from the end: what is said last says why.
    let head_of = |kept: usize| kept / 3;
    let most = lines.len().saturating_sub(1).min(limit);
    let note = |kept: usize| format!("[… {} lines left out]", lines.len() - kept);
    let count = |line: &str| encoding.count(line) + 1;
    let heads = running_sums(lines.iter().take(head_of(most)).map(|line| count(line)));
    let tails = running_sums(lines.iter().rev().take(most).map(|line| count(line)));
    let note_tokens = count(&note(0));
    let tokens = |kept: usize| heads[head_of(kept)] + tails[kept - head_of(kept)] + note_tokens;
    let kept = most_that_fits(most, |kept| tokens(kept) <= limit);
    let (head, tail) = (head_of(kept), kept - head_of(kept));
    let left_out = note(kept);
    let shown = [&lines[..head], &[left_out.as_str()], &lines[lines.len() - tail..]].concat();
    (kept >= 2).then(|| shown.join("\n"))
}

/// 0, then the sum of the first count, of the first two, and so on.
fn running_sums(counts: impl Iterator<Item = usize>) -> Vec<usize> {
    let mut sums = vec![0];
    for count in counts {
        sums.push(sums[sums.len() - 1] + count);
    }
    sums
}

/// The largest count up to `most` that fits, 0 when none does. Longer never fits where shorter does not.
fn most_that_fits(most: usize, fits: impl Fn(usize) -> bool) -> usize {
    let (mut good, mut bad) = (0, most + 1);
    while bad - good > 1 {
        let middle = good.midpoint(bad);
        if fits(middle) {
            good = middle;
        } else {
            bad = middle;
        }
    }
    good
}

/// The traceback without frames inside libraries, but for the innermost frame; what went is counted.
fn without_library_frames(lines: &[String]) -> String {
    let blocks = blocks(lines);
    let last_frame = blocks.iter().rposition(|block| is_frame(block));
    let mut kept: Vec<String> = Vec::new();
    let mut dropped = 0;
    for (index, block) in blocks.iter().enumerate() {
        if is_library_frame(block) && Some(index) != last_frame {
            dropped += 1;
            continue;
        }
        if dropped > 0 {
            kept.push(format!("[… {dropped} frames in libraries]"));
            dropped = 0;
        }
        kept.extend(block.iter().map(|line| (*line).clone()));
    }
    kept.join("\n")
}

/// A traceback in blocks: each frame, as IPython or Python writes it, starts one.
fn blocks(lines: &[String]) -> Vec<Vec<&String>> {
    let mut blocks: Vec<Vec<&String>> = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let after_blank = index > 0 && lines[index - 1].trim().is_empty();
        if starts_frame(line) || after_blank || blocks.is_empty() {
            blocks.push(Vec::new());
        }
        if let Some(block) = blocks.last_mut() {
            block.push(line);
        }
    }
    blocks
}

fn starts_frame(line: &str) -> bool {
    line.starts_with("File ") || line.starts_with("  File ") || line.starts_with("Cell In") || is_path_line(line)
}

/// `/usr/lib/python3/…/frame.py in method(self)` and `<ipython-input-3> in <module>`, the headers of older IPythons.
fn is_path_line(line: &str) -> bool {
    (line.starts_with('/') || line.starts_with("~/") || line.starts_with("<ipython-input")) && line.contains(" in ")
}

fn is_frame(block: &[&String]) -> bool {
    block.first().is_some_and(|line| starts_frame(line))
}

fn is_library_frame(block: &[&String]) -> bool {
    let Some(header) = block.first().filter(|line| starts_frame(line)) else { return false };
    ["site-packages", "dist-packages", "/lib/python", "<frozen ", "/envs/"].iter().any(|part| header.contains(part))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENCODING: Encoding = Encoding::O200k;

    fn long_traceback() -> String {
        let mut text = String::from(
            "\u{1b}[0;31m---------------------------------------------------------------------------\u{1b}[0m\n\
             \u{1b}[0;31mKeyError\u{1b}[0m                                  Traceback (most recent call last)\n\
             Cell \u{1b}[0;32mIn[3], line 2\u{1b}[0m\n      1 a = 1\n----> 2 df['fare']\n\n",
        );
        for number in 0..12 {
            text.push_str(&format!(
                "File /opt/venv/lib/python3.12/site-packages/pandas/core/frame.py:{number}, in DataFrame.get(self)\n\
                 \x20  10 def get(self):\n--> 11     return self._engine.get_loc(key)\n\n"
            ));
        }
        text.push_str("KeyError: 'fare'");
        text
    }

    #[test]
    fn escapes_and_progress_lines_go() {
        assert_eq!(plain("\u{1b}[0;31mred\u{1b}[0m\n 10%\r 50%\r100%\nend\r\n"), "red\n100%\nend\n");
        assert_eq!(plain("a\u{1b}]0;title\u{7}b\u{8}"), "ab");
    }

    #[test]
    fn frames_of_libraries_go_first() {
        insta::assert_snapshot!(traceback(&long_traceback(), "KeyError: 'fare'", 200, ENCODING), @r"
        ---------------------------------------------------------------------------
        KeyError                                  Traceback (most recent call last)
        Cell In[3], line 2
              1 a = 1
        ----> 2 df['fare']

        [… 11 frames in libraries]
        File site-packages/pandas/core/frame.py:11, in DataFrame.get(self)
           10 def get(self):
        --> 11     return self._engine.get_loc(key)

        KeyError: 'fare'
        ");
    }

    #[test]
    fn then_the_middle_and_at_last_all_but_the_exception() {
        let cut = traceback(&long_traceback(), "KeyError: 'fare'", 60, ENCODING);
        assert!(cut.contains("lines left out]") && cut.ends_with("KeyError: 'fare'"), "{cut}");
        assert!(ENCODING.count(&cut) <= 60);
        assert_eq!(traceback(&long_traceback(), "KeyError: 'fare'", 8, ENCODING), "KeyError: 'fare'");
        let endless = traceback("", &"x ".repeat(5000), 10, ENCODING);
        assert!(ENCODING.count(&endless) <= 12 && endless.ends_with('…'), "{endless}");
    }

    #[test]
    fn an_output_keeps_its_ends() {
        let text: String = (0..500).map(|line| format!("epoch {line}: loss 0.{line}\n")).collect();
        let cut = output(&text, 60, ENCODING);
        assert!(cut.starts_with("epoch 0:") && cut.ends_with("epoch 499: loss 0.499"), "{cut}");
        assert!(ENCODING.count(&cut) <= 60);
        assert_eq!(output("short\n", 60, ENCODING), "short");
        assert_eq!(output(&text, 3, ENCODING), "");
        assert!(start(&text, 60, ENCODING).ends_with("more lines]"));
    }
}
