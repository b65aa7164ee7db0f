//! What programs need of the system that they run on: the loader, and the libraries that they are linked with.
//!
//! Each file in the format ELF names the libraries that it needs (`DT_NEEDED`) and its loader (`PT_INTERP`): System V Application Binary
//! Interface, chapter 5. Those that the machine's own folders hold are taken along, with those that these need in turn.

use std::collections::BTreeSet;
use std::fs::File;
use std::path::{Path, PathBuf};

use object::Endianness;
use object::elf::{DT_NEEDED, FileHeader64};
use object::read::ReadCache;
use object::read::elf::{Dyn as _, FileHeader as _, ProgramHeader as _};
use rayon::prelude::*;

use crate::gather::Gathered;
use crate::{CapsuleError, MeasuredCapsule};

/// Libraries that are loaded by name while a program runs: to end threads, and to look users up.
const LOADED_LATER: [&str; 2] = ["libgcc_s.so.1", "libnss_files.so.2"];
/// Folders that are links into `/usr` in an image, as most systems have them.
const USR_LINKS: [&str; 4] = ["bin", "sbin", "lib", "lib64"];

/// What one file needs.
#[derive(Debug, Default)]
struct Needs {
    loader: Option<String>,
    libraries: BTreeSet<String>,
}

/// Gathers programs of this machine with what they and the files of a capsule need of the system, by their paths in an image. Programs
/// that the machine lacks are left out.
///
/// # Errors
/// When a file has no name.
pub fn system(programs: &[PathBuf], capsule: &MeasuredCapsule) -> Result<Gathered, CapsuleError> {
    let mut system = Gathered::default();
    for link in USR_LINKS {
        system.link(link, &format!("usr/{link}"));
    }
    let mut wanted: BTreeSet<String> = LOADED_LATER.map(str::to_owned).into();
    wanted.extend(capsule.open().filter_map(needs).flat_map_iter(|needs| needs.libraries).collect::<BTreeSet<_>>());
    let wanted_of = |system: &mut Gathered, file: &Path| -> Result<BTreeSet<String>, CapsuleError> {
        let needs = nbrevive_files::open(file).ok().and_then(needs).unwrap_or_default();
        if let Some(loader) = needs.loader.map(PathBuf::from).and_then(|loader| Some((real(&loader)?, loader))) {
            system.file(&in_image(&loader.1), &loader.0)?;
        }
        Ok(needs.libraries)
    };
    for program in programs {
        if let Some(file) = real(program) {
            wanted.extend(wanted_of(&mut system, &file)?);
            system.file(&in_image(program), &file)?;
        }
    }
    let mut taken = BTreeSet::new();
    while let Some(library) = wanted.pop_first() {
        let found = folders().find_map(|folder| real(&folder.join(&library)));
        let Some(file) = found.filter(|_| taken.insert(library.clone())) else { continue };
        // All in one folder: the loader looks there without being told, and has no list of others in an image.
        system.file(&in_image(&libraries().join(&library)), &file)?;
        wanted.extend(wanted_of(&mut system, &file)?);
    }
    Ok(system)
}

/// The path of something of this machine in an image.
#[must_use]
pub fn in_image(path: &Path) -> String {
    let path = path.to_string_lossy();
    let path = path.trim_start_matches('/');
    let is_linked = USR_LINKS.iter().any(|link| path.strip_prefix(link).is_some_and(|rest| rest.starts_with('/')));
    if is_linked { format!("usr/{path}") } else { path.to_owned() }
}

/// The folder of the C library, where its loader looks first.
fn libraries() -> PathBuf {
    folders().find(|folder| folder.join("libc.so.6").exists()).unwrap_or_else(|| PathBuf::from("/lib"))
}

/// The folders in which loaders look without being told: those of Debian's kind, of Fedora's, and what everybody has.
fn folders() -> impl Iterator<Item = PathBuf> {
    let of_machine = format!("/lib/{}-linux-gnu", std::env::consts::ARCH);
    let of_usr = format!("/usr{of_machine}");
    [of_machine, of_usr]
        .into_iter()
        .chain(["/lib64", "/usr/lib64", "/lib", "/usr/lib", "/usr/local/lib"].map(str::to_owned))
        .map(PathBuf::from)
}

/// The file that lies at a path in the end.
fn real(path: &Path) -> Option<PathBuf> {
    path.canonicalize().ok().filter(|file| file.is_file())
}

/// What a file needs; nothing where it is no program or library for machines of 64 bits.
fn needs(file: File) -> Option<Needs> {
    let data = ReadCache::new(file);
    let header = FileHeader64::<Endianness>::parse(&data).ok()?;
    let endian = header.endian().ok()?;
    let mut needs = Needs::default();
    for segment in header.program_headers(endian, &data).ok()? {
        if let Ok(Some(loader)) = segment.interpreter(endian, &data) {
            needs.loader = String::from_utf8(loader.to_vec()).ok();
        }
    }
    let sections = header.sections(endian, &data).ok()?;
    if let Ok(Some((entries, strings))) = sections.dynamic(endian, &data) {
        let strings = sections.strings(endian, &data, strings).ok()?;
        let names = entries.iter().filter(|entry| entry.tag(endian) == DT_NEEDED);
        let names = names.filter_map(|entry| entry.string(endian, strings).ok());
        // A library that is named by a path is its owner's.
        let names = names.filter_map(|name| std::str::from_utf8(name).ok()).filter(|name| !name.contains('/'));
        needs.libraries.extend(names.map(str::to_owned));
    }
    Some(needs)
}
