//! Text that people and line-oriented readers are shown, in which everything foreign is escaped.
//!
//! What is printed comes from everywhere: names of exceptions, file names, answers of a model, metadata of an index. Each may hold
//! sequences that steer a terminal (`ESC ] 52` sets the clipboard), or line ends that forge a line. A [`Shown`] is made from literals of
//! ours and from values that were escaped, and what prints takes nothing else: to forget the escaping is an error of the compiler.
//!
//! ```
//! use nbrevive_shown::shown;
//!
//! let name = "evil\u{1b}]52;c;YQ==\u{7}\nsubmission.csv 0.99";
//! assert_eq!(shown!("{} is no CSV file", name).as_str(), "evil\\u{1b}]52;c;YQ==\\u{7}\\nsubmission.csv 0.99 is no CSV file");
//! ```
//!
//! No text becomes one without being escaped, and none is displayed without what takes one, so neither of these is a program:
//!
//! ```compile_fail
//! fn print(_: &nbrevive_shown::Shown) {}
//! print(&format!("no column {}", "\u{1b}]52;c;YQ==\u{7}"));
//! ```
//!
//! ```compile_fail
//! format!("{}", nbrevive_shown::Shown::literal("text"));
//! ```

mod escape;

use std::fmt::{self, Write as _};
use std::path::Path;

/// A text for elements and quoted attributes of XML; characters that XML 1.0 (section 2.2) cannot hold stand as their codes.
#[must_use]
pub fn xml(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '&' => safe.push_str("&amp;"),
            '"' => safe.push_str("&quot;"),
            // A reader would make spaces of them in attributes, or drop them.
            '\n' => safe.push_str("&#10;"),
            '\t' => safe.push_str("&#9;"),
            '\u{20}'..='\u{7e}' | '\u{a0}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..='\u{10ffff}' => {
                safe.push(letter);
            }
            _ => safe.extend(letter.escape_unicode()),
        }
    }
    safe
}

/// Text that may be shown as it is. Not `Display`: it goes into another one through [`shown!`], or to what prints it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Shown(String);

impl Shown {
    /// A text of ours.
    #[must_use]
    pub fn literal(text: &'static str) -> Self {
        Self(text.to_owned())
    }

    /// One value as part of a line.
    #[must_use]
    pub fn line(value: &(impl fmt::Display + ?Sized)) -> Self {
        Self(inline(&value.to_string()))
    }

    /// A path as part of a line: of what is no UTF-8 the bytes, `\xff`.
    #[must_use]
    pub fn path(path: &Path) -> Self {
        let mut out = String::with_capacity(path.as_os_str().len());
        for chunk in path.as_os_str().as_encoded_bytes().utf8_chunks() {
            let _ = escape::inline(chunk.valid(), &mut out);
            for byte in chunk.invalid() {
                let _ = write!(out, "\\x{byte:02x}");
            }
        }
        Self(out)
    }

    /// Several lines: line ends and tabs of the text stay.
    #[must_use]
    pub fn block(text: &str) -> Self {
        let mut out = String::with_capacity(text.len());
        // Writing into a string does not fail.
        let _ = escape::block(text, &mut out);
        Self(out)
    }

    /// A JSON text, which stays the same JSON.
    #[must_use]
    pub fn json(text: &str) -> Self {
        let mut out = String::with_capacity(text.len());
        let _ = escape::json(text, &mut out);
        Self(out)
    }

    /// An error with its causes, on one line: `cannot read x: permission denied`. A cause that the words before it tell already is left out.
    #[must_use]
    pub fn error(error: &dyn std::error::Error) -> Self {
        Self::line(&with_causes(error))
    }

    /// As [`Shown::error`], for people: a message of several lines, which shows a place in a file perhaps, keeps them. Those after the
    /// first are indented, so that none passes for a line of ours.
    #[must_use]
    pub fn paragraph(error: &dyn std::error::Error) -> Self {
        Self(Self::block(with_causes(error).trim_end()).0.replace('\n', "\n    "))
    }

    /// Parts with a separator of ours between them.
    #[must_use]
    pub fn joined(parts: impl IntoIterator<Item = Shown>, separator: &'static str) -> Self {
        let parts: Vec<String> = parts.into_iter().map(|part| part.0).collect();
        Self(parts.join(separator))
    }

    /// Appends a part.
    pub fn push(&mut self, part: &Shown) {
        self.0.push_str(&part.0);
    }

    /// Appends a part and ends the line.
    pub fn push_line(&mut self, part: &Shown) {
        self.push(part);
        self.0.push('\n');
    }

    /// Whether nothing is shown.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    #[doc(hidden)]
    #[must_use]
    pub fn formatted(arguments: fmt::Arguments<'_>) -> Self {
        Self(arguments.to_string())
    }
}

impl FromIterator<Shown> for Shown {
    fn from_iter<Parts: IntoIterator<Item = Shown>>(parts: Parts) -> Self {
        Self::joined(parts, "")
    }
}

/// What can stand in the place of a `{}` of [`shown!`]: everything that can be displayed, escaped as part of one line, and a [`Shown`],
/// which is so already.
pub trait ShownPart {
    /// Writes it, in the way that the placeholder asks for.
    ///
    /// # Errors
    /// Those of the formatter.
    fn write(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result;
}

impl ShownPart for Shown {
    fn write(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        padded(&self.0, formatter)
    }
}

impl ShownPart for &Shown {
    fn write(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        padded(&self.0, formatter)
    }
}

impl<Value: fmt::Display + ?Sized> ShownPart for Value {
    fn write(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match (formatter.precision(), formatter.sign_plus()) {
            (Some(precision), true) => format!("{self:+.precision$}"),
            (Some(precision), false) => format!("{self:.precision$}"),
            (None, true) => format!("{self:+}"),
            (None, false) => format!("{self}"),
        };
        padded(&inline(&text), formatter)
    }
}

/// What an error and its causes say, without what was said before. Unescaped: what is shown goes through [`Shown`].
#[must_use]
pub fn with_causes(error: &dyn std::error::Error) -> String {
    let mut message = error.to_string();
    for cause in std::iter::successors(error.source(), |cause| cause.source()) {
        let text = cause.to_string();
        if !message.contains(&text) {
            message = format!("{message}: {text}");
        }
    }
    message
}

/// Width, fill and alignment as `{:>8}` asks for them; words stand left.
fn padded(text: &str, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
    let missing = formatter.width().unwrap_or(0).saturating_sub(text.chars().count());
    let before = match formatter.align() {
        Some(fmt::Alignment::Right) => missing,
        Some(fmt::Alignment::Center) => missing / 2,
        Some(fmt::Alignment::Left) | None => 0,
    };
    let fill = formatter.fill();
    for _ in 0..before {
        formatter.write_char(fill)?;
    }
    formatter.write_str(text)?;
    for _ in before..missing {
        formatter.write_char(fill)?;
    }
    Ok(())
}

fn inline(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let _ = escape::inline(text, &mut out);
    out
}

#[doc(hidden)]
pub struct Escaped<'value, Value: ?Sized>(pub &'value Value);

impl<Value: ShownPart + ?Sized> fmt::Display for Escaped<'_, Value> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.write(formatter)
    }
}

/// Whether a format names a variable of its own (`{name}`), which would pass the escaping by.
#[doc(hidden)]
#[must_use]
pub const fn captures(format: &str) -> bool {
    let bytes = format.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at] == b'{' && at + 1 < bytes.len() {
            let next = bytes[at + 1];
            if next == b'{' {
                at += 1;
            } else if next == b'_' || next.is_ascii_alphabetic() || next >= 0x80 {
                return true;
            }
        }
        at += 1;
    }
    false
}

/// A [`Shown`] from a literal and values, as [`format!`] makes a text: each value is escaped as part of one line, a [`Shown`] stands as
/// it is. Values stand behind the literal, not in it.
///
/// ```compile_fail
/// let name = "x";
/// nbrevive_shown::shown!("{name}");
/// ```
#[macro_export]
macro_rules! shown {
    ($format:literal $(, $value:expr)* $(,)?) => {{
        const { assert!(!$crate::captures($format), "shown! takes its values behind the literal, not in it") };
        $crate::Shown::formatted(::std::format_args!($format $(, $crate::Escaped(&$value))*))
    }};
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_steers_a_terminal_or_ends_a_line_is_escaped() {
        let cases = [
            ("\u{1b}[2J", "\\u{1b}[2J"),
            ("a\rb", "a\\rb"),
            ("a\nb\tc", "a\\nb\\tc"),
            ("\u{9b}31m", "\\u{9b}31m"),
            ("\u{7f}\u{85}", "\\u{7f}\\u{85}"),
            ("\u{202e}txt.exe", "\\u{202e}txt.exe"),
            ("a\u{2028}b\u{feff}", "a\\u{2028}b\\u{feff}"),
            ("naïve 日本 \\d", "naïve 日本 \\d"),
        ];
        for (text, expected) in cases {
            assert_eq!(Shown::line(text).as_str(), expected);
        }
        assert_eq!(Shown::block("a\n\tb\r\n\u{7}").as_str(), "a\n\tb\\r\n\\u{7}");
    }

    #[test]
    fn placeholders_mean_what_they_mean_in_format() {
        assert_eq!(
            shown!("{:.2}|{:>6}|{:<4}|{:^5}|{}", 1.234, "a\n", 7, "x", 'c').as_str(),
            "1.23|   a\\n|7   |  x  |c"
        );
        assert_eq!(shown!("{:+.1} {{}} {:?<3}", 2.0, "z").as_str(), "+2.0 {} z??");
        let inner = Shown::block("one\ntwo");
        assert_eq!(shown!("{}: {}", "a\u{1b}", inner).as_str(), "a\\u{1b}: one\ntwo");
    }

    #[test]
    fn an_error_stands_on_one_line_with_its_causes() {
        let error = std::io::Error::other("first\nforged");
        assert_eq!(Shown::error(&error).as_str(), "first\\nforged");
        assert_eq!(Shown::paragraph(&error).as_str(), "first\n    forged");
    }

    #[test]
    fn a_path_shows_the_bytes_that_are_no_text() {
        use std::os::unix::ffi::OsStrExt as _;
        let path = Path::new(std::ffi::OsStr::from_bytes(b"a\xff\n/\x1b\xc3\xa9.csv"));
        assert_eq!(Shown::path(path).as_str(), "a\\xff\\n/\\u{1b}\u{e9}.csv");
    }

    #[test]
    fn formats_that_capture_are_found() {
        assert!(captures("a {name}") && captures("{_x}") && captures("{é}"));
        assert!(!captures("{} {{name}} {:>3} {0}"));
    }

    proptest! {
        #[test]
        fn no_line_steers_anything(text in any::<String>()) {
            let line = Shown::line(&text);
            let steers = line.as_str().chars().any(|found| found.is_control() || found == '\u{202e}');
            prop_assert!(!steers);
            let block = Shown::block(&text);
            let steers = block.as_str().chars().any(|found| found.is_control() && !matches!(found, '\n' | '\t'));
            prop_assert!(!steers);
        }
    }
}
