//! Where something that is gone went: by what the library said, by the same body, by the same parameters under the same last name.

use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;

use regex::Regex;

use crate::class::MemberText;
use crate::function::FunctionText;
use crate::surface::{Home, Surface};

/// Share of common names from which on two parameter lists, or two lists of members, are one.
const ALIKE: f64 = 0.6;

/// Modules of Python that lost nothing in ten years.
const LASTING: [&str; 2] = ["builtins", "datetime"];

/// What advises another name.
static ADVICE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    let verbs = r"(?i)(?:\buse|\busing|favou?r of|renamed (?:to|as|in)?|moved to|replaced (?:by|with)|import(?:ed)? from|superseded by|\bto|\bcall|\bsee|instead(?: of)?)";
    Regex::new(&format!(r"{verbs}\s+(?:the |a )?(?:new )?(?:function |class |method |module |keyword |argument |parameter )?(?::\w+:)?[`'\x22~.(]*([A-Za-z_][\w.]*)")).ok()
});

/// What stands in the place of something, and by what it was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Successor {
    pub(crate) name: String,
    pub(crate) evidence: &'static str,
}

impl Successor {
    fn new(name: &str, evidence: &'static str) -> Self {
        Self { name: name.to_owned(), evidence }
    }
}

/// Names that a text advises, as they are written. Of `Series.to_numpy().nonzero()` no name stands for the whole.
pub(crate) fn advised(text: &str) -> impl Iterator<Item = &str> {
    let found = ADVICE.as_ref().map(|advice| advice.captures_iter(text));
    found.into_iter().flatten().filter_map(|found| {
        let name = found.get(1)?;
        let goes_on = text.get(name.end()..).is_some_and(|rest| rest.starts_with("().") || rest.starts_with('['));
        (!goes_on).then(|| name.as_str().trim_end_matches('.'))
    })
}

/// What today's release offers to those who look for something.
pub(crate) struct Today<'a> {
    pub(crate) surface: &'a Surface,
    by_last: HashMap<&'a str, Vec<(&'a Home, &'a str)>>,
    by_body: HashMap<u64, &'a str>,
}

impl<'a> Today<'a> {
    pub(crate) fn of(surface: &'a Surface) -> Self {
        let mut today = Self { surface, by_last: HashMap::new(), by_body: HashMap::new() };
        for (home, path) in &surface.preferred {
            let last = path.rsplit('.').next().unwrap_or_default();
            today.by_last.entry(last).or_default().push((home, path));
            if let Some(body) = surface.function(home).and_then(|function| function.body) {
                today.by_body.insert(body, path);
            }
        }
        today
    }

    /// Where a function, class or module of another release is today.
    pub(crate) fn name(&self, path: &str, home: &Home, then: &Surface, text: &str) -> Option<Successor> {
        let last = path.rsplit('.').next().unwrap_or_default();
        if let Some(found) = self.advised(path, text) {
            return Some(Successor::new(&found, "text"));
        }
        let body = then.function(home).and_then(|function| function.body);
        let by_body = body.and_then(|body| self.by_body.get(&body)).copied();
        let mut best: Option<(f64, Successor)> = None;
        for (other, spelling) in self.by_last.get(last).into_iter().flatten() {
            let (alike, evidence) = match likeness(then, home, self.surface, other) {
                Some(_) if by_body == Some(*spelling) => (2.0, "body"),
                Some(alike) => (alike, "signature"),
                None => continue,
            };
            if alike >= ALIKE && best.as_ref().is_none_or(|(known, _)| alike > *known) {
                best = Some((alike, Successor::new(spelling, evidence)));
            }
        }
        let found = best.map(|(_, found)| found).or_else(|| Some(Successor::new(by_body?, "body")));
        found.or_else(|| self.origin(path, then))
    }

    /// Where another library, or Python, still has what this one took of it.
    fn origin(&self, path: &str, then: &Surface) -> Option<Successor> {
        let origin = then.origins.get(path)?;
        let lent = &self.surface.lent;
        let is_there = lent.has(origin) || lent.0.contains_key(origin);
        let of_python =
            LASTING.iter().any(|module| origin.strip_prefix(module).is_some_and(|rest| rest.starts_with('.')));
        (is_there || of_python).then(|| Successor::new(origin, "import"))
    }

    /// The name of today that a text advises in the place of one.
    fn advised(&self, path: &str, text: &str) -> Option<String> {
        let last = path.rsplit('.').next().unwrap_or_default();
        let parent = path.rsplit_once('.').map_or("", |(parent, _)| parent);
        let root = path.split('.').next().unwrap_or_default();
        advised(text).find_map(|word| {
            let written = word.strip_prefix("np.").map_or_else(|| word.to_owned(), |rest| format!("numpy.{rest}"));
            let written = written.strip_prefix("pd.").map_or_else(|| written.clone(), |rest| format!("pandas.{rest}"));
            let candidates = [written.clone(), format!("{parent}.{written}"), format!("{root}.{written}")];
            let there = |name: &String| name != path && self.surface.paths.contains_key(name);
            let exact = candidates.iter().find(|name| there(name)).cloned();
            let exact = exact.or_else(|| self.ending(&written).filter(|name| name != path));
            let exact = exact?;
            // A module is advised for what was in the old one.
            let inside = format!("{exact}.{last}");
            match self.surface.paths.get(&exact) {
                Some(Home::Module(_)) if self.surface.paths.contains_key(&inside) => Some(inside),
                Some(Home::Module(_)) if !word.contains('.') => None,
                _ => Some(exact),
            }
        })
    }

    /// The one spelling that ends with some words.
    fn ending(&self, written: &str) -> Option<String> {
        let last = written.rsplit('.').next()?;
        let dotted = format!(".{written}");
        let mut found = self.by_last.get(last)?.iter().filter(|(_, path)| path.ends_with(&dotted));
        let first = found.next()?;
        // Short words are part of prose.
        (found.next().is_none() && (written.contains('.') || written.len() > 3)).then(|| first.1.to_owned())
    }

    /// What stands in the place of a member of a class that is there today.
    pub(crate) fn member(&self, class: &str, old: &str, member: &MemberText, text: &str) -> Option<Successor> {
        let whole = self.surface.class(self.surface.paths.get(class)?)?;
        let name = class.rsplit('.').next().unwrap_or_default();
        let by_text = advised(text).find_map(|word| {
            let (owner, last) = word.rsplit_once('.').unwrap_or(("", word));
            let own = owner.is_empty() || owner == "self" || owner.ends_with(name);
            (own && last != old && whole.members.contains_key(last)).then(|| last.to_owned())
        });
        if let Some(found) = by_text {
            return Some(Successor::new(&format!("{class}.{found}"), "text"));
        }
        if let Some(found) = self.advised(&format!("{class}.{old}"), text) {
            return Some(Successor::new(&found, "text"));
        }
        let MemberText::Method(method) = member else { return None };
        let body = method.body?;
        let same = |other: &MemberText| matches!(other, MemberText::Method(other) if other.body == Some(body));
        let found = whole.members.iter().find(|(_, other)| same(other))?.0;
        Some(Successor::new(&format!("{class}.{found}"), "body"))
    }
}

/// What stands in the place of a parameter: by text, by an old name that was still taken, or alone new in its position.
pub(crate) fn parameter(old: &FunctionText, new: &FunctionText, name: &str, text: &str) -> Option<Successor> {
    if let Some(Some(found)) = old.marks.aliases.get(name)
        && new.takes(found)
    {
        return Some(Successor::new(found, "text"));
    }
    let by_text = advised(text).map(|word| word.split('=').next().unwrap_or(word));
    if let Some(found) = { by_text }.find(|word| *word != name && new.parameter(word).is_some()) {
        return Some(Successor::new(found, "text"));
    }
    let before = old.parameter(name)?;
    let at = old.parameters.iter().position(|one| one.name == name)?;
    let after = new.parameters.get(at)?;
    let is_new = !old.takes(&after.name);
    let gone = old.parameters.iter().filter(|one| !new.takes(&one.name)).count();
    let came = new.parameters.iter().filter(|one| old.parameter(&one.name).is_none()).count();
    let same = before.default == after.default && before.default.as_deref() != Some("…");
    (is_new && same && gone == 1 && came == 1).then(|| Successor::new(&after.name, "position"))
}

/// How far two definitions are alike, by the names of their parameters or members; `None` for things of two kinds.
fn likeness(then: &Surface, old: &Home, now: &Surface, new: &Home) -> Option<f64> {
    match (old, new) {
        (Home::Function(..), Home::Function(..)) => {
            let (one, other) = (then.function(old)?, now.function(new)?);
            let names = |function: &FunctionText| -> BTreeSet<String> {
                function.parameters.iter().map(|one| one.name.clone()).collect()
            };
            Some(overlap(&names(one), &names(other)))
        }
        (Home::Class(..), Home::Class(..)) => {
            let (one, other) = (then.class(old)?, now.class(new)?);
            let names = |members: &std::collections::BTreeMap<&str, &MemberText>| -> BTreeSet<String> {
                members.keys().map(|name| (*name).to_owned()).collect()
            };
            Some(overlap(&names(&one.members), &names(&other.members)))
        }
        _ => None,
    }
}

/// Common names, by the shorter of two lists: both grow with time.
fn overlap(one: &BTreeSet<String>, other: &BTreeSet<String>) -> f64 {
    let least = one.len().min(other.len());
    if least == 0 {
        return if one.is_empty() && other.is_empty() { 1.0 } else { 0.0 };
    }
    one.intersection(other).count() as f64 / least as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advice_is_read_out_of_what_libraries_say() {
        let told = |text: &'static str| advised(text).map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(told("iteritems is deprecated. Use .items instead."), ["items"]);
        assert_eq!(told("Use `DataFrame.items` instead"), ["DataFrame.items"]);
        assert_eq!(told("deprecated in favor of :func:`~sklearn.utils.resample`"), ["sklearn.utils.resample"]);
        assert_eq!(told("'n_iter' was renamed to 'max_iter'"), ["max_iter"]);
        assert!(told("Use Series.to_numpy().nonzero() instead").is_empty(), "a part of it is something else");
    }
}
