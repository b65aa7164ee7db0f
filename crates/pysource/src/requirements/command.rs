//! One command as words: does it install, and what?

use super::Tool;
use super::shell::Word;

/// What a command installs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Install {
    pub(super) tool: Tool,
    pub(super) requirements: Vec<String>,
    pub(super) requirement_files: Vec<String>,
    pub(super) unknown: Vec<String>,
}

/// The options of a tool that take a value.
struct Options {
    /// Letters of short options with a value.
    short: &'static str,
    /// Long options with a value, without dashes.
    long: &'static [&'static str],
    /// Options, short or long, whose value is a file of requirements.
    files: &'static [&'static str],
    /// Options, short or long, whose value is itself a requirement.
    requirements: &'static [&'static str],
}

const PIP: Options = Options {
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
    ],
    files: &["r", "requirement"],
    requirements: &["e", "editable"],
};

const CONDA: Options = Options {
    short: "cnp",
    long: &["channel", "name", "prefix", "file", "solver", "repodata-fn", "revision"],
    files: &["file"],
    requirements: &[],
};

const CONDA_ENV: Options =
    Options { short: "fnp", long: &["file", "name", "prefix", "solver"], files: &["f", "file"], requirements: &[] };

const APT: Options = Options {
    short: "ot",
    long: &["option", "target-release", "default-release", "config-file"],
    files: &[],
    requirements: &[],
};

/// What the command installs, `None` when it does not install.
pub(super) fn install(words: &[Word]) -> Option<Install> {
    let start = words.iter().position(|word| !is_prefix(&word.text))?;
    let (program, arguments) = words[start..].split_first()?;
    match program_name(&program.text) {
        "pip" => pip(arguments),
        "python" => {
            let flag = arguments.iter().position(|word| word.text == "-m")?;
            let is_pip = arguments.get(flag + 1)?.text == "pip";
            is_pip.then(|| pip(&arguments[flag + 2..])).flatten()
        }
        "uv" if arguments.first()?.text == "pip" => pip(&arguments[1..]),
        "easy_install" => Some(collect(Tool::Pip, &PIP, arguments)),
        "conda" => conda(arguments),
        "apt" => subcommand(arguments).map(|rest| collect(Tool::Apt, &APT, rest)),
        _ => None,
    }
}

/// What `pip` with these arguments installs.
pub(super) fn pip(arguments: &[Word]) -> Option<Install> {
    subcommand(arguments).map(|rest| collect(Tool::Pip, &PIP, rest))
}

/// What `conda` with these arguments installs: `install`, and `env create` and `env update`, which read `environment.yml`
/// unless told another file. A bare `create` makes another environment than the notebook's.
fn conda(arguments: &[Word]) -> Option<Install> {
    let word = |index: usize| arguments.get(index).map(|word| word.text.as_str());
    match (word(0), word(1)) {
        (Some("env"), Some("create" | "update")) => {
            let mut install = collect(Tool::Conda, &CONDA_ENV, &arguments[2..]);
            if install.requirement_files.is_empty() {
                install.requirement_files.push("environment.yml".to_owned());
            }
            Some(install)
        }
        _ => subcommand(arguments).map(|rest| collect(Tool::Conda, &CONDA, rest)),
    }
}

/// The arguments behind `install`, which must be the first that is no option.
fn subcommand(arguments: &[Word]) -> Option<&[Word]> {
    let first = arguments.iter().position(|word| !word.text.starts_with('-'))?;
    // Options of the program itself may have a value (`apt-get -o x install`), which then stands here.
    let at = if arguments[first].text == "install" { first } else { first + 1 };
    let is_value = at == first || (first > 0 && arguments.get(at).is_some_and(|word| word.text == "install"));
    is_value.then(|| &arguments[at + 1..])
}

/// Words that may stand before a command: variables, wrappers, keywords of the shell.
fn is_prefix(word: &str) -> bool {
    let is_assignment = word.split_once('=').is_some_and(|(name, _)| {
        name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    });
    let wrappers =
        ["sudo", "time", "nohup", "exec", "command", "then", "do", "else", "if", "!", "{", "env", "-H", "-E"];
    is_assignment || wrappers.contains(&word)
}

/// The program without folder and version, its kin under one name.
fn program_name(word: &str) -> &str {
    let is_python_variable = ["executable", "python", "PYTHON"].iter().any(|name| word.contains(name));
    if word.starts_with(['{', '$']) && is_python_variable {
        return "python";
    }
    let name = word.rsplit('/').next().unwrap_or(word);
    match name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.') {
        "pip" => "pip",
        "python" | "pypy" => "python",
        "conda" | "mamba" | "micromamba" => "conda",
        "apt" | "apt-get" | "aptitude" => "apt",
        other => other,
    }
}

fn collect(tool: Tool, options: &Options, arguments: &[Word]) -> Install {
    let mut install = Install { tool, requirements: Vec::new(), requirement_files: Vec::new(), unknown: Vec::new() };
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        if let Some(option) = word.text.strip_prefix('-').filter(|option| !option.is_empty()) {
            if let Some((name, attached)) = option_with_value(option, options) {
                let value = match attached {
                    Some(value) => Some(Word { text: value, is_dynamic: word.is_dynamic }),
                    None => words.next().cloned(),
                };
                if let Some(value) = value {
                    install.option(options, &name, &value);
                }
            }
        } else {
            install.requirement(word);
        }
    }
    install
}

/// Name and attached value of an option that takes a value; `option` comes without its first dash.
fn option_with_value(option: &str, options: &Options) -> Option<(String, Option<String>)> {
    if let Some(long) = option.strip_prefix('-') {
        let (name, value) = match long.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None => (long, None),
        };
        return options.long.contains(&name).then(|| (name.to_owned(), value));
    }
    let at = option.find(|letter| options.short.contains(letter))?;
    let letter_end = at + 1;
    let value = option.get(letter_end..).filter(|value| !value.is_empty());
    let value = value.map(|value| value.strip_prefix('=').unwrap_or(value).to_owned());
    Some((option[at..letter_end].to_owned(), value))
}

impl Install {
    fn option(&mut self, options: &Options, name: &str, value: &Word) {
        if options.requirements.contains(&name) {
            self.requirement(value);
        } else if options.files.contains(&name) {
            let list = if value.is_dynamic { &mut self.unknown } else { &mut self.requirement_files };
            list.push(value.text.clone());
        }
    }

    fn requirement(&mut self, word: &Word) {
        let text = word.text.trim();
        let is_name = text.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '.' | '/' | '~' | '_'));
        if word.is_dynamic {
            self.unknown.push(text.to_owned());
        } else if is_name {
            self.requirements.push(match self.tool {
                Tool::Pip => named_address(text),
                Tool::Conda => conda_requirement(text),
                Tool::Apt => text.to_owned(),
            });
        }
    }
}

/// `git+https://host/x#egg=name` as `name @ git+https://host/x#egg=name`; all else as it is.
pub(super) fn named_address(text: &str) -> String {
    let egg = text.split_once("#egg=").or_else(|| text.split_once("&egg=")).filter(|_| text.contains("://"));
    match egg.map(|(_, name)| name.split('&').next().unwrap_or(name)) {
        Some(name) if !name.is_empty() && !text.contains(" @ ") => format!("{name} @ {text}"),
        _ => text.to_owned(),
    }
}

/// `channel::name=1.0=build` as `name==1.0`, `name=1.0` as `name==1.0.*` (conda's single sign matches what starts so), and
/// `name 1.0` as `name==1.0`.
pub(super) fn conda_requirement(text: &str) -> String {
    let text = text.rsplit("::").next().unwrap_or(text).trim();
    if let Some((name, version)) = text.split_once(' ')
        && version.starts_with(|c: char| c.is_ascii_digit())
    {
        return format!("{name}=={}", version.split(' ').next().unwrap_or(version));
    }
    match text.split_once('=') {
        Some((name, version)) if !version.starts_with('=') && !name.ends_with(['<', '>', '!', '~']) => {
            match version.split_once('=') {
                Some((version, _)) => format!("{name}=={version}"),
                None => format!("{name}=={}.*", version.trim_end_matches('*').trim_end_matches('.')),
            }
        }
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn installed(text: &str) -> Option<String> {
        let words: Vec<Word> = text.split_whitespace().map(Word::new).collect();
        let install = install(&words)?;
        let lists = [&install.requirements, &install.requirement_files, &install.unknown];
        let lists: Vec<String> = lists.iter().map(|list| list.join(" ")).collect();
        Some(format!("{:?}: {}", install.tool, lists.join(" / ").trim_end_matches([' ', '/'])))
    }

    #[test]
    fn commands_that_install() {
        let cases = [
            ("pip install a b==1.0", "Pip: a b==1.0"),
            ("pip3.6 -q install --upgrade a", "Pip: a"),
            ("/opt/bin/pip install -U -q a", "Pip: a"),
            ("sudo -H PIP=1 python3 -m pip install a", "Pip: a"),
            ("{sys.executable} -m pip install a", "Pip: a"),
            ("$sys.executable -m pip install a", "Pip: a"),
            ("uv pip install a[b]>=1", "Pip: a[b]>=1"),
            ("easy_install a", "Pip: a"),
            ("pip install -r req.txt -qr more.txt --requirement=x.txt a", "Pip: a / req.txt more.txt x.txt"),
            ("pip install -i http://h/simple --find-links d -fd -t x a --no-deps", "Pip: a"),
            (
                "pip install -e git+https://h/x#egg=x&subdirectory=y .",
                "Pip: x @ git+https://h/x#egg=x&subdirectory=y .",
            ),
            ("pip install git+https://h/x.git ../input/a.whl", "Pip: git+https://h/x.git ../input/a.whl"),
            ("pip install {x} a $y", "Pip: a /  / {x} $y"),
            ("conda install -y -c forge a=1.0 f::b=2=py36 c>=3 d==4", "Conda: a==1.0.* b==2 c>=3 d==4"),
            ("mamba install --file e.txt", "Conda:  / e.txt"),
            ("conda env create -n x -f e.yml", "Conda:  / e.yml"),
            ("conda env update", "Conda:  / environment.yml"),
            ("sudo apt-get -qq -o x=y install -y a b", "Apt: a b"),
            ("apt install a", "Apt: a"),
        ];
        for (text, expected) in cases {
            assert_eq!(installed(text).as_deref(), Some(expected), "{text}");
        }
    }

    #[test]
    fn commands_that_do_not() {
        for text in [
            "",
            "pip",
            "pip list",
            "pip uninstall a",
            "python a.py install",
            "echo pip install a",
            "ls",
            "sudo",
            "git install",
            "python -m",
            "python -m pip",
            "conda create -n x a",
            "conda info",
            "pip show install",
        ] {
            assert_eq!(installed(text), None, "{text}");
        }
    }
}
