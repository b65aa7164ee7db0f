//! The text of an SVG as outlines of its glyphs, so that it looks the same where the font is not installed.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use ab_glyph::{Font, FontRef, GlyphId, OutlineCurve, Point};

use super::canvas::xml;

/// `svg`, as plotters writes it, with every `<text>` drawn by the glyphs of `font`; none when a text is not as plotters writes it.
pub(super) fn outlined(svg: &str, font: &FontRef<'_>) -> Option<String> {
    let mut glyphs = BTreeMap::new();
    let mut body = String::with_capacity(svg.len() * 4);
    let mut rest = svg;
    while let Some((before, after)) = rest.split_once("<text ") {
        let (tag, after) = after.split_once('>')?;
        let (content, after) = after.split_once("</text>")?;
        body.push_str(before);
        body.push_str(&Words::read(tag, content, font)?.outlines(font, &mut glyphs));
        rest = after;
    }
    body.push_str(rest);
    let opening = body.find("<svg ").and_then(|at| Some(at + body[at..].find('>')? + 1))?;
    let shapes: String = glyphs.iter().map(|(id, shape)| format!("<path id=\"g{}\" d=\"{shape}\"/>\n", id.0)).collect();
    body.insert_str(opening, &format!("\n<defs>\n{shapes}</defs>"));
    Some(body)
}

/// A line of text and where it stands.
struct Words {
    text: String,
    glyphs: Vec<GlyphId>,
    x: f64,
    y: f64,
    /// Pixels a unit of the font.
    scale: f64,
    /// What share of the line lies left of `x`.
    anchor: f64,
    fill: String,
}

impl Words {
    fn read(tag: &str, content: &str, font: &FontRef<'_>) -> Option<Self> {
        let tag = format!(" {tag}");
        let attribute =
            |name: &str| tag.split_once(&format!(" {name}=\"")).and_then(|(_, rest)| rest.split('"').next());
        let number = |name: &str| attribute(name)?.parse::<f64>().ok();
        let size = number("font-size")?;
        let anchor = match attribute("text-anchor")? {
            "start" => 0.0,
            "middle" => 0.5,
            "end" => 1.0,
            _ => return None,
        };
        let scale = size / f64::from(font.units_per_em()?);
        let dy = attribute("dy")?;
        let down = match (dy.strip_suffix("em"), dy.strip_suffix("ex")) {
            (Some(ems), _) => ems.parse::<f64>().ok()? * size,
            (_, Some(exes)) => exes.parse::<f64>().ok()? * x_height(font)? * scale,
            _ => return None,
        };
        let text = unescaped(content.trim());
        let glyphs = text.chars().map(|letter| font.glyph_id(letter)).collect();
        Some(Words {
            text,
            glyphs,
            x: number("x")?,
            y: number("y")? + down,
            scale,
            anchor,
            fill: attribute("fill")?.to_owned(),
        })
    }

    /// The line as uses of glyphs, which are added to those that are known; what it says stands beside them for who searches.
    fn outlines(&self, font: &FontRef<'_>, known: &mut BTreeMap<GlyphId, String>) -> String {
        let (mut place, mut uses, mut before) = (0.0, String::new(), None);
        for &glyph in &self.glyphs {
            place += before.map_or(0.0, |before| font.kern_unscaled(before, glyph));
            let shape = known.entry(glyph).or_insert_with(|| shape(font, glyph));
            if !shape.is_empty() {
                // writing into a String cannot fail
                let _ = write!(uses, "<use href=\"#g{}\" x=\"{place}\"/>", glyph.0);
            }
            place += font.h_advance_unscaled(glyph);
            before = Some(glyph);
        }
        let left = self.x - self.anchor * f64::from(place) * self.scale;
        let (y, scale) = (self.y, self.scale);
        format!(
            "<g aria-label=\"{}\" transform=\"translate({left:.2} {y:.2}) scale({scale:.6} -{scale:.6})\" fill=\"{}\">{uses}</g>",
            xml(&self.text),
            self.fill
        )
    }
}

/// Height of a small x, in units of the font.
fn x_height(font: &FontRef<'_>) -> Option<f64> {
    let outline = font.outline(font.glyph_id('x'))?;
    Some(f64::from(outline.bounds.min.y.max(outline.bounds.max.y)))
}

/// The contours of a glyph as the data of a path, in units of the font; nothing for a space.
fn shape(font: &FontRef<'_>, glyph: GlyphId) -> String {
    let Some(outline) = font.outline(glyph) else { return String::new() };
    let (mut path, mut at) = (String::new(), None);
    for curve in outline.curves {
        let (from, points): (Point, Vec<Point>) = match curve {
            OutlineCurve::Line(from, to) => (from, vec![to]),
            OutlineCurve::Quad(from, by, to) => (from, vec![by, to]),
            OutlineCurve::Cubic(from, by, and, to) => (from, vec![by, and, to]),
        };
        if at != Some(from) {
            let _ = write!(path, "{}M{} {}", if path.is_empty() { "" } else { "Z" }, from.x, from.y);
        }
        path.push(['L', 'Q', 'C'][points.len() - 1]);
        let numbers: Vec<String> = points.iter().map(|point| format!("{} {}", point.x, point.y)).collect();
        path.push_str(&numbers.join(" "));
        at = points.last().copied();
    }
    if !path.is_empty() {
        path.push('Z');
    }
    path
}

/// Text without the references that XML has for its own characters.
fn unescaped(text: &str) -> String {
    let named = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&#39;", "'"), ("&amp;", "&")];
    named.iter().fold(text.to_owned(), |text, (reference, character)| text.replace(reference, character))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figures::canvas::FONT;

    const TEXT: &str = "<text x=\"100\" y=\"50\" dy=\"0.5ex\" text-anchor=\"end\" font-family=\"x\" font-size=\"20.48\" opacity=\"1\" fill=\"#1A1A1A\">\na &lt; &amp;lt;\n</text>";

    #[test]
    fn text_becomes_glyphs_that_end_where_it_ended() {
        let font = FontRef::try_from_slice(FONT).unwrap();
        let svg = outlined(&format!("<svg width=\"1\">\n{TEXT}\n</svg>\n"), &font).unwrap();
        assert!(!svg.contains("<text") && svg.ends_with("</g>\n</svg>\n"), "{svg}");
        // a < &lt; : seven letters, two of them spaces, `<` and `l` and `t` and `;` and `&` once each.
        assert_eq!((svg.matches("<use ").count(), svg.matches("<path ").count()), (6, 7), "{svg}");
        let advance: f32 = "a < &lt;".chars().map(|letter| font.h_advance_unscaled(font.glyph_id(letter))).sum();
        let scale = 20.48 / 2048.0;
        let left = 100.0 - f64::from(advance) * scale;
        // The x of DejaVu Sans is 1120 of 2048 units high.
        let y = 50.0 + 0.5 * 1120.0 * scale;
        assert!(svg.contains(&format!("translate({left:.2} {y:.2}) scale({scale:.6} -{scale:.6})")), "{svg}");
    }

    #[test]
    fn what_is_not_from_plotters_is_refused() {
        let font = FontRef::try_from_slice(FONT).unwrap();
        assert!(outlined(&format!("<svg>{}</svg>", TEXT.replace("0.5ex", "5px")), &font).is_none());
        assert!(outlined(&format!("<svg>{}</svg>", TEXT.replace("end", "inherit")), &font).is_none());
    }
}
