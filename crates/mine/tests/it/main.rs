//! Mining from real servers on loopback, by a real browser, and from dumps.

mod browser;
mod dump_support;
mod github;
mod kaggle;
mod metakaggle;
mod support;
