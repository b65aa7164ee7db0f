//! `pylock.toml` (PEP 751, lock-version 1.0).
//!
//! A plan knows the names and hashes of files, not their addresses, for those are the index's own affair. PEP 751
//! wants a `path` or `url` for each file, so files are named as lying beside the lock; the hashes say which they are.

use std::fmt::Write;

use super::NotALock;
use crate::plan::{AskedBy, EnvironmentPlan, Line, LineFile};

impl EnvironmentPlan {
    /// The plan as `pylock.toml`, with the reason of each package under `[packages.tool.nbrevive]`.
    ///
    /// # Errors
    /// [`NotALock`] if the plan has no closure to lock.
    pub fn pylock_text(&self) -> Result<String, NotALock> {
        self.check_lock()?;
        let interpreter = &self.interpreter;
        let mut text = String::from("# Files are named as lying beside this one: a plan knows no addresses.\n");
        let machine = quoted(&format!("sys_platform == 'linux' and platform_machine == '{}'", interpreter.machine));
        let _ = writeln!(text, "lock-version = \"1.0\"\nenvironments = [{machine}]");
        let _ = writeln!(text, "requires-python = \"=={}.*\"\ncreated-by = \"nbrevive\"", interpreter.minor());
        for line in &self.lines {
            package(&mut text, line);
        }
        let _ = writeln!(text, "\n[tool.nbrevive]\ndate = {}\npython = \"{}\"", self.date, interpreter.version);
        let build: Vec<String> = self.build.iter().map(|line| quoted(&line.requirement())).collect();
        if !build.is_empty() {
            let _ = writeln!(text, "build = [{}]", build.join(", "));
        }
        Ok(text)
    }
}

fn package(text: &mut String, line: &Line) {
    let version = line.version.as_ref().map(ToString::to_string).unwrap_or_default();
    let _ = writeln!(text, "\n[[packages]]\nname = {}\nversion = {}", quoted(&line.distribution), quoted(&version));
    if let Some(file) = &line.file {
        let heading = if file.is_wheel() { "[[packages.wheels]]" } else { "[packages.sdist]" };
        let _ = writeln!(text, "\n{heading}");
        write_file(text, file);
    }
    let asked: Vec<String> = line.asked_by.iter().map(|asked| quoted(&asked_text(asked))).collect();
    let _ = writeln!(text, "\n[packages.tool.nbrevive]\nreason = {}", quoted(line.reason.as_str()));
    let _ = writeln!(text, "why = {}\nasked-by = [{}]", quoted(&line.why), asked.join(", "));
}

fn write_file(text: &mut String, file: &LineFile) {
    let name = quoted(&file.name);
    let _ = writeln!(text, "name = {name}\nupload-time = {}\npath = {name}", file.uploaded);
    if let Some(size) = file.size {
        let _ = writeln!(text, "size = {size}");
    }
    let hash = file.sha256.map(|sha256| format!(" sha256 = \"{sha256}\" ")).unwrap_or_default();
    let _ = writeln!(text, "hashes = {{{hash}}}");
}

fn asked_text(asked: &AskedBy) -> String {
    if asked.requirement.is_empty() { asked.who.clone() } else { format!("{}: {}", asked.who, asked.requirement) }
}

/// A text as a TOML string.
fn quoted(text: &str) -> String {
    toml::Value::String(text.to_owned()).to_string()
}
