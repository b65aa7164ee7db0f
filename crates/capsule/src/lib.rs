//! An archive that others run again: files with their hashes behind a list of them, packed once, unpacked whole or not at all.
//!
//! The archive is a tar file, compressed with zstd, that `tar` unpacks too. Its first entry is the [`CapsuleListing`]: every file with length
//! and SHA-256, every link, and what the capsule is about, of which this crate knows nothing. Files of equal content are stored once,
//! as hard links of tar. The same files give the same bytes.
//!
//! - [`Gathered`] collects what is to be packed, [`MeasuredCapsule`] knows how large it is and writes it;
//! - [`seal`] writes the list of a folder that lies here already;
//! - [`unpack`] makes a folder of an archive, which is somebody else's: nothing is written before the list is known to stay in its folder
//!   and to have room, and nothing stays of an archive that does not keep to its list;
//! - [`write_image`] makes an image for containers of a capsule and what it needs of the [`system`];
//! - [`verify`] holds a folder that was unpacked before against its list.

mod entries;
mod error;
mod gather;
mod hash;
mod image;
mod listing;
mod system;
mod unpack;
mod verify;
mod write;

pub use error::CapsuleError;
pub use gather::{Gathered, MeasuredCapsule, seal};
pub use image::{ImageSettings, write_image, write_layer};
pub use listing::{CapsuleListing, LISTING, PackedFile, PackedLink};
pub use system::{in_image, system};
pub use unpack::{MOST_BYTES, unpack};
pub use verify::verify;
