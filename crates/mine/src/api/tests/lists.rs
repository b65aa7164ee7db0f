//! Lists that shift, repeat, never end, are cut, or name what is no notebook.

use serde_json::{Value, json};

use crate::api::{Listing, Search};
use crate::records::Slug;
use crate::testing::{Reply, Request, Scene};

fn entry(number: usize) -> Value {
    json!({"id": number + 1, "ref": format!("ada/n{number:04}"), "title": "T"})
}

fn page(numbers: impl IntoIterator<Item = usize>) -> Reply {
    Reply::json(Value::Array(numbers.into_iter().map(entry).collect()))
}

fn listing(answer: impl Fn(&Request, usize) -> Reply + Send + Sync + 'static, search: &Search) -> (Listing, Scene) {
    let scene = Scene::new(answer);
    (scene.api().notebooks(&Slug::new("titanic").unwrap(), search).unwrap(), scene)
}

fn number(request: &Request) -> usize {
    request.parameter("page").unwrap().parse().unwrap()
}

#[test]
fn doubled_and_reordered_pages_lose_nothing() {
    let pages = [vec![0, 1, 2], vec![2, 1, 0], vec![5, 2, 3], vec![5, 3], vec![4]];
    let answer = move |request: &Request, _| page(pages.get(number(request) - 1).cloned().unwrap_or_default());
    let (listing, _scene) = listing(answer, &Search::default());
    let names: Vec<String> = listing.notebooks.iter().map(|notebook| notebook.key.to_string()).collect();
    assert_eq!(names, ["ada/n0000", "ada/n0001", "ada/n0002", "ada/n0003", "ada/n0004", "ada/n0005"]);
    assert!(listing.complete);
}

#[test]
fn a_list_that_repeats_for_ever_ends() {
    let (listing, _scene) = listing(|request, _| page([number(request) % 4, 7]), &Search::default());
    assert_eq!((listing.notebooks.len(), listing.pages, listing.complete), (5, 7, true));
}

#[test]
fn a_list_that_always_brings_something_new_is_cut_and_says_so() {
    let search = Search { most_pages: 3, ..Search::default() };
    let (listing, _scene) = listing(|_, before| page([before]), &search);
    assert!(!listing.complete);
    assert!(listing.notebooks.len() == listing.pages as usize, "{}", listing.notebooks.len());
}

/// A server with 40 notebooks that shows ten of any list: python notebooks for the most part.
fn limited(request: &Request, _: usize) -> Reply {
    let python = |number: &usize| !number.is_multiple_of(4);
    let script = |number: &usize| number % 10 == 9;
    let language = request.parameter("language");
    let kind = request.parameter("kernelType");
    let mut shown: Vec<usize> = (0..40)
        .filter(|number| {
            language.as_deref().is_none_or(|language| {
                (language == "python") == python(number) && language != "julia" && language != "sqlite"
            })
        })
        .filter(|number| kind.as_deref().is_none_or(|kind| (kind == "script") == script(number)))
        .collect();
    match request.parameter("sortBy").as_deref() {
        Some("dateCreated") => {}
        Some("voteCount") => shown.reverse(),
        Some("hotness") => {
            let places = 10.min(shown.len());
            shown.rotate_left(places);
        }
        _ => {
            let places = 14.min(shown.len());
            shown.rotate_left(places);
        }
    }
    let start = (number(request) - 1) * 4;
    if start >= 12 { Reply::status(400, "{}") } else { page(shown.into_iter().take(10).skip(start).take(4)) }
}

#[test]
fn a_cut_list_is_split_and_read_in_every_order() {
    let search = Search { page_size: 4, reach: 10, ..Search::default() };
    let (listing, scene) = listing(limited, &search);
    assert_eq!(listing.notebooks.len(), 40);
    assert!(!listing.complete, "the python notebooks alone are more than a list shows");
    assert!(scene.server.paths().iter().any(|path| path.contains("language=julia&kernelType=script")));
}

#[test]
fn hostile_names_are_refused_and_the_others_stay() {
    let long = format!("ada/{}", "a".repeat(10 << 10));
    let hostile = ["../../etc/passwd", "", &long, "ada/\u{1b}[2J", "../../etc/passwd"];
    let mut entries: Vec<Value> = hostile.iter().map(|name| json!({"ref": name})).collect();
    entries.insert(2, json!({"ref": "ada/x"}));
    let answer = move |request: &Request, _| match number(request) {
        1 => Reply::json(Value::Array(entries.clone())),
        _ => page([]),
    };
    let (listing, _scene) = listing(answer, &Search::default());
    assert_eq!((listing.notebooks.len(), listing.refused.len()), (1, 4));
    let whys: Vec<String> = listing.refused.iter().map(|refused| refused.why.to_string()).collect();
    insta::assert_snapshot!(whys.join("\n"), @r#"
    `` cannot be the name of a notebook: it is empty
    `../../etc/passwd` cannot be the name of a notebook: it begins with a dot
    `ada/\u{1b}[2J` cannot be the name of a notebook: it holds the character '\u{1b}'
    `ada/aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa` cannot be the name of a notebook: it has 10240 bytes, more than any name has
    "#);
}
