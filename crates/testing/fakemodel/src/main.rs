//! The program `fakemodel`.

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    nbrevive_fakemodel::main()
}
