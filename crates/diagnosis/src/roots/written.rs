//! What code writes and binds, as far as its lines tell without being read as Python.

/// Calls that make a file: methods of frames, arrays, models and figures, and the standard library's.
const WRITERS: [&str; 16] = [
    ".to_",
    "save",
    "dump",
    "write",
    "extract",
    "urlretrieve",
    "wget",
    "curl",
    "mkdir",
    "makedirs",
    "touch",
    "copy",
    "move",
    "rename",
    "download",
    "export",
];

/// Modes of `open` that make a file.
const MODES: [&str; 8] = ["'w", "\"w", "'a'", "\"a\"", "'a+", "\"a+", "'x", "\"x"];

/// Words of what unpacks an archive.
const UNPACKERS: [&str; 5] = ["extract", "unzip", "unpack", "tar x", "tar -x"];

/// Ends of the names of archives.
const ARCHIVES: [&str; 6] = [".zip", ".tar", ".tgz", ".gz", ".bz2", ".rar"];

/// What names stand for by the lines that assign them: the name, and the rest of the line.
pub(super) struct Literals<'a>(Vec<(&'a str, &'a str)>);

impl<'a> Literals<'a> {
    pub(super) fn of(sources: &[&'a str]) -> Self {
        let assigned = |line: &'a str| {
            let (name, value) = line.split_once('=')?;
            (is_identifier(name.trim()) && value.contains(['\'', '"'])).then_some((name.trim(), value))
        };
        Literals(sources.iter().flat_map(|source| source.lines()).filter_map(assigned).collect())
    }

    /// The names that stand for a text of which this holds.
    fn of_which(&self, holds: impl Fn(&str) -> bool) -> Vec<&'a str> {
        self.0.iter().filter(|(_, value)| holds(value)).map(|(name, _)| *name).collect()
    }
}

/// A file that is missed, and the names that stand for it, or for an archive that is named as its folder.
pub(super) struct MissedFile<'a> {
    file: &'a str,
    folder: Option<&'a str>,
    names: Vec<&'a str>,
    archives: Vec<&'a str>,
}

impl<'a> MissedFile<'a> {
    /// The file at the end of a path; none where the path has no part.
    pub(super) fn at(path: &'a str, literals: &Literals<'a>) -> Option<Self> {
        let mut parts = path.split(['/', '\\']).filter(|part| !part.is_empty());
        let first = parts.next()?;
        let file = parts.next_back().unwrap_or(first);
        let folder = (file != first).then_some(first);
        let has_archive = |text: &str| folder.is_some_and(|folder| has_archive_of(text, folder));
        let (names, archives) = (literals.of_which(|text| text.contains(file)), literals.of_which(has_archive));
        Some(MissedFile { file, folder, names, archives })
    }

    /// Whether some line of the code has the file, or a name that stands for it, and does something that writes; or the code unpacks such an
    /// archive.
    pub(super) fn is_written_by(&self, code: &str) -> bool {
        let has = |text: &str, names: &[&str]| names.iter().any(|name| has_word(text, name));
        let is_unpacked = || {
            UNPACKERS.iter().any(|word| code.contains(word))
                && (self.folder.is_some_and(|folder| has_archive_of(code, folder)) || has(code, &self.archives))
        };
        let mut lines = code.lines().filter(|line| is_writing(line));
        lines.any(|line| line.contains(self.file) || has(line, &self.names)) || is_unpacked()
    }
}

/// Whether a text has the name of an archive that begins with this word.
fn has_archive_of(text: &str, folder: &str) -> bool {
    let mut words = text.split(|letter: char| !(letter.is_alphanumeric() || "._-".contains(letter)));
    words.any(|word| word.starts_with(folder) && ARCHIVES.iter().any(|end| word.ends_with(end)))
}

fn has_word(text: &str, name: &str) -> bool {
    text.split(|letter: char| !(letter.is_alphanumeric() || letter == '_')).any(|word| word == name)
}

fn is_identifier(text: &str) -> bool {
    !text.is_empty()
        && !text.starts_with(|letter: char| letter.is_numeric())
        && text.chars().all(|letter| letter.is_alphanumeric() || letter == '_')
}

/// Whether code that cannot be read binds a name, as far as its lines tell: by an assignment, a definition or an import.
pub(super) fn binds_by_text(code: &str, name: &str) -> bool {
    code.lines().map(str::trim_start).any(|line| {
        let defines = ["def ", "class "].iter().any(|word| {
            let rest = line.strip_prefix(word).unwrap_or_default();
            rest.strip_prefix(name).is_some_and(|rest| rest.trim_start().starts_with(['(', ':']))
        });
        let is_import = line.starts_with("import ") || line.starts_with("from ") && line.contains(" import ");
        let target = line.split_once('=').filter(|(_, value)| !value.starts_with('=')).map(|(target, _)| target);
        let is_target =
            |target: &str| target.chars().all(|letter| letter.is_alphanumeric() || "_, ()*".contains(letter));
        defines
            || (is_import && has_word(line, name))
            || target.is_some_and(|target| is_target(target) && has_word(target, name))
    })
}

fn is_writing(line: &str) -> bool {
    WRITERS.iter().any(|word| line.contains(word))
        || line.contains("open(") && MODES.iter().any(|mode| line.contains(mode))
}
