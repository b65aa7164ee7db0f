//! Notebooks and modules of a repository, read one by one.

use nbrevive_files::FileError;
use nbrevive_notebook::{
    Language, PythonVersion, language, python_major_hint, python_release_hint, python_version_hint, read_code,
};
use nbrevive_pysource::dialect::Major;
use nbrevive_pysource::imports::{How, Import};
use nbrevive_pysource::script::{decode, script_cells};
use nbrevive_pysource::survey::{Survey, survey};
use nbrevive_pysource::unasked::{Unasked, unasked};
use rayon::iter::{IntoParallelIterator as _, ParallelIterator as _};

use crate::declared::{RepositoryTree, folder_of, name_of};

/// Most notebooks and modules that are read.
const MOST_SOURCES: usize = 20_000;
/// Longest notebook, in bytes.
const LONGEST_NOTEBOOK: u64 = 128 << 20;
/// Longest module, in bytes.
const LONGEST_MODULE: u64 = 4 << 20;

/// An import of a file.
#[derive(Debug)]
pub(super) struct SeenImport {
    pub(super) module: String,
    pub(super) cell: Option<usize>,
    pub(super) line: u32,
    pub(super) is_optional: bool,
}

/// What one file says.
#[derive(Debug, Default)]
pub(super) struct SourceReading {
    pub(super) file: String,
    pub(super) folder: String,
    pub(super) is_notebook: bool,
    pub(super) is_python: bool,
    pub(super) imports: Vec<SeenImport>,
    /// What libraries import in its stead, where it is a notebook.
    pub(super) unasked: Vec<Unasked>,
    /// Modules that it writes itself.
    pub(super) written: Vec<String>,
    pub(super) extra_paths: Vec<String>,
    pub(super) major: u32,
    pub(super) minimum_minor: u32,
    pub(super) saved_by: Option<PythonVersion>,
    pub(super) saved_by_release: Option<String>,
    pub(super) why_unread: Option<String>,
}

/// Reads all, notebooks first.
pub(super) fn all(files: &RepositoryTree) -> Vec<SourceReading> {
    let is_module = |path: &&str| path.ends_with(".py") && name_of(path) != "setup.py";
    let modules = files.paths().iter().map(String::as_str).filter(is_module);
    let sources: Vec<&str> = files.notebooks().chain(modules).collect();
    let (read, left) = sources.split_at(sources.len().min(MOST_SOURCES));
    let mut readings: Vec<SourceReading> = read.to_vec().into_par_iter().map(|path| source(files, path)).collect();
    if let Some(first) = left.first() {
        let why = format!("this and {} more: only {MOST_SOURCES} files are read", left.len() - 1);
        readings.push(SourceReading { why_unread: Some(why), ..SourceReading::of(first) });
    }
    readings
}

fn source(files: &RepositoryTree, path: &str) -> SourceReading {
    let mut reading = SourceReading::of(path);
    let most = if reading.is_notebook { LONGEST_NOTEBOOK } else { LONGEST_MODULE };
    match files.read(path, most) {
        Ok(bytes) if reading.is_notebook => reading.notebook(&bytes),
        Ok(bytes) => reading.module(&decode(&bytes)),
        Err(error) => reading.why_unread = Some(why(&error)),
    }
    reading
}

impl SourceReading {
    fn of(path: &str) -> Self {
        Self {
            file: path.to_owned(),
            folder: folder_of(path).to_owned(),
            is_notebook: path.ends_with(".ipynb"),
            ..Self::default()
        }
    }

    fn notebook(&mut self, bytes: &[u8]) {
        let notebook = match read_code(bytes) {
            Ok(notebook) => notebook,
            Err(error) => {
                self.why_unread = Some(error.to_string());
                return;
            }
        };
        let language = language(&notebook);
        if language != Language::Python {
            self.why_unread = Some(format!("its language is {language}"));
            return;
        }
        let survey = survey(&notebook.code_sources());
        self.unasked = unasked(&notebook.code_sources());
        self.is_python = true;
        self.saved_by = python_version_hint(&notebook);
        self.saved_by_release = python_release_hint(&notebook);
        self.major = major(&survey, python_major_hint(&notebook));
        self.survey(&survey, |import| (Some(import.cell), import.line));
    }

    fn module(&mut self, text: &str) {
        let cells = script_cells(text);
        let sources: Vec<&str> = cells.iter().map(|cell| cell.source.as_ref()).collect();
        let survey = survey(&sources);
        self.is_python = true;
        self.survey(&survey, |import| {
            let start = cells.get(import.cell).map_or(1, |cell| cell.line);
            (None, start.saturating_add(import.line).saturating_sub(1))
        });
    }

    fn survey(&mut self, survey: &Survey, place: impl Fn(&Import) -> (Option<usize>, u32)) {
        self.minimum_minor = survey.dialect.minimum_minor;
        self.written.clone_from(&survey.written_modules);
        self.extra_paths = survey.extra_paths.iter().map(|extra| extra.path.clone()).collect();
        let absolute = survey.imports.iter().filter(|import| import.level == 0 && !import.module.is_empty());
        self.imports = absolute
            .map(|import| {
                let (cell, line) = place(import);
                let is_optional = matches!(import.how, How::TryExcept { .. } | How::FunctionLevel);
                SeenImport { module: import.module.clone(), cell, line, is_optional }
            })
            .collect();
    }
}

/// 2 or 3: by the code; where both can run it, or where it does not contradict a file that Python 2 saved, by the file.
fn major(survey: &Survey, hint: Option<u32>) -> u32 {
    let dialect = &survey.dialect;
    let says_three = dialect.why.iter().any(|marker| marker.sign.is_strong() && marker.sign.major() == Major::Three);
    match hint {
        Some(hint) if dialect.why.is_empty() || (hint == 2 && !says_three) => hint,
        _ => dialect.major.number(),
    }
}

/// Why, without the place of the repository on this machine.
fn why(error: &FileError) -> String {
    match error {
        FileError::Outside { .. } => "it leads out of the repository".to_owned(),
        FileError::TooLong { most, .. } => format!("it has more than {most} bytes"),
        FileError::NotRegular { kind, .. } => format!("it is {kind}"),
        FileError::Read { source, .. } => source.to_string(),
        _ => "it cannot be read".to_owned(),
    }
}
