//! The only place that writes: standard output is data, standard error is for people.

use std::io::Write;

use tracing_subscriber::EnvFilter;

/// Writes a piece of data. A reader that closed the pipe has what it wanted.
pub(crate) fn data(text: &str) {
    let mut out = std::io::stdout().lock();
    // A closed pipe is the reader's choice, not an error.
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// Tells a person something.
pub(crate) fn note(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

/// Tells a person what went wrong.
pub(crate) fn error(text: &str) {
    note(&format!("error: {text}"));
}

/// Sends what the crates log to standard error: warnings, or more when asked (`--verbose`, `NBREVIVE_LOG`).
pub(crate) fn start_logging(verbose: u8) {
    let default = match verbose {
        0 => "warn",
        1 => "info",
        _ => "debug",
    };
    let filter = EnvFilter::try_from_env("NBREVIVE_LOG").unwrap_or_else(|_| EnvFilter::new(default));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .without_time()
        .with_target(false)
        .init();
}
