//! Patches of rules and of language models on whole notebooks.

mod fuzz;
mod guarded;
mod notebooks;
