//! The tools that others keep, in their real environment: fissix and ruff, in the sandbox.

use std::collections::BTreeMap;

use crate::support::{nbrevive, repository, scratch};
use nbrevive_notebook::{Cell, Notebook};
use nbrevive_repair::{CellFeedback, Feedback, PatchProvider, Proposal, Tools};
use nbrevive_sandbox::Backend;
use nbrevive_study::{DiskSettings, Laboratory, LaboratorySettings, StudyLimits};

/// What the tools propose for cells that raised, asked without the rules before them.
fn proposal(cells: &[&str], errors: &[(usize, &str, &str)]) -> Option<Proposal> {
    let settings = LaboratorySettings {
        sandbox: Backend::Bubblewrap.into(),
        limits: StudyLimits::default(),
        seed: 0,
        offline: false,
        disk: DiskSettings::default(),
    };
    let laboratory = Laboratory::open(&settings).expect("the sandbox is there");
    let notebook = Notebook::from_cells(cells.iter().map(|source| Cell::code(*source)).collect());
    let errors = errors.iter().map(|(cell, ename, evalue)| CellFeedback {
        cell: *cell,
        ename: (*ename).to_owned(),
        evalue: (*evalue).to_owned(),
        traceback: String::new(),
        line: None,
    });
    let packages = BTreeMap::from([("numpy".to_owned(), "2.5.5".to_owned())]);
    let feedback = Feedback::of_errors(&notebook, errors.collect(), &packages);
    Tools::new(Box::new(|| laboratory.tools())).propose(&feedback).expect("the tools are there")
}

const SYNTAX: (&str, &str) = ("SyntaxError", "invalid syntax");

#[test]
fn the_tools_carry_over_what_they_know_and_leave_the_rest_byte_for_byte() {
    let cells = [
        "%matplotlib inline\nimport numpy as np  \n\n\tx = 1" as &str,
        "import numpy as np  \nx = 1\t\r\n\n",
        "%%time\nfiles = !ls \\\n  -a\nfor k, v in {}.iteritems():\n    print k, v  \n    !ls\n",
        "np.row_stack([a, b]); np.trapz(a)   \n# é",
        "if nobody ( reads this\n",
    ];
    let (syntax, message) = SYNTAX;
    let errors = [
        (0, "IndentationError", "unexpected indent"),
        (2, syntax, message),
        (3, "AttributeError", "module 'numpy' has no attribute 'row_stack'"),
        (4, syntax, message),
    ];
    let proposal = proposal(&cells, &errors).expect("two cells can be mended");
    let after: Vec<&str> = proposal.notebook.cells.iter().map(|cell| cell.source.as_str()).collect();
    assert_eq!(
        after,
        [
            cells[0],
            cells[1],
            "%%time\nfiles = !ls \\\n  -a\nfor k, v in {}.items():\n    print(k, v)  \n    !ls\n",
            "np.vstack([a, b]); np.trapezoid(a)   \n# é",
            cells[4],
        ]
    );
    let applied: Vec<(&str, usize, u32)> =
        proposal.applied.iter().map(|one| (one.rule.as_str(), one.cell, one.line)).collect();
    assert_eq!(applied, [("fissix", 2, 4), ("ruff-numpy", 3, 1)]);
}

#[test]
fn what_no_tool_reads_is_no_proposal() {
    let (syntax, message) = SYNTAX;
    assert!(proposal(&["if nobody ( reads this\n"], &[(0, syntax, message)]).is_none());
    let numpy = ("AttributeError", "module 'numpy' has no attribute 'nowhere'");
    assert!(proposal(&["import numpy as np\nnp.nowhere\n"], &[(0, numpy.0, numpy.1)]).is_none());
}

/// With an order of the tools alone, so that no rule comes before them.
#[test]
fn a_notebook_comes_back_by_the_tools_alone() {
    let scratch = scratch();
    let path = |name: &str| scratch.path().join(name);
    let cells =
        ["import numpy as np\nprint 'rows', 2\n", "import numpy as np\nprint(np.row_stack([[1, 2], [3, 4]]).shape)\n"];
    let notebook = Notebook::from_cells(cells.map(Cell::code).to_vec());
    std::fs::write(path("old.ipynb"), nbrevive_notebook::write(&notebook)).unwrap();
    let order = "[repair.order]\nerror-repair = [\"tools\"]\n";
    std::fs::write(path("order.toml"), order).unwrap();
    let run = nbrevive()
        .current_dir(repository())
        .arg("modernize")
        .arg(path("old.ipynb"))
        .arg("--settings")
        .arg(path("order.toml"))
        .args(["--lock-only", "--out"])
        .arg(path("new.ipynb"))
        .assert()
        .success();
    let said = String::from_utf8_lossy(&run.get_output().stdout).into_owned();
    assert!(said.contains("# fix 1 (error-repair, tools)"), "{said}");
    assert!(said.contains("# cell 1, line 2: fissix: python 3.0"), "{said}");
    assert!(said.contains("# cell 2, line 2: ruff-numpy: numpy: a name that was removed"), "{said}");
    assert!(said.contains("+print(np.vstack([[1, 2], [3, 4]]).shape)"), "{said}");
}
