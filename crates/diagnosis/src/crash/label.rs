//! The words of Table 5: what a crash is labelled with.

use std::fmt;

use nbrevive_spelling::string_enum;

/// A dimension of Table 5: a closed list of labels, each with the word that sheets have.
pub trait Label: Copy + Eq + fmt::Debug + 'static {
    /// The dimension's name, as a sheet's column.
    const DIMENSION: &'static str;
    /// Every label, in the paper's order.
    const ALL: &'static [Self];

    /// The word for it.
    fn code(self) -> &'static str;

    /// The label of a word; none for one that is outside the scheme.
    #[must_use]
    fn of(code: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|label| label.code().eq_ignore_ascii_case(code.trim()))
    }
}

macro_rules! labels {
    ($(#[$about:meta])* $name:ident, $dimension:literal: $($(#[$what:meta])* $label:ident = $code:literal),+ $(,)?) => {
        string_enum! {
            $(#[$about])*
            pub enum $name ($dimension) {
                $($(#[$what])* $label => $code,)+
            }
        }

        impl Label for $name {
            const DIMENSION: &'static str = $dimension;
            const ALL: &'static [Self] = $name::ALL;

            fn code(self) -> &'static str {
                self.as_str()
            }
        }
    };
}

labels! {
    /// Why a crash happened (Table 5, RQ1).
    RootCause, "root_cause":
    /// Data, or a saved model, is not as the code expects it.
    Data = "DATA",
    /// An API is used wrongly.
    Api = "API",
    /// Cells ran in another order, or an earlier one had failed.
    Notebook = "NB",
    /// The code's own logic is wrong.
    Implementation = "IMPL",
    /// A library changed.
    Library = "LIB",
    /// Modules, files or settings are missing.
    Environment = "ENV",
    /// The error is meant.
    Intentional = "INTENT",
    /// Memory, disk or time ran out.
    Resources = "RSC",
    /// It cannot be told.
    Unknown = "UNK",
}

labels! {
    /// Whether code that uses machine-learning libraries crashed (Table 5, RQ2).
    BugKind, "ml_bug":
    /// In code of such libraries, or with objects of theirs.
    Ml = "True",
    /// In general Python code.
    Python = "False",
}

labels! {
    /// Where in the pipeline the crashed code stands (Table 5, RQ3).
    Stage, "pipeline_stage":
    /// Environment setup.
    Setup = "ENVS",
    /// Data preparation.
    Preparation = "DATAP",
    /// Data visualization.
    Visualization = "DATAV",
    /// Model construction.
    Construction = "MCONS",
    /// Model training.
    Training = "MTRAIN",
    /// Evaluation and prediction.
    Evaluation = "EVAL",
    /// No machine learning: tutorials, simulations.
    Outside = "NONE",
}

labels! {
    /// What kind of exception ended it, refined (Table 5, RQ1). The paper names some of its twenty; `data/exception-types.tsv` says which of
    /// the labellers' spellings each takes.
    ExceptionType, "exception_type":
    /// A name, or a module, is not there.
    Name = "NameError",
    /// A right type with a wrong value, shapes included.
    Value = "ValueError",
    /// A wrong type, casts and broadcasts included.
    Type = "TypeError",
    /// A file that is missing, unreadable or of the wrong kind.
    Io = "IOError",
    /// An argument that an API does not take.
    ApiArgument = "APIArgumentError",
    /// An attribute that an object lacks.
    Attribute = "AttributeError",
    /// A key that a mapping or frame lacks.
    Key = "KeyError",
    /// A position beyond the end.
    Index = "IndexError",
    /// A name that a module lacks, or system configuration.
    Environment = "EnvironmentError",
    /// Memory or disk.
    Resource = "ResourceError",
    /// A server that does not answer as hoped.
    Request = "RequestError",
    /// An error of no narrower type.
    Runtime = "RuntimeError",
    /// Code that Python cannot read.
    Syntax = "SyntaxError",
    /// An assertion.
    Assertion = "AssertionError",
    /// An object that is used before it is set up.
    Initialization = "InitializationError",
    /// A division by zero, an overflow.
    Arithmetic = "ArithmeticError",
    /// A text in another encoding.
    Unicode = "UnicodeError",
    /// Something that is not implemented.
    NotImplemented = "NotImplementedError",
    /// The interpreter, or its end (`SystemExit`).
    System = "SystemError",
    /// `Exception` and what else nobody defined further.
    Other = "Exception",
}
