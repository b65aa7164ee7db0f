//! The pages, read in a real browser, through the program.

use crate::mine::bench::{Bench, FAST, small};

#[test]
fn pages_tell_what_the_api_does_not_and_are_replayed_without_a_browser() {
    let bench = Bench::new(small(), "");
    let site = format!("browser.site = {:?}\nbrowser.at_most = 1\n", bench.server.url());
    bench.write_study(&format!("sources = [\"kaggle-api\", \"browser\"]\n{site}{FAST}").replace("0.4", "20.0"));
    bench.mine("store").success();
    let rows = bench.rows("store");
    let pages: Vec<_> = rows.iter().filter(|row| row.starts_with("version ") && row.contains(" browser ")).collect();
    assert!(pages.iter().any(|row| row.contains("\"status\":\"complete\"")), "{pages:#?}");
    let asked = bench.server.log().len();
    bench.command(&["mine", "replay"], "store").env("PATH", "/nowhere").assert().success();
    assert!(bench.rows("store") == rows);
    assert_eq!(bench.server.log().len(), asked);
    bench.assert_no_secret("store");
}
