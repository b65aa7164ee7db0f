//! Install lines that people read: Dockerfiles and READMEs. Candidates only, which no tool takes for a declaration.

use std::borrow::Cow;

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
            (true, _) if trimmed.starts_with('#') => "\\".into(),
            (true, _) => line.into(),
            (false, "RUN") => run(rest),
            (false, "FROM") => {
                base(rest, number, sheet);
                Cow::default()
            }
            (false, _) => Cow::default(),
        };
        goes_on = command.trim_end().ends_with('\\');
        script.push_str(&command);
        script.push('\n');
    }
    shell(&script, sheet);
}

/// The command of `RUN`: without flags such as `--mount=…`, and of a list of words those words.
fn run(rest: &str) -> Cow<'_, str> {
    let mut rest = rest.trim_start();
    while let Some((_, behind)) = rest.split_once([' ', '\t']).filter(|(flag, _)| flag.starts_with("--")) {
        rest = behind.trim_start();
    }
    match serde_json::from_str::<Vec<String>>(rest) {
        Ok(words) => words.join(" ").into(),
        Err(_) => rest.into(),
    }
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

/// Commands that install in a README: lines of its blocks of code, with or without a prompt, and what a sentence quotes. A sentence that begins
/// with such words is none.
fn commands_of(text: &str) -> String {
    let mut script = String::new();
    let (mut goes_on, mut is_fenced) = (false, false);
    for line in text.lines().take(MOST_LINES) {
        let is_fence = line.trim_start_matches([' ', '>']).starts_with("```");
        is_fenced ^= is_fence;
        let is_code = is_fenced || line.starts_with("    ") || line.starts_with('\t') || has_prompt(line);
        let command = match (goes_on || is_code) && !is_fence {
            true => without_prompt(line).to_owned(),
            false => quoted(line).join("; "),
        };
        let taken = if goes_on || installs(&command) { command.as_str() } else { "" };
        goes_on = taken.trim_end().ends_with('\\');
        script.push_str(taken);
        script.push('\n');
    }
    script
}

/// The commands of a README that install.
pub(super) fn readme(text: &str, sheet: &mut Sheet) {
    shell(&commands_of(text), sheet);
}

fn installs(command: &str) -> bool {
    PROGRAMS.iter().any(|program| command.starts_with(program)) && command.contains("install")
        || command.starts_with("conda env ")
}

/// Whether a line begins as one that was copied from a terminal or a notebook.
fn has_prompt(line: &str) -> bool {
    let line = line.trim_start_matches(['-', '*', '+', '>', ' ']);
    ["$ ", "!", "%", "(", "C:\\", "# pip"].iter().any(|prompt| line.starts_with(prompt))
}

/// The commands that a sentence quotes: "or `conda install x`, then".
fn quoted(line: &str) -> Vec<&str> {
    line.split('`').skip(1).step_by(2).map(without_prompt).filter(|text| installs(text)).collect()
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
    let lines: Vec<&str> = script.lines().collect();
    for install in install_lines(&[cell.as_str()]) {
        of_line(&install, &lines, sheet);
    }
}

fn of_line(install: &InstallLine, lines: &[&str], sheet: &mut Sheet) {
    let (first, standing) = (install.line.saturating_sub(1).max(1), sheet.standing);
    for requirement in &install.requirements {
        let line = line_of(requirement, first, lines);
        match install.tool {
            Tool::Pip => sheet.pip(line, requirement, standing, ""),
            Tool::Conda => sheet.conda(line, requirement, standing),
            Tool::Apt => sheet.system(line, requirement, true, ""),
        }
    }
    for unknown in &install.unknown {
        sheet.leave(first, unknown, UnreadReason::Variable, "");
    }
    for refused in &install.refused {
        sheet.leave(first, &refused.piece, UnreadReason::Option, "");
    }
}

/// The line on which a requirement stands of a command that begins on this one and may go on.
fn line_of(requirement: &str, first: u32, lines: &[&str]) -> u32 {
    let of_command = lines.iter().skip(first as usize - 1);
    let mut goes_on = true;
    let mut of_command = of_command.take_while(|line| std::mem::replace(&mut goes_on, line.trim_end().ends_with('\\')));
    of_command.position(|line| line.contains(requirement)).map_or(first, |more| first + more as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_commands_of_a_readme_are_taken() {
        let readme = "pip install will be done by the script\n```\npip install a \\\n  b\n```\nuse `pip install c` or `conda install d`\n\
                      $ pip install e\n\tpip install f\nPip install is easy: `x`.\n> ```sh\n> (env) $ pip install g\n> ```\npip install h\n";
        insta::assert_snapshot!(commands_of(readme), @r"


        pip install a \
        b

        pip install c; conda install d
        pip install e
        pip install f


        pip install g


        ");
    }

    #[test]
    fn the_words_of_run_are_its_command() {
        assert_eq!(run("--mount=type=cache,target=/c --network=none pip install a"), "pip install a");
        assert_eq!(run(r#"["pip", "install", "a"]"#), "pip install a");
        assert_eq!(run("[ -d x ] && pip install a"), "[ -d x ] && pip install a");
    }

    #[test]
    fn a_requirement_stands_on_its_own_line_of_a_command() {
        let lines = ["RUN pip install \\", "  a==1 \\", "  b", "b"];
        assert_eq!(["a==1", "b", "c"].map(|requirement| line_of(requirement, 1, &lines)), [2, 3, 1]);
    }
}
