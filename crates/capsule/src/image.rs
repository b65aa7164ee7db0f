//! An image of layers that Podman and Docker load, written without either.
//!
//! The archive is an [OCI image layout](https://github.com/opencontainers/image-spec/blob/v1.1.0/image-layout.md) in a tar file, with
//! the `manifest.json` beside it that older versions of Docker read instead. The same layers give the same bytes.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use nbrevive_files::{FileError, OutgoingFile, Scratch};
use serde_json::{Value, json};
use tar::Builder;

use crate::hash::{Hashing, measure};
use crate::write::{append, append_folder};
use crate::{CapsuleError, MeasuredCapsule};

/// How hard layers are compressed: as engines do it, which spend as long on a layer as a disk does.
const LEVEL: Compression = Compression::new(6);

/// What an image is and does.
#[derive(Debug, Clone)]
pub struct ImageSettings {
    /// The name under which an engine loads it, with its tag.
    pub name: String,
    /// The command that its containers run.
    pub command: Vec<String>,
    /// The variables that it finds, as `NAME=VALUE`.
    pub variables: Vec<String>,
    /// Words about it, by keys that the specification of images names.
    pub labels: Vec<(String, String)>,
}

impl ImageSettings {
    /// The configuration of the image, in the words of the specification.
    fn config(&self, layers: &[Blob]) -> Value {
        let labels: serde_json::Map<String, Value> =
            self.labels.iter().map(|(key, value)| (key.clone(), json!(value))).collect();
        let architecture = match std::env::consts::ARCH {
            "x86_64" => "amd64",
            "aarch64" => "arm64",
            other => other,
        };
        json!({
            "architecture": architecture,
            "os": "linux",
            "config": {"Env": self.variables, "Cmd": self.command, "WorkingDir": "/tmp", "Labels": labels},
            "rootfs": {"type": "layers", "diff_ids": layers.iter().map(|layer| format!("sha256:{}", layer.unpacked)).collect::<Vec<_>>()},
        })
    }
}

/// One file of an image, named by its digest.
#[derive(Debug)]
struct Blob {
    path: PathBuf,
    bytes: u64,
    sha256: String,
    /// SHA-256 of what it is when it is no longer compressed; of a layer.
    unpacked: String,
}

impl Blob {
    fn name(&self) -> String {
        format!("blobs/sha256/{}", self.sha256)
    }

    fn described(&self, kind: &str) -> Value {
        let digest = format!("sha256:{}", self.sha256);
        json!({"mediaType": format!("application/vnd.oci.image.{kind}"), "digest": digest, "size": self.bytes})
    }
}

/// Folders that a layer holds whatever lies in them, with their modes.
const FOLDERS: [(&str, u32); 2] = [("tmp", 0o1777), ("root", 0o700)];

/// Writes a layer as an archive in gzip, whole or not at all.
///
/// # Errors
/// When it cannot be written, or a file is no longer what it was when it was measured.
pub fn write_layer(measured: &MeasuredCapsule, to: &Path) -> Result<(), CapsuleError> {
    layer(measured, to).map(drop)
}

fn layer(measured: &MeasuredCapsule, to: &Path) -> Result<Blob, CapsuleError> {
    let failed = |source: io::Error| CapsuleError::File(FileError::Write { path: to.to_owned(), source });
    let packed = Hashing::new(OutgoingFile::begin(to)?);
    let mut tar = Builder::new(Hashing::new(GzEncoder::new(packed, LEVEL)));
    for (folder, mode) in FOLDERS {
        append_folder(&mut tar, folder, mode).map_err(failed)?;
    }
    measured.append_files(&mut tar, to)?;
    let (encoder, _, unpacked) = tar.into_inner().map_err(failed)?.into_parts();
    let (outgoing, bytes, sha256) = encoder.finish().map_err(failed)?.into_parts();
    outgoing.commit()?;
    Ok(Blob { path: to.to_owned(), bytes, sha256, unpacked })
}

/// Writes an image of these layers, the lowest first, whole or not at all.
///
/// # Errors
/// When it cannot be written, or a file is no longer what it was when it was measured.
pub fn write_image(layers: &[&MeasuredCapsule], settings: &ImageSettings, to: &Path) -> Result<(), CapsuleError> {
    let failed = |source: io::Error| CapsuleError::File(FileError::Write { path: to.to_owned(), source });
    let beside = to.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // Where the image will lie there is room for its layers, as there need not be in a folder for what is temporary.
    let scratch = Scratch::make(beside, ".nbrevive-image-")?;
    let place = |number: usize| scratch.path().join(format!("layer-{number}"));
    let layers = layers.iter().enumerate().map(|(number, measured)| layer(measured, &place(number)));
    let layers = layers.collect::<Result<Vec<_>, _>>()?;

    let mut tar = Builder::new(OutgoingFile::begin(to)?);
    let config = small(&mut tar, &settings.config(&layers)).map_err(failed)?;
    let manifest = json!({
        "schemaVersion": 2,
        "mediaType": "application/vnd.oci.image.manifest.v1+json",
        "config": config.described("config.v1+json"),
        "layers": layers.iter().map(|layer| layer.described("layer.v1.tar+gzip")).collect::<Vec<_>>(),
    });
    let mut entry = small(&mut tar, &manifest).map_err(failed)?.described("manifest.v1+json");
    if let Some(entry) = entry.as_object_mut() {
        entry.insert("annotations".to_owned(), json!({"org.opencontainers.image.ref.name": settings.name}));
    }
    for layer in &layers {
        let file = nbrevive_files::open(&layer.path)?;
        append(&mut tar, &layer.name(), layer.bytes, false, file).map_err(failed)?;
    }
    let index =
        json!({"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json", "manifests": [entry]});
    let of_docker = json!([{
        "Config": config.name(),
        "RepoTags": [settings.name],
        "Layers": layers.iter().map(Blob::name).collect::<Vec<_>>(),
    }]);
    let files =
        [("index.json", index), ("manifest.json", of_docker), ("oci-layout", json!({"imageLayoutVersion": "1.0.0"}))];
    for (name, content) in files {
        let text = content.to_string();
        append(&mut tar, name, text.len() as u64, false, text.as_bytes()).map_err(failed)?;
    }
    Ok(tar.into_inner().map_err(failed)?.commit()?)
}

/// Writes a file of the image that is no layer.
fn small(tar: &mut Builder<impl Write>, content: &Value) -> io::Result<Blob> {
    let text = content.to_string();
    let (bytes, sha256) = measure(text.as_bytes())?;
    let blob = Blob { path: PathBuf::new(), bytes, unpacked: sha256.clone(), sha256 };
    append(tar, &blob.name(), bytes, false, text.as_bytes())?;
    Ok(blob)
}
