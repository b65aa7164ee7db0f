//! `nbrevive tables`: every table and figure, from parquet alone.

use nbrevive_report::DatasetPart;
use nbrevive_shown::{Shown, shown};
use nbrevive_store::dataset::Manifest;

use crate::Outcome;
use crate::arguments::TablesArguments;
use crate::exit_code::{Exit, Failure};
use crate::printer;

/// Writes the files, and shows the tables.
pub(crate) fn run(arguments: &TablesArguments) -> Outcome {
    let bad = |error: nbrevive_report::ReportError| Failure::new(Exit::BadInput, &error);
    if let Some(manifest) = Manifest::find(&arguments.data).map_err(|error| Failure::new(Exit::BadInput, &error))? {
        manifest.compare(&arguments.data).map_err(|error| Failure::new(Exit::BadInput, &error))?;
    }
    let published = arguments.published.as_deref();
    let flaky = arguments.flaky.into();
    let part = arguments.filter.as_deref().map(|filter| DatasetPart::of(&arguments.data, filter));
    let part = part.transpose().map_err(bad)?;
    let data = part.as_ref().map_or(arguments.data.as_path(), DatasetPart::folder);
    let rendered = nbrevive_report::render(data, published, flaky, &arguments.out).map_err(bad)?;
    for note in nbrevive_report::notes(&arguments.data) {
        printer::note(&Shown::line(&note));
    }
    printer::data(&Shown::block(&rendered.text));
    printer::note(&shown!("wrote {} files below {}", rendered.files.len(), arguments.out.display()));
    Ok(Exit::Success)
}
