//! What lies in a repository.

use serde_json::json;

use crate::random::Purpose;
use crate::world::{Fate, HubRepository};
use nbrevive_loopback::RandomStream;

/// Notebooks of which several repositories have the same.
const SHARED: u64 = 12;

/// A file of a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HubFile {
    /// Its path.
    pub path: String,
    /// Whether it may be run.
    pub is_program: bool,
    /// Its content, or where a link leads.
    pub content: Vec<u8>,
    /// Whether it is a link.
    pub is_link: bool,
}

impl HubFile {
    fn new(path: &str, content: impl Into<Vec<u8>>) -> Self {
        Self { path: path.to_owned(), is_program: path.ends_with(".sh"), content: content.into(), is_link: false }
    }
}

/// The files of a commit, by path.
pub(crate) fn files(seed: u64, repository: &HubRepository, commit: &str) -> Vec<HubFile> {
    let mut stream = RandomStream::of(seed, Purpose::Files, repository.id);
    let mut files = vec![
        HubFile::new("README.md", format!("# {}\n\n    pip install pandas\n", repository.name)),
        HubFile::new("data/table.csv", "a,b\n1,2\n".repeat(20)),
        HubFile::new("data/long.csv", "0\n".repeat(30_000)),
        HubFile::new("src/tools.py", "def double(x):\n    return 2 * x\n"),
        HubFile::new("run.sh", "#!/bin/sh\njupyter nbconvert --execute notebooks/*.ipynb\n"),
        HubFile { is_link: true, ..HubFile::new("data/link.csv", "table.csv") },
    ];
    if stream.chance(0.5) {
        files.push(HubFile::new("requirements.txt", "pandas==1.0.5\nnumpy\n"));
    }
    if stream.chance(0.2) {
        let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0011\nsize 987654\n";
        files.push(HubFile::new("data/model.bin", pointer));
    }
    if repository.fate != Fate::NoNotebooks {
        let language = if repository.fate == Fate::OtherKernel { "R" } else { "python" };
        for number in 0..stream.between(1, 3) {
            let text = match stream.chance(0.4) {
                true => format!("print('shared {}')", stream.below(SHARED)),
                false => format!("print('{} {number} {}')", repository.id, commit == repository.head),
            };
            files.push(HubFile::new(&format!("notebooks/{number} one.ipynb"), notebook(language, &text)));
        }
    }
    files.sort_by(|one, other| one.path.cmp(&other.path));
    files
}

fn notebook(language: &str, text: &str) -> Vec<u8> {
    let kernel = json!({"name": if language == "R" { "ir" } else { "python3" }, "display_name": language});
    let output = json!({"output_type": "stream", "name": "stdout", "text": ["x\n"]});
    let cell = json!({
        "cell_type": "code", "execution_count": 1, "metadata": {}, "source": [text], "outputs": [output]
    });
    json!({
        "cells": [cell], "metadata": {"kernelspec": kernel, "language_info": {"name": language}},
        "nbformat": 4, "nbformat_minor": 2
    })
    .to_string()
    .into_bytes()
}
