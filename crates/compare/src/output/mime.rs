//! What the mime types of an output are to a comparison, and which of several decides.

/// How data of a mime type is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MimeKind {
    /// JSON that draws something.
    Json,
    /// HTML.
    Html,
    /// A drawing.
    Svg,
    /// A picture.
    Raster,
    /// Formulas: the signs around them have changed.
    Latex,
    /// Any other text.
    Text,
    /// The view of a widget: a name for state that is not in the output.
    Widget,
    /// Bytes or data that nothing here reads.
    Unknown,
}

/// What a mime type is.
pub(super) fn kind(mime: &str) -> MimeKind {
    let mime = mime.split(';').next().unwrap_or(mime).trim();
    match mime {
        "text/html" => MimeKind::Html,
        "image/svg+xml" => MimeKind::Svg,
        "image/png" | "image/jpeg" => MimeKind::Raster,
        "text/latex" => MimeKind::Latex,
        "application/javascript" => MimeKind::Text,
        _ if mime.contains("widget-view") => MimeKind::Widget,
        _ if mime.starts_with("text/") => MimeKind::Text,
        _ if mime.ends_with("json") => MimeKind::Json,
        _ => MimeKind::Unknown,
    }
}

/// Which of the types that both outputs have decides: the one that holds most of what is shown. Plain text, which for a figure or a widget
/// is only its name, comes last.
pub(super) fn weight(mime: &str) -> u8 {
    match kind(mime) {
        MimeKind::Json if mime.starts_with("application/vnd.") => 0,
        MimeKind::Html => 1,
        MimeKind::Svg => 2,
        MimeKind::Raster => 3,
        MimeKind::Latex => 4,
        MimeKind::Text if mime == "text/markdown" => 5,
        MimeKind::Json => 6,
        MimeKind::Text if mime != "text/plain" => 7,
        MimeKind::Unknown => 8,
        MimeKind::Text => 9,
        MimeKind::Widget => 10,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_shows_most_decides() {
        let mut types = ["text/plain", "image/png", "text/html", "application/vnd.plotly.v1+json", "application/pdf"];
        types.sort_by_key(|mime| weight(mime));
        assert_eq!(
            types,
            ["application/vnd.plotly.v1+json", "text/html", "image/png", "application/pdf", "text/plain"]
        );
        assert_eq!(kind("application/vnd.jupyter.widget-view+json"), MimeKind::Widget);
    }
}
