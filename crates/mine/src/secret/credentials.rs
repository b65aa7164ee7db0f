//! Credentials from the files and variables that the official client reads, in the order of its version 2.2: access token,
//! key, sign-in file.

use std::io::Read as _;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use nbrevive_files::FileError;
use nbrevive_requests::Secret;
use serde::Deserialize;

/// Longest credential file that is read, in bytes.
const LONGEST: u64 = 64 << 10;

/// What is shown to the server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Access {
    /// An access token (`Authorization: Bearer`).
    Token(Secret),
    /// A user's key (`Authorization: Basic`).
    Key {
        /// The user.
        username: String,
        /// The key.
        key: Secret,
    },
}

/// Where credentials were found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CredentialsPlace {
    /// In an environment variable.
    Variable(&'static str),
    /// In a file.
    File(PathBuf),
    /// Given by the caller.
    Given,
}

/// Credentials and where they came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Credentials {
    /// What is shown to the server.
    pub access: Access,
    /// Where it was found.
    pub place: CredentialsPlace,
    /// What the user should know about it.
    pub warnings: Vec<CredentialsWarning>,
}

/// Something about the credentials that is not as it should be, without stopping anything.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CredentialsWarning {
    /// Others on this machine can read the file.
    #[error("{} can be read by other users of this machine (mode {mode:03o}); run: chmod 600 {}", path.display(), path.display())]
    Readable {
        /// The file.
        path: PathBuf,
        /// Its permissions.
        mode: u32,
    },
}

/// No usable credentials. No message holds any part of them.
#[derive(Debug, thiserror::Error)]
pub enum CredentialsError {
    /// Nothing was found.
    #[error(
        "no Kaggle credentials: create a token on your Kaggle account's settings page and save it as {}, or set KAGGLE_API_TOKEN; \
         an older kaggle.json beside it, or KAGGLE_USERNAME and KAGGLE_KEY, do as well", expected.display()
    )]
    Missing {
        /// Where a token would be found.
        expected: PathBuf,
    },
    /// Only one of the two variables of a key is set.
    #[error("{set} is set and {missing} is not: a key needs both; set {missing}, or unset {set}")]
    Half {
        /// The variable that is set.
        set: &'static str,
        /// The variable that is missing.
        missing: &'static str,
    },
    /// A file cannot be read.
    #[error("cannot read the credentials in {}: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// What was found is no credential.
    #[error(
        "the credentials in {place} are not usable: {what}; download them again from your Kaggle account's settings page"
    )]
    Invalid {
        /// The file or variable.
        place: String,
        /// What is wrong, without the content.
        what: &'static str,
    },
    /// The sign-in is too old.
    #[error("the sign-in in {} ended on {ended}; sign in again with the official client, or use an access token", path.display())]
    Expired {
        /// The file.
        path: PathBuf,
        /// When it ended.
        ended: Timestamp,
    },
}

#[derive(Deserialize)]
struct KeyFile {
    username: String,
    key: String,
}

#[derive(Deserialize)]
struct SignInFile {
    access_token: String,
    access_token_expiration: Option<Timestamp>,
}

/// Where to look: the environment, with the folders made out of it.
struct Search<V> {
    variable: V,
    folders: Vec<PathBuf>,
}

impl Credentials {
    /// Credentials that the caller has.
    #[must_use]
    pub fn given(access: Access) -> Self {
        Self { access, place: CredentialsPlace::Given, warnings: Vec::new() }
    }

    /// The credentials of the user who runs this program.
    ///
    /// # Errors
    /// [`CredentialsError`]: none there, half there, unreadable or not usable.
    pub fn find() -> Result<Self, CredentialsError> {
        Self::search(|name| std::env::var(name).ok())
    }

    fn search(variable: impl Fn(&str) -> Option<String>) -> Result<Self, CredentialsError> {
        let variable = |name: &str| variable(name).map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
        let folders = folders(&variable);
        let search = Search { variable, folders };
        let found = match search.token()? {
            Some(found) => Some(found),
            None => match search.key()? {
                Some(found) => Some(found),
                None => search.sign_in()?,
            },
        };
        let missing = || CredentialsError::Missing {
            expected: search
                .folders
                .first()
                .map_or_else(|| "access_token".into(), |folder| folder.join("access_token")),
        };
        found.ok_or_else(missing)
    }

    /// Every form in which the secret could come back in a body.
    pub(crate) fn secrets(&self, header: &str) -> Vec<Secret> {
        let shown = header.split_once(' ').map_or(header, |(_, shown)| shown);
        let own = match &self.access {
            Access::Token(token) => token,
            Access::Key { key, .. } => key,
        };
        vec![own.clone(), Secret::new(shown)]
    }
}

/// The folders of the official client's configuration.
fn folders(variable: &impl Fn(&str) -> Option<String>) -> Vec<PathBuf> {
    if let Some(folder) = variable("KAGGLE_CONFIG_DIR") {
        return vec![PathBuf::from(folder)];
    }
    let home = variable("HOME").map(PathBuf::from);
    let configuration =
        variable("XDG_CONFIG_HOME").map(PathBuf::from).or_else(|| home.as_ref().map(|home| home.join(".config")));
    home.map(|home| home.join(".kaggle")).into_iter().chain(configuration.map(|folder| folder.join("kaggle"))).collect()
}

impl<V: Fn(&str) -> Option<String>> Search<V> {
    fn token(&self) -> Result<Option<Credentials>, CredentialsError> {
        const VARIABLE: &str = "KAGGLE_API_TOKEN";
        if let Some(text) = (self.variable)(VARIABLE) {
            let path = Path::new(&text);
            // The variable may name a file instead; a token never looks like an existing path.
            if path.is_file() {
                return read(path)?.map(|file| file.token()).transpose();
            }
            let token = checked(&text, VARIABLE)?;
            let access = Access::Token(token);
            return Ok(Some(Credentials { access, place: CredentialsPlace::Variable(VARIABLE), warnings: Vec::new() }));
        }
        let named = (self.variable)("KAGGLE_API_V1_TOKEN").map(PathBuf::from);
        let usual =
            self.folders.iter().flat_map(|folder| [folder.join("access_token"), folder.join("access_token.txt")]);
        for path in named.into_iter().chain(usual) {
            if let Some(file) = read(&path)? {
                return file.token().map(Some);
            }
        }
        Ok(None)
    }

    fn key(&self) -> Result<Option<Credentials>, CredentialsError> {
        const NAMES: [&str; 2] = ["KAGGLE_USERNAME", "KAGGLE_KEY"];
        match NAMES.map(|name| (self.variable)(name)) {
            [Some(username), Some(key)] => {
                let access = Access::Key { username: user(&username, NAMES[0])?, key: checked(&key, NAMES[1])? };
                return Ok(Some(Credentials {
                    access,
                    place: CredentialsPlace::Variable(NAMES[1]),
                    warnings: Vec::new(),
                }));
            }
            [Some(_), None] => return Err(CredentialsError::Half { set: NAMES[0], missing: NAMES[1] }),
            [None, Some(_)] => return Err(CredentialsError::Half { set: NAMES[1], missing: NAMES[0] }),
            [None, None] => {}
        }
        for folder in &self.folders {
            if let Some(file) = read(&folder.join("kaggle.json"))? {
                return file.key().map(Some);
            }
        }
        Ok(None)
    }

    fn sign_in(&self) -> Result<Option<Credentials>, CredentialsError> {
        for folder in &self.folders {
            if let Some(file) = read(&folder.join("credentials.json"))? {
                return file.sign_in().map(Some);
            }
        }
        Ok(None)
    }
}

/// A credential file that is there.
struct CredentialFile {
    path: PathBuf,
    text: String,
    warnings: Vec<CredentialsWarning>,
}

fn read(path: &Path) -> Result<Option<CredentialFile>, CredentialsError> {
    let unreadable = |source| CredentialsError::Unreadable { path: path.to_owned(), source };
    let invalid = |what| CredentialsError::Invalid { place: path.display().to_string(), what };
    let file = match nbrevive_files::open(path) {
        Err(error) if error.is_not_found() => return Ok(None),
        Err(FileError::NotRegular { .. }) => return Err(invalid("it is no small file")),
        opened => opened.map_err(|error| unreadable(error.into()))?,
    };
    let mode = file.metadata().map_err(unreadable)?.permissions().mode() & 0o777;
    let open = (mode & 0o077 != 0).then(|| CredentialsWarning::Readable { path: path.to_owned(), mode });
    let mut bytes = Vec::new();
    file.take(LONGEST + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > LONGEST {
        return Err(invalid("it is no small file"));
    }
    let text = String::from_utf8(bytes).map_err(|_| invalid("it is not text"))?;
    Ok(Some(CredentialFile { path: path.to_owned(), text, warnings: open.into_iter().collect() }))
}

impl CredentialFile {
    fn with(self, access: Access) -> Credentials {
        Credentials { access, place: CredentialsPlace::File(self.path), warnings: self.warnings }
    }

    fn place(&self) -> String {
        self.path.display().to_string()
    }

    fn json<'a, T: Deserialize<'a>>(&'a self, what: &'static str) -> Result<T, CredentialsError> {
        // The parser's own message could quote the secret.
        serde_json::from_str(&self.text).map_err(|_| CredentialsError::Invalid { place: self.place(), what })
    }

    fn token(self) -> Result<Credentials, CredentialsError> {
        let token = checked(self.text.trim(), &self.place())?;
        Ok(self.with(Access::Token(token)))
    }

    fn key(self) -> Result<Credentials, CredentialsError> {
        let file: KeyFile = self.json("it is no JSON object with `username` and `key`")?;
        let access =
            Access::Key { username: user(&file.username, &self.place())?, key: checked(&file.key, &self.place())? };
        Ok(self.with(access))
    }

    fn sign_in(self) -> Result<Credentials, CredentialsError> {
        let file: SignInFile = self.json("it is no JSON object with `access_token`")?;
        if let Some(ended) = file.access_token_expiration.filter(|end| *end <= Timestamp::now()) {
            return Err(CredentialsError::Expired { path: self.path, ended });
        }
        let token = checked(&file.access_token, &self.place())?;
        Ok(self.with(Access::Token(token)))
    }
}

/// A token or key: something printable without blanks, as it has to stand in a header.
fn checked(text: &str, place: &str) -> Result<Secret, CredentialsError> {
    let invalid = |what| Err(CredentialsError::Invalid { place: place.to_owned(), what });
    match text.trim() {
        "" => invalid("the token or key is empty"),
        text if !text.bytes().all(|byte| byte.is_ascii_graphic()) => {
            invalid("the token or key holds blanks or characters that no token has")
        }
        text => Ok(Secret::new(text)),
    }
}

fn user(text: &str, place: &str) -> Result<String, CredentialsError> {
    let plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic() && byte != b':');
    let invalid = || CredentialsError::Invalid { place: place.to_owned(), what: "the user name is empty or no name" };
    plain.then(|| text.to_owned()).ok_or_else(invalid)
}

#[cfg(test)]
#[path = "credentials_tests.rs"]
mod tests;
