//! What a value may be, as far as rules care.

/// The sorts of values that rules tell apart.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Kind {
    Frame,
    Series,
    /// `df.groupby(…)`, columns not chosen.
    Grouped,
    /// `df.groupby(…)['c']`.
    GroupedSeries,
    /// Index, columns of a frame.
    Index,
    /// `.loc` and its kin.
    Indexer,
    /// `.str` of a series.
    StringMethods,
    /// `.dt` of a series.
    DateMethods,
    /// `.cat` of a series.
    CategoryMethods,
    /// `.style` of a frame.
    Styler,
    /// Rolling, expanding, ewm and resample objects.
    Window,
    /// One dtype.
    DataType,
    /// A series of dtypes.
    DataTypes,
    Array,
    Sparse,
    /// A list, with what its elements may be.
    List(Vec<Kind>),
    Dict,
    Set,
    Text,
    Number,
    /// A lazy result: `map`, `filter`, `zip`.
    Lazy,
    /// Views of a dict: `.keys()`, `.values()`, `.items()`.
    DictView,
    /// An instance of a class, by its dotted name.
    Instance(String),
}

/// All that a value may be; empty when nothing is known.
pub(crate) type KindSet = Vec<Kind>;

/// At most so many kinds are kept for a name; more mean that nothing is known.
const MOST_KINDS: usize = 6;

/// Adds kinds that are not there yet; true when something was added.
pub(crate) fn join(into: &mut KindSet, more: &[Kind]) -> bool {
    let mut changed = false;
    for kind in more {
        if !into.contains(kind) && into.len() < MOST_KINDS {
            into.push(kind.clone());
            changed = true;
        }
    }
    changed
}

/// Frames and series.
pub(crate) const PANDAS: [Kind; 2] = [Kind::Frame, Kind::Series];

/// What most functions of matplotlib that make something give.
pub(crate) const AXES: &str = "matplotlib.axes.Axes";
pub(crate) const FIGURE: &str = "matplotlib.figure.Figure";

/// What SQLAlchemy makes of the address of a database, and what an engine gives.
pub(crate) const ENGINE: &str = "sqlalchemy.engine.Engine";
pub(crate) const CONNECTION: &str = "sqlalchemy.engine.Connection";
/// What a statement gives, row by row.
pub(crate) const RESULT: &str = "sqlalchemy.engine.Result";
const ROW: &str = "sqlalchemy.engine.Row";

/// What a dictionary of words holds.
const SYNSET: &str = "nltk.corpus.reader.wordnet.Synset";
const LEMMA: &str = "nltk.corpus.reader.wordnet.Lemma";

/// An instance of a class by its dotted name.
pub(crate) fn instance(class: &str) -> Kind {
    Kind::Instance(class.to_owned())
}

/// The kind that a function of a library returns.
pub(crate) fn of_function(dotted: &str) -> KindSet {
    let (root, last) = (dotted.split('.').next().unwrap_or_default(), dotted.rsplit('.').next().unwrap_or_default());
    match root {
        "pandas" => of_pandas_function(dotted, last),
        "numpy" => match last {
            "mean" | "sum" | "std" | "median" | "max" | "min" | "float64" | "float32" | "int64" | "prod" => Vec::new(),
            "dtype" => vec![Kind::DataType],
            "random" => Vec::new(),
            _ if last.starts_with(char::is_lowercase) => vec![Kind::Array],
            _ => Vec::new(),
        },
        "builtins" => of_builtin(last),
        "networkx" => of_networkx_function(last),
        "matplotlib" => match last {
            "gca" | "subplot" | "axes" => vec![instance(AXES)],
            "figure" | "gcf" => vec![instance(FIGURE)],
            _ if last.starts_with(char::is_uppercase) => vec![instance(dotted)],
            _ => Vec::new(),
        },
        "sqlalchemy" if last == "create_engine" => vec![instance(ENGINE)],
        // Of the interfaces to databases that Python knows, each has connections of its own.
        "sqlite3" | "psycopg2" | "pymysql" | "pyodbc" | "cx_Oracle" | "duckdb" | "mysql" | "MySQLdb"
            if last == "connect" =>
        {
            vec![instance(&format!("{root}.DatabaseConnection"))]
        }
        "nltk" if dotted.contains("wordnet.") && last.starts_with(char::is_lowercase) => of_wordnet_function(last),
        "bokeh" if last == "figure" => vec![Kind::Instance("bokeh.plotting.figure".to_owned())],
        _ if last.starts_with(char::is_uppercase) => vec![Kind::Instance(dotted.to_owned())],
        "gensim" if last == "load_word2vec_format" => vec![instance("gensim.models.KeyedVectors")],
        "gensim" if last == "load" && dotted.ends_with("2Vec.load") => vec![instance(dotted.trim_end_matches(".load"))],
        _ if dotted == "sklearn.pipeline.make_pipeline" => vec![Kind::Instance("sklearn.pipeline.Pipeline".to_owned())],
        _ => Vec::new(),
    }
}

fn of_pandas_function(dotted: &str, last: &str) -> KindSet {
    match last {
        "DataFrame" | "concat" | "merge" | "get_dummies" | "pivot_table" | "crosstab" | "melt" | "json_normalize" => {
            vec![Kind::Frame]
        }
        "from_dict" | "from_csv" | "from_records" | "from_items" => vec![Kind::Frame],
        "Series" | "cut" | "qcut" | "value_counts" => vec![Kind::Series],
        "Index" | "MultiIndex" | "DatetimeIndex" | "date_range" | "Int64Index" => vec![Kind::Index],
        "unique" => vec![Kind::Array],
        "ExcelWriter" | "ExcelFile" => vec![Kind::Instance(dotted.to_owned())],
        "Timestamp" | "Timedelta" | "Categorical" => vec![Kind::Instance(dotted.to_owned())],
        _ if last.starts_with("read_") => vec![Kind::Frame],
        _ => Vec::new(),
    }
}

/// Graphs of every class are one kind.
fn of_networkx_function(last: &str) -> KindSet {
    let graph = matches!(last, "Graph" | "DiGraph" | "MultiGraph" | "MultiDiGraph")
        || last.ends_with("_graph")
        || last.starts_with("from_")
        || last.starts_with("read_");
    if graph { vec![Kind::Instance("networkx.Graph".to_owned())] } else { Vec::new() }
}

fn of_result(name: &str) -> KindSet {
    match name {
        "first" | "fetchone" | "one" | "one_or_none" => vec![instance(ROW)],
        "fetchall" | "fetchmany" | "all" => vec![Kind::List(vec![instance(ROW)])],
        _ => Vec::new(),
    }
}

/// What one goes through in an instance of a class.
pub(crate) fn of_elements(class: &str) -> KindSet {
    if class == RESULT { vec![instance(ROW)] } else { Vec::new() }
}

fn of_wordnet_function(last: &str) -> KindSet {
    match last {
        "synset" => vec![instance(SYNSET)],
        "lemma" => vec![instance(LEMMA)],
        "synsets" => vec![Kind::List(vec![instance(SYNSET)])],
        "lemmas" => vec![Kind::List(vec![instance(LEMMA)])],
        _ => Vec::new(),
    }
}

/// What a sense of a word leads to, by an attribute (before NLTK 3) or a method.
fn of_synset(name: &str) -> KindSet {
    match name {
        "lemmas" => vec![Kind::List(vec![instance(LEMMA)])],
        "hypernyms"
        | "hyponyms"
        | "instance_hypernyms"
        | "instance_hyponyms"
        | "member_meronyms"
        | "part_meronyms"
        | "substance_meronyms"
        | "member_holonyms"
        | "part_holonyms"
        | "substance_holonyms"
        | "entailments"
        | "similar_tos"
        | "root_hypernyms"
        | "common_hypernyms"
        | "lowest_common_hypernyms" => {
            vec![Kind::List(vec![instance(SYNSET)])]
        }
        _ => Vec::new(),
    }
}

fn of_lemma(name: &str) -> KindSet {
    match name {
        "synset" => vec![instance(SYNSET)],
        "antonyms" | "pertainyms" | "derivationally_related_forms" => vec![Kind::List(vec![instance(LEMMA)])],
        _ => Vec::new(),
    }
}

fn of_builtin(name: &str) -> KindSet {
    match name {
        "list" | "sorted" => vec![Kind::List(Vec::new())],
        "dict" => vec![Kind::Dict],
        "set" => vec![Kind::Set],
        "str" | "input" => vec![Kind::Text],
        "int" | "float" | "len" | "abs" | "round" | "sum" => vec![Kind::Number],
        "map" | "filter" | "zip" => vec![Kind::Lazy],
        _ => Vec::new(),
    }
}

/// What a method of a kind returns.
pub(crate) fn of_method(receiver: &Kind, name: &str) -> KindSet {
    match receiver {
        Kind::Frame => of_frame_method(name),
        Kind::Series => of_series_method(name),
        Kind::Grouped => match name {
            "size" | "ngroup" | "cumcount" => vec![Kind::Series],
            "apply" => Vec::new(),
            "groups" => vec![Kind::Dict],
            "filter" | "get_group" => vec![Kind::Frame],
            _ => vec![Kind::Frame],
        },
        Kind::GroupedSeries => match name {
            "describe" | "unstack" | "agg" | "aggregate" => Vec::new(),
            _ => vec![Kind::Series],
        },
        Kind::Window => Vec::new(),
        Kind::DateMethods | Kind::Index if name == "isocalendar" => vec![Kind::Frame],
        Kind::StringMethods | Kind::DateMethods | Kind::CategoryMethods => vec![Kind::Series],
        Kind::Dict => match name {
            "keys" | "values" | "items" => vec![Kind::DictView],
            _ => Vec::new(),
        },
        Kind::Text => match name {
            "split" | "splitlines" | "rsplit" => vec![Kind::List(vec![Kind::Text])],
            "find" | "index" | "count" => vec![Kind::Number],
            "startswith" | "endswith" | "isdigit" => Vec::new(),
            _ => vec![Kind::Text],
        },
        Kind::Index => match name {
            "tolist" | "to_list" => vec![Kind::List(Vec::new())],
            _ => vec![Kind::Index],
        },
        Kind::Array => match name {
            "tolist" => vec![Kind::List(Vec::new())],
            "reshape" | "ravel" | "flatten" | "astype" | "copy" | "transpose" | "dot" => vec![Kind::Array],
            _ => Vec::new(),
        },
        Kind::Instance(class) => of_instance_method(class, name),
        _ => Vec::new(),
    }
}

fn of_frame_method(name: &str) -> KindSet {
    match name {
        "groupby" => vec![Kind::Grouped],
        "rolling" | "expanding" | "ewm" | "resample" => vec![Kind::Window],
        "mean" | "sum" | "median" | "std" | "var" | "min" | "max" | "count" | "nunique" | "skew" | "kurt"
        | "idxmax" | "idxmin" | "any" | "all" | "duplicated" | "pop" | "squeeze" | "corrwith" | "memory_usage"
        | "mad" | "get_dtype_counts" => vec![Kind::Series],
        "apply" | "stack" | "quantile" | "agg" | "aggregate" | "get" | "xs" | "eval" => PANDAS.to_vec(),
        "as_matrix" | "to_numpy" | "get_values" => vec![Kind::Array],
        "to_dict" | "keys" | "items" | "iteritems" | "iterrows" | "itertuples" | "plot" | "hist" | "boxplot"
        | "equals" | "info" | "to_csv" | "lookup" | "get_value" => Vec::new(),
        "itemset" => Vec::new(),
        _ => vec![Kind::Frame],
    }
}

fn of_series_method(name: &str) -> KindSet {
    match name {
        "mean" | "sum" | "median" | "std" | "var" | "min" | "max" | "count" | "nunique" | "skew" | "kurt" | "mad"
        | "corr" | "any" | "all" | "item" | "quantile" | "idxmax" | "idxmin" | "argmax" | "argmin" | "get"
        | "get_value" => Vec::new(),
        "unique" | "as_matrix" | "to_numpy" | "get_values" | "ravel" | "reshape" => vec![Kind::Array],
        "tolist" | "to_list" => vec![Kind::List(Vec::new())],
        "to_dict" => vec![Kind::Dict],
        "to_frame" | "unstack" | "reset_index" => vec![Kind::Frame],
        "apply" | "agg" => PANDAS.to_vec(),
        "rolling" | "expanding" | "ewm" | "resample" => vec![Kind::Window],
        "groupby" => vec![Kind::GroupedSeries],
        "plot" | "hist" | "items" | "iteritems" | "keys" => Vec::new(),
        _ => vec![Kind::Series],
    }
}

fn of_instance_method(class: &str, name: &str) -> KindSet {
    match class {
        SYNSET => return of_synset(name),
        LEMMA => return of_lemma(name),
        ENGINE if name == "connect" || name == "begin" => return vec![instance(CONNECTION)],
        CONNECTION if name == "execution_options" => return vec![instance(CONNECTION)],
        ENGINE | CONNECTION if name == "execute" || name == "exec_driver_sql" => return vec![instance(RESULT)],
        RESULT => return of_result(name),
        _ => {}
    }
    match name {
        "fit" | "set_params" => vec![Kind::Instance(class.to_owned())],
        "add_subplot" | "add_axes" | "gca" if class == FIGURE => vec![instance(AXES)],
        "predict" | "predict_proba" | "fit_predict" | "decision_function" => vec![Kind::Array],
        "fit_transform" | "transform" if class.ends_with("Vectorizer") => vec![Kind::Sparse],
        "fit_transform" | "transform" if class.ends_with("OneHotEncoder") => Vec::new(),
        "fit_transform" | "transform" | "inverse_transform" if class.starts_with("sklearn") => vec![Kind::Array],
        _ => Vec::new(),
    }
}

/// What an attribute (not a called method) of a kind is.
pub(crate) fn of_attribute(receiver: &Kind, name: &str) -> KindSet {
    match (receiver, name) {
        (Kind::Frame | Kind::Series, "index") | (Kind::Frame, "columns") => vec![Kind::Index],
        (Kind::Frame | Kind::Series | Kind::Index, "values") => vec![Kind::Array],
        (Kind::Frame, "T") => vec![Kind::Frame],
        (Kind::Frame, "shape" | "size" | "ndim" | "empty") => Vec::new(),
        (Kind::Frame, "loc" | "iloc" | "ix" | "at" | "iat") => vec![Kind::Indexer],
        (Kind::Frame, "style") => vec![Kind::Styler],
        (Kind::Frame, "dtypes") => vec![Kind::DataTypes],
        (Kind::Frame, "plot") => Vec::new(),
        (Kind::Frame, _) => vec![Kind::Series],
        (Kind::Series, "str") => vec![Kind::StringMethods],
        (Kind::Series, "dt") => vec![Kind::DateMethods],
        (Kind::Series, "cat") => vec![Kind::CategoryMethods],
        (Kind::Series, "T" | "iloc" | "loc") => vec![Kind::Series],
        (_, "dtype") | (Kind::Series | Kind::Index, "dtypes") => vec![Kind::DataType],
        (Kind::DateMethods, _) => vec![Kind::Series],
        (Kind::Grouped, _) => vec![Kind::GroupedSeries],
        (Kind::Array, "T") => vec![Kind::Array],
        (Kind::Instance(class), "lemmas") if class == SYNSET => of_synset(name),
        (Kind::Instance(class), "synset") if class == LEMMA => of_lemma(name),
        (Kind::Instance(class), "wv") if class.starts_with("gensim") => {
            vec![Kind::Instance("gensim.models.KeyedVectors".to_owned())]
        }
        _ => Vec::new(),
    }
}
