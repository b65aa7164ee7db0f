//! Measures histories at the size of the whole index: a synthetic snapshot of 60,000 distributions with 33 releases
//! of 3 files each (2 million releases), each looked up once from the file, then some again from memory.
//!
//! The snapshot is written by a process of its own, so that `VmHWM` is that of reading. Arguments, all optional: the
//! number of distributions, and a cache folder of an index, whose largest kept answers are then timed as well.

#![expect(clippy::print_stdout, reason = "its figures are its purpose")]

use std::error::Error;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use nbrevive_environment::history::{File, History, Release, Sha256};
use nbrevive_environment::index::{IndexEntry, Lookup, SnapshotWriter};
use nbrevive_environment::{Index, IndexSettings};

const DISTRIBUTIONS: u32 = 60_000;
const RELEASES: u32 = 33;
const FILES: [&str; 3] =
    [".tar.gz", "-cp310-cp310-manylinux_2_17_x86_64.manylinux2014_x86_64.whl", "-py2.py3-none-any.whl"];
/// Questions that memory answers, of which there are as many as plans ask in some minutes.
const WARM: u32 = 1_000_000;
/// Different distributions among these questions: few are used by most notebooks.
const POPULAR: u32 = 500;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [word, path, count] = &arguments[..]
        && word == "write"
    {
        return write(Path::new(path), count.parse()?);
    }
    let count = arguments.first().map_or(Ok(DISTRIBUTIONS), |text| text.parse())?;
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("synthetic.snapshot.zst");
    let started = Instant::now();
    let written = Command::new(std::env::current_exe()?).arg("write").arg(&path).arg(count.to_string()).status()?;
    if !written.success() {
        return Err("the snapshot could not be written".into());
    }
    let size = std::fs::metadata(&path)?.len() >> 20;
    println!("written    {size:>8} MiB in {:.1} s", started.elapsed().as_secs_f64());
    read(&path, count)?;
    if let Some(folder) = arguments.get(1) {
        kept(Path::new(folder))?;
    }
    Ok(())
}

fn read(path: &Path, count: u32) -> Result<(), Box<dyn Error>> {
    let started = Instant::now();
    let index = Index::of_snapshot(path)?;
    println!("opened     {:>8.1} ms", started.elapsed().as_secs_f64() * 1e3);
    let (started, mut releases) = (Instant::now(), 0);
    for number in 0..count {
        let Lookup::Known { history, .. } = index.history(&name(number))? else { return Err("a name is lost".into()) };
        releases += history.releases.len();
    }
    report("cold", count, started.elapsed());
    println!("releases   {releases:>8}");
    let started = Instant::now();
    for question in 0..WARM {
        index.history(&name(question % POPULAR.min(count)))?;
    }
    report("warm", WARM, started.elapsed());
    let status = std::fs::read_to_string("/proc/self/status")?;
    let most = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
    println!("VmHWM      {:>8} MiB", most.trim().trim_end_matches(" kB").parse::<u64>()? >> 10);
    Ok(())
}

fn report(what: &str, count: u32, taken: Duration) {
    println!("{what:<10} {:>8.0} histories/s", f64::from(count) / taken.as_secs_f64());
}

/// Times the largest answers that an index's cache folder keeps.
fn kept(folder: &Path) -> Result<(), Box<dyn Error>> {
    let mut names = Vec::new();
    for file in std::fs::read_dir(folder)?.filter_map(Result::ok) {
        if let Some(name) = file.file_name().to_str().and_then(|name| name.strip_suffix(".json.zst")) {
            names.push((file.metadata()?.len(), name.to_owned()));
        }
    }
    names.sort_unstable();
    for (size, name) in names.iter().rev().take(5) {
        let index = Index::at(folder.to_owned(), IndexSettings { offline: true, ..IndexSettings::default() });
        let started = Instant::now();
        index.history(name)?;
        println!("{name:<20} {:>6} KiB kept, read in {:>6.1} ms", size >> 10, started.elapsed().as_secs_f64() * 1e3);
    }
    Ok(())
}

fn name(number: u32) -> String {
    format!("distribution-{number:06}")
}

fn write(path: &Path, count: u32) -> Result<(), Box<dyn Error>> {
    let mut writer = SnapshotWriter::create(path)?;
    for number in 0..count {
        let name = name(number);
        let releases = (0..RELEASES).map(|release| synthetic(&name, number, release)).collect::<Result<_, _>>()?;
        let entry = IndexEntry { history: History { name: name.clone(), releases }, metadata: Default::default() };
        writer.add(&name, Some(&entry))?;
    }
    Ok(writer.finish(Timestamp::UNIX_EPOCH)?)
}

fn synthetic(name: &str, number: u32, release: u32) -> Result<Release, Box<dyn Error>> {
    let text = format!("{}.{}.{}", release / 12, release / 3 % 4, release % 3);
    let uploaded = Timestamp::from_second(1_300_000_000 + i64::from(number) * 3600 + i64::from(release) * 5_000_000)?;
    let files = FILES.iter().zip(0_u32..).map(|(end, kind)| {
        // Digests that cannot be packed, as real ones cannot.
        let mut seed = u64::from(number) << 32 | u64::from(release * 4 + kind);
        let digest = std::array::from_fn(|_| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            seed.to_le_bytes()[7]
        });
        File {
            name: format!("{}-{text}{end}", name.replace('-', "_")).into(),
            uploaded,
            size: Some(seed >> 40),
            sha256: Some(Sha256::from(digest)),
        }
    });
    Ok(Release {
        version: text.parse()?,
        text: text.as_str().into(),
        uploaded,
        yanked: false,
        requires_python: Some(">=3.6".into()),
        files: files.collect(),
    })
}
