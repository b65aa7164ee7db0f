//! Credentials in every place where the official client looks.

use std::fs;

use proptest::prelude::*;

use super::*;

struct Home {
    folder: tempfile::TempDir,
    variables: Vec<(&'static str, String)>,
}

impl Home {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().display().to_string();
        Self { folder, variables: vec![("HOME", home)] }
    }

    fn file(self, path: &str, text: &str, mode: u32) -> Self {
        let path = self.folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        self
    }

    fn variable(mut self, name: &'static str, value: &str) -> Self {
        self.variables.push((name, value.to_owned()));
        self
    }

    fn find(&self) -> Result<Credentials, CredentialsError> {
        Credentials::search(|name| self.variables.iter().find(|pair| pair.0 == name).map(|pair| pair.1.clone()))
    }

    fn error(&self) -> String {
        self.find().unwrap_err().to_string()
    }
}

const KEY: &str = r#"{"username":"ada","key":"0123456789abcdef0123456789abcdef"}"#;

fn token(text: &str) -> Access {
    Access::Token(Secret::new(text))
}

#[test]
fn a_token_comes_before_a_key_and_a_key_before_a_sign_in() {
    let sign_in = r#"{"access_token":"signed-in","access_token_expiration":"2100-01-01T00:00:00Z"}"#;
    let home = Home::new().file(".kaggle/credentials.json", sign_in, 0o600);
    assert_eq!(home.find().unwrap().access, token("signed-in"));
    let home = home.file(".kaggle/kaggle.json", KEY, 0o600);
    assert!(matches!(home.find().unwrap().access, Access::Key { username, .. } if username == "ada"));
    let home = home.file(".kaggle/access_token", "from-file\n", 0o600);
    assert_eq!(home.find().unwrap().access, token("from-file"));
    let home = home.variable("KAGGLE_API_TOKEN", "from-variable");
    let found = home.find().unwrap();
    assert_eq!((found.access, found.place), (token("from-variable"), CredentialsPlace::Variable("KAGGLE_API_TOKEN")));
}

#[test]
fn the_folder_may_lie_elsewhere() {
    let home = Home::new().file(".config/kaggle/kaggle.json", KEY, 0o600);
    assert!(home.find().is_ok());
    let home = home.file("else/access_token.txt", "elsewhere", 0o600);
    let folder = home.folder.path().join("else").display().to_string();
    assert_eq!(home.variable("KAGGLE_CONFIG_DIR", &folder).find().unwrap().access, token("elsewhere"));
}

#[test]
fn the_variable_may_name_a_file() {
    let home = Home::new().file("mine.txt", "in-a-file", 0o600);
    let path = home.folder.path().join("mine.txt").display().to_string();
    assert_eq!(home.variable("KAGGLE_API_TOKEN", &path).find().unwrap().access, token("in-a-file"));
}

#[test]
fn variables_of_a_key_win_over_its_file_and_need_each_other() {
    let home = Home::new().file(".kaggle/kaggle.json", KEY, 0o600).variable("KAGGLE_USERNAME", "bob");
    assert_eq!(
        home.error(),
        "KAGGLE_USERNAME is set and KAGGLE_KEY is not: a key needs both; set KAGGLE_KEY, or unset KAGGLE_USERNAME"
    );
    let home = home.variable("KAGGLE_KEY", "abcdefgh");
    assert!(matches!(home.find().unwrap().access, Access::Key { username, .. } if username == "bob"));
}

#[test]
fn a_file_that_others_can_read_is_warned_about() {
    let found = Home::new().file(".kaggle/kaggle.json", KEY, 0o644).find().unwrap();
    let warning = found.warnings[0].to_string();
    assert!(warning.contains("mode 644") && warning.contains("chmod 600"), "{warning}");
    assert!(Home::new().file(".kaggle/kaggle.json", KEY, 0o600).find().unwrap().warnings.is_empty());
}

#[test]
fn what_is_missing_or_wrong_is_said_without_the_secret() {
    let error = Home::new().error();
    assert!(error.contains("no Kaggle credentials") && error.contains(".kaggle/access_token"), "{error}");
    for wrong in [
        "{\"username\":\"ada\",\"key\":5 hunter2}",
        "hunter2",
        "{\"username\":\"a:b\",\"key\":\"hunter2\"}",
        "{\"username\":\"ada\",\"key\":\"hunter2 hunter2\"}",
    ] {
        let home = Home::new().file(".kaggle/kaggle.json", wrong, 0o600);
        let error = format!("{} {:?}", home.error(), home.find());
        assert!(error.contains("kaggle.json") && !error.contains("hunter2"), "{error}");
    }
    let old = r#"{"access_token":"hunter2!","access_token_expiration":"2020-01-01T00:00:00Z"}"#;
    let error = Home::new().file(".kaggle/credentials.json", old, 0o600).error();
    assert!(error.contains("ended on 2020-01-01") && !error.contains("hunter2"), "{error}");
    let shown = format!("{:?}", Home::new().file(".kaggle/access_token", "hunter22", 0o600).find().unwrap());
    assert!(!shown.contains("hunter"), "{shown}");
}

proptest! {
    #[test]
    fn no_file_does_harm_and_none_is_quoted(text in "[{}\":,a-z \n\u{e9}]{0,20}zqx[{}\":,a-z \n\u{e9}]{0,20}") {
        for name in ["kaggle.json", "access_token", "credentials.json"] {
            let found = Home::new().file(&format!(".kaggle/{name}"), &text, 0o600).find();
            let shown = format!("{found:?}");
            prop_assert!(!shown.contains("zqx"));
            if let Err(error) = found {
                prop_assert!(!error.to_string().contains("zqx"));
            }
        }
    }
}
