//! The first place at which outputs differ, in words that a row or a line of a report can hold.

use std::fmt;

use nbrevive_spelling::string_enum;
use serde::Serialize;

/// Characters of a value that are shown.
const SHOWN: usize = 80;

/// What kept the outputs of a cell from the next stricter level: the first such place.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FirstDifference {
    /// Which output of the cell, from 0, after streams were merged and stderr taken out.
    pub output: usize,
    /// The mime type that was looked at; `None` for streams and for what is about whole outputs.
    pub mime: Option<String>,
    /// Where in it, outermost step first; empty for all of it.
    pub path: Vec<PathStep>,
    /// Of what kind.
    pub kind: DifferenceKind,
    /// What was saved there, at most 80 characters of it; empty where there is nothing.
    pub saved: String,
    /// What is there now, shortened likewise.
    pub new: String,
}

/// One step from an output to a place in it. Positions count from 0, lines from 1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum PathStep {
    /// A line of a text.
    Line(usize),
    /// A row of a table, its head included.
    Row(usize),
    /// A column of a table.
    Column(usize),
    /// A key of a dict or a JSON object.
    Key(String),
    /// An element of a list, tuple, set or array.
    Index(usize),
}

string_enum! {
    /// Of what kind a difference is.
    pub enum DifferenceKind ("kind of difference") {
        /// A saved output has no counterpart.
        MissingOutput => "missing-output",
        /// There is an output that the saved cell has not.
        ExtraOutput => "extra-output",
        /// The cell now ends in an error.
        Raised => "raised",
        /// Outputs of different kinds: a stream and something shown, a value and a display.
        OutputType => "output-type",
        /// The outputs have no mime type in common by which they could be compared, or not the same ones.
        MimeTypes => "mime-types",
        /// Words or signs differ.
        Text => "text",
        /// Numbers differ.
        Number => "number",
        /// One of them has more elements, rows, columns or keys.
        Shape => "shape",
        /// Values of different types stand in the same place.
        Type => "type",
        /// Pictures look different.
        Picture => "picture",
        /// Pictures are of different sizes.
        PictureSize => "picture-size",
        /// Bytes that no reader here understands differ, or what should be a picture is none.
        Bytes => "bytes",
        /// Too large or too deep to be compared by meaning: it differs as text, and that is all that is known.
        TooLarge => "too-large",
    }
}

impl fmt::Display for PathStep {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => write!(to, "line {line}"),
            Self::Row(row) => write!(to, "row {row}"),
            Self::Column(column) => write!(to, "column {column}"),
            Self::Key(key) => write!(to, "key {key:?}"),
            Self::Index(index) => write!(to, "[{index}]"),
        }
    }
}

impl FirstDifference {
    /// Where it stands, in words; outputs count from 1.
    #[must_use]
    pub fn place(&self) -> String {
        let output = format!("output {}", self.output + 1);
        let steps = self.path.iter().map(PathStep::to_string);
        [output].into_iter().chain(self.mime.clone()).chain(steps).collect::<Vec<_>>().join(", ")
    }
}

impl fmt::Display for FirstDifference {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{}: {}: ", self.place(), self.kind)?;
        // How alike two pictures are is said of both, and what is raised has nothing to stand in the place of.
        if matches!(self.kind, DifferenceKind::Picture | DifferenceKind::Raised) && self.saved.is_empty() {
            return to.write_str(&self.new);
        }
        write!(to, "{:?} is now {:?}", self.saved, self.new)
    }
}

/// A difference within one representation of an output: the rest of [`FirstDifference`] is not known there.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Place {
    /// Innermost step first, since callers add theirs on the way out.
    steps: Vec<PathStep>,
    kind: DifferenceKind,
    saved: String,
    new: String,
}

impl Place {
    pub(crate) fn of(kind: DifferenceKind, saved: &str, new: &str) -> Self {
        Self { steps: Vec::new(), kind, saved: shortened(saved), new: shortened(new) }
    }

    /// The same place seen from one step further out.
    pub(crate) fn within(mut self, step: PathStep) -> Self {
        self.steps.push(step);
        self
    }

    pub(crate) fn at(self, output: usize, mime: Option<&str>) -> FirstDifference {
        let path = self.steps.into_iter().rev().collect();
        let mime = mime.map(shortened);
        FirstDifference { output, mime, path, kind: self.kind, saved: self.saved, new: self.new }
    }
}

/// At most [`SHOWN`] characters, line ends as `⏎`.
fn shortened(text: &str) -> String {
    let mut short: String = text.chars().take(SHOWN).map(|letter| if letter == '\n' { '⏎' } else { letter }).collect();
    if text.len() > short.len() && text.chars().nth(SHOWN).is_some() {
        short.pop();
        short.push('…');
    }
    short
}

/// What both compared sides come to: nothing, or the first place at which they differ. Boxed, since agreement is the common case.
pub(crate) type Compared = Result<(), Box<Place>>;

/// A [`Compared`] that differs.
pub(crate) fn differ(kind: DifferenceKind, saved: &str, new: &str) -> Compared {
    Err(Box::new(Place::of(kind, saved, new)))
}

/// Adds a step to a difference on its way out.
pub(crate) fn within(compared: Compared, step: impl FnOnce() -> PathStep) -> Compared {
    compared.map_err(|place| Box::new(place.within(step())))
}

/// The first line at which two texts differ, as a difference of texts.
pub(crate) fn first_line(saved: &str, new: &str) -> Compared {
    let (mut left, mut right) = (saved.split('\n'), new.split('\n'));
    for line in 1.. {
        match (left.next(), right.next()) {
            (None, None) => break,
            (old, now) if old != now => {
                let differing = differ(DifferenceKind::Text, old.unwrap_or_default(), now.unwrap_or_default());
                return within(differing, || PathStep::Line(line));
            }
            _ => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_shortened_by_characters() {
        assert_eq!(shortened("ä\nb"), "ä⏎b");
        let long = shortened(&"ä".repeat(500));
        assert!(long.chars().count() == SHOWN && long.ends_with('…'));
        assert_eq!(shortened(&"ä".repeat(SHOWN)), "ä".repeat(SHOWN));
    }

    #[test]
    fn a_difference_reads_from_the_outside_in() {
        let place = Place::of(DifferenceKind::Number, "1", "2").within(PathStep::Column(3)).within(PathStep::Row(4));
        let shown = place.at(1, Some("text/html")).to_string();
        assert_eq!(shown, "output 2, text/html, row 4, column 3: number: \"1\" is now \"2\"");
    }
}
