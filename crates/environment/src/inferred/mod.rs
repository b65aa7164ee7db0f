//! What a repository's notebooks and modules import, of what it does not hold itself.

mod local;
mod read;

use std::collections::BTreeMap;

use jiff::Timestamp;
use nbrevive_notebook::PythonVersion;
use nbrevive_pysource::unasked::Unasked;

use crate::declared::RepositoryTree;
use crate::distribution::{ImportContext, ImportProvider, from_tables, is_standard};
use local::LocalNames;
use read::SourceReading;

/// Where a module is first imported.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ImportSighting {
    /// The notebook or module, relative to the repository.
    pub file: String,
    /// Index among the code cells of a notebook, from 0; `None` in a module.
    pub cell: Option<usize>,
    /// Line in the cell or the module, from 1.
    pub line: u32,
}

/// A module that is imported and that the repository does not hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InferredName {
    /// The module, dotted, as written.
    pub module: String,
    /// Where it is first met: in a notebook, if in any.
    pub first: ImportSighting,
    /// How many notebooks and modules import it.
    pub files: usize,
    /// Whether every import of it is in a function, or in a `try` that catches its failure.
    pub is_optional: bool,
    /// Whether a notebook imports it; else modules alone do.
    pub in_notebook: bool,
}

/// An imported name that the repository holds itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldName {
    /// The first part of the module's name.
    pub name: String,
    /// What provides it, without the ending of a file.
    pub path: String,
}

/// A notebook or module whose code could not be had.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnreadSource {
    /// Relative to the repository.
    pub file: String,
    /// Why.
    pub why: String,
}

/// What a repository imports.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct InferredNames {
    /// Modules that the repository does not hold, sorted. Those of the standard library are among them, for it depends on the Python
    /// which that is: see [`Self::beyond_standard`].
    pub names: Vec<InferredName>,
    /// Names that it holds, sorted.
    pub held: Vec<HeldName>,
    /// Notebooks of Python whose code was read.
    pub notebooks: usize,
    /// Modules that were read.
    pub modules: usize,
    /// What libraries import in the stead of notebooks, sorted.
    pub unasked: Vec<Unasked>,
    /// What could not be read.
    pub unread: Vec<UnreadSource>,
    /// 2 or 3: what most of the notebooks are written in; 3 where there are none.
    pub major: u32,
    /// The lowest minor that has the syntax of all notebooks of that major; 0 where any has.
    pub minimum_minor: u32,
    /// The Python, of that major, that saved most notebooks; the newest of several.
    pub saved_by: Option<PythonVersion>,
    /// The releases of Python, of that major, that saved notebooks: one for each notebook that tells, in the order of the files.
    pub releases: Vec<String>,
}

impl InferredNames {
    /// Reads the notebooks and modules of a repository. `setup.py` is no module of it. A file that cannot be read is in
    /// [`Self::unread`].
    ///
    /// At most 20,000 files are read, notebooks first, and of each at most 128 MiB (notebooks) or 4 MiB (modules).
    #[must_use]
    pub fn read(files: &RepositoryTree) -> Self {
        let readings = read::all(files);
        let local = LocalNames::of(files.paths().iter().map(String::as_str));
        let mut gathering =
            Gathering { local: &local, found: Self::default(), names: BTreeMap::new(), held: BTreeMap::new() };
        for reading in &readings {
            gathering.add(reading);
        }
        gathering.finish(&readings)
    }

    /// Those that are in no standard library of that minor, nor brought by the kernel.
    pub fn beyond_standard(&self, minor: PythonVersion) -> impl Iterator<Item = &InferredName> {
        let is_kernel = |module: &str| matches!(module.split('.').next(), Some("IPython" | "ipykernel"));
        self.names.iter().filter(move |name| !is_standard(&name.module, minor) && !is_kernel(&name.module))
    }

    /// The distributions that the table of import names has for them at a date, sorted, each with the modules.
    #[must_use]
    pub fn distributions(&self, minor: PythonVersion, date: Timestamp) -> BTreeMap<String, Vec<&InferredName>> {
        let context = ImportContext { minor, date, local: &[] };
        let mut found: BTreeMap<String, Vec<&InferredName>> = BTreeMap::new();
        for name in &self.names {
            if let Some(ImportProvider::Distribution { name: distribution, .. }) = from_tables(&name.module, &context) {
                found.entry(distribution).or_default().push(name);
            }
        }
        found
    }
}

struct Gathering<'files> {
    local: &'files LocalNames<'files>,
    found: InferredNames,
    names: BTreeMap<String, InferredName>,
    held: BTreeMap<String, String>,
}

impl Gathering<'_> {
    fn add(&mut self, reading: &SourceReading) {
        let extra: Vec<String> =
            reading.extra_paths.iter().filter_map(|path| local::added(&reading.folder, path)).collect();
        let mut here: BTreeMap<&str, bool> = BTreeMap::new();
        for import in &reading.imports {
            let top = import.module.split('.').next().unwrap_or(&import.module);
            if reading.written.iter().any(|written| written == top) {
                continue;
            }
            if let Some(path) = self.held_by(top, &reading.folder, &extra) {
                self.held.entry(top.to_owned()).or_insert(path);
                continue;
            }
            let is_new = here.insert(&import.module, true).is_none();
            let first = ImportSighting { file: reading.file.clone(), cell: import.cell, line: import.line };
            let in_notebook = reading.is_notebook;
            let known = self.names.entry(import.module.clone()).or_insert_with(|| InferredName {
                module: import.module.clone(),
                first,
                files: 0,
                is_optional: true,
                in_notebook,
            });
            known.files += usize::from(is_new);
            known.is_optional &= import.is_optional;
            known.in_notebook |= in_notebook;
        }
    }

    /// Where the repository holds a name itself. What it holds perhaps gives way to a distribution that the table knows, whenever.
    fn held_by(&self, top: &str, folder: &str, extra: &[String]) -> Option<String> {
        let is_known = || crate::distribution::is_in_table(top) || crate::distribution::is_ever_standard(top);
        self.local.surely(top, folder, extra).or_else(|| self.local.perhaps(top, folder, extra).filter(|_| !is_known()))
    }

    fn finish(self, readings: &[SourceReading]) -> InferredNames {
        let mut found = self.found;
        found.names = self.names.into_values().collect();
        found.held = self.held.into_iter().map(|(name, path)| HeldName { name, path }).collect();
        let read = || readings.iter().filter(|reading| reading.why_unread.is_none());
        found.notebooks = read().filter(|reading| reading.is_notebook).count();
        found.modules = read().filter(|reading| !reading.is_notebook).count();
        found.unasked = read().flat_map(|reading| reading.unasked.iter().copied()).collect();
        found.unasked.sort_unstable();
        found.unasked.dedup();
        let unread = readings.iter().filter_map(|reading| Some((&reading.file, reading.why_unread.as_ref()?)));
        found.unread = unread.map(|(file, why)| UnreadSource { file: file.clone(), why: why.clone() }).collect();
        let of_notebooks = || read().filter(|reading| reading.is_notebook && reading.is_python);
        let twos = of_notebooks().filter(|reading| reading.major == 2).count();
        found.major = if 2 * twos > of_notebooks().count() { 2 } else { 3 };
        let of_major = || of_notebooks().filter(|reading| reading.major == found.major);
        found.minimum_minor = of_major().map(|reading| reading.minimum_minor).max().unwrap_or(0);
        let mut savers: BTreeMap<PythonVersion, usize> = BTreeMap::new();
        for minor in of_major().filter_map(|reading| reading.saved_by).filter(|minor| minor.major == found.major) {
            *savers.entry(minor).or_default() += 1;
        }
        found.releases = of_major().filter_map(|reading| reading.saved_by_release.clone()).collect();
        // Of equals the last, and minors ascend.
        found.saved_by = savers.into_iter().max_by_key(|(_, notebooks)| *notebooks).map(|(minor, _)| minor);
        found
    }
}
