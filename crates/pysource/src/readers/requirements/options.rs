//! The options of the programs that install.

/// The options of a tool.
pub(super) struct Options {
    /// Letters of short options with a value.
    pub(super) short: &'static str,
    /// Long options with a value, without dashes.
    pub(super) long: &'static [&'static str],
    /// Options, short or long, whose value is a file of requirements.
    pub(super) files: &'static [&'static str],
    /// Options, short or long, whose value is a folder or repository to install.
    pub(super) editable: &'static [&'static str],
    /// Options, short or long, that say nothing of where from and where to: they are left away without a word. All that are not
    /// here are refused, known or not.
    pub(super) harmless: &'static [&'static str],
}

/// One word of options.
pub(super) struct Read {
    /// The letters, or the long name, whole where it is short for one that is known.
    pub(super) names: Vec<String>,
    pub(super) takes_value: bool,
    /// The value that stands in the same word.
    pub(super) attached: Option<String>,
}

pub(super) const PIP: Options = Options {
    short: "rcifteb",
    long: &[
        "requirement",
        "constraint",
        "index-url",
        "extra-index-url",
        "find-links",
        "target",
        "editable",
        "build",
        "prefix",
        "root",
        "src",
        "platform",
        "python-version",
        "implementation",
        "abi",
        "global-option",
        "install-option",
        "no-binary",
        "only-binary",
        "cache-dir",
        "progress-bar",
        "upgrade-strategy",
        "timeout",
        "retries",
        "trusted-host",
        "proxy",
        "log",
        "exists-action",
        "cert",
        "client-cert",
        "report",
        "config-settings",
        "use-feature",
        "use-deprecated",
        "python",
        "default-timeout",
        "build-option",
        "pypi-url",
        "root-user-action",
        "keyring-provider",
    ],
    files: &["r", "requirement"],
    editable: &["e", "editable"],
    harmless: &[
        "q",
        "v",
        "U",
        "I",
        "y",
        "quiet",
        "verbose",
        "upgrade",
        "force-reinstall",
        "ignore-installed",
        "no-deps",
        "user",
        "pre",
        "no-cache-dir",
        "no-warn-script-location",
        "no-warn-conflicts",
        "no-color",
        "no-input",
        "disable-pip-version-check",
        "no-python-version-warning",
        "compile",
        "no-compile",
        "no-clean",
        "no-build-isolation",
        "use-pep517",
        "no-use-pep517",
        "prefer-binary",
        "yes",
        "require-hashes",
        "system",
        "ignore-requires-python",
        "break-system-packages",
        "no-dependencies",
        "no-binary",
        "only-binary",
        "progress-bar",
        "upgrade-strategy",
        "timeout",
        "default-timeout",
        "retries",
        "exists-action",
        "use-feature",
        "use-deprecated",
        "root-user-action",
        "hash",
    ],
};

pub(super) const CONDA: Options = Options {
    short: "cnp",
    long: &["channel", "name", "prefix", "file", "solver", "repodata-fn", "revision"],
    files: &["file"],
    editable: &[],
    harmless: CONDA_HARMLESS,
};

pub(super) const CONDA_ENV: Options = Options {
    short: "fnp",
    long: &["file", "name", "prefix", "solver"],
    files: &["f", "file"],
    editable: &[],
    harmless: CONDA_HARMLESS,
};

const CONDA_HARMLESS: &[&str] = &[
    "y",
    "q",
    "v",
    "n",
    "yes",
    "quiet",
    "verbose",
    "name",
    "solver",
    "json",
    "copy",
    "all",
    "prune",
    "no-deps",
    "no-pin",
    "update-deps",
    "no-update-deps",
    "update-all",
    "force-reinstall",
    "freeze-installed",
    "only-deps",
];

pub(super) const APT: Options = Options {
    short: "ot",
    long: &["option", "target-release", "default-release", "config-file"],
    files: &[],
    editable: &[],
    harmless: &[],
};

/// Whether an option of pip, written with its dashes, says nothing of where from, where to and how.
#[must_use]
pub fn is_harmless_option(name: &str) -> bool {
    PIP.harmless.contains(&name.trim_start_matches('-'))
}

impl Options {
    /// Reads a word of options, which comes without its first dash.
    pub(super) fn read(&self, option: &str) -> Read {
        if let Some(long) = option.strip_prefix('-') {
            let (name, attached) = match long.split_once('=') {
                Some((name, value)) => (name, Some(value.to_owned())),
                None => (long, None),
            };
            let name = self.whole(name);
            return Read { takes_value: self.long.contains(&name), names: vec![name.to_owned()], attached };
        }
        let valued = option.find(|letter| self.short.contains(letter));
        let letters = valued.map_or(option, |at| &option[..=at]);
        let attached = valued.and_then(|at| option.get(at + 1..)).filter(|value| !value.is_empty());
        Read {
            names: letters.chars().map(String::from).collect(),
            takes_value: valued.is_some(),
            attached: attached.map(|value| value.strip_prefix('=').unwrap_or(value).to_owned()),
        }
    }

    /// The long name that a beginning of it stands for, as pip takes it; one that is not known stays as it is.
    fn whole<'name>(&'name self, name: &'name str) -> &'name str {
        if self.long.contains(&name) || self.harmless.contains(&name) || name.is_empty() {
            return name;
        }
        let mut known = self.long.iter().chain(self.harmless).filter(|known| known.len() > 1);
        known.find(|known| known.starts_with(name)).unwrap_or(&name)
    }
}
