use nbrevive_compare::OutputComparer;
use nbrevive_notebook::{Cell, CellKind, Output};
use serde_json::{Map, Value, json};

use super::*;

/// A white picture of 4 × 3 pixels.
const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAQAAAADCAIAAAA7ljmRAAAADklEQVR4nGP4jwQYcHIAu4cj3ZP55DwAAAAASUVORK5CYII=";

fn shown(data: &Value) -> Output {
    let data: Map<String, Value> = data.as_object().cloned().unwrap_or_default();
    Output::DisplayData { data, metadata: Map::new() }
}

fn printed(text: &str) -> Output {
    Output::Stream { name: "stdout".to_owned(), text: text.to_owned() }
}

fn notebook(cells: &[(&str, Vec<Output>)]) -> Notebook {
    let cell = |(source, outputs): &(&str, Vec<Output>)| Cell {
        kind: CellKind::Code { execution_count: Some(1), outputs: outputs.clone() },
        ..Cell::code(*source)
    };
    Notebook::from_cells(cells.iter().map(cell).collect())
}

/// The page of one notebook of which these outputs were saved and came.
fn page(source: &str, saved: Vec<Output>, new: Vec<Output>) -> String {
    let (saved, new) = (notebook(&[(source, saved)]), notebook(&[(source, new)]));
    let compared = OutputComparer::default().notebooks(&saved, &new).expect("one document");
    let run = ComparedRun { saved: &saved, new: &new, compared: &compared, raising: &[], level: Agreement::Value };
    let head = PageHead {
        title: "me/<it>".to_owned(),
        level: Agreement::Value,
        facts: vec![("python", "3.6.8".to_owned())],
        notes: vec!["declared by <script>alert(1)</script>".to_owned()],
        lock: "numpy==1.16.4\n".to_owned(),
    };
    let mut page = CheckPage::new(head);
    let (path, told) = ("a<b>.ipynb", "0 of 1 cells as saved; cell 1: \"<img src=x onerror=alert(1)>\"");
    page.add(&CheckedNotebook { path, verdict: CheckVerdict::Differs, told, seconds: 1.0, run: Some(run) });
    page.html()
}

/// The article of the cell alone.
fn article(saved: Vec<Output>, new: Vec<Output>) -> String {
    let page = page("import random\nx = random.random()", saved, new);
    let start = page.find("<article").expect("a cell differs");
    page[start..].split("</section>").next().unwrap_or_default().to_owned()
}

#[test]
fn texts_stand_beside_each_other_with_their_differences_marked() {
    let article = article(vec![printed("loss 0.5\nend\n")], vec![printed("loss 0.7\nend\n")]);
    insta::assert_snapshot!(article);
}

#[test]
fn tables_are_tables_and_their_cells_marked() {
    let table = |value: &str| {
        let html = format!(
            "<style>a</style><table onclick='x()'><thead><tr><th></th><th>a</th></tr></thead><tbody><tr><th>0</th><td>{value}</td></tr>\
             <tr><th>1</th><td>1.0</td></tr></tbody></table>"
        );
        vec![shown(&json!({ "text/html": html, "text/plain": "a" }))]
    };
    let article = article(table("2.5"), table("<b>2.6</b>"));
    assert!(article.contains("<th>0</th><td><mark>2.5</mark></td>"), "{article}");
    assert!(article.contains("<th>0</th><td><mark>2.6</mark></td>"), "{article}");
    assert!(article.contains("<th>1</th><td>1.0</td>") && !article.contains("onclick"), "{article}");
}

#[test]
fn pictures_stand_beside_each_other_with_their_difference() {
    let drawing = |colour: &str| {
        format!(
            "<svg xmlns='http://www.w3.org/2000/svg' width='20' height='20'><rect width='20' height='20' fill='{colour}'/></svg>"
        )
    };
    let article = article(
        vec![shown(&json!({ "image/svg+xml": drawing("red") })), shown(&json!({ "image/png": PNG }))],
        vec![shown(&json!({ "image/svg+xml": drawing("blue") })), shown(&json!({ "image/png": PNG }))],
    );
    assert_eq!(article.matches("src=\"data:image/svg+xml;base64,").count(), 2, "{article}");
    assert_eq!(article.matches("src=\"data:image/png;base64,").count(), 1, "the difference");
    assert!(article.contains("Output 2 is as saved"), "{article}");
}

mod attacks {
    use proptest::prelude::*;

    use super::*;

    /// All that a browser would run, fetch or follow stands in no markup of the page.
    fn assert_harmless(page: &str) {
        let body = &page[page.find("<body>").expect("a body")..];
        let lower = body.to_lowercase();
        for element in [
            "<script", "<iframe", "<svg", "<object", "<embed", "<link", "<meta", "<form", "<base", "<style", "<video",
            "<math",
        ] {
            assert!(!lower.contains(element), "{element} in {body}");
        }
        let mut rest = body;
        while let Some(start) = rest.find('<') {
            let end = rest[start..].find('>').map_or(rest.len(), |end| start + end);
            let tag = &rest[start..end];
            for attribute in [" on", "javascript:", "http:", "https:", "style="] {
                assert!(!tag.to_lowercase().contains(attribute), "{attribute} in {tag}");
            }
            let source = tag.split("src=\"").nth(1).unwrap_or("data:image/");
            assert!(source.starts_with("data:image/"), "{tag}");
            rest = &rest[end..];
        }
    }

    const HOSTILE: &str = "<script>alert(1)</script><img src=x onerror='alert(1)'><iframe src='https://example.org'></iframe>\
        <svg onload=alert(1)><style>*{display:none}</style><a href='javascript:alert(1)'>x</a>\u{1b}]52;c;YQ==\u{7}\u{202e}";

    #[test]
    fn nothing_of_hostile_outputs_becomes_markup() {
        for mime in [
            "text/html",
            "text/markdown",
            "text/latex",
            "text/plain",
            "image/svg+xml",
            "image/png",
            "application/javascript",
            "x/<y>",
        ] {
            for other in ["other", "<table><tr><td><script>x()</script></table>", PNG] {
                let page = page(HOSTILE, vec![shown(&json!({ mime: HOSTILE }))], vec![shown(&json!({ mime: other }))]);
                assert_harmless(&page);
                assert!(page.contains("default-src &#39;none&#39;") || page.contains("default-src 'none'"));
            }
        }
        let raised = Output::Error {
            ename: HOSTILE.to_owned(),
            evalue: HOSTILE.to_owned(),
            traceback: vec![HOSTILE.to_owned()],
        };
        assert_harmless(&page(HOSTILE, vec![printed("a")], vec![printed(HOSTILE), raised]));
        let drawing = "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><script>alert(1)</script><image href='https://example.org/x'/></svg>";
        assert_harmless(&page("a", vec![shown(&json!({ "image/svg+xml": drawing }))], vec![printed("b")]));
    }

    #[test]
    fn huge_outputs_are_cut_and_said_to_be() {
        let lines = |word: &str| (0..20_000).map(|line| format!("{word} {line}\n")).collect::<String>();
        let rows = (0..300).map(|row| format!("<tr>{}</tr>", "<td>x</td>".repeat(row % 90))).collect::<String>();
        let page = page(
            &"x = 1\n".repeat(5_000),
            vec![printed(&lines("a")), shown(&json!({ "text/html": format!("<table>{rows}</table>") }))],
            vec![printed(&lines("b")), shown(&json!({ "text/html": format!("<table>{rows}<tr><td>1</table>") }))],
        );
        assert!(page.len() < 400_000, "{} bytes", page.len());
        assert!(
            page.contains("more lines are left out")
                && page.contains("characters in all)")
                && page.contains("rows are shown")
        );
    }

    #[test]
    fn the_page_ends_where_its_room_does() {
        let picture = |shade: u8| {
            let svg = format!(
                "<svg xmlns='http://www.w3.org/2000/svg' width='9' height='9'><!--{}--><rect width='9' height='9' fill='#0000{shade:02x}'/></svg>",
                "x".repeat(4 << 10)
            );
            vec![shown(&json!({ "image/svg+xml": svg }))]
        };
        let cells = |shade| (0..4).map(|_| ("1", picture(shade))).collect::<Vec<_>>();
        let (saved, new) = (notebook(&cells(0)), notebook(&cells(255)));
        let compared = OutputComparer::default().notebooks(&saved, &new).expect("one document");
        let run = ComparedRun { saved: &saved, new: &new, compared: &compared, raising: &[], level: Agreement::Value };
        let (title, facts, notes, lock) = (String::new(), Vec::new(), Vec::new(), String::new());
        let head = PageHead { title, level: Agreement::Value, facts, notes, lock };
        let mut page = CheckPage::of_length(head, 100_000);
        for _ in 0..300 {
            let (path, told) = ("a.ipynb", "differs");
            page.add(&CheckedNotebook { path, verdict: CheckVerdict::Differs, told, seconds: 1.0, run: Some(run) });
        }
        let page = page.html();
        assert!(page.len() < 150_000, "{} bytes", page.len());
        assert!(page.contains("more cells differ and are not shown") && page.contains("notebooks are not shown whole"));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn no_text_of_any_type_becomes_markup(
            text in "(<|>|\"|'|&|script|img src=x onerror=|svg|table|td|/| |\n|\u{1b}|b|=|data:){0,24}",
            mime in prop::sample::select(vec!["text/html", "image/svg+xml", "image/png", "text/plain", "text/latex", "a/b"]),
        ) {
            assert_harmless(&page(&text, vec![shown(&json!({ mime: text.clone() }))], vec![printed(&text), printed("b")]));
        }
    }
}
