//! HTML by what a reader sees of it: words in their order, tables as tables, and what scripts draw.

use nbrevive_notebook::is_nested_deeply;
use scraper::{ElementRef, Html, Node};

use super::grid::{Grid, same_grid};
use super::text::dimensions;
use crate::difference::{Compared, DifferenceKind, PathStep, differ, within};
use crate::text::{Tolerance, same_text};

/// Most columns that a cell may claim to span, and rows: HTML's own limits are 1,000 and 65,534.
const WIDEST: usize = 1000;
/// Most cells of a table, repeated ones included.
const MOST_CELLS: usize = 2_000_000;

/// A part of a document.
#[derive(Debug, PartialEq)]
enum Part {
    Words(String),
    Table(Grid),
    /// A script's text, or the address of a picture or a frame.
    Source(String),
}

/// A part of an HTML document as it is compared: text, and no markup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HtmlPart {
    /// Words in their order.
    Words(String),
    /// A table.
    Table(HtmlTable),
    /// A script's text, or the address of a picture or a frame.
    Source(String),
}

/// The cells of a table; one that spans several is in each of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HtmlTable {
    /// Rows of cells, the head's first.
    pub rows: Vec<Vec<String>>,
    /// How many rows of the head there are, where the table says it.
    pub heads: usize,
    /// How many rows and columns the whole table has, where a line below says it.
    pub whole: Option<(usize, usize)>,
}

/// The parts of an HTML document in their order: its words, its tables, and what scripts and pictures would be made of.
#[must_use]
pub fn html_parts(html: &str) -> Vec<HtmlPart> {
    let part = |part| match part {
        Part::Words(text) => HtmlPart::Words(text),
        Part::Table(Grid { rows, heads, whole }) => HtmlPart::Table(HtmlTable { rows, heads, whole }),
        Part::Source(text) => HtmlPart::Source(text),
    };
    parts(html).into_iter().map(part).collect()
}

/// Compares two documents. Attributes and styles do not count, but for what is drawn from (`src`).
pub(crate) fn same_html(saved: &str, new: &str, tolerance: &Tolerance) -> Compared {
    let (old, now) = (parts(saved), parts(new));
    for (index, (left, right)) in old.iter().zip(&now).enumerate() {
        let compared = match (left, right) {
            (Part::Words(left), Part::Words(right)) | (Part::Source(left), Part::Source(right)) => {
                same_text(left, right, tolerance)
            }
            (Part::Table(left), Part::Table(right)) => same_grid(left, right, tolerance),
            _ => differ(DifferenceKind::Type, &left.shown(), &right.shown()),
        };
        // Most documents are one table.
        if old.len() == 1 {
            return compared;
        }
        within(compared, || PathStep::Index(index))?;
    }
    let shared = old.len().min(now.len());
    match (old.get(shared), now.get(shared)) {
        (None, None) => Ok(()),
        (left, right) => {
            let shown = |part: Option<&Part>| part.map(Part::shown).unwrap_or_default();
            differ(DifferenceKind::Shape, &shown(left), &shown(right))
        }
    }
}

/// Whether a document shows a table, of which a plain text beside it may show less.
pub(crate) fn has_table(html: &str) -> bool {
    html.contains("<table")
}

impl Part {
    fn shown(&self) -> String {
        match self {
            Self::Words(text) | Self::Source(text) => text.clone(),
            Self::Table(grid) => grid.rows.first().map(|row| row.join(" ")).unwrap_or_default(),
        }
    }
}

/// The parts of a document in order. A line such as `5 rows × 3 columns` behind a table is part of it. What is nested deeper than browsers
/// show it is text, tags and all.
fn parts(html: &str) -> Vec<Part> {
    if is_nested_deeply(html) {
        return vec![Part::Words(html.to_owned())];
    }
    let document = Html::parse_fragment(html);
    let (mut parts, mut words) = (Vec::new(), String::new());
    let mut next = document.root_element().first_child();
    while let Some(node) = next {
        let mut is_entered = true;
        match node.value() {
            Node::Text(text) => {
                words.push_str(text);
                words.push(' ');
            }
            Node::Element(element) => match element.name() {
                "style" | "head" | "template" => is_entered = false,
                "table" => {
                    is_entered = false;
                    finish(&mut words, &mut parts);
                    parts.extend(ElementRef::wrap(node).map(|table| Part::Table(grid(table))));
                }
                "script" => {
                    is_entered = false;
                    finish(&mut words, &mut parts);
                    parts.extend(ElementRef::wrap(node).map(|script| Part::Source(script.text().collect())));
                }
                _ => {
                    if let Some(source) = element.attr("src") {
                        finish(&mut words, &mut parts);
                        parts.push(Part::Source(source.to_owned()));
                    }
                }
            },
            _ => {}
        }
        let below = if is_entered { node.first_child() } else { None };
        next = below
            .or_else(|| node.next_sibling())
            .or_else(|| node.ancestors().find_map(|ancestor| ancestor.next_sibling()));
    }
    finish(&mut words, &mut parts);
    parts
}

/// Ends a run of words.
fn finish(words: &mut String, parts: &mut Vec<Part>) {
    let text = std::mem::take(words);
    let text = text.trim();
    if text.is_empty() {
        return;
    }
    if let Some(whole) = dimensions(text)
        && let Some(Part::Table(grid)) = parts.last_mut()
    {
        grid.whole = Some(whole);
        return;
    }
    parts.push(Part::Words(text.to_owned()));
}

/// The cells of a table; one that spans several is in each of them.
fn grid(table: ElementRef<'_>) -> Grid {
    let mut grid = Grid::default();
    // Text that reaches down from rows before, by column: how many rows are left of it.
    let mut reaching: Vec<(usize, String)> = Vec::new();
    let mut count = 0_usize;
    for row in table.descendants().filter_map(ElementRef::wrap).filter(|element| element.value().name() == "tr") {
        let mut cells: Vec<String> = Vec::new();
        for cell in row.children().filter_map(ElementRef::wrap).filter(is_cell) {
            carry(&mut reaching, &mut cells);
            let text = cell.text().collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ");
            let (columns, rows) = (span(cell, "colspan"), span(cell, "rowspan"));
            for _ in 0..columns {
                if rows > 1 {
                    reaching.resize(reaching.len().max(cells.len() + 1), (0, String::new()));
                    if let Some(place) = reaching.get_mut(cells.len()) {
                        *place = (rows - 1, text.clone());
                    }
                }
                cells.push(text.clone());
            }
        }
        carry(&mut reaching, &mut cells);
        count += cells.len();
        if count > MOST_CELLS {
            break;
        }
        let is_head = |parent: ElementRef<'_>| parent.value().name() == "thead";
        grid.heads += usize::from(row.parent().and_then(ElementRef::wrap).is_some_and(is_head));
        grid.rows.push(cells);
    }
    grid
}

fn is_cell(element: &ElementRef<'_>) -> bool {
    matches!(element.value().name(), "td" | "th")
}

fn span(cell: ElementRef<'_>, name: &str) -> usize {
    cell.attr(name).and_then(|text| text.trim().parse().ok()).unwrap_or(1_usize).clamp(1, WIDEST)
}

/// Puts the cells that reach down into this row where they stand.
fn carry(reaching: &mut [(usize, String)], cells: &mut Vec<String>) {
    while let Some((left, text)) = reaching.get_mut(cells.len())
        && *left > 0
    {
        *left -= 1;
        cells.push(text.clone());
    }
}

#[cfg(test)]
mod tests {
    use nbrevive_notebook::DEEPEST_HTML;
    use proptest::prelude::*;
    use proptest::{collection, sample};

    use super::*;

    fn compared(saved: &str, new: &str) -> String {
        match same_html(saved, new, &Tolerance::default()) {
            Ok(()) => "same".to_owned(),
            Err(place) => place.at(0, None).to_string(),
        }
    }

    const TABLE: &str = "<style>a{}</style><table border='1' class='dataframe'><thead><tr><th></th><th>a</th><th>b</th></tr></thead>\
        <tbody><tr><th>0</th><td>1.5</td><td>x y</td></tr><tr><th>1</th><td>2.5</td><td>z</td></tr></tbody></table>";

    #[test]
    fn looks_do_not_count() {
        let plain = TABLE.replace(" border='1' class='dataframe'", "").replace("<style>a{}</style>", "");
        assert_eq!(compared(TABLE, &format!("<div>\n{plain}</div>")), "same");
        assert_eq!(compared(TABLE, &TABLE.replace("2.5", "2.50000001")), "same");
        assert_eq!(
            compared(TABLE, &TABLE.replace("2.5", "2.6")),
            "output 1, row 2, column 1: number: \"2.5\" is now \"2.6\""
        );
        assert_eq!(compared("<p>a <b>1</b></p>", "<div>a</div> 1.0"), "same");
        assert_eq!(compared("<p>a</p>", "<p>b</p>"), "output 1: text: \"a\" is now \"b\"");
    }

    #[test]
    fn left_out_rows_are_counted_by_the_footer() {
        let short = "<table><thead><tr><th></th><th>a</th><th>b</th></tr></thead><tbody><tr><th>0</th><td>1.5</td><td>x y</td></tr>\
            <tr><th>...</th><td>...</td><td>...</td></tr></tbody></table><p>2 rows × 2 columns</p>";
        assert_eq!(compared(TABLE, short), "same");
        assert_eq!(compared(short, TABLE), "same");
        assert_eq!(
            compared(TABLE, &short.replace("2 rows", "3 rows")),
            "output 1: shape: \"2 rows\" is now \"3 rows\""
        );
    }

    #[test]
    fn spanned_cells_are_in_every_place() {
        let spanned = "<table><tr><th rowspan='2'>a</th><td>1</td></tr><tr><td>2</td></tr></table>";
        let full = "<table><tr><th>a</th><td>1</td></tr><tr><th>a</th><td>2</td></tr></table>";
        assert_eq!(compared(spanned, full), "same");
        assert_eq!(
            compared("<table><tr><td rowspan=99999999 colspan=99999999>a", "<table><tr><td colspan=1000>a"),
            "same"
        );
    }

    #[test]
    fn depth_is_no_matter() {
        let deep = "<div>".repeat(50_000);
        assert_eq!(compared(&format!("{deep}a"), &format!("{deep}b")).split(": ").nth(1), Some("text"));
    }

    /// Of each kind that the standard's tree construction tells apart.
    const TAGS: [&str; 40] = [
        "<div>",
        "</div>",
        "<p>",
        "</p>",
        "<b>",
        "</b>",
        "<a>",
        "</a>",
        "<i id=1>",
        "<li>",
        "</li>",
        "<ul>",
        "</ul>",
        "<td>",
        "<tr>",
        "<table>",
        "</table>",
        "<x>",
        "</x>",
        "<x/>",
        "<svg>",
        "</svg>",
        "<path/>",
        "<desc>",
        "<math>",
        "<title>",
        "</title>",
        "<style>",
        "</style>",
        "<select>",
        "<option>",
        "<button>",
        "</button>",
        "<template>",
        "</template>",
        "<dd>",
        "<h1>",
        "</h1>",
        "<form>",
        "text",
    ];

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        /// The tree of the reader is the oracle: what is let through is of bounded depth. It adds elements of its own, most of all
        /// around a row in a template.
        #[test]
        fn what_is_read_is_not_deep(tags in collection::vec(sample::select(&TAGS[..]), 1..12)) {
            let html = tags.concat().repeat(300);
            if !is_nested_deeply(&html) {
                let document = Html::parse_fragment(&html);
                let depth = document.tree.nodes().map(|node| node.ancestors().count()).max();
                prop_assert!(depth <= Some(8 * DEEPEST_HTML), "{tags:?} is {depth:?} deep");
            }
        }
    }
}
