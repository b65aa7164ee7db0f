//! Which names reach outside, and which words mean a prediction or a training.

use super::Breach;

/// Modules, and names in them, by the rule that a new use of them breaks. An entry covers what lies below it; one that ends
/// in `*` covers every name that starts so.
const REACHING: &[(Breach, &[&str])] = &[
    (
        Breach::Network,
        &[
            "requests",
            "urllib.request",
            "urllib.error",
            "urllib.urlopen",
            "urllib.urlretrieve",
            "urllib2",
            "urllib3",
            "http",
            "httplib",
            "httplib2",
            "socket",
            "_socket",
            "socketserver",
            "ssl",
            "ftplib",
            "smtplib",
            "poplib",
            "imaplib",
            "telnetlib",
            "nntplib",
            "xmlrpc",
            "aiohttp",
            "httpx",
            "websocket",
            "websockets",
            "paramiko",
            "boto",
            "boto3",
            "botocore",
            "gdown",
            "wget",
            "pycurl",
            "kaggle",
            "kagglehub",
            "opendatasets",
            "mechanize",
            "huggingface_hub",
            "google.cloud",
            "google.colab",
            "googleapiclient",
            "gcsfs",
            "s3fs",
            "fsspec",
            "smart_open",
            "git",
            "selenium",
            "scrapy",
            "webbrowser",
            "dns",
            "pip",
            "ensurepip",
            "conda",
            "torch.hub",
            "tensorflow_hub",
            "tensorflow_datasets",
            "nltk.download",
            "nltk.downloader",
            "gensim.downloader",
            "spacy.cli",
            "pandas.io.data",
            "sklearn.datasets.fetch_*",
            "sklearn.datasets.load_svmlight_file",
            "asyncio.open_connection",
            "asyncio.open_unix_connection",
            "yfinance",
            "pandas_datareader",
            "wandb",
            "mlflow",
            "neptune",
            "comet_ml",
            "tweepy",
            "openml",
            "pyspark.SparkFiles",
        ],
    ),
    (
        Breach::Process,
        &[
            "subprocess",
            "commands",
            "_posixsubprocess",
            "os.system",
            "os.popen*",
            "os.exec*",
            "os.spawn*",
            "os.fork*",
            "os.posix_spawn*",
            "os.kill*",
            "os.startfile",
            "pty",
            "ctypes",
            "_ctypes",
            "cffi",
            "pexpect",
            "sh",
            "plumbum",
            "fabric",
            "invoke",
            "posix",
            "nt",
            "psutil",
            "resource",
            "multiprocessing.Process",
            "multiprocessing.process",
            "concurrent.futures.process",
            "IPython.utils.process",
            "IPython.utils._process_posix",
            "asyncio.create_subprocess*",
            "numpy.ctypeslib",
            "numpy.distutils",
            "distutils",
            "setuptools",
            "Cython",
            "pyximport",
            "numpy.f2py",
        ],
    ),
    (
        Breach::EnvironmentVariable,
        &[
            "os.environ",
            "os.environb",
            "os.getenv*",
            "os.putenv",
            "os.unsetenv",
            "dotenv",
            "kaggle_secrets",
            "kaggle_web_client",
            "getpass",
            "keyring",
        ],
    ),
    (
        Breach::DynamicCode,
        &[
            "exec",
            "eval",
            "compile",
            "execfile",
            "__import__",
            "globals",
            "locals",
            "vars",
            "__builtins__",
            "breakpoint",
            "builtins",
            "__builtin__",
            "importlib",
            "imp",
            "runpy",
            "pkgutil",
            "zipimport",
            "marshal",
            "code",
            "codeop",
            "get_ipython",
            "IPython.get_ipython",
            "IPython.core",
            "IPython.terminal",
            "sys.modules",
            "sys.meta_path",
            "sys.path_hooks",
            "sys._getframe",
            "sys.settrace",
            "sys.setprofile",
            "inspect.currentframe",
            "inspect.stack",
            "inspect.getmodule",
            "gc.get_objects",
            "gc.get_referrers",
            "types.FunctionType",
            "types.CodeType",
            "operator.attrgetter",
            "operator.methodcaller",
            "base64",
            "codecs",
            "binascii",
            "zlib.decompress",
            "bz2.decompress",
            "lzma.decompress",
            "bytes.fromhex",
            "bytearray.fromhex",
            "timeit.timeit",
            "timeit.repeat",
            "cProfile.run",
            "numexpr.evaluate",
            "pandas.eval",
            "ast.parse",
            "unittest.mock",
        ],
    ),
];

/// Names of methods that reach the network whatever they are called on.
const FETCHING_METHODS: &[&str] = &[
    "from_pretrained",
    "get_file",
    "urlopen",
    "urlretrieve",
    "load_dataset",
    "fetch_openml",
    "load_state_dict_from_url",
];

/// Attributes through which every object leads to everything.
const DEEP_ATTRIBUTES: &[&str] = &[
    "__globals__",
    "__subclasses__",
    "__builtins__",
    "__code__",
    "__getattribute__",
    "__mro__",
    "__bases__",
    "__base__",
    "__dict__",
    "__loader__",
    "__spec__",
    "__closure__",
    "__reduce__",
    "__reduce_ex__",
    "__import__",
    "f_globals",
    "f_locals",
    "f_back",
    "gi_frame",
    "tb_frame",
    "func_globals",
];

/// Modules that other modules carry as attributes, as in `glob.os`.
const CARRIED: &[&str] = &[
    "os",
    "_os",
    "sys",
    "_sys",
    "subprocess",
    "builtins",
    "socket",
    "importlib",
    "ctypes",
    "urllib",
    "posix",
    "requests",
];

/// Names that everybody has without an import.
const BUILTINS: &[&str] = &[
    "exec",
    "eval",
    "compile",
    "execfile",
    "__import__",
    "globals",
    "locals",
    "vars",
    "__builtins__",
    "breakpoint",
    "get_ipython",
];
/// Modules that a star import may have brought.
const COMMON_MODULES: &[&str] = &[
    "os",
    "sys",
    "subprocess",
    "socket",
    "requests",
    "urllib",
    "urllib2",
    "importlib",
    "builtins",
    "ctypes",
    "shutil",
    "bytes",
    "bytearray",
];

/// Modules that are no value: handed around, they cannot be followed.
pub(super) const NO_VALUES: &[&str] = &["os", "sys", "io", "shutil", "glob", "pathlib", "urllib", "asyncio", "pickle"];

/// Environment variables that switch a library of this process and tell nobody anything.
const SWITCHES: &[&str] = &[
    "TF_USE_LEGACY_KERAS",
    "TF_CPP_MIN_LOG_LEVEL",
    "TF_DETERMINISTIC_OPS",
    "TF_FORCE_GPU_ALLOW_GROWTH",
    "TF_ENABLE_ONEDNN_OPTS",
    "KERAS_BACKEND",
    "CUDA_VISIBLE_DEVICES",
    "CUBLAS_WORKSPACE_CONFIG",
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "PYTHONHASHSEED",
    "MPLBACKEND",
    "TOKENIZERS_PARALLELISM",
    "PYTHONWARNINGS",
    "NUMEXPR_MAX_THREADS",
    "SCIPY_ARRAY_API",
];

/// Calls that list folders, by dotted name or as methods of a path.
const WALKING: &[&str] = &["os.walk", "os.fwalk", "os.listdir", "os.scandir", "glob.glob*", "glob.iglob"];
const WALKING_METHODS: &[&str] = &["rglob", "iterdir", "glob", "walk"];

/// Line magics that do nothing to the world.
const HARMLESS_MAGICS: &[&str] = &[
    "matplotlib",
    "pylab",
    "time",
    "timeit",
    "prun",
    "memit",
    "mprun",
    "lprun",
    "config",
    "reload_ext",
    "load_ext",
    "autoreload",
    "precision",
    "inline",
    "who",
    "whos",
    "who_ls",
    "reset_selective",
    "tensorflow_version",
    "xmode",
    "pprint",
    "colors",
    "capture",
    "pinfo",
    "pdoc",
    "psource",
];
/// Cell magics that do nothing to the world.
const HARMLESS_CELL_MAGICS: &[&str] = &[
    "time", "timeit", "capture", "prun", "memit", "mprun", "lprun", "html", "HTML", "latex", "markdown", "skip",
    "notify",
];

/// Commands that go to the network or install.
const FETCHING_COMMANDS: &[&str] = &[
    "wget",
    "curl",
    "git",
    "pip",
    "pip2",
    "pip3",
    "conda",
    "mamba",
    "micromamba",
    "apt",
    "apt-get",
    "aptitude",
    "kaggle",
    "npm",
    "aria2c",
    "gdown",
    "gsutil",
    "gcloud",
    "aws",
    "ssh",
    "scp",
    "sftp",
    "rsync",
    "nc",
    "ncat",
    "ftp",
    "uv",
    "poetry",
    "easy_install",
    "svn",
    "hg",
    "az",
];

/// Methods whose results are predictions of a trained model.
const PREDICTING: &[&str] = &[
    "predict",
    "predict_proba",
    "predict_log_proba",
    "predict_classes",
    "predict_generator",
    "predict_on_batch",
    "predict_on_generator",
    "decision_function",
    "fit_predict",
    "fit_transform_predict",
    "forecast",
    "get_forecast",
    "get_prediction",
    "get_preds",
    "TTA",
    "score_samples",
    "recommend",
    "infer",
    "generate",
    "kneighbors",
    "transduce",
    "staged_predict",
    "staged_predict_proba",
    "predicted_proba",
    "inplace_predict",
    "eval_step",
    "test_step",
    "cross_val_predict",
];

/// Methods that train.
const TRAINING: &[&str] = &[
    "fit",
    "fit_generator",
    "partial_fit",
    "fit_predict",
    "fit_one_cycle",
    "fine_tune",
    "train_on_batch",
    "fit_regularized",
    "backward",
    "fit_resample_predict",
    "learn",
    "fit_flow",
    "train_model",
    "minimize",
];
/// Functions that train, by dotted name.
const TRAINING_FUNCTIONS: &[&str] = &[
    "xgboost.train",
    "xgboost.cv",
    "lightgbm.train",
    "lightgbm.cv",
    "catboost.train",
    "catboost.cv",
    "sklearn.model_selection.cross_val_predict",
    "sklearn.cross_validation.cross_val_predict",
    "scipy.optimize.minimize",
    "scipy.optimize.curve_fit",
    "numpy.linalg.lstsq",
    "scipy.linalg.lstsq",
    "numpy.polyfit",
    "h2o.automl",
];

/// Ends of the names of classes that are fitted and yet predict nothing.
const TRANSFORMERS: &[&str] = &[
    "Scaler",
    "Encoder",
    "Vectorizer",
    "Imputer",
    "Binarizer",
    "Normalizer",
    "Transformer",
    "Discretizer",
    "PCA",
    "SVD",
    "NMF",
    "TSNE",
    "Tokenizer",
    "Features",
    "SelectKBest",
    "SelectPercentile",
    "VarianceThreshold",
    "BinsDiscretizer",
    "UMAP",
    "Isomap",
    "MDS",
    "FactorAnalysis",
    "FastICA",
    "DictVectorizer",
    "FeatureHasher",
    "LabelBinarizer",
    "SMOTE",
];
/// Classes that look like models and learn nothing.
const DUMMIES: &[&str] = &["DummyClassifier", "DummyRegressor", "FunctionTransformer"];

/// Stems of file names that hold answers, wherever they are.
const ANSWER_STEMS: &[&str] = &[
    "answers",
    "answer",
    "solution",
    "solutions",
    "ground_truth",
    "groundtruth",
    "ground-truth",
    "test_labels",
    "test_answers",
    "labels_test",
    "private_test",
    "hidden",
    "answer_key",
    "leaderboard",
    "private_labels",
    "test_solution",
];

/// The rule that a dotted name falls under.
pub(super) fn reaching(dotted: &str) -> Option<Breach> {
    let dotted = uncarried(dotted);
    let found = REACHING.iter().find(|(_, names)| names.iter().any(|name| covers(name, dotted)));
    found.map(|(breach, _)| *breach)
}

/// Names that took each other's place in the course of time: who used one of them may use another.
const FAMILIES: &[(&str, &[&str])] = &[
    ("urllib", &["urllib", "urllib2", "urllib3", "requests", "httplib", "http"]),
    ("prices", &["pandas.io.data", "pandas_datareader", "yfinance", "fix_yahoo_finance"]),
    ("sklearn.datasets", &["sklearn.datasets.fetch_*"]),
];

/// The family of a name, or the name itself.
pub(super) fn family(dotted: &str) -> &str {
    let dotted = uncarried(dotted);
    let found = FAMILIES.iter().find(|(_, names)| names.iter().any(|name| covers(name, dotted)));
    found.map_or(dotted, |(family, _)| family)
}

/// Whether a name that is not imported may yet be what its spelling says.
pub(super) fn is_there_anyway(root: &str) -> bool {
    BUILTINS.contains(&root) || COMMON_MODULES.contains(&root)
}

/// Whether an import of this module alone is enough, and the module is not merely on the way to a harmless one.
pub(super) fn reaching_module(module: &str) -> Option<Breach> {
    reaching(module).filter(|_| !module.is_empty())
}

/// The name from a carried module on: `glob.os.system` is `os.system`.
fn uncarried(dotted: &str) -> &str {
    let mut start = 0;
    let mut found = dotted;
    for part in dotted.split('.') {
        if start > 0 && CARRIED.contains(&part) {
            found = dotted[start..].trim_start_matches('_');
        }
        start += part.len() + 1;
    }
    found.strip_prefix('_').filter(|rest| rest.starts_with("os.") || rest.starts_with("sys.")).unwrap_or(found)
}

fn covers(entry: &str, dotted: &str) -> bool {
    match entry.strip_suffix('*') {
        Some(start) => dotted.starts_with(start),
        None => dotted.strip_prefix(entry).is_some_and(|rest| rest.is_empty() || rest.starts_with('.')),
    }
}

pub(super) fn is_fetching_method(name: &str) -> bool {
    FETCHING_METHODS.contains(&name)
}

pub(super) fn is_deep_attribute(name: &str) -> bool {
    DEEP_ATTRIBUTES.contains(&name)
}

pub(super) fn is_switch(variable: &str) -> bool {
    SWITCHES.contains(&variable)
}

pub(super) fn is_walking(dotted: &str) -> bool {
    let dotted = uncarried(dotted);
    WALKING.iter().any(|entry| covers(entry, dotted))
}

pub(super) fn is_walking_method(name: &str) -> bool {
    WALKING_METHODS.contains(&name)
}

pub(super) fn is_harmless_magic(name: &str) -> bool {
    HARMLESS_MAGICS.contains(&name)
}

pub(super) fn is_harmless_cell_magic(name: &str) -> bool {
    HARMLESS_CELL_MAGICS.contains(&name)
}

/// Whether a command line goes to the network.
pub(super) fn is_fetching_command(command: &str) -> bool {
    let segments = command.split(['|', ';', '&', '(', '`', '\n']);
    let mut words = segments.flat_map(|segment| segment.split_whitespace().take(6));
    words.any(|word| FETCHING_COMMANDS.contains(&word.rsplit('/').next().unwrap_or_default()) || word.contains("://"))
}

pub(super) fn is_predicting(method: &str) -> bool {
    PREDICTING.contains(&method)
}

pub(super) fn is_training(method: &str) -> bool {
    TRAINING.contains(&method)
}

pub(super) fn is_training_function(dotted: &str) -> bool {
    TRAINING_FUNCTIONS.contains(&dotted)
}

pub(super) fn is_transformer(class: &str) -> bool {
    TRANSFORMERS.iter().any(|end| class.ends_with(end))
}

pub(super) fn is_dummy(class: &str) -> bool {
    DUMMIES.contains(&class)
}

pub(super) fn is_answer_stem(stem: &str) -> bool {
    ANSWER_STEMS.contains(&stem)
}
