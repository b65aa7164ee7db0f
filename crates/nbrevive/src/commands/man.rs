//! `nbrevive man`: a manual page of the program and of each command.

use std::fmt::Write as _;

use clap::{Command, CommandFactory as _};
use clap_mangen::Man;
use nbrevive_shown::shown;

use crate::Outcome;
use crate::arguments::{Arguments, ManArguments};
use crate::commands::setting::file_failure;
use crate::exit_code::{Exit, Failure};
use crate::printer;

/// A page: the name of its file, and its text.
type Page = (String, String);

/// Writes them all.
pub(crate) fn run(arguments: &ManArguments) -> Outcome {
    let pages = pages().map_err(|error| Failure::new(Exit::Other, &error))?;
    nbrevive_files::make_folder(&arguments.out).map_err(|error| file_failure(&error))?;
    for (name, text) in &pages {
        nbrevive_files::write(&arguments.out.join(name), text).map_err(|error| file_failure(&error))?;
    }
    printer::note(&shown!("wrote {} pages into {}", pages.len(), arguments.out.display()));
    Ok(Exit::Success)
}

fn pages() -> std::io::Result<Vec<Page>> {
    let mut program = Arguments::command().disable_help_subcommand(true);
    program.build();
    let mut pages = Vec::new();
    add(program, &mut pages)?;
    Ok(pages)
}

/// Adds the pages of a command and of those below it.
fn add(command: Command, pages: &mut Vec<Page>) -> std::io::Result<()> {
    for below in command.get_subcommands().filter(|below| !below.is_hide_set()) {
        add(below.clone(), pages)?;
    }
    let page = Man::new(command);
    let mut text = Vec::new();
    page.render(&mut text)?;
    pages.push((page.get_filename(), in_ascii(&String::from_utf8_lossy(&text))));
    Ok(())
}

/// With the escapes of roff for all else: older formatters read nothing but ASCII.
fn in_ascii(text: &str) -> String {
    let mut page = String::with_capacity(text.len());
    for letter in text.chars() {
        if letter.is_ascii() {
            page.push(letter);
        } else {
            // Writing into a string does not fail.
            let _ = write!(page, "\\[u{:04X}]", u32::from(letter));
        }
    }
    page
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;
    use std::process::{Command, Stdio};

    use super::*;

    /// What a formatter makes of a page; `None` where this machine has none.
    fn rendered(text: &str) -> Option<String> {
        let mut groff = Command::new("groff");
        groff.args(["-man", "-Tutf8", "-ww"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut groff = groff.spawn().ok()?;
        groff.stdin.take()?.write_all(text.as_bytes()).expect("groff reads");
        let output = groff.wait_with_output().expect("groff ends");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
        Some(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    #[test]
    fn every_command_has_a_page_that_can_be_read() {
        let pages = pages().expect("pages");
        for command in Arguments::command().get_subcommands().filter(|command| !command.is_hide_set()) {
            let name = format!("nbrevive-{}.1", command.get_name());
            let page = pages.iter().find(|page| page.0 == name).unwrap_or_else(|| panic!("no page {name}"));
            let about = command.get_about().expect("it says what it does").to_string();
            let first = about.split([' ', ',']).next().expect("a word");
            assert!(page.1.is_ascii() && rendered(&page.1).is_none_or(|text| text.contains(first)), "{name}");
        }
        let program = pages.iter().find(|page| page.0 == "nbrevive.1").expect("the program's page");
        assert!(program.1.contains("Exit codes") && program.1.contains("grade"), "{}", program.1);
    }
}
