//! A small made-up index for tests: histories with metadata, built line by line.

use std::collections::BTreeMap;

use super::{EnvironmentPlan, Needs, PlanRequest, StepBack, Strategy, plan};
use crate::history::{File, History, Release};
use crate::home::Home;
use crate::index::{Index, IndexEntry};
use crate::interpreter::{Interpreter, Interpreters};
use crate::metadata::{Metadata, MetadataSource};

/// A wheel that every Python 2 and 3 takes.
pub(crate) const PURE: &str = "py2.py3-none-any";
/// A compiled wheel for 3.6.
pub(crate) const FOR_36: &str = "cp36-cp36m-manylinux1_x86_64";
/// A compiled wheel for 3.7.
pub(crate) const FOR_37: &str = "cp37-cp37m-manylinux1_x86_64";
/// A source archive.
pub(crate) const SDIST: &str = "sdist";

/// The index.
#[derive(Debug, Clone, Default)]
pub(crate) struct World {
    entries: BTreeMap<String, IndexEntry>,
    last: String,
}

/// The interpreters of the made-up machine.
pub(crate) fn interpreter(version: &str) -> Interpreter {
    Interpreter {
        path: "python".into(),
        version: version.parse().unwrap(),
        prefix: "prefix".into(),
        machine: "x86_64".into(),
        glibc: Some((2, 36)),
        wide_unicode: true,
    }
}

impl World {
    /// An index with setuptools and wheel alone.
    pub(crate) fn new() -> Self {
        Self::default()
            .add("setuptools 20.0", "2016-02-07", &[PURE], &[])
            .add("setuptools 40.0.0", "2018-07-09", &[PURE], &[])
            .add("setuptools 57.5.0", "2021-08-01", &[PURE], &[])
            .add("setuptools 62.0.0", "2022-04-05", &[PURE], &[])
            .add("wheel 0.29.0", "2016-02-06", &[PURE], &[])
            .add("wheel 0.31.0", "2018-04-02", &[PURE], &[])
    }

    /// Adds a release, its files by their tags, all uploaded on that day, and what they require. Releases of a
    /// distribution have to be added in the order of their versions.
    pub(crate) fn add(mut self, release: &str, day: &str, tags: &[&str], requires: &[&str]) -> Self {
        let (name, version) = release.split_once(' ').unwrap();
        let uploaded = format!("{day}T00:00:00Z").parse().unwrap();
        let spelled = name.replace('-', "_");
        let mut files: Vec<File> = tags
            .iter()
            .map(|tags| {
                let name = if *tags == SDIST {
                    format!("{spelled}-{version}.tar.gz")
                } else {
                    format!("{spelled}-{version}-{tags}.whl")
                };
                let sha256 = blake3::hash(name.as_bytes()).to_hex().parse().ok();
                File { name: name.as_str().into(), uploaded, size: Some(1000), sha256 }
            })
            .collect();
        files.sort_by(|one, other| one.name.cmp(&other.name));
        let history = History { name: name.into(), releases: Vec::new() };
        let entry =
            self.entries.entry(name.into()).or_insert_with(|| IndexEntry { history, metadata: BTreeMap::new() });
        let requires: Vec<String> = requires.iter().map(ToString::to_string).collect();
        for file in &files {
            entry.metadata.insert(file.name.to_string(), Metadata::new(requires.clone(), MetadataSource::Wheel));
        }
        let (text, version) = (version.into(), version.parse().unwrap());
        entry.history.releases.push(Release { version, text, uploaded, yanked: false, requires_python: None, files });
        self.last = name.into();
        self
    }

    fn change(mut self, change: impl FnOnce(&mut Release, &mut BTreeMap<String, Metadata>)) -> Self {
        let entry = self.entries.get_mut(&self.last).unwrap();
        change(entry.history.releases.last_mut().unwrap(), &mut entry.metadata);
        self
    }

    /// The last release declares the interpreters that it is for.
    pub(crate) fn python(self, declared: &str) -> Self {
        self.change(|release, _| release.requires_python = Some(declared.into()))
    }

    /// The last release was yanked.
    pub(crate) fn yanked(self) -> Self {
        self.change(|release, _| release.yanked = true)
    }

    /// The files of the last release with that tag were uploaded on another day.
    pub(crate) fn uploaded(self, tags: &str, day: &str) -> Self {
        let uploaded = format!("{day}T00:00:00Z").parse().unwrap();
        self.change(|release, _| {
            release.files.iter_mut().filter(|file| file.name.contains(tags)).for_each(|file| file.uploaded = uploaded);
        })
    }

    /// What the last release is built with.
    pub(crate) fn built_with(self, requires: &[&str]) -> Self {
        self.change(|release, metadata| {
            for file in &release.files {
                let known = metadata.get_mut(&*file.name).unwrap();
                known.build_requires = requires.iter().map(ToString::to_string).collect();
            }
        })
    }

    /// What the index knows.
    pub(crate) fn entries(&self) -> impl Iterator<Item = IndexEntry> + '_ {
        self.entries.values().cloned()
    }

    /// The index.
    pub(crate) fn index(&self) -> Index {
        Index::fixed(self.entries().collect())
    }

    /// A plan for imports and install lines.
    pub(crate) fn plan(&self, strategy: Strategy, date: &str, imports: &[&str], pins: &[&str]) -> EnvironmentPlan {
        self.plan_with(strategy, date, &needs(imports, pins), &[])
    }

    /// A plan for all the rest.
    pub(crate) fn plan_with(
        &self,
        strategy: Strategy,
        date: &str,
        needs: &Needs,
        step_backs: &[StepBack],
    ) -> EnvironmentPlan {
        let request = PlanRequest { step_backs, ..PlanRequest::new(needs, day(date), strategy) };
        plan(&request, &self.index(), &machine()).unwrap()
    }
}

/// The start of a day.
pub(crate) fn day(text: &str) -> jiff::Timestamp {
    format!("{text}T00:00:00Z").parse().unwrap()
}

/// Needs of a Python 3 notebook.
pub(crate) fn needs(imports: &[&str], pins: &[&str]) -> Needs {
    let own = |texts: &[&str]| texts.iter().map(ToString::to_string).collect();
    Needs { imports: own(imports), major: 3, pins: own(pins), ..Needs::default() }
}

/// A machine with seven interpreters.
pub(crate) fn machine() -> Interpreters {
    let folder = tempfile::tempdir().unwrap();
    let versions = ["2.7.18", "3.6.15", "3.7.16", "3.8.18", "3.9.18", "3.10.13", "3.11.7"];
    Interpreters::fixed(&Home::at(folder.path()), versions.map(interpreter).to_vec())
}
