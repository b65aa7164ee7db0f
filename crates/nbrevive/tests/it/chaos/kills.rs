//! Kills at any moment, and two runs at once.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::chaos::study::{ONE, Study, THREE, said};

/// How many kills; `make chaos` has more.
const KILLS: usize = 9;

/// Numbers without a pattern, the same in every run (Knuth's MMIX generator).
struct Drawn(u64);

impl Drawn {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

#[test]
fn kills_of_program_kernels_and_sandboxes_change_no_row() {
    let study = Study::new(THREE, "[retry]\ndeaths = 4\ndelay_seconds = 0.1\n");
    let undisturbed = study.undisturbed();
    let mut stores = vec![study.path("killed-0")];
    let start = |store: &Path| {
        study.run(store).stderr(Stdio::null()).stdout(Stdio::null()).spawn().expect("the program starts")
    };
    let (mut drawn, mut program) = (Drawn(7), start(&stores[0]));
    let mut killed = BTreeMap::<&str, usize>::new();
    for number in 0..KILLS {
        std::thread::sleep(Duration::from_millis(300 + drawn.below(2500)));
        let victim = ["nbrevive", "bwrap", "python"][number % 3];
        let pid = victim_of(&mut program, victim).or_else(|| {
            // A quick machine is done before the blow, a busy one shows no victim for a long time: the next store has
            // everything before it.
            program.wait().expect("the program ends");
            stores.push(study.path(&format!("killed-{}", stores.len())));
            program = start(&stores[stores.len() - 1]);
            victim_of(&mut program, victim)
        });
        if let Some(pid) = pid {
            kill(pid);
            *killed.entry(victim).or_default() += 1;
        }
        if program.try_wait().expect("the program can be asked").is_some() {
            program = start(&stores[stores.len() - 1]);
        }
    }
    program.wait().expect("the program ends");
    assert!(killed.len() == 3, "not every kind of process was killed: {killed:?}");
    for store in &stores {
        // What a kill left open is carried out; nothing else is.
        let output = study.run(store).output().expect("the program starts");
        assert!(output.status.success(), "{}", said(&output));
        study.assert_whole(store, &undisturbed);
    }
}

/// A process of that name: the program itself, or one below it. Waits a little for one to appear.
fn victim_of(program: &mut Child, name: &str) -> Option<u32> {
    if name == "nbrevive" {
        return program.try_wait().ok()?.is_none().then(|| program.id());
    }
    let patience = Instant::now();
    while patience.elapsed() < Duration::from_secs(20) && program.try_wait().ok()?.is_none() {
        if let Some(pid) = below(program.id()).into_iter().find(|(_, known)| known == name).map(|(pid, _)| pid) {
            return Some(pid);
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    None
}

/// Every process below one, with its name.
fn below(root: u32) -> Vec<(u32, String)> {
    let mut children: BTreeMap<u32, Vec<(u32, String)>> = BTreeMap::new();
    for entry in std::fs::read_dir("/proc").expect("/proc is there").flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse::<u32>().ok()) else { continue };
        let Ok(stat) = std::fs::read_to_string(entry.path().join("stat")) else { continue };
        let Some((before, after)) = stat.rsplit_once(") ") else { continue };
        let name = before.split_once('(').map_or("", |(_, name)| name).to_owned();
        let parent = after.split(' ').nth(1).and_then(|parent| parent.parse().ok()).unwrap_or(0);
        children.entry(parent).or_default().push((pid, name));
    }
    let (mut found, mut next) = (Vec::new(), vec![root]);
    while let Some(pid) = next.pop() {
        let own = children.remove(&pid).unwrap_or_default();
        next.extend(own.iter().map(|(pid, _)| *pid));
        found.extend(own);
    }
    found
}

fn kill(pid: u32) {
    // It may be gone by now; then there is nothing to kill.
    let _ = Command::new("kill").args(["-9", &pid.to_string()]).stderr(Stdio::null()).status();
}

#[test]
fn the_second_of_two_runs_is_told_who_holds_the_store_and_another_store_is_free() {
    let study = Study::new(ONE, "");
    let (one, other) = (study.path("one"), study.path("other"));
    let mut runs =
        [&one, &other].map(|store| study.run(store).stderr(Stdio::null()).spawn().expect("the program starts"));
    let patience = Instant::now();
    while !one.join("study.db").is_file() {
        assert!(patience.elapsed() < Duration::from_secs(600), "the first run never opened its store");
        std::thread::sleep(Duration::from_millis(10));
    }
    let refused = study.run(&one).output().expect("the program starts");
    assert_eq!(refused.status.code(), Some(5), "{}", said(&refused));
    assert!(said(&refused).contains(&format!("in use by process {}", runs[0].id())), "{}", said(&refused));
    for run in &mut runs {
        assert!(run.wait().expect("the program ends").success());
    }
    study.assert_whole(&one, &other.join("data"));
}
