//! The program `nbrevive`.

use std::process::ExitCode;

/// Rows by the million are made on one thread and dropped on another, which the system's allocator is slow at.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    nbrevive::main()
}
