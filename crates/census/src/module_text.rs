//! What is known of one module: its names, and what they are bound to.

use std::collections::{BTreeMap, BTreeSet};

use crate::class::ClassText;
use crate::function::FunctionText;
use crate::hints::Hints;

/// What a name of a module is bound to.
#[derive(Debug, Clone)]
pub(crate) enum Bound {
    Function(FunctionText),
    Class(ClassText),
    /// A name of another module, or that module itself.
    From(String, String),
    Module(String),
    /// Another name of this module, or an attribute of one.
    Alias(String),
    Value,
}

/// One module, as its text has it.
#[derive(Debug, Clone, Default)]
pub(crate) struct ModuleText {
    pub(crate) names: BTreeMap<String, Bound>,
    /// Modules whose names are all taken over.
    pub(crate) stars: Vec<String>,
    /// `__all__`, where there is one.
    pub(crate) all: Option<Exports>,
    /// Whether names are made when asked for (`__getattr__`), or written into `globals()`.
    pub(crate) dynamic: bool,
    /// Words at the level of a module with `__getattr__`, which may be names that are made.
    pub(crate) hints: Hints,
    /// Members that a loop sets on classes: the class, and the function that lists them, as they are written.
    pub(crate) listed_members: Vec<(String, String)>,
    /// Texts of the lists that functions return.
    pub(crate) returned: BTreeMap<String, Vec<String>>,
    /// What is said of its end.
    pub(crate) deprecated: Option<String>,
    /// Whether the text is Python 3.
    pub(crate) sound: bool,
}

/// What `__all__` says.
#[derive(Debug, Clone, Default)]
pub(crate) struct Exports {
    pub(crate) names: BTreeSet<String>,
    /// Modules or names whose `__all__` is added.
    pub(crate) of: Vec<String>,
    /// Whether all of it was understood.
    pub(crate) complete: bool,
}
