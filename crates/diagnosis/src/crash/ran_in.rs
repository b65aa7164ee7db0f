//! What a traceback's paths say of the versions that ran: `/usr/lib/python3.6/`, `C:\Python38\`, `site-packages/Keras-2.1.5-py3.6.egg/`.

use super::traceback::ends;

/// Most packages that are kept.
const MOST_PACKAGES: usize = 20;

/// The versions that a traceback's paths name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct RanIn<'text> {
    /// Python's.
    pub(super) python: Option<&'text str>,
    /// Of installed packages, by their distributions' names in lower case: only eggs have versions in their paths.
    pub(super) packages: Vec<(String, &'text str)>,
}

impl<'text> RanIn<'text> {
    /// Reads a text without colours, as [`super::traceback::plain`] gives it; of a long one the two ends.
    pub(super) fn read(text: &'text str) -> Self {
        let mut ran = Self::default();
        let (start, end) = ends(text);
        for part in [start, end] {
            for (at, _) in part.match_indices("ython") {
                ran.python = ran.python.or_else(|| python(part, at));
            }
            for (at, _) in part.match_indices(".egg") {
                if let Some((name, version)) = egg(&part[..at], &part[at..])
                    && ran.packages.len() < MOST_PACKAGES
                    && !ran.packages.iter().any(|(known, _)| *known == name)
                {
                    ran.packages.push((name, version));
                }
            }
        }
        ran
    }

    /// The same in words: `Python 3.6, keras 2.1.5`; `None` where the paths name none.
    pub(super) fn told(&self) -> Option<String> {
        let python = self.python.map(|version| format!("Python {}", dotted(version)));
        let packages = self.packages.iter().map(|(name, version)| format!("{name} {version}"));
        let all: Vec<String> = python.into_iter().chain(packages).collect();
        (!all.is_empty()).then(|| all.join(", "))
    }

    /// Whether what ran is known to be older than a release of a library (`python` for Python's own).
    pub(super) fn is_before(&self, library: &str, release: &str) -> bool {
        let ran = match library {
            "python" => self.python.map(dotted),
            _ => self.packages.iter().find(|(name, _)| name == library).map(|(_, version)| (*version).to_owned()),
        };
        ran.is_some_and(|ran| numbers(&ran) < numbers(release))
    }
}

/// The version in a folder `python3.6` or `Python36`, of which the text has `ython` at a place.
fn python(text: &str, at: usize) -> Option<&str> {
    let before = text[..at].strip_suffix(['p', 'P'])?;
    let rest = &text[at + "ython".len()..];
    let end = rest.find(|letter: char| !(letter.is_ascii_digit() || letter == '.'))?;
    let is_folder = before.ends_with(['/', '\\']) && rest[end..].starts_with(['/', '\\']);
    let version = &rest[..end];
    // `python3/` names no minor.
    (is_folder && dotted(version).contains('.')).then_some(version)
}

/// `3.6` of `3.6`, and of `36` as well, as folders on Windows are named.
fn dotted(version: &str) -> String {
    match version.split_at_checked(1) {
        Some((major, minor)) if !version.contains('.') && !minor.is_empty() => format!("{major}.{minor}"),
        _ => version.to_owned(),
    }
}

/// Name and version of `…/Keras-2.1.5-py3.6` before `.egg/`.
fn egg<'text>(before: &'text str, after: &str) -> Option<(String, &'text str)> {
    after.strip_prefix(".egg")?.starts_with(['/', '\\']).then_some(())?;
    let folder = before.rsplit(['/', '\\', '\n']).next()?;
    let mut parts = folder.split('-');
    let (name, version) = (parts.next()?, parts.next()?);
    (!name.is_empty() && version.starts_with(|letter: char| letter.is_ascii_digit()))
        .then(|| (name.to_lowercase(), version))
}

/// The numbers that a version begins with.
fn numbers(version: &str) -> Vec<u32> {
    version.split('.').map_while(|part| part.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_from_paths_of_all_systems() {
        for (path, python) in [
            ("/usr/local/lib/python3.6/dist-packages/pandas/core/frame.py in f()", Some("3.6")),
            ("File /opt/conda/lib/python3.10/site-packages/a.py:3, in f", Some("3.10")),
            (r"~\AppData\Local\Programs\Python\Python38\lib\site-packages\a.py in f()", Some("38")),
            ("/home/me/python3/a.py in f()", None),
            ("/home/me/cpython3.6/a.py in f()", None),
            ("I like python3.6 more", None),
        ] {
            assert_eq!(RanIn::read(path).python, python, "{path}");
        }
        let text = "~/lib/site-packages/Keras-2.1.5-py3.6.egg/keras/a.py in f()\n~/x-y.egg/a.py\n.egg/\n-1.egg/";
        assert_eq!(RanIn::read(text).packages, [("keras".to_owned(), "2.1.5")]);
        let both = RanIn::read(r"C:\Python36\Lib\site-packages\Keras-2.1.5-py3.6.egg\a.py in f()").told();
        assert_eq!(both.as_deref(), Some("Python 3.6, keras 2.1.5"));
        assert_eq!(RanIn::read("a.py in f()").told(), None);
    }

    #[test]
    fn what_is_known_to_be_older_had_the_name_still() {
        let ran = RanIn::read("/usr/lib/python3.6/site-packages/pandas-0.23.4-py3.6.egg/pandas/a.py in f()");
        assert!(ran.is_before("python", "3.10") && !ran.is_before("python", "3.6"));
        assert!(ran.is_before("pandas", "1.0.0") && !ran.is_before("pandas", "0.23.4") && !ran.is_before("numpy", "9"));
        assert!(!RanIn::default().is_before("python", "3.10"));
        assert!(RanIn::read(r"C:\Python39\a.py in f()").is_before("python", "3.10"));
    }
}
