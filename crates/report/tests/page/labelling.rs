//! The page for labels, used by keyboard alone, with crashes that would like to be markup.

use nbrevive_diagnosis::crash::{RatedCrash, RaterLabels};
use nbrevive_notebook::{Cell, CellKind, Notebook, Output};
use nbrevive_report::{LabelCase, label_page};

use crate::browser::Browser;

const TAB: &str = "\u{e004}";
const ESCAPE: &str = "\u{e00c}";
const HOSTILE: &str =
    "</pre></section><script>document.title='taken'</script><img src=https://example.invalid/x onerror=alert(1)>";

fn notebook() -> Notebook {
    let mut crashed = Cell::code("df['Age']");
    let error = Output::Error { ename: "KeyError".to_owned(), evalue: "'Age'".to_owned(), traceback: Vec::new() };
    crashed.kind = CellKind::Code { execution_count: Some(3), outputs: vec![error] };
    Notebook::from_cells(vec![Cell::markdown(format!("# {HOSTILE}")), Cell::code("df = 1\n<b>"), crashed])
}

fn case<'a>(id: &'a str, notebook: Option<&'a Notebook>) -> LabelCase<'a> {
    let notebook = notebook.map(|notebook| (notebook, Some(2)));
    LabelCase { id, place: HOSTILE, ename: HOSTILE, evalue: "a\u{202e}b", traceback: HOSTILE, notebook }
}

#[test]
fn crashes_are_labelled_by_keyboard_alone_and_nothing_in_them_runs() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.html");
    let notebook = notebook();
    let cases = [case("1", Some(&notebook)), case("2", None), case("\"3'", None)];
    std::fs::write(&page, label_page("Ada L", &cases, None)).unwrap();
    let browser = Browser::start();
    browser.open(&page, "");
    assert_eq!(browser.text("#progress"), "crash 1 of 3, 0 labelled");
    // All cells with their counts, the one that crashed marked, and nothing of it markup.
    assert_eq!(browser.text(".crashed .count"), "cell 3, [3], crashed here");
    assert_eq!(browser.value("document.querySelectorAll('#cases b, #cases img, #cases script').length"), 0);
    assert_eq!(browser.value("document.title"), "Crashes to label");

    browser.keys("3mwA");
    browser.picture("labelling");
    // The last dimension by a new category: its field is reached with the tab key.
    browser.keys("n");
    assert_eq!(browser.text("#progress"), "crash 2 of 3, 1 labelled");
    browser.keys("1");
    for _ in 0..60 {
        if browser.value("document.activeElement.matches('[data-dimension=root_cause] [type=text]')") == true {
            break;
        }
        browser.keys(TAB);
    }
    browser.keys("cosmic rays n");
    browser.keys(ESCAPE);
    browser.keys("pu");
    browser.keys("T");
    browser.keys("n4o");
    assert_eq!(browser.text("#progress"), "crash 3 of 3, 2 labelled");
    // What is no crash needs no label, and that is taken back.
    browser.keys("z");
    assert_eq!(browser.text("#progress"), "crash 3 of 3, 3 labelled");
    browser.keys("a");
    assert_eq!(browser.text("#progress"), "crash 3 of 3, 2 labelled");
    browser.keys("x");
    browser.keys("n");
    assert_eq!(browser.text("#progress"), "crash 3 of 3, 3 labelled: the last one, s saves them");
    browser.keys("s");
    assert_eq!(browser.text("#progress"), "crash 3 of 3, 3 labelled: saved as labels-Ada_L.json");
    let saved: RaterLabels = serde_json::from_str(&browser.downloaded("labels-Ada_L.json")).unwrap();
    assert_eq!(saved.rater, "Ada L");
    let words: Vec<[&str; 4]> = saved.labels.iter().map(RatedCrash::words).collect();
    let expected =
        [["NameError", "NB", "True", "DATAP"], ["Exception", "cosmic rays n", "False", "NONE"], ["", "IMPL", "", ""]];
    assert_eq!(words, expected);
    assert_eq!((saved.labels[2].id.as_str(), saved.labels[2].excluded.as_str()), ("\"3'", "no code"));
    assert!(!saved.labels[0].is_excluded() && !saved.labels[1].is_excluded());

    // The browser keeps what was said; a page of a review shows it.
    browser.open(&page, "");
    assert_eq!(browser.text("#progress"), "crash 1 of 3, 3 labelled");
    let review = folder.path().join("review.html");
    std::fs::write(&review, label_page("Grace", &cases, Some(&saved))).unwrap();
    browser.open(&review, "");
    assert_eq!(browser.value("document.querySelector('[name=root_cause]:checked').value"), "NB");
    browser.keys("n");
    assert_eq!(
        browser.value("document.querySelector('[data-dimension=root_cause] [type=text]').value"),
        "cosmic rays n"
    );
    browser.keys("n");
    assert_eq!(browser.value("document.querySelector('[name=excluded]:checked').value"), "no code");
    assert_eq!(browser.complaints(), Vec::<String>::new());
}
