//! Metadata for machines: Croissant 1.0 (MLCommons, "Croissant Format Specification"), as JSON-LD.

use serde_json::{Value, json};

use super::manifest::{Manifest, ManifestFile};
use super::schema::{Column, ColumnKind, Schema, TableSchema};

/// The licence of the rows, which is that of this program and of public notebooks on Kaggle.
pub(crate) const LICENCE: &str = "https://www.apache.org/licenses/LICENSE-2.0";
/// Where the program lives.
pub(crate) const HOME: &str = "https://github.com/nbrevive/nbrevive";

/// What a dataset holds, as JSON-LD.
#[must_use]
pub fn croissant(manifest: &Manifest) -> String {
    let tables = || {
        let table = |file: &ManifestFile| Schema::get().table(&file.table);
        manifest.files.iter().filter_map(move |file| Some((file, table(file)?)))
    };
    let records: Vec<Value> = tables().map(|(_, table)| record_set(manifest, table)).collect();
    let files: Vec<Value> = tables().map(|(file, table)| file_object(file, table)).collect();
    let day = manifest.recorded.as_deref().and_then(|time| time.get(..10)).unwrap_or("1970-01-01");
    let value = json!({
        "@context": context(),
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": manifest.dataset,
        "description": description(manifest),
        "url": HOME,
        "license": LICENCE,
        "creator": { "@type": "sc:Organization", "name": "nbrevive", "url": HOME },
        "version": manifest.schema,
        "datePublished": day,
        "citeAs": format!("nbrevive, dataset of study {}, {}, {HOME}", manifest.dataset, manifest.tool_revision),
        "isLiveDataset": false,
        "keywords": ["notebooks", "reproducibility", "machine learning", "software evolution"],
        "distribution": files,
        "recordSet": records,
    });
    serde_json::to_string_pretty(&value).map(|text| text + "\n").unwrap_or_default()
}

fn description(manifest: &Manifest) -> String {
    format!(
        "{}. Whether published machine-learning notebooks still reproduce: in today's environment, in one of their date, and \
         repaired; with every execution, cell, error, grade and fix.",
        manifest.title.trim_end_matches('.')
    )
}

fn file_object(file: &ManifestFile, table: &TableSchema) -> Value {
    json!({
        "@type": "cr:FileObject",
        "@id": file.name,
        "name": file.name,
        "description": format!("{}; {} rows", table.title, file.rows),
        "contentUrl": file.name,
        "contentSize": format!("{} B", file.bytes),
        "encodingFormat": "application/x-parquet",
        "sha256": file.sha256,
    })
}

fn record_set(manifest: &Manifest, table: &TableSchema) -> Value {
    let fields: Vec<Value> = table.columns_of(manifest.variant).map(|column| field(manifest, table, column)).collect();
    let told = if table.note.is_empty() { table.title.clone() } else { format!("{}. {}", table.title, table.note) };
    let mut record = json!({
        "@type": "cr:RecordSet",
        "@id": table.name,
        "name": table.name,
        "description": told,
        "field": fields,
    });
    if !table.key.is_empty() {
        let key = |name: &String| json!({ "@id": format!("{}/{name}", table.name) });
        record["key"] = table.key.iter().map(key).collect();
    }
    record
}

fn field(manifest: &Manifest, table: &TableSchema, column: &Column) -> Value {
    let unit = if column.unit.is_empty() { String::new() } else { format!(" ({})", column.unit) };
    let mut field = json!({
        "@type": "cr:Field",
        "@id": format!("{}/{}", table.name, column.name),
        "name": column.name,
        "description": format!("{}{unit}", column.meaning),
        "dataType": data_type(column.kind),
        "source": { "fileObject": { "@id": table.file() }, "extract": { "column": column.name } },
    });
    let there = |name: &str| manifest.files.iter().any(|file| file.table == name);
    let referred = column.of.as_deref().filter(|name| there(name)).and_then(|name| Schema::get().table(name));
    if let Some((other, key)) = referred.and_then(|other| Some((other, other.key.first()?))) {
        // By file and not by record set: the reference implementation cannot read a record set that refers to one that refers.
        field["references"] = json!({ "fileObject": { "@id": other.file() }, "extract": { "column": key } });
    }
    field
}

const fn data_type(kind: ColumnKind) -> &'static str {
    match kind {
        ColumnKind::Text | ColumnKind::Enum => "sc:Text",
        ColumnKind::Time => "sc:DateTime",
        ColumnKind::Number => "sc:Float",
        ColumnKind::Count | ColumnKind::Integer => "sc:Integer",
        ColumnKind::Switch => "sc:Boolean",
    }
}

/// The names of the format, as its specification gives them ("Appendix 1: JSON-LD context").
fn context() -> Value {
    let own = [
        "citeAs",
        "column",
        "equivalentProperty",
        "extract",
        "field",
        "fileProperty",
        "fileObject",
        "fileSet",
        "format",
        "includes",
        "isLiveDataset",
        "jsonPath",
        "key",
        "md5",
        "parentField",
        "path",
        "recordSet",
        "references",
        "regex",
        "repeated",
        "replace",
        "samplingRate",
        "separator",
        "source",
        "subField",
        "transform",
    ];
    let mut context = json!({
        "@language": "en",
        "@vocab": "https://schema.org/",
        "conformsTo": "dct:conformsTo",
        "cr": "http://mlcommons.org/croissant/",
        "data": { "@id": "cr:data", "@type": "@json" },
        "dataType": { "@id": "cr:dataType", "@type": "@vocab" },
        "dct": "http://purl.org/dc/terms/",
        "examples": { "@id": "cr:examples", "@type": "@json" },
        "rai": "http://mlcommons.org/croissant/RAI/",
        "sc": "https://schema.org/",
    });
    for name in own {
        context[name] = format!("cr:{name}").into();
    }
    context
}
