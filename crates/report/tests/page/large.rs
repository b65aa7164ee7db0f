//! A study of the paper's size: 12,720 versions under three conditions.

use serde_json::json;

use crate::browser::Browser;
use crate::fixture::Study;

#[test]
fn a_study_of_the_papers_size_is_listed_to_its_end_with_few_elements() {
    let study = Study::repeated(318);
    let browser = Browser::start();
    browser.open(&study.page(), "");
    assert_eq!(browser.text("#found"), "12,720 versions");
    let few = |place: &str| {
        let rows = browser.value("document.querySelectorAll('#list [data-row]').length").as_u64().unwrap();
        assert!((5..40).contains(&rows), "{rows} rows {place}");
    };
    few("at the start");
    browser.value("document.getElementById('list').scrollTo(0, 1e9)");
    browser.wait("!!document.getElementById('row-12719')");
    few("at the end");
    browser.click("#row-12719");
    browser.wait("document.querySelectorAll('#version table').length > 0");
    let slug = browser.value("new URLSearchParams(location.hash.slice(1)).get('version')");
    assert!(slug.as_str().unwrap().starts_with("317-"), "{slug}");
    browser.value("(() => { const search = document.getElementById('filter-q'); search.value = '123-'; search.dispatchEvent(new Event('input')); })()");
    assert_eq!(browser.text("#found"), "40 of 12,720 versions");
    // The study's own share does not depend on how often it is repeated.
    assert_eq!(
        browser.value("document.querySelector('#card-baseline .of').textContent.includes('of 12,720 versions')"),
        json!(true)
    );
    assert_eq!(browser.complaints(), Vec::<String>::new());
}
