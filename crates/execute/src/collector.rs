//! Outputs of all cells while they come in: streams joined, displays updated in place, clears honoured, all capped.

use std::collections::HashMap;

use nbrevive_notebook::Output;
use serde_json::{Map, Value};

use crate::claims;
use crate::record::CellError;
use crate::settings::ExecutionSettings;
use crate::terminal::Screen;
use crate::traceback::cell_line;

/// Bytes that errors may take beyond what a cell or notebook may keep.
const ROOM_FOR_ERRORS: usize = 1 << 20;
/// Outputs kept of one cell, whatever their size.
const OUTPUTS_PER_CELL: usize = 2000;
/// Lines and bytes kept of a traceback; errors are kept even when a cell's share is used up.
const TRACEBACK_LINES: usize = 200;
const LINE_BYTES: usize = 16 << 10;

/// The outputs of a notebook's cells, by cell index.
#[derive(Debug)]
pub(crate) struct Collector {
    cells: Vec<CellOutputs>,
    /// Where outputs with a display id stand: cell and index.
    displays: HashMap<String, Vec<(usize, usize)>>,
    total: usize,
    stream_cap: usize,
    cell_cap: usize,
    notebook_cap: usize,
}

#[derive(Debug, Default)]
struct CellOutputs {
    entries: Vec<Entry>,
    clear_before_next: bool,
    /// The display ids among the entries, to be forgotten with them.
    shown: Vec<String>,
    bytes: usize,
    stream_bytes: usize,
    truncated: bool,
}

#[derive(Debug)]
enum Entry {
    Stream { name: String, screen: Screen },
    Other { output: Output, bytes: usize },
}

impl Collector {
    pub(crate) fn new(cells: usize, settings: &ExecutionSettings) -> Self {
        Self {
            cells: (0..cells).map(|_| CellOutputs::default()).collect(),
            displays: HashMap::new(),
            total: 0,
            stream_cap: settings.stream_bytes_per_cell,
            cell_cap: settings.output_bytes_per_cell,
            notebook_cap: settings.output_bytes_per_notebook,
        }
    }

    /// Takes an iopub message of a cell; what is no output is ignored.
    pub(crate) fn take(&mut self, cell: usize, kind: &str, content: &Value) {
        match kind {
            "stream" => self.stream(cell, content),
            "display_data" | "execute_result" => self.display(cell, kind, content),
            "update_display_data" => self.update(content),
            "error" => self.error(cell, content),
            "clear_output" if content["wait"].as_bool() == Some(true) => self.cells[cell].clear_before_next = true,
            "clear_output" => self.clear(cell),
            _ => {}
        }
    }

    fn clear(&mut self, cell: usize) {
        let outputs = &mut self.cells[cell];
        self.total = self.total.saturating_sub(outputs.bytes);
        outputs.entries.clear();
        for id in outputs.shown.drain(..) {
            if let Some(places) = self.displays.get_mut(&id) {
                places.retain(|place| place.0 != cell);
                if places.is_empty() {
                    self.displays.remove(&id);
                }
            }
        }
        (outputs.bytes, outputs.stream_bytes, outputs.clear_before_next) = (0, 0, false);
    }

    fn clear_if_due(&mut self, cell: usize) {
        if self.cells[cell].clear_before_next {
            self.clear(cell);
        }
    }

    fn stream(&mut self, cell: usize, content: &Value) {
        self.clear_if_due(cell);
        let text = content["text"].as_str().unwrap_or_default();
        let name = if content["name"] == "stderr" { "stderr" } else { "stdout" };
        let room = (self.stream_cap.saturating_sub(self.cells[cell].stream_bytes))
            .min(self.cell_cap.saturating_sub(self.cells[cell].bytes))
            .min(self.notebook_cap.saturating_sub(self.total));
        let outputs = &mut self.cells[cell];
        let same = matches!(outputs.entries.last(), Some(Entry::Stream { name: last, .. }) if last == name);
        if !same {
            if room == 0 || outputs.entries.len() >= OUTPUTS_PER_CELL {
                outputs.truncated = true;
                return;
            }
            outputs.entries.push(Entry::Stream { name: name.to_owned(), screen: Screen::default() });
        }
        let Some(Entry::Stream { screen, .. }) = outputs.entries.last_mut() else { return };
        let before = screen.len();
        outputs.truncated |= !screen.push(text, before + room);
        let after = screen.len();
        // Overwriting can make a text shorter as well as longer.
        outputs.bytes = (outputs.bytes + after).saturating_sub(before);
        outputs.stream_bytes = (outputs.stream_bytes + after).saturating_sub(before);
        self.total = (self.total + after).saturating_sub(before);
    }

    fn display(&mut self, cell: usize, kind: &str, content: &Value) {
        self.clear_if_due(cell);
        let (data, metadata) = (claims::bundle(&content["data"]), object(&content["metadata"]));
        let output = if kind == "execute_result" {
            Output::ExecuteResult { execution_count: claims::count(content), data, metadata }
        } else {
            Output::DisplayData { data, metadata }
        };
        let id = content["transient"]["display_id"].as_str();
        // An id is kept as well, twice.
        let bytes = weight(&content["data"]) + weight(&content["metadata"]) + id.map_or(0, |id| 2 * id.len());
        if self.push(cell, output, bytes)
            && let Some(id) = id
        {
            let outputs = &mut self.cells[cell];
            outputs.shown.push(id.to_owned());
            self.displays.entry(id.to_owned()).or_default().push((cell, outputs.entries.len() - 1));
        }
    }

    fn push(&mut self, cell: usize, output: Output, bytes: usize) -> bool {
        let outputs = &mut self.cells[cell];
        let full = outputs.bytes + bytes > self.cell_cap
            || self.total + bytes > self.notebook_cap
            || outputs.entries.len() >= OUTPUTS_PER_CELL;
        if full {
            outputs.truncated = true;
            return false;
        }
        outputs.bytes += bytes;
        self.total += bytes;
        outputs.entries.push(Entry::Other { output, bytes });
        true
    }

    /// Replaces every output shown under the id, in whatever cell; never adds one.
    fn update(&mut self, content: &Value) {
        let Some(id) = content["transient"]["display_id"].as_str() else { return };
        let Some(places) = self.displays.get(id) else { return };
        let new_bytes = weight(&content["data"]) + weight(&content["metadata"]);
        for &(cell, index) in places {
            let outputs = &mut self.cells[cell];
            let Some(Entry::Other { output, bytes }) = outputs.entries.get_mut(index) else { continue };
            if (outputs.bytes + new_bytes).saturating_sub(*bytes) > self.cell_cap
                || (self.total + new_bytes).saturating_sub(*bytes) > self.notebook_cap
            {
                outputs.truncated = true;
                continue;
            }
            outputs.bytes = (outputs.bytes + new_bytes).saturating_sub(*bytes);
            self.total = (self.total + new_bytes).saturating_sub(*bytes);
            *bytes = new_bytes;
            if let Output::DisplayData { data, metadata } | Output::ExecuteResult { data, metadata, .. } = output {
                *data = claims::bundle(&content["data"]);
                *metadata = object(&content["metadata"]);
            }
        }
    }

    fn error(&mut self, cell: usize, content: &Value) {
        self.clear_if_due(cell);
        let (ename, evalue, traceback) = error_parts(content);
        let bytes = ename.len() + evalue.len() + traceback.iter().map(String::len).sum::<usize>();
        let outputs = &mut self.cells[cell];
        // An error is kept behind outputs that are full, for it says how the cell fared; only its size is capped as theirs is.
        let fits = outputs.bytes + bytes <= self.cell_cap + ROOM_FOR_ERRORS
            && self.total + bytes <= self.notebook_cap + ROOM_FOR_ERRORS;
        if !fits || outputs.entries.len() >= 2 * OUTPUTS_PER_CELL {
            outputs.truncated = true;
            return;
        }
        outputs.bytes += bytes;
        self.total += bytes;
        outputs.entries.push(Entry::Other { output: Output::Error { ename, evalue, traceback }, bytes });
    }

    /// The first error among what a cell shows.
    pub(crate) fn shown_error(&self, cell: usize) -> Option<CellError> {
        self.cells[cell].entries.iter().find_map(|entry| match entry {
            Entry::Other { output: Output::Error { ename, evalue, traceback }, .. } => Some(CellError {
                ename: ename.clone(),
                evalue: evalue.clone(),
                traceback: traceback.clone(),
                line: cell_line(evalue, traceback),
            }),
            _ => None,
        })
    }

    /// Notes that something of the cell's output was left out.
    pub(crate) fn cut(&mut self, cell: usize) {
        self.cells[cell].truncated = true;
    }

    /// Whether output of the cell was cut.
    pub(crate) fn truncated(&self, cell: usize) -> bool {
        self.cells[cell].truncated
    }

    /// The outputs of a cell, with a note where something was cut.
    pub(crate) fn finish(&self, cell: usize) -> Vec<Output> {
        let outputs = &self.cells[cell];
        let entry = |entry: &Entry| match entry {
            Entry::Stream { name, screen } => Output::Stream { name: name.clone(), text: screen.text() },
            Entry::Other { output, .. } => output.clone(),
        };
        let mut finished: Vec<Output> = outputs.entries.iter().map(entry).collect();
        if outputs.truncated {
            let text = format!(
                "[nbrevive] output cut here: a cell may keep {} bytes of text and {} bytes in all, a notebook {}\n",
                self.stream_cap, self.cell_cap, self.notebook_cap
            );
            finished.push(Output::Stream { name: "stderr".into(), text });
        }
        finished
    }
}

/// Name, message and traceback of an `error` message or an error reply, cut to what a person can read.
pub(crate) fn error_parts(content: &Value) -> (String, String, Vec<String>) {
    let text = |key: &str| shortened(content[key].as_str().unwrap_or_default());
    let lines = content["traceback"].as_array().map(Vec::as_slice).unwrap_or_default();
    let traceback = lines.iter().take(TRACEBACK_LINES).filter_map(Value::as_str).map(shortened).collect();
    (text("ename"), text("evalue"), traceback)
}

fn shortened(text: &str) -> String {
    if text.len() <= LINE_BYTES {
        return text.to_owned();
    }
    let cut = (0..=LINE_BYTES).rev().find(|&index| text.is_char_boundary(index)).unwrap_or(0);
    format!("{}… [cut]", &text[..cut])
}

fn object(value: &Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap_or_default()
}

/// About how many bytes a value takes in a file. Lists and objects, which take more in memory, count for more: so what fits into
/// the limits of a notebook has no more of them than a notebook that is read may have.
fn weight(value: &Value) -> usize {
    /// What any value, and what a list or object takes beside its text.
    const VALUE: usize = 10;
    const CONTAINER: usize = 160;
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => VALUE,
        Value::String(text) => text.len() + VALUE,
        Value::Array(items) => items.iter().map(weight).sum::<usize>() + CONTAINER,
        Value::Object(map) => map.iter().map(|(key, value)| key.len() + 4 + weight(value)).sum::<usize>() + CONTAINER,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn collector() -> Collector {
        let caps = ExecutionSettings {
            stream_bytes_per_cell: 100,
            output_bytes_per_cell: 600,
            output_bytes_per_notebook: 900,
            ..ExecutionSettings::default()
        };
        Collector::new(3, &caps)
    }

    fn stream(name: &str, text: &str) -> Value {
        json!({ "name": name, "text": text })
    }

    fn texts(outputs: &[Output]) -> Vec<String> {
        let text = |output: &Output| match output {
            Output::Stream { name, text } => format!("{name}:{text}"),
            Output::DisplayData { data, .. } | Output::ExecuteResult { data, .. } => data["text/plain"].to_string(),
            Output::Error { ename, .. } => ename.clone(),
        };
        outputs.iter().map(text).collect()
    }

    fn display(text: &str, id: &str) -> Value {
        json!({ "data": { "text/plain": text }, "metadata": {}, "transient": { "display_id": id } })
    }

    #[test]
    fn neighbours_of_one_stream_are_joined() {
        let mut collector = collector();
        for (name, text) in [("stdout", "a"), ("stdout", "b\n"), ("stderr", "c"), ("stdout", "d")] {
            collector.take(0, "stream", &stream(name, text));
        }
        assert_eq!(texts(&collector.finish(0)), ["stdout:ab\n", "stderr:c", "stdout:d"]);
        assert!(!collector.truncated(0));
    }

    #[test]
    fn displays_are_updated_everywhere_and_never_added() {
        let mut collector = collector();
        collector.take(0, "display_data", &display("old", "x"));
        collector.take(1, "execute_result", &display("old", "x"));
        collector.take(1, "update_display_data", &display("new", "x"));
        collector.take(1, "update_display_data", &display("lost", "y"));
        assert_eq!(texts(&collector.finish(0)), ["\"new\""]);
        assert_eq!(texts(&collector.finish(1)), ["\"new\""]);
    }

    #[test]
    fn ids_of_displays_are_kept_within_limits_and_forgotten_with_them() {
        let mut collector = collector();
        collector.take(0, "display_data", &display("x", &"i".repeat(1000)));
        assert!(collector.truncated(0));
        for number in 0..1000 {
            collector.take(1, "display_data", &display("x", &format!("id {number}")));
            collector.take(1, "clear_output", &json!({}));
        }
        assert!(!collector.truncated(1));
        assert!(collector.displays.is_empty() && collector.total == 0);
    }

    #[test]
    fn a_cleared_display_is_not_updated() {
        let mut collector = collector();
        collector.take(0, "display_data", &display("old", "x"));
        collector.take(0, "clear_output", &json!({ "wait": false }));
        collector.take(0, "stream", &stream("stdout", "later"));
        collector.take(0, "update_display_data", &display("new", "x"));
        assert_eq!(texts(&collector.finish(0)), ["stdout:later"]);
    }

    #[test]
    fn a_waiting_clear_waits_for_the_next_output() {
        let mut collector = collector();
        collector.take(0, "stream", &stream("stdout", "first"));
        collector.take(0, "clear_output", &json!({ "wait": true }));
        assert_eq!(texts(&collector.finish(0)), ["stdout:first"]);
        collector.take(0, "stream", &stream("stdout", "second"));
        assert_eq!(texts(&collector.finish(0)), ["stdout:second"]);
    }

    #[test]
    fn text_is_cut_with_a_note_and_errors_survive() {
        let mut collector = collector();
        collector.take(0, "stream", &stream("stdout", &"x".repeat(500)));
        collector.take(0, "stream", &stream("stdout", "more"));
        collector.take(0, "error", &json!({ "ename": "E", "evalue": "", "traceback": ["t".repeat(100_000)] }));
        let outputs = collector.finish(0);
        assert!(collector.truncated(0));
        let Output::Stream { text, .. } = &outputs[0] else { panic!("a stream first") };
        assert!((100..=104).contains(&text.len()), "{}", text.len());
        assert!(matches!(&outputs[1], Output::Error { traceback, .. } if traceback[0].len() < 17_000));
        assert!(matches!(&outputs[2], Output::Stream { text, .. } if text.contains("output cut here")));
    }

    #[test]
    fn big_displays_are_dropped_per_cell_and_per_notebook() {
        let mut collector = collector();
        collector.take(0, "display_data", &display(&"x".repeat(1000), "a"));
        assert!(collector.truncated(0));
        collector.take(1, "display_data", &display(&"x".repeat(150), "b"));
        collector.take(2, "display_data", &display(&"x".repeat(150), "c"));
        assert!(!collector.truncated(1));
        assert!(collector.truncated(2));
    }
}
