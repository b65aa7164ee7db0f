//! What the user typed after `order`.

use std::path::PathBuf;

use clap::Args;
use nbrevive_order::GraphKind;

/// Arguments of `order`.
#[derive(Debug, Args)]
pub(crate) struct OrderArguments {
    /// The notebook.
    pub(crate) notebook: PathBuf,
    /// How the names of cells are read: as the paper on order does, or our sharper way (docs/order.md).
    #[arg(long, default_value_t = GraphKind::Sharp)]
    pub(crate) graph: GraphKind,
    /// How many orders are shown, where there are more than a hundred.
    #[arg(long, default_value_t = 10)]
    pub(crate) orders: usize,
    /// Another seed draws others.
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
    /// Print everything as JSON.
    #[arg(long)]
    pub(crate) json: bool,
    /// Draw which cell needs which, as SVG.
    #[arg(long)]
    pub(crate) svg: Option<PathBuf>,
}
