use super::*;

/// The example of the module's documentation.
fn example() -> String {
    let source = include_str!("../script.rs");
    let lines = source.lines().skip_while(|line| *line != "//! ```toml").skip(1).take_while(|line| *line != "//! ```");
    lines.map(|line| line.trim_start_matches("//!").trim_start().to_owned() + "\n").collect()
}

#[test]
fn the_documented_script_is_one() {
    let script = Script::parse(&example()).unwrap();
    let say = Say::text("I have read it.\n\n```python\n# %%\nprint(1)\n```").tokens(900, 400, 120, 0);
    let slow = Act::status(429, "rate_limit_exceeded").message("slow down").retry_after("1");
    let late = Act { delay: Duration::from_millis(500), ..Say::text("too late").sent(Delivery::Stall) };
    assert_eq!(script.acts, [say.into(), slow, late]);
    assert_eq!(script.otherwise, Some(Act::status(500, "server_error")));
}

#[test]
fn what_makes_no_sense_is_named() {
    let told = |text: &str| Script::parse(text).unwrap_err().to_string();
    assert_eq!(told("[[act]]\n"), "act 1 of the script: it needs either `say` or `status`");
    assert_eq!(told("[[act]]\nsay = 'a'\n[[act]]\nstatus = 1"), "act 2 of the script: 1 is no status of HTTP");
    assert!(told("[otherwise]\nsay = 'a'\nfinish = 'bored'").contains("act 0 of the script: `bored` is no end"));
    assert!(told("[[act]]\nsay = 'a'\ndelivery = 'pigeon'").contains("`pigeon` is no delivery"));
    assert!(told("[[act]]\nsay = 'a'\ndelivery = 'drip'\nbytes_per_second = 0").contains("more than 0"));
    assert!(told("[[act]]\nsay = 'a'\ndelay = nan").contains("not between 0 and 3600 s"));
    assert!(told("[[act]]\nsay = 'a'\ncode = 'x'").contains("go with `status`"));
    assert!(told("[[act]]\nsaid = 'a'").contains("not a script"));
}

#[test]
fn a_record_is_said_again_without_its_failures() {
    let record = concat!(
        r#"{"version":1,"usage":{"input":7,"cached_input":2,"output":3,"reasoning":1},"ending":{"answer":{"text":"a"}}}"#,
        "\n",
        r#"{"version":1,"ending":{"failure":{"kind":"timeout"}}}"#,
        "\n\n",
        r#"{"version":1,"ending":{"answer":{"text":"b"}}}"#,
        "\n",
    );
    let script = Script::from_record(record).unwrap();
    assert_eq!(script.acts, [Say::text("a").tokens(7, 2, 3, 1).into(), Say::text("b").into()]);
    let error = Script::from_record("{\"ending\":{}}").unwrap_err().to_string();
    assert_eq!(error, "line 1 of the record: it has neither an answer nor a failure");
    assert!(Script::from_record("{").unwrap_err().to_string().starts_with("line 1 of the record: EOF"));
}
