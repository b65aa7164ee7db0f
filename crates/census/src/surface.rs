//! The public names of one release, as users spell them.
//!
//! Names are followed through imports, re-exports and stars to where they are defined. A definition that several spellings reach has one
//! that is preferred: the shortest below the package in which it is defined.

use std::collections::{BTreeMap, BTreeSet};

use crate::archive::SourceFiles;
use crate::class::{ClassText, MemberText, is_public};
use crate::deprecation::Marks;
use crate::function::FunctionText;
use crate::lent::LentNames;
use crate::module::Position;
use crate::module_path::{absolute, compiled_module, is_public_path, is_within, module_of};
use crate::module_text::{Bound, ModuleText};
use crate::words::Words;

/// Longest way of a name through imports.
const LONGEST_WAY: usize = 24;
/// Names, imports and `__all__` between a name and one that takes over a whole namespace, at most.
const MOST_HANDED_ON: usize = 6;
/// Modules that one star is followed through, at most.
const MOST_BEHIND: usize = 500;
/// How many modules are followed below another name of one.
const DEEPEST_ALIAS: usize = 3;
/// Most classes that one inherits of.
const MOST_BASES: usize = 60;

/// Where a name leads.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Home {
    Function(String, String),
    Class(String, String),
    Module(String),
    /// Something else that a module of the library binds.
    Value,
    /// Something of another library, or that no text says.
    Foreign,
}

/// One release.
#[derive(Debug, Default)]
pub(crate) struct Surface {
    pub(crate) modules: BTreeMap<String, ModuleText>,
    /// What other libraries hand to stars.
    pub(crate) lent: LentNames,
    /// Every public spelling.
    pub(crate) paths: BTreeMap<String, Home>,
    /// What spellings stand for that lead to another library.
    pub(crate) origins: BTreeMap<String, String>,
    /// The preferred spelling of functions and classes.
    pub(crate) preferred: BTreeMap<Home, String>,
    /// Modules whose text is not Python 3.
    pub(crate) unsound: Vec<String>,
}

/// A class with all that it inherits within the library.
#[derive(Debug, Default)]
pub(crate) struct WholeClass<'a> {
    pub(crate) members: BTreeMap<&'a str, &'a MemberText>,
    pub(crate) words: BTreeMap<&'a str, &'a Words>,
    pub(crate) marks: Option<&'a Marks>,
    pub(crate) messages: Vec<&'a String>,
    /// Whether it may have more.
    pub(crate) open: bool,
}

impl Surface {
    /// Reads a release.
    pub(crate) fn of(files: &SourceFiles, lent: &LentNames) -> Self {
        let mut surface = Self { lent: lent.clone(), ..Self::default() };
        for (path, text) in &files.files {
            // Thousands of files of one generated class each.
            let Some((module, is_package)) = module_of(path).filter(|_| !path.contains("/validators/")) else {
                continue;
            };
            let read = ModuleText::of(&Position { module: &module, is_package, source: text });
            if !read.sound && path.ends_with(".py") {
                surface.unsound.push(module.clone());
            }
            surface.add(module, read);
        }
        for path in &files.compiled {
            // A module without text: it is there, and no more is known.
            if let Some(module) = compiled_module(path) {
                surface.modules.entry(module).or_insert_with(|| ModuleText { dynamic: true, ..ModuleText::default() });
            }
        }
        surface.list_members();
        surface.spell();
        surface
    }

    /// Adds members that loops set on classes by the list that a function gives.
    fn list_members(&mut self) {
        let mut found: Vec<(String, String, String)> = Vec::new();
        for (module, text) in &self.modules {
            for (class, lister) in &text.listed_members {
                let Home::Function(home, name) = self.alias(module, "", lister, 0) else { continue };
                let texts = self.modules.get(&home).and_then(|text| text.returned.get(&name));
                found.extend(texts.into_iter().flatten().map(|text| (module.clone(), class.clone(), text.clone())));
            }
        }
        for (module, class, member) in found {
            if let Some(Bound::Class(class)) = self.modules.get_mut(&module).and_then(|text| text.names.get_mut(&class))
            {
                class.add_value(&member);
            }
        }
    }

    /// Names of an older release that this one has when it is asked for them are names of it too.
    pub(crate) fn adopt(&mut self, older: &Self) {
        for (path, home) in &older.paths {
            if !self.paths.contains_key(path) && self.has(path) {
                let home = if *home == Home::Foreign { Home::Foreign } else { Home::Value };
                self.paths.insert(path.clone(), home);
                if let Some(origin) = older.origins.get(path) {
                    self.origins.insert(path.clone(), origin.clone());
                }
            }
        }
    }

    fn add(&mut self, module: String, read: ModuleText) {
        let known = self.modules.entry(module);
        let known = known.or_insert_with(|| ModuleText { sound: true, ..ModuleText::default() });
        // A stub beside its module adds what the module does not say.
        for (name, bound) in read.names {
            known.names.entry(name).or_insert(bound);
        }
        known.stars.extend(read.stars);
        known.listed_members.extend(read.listed_members);
        known.returned.extend(read.returned);
        known.dynamic |= read.dynamic;
        known.hints.add(read.hints);
        known.deprecated = known.deprecated.take().or(read.deprecated);
        known.sound &= read.sound;
        known.all = known.all.take().or(read.all);
    }

    fn spell(&mut self) {
        let (mut paths, mut origins) = (BTreeMap::new(), BTreeMap::new());
        for (module, text) in &self.modules {
            if !is_public_path(module) {
                continue;
            }
            paths.insert(module.clone(), Home::Module(module.clone()));
            for name in self.public_names(module, text) {
                let home = self.resolve(module, &name, 0).unwrap_or(Home::Foreign);
                if home == Home::Foreign
                    && let Some(origin) = self.origin(module, &name, 0)
                {
                    origins.insert(format!("{module}.{name}"), origin);
                }
                paths.entry(format!("{module}.{name}")).or_insert(home);
            }
        }
        // `keras.layers`, which is bound to `keras.api.layers`.
        let is_alias = |path: &str, home: &Home| matches!(home, Home::Module(module) if module != path && path.matches('.').count() == 1);
        let aliases: Vec<(String, Home)> = paths
            .iter()
            .filter(|(path, home)| is_alias(path, home))
            .map(|(path, home)| (path.clone(), home.clone()))
            .collect();
        for (path, home) in aliases {
            self.spell_alias(&path, &home, &mut paths, 0);
        }
        let mut preferred: BTreeMap<Home, String> = BTreeMap::new();
        for (path, home) in &paths {
            let (Home::Function(module, _) | Home::Class(module, _)) = home else { continue };
            // `pylab` hands on all that notebooks look for in `matplotlib`.
            let cost = |path: &str| {
                (path.split('.').next() != module.split('.').next(), path.matches('.').count(), path.len())
            };
            match preferred.get_mut(home) {
                Some(known) if cost(known) <= cost(path) => {}
                Some(known) => known.clone_from(path),
                None => drop(preferred.insert(home.clone(), path.clone())),
            }
        }
        self.paths = paths;
        self.origins = origins;
        self.preferred = preferred;
    }

    /// The spellings that go through another name of a module.
    fn spell_alias(&self, path: &str, home: &Home, paths: &mut BTreeMap<String, Home>, depth: usize) {
        let Home::Module(module) = home else { return };
        let Some(text) = self.modules.get(module).filter(|_| depth < DEEPEST_ALIAS) else { return };
        for name in self.public_names(module, text) {
            let Some(found) = self.resolve(module, &name, 0) else { continue };
            // Its own package by another name: nobody goes down to come up again.
            if matches!(&found, Home::Module(other) if is_within(module, other)) {
                continue;
            }
            let spelling = format!("{path}.{name}");
            self.spell_alias(&spelling, &found, paths, depth + 1);
            paths.entry(spelling).or_insert(found);
        }
    }

    /// The public names of a module; what it imports for its own use alone is left out as far as that can be told.
    fn public_names(&self, module: &str, text: &ModuleText) -> BTreeSet<String> {
        let exported = self.exports(module, &mut BTreeSet::from([module.to_owned()]));
        let is_package = self
            .modules
            .range(format!("{module}.")..)
            .next()
            .is_some_and(|(next, _)| next.strip_prefix(module).is_some_and(|rest| rest.starts_with('.')));
        let near = module.rsplit_once('.').map_or(module, |(parent, _)| parent);
        let own = text.names.iter().filter(|(name, bound)| is_public(name) && self.is_own(bound, near, is_package));
        let mut names: BTreeSet<String> = own.map(|(name, _)| name.clone()).collect();
        names.extend(exported.into_iter().flatten());
        for star in &text.stars {
            names.extend(self.star_names(star));
        }
        names.retain(|name| is_public(name));
        names
    }

    /// Whether users may mean a name of a module: not what it takes from far away for its own use.
    fn is_own(&self, bound: &Bound, near: &str, is_package: bool) -> bool {
        match bound {
            Bound::From(module, _) => {
                is_package
                    || module.starts_with('.')
                    || module.rsplit_once('.').is_some_and(|(parent, _)| parent == near)
            }
            Bound::Module(module) => is_package && (self.is_inside(module) || module == "numpy"),
            _ => true,
        }
    }

    pub(crate) fn is_inside(&self, module: &str) -> bool {
        module.starts_with('.') || self.modules.contains_key(module.split('.').next().unwrap_or_default())
    }

    /// What `__all__` says of a module; `None` without one. `way` has the modules that were looked into before.
    fn exports(&self, module: &str, way: &mut BTreeSet<String>) -> Option<BTreeSet<String>> {
        let text = self.modules.get(module)?;
        let all = text.all.as_ref()?;
        let mut names = all.names.clone();
        for other in &all.of {
            if let Some(target) = self.module_named(module, text, other) {
                names.extend(self.names_behind(&target, way));
            }
        }
        (all.complete || !names.is_empty()).then_some(names)
    }

    /// The module that a name of another one stands for.
    fn module_named(&self, module: &str, text: &ModuleText, name: &str) -> Option<String> {
        let bound = text.names.get(name.split('.').next()?);
        let direct = match bound {
            Some(Bound::Module(found)) => Some(found.clone()),
            // `from .x import __all__ as names`
            Some(Bound::From(from, what)) if what == "__all__" => Some(absolute(module, from)),
            Some(Bound::From(from, what)) => Some(format!("{}.{what}", absolute(module, from))),
            _ => None,
        };
        direct.into_iter().chain([format!("{module}.{name}")]).find(|found| self.modules.contains_key(found))
    }

    /// The names that `from module import *` brings.
    pub(crate) fn star_names(&self, module: &str) -> BTreeSet<String> {
        self.names_behind(module, &mut BTreeSet::new())
    }

    /// The same without the modules on the way, whose names are told there.
    fn names_behind(&self, module: &str, way: &mut BTreeSet<String>) -> BTreeSet<String> {
        let Some(text) = self.modules.get(module) else {
            return self.lent.0.get(module).cloned().unwrap_or_default();
        };
        if way.len() >= MOST_BEHIND || !way.insert(module.to_owned()) {
            return BTreeSet::new();
        }
        if let Some(names) = self.exports(module, way) {
            return names;
        }
        let mut names: BTreeSet<String> = text.names.keys().filter(|name| is_public(name)).cloned().collect();
        for star in &text.stars {
            names.extend(self.names_behind(star, way));
        }
        names
    }

    /// Where a name of a module is defined.
    pub(crate) fn resolve(&self, module: &str, name: &str, depth: usize) -> Option<Home> {
        if depth > LONGEST_WAY {
            return None;
        }
        let submodule = || {
            let inner = format!("{module}.{name}");
            self.modules.contains_key(&inner).then_some(Home::Module(inner))
        };
        let Some(text) = self.modules.get(module) else { return submodule() };
        match text.names.get(name) {
            Some(Bound::Function(_)) => Some(Home::Function(module.to_owned(), name.to_owned())),
            Some(Bound::Class(_)) => Some(Home::Class(module.to_owned(), name.to_owned())),
            Some(Bound::From(from, what)) => self.imported(&absolute(module, from), what, (module, name), depth),
            Some(Bound::Module(other)) if self.modules.contains_key(other) => Some(Home::Module(other.clone())),
            Some(Bound::Module(_)) => Some(Home::Foreign),
            Some(Bound::Alias(chain)) => Some(self.alias(module, name, chain, depth)),
            Some(Bound::Value) => Some(Home::Value),
            None => {
                let star = |star: &String| {
                    self.star_names(star).contains(name).then(|| self.resolve(star, name, depth + 1))?
                };
                let found = text.stars.iter().rev().find_map(star).or_else(submodule);
                found.or_else(|| self.handed_on(module, text, name, depth))
            }
        }
    }

    /// Where a name is defined that a module binds only when it runs, as those of another one whose `__all__` it takes over: scipy wraps
    /// whole namespaces in this way.
    fn handed_on(&self, module: &str, text: &ModuleText, name: &str, depth: usize) -> Option<Home> {
        // Twice is what is met; circles of it would be walked by all ways.
        let others = text.all.iter().filter(|_| depth < MOST_HANDED_ON).flat_map(|all| &all.of);
        let targets = others.filter_map(|other| self.module_named(module, text, other)).filter(|other| other != module);
        targets
            .filter(|target| self.star_names(target).contains(name))
            .find_map(|target| self.resolve(&target, name, depth + 1))
    }

    fn imported(&self, from: &str, what: &str, (module, name): (&str, &str), depth: usize) -> Option<Home> {
        // `from .linalg import linalg` in a package binds what the module has, else the module.
        let own = (from, what) != (module, name);
        let found = own.then(|| self.resolve(from, what, depth + 1)).flatten();
        let inner = format!("{from}.{what}");
        found.or_else(|| self.modules.contains_key(&inner).then_some(Home::Module(inner))).or(Some(Home::Foreign))
    }

    fn alias(&self, module: &str, name: &str, chain: &str, depth: usize) -> Home {
        let mut parts = chain.split('.');
        let first = parts.next().unwrap_or_default();
        if first == name {
            return Home::Value;
        }
        let mut found = self.resolve(module, first, depth + 1);
        for part in parts {
            found = match found {
                Some(Home::Module(inner)) => self.resolve(&inner, part, depth + 1),
                _ => None,
            };
        }
        found.filter(|home| *home != Home::Foreign).unwrap_or(Home::Value)
    }

    /// The function at a home.
    pub(crate) fn function(&self, home: &Home) -> Option<&FunctionText> {
        let Home::Function(module, name) = home else { return None };
        match self.modules.get(module)?.names.get(name)? {
            Bound::Function(function) => Some(function),
            _ => None,
        }
    }

    pub(crate) fn class_text(&self, home: &Home) -> Option<&ClassText> {
        let Home::Class(module, name) = home else { return None };
        match self.modules.get(module)?.names.get(name)? {
            Bound::Class(class) => Some(class),
            _ => None,
        }
    }

    /// The class at a home, with what it inherits.
    pub(crate) fn class(&self, home: &Home) -> Option<WholeClass<'_>> {
        let mut whole = WholeClass { marks: Some(&self.class_text(home)?.marks), ..WholeClass::default() };
        let mut waiting = vec![home.clone()];
        let mut seen = BTreeSet::new();
        while let Some(next) = waiting.pop() {
            if seen.len() > MOST_BASES || !seen.insert(next.clone()) {
                continue;
            }
            let (Some(class), Home::Class(module, _)) = (self.class_text(&next), &next) else {
                whole.open = true;
                continue;
            };
            whole.open |= class.open;
            for (name, member) in &class.members {
                whole.members.entry(name).or_insert(member);
            }
            for (name, words) in &class.words {
                whole.words.entry(name).or_insert(words);
            }
            whole.messages.extend(&class.messages);
            for base in class.bases.iter().rev() {
                if matches!(base.rsplit('.').next(), Some("object" | "ABC" | "Generic" | "Protocol" | "Exception")) {
                    continue;
                }
                match self.base(module, base) {
                    Some(found) => waiting.push(found),
                    None => whole.open = true,
                }
            }
        }
        Some(whole)
    }

    fn base(&self, module: &str, base: &str) -> Option<Home> {
        let found = match base.split_once('.') {
            None => self.resolve(module, base, 0)?,
            Some(_) => self.alias(module, "", base, 0),
        };
        matches!(found, Home::Class(..)).then_some(found)
    }

    /// Whether a spelling is there, were it made when it is asked for.
    pub(crate) fn has(&self, path: &str) -> bool {
        self.paths.contains_key(path)
            || path.rsplit_once('.').is_some_and(|(module, name)| {
                self.modules.get(module).is_some_and(|text| text.dynamic && text.hints.made.contains(name))
            })
    }

    /// What the library says of the end of something, or of the module in which it is spelled.
    pub(crate) fn text_of(&self, home: &Home, module: &str) -> String {
        let own = match home {
            Home::Function(..) => self.function(home).and_then(|function| function.marks.deprecated.clone()),
            Home::Class(..) => self.class_text(home).and_then(|class| class.marks.deprecated.clone()),
            Home::Module(module) => self.modules.get(module).and_then(|text| text.deprecated.clone()),
            Home::Value | Home::Foreign => None,
        };
        let of_module = || self.modules.get(module).and_then(|text| text.deprecated.clone());
        own.or_else(of_module).unwrap_or_default()
    }

    /// Whether a module may have a name that no text says.
    pub(crate) fn may_make(&self, module: &str, name: &str) -> bool {
        let is_read = |star: &String| self.modules.contains_key(star) || self.lent.0.contains_key(star);
        self.modules
            .get(module)
            .is_some_and(|text| (text.dynamic && !text.hints.gone.contains(name)) || !text.stars.iter().all(is_read))
    }
}
