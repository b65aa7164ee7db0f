//! Modules and functions of the standard library.

use nbrevive_pysource::ast::{Expr, Stmt};
use nbrevive_pysource::text_size::Ranged;

use crate::change::{Change, insertion};
use crate::keywords::{Fate, keyword};
use crate::methods::renamed;
use crate::receiver::{Callee, On};
use crate::rule::{Rewrite, Rule, Trigger, example};
use crate::shape;
use crate::signature::sig;
use crate::view::{Place, View};
use crate::walk;

pub(super) static RULES: &[Rule] = &[
    Rule::new(
        "python-moved-modules",
        ("python", "3.0"),
        "modules and functions of the standard library moved",
        Trigger::Error(&[
            sig("ModuleNotFoundError", "No module named '"),
            sig("ImportError", "cannot import name"),
            sig("AttributeError", "module '*' has no attribute"),
        ]),
        Rewrite::Move(MOVES),
        example(
            "import cPickle as pickle, urllib2\nfrom collections import Iterable, Counter\nfrom itertools import izip\nimport time\nt = time.clock()\n",
            ("ModuleNotFoundError", "No module named 'cPickle'"),
            "import pickle, urllib.request as urllib2\nfrom collections import Counter; from collections.abc import Iterable\nizip = zip\nimport time\nt = time.perf_counter()\n",
        ),
    )
    .shift("time.clock was CPU time on Linux and perf_counter is wall time")
    .certain(),
    Rule::new(
        "python-html-unescape",
        ("python", "3.9"),
        "HTMLParser has no unescape; the module html has",
        Trigger::Error(&[sig("AttributeError", "'HTMLParser' object has no attribute 'unescape'")]),
        Rewrite::Code(html_unescape),
        example(
            "from html.parser import HTMLParser\nparser = HTMLParser()\nx = parser.unescape('&amp;')\n",
            ("AttributeError", "'HTMLParser' object has no attribute 'unescape'"),
            "from html import unescape\nfrom html.parser import HTMLParser\nparser = HTMLParser()\nx = unescape('&amp;')\n",
        ),
    )
    .certain(),
    Rule::new(
        "python-library-methods",
        ("python", "3.9"),
        "getchildren, assertEquals and func_name were renamed",
        Trigger::Error(&[sig("AttributeError", "object has no attribute")]),
        Rewrite::Method(&[
            renamed(On::Any, "func_name", "__name__"),
            renamed(On::Any, "func_code", "__code__"),
            renamed(On::Any, "func_defaults", "__defaults__"),
            renamed(On::Any, "func_doc", "__doc__"),
            renamed(On::Any, "func_dict", "__dict__"),
            renamed(On::Any, "func_globals", "__globals__"),
            renamed(On::Any, "func_closure", "__closure__"),
            renamed(On::Any, "im_func", "__func__"),
            renamed(On::Any, "im_self", "__self__"),
            renamed(On::Any, "assertEquals", "assertEqual"),
            renamed(On::Any, "assertItemsEqual", "assertCountEqual"),
        ]),
        example(
            "n = f.func_name\n",
            ("AttributeError", "'function' object has no attribute 'func_name'"),
            "n = f.__name__\n",
        ),
    )
    .certain(),
    Rule::new(
        "python-library-keywords",
        ("python", "3.9"),
        "json.loads has no encoding",
        Trigger::Error(&[sig("TypeError", "got an unexpected keyword argument 'encoding'")]),
        Rewrite::Keyword(&[
            keyword(Callee::Function("json", "loads"), "encoding", Fate::Removed),
            keyword(Callee::Function("json", "load"), "encoding", Fate::Removed),
            keyword(Callee::Function("json", "dumps"), "encoding", Fate::Removed),
        ]),
        example(
            "import json\nx = json.loads(t, encoding='utf-8')\n",
            ("TypeError", "JSONDecoder.__init__() got an unexpected keyword argument 'encoding'"),
            "import json\nx = json.loads(t)\n",
        ),
    )
    .certain(),
    Rule::new(
        "python-default-encoding",
        ("python", "3.0"),
        "sys.setdefaultencoding is gone; text is Unicode",
        Trigger::Error(&[sig("NameError", "name 'reload' is not defined"), sig("AttributeError", "module 'sys' has no attribute 'setdefaultencoding'")]),
        Rewrite::Code(default_encoding),
        example(
            "import sys\nreload(sys)\nsys.setdefaultencoding('utf8')\nx = 1\n",
            ("NameError", "name 'reload' is not defined"),
            "import sys\nx = 1\n",
        ),
    )
    .certain(),
    Rule::new(
        "python-sets-are-not-sampled",
        ("python", "3.11"),
        "random.sample takes sequences; a set is sorted first",
        Trigger::Error(&[sig("TypeError", "Population must be a sequence")]),
        Rewrite::Code(sample),
        example(
            "import random\nx = random.sample(set(y), 2)\n",
            ("TypeError", "Population must be a sequence. For dicts or sets, use sorted(d)."),
            "import random\nx = random.sample(sorted(set(y)), 2)\n",
        ),
    ),
    Rule::new(
        "python-bytes-buffer",
        ("python", "3.0"),
        "StringIO takes text alone; what pictures and archives are written into is BytesIO",
        Trigger::Error(&[sig("TypeError", "string argument expected, got 'bytes'")]),
        Rewrite::Code(bytes_buffer),
        example(
            "from io import StringIO\nf = StringIO()\nimage.save(f, 'jpeg')\n",
            ("TypeError", "string argument expected, got 'bytes'"),
            "from io import BytesIO\nfrom io import StringIO\nf = BytesIO()\nimage.save(f, 'jpeg')\n",
        ),
    ),
];

static MOVES: &[(&str, &str)] = &[
    ("cPickle", "pickle"),
    ("urllib2.HTTPError", "urllib.error.HTTPError"),
    ("urllib2.URLError", "urllib.error.URLError"),
    ("urllib2", "urllib.request"),
    ("urllib.urlencode", "urllib.parse.urlencode"),
    ("urllib.quote", "urllib.parse.quote"),
    ("urllib.unquote", "urllib.parse.unquote"),
    ("urllib.quote_plus", "urllib.parse.quote_plus"),
    ("urllib.unquote_plus", "urllib.parse.unquote_plus"),
    ("urllib.pathname2url", "urllib.request.pathname2url"),
    ("urllib.urlopen", "urllib.request.urlopen"),
    ("urllib.urlcleanup", "urllib.request.urlcleanup"),
    ("urllib.URLopener", "urllib.request.URLopener"),
    ("urllib.FancyURLopener", "urllib.request.FancyURLopener"),
    ("urllib.urlretrieve", "urllib.request.urlretrieve"),
    ("urlparse", "urllib.parse"),
    ("StringIO", "io"),
    ("cStringIO", "io"),
    ("ConfigParser", "configparser"),
    ("Queue", "queue"),
    ("HTMLParser", "html.parser"),
    ("httplib", "http.client"),
    ("cookielib", "http.cookiejar"),
    ("Tkinter", "tkinter"),
    ("__builtin__", "builtins"),
    ("commands", "subprocess"),
    ("copy_reg", "copyreg"),
    ("UserDict.UserDict", "collections.UserDict"),
    ("UserDict.IterableUserDict", "collections.UserDict"),
    ("UserDict.DictMixin", "collections.abc.MutableMapping"),
    ("UserList.UserList", "collections.UserList"),
    ("UserString.UserString", "collections.UserString"),
    ("UserDict", "collections"),
    ("UserList", "collections"),
    ("UserString", "collections"),
    ("sets.Set", "builtins.set"),
    ("sets.ImmutableSet", "builtins.frozenset"),
    ("thread", "_thread"),
    ("htmlentitydefs", "html.entities"),
    ("xmlrpclib", "xmlrpc.client"),
    ("BaseHTTPServer", "http.server"),
    ("SimpleHTTPServer", "http.server"),
    ("SocketServer", "socketserver"),
    ("robotparser", "urllib.robotparser"),
    ("Cookie", "http.cookies"),
    ("anydbm", "dbm"),
    ("tkMessageBox", "tkinter.messagebox"),
    ("tkFileDialog", "tkinter.filedialog"),
    ("email.MIMEText", "email.mime.text"),
    ("email.MIMEMultipart", "email.mime.multipart"),
    ("email.MIMEBase", "email.mime.base"),
    ("email.Utils", "email.utils"),
    ("types.StringType", "builtins.str"),
    ("types.StringTypes", "builtins.str"),
    ("types.UnicodeType", "builtins.str"),
    ("types.IntType", "builtins.int"),
    ("types.LongType", "builtins.int"),
    ("types.FloatType", "builtins.float"),
    ("types.BooleanType", "builtins.bool"),
    ("types.ListType", "builtins.list"),
    ("types.TupleType", "builtins.tuple"),
    ("types.DictType", "builtins.dict"),
    ("types.DictionaryType", "builtins.dict"),
    ("types.ObjectType", "builtins.object"),
    ("types.TypeType", "builtins.type"),
    ("types.ClassType", "builtins.type"),
    ("types.InstanceType", "builtins.object"),
    ("types.UnboundMethodType", "types.FunctionType"),
    ("operator.isCallable", "builtins.callable"),
    ("operator.div", "operator.truediv"),
    ("operator.sequenceIncludes", "operator.contains"),
    ("new.classobj", "builtins.type"),
    ("new.instancemethod", "types.MethodType"),
    ("itertools.izip", "builtins.zip"),
    ("itertools.imap", "builtins.map"),
    ("itertools.ifilter", "builtins.filter"),
    ("itertools.izip_longest", "itertools.zip_longest"),
    ("itertools.ifilterfalse", "itertools.filterfalse"),
    ("string.letters", "string.ascii_letters"),
    ("string.lowercase", "string.ascii_lowercase"),
    ("string.uppercase", "string.ascii_uppercase"),
    ("string.maketrans", "builtins.str.maketrans"),
    ("string.atoi", "builtins.int"),
    ("string.atol", "builtins.int"),
    ("string.atof", "builtins.float"),
    ("os.getcwdu", "os.getcwd"),
    ("sys.maxint", "sys.maxsize"),
    ("collections.Mapping", "collections.abc.Mapping"),
    ("collections.MutableMapping", "collections.abc.MutableMapping"),
    ("collections.Iterable", "collections.abc.Iterable"),
    ("collections.Iterator", "collections.abc.Iterator"),
    ("collections.Sequence", "collections.abc.Sequence"),
    ("collections.Callable", "collections.abc.Callable"),
    ("collections.Hashable", "collections.abc.Hashable"),
    ("collections.Set", "collections.abc.Set"),
    ("time.clock", "time.perf_counter"),
    ("fractions.gcd", "math.gcd"),
    ("inspect.getargspec", "inspect.getfullargspec"),
    ("imp", "importlib"),
    ("distutils.version.LooseVersion", "packaging.version.Version"),
    ("distutils.version.StrictVersion", "packaging.version.Version"),
    ("distutils.dir_util.copy_tree", "shutil.copytree"),
    ("cgi.escape", "html.escape"),
    ("base64.encodestring", "base64.encodebytes"),
    ("base64.decodestring", "base64.decodebytes"),
    ("configparser.SafeConfigParser", "configparser.ConfigParser"),
    ("locale.format", "locale.format_string"),
    ("IPython.html.widgets", "ipywidgets"),
    ("ipywidgets.IntSliderWidget", "ipywidgets.IntSlider"),
    ("ipywidgets.FloatSliderWidget", "ipywidgets.FloatSlider"),
    ("ipywidgets.IntTextWidget", "ipywidgets.IntText"),
    ("ipywidgets.FloatTextWidget", "ipywidgets.FloatText"),
    ("ipywidgets.BoundedIntTextWidget", "ipywidgets.BoundedIntText"),
    ("ipywidgets.BoundedFloatTextWidget", "ipywidgets.BoundedFloatText"),
    ("ipywidgets.IntProgressWidget", "ipywidgets.IntProgress"),
    ("ipywidgets.FloatProgressWidget", "ipywidgets.FloatProgress"),
    ("ipywidgets.IntRangeSliderWidget", "ipywidgets.IntRangeSlider"),
    ("ipywidgets.FloatRangeSliderWidget", "ipywidgets.FloatRangeSlider"),
    ("ipywidgets.TextWidget", "ipywidgets.Text"),
    ("ipywidgets.TextareaWidget", "ipywidgets.Textarea"),
    ("ipywidgets.CheckboxWidget", "ipywidgets.Checkbox"),
    ("ipywidgets.DropdownWidget", "ipywidgets.Dropdown"),
    ("ipywidgets.RadioButtonsWidget", "ipywidgets.RadioButtons"),
    ("ipywidgets.SelectWidget", "ipywidgets.Select"),
    ("ipywidgets.SelectMultipleWidget", "ipywidgets.SelectMultiple"),
    ("ipywidgets.ButtonWidget", "ipywidgets.Button"),
    ("ipywidgets.ToggleButtonWidget", "ipywidgets.ToggleButton"),
    ("ipywidgets.ToggleButtonsWidget", "ipywidgets.ToggleButtons"),
    ("ipywidgets.HTMLWidget", "ipywidgets.HTML"),
    ("ipywidgets.ImageWidget", "ipywidgets.Image"),
    ("ipywidgets.TabWidget", "ipywidgets.Tab"),
    ("ipywidgets.AccordionWidget", "ipywidgets.Accordion"),
    ("ipywidgets.LatexWidget", "ipywidgets.HTMLMath"),
    ("ipywidgets.ContainerWidget", "ipywidgets.VBox"),
];

fn default_encoding(view: &View<'_>, change: &mut Change<'_>) {
    for (position, source) in view.code.cells.iter().enumerate() {
        walk::statements(source.parsed.body(), &mut |statement, around| {
            let Stmt::Expr(one) = statement else { return };
            let Expr::Call(call) = one.value.as_ref() else { return };
            let chain = shape::dotted(&call.func).unwrap_or_default();
            let of_sys = call.arguments.args.first().and_then(shape::name) == Some("sys");
            if chain == ["sys", "setdefaultencoding"] || chain.last() == Some(&"reload") && of_sys {
                change.remove(Place(position), statement, around);
            }
        });
    }
}

fn sample(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        if view.is_call_of(Callee::Function("random", "sample"), place, call)
            && view.at_fault(place, call.range())
            && let Some(first) = call.arguments.args.first()
            && !matches!(first, Expr::Call(inner) if shape::name(&inner.func) == Some("sorted"))
        {
            let edits = vec![insertion(first.range().start(), "sorted("), insertion(first.end(), ")")];
            change.edit(place, call.range().start(), edits);
        }
    });
}

fn html_unescape(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let Some((attribute, "unescape")) = shape::method(call) else { return };
        let parser =
            view.class_of(&attribute.value).is_some_and(|class| class.rsplit('.').next() == Some("HTMLParser"));
        if parser {
            let name = change.spell(place, "html.unescape");
            change.replace(place, call.func.range(), name);
        }
    });
}

fn bytes_buffer(view: &View<'_>, change: &mut Change<'_>) {
    view.calls(|place, call, _| {
        let text = view.qualified(&call.func).is_some_and(|name| name.rsplit('.').next() == Some("StringIO"));
        if text && call.arguments.is_empty() {
            let buffer = change.spell(place, "io.BytesIO");
            change.replace(place, call.func.range(), buffer);
        }
    });
}
