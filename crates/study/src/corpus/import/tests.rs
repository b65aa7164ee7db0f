use std::collections::BTreeSet;

use super::*;

const ID: &str = "predict-volcanic-eruptions-ingv-oe";

/// A folder as MLE-bench's `prepare` leaves it, with checksums that fit.
fn prepared(parent: &Path) -> PathBuf {
    let folder = parent.join(ID);
    let files = [
        ("private/test.csv", "segment_id,time_to_eruption\n1,10\n2,20\n"),
        ("public/sample_submission.csv", "segment_id,time_to_eruption\n1,0\n2,0\n"),
        ("public/description.md", "# Volcanoes\n"),
        ("public/train/1.wav", "sensor\n1\n"),
    ];
    for (name, text) in files {
        let path = folder.join("prepared").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let sums = "private:\n  test.csv: 17591a5a279d0ca7f0140bdeabc23f5f\npublic:\n  \
                sample_submission.csv: 31a43977286f99101864cfb3d01b096e\nzip: 0\n";
    fs::write(folder.join("checksums.yaml"), sums).unwrap();
    folder
}

fn settings(folder: &Path, allow_differences: bool) -> ImportSettings {
    ImportSettings { folder: folder.to_owned(), checksums: None, allow_differences }
}

fn names(folder: &Path) -> BTreeSet<String> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn files_are_compared_copied_and_described() {
    let (source, home) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let folder = prepared(source.path());
    let imported = import(&settings(&folder, false), home.path()).unwrap();
    assert_eq!((imported.files, imported.present, imported.differences.len()), (4, false, 0));
    assert_eq!(imported.folder, home.path().join(ID));
    let competition = Competition::load(&imported.folder).unwrap();
    competition.verify(&imported.folder).unwrap();
    assert_eq!(competition.files.len(), 2);
    assert_eq!(competition.prepared_folder(home.path()), imported.folder);
    assert_eq!(fs::read_to_string(imported.folder.join("description.md")).unwrap(), "# Volcanoes\n");
    assert!(imported.folder.join("public/train/1.wav").is_file());
    let grader = nbrevive_grade::Grader::of(&competition, &imported.folder).unwrap();
    assert_eq!(grader.score(&imported.folder.join("public/sample_submission.csv")).unwrap().value(), 15.0);
    for same in [folder.clone(), folder.join("prepared")] {
        assert!(import(&settings(&same, false), home.path()).unwrap().present);
    }
    // Without a file of checksums those that are built in count.
    fs::remove_file(folder.join("checksums.yaml")).unwrap();
    let error = import(&settings(&folder, false), home.path()).unwrap_err().to_string();
    assert!(
        error.contains("public/sample_submission.csv has MD5 31a43977286f99101864cfb3d01b096e, expected"),
        "{error}"
    );
}

#[test]
fn what_is_missing_or_differs_is_said_and_nothing_is_imported() {
    let (source, home) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let folder = prepared(source.path());
    let data = folder.join("prepared");
    fs::write(data.join("public/sample_submission.csv"), "segment_id,time_to_eruption\n1,0\n2,1\n").unwrap();
    fs::write(data.join("public/more.csv"), "a\n").unwrap();
    let error = import(&settings(&folder, false), home.path()).unwrap_err().to_string();
    for part in ["public/sample_submission.csv has MD5", "public/more.csv is not among", "--allow-differences"] {
        assert!(error.contains(part), "{error}");
    }
    assert!(names(home.path()).is_empty());
    let imported = import(&settings(&folder, true), home.path()).unwrap();
    assert_eq!(imported.differences.len(), 2);
    fs::remove_file(data.join("private/test.csv")).unwrap();
    let error = import(&settings(&folder, true), home.path()).unwrap_err().to_string();
    assert!(error.ends_with("there is no private/test.csv"), "{error}");
    assert!(imported.folder.join("private/test.csv").is_file());
    fs::remove_dir_all(data.join("private")).unwrap();
    let error = import(&settings(&folder, true), home.path()).unwrap_err().to_string();
    assert!(error.ends_with("there is no folder `private`"), "{error}");
    let error = import(&settings(source.path(), true), home.path()).unwrap_err().to_string();
    assert!(error.contains("named after"), "{error}");
    let folder = prepared(source.path());
    fs::write(folder.join("checksums.yaml"), "private\n").unwrap();
    let error = import(&settings(&folder, true), home.path()).unwrap_err().to_string();
    assert!(error.contains("checksums.yaml cannot be used: line 1 is not"), "{error}");
}

#[test]
fn a_killed_import_goes_on_and_a_changed_source_replaces_what_is_there() {
    let (source, home) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let folder = prepared(source.path());
    // As after a kill: one file whole, one in the middle of being copied, one that the source no longer has.
    let partial = home.path().join(format!(".{ID}.partial"));
    fs::create_dir_all(partial.join("public/train")).unwrap();
    fs::create_dir_all(partial.join("private")).unwrap();
    fs::write(partial.join("public/train/1.wav"), "sensor\n2\n").unwrap();
    fs::write(partial.join("public/train/9.csv"), "gone").unwrap();
    fs::write(partial.join("private/.copying"), "segm").unwrap();
    let imported = import(&settings(&folder, false), home.path()).unwrap();
    // The whole one was kept: it is of the same length, and younger than its source.
    assert_eq!(fs::read_to_string(imported.folder.join("public/train/1.wav")).unwrap(), "sensor\n2\n");
    assert!(!imported.folder.join("public/train/9.csv").exists());
    assert_eq!(
        names(&imported.folder),
        ["competition.toml", "description.md", "private", "public"].map(str::to_owned).into()
    );
    fs::write(folder.join("prepared/public/train/2.wav"), "sensor\n3\n").unwrap();
    assert!(!import(&settings(&folder, false), home.path()).unwrap().present);
    assert!(imported.folder.join("public/train/2.wav").is_file());
    assert!(!partial.exists());
}

#[test]
fn two_imports_at_a_time_do_not_meet() {
    let (source, home) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let folder = prepared(source.path());
    let held = locked(&home.path().join(format!(".{ID}.lock")), ID).unwrap();
    let error = import(&settings(&folder, false), home.path()).unwrap_err();
    assert!(matches!(error, ImportError::Busy(_)), "{error}");
    drop(held);
    import(&settings(&folder, false), home.path()).unwrap();
}

mod attacks {
    use std::os::unix::fs::symlink;

    use rustix::fs::{CWD, Mode, mkfifoat};

    use super::*;

    fn refused(folder: &Path, home: &Path) -> String {
        let error = import(&settings(folder, true), home).unwrap_err().to_string();
        assert!(names(home).is_empty(), "{error}");
        error
    }

    #[test]
    fn links_lead_to_raw_files_and_not_out_of_what_was_given_or_to_the_answers() {
        let (source, home) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let folder = prepared(source.path());
        fs::write(source.path().join("id_rsa"), "key").unwrap();
        let link = folder.join("prepared/public/train/0.wav");
        for (target, said) in [
            ("../../../../id_rsa", "0.wav leads out of its folder"),
            ("/dev/zero", "0.wav leads out of its folder"),
            ("../../private/test.csv", "public/train/0.wav leads to the answers"),
            ("../../private", "public/train/0.wav leads to the answers"),
            ("../..", "public/train/0.wav leads to the answers"),
            ("..", "has more than 32 levels"),
        ] {
            symlink(target, &link).unwrap();
            let error = refused(&folder, home.path());
            assert!(error.contains(said), "{target}: {error}");
            fs::remove_file(&link).unwrap();
        }
        mkfifoat(CWD, &link, Mode::RWXU).unwrap();
        let error = refused(&folder, home.path());
        assert!(error.contains("public/train/0.wav is a named pipe"), "{error}");
        fs::remove_file(&link).unwrap();
        fs::create_dir(folder.join("raw")).unwrap();
        fs::write(folder.join("raw/0.wav"), "sensor\n").unwrap();
        symlink("../../../raw/0.wav", &link).unwrap();
        let imported = import(&settings(&folder, false), home.path()).unwrap();
        let copy = imported.folder.join("public/train/0.wav");
        assert!(copy.is_file() && !copy.is_symlink());
    }

    #[test]
    fn checksums_name_nothing_outside_and_are_not_waited_for() {
        let (source, home) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let folder = prepared(source.path());
        let sums = folder.join("checksums.yaml");
        fs::write(&sums, "public:\n  ../../../../../../../etc/hostname: 31a43977286f99101864cfb3d01b096e\n").unwrap();
        let error = import(&settings(&folder, false), home.path()).unwrap_err().to_string();
        assert!(error.contains("etc/hostname is missing"), "{error}");
        fs::remove_file(&sums).unwrap();
        mkfifoat(CWD, &sums, Mode::RWXU).unwrap();
        let given = ImportSettings { checksums: Some(sums), ..settings(&folder, false) };
        assert!(import(&given, home.path()).unwrap_err().to_string().contains("is a named pipe"));
    }
}
