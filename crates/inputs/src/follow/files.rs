//! Files and folders by path: what is opened, listed, written and made.

use crate::evidence::{ColumnKey, FileFacts, FileId, TableFacts, TableId, Use, keep};
use crate::follow::Follower;
use crate::follow::arguments::Given;
use crate::follow::listing::ENTRY;
use crate::follow::operation::joined;
use crate::follow::value::{Column, Frame, Value};
use crate::place::{is_network, normal};
use crate::recipe::InputFormat;

/// Files that a notebook may read; what is beyond is not looked at.
const MOST_FILES: usize = 500;

impl Follower {
    /// A path as it lies from where the notebook starts.
    pub(super) fn path(&self, path: &str) -> String {
        if path.starts_with('~') || is_network(path) { path.to_owned() } else { normal(&joined(&self.folder, path)) }
    }

    /// The file of this path, which is known from now on; nothing for an address, or when there are too many.
    pub(super) fn file(&mut self, path: &str, format: Option<InputFormat>, how: &str) -> Option<FileId> {
        if is_network(path) {
            self.findings.network.insert(path.to_owned());
            return None;
        }
        if path.contains(ENTRY) {
            return self.entries(path, format, how);
        }
        let path = self.path(path);
        let at = self.here(how);
        if let Some(known) = self.findings.files.iter().position(|file| file.path == path) {
            keep(&mut self.findings.files[known].used, &at);
            if let Some(format) = format {
                self.findings.files[known].format = format;
            }
            return Some(known);
        }
        if path.is_empty() || self.findings.files.len() >= MOST_FILES {
            return None;
        }
        let format = format.or_else(|| format_of(&path)).unwrap_or(InputFormat::Text);
        let is_written = self.findings.written.contains(&path);
        self.findings.files.push(FileFacts { is_written, ..FileFacts::new(path, format, at) });
        let file = self.findings.files.len() - 1;
        self.new_table(file, None);
        Some(file)
    }

    pub(super) fn new_table(&mut self, file: FileId, name: Option<&str>) -> TableId {
        let name = name.map(str::to_owned);
        self.findings.tables.push(TableFacts { file, name, ..TableFacts::default() });
        let table = self.findings.tables.len() - 1;
        self.findings.files[file].tables.push(table);
        table
    }

    /// Says that the notebook writes a file.
    pub(super) fn writes(&mut self, path: Option<&Value>) {
        if let Some(Value::Text(path)) = path
            && !is_network(path)
        {
            let path = self.path(path);
            self.findings.written.insert(path);
        }
    }

    pub(super) fn makes_folder(&mut self, path: Option<&Value>) {
        if let Some(Value::Text(path)) = path {
            let path = self.path(path);
            self.findings.made_folders.insert(path);
        }
    }

    pub(super) fn changes_folder(&mut self, path: Option<&Value>) {
        if let Some(Value::Text(path)) = path {
            self.folder = self.path(path);
        }
    }

    /// `open(path, mode)`.
    pub(super) fn opens(&mut self, path: Option<&Value>, mode: Option<&str>) -> Value {
        let mode = mode.unwrap_or("r");
        if mode.starts_with(['w', 'x', 'a']) {
            self.writes(path);
            return Value::Unknown;
        }
        match path {
            Some(Value::Text(path)) => self.file(&path.clone(), None, "open").map_or(Value::Unknown, Value::Handle),
            Some(Value::Handle(file)) => Value::Handle(*file),
            _ => Value::Unknown,
        }
    }

    /// A file of a kind that has no table: a picture, a sound, an array.
    pub(super) fn loads(&mut self, given: &Given, format: InputFormat, how: &str) -> Value {
        let format = match given.first().and_then(Value::text).and_then(format_of) {
            Some(known @ (InputFormat::Npz | InputFormat::Pickle)) if format == InputFormat::Npy => known,
            _ => format,
        };
        match given.all().find(|value| matches!(value, Value::Text(_) | Value::Handle(_))) {
            Some(Value::Text(path)) => match self.file(&path.clone(), Some(format), how) {
                Some(file) if format == InputFormat::Npy => self.sheet(file, None),
                Some(file) if format.is_of_arrays() => Value::Handle(file),
                _ => Value::Unknown,
            },
            Some(Value::Handle(file)) => {
                self.findings.files[*file].format = format;
                Value::Unknown
            }
            _ => Value::Unknown,
        }
    }

    /// A folder of pictures, by class.
    pub(super) fn reads_folder(&mut self, given: &Given) {
        if let Some(Value::Text(folder)) = given.all().find(|value| matches!(value, Value::Text(_)))
            && let Some(file) = self.file(&folder.clone(), Some(InputFormat::ImageFolder), "folder of pictures")
        {
            let classes = given.named("classes").map(Value::texts).unwrap_or_default();
            self.findings.files[file].parts.extend(classes);
        }
    }

    /// Methods of an open file, a workbook, an archive or a database.
    pub(super) fn handle_method(&mut self, file: FileId, name: &str, given: &Given) -> Value {
        match name {
            "readlines" | "readline" | "splitlines" => Value::Line(file),
            "split" if given.first().and_then(Value::text) == Some("\n") => Value::Line(file),
            "read" | "strip" | "decode" | "lower" | "replace" => Value::Handle(file),
            "parse" | "get" | "select" => self.sheet(file, given.text(0, "sheet_name")),
            "execute" | "cursor" | "connect" | "begin" => {
                if let Some(sql) = given.text(0, "sql") {
                    let found = crate::follow::query::tables_of_sql(sql);
                    for table in found.tables {
                        if let Value::Frame(frame) = self.sheet(file, Some(&table)) {
                            found.columns.iter().for_each(|name| drop(self.column(frame, name, "SQL")));
                        }
                    }
                }
                Value::Handle(file)
            }
            "open" => {
                let member = given.text(0, "name").map(str::to_owned);
                member
                    .and_then(|member| self.file(&member, None, "member of an archive"))
                    .map_or(Value::Unknown, Value::Handle)
            }
            "extractall" | "extract" => {
                if let Some(folder) = given.text(0, "path") {
                    let folder = self.path(folder);
                    self.findings.made_folders.insert(folder);
                }
                Value::Nothing
            }
            _ => Value::Unknown,
        }
    }

    /// Methods of a line of a file: what is left is a line still, and one that is cut is a row.
    pub(super) fn line_method(&mut self, file: FileId, name: &str, given: &Given) -> Value {
        match name {
            "split" if given.first().and_then(Value::text) == Some("\n") => Value::Line(file),
            "split" => {
                let separator = given.first().and_then(Value::text).unwrap_or(" ").to_owned();
                let facts = &mut self.findings.files[file];
                if facts.format == InputFormat::Text && separator.len() <= 2 {
                    (facts.format, facts.options.separator, facts.options.headless) =
                        (InputFormat::Csv, Some(separator), true);
                    let table = facts.tables[0];
                    return self.new_frame(Frame {
                        tables: vec![table],
                        is_by_place: true,
                        is_of_rows: true,
                        ..Frame::default()
                    });
                }
                Value::Unknown
            }
            "splitlines" | "strip" | "rstrip" | "lower" | "replace" | "lstrip" | "readlines" | "decode" | "read" => {
                Value::Line(file)
            }
            _ => Value::Unknown,
        }
    }

    /// A number in a line of a file.
    pub(super) fn number_of(&mut self, value: &Value, how: &Use) -> Value {
        match &self.of_json(value) {
            Value::Line(file) => {
                let facts = &mut self.findings.files[*file];
                if facts.format == InputFormat::Text {
                    (facts.format, facts.options.headless) = (InputFormat::Csv, true);
                }
                let table = facts.tables[0];
                let id = self.table_column(table, &ColumnKey::At(0), "number of a line");
                self.note(&Value::Column(Column::raw(vec![id])), how, "number of a line");
                Value::Unknown
            }
            column @ Value::Column(_) => {
                self.digits(column);
                self.note(column, how, "made a number");
                crate::follow::series::changed(column)
            }
            _ => Value::Unknown,
        }
    }

    /// What is read of a JSON file: names below each other are a pointer.
    pub(super) fn json_item(&mut self, file: FileId, pointer: &str, key: &Value) -> Value {
        let pointer = match key {
            Value::Text(name) => format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1")),
            Value::Number(_) => format!("{pointer}/*"),
            _ => return Value::Json(file, pointer.to_owned()),
        };
        let table = self.findings.files[file].tables[0];
        self.table_column(table, &ColumnKey::Named(pointer.clone()), "read of JSON");
        Value::Json(file, pointer)
    }

    /// What a JSON file holds at a pointer, as a column of its own.
    pub(super) fn of_json(&mut self, value: &Value) -> Value {
        match value {
            Value::Json(file, pointer) if !pointer.is_empty() => {
                let table = self.findings.files[*file].tables[0];
                let id = self.table_column(table, &ColumnKey::Named(pointer.clone()), "read of JSON");
                Value::Column(Column::raw(vec![id]))
            }
            other => other.clone(),
        }
    }

    pub(super) fn json_method(&mut self, file: FileId, pointer: &str, name: &str, given: &Given) -> Value {
        match name {
            "get" => self.json_item(file, pointer, given.first().unwrap_or(&Value::Unknown)),
            // An object whose names nobody says has one.
            "items" | "values" => {
                let one = self.json_item(file, pointer, &Value::Text("key 1".to_owned()));
                Value::List(vec![if name == "items" { Value::List(vec![Value::Unknown, one]) } else { one }])
            }
            "keys" => Value::Json(file, pointer.to_owned()),
            "split" | "lower" | "upper" | "strip" | "startswith" | "endswith" | "replace" => {
                match self.of_json(&Value::Json(file, pointer.to_owned())) {
                    Value::Column(column) => self.column_method(column, name, given),
                    _ => Value::Unknown,
                }
            }
            _ => Value::Unknown,
        }
    }
}

/// What a file is by the end of its name, compression left away.
pub(crate) fn format_of(path: &str) -> Option<InputFormat> {
    let lower = path.to_lowercase();
    let name = [".gz", ".bz2", ".xz"].iter().find_map(|ending| lower.strip_suffix(ending)).unwrap_or(&lower);
    let (_, ending) = name.rsplit_once('.')?;
    Some(match ending {
        "csv" | "tsv" | "data" | "dat" | "tab" => InputFormat::Csv,
        "xls" | "xlsx" | "xlsm" => InputFormat::Excel,
        "json" | "geojson" => InputFormat::Json,
        "jsonl" | "ndjson" => InputFormat::JsonLines,
        "parquet" | "pq" => InputFormat::Parquet,
        "feather" | "ftr" => InputFormat::Feather,
        "h5" | "hdf" | "hdf5" => InputFormat::Hdf,
        "pkl" | "pickle" | "p" => InputFormat::Pickle,
        "npy" => InputFormat::Npy,
        "npz" => InputFormat::Npz,
        "mat" => InputFormat::Mat,
        "txt" | "text" | "md" | "log" => InputFormat::Text,
        "png" | "jpg" | "jpeg" | "bmp" | "gif" | "tif" | "tiff" | "webp" => InputFormat::Image,
        "wav" => InputFormat::Wav,
        "zip" => InputFormat::Zip,
        "db" | "sqlite" | "sqlite3" => InputFormat::Sqlite,
        _ => return None,
    })
}
