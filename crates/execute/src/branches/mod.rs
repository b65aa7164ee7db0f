//! Keeps the states of a notebook as processes, and goes on from each in several ways.
//!
//! A document with one cell of ours ([`BranchHub::document`]) is run as any other: in the sandbox, in the environment, within its limits.
//! Its cell splits the kernel's process when it is asked to, over a unix socket in a folder that the caller shows to the document
//! ([`BranchHub::bind`]). A copy runs code and waits, and can be split again ([`BranchHub::fork`]).
//!
//! What processes say is untrusted: a notebook's code can say it too. It lies about its own outputs at worst.
//!
//! | file | purpose |
//! |---|---|
//! | `hub.rs` | the folder, the socket, the document; splits processes |
//! | `process.rs` | one process and what it says |

mod hub;
mod process;

pub use hub::BranchHub;
pub use process::{BranchProcess, BranchStep, NameState};
