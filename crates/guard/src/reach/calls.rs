//! What calls reach for.

use nbrevive_corpus::Breach;
use nbrevive_pysource::ast::{Expr, ExprAttribute, ExprCall};

use super::{Finder, shown};
use crate::code::text;
use crate::{places, tables, words};

/// Calls whose first argument is a path.
const FILE_CALLS: &[&str] = &[
    "open",
    "io.open",
    "os.open",
    "os.remove",
    "os.unlink",
    "os.rmdir",
    "os.chdir",
    "os.makedirs",
    "os.mkdir",
    "os.stat",
    "os.rename",
    "os.replace",
    "os.link",
    "os.symlink",
    "os.readlink",
    "shutil.copy",
    "shutil.copyfile",
    "shutil.copy2",
    "shutil.copytree",
    "shutil.move",
    "shutil.rmtree",
    "pathlib.Path",
    "numpy.load",
    "numpy.loadtxt",
    "numpy.genfromtxt",
    "numpy.fromfile",
    "joblib.load",
    "zipfile.ZipFile",
    "tarfile.open",
    "gzip.open",
    "bz2.open",
    "lzma.open",
    "sqlite3.connect",
    "h5py.File",
    "cv2.imread",
    "PIL.Image.open",
    "linecache.getline",
    "linecache.getlines",
    "fileinput.input",
    "mmap.mmap",
    "codecs.open",
    "tempfile.mkdtemp",
];
/// Beginnings of names of calls that read a file.
const FILE_CALL_STARTS: &[&str] =
    &["pandas.read_", "polars.read_", "polars.scan_", "dask.dataframe.read_", "datatable.fread"];
/// Methods of a literal text that turn it into another one, which hides what it says.
const DISGUISES: &[&str] = &[
    "replace",
    "translate",
    "lower",
    "upper",
    "swapcase",
    "casefold",
    "capitalize",
    "title",
    "strip",
    "lstrip",
    "rstrip",
];
impl Finder<'_> {
    pub(super) fn call(&mut self, call: &ExprCall) {
        let arguments: Vec<String> = call.arguments.args.iter().map(|argument| self.written(argument)).collect();
        let arguments = arguments.join(", ");
        let names = self.code.dotted(&call.func);
        if !names.is_empty() {
            self.reference(&call.func, Some(&arguments));
        }
        self.dynamic_call(call, &names, &arguments);
        self.walking_call(call, &names, &arguments);
        if let Expr::Attribute(attribute) = &*call.func {
            self.method_call(call, attribute, &arguments);
        }
        if names.iter().any(|name| is_file_call(name)) {
            self.paths(call);
        }
    }

    fn dynamic_call(&mut self, call: &ExprCall, names: &[String], arguments: &str) {
        let is_called = |name: &str| names.iter().any(|found| found == name);
        let by_name = (is_called("getattr") || is_called("setattr") || is_called("delattr"))
            && !matches!(call.arguments.args.get(1), Some(Expr::StringLiteral(_)));
        if by_name {
            let detail = "an attribute whose name is computed".to_owned();
            self.push(Breach::DynamicCode, call, (format!("getattr({arguments})"), "getattr"), detail);
        }
        if let ([owner, Expr::StringLiteral(method), ..], true) = (&*call.arguments.args, is_called("setattr")) {
            let method = method.value.to_str();
            if words::is_predicting(method) || words::is_training(method) {
                let key = format!("{}.{method}", self.written(owner));
                self.push(Breach::ConstantPredictions, call, (key, ""), format!("the method `{method}` is replaced"));
            }
        }
        if is_called("chr") || is_called("unichr") {
            self.push(Breach::DynamicCode, call, ("chr".to_owned(), "chr("), "text made of character codes".to_owned());
        }
        let first = call.arguments.args.first();
        let is_codes = matches!(first, Some(Expr::List(_) | Expr::Tuple(_) | Expr::Generator(_) | Expr::ListComp(_)));
        if (is_called("bytes") || is_called("bytearray")) && is_codes {
            let detail = "text made of character codes".to_owned();
            self.push(Breach::DynamicCode, call, (format!("bytes({arguments})"), "bytes("), detail);
        }
    }

    fn walking_call(&mut self, call: &ExprCall, names: &[String], arguments: &str) {
        let is_method = |attribute: &ExprAttribute| {
            tables::is_walking_method(attribute.attr.as_str()) && !names.iter().any(|name| tables::is_walking(name))
        };
        let root = match &*call.func {
            _ if names.iter().any(|name| tables::is_walking(name)) => call.arguments.args.first(),
            Expr::Attribute(attribute) if is_method(attribute) && self.is_path(&attribute.value) => {
                Some(&*attribute.value)
            }
            _ => return,
        };
        let roots = root.map(|root| text::fold(root, self.code)).unwrap_or_default();
        let is_inside = match root {
            None => true,
            Some(_) => !roots.is_empty() && roots.iter().all(|root| places::is_inside(root)),
        };
        if !is_inside {
            let what = root.map(|root| self.written(root)).unwrap_or_default();
            let key = format!("walk {what} {arguments}");
            let detail = format!("a search through `{}`, which is not known to lie in /kaggle", shown(&what));
            self.push(Breach::HiddenAnswers, call, (key, &what), detail);
        }
    }

    /// Whether an expression is a path object, as far as its text tells.
    fn is_path(&self, expression: &Expr) -> bool {
        match expression {
            Expr::Call(call) => self.code.dotted(&call.func).iter().any(|name| name.starts_with("pathlib.")),
            Expr::BinOp(operation) => self.is_path(&operation.left),
            Expr::Attribute(attribute) => attribute.attr.as_str() == "parent" || self.is_path(&attribute.value),
            Expr::Subscript(subscript) => self.is_path(&subscript.value),
            Expr::Name(name) => {
                let made = self.code.makers.get(name.id.as_str());
                made.is_some_and(|makers| makers.contains("Path") || makers.contains("PurePath"))
            }
            _ => false,
        }
    }

    fn method_call(&mut self, call: &ExprCall, attribute: &ExprAttribute, arguments: &str) {
        let method = attribute.attr.as_str();
        if tables::is_fetching_method(method) {
            let detail = format!("the call of `{method}`, which fetches");
            self.push(Breach::Network, call, (format!("{method}({arguments})"), method), detail);
        }
        if DISGUISES.contains(&method) && matches!(*attribute.value, Expr::StringLiteral(_) | Expr::BytesLiteral(_)) {
            let key = self.written(call);
            self.push(Breach::DynamicCode, call, (key, ""), "a literal text that is turned into another".to_owned());
        }
        if matches!(method, "query" | "eval") {
            let texts = call.arguments.args.first().map(|first| text::fold(first, self.code)).unwrap_or_default();
            let is_code = |text: &String| text.contains("__") || (text.contains('@') && text.contains('('));
            if texts.iter().any(is_code) {
                let key = format!("{method}({arguments})");
                self.push(Breach::DynamicCode, call, (key, ""), format!("code in the text of `{method}`"));
            }
        }
    }

    /// The paths that a file call is given.
    fn paths(&mut self, call: &ExprCall) {
        let keywords = call.arguments.keywords.iter().map(|keyword| &keyword.value);
        for argument in call.arguments.args.iter().take(2).chain(keywords) {
            for text in text::fold(argument, self.code) {
                // A text that starts with something unknown may be a folder of the notebook's own.
                if text.starts_with('/') || text.starts_with('~') || text.contains("..") {
                    self.judge(argument, &text, true);
                }
            }
            self.hidden_text(argument);
        }
    }

    /// A path that is computed by something else than putting texts together.
    fn hidden_text(&mut self, argument: &Expr) {
        let Expr::Call(call) = argument else { return };
        let Expr::Attribute(method) = &*call.func else { return };
        if method.attr.as_str() == "join" && text::fold(argument, self.code).is_empty() {
            let key = format!("path {}", self.written(argument));
            self.push(Breach::DynamicCode, call, (key, ""), "a path whose text cannot be told".to_owned());
        }
    }
}

fn is_file_call(name: &str) -> bool {
    FILE_CALLS.contains(&name) || FILE_CALL_STARTS.iter().any(|start| name.starts_with(start))
}
