//! Apptainer: containers without a daemon from an image that is a file, as clusters have them that let nobody have an engine or namespaces of
//! their own.
//!
//! Its container is a child of ours, as bubblewrap's is: our groups, resource limits and cores hold for all that it starts. It does not die with
//! us, since it changes who it is while it starts; an undertaker sees to that.

use std::ffi::{OsStr, OsString};
use std::fs::{self, Permissions};
use std::io::{self, BufRead as _, BufReader};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::Command as Process;

use nbrevive_files::hex;
use sha2::{Digest as _, Sha256};
use tempfile::TempDir;

use crate::missing::MissingMeans;
use crate::mount::mount;
use crate::oci::{OciSettings, profile_of_one_error};
use crate::places::{ROOT, is_bound, make_places};
use crate::undertaker::Undertaker;
use crate::{Bind, Command, Limits, gpu};

/// Nothing is said but what is wrong.
const START: [&str; 3] = ["--silent", "--nocolor", "exec"];
/// Nothing of the host's but what is bound: no home, no variables, no network, no processes, no devices but the harmless ones. And nobody's
/// rights.
const ISOLATION: [&str; 10] = [
    "--containall",
    "--no-mount",
    "sys,home,hostfs,bind-paths,cwd,tmp",
    "--no-privs",
    "--uts",
    "--hostname",
    "kaggle",
    "--net",
    "--network",
    "none",
];
/// Where a command writes that names no place.
const TEMPORARY: &str = "/tmp";
/// Exit code where there was no container.
pub(crate) const FAILED: i32 = 255;
/// How its last words begin then.
pub(crate) const LAST_WORDS: &str = "FATAL:";
/// Says which process it is, and becomes it.
const NAMED: &str = "echo $$ >pid && exec \"$@\"";
/// Kills the processes of a container whose supervisor was killed; the number may be another's by then.
const REMOVAL: &str = "[ -n \"$killed\" ] || exit 0; read -r pid <\"$0/pid\"; grep -q pptainer /proc/\"$pid\"/cmdline && kill -9 \"-$pid\"";
/// What it calls its own processes until the container is ready.
pub(crate) const STARTER: &str = "starter";

/// A program and an image that are here: what containers are started from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Apptainer {
    program: PathBuf,
    options: Vec<String>,
    image: PathBuf,
    /// SHA-256 of the image, in hexadecimal digits.
    id: String,
}

impl Apptainer {
    /// Reads the image once, for its hash.
    pub(crate) fn find(settings: &OciSettings, program: PathBuf) -> Result<Self, MissingMeans> {
        let found =
            Self { program, options: settings.engine_options.clone(), image: PathBuf::new(), id: String::new() };
        found.with_image(&settings.image)
    }

    /// The same with another image.
    pub(crate) fn with_image(&self, image: &str) -> Result<Self, MissingMeans> {
        let missing = |said: io::Error| MissingMeans::Image {
            image: image.to_owned(),
            said: said.to_string(),
            way_out: "name a file that is one, made with: apptainer build FILE.sif docker://NAME@sha256:…".to_owned(),
        };
        let path = fs::canonicalize(image).map_err(missing)?;
        let id = hash(&path).map_err(missing)?;
        Ok(Self { image: path, id, ..self.clone() })
    }

    /// The image that runs, by content: `sha256:` and 64 digits.
    #[must_use]
    pub fn image_id(&self) -> String {
        format!("sha256:{}", self.id)
    }

    /// The process that becomes the container; `user` is the uid and gid of the command where they are not ours.
    pub(crate) fn process(
        &self,
        command: &Command,
        limits: &Limits,
        room: &Room,
        user: Option<u32>,
    ) -> io::Result<Process> {
        let filter = room.folder.path().join("seccomp.json");
        fs::write(&filter, profile_of_one_error().to_string())?;
        let mut process = Process::new("/bin/sh");
        process.args(["-c", NAMED, "sh"]).arg(&self.program);
        // Programs that mount images are looked for there.
        process.env_clear().envs(std::env::var_os("PATH").map(|path| ("PATH", path)));
        process.args(START).args(&self.options);
        process.args(options(command, limits, user, &filter, room.root(command)?.as_deref()));
        process.arg(&self.image).args(inner_argv(command, limits));
        process.current_dir(room.folder.path()).process_group(0);
        Ok(process)
    }
}

fn hash(path: &Path) -> io::Result<String> {
    let mut reader = BufReader::with_capacity(1 << 20, nbrevive_files::open(path)?);
    let mut hasher = Sha256::new();
    loop {
        let piece = reader.fill_buf()?;
        if piece.is_empty() {
            return Ok(hex(hasher.finalize()));
        }
        hasher.update(piece);
        let length = piece.len();
        reader.consume(length);
    }
}

fn options(command: &Command, limits: &Limits, user: Option<u32>, filter: &Path, root: Option<&Path>) -> Vec<OsString> {
    let mut list: Vec<OsString> = ISOLATION.iter().map(Into::into).collect();
    let mut push = |option: &str, value: &OsStr| list.extend([option.into(), value.to_os_string()]);
    let mut security = OsString::from("seccomp:");
    security.push(filter);
    push("--security", &security);
    if let Some(user) = user {
        push("--security", OsStr::new(&format!("uid:{user}")));
        push("--security", OsStr::new(&format!("gid:{user}")));
    }
    if !limits.gpu_ids.is_empty() {
        list.push("--nv".into());
    }
    let root = root.map(|root| Bind::new(root, ROOT));
    let read_only = root.iter().chain(&command.read_only).map(|bind| (bind, true));
    let mut binds: Vec<(&Bind, bool)> = read_only.chain(command.writable.iter().map(|bind| (bind, false))).collect();
    // From the top down: the later of two covers the earlier.
    binds.sort_by_key(|(bind, _)| bind.inside.components().count());
    for (bind, read_only) in binds {
        list.extend(["--mount".into(), mount(bind, read_only)]);
    }
    list.extend(["--pwd".into(), command.working_directory.as_os_str().to_os_string()]);
    list
}

/// The command with its variables alone: Apptainer would add what it knows of image and binds.
fn inner_argv(command: &Command, limits: &Limits) -> Vec<OsString> {
    // Devices keep the numbers that they have outside.
    let variables = gpu::variables(&limits.gpu_ids, false);
    let variables = command.env.iter().chain(&variables).map(|(name, value)| format!("{name}={value}").into());
    let env = ["/usr/bin/env".into(), "-i".into()].into_iter().chain(variables);
    env.chain(command.argv.iter().cloned()).collect()
}

/// What a container has on the disk besides the folders of its command.
#[derive(Debug)]
pub(crate) struct Room {
    folder: TempDir,
    _undertaker: Undertaker,
}

impl Room {
    /// Makes it, with a `/tmp` that is counted with the other folders of the command: a mount of Apptainer's own has the size that an
    /// administrator chose, 64 MiB by default.
    pub(crate) fn prepare(command: &mut Command) -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix("nbrevive-apptainer-").tempdir()?;
        // It is passed through by who the command is.
        fs::set_permissions(folder.path(), Permissions::from_mode(0o711))?;
        let mut removal = Process::new("/bin/sh");
        removal.args(["-c", REMOVAL]).arg(folder.path());
        let undertaker = Undertaker::new(folder.path(), &removal)?;
        if !is_bound(TEMPORARY, command) {
            let temporary = folder.path().join("tmp");
            fs::create_dir(&temporary)?;
            command.writable.insert(0, Bind::new(temporary, TEMPORARY));
        }
        Ok(Self { folder, _undertaker: undertaker })
    }

    /// A folder for the place of the image's own `/root`, which may be closed, where something is bound below it.
    fn root(&self, command: &Command) -> io::Result<Option<PathBuf>> {
        let root = self.folder.path().join("root");
        Ok((!is_bound(ROOT, command) && make_places(&root, ROOT, command)?).then_some(root))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(gpu_ids: &[u32], root: Option<&Path>) -> String {
        let command = Command {
            argv: vec!["/bin/python".into(), "-m".into(), "it".into()],
            env: vec![("HOME".into(), "/tmp".into())],
            read_only: vec![Bind::same("/opt/x/deep"), Bind::same("/opt/x"), Bind::new("/envs/a,b", "/env")],
            writable: vec![Bind::new("/runs/7", "/kaggle/working")],
            working_directory: "/kaggle/working".into(),
            log: "/dev/null".into(),
        };
        let limits = Limits { gpu_ids: gpu_ids.to_vec(), ..Limits::default() };
        let mut words = options(&command, &limits, Some(20_000), Path::new("/f/seccomp.json"), root);
        words.extend(inner_argv(&command, &limits));
        words.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn nothing_is_shared_but_what_is_bound_and_the_command_comes_last_with_its_own_variables() {
        let text = said(&[], None);
        for words in [
            "--containall --no-mount sys,home,hostfs,bind-paths,cwd,tmp --no-privs",
            "--net --network none",
            "--security seccomp:/f/seccomp.json --security uid:20000 --security gid:20000",
            "--mount type=bind,\"src=/envs/a,b\",dst=/env,readonly",
            "--mount type=bind,src=/runs/7,dst=/kaggle/working --",
            "dst=/opt/x,readonly --mount type=bind,src=/runs/7,dst=/kaggle/working --mount type=bind,src=/opt/x/deep,",
        ] {
            assert!(text.contains(words), "{words} missing in {text}");
        }
        assert!(text.ends_with("--pwd /kaggle/working /usr/bin/env -i HOME=/tmp /bin/python -m it"), "{text}");
        assert!(!text.contains("--nv") && !text.contains("/root"), "{text}");
        assert!(said(&[], Some(Path::new("/f/root"))).contains("type=bind,src=/f/root,dst=/root,readonly"));
    }

    #[test]
    fn a_gpu_keeps_its_number() {
        let text = said(&[3], None);
        assert!(text.contains("--nv") && text.contains("CUDA_VISIBLE_DEVICES=3 /bin/python"), "{text}");
    }
}
