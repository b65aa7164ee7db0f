//! What a cell does outside of its names, and to values that have several: files, folders, calls that change what they are handed.

use ruff_python_ast::{Expr, ExprCall, FStringPart, InterpolatedStringElement};

/// An act upon something that has no name in the namespace and outlives a cell.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OutsideAct {
    /// A file or folder, by the last part of its path, which is a literal text of the cell; or one of [`FOLDER`] and [`EXTENSIONS`].
    pub what: String,
    /// Whether it is made or changed; else the text stands in the cell, whatever it is for.
    pub is_written: bool,
}

/// Values that are handed to a call.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HandedValues {
    /// The function or method that is called.
    pub callee: String,
    /// The name whose method it is.
    pub owner: Option<String>,
    /// The names that are handed to it, or of whose values a part is.
    pub names: Vec<String>,
}

/// Where paths begin and modules are looked for: the working folder, and Python's search path.
pub const FOLDER: &str = "<folder>";
/// Magics that do not come with IPython.
pub const EXTENSIONS: &str = "<extensions>";

/// Functions and methods that write a file whose path they are handed as one of the first two arguments. Sources: the references of pandas, numpy,
/// matplotlib, joblib, torch, Keras, gensim, PIL, OpenCV, and the library's.
const WRITERS: &[&str] = &[
    "connect",
    "copy",
    "copy2",
    "copyfile",
    "copytree",
    "dump",
    "export_graphviz",
    "imsave",
    "imwrite",
    "makedirs",
    "mkdir",
    "mkdtemp",
    "move",
    "rename",
    "rmtree",
    "save",
    "save_model",
    "save_weights",
    "savefig",
    "savemat",
    "savetxt",
    "savez",
    "savez_compressed",
    "symlink",
    "to_csv",
    "to_excel",
    "to_feather",
    "to_hdf",
    "to_html",
    "to_json",
    "to_parquet",
    "to_pickle",
    "touch",
    "unlink",
    "urlretrieve",
    "write_bytes",
    "write_html",
    "write_image",
    "write_text",
    "ExcelWriter",
    "HDFStore",
];

/// Commands of the shell that only look at files.
const LOOKERS: &[&str] = &["cat", "du", "echo", "file", "grep", "head", "ls", "pip", "pwd", "tail", "tree", "wc"];

/// The longest path that is taken for one, in bytes.
const LONGEST_PATH: usize = 300;

/// The last part of a path.
fn last_part(path: &str) -> Option<&str> {
    let last = path.trim_end_matches(['/', '\\']).rsplit(['/', '\\']).next()?;
    (last.len() > 1 && path.len() <= LONGEST_PATH && !path.contains('\n')).then_some(last)
}

/// A text that stands in a cell.
pub(super) fn mentioned(text: &str) -> Option<OutsideAct> {
    Some(OutsideAct { what: last_part(text)?.to_owned(), is_written: false })
}

/// The files that a call writes, as far as their paths end in a literal text.
pub(super) fn written(call: &ExprCall) -> Vec<OutsideAct> {
    let (name, owner) = match &*call.func {
        Expr::Name(name) => (name.id.as_str(), None),
        Expr::Attribute(method) => (method.attr.as_str(), Some(&*method.value)),
        _ => return Vec::new(),
    };
    if name == "chdir" {
        return vec![moved()];
    }
    // A path that is made where it is used: `Path('a.txt').open('w')`.
    let path = owner.filter(|owner| owner.is_call_expr() || owner.is_bin_op_expr());
    if !(WRITERS.contains(&name) || name == "open" && opens_for_writing(call, usize::from(path.is_none()))) {
        return Vec::new();
    }
    let by_keyword = call.arguments.keywords.iter().filter(|keyword| {
        keyword.arg.as_ref().is_some_and(|name| ["path", "file", "fname", "dst"].iter().any(|part| name.contains(part)))
    });
    let mut places: Vec<&Expr> = call.arguments.args.iter().take(2).chain(by_keyword.map(|one| &one.value)).collect();
    places.extend(path);
    let mut texts = Vec::new();
    places.into_iter().for_each(|place| last_texts(place, 4, &mut texts));
    let is_folder = name.contains("dir") || name.contains("tree");
    let is_path = |text: &&str| is_folder || text.contains(['.', '/']);
    let paths = texts.into_iter().filter(is_path).filter_map(last_part);
    paths.map(|what| OutsideAct { what: what.to_owned(), is_written: true }).collect()
}

/// Another folder to work in, or to look for modules in.
pub(super) fn moved() -> OutsideAct {
    OutsideAct { what: FOLDER.to_owned(), is_written: true }
}

/// A mode with `w`, `a`, `x` or `+`, which is the argument at `place`: a member of an archive that is opened stands there too.
fn opens_for_writing(call: &ExprCall, place: usize) -> bool {
    let mode = call.arguments.find_argument_value("mode", place).and_then(Expr::as_string_literal_expr);
    let mode = mode.map(|mode| mode.value.to_str());
    mode.is_some_and(|mode| mode.contains(['w', 'a', 'x', '+']) && mode.chars().all(|c| "rwaxbt+".contains(c)))
}

/// The literal texts that a path ends with: of a sum or a call that joins parts the last one.
fn last_texts<'a>(path: &'a Expr, depth: usize, texts: &mut Vec<&'a str>) {
    let Some(depth) = depth.checked_sub(1) else { return };
    match path {
        Expr::StringLiteral(text) => texts.push(text.value.to_str()),
        Expr::FString(text) => texts.extend(text.value.iter().next_back().and_then(end_of)),
        Expr::BinOp(sum) => last_texts(&sum.right, depth, texts),
        Expr::Call(call) => call.arguments.args.iter().next_back().into_iter().for_each(|last| {
            last_texts(last, depth, texts);
        }),
        _ => {}
    }
}

/// What a part of a formatted text ends with.
fn end_of(part: &FStringPart) -> Option<&str> {
    match part {
        FStringPart::Literal(text) => Some(text.as_str()),
        FStringPart::FString(text) => text.elements.iter().next_back().and_then(|element| match element {
            InterpolatedStringElement::Literal(text) => Some(&*text.value),
            InterpolatedStringElement::Interpolation(_) => None,
        }),
    }
}

/// What a command of the shell does to the files that its words name.
pub(super) fn of_command(command: &str) -> Vec<OutsideAct> {
    let mut words = command.split_whitespace().map(|word| word.trim_matches(['"', '\'', ';']));
    let first = words.next().unwrap_or("");
    let is_written = !LOOKERS.contains(&first) || command.contains('>');
    let paths = words.filter(|word| !word.starts_with('-')).filter_map(last_part);
    paths.map(|what| OutsideAct { what: what.to_owned(), is_written }).collect()
}

/// The name that an expression is, or of whose value it takes a part.
pub(super) fn root(expression: &Expr) -> Option<&str> {
    let mut inner = expression;
    loop {
        inner = match inner {
            Expr::Name(name) => return Some(&name.id),
            Expr::Attribute(attribute) => &attribute.value,
            Expr::Subscript(subscript) => &subscript.value,
            Expr::Starred(starred) => &starred.value,
            _ => return None,
        };
    }
}

/// The names whose values an expression hands on as they are: those of its elements, if it has any.
pub(super) fn roots(expression: &Expr) -> Vec<&str> {
    match expression {
        Expr::List(list) => list.elts.iter().flat_map(flat_roots).collect(),
        Expr::Tuple(tuple) => tuple.elts.iter().flat_map(flat_roots).collect(),
        Expr::Dict(dict) => dict.items.iter().flat_map(|item| flat_roots(&item.value)).collect(),
        _ => root(expression).into_iter().collect(),
    }
}

/// Functions that hand on the items of what they are given, each as it is. Sources: the library reference; numpy on `nditer`.
const PASSING: &[&str] =
    &["enumerate", "zip", "reversed", "sorted", "list", "tuple", "iter", "filter", "chain", "nditer", "zip_longest"];
/// Methods of dicts that hand on their values.
const PASSING_METHODS: &[&str] = &["items", "values"];

/// The names whose values a loop over an expression hands on: through `enumerate`, `zip` and the like too.
pub(super) fn item_roots(expression: &Expr) -> Vec<&str> {
    let Expr::Call(call) = expression else { return roots(expression) };
    let (owner, name) = match &*call.func {
        Expr::Name(name) => (None, name.id.as_str()),
        Expr::Attribute(method) => (Some(&*method.value), method.attr.as_str()),
        _ => return Vec::new(),
    };
    match owner {
        Some(owner) if PASSING_METHODS.contains(&name) => roots(owner),
        _ if PASSING.contains(&name) => call.arguments.args.iter().flat_map(item_roots).collect(),
        _ => Vec::new(),
    }
}

/// Those of an element, which may have elements itself.
fn flat_roots(element: &Expr) -> Vec<&str> {
    match element {
        Expr::List(list) => list.elts.iter().filter_map(root).collect(),
        Expr::Tuple(tuple) => tuple.elts.iter().filter_map(root).collect(),
        _ => root(element).into_iter().collect(),
    }
}
