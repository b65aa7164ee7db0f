//! Judges texts that name files: inside the notebook's world, outside of it, or the hidden answers.

use nbrevive_corpus::Breach;

use super::code::text::UNKNOWN;
use super::contract::Contract;
use super::tables;

/// Where relative paths start.
const WORKING: &str = "/kaggle/working";
/// Everything that a notebook may touch.
const WORLD: &str = "kaggle";
/// Schemes of addresses that lead to the network.
const SCHEMES: &[&str] = &[
    "http",
    "https",
    "ftp",
    "ftps",
    "sftp",
    "s3",
    "s3a",
    "gs",
    "gcs",
    "hdfs",
    "git",
    "ssh",
    "ws",
    "wss",
    "az",
    "abfs",
    "hf",
    "git+https",
    "git+ssh",
    "git+http",
    "webhdfs",
    "smb",
    "file",
];
/// Folders at the root of a machine: a text that starts with one of them is a path, wherever it stands.
const ROOTS: &[&str] = &[
    "etc",
    "proc",
    "home",
    "root",
    "usr",
    "var",
    "opt",
    "mnt",
    "dev",
    "sys",
    "data",
    "private",
    "tmp",
    "srv",
    "run",
    "bin",
    "sbin",
    "lib",
    "lib64",
    "media",
    "content",
    "workspace",
    "app",
    "boot",
    "users",
    "mlebench",
    "answers",
    "host",
];
/// Ends of file names that hold data.
const DATA_ENDS: &[&str] = &[
    ".csv", ".tsv", ".json", ".parquet", ".feather", ".pkl", ".pickle", ".npy", ".npz", ".zip", ".gz", ".h5", ".hdf5",
    ".txt", ".xlsx", ".db", ".sqlite", ".arrow", ".jsonl",
];
/// The longest text that is taken for a path.
const LONGEST: usize = 512;

/// What is wrong with a text; `is_path` when it stands where a path is expected.
pub(super) fn judge(text: &str, is_path: bool, contract: &Contract) -> Option<(Breach, String)> {
    let text = text.trim();
    if text.len() > LONGEST || text.contains('\n') {
        return None;
    }
    if is_address(text) {
        return Some((Breach::Network, format!("the address `{}`", shown(text))));
    }
    if !is_path && !looks_like_path(text) {
        return None;
    }
    if names_answers(text, contract) {
        return Some((Breach::HiddenAnswers, format!("the file `{}`", shown(text))));
    }
    let is_outside = leads_outside(text, is_path);
    is_outside.then(|| (Breach::OutsidePath, format!("the path `{}` lies outside of /kaggle", shown(text))))
}

/// Whether a walk from this folder stays inside the world. Unknown parts behind a known inner folder do.
pub(super) fn is_inside(text: &str) -> bool {
    !text.starts_with(UNKNOWN) && !text.trim().is_empty() && !leads_outside(text.trim(), true)
}

fn shown(text: &str) -> String {
    text.chars().map(|c| if c == UNKNOWN { '…' } else { c }).filter(|c| *c != '`').take(120).collect()
}

fn is_address(text: &str) -> bool {
    let Some((scheme, _)) = text.split_once("://") else { return false };
    SCHEMES.contains(&scheme.to_ascii_lowercase().as_str())
}

fn looks_like_path(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let has_folder = text.contains('/') && !text.contains("</") && !text.contains(['<', '>', '\t']);
    has_folder || text.starts_with('~') || DATA_ENDS.iter().any(|end| lower.ends_with(end))
}

fn names_answers(text: &str, contract: &Contract) -> bool {
    let lower = text.to_ascii_lowercase();
    let parts: Vec<&str> = lower.split(['/', '\\']).filter(|part| !part.is_empty()).collect();
    let Some((file, folders)) = parts.split_last() else { return false };
    let stem = file.split('.').next().unwrap_or_default();
    let is_answer = contract.answer_files.iter().any(|name| name.to_ascii_lowercase() == *file)
        || (tables::is_answer_stem(stem) && (file.contains('.') || lower.contains('/')));
    is_answer || folders.contains(&"private") || (folders.len() > 1 && *file == "private")
}

/// Whether a path leaves /kaggle. A text that merely looks like a path must start with a known folder of machines.
fn leads_outside(text: &str, is_path: bool) -> bool {
    if text.starts_with('~') {
        return is_path || text.starts_with("~/");
    }
    let is_absolute = text.starts_with('/');
    if is_absolute && !is_path {
        let first = text.trim_start_matches('/').split('/').next().unwrap_or_default();
        let is_root = ROOTS.contains(&first.to_ascii_lowercase().as_str());
        return is_root && text.len() > first.len();
    }
    if !is_absolute && !text.split('/').any(|part| part == "..") {
        return false;
    }
    let whole = if is_absolute { text.to_owned() } else { format!("{WORKING}/{text}") };
    normalised(&whole).first().is_none_or(|first| *first != WORLD)
}

/// The parts of an absolute path with `.` and `..` carried out.
fn normalised(path: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn breach(text: &str, is_path: bool) -> Option<Breach> {
        let contract = Contract { answer_files: vec!["labels.csv".to_owned()], ..Contract::default() };
        judge(text, is_path, &contract).map(|(breach, _)| breach)
    }

    #[test]
    fn the_world_of_a_notebook_is_free() {
        for text in [
            "/kaggle/input/iris/train.csv",
            "../input/train.csv",
            "submission.csv",
            "./out/model.pkl",
            "/kaggle/working/x.csv",
            "../working/a.npy",
        ] {
            assert_eq!(breach(text, true), None, "{text}");
        }
        for text in ["a / b", "/", "</b>", "km/h", "%d/%m/%Y", "/100", "text/plain", "and/or", "//", "/ total"] {
            assert_eq!(breach(text, false), None, "{text}");
        }
    }

    #[test]
    fn paths_out_of_it_are_found() {
        for text in ["/etc/passwd", "~/x", "/home/me/train.csv", "../../etc/x", "/kaggle/../home/x", "/proc/1/environ"]
        {
            assert_eq!(breach(text, true), Some(Breach::OutsidePath), "{text}");
            assert_eq!(breach(text, false).is_some(), !text.starts_with("/kaggle"), "{text}");
        }
        assert_eq!(breach("/", true), Some(Breach::OutsidePath));
        assert!(is_inside("/kaggle/input") && is_inside("../input") && is_inside("."));
        assert!(!is_inside("/") && !is_inside("..//..") && !is_inside("\u{fffc}/x"));
    }

    #[test]
    fn answers_and_addresses_are_found() {
        for text in
            ["answers.csv", "/kaggle/input/iris/private/test.csv", "../input/labels.csv", "x/ground_truth.parquet"]
        {
            assert_eq!(breach(text, false), Some(Breach::HiddenAnswers), "{text}");
        }
        for text in ["https://example.org/a.csv", "S3://bucket/x", "git+https://example.org/x.git"] {
            assert_eq!(breach(text, false), Some(Breach::Network), "{text}");
        }
    }
}
