//! Files that a user or an outsider names, and that are no files.

use std::ops::ControlFlow;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::browser::Session;
use crate::content::LocalSettings;
use crate::git::GitRepository;
use crate::raw::{RawStore, TakeDown};
use crate::{folder, list};

/// A pipe that nobody writes into, and a link to what never ends.
fn traps(folder: &Path) -> [(PathBuf, &'static str); 2] {
    let (pipe, endless) = (folder.join("pipe"), folder.join("endless"));
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    symlink("/dev/zero", &endless).unwrap();
    [(pipe, "named pipe"), (endless, "a device")]
}

#[test]
fn lists_and_cookies_are_regular_files() {
    let folder = tempfile::tempdir().unwrap();
    for (path, kind) in traps(folder.path()) {
        let told = [
            list::read_ids(&path).unwrap_err().to_string(),
            TakeDown::load(&path).unwrap_err().to_string(),
            Session::load(&path).unwrap_err().to_string(),
        ];
        assert!(told.iter().all(|told| told.contains(kind)), "{told:?}");
    }
}

#[test]
fn a_list_is_written_over_a_regular_file_alone() {
    let folder = tempfile::tempdir().unwrap();
    let (kept, link) = (folder.path().join("kept"), folder.path().join("ids.csv"));
    std::fs::write(&kept, "kept").unwrap();
    symlink(&kept, &link).unwrap();
    assert!(list::export_ids(&link, []).is_err());
    assert_eq!(std::fs::read_to_string(&kept).unwrap(), "kept");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2, "nothing half written stays");
}

/// Held twice: only regular files are listed, and no link is followed out of the folder.
#[test]
fn notebooks_of_a_folder_are_files_of_it() {
    let place = tempfile::tempdir().unwrap();
    let given = place.path().join("given");
    std::fs::create_dir_all(given.join("deep")).unwrap();
    std::fs::write(place.path().join("key.ipynb"), "secret").unwrap();
    std::fs::write(given.join("deep/a.ipynb"), "{}").unwrap();
    symlink("../key.ipynb", given.join("b.ipynb")).unwrap();
    symlink("..", given.join("up")).unwrap();
    symlink("/dev/zero", given.join("zero.ipynb")).unwrap();
    assert!(Command::new("mkfifo").arg(given.join("pipe.ipynb")).status().unwrap().success());
    let store = RawStore::open(&place.path().join("raw")).unwrap();
    let mut seen = 0;
    let mut count = |_| {
        seen += 1;
        ControlFlow::Continue(())
    };
    folder::mine(&given, &store, &LocalSettings::default(), &mut count).unwrap();
    assert_eq!(seen, 2, "one version and its notebook");
}

#[test]
fn a_repository_whose_files_are_pipes_is_none() {
    for name in ["HEAD", "config", "packed-refs", "shallow", "commondir"] {
        let folder = tempfile::tempdir().unwrap();
        assert!(Command::new("git").args(["init", "--quiet"]).arg(folder.path()).status().unwrap().success());
        let path = folder.path().join(".git").join(name);
        let _ = std::fs::remove_file(&path);
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        assert!(GitRepository::open(folder.path()).is_err(), "{name}");
        assert!(GitRepository::around(folder.path()).is_none(), "{name}");
    }
}
