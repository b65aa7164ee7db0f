//! Addresses as papers, READMEs and tools write them.

use proptest::prelude::*;

use super::*;

fn read(text: &str) -> String {
    match HubAddress::read(text) {
        Ok(HubAddress { name, reference }) => {
            format!("{name}{}", reference.map(|reference| format!("@{reference}")).unwrap_or_default())
        }
        Err(fault) => fault.to_string(),
    }
}

#[test]
fn one_repository_is_written_in_many_ways() {
    for text in [
        "Ada/Engine",
        "https://github.com/Ada/Engine",
        "http://www.github.com/Ada/Engine/",
        "HTTPS://GitHub.com/Ada/Engine.git",
        "github.com/Ada/Engine.GIT",
        "git@github.com:Ada/Engine.git",
        "ssh://git@github.com:22/Ada/Engine.git",
        "git://github.com/Ada/Engine.git",
        "git+https://github.com/Ada/Engine.git",
        "https://ada:secret@github.com/Ada/Engine",
        "(https://github.com/Ada/Engine).",
        "https://github.com/Ada/Engine?tab=readme-ov-file#usage",
        "https://github.com/Ada/Engine/issues/3",
        "https://api.github.com/repos/Ada/Engine",
        "https://github.com//Ada//Engine",
        "https://codeload.github.com/Ada/Engine/zip/refs/heads/main",
    ] {
        assert_eq!(read(text), "Ada/Engine", "{text}");
    }
}

#[test]
fn what_was_meant_of_it_is_kept() {
    let hash = "0123456789abcdef0123456789abcdef01234567";
    for (text, reference) in [
        ("https://github.com/Ada/Engine/tree/dev/notebooks", "dev"),
        ("https://github.com/Ada/Engine/blob/v1.2/a.ipynb", "v1.2"),
        ("https://github.com/Ada/Engine/releases/tag/v1.2", "v1.2"),
        (&format!("https://github.com/Ada/Engine/commit/{hash}"), hash),
        ("https://raw.githubusercontent.com/Ada/Engine/dev/a.ipynb", "dev"),
        ("https://nbviewer.org/github/Ada/Engine/blob/dev/a.ipynb", "dev"),
        ("https://mybinder.org/v2/gh/Ada/Engine/dev?filepath=a.ipynb", "dev"),
        ("https://colab.research.google.com/github/Ada/Engine/blob/dev/a.ipynb", "dev"),
    ] {
        assert_eq!(read(text), format!("Ada/Engine@{reference}"), "{text}");
    }
    assert_eq!(read("https://github.com/Ada/Engine/tree/-exec"), "Ada/Engine");
}

#[test]
fn what_is_no_repository_says_what_it_is() {
    for (text, told) in [
        ("", "nothing"),
        (" . ", "nothing"),
        ("https://gist.github.com/ada/0123456789abcdef", "gist"),
        ("https://nbviewer.org/gist/ada/0123456789abcdef", "gist"),
        ("https://ada.github.io/engine", "web site"),
        ("https://gitlab.com/ada/engine", "another host, `gitlab.com`"),
        ("https://doi.org/10.5281/zenodo.1", "another host"),
        ("https://github.com.evil.example/ada/engine", "another host"),
        ("https://github.com/ada", "a page of the site"),
        ("https://github.com/topics/jupyter-notebook", "a page of the site"),
        ("github.com", "a page of the site"),
        ("https://github.com/ada/../x", "cannot be the name"),
        ("https://github.com/a da/engine", "cannot be the name"),
        ("https://github.com/ada/\u{1b}[31m", "cannot be the name"),
    ] {
        let read = read(text);
        assert!(read.contains(told) && !read.chars().any(char::is_control), "{text}: {read}");
    }
}

proptest! {
    #[test]
    fn no_text_does_harm_and_what_is_taken_is_plain(
        text in "\\PC{0,40}|(https?://|git@|)(www\\.|)(github\\.com|gist\\.github\\.com)[/:][a-zA-Z./%@:-]{0,30}"
    ) {
        if let Ok(address) = HubAddress::read(&text) {
            let name = address.name.to_string();
            prop_assert_eq!(&HubName::parse(&name).unwrap(), &address.name);
            prop_assert!(address.name.path().is_some());
            // The slash, since a full stop at the end would be that of a sentence.
            prop_assert_eq!(HubAddress::read(&format!("https://github.com/{name}/")).map(|read| read.name), Ok(address.name));
        }
    }

    #[test]
    fn case_does_not_tell_repositories_apart(name in "[a-zA-Z][a-zA-Z0-9-]{0,8}/[a-zA-Z][a-zA-Z0-9._-]{0,8}") {
        let (one, other) = (HubName::parse(&name).unwrap(), HubName::parse(&name.to_uppercase()).unwrap());
        prop_assert_eq!(one.key(), other.key());
    }
}
