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
/// The folder of our cache that holds environments, each named by a hash.
const CACHE: &str = "/environments/";
const ENVIRONMENT_DIGITS: usize = 16;
/// Hexadecimal digits from which on a number is an address.
const ADDRESS_DIGITS: usize = 6;

/// The text without addresses of objects, folders of the machine and names of the kernel's own files.
pub(super) fn mask(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let line = without_moment(line);
        if line.contains('/') || line.contains("0x") {
            result.push_str(&addresses(&paths(line)));
        } else {
            result.push_str(line);
        }
    }
    result
}

/// A line of a log that libraries in C++ write, without its day, time and thread: `2026-11-27 05:23:39.1: I a/b.cc:12] text`,
/// `I0000 00:00:1732694219.1 123 b.cc:12] text`.
fn without_moment(line: &str) -> &str {
    let place = line.find(".cc:").map(|at| line[..at].rfind(char::is_whitespace).map_or(0, |blank| blank + 1));
    match place {
        Some(place)
            if line[..place].trim_start_matches(['I', 'W', 'E', 'F']).starts_with(|c: char| c.is_ascii_digit()) =>
        {
            &line[place..]
        }
        _ => line,
    }
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
        None => without_cache(path).to_owned(),
    }
}

/// What is left of a path into an environment that was cut before it says more.
fn without_cache(path: &str) -> &str {
    let Some((_, below)) = path.split_once(CACHE) else { return path };
    let digits = below.bytes().take_while(u8::is_ascii_hexdigit).count();
    if digits >= ENVIRONMENT_DIGITS { below[digits..].trim_start_matches('/') } else { path }
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
                    <matplotlib.lines.Line2D at 0x7f61641ed610> and 0xff\n\
                    2026-11-27 05:23:39.123456: I tensorflow/core/cpu_feature_guard.cc:210] To enable\n\
                    W0000 00:00:1732694219.123456    1234 gpu_device.cc:2344] Cannot open\n\
                    '/home/a/cache/environments/0594ac84cabce134725c/share/x' and /data/environments/a.csv\n\
                    2026-11-27 05:23:39 is data\n";
        insta::assert_snapshot!(mask(text), @r#"
        File site-packages/pandas/core/frame.py:12, in f(self)
        File "lib/python3.13/importlib/__init__.py", line 88
        cell.py:3: FutureWarning: old
        <matplotlib.lines.Line2D at 0x…> and 0xff
        tensorflow/core/cpu_feature_guard.cc:210] To enable
        gpu_device.cc:2344] Cannot open
        'share/x' and /data/environments/a.csv
        2026-11-27 05:23:39 is data
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
