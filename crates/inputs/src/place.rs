//! Where a path of a notebook lies in its world, and which paths have no place in it.

use serde::Serialize;

/// Bytes that a part of a path may have, as file systems take them.
const LONGEST_PART: usize = 255;
/// Parts that a path may have.
const MOST_PARTS: usize = 32;
/// Folders of the sandbox's own, in which nothing is made.
const TAKEN: [&str; 14] = [
    "/usr", "/etc", "/proc", "/dev", "/sys", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/run", "/tmp",
    "/boot",
];
/// Where a notebook works, inside.
const WORKING: &str = "/kaggle/working/";

/// Where a file lies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "where", content = "path")]
pub enum InputPlace {
    /// Relative to the folder in which the notebook starts, `..` in front only.
    Beside(String),
    /// Below the working folder, which is `/kaggle/working` inside.
    Working(String),
    /// Anywhere else, from the root: it takes a mount.
    Absolute(String),
    /// In the home folder.
    Home(String),
}

/// Why a path has no place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PathRefusal {
    /// It comes from the network.
    #[error("it comes from the network, and the sandbox has none")]
    Network,
    /// It names no file.
    #[error("it names no file")]
    Nothing,
    /// File systems do not take it.
    #[error(
        "no file can have that name: a part of it is longer than 255 bytes, there are more than 32, or it holds a NUL"
    )]
    Unusable,
    /// It leaves the home folder by a way back.
    #[error("it would lie above the home folder")]
    AboveHome,
    /// It would lie in a folder of the system's.
    #[error("it would lie in {0}, which is the sandbox's own")]
    Taken(&'static str),
}

/// Finds the place of a path as a notebook writes it.
///
/// # Errors
/// [`PathRefusal`], for which nothing can be made.
///
/// ```
/// use nbrevive_inputs::{InputPlace, place};
/// assert_eq!(place("./data/../a.csv"), Ok(InputPlace::Beside("a.csv".into())));
/// assert_eq!(place("~/a.csv"), Ok(InputPlace::Home("a.csv".into())));
/// assert!(place("/etc/passwd").is_err() && place("s3://bucket/a.csv").is_err());
/// ```
pub fn place(path: &str) -> Result<InputPlace, PathRefusal> {
    let path = path.strip_prefix("file://").unwrap_or(path);
    if is_network(path) {
        return Err(PathRefusal::Network);
    }
    let parts = parts(path);
    if parts.last().is_none_or(|last| *last == "..") {
        return Err(PathRefusal::Nothing);
    }
    let is_usable = |part: &&str| part.len() <= LONGEST_PART && !part.contains('\0');
    if parts.len() > MOST_PARTS || !parts.iter().all(is_usable) {
        return Err(PathRefusal::Unusable);
    }
    let joined = parts.join("/");
    if let Some(rest) = joined.strip_prefix("~/") {
        let is_below = !rest.starts_with("..");
        return is_below.then(|| InputPlace::Home(rest.to_owned())).ok_or(PathRefusal::AboveHome);
    }
    if !path.starts_with('/') {
        return Ok(InputPlace::Beside(joined));
    }
    let absolute = format!("/{joined}");
    if let Some(taken) = TAKEN.iter().find(|taken| is_below(&absolute, taken)) {
        return Err(PathRefusal::Taken(taken));
    }
    Ok(match absolute.strip_prefix(WORKING) {
        Some(rest) => InputPlace::Working(rest.to_owned()),
        None => InputPlace::Absolute(absolute),
    })
}

fn is_below(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Whether a path is an address: `https://…`, `s3://…`, `gs://…`.
pub(crate) fn is_network(path: &str) -> bool {
    path.split_once("://").is_some_and(|(scheme, _)| {
        scheme != "file"
            && !scheme.is_empty()
            && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'+')
    })
}

/// The parts of a path, `..` in front only; what goes up past the root stays there.
fn parts(path: &str) -> Vec<&str> {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/').filter(|part| !matches!(*part, "" | ".")) {
        match (part, parts.last()) {
            ("..", Some(last)) if *last != ".." && *last != "~" => drop(parts.pop()),
            ("..", None) if path.starts_with('/') => {}
            _ => parts.push(part),
        }
    }
    parts
}

/// The path as it stands in a recipe: without `.`, doubled slashes and ways back.
pub(crate) fn normal(path: &str) -> String {
    let joined = parts(path.strip_prefix("file://").unwrap_or(path)).join("/");
    if path.starts_with('/') { format!("/{joined}") } else { joined }
}

impl InputPlace {
    /// How many folders it goes up from the start.
    #[must_use]
    pub fn levels_up(&self) -> usize {
        match self {
            Self::Beside(path) => path.split('/').take_while(|part| *part == "..").count(),
            Self::Working(_) | Self::Absolute(_) | Self::Home(_) => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_path_has_one_place_or_a_reason() {
        let beside = |path: &str| Ok(InputPlace::Beside(path.to_owned()));
        assert_eq!(place("../../data//x.csv"), beside("../../data/x.csv"));
        assert_eq!(place("a/../../x.csv"), beside("../x.csv"));
        assert_eq!(place("C:\\Users\\me\\x.csv"), beside("C:\\Users\\me\\x.csv"));
        assert_eq!(place("/kaggle/working/x.csv"), Ok(InputPlace::Working("x.csv".to_owned())));
        assert_eq!(place("/../home/me/./x.csv"), Ok(InputPlace::Absolute("/home/me/x.csv".to_owned())));
        assert_eq!(place("~/../../x.csv"), Err(PathRefusal::AboveHome));
        assert_eq!(place("/home/../etc/x"), Err(PathRefusal::Taken("/etc")));
        assert_eq!(place("/etcetera/x"), Ok(InputPlace::Absolute("/etcetera/x".to_owned())));
        assert_eq!(place(&"a/".repeat(40)), Err(PathRefusal::Unusable));
        assert_eq!(place("a\0b"), Err(PathRefusal::Unusable));
        for nothing in ["", ".", "..", "/", "a/.."] {
            assert_eq!(place(nothing), Err(PathRefusal::Nothing), "{nothing}");
        }
        for network in ["http://a/b.csv", "s3://b/c", "gs://b/c"] {
            assert_eq!(place(network), Err(PathRefusal::Network), "{network}");
        }
    }

    #[test]
    fn levels_are_counted() {
        assert_eq!(place("../../a.csv").map(|found| found.levels_up()), Ok(2));
        assert_eq!(place("/data/a.csv").map(|found| found.levels_up()), Ok(0));
    }
}
