//! The API client against loopback servers, on good days and bad ones.

mod faults;
mod lists;
mod runs;
mod shapes;
