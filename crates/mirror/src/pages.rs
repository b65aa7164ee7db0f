//! The pages of an index, in HTML (PEP 503) and JSON (PEP 691, with the fields of PEP 700).

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::HeldFile;

/// By which installers know what they read.
const API: &str = "1.1";

/// Every page, by its path.
pub(crate) fn all<'a>(files: impl Iterator<Item = &'a HeldFile>) -> Vec<(String, String)> {
    let mut distributions: BTreeMap<&str, Vec<&HeldFile>> = BTreeMap::new();
    for file in files {
        distributions.entry(&file.distribution).or_default().push(file);
    }
    let names: Vec<&str> = distributions.keys().copied().collect();
    let links = names.iter().map(|name| format!("<a href=\"{name}/\">{name}</a><br>\n")).collect::<String>();
    let projects: Vec<Value> = names.iter().map(|name| json!({ "name": name })).collect();
    let mut pages = vec![
        ("simple/index.html".to_owned(), html("index", &links)),
        ("simple/index.json".to_owned(), text(&json!({ "meta": { "api-version": API }, "projects": projects }))),
    ];
    for (name, files) in &distributions {
        let links: String = files.iter().map(|file| anchor(file)).collect();
        pages.push((format!("simple/{name}/index.html"), html(name, &links)));
        let versions: BTreeSet<&str> = files.iter().map(|file| file.version.as_str()).collect();
        let files: Vec<Value> = files.iter().map(|file| described(file)).collect();
        let page = json!({ "meta": { "api-version": API }, "name": name, "versions": versions, "files": files });
        pages.push((format!("simple/{name}/index.json"), text(&page)));
    }
    pages
}

fn html(title: &str, body: &str) -> String {
    format!(
        "<!DOCTYPE html>\n<html><head><title>{title}</title></head><body>\n\
         {body}</body></html>\n"
    )
}

/// The link to a file, relative to the page of its distribution.
fn place(file: &HeldFile) -> String {
    format!("../../files/{}", file.name)
}

fn anchor(file: &HeldFile) -> String {
    let mut more = String::new();
    if let Some(requires) = &file.requires_python {
        let _ = write!(more, " data-requires-python=\"{}\"", escaped(requires));
    }
    if let Some(sha256) = &file.metadata_sha256 {
        let _ = write!(more, " data-core-metadata=\"sha256={sha256}\" data-dist-info-metadata=\"sha256={sha256}\"");
    }
    if file.is_yanked {
        more.push_str(" data-yanked=\"\"");
    }
    format!("<a href=\"{}#sha256={}\"{more}>{}</a><br>\n", place(file), file.sha256, file.name)
}

fn described(file: &HeldFile) -> Value {
    let metadata = file.metadata_sha256.as_ref().map_or(json!(false), |sha256| json!({ "sha256": sha256 }));
    json!({
        "filename": file.name,
        "url": place(file),
        "hashes": { "sha256": file.sha256 },
        "size": file.bytes,
        "upload-time": file.uploaded.to_string(),
        "requires-python": file.requires_python,
        "yanked": file.is_yanked,
        // Not under its first name, `dist-info-metadata`: of a table there the pips before 23.2 die, those of our eras among them (PEP 714).
        "core-metadata": metadata,
    })
}

fn text(page: &Value) -> String {
    format!("{page:#}\n")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
