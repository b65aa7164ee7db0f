use super::super::*;

/// The missing names: `cell:line name`, `>cell:line` where a cell defines it, `-` where it was deleted, `by` the cell that calls, `?` where it
/// may not be looked up, `*` where something may have defined it.
fn missing(cells: &[&str]) -> Vec<String> {
    let names = names(cells);
    let order: Vec<usize> = (0..cells.len()).collect();
    missing_names(&names, &order).iter().map(one).collect()
}

fn one(missing: &MissingName) -> String {
    let MissingName { name, cell, line, called_by, is_sure, defined, deleted, unless, .. } = missing;
    let mut text = format!("{cell}:{line} {name}");
    if let Some((cell, line)) = defined {
        text.push_str(&format!(" >{cell}:{line}"));
    }
    if deleted.is_some() {
        text.push_str(" -");
    }
    if let Some(by) = called_by {
        text.push_str(&format!(" by {by}"));
    }
    text.push_str(if *is_sure { "" } else { "?" });
    text.push_str(if unless.is_some() { "*" } else { "" });
    text
}

#[test]
fn a_name_is_missing_until_it_is_defined() {
    for (cells, expected) in [
        (&["x\nx", "y = x", "x = 1", "x, print, display, _3"][..], &["0:1 x >2:1", "1:1 x >2:1"][..]),
        (&["x = x"], &["0:1 x >0:1"]),
        (&["if a:\n    b"], &["0:1 a", "0:2 b?"]),
        (&["if 1:\n    x = 1", "x"], &[]),
        (&["try:\n    x\nexcept NameError:\n    x = 1"], &[]),
        (&["try:\n    x\nexcept KeyError:\n    pass"], &["0:2 x?"]),
        (&["x = 1\ndel x\nx"], &["0:3 x >0:1 -"]),
        (&["try: pass\nexcept E1 as e: pass\ne"], &["0:2 E1?", "0:3 e -"]),
        (&["del x"], &["0:1 x"]),
        (&["!echo $x"], &[]),
    ] {
        assert_eq!(missing(cells), expected, "{cells:?}");
    }
}

#[test]
fn bodies_look_names_up_when_they_are_called() {
    for (cells, expected) in [
        (&["def f(): return x", "x = 1", "f()"][..], &[][..]),
        (&["def f(): return x", "f()", "x = 1"], &["0:1 x >2:1 by 1"]),
        (&["def f(): return x", "g = map(f, [])", "x = 1"], &["0:1 x >2:1 by 1?"]),
        (&["def f(): return g()\ndef g(): return x", "f()"], &["0:2 x by 1"]),
        (&["def f(): return f() + x", "if 1: f()"], &["0:1 x by 1?"]),
        (&["def f(): return x\ng = f\nx = 1\ng()"], &[]),
        (&["def f(): return x\ng = f\ng()\nx = 1"], &["0:1 x >0:4 by 0"]),
        (&["f = lambda: x", "f()"], &["0:1 x by 1"]),
        (&["sorted(y, key=lambda v: v + x)\nx = y = 1"], &["0:1 y >0:2"]),
        (&["def f(): return x"], &["0:1 x?"]),
        (&["def f(): return x", "x = 1"], &[]),
        (&["def f():\n    global x\n    x = 1", "f()\nx"], &[]),
        (&["def f():\n    global x\n    x = 1", "def g():\n    f()\n    return x, h()\ndef h(): return x", "g()"], &[]),
        (&["def f():\n    global x\n    x += 1", "def g():\n    f()\n    x", "g()"], &["0:3 x >0:3 by 2"]),
        (&["def f():\n    global x\n    x = 1", "x"], &["1:1 x >0:3"]),
        (&["@d\ndef f(): return x", "d = 1", "f()"], &["0:1 d >1:1", "0:2 x by 2?"]),
        (&["def f():\n    yield x", "f()"], &["0:2 x by 1?"]),
        (
            &[
                "try:\n    f()\nexcept Exception:\n    pass\ndef f(): return x",
                "def g(): return y\ntry: g()\nexcept: pass",
            ],
            &["0:5 x?"],
        ),
    ] {
        assert_eq!(missing(cells), expected, "{cells:?}");
    }
}

#[test]
fn methods_run_when_one_of_their_name_does() {
    let class = "class A:\n    def __init__(self): a\n    def m(self): b\n    def n(self): self.m()";
    for (cells, expected) in [
        (&[class, "x = A()", "b = 1", "x.m()", "a = 1"][..], &["0:2 a >4:1 by 1"][..]),
        (&[class, "a = 1", "x = A()\nx.n()", "b = 1"], &["0:3 b >3:1 by 2?"]),
        (&[class, "a = 1", "x = A()"], &["0:3 b?"]),
        (
            &["class A:\n    def m(self): b", "class A:\n    def m(self): c", "b = 1", "A().m()", "c = 1"],
            &["1:2 c >4:1 by 3?"],
        ),
    ] {
        assert_eq!(missing(cells), expected, "{cells:?}");
    }
}

#[test]
fn what_may_have_defined_a_name_is_said() {
    for (cells, expected) in [
        (&["x", "from m import *", "x"][..], &["0:1 x", "2:1 x*"][..]),
        (&["%run a.py\nx"], &["0:2 x*"]),
        (&["x = = 1", "x"], &["1:1 x*"]),
        (&["def f(): exec('x = 1')", "x", "f()", "x"], &["1:1 x", "3:1 x*"]),
        (&["eval('1')", "x"], &["1:1 x"]),
    ] {
        assert_eq!(missing(cells), expected, "{cells:?}");
    }
}

#[test]
fn another_order_misses_other_names() {
    let found = names(&["x", "x = 1", "y = x"]);
    assert_eq!(missing_names(&found, &[1, 0, 2, 99]), []);
    assert_eq!(missing_names(&found, &[2, 1]).len(), 1);
}
