//! Leaves out of a text what differs from run to run and from machine to machine.
//!
//! The same failure then asks the same question, so that its recorded answer is found again; and where a user's files lie is
//! nobody else's concern.

/// The folders below which files have the same names everywhere, and what stands for them.
const FOLDERS: &[(&str, &str)] = &[("/site-packages/", "site-packages/"), ("/dist-packages/", "site-packages/")];
/// What stands before the interpreter's own modules.
const LIBRARY: &str = "/lib/python";
/// Where kernels say that cells are: a process and a hash follow.
const KERNEL: &str = "/tmp/ipykernel_";
/// Hexadecimal digits from which on a number is an address.
const ADDRESS_DIGITS: usize = 6;

/// The text without addresses of objects, folders of the machine and names of the kernel's own files.
pub(super) fn mask(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        if line.contains('/') || line.contains("0x") {
            result.push_str(&addresses(&paths(line)));
        } else {
            result.push_str(line);
        }
    }
    result
}

/// Paths of files of the environment begin where they are the same everywhere.
fn paths(line: &str) -> String {
    let mut result = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(start) = rest.find('/') {
        let (before, path) = rest.split_at(start);
        let end = path.find(ends_path).unwrap_or(path.len());
        result.push_str(before);
        // A relative path keeps what stands before its first slash.
        let is_absolute = before.chars().next_back().is_none_or(ends_path);
        result.push_str(&if is_absolute { shown(&path[..end]) } else { path[..end].to_owned() });
        rest = &path[end..];
    }
    result.push_str(rest);
    result
}

fn ends_path(character: char) -> bool {
    character.is_whitespace() || matches!(character, '"' | '\'' | '`' | '(' | ')' | '<' | '>' | ',' | ';')
}

fn shown(path: &str) -> String {
    for (folder, word) in FOLDERS {
        if let Some(place) = path.rfind(folder) {
            return format!("{word}{}", &path[place + folder.len()..]);
        }
    }
    if let Some(rest) = path.strip_prefix(KERNEL) {
        let file = rest.find(".py").map_or("", |place| &rest[place..]);
        return format!("cell{file}");
    }
    match path.rfind(LIBRARY) {
        Some(place) => path[place + 1..].to_owned(),
        None => path.to_owned(),
    }
}

/// `0x7f61641ed610` is another number in every run.
fn addresses(line: &str) -> String {
    let mut result = String::with_capacity(line.len());
    let mut rest = line;
    while let Some(start) = rest.find("0x") {
        let (before, number) = rest.split_at(start);
        let digits = number[2..].bytes().take_while(u8::is_ascii_hexdigit).count();
        result.push_str(before);
        result.push_str(if digits >= ADDRESS_DIGITS { "0x…" } else { &number[..2 + digits] });
        rest = &number[2 + digits..];
    }
    result.push_str(rest);
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_and_addresses_of_one_run_are_left_out() {
        let text = "File /home/a/env/lib/python3.13/site-packages/pandas/core/frame.py:12, in f(self)\n\
                    File \"/opt/py/lib/python3.13/importlib/__init__.py\", line 88\n\
                    /tmp/ipykernel_21/1148454171.py:3: FutureWarning: old\n\
                    <matplotlib.lines.Line2D at 0x7f61641ed610> and 0xff\n";
        insta::assert_snapshot!(mask(text), @r#"
        File site-packages/pandas/core/frame.py:12, in f(self)
        File "lib/python3.13/importlib/__init__.py", line 88
        cell.py:3: FutureWarning: old
        <matplotlib.lines.Line2D at 0x…> and 0xff
        "#);
    }

    #[test]
    fn what_is_the_same_everywhere_stays() {
        for text in ["a / b", "../input/train.csv", "/kaggle/input/titanic/train.csv", "50%|#####| 1/2", "0x", "é/0xzz"]
        {
            assert_eq!(mask(text), text);
        }
    }
}
