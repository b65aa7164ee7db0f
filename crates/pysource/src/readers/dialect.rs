//! What tells Python 2 from 3 in a cell, and what cells say together: see [`crate::dialect`].

mod names;
mod syntax;
mod tree;

use std::collections::HashSet;
use std::fmt;

use serde::Serialize;

use tree_sitter::Tree;

use crate::magics::module::with_module;
pub(crate) use tree::{Facts, facts};

/// A major version of Python.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Major {
    /// Python 2.
    Two,
    /// Python 3.
    Three,
}

impl Major {
    /// 2 or 3.
    #[must_use]
    pub fn number(self) -> u32 {
        match self {
            Self::Two => 2,
            Self::Three => 3,
        }
    }
}

/// What a notebook's code says about its Python.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dialect {
    /// The major version.
    pub major: Major,
    /// All markers found, of both majors, the same sign once a cell.
    pub why: Vec<DialectMarker>,
    /// The lowest minor that the syntax needs: for Python 3 the highest [`Sign::minor`] found, 0 without any; for
    /// Python 2 always 7.
    pub minimum_minor: u32,
}

/// One sign at one place.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DialectMarker {
    /// What was seen.
    pub sign: Sign,
    /// Index into the cells given.
    pub cell: usize,
    /// Line in the cell, from 1.
    pub line: u32,
}

/// Something that one major has and the other has not.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Sign {
    /// Syntax of Python 2 that Python 3 rejects.
    OldSyntax(OldSyntax),
    /// A builtin, module, method or attribute of Python 2 that Python 3 misses at run time, as written.
    OldName(String),
    /// As [`Sign::OldName`], but found in Python 3 too: `iteritems` (a pandas method until 2.0) and
    /// `from __future__ import`. Never decides alone.
    OldHint(String),
    /// Syntax of Python 3 that Python 2 rejects.
    NewSyntax(NewSyntax),
}

impl Sign {
    /// The major that it speaks for.
    #[must_use]
    pub fn major(&self) -> Major {
        match self {
            Self::OldSyntax(_) | Self::OldName(_) | Self::OldHint(_) => Major::Two,
            Self::NewSyntax(_) => Major::Three,
        }
    }

    /// Whether the other major rejects it before running anything.
    #[must_use]
    pub fn is_strong(&self) -> bool {
        matches!(self, Self::OldSyntax(_) | Self::NewSyntax(_))
    }

    /// The minor of Python 3 that brought it, 0 for signs of Python 2.
    #[must_use]
    pub fn minor(&self) -> u32 {
        match self {
            Self::NewSyntax(syntax) => syntax.minor(),
            Self::OldSyntax(_) | Self::OldName(_) | Self::OldHint(_) => 0,
        }
    }
}

/// Writes the enum with one spelling for people and one minor a variant, so that neither can be forgotten.
macro_rules! signs {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident: $text:literal, $minor:literal;)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name { $($(#[$variant_doc])* $variant,)* }

        impl $name {
            /// The minor version that brought it.
            #[must_use]
            pub fn minor(self) -> u32 {
                match self { $(Self::$variant => $minor,)* }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self { $(Self::$variant => $text,)* })
            }
        }
    };
}

signs! {
    /// Syntax that only Python 2 has; the minor is that of Python 2.
    OldSyntax {
        /// `print x`
        PrintStatement: "print statement", 0;
        /// `exec code in names`
        ExecStatement: "exec statement", 0;
        /// `except E, e:`
        ExceptComma: "except with a comma", 0;
        /// `raise E, "message"`
        RaiseComma: "raise with a comma", 0;
        /// `` `x` ``
        Backquotes: "backquotes", 0;
        /// `a <> b`
        AngleInequality: "<> operator", 0;
        /// `10L`
        LongLiteral: "long literal", 0;
        /// `0777`
        OctalLiteral: "octal literal without o", 0;
        /// `ur"…"`
        UnicodeRawString: "ur string", 0;
        /// `def f(a, (b, c)):`
        TupleParameter: "tuple parameter", 0;
        /// `[x for x in 1, 2]`
        BareTupleInComprehension: "bare tuple in a comprehension", 0;
        /// Indentation that is only consistent with tabs of eight columns.
        TabIndentation: "tabs as eight columns", 0;
    }
}

signs! {
    /// Syntax that only Python 3 has, from the minor given.
    NewSyntax {
        /// `print(x, end="")` or `print(*x)` without the future import
        PrintFunction: "print as a function", 0;
        /// `def f(a: int) -> str:`
        Annotation: "annotation", 0;
        /// `def f(*, a):`
        KeywordOnlyParameter: "keyword-only parameter", 0;
        /// `nonlocal x`
        Nonlocal: "nonlocal", 0;
        /// `raise E from e`
        RaiseFrom: "raise from", 0;
        /// `a, *b = c`
        StarredTarget: "starred target", 0;
        /// `class A(metaclass=M):`
        ClassKeyword: "keyword in a class statement", 0;
        /// `yield from x`
        YieldFrom: "yield from", 3;
        /// `a @ b`
        MatrixMultiplication: "matrix multiplication", 5;
        /// `async` and `await`
        Async: "async or await", 5;
        /// `[*a, *b]`, `{**a}`, `f(*a, *b)`
        Unpacking: "unpacking in displays and calls", 5;
        /// `f"{x}"`
        FormattedString: "f-string", 6;
        /// `x: int = 1`
        VariableAnnotation: "variable annotation", 6;
        /// `1_000`
        UnderscoreInNumber: "underscore in a number", 6;
        /// `[x async for x in y]`
        AsyncComprehension: "async comprehension", 6;
        /// `(x := 1)`
        Walrus: "assignment expression", 8;
        /// `def f(a, /):`
        PositionalOnlyParameter: "positional-only parameter", 8;
        /// `f"{x=}"`
        SelfDocumentingString: "f-string with =", 8;
        /// `return *a, b`
        StarredReturn: "unparenthesized starred return or yield", 8;
        /// `@a[0].b`
        RelaxedDecorator: "relaxed decorator", 9;
        /// `with (a as b, c as d):`
        ParenthesizedWith: "parenthesized with", 9;
        /// `for x in *a, b:` and `{x := 1}`
        RelaxedExpression: "relaxed expression", 9;
        /// `match x:`
        Match: "match", 10;
        /// `except* E:`
        ExceptStar: "except*", 11;
        /// `a[*b]`, `*args: *Ts`
        StarInIndex: "star in an index", 11;
        /// `def f[T]():`, `type X = int`
        TypeParameter: "type parameter or alias", 12;
        /// `f"{x["a"]}"`
        NestedQuotes: "quotes, backslashes or comments inside an f-string", 12;
        /// `def f[T = int]():`
        TypeParameterDefault: "type parameter default", 13;
        /// `t"{x}"`
        TemplateString: "t-string", 14;
        /// `except A, B, C:`
        BareExceptTypes: "except types without parentheses", 14;
        /// `lazy import x`, `[*x for x in y]`
        Later: "syntax after 3.14", 15;
    }
}

impl fmt::Display for Sign {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OldSyntax(syntax) => write!(f, "{syntax}"),
            Self::OldName(name) => write!(f, "name of Python 2: {name}"),
            Self::OldHint(name) => write!(f, "hint of Python 2: {name}"),
            Self::NewSyntax(syntax) if syntax.minor() == 0 => write!(f, "{syntax} (Python 3)"),
            Self::NewSyntax(syntax) => write!(f, "{syntax} (Python 3.{})", syntax.minor()),
        }
    }
}

impl fmt::Display for DialectMarker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cell {}, line {}: {}", self.cell, self.line, self.sign)
    }
}

/// What the cells with these facts say together.
pub(crate) fn of_facts(found: &[Facts]) -> Dialect {
    let defined: HashSet<&str> = found.iter().flat_map(|facts| &facts.defined).map(String::as_str).collect();
    let prints_by_import = found.iter().any(|facts| facts.imports_print_function);
    let mut why = Vec::new();
    let mut seen = HashSet::new();
    for (cell, facts) in found.iter().enumerate() {
        for (sign, line) in &facts.signs {
            let is_false = match sign {
                Sign::OldName(name) => defined.contains(name.as_str()),
                Sign::NewSyntax(NewSyntax::PrintFunction) => prints_by_import,
                Sign::OldSyntax(_) | Sign::OldHint(_) | Sign::NewSyntax(_) => false,
            };
            if !is_false && seen.insert((cell, sign)) {
                why.push(DialectMarker { sign: sign.clone(), cell, line: *line });
            }
        }
    }
    decide(why)
}

fn decide(why: Vec<DialectMarker>) -> Dialect {
    let cells_of = |major: Major| {
        let strong = why.iter().filter(|marker| marker.sign.is_strong() && marker.sign.major() == major);
        strong.map(|marker| marker.cell).collect::<HashSet<usize>>().len()
    };
    let (two, three) = (cells_of(Major::Two), cells_of(Major::Three));
    let has_old_name = why.iter().any(|marker| matches!(marker.sign, Sign::OldName(_)));
    let is_two = if two == 0 && three == 0 { has_old_name } else { two >= three };
    if is_two {
        return Dialect { major: Major::Two, why, minimum_minor: 7 };
    }
    let minimum_minor = why.iter().map(|marker| marker.sign.minor()).max().unwrap_or(0);
    Dialect { major: Major::Three, why, minimum_minor }
}

/// Adds the old syntax of a text that the Python 3 parser did not read whole; `tree` is that of the tolerant grammar.
pub(crate) fn add_old_signs(facts: &mut Facts, text: &str, tree: Option<&Tree>) {
    let old = syntax::old_signs(text, tree);
    let is_tabbed = old.is_empty() && facts.is_broken && syntax::mixes_tabs(text);
    if is_tabbed && with_module(&syntax::with_tabs_of_eight(text), |module| module.errors().is_empty()) == Some(true) {
        facts.signs.push((Sign::OldSyntax(OldSyntax::TabIndentation), 1));
    }
    facts.signs.extend(old);
}

#[cfg(test)]
mod tests;
