//! Tables, Sankey data, plots and the HTML report, from parquet alone.
//!
//! Reads the folder that crate `store` exports (`study.parquet`, `outcomes.parquet`, `fixes.parquet`, and of language models
//! `llm-calls.parquet`, `questions.parquet`, `refusals.parquet`) and makes Tables 1 to 5
//! and Figures 2, 3, 6, 7 and 8 of the paper from it, Figure 9 with `executions.parquet` and `errors.parquet`, and Figure 10 where the study
//! has the cell level. Figure 2 is of run times on Kaggle where versions were mined (`mined-versions.parquet`), else of those here. The
//! same input gives the same bytes, on every machine.
//!
//! Parts:
//! - `frame`, `words`, `rows` and `calls`: parquet with a checked schema, as typed rows;
//! - `published`: what the paper prints, from `published.toml`;
//! - `flaky`: versions whose repetitions differ, shown or left out;
//! - `errors`, `sizes`, `kinds`: what cells raised, by type, how large versions are, and of what year and metric;
//! - `tables` and `figures`: counting and drawing;
//! - `audit`: arithmetic invariants over what the paper and our tables print;
//! - `page`: the report as one HTML file;
//! - `output`: files that appear whole or not at all.

mod audit;
mod calls;
mod errors;
mod figures;
mod flaky;
mod frame;
mod kinds;
mod output;
mod page;
mod published;
mod rows;
mod sizes;
mod source;
mod tables;
mod words;

#[cfg(test)]
mod frame_tests;
#[cfg(test)]
mod testing;

use std::path::{Path, PathBuf};

pub use audit::{Audit, AuditError, audit_published, audit_tables};
pub use figures::FigureError;
pub use flaky::Flaky;
pub use frame::FrameError;
pub use output::OutputError;
pub use page::write_page;
pub use published::PublishedError;

use nbrevive_corpus::Role;
use rayon::prelude::*;

use errors::Errors;
use figures::{ChartFigure, Figure, RunTimeFigure};
use kinds::Kinds;
use output::{Product, inputs};
use published::Published;
use rows::Data;
use sizes::Sizes;
use tables::{Tables, both};

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub enum ReportError {
    /// A parquet file cannot be used.
    Frame(#[from] FrameError),
    /// The published numbers cannot be used.
    Published(#[from] PublishedError),
    /// A figure cannot be drawn.
    Figure(#[from] FigureError),
    /// A file cannot be written.
    Output(#[from] OutputError),
}

/// What [`render`] wrote.
#[derive(Debug)]
pub struct Rendered {
    /// The files, in the order in which they were written.
    pub files: Vec<PathBuf>,
    /// The tables of the paper as plain text for a terminal.
    pub text: String,
}

/// Writes all tables and figures below `out`.
///
/// `data` is the folder with a study's parquet files; `published` the paper's numbers (`published.toml`), which then stand
/// beside ours; `flaky` says what becomes of versions whose repetitions differ. Files: `tables/{headline,table1,…,table5,dialogues,fixes-by-provider,fixes-by-rule,fix-correlations,uncertainty,paired-tests,curve-tau,curve-fixes,curve-time,sensitivity,strata,summary}.{md,tex,csv,json}` and
/// `figures/figure{2,3,6,7a,7b,8a,8b}.{json,svg,png}`; Figures 9a and 9b where there are executions and errors, Figures 10a and 10b and
/// `tables/cell-level.*` where the study has the cell level. Figure 2 shows how long versions ran on Kaggle where there is
/// [`MINED_VERSIONS`], else how long they ran here. [`notes`] says what is missing. Nothing is written unless everything could be made;
/// each file appears whole.
///
/// # Errors
/// When an input is missing, has another schema, or contradicts itself (file, column and row are named), or an output
/// cannot be written.
pub fn render(data: &Path, published: Option<&Path>, flaky: Flaky, out: &Path) -> Result<Rendered, ReportError> {
    let (folder, inputs) = (data, inputs(data, published));
    let (data, (sizes, kinds)) = both(|| read(folder, published, flaky), || (read_sizes(folder), Kinds::read(folder)));
    let (data, published) = data?;
    let (sizes, kinds, said) = (sizes?, kinds?, published.as_ref());
    let (counted, (run_times, flows, of_fixes)) = both(
        || Tables::count(&data, &sizes, &kinds, || Errors::read(folder, &data), said),
        || (RunTimeFigure::read(folder, &data, said), Figure::all(&data, said), ChartFigure::of_fixes(&data)),
    );
    let (tables, errors) = counted?;
    let charts = ChartFigure::all(of_fixes, &data, errors.as_ref(), said);
    let mut products = tables.products();
    products.extend(run_times?.products()?);
    products.extend(drawn(&flows, Figure::products)?);
    products.extend(drawn(&charts, ChartFigure::products)?);
    let files = products.iter().map(|product| product.write(out, &inputs)).collect::<Result<_, _>>()?;
    Ok(Rendered { files, text: tables.terminal() })
}

/// The files of figures, which are drawn by all cores.
fn drawn<F: Sync>(
    figures: &[F],
    products: impl Fn(&F) -> Result<[Product; 3], FigureError> + Sync + Send,
) -> Result<Vec<Product>, FigureError> {
    let drawn: Vec<[Product; 3]> = figures.par_iter().map(products).collect::<Result<_, _>>()?;
    Ok(drawn.into_iter().flatten().collect())
}

/// The file of mined versions, with a column `run_seconds` (64-bit floats, null where unknown): what Figure 2 is made from, where
/// there is one.
pub const MINED_VERSIONS: &str = "mined-versions.parquet";

/// What [`render`] leaves out, or replaces, for want of data, a sentence each.
#[must_use]
pub fn notes(data: &Path) -> Vec<String> {
    let lacks = |name: &str| !data.join(name).is_file();
    let mut notes = Vec::new();
    if lacks(MINED_VERSIONS) {
        notes.push(format!(
            "Figure 2 is of run times here and not on Kaggle: {} has no {MINED_VERSIONS}, which the export of a mined corpus writes",
            data.display()
        ));
    }
    if let Some(name) = ["executions.parquet", "errors.parquet"].into_iter().find(|name| lacks(name)) {
        notes.push(format!("no Figure 9: {} has no {name}", data.display()));
    }
    notes
}

/// The text of [`Rendered`] alone.
#[cfg(test)]
fn terminal(data: &Path, published: Option<&Path>, flaky: Flaky) -> Result<String, ReportError> {
    let sizes = read_sizes(data)?;
    let (data, published) = read(data, published, flaky)?;
    let (tables, _) =
        Tables::count(&data, &sizes, &Kinds::default(), || Ok::<_, FrameError>(None), published.as_ref())?;
    Ok(tables.terminal())
}

fn read_sizes(data: &Path) -> Result<Sizes, FrameError> {
    sizes::read(data, rows::read_roles(data)?.condition(Role::Baseline))
}

fn read(data: &Path, published: Option<&Path>, flaky: Flaky) -> Result<(Data, Option<Published>), ReportError> {
    Ok((Data::read(data)?.with_flaky(flaky), published.map(Published::read).transpose()?))
}
