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
//! - `published`: what the paper prints, by table and figure;
//! - `flaky`: versions whose repetitions differ, shown or left out;
//! - `inputs`: all that tables and figures are counted from;
//! - `errors`, `sizes`, `kinds`, `executability`: what cells raised, by type, how large versions are, of what year and metric, and how
//!   much of them ran;
//! - [`raised_errors`]: what was raised, as crashes, whose root causes are a table of every study;
//! - `tables` and `figures`: counting and drawing;
//! - [`render_crashes`], [`render_found`], [`render_changes`]: tables and figures of crashes, from rows;
//! - `audit`: arithmetic invariants over what the paper and our tables print;
//! - [`DatasetPart`]: the rows of the versions that a filter keeps;
//! - `page`: the report as one HTML file;
//! - [`label_page`]: a page on which a person labels crashes;
//! - [`checked`]: of a repository that was checked, a page and a JUnit file: from the run itself, without parquet;
//! - `output`: files that appear whole or not at all.

mod at_once;
mod audit;
mod beside;
mod calls;
pub mod checked;
mod crashes;
mod error;
mod errors;
mod executability;
mod figures;
mod flaky;
mod frame;
mod inputs;
mod kinds;
mod labelling;
mod number_words;
mod outcome_line;
mod output;
mod outputs;
mod page;
mod part;
mod published;
mod raised;
mod restored;
mod rows;
mod sizes;
mod source;
mod survival;
mod tables;
mod words;

#[cfg(test)]
mod frame_tests;
#[cfg(test)]
mod testing;

use std::path::Path;

pub use audit::{Audit, AuditError, audit_published, audit_tables};
pub use crashes::{CrashRow, FoundNotebooks, render_changes, render_crashes, render_found};
pub use error::{FigureError, ReportError};
pub use figures::{MINED_VERSIONS, MachineTime, draw_efficiency};
pub use flaky::Flaky;
pub use frame::FrameError;
pub use labelling::{LabelCase, label_page};
pub use nbrevive_corpus::PublishedError;
pub use output::{OutputError, Rendered, csv_text};
pub use page::write_page;
pub use part::DatasetPart;
pub use raised::{FirstRunError, raised_errors};

use at_once::both;
use figures::Figures;
use inputs::Inputs;
use output::input_files;
use rayon::prelude::*;
use tables::Tables;

/// Writes all tables and figures below `out`.
///
/// `data` is the folder with a study's parquet files; `published` the paper's numbers, a folder or file, which then stand
/// beside ours; `flaky` says what becomes of versions whose repetitions differ. Files: each table as `tables/NAME.{md,tex,csv,json}` and each
/// figure as `figures/figureNAME.{json,svg,png}` (`docs/report.md` has the names); Figures 9a and 9b where there are executions and errors,
/// Figures 10a and 10b and `tables/cell-level.*` where the study has the cell level. Figure 2 shows how long versions ran on Kaggle where
/// there is [`MINED_VERSIONS`], else how long they ran here. [`notes`] says what is missing. Nothing is written unless everything could be made;
/// each file appears whole.
///
/// # Errors
/// When an input is missing, has another schema, or contradicts itself (file, column and row are named), or an output
/// cannot be written.
pub fn render(data: &Path, published: Option<&Path>, flaky: Flaky, out: &Path) -> Result<Rendered, ReportError> {
    let of = Inputs::read(data, published, flaky)?;
    let (counted, figures) = both(|| Tables::count(&of), || Figures::count(&of));
    let ((tables, errors), mut figures) = (counted?, figures?);
    errors.iter().for_each(|errors| figures.add_errors(errors, &of));
    let mut products = tables.products();
    products.extend(figures.products()?);
    let inputs = input_files(data, published);
    let files = products.par_iter().map(|product| product.write(out, &inputs)).collect::<Result<_, _>>()?;
    Ok(Rendered { files, text: tables.terminal() })
}

/// What [`render`] leaves out, or replaces, for want of data, a sentence each.
#[must_use]
pub fn notes(data: &Path) -> Vec<String> {
    let lacks = |name: &str| !data.join(name).is_file();
    let mut notes = Vec::new();
    if rows::read_judge(data).is_ok_and(|judge| !judge.asks_scores()) {
        return notes;
    }
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
    let (tables, _) = Tables::count(&Inputs::read(data, published, flaky)?)?;
    Ok(tables.terminal())
}
