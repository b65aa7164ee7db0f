//! Runs on a real GPU, and what hostile ones do with it. Without one they are left out of `make test`: `make gpu-test` runs them.

use std::path::Path;
use std::time::Duration;

use nbrevive_sandbox::{Backend, Bind, Command, Ended, Limits, SandboxUsage, available_gpus, start};

const PATIENCE: Duration = Duration::from_secs(120);
/// The driver's interface, called from Python by its names.
const CUDA: &str = r#"
import ctypes, os, sys, time
cuda = ctypes.CDLL("libcuda.so.1")
def call(name, *arguments):
    code = getattr(cuda, name)(*arguments)
    if code: sys.exit(f"{name}: {code}")
def count():
    number = ctypes.c_int()
    call("cuInit", 0); call("cuDeviceGetCount", ctypes.byref(number))
    return number.value
def open_first():
    count()
    device, context = ctypes.c_int(), ctypes.c_void_p()
    call("cuDeviceGet", ctypes.byref(device), 0)
    call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device); call("cuCtxSetCurrent", context)
def allocate(size):
    place = ctypes.c_uint64()
    call("cuMemAlloc_v2", ctypes.byref(place), ctypes.c_size_t(size))
    return place
def free_bytes():
    free, total = ctypes.c_size_t(), ctypes.c_size_t()
    call("cuMemGetInfo_v2", ctypes.byref(free), ctypes.byref(total))
    return free.value
"#;

/// A command whose working folder lies in `folder`.
fn command(folder: &Path, argv: &[&str]) -> Command {
    let working = folder.join("working");
    std::fs::create_dir(&working).expect("a working folder");
    Command {
        argv: argv.iter().map(Into::into).collect(),
        env: vec![("PATH".into(), "/usr/bin:/bin".into())],
        read_only: Vec::new(),
        writable: vec![Bind::new(&working, "/kaggle/working")],
        working_directory: "/kaggle/working".into(),
        log: folder.join("log"),
    }
}

/// How a script of Python ends that has the first GPU, or none; what it said, and what it took.
fn run(script: &str, gpu_ids: Vec<u32>, change: impl FnOnce(&mut Limits)) -> (Ended, String, SandboxUsage) {
    let folder = tempfile::tempdir().expect("a folder");
    let command = command(folder.path(), &["/usr/bin/python3", "-c", &format!("{CUDA}{script}")]);
    let limits = Limits { wall_clock: PATIENCE, disk_reserve_bytes: 0, gpu_ids, ..Limits::default() };
    let (mut limits, _) = limits.fitted_to_machine();
    change(&mut limits);
    let running = start(&command, &limits, &Backend::Bubblewrap).expect("the sandbox starts");
    let ended = running.wait(PATIENCE).expect("it ends");
    (ended, std::fs::read_to_string(&command.log).unwrap_or_default(), running.usage())
}

fn with_gpu(script: &str) -> (Ended, String, SandboxUsage) {
    run(script, vec![first()], |_| ())
}

fn first() -> u32 {
    *available_gpus().first().expect("these tests need a GPU of NVIDIA's")
}

#[test]
fn without_being_asked_for_no_gpu_is_in_sight() {
    let folder = tempfile::tempdir().unwrap();
    let command = command(folder.path(), &["/bin/ls", "/dev"]);
    let running =
        start(&command, &Limits { disk_reserve_bytes: 0, ..Limits::default() }, &Backend::Bubblewrap).unwrap();
    assert_eq!(running.wait(PATIENCE), Some(Ended::Exited(0)));
    let said = std::fs::read_to_string(&command.log).unwrap();
    assert!(said.contains("null") && !said.contains("nvidia"), "{said}");
    assert_eq!(running.usage().gpu, None);
}

#[test]
#[ignore = "needs a GPU of NVIDIA's: make gpu-test"]
fn one_gpu_computes_and_what_it_took_is_told() {
    let script = "open_first(); place = allocate(1 << 30)\nprint(count(), os.environ['CUDA_VISIBLE_DEVICES'])\nuntil = time.time() + 4\n\
                  while time.time() < until: call('cuMemsetD8_v2', place, ctypes.c_ubyte(7), ctypes.c_size_t(1 << 30)); call('cuCtxSynchronize')\n\
                  back = (ctypes.c_ubyte * 4)(); call('cuMemcpyDtoH_v2', back, place, ctypes.c_size_t(4)); print(list(back))";
    for without_groups in [false, true] {
        let (ended, said, usage) = run(script, vec![first()], |limits| limits.without_groups = without_groups);
        assert_eq!((ended, said.as_str()), (Ended::Exited(0), "1 0\n[7, 7, 7, 7]\n"));
        let gpu = usage.gpu.expect("the driver's library is there");
        assert!(gpu.peak_memory_bytes >= 1 << 30 && gpu.peak_memory_bytes < 4 << 30, "{gpu:?}");
        assert!(gpu.busy_seconds > 0.5 && gpu.busy_seconds < 8.0, "{gpu:?}");
    }
}

#[test]
#[ignore = "needs a GPU of NVIDIA's: make gpu-test"]
fn no_other_device_can_be_made_or_opened_and_no_setting_be_changed() {
    let script = r#"
print(sorted(name for name in os.listdir('/dev') if name.startswith('nvidia')))
for name in ['/dev/nvidia1', '/tmp/nvidia1']:
    try: os.mknod(name, 0o020666, os.makedev(195, 1)); print('made', name)
    except OSError as error: pass
for name in ['/proc/driver/nvidia/registry', '/proc/driver/nvidia/suspend', '/dev/nvidia-modeset', '/dev/nvidia1']:
    try: open(name, 'r+'); print('opened', name)
    except OSError: pass
nvml = ctypes.CDLL('libnvidia-ml.so.1'); nvml.nvmlInit_v2()
device = ctypes.c_void_p(); nvml.nvmlDeviceGetHandleByIndex_v2(0, ctypes.byref(device))
print(nvml.nvmlDeviceSetPersistenceMode(device, 0), nvml.nvmlDeviceSetComputeMode(device, 2), nvml.nvmlDeviceSetPowerManagementLimit(device, 500000))
"#;
    let (ended, said, _) = with_gpu(script);
    let node = format!("['nvidia-uvm', 'nvidia{}', 'nvidiactl']", first());
    // NVML_ERROR_NO_PERMISSION is 4.
    assert_eq!((ended, said), (Ended::Exited(0), format!("{node}\n4 4 4\n")));
}

#[test]
#[ignore = "needs a GPU of NVIDIA's: make gpu-test"]
fn what_one_run_left_in_the_memory_of_a_gpu_no_other_reads() {
    let fill = "open_first(); size = free_bytes() // 2; place = allocate(size); call('cuMemsetD32_v2', place, ctypes.c_uint(0xC0FFEE11), \
                ctypes.c_size_t(size // 4)); call('cuCtxSynchronize'); os._exit(0)";
    assert_eq!(with_gpu(fill).0, Ended::Exited(0));
    let search = r#"
open_first(); size = free_bytes() * 9 // 10; place = allocate(size); piece = 256 << 20; buffer = ctypes.create_string_buffer(piece); found = 0
for start in range(0, size - piece, piece * 8):
    call('cuMemcpyDtoH_v2', buffer, ctypes.c_uint64(place.value + start), ctypes.c_size_t(piece))
    found += buffer.raw.count(b'\x11\xee\xff\xc0')
print('found', found)
"#;
    let (ended, said, _) = with_gpu(search);
    assert_eq!((ended, said.as_str()), (Ended::Exited(0), "found 0\n"));
}

#[test]
#[ignore = "needs a GPU of NVIDIA's: make gpu-test"]
fn memory_of_the_machine_that_the_driver_pins_or_manages_counts() {
    let pin = "open_first(); place = ctypes.c_void_p()\nfor _ in range(64): call('cuMemHostAlloc', ctypes.byref(place), ctypes.c_size_t(64 << 20), 0); \
               time.sleep(0.1)\ntime.sleep(60)";
    let manage = "open_first(); place = ctypes.c_uint64(); call('cuMemAllocManaged', ctypes.byref(place), ctypes.c_size_t(4 << 30), 1)\n\
                  for piece in range(64): ctypes.memset(place.value + (piece << 26), 1, 64 << 20); time.sleep(0.1)\ntime.sleep(60)";
    for script in [pin, manage] {
        for without_groups in [false, true] {
            let (ended, said, usage) = run(script, vec![first()], |limits| {
                limits.without_groups = without_groups;
                limits.memory_bytes = 1 << 30;
            });
            assert_eq!(ended, Ended::Memory, "without groups: {without_groups}: {script}: {said} {usage:?}");
        }
    }
}

#[test]
#[ignore = "needs a GPU of NVIDIA's: make gpu-test"]
fn a_run_that_is_stopped_leaves_nothing_on_its_gpu() {
    let hold = "open_first(); print('before', free_bytes() >> 28, flush=True); place = allocate(free_bytes() * 9 // 10)\n\
                if not os.fork(): time.sleep(600)\nwhile True: call('cuMemsetD8_v2', place, ctypes.c_ubyte(1), ctypes.c_size_t(1 << 30))";
    let (ended, said, _) = run(hold, vec![first()], |limits| limits.wall_clock = Duration::from_secs(8));
    assert_eq!(ended, Ended::WallClock, "{said}");
    let (_, after, _) = with_gpu("open_first(); print('before', free_bytes() >> 28)");
    assert_eq!(said, after, "quarters of a gigabyte that are free");
}

#[test]
fn a_gpu_that_is_not_there_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let limits = Limits { gpu_ids: vec![77], ..Limits::default() };
    let error = start(&command(folder.path(), &["/bin/true"]), &limits, &Backend::Bubblewrap).unwrap_err().to_string();
    assert!(error.contains("no GPU 77"), "{error}");
}
