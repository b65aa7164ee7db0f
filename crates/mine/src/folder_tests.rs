//! Folders inside and outside of repositories.

use std::fs;

use super::*;
use crate::git::tests::{NOTEBOOK, Scene};

fn records(folder: &Path, store: &RawStore) -> (Vec<String>, Vec<String>) {
    let mut versions = Vec::new();
    let troubles = mine(folder, store, &LocalSettings { scripts: true, largest_file: 1000 }, &mut |record| {
        if let MinedRecord::Version(version) = record {
            let second = version.created.map_or_else(|| "unknown".to_owned(), |time| time.as_second().to_string());
            versions.push(format!("{} {second} {:?}", version.notebook, version.language));
        }
        ControlFlow::Continue(())
    });
    (versions, troubles.unwrap().iter().map(ToString::to_string).collect())
}

#[test]
fn the_submission_time_is_that_of_the_last_commit_of_an_unchanged_file() {
    let scene = Scene::new();
    scene.commit("sub/a.ipynb", NOTEBOOK, 100);
    scene.commit("sub/a.ipynb", &NOTEBOOK.replace("python", "R"), 200);
    scene.commit("sub/deeper/b.py", "print(1)", 300);
    scene.commit("sub/changed.py", "print(2)", 400);
    scene.commit("elsewhere.py", "print(3)", 500);
    scene.write("sub/changed.py", "print(4)");
    scene.write("sub/new.jl", "1");
    let (versions, troubles) = records(&scene.tree().join("sub"), &scene.store());
    let expected = [
        "file:a.ipynb 200 Some(R)",
        "file:changed.py unknown Some(Python)",
        "file:deeper/b.py 300 Some(Python)",
        "file:new.jl unknown Some(Julia)",
    ];
    assert_eq!((versions.as_slice(), troubles.len()), (expected.map(str::to_owned).as_slice(), 0));
    let (all, _) = records(&scene.tree(), &scene.store());
    assert!(all.contains(&"file:sub/a.ipynb 200 Some(R)".to_owned()) && all.len() == 5, "{all:?}");
}

#[test]
fn links_and_hidden_folders_are_not_entered() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path().join("notebooks");
    fs::create_dir_all(place.join(".ipynb_checkpoints")).unwrap();
    fs::write(place.join(".ipynb_checkpoints/a.ipynb"), NOTEBOOK).unwrap();
    fs::write(place.join("a.ipynb"), NOTEBOOK).unwrap();
    fs::write(place.join("large.ipynb"), "x".repeat(1001)).unwrap();
    fs::write(place.join("bad\u{7}.py"), "x").unwrap();
    std::os::unix::fs::symlink("/etc", place.join("etc")).unwrap();
    std::os::unix::fs::symlink("/etc/passwd", place.join("b.ipynb")).unwrap();
    std::os::unix::fs::symlink("..", place.join("up")).unwrap();
    let store = RawStore::open(&folder.path().join("raw")).unwrap();
    let (versions, troubles) = records(&place, &store);
    assert_eq!(versions, ["file:a.ipynb unknown Some(Python)"]);
    assert_eq!(troubles.len(), 2, "{troubles:?}");
    assert!(mine(&place.join("none"), &store, &LocalSettings::default(), &mut |_| ControlFlow::Continue(())).is_err());
}
