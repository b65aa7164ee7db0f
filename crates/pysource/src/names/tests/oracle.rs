//! Against Python's own compiler, on modules that a grammar makes.

use std::collections::BTreeSet;
use std::io::Write;
use std::process::{Command, Stdio};

use super::super::*;

/// Whether in a body, what, which name, on which line if it is looked up.
type Found = BTreeSet<Row>;
type Row = (bool, String, String, u32);

const MODULES: u64 = 3000;

#[test]
fn pythons_compiler_looks_up_and_binds_the_same_names() {
    let sources: Vec<String> = (0..MODULES).map(|seed| Grammar(seed).module()).collect();
    let mut compared = 0;
    for (source, theirs) in sources.iter().zip(of_python(&sources)) {
        let Some(theirs) = theirs else { continue };
        compared += 1;
        let ours = of_names(source);
        let differences: Vec<_> = ours.symmetric_difference(&theirs).collect();
        assert!(differences.is_empty(), "{source}\n{differences:?}");
    }
    assert!(compared > MODULES / 4, "only {compared} of {MODULES} modules compile");
}

/// What the compiler says, `None` where it refuses the module.
fn of_python(sources: &[String]) -> Vec<Option<Found>> {
    let mut python = Command::new("python3")
        .args(["-c", include_str!("oracle.py")])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("python3 is there");
    let text = serde_json::to_vec(sources).unwrap();
    python.stdin.take().unwrap().write_all(&text).unwrap();
    let output = python.wait_with_output().unwrap();
    let answers: Vec<Option<Vec<Row>>> = serde_json::from_slice(&output.stdout).unwrap();
    answers.into_iter().map(|answer| answer.map(BTreeSet::from_iter)).collect()
}

fn of_names(source: &str) -> Found {
    let cell = names(&[source]).cells.remove(0);
    assert_eq!(cell.state, CellState::Python, "{source}");
    let bodies = cell.bodies.iter().flat_map(|body| rows(&body.acts, true));
    rows(&cell.acts, false).chain(bodies).collect()
}

fn rows(acts: &Acts, in_body: bool) -> impl Iterator<Item = Row> {
    acts.events.iter().map(move |event| {
        let what = match event.act {
            NameAct::Read | NameAct::Call | NameAct::Change => "load",
            NameAct::Bind(_) => "store",
            NameAct::Delete => "delete",
        };
        let line = if event.is_use() { event.line } else { 0 };
        (in_body, what.to_owned(), event.name.clone(), line)
    })
}

const NAMES: [&str; 6] = ["a", "b", "c", "d", "__p", "print"];

/// Expressions; `N` stands for a name and `E` for an expression.
const EXPRESSIONS: &[&str] = &[
    "(E + E)",
    "N.x",
    "N['k']",
    "N[E]",
    "N(E, k=E)",
    "N.append(E)",
    "[E for N in E]",
    "{E: E for N in E if N}",
    "[E for N in E for N in E]",
    "(E for N in E)",
    "{E for N, N in E}",
    "(lambda N, k=E: E)",
    "(lambda: E)",
    "(E if N else E)",
    "(N and N or E)",
    "(N := E)",
    "[(N := E) for N in E]",
    "(E < E < E)",
    "f'{E} {N!r:>{E}}'",
    "N.y(E)[E].z",
    "[*E, E]",
    "{**N}",
    "(lambda: [E for N in N])",
    "[[E for N in E] for N in N]",
    "(lambda *N: (lambda: E))",
];

/// Statements on one line.
const SIMPLE: &[&str] = &[
    "E",
    "N = E",
    "N += E",
    "N, *N = E",
    "N.x = E",
    "N[E] = E",
    "N[E] += E",
    "N: N[N] = E",
    "N: (N, N.x)",
    "N.x: N = E",
    "del N",
    "del N.x, N[E]",
    "import N",
    "import N.b as N",
    "from N import N, x as N",
    "global N",
    "nonlocal N",
    "assert N, E",
    "pass",
    "N = lambda N: E",
    "print(E, N)",
    "N = N",
];

/// Statements with a block, `B`.
const COMPOUND: &[&str] = &[
    "for N in E:B",
    "for N in E:Belse:B",
    "while N:B",
    "if N:Belif N:Belse:B",
    "with E as N, E:B",
    "def N(N, k=E, *N, j: N = E) -> N:B",
    "def N():B",
    "@E\nasync def N(N=E):B",
    "class N(E, k=E):B",
    "class N:B",
    "@N\nclass N:B",
    "try:Bexcept (E, E) as N:Belse:Bfinally:B",
    "try:Bexcept E:B",
    "try:Bexcept N as N:Bexcept:B",
    "match a:\n    case [N, *N]:C    case {'k': N, **N}:C",
    "match N:\n    case N.x | 1:C    case N(x=N) if E:C",
    "match E:\n    case (1 | 2) as N if N:C",
];

/// Makes a module from a seed.
struct Grammar(u64);

impl Grammar {
    fn module(mut self) -> String {
        self.0 = self.0.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        self.block(0, 0, 5)
    }

    /// A number below `end` (xorshift).
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap() % end
    }

    fn one_of<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len())]
    }

    fn block(&mut self, indent: usize, depth: usize, most: usize) -> String {
        (0..=self.below(most)).map(|_| self.statement(indent, depth)).collect()
    }

    fn statement(&mut self, indent: usize, depth: usize) -> String {
        let is_simple = depth >= 3 || self.below(2) == 0;
        let template = if is_simple { self.one_of(SIMPLE) } else { self.one_of(COMPOUND) };
        let space = "    ".repeat(indent);
        let lines: Vec<String> = template.split('\n').map(|line| format!("{space}{line}")).collect();
        let mut out = String::new();
        for letter in lines.join("\n").chars() {
            match letter {
                'N' => out.push_str(self.one_of(&NAMES)),
                'E' => out.push_str(&self.expression(0)),
                'B' => out.push_str(&format!("\n{}{space}", self.block(indent + 1, depth + 1, 2))),
                'C' => out.push_str(&format!("\n{}{space}", self.block(indent + 2, depth + 1, 2))),
                letter => out.push(letter),
            }
        }
        format!("{}\n", out.trim_end())
    }

    fn expression(&mut self, depth: usize) -> String {
        if depth > 2 || self.below(3) == 0 {
            return if self.below(4) == 0 { "1".to_owned() } else { self.one_of(&NAMES).to_owned() };
        }
        let template = self.one_of(EXPRESSIONS);
        template
            .chars()
            .map(|letter| match letter {
                'N' => self.one_of(&NAMES).to_owned(),
                'E' => self.expression(depth + 1),
                letter => letter.to_string(),
            })
            .collect()
    }
}
