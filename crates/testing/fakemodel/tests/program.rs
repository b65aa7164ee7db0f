//! The program as a person starts it.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use reqwest::blocking::Client;
use serde_json::{Value, json};

struct Program {
    child: Child,
    url: String,
    key: String,
}

impl Drop for Program {
    fn drop(&mut self) {
        // It serves until it is stopped; what is gone already needs no stop.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Program {
    fn start(arguments: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fakemodel"));
        let mut child = command.args(arguments).stdout(Stdio::piped()).spawn().expect("the program starts");
        let output = BufReader::new(child.stdout.take().expect("its output is a pipe"));
        let mut lines = output.lines().map(|line| line.expect("it prints text"));
        let url = lines.next().expect("it prints its address");
        let key = lines.next().expect("it prints its key");
        let key = key.strip_prefix("OPENAI_API_KEY=").expect("the key has a name").to_owned();
        Self { child, url, key }
    }

    fn ask(&self, path: &str) -> (u16, Value) {
        // A second call finds it installed, which is as good.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let client = Client::builder().no_proxy().timeout(Duration::from_secs(30)).build().expect("a client");
        let text = json!([{"role": "user", "content": "hello"}]);
        let body = json!({"model": "m", "messages": text, "input": text}).to_string();
        let request = client.post(format!("{}{path}", self.url)).bearer_auth(&self.key).body(body);
        let response = request.send().expect("it answers");
        let status = response.status().as_u16();
        let text = response.text().expect("it answers in text");
        (status, serde_json::from_str(&text).expect("it answers in JSON"))
    }
}

#[test]
fn it_says_what_the_script_says_in_both_protocols() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("script.toml");
    std::fs::write(
        &path,
        "[[act]]\nsay = 'first'\ninput = 7\n[[act]]\nstatus = 429\ncode = 'busy'\n[otherwise]\nsay = 'rest'",
    )
    .unwrap();
    let program = Program::start(&["--port", "0", "--script", &path.to_string_lossy()]);
    let (status, answer) = program.ask("/chat/completions");
    assert_eq!((status, &answer["choices"][0]["message"]["content"]), (200, &json!("first")));
    assert_eq!(answer["usage"]["prompt_tokens"], 7);
    let (status, answer) = program.ask("/responses");
    assert_eq!((status, &answer["error"]["code"]), (429, &json!("busy")));
    for _ in 0..2 {
        assert_eq!(program.ask("/responses").1["output"][1]["content"][0]["text"], "rest");
    }
}

#[test]
fn it_says_a_record_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("dialogue.jsonl");
    std::fs::write(&path, "{\"ending\":{\"answer\":{\"text\":\"as recorded\"}}}\n").unwrap();
    let program = Program::start(&["--port", "0", "--from-record", &path.to_string_lossy()]);
    assert_eq!(program.ask("/responses").1["output"][1]["content"][0]["text"], "as recorded");
    assert_eq!(program.ask("/responses").1["output"][1]["content"][0]["text"], "ok");
}

#[test]
fn a_script_that_is_none_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("script.toml");
    std::fs::write(&path, "[[act]]\n").unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_fakemodel")).arg("--script").arg(&path).output().unwrap();
    let words = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!output.status.success() && words.contains("script.toml") && words.contains("act 1"), "{words}");
}
