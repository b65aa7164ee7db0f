//! Calls that read tables, and what their arguments say of the file.

use crate::evidence::{ColumnId, ColumnKey, FileId, TableId, Use};
use crate::follow::Follower;
use crate::follow::arguments::Given;
use crate::follow::query::tables_of_sql;
use crate::follow::value::{Column, Frame, Origin, Value};
use crate::recipe::{InputFormat, ReadOptions};

impl Follower {
    /// The file that a reader is given: by path, or open already.
    fn read_from(&mut self, source: Option<&Value>, format: InputFormat, how: &str) -> Option<FileId> {
        match source? {
            Value::Text(path) => self.file(&path.clone(), Some(format), how),
            Value::Handle(file) => {
                self.findings.files[*file].format = format;
                Some(*file)
            }
            _ => None,
        }
    }

    fn frame_from(&mut self, table: TableId) -> Frame {
        self.touch(&[table], &[]);
        Frame { tables: vec![table], is_of_rows: true, is_whole: true, ..Frame::default() }
    }

    /// `read_csv` and `read_table`, whatever library has them.
    pub(super) fn read_csv(&mut self, name: &str, given: &Given) -> Value {
        let source = given.get(0, "filepath_or_buffer").or(given.named("filepath")).or(given.named("path")).cloned();
        let Some(file) = self.read_from(source.as_ref(), InputFormat::Csv, name) else {
            return self.opaque();
        };
        let separator = given.named("sep").or(given.named("delimiter")).or(given.places.get(1)).and_then(Value::text);
        let is_spaced = given.is_set("delim_whitespace");
        let default = (name == "read_table").then_some("\t");
        let separator = separator.map(plain_separator).or(is_spaced.then_some(" ")).or(default);
        let header = given.named("header").cloned();
        let names = given.named("names").cloned();
        let is_headless = matches!(header, Some(Value::Nothing)) || header.is_none() && names.is_some();
        if !std::mem::replace(&mut self.findings.files[file].is_read, true) {
            let options = &mut self.findings.files[file].options;
            options.separator = separator.map(str::to_owned).or(options.separator.take());
            options.headless = is_headless;
            read_options(options, header.as_ref(), given);
        }
        let is_first = self.findings.files[file].options.headless == is_headless;
        let table = self.findings.files[file].tables[0];
        let names = names.filter(|_| is_first);
        self.read_table_as(table, names.as_ref(), is_headless && is_first, given)
    }

    /// A frame of a table, as the arguments of its reader have it.
    fn read_table_as(&mut self, table: TableId, names: Option<&Value>, is_headless: bool, given: &Given) -> Value {
        let mut frame = self.frame_from(table);
        frame.is_by_place = is_headless && names.is_none();
        if let Some(Value::List(names)) = names {
            if is_headless {
                for (place, name) in names.iter().enumerate() {
                    if let Some(name) = name.literal() {
                        frame.names.insert(name, Origin::At(isize::try_from(place).unwrap_or(0)));
                    }
                }
            }
            self.findings.tables[table].exactly = Some(names.len());
            self.findings.tables[table].called = names.iter().filter_map(Value::literal).collect();
        }
        let value = self.new_frame(frame);
        let Value::Frame(id) = value else { return value };
        if let Some(columns) = given.named("usecols").cloned() {
            for name in columns.elements() {
                self.named(id, name, "usecols");
            }
            let least = columns.elements().iter().map(Value::whole).min().flatten();
            if let Some(least @ 1..10) = least.and_then(|least| usize::try_from(least).ok()) {
                self.findings.tables[table].leading = least;
            }
            let names = columns.texts();
            if !names.is_empty() {
                self.frames[id].chosen = Some(names);
            }
        }
        if let Some(index) = given.named("index_col").cloned().filter(|index| !matches!(index, Value::Flag(_))) {
            for name in index.elements() {
                // A first column that nothing names may be the count of the rows.
                let place = name.whole();
                if let Value::Column(column) = self.named(id, name, "index_col") {
                    self.frames[id].index.extend(column.ids);
                }
                if let Some(place) = place {
                    self.frames[id].first = place + 1;
                    let leading = usize::try_from(place + 1).unwrap_or(0).min(10);
                    self.findings.tables[table].leading = leading;
                }
            }
            self.findings.tables[table].labels = index.elements().len();
            let gone = index.texts();
            self.frames[id].dropped.extend(gone);
        }
        self.read_dates(id, given);
        for argument in ["dtype", "converters", "na_values"] {
            if let Some(Value::Dict(entries)) = given.named(argument).cloned() {
                for (name, kind) in entries {
                    let column = self.named(id, &name, argument);
                    match argument {
                        "dtype" => drop(self.cast_to(&column, &kind)),
                        "converters" => drop(self.apply(&kind, column)),
                        _ => {}
                    }
                }
            }
        }
        if given.named("nrows").is_some() {
            self.frames[id].is_whole = false;
        }
        if let Some(rows) = given.named("nrows").and_then(Value::whole) {
            self.findings.tables[table].rows_asked = usize::try_from(rows).unwrap_or(0);
        }
        if given.named("chunksize").is_some() || given.is_set("iterator") {
            return Value::List(vec![value]);
        }
        value
    }

    fn read_dates(&mut self, frame: usize, given: &Given) {
        match given.named("parse_dates").cloned() {
            Some(Value::Flag(true)) => {
                let index = self.frames[frame].index.clone();
                self.note(&Value::Column(Column::raw(index)), &Use::Date, "parse_dates");
            }
            Some(Value::List(names)) => {
                for name in names.iter().flat_map(Value::elements) {
                    let column = self.named(frame, name, "parse_dates");
                    self.note(&column, &Use::Date, "parse_dates");
                    if let Some(format) = given.named("date_format").and_then(Value::text) {
                        self.note(&column, &Use::Format(format.to_owned()), "date_format");
                    }
                }
            }
            Some(Value::Dict(entries)) => {
                for (new, names) in entries {
                    for name in names.elements() {
                        let column = self.named(frame, name, "parse_dates");
                        self.note(&column, &Use::Date, "parse_dates");
                    }
                    if let Some(new) = new.text() {
                        self.frames[frame].names.insert(new.to_owned(), Origin::Made(Value::Unknown));
                    }
                }
            }
            _ => {}
        }
    }

    /// A column by name or by place.
    pub(super) fn named(&mut self, frame: usize, key: &Value, what: &str) -> Value {
        match Self::key_of(key) {
            Some(ColumnKey::Named(name)) => self.column(frame, &name, what),
            Some(ColumnKey::At(place)) => {
                let first = std::mem::take(&mut self.frames[frame].first);
                let column = self.by_place(frame, place, what);
                self.frames[frame].first = first;
                column
            }
            None => Value::Unknown,
        }
    }

    pub(super) fn read_excel(&mut self, given: &Given) -> Value {
        let source = given.get(0, "io").cloned();
        let Some(file) = self.read_from(source.as_ref(), InputFormat::Excel, "read_excel") else {
            return self.opaque();
        };
        let sheet = given.named("sheet_name").or(given.named("sheetname")).or(given.places.get(1)).cloned();
        match sheet {
            Some(Value::List(sheets)) => {
                let frames = sheets.iter().map(|sheet| (sheet.clone(), self.sheet(file, sheet.text()))).collect();
                Value::Dict(frames)
            }
            Some(Value::Nothing) => Value::Handle(file),
            sheet => {
                let Value::Frame(frame) = self.sheet(file, sheet.as_ref().and_then(Value::text)) else {
                    return Value::Unknown;
                };
                let table = self.frames[frame].tables[0];
                let is_headless = matches!(given.named("header"), Some(Value::Nothing));
                self.findings.files[file].options.headless |= is_headless;
                if let Some(skipped) = given.named("skiprows").and_then(Value::whole) {
                    self.findings.files[file].options.skipped_lines = usize::try_from(skipped).unwrap_or(0).min(1000);
                }
                self.read_table_as(table, given.named("names"), is_headless, given)
            }
        }
    }

    /// A sheet, a key or a table of a file by its name; the first where none is named.
    pub(super) fn sheet(&mut self, file: FileId, name: Option<&str>) -> Value {
        let tables = self.findings.files[file].tables.clone();
        let is_it = |table: &&TableId| {
            let known = self.findings.tables[**table].name.as_deref();
            name.is_none() || known == name
        };
        let found = tables.iter().find(is_it).copied();
        let unnamed = tables.first().copied().filter(|table| self.findings.tables[*table].name.is_none());
        let table = match (found, unnamed) {
            (Some(table), _) => table,
            (None, Some(table)) => {
                self.findings.tables[table].name = name.map(str::to_owned);
                table
            }
            (None, None) => self.new_table(file, name),
        };
        let is_by_place = self.findings.files[file].format.is_of_arrays();
        let frame = Frame { is_by_place, ..self.frame_from(table) };
        self.new_frame(frame)
    }

    /// Readers whose file has one table, and few arguments that say anything.
    pub(super) fn read_plain(&mut self, format: InputFormat, name: &str, given: &Given) -> Value {
        let source = given.first().or(given.named("path")).or(given.named("path_or_buf")).cloned();
        let is_lines = given.is_set("lines");
        let format = if is_lines { InputFormat::JsonLines } else { format };
        let Some(file) = self.read_from(source.as_ref(), format, name) else { return self.opaque() };
        if format == InputFormat::Hdf {
            return self.sheet(file, given.text(1, "key"));
        }
        let table = self.findings.files[file].tables[0];
        self.read_table_as(table, None, false, given)
    }

    /// `read_sql("SELECT …", connection)`.
    pub(super) fn read_sql(&mut self, given: &Given) -> Value {
        let (Some(sql), Some(Value::Handle(file))) = (given.text(0, "sql"), given.get(1, "con")) else {
            return self.opaque();
        };
        let (file, found) = (*file, tables_of_sql(sql));
        let mut tables = Vec::new();
        for name in &found.tables {
            if let Value::Frame(frame) = self.sheet(file, Some(name)) {
                for (_, column) in found.qualified.iter().filter(|(table, _)| table == name) {
                    self.column(frame, column, "SQL");
                }
                tables.extend(self.frames[frame].tables.clone());
            }
        }
        let frame = Frame { tables, is_of_rows: found.is_whole, ..Frame::default() };
        let value = self.new_frame(frame);
        if let Value::Frame(frame) = value {
            for name in &found.columns {
                self.column(frame, name, "SQL");
            }
            for name in found.made {
                self.frames[frame].names.insert(name, Origin::Made(Value::Unknown));
            }
        }
        value
    }

    /// An array of numbers from lines: `loadtxt`, `genfromtxt`.
    pub(super) fn load_text(&mut self, given: &Given) -> Value {
        let Some(file) = self.read_from(given.get(0, "fname"), InputFormat::Csv, "loadtxt") else {
            return Value::Unknown;
        };
        let options = &mut self.findings.files[file].options;
        options.separator = Some(given.named("delimiter").and_then(Value::text).unwrap_or(" ").to_owned());
        let names = given.is_set("names");
        options.headless = !names;
        let skipped = given.named("skiprows").or(given.named("skip_header")).and_then(Value::whole);
        options.skipped_lines = skipped.and_then(|skipped| usize::try_from(skipped).ok()).unwrap_or(0).min(1000);
        let table = self.findings.files[file].tables[0];
        let is_words = given.named("dtype").is_some_and(|dtype| match dtype {
            Value::Name(name) | Value::Text(name) => {
                name.contains("str") || name.contains("object") || name.starts_with('U')
            }
            Value::Nothing => true,
            _ => false,
        });
        self.findings.tables[table].is_numeric |= !is_words;
        let frame = Frame { is_by_place: !names, ..self.frame_from(table) };
        let value = self.new_frame(frame);
        let Value::Frame(id) = value else { return value };
        let columns = given.named("usecols").cloned();
        let ids: Vec<ColumnId> = columns
            .iter()
            .flat_map(Value::elements)
            .filter_map(|key| match self.named(id, key, "usecols") {
                Value::Column(column) => column.ids.first().copied(),
                _ => None,
            })
            .collect();
        match columns {
            Some(Value::List(_)) if given.is_set("unpack") => {
                Value::List(ids.into_iter().map(|id| Value::Column(Column::raw(vec![id]))).collect())
            }
            Some(Value::Number(_)) => Value::Column(Column::raw(ids)),
            _ => value,
        }
    }

    fn opaque(&mut self) -> Value {
        self.new_frame(Frame { is_opaque: true, ..Frame::default() })
    }
}

/// What else a reader of lines says of the file.
fn read_options(options: &mut ReadOptions, header: Option<&Value>, given: &Given) {
    if let Some(skipped) = given.named("skiprows").and_then(Value::whole).or(header.and_then(Value::whole)) {
        options.skipped_lines = usize::try_from(skipped).unwrap_or(0).min(1000);
    }
    for (argument, option) in [
        ("encoding", &mut options.encoding),
        ("compression", &mut options.compression),
        ("decimal", &mut options.decimal),
        ("comment", &mut options.comment),
    ] {
        if let Some(text) = given.named(argument).and_then(Value::text).filter(|text| *text != "infer") {
            *option = Some(text.to_owned());
        }
    }
}

/// A separator that a line can be written with, of one that may be a regular expression.
fn plain_separator(pattern: &str) -> &str {
    match pattern {
        r"\t" => "\t",
        r"\s+" | r"\s*" | r"\s" | " +" => " ",
        "::" | "||" => pattern,
        _ if pattern.len() > 1 && pattern.contains(',') => ",",
        _ if pattern.len() > 1 && pattern.contains(';') => ";",
        _ => pattern,
    }
}
