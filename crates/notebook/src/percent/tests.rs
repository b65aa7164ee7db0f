use super::*;

fn sources(text: &str) -> Vec<(PercentKind, String)> {
    parse(text).expect("percent form").into_iter().map(|cell| (cell.kind, cell.source)).collect()
}

fn code(source: &str) -> (PercentKind, String) {
    (PercentKind::Code, source.to_owned())
}

fn markdown(source: &str) -> (PercentKind, String) {
    (PercentKind::Markdown, source.to_owned())
}

#[test]
fn the_form() {
    let notebook = Notebook::from_cells(vec![
        Cell::markdown("# Title\n\ntext"),
        Cell::code("%matplotlib inline\n!ls\n"),
        Cell::code(""),
        Cell::raw("raw"),
        Cell::code("# %% a marker\ntext = '''\n#%%\n# \\%% x\n'''"),
    ]);
    insta::assert_snapshot!(render(&notebook), @r"
    # %% [markdown]
    # # Title
    #
    # text

    # %%
    %matplotlib inline
    !ls


    # %%

    # %% [raw]
    # raw

    # %%
    # \%% a marker
    text = '''
    #\%%
    # \\%% x
    '''
    ");
}

#[test]
fn awkward_sources_survive() {
    let awkward = [
        "",
        "\n",
        "\n\n",
        "a\n",
        "a\n\n",
        "\na",
        "# %%",
        "# %% [markdown]",
        "#%%\tx",
        "# \\%%",
        "#\\\\%%",
        "# %%time",
        "%%",
        "# %%[raw]",
        "#",
        "# ",
        " ",
        "a\r\nb",
        "# %%\r",
        "\r",
        "%%bash\nls",
        "'''",
        "\"\"\"a\"\"\"",
        "# %%%",
        "#  %% x\n# %%",
    ];
    for source in awkward {
        for cell in [Cell::code(source), Cell::markdown(source), Cell::raw(source)] {
            let notebook = Notebook::from_cells(vec![Cell::code("1"), cell.clone(), cell.clone()]);
            let parsed = parse(&render(&notebook)).expect("own text");
            assert_eq!(apply(&notebook, parsed), notebook, "{source:?}");
        }
    }
}

#[test]
fn hand_written_text() {
    let text = "\n# %% Load the data\nimport x\n#%%[markdown]\n#no space\n\n# more\n\n\n# %% Words [MD]\n\"\"\"\nquoted\n\"\"\"\n\n# %% [raw]\n";
    let expected =
        [code("import x"), markdown("no space\n\nmore"), markdown("quoted"), (PercentKind::Raw, String::new())];
    assert_eq!(sources(text), expected);
}

#[test]
fn what_breaks_the_form() {
    assert_eq!(parse(""), Err(PercentError::NoCells));
    assert_eq!(parse("\n  \n"), Err(PercentError::NoCells));
    assert_eq!(parse("\nx = 1\n# %%\n"), Err(PercentError::TextBeforeFirstCell { line: 2 }));
    let unknown = PercentError::UnknownKind { line: 1, kind: "[sql]".to_owned() };
    assert_eq!(parse("# %% [sql]\n"), Err(unknown));
    assert_eq!(parse("# %% [markdown]\n# a\nx = 1\n"), Err(PercentError::Uncommented { line: 3 }));
}

#[test]
fn converted_line_ends_are_taken_back() {
    let text = "# %%\r\na\r\n\r\n# %% [markdown]\r\n# b\r\n";
    assert_eq!(sources(text), [code("a"), markdown("b")]);
}

#[test]
fn lines_are_those_of_the_markers() {
    let cells = parse("# %%\na\n\n# %%\nb").expect("two cells");
    assert_eq!(cells.iter().map(|cell| cell.line).collect::<Vec<_>>(), [1, 4]);
}

mod applying {
    use serde_json::json;

    use super::super::*;
    use crate::document::Output;

    fn original() -> Notebook {
        let mut cells = vec![Cell::markdown("title"), Cell::code("a"), Cell::code("b"), Cell::code("c")];
        for (index, cell) in cells.iter_mut().enumerate() {
            cell.id = Some(format!("id-{index}"));
            cell.metadata.insert("position".to_owned(), json!(index));
            if let CellKind::Code { execution_count, outputs } = &mut cell.kind {
                *execution_count = Some(7);
                outputs.push(Output::Stream { name: "stdout".to_owned(), text: "x".to_owned() });
            }
        }
        Notebook::from_cells(cells)
    }

    fn ids(notebook: &Notebook) -> Vec<Option<&str>> {
        notebook.cells.iter().map(|cell| cell.id.as_deref()).collect()
    }

    fn applied(text: &str) -> Notebook {
        apply(&original(), parse(text).expect("percent form"))
    }

    #[test]
    fn a_changed_cell_keeps_its_place_and_loses_its_outputs() {
        let new = applied("# %% [markdown]\n# title\n\n# %%\na\n\n# %%\nB\n\n# %%\nc\n");
        assert_eq!(ids(&new), [Some("id-0"), Some("id-1"), Some("id-2"), Some("id-3")]);
        assert_eq!(new.cells[2].source, "B");
        assert_eq!(new.cells[2].metadata["position"], json!(2));
        assert!(new.cells[2].outputs().is_empty());
        assert_eq!(new.cells[3], original().cells[3]);
    }

    #[test]
    fn a_new_cell_between_does_not_shift_the_others() {
        let new = applied("# %% [markdown]\n# title\n\n# %%\nnew\n\n# %%\na\n\n# %%\nb\n\n# %%\nc\n");
        assert_eq!(ids(&new), [Some("id-0"), None, Some("id-1"), Some("id-2"), Some("id-3")]);
    }

    #[test]
    fn a_removed_and_a_changed_cell() {
        let new = applied("# %%\na\n\n# %%\nC\n");
        assert_eq!(ids(&new), [Some("id-1"), Some("id-2")]);
    }

    #[test]
    fn another_kind_is_a_new_cell() {
        let new = applied("# %%\ntitle\n\n# %%\na\n\n# %%\nb\n\n# %%\nc\n");
        assert_eq!(ids(&new), [None, Some("id-1"), Some("id-2"), Some("id-3")]);
    }
}
