//! What lies in a folder that code lists: names that nobody knows before something is read by them.

use crate::evidence::{FileFacts, FileId};
use crate::follow::Follower;
use crate::follow::arguments::Given;
use crate::follow::files::format_of;
use crate::follow::operation::joined;
use crate::follow::value::Value;
use crate::recipe::InputFormat;

/// Stands for the name of whatever lies in a folder.
pub(super) const ENTRY: &str = "\u{e000}";
/// Files of a folder that is listed, and pictures of one.
const IN_FOLDER: usize = 3;
const PICTURES: usize = 12;

impl Follower {
    /// A function that nobody knows, and that is handed the name of a file of a known kind, reads it, unless its own name says that it writes.
    pub(super) fn any_file(&mut self, function: &str, given: &Given) {
        const WRITING: [&str; 12] = [
            "save", "write", "dump", "export", "to_", "log", "create", "make", "download", "retrieve", "remove", "plot",
        ];
        let name = function.to_lowercase();
        if WRITING.iter().any(|word| name.contains(word)) || name.contains("checkpoint") {
            return;
        }
        for path in
            given.all().filter_map(Value::text).filter(|path| path.len() < 200).map(str::to_owned).collect::<Vec<_>>()
        {
            let is_one = !path.contains(char::is_whitespace) && !path.starts_with('.')
                || path.starts_with("./")
                || path.starts_with("../");
            if is_one && format_of(&path).is_some_and(|format| format != InputFormat::Text || path.ends_with(".txt")) {
                self.file(&path, None, function);
            }
        }
    }

    /// Files by the names that a folder was listed with: `folder + "/" + name`.
    pub(super) fn entries(&mut self, path: &str, format: Option<InputFormat>, how: &str) -> Option<FileId> {
        let (folder, rest) = path.split_once(ENTRY)?;
        if rest.contains(ENTRY) {
            // Pictures of a folder of classes, which is listed itself.
            let path = self.path(folder.trim_end_matches('/'));
            return self.findings.files.iter().position(|file| file.path == path);
        }
        let format = format.or_else(|| format_of(rest)).unwrap_or(InputFormat::Text);
        let ending = if rest.is_empty() { ending_of(format) } else { "" };
        let count = if format == InputFormat::Image { PICTURES } else { IN_FOLDER };
        let names = (1..=count).map(|number| format!("{folder}{number}{ending}{rest}"));
        let files: Vec<FileId> = names.filter_map(|path| self.file(&path, Some(format), how)).collect();
        let (first, others) = files.split_first()?;
        for other in others {
            let pair = (self.findings.files[*first].tables.first(), self.findings.files[*other].tables.first());
            if let (Some(one), Some(another)) = pair {
                self.findings.alike.insert((*one, *another));
            }
        }
        Some(*first)
    }

    /// What is listed: a pattern of `glob`, or all that lies in a folder.
    pub(super) fn lists(&mut self, path: Option<&Value>, is_pattern: bool) -> Value {
        let Some(Value::Text(path)) = path else { return Value::Unknown };
        if !is_pattern {
            let folder = self.path(path);
            if folder.is_empty() || folder == "." {
                return Value::Unknown;
            }
            if !folder.contains(ENTRY) {
                let at = self.here("listed");
                self.findings.made_folders.remove(&folder);
                self.listed_folder(&folder, &at);
            }
            return Value::List(vec![Value::Text(ENTRY.to_owned())]);
        }
        // Three files of a pattern: `data/*.csv` gives `data/part1.csv` and so on.
        if path.matches('*').count() != 1 || format_of(path).is_none() {
            if let Some((folder, _)) = path.split_once('*') {
                let folder = Value::Text(folder.trim_end_matches('/').to_owned());
                let listed = self.lists(Some(&folder), false);
                return match listed {
                    Value::List(_) => Value::List(vec![Value::Text(path.replace('*', ENTRY))]),
                    other => other,
                };
            }
            return Value::Unknown;
        }
        let matching = ["part1", "part2", "part3"].map(|part| Value::Text(path.replace('*', part)));
        for one in matching.iter().filter_map(Value::text) {
            self.file(one, None, "listed");
        }
        Value::List(matching.into())
    }

    /// What lies in a folder, by whole paths.
    pub(super) fn lists_below(&mut self, folder: Option<&Value>) -> Value {
        let path = folder.and_then(Value::text).map(|folder| joined(folder, ENTRY));
        match (self.lists(folder, false), path) {
            (Value::List(_), Some(path)) => Value::List(vec![Value::Text(path)]),
            (other, _) => other,
        }
    }

    fn listed_folder(&mut self, folder: &str, at: &crate::recipe::UsedAt) {
        let below = format!("{folder}/");
        let is_known = self.findings.files.iter().any(|file| file.path == folder || file.path.starts_with(&below));
        if !is_known && self.is_of_pictures() {
            self.findings.files.push(FileFacts::new(folder.to_owned(), InputFormat::ImageFolder, at.clone()));
        }
    }

    /// Whether the notebook has to do with pictures: then a folder without files that are known is one of them.
    fn is_of_pictures(&self) -> bool {
        const OF_PICTURES: [&str; 7] =
            ["imread", "load_img", "Image.open", "flow_from_directory", ".jpg", ".png", "ImageFolder"];
        self.cells.iter().any(|cell| OF_PICTURES.iter().any(|word| cell.source().contains(word)))
    }
}

fn ending_of(format: InputFormat) -> &'static str {
    match format {
        InputFormat::Csv => ".csv",
        InputFormat::Excel => ".xlsx",
        InputFormat::Json => ".json",
        InputFormat::Image => ".png",
        InputFormat::Wav => ".wav",
        InputFormat::Pickle => ".pkl",
        InputFormat::Npy => ".npy",
        InputFormat::Text => ".txt",
        _ => "",
    }
}
