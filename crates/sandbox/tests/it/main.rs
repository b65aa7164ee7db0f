//! Real sandboxes and real containers on this machine.

mod gpu;
mod image;
mod oci;
mod sandbox;
