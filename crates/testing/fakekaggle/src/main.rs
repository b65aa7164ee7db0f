//! The program `fakekaggle`.

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    nbrevive_fakekaggle::main()
}
