//! Scripts of an environment run its own interpreter.
//!
//! uv installs by the interpreter that the environment was made with, since that of the environment would run what is installed; so
//! it is that one which the scripts name at first.

use std::fs;
use std::io;
use std::path::Path;

use super::BuildError;
use super::install::python;
use crate::home::{self, HomeError};

/// Longest script that is looked at, in bytes.
const LONGEST: u64 = 1 << 20;
/// Longest first line that Linux runs whole.
const LONGEST_LINE: usize = 127;

/// Puts the environment's interpreter into its scripts.
pub(crate) fn own_scripts(environment: &Path) -> Result<(), BuildError> {
    let bin = environment.join("bin");
    for entry in fs::read_dir(&bin).into_iter().flatten().flatten() {
        let path = entry.path();
        own(&path, environment).map_err(|error| HomeError::new("write", &path, error))?;
    }
    Ok(())
}

fn own(path: &Path, environment: &Path) -> io::Result<()> {
    let metadata = fs::symlink_metadata(path)?;
    if !metadata.is_file() || metadata.len() > LONGEST {
        return Ok(());
    }
    let Some(text) = owned(&fs::read(path)?, &python(environment)) else { return Ok(()) };
    home::write_atomically(path, &text).map_err(|error| error.source)?;
    fs::set_permissions(path, metadata.permissions())
}

/// The script with this interpreter; `None` where it names none of its own.
fn owned(script: &[u8], python: &Path) -> Option<Vec<u8>> {
    let (first, behind) = line(script.strip_prefix(b"#!")?);
    let python = python.to_str()?;
    let head = if is_python(first) {
        if python.len() + 2 <= LONGEST_LINE && !python.contains(' ') {
            format!("#!{python}\n")
        } else {
            format!("#!/bin/sh\n'''exec' \"{python}\" \"$0\" \"$@\"\n' '''\n")
        }
        .into_bytes()
    } else {
        // What uv writes where the path is too long for one line.
        let (second, _) = line(behind);
        let named = std::str::from_utf8(second).ok()?.strip_prefix("'''exec' ")?.split_once(" \"$0\"")?.0;
        if first != b"/bin/sh" || !is_python(named.trim_matches('"').as_bytes()) {
            return None;
        }
        return Some(
            [b"#!/bin/sh\n'''exec' \"", python.as_bytes(), b"\"", &behind[b"'''exec' ".len() + named.len()..]].concat(),
        );
    };
    Some([head.as_slice(), behind].concat())
}

fn line(text: &[u8]) -> (&[u8], &[u8]) {
    let end = text.iter().position(|byte| *byte == b'\n').unwrap_or(text.len());
    (&text[..end], text.get(end + 1..).unwrap_or_default())
}

/// Whether a path is that of an interpreter: `/…/python3.12`.
fn is_python(path: &[u8]) -> bool {
    let name =
        std::str::from_utf8(path).ok().filter(|path| path.starts_with('/')).and_then(|path| path.rsplit('/').next());
    name.and_then(|name| name.strip_prefix("python"))
        .is_some_and(|version| version.chars().all(|found| found.is_ascii_digit() || found == '.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rewritten(script: &str, python: &str) -> Option<String> {
        owned(script.as_bytes(), Path::new(python)).map(|text| String::from_utf8(text).unwrap())
    }

    #[test]
    fn scripts_get_the_interpreter_of_their_environment() {
        let env = "/e/bin/python";
        assert_eq!(rewritten("#!/base/bin/python3.12\nx\n", env).as_deref(), Some("#!/e/bin/python\nx\n"));
        let long = format!("/{}/bin/python", "e".repeat(130));
        let through_shell = format!("#!/bin/sh\n'''exec' \"{long}\" \"$0\" \"$@\"\n' '''\nx");
        assert_eq!(rewritten("#!/base/bin/python3\nx", &long).as_deref(), Some(&*through_shell));
        assert_eq!(
            rewritten(&through_shell, env).as_deref(),
            Some("#!/bin/sh\n'''exec' \"/e/bin/python\" \"$0\" \"$@\"\n' '''\nx")
        );
        for other in
            ["", "#!", "#!/usr/bin/env python\n", "#!/bin/sh\necho /base/bin/python\n", "\u{7f}ELF", "#!python\n"]
        {
            assert_eq!(rewritten(other, env), None, "{other}");
        }
    }
}
