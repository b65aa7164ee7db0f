//! Names that Python 2 has and Python 3 has not ("What's new in Python 3.0", and the modules that were removed since).

/// Builtins that are telling wherever they are read.
pub(super) const BUILTINS: [&str; 6] = ["xrange", "raw_input", "unicode", "basestring", "unichr", "execfile"];

/// Builtins whose names are also ordinary variable names: telling only when called and never defined.
pub(super) const CALLED_BUILTINS: [&str; 8] = ["long", "reduce", "reload", "cmp", "buffer", "apply", "intern", "file"];

/// Modules that were renamed or removed in 3.0.
pub(super) const MODULES: [&str; 28] = [
    "urllib2",
    "urlparse",
    "cPickle",
    "StringIO",
    "cStringIO",
    "ConfigParser",
    "Queue",
    "Tkinter",
    "tkMessageBox",
    "tkFileDialog",
    "httplib",
    "commands",
    "HTMLParser",
    "cookielib",
    "__builtin__",
    "copy_reg",
    "xmlrpclib",
    "SocketServer",
    "BaseHTTPServer",
    "SimpleHTTPServer",
    "thread",
    "anydbm",
    "htmlentitydefs",
    "robotparser",
    "sets",
    "md5",
    "sha",
    "exceptions",
];

/// Names that a module of both majors has lost.
pub(super) const LOST: [(&str, &[&str]); 6] = [
    ("itertools", &["izip", "imap", "ifilter", "izip_longest", "ifilterfalse"]),
    ("string", &["letters", "lowercase", "uppercase", "maketrans", "join", "atoi", "atof", "replace", "split"]),
    ("sys", &["maxint", "setdefaultencoding", "exc_clear"]),
    ("os", &["getcwdu"]),
    ("urllib", &["urlopen", "urlencode", "quote", "quote_plus", "unquote", "urlretrieve"]),
    ("types", &["StringType", "ListType", "DictType", "IntType", "UnicodeType", "StringTypes"]),
];

/// Methods of builtin types that are gone.
pub(super) const METHODS: [&str; 6] = ["itervalues", "iterkeys", "has_key", "viewitems", "viewkeys", "viewvalues"];
