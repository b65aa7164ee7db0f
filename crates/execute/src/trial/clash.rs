//! Reads from a failed import which two distributions do not go together, and which of them is younger.

use std::collections::BTreeMap;

use jiff::Timestamp;
use nbrevive_notebook::first_line;

use super::owners::Owners;
use super::{ImportOutcome, ImportResult, Raised};

/// Two distributions of an environment that do not go together, by normalised name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clash {
    /// The one whose code was running.
    pub importing: String,
    /// The one that it does not go with; `None` where that is the machine itself (a C library too old for it).
    pub other: Option<String>,
    /// The one that was uploaded later: it steps back.
    pub younger: String,
    /// Exception and message, in one line.
    pub because: String,
}

/// How a message names the module that disappointed: the text before, and the text behind, of its dotted name.
const NAMED: [(&str, &str); 9] = [
    ("from '", "'"),
    ("module '", "' has no attribute"),
    ("No module named '", "'"),
    ("No module named ", ""),
    ("", " size changed"),
    ("", " has the wrong size"),
    ("", " failed to import"),
    ("", " is not the correct size"),
    ("type object '", "' has no attribute"),
];

/// What compiled code says when it was built against another numpy than the one that is there.
const NUMPYS_INTERFACE: [&str; 2] = ["module compiled against API version", "module compiled against ABI version"];

/// Finds the pair that clashes, for an import that raised. `uploaded` says when each distribution's file, by
/// normalised name, was uploaded.
///
/// The deepest frame in a distribution's file tells who was importing; the module that the message names (or, where
/// it names none, the line that raised) tells what. `None` where no two distributions are involved, such as for a
/// module that nothing installed provides, or where an upload time is missing.
#[must_use]
pub fn clash(result: &ImportResult, owners: &Owners, uploaded: &BTreeMap<String, Timestamp>) -> Option<Clash> {
    let ImportOutcome::Raised(chain) = &result.outcome else { return None };
    // What led to it says more than what was made of it.
    chain.iter().rev().find_map(|raised| of_one(raised, owners, uploaded))
}

fn of_one(raised: &Raised, owners: &Owners, uploaded: &BTreeMap<String, Timestamp>) -> Option<Clash> {
    let mut callers = raised.frames.iter().rev().filter_map(|frame| owners.of_file(&frame.file));
    let importing = callers.next()?;
    let because = format!("{}: {}", raised.exception, first_line(&raised.message));
    let clash = |other: Option<&str>, younger: &str| Clash {
        importing: importing.to_owned(),
        other: other.map(str::to_owned),
        younger: younger.to_owned(),
        because: because.clone(),
    };
    if raised.message.contains("GLIBC") && raised.message.contains("not found") {
        return Some(clash(None, importing));
    }
    let named = disappointing(raised).and_then(|module| owners.of_module(&module)).filter(|other| *other != importing);
    // Without a name: whoever called into the importing one, in a way that it does not like any more.
    let caller = || callers.find(|caller| *caller != importing).filter(|_| is_about_use(raised));
    let other = named.or_else(caller)?;
    let younger = if uploaded.get(importing)? > uploaded.get(other)? { importing } else { other };
    Some(clash(Some(other), younger))
}

/// A module that nothing installed provides, but that a distribution imports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissingModule {
    /// The distribution whose code was running, by normalised name.
    pub importing: String,
    /// The module, dotted.
    pub module: String,
}

/// Finds what a distribution imports without having required it, for an import that raised. `None` where the notebook
/// itself asked for the module, or where something installed provides it.
#[must_use]
pub fn missing(result: &ImportResult, owners: &Owners) -> Option<MissingModule> {
    let ImportOutcome::Raised(chain) = &result.outcome else { return None };
    chain.iter().rev().find_map(|raised| {
        let is_missing = matches!(raised.exception.as_str(), "ImportError" | "ModuleNotFoundError")
            && raised.message.starts_with("No module named ");
        let module = disappointing(raised).filter(|_| is_missing)?;
        let importing = raised.frames.iter().rev().find_map(|frame| owners.of_file(&frame.file))?;
        owners.of_module(&module).is_none().then(|| MissingModule { importing: importing.to_owned(), module })
    })
}

/// Whether an exception tells of a wrong use, not of something missing or unreadable.
fn is_about_use(raised: &Raised) -> bool {
    matches!(
        raised.exception.as_str(),
        "AttributeError" | "TypeError" | "ValueError" | "KeyError" | "DeprecationWarning"
    )
}

/// The module that the message, or else the line that raised, names.
fn disappointing(raised: &Raised) -> Option<String> {
    let message = raised.message.as_str();
    if NUMPYS_INTERFACE.iter().any(|words| message.contains(words)) {
        return Some("numpy".into());
    }
    let from_line = || imported(&raised.frames.last()?.line);
    // Python 2 names only the last part of a missing module: the line knows the whole.
    let bare = message.strip_prefix("No module named ").is_some_and(|rest| !rest.contains(['\'', '.']));
    let from_message = || NAMED.iter().find_map(|(before, behind)| between(message, before, behind));
    if bare { from_line().or_else(from_message) } else { from_message().or_else(from_line) }
}

/// The dotted name in a message between two texts.
fn between(message: &str, before: &str, behind: &str) -> Option<String> {
    let word = if before.is_empty() {
        let (words, _) = message.split_once(behind)?;
        words.rsplit(char::is_whitespace).next()?
    } else {
        let (_, rest) = message.split_once(before)?;
        let end = rest.find(|found: char| !is_dotted(found)).unwrap_or(rest.len());
        if !rest[end..].starts_with(behind) {
            return None;
        }
        &rest[..end]
    };
    let word = word.trim_matches(['\'', '"', ':', '.']);
    (!word.is_empty() && word.chars().all(is_dotted)).then(|| word.to_owned())
}

fn is_dotted(found: char) -> bool {
    found.is_alphanumeric() || found == '_' || found == '.'
}

/// The module that a line of source imports: `from scipy.misc import factorial`, `import numpy as np`.
fn imported(line: &str) -> Option<String> {
    let mut words = line.split_whitespace();
    let module = match words.next()? {
        "from" | "import" => words.next()?.trim_end_matches([',', ';']),
        _ => return None,
    };
    // A relative import stays within its distribution.
    (!module.starts_with('.') && module.chars().all(is_dotted)).then(|| module.to_owned())
}

#[cfg(test)]
mod tests {
    use super::super::{TraceFrame, TrialImport};
    use super::*;
    use std::fs;

    /// Three distributions, the older first.
    const WORLD: [(&str, &str, &str); 3] = [
        ("numpy", "numpy/__init__.py", "2018-01-01T00:00:00Z"),
        ("statsmodels", "statsmodels/dist.py", "2018-06-01T00:00:00Z"),
        ("scipy", "scipy/misc/__init__.py", "2019-05-17T00:00:00Z"),
    ];

    fn found(exception: &str, message: &str, frames: &[(&str, &str)]) -> Option<String> {
        let folder = tempfile::tempdir().unwrap();
        let mut uploaded = BTreeMap::new();
        for (name, file, date) in WORLD {
            let info = folder.path().join(format!("{name}-1.0.dist-info"));
            fs::create_dir(&info).unwrap();
            fs::write(info.join("METADATA"), format!("Name: {name}\n")).unwrap();
            fs::write(info.join("RECORD"), format!("{file},,\n{name}/__init__.py,,\n")).unwrap();
            uploaded.insert(name.to_owned(), date.parse().unwrap());
        }
        let frame = |(file, line): &(&str, &str)| TraceFrame {
            file: if file.starts_with('/') {
                (*file).into()
            } else {
                folder.path().join(file).to_string_lossy().into()
            },
            line: (*line).into(),
        };
        let raised =
            Raised { exception: exception.into(), message: message.into(), frames: frames.iter().map(frame).collect() };
        let import = TrialImport { module: "statsmodels".into(), names: vec![] };
        let result = ImportResult { import, outcome: ImportOutcome::Raised(vec![raised]) };
        let clash = clash(&result, &Owners::read(folder.path()), &uploaded)?;
        Some(format!(
            "{} with {}: {} steps back",
            clash.importing,
            clash.other.as_deref().unwrap_or("machine"),
            clash.younger
        ))
    }

    #[test]
    fn messages_and_lines_name_the_other_one() {
        let line = "from scipy.misc import factorial";
        let pair = "statsmodels with scipy: scipy steps back";
        let cases = [
            ("ImportError", "cannot import name 'factorial' from 'scipy.misc' (/x/__init__.py)", ""),
            ("ImportError", "cannot import name 'factorial'", line),
            ("ImportError", "cannot import name factorial", line),
            ("ImportError", "No module named misc", "from scipy.misc import x"),
            ("ModuleNotFoundError", "No module named 'scipy.nosuch'", ""),
            ("AttributeError", "module 'scipy' has no attribute 'x'", "y = scipy.x"),
            ("ValueError", "scipy.thing size changed, may indicate binary incompatibility. Expected 96", ""),
        ];
        for (exception, message, line) in cases {
            let frames = [("statsmodels/__init__.py", "from . import dist"), ("statsmodels/dist.py", line)];
            assert_eq!(found(exception, message, &frames).as_deref(), Some(pair), "{message}");
        }
    }

    #[test]
    fn compiled_code_clashes_with_its_numpy() {
        let frames = [("scipy/__init__.py", "from ._x import y")];
        for message in [
            "numpy.core.multiarray failed to import",
            "numpy.ufunc size changed, may indicate binary incompatibility",
            "numpy.dtype has the wrong size, try recompiling",
            "module compiled against API version 0xc but this version of numpy is 0xb",
        ] {
            assert_eq!(found("ImportError", message, &frames).as_deref(), Some("scipy with numpy: scipy steps back"));
        }
        let glibc = "/lib/libm.so.6: version `GLIBC_2.29' not found (required by /x/_x.so)";
        assert_eq!(found("ImportError", glibc, &frames).as_deref(), Some("scipy with machine: scipy steps back"));
    }

    #[test]
    fn a_call_that_is_not_understood_blames_caller_and_called() {
        let frames = [("statsmodels/dist.py", "f(x=1)"), ("scipy/misc/__init__.py", "raise TypeError('x')")];
        assert_eq!(found("TypeError", "x", &frames).as_deref(), Some("scipy with statsmodels: scipy steps back"));
        assert_eq!(found("OSError", "no display", &frames), None);
    }

    #[test]
    fn what_is_no_clash_is_not_made_one() {
        let frames = [("statsmodels/dist.py", "import patsy")];
        assert_eq!(found("ModuleNotFoundError", "No module named 'patsy'", &frames), None);
        assert_eq!(found("ImportError", "cannot import name 'x' from 'statsmodels.dist' (y)", &frames), None);
        assert_eq!(found("ImportError", "cannot import name 'x' from 'scipy.misc'", &[("/nb.py", "")]), None);
    }
}
