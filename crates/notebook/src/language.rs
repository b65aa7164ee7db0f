//! What language a notebook is written in and, for Python, which version saved it.

use std::fmt;

use crate::document::Notebook;
use crate::python_version::PythonVersion;

/// The language of a notebook's code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Language {
    /// Python of any version.
    Python,
    /// R.
    R,
    /// Julia.
    Julia,
    /// Another language, by its name in lower case.
    Other(String),
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Python => f.write_str("Python"),
            Self::R => f.write_str("R"),
            Self::Julia => f.write_str("Julia"),
            Self::Other(name) => f.write_str(name),
        }
    }
}

/// The language that the metadata name: `language_info.name`, then `kernelspec.language`, then the kernel's name. A
/// notebook that says nothing counts as Python, the only language of format 3 in practice and Kaggle's default.
#[must_use]
pub fn language(notebook: &Notebook) -> Language {
    let said = ["/language_info/name", "/kernelspec/language", "/kernelspec/name"];
    said.iter().find_map(|path| entry(notebook, path)).map_or(Language::Python, from_name)
}

fn from_name(name: &str) -> Language {
    let name = name.to_lowercase();
    match name.as_str() {
        "r" | "ir" => Language::R,
        _ if name.starts_with("julia") => Language::Julia,
        _ if ["python", "ipython", "pypy", "conda", "xpython"].iter().any(|start| name.starts_with(start)) => {
            Language::Python
        }
        _ => Language::Other(name),
    }
}

/// A text of the metadata by JSON pointer, without what is empty.
fn entry<'a>(notebook: &'a Notebook, pointer: &str) -> Option<&'a str> {
    let mut keys = pointer.split('/').skip(1);
    let mut value = notebook.metadata.get(keys.next()?)?;
    for key in keys {
        value = value.get(key)?;
    }
    value.as_str().map(str::trim).filter(|text| !text.is_empty())
}

/// Major and minor of the Python that last saved the notebook: from `language_info.version`, else from a kernel name
/// such as `Python 3.6`. `None` for other languages and where no minor is told.
#[must_use]
pub fn python_version_hint(notebook: &Notebook) -> Option<PythonVersion> {
    if language(notebook) != Language::Python {
        return None;
    }
    let version = entry(notebook, "/language_info/version").and_then(leading_version);
    let named = || {
        let names = ["/kernelspec/display_name", "/kernelspec/name"];
        names.iter().find_map(|path| version_after_python(entry(notebook, path)?))
    };
    version.or_else(named)
}

/// The whole version of the Python that last saved the notebook, of `language_info.version`: `3.6.5`. `None` for other languages and where no
/// third number is told.
#[must_use]
pub fn python_release_hint(notebook: &Notebook) -> Option<String> {
    if language(notebook) != Language::Python {
        return None;
    }
    let said = entry(notebook, "/language_info/version")?;
    let version = said.split(|found: char| !(found.is_ascii_digit() || found == '.')).next()?;
    (version.split('.').filter(|part| !part.is_empty()).count() == 3).then(|| version.to_owned())
}

/// The major alone (2 or 3), also from kernels named `python2` and from the editor mode; `None` where nothing tells.
/// It is weaker than the syntax of the code unless [`python_version_hint`] answers too: authors change kernels.
#[must_use]
pub fn python_major_hint(notebook: &Notebook) -> Option<u32> {
    if let Some(version) = python_version_hint(notebook) {
        return Some(version.major);
    }
    if language(notebook) != Language::Python {
        return None;
    }
    let names = ["/kernelspec/name", "/kernelspec/display_name", "/language_info/pygments_lexer"];
    let named = names.iter().find_map(|path| major_after_python(entry(notebook, path)?));
    named.or_else(|| {
        let mode = notebook.metadata.get("language_info")?.get("codemirror_mode")?.get("version")?;
        mode.as_u64().and_then(|major| u32::try_from(major).ok()).filter(|major| matches!(major, 2 | 3))
    })
}

fn leading_version(text: &str) -> Option<PythonVersion> {
    let mut numbers = text.split('.').map(|part| {
        let digits = part.len() - part.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        part[..digits].parse::<u32>().ok()
    });
    let major = numbers.next()??;
    let minor = numbers.next()??;
    matches!(major, 2 | 3).then_some(PythonVersion::new(major, minor))
}

fn after_python(text: &str) -> Option<&str> {
    let lower = text.to_ascii_lowercase();
    let start = lower.find("python")? + "python".len();
    text.get(start..).map(str::trim_start)
}

fn version_after_python(text: &str) -> Option<PythonVersion> {
    leading_version(after_python(text)?)
}

fn major_after_python(text: &str) -> Option<u32> {
    let digit = after_python(text)?.chars().next()?.to_digit(10)?;
    matches!(digit, 2 | 3).then_some(digit)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn with_metadata(metadata: Value) -> Notebook {
        let Value::Object(metadata) = metadata else { panic!("metadata are an object") };
        Notebook { metadata, ..Notebook::from_cells(Vec::new()) }
    }

    #[test]
    fn languages() {
        let cases = [
            (json!({}), Language::Python),
            (json!({"language_info": {"name": "R"}}), Language::R),
            (json!({"kernelspec": {"name": "ir"}}), Language::R),
            (json!({"kernelspec": {"name": "x", "language": "Julia"}}), Language::Julia),
            (json!({"kernelspec": {"name": "julia-1.6"}}), Language::Julia),
            (json!({"kernelspec": {"name": "conda-env-py36"}}), Language::Python),
            (json!({"language_info": {"name": "ipython"}}), Language::Python),
            (json!({"language_info": {"name": "scala"}}), Language::Other("scala".to_owned())),
            (json!({"language_info": 3, "kernelspec": []}), Language::Python),
        ];
        for (metadata, expected) in cases {
            assert_eq!(language(&with_metadata(metadata.clone())), expected, "{metadata}");
        }
    }

    #[test]
    fn versions() {
        let cases = [
            (json!({"language_info": {"name": "python", "version": "3.6.6"}}), Some((3, 6)), Some(3)),
            (json!({"language_info": {"name": "python", "version": "2.7.13+"}}), Some((2, 7)), Some(2)),
            (json!({"language_info": {"name": "python", "version": "3.10rc1"}}), Some((3, 10)), Some(3)),
            (
                json!({"kernelspec": {"name": "x", "language": "python", "display_name": "Python 3.7"}}),
                Some((3, 7)),
                Some(3),
            ),
            (json!({"kernelspec": {"name": "python2", "display_name": "Python 2"}}), None, Some(2)),
            (json!({"kernelspec": {"name": "python3"}}), None, Some(3)),
            (json!({"language_info": {"codemirror_mode": {"version": 2}}}), None, Some(2)),
            (json!({"language_info": {"name": "R", "version": "3.4.2"}}), None, None),
            (json!({"language_info": {"name": "python", "version": "x"}}), None, None),
            (json!({}), None, None),
        ];
        for (metadata, version, major) in cases {
            let notebook = with_metadata(metadata.clone());
            assert_eq!(python_version_hint(&notebook).map(|hint| (hint.major, hint.minor)), version, "{metadata}");
            assert_eq!(python_major_hint(&notebook), major, "{metadata}");
        }
    }
}
