//! Frames as pandas shows them in HTML.

use nbrevive_notebook::is_nested_deeply;
use scraper::{ElementRef, Html, Selector};

use crate::saved::ShownFrame;

/// Bytes of an output that are read; frames of pandas are cut long before.
const MOST_READ: usize = 1 << 20;

/// The frames in a piece of HTML: its tables of class `dataframe`.
pub(super) fn frames_of_html(html: &str) -> Vec<ShownFrame> {
    if html.len() > MOST_READ || !html.contains("<table") || is_nested_deeply(html) {
        return Vec::new();
    }
    let document = Html::parse_fragment(html);
    let Ok(selector) = Selector::parse("table") else { return Vec::new() };
    let tables = document.select(&selector);
    let shape = shape_of(&document.root_element().text().collect::<String>());
    tables.filter_map(frame).map(|frame| ShownFrame { shape, ..frame }).collect()
}

fn frame(table: ElementRef<'_>) -> Option<ShownFrame> {
    let [head, body] = ["thead tr", "tbody tr"].map(|text| Selector::parse(text).ok());
    let (head, body) = (head?, body?);
    let mut heads = table.select(&head).map(cells);
    let (first, second) = (heads.next()?, heads.next());
    // More than one line of names is a frame of several levels, but for one that names the index.
    let index_line = second.filter(|line| line.iter().skip(1).all(|(_, text)| text.is_empty()));
    if heads.next().is_some() || first.is_empty() {
        return None;
    }
    let names: Vec<String> = first.iter().skip(1).map(|(_, text)| text.clone()).collect();
    let is_cut = names.iter().any(|name| name == "...");
    let kept: Vec<usize> = (0..names.len()).filter(|place| names[*place] != "...").collect();
    let mut rows = Vec::new();
    let mut has_gap = false;
    for row in table.select(&body).map(cells) {
        has_gap |= row.first().is_some_and(|(_, label)| label == "...");
        let labels = row.iter().take_while(|(is_head, _)| *is_head).count();
        if labels != 1 || row.len() != names.len() + 1 || row[0].1 == "..." {
            continue;
        }
        rows.push((row[0].1.clone(), kept.iter().map(|place| row[place + 1].1.clone()).collect()));
    }
    let index =
        index_line.and_then(|line| line.into_iter().next()).map(|(_, text)| text).filter(|text| !text.is_empty());
    Some(ShownFrame {
        names: kept.into_iter().map(|place| names[place].clone()).collect(),
        rows,
        index,
        is_cut,
        has_gap,
        shape: None,
    })
}

/// The cells of a row, and whether each is a heading.
fn cells(row: ElementRef<'_>) -> Vec<(bool, String)> {
    let elements = row.children().filter_map(ElementRef::wrap);
    elements.map(|cell| (cell.value().name() == "th", cell.text().collect::<String>().trim().to_owned())).collect()
}

/// `891 rows × 12 columns`.
fn shape_of(text: &str) -> Option<(usize, usize)> {
    let (before, after) = text.split_once(" rows × ")?;
    let digits = before.rsplit(|letter: char| !letter.is_ascii_digit()).next()?;
    let columns = after.split(|letter: char| !letter.is_ascii_digit()).next()?;
    Some((digits.parse().ok()?, columns.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_is_read_as_pandas_writes_it() {
        let html = "<div><table border=\"1\" class=\"dataframe\"><thead><tr><th></th><th>a</th><th>...</th><th>b c</th></tr>\
            <tr><th>day</th><th></th><th></th><th></th></tr></thead><tbody><tr><th>0</th><td>1</td><td>...</td><td>x &amp; y</td></tr>\
            <tr><th>...</th><td>...</td><td>...</td><td>...</td></tr></tbody></table><p>891 rows × 12 columns</p></div>";
        let frames = frames_of_html(html);
        let expected = ShownFrame {
            names: vec!["a".into(), "b c".into()],
            rows: vec![("0".into(), vec!["1".into(), "x & y".into()])],
            index: Some("day".into()),
            is_cut: true,
            has_gap: true,
            shape: Some((891, 12)),
        };
        assert_eq!(frames, [expected]);
        assert_eq!(frames_of_html("<p>no table"), []);
    }
}
