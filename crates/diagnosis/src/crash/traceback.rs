//! A traceback as frames, whatever printed it: IPython of any age, Python itself, in colours, cut, or packed in HTML.
//!
//! Nothing fails here: a line that is no frame and no code is left out.

mod place;
mod plain;

pub use place::Place;
pub use plain::plain;

use place::head;

/// Bytes that are read of a traceback at its beginning, and again at its end: the notebook's line stands at one, what raised at the other.
const MOST_READ: usize = 512 * 1024;

/// One call on the way to the error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame<'text> {
    /// Whose code it is.
    pub place: Place<'text>,
    /// The line that was running, from 1, where it is told.
    pub line: Option<u32>,
    /// The function, without the names of its parameters; `<module>` and `<cell line: 3>` are none.
    pub function: Option<&'text str>,
    /// The lines of code that are shown, in order.
    pub code: Vec<CodeLine<'text>>,
}

/// One line of code in a traceback.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CodeLine<'text> {
    /// Its number in its file or cell, from 1; 0 where it is not told.
    pub number: u32,
    /// The code, indented as it is written.
    pub text: &'text str,
    /// Whether an arrow points at it.
    pub is_blamed: bool,
}

/// The frames of a traceback, the outermost first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Traceback<'text> {
    /// The frames. Of an error that arose while another was handled, those of the first come first.
    pub frames: Vec<Frame<'text>>,
}

impl<'text> Traceback<'text> {
    /// Reads a text without colours, as [`plain()`] gives it. Of one that is longer than a mebibyte the two ends are read.
    #[must_use]
    pub fn read(text: &'text str) -> Self {
        let mut read = Self::default();
        let (start, end) = ends(text);
        start.lines().chain(end.lines()).for_each(|line| read.take(line));
        read
    }

    fn take(&mut self, line: &'text str) {
        if let Some((place, line, function)) = head(line) {
            self.frames.push(Frame { place, line, function, code: Vec::new() });
        } else if let Some(frame) = self.frames.last_mut()
            && let Some(code) = code_line(line, frame.line)
        {
            if code.is_blamed && frame.line.is_none() {
                frame.line = Some(code.number);
            }
            frame.code.push(code);
        }
    }

    /// The frames of the notebook's own cells.
    pub fn of_notebook(&self) -> impl DoubleEndedIterator<Item = &Frame<'text>> {
        self.frames.iter().filter(|frame| matches!(frame.place, Place::Cell(_)))
    }

    /// The deepest frame.
    #[must_use]
    pub fn deepest(&self) -> Option<&Frame<'text>> {
        self.frames.last()
    }

    /// The line at the top level of the cell that ran: the notebook's own line.
    #[must_use]
    pub fn own_line(&self) -> Option<&'text str> {
        self.of_notebook().next().and_then(Frame::blamed)
    }
}

impl<'text> Frame<'text> {
    /// The line of code that was running, without its indentation.
    #[must_use]
    pub fn blamed(&self) -> Option<&'text str> {
        self.code.iter().find(|line| line.is_blamed).map(|line| line.text.trim())
    }
}

/// The text, or its two ends in whole lines.
pub(super) fn ends(text: &str) -> (&str, &str) {
    if text.len() <= 2 * MOST_READ {
        return (text, "");
    }
    let start = &text[..text.floor_char_boundary(MOST_READ)];
    let end = &text[text.ceil_char_boundary(text.len() - MOST_READ)..];
    (start.rsplit_once('\n').map_or(start, |(start, _)| start), end.split_once('\n').map_or(end, |(_, end)| end))
}

/// `----> 3 code`, `      1 code` or, as Python itself prints it, `    code`.
fn code_line(line: &str, running: Option<u32>) -> Option<CodeLine<'_>> {
    let spaced = line.trim_start_matches(' ');
    let dashless = spaced.trim_start_matches('-');
    let is_arrow = dashless.len() < spaced.len() && dashless.starts_with('>');
    let numbered = if is_arrow { dashless[1..].trim_start() } else { spaced };
    let text = numbered.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let digits = &numbered[..numbered.len() - text.len()];
    if digits.is_empty() || !(text.is_empty() || text.starts_with([' ', '\t'])) {
        let indented = line.starts_with("    ") && !spaced.is_empty() && !spaced.starts_with(['^', '~']);
        return indented.then_some(CodeLine { number: running.unwrap_or(0), text: line, is_blamed: true });
    }
    let number: u32 = digits.parse().ok()?;
    Some(CodeLine { number, text: text.get(1..).unwrap_or(""), is_blamed: is_arrow })
}

#[cfg(test)]
#[path = "traceback_tests.rs"]
mod tests;
