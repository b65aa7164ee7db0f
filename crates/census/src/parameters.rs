//! What became of the parameters of a function, or of those by which a class is made.

use std::collections::BTreeMap;

use crate::function::{FunctionText, Passing};
use crate::pair::{Pair, shortened};
use crate::row::{ApiCertainty, ApiRow, ApiRowKind};
use crate::successor;
use crate::surface::WholeClass;
use crate::words::Words;

/// Something that is called, as far as it is known.
#[derive(Debug, Default)]
pub(crate) struct Callable<'a> {
    pub(crate) function: Option<&'a FunctionText>,
    pub(crate) class: Option<&'a WholeClass<'a>>,
}

impl Callable<'_> {
    /// What its library says of the end of a parameter.
    fn text(&self, parameter: &str) -> String {
        let own = self.function.and_then(|function| function.marks.notes.get(parameter));
        let of_class = || self.class.and_then(|class| class.marks?.notes.get(parameter));
        own.or_else(of_class).cloned().unwrap_or_default()
    }

    /// All that its library warns of.
    fn messages(&self) -> impl Iterator<Item = &String> {
        let own = self.function.into_iter().flat_map(|function| &function.messages);
        own.chain(self.class.into_iter().flat_map(|class| class.messages.iter().copied()))
    }

    fn words(&self) -> BTreeMap<&str, &Words> {
        let mut words: BTreeMap<&str, &Words> = BTreeMap::new();
        let own = self.function.into_iter().flat_map(|function| &function.words);
        words.extend(own.map(|(name, words)| (name.as_str(), words)));
        words.extend(self.class.into_iter().flat_map(|class| class.words.iter().map(|(name, words)| (*name, *words))));
        words
    }
}

/// Adds the rows of one callable that is there in both releases: as it was, as it is, and as the last release has it.
pub(crate) fn compare_parameters(pair: &Pair<'_>, path: &str, callables: [&Callable<'_>; 3], rows: &mut Vec<ApiRow>) {
    let [old, new, last] = callables;
    if let (Some(before), Some(after)) = (old.function, new.function) {
        let change = Change { pair, path, old, before, after };
        change.gone(last.function, rows);
        change.passing(rows);
        change.defaults(rows);
        if !before.stars {
            for added in after.parameters.iter().filter(|one| !before.takes(&one.name)) {
                let mut row = pair.row(ApiRowKind::ParameterAdded, path);
                row.parameter.clone_from(&added.name);
                rows.push(row);
            }
        }
    }
    words(pair, path, callables, rows);
}

struct Change<'a> {
    pair: &'a Pair<'a>,
    path: &'a str,
    old: &'a Callable<'a>,
    before: &'a FunctionText,
    after: &'a FunctionText,
}

impl Change<'_> {
    fn row(&self, kind: ApiRowKind, parameter: &str) -> ApiRow {
        let mut row = self.pair.row(kind, self.path);
        parameter.clone_into(&mut row.parameter);
        row
    }

    /// Keywords that are taken no more.
    fn gone(&self, last: Option<&FunctionText>, rows: &mut Vec<ApiRow>) {
        // What takes any keyword hands it on to somebody who may not.
        if self.after.stars {
            return;
        }
        let old_names = self.before.marks.aliases.keys();
        let names = self.before.parameters.iter().map(|one| &one.name).chain(old_names);
        for name in names.filter(|name| !self.after.takes(name) && !name.starts_with('_')) {
            if last.is_some_and(|last| last.takes(name))
                || self.before.parameter(name).is_some_and(|one| one.passing == Passing::Positional)
            {
                continue;
            }
            let text = self.old.text(name);
            let mut row = self.row(ApiRowKind::ParameterGone, name);
            row.text = shortened(&text);
            let announced = !text.is_empty() || self.before.marks.aliases.contains_key(name);
            row.certainty = if announced { ApiCertainty::Certain } else { ApiCertainty::Likely };
            if let Some(found) = successor::parameter(self.before, last.unwrap_or(self.after), name, &text) {
                row.kind = ApiRowKind::ParameterRenamed;
                row.successor = found.name;
                found.evidence.clone_into(&mut row.evidence);
            } else if let Some(default) = self.before.parameter(name).and_then(|one| one.default.clone()) {
                row.word = default;
            }
            rows.push(row);
        }
    }

    /// Parameters that can be given by keyword alone, and such whose order is another.
    fn passing(&self, rows: &mut Vec<ApiRow>) {
        let mut last_position = 0;
        let mut reordered = false;
        for (at, one) in self.before.parameters.iter().enumerate().filter(|(_, one)| one.passing == Passing::Either) {
            match self.after.parameter(&one.name) {
                Some(now) if now.passing == Passing::Keyword && !self.after.star => {
                    let mut row = self.row(ApiRowKind::KeywordOnly, &one.name);
                    row.word = at.to_string();
                    rows.push(row);
                }
                Some(_) => {
                    let position = self.after.position(&one.name).unwrap_or(last_position);
                    reordered |= position < last_position;
                    last_position = last_position.max(position);
                }
                None => {}
            }
        }
        if reordered {
            let order = |function: &FunctionText| {
                let names = function.parameters.iter().filter(|one| one.passing != Passing::Keyword);
                names.map(|one| one.name.as_str()).collect::<Vec<_>>().join(", ")
            };
            let mut row = self.row(ApiRowKind::Reordered, "");
            (row.word, row.successor) = (order(self.before), order(self.after));
            rows.push(row);
        }
    }

    fn defaults(&self, rows: &mut Vec<ApiRow>) {
        for one in &self.before.parameters {
            let Some(now) = self.after.parameter(&one.name) else { continue };
            if let (Some(old), Some(new)) = (&one.default, &now.default)
                && old != new
                && old != "…"
                && new != "…"
            {
                let mut row = self.row(ApiRowKind::DefaultChanged, &one.name);
                row.text = shortened(&self.old.text(&one.name));
                (row.word, row.successor) = (old.clone(), new.clone());
                rows.push(row);
            }
        }
    }
}

/// Words that are accepted no more.
fn words(pair: &Pair<'_>, path: &str, [old, new, last]: [&Callable<'_>; 3], rows: &mut Vec<ApiRow>) {
    let (after, today) = (new.words(), last.words());
    for (parameter, before) in old.words() {
        let Some(now) = after.get(parameter) else { continue };
        // Documentation lists less than code takes.
        if before.by_code && !now.by_code {
            continue;
        }
        for word in before.texts.difference(&now.texts) {
            if today.get(parameter).is_some_and(|today| today.texts.contains(word)) {
                continue;
            }
            let mut row = pair.row(ApiRowKind::WordGone, path);
            parameter.clone_into(&mut row.parameter);
            row.word.clone_from(word);
            let quoted = [format!("'{word}'"), format!("\"{word}\""), format!("`{word}`")];
            let note = old.text(parameter);
            let said = old
                .messages()
                .chain(new.messages())
                .chain([&note])
                .find(|text| quoted.iter().any(|word| text.contains(word)))
                .cloned();
            row.text = shortened(said.as_deref().unwrap_or_default());
            let accepted = today.get(parameter).unwrap_or(now);
            if let Some(found) = said.as_deref().and_then(|said| advised_word(said, word, accepted)) {
                (row.successor, row.evidence) = (found.to_owned(), "text".to_owned());
            }
            let checked = now.by_code || today.get(parameter).is_some_and(|today| today.by_code);
            row.certainty = match (said.is_some(), checked) {
                (true, _) => ApiCertainty::Certain,
                (false, true) => ApiCertainty::Likely,
                (false, false) => ApiCertainty::Unsure,
            };
            rows.push(row);
        }
    }
}

/// The accepted word that a text names in the place of another one, behind it.
fn advised_word<'w>(text: &str, word: &str, accepted: &'w Words) -> Option<&'w str> {
    let rest = text.find(word).and_then(|at| text.get(at + word.len()..))?;
    let named = |one: &&String| {
        [format!("'{one}'"), format!("\"{one}\""), format!("`{one}`")].iter().any(|quoted| rest.contains(quoted))
    };
    let mut found = accepted.texts.iter().filter(|one| *one != word).filter(named);
    let first = found.next()?;
    found.next().is_none().then_some(first.as_str())
}
