//! What a model is told of a competition, and what the guards know of it.

use std::collections::BTreeSet;
use std::path::Path;

use jiff::Timestamp;
use nbrevive_corpus::Competition;
use nbrevive_files::Folder;
use nbrevive_repair::{Contract, PromptTask};

use crate::StudyLimits;
use crate::laboratory::kaggle_folders::has_flat_input;

/// Where a competition's folder keeps its description in markdown.
const DESCRIPTION: &str = "description.md";
/// Longest description that is read, in bytes; what is longer is none.
const LONGEST_DESCRIPTION: u64 = 4 << 20;

/// The competition as a prompt tells it; `submitted` says whether its files were found flat too.
///
/// A competition without a description is told by its title and its columns alone. It goes to a model, so that a link to a file elsewhere
/// is none.
#[must_use]
pub fn task(competition: &Competition, submitted: Timestamp, limits: &StudyLimits) -> PromptTask {
    let read = Folder::open(&competition.folder)
        .and_then(|folder| folder.read(Path::new(DESCRIPTION), LONGEST_DESCRIPTION))
        .ok();
    let description = read.and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default();
    let columns = std::iter::once(&competition.id_column).chain(&competition.target_columns);
    PromptTask {
        title: competition.title.clone(),
        competition: competition.id.clone(),
        description,
        metric: competition.metric.clone(),
        files: competition.public_files().map(str::to_owned).collect(),
        submission_columns: columns.cloned().collect(),
        flat_input: has_flat_input(submitted),
        limit_seconds: limits.seconds as u64,
    }
}

/// What the guards are to know of a competition.
#[must_use]
pub fn contract(competition: &Competition, most_new_constants: usize) -> Contract {
    let private = competition.files.keys().filter_map(|name| name.strip_prefix("private/"));
    Contract {
        id_column: Some(competition.id_column.clone()),
        target_columns: competition.target_columns.clone(),
        answer_files: private.map(str::to_owned).collect(),
        most_new_constants,
        ..Contract::default()
    }
}

/// Names of the files and folders that a version finds, in lower case: the competition's folder and what is in it.
pub(crate) fn file_names(competition: &Competition) -> BTreeSet<String> {
    let parts = competition.public_files().flat_map(|name| name.split('/'));
    parts.chain([competition.id.as_str()]).map(str::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    mod attacks {
        use super::*;

        #[test]
        fn a_model_is_told_no_file_from_elsewhere() {
            let folder = tempfile::tempdir().unwrap();
            let bundled = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../study/competitions/iris-species");
            let competition = Competition { folder: folder.path().join("c"), ..Competition::load(&bundled).unwrap() };
            std::fs::create_dir(&competition.folder).unwrap();
            std::fs::write(folder.path().join("id_rsa"), "key").unwrap();
            let told = || task(&competition, Timestamp::UNIX_EPOCH, &StudyLimits::default()).description;
            for target in ["../id_rsa", "/dev/zero"] {
                std::os::unix::fs::symlink(target, competition.folder.join(DESCRIPTION)).unwrap();
                assert_eq!(told(), "", "{target}");
                std::fs::remove_file(competition.folder.join(DESCRIPTION)).unwrap();
            }
            std::fs::write(competition.folder.join(DESCRIPTION), "Flowers").unwrap();
            assert_eq!(told(), "Flowers");
        }
    }

    #[test]
    fn a_bundled_competition_is_told_whole_but_for_its_answers() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../study/competitions/iris-species");
        let competition = Competition::load(&folder).unwrap();
        let task = task(&competition, "2018-01-01T00:00:00Z".parse().unwrap(), &StudyLimits::default());
        assert_eq!(task.submission_columns, ["Id", "Species"]);
        assert_eq!(task.files, ["sample_submission.csv", "test.csv", "train.csv"]);
        assert!(task.flat_input && task.limit_seconds == 600 && task.description.contains("Species"));
        let names: Vec<String> = file_names(&competition).into_iter().collect();
        assert_eq!(names, ["iris-species", "sample_submission.csv", "test.csv", "train.csv"]);
        assert_eq!(contract(&competition, 3).answer_files, ["answers.csv"]);
        assert_eq!(contract(&competition, 3).most_new_constants, 3);
    }
}
