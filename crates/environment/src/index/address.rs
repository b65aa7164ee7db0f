//! Where the package index is: always the user's configuration, never a constant of ours.

use std::fmt;
use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

use nbrevive_files::read_text;

use crate::process;

/// Longest file of settings, or of pip's source, that is read, in bytes.
const LONGEST: u64 = 16 << 20;
/// Longest time for a pip that is asked for its configuration.
const PIP_LIMIT: Duration = Duration::from_secs(30);

/// The index's address and who named it.
#[derive(Clone, PartialEq, Eq)]
pub struct IndexAddress {
    /// Address of the Simple API without a trailing `/`; may hold credentials, so it is never printed whole.
    simple: String,
    /// Who named it.
    pub source: AddressSource,
}

/// Who named the index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AddressSource {
    /// The caller.
    Given,
    /// An environment variable.
    Variable(&'static str),
    /// uv's configuration file.
    UvFile(PathBuf),
    /// pip's configuration.
    PipConfiguration,
    /// The default that pip itself was built with.
    PipDefault,
}

/// No configuration names an index.
#[derive(Debug, thiserror::Error)]
#[error("no package index is configured: set NBREVIVE_INDEX_URL, or install pip so that its configuration can be read")]
pub struct NoAddress;

/// The variables that may name the index, in order of precedence.
const VARIABLES: [&str; 4] = ["NBREVIVE_INDEX_URL", "UV_DEFAULT_INDEX", "UV_INDEX_URL", "PIP_INDEX_URL"];
/// The names under which a Python with pip is sought.
const PYTHONS: [&str; 2] = ["python3", "python"];

impl IndexAddress {
    /// The address of a Simple API, for example from a setting.
    #[must_use]
    pub fn given(simple: &str) -> Self {
        Self::new(simple, AddressSource::Given)
    }

    fn new(simple: &str, source: AddressSource) -> Self {
        // uv writes an index as `name=url` where it has a name.
        let bare = simple.split_once('=').filter(|(name, _)| !name.contains(['/', ':'])).map_or(simple, |(_, url)| url);
        Self { simple: bare.trim().trim_end_matches('/').to_owned(), source }
    }

    /// Finds the configured index: `NBREVIVE_INDEX_URL`, `UV_DEFAULT_INDEX`, `UV_INDEX_URL`, `PIP_INDEX_URL`, uv's
    /// user or system file, pip's configuration, and at last the default that pip was built with.
    ///
    /// # Errors
    /// [`NoAddress`] when nothing names one and there is no pip to ask.
    pub fn find() -> Result<Self, NoAddress> {
        static PIP_DEFAULT: OnceLock<Option<IndexAddress>> = OnceLock::new();
        Self::configured().or_else(|| PIP_DEFAULT.get_or_init(from_pip_default).clone()).ok_or(NoAddress)
    }

    /// The index that some configuration names; `None` where the installers' own default serves. Files are read once a
    /// process.
    #[must_use]
    pub fn configured() -> Option<Self> {
        static PIP: OnceLock<Option<IndexAddress>> = OnceLock::new();
        from_variables(|name| std::env::var(name).ok())
            .or_else(from_uv_files)
            .or_else(|| PIP.get_or_init(from_pip_configuration).clone())
    }

    /// The address whole, for a program that needs the credentials; never for people or files.
    pub(crate) fn with_credentials(&self) -> &str {
        &self.simple
    }

    /// Address of a distribution in the Simple API.
    pub(crate) fn simple(&self, name: &str) -> String {
        format!("{}/{name}/", self.simple)
    }

    /// Address of a distribution in the JSON API.
    pub(crate) fn json(&self, name: &str) -> String {
        format!("{}/pypi/{name}/json", self.simple.strip_suffix("/simple").unwrap_or(&self.simple))
    }
}

impl fmt::Debug for IndexAddress {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "IndexAddress({self}, {:?})", self.source)
    }
}

impl fmt::Display for IndexAddress {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&redacted(&self.simple))
    }
}

/// An address without user name and password.
pub(crate) fn redacted(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    let host_end = rest.find('/').unwrap_or(rest.len());
    match rest[..host_end].rfind('@') {
        Some(at) => format!("{scheme}://{}", &rest[at + 1..]),
        None => url.to_owned(),
    }
}

fn from_variables(variable: impl Fn(&str) -> Option<String>) -> Option<IndexAddress> {
    VARIABLES.iter().find_map(|name| {
        let value = variable(name).filter(|value| !value.trim().is_empty())?;
        Some(IndexAddress::new(&value, AddressSource::Variable(name)))
    })
}

fn from_uv_files() -> Option<IndexAddress> {
    let user = std::env::var_os("XDG_CONFIG_HOME")
        .map(PathBuf::from)
        .or_else(|| std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".config")));
    let named = std::env::var_os("UV_CONFIG_FILE").map(PathBuf::from);
    let paths =
        named.into_iter().chain(user.map(|folder| folder.join("uv/uv.toml"))).chain([PathBuf::from("/etc/uv/uv.toml")]);
    paths.into_iter().find_map(|path| {
        let url = default_in_uv_file(&read_text(&path, LONGEST).ok()?)?;
        Some(IndexAddress::new(&url, AddressSource::UvFile(path)))
    })
}

/// The default index of a `uv.toml`: `index-url` (top level or `[pip]`), or an `[[index]]` with `default = true`.
fn default_in_uv_file(text: &str) -> Option<String> {
    let mut found = None;
    let (mut url, mut default) = (None, false);
    for line in text.lines().chain(["[end]"]) {
        let line = line.trim();
        if line.starts_with('[') {
            found = found.or(url.take().filter(|_| default));
            default = false;
            continue;
        }
        let Some((key, value)) = line.split_once('=') else { continue };
        let value = value.trim();
        match key.trim() {
            "index-url" => found = found.or_else(|| quoted(value)),
            "url" => url = quoted(value),
            "default" => default = value.starts_with("true"),
            _ => {}
        }
    }
    found
}

/// The text of a quoted TOML value, before a comment.
fn quoted(value: &str) -> Option<String> {
    let quote = value.chars().next().filter(|first| matches!(first, '"' | '\''))?;
    value[1..].split_once(quote).map(|(inside, _)| inside.to_owned())
}

/// pip's configuration files, the strongest first: pip itself takes a second to say what is in them.
fn from_pip_configuration() -> Option<IndexAddress> {
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let user = std::env::var_os("XDG_CONFIG_HOME")
        .map(PathBuf::from)
        .or_else(|| home.as_ref().map(|home| home.join(".config")));
    let files = std::env::var_os("PIP_CONFIG_FILE")
        .map(PathBuf::from)
        .into_iter()
        .chain(std::env::var_os("VIRTUAL_ENV").map(|folder| PathBuf::from(folder).join("pip.conf")))
        .chain(user.map(|folder| folder.join("pip/pip.conf")))
        .chain(home.map(|home| home.join(".pip/pip.conf")))
        .chain(["/etc/xdg/pip/pip.conf", "/etc/pip.conf"].map(PathBuf::from));
    files.into_iter().find_map(|path| {
        let url = index_in_pip_file(&read_text(&path, LONGEST).ok()?)?;
        Some(IndexAddress::new(&url, AddressSource::PipConfiguration))
    })
}

/// The index of a `pip.conf`: `index-url` of `[install]`, else of `[global]`.
fn index_in_pip_file(text: &str) -> Option<String> {
    let (mut section, mut global, mut install) = (String::new(), None, None);
    for line in text.lines().map(str::trim) {
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            section = name.trim().to_lowercase();
        } else if let Some((key, value)) = line.split_once(['=', ':'])
            && matches!(key.trim(), "index-url" | "index_url" | "i")
        {
            let value = Some(value.trim().to_owned()).filter(|value| value.contains("://"));
            match section.as_str() {
                "global" => global = value.or(global),
                "install" => install = value.or(install),
                _ => {}
            }
        }
    }
    install.or(global)
}

fn python(arguments: &[&str]) -> Option<String> {
    PYTHONS.iter().find_map(|python| {
        let finished = process::run(Command::new(python).args(arguments), PIP_LIMIT).ok()?;
        finished.success.then_some(finished.output)
    })
}

fn from_pip_default() -> Option<IndexAddress> {
    let url = from_pip_source().or_else(|| default_in_pip_help(&python(&["-m", "pip", "install", "--help"])?))?;
    Some(IndexAddress::new(&url, AddressSource::PipDefault))
}

/// The default as pip's source has it, where it is where it was for years; its help says the same a second later.
fn from_pip_source() -> Option<String> {
    const FIND: &str = "import importlib.util; print(importlib.util.find_spec('pip').origin)";
    let origin = python(&["-c", FIND])?;
    let source = std::path::Path::new(origin.trim()).parent()?.join("_internal/models/index.py");
    default_in_pip_source(&read_text(&source, LONGEST).ok()?)
}

/// The host of the one index that is not for tests, to which pip adds `/simple`.
fn default_in_pip_source(text: &str) -> Option<String> {
    let (_, call) = text.split_once("\nPyPI = PackageIndex(")?;
    let url = call.trim_start().strip_prefix('"')?.split_once('"')?.0.trim_end_matches('/');
    url.contains("://").then(|| format!("{url}/simple"))
}

/// pip's built-in default, which its help names: `(default <url>)`, wrapped at any blank.
fn default_in_pip_help(help: &str) -> Option<String> {
    let words: Vec<&str> = help.split_whitespace().collect();
    let option = words.iter().position(|word| word.starts_with("--index-url"))?;
    let default = words[option..].iter().position(|word| word.trim_start_matches('(') == "default")? + option;
    let url = words.get(default + 1)?.trim_end_matches([')', '.', ',']);
    url.contains("://").then(|| url.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_variable_comes_first_and_empty_ones_do_not_count() {
        let set = |pairs: &'static [(&str, &str)]| {
            move |name: &str| pairs.iter().find(|pair| pair.0 == name).map(|pair| pair.1.to_owned())
        };
        let found = from_variables(set(&[
            ("PIP_INDEX_URL", "http://pip/simple/"),
            ("NBREVIVE_INDEX_URL", "http://ours/simple"),
        ]))
        .unwrap();
        assert_eq!(
            (found.to_string(), found.source),
            ("http://ours/simple".into(), AddressSource::Variable("NBREVIVE_INDEX_URL"))
        );
        let found = from_variables(set(&[("NBREVIVE_INDEX_URL", " "), ("UV_DEFAULT_INDEX", "mine=http://uv/simple/")]))
            .unwrap();
        assert_eq!(found.to_string(), "http://uv/simple");
        assert_eq!(from_variables(set(&[])), None);
    }

    #[test]
    fn addresses_of_both_interfaces_and_no_credentials_in_print() {
        let address = IndexAddress::given("https://me:secret@index.example/root/simple/");
        assert_eq!(address.json("numpy"), "https://me:secret@index.example/root/pypi/numpy/json");
        assert_eq!(address.simple("numpy"), "https://me:secret@index.example/root/simple/numpy/");
        assert_eq!(address.to_string(), "https://index.example/root/simple");
        assert!(!format!("{address:?}").contains("secret"));
    }

    #[test]
    fn pips_help_names_its_default() {
        let help = "  -i, --index-url <url>   Base URL of the Package Index (default\n    https://index.example/simple). This should\n  --extra-index-url <url>";
        assert_eq!(default_in_pip_help(help).as_deref(), Some("https://index.example/simple"));
        assert_eq!(default_in_pip_help("  -i, --index-url <url> Base URL (default None)."), None);
    }

    #[test]
    fn pip_files_name_an_index() {
        let index = |text: &str| index_in_pip_file(text);
        assert_eq!(index("[global]\nindex-url = http://a/simple\n").as_deref(), Some("http://a/simple"));
        let both = "[install]\nindex_url: http://b:8080/simple\n[global]\nindex-url=http://a/simple\n";
        assert_eq!(index(both).as_deref(), Some("http://b:8080/simple"));
        assert_eq!(index("[search]\nindex-url = http://c\n[global]\ntimeout = 60\nindex-url = nonsense\n"), None);
    }

    #[test]
    fn pips_source_and_its_help_name_one_default() {
        let source = "x = 1\nPyPI = PackageIndex(\n    \"https://index.example/\", file_storage_domain=\"files\"\n)\n";
        assert_eq!(default_in_pip_source(source).as_deref(), Some("https://index.example/simple"));
        assert_eq!(default_in_pip_source("PyPI = PackageIndex(host)"), None);
        let help = python(&["-m", "pip", "install", "--help"]).expect("tests need a Python with pip");
        assert_eq!(from_pip_source(), default_in_pip_help(&help));
    }

    #[test]
    fn uv_files_name_a_default() {
        assert_eq!(
            default_in_uv_file("[pip]\nindex-url = \"http://a/simple\" # x\n").as_deref(),
            Some("http://a/simple")
        );
        let tables = "[[index]]\nname = \"x\"\nurl = \"http://x\"\n\n[[index]]\nurl = 'http://y'\ndefault = true\n";
        assert_eq!(default_in_uv_file(tables).as_deref(), Some("http://y"));
        assert_eq!(default_in_uv_file("native-tls = true\n"), None);
    }
}
