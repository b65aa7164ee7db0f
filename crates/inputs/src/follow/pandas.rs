//! Functions of libraries by name: who answers for which.

use crate::evidence::Use;
use crate::follow::Follower;
use crate::follow::arguments::Given;
use crate::follow::value::{Column, Frame, Value};
use crate::recipe::InputFormat;

impl Follower {
    /// Calls what lies in a module, by its dotted name.
    pub(super) fn call_name(&mut self, name: &str, given: &Given) -> Value {
        let (module, last) = name.rsplit_once('.').unwrap_or(("", name));
        if let Some(value) = self.reader(module, last, given) {
            return value;
        }
        let top = module.split('.').next().unwrap_or(module);
        match top {
            "pandas" | "dask" | "modin" | "cudf" | "polars" => self.of_pandas(last, given),
            "numpy" => self.of_numpy(last, given),
            "re" | "regex" => self.of_patterns(last, given),
            "datetime" | "time" | "dateutil" if matches!(last, "strptime" | "parse" | "fromisoformat") => {
                self.read_as_day(given)
            }
            "matplotlib" | "seaborn" | "plotly" | "pylab" | "bokeh" | "altair" => self.plots(module, last, given),
            "" | "builtins" => self.builtin(last, given),
            "os" | "shutil" | "pathlib" | "glob" | "posixpath" | "ntpath" => self.of_system(name, last, given),
            _ if last.starts_with(|letter: char| letter.is_uppercase()) => self.object(name, given),
            _ => self.of_models(name, last, given),
        }
    }

    /// Functions that read files, of any library.
    fn reader(&mut self, module: &str, name: &str, given: &Given) -> Option<Value> {
        let plain = |format| Some((format, name));
        let (format, how) = match name {
            "read_csv" | "read_table" | "read_fwf" | "from_csv" | "scan_csv" => {
                return Some(self.read_csv(name, given));
            }
            "read_excel" => return Some(self.read_excel(given)),
            "ExcelFile" | "load_workbook" | "open_workbook" => {
                let path = given.first().and_then(Value::text).map(str::to_owned)?;
                let file = self.file(&path, Some(InputFormat::Excel), name)?;
                return Some(Value::Handle(file));
            }
            "HDFStore" => {
                let path = given.first().and_then(Value::text).map(str::to_owned)?;
                return Some(self.file(&path, Some(InputFormat::Hdf), name).map_or(Value::Unknown, Value::Handle));
            }
            "read_sql" | "read_sql_query" | "read_sql_table" => return Some(self.read_sql(given)),
            "read_json" => plain(InputFormat::Json)?,
            "read_parquet" => plain(InputFormat::Parquet)?,
            "read_feather" => plain(InputFormat::Feather)?,
            "read_pickle" => plain(InputFormat::Pickle)?,
            "read_hdf" => plain(InputFormat::Hdf)?,
            "loadtxt" | "genfromtxt" | "recfromcsv" => return Some(self.load_text(given)),
            "loadmat" => return Some(self.loads(given, InputFormat::Mat, name)),
            "File" if module == "h5py" => {
                if given.text(1, "mode").is_some_and(|mode| mode.starts_with(['w', 'x', 'a'])) {
                    self.writes(given.first());
                    return Some(Value::Unknown);
                }
                return Some(self.loads(given, InputFormat::HdfArrays, name));
            }
            "load" if module == "numpy" => return Some(self.loads(given, InputFormat::Npy, name)),
            "load" if matches!(module, "pickle" | "cPickle" | "joblib" | "dill" | "sklearn.externals.joblib") => {
                let source = given.first().cloned();
                return Some(match source {
                    Some(Value::Handle(_) | Value::Text(_)) => self.read_plain(InputFormat::Pickle, name, given),
                    _ => Value::Unknown,
                });
            }
            "load" if matches!(module, "json" | "simplejson" | "ujson") => {
                let Some(Value::Handle(file)) = given.first() else { return Some(Value::Unknown) };
                self.findings.files[*file].format = InputFormat::Json;
                return Some(Value::Json(*file, String::new()));
            }
            "loads" if matches!(module, "json" | "simplejson" | "ujson") => {
                if let Some(Value::Handle(file)) = given.first() {
                    self.findings.files[*file].format = InputFormat::Json;
                    return Some(Value::Json(*file, String::new()));
                }
                let Some(Value::Line(file)) = given.first() else { return Some(Value::Unknown) };
                self.findings.files[*file].format = InputFormat::JsonLines;
                return Some(Value::Json(*file, "/*".to_owned()));
            }
            "reader" | "DictReader" if module == "csv" || module.is_empty() => return Some(self.rows_of(name, given)),
            "imread" | "load_img" | "imread_collection" => return Some(self.loads(given, InputFormat::Image, name)),
            "open" if module.ends_with("Image") => return Some(self.loads(given, InputFormat::Image, name)),
            "read" | "load"
                if module.ends_with("wavfile") || matches!(module, "librosa" | "soundfile" | "torchaudio") =>
            {
                return Some(self.loads(given, InputFormat::Wav, name));
            }
            "flow_from_directory" | "image_dataset_from_directory" | "ImageFolder" | "load_files" => {
                self.reads_folder(given);
                return Some(Value::Unknown);
            }
            "open" if module == "wave" => return Some(self.loads(given, InputFormat::Wav, name)),
            "open" if matches!(module, "gzip" | "bz2" | "lzma" | "codecs" | "io" | "tarfile") => {
                return Some(self.opens(given.first(), given.text(1, "mode")));
            }
            "connect" if module.starts_with("sqlite3") => {
                let path = given.text(0, "database").filter(|path| *path != ":memory:").map(str::to_owned);
                let file = path.and_then(|path| self.file(&path, Some(InputFormat::Sqlite), name));
                return Some(file.map_or(Value::Unknown, Value::Handle));
            }
            "create_engine" => {
                let path = given
                    .first()
                    .and_then(Value::text)
                    .and_then(|url| url.strip_prefix("sqlite:///"))
                    .map(str::to_owned);
                let file = path
                    .filter(|path| !path.is_empty())
                    .and_then(|path| self.file(&path, Some(InputFormat::Sqlite), name));
                return Some(file.map_or(Value::Unknown, Value::Handle));
            }
            "ZipFile" => {
                let is_read = given.text(1, "mode").is_none_or(|mode| mode.starts_with('r'));
                if !is_read {
                    self.writes(given.first());
                    return Some(Value::Unknown);
                }
                return Some(self.opens(given.first(), None));
            }
            _ => return None,
        };
        Some(self.read_plain(format, how, given))
    }

    /// `csv.reader(file)` gives rows by place, `csv.DictReader(file)` rows by name.
    fn rows_of(&mut self, name: &str, given: &Given) -> Value {
        let (Some(Value::Handle(file)) | Some(Value::Line(file))) = given.first() else { return Value::Unknown };
        let file = *file;
        let facts = &mut self.findings.files[file];
        facts.format = InputFormat::Csv;
        let is_by_place = name == "reader";
        if let Some(separator) = given.named("delimiter").and_then(Value::text) {
            facts.options.separator = Some(separator.to_owned());
        }
        let table = facts.tables[0];
        let frame = self.new_frame(Frame { tables: vec![table], is_by_place, is_of_rows: true, ..Frame::default() });
        // A loop over it meets rows.
        if is_by_place { frame } else { Value::List(vec![frame]) }
    }

    /// `pd.Series(values, index=column)`: a value is looked up by a label, so that no label is there twice.
    fn labelled(&mut self, given: &Given) -> Value {
        let mut labelled = match given.get(0, "data") {
            Some(Value::Column(column)) => column.clone(),
            _ => Column::default(),
        };
        if let Some(index @ Value::Column(column)) = given.get(1, "index").cloned().as_ref() {
            self.note(index, &Use::Unique, "labels");
            labelled.index.clone_from(&column.ids);
        }
        Value::Column(labelled)
    }

    fn of_pandas(&mut self, name: &str, given: &Given) -> Value {
        match name {
            "DataFrame" | "from_dict" | "from_records" => self.made_frame(given),
            "Series" if matches!(given.get(1, "index"), Some(Value::Column(_))) => self.labelled(given),
            "Series" | "Index" | "Categorical" => match given.get(0, "data") {
                Some(column @ Value::Column(_)) => column.clone(),
                _ => Value::Unknown,
            },
            "merge" | "merge_asof" | "merge_ordered" => {
                let left = given.get(0, "left").cloned().unwrap_or(Value::Unknown);
                self.merge(left, given.get(1, "right").cloned(), given, 2)
            }
            "concat" => {
                let parts = given.get(0, "objs").map(|parts| parts.elements().to_vec()).unwrap_or_default();
                let axis = given.get(1, "axis").and_then(Value::literal).unwrap_or_default();
                if axis == "1" || axis == "columns" { self.beside(&parts) } else { self.stack(&parts) }
            }
            "get_dummies" => self.dummies(given),
            "to_datetime" => {
                let column = given.get(0, "arg").cloned().unwrap_or(Value::Unknown);
                self.note(&column, &Use::Date, "read as days");
                if let Some(format) = given.named("format").and_then(Value::text).filter(|format| format.contains('%'))
                {
                    self.note(&column, &Use::Format(format.to_owned()), "read as days");
                }
                if given.named("unit").is_some() {
                    self.note(&column, &Use::Integer, "seconds or days");
                }
                column
            }
            "to_numeric" => {
                let column = given.get(0, "arg").cloned().unwrap_or(Value::Unknown);
                self.cast_to(&column, &Value::Text("float".to_owned()))
            }
            "cut" | "qcut" => {
                let column = given.get(0, "x").cloned().unwrap_or(Value::Unknown);
                self.note(&column, &Use::Number, "cut into ranges");
                if let Some(Value::List(bounds)) = given.get(1, "bins").filter(|_| name == "cut") {
                    // What lies at the first bound or past the last is in no range.
                    let inner = bounds.get(1..bounds.len().saturating_sub(1)).unwrap_or_default();
                    for bound in inner.iter().filter_map(Value::number).collect::<Vec<_>>() {
                        self.note(&column, &Use::Bound(bound), "bound");
                    }
                }
                match column {
                    Value::Column(column) => Value::Column(Column { is_of_text: true, ..column.changed() }),
                    _ => Value::Unknown,
                }
            }
            "pivot_table" | "melt" | "pivot" => match given.get(0, "data").cloned() {
                Some(Value::Frame(frame)) => {
                    let rest = Given {
                        places: given.places.get(1..).unwrap_or_default().to_vec(),
                        names: given.names.clone(),
                    };
                    self.frame_method(frame, name, &rest)
                }
                _ => Value::Unknown,
            },
            "crosstab" => {
                for column in given.places.clone() {
                    self.note(&column, &Use::Category, "counted");
                }
                let columns = given.get(1, "columns").cloned();
                match columns {
                    Some(Value::Column(column)) if column.is_raw => {
                        let tables = column.ids.iter().map(|id| id.table).collect();
                        self.new_frame(Frame { tables, columns_are: column.ids, ..Frame::default() })
                    }
                    _ => Value::Unknown,
                }
            }
            "isnull" | "isna" | "notnull" => given.first().map_or(Value::Unknown, crate::follow::series::changed),
            "factorize" => match given.first() {
                Some(column @ Value::Column(_)) => {
                    self.note(&column.clone(), &Use::Encoded, "encoded");
                    Value::List(vec![crate::follow::series::changed(column), Value::Unknown])
                }
                _ => Value::Unknown,
            },
            "ExcelWriter" => {
                self.writes(given.first());
                Value::Unknown
            }
            "scatter_matrix" => {
                self.unknown_call(given);
                Value::Unknown
            }
            "unique" => given.first().cloned().unwrap_or(Value::Unknown),
            _ => {
                self.unknown_call(given);
                Value::Unknown
            }
        }
    }
}
