use super::*;
use crate::dialect::dialect;

fn signs(cell: &str) -> Vec<String> {
    dialect(&[cell]).why.iter().map(|marker| marker.sign.to_string()).collect()
}

#[test]
fn old_syntax_is_found() {
    let cases = [
        ("print 'x'", OldSyntax::PrintStatement),
        ("for i in x:\n    print i, j,", OldSyntax::PrintStatement),
        ("if x: print \"a %s\" % b", OldSyntax::PrintStatement),
        ("print >>f, 'x', y\nprint y", OldSyntax::PrintStatement),
        ("exec code in ns", OldSyntax::ExecStatement),
        ("try:\n    x\nexcept ValueError, e:\n    pass", OldSyntax::ExceptComma),
        ("try:\n    x\nexcept (A, B), e:\n    pass", OldSyntax::ExceptComma),
        ("raise ValueError, 'x'", OldSyntax::RaiseComma),
        ("x = `y`", OldSyntax::Backquotes),
        ("if a <> b: pass", OldSyntax::AngleInequality),
        ("x = 10L", OldSyntax::LongLiteral),
        ("x = 0xFFL", OldSyntax::LongLiteral),
        ("os.chmod(f, 0755)", OldSyntax::OctalLiteral),
        ("x = ur'a'", OldSyntax::UnicodeRawString),
        ("def f(a, (b, c)):\n    pass", OldSyntax::TupleParameter),
        ("f = lambda (k, v): v", OldSyntax::TupleParameter),
        ("x = [i for i in 1, 2]", OldSyntax::BareTupleInComprehension),
        ("if x:\n        a = 1\n\tb = 2\n", OldSyntax::TabIndentation),
        ("%matplotlib inline\nprint 'x'\n!ls", OldSyntax::PrintStatement),
        ("%time print 'x'", OldSyntax::PrintStatement),
        ("%%time\nprint 'x'", OldSyntax::PrintStatement),
    ];
    for (cell, expected) in cases {
        let dialect = dialect(&[cell]);
        assert_eq!(dialect.major, Major::Two, "{cell}");
        assert!(dialect.why.iter().any(|marker| marker.sign == Sign::OldSyntax(expected)), "{cell}: {:?}", dialect.why);
        assert_eq!(dialect.minimum_minor, 7);
    }
}

#[test]
fn new_syntax_tells_the_minor() {
    let cases = [
        ("print(x, end='')", NewSyntax::PrintFunction),
        ("print(*x)", NewSyntax::PrintFunction),
        ("def f(a: int): pass", NewSyntax::Annotation),
        ("def f() -> int: pass", NewSyntax::Annotation),
        ("def f(*, a): pass", NewSyntax::KeywordOnlyParameter),
        ("def f():\n    nonlocal x", NewSyntax::Nonlocal),
        ("raise A from b", NewSyntax::RaiseFrom),
        ("a, *b = c", NewSyntax::StarredTarget),
        ("class A(metaclass=M): pass", NewSyntax::ClassKeyword),
        ("def f():\n    yield from x", NewSyntax::YieldFrom),
        ("a @ b", NewSyntax::MatrixMultiplication),
        ("a @= b", NewSyntax::MatrixMultiplication),
        ("async def f(): pass", NewSyntax::Async),
        ("await f()", NewSyntax::Async),
        ("x = [*a, *b]", NewSyntax::Unpacking),
        ("x = {**a}", NewSyntax::Unpacking),
        ("f(*a, *b)", NewSyntax::Unpacking),
        ("f'{x}'", NewSyntax::FormattedString),
        ("x: int = 1", NewSyntax::VariableAnnotation),
        ("x = 1_000", NewSyntax::UnderscoreInNumber),
        ("if (n := 1): pass", NewSyntax::Walrus),
        ("def f(a, /): pass", NewSyntax::PositionalOnlyParameter),
        ("f'{x=}'", NewSyntax::SelfDocumentingString),
        ("with (a as b, c as d): pass", NewSyntax::ParenthesizedWith),
        ("match x:\n    case 1: pass", NewSyntax::Match),
        ("try:\n    pass\nexcept* E:\n    pass", NewSyntax::ExceptStar),
        ("type X = int", NewSyntax::TypeParameter),
        ("def f[T](): pass", NewSyntax::TypeParameter),
        ("f'{x['a']}'", NewSyntax::NestedQuotes),
        ("t'{x}'", NewSyntax::TemplateString),
        ("try:\n    pass\nexcept A, B, C:\n    pass", NewSyntax::BareExceptTypes),
    ];
    for (cell, expected) in cases {
        let dialect = dialect(&[cell]);
        assert_eq!(dialect.major, Major::Three, "{cell}");
        assert_eq!(dialect.minimum_minor, expected.minor(), "{cell}: {:?}", dialect.why);
        assert!(dialect.why.iter().any(|marker| marker.sign == Sign::NewSyntax(expected)), "{cell}: {:?}", dialect.why);
    }
}

#[test]
fn old_names_decide_when_no_syntax_does() {
    let old = [
        "for i in xrange(3): pass",
        "x = raw_input()",
        "isinstance(x, basestring)",
        "import urllib2",
        "from cStringIO import StringIO",
        "d.has_key(1)",
        "for k in d.itervalues(): pass",
        "itertools.izip(a, b)",
        "from itertools import izip",
        "sys.maxint",
        "print >>f, x",
        "print",
        "reduce(f, x)",
        "x = unicode(y)",
        "from urllib import urlopen",
        "class A:\n    __metaclass__ = M",
        "string.letters",
        "import urllib2\n)",
    ];
    for cell in old {
        assert_eq!(dialect(&[cell]).major, Major::Two, "{cell}");
        assert_eq!(dialect(&[cell, "f'{x}'"]).major, Major::Three, "{cell}");
    }
}

#[test]
fn what_says_nothing() {
    let neutral = [
        "",
        "x = 1",
        "print(x)",
        "print('a', 'b')",
        "try:\n    import urllib2\nexcept ImportError:\n    pass",
        "try:\n    xrange\nexcept NameError:\n    xrange = range",
        "xrange = range\nxrange(3)",
        "from functools import reduce\nreduce(f, x)",
        "def long(x): pass\nlong(3)",
        "file = 'a'\nopen(file)",
        "# print 'x'",
        "'''print 'x' '''",
        "%%bash\nprint 'x'",
        "except_ = 1",
        "x = 0",
        "from imp import reload\nreload(x)",
        "x = {1, 2}",
        "with open(f) as g: pass",
    ];
    for cell in neutral {
        let dialect = dialect(&[cell]);
        assert_eq!((dialect.major, dialect.minimum_minor), (Major::Three, 0), "{cell}: {:?}", dialect.why);
        assert_eq!(dialect.why, [], "{cell}");
    }
}

#[test]
fn what_is_broken_in_both_says_nothing() {
    for cell in
        ["x = = 3", "print the results of it", "f(", "def f(:", "2019-01-05", "  x = 1\n y = 2", "print(f'{x', y"]
    {
        assert_eq!(dialect(&[cell]).major, Major::Three, "{cell}: {:?}", dialect(&[cell]).why);
    }
}

#[test]
fn hints_do_not_decide() {
    for cell in ["for a, b in df.iteritems(): pass", "from __future__ import division"] {
        let dialect = dialect(&[cell]);
        assert_eq!(dialect.major, Major::Three);
        assert_eq!(dialect.why.len(), 1);
    }
    let cells = ["from __future__ import print_function", "print(x, end='')"];
    assert_eq!(dialect(&cells).why.len(), 1);
}

#[test]
fn cells_are_counted_when_both_speak() {
    let (old, new) = ("print 'x'", "print(f'{x}')");
    assert_eq!(dialect(&[old, new]).major, Major::Two);
    assert_eq!(dialect(&[old, new, new]).major, Major::Three);
    assert_eq!(dialect(&[old, new, new]).minimum_minor, 6);
    assert_eq!(dialect(&[old, old, new, "xrange"]).major, Major::Two);
}

#[test]
fn markers_tell_where() {
    let dialect = dialect(&["", "x = 1\nprint 'a'\nprint 'b'"]);
    assert_eq!(dialect.why, [DialectMarker { sign: Sign::OldSyntax(OldSyntax::PrintStatement), cell: 1, line: 2 }]);
    assert_eq!(dialect.why[0].to_string(), "cell 1, line 2: print statement");
    assert_eq!(signs("f'{x}'"), ["f-string (Python 3.6)"]);
}

mod properties {
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn any_text_is_judged(source in "(print |exec |except |raise |E, e|:|\n|\n\t|\n  |`|<>|10L|def f|\\(|\\)|f'|'|\\{|x|=|@|\\PC){0,30}") {
            let dialect = super::dialect(&[&source]);
            for marker in dialect.why {
                prop_assert!(marker.line as usize <= source.matches('\n').count() + 1);
            }
        }
    }
}
