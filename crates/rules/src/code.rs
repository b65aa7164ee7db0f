//! What a rule looks at: the code of a notebook, and what is known of it.

pub(crate) mod call;
pub(crate) mod faults;
pub(crate) mod held;
pub(crate) mod index;
pub(crate) mod infer;
pub(crate) mod kind;
pub(crate) mod names;
pub(crate) mod receiver;
pub(crate) mod shape;
pub(crate) mod view;
pub(crate) mod walk;
pub(crate) mod words;
