//! What a traceback tells: where the error was raised. Tracebacks come as IPython prints them, with colours.

use std::borrow::Cow;

/// A file of a library, and its line where the traceback tells it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    /// The file below `site-packages` or the standard library.
    pub(crate) module: String,
    /// The line, from 1.
    pub(crate) line: Option<u32>,
}

/// The text without colours and without the folders in which this machine keeps environments.
pub(crate) fn plain(text: &str) -> Cow<'_, str> {
    if text.contains('\u{1b}') || text.contains(FOLDER) {
        without_folders(&without_colours(text)).into()
    } else {
        text.into()
    }
}

/// Every path into a Python installation has this.
const FOLDER: &str = "/lib/python";

fn without_colours(text: &str) -> String {
    // An escape character, then up to a letter.
    let mut parts = text.split('\u{1b}');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(|sign: char| sign.is_ascii_alphabetic()).map_or(0, |place| place + 1);
        plain.push_str(&part[end..]);
    }
    plain
}

/// Every path into a Python installation begins at its `lib`.
fn without_folders(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(place) = rest.find(FOLDER) {
        let (before, after) = rest.split_at(place);
        let begin = before
            .rfind(|sign: char| sign.is_whitespace() || "\"'`(=,[<".contains(sign))
            .map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
        shown.push_str(&before[..begin]);
        shown.push('…');
        let (marker, tail) = after.split_at(FOLDER.len());
        shown.push_str(marker);
        rest = tail;
    }
    shown + rest
}

/// The text with the last part alone of each absolute path: what a tool says of its files names folders of this machine.
pub(crate) fn without_places(text: &str) -> String {
    let is_between = |sign: char| sign.is_whitespace() || "\"'`(=,[<>])".contains(sign);
    let word = |word: &str| {
        // Options of compilers have their paths without a space.
        let (option, path) = word.split_at(if word.starts_with('-') { word.find('/').unwrap_or(0) } else { 0 });
        match path.rsplit_once('/') {
            Some((folder, name)) if folder.len() > 1 && (folder.starts_with('/') || folder.starts_with("~/")) => {
                format!("{option}…/{name}")
            }
            _ => word.to_owned(),
        }
    };
    // Each piece is a word with what separates it from the next.
    text.split_inclusive(is_between)
        .map(|piece| match piece.char_indices().next_back().filter(|(_, sign)| is_between(*sign)) {
            Some((end, _)) => word(&piece[..end]) + &piece[end..],
            None => word(piece),
        })
        .collect()
}

/// Where the innermost frame of a plain traceback stands, when that is in a library and not in the notebook.
pub(crate) fn raised_in(plain: &str) -> Option<Place> {
    let mut innermost = None;
    for line in plain.lines() {
        if let Some(frame) = frame(line) {
            innermost = frame;
        } else if let (Some(Place { line: place @ None, .. }), Some(number)) = (&mut innermost, marked(line)) {
            // Older tracebacks have the number beside the code only.
            *place = Some(number);
        }
    }
    innermost
}

/// The frame that a line begins; the inner value is none for code of the notebook itself.
fn frame(line: &str) -> Option<Option<Place>> {
    if ["Cell ", "Input In", "<ipython-input", "File <ipython-input"].iter().any(|begin| line.starts_with(begin)) {
        return Some(None);
    }
    let named = line.strip_prefix("File ").map(|rest| rest.trim_matches('"'));
    let (path, rest) = match named {
        Some(named) => named.split_once(".py")?,
        None if line.starts_with(['/', '~', '…']) && line.contains(".py in ") => line.split_once(".py")?,
        None => return None,
    };
    let digits = |text: &str| text.chars().take_while(char::is_ascii_digit).collect::<String>().parse().ok();
    let number = rest.strip_prefix(':').or_else(|| rest.strip_prefix("\", line ")).and_then(digits);
    Some(module(path).map(|module| Place { module: format!("{module}.py"), line: number }))
}

fn module(path: &str) -> Option<&str> {
    if let Some((_, module)) = path.rsplit_once("/site-packages/") {
        return Some(module);
    }
    let (_, below) = path.split_once(FOLDER)?;
    Some(below.split_once('/')?.1)
}

/// The number beside an arrow: `---> 12 code`.
fn marked(line: &str) -> Option<u32> {
    let rest = line.trim_start().trim_start_matches('-').strip_prefix("> ")?;
    rest.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEW: &str = "\u{1b}[31mNotFittedError\u{1b}[39m   Traceback (most recent call last)\n\
        \u{1b}[36mCell\u{1b}[39m\u{1b}[36m \u{1b}[39m\u{1b}[32mIn[10]\u{1b}[39m\u{1b}[32m, line 1\u{1b}[39m\n\
        \u{1b}[32m----> \u{1b}[39m\u{1b}[32m1\u{1b}[39m plot(clf)\n\n\
        \u{1b}[36mFile \u{1b}[39m\u{1b}[32m/home/me/env/lib/python3.12/site-packages/lightgbm/plotting.py:114\u{1b}[39m, in plot(b)\n\
        \u{1b}[32m--> \u{1b}[39m\u{1b}[32m114\u{1b}[39m     b = b.booster_\n\nNotFittedError: no booster";

    const OLD: &str = "KeyError    Traceback (most recent call last)\n\
        <ipython-input-3-0a1b> in <module>\n----> 1 frame['x']\n\n\
        ~/env/lib/python3.6/site-packages/pandas/core/frame.py in __getitem__(self, key)\n\
        \u{20}  2137             return 1\n-> 2138         return self._get(key)\n\nKeyError: 'x'";

    #[test]
    fn the_innermost_frame_of_a_library_is_named() {
        let place = raised_in(&plain(NEW)).unwrap();
        assert_eq!((place.module.as_str(), place.line), ("lightgbm/plotting.py", Some(114)));
        let place = raised_in(&plain(OLD)).unwrap();
        assert_eq!((place.module.as_str(), place.line), ("pandas/core/frame.py", Some(2138)));
        let place = raised_in("File …/lib/python3.12/json/decoder.py:355, in raw_decode(s)").unwrap();
        assert_eq!((place.module.as_str(), place.line), ("json/decoder.py", Some(355)));
    }

    #[test]
    fn what_a_tool_says_of_its_files_keeps_their_names_alone() {
        let said = "Looking in links: /opt/wheels, /home/me/.cache/nbrevive/builds/e1/wheels\n  gcc -I/usr/include -o '/tmp/x y' \
                    (~/a/setup.py:3) / a/b https://host/a/b …/lib\u{fc}";
        assert_eq!(
            without_places(said),
            "Looking in links: …/wheels, …/wheels\n  gcc -I…/include -o '…/x y' (…/setup.py:3) / a/b https://host/a/b …/libü"
        );
        assert_eq!((without_places(""), without_places("/a/b")), (String::new(), "…/b".to_owned()));
    }

    #[test]
    fn code_of_the_notebook_has_no_module() {
        assert_eq!(raised_in("Cell In[2], line 5\n----> 5 import x\n\nImportError: x"), None);
        let back = format!("{}\nCell In[3], line 2, in f(x)\n----> 2 raise KeyError(x)", plain(NEW));
        assert_eq!(raised_in(&back), None);
        assert_eq!(raised_in("  File \"<ipython-input-1>\", line 3\n    print 1\n"), None);
        assert_eq!(raised_in(""), None);
    }

    #[test]
    fn colours_and_folders_of_the_machine_are_gone() {
        let shown = plain(NEW);
        assert!(!shown.contains('\u{1b}') && !shown.contains("/home/me"), "{shown}");
        assert!(shown.contains("File …/lib/python3.12/site-packages/lightgbm/plotting.py:114, in plot"), "{shown}");
        assert_eq!(plain("from 'a' (/x/y/lib/python3.9/a.py)"), "from 'a' (…/lib/python3.9/a.py)");
        assert_eq!(plain("ends in an escape \u{1b}"), "ends in an escape ");
        assert_eq!(plain("„/x/lib/python3/ü"), "…/lib/python3/ü");
    }
}
