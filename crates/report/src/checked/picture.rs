//! Pictures beside each other, with the picture of their difference.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use nbrevive_compare::{picture_difference, picture_size};

use crate::page::markup::escaped;

/// Longest picture that is put into the page, in bytes of its text.
const LONGEST: usize = 2 << 20;

/// Two pictures of one type.
pub(super) fn pictures(mime: &str, saved: &str, new: &str) -> String {
    let difference = match picture_difference(mime, saved, new) {
        Ok(png) if png.len() <= LONGEST => image("image/png", &STANDARD.encode(png), "where they differ"),
        Ok(_) => "<p class=\"note\">The picture of the difference is too long for this page.</p>".to_owned(),
        Err(error) => format!("<p class=\"note\">{}</p>", escaped(&error.to_string())),
    };
    format!(
        "<div class=\"beside\"><div class=\"side saved\"><h5>Saved</h5>{}</div><div class=\"side now\"><h5>New</h5>{}</div>\
         <div class=\"side\"><h5>Difference</h5>{difference}</div></div>\n",
        shown_picture(mime, saved, "the saved output"),
        shown_picture(mime, new, "the new output")
    )
}

/// A picture that could be decoded, or why it could not.
pub(super) fn shown_picture(mime: &str, text: &str, what: &str) -> String {
    if text.len() > LONGEST {
        return format!("<p class=\"note\">A picture of {} KiB, too long for this page.</p>", text.len() >> 10);
    }
    match picture_size(mime, text) {
        Err(error) => format!("<p class=\"note\">{}</p>", escaped(&error.to_string())),
        Ok((width, height)) => {
            let base64 = match mime {
                // As a picture a drawing runs nothing and fetches nothing (HTML, "secure static mode" of SVG).
                "image/svg+xml" => STANDARD.encode(text),
                _ => text.chars().filter(|letter| !letter.is_whitespace()).collect(),
            };
            format!("{}<p class=\"note\">{width} × {height} pixels</p>", image(mime, &base64, what))
        }
    }
}

fn image(mime: &str, base64: &str, what: &str) -> String {
    let is_base64 = base64.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte));
    if !is_base64 {
        return "<p class=\"note\">a picture that is not base64</p>".to_owned();
    }
    format!("<img alt=\"{what}\" loading=\"lazy\" src=\"data:{mime};base64,{base64}\">")
}
