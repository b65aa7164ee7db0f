//! The process of its own in which a target is attacked, and the one that watches it.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::Write as _;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant, SystemTime};

use rustix::process::{Resource, Rlimit, setrlimit};

use crate::grow::{BY_HAND, QUICK, grow};
use crate::mutate::mutated;
use crate::random::Random;
use crate::{FuzzTarget, code_of};

/// Names the folder of the attack to the process that makes it.
const FOLDER: &str = "NBREVIVE_FUZZ_FOLDER";
const CURRENT: &str = "current";
const REPORT: &str = "report";
const WORDS: &str = "words";
/// Stack of the thread that reads, as other threads have it.
const STACK: usize = 2 << 20;
/// Address space of the process.
const SPACE: u64 = 6 << 30;
/// An input that takes longer is taken for endless.
const ENDLESS: Duration = Duration::from_secs(120);
const LOOK: Duration = Duration::from_millis(20);
/// How much of what the process says is shown, in bytes.
const TAIL: usize = 2000;
/// Inputs that are kept as examples because their answer was new.
const MOST_EXAMPLES: usize = 2000;

/// Attacks a target; see the crate's page. To be called in a test, by the name that the target says.
///
/// # Panics
/// With what was found, and where the input lies.
pub fn attack(target: &FuzzTarget<'_>) {
    match std::env::var_os(FOLDER) {
        Some(folder) => attack_here(target, Path::new(&folder)),
        None => watch(target),
    }
}

/// Starts the process and waits for it.
fn watch(target: &FuzzTarget<'_>) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = |name: &str| folder.path().join(name);
    let said = File::create(file(WORDS)).expect("a file in the folder");
    let mut child = Command::new(std::env::current_exe().expect("the test's own program"))
        .args(["--exact", target.test, "--nocapture", "--include-ignored"])
        .env(FOLDER, folder.path())
        .env("RUST_BACKTRACE", "0")
        .stdin(Stdio::null())
        .stdout(said.try_clone().expect("a second handle"))
        .stderr(said)
        .spawn()
        .expect("the test's own program starts");
    let ended = wait(&mut child, &file(CURRENT));
    if ended.is_some_and(|status| status.success()) {
        let report = fs::read_to_string(file(REPORT)).unwrap_or_else(|_| panic!("there is no test {:?}", target.test));
        let _ = writeln!(std::io::stderr(), "{}: {report}", target.name);
        return;
    }
    let how = ended.map_or_else(|| format!("nothing came in {ENDLESS:?}"), |status| status.to_string());
    let words = String::from_utf8_lossy(&fs::read(file(WORDS)).unwrap_or_default()).into_owned();
    let tail = &words[words.floor_char_boundary(words.len().saturating_sub(TAIL))..];
    let input = noted(&fs::read(file(CURRENT)).unwrap_or_default());
    panic!(
        "{} is broken ({how}) by {} bytes in {}; to try it in every run, copy it to tests/regressions/{}/\n{tail}",
        target.name,
        input.len(),
        kept(target, &input).display(),
        target.name,
    );
}

/// The input that was noted last: its length and, from there on, what may be left of longer ones.
fn noted(file: &[u8]) -> Vec<u8> {
    let Some((length, bytes)) = file.split_first_chunk::<8>() else { return Vec::new() };
    let length = usize::try_from(u64::from_le_bytes(*length)).unwrap_or(0);
    bytes.get(..length).unwrap_or_default().to_vec()
}

/// The end of the process; `None` when it was killed because an input took too long.
fn wait(child: &mut Child, current: &Path) -> Option<ExitStatus> {
    let started = SystemTime::now();
    loop {
        if let Some(status) = child.try_wait().expect("a process of ours") {
            return Some(status);
        }
        let last = fs::metadata(current).and_then(|metadata| metadata.modified()).unwrap_or(started);
        if last.elapsed().is_ok_and(|elapsed| elapsed > ENDLESS) {
            // It may have ended in this moment.
            let _ = child.kill();
            let _ = child.wait();
            return None;
        }
        std::thread::sleep(LOOK);
    }
}

/// Keeps an input where a person finds it.
fn kept(target: &FuzzTarget<'_>, input: &[u8]) -> PathBuf {
    let folder = Path::new(target.crate_folder).join("../../target/fuzz");
    let path = folder.join(format!("{}-{:016x}", target.name, code_of(&String::from_utf8_lossy(input))));
    fs::create_dir_all(&folder).and_then(|()| fs::write(&path, input)).expect("the target folder takes files");
    path
}

/// Attacks the target in this process.
fn attack_here(target: &FuzzTarget<'_>, folder: &Path) {
    setrlimit(Resource::As, Rlimit { current: Some(SPACE), maximum: Some(SPACE) }).expect("limits can be lowered");
    setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) }).expect("limits can be lowered");
    let report = std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK);
        thread.spawn_scoped(scope, || attempts(target, folder)).expect("a thread starts").join().expect("no finding")
    });
    fs::write(folder.join(REPORT), report).expect("the folder takes files");
}

fn attempts(target: &FuzzTarget<'_>, folder: &Path) -> String {
    let current = File::create(folder.join(CURRENT)).expect("the folder takes files");
    // Length and bytes in one call, for this happens a hundred thousand times.
    let note = |input: &[u8]| {
        let noted = [&(input.len() as u64).to_le_bytes()[..], input].concat();
        current.write_all_at(&noted, 0).expect("the folder takes files");
    };
    let read = |input: &[u8]| {
        note(input);
        (target.parse)(input)
    };
    let regressions = regressions(target);
    for input in &regressions {
        read(input);
    }
    let sizes = if std::env::var_os("FUZZ_SECONDS").is_some() { BY_HAND } else { QUICK };
    let shapes = grow(target, &sizes, note);
    let mut examples: Vec<Vec<u8>> = target.examples.iter().map(|example| example.to_vec()).collect();
    let mut answers: HashSet<u64> = examples.iter().map(|example| read(example)).collect();
    // What once broke it is a good place to start from.
    examples.extend(regressions.iter().filter(|input| input.len() <= STACK).cloned());
    let mut random = Random::new(number("FUZZ_SEED").unwrap_or(1));
    let (began, mut tried) = (Instant::now(), 0);
    while number("FUZZ_SECONDS").map_or(tried < target.mutations, |seconds| began.elapsed().as_secs() < seconds) {
        let input = mutated(&mut random, &examples, target.words);
        tried += 1;
        if answers.insert(read(&input)) && examples.len() < MOST_EXAMPLES {
            examples.push(input);
        }
    }
    let found = answers.len();
    format!("{} regressions, {shapes} shapes, {tried} mutations with {found} different answers", regressions.len())
}

fn regressions(target: &FuzzTarget<'_>) -> Vec<Vec<u8>> {
    let folder = Path::new(target.crate_folder).join("tests/regressions").join(target.name);
    let mut paths: Vec<PathBuf> = match fs::read_dir(&folder) {
        Ok(entries) => entries.map(|entry| entry.expect("a readable folder").path()).collect(),
        Err(_) => Vec::new(),
    };
    paths.sort();
    paths.iter().map(|path| fs::read(path).expect("a readable file")).collect()
}

fn number(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{variable} is {text:?} and has to be a number")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(test: &'static str, parse: fn(&[u8]) -> u64) -> FuzzTarget<'static> {
        FuzzTarget {
            name: "crate-fuzz-itself",
            test,
            crate_folder: concat!(env!("CARGO_MANIFEST_DIR"), "/.."),
            examples: &[b"([1, 2])"],
            words: &[b"(", b")", b"\"", b"7"],
            shapes: &[],
            bytes_per_byte: 10,
            most_bytes: usize::MAX,
            mutations: 100_000,
            parse,
        }
    }

    fn depth(input: &[u8]) -> u64 {
        match input {
            [b'(', rest @ ..] => 1 + std::hint::black_box(depth(rest)),
            _ => 0,
        }
    }

    #[test]
    #[should_panic(expected = "sevens are too many")]
    fn a_panic_is_found() {
        attack(&target("run::tests::a_panic_is_found", |input| {
            assert!(!input.starts_with(b"((77"), "sevens are too many");
            u64::from(input.starts_with(b"((")) + u64::from(input.starts_with(b"((7"))
        }));
    }

    #[test]
    #[should_panic(expected = "overflow")]
    fn a_stack_that_overflows_is_found() {
        attack(&target("run::tests::a_stack_that_overflows_is_found", depth));
    }

    #[test]
    #[should_panic(expected = "there is no test")]
    fn a_test_of_another_name_is_no_success() {
        attack(&target("run::tests::nobody", |_| 0));
    }

    #[test]
    fn what_withstands_passes() {
        attack(&target("run::tests::what_withstands_passes", |input| input.len() as u64 % 3));
    }
}
