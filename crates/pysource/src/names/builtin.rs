//! Names that are there before the first cell runs.

/// Builtins of Python 3.8 to 3.14 on Linux, with those that module `site` adds. Source: "Built-in Functions", "Built-in Constants"
/// and "Built-in Exceptions" of the library reference.
const BUILTINS: &[&str] = &[
    "ArithmeticError",
    "AssertionError",
    "AttributeError",
    "BaseException",
    "BaseExceptionGroup",
    "BlockingIOError",
    "BrokenPipeError",
    "BufferError",
    "BytesWarning",
    "ChildProcessError",
    "ConnectionAbortedError",
    "ConnectionError",
    "ConnectionRefusedError",
    "ConnectionResetError",
    "DeprecationWarning",
    "EOFError",
    "Ellipsis",
    "EncodingWarning",
    "EnvironmentError",
    "Exception",
    "ExceptionGroup",
    "False",
    "FileExistsError",
    "FileNotFoundError",
    "FloatingPointError",
    "FutureWarning",
    "GeneratorExit",
    "IOError",
    "ImportError",
    "ImportWarning",
    "IndentationError",
    "IndexError",
    "InterruptedError",
    "IsADirectoryError",
    "KeyError",
    "KeyboardInterrupt",
    "LookupError",
    "MemoryError",
    "ModuleNotFoundError",
    "NameError",
    "None",
    "NotADirectoryError",
    "NotImplemented",
    "NotImplementedError",
    "OSError",
    "OverflowError",
    "PendingDeprecationWarning",
    "PermissionError",
    "ProcessLookupError",
    "PythonFinalizationError",
    "RecursionError",
    "ReferenceError",
    "ResourceWarning",
    "RuntimeError",
    "RuntimeWarning",
    "StopAsyncIteration",
    "StopIteration",
    "SyntaxError",
    "SyntaxWarning",
    "SystemError",
    "SystemExit",
    "TabError",
    "TimeoutError",
    "True",
    "TypeError",
    "UnboundLocalError",
    "UnicodeDecodeError",
    "UnicodeEncodeError",
    "UnicodeError",
    "UnicodeTranslateError",
    "UnicodeWarning",
    "UserWarning",
    "ValueError",
    "Warning",
    "ZeroDivisionError",
    "__build_class__",
    "__debug__",
    "__doc__",
    "__import__",
    "__loader__",
    "__name__",
    "__package__",
    "__spec__",
    "abs",
    "aiter",
    "all",
    "anext",
    "any",
    "ascii",
    "bin",
    "bool",
    "breakpoint",
    "bytearray",
    "bytes",
    "callable",
    "chr",
    "classmethod",
    "compile",
    "complex",
    "copyright",
    "credits",
    "delattr",
    "dict",
    "dir",
    "divmod",
    "enumerate",
    "eval",
    "exec",
    "exit",
    "filter",
    "float",
    "format",
    "frozenset",
    "getattr",
    "globals",
    "hasattr",
    "hash",
    "help",
    "hex",
    "id",
    "input",
    "int",
    "isinstance",
    "issubclass",
    "iter",
    "len",
    "license",
    "list",
    "locals",
    "map",
    "max",
    "memoryview",
    "min",
    "next",
    "object",
    "oct",
    "open",
    "ord",
    "pow",
    "print",
    "property",
    "quit",
    "range",
    "repr",
    "reversed",
    "round",
    "set",
    "setattr",
    "slice",
    "sorted",
    "staticmethod",
    "str",
    "sum",
    "super",
    "tuple",
    "type",
    "vars",
    "zip",
];

/// What IPython adds to the namespace and the builtins. Source: `IPython.core.interactiveshell` (`init_user_ns`,
/// `init_builtins`) and `IPython.core.displayhook`.
const OF_IPYTHON: &[&str] = &[
    "In",
    "Out",
    "_",
    "__",
    "__IPYTHON__",
    "___",
    "__builtin__",
    "__builtins__",
    "__session__",
    "_dh",
    "_exit_code",
    "_i",
    "_ih",
    "_ii",
    "_iii",
    "_oh",
    "display",
    "get_ipython",
];

/// Whether Python has the name without any definition.
#[must_use]
pub fn is_builtin(name: &str) -> bool {
    BUILTINS.binary_search(&name).is_ok()
}

/// Whether IPython puts the name there: `display`, `In`, `_`, and the numbered `_3` and `_i3`, which exist once their cell has run.
#[must_use]
pub fn is_of_ipython(name: &str) -> bool {
    let number = name.strip_prefix("_i").or_else(|| name.strip_prefix('_')).unwrap_or("");
    let is_numbered = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    is_numbered || OF_IPYTHON.binary_search(&name).is_ok()
}

#[cfg(test)]
mod unit_tests {
    use super::*;

    #[test]
    fn the_tables_are_sorted() {
        assert!(BUILTINS.is_sorted());
        assert!(OF_IPYTHON.is_sorted());
    }

    #[test]
    fn what_is_there_before_the_first_cell_is_known() {
        for name in ["print", "ZeroDivisionError", "__name__", "abs", "zip"] {
            assert!(is_builtin(name), "{name}");
        }
        for name in ["xrange", "np", "__file__", "display", ""] {
            assert!(!is_builtin(name), "{name}");
        }
        for name in ["display", "_", "_12", "_i3", "_ih", "Out", "get_ipython", "In"] {
            assert!(is_of_ipython(name), "{name}");
        }
        for name in ["_x", "_1a", "in", "_i", "x1"] {
            assert_eq!(is_of_ipython(name), name == "_i", "{name}");
        }
    }
}
