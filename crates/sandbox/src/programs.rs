//! Where the programs are that a backend needs.

use std::path::{Path, PathBuf};
use std::process::{Command as Process, Stdio};

use crate::bubblewrap::SETPRIV;
use crate::engine::Engine;
use crate::missing::MissingMeans;

/// Oldest bubblewrap that knows all options in use (`--add-seccomp-fd`, `--size`, `--perms`).
const OLDEST: (u32, u32) = (0, 6);

/// Where bubblewrap is and what it can do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Bubblewrap {
    pub(crate) path: PathBuf,
    pub(crate) can_disable_namespaces: bool,
}

/// Looks bubblewrap up on `PATH` and asks its version; remembered by callers that start many runs.
pub(crate) fn find_bubblewrap() -> Result<Bubblewrap, MissingMeans> {
    if !cfg!(target_os = "linux") {
        return Err(MissingMeans::NotLinux);
    }
    let install = |package: &str| format!("sudo apt-get install {package}");
    let path = on_path("bwrap")
        .ok_or_else(|| MissingMeans::Program { program: "bwrap".into(), install: install("bubblewrap") })?;
    if rustix::process::geteuid().is_root() && !Path::new(SETPRIV).exists() {
        return Err(MissingMeans::Program { program: SETPRIV.into(), install: install("util-linux") });
    }
    let output = Process::new(&path).arg("--version").stdin(Stdio::null()).output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
    let version = parse_version(&text).unwrap_or((0, 0));
    if version < OLDEST {
        let needed = format!("{}.{}", OLDEST.0, OLDEST.1);
        return Err(MissingMeans::TooOld { program: "bwrap".into(), found: text.trim().into(), needed });
    }
    Ok(Bubblewrap { path, can_disable_namespaces: version >= (0, 8) })
}

/// The container engine that was asked for, or the first that is installed, with its program.
pub(crate) fn find_engine(asked: Option<Engine>) -> Result<(Engine, PathBuf), MissingMeans> {
    let all = [Engine::Podman, Engine::Docker, Engine::Apptainer];
    let candidates = asked.as_ref().map_or(&all[..], std::slice::from_ref);
    let found = candidates.iter().find_map(|engine| Some((*engine, on_path(&engine.to_string())?)));
    found.ok_or_else(|| {
        let install = match candidates[0] {
            Engine::Podman => "sudo apt-get install podman catatonit",
            Engine::Docker => "sudo apt-get install docker.io",
            Engine::Apptainer => {
                "sudo apt-get install apptainer (Debian 13 has none; on a cluster often: module load apptainer)"
            }
        };
        MissingMeans::Program { program: candidates[0].to_string(), install: install.to_owned() }
    })
}

fn on_path(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_else(|| "/usr/bin:/bin".into());
    std::env::split_paths(&path).map(|folder| folder.join(program)).find(|candidate| candidate.is_file())
}

/// `bubblewrap 0.8.0`
fn parse_version(text: &str) -> Option<(u32, u32)> {
    let mut numbers = text.split_ascii_whitespace().last()?.split('.');
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read() {
        assert_eq!(parse_version("bubblewrap 0.8.0\n"), Some((0, 8)));
        assert_eq!(parse_version("bubblewrap 0.11.0"), Some((0, 11)));
        assert_eq!(parse_version(""), None);
    }
}
