//! Answers of an index that want to break their readers; see the crate `fuzz`.

use nbrevive_fuzz::{FuzzTarget, Shape, attack, code_of};

use super::answers::{Listed, listing, project};
use super::page::page;

const PAGE: &[u8] = b"<!DOCTYPE html><html><head><meta name=\"pypi:repository-version\" content=\"1.0\"><title>Links for x</title>
    </head><body><h1>Links for x</h1><a href=\"../f/x-1.0.tar.gz#sha256=00\" data-requires-python=\"&gt;=3.6\">x-1.0.tar.gz</a>
    <a href='x-1.1-py3-none-any.whl?t=1' data-yanked data-core-metadata=true>a <b>wheel</b></a><!-- end --></body></html>";
const PROJECT: &[u8] = br#"{"info": {"name": "x", "more": [{"a": null}]}, "releases": {"1.0": [{"filename": "x-1.0.tar.gz", "size": 7,
    "upload_time": "2018-01-02T03:04:05", "upload_time_iso_8601": "2018-01-02T03:04:05.000001Z", "yanked": true, "url": "u",
    "requires_python": ">=3", "digests": {"md5": "0", "sha256": "00"}}], "0.9": []}}"#;
const LISTING: &[u8] = br#"{"meta": {"api-version": "1.1"}, "name": "x", "files": [{"filename": "x-1.0-py3-none-any.whl", "url": "u",
    "hashes": {}, "upload-time": "2018-01-02T03:04:05.0Z", "yanked": "why", "core-metadata": {"sha256": "00"}, "size": 1.5e3}]}"#;

fn code(listed: Option<&Listed>) -> u64 {
    let Some(listed) = listed else { return 0 };
    let kinds = listed.files.iter().take(3).map(|file| {
        let told =
            [file.uploaded.is_some(), file.yanked, file.sha256.is_some(), file.is_installable(), file.size.is_some()];
        format!("{told:?} {:?}", file.metadata_copy)
    });
    code_of(&kinds.collect::<String>())
}

#[test]
fn pages() {
    attack(&FuzzTarget {
        name: "index-page",
        test: "index::fuzz::pages",
        crate_folder: env!("CARGO_MANIFEST_DIR"),
        examples: &[PAGE],
        words: &[
            b"<a href=x-1.0.zip>",
            b"</a>",
            b"<b>",
            b"<p>",
            b"<h1>",
            b"<table>",
            b"<script>",
            b"<!--",
            b"-->",
            b"&gt;",
            b"&#x",
            b"&",
            b"<",
            b">",
            b"\"",
            b"'",
            b"=",
            b" a=b",
            b"<svg>",
            b"<![CDATA[",
            b"/",
            b"#sha256=",
        ],
        shapes: &[
            Shape {
                name: "attributes",
                make: |size| {
                    let attributes: String = (0..size / 8).map(|number| format!(" a{number}=b")).collect();
                    format!("<a href=x-1.0.zip{attributes}>").into_bytes()
                },
            },
            Shape {
                name: "formats",
                make: |size| {
                    let formats: String = (0..size / 12).map(|number| format!("<p><b a={number}>")).collect();
                    format!("<h1>Links for x</h1>{formats}").into_bytes()
                },
            },
            Shape { name: "anchors", make: |size| b"<a href=x-1.0.zip>x-1.0.zip</a>".repeat(size / 31) },
            Shape { name: "nested anchors", make: |size| b"<a href=x-1.0.zip><object>".repeat(size / 26) },
            Shape {
                name: "one long anchor",
                make: |size| [b"<a href=x-1.0.zip>".to_vec(), b"x&amp;".repeat(size / 6)].concat(),
            },
        ],
        bytes_per_byte: 100,
        most_bytes: usize::MAX,
        mutations: 15_000,
        parse: |bytes| code(page(bytes).as_ref()),
    });
}

/// Objects in a list at some place of an answer.
fn many(head: &str, piece: &str, tail: &str, size: usize) -> Vec<u8> {
    [head, &vec![piece; size / (piece.len() + 1)].join(","), tail].concat().into_bytes()
}

#[test]
fn json() {
    attack(&FuzzTarget {
        name: "index-json",
        test: "index::fuzz::json",
        crate_folder: env!("CARGO_MANIFEST_DIR"),
        examples: &[PROJECT, LISTING],
        words: &[
            b"[",
            b"]",
            b"{",
            b"}",
            b"{\"a\":",
            b"\"",
            b"\\",
            b",",
            b":",
            b"null",
            b"true",
            b"1e9",
            b"\"files\":",
            b"\"yanked\":",
            b"\"upload-time\":",
            b"\"core-metadata\":",
            b"\"releases\":",
        ],
        shapes: &[
            Shape { name: "files", make: |size| many("{\"files\":[", "{\"filename\":\"\"}", "]}", size) },
            Shape {
                name: "releases",
                make: |size| {
                    let releases: Vec<String> = (0..size / 12).map(|number| format!("\"{number}\":[]")).collect();
                    format!("{{\"releases\":{{{}}}}}", releases.join(",")).into_bytes()
                },
            },
            Shape {
                name: "yanked",
                make: |size| many("{\"files\":[{\"filename\":\"\",\"yanked\":[", "{}", "]}]}", size),
            },
            Shape { name: "passed over", make: |size| many("{\"info\":{\"x\":[", "{\"\":0}", "]}}", size) },
        ],
        bytes_per_byte: 100,
        most_bytes: usize::MAX,
        mutations: 15_000,
        parse: |bytes| {
            let project = project(bytes).ok().flatten();
            code(project.as_ref()) ^ code(listing(bytes).ok().as_ref()).rotate_left(1)
        },
    });
}
