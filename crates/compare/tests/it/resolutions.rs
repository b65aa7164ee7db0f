//! Figures of matplotlib at two resolutions, of two of its versions: alike where they show the same, and nowhere else.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use nbrevive_compare::{picture_difference, picture_similarity};

fn picture(name: &str) -> String {
    let path = format!("{}/tests/pictures/{name}.png", env!("CARGO_MANIFEST_DIR"));
    STANDARD.encode(std::fs::read(path).expect("the picture is there"))
}

fn similar(saved: &str, new: &str) -> f64 {
    let found = picture_similarity("image/png", &picture(saved), &picture(new)).expect("pictures");
    found.expect("they have one shape")
}

#[test]
fn a_figure_at_another_resolution_looks_the_same() {
    for kind in ["grid", "box", "bar"] {
        let found = similar(&format!("{kind}-72"), &format!("{kind}-100"));
        assert!(found >= 0.95, "{kind}: {found}");
        assert!((found - similar(&format!("{kind}-100"), &format!("{kind}-72"))).abs() < 1e-9);
        let (saved, new) = (picture(&format!("{kind}-72")), picture(&format!("{kind}-100")));
        assert!(picture_difference("image/png", &saved, &new).is_ok());
    }
}

#[test]
fn a_figure_of_other_data_does_not() {
    for kind in ["grid", "box", "bar"] {
        let found = similar(&format!("{kind}-72"), &format!("{kind}-other"));
        assert!(found < 0.8, "{kind}: {found}");
    }
    let found = similar("box-72", "bar-100");
    assert!(found < 0.5, "{found}");
}
