//! The daily dump (Meta Kaggle) and the folders of sources (Meta Kaggle Code), of any size.
//!
//! The rows are those of the world that the server shows, without private and deleted notebooks: references to these dangle,
//! as in the real dump. Outcomes are not in it; a version that did not end by itself has no `EvaluationDate`.
//! Rows are drawn in pieces by as many threads as the machine has processors, and written in order, so that the files of a
//! seed are always the same bytes and ten million versions need little memory.

mod code;
mod columns;
mod kernels;
mod others;
mod rows;

pub use code::{code_path, write_code};
pub(crate) use rows::quoted;

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use crate::meta::columns::{KERNEL_TABLES, SUBMISSIONS, Table};
use crate::meta::kernels::Piece;
use crate::world::FakeWorld;

/// Notebooks that one thread turns into rows at a time.
const PIECE: u64 = 5_000;

/// Choices about the dump.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DumpOptions {
    /// Whether ids that can be missing are written as real numbers (`12.0`), as some tools leave them; default no.
    pub float_ids: bool,
}

/// Why a dump was not written.
#[derive(Debug, thiserror::Error)]
pub enum FakeDumpError {
    /// A file or folder of the dump cannot be written.
    #[error("cannot write {path}; make sure that the folder can be written to and the disk has room")]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl FakeDumpError {
    fn at(path: &Path) -> impl FnOnce(io::Error) -> Self + '_ {
        |source| Self::Write { path: path.to_owned(), source }
    }
}

/// A file of the dump, open, with its header written.
struct Output {
    path: PathBuf,
    file: BufWriter<File>,
}

impl Output {
    fn create(folder: &Path, table: &Table) -> Result<Self, FakeDumpError> {
        let path = folder.join(format!("{}.csv", table.name));
        let file = File::create(&path).map_err(FakeDumpError::at(&path))?;
        let mut output = Self { path, file: BufWriter::with_capacity(1 << 20, file) };
        output.write(&format!("{}\n", table.columns.join(",")))?;
        Ok(output)
    }

    fn write(&mut self, text: &str) -> Result<(), FakeDumpError> {
        self.file.write_all(text.as_bytes()).map_err(FakeDumpError::at(&self.path))
    }

    fn close(mut self) -> Result<(), FakeDumpError> {
        self.file.flush().map_err(FakeDumpError::at(&self.path))
    }
}

/// Writes all CSV files of the dump into a folder, which is made if it is missing.
pub fn write_dump(world: &FakeWorld, folder: &Path, options: DumpOptions) -> Result<(), FakeDumpError> {
    std::fs::create_dir_all(folder).map_err(FakeDumpError::at(folder))?;
    for (table, rows) in others::tables(world) {
        let mut output = Output::create(folder, table)?;
        output.write(&rows)?;
        output.close()?;
    }
    let mut outputs = KERNEL_TABLES.iter().map(|table| Output::create(folder, table)).collect::<Result<Vec<_>, _>>()?;
    let submissions = KERNEL_TABLES.iter().position(|table| table.name == SUBMISSIONS.name);
    if let Some(output) = submissions.and_then(|place| outputs.get_mut(place)) {
        output.write(&others::team_submissions(world))?;
    }
    let threads = std::thread::available_parallelism().map_or(1, usize::from) as u64;
    let count = world.kernel_count();
    for start in (0..count).step_by((PIECE * threads) as usize) {
        let starts: Vec<u64> = (0..threads).map(|thread| start + thread * PIECE).filter(|s| *s < count).collect();
        for piece in draw(world, &starts, options) {
            for (output, rows) in outputs.iter_mut().zip(piece.texts()) {
                output.write(rows)?;
            }
        }
    }
    outputs.into_iter().try_for_each(Output::close)
}

/// Draws pieces side by side.
fn draw(world: &FakeWorld, starts: &[u64], options: DumpOptions) -> Vec<Piece> {
    let count = world.kernel_count();
    std::thread::scope(|scope| {
        let threads: Vec<_> = starts
            .iter()
            .map(|start| scope.spawn(move || Piece::draw(world, *start..(start + PIECE).min(count), options)))
            .collect();
        threads.into_iter().map(|thread| thread.join().expect("drawing rows does not panic")).collect()
    })
}

#[cfg(test)]
mod tests;
