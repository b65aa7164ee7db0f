//! Install lines that people read: Dockerfiles and READMEs. Candidates only, which no tool takes for a declaration.

use nbrevive_pysource::requirements::{InstallLine, Tool, install_lines};

use super::row::UnreadReason;
use super::sheet::Sheet;

/// Most lines of a file that are looked at.
const MOST_LINES: usize = 50_000;
/// What a command begins with that could install.
const PROGRAMS: [&str; 12] =
    ["pip", "python", "conda", "mamba", "micromamba", "apt", "uv ", "sudo ", "easy_install", "!", "%", "py -m"];

/// The `RUN` lines of a Dockerfile, and the Python of its base.
pub(super) fn dockerfile(text: &str, sheet: &mut Sheet) {
    let mut script = String::new();
    let mut goes_on = false;
    for (line, number) in text.lines().take(MOST_LINES).zip(1..) {
        let trimmed = line.trim_start();
        let (word, rest) = trimmed.split_once([' ', '\t']).unwrap_or((trimmed, ""));
        let command = match (goes_on, word.to_ascii_uppercase().as_str()) {
            (true, _) if trimmed.starts_with('#') => "\\",
            (true, _) => line,
            (false, "RUN") => rest,
            (false, "FROM") => {
                base(rest, number, sheet);
                ""
            }
            (false, _) => "",
        };
        goes_on = command.trim_end().ends_with('\\');
        script.push_str(command);
        script.push('\n');
    }
    shell(&script, sheet);
}

/// `FROM python:3.8-slim`.
fn base(image: &str, line: u32, sheet: &mut Sheet) {
    let image = image.split_whitespace().find(|word| !word.starts_with("--")).unwrap_or_default();
    let Some((name, tag)) = image.rsplit_once(':') else { return };
    let version = tag.split('-').next().unwrap_or_default();
    let is_version = version.starts_with(|found: char| found.is_ascii_digit());
    if is_version && name.rsplit('/').next().is_some_and(|name| matches!(name, "python" | "pypy")) {
        sheet.python(line, version);
    }
}

/// Lines of a README that begin as commands that install, with or without a prompt, inside a block of code or out of one.
pub(super) fn readme(text: &str, sheet: &mut Sheet) {
    let mut script = String::new();
    let mut goes_on = false;
    for line in text.lines().take(MOST_LINES) {
        let command = in_sentence(line).unwrap_or_else(|| without_prompt(line));
        let installs = PROGRAMS.iter().any(|program| command.starts_with(program)) && command.contains("install")
            || command.starts_with("conda env ");
        let taken = if goes_on || installs { command } else { "" };
        goes_on = taken.trim_end().ends_with('\\');
        script.push_str(taken);
        script.push('\n');
    }
    shell(&script, sheet);
}

/// The command that a sentence quotes: "or `conda install x`, then".
fn in_sentence(line: &str) -> Option<&str> {
    let mut quoted = line.split('`').skip(1).step_by(2);
    quoted.find(|text| PROGRAMS.iter().any(|program| text.starts_with(program)) && text.contains(" install "))
}

/// A line without what stands before a command: blanks, marks of lists and quotes, a prompt, the quotes of code in a sentence.
fn without_prompt(line: &str) -> &str {
    let line = line.trim();
    let line = line.trim_start_matches(['-', '*', '+', '>', '`', ' ', '\t']);
    let line = line.trim_start_matches(|found: char| found.is_ascii_digit()).trim_start_matches(['.', ')', ' ', '`']);
    let line = match line.split_once(['$', '>', '#']) {
        // `(base) user@host:~$ pip install x`: a prompt has at most two words.
        Some((before, rest)) if before.split_whitespace().count() <= 2 && rest.starts_with(' ') => rest.trim_start(),
        _ => line,
    };
    let line = line.trim_start_matches(['!', '%']).trim_start();
    line.split('`').next().unwrap_or(line)
}

/// The install commands of a text of shell, whose lines are those of the file.
fn shell(script: &str, sheet: &mut Sheet) {
    if !script.contains("install") && !script.contains("conda env") {
        return;
    }
    let cell = format!("%%bash\n{script}");
    for install in install_lines(&[cell.as_str()]) {
        of_line(&install, sheet);
    }
}

fn of_line(install: &InstallLine, sheet: &mut Sheet) {
    let line = install.line.saturating_sub(1).max(1);
    let standing = sheet.standing;
    for requirement in &install.requirements {
        match install.tool {
            Tool::Pip => sheet.pip(line, requirement, standing, ""),
            Tool::Conda => sheet.conda(line, requirement, standing),
            Tool::Apt => sheet.system(line, requirement, true, ""),
        }
    }
    for unknown in &install.unknown {
        sheet.leave(line, unknown, UnreadReason::Variable, "");
    }
    for refused in &install.refused {
        sheet.leave(line, &refused.piece, UnreadReason::Option, "");
    }
}
