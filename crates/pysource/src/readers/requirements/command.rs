//! One command as words: does it install, and what?

use super::refused::{InstallRefusal, RefusedPiece};
use super::shell::Word;
use super::{Tool, options};
use options::{APT, CONDA, CONDA_ENV, Options, PIP};

/// What a command installs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Install {
    pub(super) tool: Tool,
    pub(super) requirements: Vec<String>,
    pub(super) requirement_files: Vec<String>,
    pub(super) unknown: Vec<String>,
    pub(super) refused: Vec<RefusedPiece>,
}

/// What the command installs, `None` when it does not install.
pub(super) fn install(words: &[Word]) -> Option<Install> {
    let start = words.iter().position(|word| !is_prefix(&word.text))?;
    let (program, arguments) = words[start..].split_first()?;
    let mut install = of_program(&program.text, arguments)?;
    if install.tool != Tool::Apt {
        let settings = words[..start].iter().filter(|word| is_assignment(&word.text));
        install.refused.splice(0..0, settings.map(|word| refused(&word.text, InstallRefusal::Setting)));
    }
    Some(install)
}

/// What a program with these arguments installs.
fn of_program(program: &str, arguments: &[Word]) -> Option<Install> {
    match program_name(program) {
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
    let wrappers =
        ["sudo", "time", "nohup", "exec", "command", "then", "do", "else", "if", "!", "{", "env", "-H", "-E"];
    is_assignment(word) || wrappers.contains(&word)
}

/// `NAME=value`.
fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    })
}

fn refused(piece: &str, why: InstallRefusal) -> RefusedPiece {
    RefusedPiece { piece: piece.to_owned(), why }
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
    let mut install = Install {
        tool,
        requirements: Vec::new(),
        requirement_files: Vec::new(),
        unknown: Vec::new(),
        refused: Vec::new(),
    };
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        if word.text == "--" {
            continue;
        }
        let Some(option) = word.text.strip_prefix('-').filter(|option| !option.is_empty()) else {
            install.requirement(word);
            continue;
        };
        let option = options.read(option);
        let attached = option.attached.map(|text| Word { text, is_dynamic: word.is_dynamic });
        let is_apart = option.takes_value && attached.is_none();
        let value = if is_apart { words.next().cloned() } else { attached };
        let apart = value.as_ref().filter(|_| is_apart).map_or_else(String::new, |value| format!(" {}", value.text));
        let piece = format!("{}{apart}", word.text);
        install.option(options, &option.names, (&piece, value.as_ref()));
    }
    install
}

impl Install {
    /// One option: by its letters, or its long name.
    fn option(&mut self, options: &Options, names: &[String], (piece, value): (&str, Option<&Word>)) {
        let among = |list: &[&str]| names.iter().any(|name| list.contains(&name.as_str()));
        let mut others = names.iter().filter(|name| !options.files.contains(&name.as_str()));
        let harmless = others.all(|name| options.harmless.contains(&name.as_str()));
        if let Some(value) = value.filter(|_| among(options.files)) {
            let list = if value.is_dynamic { &mut self.unknown } else { &mut self.requirement_files };
            list.push(value.text.clone());
        }
        if !harmless && self.tool != Tool::Apt {
            let why = if among(options.editable) {
                InstallRefusal::Editable
            } else if self.tool == Tool::Conda && among(&["c", "channel"]) {
                InstallRefusal::Channel
            } else {
                InstallRefusal::Option
            };
            self.refused.push(refused(piece, why));
        }
    }

    fn requirement(&mut self, word: &Word) {
        let text = word.text.trim();
        let is_name = text.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '.' | '/' | '~' | '_'));
        if word.is_dynamic {
            self.unknown.push(text.to_owned());
        } else if !is_name {
            let pieces =
                (!text.is_empty() && self.tool != Tool::Apt).then(|| refused(text, InstallRefusal::Unreadable));
            self.refused.extend(pieces);
        } else {
            self.requirements.push(match self.tool {
                Tool::Pip => named_address(text),
                Tool::Conda => {
                    if let Some((channel, _)) = text.rsplit_once("::") {
                        self.refused.push(refused(&format!("{channel}::"), InstallRefusal::Channel));
                    }
                    conda_requirement(text)
                }
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

    fn refused_of(text: &str) -> Vec<String> {
        let words: Vec<Word> = text.split_whitespace().map(Word::new).collect();
        let install = install(&words).unwrap();
        install.refused.iter().map(|refused| format!("{} ({})", refused.piece, refused.why.as_str())).collect()
    }

    #[test]
    fn options_that_say_from_where_are_refused_in_every_spelling() {
        let cases = [
            ("pip install a -i http://h", "-i http://h (option)"),
            ("pip install -ihttp://h a", "-ihttp://h (option)"),
            ("pip install -qi http://h a", "-qi http://h (option)"),
            ("pip install -i=http://h a", "-i=http://h (option)"),
            ("pip install --index-url=http://h a", "--index-url=http://h (option)"),
            ("pip install --index-url http://h a", "--index-url http://h (option)"),
            ("pip install --index http://h a", "--index http://h (option)"),
            ("pip install --extra http://h a", "--extra http://h (option)"),
            ("pip install --find-li d a", "--find-li d (option)"),
            ("pip install --pypi-url http://h a", "--pypi-url http://h (option)"),
            ("pip install -c x a", "-c x (option)"),
            ("pip install --no-index -f /d a", "--no-index (option), -f /d (option)"),
            ("pip install -t/x --root=/ --cache-dir y a", "-t/x (option), --root=/ (option), --cache-dir y (option)"),
            ("pip install --never-heard-of a", "--never-heard-of (option)"),
            ("pip install -e git+http://h#egg=a", "-e git+http://h#egg=a (editable)"),
            ("pip install --edit=.", "--edit=. (editable)"),
            ("env PIP_INDEX_URL=http://h X=y pip install a", "PIP_INDEX_URL=http://h (setting), X=y (setting)"),
            ("conda install -c forge -yc=b d::a", "-c forge (channel), -yc=b (channel), d:: (channel)"),
            ("apt install -o x=y a", ""),
            ("pip install -qU --upgrade --user --no-cache-dir --timeout 5 --pre -I a --no-deps", ""),
        ];
        for (text, expected) in cases {
            assert_eq!(refused_of(text).join(", "), expected, "{text}");
        }
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
            ("pip install -e git+https://h/x#egg=x&subdirectory=y .", "Pip: ."),
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
