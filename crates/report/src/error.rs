//! Why there is no report.

use nbrevive_corpus::PublishedError;

use crate::frame::FrameError;
use crate::output::OutputError;

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub enum ReportError {
    /// A parquet file cannot be used.
    Frame(#[from] FrameError),
    /// The published numbers cannot be used.
    Published(#[from] PublishedError),
    /// The filter names what is not there.
    Filter(#[from] nbrevive_filter::FilterError),
    /// A figure cannot be drawn.
    Figure(#[from] FigureError),
    /// A file cannot be written.
    Output(#[from] OutputError),
}

/// A figure that cannot be drawn.
#[derive(Debug, thiserror::Error)]
#[error("cannot draw {what}: {message}")]
pub struct FigureError {
    /// Which picture.
    pub(crate) what: String,
    /// What the library said.
    pub(crate) message: String,
}
