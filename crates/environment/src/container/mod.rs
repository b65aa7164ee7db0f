//! A lock as two texts from which a container is built elsewhere that holds the same environment.

use std::fmt::Write as _;

use nbrevive_notebook::PythonVersion;

use crate::build::Environment;
use crate::declared::is_apt_name;
use crate::plan::{EnvironmentPlan, Line};
use crate::versions::is_name;

/// How the texts are written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContainerSettings {
    /// The image to start from, with a `python3` of the minor, or with Debian's apt and that python as a package. Default: `python:MINOR-slim`.
    pub base: Option<String>,
    /// The name of the lock file beside the Containerfile. Default: `requirements.lock`.
    pub lock_name: String,
    /// Packages of the system to install before, by apt's names. Default: none.
    pub apt: Vec<String>,
    /// The command by which the base calls its Python. Default: `python3`.
    pub python: String,
}

impl Default for ContainerSettings {
    fn default() -> Self {
        Self { base: None, lock_name: "requirements.lock".into(), apt: Vec::new(), python: "python3".into() }
    }
}

/// The two texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContainerTexts {
    /// `Containerfile`.
    pub containerfile: String,
    /// The lock, for `pip install --no-deps -r`; with `--hash` where every file's digest is known.
    pub lock: String,
}

/// The texts cannot be written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoContainer {
    /// A line of the lock has no version, or a name that none has.
    #[error(
        "{0:?} is no line of a lock such as numpy==1.16.4; plan with the dated strategy, or build the environment first"
    )]
    NotALine(String),
    /// The name of an image, a file or a program would be read as something else.
    #[error("{0:?} cannot stand in a Containerfile: name it with letters, digits and -._/:@ alone")]
    Word(String),
    /// No package of apt has such a name.
    #[error("{0:?} is no name of a package of apt; take it from apt.txt")]
    Apt(String),
}

impl Environment {
    /// The texts for what is installed in it, whatever the strategy that led there. Without digests, which nothing installed has.
    ///
    /// # Errors
    /// [`NoContainer`] for settings that cannot be written.
    pub fn container_texts(&self, settings: &ContainerSettings) -> Result<ContainerTexts, NoContainer> {
        let lines = self.lock.iter().map(|line| (line.clone(), None)).collect();
        texts(self.interpreter.minor(), lines, &[], settings)
    }
}

impl EnvironmentPlan {
    /// The texts for a plan of exact versions (`dated`).
    ///
    /// # Errors
    /// [`NoContainer`] for a plan of bounds, one that is expected to fail, and settings that cannot be written.
    pub fn container_texts(&self, settings: &ContainerSettings) -> Result<ContainerTexts, NoContainer> {
        if let Some(failure) = &self.expected_failure {
            return Err(NoContainer::NotALine(failure.words.clone()));
        }
        let exact = |line: &Line| {
            let digest = line.file.as_ref().and_then(|file| file.sha256).map(|digest| digest.to_string());
            (format!("{}{}", line.distribution, line.bound), digest)
        };
        let build: Vec<String> = self.build.iter().map(|line| exact(line).0).collect();
        texts(self.interpreter.minor(), self.lines.iter().map(exact).collect(), &build, settings)
    }
}

fn texts(
    minor: PythonVersion,
    mut lines: Vec<(String, Option<String>)>,
    build: &[String],
    settings: &ContainerSettings,
) -> Result<ContainerTexts, NoContainer> {
    let wrong = lines.iter().map(|(line, _)| line).chain(build).find(|line| !is_exact(line));
    if let Some(wrong) = wrong {
        return Err(NoContainer::NotALine(wrong.clone()));
    }
    lines.sort();
    // pip asks for the digests of all as soon as one has one.
    let is_hashed = !lines.is_empty() && lines.iter().all(|(_, digest)| digest.is_some());
    let mut lock = format!("# python: {minor}\n");
    for (line, digest) in &lines {
        let _ = match digest.as_ref().filter(|_| is_hashed) {
            Some(digest) => writeln!(lock, "{line} --hash=sha256:{digest}"),
            None => writeln!(lock, "{line}"),
        };
    }
    let containerfile = containerfile(minor, build, is_hashed, settings)?;
    Ok(ContainerTexts { containerfile, lock })
}

fn containerfile(
    minor: PythonVersion,
    build: &[String],
    is_hashed: bool,
    settings: &ContainerSettings,
) -> Result<String, NoContainer> {
    let base = settings.base.clone().unwrap_or_else(|| format!("python:{minor}-slim"));
    let (python, lock) = (&settings.python, &settings.lock_name);
    if let Some(wrong) = [&base, python, lock].into_iter().find(|word| !is_word(word)) {
        return Err(NoContainer::Word(wrong.clone()));
    }
    if let Some(wrong) = settings.apt.iter().find(|name| !is_apt_name(name)) {
        return Err(NoContainer::Apt(wrong.clone()));
    }
    let mut text = format!(
        "# Written by nbrevive: the environment of the lock file beside this one.\n\
         # Packages come from the index that pip is configured with where this is built (PIP_INDEX_URL as a build argument).\n\
         FROM {base}\nARG PIP_INDEX_URL\nARG PIP_EXTRA_INDEX_URL\nARG PIP_TRUSTED_HOST\n"
    );
    if !settings.apt.is_empty() {
        let names = settings.apt.join(" \\\n        ");
        let _ = write!(
            text,
            "RUN apt-get update \\\n    && apt-get install -y --no-install-recommends \\\n        {names} \\\n    && rm -rf /var/lib/apt/lists/*\n"
        );
    }
    // A base of another minor would install other files in silence.
    let _ = writeln!(
        text,
        "RUN {python} -c \"import sys; assert '%d.%d' % sys.version_info[:2] == '{minor}', sys.version\""
    );
    if !build.is_empty() {
        let lines: Vec<String> = build.iter().map(|line| format!("'{line}'")).collect();
        let _ = writeln!(text, "RUN printf '%s\\n' {} > /tmp/build-constraints.txt", lines.join(" "));
    }
    let hashes = if is_hashed { "--require-hashes " } else { "" };
    // What the base itself has installed is no part of the lock, and pips of Debian refuse to change it.
    let own = if minor.major >= 3 { "/opt/environment/bin/python" } else { python.as_str() };
    if minor.major >= 3 {
        let _ = writeln!(text, "RUN {python} -m venv /opt/environment\nENV PATH=/opt/environment/bin:$PATH");
    }
    let _ = writeln!(text, "COPY {lock} /tmp/{lock}");
    // pip hands the variable on to the builds of source archives, which happen in isolation.
    let constraint = if build.is_empty() { "" } else { "PIP_CONSTRAINT=/tmp/build-constraints.txt " };
    let _ = writeln!(text, "RUN {constraint}{own} -m pip install --no-cache-dir --no-deps {hashes}-r /tmp/{lock}");
    Ok(text)
}

/// `name==version` of one distribution.
fn is_exact(line: &str) -> bool {
    let Some((name, version)) = line.split_once("==") else { return false };
    let plain = |found: char| found.is_ascii_alphanumeric() || "._+!-".contains(found);
    is_name(name) && !version.is_empty() && version.chars().all(plain)
}

/// Whether a word of the settings stands for itself in a Containerfile.
fn is_word(word: &str) -> bool {
    let plain = |found: char| found.is_ascii_alphanumeric() || "-._/:@".contains(found);
    !word.is_empty() && !word.starts_with('-') && word.chars().all(plain)
}

#[cfg(test)]
mod tests;
