//! A miner whose processes are killed.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use nbrevive_mine::records::NotebookName;

use super::{mine, name, open, public, server};

/// The variable by which processes of a test are known.
const MARK: &str = "NBREVIVE_TEST_BROWSER_MARK";
const URL: &str = "NBREVIVE_TEST_BROWSER_URL";
const FOLDER: &str = "NBREVIVE_TEST_BROWSER_FOLDER";
const NAME: &str = "NBREVIVE_TEST_BROWSER_NAME";

/// A process: its number, its parent's, and its command line.
type Process = (i32, i32, String);

/// Processes whose environment has a text, and all below them: some overwrite their own environment.
fn marked(text: &str) -> Vec<Process> {
    let processes = std::fs::read_dir("/proc").expect("a system with /proc").flatten();
    let ids = processes.filter_map(|entry| entry.file_name().to_str()?.parse::<i32>().ok());
    let all: Vec<(bool, Process)> = ids
        .filter_map(|id| {
            let read = |file: &str| std::fs::read(format!("/proc/{id}/{file}")).ok();
            let stat = String::from_utf8_lossy(&read("stat")?).into_owned();
            let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
            let (state, parent) = (fields.next()?, fields.next()?.parse().ok()?);
            let line = String::from_utf8_lossy(&read("cmdline")?).replace('\0', " ");
            let has_mark = String::from_utf8_lossy(&read("environ")?).contains(text);
            (state != "Z").then_some((has_mark, (id, parent, line)))
        })
        .collect();
    let mut found: Vec<Process> = all.iter().filter(|one| one.0).map(|one| one.1.clone()).collect();
    let mut place = 0;
    while let Some((id, ..)) = found.get(place).cloned() {
        let below = all.iter().filter(|one| !one.0 && one.1.1 == id).map(|one| one.1.clone());
        found.extend(below.collect::<Vec<_>>());
        place += 1;
    }
    found
}

fn is_alive((id, _, line): &Process) -> bool {
    let now = std::fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
    !line.is_empty() && String::from_utf8_lossy(&now).replace('\0', " ") == *line
}

fn kill(id: i32) {
    let killed = Command::new("kill").args(["-9", &id.to_string()]).status();
    assert!(killed.is_ok());
}

/// What the child of the next test does; without its variables it does nothing. It may be killed at any moment.
#[test]
fn other_process() {
    let (Ok(url), Ok(folder), Ok(name)) = (std::env::var(URL), std::env::var(FOLDER), std::env::var(NAME)) else {
        return;
    };
    let mut browser = open(&url, Path::new(&folder));
    let haul = mine(&mut browser, &[NotebookName::new(&name).unwrap()]).unwrap();
    std::fs::write(Path::new(&folder).join("facts"), haul.facts().into_iter().collect::<Vec<_>>().join("\n")).unwrap();
}

#[test]
fn a_killed_tab_driver_browser_and_miner_change_nothing_and_leave_nothing() {
    let server = server();
    let world = server.world();
    let kernel = public(world, |kernel| (3..=6).contains(&kernel.versions.len())).into_iter().next().unwrap();
    let names = [name(world, &kernel)];
    let plain = tempfile::tempdir().unwrap();
    let expected: Vec<String> =
        mine(&mut open(&server.url(), plain.path()), &names).unwrap().facts().into_iter().collect();
    for victim in ["--type=renderer", "chromedriver", "--remote-debugging-pipe", "miner"] {
        let folder = tempfile::tempdir().unwrap();
        let mark = folder.path().display().to_string();
        server.clear_log();
        let child = || {
            Command::new(std::env::current_exe().unwrap())
                .args(["--exact", "browser::killed::other_process"])
                .env(MARK, &mark)
                .env(URL, server.url())
                .env(FOLDER, folder.path())
                .env(NAME, names[0].to_string())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap()
        };
        let mut miner = child();
        let start = Instant::now();
        while !server.log().iter().any(|entry| entry.target.contains("scriptcontent")) {
            assert!(start.elapsed() < Duration::from_secs(600), "{victim}: the miner asks for nothing");
            std::thread::sleep(Duration::from_millis(5));
        }
        let before = marked(&mark);
        if victim == "miner" {
            miner.kill().unwrap();
        } else {
            let found: Vec<_> = before.iter().filter(|one| one.2.contains(victim)).collect();
            assert!(!found.is_empty(), "{victim} does not run: {before:?}");
            found.iter().for_each(|one| kill(one.0));
        }
        miner.wait().unwrap();
        let start = Instant::now();
        while before.iter().any(is_alive) || !marked(&mark).is_empty() {
            assert!(start.elapsed() < Duration::from_secs(120), "{victim}: left over: {:?}", marked(&mark));
            std::thread::sleep(Duration::from_millis(20));
        }
        if victim == "miner" {
            child().wait().unwrap();
        }
        let found = std::fs::read_to_string(folder.path().join("facts"));
        assert_eq!(found.unwrap().lines().collect::<Vec<_>>(), expected, "{victim}");
    }
}
