//! Jupyter documents in nbformat 3 and 4, with the vendor block of newer years.

use serde::Serialize;

use crate::source::{Cell, Outputs, fails};
use crate::world::{Accelerator, FakeKernel, FakeLanguage, FakeVersion, FakeWorld};

#[derive(Serialize)]
struct Document4 {
    metadata: Metadata,
    nbformat: u32,
    nbformat_minor: u32,
    cells: Vec<Cell4>,
}

#[derive(Serialize)]
struct Metadata {
    kernelspec: KernelSpec,
    language_info: LanguageInfo,
    #[serde(skip_serializing_if = "Option::is_none")]
    kaggle: Option<Vendor>,
}

#[derive(Serialize)]
struct KernelSpec {
    name: &'static str,
    display_name: &'static str,
    language: &'static str,
}

#[derive(Serialize)]
struct LanguageInfo {
    name: &'static str,
    version: &'static str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Vendor {
    accelerator: &'static str,
    data_sources: Vec<VendorSource>,
    docker_image_version_id: u64,
    is_internet_enabled: bool,
    language: &'static str,
    source_type: &'static str,
    is_gpu_enabled: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct VendorSource {
    source_id: u64,
    source_type: &'static str,
}

#[derive(Serialize)]
#[serde(tag = "cell_type", rename_all = "lowercase")]
enum Cell4 {
    Markdown { metadata: Empty, source: String },
    Code { metadata: Empty, source: String, execution_count: Option<u32>, outputs: Vec<Output4> },
}

#[derive(Serialize)]
struct Empty {}

#[derive(Serialize)]
#[serde(tag = "output_type", rename_all = "lowercase")]
enum Output4 {
    Stream { name: &'static str, text: String },
    Error { ename: &'static str, evalue: &'static str, traceback: Vec<String> },
}

#[derive(Serialize)]
struct Document3 {
    metadata: Metadata3,
    nbformat: u32,
    nbformat_minor: u32,
    worksheets: Vec<Worksheet>,
}

#[derive(Serialize)]
struct Metadata3 {
    name: String,
}

#[derive(Serialize)]
struct Worksheet {
    cells: Vec<Cell3>,
    metadata: Empty,
}

#[derive(Serialize)]
#[serde(tag = "cell_type", rename_all = "lowercase")]
enum Cell3 {
    Markdown {
        metadata: Empty,
        source: Vec<String>,
    },
    Code {
        collapsed: bool,
        input: Vec<String>,
        language: &'static str,
        metadata: Empty,
        outputs: Vec<Output3>,
        #[serde(skip_serializing_if = "Option::is_none")]
        prompt_number: Option<u32>,
    },
}

#[derive(Serialize)]
#[serde(tag = "output_type", rename_all = "lowercase")]
enum Output3 {
    Stream { stream: &'static str, text: Vec<String> },
    Pyerr { ename: &'static str, evalue: &'static str, traceback: Vec<String> },
}

pub(super) fn render(
    world: &FakeWorld,
    kernel: &FakeKernel,
    version: &FakeVersion,
    cells: &[Cell],
    outputs: Outputs,
) -> String {
    let rendered = if kernel.is_nbformat3 {
        serde_json::to_string(&document3(kernel, version, cells, outputs))
    } else {
        serde_json::to_string(&document4(world, kernel, version, cells, outputs))
    };
    rendered.expect("a document of plain texts and numbers can be written as JSON")
}

fn document4(
    world: &FakeWorld,
    kernel: &FakeKernel,
    version: &FakeVersion,
    cells: &[Cell],
    outputs: Outputs,
) -> Document4 {
    let mut runner = Runner::new(version, outputs);
    let cells = cells.iter().map(|cell| {
        let source = cell.text.clone();
        if !cell.is_code {
            return Cell4::Markdown { metadata: Empty {}, source };
        }
        let (execution_count, outputs) = match runner.run(cell) {
            None => (None, Vec::new()),
            Some((count, Ran::Printed(text))) => (Some(count), vec![Output4::Stream { name: "stdout", text }]),
            Some((count, Ran::Failed)) => {
                (Some(count), vec![Output4::Error { ename: NAME, evalue: VALUE, traceback: trace() }])
            }
        };
        Cell4::Code { metadata: Empty {}, source, execution_count, outputs }
    });
    let cells = cells.collect();
    Document4 { metadata: metadata(world, kernel, version), nbformat: 4, nbformat_minor: 4, cells }
}

fn document3(kernel: &FakeKernel, version: &FakeVersion, cells: &[Cell], outputs: Outputs) -> Document3 {
    let lines = |text: &str| text.split_inclusive('\n').map(str::to_owned).collect::<Vec<_>>();
    let mut runner = Runner::new(version, outputs);
    let cells = cells.iter().map(|cell| {
        if !cell.is_code {
            return Cell3::Markdown { metadata: Empty {}, source: lines(&cell.text) };
        }
        let (prompt_number, outputs) = match runner.run(cell) {
            None => (None, Vec::new()),
            Some((count, Ran::Printed(text))) => {
                (Some(count), vec![Output3::Stream { stream: "stdout", text: lines(&text) }])
            }
            Some((count, Ran::Failed)) => {
                (Some(count), vec![Output3::Pyerr { ename: NAME, evalue: VALUE, traceback: trace() }])
            }
        };
        let input = lines(&cell.text);
        Cell3::Code { collapsed: false, input, language: "python", metadata: Empty {}, outputs, prompt_number }
    });
    let sheet = Worksheet { cells: cells.collect(), metadata: Empty {} };
    Document3 {
        metadata: Metadata3 { name: kernel.title.clone() },
        nbformat: 3,
        nbformat_minor: 0,
        worksheets: vec![sheet],
    }
}

const NAME: &str = "NameError";
const VALUE: &str = "name 'best_model' is not defined";

fn trace() -> Vec<String> {
    vec!["\u{1b}[0;31mNameError\u{1b}[0m: name 'best_model' is not defined".to_owned()]
}

enum Ran {
    Printed(String),
    Failed,
}

/// Runs the cells in mind: what each printed, and nothing after the first failure.
struct Runner<'a> {
    version: &'a FakeVersion,
    is_kept: bool,
    has_failed: bool,
    count: u32,
}

impl<'a> Runner<'a> {
    fn new(version: &'a FakeVersion, outputs: Outputs) -> Self {
        Self { version, is_kept: outputs == Outputs::Kept, has_failed: false, count: 0 }
    }

    fn run(&mut self, cell: &Cell) -> Option<(u32, Ran)> {
        if !self.is_kept || self.has_failed {
            return None;
        }
        self.count += 1;
        self.has_failed =
            fails(self.version) && (cell.text.starts_with("best_model") || cell.text.starts_with("stop("));
        let ran = match self.has_failed {
            true => Ran::Failed,
            false => Ran::Printed(format!("cell {} of run {}\n", self.count, self.version.run_id)),
        };
        Some((self.count, ran))
    }
}

fn metadata(world: &FakeWorld, kernel: &FakeKernel, version: &FakeVersion) -> Metadata {
    let (name, display_name, language, number) = match kernel.language {
        FakeLanguage::Julia => ("julia-1.6", "Julia 1.6", "julia", "1.6.1"),
        FakeLanguage::R => ("ir", "R", "R", "4.0.5"),
        _ if kernel.is_mislabelled => ("ir", "R", "R", "4.0.5"),
        _ if kernel.is_python2 => ("python2", "Python 2", "python", "2.7.12"),
        _ => ("python3", "Python 3", "python", python_of(version)),
    };
    Metadata {
        kernelspec: KernelSpec { name, display_name, language },
        language_info: LanguageInfo { name: language, version: number },
        kaggle: (version.created.year() >= 2023).then(|| vendor(world, version, language)),
    }
}

/// The minor versions that images of these years had, roughly.
fn python_of(version: &FakeVersion) -> &'static str {
    match version.created.year() {
        ..2019 => "3.6.6",
        2019..2023 => "3.7.12",
        2023..2025 => "3.10.12",
        _ => "3.11.11",
    }
}

fn vendor(world: &FakeWorld, version: &FakeVersion, language: &'static str) -> Vendor {
    let sources = &version.sources;
    let competitions = sources.competitions.iter().map(|index| world.competitions()[*index as usize].id);
    let competitions = competitions.map(|source_id| VendorSource { source_id, source_type: "competition" });
    let datasets = sources.datasets.iter().map(|index| world.dataset(*index).version_id);
    let datasets = datasets.map(|source_id| VendorSource { source_id, source_type: "datasetVersion" });
    Vendor {
        accelerator: match version.accelerator {
            Accelerator::None => "none",
            Accelerator::P100 => "gpu",
            Accelerator::T4x2 => "nvidiaTeslaT4",
            Accelerator::Tpu => "tpu1vmV38",
        },
        data_sources: competitions.chain(datasets).collect(),
        docker_image_version_id: 30_000 + version.image(),
        is_internet_enabled: version.has_internet,
        language,
        source_type: "notebook",
        is_gpu_enabled: matches!(version.accelerator, Accelerator::P100 | Accelerator::T4x2),
    }
}
