//! Environment markers (PEP 508): when a requirement applies, for an interpreter on Linux.

mod reader;

use std::fmt;

use pep440_rs::{Version, VersionSpecifier};

use crate::interpreter::Interpreter;
use crate::versions::{normalise, specifiers, within};

/// When a requirement applies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EnvironmentMarker {
    /// All of them hold.
    All(Vec<EnvironmentMarker>),
    /// One of them holds.
    Any(Vec<EnvironmentMarker>),
    /// A comparison.
    Compare(Comparison),
    /// A text that cannot be read. It counts as true, except where it speaks of extras: then it never applies, for
    /// an extra that nobody asked for must not be installed.
    Unreadable(Box<str>),
}

/// `python_version < "3"`, with the variable on the left.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comparison {
    variable: Variable,
    operator: Relation,
    text: Box<str>,
    /// The literal as a bound, where the comparison is one of versions.
    bound: Option<VersionSpecifier>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Variable {
    PythonVersion,
    PythonFullVersion,
    OsName,
    SysPlatform,
    PlatformMachine,
    PlatformSystem,
    PlatformImplementation,
    ImplementationName,
    ImplementationVersion,
    /// Release and version of the operating system's kernel: unknown for the machine of a plan.
    Platform,
    Extra,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Relation {
    Less,
    LessOrEqual,
    Equal,
    NotEqual,
    GreaterOrEqual,
    Greater,
    Compatible,
    Identical,
    In,
    NotIn,
    /// `"linux" in sys_platform`.
    Contains,
    /// `"linux" not in sys_platform`.
    ContainsNot,
}

/// The values of the marker variables for one interpreter on Linux.
#[derive(Debug, Clone)]
pub struct MarkerEnvironment {
    python_version: Version,
    python_full_version: Version,
    python_text: String,
    full_text: String,
    machine: String,
    two: bool,
}

impl MarkerEnvironment {
    /// The values for an interpreter.
    #[must_use]
    pub fn of(interpreter: &Interpreter) -> Self {
        let minor = interpreter.minor();
        Self {
            python_version: Version::new([u64::from(minor.major), u64::from(minor.minor)]),
            python_full_version: interpreter.version.clone(),
            python_text: minor.to_string(),
            full_text: interpreter.version.to_string(),
            machine: interpreter.machine.clone(),
            two: minor.major == 2,
        }
    }

    fn version(&self, variable: Variable) -> Option<&Version> {
        match variable {
            Variable::PythonVersion => Some(&self.python_version),
            Variable::PythonFullVersion => Some(&self.python_full_version),
            // Python 2 has no `sys.implementation`; installers of its time say 0.
            Variable::ImplementationVersion if !self.two => Some(&self.python_full_version),
            _ => None,
        }
    }

    fn text(&self, variable: Variable) -> &str {
        match variable {
            Variable::PythonVersion => &self.python_text,
            Variable::PythonFullVersion => &self.full_text,
            Variable::OsName => "posix",
            Variable::SysPlatform if self.two => "linux2",
            Variable::SysPlatform => "linux",
            Variable::PlatformMachine => &self.machine,
            Variable::PlatformSystem => "Linux",
            Variable::PlatformImplementation => "CPython",
            Variable::ImplementationName if self.two => "",
            Variable::ImplementationName => "cpython",
            Variable::ImplementationVersion if self.two => "0",
            Variable::ImplementationVersion => &self.full_text,
            Variable::Platform | Variable::Extra => "",
        }
    }
}

impl EnvironmentMarker {
    /// Reads the text behind the `;`; `None` for an empty one.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let text = text.split(" #").next().unwrap_or_default().trim();
        if text.is_empty() {
            return None;
        }
        Some(reader::read(text).unwrap_or_else(|| {
            tracing::debug!(marker = text, "unreadable marker, counted as true");
            Self::Unreadable(text.into())
        }))
    }

    /// Whether it could not be read, so that what it says is only guessed.
    pub(crate) const fn is_guessed(&self) -> bool {
        matches!(self, Self::Unreadable(_))
    }

    /// Whether it holds, for the distribution itself (`None`) or while one of its extras is looked at.
    #[must_use]
    pub fn holds(&self, environment: &MarkerEnvironment, extra: Option<&str>) -> bool {
        match self {
            Self::All(parts) => parts.iter().all(|part| part.holds(environment, extra)),
            Self::Any(parts) => parts.iter().any(|part| part.holds(environment, extra)),
            Self::Compare(comparison) => comparison.holds(environment, extra),
            Self::Unreadable(text) => !text.contains("extra"),
        }
    }
}

impl Comparison {
    fn new(variable: Variable, operator: Relation, text: &str) -> Self {
        let compares_versions =
            matches!(variable, Variable::PythonVersion | Variable::PythonFullVersion | Variable::ImplementationVersion);
        let symbol = operator.symbol();
        let bound = symbol
            .filter(|_| compares_versions)
            .and_then(|symbol| specifiers(&format!("{symbol}{}", text.trim())).iter().next().cloned());
        Self { variable, operator, text: text.into(), bound }
    }

    fn holds(&self, environment: &MarkerEnvironment, extra: Option<&str>) -> bool {
        if self.variable == Variable::Extra {
            let same = extra.is_some_and(|extra| extra == normalise(&self.text));
            return same == matches!(self.operator, Relation::Equal | Relation::Identical | Relation::In);
        }
        let version = environment.version(self.variable);
        if let (Some(bound), Some(version)) = (&self.bound, version) {
            return within(&bound.clone().into(), version);
        }
        let value = environment.text(self.variable);
        match self.operator {
            Relation::In => self.lists(value, version.is_some()),
            Relation::NotIn => !self.lists(value, version.is_some()),
            Relation::Contains => value.contains(&*self.text),
            Relation::ContainsNot => !value.contains(&*self.text),
            Relation::Equal | Relation::Identical => value == &*self.text,
            Relation::NotEqual => value != &*self.text,
            Relation::Less => value < &*self.text,
            Relation::LessOrEqual => value <= &*self.text,
            Relation::Greater => value > &*self.text,
            Relation::GreaterOrEqual | Relation::Compatible => value >= &*self.text,
        }
    }

    /// `python_version in "2.6 2.7 3.1"` lists versions: read as text, 3.1 would be in "3.10" too.
    fn lists(&self, value: &str, is_version: bool) -> bool {
        if is_version {
            self.text.split([' ', ',', ';', '|']).any(|listed| listed.trim() == value)
        } else {
            self.text.contains(value)
        }
    }
}

impl Relation {
    /// The operator of PEP 440 of the same meaning.
    fn symbol(self) -> Option<&'static str> {
        Some(match self {
            Self::Less => "<",
            Self::LessOrEqual => "<=",
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::GreaterOrEqual => ">=",
            Self::Greater => ">",
            Self::Compatible => "~=",
            Self::Identical => "===",
            Self::In | Self::NotIn | Self::Contains | Self::ContainsNot => return None,
        })
    }

    fn read(symbol: &str) -> Option<Self> {
        Some(match symbol {
            "<" => Self::Less,
            "<=" => Self::LessOrEqual,
            "==" => Self::Equal,
            "!=" => Self::NotEqual,
            ">=" => Self::GreaterOrEqual,
            ">" => Self::Greater,
            "~=" => Self::Compatible,
            "===" => Self::Identical,
            "in" => Self::In,
            "not in" => Self::NotIn,
            _ => return None,
        })
    }

    /// The same relation with its sides exchanged.
    fn turned(self) -> Self {
        match self {
            Self::Less => Self::Greater,
            Self::LessOrEqual => Self::GreaterOrEqual,
            Self::Greater => Self::Less,
            Self::GreaterOrEqual => Self::LessOrEqual,
            Self::In => Self::Contains,
            Self::NotIn => Self::ContainsNot,
            same => same,
        }
    }
}

/// Variables with their spellings, those of before PEP 508 behind the first.
const VARIABLES: [(Variable, &[&str]); 11] = [
    (Variable::PythonVersion, &["python_version"]),
    (Variable::PythonFullVersion, &["python_full_version"]),
    (Variable::OsName, &["os_name", "os.name"]),
    (Variable::SysPlatform, &["sys_platform", "sys.platform"]),
    (Variable::PlatformMachine, &["platform_machine", "platform.machine"]),
    (Variable::PlatformSystem, &["platform_system", "platform.system"]),
    (
        Variable::PlatformImplementation,
        &["platform_python_implementation", "platform.python_implementation", "python_implementation"],
    ),
    (Variable::ImplementationName, &["implementation_name"]),
    (Variable::ImplementationVersion, &["implementation_version"]),
    (Variable::Platform, &["platform_version", "platform.version", "platform_release", "platform.release"]),
    (Variable::Extra, &["extra", "extras"]),
];

impl fmt::Display for EnvironmentMarker {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (parts, between) = match self {
            Self::All(parts) => (parts, " and "),
            Self::Any(parts) => (parts, " or "),
            Self::Compare(comparison) => return comparison.fmt(formatter),
            Self::Unreadable(text) => return formatter.write_str(text),
        };
        for (at, part) in parts.iter().enumerate() {
            let before = if at == 0 { "" } else { between };
            match part {
                Self::Compare(_) => write!(formatter, "{before}{part}")?,
                _ => write!(formatter, "{before}({part})")?,
            }
        }
        Ok(())
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let spelled = VARIABLES.iter().find(|(variable, _)| *variable == self.variable);
        let name = spelled.map_or("", |(_, names)| names[0]);
        let quote = if self.text.contains('"') { '\'' } else { '"' };
        let text = &self.text;
        match self.operator {
            Relation::Contains => write!(formatter, "{quote}{text}{quote} in {name}"),
            Relation::ContainsNot => write!(formatter, "{quote}{text}{quote} not in {name}"),
            Relation::In => write!(formatter, "{name} in {quote}{text}{quote}"),
            Relation::NotIn => write!(formatter, "{name} not in {quote}{text}{quote}"),
            other => write!(formatter, "{name} {} {quote}{text}{quote}", other.symbol().unwrap_or("==")),
        }
    }
}
