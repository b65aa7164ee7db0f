//! `nbrevive completions`: a script for a shell.

use clap::CommandFactory as _;
use clap_complete::Shell;
use nbrevive_shown::Shown;

use crate::Outcome;
use crate::arguments::{Arguments, CompletionsArguments};
use crate::exit_code::Exit;
use crate::printer;

/// Prints it.
pub(crate) fn run(arguments: &CompletionsArguments) -> Outcome {
    printer::data(&Shown::block(&script(arguments.shell)));
    Ok(Exit::Success)
}

fn script(shell: Shell) -> String {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "nbrevive", &mut script);
    String::from_utf8_lossy(&script).into_owned()
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;
    use std::process::{Command, Stdio};

    use clap::ValueEnum as _;

    use super::*;

    #[test]
    fn every_shell_knows_every_command() {
        for shell in Shell::value_variants() {
            let script = script(*shell);
            for command in Arguments::command().get_subcommands().filter(|command| !command.is_hide_set()) {
                assert!(script.contains(command.get_name()), "{shell}: {}", command.get_name());
                for below in command.get_subcommands() {
                    assert!(script.contains(below.get_name()), "{shell}: {}", below.get_name());
                }
            }
            assert!(script.contains("--environment") || script.contains("-l environment"), "{shell}");
            assert_eq!(Shown::block(&script).as_str(), script, "{shell}: nothing of it is escaped");
        }
    }

    #[test]
    fn bash_reads_its_script() {
        let mut bash = Command::new("bash").arg("-n").stdin(Stdio::piped()).spawn().expect("bash is there");
        bash.stdin.take().expect("a pipe").write_all(script(Shell::Bash).as_bytes()).expect("bash reads");
        assert!(bash.wait().expect("bash ends").success());
    }
}
