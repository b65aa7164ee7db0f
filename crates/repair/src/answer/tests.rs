//! Answers in every form that models give them.

use nbrevive_notebook::Cell;
use proptest::prelude::*;

use super::*;

fn notebook() -> Notebook {
    Notebook::from_cells(vec![
        Cell::markdown("# Title"),
        Cell::code("import pandas as pd"),
        Cell::code("df = pd.read_csv('a.csv')\ndf.ix[0]"),
        Cell::code(""),
    ])
}

const GOOD: &str = "1. `ix` is gone: use `loc`.\n\n````python\n# %% [markdown]\n# # Title\n\n# %%\nimport pandas as pd\n\n\
                    # %%\ndf = pd.read_csv('a.csv')\ndf.loc[0]\n````\n\nThat should do.\n";

fn problem(answer: &str) -> Option<AnswerProblem> {
    read(answer, &notebook(), None).err().map(|error| error.problem())
}

#[test]
fn a_good_answer_is_a_plan_and_a_notebook() {
    let answer = read(GOOD, &notebook(), None).unwrap();
    assert_eq!(answer.plan, "1. `ix` is gone: use `loc`.");
    let sources: Vec<&str> = answer.notebook.cells.iter().map(|cell| cell.source.as_str()).collect();
    assert_eq!(sources, ["# Title", "import pandas as pd", "df = pd.read_csv('a.csv')\ndf.loc[0]"]);
    let windows = GOOD.replace('\n', "\r\n");
    assert_eq!(read(&windows, &notebook(), None), Ok(answer));
}

#[test]
fn broken_forms_are_told_apart() {
    let block = GOOD.split_once("````python\n").unwrap().1.split_once("````\n").unwrap().0;
    let cases = [
        ("I cannot help with that.".to_owned(), AnswerProblem::NoBlock),
        (format!("plan `````` \n{block}"), AnswerProblem::NoBlock),
        (format!("plan\n```\nx = 1\n```\n````\n{block}````\n"), AnswerProblem::TwoBlocks),
        (format!("plan\n````\n{block}"), AnswerProblem::Truncated),
        (format!("plan\n````\n{block}```\n"), AnswerProblem::Truncated),
        (format!("\n````\n{block}````\n"), AnswerProblem::EmptyPlan),
        (format!("---\n````\n{block}````\n"), AnswerProblem::EmptyPlan),
        ("plan\n```\nimport pandas\n```\n".to_owned(), AnswerProblem::NotCells),
        ("plan\n```\n# %% [bash]\nls\n```\n".to_owned(), AnswerProblem::NotCells),
        (
            "plan\n```\n# %% [markdown]\n# # Title\n\n# %%\nimport pandas as pd\n```\n".to_owned(),
            AnswerProblem::CellsLost,
        ),
        (GOOD.replace("# %% [markdown]\n# # Title\n\n", ""), AnswerProblem::CellsLost),
        (GOOD.replace("df.loc[0]", "# ... rest of the code unchanged"), AnswerProblem::Elided),
        (GOOD.replace("import pandas as pd", "# (unchanged)"), AnswerProblem::Elided),
        (GOOD.replace("df.loc[0]", "..."), AnswerProblem::Elided),
        (GOOD.replace("df.loc[0]", "df.loc[0"), AnswerProblem::NotPython),
        (GOOD.replace("df.loc[0]", "print df"), AnswerProblem::NotPython),
        ("x".repeat(LONGEST + 1), AnswerProblem::TooLarge),
    ];
    for (answer, expected) in cases {
        let shown: String = answer.chars().take(200).collect();
        assert_eq!(problem(&answer), Some(expected), "{shown}");
    }
}

#[test]
fn messages_say_what_to_do() {
    let words = |answer: &str| read(answer, &notebook(), None).unwrap_err().to_string();
    let messages = [
        words(&GOOD.replace("df.loc[0]", "df.loc[0")),
        words(&GOOD.replace("df.loc[0]", "# ... existing code ...")),
        words("p\n```\n# %%\na\n```\n"),
        words("p\n```\n# %%\na\n```\n```\nb\n```\n"),
    ];
    insta::assert_snapshot!(messages.join("\n"));
}

#[test]
fn what_the_author_left_out_is_no_elision() {
    let own = Notebook::from_cells(vec![Cell::code("# ... same as before\nx = 1")]);
    let answer = "plan\n```\n# %%\n# ... same as before\nx = 2\n```\n";
    assert!(read(answer, &own, None).is_ok());
}

#[test]
fn copied_notes_go_and_own_lines_of_their_shape_stay() {
    let own = Notebook::from_cells(vec![Cell::code("#! my script\nx = 1")]);
    let answer = "plan\n```\n# %%\n#! my script\nx = 2\n#! raised:\n#! ValueError: x\n```\n";
    assert_eq!(read(answer, &own, None).unwrap().notebook.cells[0].source, "#! my script\nx = 2");
}

#[test]
fn cells_that_did_not_change_keep_their_outputs() {
    let mut old = notebook();
    old.cells[1].kind = CellKind::Code { execution_count: Some(3), outputs: Vec::new() };
    let new = read(GOOD, &old, None).unwrap().notebook;
    assert_eq!(new.cells[1], old.cells[1]);
}

#[test]
fn one_cell_is_one_code_cell() {
    let ask = |answer: &str| read(answer, &notebook(), Some(2));
    let patched = ask("plan\n```\n# %%\ndf = 1\n```\n").unwrap().notebook;
    assert_eq!(patched.cells[2].source, "df = 1");
    assert_eq!(patched.cells.len(), 4);
    let problem = |answer: &str| ask(answer).unwrap_err().problem();
    assert_eq!(problem("plan\n```\n# %%\na = 1\n\n# %%\nb = 1\n```\n"), AnswerProblem::NotOneCell);
    assert_eq!(problem("plan\n```\n# %% [markdown]\n# a\n```\n"), AnswerProblem::NotOneCell);
    assert_eq!(problem("plan\n```\n# %%\na = = 1\n```\n"), AnswerProblem::NotPython);
}

proptest! {
    #[test]
    fn no_answer_is_too_strange(answer in "(plan|`{2,5}|# %%|#! |~~~|\n|a = 1|\u{1f600}| |\\[markdown\\]){0,40}") {
        let _ = read(&answer, &notebook(), None);
        let _ = read(&answer, &notebook(), Some(2));
    }

    #[test]
    fn a_notebook_that_is_given_back_reads_back(sources in prop::collection::vec("[a-z`#%= \n]{0,30}", 1..6)) {
        let own = Notebook::from_cells(sources.into_iter().map(Cell::code).collect());
        let text = percent::render(&own);
        let fence = "`".repeat(40);
        let answer = format!("plan\n{fence}\n{text}{fence}\n");
        match read(&answer, &own, None) {
            Ok(read) => prop_assert_eq!(read.notebook, own),
            Err(error) => prop_assert!(false, "{} for {:?}", error, text),
        }
    }
}
