use std::os::unix::fs::symlink;

use proptest::prelude::*;

use super::*;

fn file(path: &str) -> PackedFile {
    PackedFile { path: path.to_owned(), bytes: 1, sha256: "0".repeat(64), executable: false }
}

fn link((path, target): (&str, &str)) -> PackedLink {
    PackedLink { path: path.to_owned(), target: target.to_owned() }
}

fn told(files: &[&str], links: &[(&str, &str)]) -> Result<(), String> {
    let files = files.iter().map(|path| file(path)).collect();
    let listing = CapsuleListing::new(serde_json::Value::Null, files, links.iter().copied().map(link).collect());
    listing.check().map_err(|error| error.to_string())
}

#[test]
fn names_that_leave_the_folder_are_named() {
    assert_eq!(told(&["a/b", "a/c", "d"], &[("a/l", "../d"), ("l", "a/b"), ("loop", "loop")]), Ok(()));
    for (path, why) in [
        ("../x", "leads out of its folder"),
        ("a/../../x", "leads out of its folder"),
        ("/etc/passwd", "is an absolute path"),
        ("a//b", "is no plain path"),
        ("./a", "is no plain path"),
        ("a/", "is no plain path"),
        ("", "has no name"),
        ("a\nb", "has a control character"),
        ("capsule.json", "stands twice in its list"),
        ("capsule.json/x", "lies below a file or a link"),
    ] {
        assert_eq!(told(&[path], &[]), Err(format!("the capsule is refused: `{path}` {why}")), "{path}");
    }
    assert!(told(&[&"x/".repeat(2_000), "y"], &[]).is_err() && told(&[&"x".repeat(256)], &[]).is_err());
    assert!(told(&["a", "a"], &[]).is_err_and(|said| said.contains("twice")));
    assert!(told(&["a", "a/b"], &[]).is_err_and(|said| said.contains("below a file")));
}

#[test]
fn links_that_leave_the_folder_are_named() {
    for target in ["/etc/passwd", "..", "../x", "b/../../x", "b/..", "../../a", ""] {
        assert!(told(&[], &[("l", target)]).is_err_and(|said| said.contains("leads out")), "{target}");
    }
    // `s` would lead two folders up from `r`, which is not where its name says.
    let chain = [("q/w/link", "../../r"), ("s", "q/w/link/x")];
    assert!(told(&["r/x"], &chain).is_err_and(|said| said.contains("through another link")));
    assert!(told(&["d/f"], &[("d", "e")]).is_err());
}

#[test]
fn other_files_are_no_lists() {
    let read = |text: &str| CapsuleListing::read(text.as_bytes(), Path::new("x")).map_err(|error| error.to_string());
    for text in [
        "",
        "{}",
        "[]",
        "{\"format\": \"other\", \"version\": 1}",
        "{\"format\": \"nbrevive-capsule\", \"version\": 1}",
    ] {
        assert!(read(text).is_err_and(|said| said.starts_with("x is no capsule: ")), "{text}");
    }
    let newer = read("{\"format\": \"nbrevive-capsule\", \"version\": 2, \"chapters\": []}");
    assert!(newer.is_err_and(|said| said.contains("version 2") && said.contains("newer nbrevive")));
}

proptest! {
    /// Whatever passes is made in a real folder, and the system says where each link ends.
    #[test]
    fn no_list_that_passes_leads_out(
        links in prop::collection::vec(("[abc](/[abc]){0,3}", "(\\.\\./){0,4}([abc./]){0,6}"), 1..6),
        files in prop::collection::vec("[abc](/[abc]){0,3}", 0..4),
    ) {
        let pairs: Vec<(&str, &str)> = links.iter().map(|(path, target)| (path.as_str(), target.as_str())).collect();
        let files: Vec<&str> = files.iter().map(String::as_str).collect();
        if told(&files, &pairs).is_ok() {
            let place = tempfile::tempdir().unwrap();
            let root = place.path().canonicalize().unwrap().join("one/two/three/root");
            std::fs::create_dir_all(&root).unwrap();
            for path in &files {
                std::fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
                std::fs::write(root.join(path), "x").unwrap();
            }
            for (path, target) in &pairs {
                std::fs::create_dir_all(root.join(path).parent().unwrap()).unwrap();
                symlink(target, root.join(path)).unwrap();
            }
            for (path, _) in &pairs {
                if let Ok(end) = root.join(path).canonicalize() {
                    prop_assert!(end.starts_with(&root), "{path} leads to {end:?}");
                }
            }
        }
    }
}
