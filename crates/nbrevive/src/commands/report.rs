//! `nbrevive report`: the study as one HTML file, from parquet alone.

use nbrevive_report::{DatasetPart, ReportError};
use nbrevive_shown::shown;

use crate::Outcome;
use crate::arguments::ReportArguments;
use crate::exit_code::{Exit, Failure};
use crate::printer;

/// Writes the file.
pub(crate) fn run(arguments: &ReportArguments) -> Outcome {
    let ReportArguments { data, published, out, flaky, filter } = arguments;
    let bad = |error: ReportError| Failure::new(Exit::BadInput, &error);
    let part = filter.as_deref().map(|filter| DatasetPart::of(data, filter)).transpose().map_err(bad)?;
    let data = part.as_ref().map_or(data.as_path(), DatasetPart::folder);
    let path = nbrevive_report::write_page(data, published.as_deref(), (*flaky).into(), out).map_err(bad)?;
    printer::note(&shown!("wrote {}; open it in a browser", path.display()));
    Ok(Exit::Success)
}
