//! The report as one HTML file that a browser opens without a network: headline, flows, who was left out, errors, costs, and every
//! version with its fixes.
//!
//! The file holds three kinds of data. Tables stand in it as HTML, so that they can be read without its script. What all views
//! count stands in one packed block of columns ([`index`]). What only a single version shows (patches, errors, environments)
//! stands in packed blocks of some versions each ([`story`]), which the page unpacks when the version is opened.
//!
//! What notebooks say is never markup: it is packed, and the script puts it into the page as text alone. A policy in the file's head
//! forbids every request and every script but the page's own.
//!
//! Parts:
//! - [`index`], [`story`], [`runs`], [`left_out`], [`repairs`], [`costs`]: what the page holds;
//! - [`pack`]: how it is packed;
//! - [`markup`]: tables as HTML, the template, the policy.

mod costs;
mod index;
mod left_out;
pub(crate) mod markup;
mod pack;
mod repairs;
mod runs;
mod story;

use std::path::{Path, PathBuf};

use nbrevive_corpus::Judge;
use serde_json::json;

use crate::error::ReportError;
use crate::flaky::Flaky;
use crate::inputs::Inputs;
use crate::number_words::plural;
use crate::output::{Product, input_files};
use crate::rows::Study;
use crate::source;
use crate::tables::Tables;
use index::Index;
use runs::Runs;

const TEMPLATE: &str = include_str!("page/page.html");
const STYLE: &str = include_str!("page/page.css");

/// The page's script, part by part; each may use those before it. They become one module.
const SCRIPT: &[&str] = &[
    include_str!("page/script/words.js"),
    include_str!("page/script/element.js"),
    include_str!("page/script/study.js"),
    include_str!("page/script/state.js"),
    include_str!("page/script/headline.js"),
    include_str!("page/script/curve.js"),
    include_str!("page/script/flow.js"),
    include_str!("page/script/left_out.js"),
    include_str!("page/script/errors.js"),
    include_str!("page/script/filters.js"),
    include_str!("page/script/list.js"),
    include_str!("page/script/diff.js"),
    include_str!("page/script/version.js"),
    include_str!("page/script/main.js"),
];

/// Writes the report page to the file `out` and returns its path.
///
/// `data`, `published` and `flaky` are those of [`crate::render`]; files that only one section needs may be missing, and the section
/// says so. The file needs no network and asks none; it appears whole or not at all.
///
/// # Errors
/// When an input that the tables need is missing, a file has another schema or contradicts itself (file, column and row are named), or
/// `out` cannot be written.
pub fn write_page(data: &Path, published: Option<&Path>, flaky: Flaky, out: &Path) -> Result<PathBuf, ReportError> {
    let html = page(data, published, flaky)?;
    let name = out.file_name().unwrap_or(out.as_os_str()).to_string_lossy().into_owned();
    Ok(Product::text(name, html).write(out.parent().unwrap_or(Path::new("")), &input_files(data, published))?)
}

fn page(folder: &Path, published: Option<&Path>, flaky: Flaky) -> Result<String, ReportError> {
    let inputs = Inputs::read(folder, published, flaky)?;
    let (tables, errors) = Tables::count(&inputs)?;
    let (grids, data) = (tables.grids(), &inputs.data);
    let index = Index::read(folder, data)?;
    let runs = Runs::read(folder, &index, &data.study.roles)?;
    let core = json!({
        "study": data.study,
        "index": index.json(data, &runs),
        "left_out": left_out::json(folder, &index)?,
        "errors": errors.map(|errors| repairs::json(&errors, &runs, data)),
        "block": story::VERSIONS_A_BLOCK,
    });
    let blocks = story::blocks(folder, data, &index, &runs)?;
    let costs = costs::section(data, &grids);
    let script = SCRIPT.join("\n");
    let asked = asked(data.study.judge);
    let parts = [
        ("policy", markup::policy(Some(&script), STYLE)),
        ("title", markup::escaped(&data.study.title)),
        ("style", STYLE.to_owned()),
        ("headline", asked.0.to_owned()),
        ("lead", asked.1.to_owned()),
        ("measured", measured(&data.study)),
        ("costs", costs),
        ("tables", grids.iter().map(|(name, grid)| markup::folded_table(name, grid)).collect()),
        ("core", pack::element("core", &core)),
        (
            "blocks",
            blocks.iter().enumerate().map(|(place, block)| pack::element(&format!("block-{place}"), block)).collect(),
        ),
        ("script", script),
    ];
    Ok(markup::filled(TEMPLATE, &parts))
}

/// What the page is about, as its first heading and sentence.
const fn asked(judge: Judge) -> (&'static str, &'static str) {
    match judge {
        Judge::Score => (
            "How many reproduce",
            "A version reproduces when its score deviates by at most τ from its target score: the one that it got at its date.",
        ),
        Judge::Outputs => (
            "How many show what was saved",
            "A version runs when every cell ends without an error, and a cell agrees at a level when its new outputs say the same as those \
             that were saved. Both stand in the tables.",
        ),
        Judge::Executability => (
            "How many run",
            "A version runs when every cell ends without an error. How far the others come, and what stops them, stands in the table of \
             executability.",
        ),
    }
}

/// What was measured, and on what, as terms and their meanings.
fn measured(study: &Study) -> String {
    let baseline = format!("{}, Python {}", study.baseline_environment, study.baseline_python);
    let rows = [
        ("Study", study.study.clone()),
        ("Versions", plural(u64::from(study.versions), "version")),
        (TODAY, baseline),
        (PACKAGES, study.baseline_packages.clone()),
        ("Time limit", format!("{} s a notebook", study.time_limit_seconds)),
        (TAU, source::tau(study)),
        (FIXES, format!("at most {} a version", plural(u64::from(study.max_fixes), "fix"))),
        ("Machine", study.machine.clone()),
        ("Program", study.tool_revision.clone()),
    ];
    let is_told = |term: &str| match term {
        TAU => study.judge.asks_scores(),
        TODAY | PACKAGES => study.roles.use_lock(),
        FIXES => study.roles.repair_any(),
        _ => true,
    };
    let rows = rows.iter().filter(|(term, _)| is_told(term));
    let row = |(term, meaning): &(&str, String)| format!("<dt>{term}</dt><dd>{}</dd>\n", markup::escaped(meaning));
    rows.map(row).collect()
}

// The terms for what not every study has.
const TAU: &str = "Threshold τ";
const TODAY: &str = "Environment of today";
const PACKAGES: &str = "Its main packages";
const FIXES: &str = "Fixes";
