//! Takes a snapshot of some distributions from the configured index: the file, then the names.
//!
//! The histories of the plan tests are made so:
//!
//! ```text
//! cargo run -p nbrevive-environment --example take_snapshot -- crates/environment/tests/data/small.snapshot.zst \
//!     catboost nbrevive-no-such-name numpy pandas scikit-learn tensorflow xgboost
//! ```

use std::error::Error;
use std::path::PathBuf;

use nbrevive_environment::index::Scope;
use nbrevive_environment::{Home, Index, IndexSettings};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = PathBuf::from(arguments.next().ok_or("the first argument must be the file to write")?);
    let names: Vec<String> = arguments.collect();
    let index = Index::open(&Home::from_environment()?, IndexSettings::default());
    index.prefetch(&names);
    Ok(index.export_snapshot(&path, Scope::Names(&names))?)
}
