//! Where it happened: from which function of which package, how deep, and in what kind of file.

use super::super::traceback::{Frame, Place};
use super::{Evidence, Seen};

pub(super) fn gather(seen: &Seen<'_>, evidence: &mut Evidence) {
    let frames = &seen.traceback.frames;
    let own = seen.traceback.of_notebook().count();
    let own_files = frames.iter().any(|frame| matches!(frame.place, Place::File(_)));
    let entered = frames.iter().skip_while(|frame| !is_own(frame)).find(|frame| frame.place.package().is_some());
    let entered = entered.or_else(|| frames.iter().find(|frame| frame.place.package().is_some()));
    if let Some(frame) = entered {
        evidence.add("enters", frame.place.package().unwrap_or(""));
        evidence.add("enters-at", frame.function.unwrap_or(""));
    }
    let place = match frames.last().map(|frame| frame.place) {
        None => "nowhere",
        Some(Place::Cell(_)) if own <= 1 => "the cell",
        Some(Place::Cell(_)) => "a function of the notebook",
        Some(Place::Package(package)) => {
            evidence.add("raised-in", package);
            "a package"
        }
        Some(Place::Standard(module)) => {
            evidence.add("raised-in", module);
            "the standard library"
        }
        Some(Place::File(_)) => "a file of its own",
    };
    evidence.add("raised", place);
    if let Some(frame) = frames.last().filter(|frame| !is_own(frame)) {
        evidence.add("raised-at", frame.function.unwrap_or(""));
    }
    if own_files {
        evidence.add("through", "a file of its own");
    }
    evidence.add(
        "own-frames",
        match own {
            0 => "none",
            1 => "one",
            _ => "several",
        },
    );
    for package in frames.iter().filter_map(|frame| frame.place.package()) {
        evidence.add("package", package);
    }
    evidence.add("count", count(seen));
}

/// The library to blame: the module that is missing, or that lacks a name, or else the package whose code ran last.
pub(super) fn library(seen: &Seen<'_>) -> Option<String> {
    let after = |marker: &str| {
        let (_, rest) = seen.value.split_once(marker)?;
        let end = rest.find(|letter: char| !(letter.is_alphanumeric() || letter == '_'));
        Some(&rest[..end.unwrap_or(rest.len())]).filter(|name| !name.is_empty())
    };
    let named =
        ["No module named '", "No module named ", "module '", "' from '"].iter().find_map(|marker| after(marker));
    let ran = seen.traceback.frames.iter().rev().find_map(|frame| frame.place.package());
    named.or(ran).map(str::to_owned)
}

fn is_own(frame: &Frame<'_>) -> bool {
    matches!(frame.place, Place::Cell(_))
}

/// How much ran before, by the count of the cell that raised: a kernel that is new has defined little.
fn count(seen: &Seen<'_>) -> &'static str {
    let count = seen.traceback.of_notebook().find_map(|frame| match frame.place {
        Place::Cell(count) => count,
        _ => None,
    });
    match count {
        None => "unknown",
        Some(0..=2) => "1-2",
        Some(3..=9) => "3-9",
        Some(10..=39) => "10-39",
        Some(40..=99) => "40-99",
        Some(_) => "100-",
    }
}
