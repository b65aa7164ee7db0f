//! Python files as input: text from bytes, and cells from text.
//!
//! A script is one cell. One that an editor or `nbconvert` wrote from a notebook is cut where its cells were, so that one
//! broken cell costs one cell there too.

use std::borrow::Cow;

/// A code cell of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScriptCell<'a> {
    /// Its text: that of the script, but for magics that jupytext wrote as comments.
    pub source: Cow<'a, str>,
    /// The line of the script where it starts, from 1.
    pub line: u32,
}

/// What a line of a script opens.
enum Marker {
    Code,
    Text,
}

/// The text of a file of code or requirements: UTF-8, or UTF-16 with its mark (as shells of Windows write), or else
/// Latin-1, in which every byte is a character; the names of modules are ASCII in practice (PEP 263 names the encodings).
#[must_use]
pub fn decode(bytes: &[u8]) -> String {
    let wide = |bytes: &[u8], of: fn([u8; 2]) -> u16| {
        let units = bytes.chunks_exact(2).map(|pair| of([pair[0], pair[1]]));
        char::decode_utf16(units).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
    };
    match bytes {
        [0xff, 0xfe, rest @ ..] => wide(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => wide(rest, u16::from_be_bytes),
        [0xef, 0xbb, 0xbf, rest @ ..] => String::from_utf8_lossy(rest).into_owned(),
        _ => match std::str::from_utf8(bytes) {
            Ok(text) => text.to_owned(),
            Err(_) => bytes.iter().copied().map(char::from).collect(),
        },
    }
}

/// The code cells of a script: cut at `# %%`, `# In[3]:` and `# <codecell>` lines, the whole script where there are none.
/// Cells of text (`# %% [markdown]`) are left out.
#[must_use]
pub fn script_cells(text: &str) -> Vec<ScriptCell<'_>> {
    let comments_magics =
        text.lines().take(20).any(|line| line.starts_with("# jupyter:") || line.starts_with("#   jupytext:"));
    let mut found = Vec::new();
    let (mut start, mut first_line, mut is_code) = (0, 1, true);
    let mut at = 0;
    for (line, number) in text.split_inclusive('\n').zip(1_u32..) {
        if let Some(marker) = marker(line) {
            push(&mut found, &text[start..at], first_line, is_code);
            (start, first_line, is_code) = (at + line.len(), number + 1, matches!(marker, Marker::Code));
        }
        at += line.len();
    }
    push(&mut found, &text[start..], first_line, is_code);
    if comments_magics {
        for cell in &mut found {
            restore_magics(cell);
        }
    }
    found
}

fn push<'a>(found: &mut Vec<ScriptCell<'a>>, source: &'a str, line: u32, is_code: bool) {
    if is_code && !source.trim().is_empty() {
        found.push(ScriptCell { source: Cow::Borrowed(source), line });
    }
}

fn marker(line: &str) -> Option<Marker> {
    let text = line.strip_prefix('#')?.trim();
    if let Some(rest) = text.strip_prefix("%%") {
        let is_marker = rest.is_empty() || rest.starts_with([' ', '\t', '[']);
        let is_text = ["[markdown]", "[md]", "[raw]"].iter().any(|kind| rest.trim_end().ends_with(kind));
        return is_marker.then_some(if is_text { Marker::Text } else { Marker::Code });
    }
    let number = text.strip_prefix("In[").and_then(|rest| rest.strip_suffix("]:"));
    if number.is_some_and(|number| number.bytes().all(|byte| byte.is_ascii_digit() || byte == b' ')) {
        return Some(Marker::Code);
    }
    match text {
        "<codecell>" => Some(Marker::Code),
        "<markdowncell>" | "<rawcell>" | "<htmlcell>" => Some(Marker::Text),
        _ => None,
    }
}

/// Takes the comment signs off magics; of a cell in another language every line has one.
fn restore_magics(cell: &mut ScriptCell<'_>) {
    let magic = |line: &str| line.strip_prefix("# ").filter(|rest| rest.starts_with(['%', '!'])).is_some();
    if !cell.source.lines().any(magic) {
        return;
    }
    let is_cell_magic =
        cell.source.lines().find(|line| !line.trim().is_empty()).is_some_and(|line| line.starts_with("# %%"));
    let is_all_comment = cell.source.lines().all(|line| line.trim().is_empty() || line.starts_with('#'));
    let restored = cell.source.split_inclusive('\n').map(|line| match line.strip_prefix("# ") {
        Some(rest) if magic(line) || (is_cell_magic && is_all_comment) => rest,
        _ => line,
    });
    cell.source = Cow::Owned(restored.collect());
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(text: &str) -> Vec<(u32, String)> {
        script_cells(text).into_iter().map(|cell| (cell.line, cell.source.into_owned())).collect()
    }

    fn owned(cells: &[(u32, &str)]) -> Vec<(u32, String)> {
        cells.iter().map(|(line, source)| (*line, (*source).to_owned())).collect()
    }

    #[test]
    fn scripts_are_cut_where_their_cells_were() {
        assert_eq!(cells("import a\nx = 1\n"), owned(&[(1, "import a\nx = 1\n")]));
        assert_eq!(cells(" \n"), owned(&[]));
        let percent = "import a\n# %%\nimport b\n#%% title\n# %% [markdown]\n# import c\n# %% x [md]\nimport no\n# %%[code]\nd\n# %%time\n";
        assert_eq!(cells(percent), owned(&[(1, "import a\n"), (3, "import b\n"), (10, "d\n# %%time\n")]));
        let exported =
            "#!/usr/bin/env python\n\n# In[ ]:\n\nimport a\n\n# In[12]:\nget_ipython().system('pip install b')\n";
        assert_eq!(
            cells(exported)[1..],
            owned(&[(4, "\nimport a\n\n"), (8, "get_ipython().system('pip install b')\n")])
        );
        assert_eq!(cells("# <markdowncell>\n# x\n# <codecell>\na"), owned(&[(4, "a")]));
        assert_eq!(cells("# In[x]:\n# %%x\na"), owned(&[(1, "# In[x]:\n# %%x\na")]));
    }

    #[test]
    fn magics_that_jupytext_commented_come_back() {
        let text = "# ---\n# jupyter:\n#   jupytext:\n# ---\n# %%\n# %matplotlib inline\n# a comment\n# !pip install a\n# %%\n# %%bash\n# pip install b\n";
        let sources: Vec<String> = cells(text).into_iter().skip(1).map(|(_, source)| source).collect();
        assert_eq!(sources, ["%matplotlib inline\n# a comment\n!pip install a\n", "%%bash\npip install b\n"]);
        assert_eq!(cells("# !pip install a\n"), owned(&[(1, "# !pip install a\n")]));
    }

    #[test]
    fn bytes_of_all_kinds_become_text() {
        assert_eq!(decode(b"\xef\xbb\xbfimport a"), "import a");
        assert_eq!(decode(b"\xff\xfea\0=\0"), "a=");
        assert_eq!(decode(b"\xfe\xff\0a\0"), "a");
        assert_eq!(decode("é".as_bytes()), "é");
        assert_eq!(decode(b"# \xe9\nimport a"), "# é\nimport a");
    }
}
