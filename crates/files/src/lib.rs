//! Opens what comes from outside and writes what goes out: the only place that does either.
//!
//! Notebooks, submissions, requirements files, data folders, mined repositories and what a sandbox left behind are somebody else's: a
//! file of theirs can be a pipe that never ends, a link to a key, a device, or larger than memory. And what we write for a person must not
//! take the place of something that he did not mean.
//!
//! - A path that the user named himself: [`open`], [`read`], [`read_text`]. Links in it are his; the file has to be a regular one. Where he
//!   may hand over a pipe: [`open_handed_over`].
//! - Names inside a folder that was given: [`Folder`]. No link is followed out of it.
//! - A file that goes out: [`OutgoingFile`], [`write()`]. Written beside its place, and moved there only over a regular file or nothing.
//! - A folder that goes out: made beside its place, then [`replace_folder`].
//! - A folder that code we do not trust has filled, and whose files a person wants: [`keep`]. When nobody does any more: [`remove()`], [`Scratch`].
//!
//! Files that only this program writes, in folders that only it uses (a store, the cache), need none of this; the test
//! `crates/nbrevive/tests/it/doors.rs` lists who reads and writes those.

mod error;
mod folder;
mod hex;
mod incoming;
mod keep;
mod outgoing;
mod remove;
mod replace;
mod unpoisoned;

pub use error::{FileError, FileErrorKind};
pub use folder::{Folder, FolderEntry};
pub use hex::hex;
pub use incoming::{open, open_handed_over, read, read_text};
pub use keep::{KeptFile, keep};
pub use outgoing::{OutgoingFile, check_place, free_bytes, make_folder, move_file, write, write_beside_inputs};
pub use remove::{Scratch, remove};
pub use replace::{remove_remains, replace_folder};
pub use unpoisoned::unpoisoned;
