//! Requirements that installers are given.

use std::ffi::OsStr;
use std::fmt;

use super::{EnvironmentMarker, NotARequirement, Requirement};

/// Longest requirement that is read, in bytes.
const LONGEST: usize = 500;

/// A name with extras, version range and marker, and nothing else: what an installer may be told to get from the index.
///
/// It is made by reading alone, and written anew from what was read, with the name normalised. So it begins with a letter or a
/// digit, has neither `/` nor `.` nor `@` in its name, stands on one line and is taken by no installer for an option, a path, an
/// address or a file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NamedRequirement {
    text: String,
    /// Length of the name at its beginning.
    name: usize,
}

impl NamedRequirement {
    /// Reads `name[extras](specifiers); marker`.
    ///
    /// # Errors
    /// [`NotARequirement`] for everything else, and for markers that are not understood or hold unusual texts.
    pub fn parse(text: &str) -> Result<Self, NotARequirement> {
        let unreadable = || NotARequirement::Unreadable(text.chars().take(LONGEST).collect());
        if text.len() > LONGEST || is_torn(text.split(';').next().unwrap_or_default()) {
            return Err(unreadable());
        }
        let read = Requirement::parse(text)?;
        Self::of(&read).ok_or_else(unreadable)
    }

    /// The same for a requirement that was read leniently; `None` where an installer might read it otherwise.
    #[must_use]
    pub fn of(read: &Requirement) -> Option<Self> {
        let (text, name) = (read.to_string(), read.name.len());
        let marker = text.split_once(';').map_or("", |(_, marker)| marker);
        // Blanks before a dash part an option off in a file of requirements, and `#` a comment.
        let plain = |found: char| found.is_ascii_alphanumeric() || " ._+*,()<>=!~-\"'".contains(found);
        let is_plain = marker.chars().all(plain) && !marker.contains(" -");
        let guessed = read.marker.as_ref().is_some_and(EnvironmentMarker::is_guessed);
        let is_read = Requirement::read(&text).as_ref() == Some(read);
        (is_plain && is_read && text.len() <= LONGEST && !guessed).then_some(Self { text, name })
    }

    /// The normalised name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.text[..self.name]
    }

    /// The requirement as PEP 508 writes it.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

/// Whether blanks part what would be read as one word (`x==1.0 -r y`).
fn is_torn(text: &str) -> bool {
    let is_word = |found: char| found.is_ascii_alphanumeric() || "._*+-".contains(found);
    let words: Vec<&str> = text.split_whitespace().collect();
    words.windows(2).any(|pair| pair[0].ends_with(is_word) && pair[1].starts_with(is_word))
}

impl fmt::Display for NamedRequirement {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}

impl AsRef<OsStr> for NamedRequirement {
    fn as_ref(&self) -> &OsStr {
        self.text.as_ref()
    }
}

#[cfg(test)]
mod attacks;
