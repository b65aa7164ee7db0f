//! Which of the files that a notebook left is its submission.

use std::path::{Path, PathBuf};

/// The name that competitions ask for.
const USUAL_NAME: &str = "submission.csv";
/// A header longer than this is none.
const LONGEST_HEADER: u64 = 64 * 1024;

/// The submission in `working`: `submission.csv`, or else the one CSV file at the top level whose header has the competition's
/// columns. Authors name the file as they like; Kaggle let them choose it on a page. Two candidates are no submission: choosing
/// between them would be a guess.
#[must_use]
pub(crate) fn find_submission(working: &Path, id_column: &str, target_columns: &[String]) -> PathBuf {
    let usual = working.join(USUAL_NAME);
    if usual.symlink_metadata().is_ok() {
        return usual;
    }
    let fits = |path: &PathBuf| header(path).is_some_and(|header| has_columns(&header, id_column, target_columns));
    let mut candidates: Vec<PathBuf> = csv_files(working).into_iter().filter(fits).collect();
    match (candidates.pop(), candidates.pop()) {
        (Some(only), None) => only,
        _ => usual,
    }
}

fn csv_files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let regular = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
    let paths = regular.map(|entry| entry.path());
    paths.filter(|path| path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("csv"))).collect()
}

fn header(path: &Path) -> Option<String> {
    use std::io::{BufRead, Read};
    let file = std::fs::File::open(path).ok()?;
    let mut line = String::new();
    std::io::BufReader::new(file.take(LONGEST_HEADER)).read_line(&mut line).ok()?;
    Some(line)
}

fn has_columns(header: &str, id_column: &str, target_columns: &[String]) -> bool {
    let found: Vec<&str> = header.trim().split(',').map(|name| name.trim().trim_matches('"')).collect();
    std::iter::once(id_column).chain(target_columns.iter().map(String::as_str)).all(|name| found.contains(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for (name, text) in files {
            std::fs::write(dir.path().join(name), text).unwrap();
        }
        dir
    }

    fn found(files: &[(&str, &str)]) -> String {
        let dir = folder(files);
        let path = find_submission(dir.path(), "Id", &["Label".to_owned()]);
        path.file_name().unwrap().to_string_lossy().into_owned()
    }

    #[test]
    fn the_usual_name_wins() {
        assert_eq!(found(&[("submission.csv", "x\n"), ("rf.csv", "Id,Label\n")]), "submission.csv");
    }

    #[test]
    fn one_file_with_the_right_header_is_taken() {
        assert_eq!(found(&[("rf.csv", "\"Id\",\"Label\"\n1,2\n"), ("train_clean.csv", "a,b\n")]), "rf.csv");
    }

    #[test]
    fn two_candidates_are_none() {
        assert_eq!(found(&[("a.csv", "Id,Label\n"), ("b.csv", "Id,Label\n")]), "submission.csv");
    }
}
