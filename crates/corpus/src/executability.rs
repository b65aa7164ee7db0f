//! How far code runs: the words of the judge `executability`.

use crate::RunEnd;
use nbrevive_spelling::string_enum;

/// What the system, or a library that wraps its error, says where there is no network.
const NO_NETWORK: [&str; 4] = [
    "Name or service not known",
    "Temporary failure in name resolution",
    "Network is unreachable",
    "Failed to resolve",
];

string_enum! {
    /// What stops a notebook, by its first error (ReNote, section V).
    pub enum Executability ("executability") {
        /// Every cell ran.
        Executable => "executable",
        /// A file is not there.
        FileNotFound => "file-not-found",
        /// A module is not installed.
        ModuleNotFound => "module-not-found",
        /// A name is not defined.
        NameError => "name-error",
        /// It asks for something from the network, which there is none of here; the paper's notebooks had one.
        Network => "network",
        /// It waits for somebody at a keyboard.
        Input => "input",
        /// Any other error.
        OtherError => "other-error",
        /// The wall clock ran out before any error.
        Timeout => "timeout",
        /// The kernel ended before any error.
        Died => "died",
        /// There was no environment to run in.
        NoEnvironment => "no-environment",
        /// It was only looked at, and its code shows nothing that would stop it.
        NotRun => "not-run",
    }
}

impl Executability {
    /// What stops a run that ended so and whose first error, by place, has this class and message.
    #[must_use]
    pub fn of(end: &RunEnd, first_error: Option<(&str, &str)>) -> Self {
        if let Some((class, message)) = first_error {
            return Self::of_error(class, message);
        }
        match end {
            RunEnd::Completed => Executability::Executable,
            RunEnd::Timeout => Executability::Timeout,
            RunEnd::NotSaved(_) => Executability::Died,
            RunEnd::NoEnvironment(_) => Executability::NoEnvironment,
            RunEnd::NotRun(_) => Executability::NotRun,
        }
    }

    /// What an error stands for, by class and message, since Python 2 has neither `FileNotFoundError` nor `ModuleNotFoundError`.
    #[must_use]
    pub fn of_error(class: &str, message: &str) -> Self {
        match class {
            "FileNotFoundError" => Executability::FileNotFound,
            "IOError" | "OSError" if message.starts_with("[Errno 2]") => Executability::FileNotFound,
            "ModuleNotFoundError" => Executability::ModuleNotFound,
            "ImportError" if message.starts_with("No module named") => Executability::ModuleNotFound,
            "NameError" => Executability::NameError,
            "StdinNotImplementedError" => Executability::Input,
            "URLError"
            | "HTTPError"
            | "ConnectionError"
            | "gaierror"
            | "ConnectTimeout"
            | "SSLError"
            | "MaxRetryError"
            | "NameResolutionError"
            | "ConnectError"
            | "ClientConnectorError" => Executability::Network,
            _ if NO_NETWORK.iter().any(|words| message.contains(words)) => Executability::Network,
            _ => Executability::OtherError,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_error_decides_and_then_the_end() {
        let of = |class: &str, message: &str| Executability::of(&RunEnd::Completed, Some((class, message)));
        assert_eq!(of("IOError", "[Errno 2] No such file or directory: 'a'"), Executability::FileNotFound);
        assert_eq!(of("OSError", "[Errno 13] Permission denied: 'a'"), Executability::OtherError);
        assert_eq!(of("ImportError", "No module named cPickle"), Executability::ModuleNotFound);
        assert_eq!(of("ImportError", "cannot import name 'Imputer'"), Executability::OtherError);
        assert_eq!(of("UnboundLocalError", "x"), Executability::OtherError);
        assert_eq!(
            of("URLError", "<urlopen error [Errno -3] Temporary failure in name resolution>"),
            Executability::Network
        );
        assert_eq!(of("OSError", "[Errno 101] Network is unreachable"), Executability::Network);
        assert_eq!(of("StdinNotImplementedError", "raw_input was called"), Executability::Input);
        assert_eq!(Executability::of(&RunEnd::Timeout, Some(("NameError", "x"))), Executability::NameError);
        assert_eq!(Executability::of(&RunEnd::Timeout, None), Executability::Timeout);
        assert_eq!(Executability::of(&RunEnd::NotSaved("out-of-memory".to_owned()), None), Executability::Died);
        assert_eq!(Executability::of(&RunEnd::Completed, None), Executability::Executable);
    }
}
