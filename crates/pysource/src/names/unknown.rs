//! Where the text does not tell what happens to the namespace.

use std::fmt;
use std::ops::Range;

use serde::Serialize;

/// A place that may do more with names than can be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundUnknown {
    /// Why it is not known.
    pub cause: UnknownCause,
    /// How many events of the same list happen before.
    pub after: usize,
    /// Line in the cell, from 1.
    pub line: u32,
    /// Place in bytes of the cell.
    pub span: Range<usize>,
}

/// Why it is not known what happens to names.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case", tag = "cause", content = "what")]
pub enum UnknownCause {
    /// `from module import *`: binds whatever the module has.
    StarImport(String),
    /// `exec(text)`: runs a text.
    Exec,
    /// `eval(text)`: computes a text.
    Eval,
    /// `globals()`, `locals()` or `vars()` at the top level, `import __main__`: the namespace as a value.
    Namespace(String),
    /// `dir()`: the names that there are.
    Listing,
    /// `%run file`, `%load file`, `%pylab`, `%store -r`: binds what another file or session has.
    Loaded(String),
    /// `%reset`: deletes names.
    Reset(String),
    /// A magic that does not come with IPython or a known extension, by its name.
    Magic(String),
}

impl UnknownCause {
    /// Whether it may give names a value.
    #[must_use]
    pub fn may_bind(&self) -> bool {
        !matches!(self, Self::Eval | Self::Listing | Self::Reset(_))
    }

    /// Whether it may delete names.
    #[must_use]
    pub fn may_delete(&self) -> bool {
        matches!(self, Self::Exec | Self::Namespace(_) | Self::Reset(_) | Self::Magic(_))
    }
}

impl fmt::Display for UnknownCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::StarImport(module) => write!(f, "from {module} import *"),
            Self::Exec => f.write_str("exec()"),
            Self::Eval => f.write_str("eval()"),
            Self::Namespace(what) => f.write_str(what),
            Self::Listing => f.write_str("dir()"),
            Self::Loaded(magic) | Self::Reset(magic) | Self::Magic(magic) => f.write_str(magic),
        }
    }
}
