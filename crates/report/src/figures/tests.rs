//! Figures of synthetic studies and of extreme flows.

use std::path::Path;

use nbrevive_corpus::{Condition, Outcome};
use serde_json::Value;

use super::Figures;
use super::canvas::Painting;
use super::draw::Picture;
use super::flow::Flow;
use super::flow_figure::FlowFigure;
use super::layout::{Layout, MINIMUM, Room};
use super::list::Figure;
use crate::inputs::Inputs;
use crate::outcome_line::Line;
use crate::render;
use crate::testing::{Synthetic, published_path};

const ROOM: Room = Room { left: 100.0, right: 900.0, top: 50.0, bottom: 950.0, bar: 20.0, gap: 60.0 };

fn study() -> Synthetic {
    let mut study = Synthetic::default();
    study.add_table(Condition::BASELINE, &[3, 1, 1, 0, 2, 4, 1, 0]);
    study.add_table(Condition::BACKPORT, &[5, 1, 0, 1, 1, 2, 0, 1]);
    study.add(Condition::MODERNIZE, Line::ErrorFreeCsvWithin, 3, 6);
    study
}

fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<(String, Vec<u8>)> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), std::fs::read(path).unwrap()))
        .collect();
    files.sort();
    files
}

/// What stands in the JSON of one of the figures.
fn data_of(name: &str, folder: &Path, published: Option<&Path>) -> Value {
    let inputs = Inputs::read(folder, published, crate::Flaky::Show).unwrap();
    let figures = Figures::count(&inputs).unwrap();
    figures.iter().find(|figure| figure.name() == name).unwrap().json()
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    study().write(folder.path());
    let (first, second) = (folder.path().join("first"), folder.path().join("second"));
    let paths = render(folder.path(), Some(&published_path()), crate::Flaky::Show, &first).unwrap().files;
    assert_eq!(paths.len(), 20 * 4 + 7 * 3);
    assert!(paths.iter().all(|path| path.is_file()));
    render(folder.path(), Some(&published_path()), crate::Flaky::Show, &second).unwrap();
    for part in ["tables", "figures"] {
        let (first, second) = (files(&first.join(part)), files(&second.join(part)));
        let names = |files: &[(String, Vec<u8>)]| files.iter().map(|file| file.0.clone()).collect::<Vec<_>>();
        assert_eq!(names(&first), names(&second));
        assert!(first.iter().all(|(name, _)| !name.contains("partial")));
        for ((name, first), (_, second)) in first.iter().zip(&second) {
            assert!(first == second && !first.is_empty(), "{name} differs or is empty");
        }
    }
    let svg = std::fs::read_to_string(first.join("figures/figure3.svg")).unwrap();
    assert!(svg.contains("<title id=\"title\">Figure 3.") && svg.contains("role=\"img\""), "{svg}");
    let png = std::fs::read(first.join("figures/figure6.png")).unwrap();
    assert!(png.starts_with(b"\x89PNG\r\n\x1a\n"));
}

#[test]
fn the_data_of_a_figure() {
    let folder = tempfile::tempdir().unwrap();
    study().write(folder.path());
    let figure = data_of("6", folder.path(), Some(&published_path()));
    insta::assert_snapshot!(figure["links"].to_string(), @r#"[{"count":2,"from":"baseline:error-free-non-reproducible","to":"modernize:error-free-reproducible"},{"count":4,"from":"baseline:error-non-reproducible","to":"modernize:error-free-reproducible"}]"#);
    insta::assert_snapshot!(figure["nodes"][2].to_string(), @r#"{"condition":"baseline","count":2,"id":"baseline:error-free-non-reproducible","label":"Error-free non-reproducible","outcome":"error-free-non-reproducible","side":"left"}"#);
    assert_eq!(figure["nodes"].as_array().unwrap().len(), 10);
    assert_eq!(figure["published"]["nodes"].as_array().unwrap().len(), 7);
    assert_eq!(figure["unpaired"], 0);
}

#[test]
fn the_cell_level_has_a_flow_of_its_own_beside_that_of_the_paper() {
    let (folder, mut study) = (tempfile::tempdir().unwrap(), study());
    study.add(Condition::MODERNIZE_CELL, Line::ErrorCsvWithin, 5, 3);
    study.add(Condition::MODERNIZE_CELL, Line::ErrorNoCsv, 8, 1);
    study.write(folder.path());
    let inputs = Inputs::read(folder.path(), Some(&published_path()), crate::Flaky::Show).unwrap();
    let figure = FlowFigure::to_cell_level(&inputs.data, inputs.published()).unwrap();
    insta::assert_snapshot!(figure.json()["links"].to_string(), @r#"[{"count":3,"from":"baseline:error-non-reproducible","to":"modernize-cell:error-reproducible"},{"count":1,"from":"baseline:error-non-reproducible","to":"modernize-cell:error-non-reproducible"}]"#);
    let printed = figure.json()["published"]["nodes"].to_string();
    assert!(printed.contains(r#""printed":"3,381""#) && printed.contains(r#""printed":"6,583""#), "{printed}");
    let svg = figure.picture().svg().unwrap();
    assert!(svg.contains("Figure 10a. Outcomes from baseline to modernize with error repair at cell level"), "{svg}");
    assert!(svg.contains("modernize-cell 3,381 error-free reproducible, 787 error reproducible"), "{svg}");
}

#[test]
fn versions_under_one_condition_only_are_left_out_and_counted() {
    let mut study = study();
    study.add(Condition::BACKPORT, Line::ErrorNoCsv, 500, 2);
    let folder = tempfile::tempdir().unwrap();
    study.write(folder.path());
    let figure = data_of("3", folder.path(), None);
    // Twelve at baseline, of which eleven and two strangers were backported.
    assert_eq!(figure["unpaired"], 3);
    assert_eq!(figure["published"], Value::Null);
    let counted: u64 = figure["links"].as_array().unwrap().iter().map(|link| link["count"].as_u64().unwrap()).sum();
    assert_eq!(counted, 11);
}

#[test]
fn bars_are_as_high_as_their_ribbons_and_stay_in_the_room() {
    let dominated = {
        let mut counts = [[0; 5]; 5];
        counts[3][3] = 1_000_000;
        counts[0][4] = 1;
        counts[4][0] = 1;
        counts
    };
    let full = std::array::from_fn(|row| std::array::from_fn(|column| (row * 5 + column + 1) as u64));
    for counts in [dominated, full, [[7; 5]; 5]] {
        let layout = Layout::new(&Flow::new(counts), ROOM);
        let thickness: f64 = layout.ribbons.iter().map(|ribbon| ribbon.thickness).sum();
        for side in [&layout.left, &layout.right] {
            let height: f64 = side.iter().map(|bar| bar.to.1 - bar.from.1).sum();
            assert!((height - thickness).abs() < 1e-6);
            assert!(side.iter().all(|bar| bar.from.1 >= ROOM.top - 1e-6 && bar.to.1 <= ROOM.bottom + 1e-6));
            let apart = |pair: &[super::layout::Bar]| pair[1].from.1 - pair[0].to.1 >= ROOM.gap - 1e-6;
            assert!(side.windows(2).all(apart));
        }
        assert!(layout.ribbons.iter().all(|ribbon| ribbon.thickness >= MINIMUM));
    }
}

#[test]
fn an_outcome_without_versions_has_no_bar() {
    let mut counts = [[0; 5]; 5];
    counts[2][0] = 4;
    let layout = Layout::new(&Flow::new(counts), ROOM);
    assert_eq!(layout.left.len(), 1);
    assert_eq!(layout.left[0].outcome, Outcome::ErrorFreeNonReproducible);
    assert_eq!(layout.right[0].outcome, Outcome::ErrorFreeReproducible);
}

#[test]
fn text_from_outside_cannot_break_the_svg() {
    let flow = Flow::new([[0; 5]; 5]);
    let picture = Picture {
        published: None,
        title: "a </title><script>",
        source: "\"x\" & <b>",
        description: "]]> & <script>".to_owned(),
        left: "Baseline",
        right: "Backport",
        flow: &flow,
    };
    let svg = picture.svg().unwrap();
    assert!(!svg.contains("<script") && !svg.contains("<b>"), "{svg}");
    assert!(svg.contains("No version has an outcome under both Baseline and Backport."));
}

#[test]
fn a_source_without_end_is_cut() {
    let flow = Flow::new([[3; 5]; 5]);
    let source = "x".repeat(20_000);
    let picture = Picture {
        published: None,
        title: "a",
        source: &source,
        description: String::new(),
        left: "Baseline",
        right: "Backport",
        flow: &flow,
    };
    let svg = picture.svg().unwrap();
    assert!(svg.contains('…') && svg.len() < 150_000, "{}", svg.len());
}
