//! Every figure, as one list: what a report draws comes from here.

#![deny(clippy::wildcard_enum_match_arm)]

use rayon::prelude::*;
use serde_json::Value;

use super::charted::ChartFigure;
use super::flow_figure::FlowFigure;
use super::run_time::RunTimeFigure;
use super::{approaches, edits, error_types, fix_counts, orders, outputs, restored, survival};
use crate::error::FigureError;
use crate::errors::Errors;
use crate::frame::FrameError;
use crate::inputs::Inputs;
use crate::inputs::Subject::{self, Examples, Executability, Orders, Outputs, Scores};
use crate::output::Product;

/// A figure that was counted.
pub(crate) trait Figure: Send + Sync {
    /// Its number in the paper, after which its files are named.
    fn name(&self) -> &'static str;

    /// The figure's data.
    fn json(&self) -> Value;

    /// The picture as SVG.
    fn svg(&self) -> Result<String, FigureError>;

    /// The same picture as PNG.
    fn png(&self) -> Result<Vec<u8>, FigureError>;

    /// Its files: data, SVG and PNG.
    fn products(&self) -> Result<[Product; 3], FigureError> {
        let name = |extension: &str| format!("figures/figure{}.{extension}", self.name());
        Ok([
            Product::text(name("json"), format!("{:#}\n", self.json())),
            Product::text(name("svg"), self.svg()?),
            Product::new(name("png"), self.png()?),
        ])
    }
}

/// The files of figures that no study has.
pub(crate) fn figure_products(figures: &[impl Figure]) -> Result<Vec<Product>, FigureError> {
    let drawn: Vec<[Product; 3]> = figures.par_iter().map(Figure::products).collect::<Result<_, _>>()?;
    Ok(drawn.into_iter().flatten().collect())
}

/// A figure; none where a study has nothing that it could be of.
type Counted = Option<Box<dyn Figure>>;

/// What a figure is counted from.
enum Count {
    /// What is there from the beginning.
    Inputs(fn(&Inputs) -> Result<Counted, FrameError>),
    /// The errors of cells, which are read meanwhile.
    Errors(fn(&Errors, &Inputs) -> ChartFigure),
}

/// The figures in the order of their files, each of studies that have a subject.
const LIST: &[(Subject, Count)] = &[
    (Scores, Count::Inputs(|of| Ok(counted(RunTimeFigure::read(&of.folder, &of.data, of.published())?)))),
    (Scores, Count::Inputs(|of| Ok(counted(FlowFigure::to_backport(&of.data, of.published()))))),
    (Scores, Count::Inputs(|of| Ok(counted(FlowFigure::to_modernize(&of.data, of.published()))))),
    (Scores, Count::Inputs(|of| Ok(FlowFigure::to_cell_level(&of.data, of.published()).and_then(counted)))),
    (Scores, Count::Inputs(|of| Ok(counted(fix_counts::by_count(&of.data).beside(of.published()))))),
    (Scores, Count::Inputs(|of| Ok(counted(fix_counts::by_outcome(&of.data).beside(of.published()))))),
    (Scores, Count::Inputs(|of| Ok(counted(edits::cumulative(&of.data).beside(of.published()))))),
    (Scores, Count::Inputs(|of| Ok(counted(edits::by_fix(&of.data).beside(of.published()))))),
    (Scores, Count::Errors(|errors, of| error_types::by_fix(errors, &of.data))),
    (Scores, Count::Errors(|errors, of| error_types::at_end(errors, &of.data))),
    (
        Scores,
        Count::Inputs(|of| Ok(approaches::figure(&of.data).and_then(|chart| counted(chart.beside(of.published()))))),
    ),
    (Examples, Count::Inputs(|of| Ok(survival::figure(of).and_then(counted)))),
    (Outputs, Count::Inputs(|of| Ok(counted(outputs::first_errors(of))))),
    (Outputs, Count::Inputs(|of| Ok(counted(outputs::success(of))))),
    (Outputs, Count::Inputs(|of| Ok(outputs::scores(of).and_then(counted)))),
    (Outputs, Count::Inputs(|of| Ok(counted(outputs::categories(of))))),
    (Orders, Count::Inputs(|of| Ok(counted(orders::cells(of))))),
    (Orders, Count::Inputs(|of| Ok(orders::largest_counts(of).and_then(counted)))),
    (Orders, Count::Inputs(|of| Ok(orders::run(of).and_then(counted)))),
    (Orders, Count::Inputs(|of| Ok(orders::same(of).and_then(counted)))),
    (Orders, Count::Inputs(|of| Ok(orders::unrepeatable(of).and_then(counted)))),
    (Executability, Count::Inputs(|of| Ok(restored::stars(of).and_then(counted)))),
    (Executability, Count::Inputs(|of| Ok(counted(restored::notions(of))))),
    (Executability, Count::Inputs(|of| Ok(counted(restored::degrees(of))))),
    (Executability, Count::Inputs(|of| Ok(counted(restored::gains(of))))),
];

/// What the figures of a study are of: of one subject, since those of two papers have the same numbers.
fn subject(of: &Inputs) -> Option<Subject> {
    [Scores, Orders, Examples, Outputs, Executability].into_iter().find(|subject| subject.is_of(of))
}

fn counted(figure: impl Figure + 'static) -> Counted {
    Some(Box::new(figure))
}

/// A place for each figure of the list.
pub(crate) struct Figures(Vec<Counted>);

impl Figures {
    /// Counts the figures that need no errors of cells.
    ///
    /// # Errors
    /// A file that only a figure needs and that cannot be used.
    pub(crate) fn count(of: &Inputs) -> Result<Self, FrameError> {
        let own = subject(of);
        let count = |(subject, row): &(Subject, Count)| match row {
            Count::Inputs(count) if Some(*subject) == own => count(of),
            Count::Inputs(_) | Count::Errors(_) => Ok(None),
        };
        LIST.par_iter().with_max_len(1).map(count).collect::<Result<_, _>>().map(Figures)
    }

    /// Adds those of the errors of cells.
    pub(crate) fn add_errors(&mut self, errors: &Errors, of: &Inputs) {
        let own = subject(of);
        for (place, (subject, row)) in self.0.iter_mut().zip(LIST) {
            if let Count::Errors(count) = row
                && Some(*subject) == own
            {
                *place = counted(count(errors, of).beside(of.published()));
            }
        }
    }

    /// Those that there are.
    #[cfg(test)]
    pub(crate) fn iter(&self) -> impl Iterator<Item = &dyn Figure> {
        self.0.iter().flatten().map(AsRef::as_ref)
    }

    /// The files of every figure, drawn by all cores.
    pub(crate) fn products(&self) -> Result<Vec<Product>, FigureError> {
        let drawn: Vec<[Product; 3]> =
            self.0.par_iter().flatten().map(|figure| figure.products()).collect::<Result<_, _>>()?;
        Ok(drawn.into_iter().flatten().collect())
    }
}
