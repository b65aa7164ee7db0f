//! Meta Kaggle Code: one file a version, in folders by its id.

use std::path::{Path, PathBuf};

use crate::meta::FakeDumpError;
use crate::source::{Outputs, source};
use crate::world::{FakeWorld, Visibility};

/// Where the source of a version lies: `0111/437/111437241.ipynb` for the id 111437241.
pub fn code_path(run_id: u64, extension: &str) -> PathBuf {
    let (millions, thousands) = (run_id / 1_000_000, run_id / 1_000 % 1_000);
    PathBuf::from(format!("{millions:04}/{thousands:03}/{run_id}.{extension}"))
}

/// Writes the sources of all public versions that ended by themselves into a folder; gives their number. Notebooks are without
/// outputs, and all end in `.ipynb`, whatever their language.
pub fn write_code(world: &FakeWorld, folder: &Path) -> Result<u64, FakeDumpError> {
    let mut written = 0;
    for kernel in world.kernels().filter(|kernel| kernel.visibility == Visibility::Public) {
        let extension = match kernel.extension() {
            "irnb" | "ijlnb" => "ipynb",
            other => other,
        };
        for version in kernel.versions.iter().filter(|version| version.is_finished()) {
            let path = folder.join(code_path(version.run_id, extension));
            let parent = path.parent().unwrap_or(folder);
            std::fs::create_dir_all(parent).map_err(FakeDumpError::at(parent))?;
            let text = source(world, &kernel, version, Outputs::Stripped);
            std::fs::write(&path, text).map_err(FakeDumpError::at(&path))?;
            written += 1;
        }
    }
    Ok(written)
}
