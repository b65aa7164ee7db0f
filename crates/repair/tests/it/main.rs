//! Patches of rules and of language models on whole notebooks.

mod behaviour;
mod fuzz;
mod guarded;
mod notebooks;
