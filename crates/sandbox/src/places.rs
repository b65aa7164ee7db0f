//! Folders that take the place of an image's own, with a place for each bind below.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use crate::{Bind, Command};

/// Root's own folder.
pub(crate) const ROOT: &str = "/root";

/// Makes in `folder`, which is to be bound at `at`, a place for each bind below; whether there is any. Everybody may look through it.
pub(crate) fn make_places(folder: &Path, at: &str, command: &Command) -> io::Result<bool> {
    let binds = || command.read_only.iter().chain(&command.writable);
    let mut is_needed = false;
    for (bind, below) in binds().filter_map(|bind| Some((bind, bind.inside.strip_prefix(at).ok()?))) {
        make_place(folder, below, bind)?;
        is_needed = true;
    }
    Ok(is_needed)
}

fn make_place(folder: &Path, below: &Path, bind: &Bind) -> io::Result<()> {
    let place = folder.join(below);
    let above = if bind.host.is_dir() { Some(place.as_path()) } else { place.parent() };
    for made in above.into_iter().flat_map(Path::ancestors).take_while(|made| made.starts_with(folder)) {
        fs::create_dir_all(made)?;
        // Whatever the mask of our own process is.
        fs::set_permissions(made, Permissions::from_mode(0o755))?;
    }
    if !bind.host.is_dir() {
        fs::write(&place, "")?;
    }
    Ok(())
}

/// Whether something is bound at this place itself.
pub(crate) fn is_bound(at: &str, command: &Command) -> bool {
    command.read_only.iter().chain(&command.writable).any(|bind| bind.inside == Path::new(at))
}
