//! Elements that cells add to values: keys, columns, items of lists, what a fitted model has. Who reads the whole value further down reads them; who
//! reads it before they are there, or reads another element, does not.

use std::collections::{BTreeMap, HashSet};

use nbrevive_pysource::names::{NameAct, NameEvent, NotebookNames, Part};

use crate::keys::{attribute, key, keyed};
use crate::links::Links;

/// Elements of one value that are told apart, and of values with several names together.
const MOST: usize = 50;
const MOST_OF_TWINS: usize = 20_000;
/// Methods that add to a value and leave what is there as it was, but for its order. Source: the library reference on lists, deques and
/// dictionaries, networkx on graphs.
const ADDS: &[&str] = &[
    "add_edge",
    "add_edges_from",
    "add_node",
    "add_nodes_from",
    "append",
    "appendleft",
    "extend",
    "extendleft",
    "insert",
    "setdefault",
    "update",
];

/// What is added to a value.
struct Element {
    /// What stands for it among names: `df['k']`, and `l[+3]` for what the third cell appends.
    region: String,
    /// Its key, where that is known.
    key: Option<String>,
    /// The cell that adds it; none where it was there before a cell first gave it anew.
    first: Option<usize>,
}

/// The elements of each name.
#[derive(Default)]
pub(crate) struct Elements<'a> {
    /// Those that are added by this name.
    own: BTreeMap<&'a str, Vec<Element>>,
    /// The names by which some are added that are seen in its value, this one among them.
    adders: BTreeMap<&'a str, Vec<&'a str>>,
}

impl<'a> Elements<'a> {
    pub(crate) fn of(names: &'a NotebookNames, links: &Links<'a>) -> Self {
        let mut own: BTreeMap<&str, Vec<Element>> = BTreeMap::new();
        let mut read = HashSet::new();
        for (place, cell) in names.cells.iter().enumerate() {
            for event in cell.all_events().filter(|event| !links.is_imported(&event.name)) {
                let (name, key) = (event.name.as_str(), key(event).or_else(|| attribute(event)));
                if !is_addition(event) {
                    read.extend(key.map(|key| (name, key)));
                    continue;
                }
                let of_name = own.entry(name).or_default();
                let is_known = |region: &str| of_name.iter().any(|element| element.region == region);
                let region = region(event, place);
                if of_name.len() <= MOST && !is_known(&region) {
                    let is_new = key.is_none_or(|key| !read.contains(&(name, key)));
                    of_name.push(Element { region, key: key.map(str::to_owned), first: is_new.then_some(place) });
                }
            }
        }
        own.retain(|_, elements| elements.len() <= MOST);
        let (mut adders, mut left) = (BTreeMap::<&str, Vec<&str>>::new(), MOST_OF_TWINS);
        for name in own.keys() {
            for twin in links.with_holders(name) {
                let Some(less) = left.checked_sub(1) else { return Elements::default() };
                left = less;
                adders.entry(twin).or_default().push(name);
            }
        }
        Elements { own, adders }
    }

    fn all(&self, name: &str) -> impl Iterator<Item = &Element> {
        self.adders.get(name).into_iter().flatten().filter_map(|adder| self.own.get(adder)).flatten()
    }

    /// What is added to a value down to the cell at a place.
    pub(crate) fn regions(&self, name: &str, place: usize) -> impl Iterator<Item = &str> {
        let is_there = move |element: &&Element| element.first.is_none_or(|first| first <= place);
        self.all(name).filter(is_there).map(|element| element.region.as_str())
    }

    /// What the act of a cell, or of a function that it calls, adds to its value.
    pub(crate) fn added(&self, event: &NameEvent, place: usize) -> Option<&str> {
        let region = is_addition(event).then(|| region(event, place))?;
        let own = self.own.get(event.name.as_str())?;
        own.iter().map(|element| element.region.as_str()).find(|other| *other == region)
    }

    /// What an act that adds nothing reads of what is added.
    pub(crate) fn read(&self, event: &NameEvent, place: usize) -> impl Iterator<Item = &str> {
        let name = event.name.as_str();
        let column =
            || attribute(event).filter(|column| self.all(name).any(|other| other.key.as_deref() == Some(column)));
        let key = key(event).or_else(column).filter(|_| event.act != NameAct::Change);
        let is_whole = event.is_use();
        let is_there = move |element: &&Element| {
            element.first.is_none_or(|first| first <= place)
                && (element.key.as_deref()).zip(key).is_none_or(|(own, read)| own == read)
        };
        self.all(name).filter(move |_| is_whole).filter(is_there).map(|element| element.region.as_str())
    }
}

fn is_addition(event: &NameEvent) -> bool {
    let is_adder = matches!(&event.part, Some(Part::Method(method)) if ADDS.contains(&method.as_str()));
    event.act == NameAct::Change && (is_adder || key(event).is_some())
}

/// What is added, as a name. What has no key is another in each cell.
fn region(event: &NameEvent, place: usize) -> String {
    key(event).map_or_else(|| format!("{}[+{}]", event.name, place + 1), |key| keyed(&event.name, key))
}
