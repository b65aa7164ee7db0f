//! A capsule as an image for containers: with this program, what both need of the system, and a command that runs it again.

use std::path::{Path, PathBuf};

use nbrevive_capsule::{CapsuleError, Gathered, ImageSettings, MeasuredCapsule, in_image, system};
use nbrevive_environment::Portable;

use crate::capsule::about::CapsuleAbout;
use crate::laboratory::one_execution::{IMAGE_CAPSULE, KAGGLE_WORKING};

/// Where links that stand in for Kaggle's working folder lead before a run has them lead to its own: to where a process is.
const HERE: &str = "../proc/self/cwd";
/// What an image has besides this program: what sandboxes are made of, and what a line of a notebook that begins with `!` may call.
const PROGRAMS: [&str; 21] = [
    "bwrap", "cat", "cp", "date", "env", "find", "grep", "head", "ls", "mkdir", "mv", "nproc", "pwd", "rm", "sed",
    "setpriv", "sh", "sort", "tail", "uname", "wc",
];
/// Where this program lies in an image.
const PROGRAM: &str = "usr/local/bin/nbrevive";
/// Texts of the system that no program is linked with: time zones, and the locale that Python speaks by default.
const TREES: [&str; 2] = ["/usr/share/zoneinfo", "/usr/lib/locale/C.utf8"];

/// A capsule as an image for containers.
#[derive(Debug)]
pub struct CapsuleImage {
    /// This program and what it needs of the system: the same layer for all capsules of a kind.
    pub system: MeasuredCapsule,
    /// The capsule, as it is unpacked.
    pub capsule: MeasuredCapsule,
    /// What the image is and does.
    pub settings: ImageSettings,
}

impl CapsuleImage {
    /// Takes `program`, this program's own file, and of this machine what it and the capsule need.
    ///
    /// # Errors
    /// When something of it cannot be read.
    pub fn of(capsule: &MeasuredCapsule, about: &CapsuleAbout, program: &Path) -> Result<Self, CapsuleError> {
        let own: Vec<&Portable> = about.environments.iter().filter(|portable| !portable.has_interpreter).collect();
        let mut programs: Vec<PathBuf> =
            own.iter().map(|portable| portable.environment.interpreter.path.clone()).collect();
        programs.extend(PROGRAMS.map(|name| Path::new("/usr/bin").join(name)));
        programs.push(program.to_owned());
        let mut gathered = system(&programs, capsule)?;
        gathered.rename(&in_image(program), PROGRAM);
        for portable in own {
            standard_library(portable, &mut gathered)?;
        }
        for tree in TREES.map(Path::new).into_iter().filter(|tree| tree.is_dir()) {
            let stays = |name: &Path| !tree.join(name).read_link().is_ok_and(|target| target.is_absolute());
            gathered.tree(&in_image(tree), tree, &stays)?;
        }
        gathered
            .text("etc/passwd", "root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/nonexistent:/bin/false\n");
        gathered.text("etc/group", "root:x:0:\nnogroup:x:65534:\n");
        gathered.text("etc/nsswitch.conf", "passwd: files\ngroup: files\nhosts: files\n");
        link_inputs(about, &mut gathered);
        let settings = ImageSettings {
            name: format!("localhost/nbrevive-capsule:{}", tag(&about.study)),
            command: command(),
            variables: variables(),
            labels: vec![
                ("org.opencontainers.image.title".to_owned(), about.title.clone()),
                ("org.opencontainers.image.revision".to_owned(), about.tool_revision.clone()),
            ],
        };
        let capsule = capsule.below(IMAGE_CAPSULE.trim_start_matches('/'))?;
        Ok(Self { system: gathered.measured_as_layer()?, capsule, settings })
    }

    /// The text of a Containerfile that makes the same image of `system.tar.gz` and `capsule.tar.zst` beside it.
    #[must_use]
    pub fn containerfile(&self) -> String {
        let settings = &self.settings;
        let variables = settings.variables.join(" ");
        let words = serde_json::json!(settings.command);
        format!(
            "# A capsule of nbrevive with its program and what both need of a system. Nothing is fetched: `podman build --network none .`\n\
             FROM scratch\nADD system.tar.gz /\nENV {variables}\nWORKDIR /tmp\nCOPY capsule.tar.zst /\n\
             RUN [\"nbrevive\", \"unpack\", \"/capsule.tar.zst\", \"--out\", \"{IMAGE_CAPSULE}\"]\nCMD {words}\n"
        )
    }
}

/// The container is the sandbox: another one in it asks for rights that engines do not give by themselves.
fn command() -> Vec<String> {
    ["nbrevive", "run", IMAGE_CAPSULE, "--sandbox", "none", "--i-trust-these-notebooks"].map(str::to_owned).into()
}

fn variables() -> Vec<String> {
    ["PATH=/usr/local/bin:/usr/bin", "HOME=/root", "LANG=C.UTF-8", "NBREVIVE_HOME=/var/cache/nbrevive"]
        .map(str::to_owned)
        .into()
}

/// The standard library of an interpreter that is the system's own, where it looks for it.
fn standard_library(portable: &Portable, gathered: &mut Gathered) -> Result<(), CapsuleError> {
    let interpreter = &portable.environment.interpreter;
    let library = interpreter.prefix.join(format!("lib/python{}", interpreter.minor()));
    let left_out = ["__pycache__", "test", "site-packages", "dist-packages"];
    let takes = |name: &Path| {
        let is_left_out = left_out.iter().any(|left_out| name.file_name().is_some_and(|name| name == *left_out));
        !is_left_out && !library.join(name).read_link().is_ok_and(|target| target.is_absolute())
    };
    gathered.tree(&in_image(&library), &library, &takes)
}

/// Without a sandbox nothing is mounted, so that what notebooks find below `/kaggle` are links: into the capsule, and to their folder.
fn link_inputs(about: &CapsuleAbout, gathered: &mut Gathered) {
    let mut inputs: Vec<(&str, &str)> =
        about.runs.iter().flat_map(|run| &run.input).map(|(from, inside)| (inside.as_str(), from.as_str())).collect();
    inputs.sort_unstable();
    let mut linked: Vec<&str> = Vec::new();
    for (inside, from) in inputs {
        // Of data that lies within other data, and of two by one name, the first is there.
        if linked.iter().any(|outer| Path::new(inside).starts_with(outer)) {
            continue;
        }
        linked.push(inside);
        let place = inside.trim_start_matches('/');
        let up = "../".repeat(place.matches('/').count());
        gathered.link(place, &format!("{up}{}/{from}", IMAGE_CAPSULE.trim_start_matches('/')));
    }
    gathered.link(KAGGLE_WORKING.trim_start_matches('/'), HERE);
}

/// A study's name as the tag of an image: letters, digits and `_.-`, 128 at most.
fn tag(name: &str) -> String {
    let plain = |letter: char| if letter.is_ascii_alphanumeric() || ".-".contains(letter) { letter } else { '_' };
    name.chars().map(plain).take(128).collect()
}
