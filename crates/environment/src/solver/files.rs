//! Which file of a release an interpreter takes.

use crate::history::{File, FileTag, Release};
use crate::interpreter::Interpreter;
use crate::planned::Wheels;

/// Whether wheels of a release fit. Wheels for Linux that do not fit say that it is compiled; wheels for Windows
/// alone do not, for many a distribution compiles an accelerator there and does without elsewhere.
pub(crate) fn wheels(release: &Release, interpreter: &Interpreter) -> Wheels {
    if release.wheels().any(|tags| interpreter.fits(tags)) {
        Wheels::Fit
    } else if has_linux_wheels(release) {
        Wheels::NoneFits
    } else {
        Wheels::SourceOnly
    }
}

/// Whether a release has wheels that are compiled for Linux.
pub(super) fn has_linux_wheels(release: &Release) -> bool {
    release.files.iter().any(|file| file.name.ends_with(".whl") && file.name.contains("linux"))
}

/// The best fitting wheel among some files: made for this interpreter before stable interface before pure, newer
/// manylinux before older, as installers order them (PEP 425); equal ones by name.
pub(super) fn best_wheel<'file>(
    files: impl Iterator<Item = (usize, &'file File)>,
    interpreter: &Interpreter,
) -> Option<usize> {
    let fitting = files.filter_map(|(at, file)| match file.tag() {
        FileTag::Wheel(tags) if interpreter.fits(tags) => Some((specificity(tags), std::cmp::Reverse(at))),
        FileTag::Wheel(_) | FileTag::Sdist => None,
    });
    fitting.max().map(|found| found.1.0)
}

/// The first source archive among some files.
pub(super) fn first_sdist<'file>(mut files: impl Iterator<Item = (usize, &'file File)>) -> Option<usize> {
    files.find(|(_, file)| file.tag() == FileTag::Sdist).map(|found| found.0)
}

/// The file that an installer takes, whatever its date.
pub(crate) fn best_file<'release>(release: &'release Release, interpreter: &Interpreter) -> Option<&'release File> {
    let files = || release.files.iter().enumerate();
    best_wheel(files(), interpreter).or_else(|| first_sdist(files())).and_then(|at| release.files.get(at))
}

/// How particular a wheel's tags are: the interface, then the platform.
fn specificity(tags: &str) -> (u8, u32) {
    let mut parts = tags.split('-');
    let (python, abi, platform) = (parts.next(), parts.next(), parts.next().unwrap_or_default());
    let own = python.is_some_and(|python| python.starts_with("cp"));
    let interface = match abi {
        Some("none") if own => 2,
        Some("none") => 1,
        Some("abi3") => 3,
        _ => 4,
    };
    (interface, platform.split('.').map(platform_age).max().unwrap_or(0))
}

/// A number that grows with the glibc that a platform tag asks for; 0 for `any`.
fn platform_age(platform: &str) -> u32 {
    let numbered = |text: &str| {
        let mut numbers = text.strip_prefix("manylinux_")?.split('_').map_while(|part| part.parse::<u32>().ok());
        Some(numbers.next()? * 1000 + numbers.next()?)
    };
    match platform {
        "any" => 0,
        _ if platform.starts_with("manylinux1_") => 2005,
        _ if platform.starts_with("manylinux2010_") => 2012,
        _ if platform.starts_with("manylinux2014_") => 2017,
        other => numbered(other).unwrap_or(1),
    }
}
