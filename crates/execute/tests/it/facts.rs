//! What a run tells of the names in a cell that raised.

use nbrevive_execute::{End, ExecutionSettings};
use nbrevive_notebook::CellFacts;

use crate::kernel::{Ran, run_with, settings};

fn run_for_facts(cells: &[&str]) -> (Ran, Vec<CellFacts>) {
    let ran = run_with(cells, &ExecutionSettings { facts: true, ..settings() });
    let facts = CellFacts::of_notebook(&ran.execution.notebook);
    (ran, facts)
}

#[test]
fn a_cell_that_raised_tells_what_its_names_held() {
    let (ran, facts) = run_for_facts(&[
        "import collections\ntable = collections.Counter('aab')\nsizes = {'n': 1}\nclass Box:\n    pass\nbox = Box()\nbox.inner = [1, 2]",
        "def use(given):\n    kept = 7\n    return given.iteritems()\nuse(table)",
        "box.inner.nothing(sizes, collections.OrderedDict, use)",
        "1",
    ]);
    assert_eq!(ran.execution.ended, End::Completed);
    assert_eq!(facts.iter().map(|facts| facts.cell).collect::<Vec<_>>(), [1, 2]);
    let missing = facts[0].missing.as_ref().unwrap();
    assert_eq!((missing.name.as_str(), missing.owners[0].as_str()), ("iteritems", "collections.Counter"));
    let told = |facts: &CellFacts| -> Vec<String> {
        facts.values.iter().map(|value| serde_json::to_string(value).unwrap()).collect()
    };
    let counter = r#""classes":["collections.Counter","builtins.dict"]"#;
    assert_eq!(
        told(&facts[0]),
        [
            format!(r#"{{"name":"given",{counter}}}"#),
            r#"{"name":"kept","classes":["builtins.int"],"text":"7"}"#.to_owned(),
            r#"{"name":"use","stands_for":["__main__.use"],"parameters":["given"]}"#.to_owned(),
            format!(r#"{{"name":"table",{counter}}}"#),
        ]
    );
    assert_eq!(
        told(&facts[1]),
        [
            r#"{"name":"box","classes":["__main__.Box"]}"#,
            r#"{"name":"box.inner","classes":["builtins.list"],"shape":[2]}"#,
            r#"{"name":"sizes","classes":["builtins.dict"],"parameters":["n"],"shape":[1]}"#,
            r#"{"name":"use","stands_for":["__main__.use"],"parameters":["given"]}"#,
        ]
    );
    // The question leaves no trace.
    assert!(ran.execution.notebook.cells[3].metadata.get("nbrevive").is_none());
    assert!(matches!(
        ran.execution.notebook.cells[3].kind,
        nbrevive_notebook::CellKind::Code { execution_count: Some(4), .. }
    ));
}

/// Each of these writes a file as soon as it is called.
#[test]
fn no_code_of_the_notebook_is_called_for_it() {
    let (ran, facts) = run_for_facts(&[
        "from pathlib import Path\ndef called(*_): Path('called').write_text('x')\nget_ipython().events.register('post_run_cell', lambda *_: counted.append(1))\n\
         counted = []\nclass Meta(type):\n    def __getattribute__(cls, name):\n        called(); return type.__getattribute__(cls, name)\n\
         class Sly(metaclass=Meta):\n    def __getattribute__(self, name):\n        called(); return object.__getattribute__(self, name)\n\
         \x20   __repr__ = __len__ = __eq__ = __hash__ = called\n    @property\n    def __class__(self): called(); return dict\n\
         class Half:\n    @property\n    def bad(self): called()\nsly, half = Sly(), Half()\nPath('called').unlink(missing_ok=True)",
        "counted.clear(); 1 / 0; sly.model.fit(Sly, half.bad)",
        "print(counted)",
    ]);
    assert!(facts[0].values.iter().any(|value| value.name == "sly" && value.classes == ["__main__.Sly"]), "{facts:?}");
    assert_eq!(ran.file("called"), None);
    // The hook of the cell itself, and none of the question.
    assert_eq!(ran.text(2), "[1]\n");
}

#[test]
fn a_kernel_that_lies_or_floods_or_never_answers_is_not_believed() {
    let (ran, facts) = run_for_facts(&[
        "for n in range(200_000): globals()[f'name_{n}'] = 'x' * 100",
        &format!("{}; 1 / 0", (0..2000).map(|n| format!("name_{n}")).collect::<Vec<_>>().join(", ")),
        "get_ipython().user_expressions = lambda _: {'nbrevive': {'data': {'text/plain': \"'7b7d\" + 'f' * 101}}}",
        "1 / 0",
        "def wait(asked):\n    import time\n    while asked:\n        try: time.sleep(60)\n        except BaseException: break\n    return {}\nget_ipython().user_expressions = wait",
        "1 / 0",
        "print('on')",
    ]);
    assert_eq!(ran.execution.ended, End::Completed);
    assert_eq!(ran.text(6), "on\n");
    assert_eq!(facts.len(), 1);
    assert_eq!((facts[0].cell, facts[0].values.len()), (1, 60));
}
