//! Files of formats that need libraries, made up, read and run through the program: parquet, arrays, HDF5, folders of pictures.

use std::path::Path;

use serde_json::{Value, json};

use crate::support::{nbrevive, scratch};

/// What writes and reads them. The versions are those of the environment of today.
const LOCK: &str = "# python: 3.12\nh5py==3.14.0\nnumpy==2.3.3\npandas==2.3.3\npillow==11.3.0\npyarrow==21.0.0\npython-dateutil==2.9.0.post0\npytz==2025.2\nsix==1.17.0\ntzdata==2025.2\n";

/// Cells that fail when a file is not what its reader takes it for.
const CELLS: [&str; 6] = [
    "import os\nimport h5py\nimport numpy as np\nimport pandas as pd\nfrom PIL import Image",
    "sales = pd.read_parquet('data/sales.parquet')\nassert sales.groupby('shop')['price'].mean().notna().all()\nsales['day'].dt.month.max()",
    "with np.load('data/points.npz') as arrays:\n    x, labels = arrays['x'], arrays['labels']\nassert x[:, 3].shape == labels.shape and set(labels) <= {0, 1}",
    "with h5py.File('data/signals.h5', 'r') as book:\n    signal = book['signal'][:]\n    assert len(book['y']) == len(signal) > 100",
    "sizes = set()\nfor kind in os.listdir('photos'):\n    for name in os.listdir(os.path.join('photos', kind)):\n        sizes.add(Image.open(os.path.join('photos', kind, name)).convert('L').resize((8, 8)).size)\nassert sizes == {(8, 8)} and len(os.listdir('photos')) >= 2",
    "grid = np.load('grid.npy')\nassert np.isfinite(grid[:, 2] / 2).all()",
];

fn notebook() -> String {
    let cell = |source: &&str| json!({"cell_type": "code", "metadata": {}, "source": source, "outputs": [], "execution_count": null});
    let cells: Vec<_> = CELLS.iter().map(cell).collect();
    json!({"nbformat": 4, "nbformat_minor": 4, "metadata": {}, "cells": cells}).to_string()
}

fn put(folder: &Path, name: &str, text: &str) {
    std::fs::write(folder.join(name), text).expect("a file can be written");
}

#[test]
fn formats_of_libraries_are_made_up_and_read() {
    let folder = scratch();
    put(folder.path(), "reads.ipynb", &notebook());
    put(folder.path(), "tables.lock", LOCK);
    let mut command = nbrevive();
    command.current_dir(folder.path()).args(["restore", "reads.ipynb", "--prepare", "files"]);
    let command = command.args(["--environment", "tables.lock", "--json", "told.json", "--keep-data", "kept"]);
    let assert = command.assert();
    let said = String::from_utf8_lossy(&assert.get_output().stdout).into_owned();
    let told: Value =
        serde_json::from_slice(&std::fs::read(folder.path().join("told.json")).expect("it is told")).expect("JSON");
    assert_eq!((&told["end"], &told["after"]["tolerant"]), (&json!("runs"), &json!(CELLS.len())), "{said}");
    assert_eq!(told["before"]["tolerant"], 1, "{said}");
    let files: Vec<&str> =
        told["made_up"]["files"].as_array().expect("a list").iter().filter_map(|file| file["path"].as_str()).collect();
    assert_eq!(files, ["data/sales.parquet", "data/points.npz", "data/signals.h5", "photos", "grid.npy"]);
    let kept = folder.path().join("kept");
    assert!(std::fs::read(kept.join("data/sales.parquet")).expect("it is kept").starts_with(b"PAR1"));
    assert!(std::fs::read(kept.join("data/signals.h5")).expect("it is kept").starts_with(b"\x89HDF"));
    assert!(kept.join("photos").is_dir());
}
