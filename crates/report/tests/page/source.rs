//! What can be told from the page's parts alone: which calls its script does without, and whether its colours can be read.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn part(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src/page").join(name)
}

fn scripts() -> Vec<(String, String)> {
    let files = std::fs::read_dir(part("script")).unwrap().map(|file| file.unwrap().path());
    files.map(|path| (path.display().to_string(), std::fs::read_to_string(path).unwrap())).collect()
}

#[test]
fn the_script_makes_no_markup_no_code_and_no_requests_from_text() {
    let forbidden = [
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "document.write",
        "DOMParser",
        "createContextualFragment",
        "setHTMLUnsafe",
        "eval(",
        "Function(",
        "fetch(",
        "XMLHttpRequest",
        "WebSocket",
        "EventSource",
        "sendBeacon",
        "import(",
        "importScripts",
        "Worker(",
        "srcdoc",
        "javascript:",
        "localStorage",
        "document.cookie",
        "setTimeout(\"",
        "style=\"",
    ];
    let all = scripts();
    assert!(all.len() > 10, "{}", all.len());
    for (name, text) in &all {
        for word in forbidden {
            assert!(!text.contains(word), "{name} has `{word}`");
        }
    }
}

#[test]
fn every_part_of_the_script_is_in_the_page() {
    let page = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/page.rs")).unwrap();
    for (name, _) in scripts() {
        let file = Path::new(&name).file_name().unwrap().to_str().unwrap();
        assert!(page.contains(&format!("page/script/{file}")), "{file} is in no page");
    }
}

#[test]
fn the_template_has_no_handlers_and_no_styles_of_its_own() {
    let template = std::fs::read_to_string(part("page.html")).unwrap();
    for word in [" on", "style=\"", "src=", "http:", "https:", "url("] {
        let is_prose = |at: usize| {
            word == " on" && !template[at + 3..].split_whitespace().next().unwrap_or_default().contains('=')
        };
        let found: Vec<usize> = template.match_indices(word).map(|(at, _)| at).filter(|at| !is_prose(*at)).collect();
        assert!(found.is_empty(), "`{word}` at {found:?}");
    }
    let style = std::fs::read_to_string(part("page.css")).unwrap();
    for word in ["url(", "@import", "@font-face"] {
        assert!(!style.contains(word), "`{word}`");
    }
}

/// The colours of the style in light and in dark.
fn colours() -> BTreeMap<String, [u32; 2]> {
    let style = std::fs::read_to_string(part("page.css")).unwrap();
    let colour = |text: &str| u32::from_str_radix(text.trim().trim_start_matches('#'), 16).unwrap();
    let line = |line: &str| {
        let (name, value) = line.trim().strip_prefix("--")?.split_once(": light-dark(")?;
        let (light, dark) = value.trim_end_matches(");").split_once(',')?;
        Some((name.to_owned(), [colour(light), colour(dark)]))
    };
    style.lines().filter_map(line).collect()
}

/// Relative luminance (WCAG 2.2).
fn luminance(colour: u32) -> f64 {
    let channel = |shift: u32| {
        let value = f64::from(colour >> shift & 0xFF) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * channel(16) + 0.7152 * channel(8) + 0.0722 * channel(0)
}

/// Contrast of two colours (WCAG 2.2), from 1 to 21.
fn contrast(one: u32, other: u32) -> f64 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

#[test]
fn text_and_shapes_can_be_told_from_what_is_behind_them_in_light_and_dark() {
    let colours = colours();
    let backgrounds = ["paper", "raised", "notice", "gone", "new", "gone-mark", "new-mark"];
    let text = backgrounds.iter().map(|behind| ("ink", *behind, 4.5));
    let soft = ["paper", "raised", "gone", "new"].iter().map(|behind| ("soft", *behind, 4.5));
    let others = [
        ("accent", "paper", 4.5),
        ("on-accent", "accent", 4.5),
        ("paper", "ink", 4.5),
        ("edge", "paper", 3.0),
        ("edge", "raised", 3.0),
    ];
    // Shapes have an edge that can be seen; those that stand alone, as lines do, must be seen by themselves.
    let alone = ["outcome-0", "outcome-3", "outcome-4", "series-2"].map(|shape| (shape, "paper", 3.0));
    for (front, behind, least) in text.chain(soft).chain(others).chain(alone) {
        for (mode, place) in [("light", 0), ("dark", 1)] {
            let found = contrast(colours[front][place], colours[behind][place]);
            assert!(found >= least, "{front} on {behind} in {mode}: {found:.2}, at least {least}");
        }
    }
}

#[test]
fn black_on_white_is_the_largest_contrast() {
    assert!((contrast(0x000000, 0xFFFFFF) - 21.0).abs() < 1e-9);
    // Grey 767676 on white is the textbook's lightest grey for text.
    assert!((contrast(0x76_76_76, 0xFF_FF_FF) - 4.54).abs() < 0.01);
}

#[test]
fn the_same_study_gives_the_same_page() {
    let folder = tempfile::tempdir().unwrap();
    let page = || std::fs::read(crate::fixture::page_of(&crate::fixture::released(), folder.path())).unwrap();
    assert!(page() == page());
}
