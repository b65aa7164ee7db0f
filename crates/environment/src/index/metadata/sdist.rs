//! Source archives: what their maker's tools wrote, else what their `setup.py`, `setup.cfg` or `pyproject.toml` says
//! in literals. Nothing is executed: a computed list of requirements is unknown.

use std::collections::BTreeSet;

use nbrevive_pysource::local::is_identifier;
use toml::Table;

use super::Unread;
use super::archive::Members;
use crate::metadata::{Metadata, MetadataSource};
use crate::requires::{Headers, MOST_REQUIREMENTS, requires_txt, with_extra};
use crate::setup_script::{self, Said};
use crate::versions::normalise;

/// Reads the members of a distribution's source archive.
pub(super) fn read(members: &Members, distribution: &str) -> Result<Metadata, Unread> {
    if members.is_empty() {
        return Err(Unread::Content("it has none of the files that tell of requirements".into()));
    }
    let pyproject = members.get("pyproject.toml").and_then(|bytes| toml_table(bytes));
    let information = information(members, distribution);
    let (requires, source) = requirements(members, information.as_deref(), pyproject.as_ref());
    let modules = information.as_deref().map(|folder| modules(members, folder)).unwrap_or_default();
    let build_requires = pyproject.as_ref().map(build_requires).unwrap_or_default();
    let mut metadata = Metadata::new(requires, source);
    (metadata.build_requires, metadata.modules) = (build_requires, modules);
    Ok(metadata)
}

/// The modules that the maker's tools found, but for namespaces, of whose children they say nothing.
fn modules(members: &Members, folder: &str) -> Vec<String> {
    let words = |file: &str| -> BTreeSet<String> {
        let bytes = members.get(&format!("{folder}/{file}"));
        let text = bytes.map(|bytes| String::from_utf8_lossy(bytes)).unwrap_or_default();
        text.split_whitespace().filter(|word| is_identifier(word)).map(str::to_owned).collect()
    };
    words("top_level.txt").difference(&words("namespace_packages.txt")).cloned().collect()
}

/// The distribution's own folder `*.egg-info`, else the only one.
fn information(members: &Members, distribution: &str) -> Option<String> {
    let mut folders: Vec<&str> = members
        .keys()
        .filter_map(|path| path.rsplit_once('/').map(|parts| parts.0))
        .filter(|folder| folder.ends_with(".egg-info"))
        .collect();
    folders.dedup();
    let name = |folder: &str| {
        let last = folder.rsplit('/').next().unwrap_or_default();
        normalise(last.trim_end_matches(".egg-info").split('-').next().unwrap_or_default())
    };
    let own = folders.iter().find(|folder| name(folder) == distribution);
    own.or_else(|| folders.first().filter(|_| folders.len() == 1)).map(|folder| (*folder).to_owned())
}

/// The requirements and where they were found, the surest source first.
fn requirements(
    members: &Members,
    information: Option<&str>,
    pyproject: Option<&Table>,
) -> (Vec<String>, MetadataSource) {
    if let Some(folder) = information {
        if let Some(text) = members.get(&format!("{folder}/requires.txt")) {
            return (requires_txt(text), MetadataSource::Sdist);
        }
        // setuptools writes no requires.txt where there are no requirements.
        if members.contains_key(&format!("{folder}/PKG-INFO")) {
            return (Vec::new(), MetadataSource::Sdist);
        }
    }
    let headers = members.get("PKG-INFO").and_then(|text| Headers::read(text));
    if let Some(headers) = headers.filter(Headers::tell_requirements) {
        return (headers.requires(), MetadataSource::Sdist);
    }
    if let Some(requires) = pyproject.and_then(project) {
        return (requires, MetadataSource::Sdist);
    }
    let script = members.get("setup.py").map(|bytes| setup_script::read(&String::from_utf8_lossy(bytes)));
    let configured = members.get("setup.cfg").and_then(|bytes| setup_cfg(&String::from_utf8_lossy(bytes)));
    match (script, configured) {
        (Some(Said::Requires(requires)), _) => (requires, MetadataSource::SetupScript),
        (_, Some(requires)) => (requires, MetadataSource::Sdist),
        (Some(Said::Nothing), None) => (Vec::new(), MetadataSource::SetupScript),
        _ => (Vec::new(), MetadataSource::Unknown),
    }
}

fn toml_table(bytes: &[u8]) -> Option<Table> {
    std::str::from_utf8(bytes).ok()?.parse().ok()
}

fn texts(value: &toml::Value) -> Option<Vec<String>> {
    value.as_array()?.iter().map(|text| text.as_str().map(str::to_owned)).collect()
}

/// Who builds an archive (PEP 517, PEP 518).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct BuildSystem {
    /// What it needs; `None` where nothing is declared, which means setuptools and wheel.
    pub(crate) requires: Option<Vec<String>>,
    /// `module[:object]` with the hooks.
    pub(crate) backend: String,
    /// Folders of the archive that hold the backend, where it brings its own.
    pub(crate) paths: Vec<String>,
}

impl Default for BuildSystem {
    fn default() -> Self {
        Self { requires: None, backend: "setuptools.build_meta:__legacy__".into(), paths: Vec::new() }
    }
}

/// What `pyproject.toml` says, or what holds without one.
pub(super) fn build_system(members: &Members) -> BuildSystem {
    let mut system = BuildSystem::default();
    let table = members.get("pyproject.toml").and_then(|bytes| toml_table(bytes));
    let Some(declared) = table.as_ref().and_then(|table| table.get("build-system")) else { return system };
    system.requires = declared.get("requires").and_then(texts);
    if let Some(backend) = declared.get("build-backend").and_then(toml::Value::as_str) {
        backend.clone_into(&mut system.backend);
    }
    system.paths = declared.get("backend-path").and_then(texts).unwrap_or_default();
    system
}

/// `[build-system] requires` (PEP 518).
fn build_requires(pyproject: &Table) -> Vec<String> {
    let declared = pyproject.get("build-system").and_then(|system| system.get("requires"));
    declared.and_then(texts).unwrap_or_default()
}

/// `[project] dependencies` and `optional-dependencies` (PEP 621), unless they are dynamic.
fn project(pyproject: &Table) -> Option<Vec<String>> {
    let project = pyproject.get("project")?;
    let dynamic = project.get("dynamic").and_then(texts).unwrap_or_default();
    if dynamic.iter().any(|field| field == "dependencies") {
        return None;
    }
    let mut requires = project.get("dependencies").map_or(Some(Vec::new()), texts)?;
    let extras = project.get("optional-dependencies").and_then(toml::Value::as_table);
    for (extra, value) in extras.into_iter().flatten() {
        let texts = texts(value)?;
        requires.extend(with_extra(texts.iter().map(String::as_str), extra));
    }
    requires.truncate(MOST_REQUIREMENTS);
    Some(requires)
}

/// `[options] install_requires` and `[options.extras_require]`; `None` without the section `[options]`.
fn setup_cfg(text: &str) -> Option<Vec<String>> {
    let (mut section, mut key) = ("", "");
    let mut found = None;
    for line in text.lines() {
        let bare = line.trim();
        if found.as_ref().is_some_and(|found: &Vec<String>| found.len() >= MOST_REQUIREMENTS) {
            break;
        }
        if bare.is_empty() || bare.starts_with(['#', ';']) {
            continue;
        }
        if let Some(name) = bare.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            (section, key) = (name, "");
            if section == "options" {
                found.get_or_insert_with(Vec::new);
            }
            continue;
        }
        let value = if line.starts_with([' ', '\t']) {
            bare
        } else {
            let Some((name, value)) = bare.split_once('=') else { continue };
            key = name.trim();
            value.trim()
        };
        // A list is one requirement a line, or separated by semicolons in one line, which PEP 508 made rare.
        match (section, key) {
            ("options", "install_requires") if !value.is_empty() => {
                found.get_or_insert_default().push(value.to_owned());
            }
            ("options.extras_require", extra) if !value.is_empty() => {
                found.get_or_insert_default().extend(with_extra([value], extra));
            }
            _ => {}
        }
    }
    // A value that is read from a file is not known here.
    found.filter(|requires: &Vec<String>| requires.iter().all(|text| !text.starts_with("file:")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_all(members: &[(&str, &str)]) -> Metadata {
        let members = members.iter().map(|(path, text)| ((*path).to_owned(), text.as_bytes().to_vec())).collect();
        read(&members, "my-x").unwrap()
    }

    fn known(members: &[(&str, &str)]) -> (Vec<String>, MetadataSource) {
        let metadata = read_all(members);
        (metadata.requires, metadata.source)
    }

    #[test]
    fn what_tools_wrote_comes_first() {
        let script = ("setup.py", "setup(install_requires=['old'])");
        let metadata = read_all(&[
            script,
            ("my_x.egg-info/requires.txt", "numpy\n"),
            ("my_x.egg-info/top_level.txt", "my_x\nmy_x/inner\ngoogle\n"),
            ("my_x.egg-info/namespace_packages.txt", "google\n"),
            ("src/other.egg-info/requires.txt", "wrong\n"),
            ("pyproject.toml", "[build-system]\nrequires = [\"setuptools\", \"Cython<3\"]\n"),
        ]);
        assert_eq!(metadata.requires, ["numpy"]);
        assert_eq!((metadata.modules, metadata.build_requires.len()), (vec!["my_x".to_owned()], 2));
        assert_eq!(known(&[script, ("src/my.x.egg-info/PKG-INFO", "")]), (vec![], MetadataSource::Sdist));
        let headers = "Metadata-Version: 2.2\nName: my-x\nRequires-Dist: new\n";
        assert_eq!(known(&[script, ("PKG-INFO", headers)]), (vec!["new".into()], MetadataSource::Sdist));
        let silent = "Metadata-Version: 1.1\nName: my-x\n";
        assert_eq!(known(&[script, ("PKG-INFO", silent)]), (vec!["old".into()], MetadataSource::SetupScript));
    }

    #[test]
    fn declarations_are_read_and_computed_lists_are_unknown() {
        let cfg = "[metadata]\nname = my-x\n[options]\ninstall_requires =\n    numpy>=1.0\n    # why\n    six; python_version<'3'\n[options.extras_require]\ntest = pytest\n";
        let script = ("setup.py", "from setuptools import setup\nsetup()\n");
        assert_eq!(
            known(&[script, ("setup.cfg", cfg)]).0,
            ["numpy>=1.0", "six; python_version<'3'", "pytest ; extra == \"test\""]
        );
        let project =
            "[project]\ndependencies = [\"numpy\"]\n[project.optional-dependencies]\nplot = [\"matplotlib\"]\n";
        assert_eq!(known(&[("pyproject.toml", project)]).0, ["numpy", "matplotlib ; extra == \"plot\""]);
        assert_eq!(known(&[script]), (vec![], MetadataSource::SetupScript));
        let computed = ("setup.py", "setup(install_requires=open('r.txt').read().split())");
        assert_eq!(known(&[computed]).1, MetadataSource::Unknown);
        let dynamic = "[project]\ndynamic = [\"dependencies\"]\n";
        assert_eq!(known(&[("pyproject.toml", dynamic)]).1, MetadataSource::Unknown);
        assert_eq!(known(&[("setup.cfg", "[options]\ninstall_requires = file: r.txt\n")]).1, MetadataSource::Unknown);
    }
}
