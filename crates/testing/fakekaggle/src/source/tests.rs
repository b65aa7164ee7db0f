//! Sources are what their notebooks' properties say.

use super::*;
use crate::world::WorldSpec;

fn pairs(world: &FakeWorld) -> Vec<(FakeKernel, FakeVersion)> {
    world.kernels().flat_map(|kernel| kernel.versions.clone().into_iter().map(move |v| (kernel.clone(), v))).collect()
}

fn parsed(text: &str) -> serde_json::Value {
    serde_json::from_str(text).unwrap()
}

#[test]
fn notebooks_are_documents_of_their_format_and_scripts_are_text() {
    let world = FakeWorld::new(WorldSpec::default());
    for (kernel, version) in pairs(&world) {
        let text = source(&world, &kernel, &version, Outputs::Stripped);
        if kernel.kind == FakeKernelKind::Script {
            assert!(serde_json::from_str::<serde_json::Value>(&text).is_err());
            continue;
        }
        let document = parsed(&text);
        assert_eq!(document["nbformat"], if kernel.is_nbformat3 { 3 } else { 4 });
        let cells = if kernel.is_nbformat3 { &document["worksheets"][0]["cells"] } else { &document["cells"] };
        let code: Vec<&serde_json::Value> =
            cells.as_array().unwrap().iter().filter(|cell| cell["cell_type"] == "code").collect();
        let has_code = code.iter().any(|cell| !cell["source"].as_str().unwrap_or("x").trim().is_empty());
        assert_eq!(has_code, !kernel.is_empty || kernel.is_nbformat3 && !code.is_empty());
        assert!(code.iter().all(|cell| cell["outputs"].as_array().unwrap().is_empty()));
    }
}

#[test]
fn outputs_are_kept_on_request_and_failures_show() {
    let world = FakeWorld::new(WorldSpec::default());
    let own =
        |kernel: &FakeKernel| kernel.kind == FakeKernelKind::Notebook && !kernel.is_empty && kernel.parent.is_none();
    let all = pairs(&world);
    let (kernel, version) = all
        .iter()
        .find(|(kernel, version)| {
            own(kernel) && !kernel.is_nbformat3 && kernel.language == FakeLanguage::Python && fails(version)
        })
        .unwrap();
    let document = parsed(&source(&world, kernel, version, Outputs::Kept));
    let kinds: Vec<&str> = document["cells"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|cell| cell["outputs"][0]["output_type"].as_str())
        .collect();
    assert!(kinds.contains(&"stream") && kinds.contains(&"error") != kernel.is_mislabelled, "{kinds:?}");
}

#[test]
fn an_unchanged_copy_is_its_parent_and_a_later_version_is_not() {
    let world = FakeWorld::new(WorldSpec::default());
    let copies = world.kernels().filter(|kernel| kernel.parent.is_some_and(|parent| parent.unchanged));
    for kernel in copies.take(20) {
        let parent = kernel.parent.unwrap();
        let original = world.kernel(parent.kernel);
        let copied = original.version(parent.number).unwrap();
        let first = source(&world, &kernel, &kernel.versions[0], Outputs::Stripped);
        assert_eq!(first, source(&world, &original, copied, Outputs::Stripped));
        if let Some(second) = kernel.version(2).filter(|_| !kernel.is_empty) {
            assert_ne!(first, source(&world, &kernel, second, Outputs::Stripped));
        }
    }
}

#[test]
fn python_2_and_r_can_be_told_by_their_content() {
    let world = FakeWorld::new(WorldSpec::default());
    for (kernel, version) in pairs(&world) {
        let text = source(&world, &kernel, &version, Outputs::Stripped);
        if kernel.is_empty || version.number == 1 {
            continue;
        }
        assert_eq!(text.contains("xrange"), kernel.is_python2 && !kernel.is_mislabelled);
        if kernel.is_mislabelled {
            assert!(text.contains("library(tidyverse)"));
        }
    }
}
