//! An image for tests: links and empty folders around the host's `/usr`, which each test binds. Made once a machine, by a
//! real podman in a store of its own; nothing is fetched. With NBREVIVE_TEST_ENGINE=apptainer it is Apptainer's (`scripts/test-apptainer`).

use std::fs::{self, File, Permissions};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use nbrevive_sandbox::{Engine, OciSettings};

const IMAGE: &str = "localhost/nbrevive-test:2";
const INSTALL: &str = "apt-get update && apt-get install -y --no-install-recommends podman runc catatonit";

/// What the OCI backend is tested with.
pub(crate) fn settings() -> OciSettings {
    // Podman refuses long paths here.
    let store = std::env::temp_dir().join(format!("nbr-oci-{}", rustix::process::geteuid().as_raw()));
    fs::create_dir_all(&store).expect("a folder for podman's store");
    if is_apptainer() {
        return OciSettings {
            image: apptainer_image(&store),
            engine: Some(Engine::Apptainer),
            ..OciSettings::default()
        };
    }
    let settings = OciSettings {
        image: IMAGE.to_owned(),
        engine: Some(Engine::Podman),
        engine_options: engine_options(&store),
        ..OciSettings::default()
    };
    let lock = File::create(store.join("lock")).expect("a lock");
    lock.lock().expect("the lock");
    if !succeeds(podman(&settings).args(["image", "exists", IMAGE])) {
        make(&settings, &store.join("image"));
    }
    settings
}

/// Whether the tests are run with Apptainer.
pub(crate) fn is_apptainer() -> bool {
    std::env::var_os("NBREVIVE_TEST_ENGINE").is_some_and(|engine| engine == "apptainer")
}

fn apptainer_image(store: &Path) -> String {
    let image = store.join("image.sif");
    let lock = File::create(store.join("lock")).expect("a lock");
    lock.lock().expect("the lock");
    if !image.exists() {
        let folder = store.join("unpacked");
        lay_out(&folder);
        // What the program itself takes of an image.
        let copy = "mkdir -p \"$0/usr/lib\" \"$0/usr/lib64\" && cp --parents --dereference /usr/bin/env $(ldd /usr/bin/env | grep -o '/[^ ]*') \"$0\"";
        assert!(succeeds(Command::new("/bin/sh").args(["-c", copy]).arg(&folder)), "no copy of env");
        build(&folder, &image);
    }
    image.to_string_lossy().into_owned()
}

/// Makes an image of Apptainer's of a folder.
pub(crate) fn build(folder: &Path, image: &Path) {
    let partial = image.with_extension("partial");
    assert!(
        succeeds(Command::new("apptainer").args(["build", "--force"]).arg(&partial).arg(folder)),
        "apptainer failed"
    );
    fs::rename(&partial, image).expect("the image");
}

/// Settings that hold on any machine: cgroups of both versions side by side are more than crun or systemd can deal with.
fn engine_options(store: &Path) -> Vec<String> {
    let path = |name: &str| store.join(name).to_string_lossy().into_owned();
    let fixed = ["--runtime", "runc", "--cgroup-manager", "cgroupfs", "--events-backend", "file"];
    let places = ["--root".to_owned(), path("graph"), "--runroot".to_owned(), path("run")];
    places.into_iter().chain(fixed.map(str::to_owned)).collect()
}

/// Podman with the options of the tests.
pub(crate) fn podman(settings: &OciSettings) -> Command {
    let mut podman = Command::new("podman");
    podman.args(&settings.engine_options).stdin(Stdio::null());
    podman
}

/// Names of the containers that there are, running or not.
pub(crate) fn containers(settings: &OciSettings) -> Vec<String> {
    if is_apptainer() {
        return apptainer_containers();
    }
    let output = podman(settings).args(["ps", "--all", "--format", "{{.Names}}"]).output().expect("podman lists");
    String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned).collect()
}

/// Apptainer's have no names: by who started them, as those of engines are called.
fn apptainer_containers() -> Vec<String> {
    let entries = fs::read_dir("/proc").expect("proc is mounted").flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let of = |pid: u32, file: &str| fs::read_to_string(format!("/proc/{pid}/{file}")).unwrap_or_default();
    let named = pids.filter(|&pid| of(pid, "cmdline").starts_with("Apptainer runtime parent")).filter_map(|pid| {
        let status = of(pid, "status");
        let parent = status.lines().find_map(|line| line.strip_prefix("PPid:"))?.trim().to_owned();
        Some(format!("nbrevive-{parent}-{pid}"))
    });
    named.collect()
}

fn make(settings: &OciSettings, folder: &PathBuf) {
    lay_out(folder);
    let archive = folder.with_extension("tar");
    assert!(succeeds(Command::new("tar").arg("-C").arg(folder).arg("-cf").arg(&archive).arg(".")), "tar failed");
    let imported = succeeds(podman(settings).args(["import", "-q"]).arg(&archive).arg(IMAGE));
    assert!(imported, "podman cannot make an image: {INSTALL}");
}

/// The folder of which an image is made.
pub(crate) fn lay_out(folder: &Path) {
    let _ = fs::remove_dir_all(folder);
    for name in ["usr", "etc", "tmp", "proc", "sys", "dev", "run", "kaggle/working"] {
        fs::create_dir_all(folder.join(name)).expect("a folder of the image");
    }
    fs::set_permissions(folder.join("tmp"), Permissions::from_mode(0o1777)).expect("the mode of /tmp");
    for name in ["bin", "sbin", "lib", "lib64"] {
        symlink(format!("usr/{name}"), folder.join(name)).expect("a link of the image");
    }
}

fn succeeds(command: &mut Command) -> bool {
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    status.unwrap_or_else(|error| panic!("{command:?}: {error}; install it with: {INSTALL}")).success()
}
