use super::told;

#[test]
fn statements_bind_and_read_in_their_order() {
    for (source, expected) in [
        ("x = y\nx, *(a.b, c[d]) = z", "y x= z x= a.b! c! d"),
        ("x += y", "x y x="),
        ("x: int = y\nz: str\na.b: T = 1", "y x= int str a.b! T"),
        ("from __future__ import annotations\nx: T = 1\ndef f(a: T) -> T: pass", "annotations= x= f= f{}"),
        ("for i, a[j] in x:\n    y\nelse:\n    z = i", "x i=? a!? j? y? i? z=?"),
        ("while x:\n    y", "x y?"),
        ("if a: b\nelif c: d\nelse: e = 1", "a b? c? d? e=?"),
        ("with a(b) as c, d as (e, f.g):\n    h", "a() b c= d e= f.g! h"),
        ("try:\n    a\nexcept (E, F) as e:\n    e\nelse:\n    b\nfinally:\n    c", "a? E? F? e=? e? -e? b? c"),
        ("try:\n    a\nexcept NameError:\n    a = 1", "a?^ NameError? a=?"),
        ("import a.b, c.d as e\nfrom f import g, h as i", "a= e= g= i="),
        ("from a.b import *\nfrom . import *", "*(from a.b import *) *(from . import *)"),
        ("del x, y.z, w['k']", "-x y.z! w[k]!"),
        ("assert a, b", "a b?"),
        ("a and b or c\na < b < c\na if b else c", "a b? c? a b c? b a? c?"),
        ("(x := y) + x", "y x= x"),
        ("f'{a!r:{b}} {c=}'", "a b c"),
        (
            "match a:\n    case [B.c, *d] | {'k': e, **g}: h\n    case K(x=1) as y if y: pass",
            "a B.c? d=? e=? g=? h? K? y=? y?",
        ),
        ("raise A from b\nglobal x", "A b"),
        ("async with a as b:\n    await c\nawait d", "a b= c d"),
    ] {
        assert_eq!(told(source), expected, "{source}");
    }
}

#[test]
fn functions_keep_their_names_and_consume_later() {
    for (source, expected) in [
        ("@d\ndef f(a, b=c, *e: g, h: i = j) -> k:\n    return a + l + m.n", "d c j g i k f= f{l m.n}"),
        ("def f():\n    x\n    x = 1\n    del y", "f= f{}"),
        ("def f():\n    global x, y\n    x = 1\n    del y\n    def g(): return x", "f= f{x= -y x?}"),
        ("def f(a):\n    def g():\n        nonlocal a\n        a = b\n    return g", "f= f{b?}"),
        ("def f():\n    import a, b.c\n    from d import e as g\n    a, b, c, d, e, g", "f= f{c d e}"),
        (
            "def f():\n    with a as b: pass\n    for c in d: pass\n    try: pass\n    except E as e: pass\n    b, c, e",
            "f= f{a d E?}",
        ),
        ("def f():\n    x: T = a\n    y: T\n    return y", "f= f{a}"),
        ("def f():\n    [(y := x) for x in z]\n    return x, y", "f= f{z x}"),
        ("f = lambda a, b=c: a + b + d", "c f= f{d}"),
        ("g(lambda a: a + x)", "g() ~lambda{x}"),
        ("def f():\n    yield x", "f= f{x}"),
        ("def f[T: B](a: T) -> U:\n    x: T\n    return T", "U f= ~lambda{B} f{}"),
        ("type X[T] = list[T] | Y", "X= X{list Y}"),
    ] {
        assert_eq!(told(source), expected, "{source}");
    }
}

#[test]
fn classes_run_at_once_and_their_methods_later() {
    for (source, expected) in [
        (
            "@d\nclass A(B, metaclass=M):\n    x = y\n    z = x\n    def m(self, a=x):\n        return x, self.x",
            "d B M y A= A.m{x}",
        ),
        ("class A:\n    y\n    y = 1\n    y\n    del y\n    y", "y y A="),
        ("class A:\n    global g\n    g = 1\n    [x for x in y if z]", "g= y z? A="),
        ("class A:\n    x = 1\n    l = [x for _ in x]", "x? A="),
        ("class A:\n    class B:\n        def m(self): return A, C\n    f = lambda self: D", "A= A.m{A C} A.f{D}"),
        ("class _A:\n    def m(self):\n        return __x, __y__, self.__z", "_A= _A.m{_A__x __y__}"),
        ("class A:\n    def m(self):\n        return super().m(), __class__", "A= A.m{super()}"),
        ("class A[T](B[T]):\n    x: T", "B A="),
        ("def f():\n    class A(B):\n        x = y\n    return A", "f= f{B y}"),
    ] {
        assert_eq!(told(source), expected, "{source}");
    }
}

#[test]
fn comprehensions_have_targets_of_their_own() {
    for (source, expected) in [
        ("[x + y for x in a if x < z]\nx", "a z? y? x"),
        ("{k: v for k, v in a.items() for w in k if b}", "a.items() b?"),
        ("[x for x in x]", "x"),
        ("{(last := x) for x in a}\n(x for x in a if (b := x))", "a last=? a b=?"),
        ("[[c for c in r] for r in t]", "t"),
    ] {
        assert_eq!(told(source), expected, "{source}");
    }
}

#[test]
fn changes_are_told_from_reads() {
    for (source, expected) in [
        ("a['k'] = 1\na['k'] += b\na[i] = 1\na[0]['x'].y = 1", "a[k]! b a[k]! a! i a!"),
        ("l.append(x)\nl.index(x)\nnp.zeros(3)", "l.append()! x l.index() x np.zeros()"),
        ("df.drop('a', inplace=True)\ndf.drop('a', inplace=False)", "df.drop()! df.drop()"),
        ("df.drop('a', inplace=really)", "df.drop()! really"),
        ("with g.as_default():\n    a = f(1)", "g.as_default()! f() a="),
        ("df['a'].fillna(0, inplace=True)\ndf.a.b.sort()", "df[a]! df.a!"),
        ("df[['a', 'b']]\ndf[['a', b]]\ndf.loc[m, 'c'] = 1\ndf.iloc[0, 1]", "df[a] df[b] df b df[c]! m df"),
        (
            "random.shuffle(x)\nnext(it)\nsetattr(o.p, 'a', 1)\nshuffle([y])",
            "random.shuffle() x! next() it! setattr() o.p! shuffle() y",
        ),
        ("f(x)(y).z(w)\nA().b = 1", "f() x y w A()"),
        ("x.y.z\nx()[0].a", "x.y x()"),
    ] {
        assert_eq!(told(source), expected, "{source}");
    }
}

#[test]
fn what_reaches_the_namespace_by_other_ways_is_unknown() {
    for (source, expected) in [
        ("exec(code)\nexec(code, ns)", "exec() *(exec()) code exec() code ns"),
        ("eval('x')\nglobals()['x'] = 1", "eval() *(eval()) globals() *(globals())"),
        (
            "locals()\nvars()\nvars(x)\ndir()\ndir(x)",
            "locals() *(locals()) vars() *(vars()) vars() x dir() *(dir()) dir() x",
        ),
        (
            "def f():\n    locals()\n    globals()\n    exec('x')",
            "f= f{locals() globals() *(globals()) exec() *(exec())}",
        ),
        ("def f(exec):\n    exec('x')", "f= f{}"),
        ("import __main__", "__main__= *(import __main__)"),
    ] {
        assert_eq!(told(source), expected, "{source}");
    }
}
