//! Crashes: errors that notebooks saved, from the output to its root cause.
