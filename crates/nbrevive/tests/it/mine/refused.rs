//! What the program says, and how it ends, when it is not let in.

use nbrevive_fakekaggle::{Fault, FaultRule, RetryAfter};
use predicates::prelude::*;
use predicates::str::contains;

use crate::mine::bench::{Bench, FAST, small};

#[test]
fn without_credentials_the_way_to_get_them_is_named() {
    let bench = Bench::new(small(), FAST);
    let refused = bench.command(&["mine"], "store").env_remove("KAGGLE_API_TOKEN").assert();
    refused.code(12).stderr(contains("no Kaggle credentials").and(contains("KAGGLE_API_TOKEN")));
    assert!(bench.server.log().is_empty());
}

#[test]
fn wrong_credentials_are_named_by_their_place_and_not_shown() {
    let bench = Bench::new(small(), FAST);
    let refused = bench.command(&["mine"], "store").env("KAGGLE_API_TOKEN", "KGAT_wrong").assert();
    refused.code(12).stderr(contains("not accepted").and(contains("KGAT_wrong").not()));
    assert_eq!(bench.server.log().len(), 1);
}

#[test]
fn rules_that_are_not_accepted_have_a_code_of_their_own() {
    let bench = Bench::new(small(), &format!("leaderboards = true\n{FAST}"));
    bench.server.add_rule(FaultRule::always(
        "/v1/competitions.CompetitionApiService/DownloadLeaderboard",
        Fault::RulesNotAccepted,
    ));
    bench.mine("store").code(13).stderr(contains("/competitions/iris-species/rules"));
    assert!(bench.rows("store").iter().any(|row| row.starts_with("version ")), "the rest is stored");
}

#[test]
fn a_server_that_wants_fewer_requests_ends_the_run() {
    let bench = Bench::new(small(), &FAST.replace("silence", "longest_wait_seconds = 0.5\nsilence"));
    let fault = Fault::TooManyRequests { retry_after: RetryAfter::Seconds(3600) };
    bench.server.add_rule(FaultRule::always("", fault));
    bench.mine("store").code(14).stderr(contains("run again later"));
}

#[test]
fn a_study_that_makes_no_sense_is_named() {
    let bench = Bench::new(small(), "sources = [\"gopher\"]");
    bench.mine("store").code(3).stderr(contains("gopher").and(contains("kaggle-api")));
    bench.write_study("[[mine.folder]]\npath = \"nowhere\"");
    bench.command(&["mine", "folder"], "store").assert().code(3).stderr(contains("nowhere"));
    bench.command(&["mine", "git"], "store").assert().code(3).stderr(contains("[[mine.git]]"));
    bench.command(&["mine", "replay"], "store").assert().code(3).stderr(contains("nbrevive mine"));
}
