//! How deep elements of HTML stand in each other, told before a reader takes it apart: the HTML standard's tree construction looks through all
//! open elements at each tag, so that its time grows with the square of the depth, and an output of a notebook may be megabytes of `<div>`.

use std::collections::BTreeMap;

/// Most elements that stand in each other, as Chromium has it for its own trees; a page with more is read as text.
pub const DEEPEST_HTML: usize = 512;

/// Those whose start closes the one before, or that hold nothing: however many there are, they do not stand in each other.
const FLAT: [&str; 30] = [
    "area", "base", "br", "caption", "col", "colgroup", "dd", "dt", "embed", "hr", "img", "input", "li", "link",
    "meta", "optgroup", "option", "p", "param", "rp", "rt", "source", "tbody", "td", "tfoot", "th", "thead", "tr",
    "track", "wbr",
];
/// Those whose text holds no tags.
const RAW: [&str; 4] = ["script", "style", "textarea", "title"];
/// Characters of a name that are told apart.
const LONGEST_NAME: usize = 32;
/// Where a tag that closes itself does so; in HTML proper it is a start like any other.
const FOREIGN: [&str; 2] = ["svg", "math"];
/// Where HTML proper begins anew inside of those.
const HTML_AGAIN: [&str; 3] = ["foreignobject", "annotation-xml", "desc"];

/// Whether elements of this HTML stand deeper in each other than [`DEEPEST_HTML`]: no fewer are counted than a reader's tree has, more where tags
/// do not match. One pass over the text.
///
/// ```
/// use nbrevive_notebook::is_nested_deeply;
///
/// assert!(is_nested_deeply(&"<div>".repeat(1000)));
/// assert!(!is_nested_deeply(&"<div>text</div><br>".repeat(1000)));
/// ```
#[must_use]
pub fn is_nested_deeply(html: &str) -> bool {
    let mut open = Open::default();
    let mut rest = html;
    while let Some((_, from)) = rest.split_once('<') {
        rest = from;
        let (is_end, from) = from.strip_prefix('/').map_or((false, from), |from| (true, from));
        if !from.starts_with(|character: char| character.is_ascii_alphabetic()) {
            continue;
        }
        let name: String = from.chars().take(LONGEST_NAME).take_while(|&character| is_of_a_name(character)).collect();
        let name = name.to_ascii_lowercase();
        if is_end {
            open.end(&name);
            continue;
        }
        if RAW.contains(&name.as_str()) && !open.is_foreign() {
            rest = after_raw(from, &name);
        } else if open.start(&name, from) > DEEPEST_HTML {
            return true;
        }
    }
    false
}

fn is_of_a_name(character: char) -> bool {
    !character.is_ascii_whitespace() && !"/>".contains(character)
}

/// The elements that are open, by name.
#[derive(Default)]
struct Open {
    count: BTreeMap<String, usize>,
    total: usize,
}

impl Open {
    /// Opens the one that `text` begins with, and says how many are open then.
    fn start(&mut self, name: &str, text: &str) -> usize {
        let closes_itself = || text.split_once('>').is_some_and(|(tag, _)| tag.ends_with('/'));
        if !(FLAT.contains(&name) || self.is_foreign() && closes_itself()) {
            *self.count.entry(name.to_owned()).or_default() += 1;
            self.total += 1;
        }
        self.total
    }

    /// Closes one of that name, if one is open: an end of another name changes nothing.
    fn end(&mut self, name: &str) {
        if let Some(count) = self.count.get_mut(name).filter(|count| **count > 0) {
            *count -= 1;
            self.total -= 1;
        }
    }

    fn is_foreign(&self) -> bool {
        let is_open = |name: &str| self.count.get(name).is_some_and(|count| *count > 0);
        FOREIGN.into_iter().any(is_open) && !HTML_AGAIN.into_iter().any(is_open)
    }
}

/// What follows an element whose text holds no tags.
fn after_raw<'t>(from: &'t str, name: &str) -> &'t str {
    let ends = from.match_indices("</").find(|(place, _)| {
        from.get(place + 2..place + 2 + name.len()).is_some_and(|text| text.eq_ignore_ascii_case(name))
    });
    ends.map_or("", |(place, _)| &from[place..])
}
