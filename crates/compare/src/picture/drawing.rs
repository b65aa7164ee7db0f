//! SVG: drawn to pixels, and beside it the texts and pictures in it, which are not drawn here.

use image::RgbImage;
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::roxmltree::{Document, Node, ParsingOptions};
use resvg::usvg::{Options, Tree};

use super::bitmap::{PictureError, check};

/// Longest drawing that is drawn, in bytes; plots of many points are long.
const LONGEST: usize = 8 << 20;
/// Most nodes of a drawing, each counted as often as it is used.
const MOST_NODES: usize = 500_000;
/// Deepest nesting of a drawing.
const DEEPEST: usize = 60;
/// The longer side that a drawing is drawn in, in pixels, when it says no size or a larger one.
const LONGEST_SIDE: f32 = 2000.0;

/// A drawing with what is drawn of it.
#[derive(Debug)]
pub(super) struct Drawn {
    pub(super) pixels: RgbImage,
    /// Its texts and the addresses of its pictures, one a line.
    pub(super) beside: String,
}

/// Draws an SVG on white.
pub(super) fn draw(svg: &str) -> Result<Drawn, PictureError> {
    if svg.len() > LONGEST {
        return Err(PictureError::TooLong { bytes: svg.len() });
    }
    let no_drawing = |error: &dyn std::fmt::Display| PictureError::NoDrawing(error.to_string());
    let options = ParsingOptions {
        allow_dtd: true,
        nodes_limit: u32::try_from(MOST_NODES).unwrap_or(u32::MAX),
        ..ParsingOptions::default()
    };
    let document = Document::parse_with_options(svg, options).map_err(|error| no_drawing(&error))?;
    refuse_bombs(&document)?;
    let tree = Tree::from_xmltree(&document, &Options::default()).map_err(|error| no_drawing(&error))?;
    let pixels = pixels(&tree).ok_or_else(|| PictureError::NoDrawing("it has no size".to_owned()))??;
    Ok(Drawn { pixels, beside: beside(&document) })
}

fn pixels(tree: &Tree) -> Option<Result<RgbImage, PictureError>> {
    let (width, height) = (tree.size().width(), tree.size().height());
    let scale = (LONGEST_SIDE / width.max(height)).min(1.0);
    let side = |length: f32| (length * scale).ceil().clamp(1.0, LONGEST_SIDE) as u32;
    let (wide, high) = (side(width), side(height));
    if let Err(error) = check(wide, high) {
        return Some(Err(error));
    }
    let mut canvas = Pixmap::new(wide, high)?;
    canvas.fill(resvg::tiny_skia::Color::WHITE);
    resvg::render(tree, Transform::from_scale(scale, scale), &mut canvas.as_mut());
    let opaque = canvas.pixels().iter().flat_map(|pixel| [pixel.red(), pixel.green(), pixel.blue()]).collect();
    RgbImage::from_raw(wide, high, opaque).map(Ok)
}

/// Refuses drawings that are short to write and long to draw: effects, and parts that use parts.
fn refuse_bombs(document: &Document<'_>) -> Result<(), PictureError> {
    let refuse = |what: &str| Err(PictureError::NoDrawing(format!("it has {what}, and is not drawn")));
    let mut sizes = std::collections::HashMap::new();
    let mut used: Vec<Node<'_, '_>> = Vec::new();
    let mut depths = std::collections::HashMap::new();
    for node in document.descendants().filter(Node::is_element) {
        let depth = 1 + node.parent().and_then(|parent| depths.get(&parent.id()).copied()).unwrap_or(0_usize);
        if depth > DEEPEST {
            return refuse("more than 60 levels");
        }
        depths.insert(node.id(), depth);
        match node.tag_name().name() {
            "filter" | "pattern" | "mask" | "marker" => return refuse("effects"),
            "use" => used.push(node),
            _ => {}
        }
        if let Some(id) = node.attribute("id") {
            sizes.insert(id, node);
        }
    }
    let mut total = 0_usize;
    for node in used {
        let target = node.attributes().find(|attribute| attribute.name() == "href").map(|attribute| attribute.value());
        let Some(target) = target.and_then(|target| sizes.get(target.trim_start_matches('#'))) else { continue };
        for inner in target.descendants() {
            total += 1;
            if total > MOST_NODES {
                return refuse("too many parts");
            }
            if inner.tag_name().name() == "use" {
                return refuse("parts that use parts");
            }
        }
    }
    Ok(())
}

fn beside(document: &Document<'_>) -> String {
    let mut lines = String::new();
    for node in document.descendants() {
        match node.tag_name().name() {
            "text" => node
                .descendants()
                .filter(Node::is_text)
                .for_each(|text| lines.push_str(text.text().unwrap_or_default())),
            "image" => node
                .attributes()
                .filter(|attribute| attribute.name() == "href")
                .for_each(|href| lines.push_str(href.value())),
            _ => continue,
        }
        lines.push('\n');
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    const DRAWING: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" xmlns:x="http://www.w3.org/1999/xlink" width="20" height="10">
        <defs><path id="p" d="M0 0 L5 0 L5 5 Z" fill="#f00"/></defs><use x:href="#p"/><text x="1">a 1.5</text></svg>"##;

    #[test]
    fn shapes_are_drawn_and_texts_kept() {
        let drawn = draw(DRAWING).expect("a drawing");
        assert_eq!(drawn.pixels.dimensions(), (20, 10));
        assert_eq!(drawn.pixels.get_pixel(4, 1).0, [255, 0, 0]);
        assert_eq!(drawn.pixels.get_pixel(15, 5).0, [255, 255, 255]);
        assert_eq!(drawn.beside, "a 1.5\n");
    }

    #[test]
    fn bombs_are_refused() {
        let nested =
            DRAWING.replace(r#"<path id="p""#, r##"<g id="q"><use x:href="#p"/></g><use x:href="#q"/><path id="p""##);
        let deep = DRAWING.replace("<defs>", &"<g>".repeat(100)).replace("</defs>", &"</g>".repeat(100));
        let effect = DRAWING.replace("<defs>", "<defs><filter id='f'/>");
        for bomb in [nested, deep, effect] {
            let error = draw(&bomb).expect_err("refused").to_string();
            assert!(error.contains("not drawn"), "{error}");
        }
        assert!(draw("<svg").is_err() && draw("").is_err());
    }
}
