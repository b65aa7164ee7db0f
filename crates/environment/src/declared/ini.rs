//! Files of sections and keys, as Python's `configparser` reads them: `setup.cfg`.

/// One value and the line of its key, from 1.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct IniEntry {
    pub(super) section: String,
    /// In lower case.
    pub(super) key: String,
    /// The value's lines that are not empty, each with its number.
    pub(super) lines: Vec<(u32, String)>,
    pub(super) line: u32,
}

/// Reads entries. A line that is neither section, key, comment nor continued value is passed over.
pub(super) fn entries(text: &str) -> Vec<IniEntry> {
    let mut found: Vec<IniEntry> = Vec::new();
    let mut section = String::new();
    // The column of the key whose value may go on.
    let mut open: Option<usize> = None;
    for (line, number) in text.lines().zip(1..) {
        let trimmed = line.trim();
        if trimmed.is_empty() || trimmed.starts_with(['#', ';']) {
            continue;
        }
        let column = line.len() - line.trim_start().len();
        if let (Some(key), Some(last)) = (open, found.last_mut())
            && column > key
        {
            last.lines.push((number, trimmed.to_owned()));
            continue;
        }
        open = None;
        if let Some(name) = trimmed.strip_prefix('[').and_then(|rest| rest.split(']').next()) {
            name.clone_into(&mut section);
        } else if let Some(at) = trimmed.find(['=', ':']) {
            let (key, value) = trimmed.split_at(at);
            let value = value.get(1..).unwrap_or_default().trim();
            let lines = if value.is_empty() { Vec::new() } else { vec![(number, value.to_owned())] };
            let key = key.trim().to_lowercase();
            found.push(IniEntry { section: section.clone(), key, lines, line: number });
            open = Some(column);
        }
    }
    found
}
