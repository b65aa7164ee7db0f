//! What is looked for on the pages: one data file, built in, in whose place a user may give another.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use scraper::{ElementRef, Html, Selector};
use serde::Deserialize;
use serde_json::{Value, json};

/// The built-in file.
const BUILT_IN: &str = include_str!("selectors.toml");
/// The only form of the file so far.
const FORMAT: u32 = 1;
/// The longest file that is read: the built-in one has some kilobytes.
const LONGEST: u64 = 1 << 20;

/// The selectors' file.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Selectors {
    format: u32,
    state_begins: String,
    state_ends: String,
    pub(crate) sign_in: String,
    pub(crate) view_model: String,
    pub(crate) version_list: String,
    status: BTreeMap<String, String>,
    mark: BTreeMap<String, Mark>,
    state: BTreeMap<String, StatePath>,
}

/// Something on a page. The last two fields are for the test of the file.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Mark {
    css: String,
    text: Option<String>,
    starts: Option<String>,
    then: Option<String>,
    inside: Option<String>,
    attribute: Option<String>,
    #[serde(default, rename = "sample")]
    _sample: Option<String>,
    #[serde(default, rename = "finds")]
    _finds: Option<Vec<String>>,
}

/// Something in a state. The last three fields are for the test of the file.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct StatePath {
    pointer: String,
    #[serde(default, rename = "sample")]
    _sample: Option<String>,
    #[serde(default, rename = "within")]
    _within: Option<String>,
    #[serde(default, rename = "finds")]
    _finds: Option<Value>,
}

/// A selectors' file that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SelectorsError {
    /// It cannot be read.
    #[error("cannot read the selectors in {}: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// It is not valid.
    #[error("{} is not a valid file of selectors: {message}", path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        message: String,
    },
}

/// Marks that the program looks for: a file without one of them is refused.
const MARKS: [&str; 15] = [
    "ready",
    "title",
    "created",
    "run_time",
    "old_run_time",
    "language",
    "votes",
    "copied_from",
    "public_score",
    "private_score",
    "shown_version",
    "version_rows",
    "row_name",
    "row_status",
    "inputs",
];
/// Paths that the program looks for.
const STATES: [&str; 29] = [
    "run",
    "run_id",
    "run_number",
    "run_status",
    "run_seconds",
    "run_language",
    "run_kind",
    "run_title",
    "run_created",
    "run_evaluated",
    "run_image",
    "run_image_id",
    "run_gpu",
    "run_internet",
    "data_sources",
    "score",
    "score_is_private",
    "public_score",
    "kernel_id",
    "kernel_title",
    "author",
    "votes",
    "copied_from",
    "versions",
    "old_versions",
    "entry_id",
    "entry_number",
    "entry_is_parent",
    "entry_status",
];

impl Selectors {
    /// The file at a path, or the built-in one.
    pub(crate) fn load(path: Option<&Path>) -> Result<Self, SelectorsError> {
        let Some(path) = path else { return Self::parse(BUILT_IN, Path::new("the built-in file")) };
        let text = nbrevive_files::read_text(path, LONGEST);
        let text = text.map_err(|error| SelectorsError::Unreadable { path: path.to_owned(), source: error.into() })?;
        Self::parse(&text, path)
    }

    fn parse(text: &str, path: &Path) -> Result<Self, SelectorsError> {
        let invalid = |message: String| SelectorsError::Invalid { path: path.to_owned(), message };
        let selectors: Self = toml::from_str(text).map_err(|error| invalid(error.to_string()))?;
        if selectors.format != FORMAT {
            return Err(invalid(format!("it has format {}, this program reads {FORMAT}", selectors.format)));
        }
        let mark = MARKS.iter().find(|name| !selectors.mark.contains_key(**name)).map(|name| format!("mark.{name}"));
        let state =
            || STATES.iter().find(|name| !selectors.state.contains_key(**name)).map(|name| format!("state.{name}"));
        if let Some(missing) = mark.or_else(state) {
            return Err(invalid(format!("`{missing}` is missing")));
        }
        for (name, mark) in &selectors.mark {
            for css in [Some(&mark.css), mark.then.as_ref(), mark.inside.as_ref()].into_iter().flatten() {
                Selector::parse(css).map_err(|error| invalid(format!("`mark.{name}`: `{css}`: {error}")))?;
            }
        }
        Ok(selectors)
    }

    /// What a mark finds on a page, in the page's order.
    pub(crate) fn all(&self, page: &Html, name: &str) -> Vec<String> {
        self.mark.get(name).map(|mark| mark.find(page.root_element())).unwrap_or_default()
    }

    /// The first that a mark finds.
    pub(crate) fn first(&self, page: &Html, name: &str) -> Option<String> {
        self.all(page, name).into_iter().next()
    }

    /// A value of a state.
    pub(crate) fn state<'a>(&self, state: &'a Value, name: &str) -> Option<&'a Value> {
        let pointers = &self.state.get(name)?.pointer;
        pointers.split_whitespace().find_map(|pointer| state.pointer(pointer)).filter(|value| !value.is_null())
    }

    /// The state that an old page carries.
    pub(crate) fn embedded(&self, page: &Html) -> Option<Value> {
        let scripts = Selector::parse("script").ok()?;
        page.select(&scripts).find_map(|script| {
            let text: String = script.text().collect();
            let (_, rest) = text.split_once(self.state_begins.as_str())?;
            let (state, _) = rest.split_once(self.state_ends.as_str())?;
            serde_json::from_str(state).ok()
        })
    }

    /// Our word for a page's word of how a run ended.
    pub(crate) fn status_word(&self, word: &str) -> Option<&str> {
        self.status.get(&word.trim().to_ascii_lowercase()).map(String::as_str)
    }

    /// A mark as the script in the browser takes it.
    pub(crate) fn for_script(&self, name: &str) -> Value {
        let mark = self.mark.get(name);
        mark.map(|mark| json!({"css": mark.css, "text": mark.text, "starts": mark.starts})).unwrap_or_default()
    }
}

fn text(element: ElementRef<'_>) -> String {
    element.text().collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ")
}

impl Mark {
    fn find(&self, root: ElementRef<'_>) -> Vec<String> {
        let Ok(css) = Selector::parse(&self.css) else { return Vec::new() };
        let found = root.select(&css).filter(|element| self.fits(&text(*element)));
        let stepped = found.filter_map(|element| self.step(element));
        let values = stepped.flat_map(|element| self.within(element));
        values.filter_map(|element| self.value(element)).collect()
    }

    fn fits(&self, text: &str) -> bool {
        self.text.as_ref().is_none_or(|whole| whole == text)
            && self.starts.as_ref().is_none_or(|start| text.starts_with(start.trim_end()))
    }

    fn step<'a>(&self, element: ElementRef<'a>) -> Option<ElementRef<'a>> {
        let Some(then) = &self.then else { return Some(element) };
        let then = Selector::parse(then).ok()?;
        element.next_siblings().filter_map(ElementRef::wrap).find(|next| then.matches(next))
    }

    fn within<'a>(&self, element: ElementRef<'a>) -> Vec<ElementRef<'a>> {
        match self.inside.as_ref().map(|inside| Selector::parse(inside)) {
            None => vec![element],
            Some(Ok(inside)) => element.select(&inside).collect(),
            Some(Err(_)) => Vec::new(),
        }
    }

    fn value(&self, element: ElementRef<'_>) -> Option<String> {
        match &self.attribute {
            None => Some(text(element)),
            Some(name) => element.attr(name).map(str::to_owned),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(name: &str) -> String {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/browser/samples");
        std::fs::read_to_string(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    #[test]
    fn every_mark_finds_its_thing_in_its_sample() {
        let selectors = Selectors::load(None).unwrap();
        for (name, mark) in &selectors.mark {
            let page = Html::parse_document(&sample(mark._sample.as_ref().unwrap()));
            assert_eq!(&selectors.all(&page, name), mark._finds.as_ref().unwrap(), "mark.{name}");
        }
    }

    #[test]
    fn every_path_leads_to_its_thing_in_its_sample() {
        let selectors = Selectors::load(None).unwrap();
        for (name, path) in &selectors.state {
            let sample: Value = serde_json::from_str(&sample(path._sample.as_ref().unwrap())).unwrap();
            let state = sample.pointer(path._within.as_deref().unwrap_or_default()).unwrap();
            let found = selectors.state(state, name).unwrap_or_else(|| panic!("state.{name} finds nothing"));
            assert!(path._finds.as_ref().is_none_or(|expected| expected == found), "state.{name}: {found}");
        }
    }

    #[test]
    fn files_that_would_find_nothing_are_refused() {
        let bad = [
            ("format = 1", "format = 2", "format 2"),
            ("[mark.title]", "[mark.heading]", "mark.title"),
            ("[state.score]", "[state.points]", "state.score"),
            ("css = \"h1\"", "css = \"h1[[\"", "mark.title"),
        ];
        for (from, to, said) in bad {
            let error = Selectors::parse(&BUILT_IN.replace(from, to), Path::new("mine.toml")).unwrap_err().to_string();
            assert!(error.contains(said) && error.contains("mine.toml"), "{error}");
        }
    }

    #[test]
    fn the_state_of_an_old_page_is_found() {
        let selectors = Selectors::load(None).unwrap();
        let page = "<script>x</script><script class=\"kaggle-component\">var Kaggle=1;Kaggle.State.push({\"a\":\"\\u003c\"});performance && 1;</script>";
        assert_eq!(selectors.embedded(&Html::parse_document(page)).unwrap(), json!({"a": "<"}));
        assert!(
            selectors.embedded(&Html::parse_document("<script>Kaggle.State.push({);performance</script>")).is_none()
        );
    }
}
