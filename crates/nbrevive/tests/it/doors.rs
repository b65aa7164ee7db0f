//! The doors of the house: who opens and writes files by himself. Everybody else goes through crate `files`.

use std::collections::BTreeMap;

use crate::sources::Sources;

/// What a file may have to do with files that crate `files` is not for.
mod why {
    pub(crate) const STORE: &str = "the program's own store, which one run at a time holds";
    pub(crate) const CACHE: &str = "the program's own cache";
    pub(crate) const SYSTEM: &str = "what the system shows: /proc, /sys, /dev, control groups";
    pub(crate) const SANDBOX: &str = "sets the sandbox up, in folders of its own";
    pub(crate) const FRESH: &str = "a new folder of ours, that nobody else has";
    pub(crate) const OWN_WAY: &str =
        "follows no link at all, not even inside of the folder, and looks what it has opened";
    pub(crate) const VOUCHED: &str = "a folder of ours that its mark vouches for, file by file";
    pub(crate) const RUN: &str = "the shared folder of a run, whose files one process each writes or moves";
    pub(crate) const NAMES: &str = "lists names for a message, and opens nothing";
}

/// Who may, sorted, and why.
const DOORS: &[(&str, &str)] = &[
    ("crates/capsule/src/unpack.rs", why::FRESH),
    ("crates/environment/src/build/content.rs", why::CACHE),
    ("crates/environment/src/build/examine.rs", why::CACHE),
    ("crates/environment/src/build/fetched.rs", why::CACHE),
    ("crates/environment/src/build/installed.rs", why::CACHE),
    ("crates/environment/src/build/manifest.rs", why::CACHE),
    ("crates/environment/src/build/packed.rs", why::CACHE),
    ("crates/environment/src/build/scripts.rs", why::CACHE),
    ("crates/environment/src/build/shelf.rs", why::CACHE),
    ("crates/environment/src/build/sources.rs", why::CACHE),
    ("crates/environment/src/home.rs", why::CACHE),
    ("crates/environment/src/index/cache.rs", why::CACHE),
    ("crates/environment/src/index/export.rs", why::CACHE),
    ("crates/environment/src/index/metadata/kept.rs", why::CACHE),
    ("crates/environment/src/interpreter/discovery.rs", why::CACHE),
    ("crates/environment/src/interpreter/paths.rs", why::CACHE),
    ("crates/environment/src/kernel.rs", why::CACHE),
    ("crates/environment/src/link/fetch.rs", why::CACHE),
    ("crates/environment/src/portable.rs", why::CACHE),
    ("crates/environment/src/process.rs", why::SYSTEM),
    ("crates/execute/src/branches/hub.rs", why::FRESH),
    ("crates/execute/src/connection.rs", why::SYSTEM),
    ("crates/execute/src/trial/owners.rs", why::CACHE),
    ("crates/execute/src/trial/run.rs", why::SANDBOX),
    ("crates/grade/src/submission_file.rs", why::OWN_WAY),
    ("crates/mine/src/archive.rs", why::FRESH),
    ("crates/mine/src/browser/driver.rs", why::FRESH),
    ("crates/mine/src/budget/mod.rs", why::CACHE),
    ("crates/mine/src/budget/shared.rs", why::CACHE),
    ("crates/mine/src/git/check_out.rs", why::FRESH),
    ("crates/mine/src/git/clone.rs", why::FRESH),
    ("crates/mine/src/metakaggle/hashes.rs", why::STORE),
    ("crates/mine/src/raw/bodies.rs", why::STORE),
    ("crates/mine/src/raw/journal.rs", why::STORE),
    ("crates/model/src/account.rs", why::RUN),
    ("crates/model/src/forget.rs", why::STORE),
    ("crates/model/src/record/store.rs", why::STORE),
    ("crates/nbrevive/src/commands/doctor.rs", why::CACHE),
    ("crates/nbrevive/src/commands/grade/competition.rs", why::CACHE),
    ("crates/rules/src/trial/cases.rs", why::SANDBOX),
    ("crates/rules/src/trial/stack.rs", why::SANDBOX),
    ("crates/sandbox/src/apptainer.rs", why::SANDBOX),
    ("crates/sandbox/src/bubblewrap.rs", why::SANDBOX),
    ("crates/sandbox/src/cgroup.rs", why::SYSTEM),
    ("crates/sandbox/src/cgroup/meter.rs", why::SYSTEM),
    ("crates/sandbox/src/cgroup/place.rs", why::SYSTEM),
    ("crates/sandbox/src/command.rs", why::SANDBOX),
    ("crates/sandbox/src/cores.rs", why::SYSTEM),
    ("crates/sandbox/src/disk.rs", why::OWN_WAY),
    ("crates/sandbox/src/gpu.rs", why::SYSTEM),
    ("crates/sandbox/src/gpu/driver.rs", why::SYSTEM),
    ("crates/sandbox/src/held.rs", why::SYSTEM),
    ("crates/sandbox/src/launch.rs", why::SYSTEM),
    ("crates/sandbox/src/log.rs", why::SANDBOX),
    ("crates/sandbox/src/oci/container.rs", why::SANDBOX),
    ("crates/sandbox/src/places.rs", why::SANDBOX),
    ("crates/sandbox/src/processes.rs", why::SYSTEM),
    ("crates/sandbox/src/slot.rs", why::SANDBOX),
    ("crates/sandbox/src/supervisor/holdings.rs", why::SYSTEM),
    ("crates/store/src/dataset/folder.rs", why::FRESH),
    ("crates/store/src/parquet.rs", why::FRESH),
    ("crates/store/src/store.rs", why::STORE),
    ("crates/store/src/takedown.rs", why::STORE),
    ("crates/study/src/cluster/folder.rs", why::RUN),
    ("crates/study/src/cluster/line_file.rs", why::RUN),
    ("crates/study/src/corpus/import.rs", why::CACHE),
    ("crates/study/src/corpus/import/files.rs", why::CACHE),
    ("crates/study/src/corpus/prepare.rs", why::CACHE),
    ("crates/study/src/corpus/selection/corpus.rs", why::FRESH),
    ("crates/study/src/corpus/selection/remove.rs", why::VOUCHED),
    ("crates/study/src/laboratory/attempt.rs", why::FRESH),
    ("crates/study/src/laboratory/copies.rs", why::FRESH),
    ("crates/study/src/laboratory/kept_outputs.rs", why::STORE),
    ("crates/study/src/laboratory/machine.rs", why::SYSTEM),
    ("crates/study/src/laboratory/made_inputs.rs", why::FRESH),
    ("crates/study/src/laboratory/one_execution.rs", why::FRESH),
    ("crates/study/src/laboratory/working_folder.rs", why::SANDBOX),
    ("crates/study/src/settings.rs", why::NAMES),
];

/// Crates for tests only, and the one that the doors are in.
const APART: &[&str] = &["crates/files/", "crates/testing/"];

/// Types that open nothing.
const TYPES: &[&str] = &["File", "Permissions", "Metadata", "FileType", "DirEntry", "TryLockError"];

/// Functions that do, of whatever module.
const OPENING: &[&str] = &["OpenOptions", "openat", "openat2"];

#[test]
fn nobody_opens_or_writes_files_but_who_is_listed() {
    let sources = Sources::read();
    let found: BTreeMap<&str, &str> = doors(&sources).collect();
    let listed: BTreeMap<&str, &str> = DOORS.iter().copied().collect();
    let new: Vec<_> = found.iter().filter(|(file, _)| !listed.contains_key(**file)).collect();
    assert!(
        new.is_empty(),
        "these open or write files by themselves: use `nbrevive_files`, or say in the table why not: {new:#?}"
    );
    let idle: Vec<_> = listed.keys().filter(|file| !found.contains_key(**file)).collect();
    assert!(idle.is_empty(), "these need their entry no more: {idle:#?}");
    assert!(DOORS.is_sorted_by_key(|(file, _)| *file), "the table is not sorted");
}

/// Files with their first line that opens or writes one.
fn doors(Sources(files): &Sources) -> impl Iterator<Item = (&str, &str)> {
    let first = |lines: &'_ [String]| lines.iter().position(|line| is_door(line));
    files
        .iter()
        .filter(|(path, _)| !APART.iter().any(|apart| path.starts_with(apart)))
        .filter_map(move |(path, lines)| Some((path.as_str(), lines[first(lines)?].trim())))
}

/// Whether a line of code uses `std::fs`, or opens a file in another way.
fn is_door(line: &str) -> bool {
    if line.trim_start().starts_with("//") {
        return false;
    }
    let standard = after(line, "std::fs").any(|rest| !is_type(rest));
    let short = after(line, "fs::").any(|_| true);
    let of_file =
        after(line, "File::").any(|rest| ["open", "create", "options"].iter().any(|name| rest.starts_with(name)));
    let opening = OPENING.iter().any(|name| after(line, name).any(|rest| !rest.starts_with(is_word)));
    standard
        || short
        || of_file
        || opening
        || line.contains("tokio::fs")
        || after(line, "rustix::fs::open").any(|_| true)
}

/// What follows a name wherever it begins a path or word of its own.
fn after<'line>(line: &'line str, name: &'static str) -> impl Iterator<Item = &'line str> {
    line.match_indices(name)
        .filter(|(at, _)| !line[..*at].ends_with(|letter| is_word(letter) || letter == ':'))
        .map(move |(at, _)| &line[at + name.len()..])
}

fn is_word(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// Whether what follows `std::fs` names nothing but types: `::File`, `::{File, Permissions}`.
fn is_type(rest: &str) -> bool {
    let Some(names) = rest.strip_prefix("::") else { return false };
    let list = names.strip_prefix('{').and_then(|names| names.split_once('}')).map(|(names, _)| names);
    let single = || names.split(|letter| !is_word(letter)).next().filter(|name| !names[name.len()..].starts_with("::"));
    let Some(names) = list.or_else(single) else { return false };
    names.split(',').all(|name| TYPES.contains(&name.trim()))
}

#[test]
fn what_opens_a_file_is_told_from_what_only_speaks_of_one() {
    let doors = [
        "use std::fs;",
        "use std::fs::{self, File};",
        "std::fs::read(path)",
        "    fs::write(path, text)?;",
        "match File::open(path) {",
        "std::fs::File::create(path)",
        "OpenOptions::new()",
        "let held = openat(folder, name, flags);",
        "rustix::fs::open(path, flags, mode)",
        "tokio::fs::read(path)",
    ];
    let others = [
        "use std::fs::File;",
        "use std::fs::{File, Permissions};",
        "fn read(file: std::fs::File) -> io::Result<()> {",
        "use std::os::unix::fs::PermissionsExt as _;",
        "use rustix::fs::{Mode, fstat};",
        "RowFile::create(staging, name)?",
        "// std::fs::read would wait for ever",
        "nbrevive_files::open(path)",
    ];
    assert_eq!(doors.iter().filter(|line| !is_door(line)).collect::<Vec<_>>(), [&""; 0]);
    assert_eq!(others.iter().filter(|line| is_door(line)).collect::<Vec<_>>(), [&""; 0]);
}
