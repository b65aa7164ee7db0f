//! The only place that writes: standard output is data, standard error is for people. Both take nothing but [`Shown`], so that no text of
//! a notebook, an index, a model or a file name reaches a terminal as it came.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::borrow::Cow;
use std::io::{self, Write};
use std::panic::PanicHookInfo;
use std::path::Path;

use nbrevive_shown::{Shown, shown};
use tracing_subscriber::EnvFilter;

/// Writes a piece of data. A reader that closed the pipe has what it wanted.
pub(crate) fn data(text: &Shown) {
    let mut out = io::stdout().lock();
    // A closed pipe is the reader's choice, not an error.
    let _ = out.write_all(text.as_str().as_bytes()).and_then(|()| out.flush());
}

/// Tells a person something.
pub(crate) fn note(text: &Shown) {
    let _ = writeln!(io::stderr().lock(), "{}", text.as_str());
}

/// Tells a person what went wrong.
pub(crate) fn error(text: &Shown) {
    note(&shown!("error: {}", text));
}

/// A path as JSON has it, which knows no bytes: one that is no UTF-8 stands as it is shown.
pub(crate) fn json_path(path: &Path) -> Cow<'_, str> {
    path.to_str().map_or_else(|| Cow::Owned(Shown::path(path).as_str().to_owned()), Cow::Borrowed)
}

/// Tells of panics as the standard library does, with a backtrace where RUST_BACKTRACE asks for one: their messages quote values.
pub(crate) fn tell_panics() {
    std::panic::set_hook(Box::new(|panic| note(&panicked(panic, &Backtrace::capture()))));
}

fn panicked(panic: &PanicHookInfo<'_>, backtrace: &Backtrace) -> Shown {
    let thread = std::thread::current();
    let place = panic.location().map_or_else(Shown::default, |place| shown!(" at {}", place));
    let message = panic.payload_as_str().unwrap_or("no message");
    let mut text = shown!("thread '{}' panicked{}: {}", thread.name().unwrap_or("unnamed"), place, message);
    if backtrace.status() == BacktraceStatus::Captured {
        text.push(&shown!("\n{}", Shown::block(backtrace.to_string().trim_end())));
    }
    text
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
        .with_writer(|| Log)
        // Colours would be escaped like all that steers a terminal.
        .with_ansi(false)
        .without_time()
        .with_target(false)
        .init();
}

/// Takes what is logged, an event at a time, and shows it on one line.
struct Log;

impl Write for Log {
    fn write(&mut self, event: &[u8]) -> io::Result<usize> {
        note(&Shown::line(String::from_utf8_lossy(event).trim_end()));
        Ok(event.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod attacks {
    use std::sync::{Arc, Mutex};

    use super::*;

    #[test]
    fn a_panic_cannot_steer_the_terminal() {
        let told = Arc::new(Mutex::new(Shown::default()));
        let sink = Arc::clone(&told);
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            *sink.lock().unwrap() = panicked(panic, &Backtrace::force_capture());
        }));
        let caught =
            std::panic::catch_unwind(|| panic!("no column {}", "\u{1b}]52;c;YQ==\u{7}\nerror: forged\u{9b}2J"));
        std::panic::set_hook(before);
        assert!(caught.is_err());
        let told = told.lock().unwrap().as_str().to_owned();
        let first = told.lines().next().unwrap();
        assert!(first.ends_with("no column \\u{1b}]52;c;YQ==\\u{7}\\nerror: forged\\u{9b}2J"), "{first}");
        assert!(told.contains("a_panic_cannot_steer_the_terminal"), "no backtrace: {told}");
        assert!(!told.chars().any(|found| found.is_control() && found != '\n'));
    }
}
