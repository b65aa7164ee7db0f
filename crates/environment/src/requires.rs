//! Requirements in metadata headers (core metadata, PEP 566 and 643) and in `requires.txt` of `*.egg-info`.

use crate::versions::normalise;

/// Most requirements that are read of one file; `all` of the largest distributions asks for some hundreds.
pub(crate) const MOST_REQUIREMENTS: usize = 10_000;
/// Longest marker that a heading may put under each of its requirements, in bytes: a small file could else grow to terabytes.
const LONGEST_CONDITION: usize = 2000;

/// The headers of `METADATA` or `PKG-INFO`, without the description that follows them.
#[derive(Debug)]
pub(super) struct Headers {
    fields: Vec<(String, String)>,
}

impl Headers {
    /// Reads the headers; `None` for a text that does not start with one (such as an error page).
    pub(super) fn read(bytes: &[u8]) -> Option<Self> {
        let text = String::from_utf8_lossy(bytes);
        let mut fields: Vec<(String, String)> = Vec::new();
        for line in text.trim_start_matches('\u{feff}').lines() {
            // A folded value may have lines of blanks alone, such as those of a licence.
            if line.is_empty() {
                break;
            }
            if line.starts_with([' ', '\t']) {
                // A folded value goes on.
                let (_, value) = fields.last_mut()?;
                value.push(' ');
                value.push_str(line.trim());
            } else if let Some((key, value)) = line.split_once(':') {
                fields.push((key.trim().to_ascii_lowercase(), value.trim().to_owned()));
            }
        }
        let headers = Self { fields };
        headers.first("metadata-version").is_some().then_some(headers)
    }

    fn all(&self, key: &str) -> impl Iterator<Item = &str> {
        self.fields.iter().filter(move |field| field.0 == key).map(|field| field.1.as_str())
    }

    fn first(&self, key: &str) -> Option<&str> {
        self.all(key).next()
    }

    /// Whether they are those of the distribution, by its normalised name.
    pub(super) fn is_of(&self, distribution: &str) -> bool {
        self.first("name").is_some_and(|name| normalise(name) == distribution)
    }

    /// The version, as written.
    pub(super) fn version(&self) -> Option<&str> {
        self.first("version")
    }

    /// `Requires-Dist`, as written.
    pub(super) fn requires(&self) -> Vec<String> {
        self.all("requires-dist").filter(|text| !text.is_empty()).map(str::to_owned).collect()
    }

    /// Whether they tell the requirements of a source archive: from metadata 2.2 on, unless the field is declared
    /// dynamic (PEP 643). Earlier ones tell them where there are some, for some tools wrote them and most did not.
    pub(super) fn tell_requirements(&self) -> bool {
        let version = self.first("metadata-version").unwrap_or_default();
        let mut parts = version.split('.').map(|part| part.parse::<u32>().unwrap_or(0));
        let version = (parts.next().unwrap_or(0), parts.next().unwrap_or(0));
        let dynamic = self.all("dynamic").any(|field| field.eq_ignore_ascii_case("requires-dist"));
        !dynamic && (version >= (2, 2) || self.first("requires-dist").is_some())
    }
}

/// Reads `requires.txt`: requirements, under the headings `[extra]`, `[:marker]` and `[extra:marker]` of setuptools,
/// as PEP 508 writes them. Sections with a heading beyond all measure are left out.
pub(super) fn requires_txt(bytes: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(bytes);
    let mut condition = Some(String::new());
    let mut requires = Vec::new();
    for line in text.lines().map(str::trim) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if let Some(heading) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            condition = condition_of(heading);
            continue;
        }
        requires.extend(condition.as_ref().map(|condition| conditional(line, condition)));
        if requires.len() == MOST_REQUIREMENTS {
            break;
        }
    }
    requires
}

/// `extra == "name"`, or nothing for no extra.
fn of_extra(extra: &str) -> String {
    if extra.is_empty() { String::new() } else { format!("extra == \"{}\"", extra.replace('"', "")) }
}

/// Both markers, either of which may be empty.
fn both(one: &str, other: &str) -> String {
    match (one.is_empty(), other.is_empty()) {
        (true, _) => other.to_owned(),
        (_, true) => one.to_owned(),
        _ => format!("({one}) and {other}"),
    }
}

/// A requirement under a condition, beside its own marker.
fn conditional(requirement: &str, condition: &str) -> String {
    if condition.is_empty() {
        return requirement.to_owned();
    }
    let (bare, own) = requirement.split_once(';').unwrap_or((requirement, ""));
    let marker = match own.trim() {
        "" => condition.to_owned(),
        own => format!("({own}) and ({condition})"),
    };
    format!("{} ; {marker}", bare.trim())
}

/// The requirements of an extra, as PEP 508 writes them; none when the extra's name is beyond all measure.
pub(crate) fn with_extra<'text>(
    requirements: impl IntoIterator<Item = &'text str>,
    extra: &str,
) -> impl Iterator<Item = String> {
    let condition = condition_of(extra);
    requirements.into_iter().filter_map(move |text| Some(conditional(text.trim(), condition.as_deref()?)))
}

/// The marker of a heading `extra`, `:marker` or `extra:marker`; `None` for one that is too long.
fn condition_of(heading: &str) -> Option<String> {
    // Before anything is made of it: it may be asked for again with every requirement.
    if heading.len() > LONGEST_CONDITION {
        return None;
    }
    let (extra, marker) = heading.split_once(':').unwrap_or((heading, ""));
    let condition = both(marker.trim(), &of_extra(extra.trim()));
    (condition.len() <= LONGEST_CONDITION).then_some(condition)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_end_before_the_description() {
        let text = "Metadata-Version: 2.1\nName: Py_X\nRequires-Dist: pytz (>=2011k)\nRequires-Dist: a; extra ==\n  'b'\nLicense: a\n \n  text\nRequires-Dist: c\n\nRequires-Dist: none\n";
        let headers = Headers::read(text.as_bytes()).unwrap();
        assert!(headers.is_of("py-x") && !headers.is_of("x"));
        assert_eq!(headers.requires(), ["pytz (>=2011k)", "a; extra == 'b'", "c"]);
        assert!(Headers::read(b"<html><body>502</body></html>").is_none());
        assert!(Headers::read(b"").is_none());
    }

    #[test]
    fn source_archives_tell_from_2_2_on_or_where_some_are_there() {
        let tell = |text: &str| Headers::read(text.as_bytes()).unwrap().tell_requirements();
        assert!(tell("Metadata-Version: 2.2\n"));
        assert!(tell("Metadata-Version: 2.1\nRequires-Dist: x\n"));
        assert!(!tell("Metadata-Version: 1.0\n"));
        assert!(!tell("Metadata-Version: 2.4\nDynamic: Requires-Dist\nRequires-Dist: x\n"));
    }

    #[test]
    fn sections_become_markers() {
        let text = "numpy>=1.0\nurl @ https://host/x.zip\n\n[:python_version<'3']\nfutures ; os_name == 'posix'\n[test]\npytest\n[dev:sys_platform == \"win32\"]\ncolorama>=0.4\n";
        insta::assert_snapshot!(requires_txt(text.as_bytes()).join("\n"), @r#"
        numpy>=1.0
        url @ https://host/x.zip
        futures ; (os_name == 'posix') and (python_version<'3')
        pytest ; extra == "test"
        colorama>=0.4 ; (sys_platform == "win32") and extra == "dev"
        "#);
    }

    #[test]
    fn a_heading_cannot_be_multiplied() {
        let long = "x".repeat(LONGEST_CONDITION);
        let text = format!("a\n[{long}]\nb\n[test]\n{}", "c\n".repeat(2 * MOST_REQUIREMENTS));
        let requires = requires_txt(text.as_bytes());
        assert_eq!(requires.len(), MOST_REQUIREMENTS);
        assert_eq!(requires[..2], ["a", "c ; extra == \"test\""]);
        assert_eq!(with_extra(["b"], &long).count(), 0);
    }
}
