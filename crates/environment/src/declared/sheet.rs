//! What one file says, put together by the reader of its kind.

use nbrevive_pysource::requirements::{RequirementsEntry, Tool, requirements_file};

use super::conda_names::{CondaMeaning, conda_meaning};
use super::precedence::Declaring;
use super::python_version::python_specifiers;
use super::row::{
    DeclarationKind, DeclarationStanding, DeclaredRequirement, PythonWish, SystemPackage, UnreadDeclaration,
    UnreadReason,
};
use crate::requirement::{NamedRequirement, NotARequirement, Requirement};

/// Most rows of one file.
const MOST_ROWS: usize = 5_000;
/// Longest piece that is kept, in characters.
const LONGEST_PIECE: usize = 300;

/// A file that another one names.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Follow {
    pub(super) line: u32,
    pub(super) name: String,
    pub(super) standing: DeclarationStanding,
}

/// The rows of one file.
#[derive(Debug)]
pub(super) struct Sheet {
    pub(super) file: String,
    pub(super) kind: DeclarationKind,
    /// What becomes of requirements, unless their place in the file says otherwise.
    pub(super) standing: DeclarationStanding,
    rank: u32,
    pub(super) requirements: Vec<DeclaredRequirement>,
    pub(super) pythons: Vec<PythonWish>,
    pub(super) system: Vec<SystemPackage>,
    pub(super) unread: Vec<UnreadDeclaration>,
    pub(super) follow: Vec<Follow>,
    is_full: bool,
}

impl Sheet {
    pub(super) fn of(file: &Declaring) -> Self {
        Self {
            file: file.path.clone(),
            kind: file.kind,
            standing: file.standing,
            rank: file.rank,
            requirements: Vec::new(),
            pythons: Vec::new(),
            system: Vec::new(),
            unread: Vec::new(),
            follow: Vec::new(),
            is_full: false,
        }
    }

    /// A standing that is no stronger than that of the file.
    pub(super) fn at_most(&self, standing: DeclarationStanding) -> DeclarationStanding {
        if self.standing == DeclarationStanding::Counts { standing } else { self.standing }
    }

    /// Something that is not followed or cannot be read.
    pub(super) fn leave(&mut self, line: u32, piece: &str, reason: UnreadReason, detail: &str) {
        if !self.has_room() {
            return;
        }
        let detail = detail.split_whitespace().collect::<Vec<_>>().join(" ");
        self.unread.push(UnreadDeclaration {
            file: self.file.clone(),
            line,
            piece: shortened(piece),
            reason,
            detail: shortened(&detail),
        });
    }

    /// Another file, named by this one.
    pub(super) fn follow(&mut self, line: u32, name: &str, standing: DeclarationStanding) {
        if self.has_room() {
            self.follow.push(Follow { line, name: name.to_owned(), standing: self.at_most(standing) });
        }
    }

    /// A wish for a version of Python.
    pub(super) fn python(&mut self, line: u32, written: &str) {
        let Some(specifiers) = python_specifiers(written) else {
            self.leave(line, written, UnreadReason::Unreadable, "no version of Python such as 3.8");
            return;
        };
        if self.has_room() {
            self.pythons.push(PythonWish {
                written: shortened(written),
                specifiers,
                file: self.file.clone(),
                line,
                kind: self.kind,
                standing: self.standing,
            });
        }
    }

    /// A package of the system.
    pub(super) fn system(&mut self, line: u32, name: &str, is_apt: bool, note: &str) {
        if self.has_room() {
            let (file, standing) = (self.file.clone(), self.standing);
            let (name, note) = (shortened(name), note.to_owned());
            self.system.push(SystemPackage { name, file, line, is_apt, standing, note });
        }
    }

    /// A requirement as pip takes it: with a name, a path or an address.
    pub(super) fn pip(&mut self, line: u32, text: &str, standing: DeclarationStanding, note: &str) {
        self.pip_entry(line, text, false, &[], standing, note);
    }

    /// Lines as they stand in a requirements file.
    pub(super) fn entry(&mut self, line: u32, tool: Tool, entry: RequirementsEntry, standing: DeclarationStanding) {
        match entry {
            RequirementsEntry::Requirement { text, .. } if tool == Tool::Conda => self.conda(line, &text, standing),
            RequirementsEntry::Requirement { text, is_editable, hashes } => {
                self.pip_entry(line, &text, is_editable, &hashes, standing, "");
            }
            RequirementsEntry::File(name) => self.follow(line, &name, standing),
            RequirementsEntry::Constraints(name) => self.follow(line, &name, DeclarationStanding::Constraint),
            RequirementsEntry::Option { name, value } => self.option(line, &name, &value),
            RequirementsEntry::Unknown(text) => self.leave(line, &text, UnreadReason::Variable, ""),
        }
    }

    fn option(&mut self, line: u32, name: &str, value: &str) {
        let is_index = ["-i", "-f", "--index-url", "--extra-index-url", "--find-links", "--no-index", "--trusted-host"];
        let reason = if is_index.contains(&name) { UnreadReason::Index } else { UnreadReason::Option };
        let harmless = ["--require-hashes", "--pre", "--prefer-binary", "--no-binary", "--only-binary"];
        if !harmless.contains(&name) {
            self.leave(line, format!("{name} {value}").trim(), reason, "");
        }
    }

    fn pip_entry(
        &mut self,
        line: u32,
        text: &str,
        is_editable: bool,
        hashes: &[String],
        standing: DeclarationStanding,
        note: &str,
    ) {
        let reason = if is_editable { UnreadReason::Editable } else { UnreadReason::Location };
        let read = NamedRequirement::parse(text).and_then(|named| Requirement::parse(named.as_str()));
        let requirement = match read {
            Ok(requirement) => requirement,
            Err(NotARequirement::Location(_)) => {
                self.leave(line, text, reason, "");
                let Some(bare) = name_of_address(text) else { return };
                bare
            }
            Err(NotARequirement::Unreadable(_)) => {
                let detail = "no name with a version range such as pandas>=0.25";
                self.leave(line, text, UnreadReason::Unreadable, detail);
                return;
            }
        };
        self.push(line, text, requirement, hashes, standing, note);
    }

    /// A requirement of conda, as [`requirements_file`] spells it, or as it stands in a list.
    pub(super) fn conda(&mut self, line: u32, text: &str, standing: DeclarationStanding) {
        let spelt = match requirements_file(text, Tool::Conda).pop().map(|line| line.entry) {
            Some(RequirementsEntry::Requirement { text, .. }) => text,
            _ => text.to_owned(),
        };
        let end = spelt.find(|found: char| !(found.is_ascii_alphanumeric() || "-_.".contains(found)));
        let (name, bound) = spelt.split_at(end.unwrap_or(spelt.len()));
        if name.eq_ignore_ascii_case("python") {
            if !bound.is_empty() {
                self.python(line, bound);
            }
            return;
        }
        match conda_meaning(name) {
            CondaMeaning::Other(note) => self.system(line, text, false, note),
            CondaMeaning::CondaOnly(note) => self.leave(line, text, UnreadReason::CondaOnly, note),
            CondaMeaning::Distribution { name: index_name, keeps_version } => {
                let renamed = crate::versions::normalise(name) != crate::versions::normalise(index_name);
                let note = if renamed { format!("conda's {name}") } else { "conda's name taken as the index's".into() };
                let bound = if keeps_version { bound } else { "" };
                let requirement = NamedRequirement::parse(&format!("{index_name}{bound}"))
                    .and_then(|named| Requirement::parse(named.as_str()));
                match requirement {
                    Ok(requirement) => self.push(line, text, requirement, &[], standing, &note),
                    Err(_) => {
                        self.leave(
                            line,
                            text,
                            UnreadReason::Unreadable,
                            "no version that the index's names could have",
                        );
                        if let Some(bare) = Requirement::read(index_name) {
                            self.push(line, text, bare, &[], standing, &note);
                        }
                    }
                }
            }
        }
    }

    fn push(
        &mut self,
        line: u32,
        text: &str,
        requirement: Requirement,
        hashes: &[String],
        standing: DeclarationStanding,
        note: &str,
    ) {
        if self.has_room() {
            self.requirements.push(DeclaredRequirement {
                requirement,
                written: shortened(text),
                file: self.file.clone(),
                line,
                kind: self.kind,
                standing: self.at_most(standing),
                hashes: hashes.to_vec(),
                note: shortened(note),
                rank: self.rank,
            });
        }
    }

    fn has_room(&mut self) -> bool {
        let rows = self.requirements.len() + self.unread.len() + self.system.len() + self.pythons.len();
        let has_room = rows + self.follow.len() < MOST_ROWS;
        if !has_room && !self.is_full {
            self.is_full = true;
            self.unread.push(UnreadDeclaration {
                file: self.file.clone(),
                line: 0,
                piece: String::new(),
                reason: UnreadReason::TooLong,
                detail: format!("more than {MOST_ROWS} entries"),
            });
        }
        has_room
    }
}

/// What an address tells of what is there: the name, with extras and marker, beside it (`name @ address`), that of its `#egg=`, or the name and
/// version of a wheel or source archive.
fn name_of_address(text: &str) -> Option<Requirement> {
    let (address, marker) = text.split_once(" ;").unwrap_or((text, ""));
    let marker = if marker.is_empty() { String::new() } else { format!(" ;{marker}") };
    let named = |name: &str| {
        let named = NamedRequirement::parse(&format!("{}{marker}", name.trim())).ok()?;
        Requirement::read(named.as_str())
    };
    let is_bare = |requirement: &Requirement| requirement.bound.is_empty();
    let beside = address.split_once('@').and_then(|(name, _)| named(name).filter(is_bare));
    let egg = || named(address.split_once("#egg=")?.1.split('&').next()?).filter(is_bare);
    beside.or_else(egg).or_else(|| named(&of_archive(address)?))
}

/// `idna==2.10` of `https://h/idna-2.10-py2.py3-none-any.whl` or `./idna-2.10.tar.gz`. What stands behind `+` no index has.
fn of_archive(address: &str) -> Option<String> {
    let file = address.split(['?', '#']).next()?.trim().rsplit('/').next()?;
    let (name, version) = match file.strip_suffix(".whl") {
        Some(wheel) => wheel.split_once('-').map(|(name, rest)| (name, rest.split('-').next().unwrap_or(rest)))?,
        None => {
            [".tar.gz", ".zip", ".tar.bz2", ".tgz"].iter().find_map(|end| file.strip_suffix(end))?.rsplit_once('-')?
        }
    };
    let version = version.split("%2B").next()?.split('+').next()?;
    version.starts_with(|found: char| found.is_ascii_digit()).then(|| format!("{name}=={version}"))
}

/// A piece on one line, without user and password of an address, cut where it is long.
fn shortened(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("://") {
        let (before, behind) = rest.split_at(at + 3);
        out.push_str(before);
        let end = behind.find(|found: char| "/?#".contains(found) || found.is_whitespace()).unwrap_or(behind.len());
        rest = match behind[..end].rfind('@') {
            // Behind a repository's address an `@` says which revision; before the host it says who.
            Some(at) => {
                out.push('…');
                &behind[at..]
            }
            None => behind,
        };
        if out.len() > 8 * LONGEST_PIECE {
            break;
        }
    }
    out.push_str(rest);
    out.chars().map(|found| if found.is_control() { ' ' } else { found }).take(LONGEST_PIECE).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_not_kept() {
        let cases = [
            ("git+https://me:secret@h/x.git@v1#egg=x", "git+https://…@h/x.git@v1#egg=x"),
            ("-i https://token@h:8/simple", "-i https://…@h:8/simple"),
            ("ssh://git@h/a http://b:c@d", "ssh://…@h/a http://…@d"),
            ("a://b@c@d/e", "a://…@d/e"),
            ("plain@name", "plain@name"),
        ];
        for (text, expected) in cases {
            assert_eq!(shortened(text), expected);
        }
        assert_eq!(shortened(&"a".repeat(1000)).len(), LONGEST_PIECE);
    }

    #[test]
    fn an_address_gives_its_name() {
        let name = |text: &str| name_of_address(text).map(|found| found.to_string());
        assert_eq!(name("x @ git+https://h/x.git#egg=x").as_deref(), Some("x"));
        assert_eq!(
            name("X_y[a] @ https://h/x.whl ; python_version < '3'").as_deref(),
            Some("x-y[a]; python_version < \"3\"")
        );
        assert_eq!(name("git+https://me@h/x.git"), None);
        assert_eq!(name("git+https://h/y.git@v1#egg=X&subdirectory=z").as_deref(), Some("x"));
        for (address, named) in [
            ("https://h/a/idna-2.10-py2.py3-none-any.whl#sha256=0", Some("idna==2.10")),
            ("https://h/cu100/torch-1.0.0%2Bcu100-cp36-cp36m-linux_x86_64.whl", Some("torch==1.0.0")),
            ("./toolz-0.1.tar.gz ; python_version < '3'", Some("toolz==0.1; python_version < \"3\"")),
            ("file:///home/scikit-learn-0.19.zip", Some("scikit-learn==0.19")),
            ("https://h/me/it/archive/master.zip", None),
            ("https://h/me/it/archive/my-branch.zip", None),
            ("../outside", None),
            ("$HOME/evil", None),
        ] {
            assert_eq!(name(address).as_deref(), named, "{address}");
        }
        assert_eq!(name("./a@b"), None);
    }
}
