//! Real sandboxes and real containers on this machine.

mod image;
mod oci;
mod sandbox;
