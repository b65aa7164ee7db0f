//! The competitions of MLE-bench: against the scores that its graders returned, and what each kind of submission gives.

mod desk;
mod drawn;
mod forms;
mod found;
mod oracle;
mod properties;
mod reasons;
mod vectors;
