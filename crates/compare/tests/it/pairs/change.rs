//! The rules by which outputs are changed, one place at a time.

use nbrevive_compare::Agreement;
use nbrevive_notebook::Output;
use serde_json::{Map, Value, json};

/// One kind of change. It says of itself whether it applies to the outputs of a cell.
pub(crate) struct Change {
    pub(crate) kind: &'static str,
    pub(crate) expected: Agreement,
    pub(crate) change: fn(&str, &mut Vec<Output>) -> bool,
}

const fn change(kind: &'static str, expected: Agreement, change: fn(&str, &mut Vec<Output>) -> bool) -> Change {
    Change { kind, expected, change }
}

static CHANGES: &[Change] = &[
    change("another count and metadata", Agreement::Exact, |_, outputs| {
        outputs.iter_mut().any(|output| match output {
            Output::ExecuteResult { execution_count, .. } => execution_count.replace(99).is_some(),
            Output::DisplayData { metadata, .. } => metadata.insert("more".to_owned(), json!(1)).is_none(),
            _ => false,
        })
    }),
    change("a stream in two pieces", Agreement::Exact, |_, outputs| {
        let Some(at) = outputs
            .iter()
            .position(|output| matches!(output, Output::Stream { name, text } if name == "stdout" && text.len() > 4))
        else {
            return false;
        };
        let Output::Stream { name, text } = &mut outputs[at] else { return false };
        let tail = Output::Stream { name: name.clone(), text: text.split_off(3) };
        outputs.insert(at + 1, tail);
        true
    }),
    change("another warning", Agreement::Exact, |_, outputs| {
        outputs.push(Output::Stream { name: "stderr".to_owned(), text: "UserWarning: new".to_owned() });
        true
    }),
    change("line ends of Windows", Agreement::Normalized, |_, outputs| {
        streams(outputs, |text| text.replace('\n', "\r\n"))
    }),
    change("colours", Agreement::Normalized, |_, outputs| {
        streams(outputs, |text| format!("\u{1b}[32m{text}\u{1b}[0m"))
    }),
    change("spaces behind lines", Agreement::Normalized, |_, outputs| {
        streams(outputs, |text| text.replacen('\n', "  \n", 1))
    }),
    change("a line written over", Agreement::Normalized, |_, outputs| {
        streams(outputs, |text| format!("working\rw      \r{text}"))
    }),
    change("another address", Agreement::Normalized, |_, outputs| plain(outputs, hexadecimal)),
    change("another order of the set", Agreement::Normalized, |name, outputs| {
        name.ends_with("set") && texts(outputs, rotated)
    }),
    change("another time", Agreement::Normalized, |name, outputs| {
        name == "timed" && streams(outputs, |text| text.replace("Wall time: ", "Wall time: 1"))
    }),
    change("another moment", Agreement::Normalized, |name, outputs| {
        name == "moment" && streams(outputs, |text| text.replace("20", "19").replace("0.53", "1.25"))
    }),
    change("another temporary folder", Agreement::Normalized, |name, outputs| {
        name == "path" && streams(outputs, |text| text.replace("/tmp/tmp", "/tmp/tmp0"))
    }),
    change("another speed", Agreement::Normalized, |name, outputs| {
        name == "progress" && streams(outputs, |text| text.replace("it/s", "0it/s"))
    }),
    change("a result shown by a call", Agreement::Normalized, |_, outputs| {
        outputs.iter_mut().any(|output| {
            let Output::ExecuteResult { data, metadata, .. } = output else { return false };
            *output = Output::DisplayData { data: std::mem::take(data), metadata: std::mem::take(metadata) };
            true
        })
    }),
    change("base64 in lines", Agreement::Normalized, |_, outputs| {
        in_bundles(outputs, "image/png", |text| {
            text.chars()
                .enumerate()
                .map(|(at, letter)| if at % 76 == 75 { format!("{letter}\n") } else { letter.to_string() })
                .collect()
        })
    }),
    change("a number moved by 1e-9 of it", Agreement::Value, |name, outputs| {
        name != "progress" && numbers(outputs, 1e-9)
    }),
    change("a number moved by 1 %", Agreement::Different, |name, outputs| name != "progress" && numbers(outputs, 1e-2)),
    change("a number moved by 1e-4", Agreement::Different, |name, outputs| {
        name != "progress" && numbers(outputs, 1e-4)
    }),
    change("spaces of numpy 1", Agreement::Value, |name, outputs| {
        ["array", "matrix"].contains(&name) && texts(outputs, |text| text.replace('[', "[ "))
    }),
    change("scalars of numpy 2", Agreement::Value, |name, outputs| {
        ["dict", "list", "printed dict"].contains(&name)
            && texts(outputs, |text| text.replace("0.25", "np.float64(0.25)").replace("1.5,", "np.float64(1.5),"))
    }),
    change("another order of the dict", Agreement::Value, |name, outputs| {
        ["dict", "printed dict", "counter"].contains(&name) && texts(outputs, rotated)
    }),
    change("looks of the table", Agreement::Value, |_, outputs| {
        in_bundles(outputs, "text/html", |html| {
            html.replace("<table border=\"1\"", "<table").replace("vertical-align", "horizontal-align")
        })
    }),
    change("without HTML", Agreement::Value, |name, outputs| name != "html" && without(outputs, "text/html")),
    // There the plain text is the name of a class.
    change("without HTML", Agreement::Different, |name, outputs| name == "html" && without(outputs, "text/html")),
    change("another dtype", Agreement::Value, |name, outputs| {
        name.ends_with("series") && texts(outputs, |text| text.replace("dtype: float64", "dtype: float32"))
    }),
    change("fewer rows shown", Agreement::Value, |name, outputs| {
        name == "long series" && texts(outputs, |text| without_lines(text, "4 "))
    }),
    change("another size in words", Agreement::Value, |_, outputs| {
        outputs
            .iter()
            .all(|output| matches!(output, Output::DisplayData { data, .. } if !data.contains_key("image/png")))
            && plain(outputs, |text| text.replace("size 180x120", "size 432x288"))
    }),
    change("JSON with a number as float", Agreement::Value, |_, outputs| json_value(outputs, &json!(2.500_000_001))),
    change("JSON with another number", Agreement::Different, |_, outputs| json_value(outputs, &json!(2.6))),
    change("a formula set otherwise", Agreement::Value, |_, outputs| {
        in_bundles(outputs, "text/latex", |text| text.replace("\\displaystyle ", ""))
    }),
    change("some pixels a shade off", Agreement::Picture, |_, outputs| png(outputs, 40, 20)),
    change("PNG written anew", Agreement::Picture, |_, outputs| png(outputs, 0, 0)),
    change("half a picture in black", Agreement::Different, |_, outputs| png(outputs, 100_000, 255)),
    change("a line of the drawing thicker by a hair", Agreement::Picture, |_, outputs| {
        in_bundles(outputs, "image/svg+xml", |svg| svg.replacen("stroke-width: 1.5", "stroke-width: 1.52", 1))
    }),
    change("no line in the drawing", Agreement::Different, |_, outputs| {
        in_bundles(outputs, "image/svg+xml", |svg| svg.replace("<path", "<nothing").replace("<use", "<nothing"))
    }),
    change("another word", Agreement::Different, |name, outputs| {
        !matches!(name, "timed" | "moment" | "path" | "object" | "function" | "progress" | "long frame")
            && all_texts(outputs, |text| text.replace(['a', 'e', 'o'], "u"))
    }),
    change("one more line", Agreement::Different, |_, outputs| streams(outputs, |text| format!("{text}more 17.5\n"))),
    change("nothing shown", Agreement::Different, |_, outputs| {
        let before = outputs.len();
        outputs.retain(|output| matches!(output, Output::Stream { name, .. } if name == "stderr"));
        before > outputs.len()
    }),
    change("one more output", Agreement::Different, |_, outputs| {
        let data = Map::from_iter([("text/plain".to_owned(), json!("17"))]);
        outputs.push(Output::DisplayData { data, metadata: Map::new() });
        true
    }),
    change("an error", Agreement::Different, |_, outputs| {
        outputs.push(Output::Error { ename: "E".to_owned(), evalue: "v".to_owned(), traceback: Vec::new() });
        true
    }),
];

pub(crate) fn changes() -> &'static [Change] {
    CHANGES
}

/// Changes what is printed; whether anything changed.
fn streams(outputs: &mut [Output], change: impl Fn(&str) -> String) -> bool {
    outputs.iter_mut().any(|output| match output {
        Output::Stream { name, text } if name == "stdout" => set(text, &change),
        _ => false,
    })
}

fn set(text: &mut String, change: impl Fn(&str) -> String) -> bool {
    let changed = change(text);
    let is_changed = changed != *text;
    *text = changed;
    is_changed
}

/// Changes the data of one type.
fn in_bundles(outputs: &mut [Output], mime: &str, change: impl Fn(&str) -> String) -> bool {
    let mut is_changed = false;
    for output in outputs {
        let (Output::DisplayData { data, .. } | Output::ExecuteResult { data, .. }) = output else { continue };
        if let Some(Value::String(text)) = data.get_mut(mime) {
            is_changed |= set(text, &change);
        }
    }
    is_changed
}

/// Changes plain text where nothing richer stands beside it.
fn plain(outputs: &mut [Output], change: impl Fn(&str) -> String) -> bool {
    let is_alone = outputs.iter().all(|output| match output {
        Output::DisplayData { data, .. } | Output::ExecuteResult { data, .. } => data.len() == 1,
        _ => true,
    });
    is_alone && in_bundles(outputs, "text/plain", change)
}

fn texts(outputs: &mut [Output], change: impl Fn(&str) -> String) -> bool {
    streams(outputs, &change) | plain(outputs, &change)
}

/// Changes the text that a reader sees.
fn all_texts(outputs: &mut [Output], change: impl Fn(&str) -> String) -> bool {
    let visible = |html: &str| {
        let start = html.find("<tbody").or_else(|| html.find("<b>").map(|at| at + 3)).unwrap_or(0);
        let Some((before, text)) = html.split_at_checked(start) else { return html.to_owned() };
        text.split_inclusive('>').fold(before.to_owned(), |all, piece| match piece.split_once('<') {
            Some((text, tag)) => all + &change(text) + "<" + tag,
            None => all + piece,
        })
    };
    streams(outputs, &change) | plain(outputs, &change) | in_bundles(outputs, "text/html", visible)
}

/// Moves the first number with a fraction, in every text that has it.
fn numbers(outputs: &mut [Output], share: f64) -> bool {
    let is_table = outputs
        .iter()
        .any(|output| matches!(output, Output::ExecuteResult { data, .. } if data.contains_key("text/html")));
    let moved = |text: &str| moved(text, share);
    if is_table { in_bundles(outputs, "text/html", moved) } else { texts(outputs, moved) }
}

/// The text with its first number that has a point moved by a share of it.
fn moved(text: &str, share: f64) -> String {
    let is_digit = |letter: char| letter.is_ascii_digit();
    let first = text.match_indices('.').find(|(at, _)| {
        let (before, after) = (&text[..*at], &text[at + 1..]);
        before.ends_with(is_digit) && after.starts_with(is_digit) && !before.ends_with(": 0") && !text.contains("Wall")
    });
    let Some((point, _)) = first else { return text.to_owned() };
    let start = text[..point].rfind(|letter| !is_digit(letter)).map_or(0, |at| at + 1);
    let end = text[point + 1..].find(|letter| !is_digit(letter)).map_or(text.len(), |at| point + 1 + at);
    let number: f64 = text[start..end].parse().expect("a number");
    if number == 0.0 || text.contains("took") {
        return text.to_owned();
    }
    format!("{}{:.13}{}", &text[..start], number * (1.0 + share), &text[end..])
}

/// The text with another address.
fn hexadecimal(text: &str) -> String {
    match text.split_once("at 0x") {
        Some((before, after)) => format!("{before}at 0x7{after}"),
        None => text.to_owned(),
    }
}

/// The first element of the outermost braces as the last.
fn rotated(text: &str) -> String {
    let (Some(start), Some(end)) = (text.find('{'), text.rfind('}')) else { return text.to_owned() };
    match text[start + 1..end].split_once(',') {
        Some((first, rest)) => format!("{}{}, {}{}", &text[..=start], rest.trim(), first.trim(), &text[end..]),
        None => text.to_owned(),
    }
}

/// The text without the lines that start so.
fn without_lines(text: &str, start: &str) -> String {
    text.lines().filter(|line| !line.starts_with(start)).collect::<Vec<_>>().join("\n")
}

fn without(outputs: &mut [Output], mime: &str) -> bool {
    outputs.iter_mut().any(|output| match output {
        Output::ExecuteResult { data, .. } => data.contains_key("text/plain") && data.remove(mime).is_some(),
        _ => false,
    })
}

fn json_value(outputs: &mut [Output], value: &Value) -> bool {
    outputs.iter_mut().any(|output| match output {
        Output::ExecuteResult { data, .. } | Output::DisplayData { data, .. } => {
            let place = data.get_mut("application/json").and_then(|json| json.pointer_mut("/a/1"));
            place.is_some_and(|place| std::mem::replace(place, value.clone()) != *value)
        }
        _ => false,
    })
}

/// Writes a picture anew, with its first so many pixels changed by a shade.
fn png(outputs: &mut [Output], pixels: usize, shade: u8) -> bool {
    use base64::Engine;
    let engine = &base64::engine::general_purpose::STANDARD;
    in_bundles(outputs, "image/png", |text| {
        let bytes = engine.decode(text.split_whitespace().collect::<String>()).expect("base64");
        let mut picture = image::load_from_memory(&bytes).expect("a picture").into_rgba8();
        let half = picture.pixels().len() / 2;
        picture.pixels_mut().take(pixels.min(half)).for_each(|pixel| {
            let [red, green, blue, alpha] = pixel.0;
            pixel.0 = if shade == 255 { [0, 0, 0, 255] } else { [red.saturating_sub(shade), green, blue, alpha] };
        });
        let mut written = std::io::Cursor::new(Vec::new());
        picture.write_to(&mut written, image::ImageOutputFormat::Png).expect("written");
        engine.encode(written.into_inner())
    })
}
