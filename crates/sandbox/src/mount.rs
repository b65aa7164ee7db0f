//! A bind as container engines read it: fields of a line of CSV.

use std::ffi::OsString;
use std::path::Path;

use crate::Bind;

/// The value of `--mount`.
pub(crate) fn mount(bind: &Bind, read_only: bool) -> OsString {
    let mut text = OsString::from("type=bind,");
    text.push(field("src=", &bind.host));
    text.push(",");
    text.push(field("dst=", &bind.inside));
    if read_only {
        text.push(",readonly");
    }
    text
}

/// One field: quoted where the path holds what would end it.
fn field(key: &str, path: &Path) -> OsString {
    let text = path.as_os_str();
    let mut field = OsString::from(key);
    match text.to_str() {
        Some(plain) if plain.contains([',', '"']) => return format!("\"{key}{}\"", plain.replace('"', "\"\"")).into(),
        _ => field.push(text),
    }
    field
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_comma_in_a_path_does_not_end_it() {
        assert_eq!(field("src=", Path::new("/a/b")), "src=/a/b");
        assert_eq!(field("src=", Path::new("/a,readonly=false/\"b\"")), "\"src=/a,readonly=false/\"\"b\"\"\"");
    }
}
