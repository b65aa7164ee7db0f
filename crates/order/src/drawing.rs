//! The graph as a picture: cells below each other, an arc from each that gives to each that needs.

use std::fmt::Write as _;

use nbrevive_shown::xml;

use crate::graph::CellGraph;

/// Height of a cell's row, in pixels.
const ROW: usize = 26;
/// Where the rows begin: left of it is room for arcs.
const LEFT: usize = 260;
const WIDTH: usize = 900;
/// Cells that are drawn at most.
const MOST_CELLS: usize = 500;
/// Names that an arc tells.
const MOST_NAMES: usize = 8;

/// An SVG of the graph. `labels` are what stands in the rows, one a cell: its number and its first line. Arcs that go up, to a cell above
/// the one that gives, are drawn in another colour and dashed: as the notebook stands, the cell above could not run.
///
/// Of more than 500 cells the first are drawn, and a line says so.
#[must_use]
pub fn drawing(graph: &CellGraph, labels: &[String]) -> String {
    let shown = graph.cells.len().min(MOST_CELLS);
    let height = ROW * (shown + 2);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" font-family=\"monospace\" font-size=\"13\">\n\
         <title>Which cell needs which ({})</title>\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\">\
         <path d=\"M0,0 L8,4 L0,8 z\" fill=\"context-stroke\"/></marker></defs>\n",
        graph.kind
    );
    for (cell, label) in labels.iter().enumerate().take(shown) {
        // writing into a String cannot fail
        let _ =
            writeln!(svg, "<text x=\"{}\" y=\"{}\" fill=\"#222\">{}</text>", LEFT + 10, middle(cell) + 4, xml(label));
    }
    for edge in graph.edges().into_iter().filter(|edge| edge.from.max(edge.to) < shown) {
        let (from, to) = (middle(edge.from), middle(edge.to));
        let reach = LEFT.saturating_sub((24 + 9 * edge.from.abs_diff(edge.to)).min(LEFT - 10));
        let style =
            if edge.from < edge.to { "stroke=\"#0072B2\"" } else { "stroke=\"#D55E00\" stroke-dasharray=\"5 3\"" };
        let width = if edge.is_needed { "1.8" } else { "0.9" };
        let mut names = edge.names.iter().take(MOST_NAMES).map(|name| xml(name)).collect::<Vec<_>>().join(", ");
        if edge.names.len() > MOST_NAMES {
            names.push_str(", …");
        }
        let _ = writeln!(
            svg,
            "<path d=\"M{LEFT},{from} C{reach},{from} {reach},{to} {LEFT},{to}\" fill=\"none\" {style} stroke-width=\"{width}\" \
             marker-end=\"url(#tip)\"><title>{names}</title></path>"
        );
    }
    if graph.cells.len() > shown {
        let left = graph.cells.len() - shown;
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{}\" fill=\"#666\">{left} more cells</text>",
            LEFT + 10,
            middle(shown) + 4
        );
    }
    svg.push_str("</svg>\n");
    svg
}

const fn middle(cell: usize) -> usize {
    ROW * (cell + 1)
}

#[cfg(test)]
mod tests {
    use nbrevive_pysource::names::names;

    use super::*;
    use crate::GraphKind;

    #[test]
    fn what_a_notebook_says_is_text_in_the_picture() {
        let graph = CellGraph::new(&names(&["print(a)", "a = 1"]), GraphKind::Sharp);
        let svg = drawing(&graph, &["<script>alert('\u{1}\u{ffff}')".to_owned(), "a = 1 && \"b\"".to_owned()]);
        assert!(svg.contains("&lt;script&gt;") && !svg.contains("<script") && !svg.contains('\u{1}'), "{svg}");
        assert!(svg.contains("stroke-dasharray") && svg.contains("<title>a</title>"), "it goes up: {svg}");
    }
}
