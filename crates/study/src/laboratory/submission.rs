//! Which of the files that a notebook left is its submission.

use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};

use nbrevive_files::{FileErrorKind, Folder};

/// The name that competitions ask for.
const USUAL_NAME: &str = "submission.csv";
/// A header longer than this is none.
const LONGEST_HEADER: u64 = 64 * 1024;
/// Files whose header is looked at, at most; who leaves more has no submission among them.
const MOST_FILES: usize = 1_000;

/// The submission in `working`: `submission.csv`, or else the one CSV file at the top level whose header has the competition's
/// columns. Authors name the file as they like; Kaggle let them choose it on a page. Two candidates are no submission: choosing
/// between them would be a guess. Only what a regular file says is read.
#[must_use]
pub(crate) fn find_submission(working: &Folder, id_column: &str, target_columns: &[String]) -> PathBuf {
    let usual = working.path().join(USUAL_NAME);
    let entries = working.entries().unwrap_or_default();
    if entries.iter().any(|entry| entry.name == USUAL_NAME) {
        return usual;
    }
    let is_csv = |name: &Path| name.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("csv"));
    let regular = entries.iter().filter(|entry| entry.kind == FileErrorKind::File).map(|entry| Path::new(&entry.name));
    let files: Vec<&Path> = regular.filter(|name| is_csv(name)).take(MOST_FILES + 1).collect();
    if files.len() > MOST_FILES {
        return usual;
    }
    let fits =
        |name: &&Path| header(working, name).is_some_and(|header| has_columns(&header, id_column, target_columns));
    let mut candidates = files.into_iter().filter(fits);
    match (candidates.next(), candidates.next()) {
        (Some(only), None) => working.path().join(only),
        _ => usual,
    }
}

fn header(working: &Folder, name: &Path) -> Option<String> {
    let mut line = String::new();
    BufReader::new(working.open_file(name).ok()?.take(LONGEST_HEADER)).read_line(&mut line).ok()?;
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
        name_in(dir.path())
    }

    fn name_in(folder: &Path) -> String {
        let path = find_submission(&Folder::open(folder).unwrap(), "Id", &["Label".to_owned()]);
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

    mod attacks {
        use std::os::unix::fs::symlink;

        use rustix::fs::{CWD, Mode, mkfifoat};

        use super::*;

        #[test]
        fn nothing_is_waited_for_and_no_header_outside_is_read() {
            let dir = folder(&[("rf.csv", "Id,Label\n1,2\n")]);
            let answers = folder(&[("answers.csv", "Id,Label\n1,2\n")]);
            mkfifoat(CWD, dir.path().join("pipe.csv"), Mode::RWXU).unwrap();
            symlink("/dev/zero", dir.path().join("zero.csv")).unwrap();
            symlink(answers.path().join("answers.csv"), dir.path().join("answers.csv")).unwrap();
            std::fs::create_dir(dir.path().join("folder.csv")).unwrap();
            std::fs::File::create(dir.path().join("sparse.csv")).unwrap().set_len(10 << 30).unwrap();
            assert_eq!(name_in(dir.path()), "rf.csv");
        }

        #[test]
        fn what_has_the_usual_name_is_graded_as_what_it_is() {
            let text = "id = \"tiny\"\ntitle = \"Tiny\"\nmetric = \"accuracy\"\ndirection = \"maximize\"\nid-column = \"Id\"\n\
                        target-columns = [\"Label\"]\nprediction = \"label\"\n[data]\nsource = \"s\"\nlicence = \"l\"\n";
            let competition: nbrevive_corpus::Competition = toml::from_str(text).unwrap();
            let prepared = tempfile::tempdir().unwrap();
            let answers = prepared.path().join("private/answers.csv");
            std::fs::create_dir(prepared.path().join("private")).unwrap();
            std::fs::write(&answers, "Id,Label\n1,a\n2,b\n").unwrap();
            let grader = nbrevive_grade::Grader::of(&competition, prepared.path()).unwrap();
            let kind = |make: &dyn Fn(&Path)| {
                let dir = folder(&[("other.csv", "Id,Label\n1,a\n2,b\n")]);
                make(&dir.path().join(USUAL_NAME));
                let (id, targets) = grader.columns();
                let path = find_submission(&Folder::open(dir.path()).unwrap(), id, targets);
                grader.score(&path).unwrap_err().kind().to_owned()
            };
            assert_eq!(kind(&|path| symlink(&answers, path).unwrap()), "not-a-file");
            assert_eq!(kind(&|path| symlink("/dev/zero", path).unwrap()), "not-a-file");
            assert_eq!(kind(&|path| mkfifoat(CWD, path, Mode::RWXU).unwrap()), "not-a-file");
            assert_eq!(kind(&|path| std::fs::create_dir(path).unwrap()), "not-a-file");
            let sparse = |path: &Path| std::fs::File::create(path).unwrap().set_len(10 << 30).unwrap();
            assert_eq!(kind(&sparse), "too-large");
        }
    }
}
