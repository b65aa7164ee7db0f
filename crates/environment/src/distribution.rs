//! From an imported module to the distribution that provides it.
//!
//! In order: the standard library of the chosen minor needs none; modules known to have none are told with their
//! reason; a table of names (`data/import_names.csv`, longest dotted prefix first); at last the normalised name
//! itself, but only if the index has it, and then recorded as such. Nothing is guessed silently.

use std::collections::HashMap;
use std::fmt;
use std::sync::LazyLock;

use crate::index::{Index, IndexError, Lookup};
use crate::interpreter::Minor;
use crate::table::rows;
use crate::versions::{is_name, normalise};

/// What an imported module needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Provider {
    /// Nothing, for a reason.
    Nothing(Skip),
    /// A distribution, by its normalised name.
    Distribution {
        /// Normalised name.
        name: String,
        /// How the name was found.
        how: NameSource,
    },
    /// No distribution is known.
    Unresolved(UnresolvedReason),
}

/// Why an import needs no distribution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Skip {
    /// Part of the standard library of the chosen minor.
    StandardLibrary,
    /// Relative, or of a file beside the notebook.
    Local,
    /// The kernel brings it (`IPython`, `ipykernel`).
    Kernel,
}

/// How a distribution's name was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameSource {
    /// The table of import names.
    Table,
    /// The index has a distribution of the module's own name.
    SameName,
}

/// Why no distribution is known for a module or requirement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UnresolvedReason {
    /// Known to be on no index; the table says why.
    Unavailable(&'static str),
    /// Neither in the table nor on the index.
    UnknownName,
    /// The standard library had it, but not in the chosen minor.
    OtherMinor,
    /// The index has the name but no installable release.
    NoRelease,
    /// A requirement that names a location instead of a distribution, or that cannot be read.
    NotFromIndex,
}

impl fmt::Display for UnresolvedReason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Unavailable(why) => why,
            Self::UnknownName => "neither in the table of import names nor on the index",
            Self::OtherMinor => "standard library of another Python",
            Self::NoRelease => "no installable release on the index",
            Self::NotFromIndex => "no requirement that an index can serve",
        })
    }
}

struct Module {
    added: Minor,
    removed: Option<Minor>,
}

static NAMES: LazyLock<HashMap<&str, &str>> =
    LazyLock::new(|| rows(include_str!("../data/import_names.csv"), 2).map(|row| (row[0], row[1])).collect());

static UNAVAILABLE: LazyLock<HashMap<&str, &str>> =
    LazyLock::new(|| rows(include_str!("../data/unavailable.csv"), 2).map(|row| (row[0], row[1])).collect());

static STANDARD: LazyLock<HashMap<&str, Vec<Module>>> = LazyLock::new(|| {
    let mut modules: HashMap<&str, Vec<Module>> = HashMap::new();
    for row in rows(include_str!("../data/stdlib.csv"), 3) {
        let added = row[1].parse().expect("the table's minors are numbers");
        let removed = Some(row[2])
            .filter(|text| !text.is_empty())
            .map(|text| text.parse().expect("the table's minors are numbers"));
        modules.entry(row[0]).or_default().push(Module { added, removed });
    }
    modules
});

/// Modules that come with the kernel layer and never need the environment.
const KERNEL_MODULES: [&str; 2] = ["IPython", "ipykernel"];

/// Whether a top-level module belongs to the standard library of that minor (Linux).
#[must_use]
pub fn is_standard(module: &str, minor: Minor) -> bool {
    let within = |row: &Module| row.added <= minor && row.removed.is_none_or(|removed| minor < removed);
    STANDARD.get(top_level(module)).is_some_and(|found| found.iter().any(within))
}

fn top_level(module: &str) -> &str {
    module.split('.').next().unwrap_or(module)
}

/// The longest dotted prefix of a module that is in a table.
fn longest<'table>(table: &HashMap<&'table str, &'table str>, module: &str) -> Option<&'table str> {
    let mut prefix = module;
    loop {
        if let Some(found) = table.get(prefix) {
            return Some(found);
        }
        prefix = prefix.rsplit_once('.')?.0;
    }
}

/// What the tables alone say of a module; `None` where the index has to be asked.
#[must_use]
pub fn from_tables(module: &str, minor: Minor) -> Option<Provider> {
    if module.is_empty() || module.starts_with('.') {
        return Some(Provider::Nothing(Skip::Local));
    }
    if is_standard(module, minor) {
        return Some(Provider::Nothing(Skip::StandardLibrary));
    }
    if KERNEL_MODULES.contains(&top_level(module)) {
        return Some(Provider::Nothing(Skip::Kernel));
    }
    if let Some(why) = longest(&UNAVAILABLE, module) {
        return Some(Provider::Unresolved(UnresolvedReason::Unavailable(why)));
    }
    if let Some(name) = longest(&NAMES, module) {
        return Some(Provider::Distribution { name: normalise(name), how: NameSource::Table });
    }
    // `cPickle` on Python 3 fails in the notebook as it should: a distribution of that name is another thing.
    if STANDARD.contains_key(top_level(module)) {
        return Some(Provider::Unresolved(UnresolvedReason::OtherMinor));
    }
    None
}

/// What a module needs, the index asked where the tables do not know.
///
/// # Errors
/// [`IndexError`] when the index had to be asked and gave no answer.
pub fn provider(module: &str, minor: Minor, index: &Index) -> Result<Provider, IndexError> {
    if let Some(known) = from_tables(module, minor) {
        return Ok(known);
    }
    let top = top_level(module);
    if !is_name(top) {
        return Ok(Provider::Unresolved(UnresolvedReason::UnknownName));
    }
    Ok(match index.history(top)? {
        Lookup::Known { .. } => Provider::Distribution { name: normalise(top), how: NameSource::SameName },
        Lookup::Absent => Provider::Unresolved(UnresolvedReason::UnknownName),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const THREE_SIX: Minor = Minor { major: 3, minor: 6 };
    const TWO_SEVEN: Minor = Minor { major: 2, minor: 7 };

    fn named(module: &str) -> String {
        match from_tables(module, THREE_SIX) {
            Some(Provider::Distribution { name, how: NameSource::Table }) => name,
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn the_table_knows_names_that_differ() {
        assert_eq!(named("sklearn.model_selection"), "scikit-learn");
        assert_eq!(named("PIL.Image"), "pillow");
        assert_eq!(named("cv2"), "opencv-python");
        assert_eq!(named("mpl_toolkits.mplot3d"), "matplotlib");
        assert_eq!(named("mpl_toolkits.basemap.pyproj"), "basemap");
        assert_eq!(named("google.cloud.bigquery"), "google-cloud-bigquery");
    }

    #[test]
    fn the_standard_library_depends_on_the_minor() {
        assert!(
            is_standard("os.path", THREE_SIX)
                && is_standard("cPickle", TWO_SEVEN)
                && !is_standard("dataclasses", THREE_SIX)
        );
        assert_eq!(from_tables("json", THREE_SIX), Some(Provider::Nothing(Skip::StandardLibrary)));
        assert_eq!(from_tables("cPickle", THREE_SIX), Some(Provider::Unresolved(UnresolvedReason::OtherMinor)));
        assert_eq!(named("dataclasses"), "dataclasses");
    }

    #[test]
    fn what_no_index_has_is_told_with_its_reason() {
        assert_eq!(
            from_tables("kaggle_secrets", THREE_SIX),
            Some(Provider::Unresolved(UnresolvedReason::Unavailable("exists only in Kaggle's image")))
        );
        assert!(matches!(from_tables("google.colab.files", THREE_SIX), Some(Provider::Unresolved(_))));
        assert_eq!(from_tables("IPython.display", THREE_SIX), Some(Provider::Nothing(Skip::Kernel)));
        assert_eq!(from_tables(".helpers", THREE_SIX), Some(Provider::Nothing(Skip::Local)));
        assert_eq!(from_tables("my_unheard_of_module", THREE_SIX), None);
    }

    #[test]
    fn every_row_of_the_tables_is_usable() {
        assert!(NAMES.len() > 1000 && STANDARD.len() > 350);
        assert!(NAMES.values().all(|name| is_name(name)));
        assert!(UNAVAILABLE.values().all(|why| !why.is_empty()));
    }
}
