//! Two things at once.

/// Does two things at once, the first on a thread of its own: one of rayon's would begin the second while it waits for polars, and go
/// on with the first when that is done.
pub(crate) fn both<A: Send, B>(first: impl FnOnce() -> A + Send, second: impl FnOnce() -> B) -> (A, B) {
    std::thread::scope(|threads| {
        let first = threads.spawn(first);
        let second = second();
        (first.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)), second)
    })
}
