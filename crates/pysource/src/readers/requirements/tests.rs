use super::*;
use crate::requirements::install_lines;

fn found(cells: &[&str]) -> Vec<String> {
    let text = |line: &InstallLine| {
        let lists = [&line.requirements, &line.requirement_files, &line.unknown];
        let lists: Vec<String> = lists.iter().map(|list| list.join(" ")).collect();
        format!("{}:{} {:?} {}", line.cell, line.line, line.tool, lists.join(" / ").trim_end_matches([' ', '/']))
    };
    install_lines(cells).iter().map(text).collect()
}

/// Cells that install `a`, each written another way.
const WAYS: [&str; 33] = [
    "!pip install a",
    "! pip3 install -q a > /dev/null 2>&1",
    "!!pip install a",
    "%pip install a",
    "x = %pip install a",
    "pip install a",
    "%conda install -y a",
    "!{sys.executable} -m pip install --user a",
    "!python -m pip install a",
    "!yes | pip install a",
    "log = !pip install a",
    "%%bash\npip install a",
    "%%capture\n!pip install a",
    "%%time\n%%capture\n!pip install a",
    "%%script bash\npip install a",
    "%sx pip install a",
    "os.system('pip install a')",
    "r = os.system(\"pip install a\")",
    "os.popen('pip install a').read()",
    "subprocess.check_call([sys.executable, '-m', 'pip', 'install', 'a'])",
    "subprocess.run('pip install a', shell=True)",
    "subprocess.run('pip install a'.split())",
    "subprocess.run(shlex.split('pip install a'), check=True).returncode",
    "subprocess.Popen(args=['pip', 'install'] + ['a'])",
    "subprocess.call(['bash', '-c', 'pip install a'])",
    "check_call((\n  'pip',\n  'install', 'a',\n))",
    "pip.main(['install', 'a'])",
    "x = pip._internal.main(['install', 'a'])",
    "get_ipython().system('pip install a')",
    "get_ipython().magic('pip install a')",
    "get_ipython().run_line_magic('pip', 'install a')",
    "get_ipython().run_cell_magic('bash', '', 'pip install a')",
    "!pip install \\\n  a",
];

#[test]
fn every_way_is_found_and_taken_out() {
    for cell in WAYS {
        let lines = install_lines(&[cell]);
        assert_eq!(lines.len(), 1, "{cell}");
        assert_eq!(lines[0].requirements, ["a"], "{cell}");
        let without = without_installs(cell);
        assert_eq!(install_lines(&[&without]), [], "{without}");
        assert_eq!(without.matches('\n').count(), cell.matches('\n').count(), "{without}");
        assert_eq!(without_installs(&without), without);
    }
}

#[test]
fn what_does_not_install() {
    let cells = [
        "# !pip install a",
        "'!pip install a'",
        "print('pip install a')",
        "!echo pip install a",
        "!pip list",
        "%%writefile x.sh\npip install a",
        "%%html\npip install a",
        "os.system('ls')",
        "model.run('pip install a'[0])",
        "%pip?",
        "install('a')",
    ];
    for cell in cells {
        assert_eq!(install_lines(&[cell]), [], "{cell}");
        assert_eq!(without_installs(cell), cell);
    }
}

#[test]
fn lines_and_ranges() {
    let cell = "import x\n\nif y:\n    !pip install a \\\n        b==1\nz = 1\n";
    let line = &install_lines(&["", cell])[0];
    assert_eq!((line.cell, line.line, line.last_line), (1, 4, 5));
    assert_eq!(line.text, "!pip install a b==1");
    assert_eq!(&cell[line.range.clone()], "!pip install a \\\n        b==1");
    assert!(line.is_alone);
}

#[test]
fn several_in_one_place() {
    let cell = "!pip install a && pip install b==2; apt-get install -y c\n%%bash is no magic here\n";
    assert_eq!(found(&[cell]), ["0:1 Pip a", "0:1 Pip b==2", "0:1 Apt c"]);
    let cell = "%%bash\nset -e\npip install a # first\ncd x && pip install -r r.txt .\necho done";
    assert_eq!(found(&[cell]), ["0:3 Pip a", "0:4 Pip . / r.txt"]);
}

#[test]
fn what_depends_on_variables_is_told() {
    assert_eq!(found(&["!pip install {name} a"]), ["0:1 Pip a /  / {name}"]);
    assert_eq!(found(&["os.system(f'pip install {name}==1')"]), ["0:1 Pip  /  / {name}==1"]);
    assert_eq!(found(&["os.system('pip install ' + name)"]), ["0:1 Pip  /  / {…}"]);
    assert_eq!(found(&["os.system('pip install {}'.format(name))"]), ["0:1 Pip  /  / {}"]);
    assert_eq!(found(&["os.system('pip install %s' % name)"]), ["0:1 Pip  /  / %s"]);
}

#[test]
fn functions_that_install_are_followed() {
    let define =
        "def install(package):\n    subprocess.check_call([sys.executable, '-m', 'pip', 'install', package])\n";
    let calls = "install('a==1')\nfor p in q: install(p)\nif x: install(package='b')\n";
    assert_eq!(found(&[define, calls]), ["0:2 Pip  /  / {package}", "1:1 Pip a==1", "1:3 Pip b"]);
}

#[test]
fn rewritten_cells() {
    let cases = [
        ("!pip install a\nimport a", "# (nbrevive) installed before execution: !pip install a\nimport a"),
        ("if x:\n    !pip install a\n", "if x:\n    pass  # (nbrevive) installed before execution: !pip install a\n"),
        ("y = !pip install a", "y = []  # (nbrevive) installed before execution: !pip install a"),
        ("!cd x && pip install . && ls", "!cd x && true && ls"),
        ("import os; os.system('pip install a'); x = 1", "import os; pass; x = 1"),
        ("if x: os.system('pip install a')", "if x: pass"),
        ("r = os.system('pip install a')", "r = os.system(\"true\")"),
        ("o = check_output([\n  'pip', 'install', 'a'])", "o = check_output([\"true\"\n])"),
        ("v = pip.main(['install', 'a']) + 1", "v = (0) + 1"),
        ("%%bash\npip install a\nls", "%%bash\ntrue  # (nbrevive) installed before execution: pip install a\nls"),
        ("%%bash\ncd x; pip install a; ls", "%%bash\ncd x; true; ls"),
        ("!pip install a \\\n  b\nx", "# (nbrevive) installed before execution: !pip install a b\n\nx"),
        (
            "try:\n    import a\nexcept ImportError:\n    os.system('pip install a')  # late\n",
            "try:\n    import a\nexcept ImportError:\n    \
             pass  # (nbrevive) installed before execution: os.system('pip install a')  # late\n",
        ),
    ];
    for (cell, expected) in cases {
        assert_eq!(without_installs(cell), expected);
    }
}

#[test]
fn rewritten_python_stays_whole() {
    // A cell magic must stand at the start, and a line without a sign alone.
    for cell in WAYS.iter().filter(|cell| !cell.starts_with("%%") && !cell.starts_with("pip install")) {
        let indented: String = cell.lines().map(|line| format!("    {line}\n")).collect();
        for cell in [(*cell).to_owned(), format!("if x:\n{indented}"), format!("def f():\n{indented}    return 1\n")] {
            let python = crate::magics::split(&without_installs(&cell)).python;
            let errors = crate::magics::module::with_module(&python, |module| module.errors().to_vec());
            assert_eq!(errors, Some(Vec::new()), "{python}");
        }
    }
}

mod properties {
    use proptest::prelude::*;

    use super::super::without_installs;
    use super::install_lines;

    proptest! {
        #[test]
        fn any_text_is_rewritten_safely(
            source in "(!|%|%%bash\n|pip |install |a |-r |os\\.system\\(|'|\"|\\)|\\[|\\]|, |&& |; |\\| |> |\\\\\n|\n|  |x = |#|\\PC){0,24}"
        ) {
            for line in install_lines(&[&source]) {
                prop_assert!(source.get(line.range.clone()).is_some());
            }
            let without = without_installs(&source);
            prop_assert_eq!(without.matches('\n').count(), source.matches('\n').count());
            if install_lines(&[&source]).is_empty() {
                prop_assert_eq!(without, source);
            }
        }
    }
}
