//! The input files of a notebook, made up from its code so that it runs.
//!
//! [`InputRecipe::of`] follows the frames of a notebook from the call that reads them through everything that is done with them, and says
//! which files there must be, with which columns, of which kinds. [`InputRecipe::writer`] is a notebook that writes them, for the sandbox
//! alone. [`InputRecipe::corrected`] learns from the errors of a run. Nothing here opens a file, and nothing that comes out means
//! anything: the data let the code run, and no result of it is one.

mod build;
mod check;
mod correct;
mod evidence;
mod follow;
mod place;
mod recipe;
mod saved;
mod writer;

pub use check::InputRecipeError;
pub use correct::{data_may_mend, missing_file};
pub use place::{InputPlace, PathRefusal, place};
pub use recipe::{
    InputColumn, InputCorrection, InputFile, InputFormat, InputKind, InputRecipe, InputTable, NotMade, ReadOptions,
    UsedAt,
};
pub use writer::{WrittenInput, written};
