use super::*;
use crate::imports::{imports, written_modules};

fn found(cells: &[&str]) -> Vec<String> {
    let text = |import: &Import| {
        let dots = ".".repeat(usize::try_from(import.level).unwrap_or(0));
        let how = match import.how {
            How::Statement => "",
            How::FunctionLevel => " function",
            How::Conditional => " conditional",
            How::TryExcept { alternative: false } => " try",
            How::TryExcept { alternative: true } => " alternative",
            How::Dunder => " dunder",
            How::Importlib => " importlib",
            How::LoadExt => " load_ext",
            How::MatplotlibMagic => " magic",
            How::WrittenFile => " written",
            How::Executed => " executed",
            How::Cython => " cython",
        };
        format!("{}:{} {dots}{}[{}]{how}", import.cell, import.line, import.module, import.names.join(","))
    };
    let found = imports(cells);
    assert_eq!(crate::survey::survey(cells).imports, found);
    found.iter().map(text).collect()
}

#[test]
fn statements() {
    let cell = "import a, b.c as d\nfrom e.f import g, h as i\nfrom . import j\nfrom ..k import *\nfrom __future__ import division";
    let expected = ["0:1 a[]", "0:1 b.c[]", "0:2 e.f[g,h]", "0:3 .[j]", "0:4 ..k[*]", "0:5 __future__[division]"];
    assert_eq!(found(&[cell]), expected);
    assert_eq!(found(&["import a; import b", "", "import c"]), ["0:1 a[]", "0:1 b[]", "2:1 c[]"]);
    assert_eq!(found(&["from a import (b,\n  c)\n'''\nimport no\n'''\n# import no"]), ["0:1 a[b,c]"]);
}

#[test]
fn half_a_statement_imports_nothing() {
    assert_eq!(
        found(&["from ... ", "from here on", "from a import", "import", "import a.", "from . import b"]),
        ["5:1 .[b]"]
    );
}

#[test]
fn places() {
    let cell = "\
def f():
    import a
    if x:
        import b
if x:
    import c
elif y:
    import d
class K:
    import e
with x:
    import f
for i in x:
    import g";
    let expected = [
        "0:2 a[] function",
        "0:4 b[] function",
        "0:6 c[] conditional",
        "0:8 d[] conditional",
        "0:10 e[]",
        "0:12 f[]",
        "0:14 g[] conditional",
    ];
    assert_eq!(found(&[cell]), expected);
}

#[test]
fn alternatives() {
    let cell = "\
try:
    import a
except ImportError:
    import b
    !pip install a
try:
    import c
except (KeyError, ModuleNotFoundError):
    pass
try:
    f()
except Exception:
    import d
try:
    import e
except ValueError:
    import g
try:
    import h
finally:
    import i";
    let expected = [
        "0:2 a[] try",
        "0:4 b[] alternative",
        "0:7 c[] try",
        "0:13 d[] conditional",
        "0:15 e[]",
        "0:17 g[] conditional",
        "0:19 h[]",
        "0:21 i[]",
    ];
    assert_eq!(found(&[cell]), expected);
}

#[test]
fn calls_and_magics() {
    let cell = "\
a = __import__('a.b')
b = importlib.import_module(\"b\")
c = import_module('.c', package='p')
d = __import__(name)
%load_ext rpy2.ipython
%load_ext autoreload
%matplotlib inline
%pylab inline
get_ipython().magic('matplotlib inline')
get_ipython().run_line_magic('load_ext', 'tensorboard')
%time import e
%time for x in y: import f
z = %time __import__('g')";
    let expected = [
        "0:1 a.b[] dunder",
        "0:2 b[] importlib",
        "0:3 .c[] importlib",
        "0:5 rpy2.ipython[] load_ext",
        "0:7 matplotlib[] magic",
        "0:8 matplotlib[] magic",
        "0:8 numpy[] magic",
        "0:9 matplotlib[] magic",
        "0:10 tensorboard[] load_ext",
        "0:11 e[]",
        "0:12 f[] conditional",
        "0:13 g[] dunder",
    ];
    assert_eq!(found(&[cell]), expected);
}

#[test]
fn cells_of_other_languages() {
    let cells = [
        "%%bash\nimport a",
        "%%time\nimport b",
        "%%R\nimport c",
        "%%writefile -a lib/d.py\nimport e\nfrom f import g",
        "%%writefile notes.txt\nimport h",
        "%%html\n<p>import i</p>",
        "%%time import j",
    ];
    assert_eq!(found(&cells), ["1:2 b[]", "3:2 e[] written", "3:3 f[g] written", "6:1 j[]"]);
    assert_eq!(written_modules(&cells), ["lib"]);
}

#[test]
fn broken_lines_cost_no_other_import() {
    let broken =
        ["x = = 3", "def f(:", "print 'x'", "exec code", "  y = 1", "f(", "raise E, 'm'", "x = `y`", "print(", "1 2 3"];
    for line in broken {
        let cell = format!("import a\nfrom b import c\n{line}\nimport d\nif x:\n    import e\n");
        let modules: Vec<String> = imports(&[&cell]).into_iter().map(|import| import.module).collect();
        assert_eq!(modules, ["a", "b", "d", "e"], "{line}");
    }
}

#[test]
fn python_2_cells() {
    let cell = "try:\n    import cPickle as pickle\nexcept ImportError, e:\n    import pickle\nprint 'x'; import a\nfor i in x:\n    print i\n    import b\n";
    let expected = ["0:2 cPickle[] try", "0:4 pickle[] alternative", "0:5 a[]", "0:8 b[] conditional"];
    assert_eq!(found(&[cell]), expected);
}

mod properties {
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_text_is_read(source in "(import |from |a|b\\.|, |\\*|\n|\n  |try:|except |def f\\(\\):|%|\\PC){0,30}") {
            for import in super::imports(&[&source]) {
                prop_assert!(import.line as usize <= source.matches('\n').count() + 1);
            }
        }
    }

    #[test]
    fn deep_text_is_no_danger() {
        for unit in ["[", "-", "not ", "a.", "f(", "lambda: ", "1 + ", "x if y else ", "f'{[", "if x:\n ", "'a' "] {
            for count in [200, 3000, 21_000] {
                let source = format!("import a\nx = {}1\nimport b\n", unit.repeat(count));
                assert!(!super::imports(&[&source]).is_empty(), "{unit} {count}");
            }
        }
    }
}
