//! Submissions from file to score, against every kind of fault, and the 82 competitions against their original graders.

mod fuzz;
mod grading;
mod mle;
