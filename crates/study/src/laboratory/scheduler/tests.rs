use std::collections::BTreeSet;
use std::num::NonZeroU32;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use super::*;

fn machine(cores: u32, memory_bytes: u64) -> Machine {
    Machine { cores: (10..10 + cores).collect(), memory_bytes: Some(memory_bytes), gpus: vec![4, 7] }
}

fn demand(cores: u32, memory_bytes: u64) -> Demand {
    Demand { cores, memory_bytes, gpu: None }
}

/// Waits until so many threads stand in line, the one whose turn it is included.
fn until_waiting(scheduler: &Scheduler, count: u64) {
    let deadline = Instant::now() + Duration::from_secs(60);
    let waiting = || {
        let state = scheduler.lock();
        state.next - state.turn
    };
    while waiting() < count {
        assert!(Instant::now() < deadline, "nobody came");
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn no_core_belongs_to_two_and_memory_is_never_promised_twice() {
    let scheduler = Scheduler::new(machine(5, 100));
    let (taken, memory, most) = (Mutex::new(BTreeSet::new()), AtomicUsize::new(0), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for thread in 0_u32..8 {
            let (scheduler, taken, memory, most) = (&scheduler, &taken, &memory, &most);
            scope.spawn(move || {
                for round in 0..200 {
                    let demand = demand(1 + (thread + round) % 3, 30);
                    let seat = scheduler.take(demand);
                    assert_eq!(seat.cores().len(), demand.cores as usize);
                    let now = memory.fetch_add(30, Ordering::SeqCst) + 30;
                    most.fetch_max(now, Ordering::SeqCst);
                    for core in seat.cores() {
                        assert!(taken.lock().unwrap().insert(core), "core {core} was given twice");
                    }
                    for core in seat.cores() {
                        taken.lock().unwrap().remove(&core);
                    }
                    memory.fetch_sub(30, Ordering::SeqCst);
                }
            });
        }
    });
    assert!(most.into_inner() <= 100);
}

#[test]
fn a_large_one_is_not_overtaken_by_small_ones() {
    let scheduler = Scheduler::new(machine(4, 100));
    let order = Mutex::new(Vec::new());
    let first = scheduler.take(demand(1, 10));
    std::thread::scope(|scope| {
        let come = |name: &'static str, cores: u32| {
            let (scheduler, order) = (&scheduler, &order);
            scope.spawn(move || {
                let _seat = scheduler.take(demand(cores, 10));
                order.lock().unwrap().push(name);
            });
        };
        come("large", 4);
        until_waiting(&scheduler, 1);
        come("small", 1);
        until_waiting(&scheduler, 2);
        assert!(order.lock().unwrap().is_empty(), "the small one fits, but it is not its turn");
        drop(first);
    });
    assert_eq!(*order.lock().unwrap(), ["large", "small"]);
}

#[test]
fn more_than_the_machine_has_runs_alone() {
    let scheduler = Scheduler::new(machine(2, 100));
    let seat = scheduler.take(Demand { cores: 4, memory_bytes: 1000, gpu: None });
    assert_eq!(seat.cores(), [10, 11]);
    drop(seat);
    assert_eq!(scheduler.take(demand(1, 100)).cores(), [10]);
}

#[test]
fn a_gpu_is_given_to_one_at_a_time() {
    let scheduler = Scheduler::new(machine(4, 100));
    let one = Demand { gpu: NonZeroU32::new(1), ..demand(1, 1) };
    let first = scheduler.take(one);
    let other = scheduler.take(one);
    let beside = scheduler.take(demand(1, 1));
    assert_eq!((first.gpu(), other.gpu(), beside.gpu()), (Some(4), Some(7), None));
    std::thread::scope(|scope| {
        let third = scope.spawn(|| scheduler.take(one).gpu());
        until_waiting(&scheduler, 1);
        assert!(!third.is_finished());
        drop(other);
        assert_eq!(third.join().unwrap(), Some(7));
    });
}

#[test]
fn a_gpu_is_shared_by_as_many_as_is_asked_for_and_the_least_used_is_taken() {
    let scheduler = Scheduler::new(machine(6, 100));
    let one = Demand { gpu: NonZeroU32::new(2), ..demand(1, 1) };
    let seats: Vec<_> = (0..4).map(|_| scheduler.take(one)).collect();
    assert_eq!(seats.iter().map(Seat::gpu).collect::<Vec<_>>(), [Some(4), Some(7), Some(4), Some(7)]);
}
