//! A model server for people and shell tests: `fakemodel --port 7778 --script FILE`, or `--from-record dialogue.jsonl`.

use std::error::Error;
use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Parser;

use crate::{FakeModel, Script, ScriptError};

/// What `--help` says.
const LONG: &str = r#"A loopback server that speaks Responses and Chat Completions, and says what a script tells it to.

It prints its address and the only key that it takes, and serves until it is stopped:

  http://127.0.0.1:7778/v1
  OPENAI_API_KEY=sk-fake-…

A script is TOML, one table a request, in order:

  [[act]]
  say = "Plan: …"                # finish, input, cached_input, output, reasoning
  [[act]]
  status = 429                   # code, message, retry_after
  [[act]]
  say = "too late"
  delivery = "stall"             # stall-in-body, reset-in-headers, reset-in-body, cut-short, drip
  delay = 0.5                    # seconds
  [otherwise]                    # all requests after these
  say = "ok"
"#;

/// A loopback server that speaks Responses and Chat Completions, and says what a script tells it to.
#[derive(Parser)]
#[command(name = "fakemodel", long_about = LONG)]
struct Arguments {
    /// Port; 0 for any that is free.
    #[arg(long, default_value_t = 7778)]
    port: u16,
    /// What to do with each request; without one all are answered with `ok`.
    #[arg(long)]
    script: Option<PathBuf>,
    /// A recorded dialogue whose answers are said again, in their order, whatever is asked.
    #[arg(long, conflicts_with = "script")]
    from_record: Option<PathBuf>,
}

pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    let script = match (&arguments.script, &arguments.from_record) {
        (Some(path), _) => read(path, Script::parse)?,
        (_, Some(path)) => read(path, Script::from_record)?,
        (None, None) => Script::default(),
    };
    let server = FakeModel::start_on(arguments.port)?;
    server.play(script);
    let mut out = std::io::stdout();
    writeln!(out, "{}\nOPENAI_API_KEY={}", server.url(), server.key())?;
    out.flush()?;
    server.wait();
    Ok(())
}

fn read(path: &Path, parse: impl Fn(&str) -> Result<Script, ScriptError>) -> Result<Script, Box<dyn Error>> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    parse(&text).map_err(|error| format!("{}: {error}", path.display()).into())
}
