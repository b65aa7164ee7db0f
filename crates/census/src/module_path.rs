//! Dotted names of modules: of files, relative ones, public ones.

use crate::class::is_public;

/// Packages of generated or internal modules, which nobody means.
const NOT_MEANT: [&str; 3] = ["validators", "sphinxext", "src"];

/// What `.x` of a lazy loader means.
pub(crate) fn absolute(module: &str, from: &str) -> String {
    from.strip_prefix('.').map_or_else(|| from.to_owned(), |inner| format!("{module}.{inner}"))
}

/// Whether users may mean a module.
pub(crate) fn is_public_path(path: &str) -> bool {
    path.split('.').all(|part| is_public(part) && !NOT_MEANT.contains(&part))
}

/// The module in a file, and whether it is a package.
pub(crate) fn module_of(path: &str) -> Option<(String, bool)> {
    let stem = path.strip_suffix(".py").or_else(|| path.strip_suffix(".pyi"))?;
    let dotted = stem.replace('/', ".");
    Some(match dotted.strip_suffix(".__init__") {
        Some(package) => (package.to_owned(), true),
        None => (dotted, false),
    })
}

/// The module of compiled code in a file.
pub(crate) fn compiled_module(path: &str) -> Option<String> {
    let (folder, name) = path.rsplit_once('/')?;
    Some(format!("{}.{}", folder.replace('/', "."), name.split('.').next()?))
}

/// Whether a module is another one, or lies in it.
pub(crate) fn is_within(module: &str, other: &str) -> bool {
    module.strip_prefix(other).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}
