//! What a call costs: bytes of memory at its worst moment, and the time of its thread.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::time::Duration;

/// Counts for each thread what it holds. What another thread frees is not seen, so a parser is metered on its own thread.
struct Counting;

#[global_allocator]
static COUNTING: Counting = Counting;

thread_local! {
    /// Bytes held now, and the most that were held since the last look.
    static HELD: Cell<(isize, isize)> = const { Cell::new((0, 0)) };
}

fn count(difference: isize) {
    // A thread that is ending has no counter any more.
    let _ = HELD.try_with(|held| {
        let (now, most) = held.get();
        held.set((now + difference, most.max(now + difference)));
    });
}

// SAFETY: every call goes to the system's allocator as it came; counting neither allocates nor unwinds.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size().cast_signed());
        // SAFETY: the caller's promises are those that the system's allocator asks for.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size().cast_signed());
        // SAFETY: as above.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size.cast_signed() - layout.size().cast_signed());
        // SAFETY: as above.
        unsafe { System.realloc(place, layout, size) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        count(-layout.size().cast_signed());
        // SAFETY: as above.
        unsafe { System.dealloc(place, layout) }
    }
}

/// What a call cost.
#[derive(Debug, Clone, Copy)]
pub struct Cost {
    /// The most memory that it held, in bytes.
    pub bytes: usize,
    /// The time that its thread ran.
    pub time: Duration,
}

/// Calls `call` and says what it cost on this thread.
///
/// # Panics
/// On a system that has no clock for each thread.
pub fn metered<R>(call: impl FnOnce() -> R) -> (R, Cost) {
    let before = HELD.with(|held| {
        let (now, _) = held.get();
        held.set((now, now));
        now
    });
    let began = thread_time();
    let answer = call();
    let time = thread_time().saturating_sub(began);
    let most = HELD.with(|held| held.get().1);
    (answer, Cost { bytes: usize::try_from(most - before).unwrap_or(0), time })
}

fn thread_time() -> Duration {
    let mut now = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is that of a value of ours, which the call fills.
    let failed = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut now) };
    assert_eq!(failed, 0, "Linux has a clock for each thread");
    Duration::new(u64::try_from(now.tv_sec).unwrap_or(0), u32::try_from(now.tv_nsec).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_moment_counts() {
        let (length, cost) = metered(|| {
            drop(vec![1_u8; 1 << 20]);
            vec![1_u8; 1 << 10].len()
        });
        assert_eq!(length, 1 << 10);
        assert!((1 << 20..1 << 21).contains(&cost.bytes), "{cost:?}");
    }

    #[test]
    fn sleep_takes_no_time_and_work_does() {
        let (_, asleep) = metered(|| std::thread::sleep(Duration::from_millis(200)));
        let (_, awake) = metered(|| (0..20_000_000_u64).fold(0, |sum: u64, next| std::hint::black_box(sum ^ next)));
        assert!(awake.time > asleep.time, "{awake:?} {asleep:?}");
    }
}
