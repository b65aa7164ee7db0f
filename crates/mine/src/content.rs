//! Kind and language of a file that is already here, by its content first, and by its name for plain text alone.

use serde_json::Value;

use crate::records::{CodeKind, CodeLanguage};

/// Endings of notebook files, as the official client names them.
const NOTEBOOKS: [&str; 3] = ["ipynb", "irnb", "ijlnb"];
/// Endings of scripts and their languages.
const SCRIPTS: [(&str, CodeLanguage); 5] = [
    ("py", CodeLanguage::Python),
    ("r", CodeLanguage::R),
    ("rmd", CodeLanguage::RMarkdown),
    ("jl", CodeLanguage::Julia),
    ("sql", CodeLanguage::Sqlite),
];

/// Files that name what is to be installed, by name in lower case; `requirements` and `environment` in any spelling besides.
const REQUIREMENTS: [&str; 21] = [
    ".python-version",
    "apt.txt",
    "conda-lock.yml",
    "constraints.txt",
    "containerfile",
    "dockerfile",
    "makefile",
    "meta.yaml",
    "pdm.lock",
    "pipfile",
    "pipfile.lock",
    "poetry.lock",
    "postbuild",
    "pyproject.toml",
    "readme",
    "readme.md",
    "readme.rst",
    "runtime.txt",
    "setup.cfg",
    "setup.py",
    "uv.lock",
];
/// Endings of lists of requirements.
const REQUIREMENT_ENDINGS: [&str; 5] = ["txt", "in", "pip", "yml", "yaml"];

/// Whether a file names what is to be installed, or may, as a README does.
pub(crate) fn names_requirements(path: &str) -> bool {
    let mut parts = path.rsplit('/');
    let name = parts.next().unwrap_or_default().to_ascii_lowercase();
    let is_list = || ending(&name).is_some_and(|ending| REQUIREMENT_ENDINGS.contains(&&*ending));
    let says_so = |text: &str| ["requirements", "environment", "constraints"].iter().any(|word| text.contains(word));
    let folder = parts.next().unwrap_or_default();
    REQUIREMENTS.contains(&&*name) || (is_list() && (says_so(&name) || folder == "requirements"))
}

/// Which files are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LocalSettings {
    /// Whether scripts (`.py`, `.R` …) count, not notebooks alone. Default no: a folder's scripts are seldom submissions.
    pub scripts: bool,
    /// Longest file that is taken, in bytes. Default 64 MiB.
    pub largest_file: u64,
}

impl Default for LocalSettings {
    fn default() -> Self {
        Self { scripts: false, largest_file: 64 << 20 }
    }
}

/// A file that could not be taken; the others were.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {why}")]
pub struct LocalTrouble {
    /// The path below the folder, made harmless.
    pub path: String,
    /// Why.
    pub why: String,
}

impl LocalTrouble {
    pub(crate) fn new(path: &str, why: &dyn ToString) -> Self {
        let path = path.chars().take(200).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
        Self { path, why: why.to_string() }
    }
}

fn ending(path: &str) -> Option<String> {
    let name = path.rsplit('/').next()?;
    let (stem, ending) = name.rsplit_once('.')?;
    (!stem.is_empty()).then(|| ending.to_ascii_lowercase())
}

/// Whether a file is a copy that Jupyter keeps of another one while somebody works on it.
pub(crate) fn is_checkpoint(path: &str) -> bool {
    path.split('/').any(|part| part == ".ipynb_checkpoints")
}

impl LocalSettings {
    /// Whether a file of this name is looked at. Jupyter's own copies are not.
    pub(crate) fn takes(&self, path: &str) -> bool {
        let is_one = |ending: String| {
            NOTEBOOKS.contains(&&*ending) || (self.scripts && SCRIPTS.iter().any(|script| script.0 == ending))
        };
        !is_checkpoint(path) && ending(path).is_some_and(is_one)
    }
}

/// Kind and language, each only where the file tells it.
pub(crate) fn classify(path: &str, bytes: &[u8]) -> (Option<CodeKind>, Option<CodeLanguage>) {
    let ending = ending(path).unwrap_or_default();
    if let Some(notebook) = notebook(bytes) {
        return (Some(CodeKind::Notebook), language(&notebook));
    }
    let script = SCRIPTS.iter().find(|script| script.0 == ending);
    match script.filter(|_| std::str::from_utf8(bytes).is_ok()) {
        Some((_, language)) => (Some(CodeKind::Script), Some(*language)),
        None => (None, None),
    }
}

/// A notebook's JSON, of whichever format.
fn notebook(bytes: &[u8]) -> Option<Value> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let value: Value = serde_json::from_slice(bytes).ok()?;
    (value["cells"].is_array() || value["worksheets"].is_array()).then_some(value)
}

/// What the metadata say: the language, else the kernel.
fn language(notebook: &Value) -> Option<CodeLanguage> {
    let said = ["/language_info/name", "/kernelspec/language", "/kernelspec/name", "/kaggle/language"];
    said.iter().find_map(|path| CodeLanguage::from_name(notebook["metadata"].pointer(path)?.as_str()?))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn content_comes_before_the_name() {
        let r = br#"{"cells":[],"metadata":{"kernelspec":{"name":"ir"}},"nbformat":4}"#;
        let old = b"\xef\xbb\xbf{\"worksheets\":[],\"metadata\":{},\"nbformat\":3}";
        assert_eq!(classify("a/b.ipynb", r), (Some(CodeKind::Notebook), Some(CodeLanguage::R)));
        assert_eq!(classify("b.py", old), (Some(CodeKind::Notebook), None));
        assert_eq!(classify("b.ipynb", b"{}"), (None, None));
        assert_eq!(classify("x.Rmd", b"# Title"), (Some(CodeKind::Script), Some(CodeLanguage::RMarkdown)));
        assert_eq!(classify("x.py", b"\xff\xfe"), (None, None));
    }

    #[test]
    fn requirements_are_known_by_their_names() {
        for path in [
            "requirements.txt",
            "deep/Requirements-dev.txt",
            "requirements/base.txt",
            "dev_requirements.in",
            "binder/environment.yml",
            "Dockerfile",
            "setup.py",
            "a/.python-version",
            "README.md",
        ] {
            assert!(names_requirements(path), "{path}");
        }
        for path in ["requirements/base.csv", "data.txt", "environment.py", "notes/requirements", "setup.py.bak", ""] {
            assert!(!names_requirements(path), "{path}");
        }
    }

    #[test]
    fn scripts_count_where_they_are_wanted() {
        let (all, some) = (LocalSettings { scripts: true, ..LocalSettings::default() }, LocalSettings::default());
        assert!(some.takes("a/B.IPYNB") && !some.takes("a.py") && all.takes("a.R"));
        assert!(!some.takes("a/.ipynb_checkpoints/b-checkpoint.ipynb") && some.takes("a/checkpoints/b.ipynb"));
        assert!(!all.takes(".py") && !all.takes("py") && !all.takes("a.txt") && !all.takes("x.py/readme"));
    }

    proptest! {
        #[test]
        fn no_file_does_harm(name in "[a-z./]{0,12}", bytes in proptest::collection::vec(any::<u8>(), 0..80)) {
            let _ = classify(&name, &bytes);
        }
    }
}
