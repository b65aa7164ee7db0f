//! `nbrevive report`: the study as one HTML file, from parquet alone.

use nbrevive_shown::shown;

use crate::Outcome;
use crate::arguments::ReportArguments;
use crate::exit_code::{Exit, Failure};
use crate::printer;

/// Writes the file.
pub(crate) fn run(arguments: &ReportArguments) -> Outcome {
    let ReportArguments { data, published, out, flaky } = arguments;
    let path = nbrevive_report::write_page(data, published.as_deref(), (*flaky).into(), out)
        .map_err(|error| Failure::new(Exit::BadInput, &error))?;
    printer::note(&shown!("wrote {}; open it in a browser", path.display()));
    Ok(Exit::Success)
}
