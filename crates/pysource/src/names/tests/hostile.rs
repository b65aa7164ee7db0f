//! Code that wants to break the reader of names; see the crate `fuzz`.

use nbrevive_fuzz::{FuzzTarget, Shape, attack, code_of};

use super::super::*;

/// Reads cells between lines of `# %%`.
fn read(bytes: &[u8]) -> u64 {
    let text = String::from_utf8_lossy(bytes);
    let cells: Vec<&str> = text.split("# %%\n").collect();
    let found = names(&cells);
    assert_eq!(found.cells.len(), cells.len());
    let mut kinds = String::new();
    for (source, cell) in cells.iter().zip(&found.cells) {
        let lines = source.split('\n').count();
        for event in cell.all_events() {
            assert!(source.get(event.span.clone()).is_some() && !event.name.is_empty(), "{event:?}");
            assert!(event.line >= 1 && event.line as usize <= lines, "{event:?}");
        }
        kinds.extend(cell.acts.events.iter().take(3).map(|event| format!("{:?}", event.act)));
        kinds.push_str(&format!("{:?}{}{}", cell.state, cell.bodies.len().min(3), cell.acts.unknown.len().min(3)));
    }
    let order: Vec<usize> = (0..cells.len()).collect();
    code_of(&format!("{kinds}{}", missing_names(&found, &order).len().min(5)))
}

/// Pieces numbered from 0, up to a size.
fn numbered(piece: impl Fn(usize) -> String, size: usize) -> Vec<u8> {
    let mut text = String::new();
    for number in 0.. {
        text.push_str(&piece(number));
        if text.len() >= size {
            break;
        }
    }
    text.into_bytes()
}

#[test]
fn code() {
    attack(&FuzzTarget {
        name: "names",
        test: "names::tests::hostile::code",
        crate_folder: env!("CARGO_MANIFEST_DIR"),
        examples: &[
            b">>> import a\n>>> x = f(a)\n# %%\n@d\nclass A(B):\n    y: int = 1\n    def m(self, q=y):\n        global g\n        g = self.n\n# %%\nA().m()\n",
            b"%%capture out\n!ls $x {y.z}\nx?\n%timeit for i in r: f(i)\n%time y = f(x); z\n%run a.py\nfiles = !ls\n# %%\n%%R -i a -o b\n1\n",
            b"try:\n    x['k'].append([i for i in y if (z := i)])\nexcept (NameError, E) as e:\n    del x, e\nelse:\n    match a:\n        case {'k': v, **w} | [B.c, *d]: pass\n",
            b"print 'old'\n# %%\nif a:\nx\n# %%\nf = lambda *a, b=c: (yield a)\ndef g[T: B](): return exec(f'{T!r:>{w}}')\nfrom m import *\ntype X[T] = T\n",
        ],
        words: &[b"# %%\n", b"def f():\n    ", b"%timeit ", b"lambda: ", b"{", b"$x", b"f()"],
        shapes: &[
            Shape { name: "lambdas", make: |size| "f = lambda: x\n".repeat(size / 14).into_bytes() },
            Shape { name: "branches", make: |size| "if a: f = lambda: x\nf()\n".repeat(size / 24).into_bytes() },
            Shape { name: "chains", make: |size| numbered(|at| format!("def f{}(): f{at}()\nf{}()\n# %%\n", at + 1, at + 1), size) },
            Shape { name: "back", make: |size| numbered(|at| format!("def f{at}(): f{}()\nf{at}()\n# %%\n", at + 1), size) },
            Shape { name: "deletions", make: |size| numbered(|at| format!("def f{}(): f{at}()\ny = 1\ndel y\nf{}()\n# %%\n", at + 1, at + 1), size) },
            Shape { name: "classes", make: |size| "class A:\n    def m(self): self.m()\n# %%\nA().m()\n# %%\n".repeat(size / 55).into_bytes() },
            Shape { name: "magics", make: |size| "%timeit for i in x: y\n".repeat(size / 23).into_bytes() },
            Shape { name: "expansions", make: |size| format!("!{}", "{a} $b ".repeat(size / 7)).into_bytes() },
            Shape { name: "braces", make: |size| format!("!{}", "{".repeat(size)).into_bytes() },
            Shape { name: "inner", make: |size| format!("def f():\n{}", "    def g():\n        x = y\n".repeat(size / 28)).into_bytes() },
            Shape { name: "deep", make: |size| "[x for x in ".repeat(size / 12).into_bytes() },
            Shape { name: "attributes", make: |size| format!("x{}", ".a".repeat(size / 2)).into_bytes() },
            Shape { name: "targets", make: |size| format!("[0 {}]", "for x in y ".repeat(size / 11)).into_bytes() },
        ],
        bytes_per_byte: 3000,
        most_bytes: 1 << 30,
        mutations: 400,
        parse: read,
    });
}

#[test]
fn deep_code_is_read_or_said_to_be_too_deep() {
    for unit in ["lambda: ", "f(", "[x for x in ", "a.b[", "not "] {
        for depth in [100, 3000, 200_000] {
            let found = names(&[&unit.repeat(depth)]);
            assert_ne!(found.cells[0].state, CellState::Python, "{unit}");
        }
    }
    let sound = format!("{}x{}", "f(".repeat(2000), ")".repeat(2000));
    assert_eq!(names(&[&sound]).cells[0].acts.events.len(), 2001);
}
