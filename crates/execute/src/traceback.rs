//! Where in a cell an exception arose, read from the traceback of any IPython since version 5.

/// Takes the colour codes (`ESC [ … m`) out of a line.
pub(crate) fn without_colours(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("\u{1b}[") {
        out.push_str(&rest[..start]);
        let code = &rest[start + 2..];
        let end = code.find(|character: char| !character.is_ascii_digit() && character != ';').unwrap_or(code.len());
        rest = code[end..].strip_prefix('m').unwrap_or(&code[end..]);
    }
    out.push_str(rest);
    out
}

/// Beginnings of the line that names a frame of a cell: IPython 8 and 9, early 8, and 5 to 7.
const FRAMES: [&str; 3] = ["Cell In[", "Input In [", "<ipython-input-"];

/// Line of the cell, from 1, of the outermost frame that lies in a cell: the line of this notebook that failed, not
/// the library line below it.
pub(crate) fn cell_line(evalue: &str, traceback: &[String]) -> Option<u32> {
    let text: Vec<String> = traceback.iter().map(|part| without_colours(part)).collect();
    let mut in_frame = false;
    for line in text.iter().flat_map(|part| part.lines()) {
        let trimmed = line.trim_start();
        let frame = FRAMES.iter().any(|start| trimmed.starts_with(start) || trimmed.contains(&format!("File {start}")))
            || trimmed.contains("File \"<ipython-input-");
        if frame {
            in_frame = true;
            if let Some(number) = after(trimmed, "line ") {
                return Some(number);
            }
        }
        if in_frame && trimmed.starts_with("---") {
            return after(trimmed, "> ");
        }
    }
    // SyntaxError: `invalid syntax (3021393.py, line 2)` or `(<ipython-input-1-…>, line 2)`
    let inside = &evalue[evalue.rfind('(')?..];
    (inside.ends_with(')') && inside.contains(", line ")).then(|| after(inside, ", line "))?
}

fn after(text: &str, marker: &str) -> Option<u32> {
    let rest = &text[text.find(marker)? + marker.len()..];
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(evalue: &str, traceback: &[&str]) -> Option<u32> {
        cell_line(evalue, &traceback.iter().map(|&part| part.to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn reads_every_age_of_ipython() {
        let nine = "\u{1b}[31mZeroDivisionError\u{1b}[39m  Traceback\n";
        let frame = "\u{1b}[36mCell\u{1b}[39m\u{1b}[36m \u{1b}[39m\u{1b}[32mIn[3]\u{1b}[39m\u{1b}[32m, line 2\u{1b}[39m\n----> 2 1/0";
        assert_eq!(line("", &[nine, frame]), Some(2));
        assert_eq!(line("", &["Input In [1], in <cell line: 4>()\n      3 x\n----> 4 1/0"]), Some(4));
        let seven = "\u{1b}[0;32m<ipython-input-3-05c9>\u{1b}[0m in \u{1b}[0;36m<module>\u{1b}[0;34m\u{1b}[0m\n\u{1b}[0;32m----> 17\u{1b}[0;31m \u{1b}[0;36m1\u{1b}[0m";
        assert_eq!(line("", &["----------", "ZeroDivisionError", seven]), Some(17));
    }

    #[test]
    fn a_library_line_is_not_the_cells() {
        let cell = "Cell In[1], line 3\n----> 3 pd.read_csv('x')";
        let library = "File /usr/lib/pandas/io.py:610, in read_csv\n--> 610 raise";
        assert_eq!(line("", &["Traceback", cell, library]), Some(3));
        assert_eq!(line("", &["Traceback", library]), None);
    }

    #[test]
    fn syntax_errors_say_it_in_either_place() {
        assert_eq!(line("invalid syntax (3021393.py, line 2)", &["SyntaxError: invalid syntax"]), Some(2));
        assert_eq!(line("x", &["  File \"<ipython-input-2-8f5e>\", line 5\n    print 1"]), Some(5));
        assert_eq!(line("x", &["  Cell In[2], line 6\n    print 1"]), Some(6));
        assert_eq!(line("nothing (here)", &[]), None);
    }
}
