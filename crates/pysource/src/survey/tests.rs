use super::*;

fn modules(cells: &[&str]) -> Vec<String> {
    let found = survey(cells).imports;
    assert_eq!(crate::imports::imports(cells), found);
    found.iter().map(|import| format!("{}:{} {}", import.cell, import.line, import.module)).collect()
}

fn broken(cells: &[&str]) -> Vec<String> {
    survey(cells).broken_cells.iter().map(|broken| format!("{}:{} {}", broken.cell, broken.line, broken.why)).collect()
}

#[test]
fn everything_comes_of_one_pass() {
    let cells = [
        "!pip install -r reqs.txt\n%%writefile",
        "%%writefile helpers.py\nimport a",
        "import helpers, b\nsys.path.append('../input/c')\nprint 'x'\ndef install(p):\n    os.system('pip install ' + p)",
        "install('d')\nx = = 1",
        "!cp ../input/kit/tools.py . && wget -q https://h/more.py?raw=1\n%run -i other.py arg\n!python3 'train.py' --x y",
        "copyfile(src='../input/kit/last.py', dst='../working/last.py')\nopen('made.py', 'w')\nopen('read.py')\n%run a.ipynb",
    ];
    let survey = survey(&cells);
    assert_eq!(modules(&cells), ["1:2 a", "2:1 helpers", "2:1 b"]);
    assert_eq!(survey.written_modules, ["helpers", "tools", "more", "last", "last", "made"]);
    assert_eq!(survey.run_files, ["other.py", "train.py", "a.ipynb"]);
    assert_eq!(survey.dialect.major, crate::readers::dialect::Major::Two);
    assert_eq!(survey.extra_paths, [ExtraPath { path: "../input/c".to_owned(), cell: 2, line: 2 }]);
    assert_eq!(survey.install_lines[0].requirement_files, ["reqs.txt"]);
    assert_eq!(survey.install_lines.last().map(|line| line.requirements.as_slice()), Some(&["d".to_owned()][..]));
    assert_eq!(survey.broken_cells.iter().map(|broken| broken.cell).collect::<Vec<_>>(), [3]);
}

#[test]
fn broken_cells_say_why_and_old_ones_are_not_broken() {
    let cells = [
        "import a\nx = = 3",
        "print 'old'",
        "try:\n    pass\nexcept E, e:\n    raise E, 'm'",
        "if x:\n        a\n\tb",
        "f(",
        "%%html\n<p",
        "",
        "Some prose that is no code.",
    ];
    insta::assert_snapshot!(broken(&cells).join("\n"), @r"
    0:2 Expected an expression
    4:1 unexpected EOF while parsing
    7:1 Simple statements must be separated by newlines or semicolons
    ");
}

#[test]
fn pasted_sessions_are_read() {
    let cells = [
        ">>> import a\n>>> if x:\n...     import b\n...\n>>> print(1)\n1",
        "In [3]: import c\n   ...: import d\nOut[3]: 4\nIn [4]: !pip install e==1",
        "x = 1\n>>> import f\n>>> for i in x:\n...     import g\n",
        "def f():\n    '''\n    >>> import h\n    '''\n    import i",
    ];
    assert_eq!(modules(&cells), ["0:1 a", "0:3 b", "1:1 c", "1:2 d", "2:2 f", "2:4 g", "3:5 i"]);
    let lines = survey(&cells).install_lines;
    assert_eq!(lines.len(), 1);
    assert_eq!(&cells[1][lines[0].range.clone()], "!pip install e==1");
    let without = crate::readers::requirements::without_installs(cells[1]);
    assert!(without.ends_with("\nIn [4]: # (nbrevive) installed before execution: !pip install e==1"), "{without}");
}

#[test]
fn magics_with_python_inside_are_read() {
    let cells = [
        "%%time\n%%capture out\nimport a",
        "%%cython -a\nimport numpy as np\ncimport b\ncdef int c",
        "%%script python3\nimport d",
        "%%px --local\nimport e",
        "%load_ext cythonmagic\n%load_ext rmagic\n%aimport f, g\n%aimport -h",
        "%%memit\n%timeit import i",
        "%%R\nimport(j)",
        "get_ipython().run_cell_magic('time', '', 'import k\\nx = 1\\n')",
        "get_ipython().run_cell_magic('cython', '', 'cimport l')",
    ];
    let expected = [
        "0:3 a",
        "1:1 Cython",
        "1:2 numpy",
        "1:3 b",
        "2:2 d",
        "3:2 e",
        "4:1 Cython",
        "4:2 rpy2",
        "4:3 f",
        "4:3 g",
        "5:2 i",
        "7:1 k",
        "8:1 Cython",
        "8:1 l",
    ];
    assert_eq!(modules(&cells), expected);
}

#[test]
fn executed_texts_are_read() {
    let cell = "\
exec('import a\\nimport b')
exec(\"\"\"
from c import d
\"\"\")
eval('__import__(\"e\")')
timeit.timeit('f()', setup='import f')
Timer(stmt='import g', setup='pass')
exec(code)
exec('print ' + x)
x.repeat('import')
builtins.__import__('h')
import_module(name='i')";
    let expected = ["0:1 a", "0:1 b", "0:2 c", "0:5 e", "0:6 f", "0:7 g", "0:11 h", "0:12 i"];
    assert_eq!(modules(&[cell]), expected);
    assert!(
        survey(&["exec('import a')"]).imports.iter().all(|import| import.how == crate::readers::imports::How::Executed)
    );
}

#[test]
fn cells_beyond_the_tolerant_grammar_are_read_in_bounded_time() {
    for filling in ["print 'old', x\n", "x = = 3\n", "{[(\n", "a '''\n''' b\n"] {
        let source = format!("import first\n{}\nimport last\n", filling.repeat((150 << 10) / filling.len()));
        let start = std::time::Instant::now();
        let survey = survey(&[&source, "import other"]);
        assert!(start.elapsed() < std::time::Duration::from_secs(30), "{filling}: {:?}", start.elapsed());
        let found: Vec<&str> = survey.imports.iter().map(|import| import.module.as_str()).collect();
        assert_eq!(found, ["first", "last", "other"], "{filling}");
        assert_eq!(survey.dialect.major.number() == 2, filling.starts_with("print"), "{filling}");
    }
}

mod properties {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::survey;

    /// Text in which the readers find something to do.
    const PIECES: &str = "(import |from |matplotlib inline|%load_ext |magic\\(|'import a'|__import__\\(|a|b\\.|, |\\*|\n|\n  |\n\t|try:|except |E, e|def f\\(\\):|%|%%|%%cython\n|%%time\n|!pip install |>>> |\
        \\.\\.\\. |In \\[1\\]: |exec\\(|sys\\.path\\.append\\(|'|\"\"\"|\\(|\\)|=|\\\\|\r|\u{0}|\\PC){0,25}";

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        #[test]
        fn no_cell_changes_the_imports_of_another(bad in PIECES, before in any::<bool>()) {
            let good = ["import numpy as np\nfrom a.b import c", "print 'x'\nimport d", "def f(:\nimport e"];
            let alone: Vec<_> = survey(&good).imports;
            let mut cells = good.to_vec();
            let at = if before { 0 } else { good.len() };
            cells.insert(at, &bad);
            let together: Vec<_> = survey(&cells).imports.into_iter().filter(|import| import.cell != at).map(|mut import| {
                import.cell -= usize::from(before);
                import
            }).collect();
            prop_assert_eq!(together, alone);
        }

        #[test]
        fn imports_alone_are_those_of_the_survey(source in PIECES) {
            prop_assert_eq!(crate::imports::imports(&[&source]), survey(&[&source]).imports);
        }

        #[test]
        fn any_bytes_are_read(bytes in vec(any::<u8>(), 0..300)) {
            let text = String::from_utf8_lossy(&bytes);
            let survey = survey(&[&text]);
            for import in survey.imports {
                prop_assert!(import.line as usize <= text.matches('\n').count() + 1);
            }
        }

        #[test]
        fn places_lie_in_the_cell(source in PIECES) {
            let survey = survey(&[&source]);
            let lines = source.matches('\n').count() + 1;
            for line in survey.install_lines {
                prop_assert!(source.get(line.range).is_some());
                prop_assert!(line.last_line as usize <= lines);
            }
            prop_assert!(survey.extra_paths.iter().all(|extra| extra.line as usize <= lines));
            prop_assert!(survey.broken_cells.iter().all(|broken| broken.line as usize <= lines + 1));
            let _ = crate::readers::requirements::without_installs(&source);
        }
    }
}
