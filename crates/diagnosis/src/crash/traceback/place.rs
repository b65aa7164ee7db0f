//! The line of a traceback that begins a frame: whose code runs there.

/// Whose code a frame runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place<'text> {
    /// A cell of the notebook, with the count in its prompt where the name tells it (`In[3]`, `<ipython-input-3-…>`).
    Cell(Option<u32>),
    /// An installed package, by the name that is imported.
    Package(&'text str),
    /// The standard library, by module.
    Standard(&'text str),
    /// Any other file: the author's own, by its path.
    File(&'text str),
}

impl<'text> Place<'text> {
    /// The package's name, of one that was installed.
    #[must_use]
    pub fn package(&self) -> Option<&'text str> {
        match self {
            Self::Package(name) => Some(name),
            Self::Cell(_) | Self::Standard(_) | Self::File(_) => None,
        }
    }
}

type Head<'text> = (Place<'text>, Option<u32>, Option<&'text str>);

/// Reads the beginning of a frame, in each form that there is:
///
/// - `Cell In[34], line 3, in f(x)`, `Input In [18], in <cell line: 2>()`;
/// - `File ~/lib/pandas/core/frame.py:3807, in DataFrame.__getitem__(self, key)`, `File <timed exec>:17, in f()`;
/// - `<ipython-input-3-1699cf> in f(x)`, `/tmp/ipykernel_23/3019.py in <module>`, `~/a.py in f(x)`, `pandas/_libs/index.pyx in f()`;
/// - `C:\a b\c.ipynb Cell 5 in <cell line: 2>()`, `/a/c.ipynb Cell 5' in f(x)`, `/a/c.ipynb Cell 5 line 2`, as VS Code has it;
/// - `  File "a.py", line 3, in f`.
pub(super) fn head(line: &str) -> Option<Head<'_>> {
    let text = line.trim_start();
    if let Some(rest) = text.strip_prefix("Cell In[").or_else(|| text.strip_prefix("Input In [")) {
        let (count, rest) = rest.split_once(']')?;
        return Some((Place::Cell(count.trim().parse().ok()), number_after(rest, "line "), function_after(rest)));
    }
    if let Some(rest) = text.strip_prefix("File \"") {
        let (path, rest) = rest.split_once('"')?;
        return Some((place(path), number_after(rest, "line "), function_after(rest)));
    }
    if let Some(rest) = text.strip_prefix("File ") {
        let (file, rest) = rest.split_once(", in ").map_or((rest, ""), |(file, function)| (file, function));
        let (path, number) = file.rsplit_once(':').map_or((file, None), |(path, number)| (path, number.parse().ok()));
        return looks_like_file(path).then(|| (place(path), number, function(rest)));
    }
    // An arrow, or code that is indented, is no head of the older form.
    if text.len() < line.len() {
        return None;
    }
    // The number is the cell's place in the notebook, and no count.
    if let Some((_, rest)) = line.split_once(".ipynb Cell ")
        && rest.starts_with(|letter: char| letter.is_ascii_digit())
    {
        return Some((Place::Cell(None), number_after(rest, "line "), function_after(rest)));
    }
    let (path, rest) = line.split_once(" in ")?;
    looks_like_file(path).then(|| (place(path), None, function(rest)))
}

/// What decorators generate stands between two frames that are told, and has no code.
fn looks_like_file(path: &str) -> bool {
    path.starts_with('<') && path.ends_with('>') && !path.starts_with("<decorator-gen-")
        || [".py", ".pyx", ".pyc", ".pxi", ".pxd", ".ipynb", ".so"].iter().any(|ending| path.ends_with(ending))
        || path.starts_with("<__array_function__")
}

/// `, in f(x)`.
fn function_after(rest: &str) -> Option<&str> {
    rest.split_once("in ").and_then(|(_, name)| function(name))
}

/// The name before the parameters, the last part of `pandas._libs.index.IndexEngine.get_loc`; none for the top level of a file.
fn function(text: &str) -> Option<&str> {
    let name = text.split('(').next().unwrap_or("").trim();
    let is_scope = name.starts_with("<module") || name.starts_with("<cell line");
    let last = name.rsplit('.').next().unwrap_or(name);
    (!is_scope && !last.is_empty()).then_some(last)
}

fn number_after(text: &str, marker: &str) -> Option<u32> {
    let rest = &text[text.find(marker)? + marker.len()..];
    let digits = rest.find(|letter: char| !letter.is_ascii_digit()).map_or(rest, |end| &rest[..end]);
    digits.parse().ok()
}

/// Folders in which packages are installed.
const PACKAGES: [&str; 4] = ["site-packages", "dist-packages", "local-packages", "egg"];

/// Names that front ends and magics give to the code of a cell.
const OF_CELLS: [&str; 4] = ["<timed ", "<string>", "<magic-timeit", "<command-"];

/// Whose code a path leads to.
fn place(path: &str) -> Place<'_> {
    if let Some(rest) = path.strip_prefix("<ipython-input-") {
        return Place::Cell(rest.split('-').next().and_then(|count| count.parse().ok()));
    }
    let parts = || path.split(['/', '\\']);
    let is_cell = OF_CELLS.iter().any(|start| path.starts_with(start));
    if is_cell || parts().any(|part| part.starts_with("ipykernel_") || part.starts_with("ipython-input-")) {
        return Place::Cell(None);
    }
    if let Some(module) = path.strip_prefix("<frozen ") {
        return Place::Standard(module_name(module.trim_end_matches('>')));
    }
    let mut folders = parts().skip_while(|part| !PACKAGES.iter().any(|known| part.ends_with(known)));
    // `site-packages/Keras-2.1.5-py3.6.egg/keras/…`: the last of such folders counts.
    let after = folders.by_ref().find(|part| !PACKAGES.iter().any(|known| part.ends_with(known)));
    if let Some(name) = after {
        return Place::Package(module_name(name));
    }
    let is_python =
        |part: &str| part.strip_prefix("python").is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let mut in_library = parts().skip_while(|part| *part != "lib" && *part != "Lib").skip(1);
    match in_library.next() {
        Some(part) if is_python(part) => {
            in_library.next().map_or(Place::File(path), |name| Place::Standard(module_name(name)))
        }
        Some(name) if path.contains(":\\") || path.starts_with("~\\") => Place::Standard(module_name(name)),
        _ if path.ends_with(".pyx") || path.ends_with(".pxi") || path.starts_with("<__array_function__") => {
            compiled(path)
        }
        _ => Place::File(path),
    }
}

/// A compiled module is named from its package: `pandas/_libs/index.pyx`, `mtrand.pyx`, `_catboost.pyx`.
fn compiled(path: &str) -> Place<'_> {
    let first = path.split(['/', '\\']).next().unwrap_or(path);
    match module_name(first) {
        "mtrand" | "<__array_function__ internals>" => Place::Package("numpy"),
        name => Place::Package(name.trim_start_matches('_')),
    }
}

fn module_name(part: &str) -> &str {
    part.split('.').next().unwrap_or(part)
}
