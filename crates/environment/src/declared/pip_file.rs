//! Requirements files of pip, and lists that conda wrote under their name.

use nbrevive_pysource::requirements::{Tool, requirements_file};

use super::sheet::Sheet;

/// Reads a file of pip. What `conda list --export` wrote (`name=1.0=build` under a head of its own) is read as conda's.
pub(super) fn read(text: &str, sheet: &mut Sheet) {
    let is_of_conda = text.lines().take(10).any(|line| {
        line.starts_with("# platform:") || line.starts_with("@EXPLICIT") || line.contains("conda create --name")
    });
    let tool = if is_of_conda { Tool::Conda } else { Tool::Pip };
    for line in requirements_file(text, tool) {
        let standing = sheet.standing;
        sheet.entry(line.line, line.tool, line.entry, standing);
    }
}
