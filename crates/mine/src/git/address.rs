//! Where a repository is that is not here.

use std::fmt;

/// Longest address that is taken, in bytes.
const LONGEST: usize = 2000;
/// Transports that ask another machine and start no program of the address's choice (`ext::` would).
const SCHEMES: [&str; 4] = ["https", "http", "ssh", "git"];

/// The address of a repository on another machine: `https://host/owner/name`, `ssh://git@host/name`, `git@host:owner/name`.
#[derive(Clone, PartialEq, Eq)]
pub struct GitAddress(String);

/// A text that is no such address.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is no address of a git repository: {why}")]
pub struct NotAGitAddress {
    text: String,
    why: &'static str,
}

impl GitAddress {
    /// Reads an address. Nothing in it can be taken for an option, by git or by ssh.
    ///
    /// # Errors
    /// [`NotAGitAddress`].
    pub fn parse(text: &str) -> Result<Self, NotAGitAddress> {
        let refuse = |why| Err(NotAGitAddress { text: without_password(text).chars().take(200).collect(), why });
        if text.len() > LONGEST || text.chars().any(|letter| letter.is_control() || letter.is_whitespace()) {
            return refuse("it is too long, or has spaces");
        }
        let (host, path) = match text.split_once("://") {
            Some((scheme, _)) if !SCHEMES.contains(&scheme) => {
                return refuse("only https, http, ssh and git are asked");
            }
            Some((_, rest)) => rest.split_once('/').unwrap_or((rest, "")),
            None if text.contains("::") => return refuse("it names a program to run"),
            None => match text.split_once(':').filter(|(host, _)| !host.contains('/')) {
                Some(parts) => parts,
                None => return refuse("it names no host, and there is no such folder"),
            },
        };
        if host.is_empty() || path.is_empty() {
            return refuse("it names no host or no repository");
        }
        // `ssh://-oProxyCommand=…@host` would be an option of ssh.
        if host.split(['@', ':']).chain([path]).any(|part| part.starts_with('-')) {
            return refuse("a part of it begins with a hyphen, as options do");
        }
        Ok(Self(text.to_owned()))
    }

    /// Parts an address from the commit that is named behind it: `https://host/owner/name@v1`. The `@` of a user is none.
    #[must_use]
    pub fn split_commit(text: &str) -> (&str, Option<&str>) {
        let path = match text.find("://") {
            Some(scheme) => text[scheme + 3..].find('/').map(|slash| scheme + 3 + slash),
            None => text.find([':', '/']),
        };
        let at = path.and_then(|path| text[path..].rfind('@').map(|at| path + at));
        match at {
            Some(at) if !text[..at].ends_with('/') => (&text[..at], Some(&text[at + 1..])),
            _ => (text, None),
        }
    }

    /// As git takes it: a password may be in it.
    pub(super) fn as_given(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for GitAddress {
    /// Without user and password, where there is a password.
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(&without_password(&self.0))
    }
}

impl fmt::Debug for GitAddress {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "GitAddress({self})")
    }
}

fn without_password(text: &str) -> String {
    let Some((scheme, rest)) = text.split_once("://") else { return text.to_owned() };
    let authority = rest.split('/').next().unwrap_or_default();
    match authority.rsplit_once('@') {
        Some((user, host)) if scheme.starts_with("http") || user.contains(':') => {
            format!("{scheme}://{host}{}", &rest[authority.len()..])
        }
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn addresses_of_other_machines_are_taken() {
        for text in [
            "https://github.com/barbagroup/CFDPython",
            "https://user:secret@example.org:8443/a.git",
            "http://[::1]:80/a",
            "ssh://git@example.org:22/~me/a.git",
            "git@github.com:owner/name.git",
            "host:path",
            "git://127.0.0.1:9418/a",
        ] {
            let read = GitAddress::parse(text);
            assert!(read.is_ok(), "{read:?}");
        }
        let shown = GitAddress::parse("https://user:secret@example.org/a@b").unwrap().to_string();
        assert_eq!(shown, "https://example.org/a@b");
    }

    #[test]
    fn a_commit_stands_behind_the_path() {
        let cases = [
            ("https://a.org/o/n@v1", ("https://a.org/o/n", Some("v1"))),
            ("https://u@a.org/o/n", ("https://u@a.org/o/n", None)),
            ("https://u:p@a.org/o/n@feature/x", ("https://u:p@a.org/o/n", Some("feature/x"))),
            ("git@a.org:o/n", ("git@a.org:o/n", None)),
            ("git@a.org:o/n@0ab1", ("git@a.org:o/n", Some("0ab1"))),
            ("./folder@HEAD~1", ("./folder", Some("HEAD~1"))),
            ("folder", ("folder", None)),
            ("https://a.org", ("https://a.org", None)),
        ];
        for (text, parts) in cases {
            assert_eq!(GitAddress::split_commit(text), parts, "{text}");
        }
    }

    mod attacks {
        use super::*;

        #[test]
        fn what_would_run_something_or_be_an_option_is_no_address() {
            for text in [
                "ext::sh -c touch% /tmp/pwned",
                "ext::id",
                "fd::7",
                "--upload-pack=touch",
                "-u:id",
                "ssh://-oProxyCommand=id@host/a",
                "ssh://host:-p/a",
                "-oProxyCommand=id:a",
                "host:-path",
                "ftp://a.org/a",
                "file:///etc",
                "https:///a",
                "https://a.org",
                "https://a.org/a b",
                "https://a.org/\u{1b}]0;x",
                "nowhere",
                "",
            ] {
                assert!(GitAddress::parse(text).is_err(), "{text}");
            }
            let error = GitAddress::parse("https://u:secret@a.org/ b").unwrap_err().to_string();
            assert!(!error.contains("secret"), "{error}");
        }

        proptest! {
            #[test]
            fn no_text_panics_and_no_part_that_is_taken_is_an_option(text in "(https://|ssh://|git@|ext::|-)?[-a@:/. ]{0,12}") {
                let (address, _) = GitAddress::split_commit(&text);
                if let Ok(address) = GitAddress::parse(address) {
                    prop_assert!(!address.as_given().starts_with('-') && !address.as_given().contains("://-"));
                }
            }
        }
    }
}
