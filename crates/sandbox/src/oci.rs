//! The OCI backend: Docker or Podman through their command line, which is the same as far as it is used here.

mod container;
mod options;
mod profile;

use std::num::NonZeroU32;
use std::path::PathBuf;
use std::process::{Command as Process, Stdio};

use jiff::civil::Date;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

pub(crate) use container::Container;
pub(crate) use profile::profile_of_one_error;

use crate::engine::Engine;
use crate::{Limits, MissingMeans, Notice};

/// What a user says about the OCI backend.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct OciSettings {
    /// The image: by digest (`name@sha256:…`), by id, or by a tag that this machine has already; for `apptainer` the path of a file. Never pulled
    /// from here.
    pub image: String,
    /// Images for code of these days on, in any order; what is older than all of them takes `image`. Default: none.
    pub images: Vec<DatedImage>,
    /// The engine. Default: `podman` where it is installed, else `docker`, else `apptainer`.
    pub engine: Option<Engine>,
    /// Options of the engine itself, before its subcommand, for example `["--runtime", "runsc"]`; for `apptainer` those of `exec`, for example
    /// `["--unsquash"]`.
    pub engine_options: Vec<String>,
    /// Whether each run gets a GPU. Default: none does.
    pub gpus: bool,
    /// How many runs share one. Default 1.
    pub executions_per_gpu: Option<NonZeroU32>,
}

/// An image for code of one time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DatedImage {
    /// The first day, in UTC, on which it is taken.
    #[serde(deserialize_with = "day")]
    pub from: Date,
    /// The image, named as [`OciSettings::image`].
    pub image: String,
}

fn day<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Date, D::Error> {
    let text = String::deserialize(deserializer)?;
    text.parse().map_err(|_| D::Error::custom(format!("`{text}` is no day of the form 2019-06-01")))
}

/// An engine that answers and an image that is here: what containers are started from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Oci {
    pub(crate) engine: Engine,
    program: PathBuf,
    options: Vec<String>,
    /// The image's content, in hexadecimal digits: what a tag means can change, this cannot.
    pub(crate) id: String,
    /// Whether the engine itself runs without root's rights.
    pub(crate) rootless: bool,
    /// Which limits the engine's control groups can enforce, by controller.
    controllers: Vec<String>,
}

impl Oci {
    /// Finds the image, and removes what killed programs left behind.
    pub(crate) fn find(settings: &OciSettings, engine: Engine, program: PathBuf) -> Result<Self, MissingMeans> {
        let mut oci = Self { program, options: settings.engine_options.clone(), ..Self::unasked(engine, "") };
        let info =
            oci.ask(&["info", "--format", "{{json .}}"]).map_err(|said| MissingMeans::Engine { engine, said })?;
        oci.learn(&serde_json::from_str(&info).unwrap_or_default());
        oci.id = oci.id_of(&settings.image)?;
        container::remove_leftovers(&oci);
        Ok(oci)
    }

    /// The same with another image.
    pub(crate) fn with_image(&self, image: &str) -> Result<Self, MissingMeans> {
        Ok(Self { id: self.id_of(image)?, ..self.clone() })
    }

    fn id_of(&self, image: &str) -> Result<String, MissingMeans> {
        let id = self.ask(&["image", "inspect", "--format", "{{.Id}}", image]);
        let id = id.map_err(|said| missing_image(self.engine, image, said))?;
        Ok(id.trim().trim_start_matches("sha256:").to_owned())
    }

    /// An engine that was asked nothing yet.
    fn unasked(engine: Engine, id: &str) -> Self {
        Self {
            engine,
            program: PathBuf::new(),
            options: Vec::new(),
            id: id.to_owned(),
            rootless: false,
            controllers: Vec::new(),
        }
    }

    /// The image that runs, by content: `sha256:` and 64 digits.
    #[must_use]
    pub fn image_id(&self) -> String {
        format!("sha256:{}", self.id)
    }

    /// The engine's program with its own options.
    pub(crate) fn process(&self) -> Process {
        let mut process = Process::new(&self.program);
        process.args(&self.options).stdin(Stdio::null());
        process
    }

    /// Runs a subcommand to its end; its output, or what it complained about.
    pub(crate) fn ask(&self, arguments: &[&str]) -> Result<String, String> {
        let output = self.process().args(arguments).output().map_err(|error| error.to_string())?;
        if output.status.success() {
            return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
        }
        Err(String::from_utf8_lossy(&output.stderr).trim().to_owned())
    }

    /// Both engines tell what they can limit, each in its own words.
    fn learn(&mut self, info: &Value) {
        let host = &info["host"];
        self.rootless = host["security"]["rootless"].as_bool().unwrap_or(false);
        let version_one = host["cgroupVersion"] == "v1";
        let listed = host["cgroupControllers"].as_array().map(Vec::as_slice).unwrap_or_default();
        // Without root, podman ignores all limits where groups are of version 1.
        if !(self.rootless && version_one) {
            self.controllers = listed.iter().filter_map(Value::as_str).map(str::to_owned).collect();
        }
        let docker = [("MemoryLimit", "memory"), ("PidsLimit", "pids"), ("CpuCfsQuota", "cpu"), ("CPUSet", "cpuset")];
        for (key, controller) in docker {
            if info[key].as_bool() == Some(true) {
                self.controllers.push(controller.to_owned());
            }
        }
    }

    /// What the engine enforces, and what is left to the watcher.
    pub(crate) fn notices(&self, limits: &Limits) -> Vec<Notice> {
        let has = |controller: &str| self.controllers.iter().any(|known| known == controller);
        let enforced = |limit: &str, controller: &str| Notice::Enforced {
            limit: limit.into(),
            by: format!("{}'s {controller} cgroup", self.engine),
        };
        let why = |controller: &str| format!("{} has no {controller} cgroup here", self.engine);
        let memory = if has("memory") {
            enforced("memory_bytes", "memory")
        } else {
            Notice::Watched { limit: "memory_bytes".into(), why: why("memory") }
        };
        let or_open = |limit: &str, controller: &str| {
            if has(controller) {
                enforced(limit, controller)
            } else {
                Notice::Open { limit: limit.into(), why: why(controller) }
            }
        };
        let mut notices = vec![memory, or_open("processes", "pids"), or_open("cores", "cpu")];
        if !limits.core_ids.is_empty() {
            notices.push(or_open("core_ids", "cpuset"));
        }
        notices
    }
}

fn missing_image(engine: Engine, image: &str, said: String) -> MissingMeans {
    let pinned = image.contains("@sha256:");
    let way_out = if pinned {
        format!("fetch it with: {engine} pull {image}")
    } else {
        "name it by digest (NAME@sha256:…), for what a tag means can change; or fetch it first, and its id is recorded"
            .to_owned()
    };
    MissingMeans::Image { image: image.to_owned(), said, way_out }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_engine_limits_is_read_from_either_ones_words() {
        let mut docker = Oci::unasked(Engine::Docker, "ab");
        docker.learn(&serde_json::json!({ "MemoryLimit": true, "PidsLimit": false, "CpuCfsQuota": true }));
        let text: Vec<String> = docker.notices(&Limits::default()).iter().map(ToString::to_string).collect();
        assert_eq!(text[0], "memory_bytes: enforced by docker's memory cgroup");
        assert_eq!(text[1], "processes: not limited (docker has no pids cgroup here)");
        let mut podman = Oci::unasked(Engine::Podman, "ab");
        podman.learn(&serde_json::json!({ "host": { "cgroupVersion": "v1", "cgroupControllers": ["memory", "pids"],
            "security": { "rootless": true } } }));
        assert!(podman.rootless && matches!(podman.notices(&Limits::default())[0], Notice::Watched { .. }));
    }

    #[test]
    fn a_tag_that_is_not_here_is_refused_with_advice() {
        let text = missing_image(Engine::Podman, "kaggle/python:latest", "no such image".into()).to_string();
        assert!(text.contains("name it by digest"), "{text}");
        let text = missing_image(Engine::Podman, "kaggle/python@sha256:ab", "no such image".into()).to_string();
        assert!(text.ends_with("fetch it with: podman pull kaggle/python@sha256:ab"), "{text}");
    }
}
