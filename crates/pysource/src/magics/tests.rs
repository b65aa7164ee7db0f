use super::*;

fn python(source: &str) -> String {
    let cell = split(source);
    assert_eq!(cell.python.len(), source.len());
    assert_eq!(cell.python.lines().count(), source.lines().count());
    cell.python
}

fn kinds(source: &str) -> Vec<(EscapeKind, String, String, u32)> {
    split(source).escapes.into_iter().map(|escape| (escape.kind, escape.name, escape.body, escape.line)).collect()
}

#[test]
fn escapes_are_blanked_in_place() {
    let cases = [
        ("%matplotlib inline\nimport a", "0                 \nimport a"),
        ("if x:\n    !ls\nelse:\n    pass", "if x:\n    0  \nelse:\n    pass"),
        ("files = !ls ../input\nn = 1", "files = 0           \nn = 1"),
        ("x = %env HOME", "x = 0        "),
        ("df.head?", "0       "),
        ("?df", "0  "),
        ("!!ls", "0   "),
        ("/f a b", "0     "),
        ("!echo ä\nx = 1", "0       \nx = 1"),
        ("%time x = f()", "0;    x = f()"),
        ("%timeit -n 10 -r3 f(x)", "0;                f(x)"),
        ("y = %time f()", "y =       f()"),
        ("%time for i in x: f(i)", "0                     "),
        ("%time", "0    "),
    ];
    for (source, expected) in cases {
        assert_eq!(python(source), expected);
    }
}

#[test]
fn python_is_left_alone() {
    let cases = [
        "x = a % b\ny = '%s' % c",
        "s = '''\n!ls\n%time\n'''",
        "# !ls\n# what?",
        "f(\n%s\n)",
        "a = (b\n  != c)",
        "x != y",
        "print('really?')",
        "d = {'a': 1,\n'b?': 2}",
        "x = y == z",
        "r = '\\\\'\nz = 1",
        "a = 'it\\'s'\nb = 1",
        "x %= 3",
        "f = lambda a=1: a\n",
        "'unclosed\nx = 1",
    ];
    for source in cases {
        assert_eq!(python(source), source);
        assert_eq!(split(source).escapes, []);
    }
}

#[test]
fn continued_lines_are_one_escape() {
    let cell = split("x = 1\n!pip install a \\\n    b \\\r\n c\ny = 2\n");
    let escape = &cell.escapes[0];
    assert_eq!((escape.line, escape.last_line), (2, 4));
    assert_eq!(escape.body, "pip install a b c");
    assert_eq!(cell.python.lines().last(), Some("y = 2"));
}

#[test]
fn what_an_escape_holds() {
    use EscapeKind::{AutoCall, Automagic, Help, LineMagic, Shell};
    let owned = |kind, name: &str, body: &str, line| (kind, name.to_owned(), body.to_owned(), line);
    assert_eq!(kinds("\n%load_ext  autoreload "), [owned(LineMagic, "load_ext", "autoreload", 2)]);
    assert_eq!(kinds("a = !ls 'x"), [owned(Shell, "", "ls 'x", 1)]);
    assert_eq!(kinds("%pip?"), [owned(Help, "", "%pip?", 1)]);
    assert_eq!(kinds(",f a b"), [owned(AutoCall, "", "f a b", 1)]);
    assert_eq!(kinds("\npip install x\n"), [owned(Automagic, "pip", "install x", 2)]);
    assert_eq!(kinds("cd ../input"), [owned(Automagic, "cd", "../input", 1)]);
    for source in ["pip install x\ny = 1", "pip = 3", "ls -la", "time in x", "env", "time .x"] {
        assert_eq!(kinds(source), [], "{source}");
    }
}

#[test]
fn cell_magics() {
    let cell = split("\n  \n%%bash -e\nimport x\n");
    assert_eq!(cell.python, "\n  \n0        \n        \n");
    assert!(cell.is_opaque());
    let magic = cell.magic().expect("a magic");
    assert_eq!((magic.name.as_str(), magic.arguments.as_str(), magic.line), ("bash", "-e", 3));

    let cell = split("%%time\n%%capture out\nimport x\n!ls");
    assert!(!cell.is_opaque());
    assert_eq!(cell.cell_magics.len(), 2);
    assert_eq!(cell.python, "0     \n0            \nimport x\n0  ");
    assert_eq!(cell.escapes[0].line, 4);

    assert_eq!(python("%%time x = 1\ny"), "0;     x = 1\ny");
    assert_eq!(python("%%time\r\nimport x\r\n"), "0     \r\nimport x\r\n");
    assert!(split("%%R\nx <- 1").is_opaque());
    assert!(split("%%!\nls").is_opaque());
    assert!(!split("x = 1\n%%bash\nls").is_opaque());
    assert_eq!(python("%%writefile a.py"), "0               ");
    assert_eq!(python(""), "");
}

mod properties {
    use proptest::prelude::*;

    use super::super::split;

    proptest! {
        #[test]
        fn any_text_keeps_its_shape(source in "([%!?=/;,#'\"\\\\ \r\n()\\[\\]a-c]|%time |%%|pip |\\PC){0,40}") {
            let cell = split(&source);
            prop_assert_eq!(cell.python.len(), source.len());
            let ends = |text: &str| text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(at, _)| at).collect::<Vec<_>>();
            prop_assert_eq!(ends(&cell.python), ends(&source));
            for escape in &cell.escapes {
                prop_assert!(source.get(escape.range.clone()).is_some());
                prop_assert!(escape.line <= escape.last_line);
            }
        }
    }
}
