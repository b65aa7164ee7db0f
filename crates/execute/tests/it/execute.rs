//! Real kernels in real sandboxes: what notebooks do, and what the record says of it.

mod attacks;

use std::fs;
use std::time::Duration;

use crate::kernel::{kernel, kernel_in, notebook, run_by, run_cells, run_notebook, run_with, settings};
use crate::trial::environment;
use nbrevive_execute::{CellStatus, End, NotebookWorld, execute};
use nbrevive_notebook::{Cell, CellKind, Output, PythonVersion};
use nbrevive_sandbox::Backend;

#[test]
fn outputs_counts_times_and_language_are_recorded() {
    let ran = run_cells(&["print('hello')\nx = 6", "x * 7", "", "# only a comment"]);
    assert_eq!(ran.execution.ended, End::Completed);
    assert_eq!(ran.statuses(), ["ok", "ok", "skipped", "ok"]);
    assert_eq!(ran.text(0), "hello\n");
    let second = &ran.execution.notebook.cells[1];
    assert!(matches!(&second.outputs()[0], Output::ExecuteResult { execution_count: Some(2), data, .. }
        if data["text/plain"] == "42"));
    assert!(matches!(second.kind, CellKind::Code { execution_count: Some(2), .. }));
    let times = second.metadata["execution"].as_object().unwrap();
    for key in ["iopub.status.busy", "iopub.execute_input", "shell.execute_reply", "iopub.status.idle"] {
        assert!(times[key].as_str().unwrap().contains('T'), "{times:?}");
    }
    assert_eq!(ran.execution.notebook.metadata["language_info"]["name"], "python");
    assert!(ran.execution.is_error_free());
    assert!(ran.execution.seconds < 5.0 && ran.execution.startup_seconds > 0.0);
    assert!(ran.execution.usage.peak_memory_bytes > 10 << 20);
}

#[test]
fn every_cell_runs_whatever_failed_before() {
    let ran = run_cells(&["a = 1\n\n1/0", "print 'old'", "raise KeyError('x')", "%nosuchmagic", "a + 1"]);
    assert_eq!(ran.execution.ended, End::Completed);
    assert_eq!(ran.statuses(), ["error", "error", "error", "error", "ok"]);
    let names: Vec<(String, Option<u32>)> = ran
        .execution
        .cells
        .iter()
        .filter_map(|cell| cell.error.as_ref().map(|error| (error.ename.clone(), error.line)))
        .collect();
    let expected =
        [("ZeroDivisionError", Some(3)), ("SyntaxError", Some(1)), ("KeyError", Some(1)), ("UsageError", None)];
    assert_eq!(names, expected.map(|(name, line)| (name.to_owned(), line)));
    assert_eq!(ran.execution.first_error().unwrap().index, 0);
    let outputs = ran.execution.notebook.cells[0].outputs();
    assert!(matches!(&outputs[0], Output::Error { ename, traceback, .. }
        if ename == "ZeroDivisionError" && !traceback.is_empty()));
    assert!(ran.text(3).contains("UsageError"));
}

#[test]
fn an_exit_of_the_process_ends_it_with_the_output_so_far() {
    let ran = run_cells(&["print('before', flush=True)\nimport time; time.sleep(0.3)\nimport os; os._exit(3)", "1"]);
    assert_eq!(ran.execution.ended, End::KernelDied { cell: Some(0), exit_code: Some(3), signal: None });
    assert_eq!(ran.statuses(), ["died", "not-run"]);
    assert_eq!(ran.text(0), "before\n");
}

#[test]
fn a_signal_is_named_and_found_at_once() {
    let ran = run_cells(&["1", "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"]);
    assert_eq!(ran.execution.ended, End::KernelDied { cell: Some(1), exit_code: None, signal: Some(9) });
    assert_eq!(ran.statuses(), ["ok", "died"]);
    assert!(ran.execution.seconds < 3.0, "{}", ran.execution.seconds);
}

/// Whether its announcement gets out of a kernel that dies at once is chance: so each is tried some times.
#[test]
fn the_cell_in_which_the_kernel_dies_has_its_number() {
    let deaths = ["import os; os._exit(1)", "import os, signal; os.kill(os.getpid(), signal.SIGKILL)"];
    let locked = "import ctypes, signal\nsignal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])\nctypes.PyDLL(None).sleep(600)";
    let mut impatient = settings();
    impatient.limits.wall_clock = Duration::from_secs(5);
    impatient.interrupt_grace = Duration::from_millis(100);
    let died = deaths.repeat(4).into_iter().map(|end| (end, settings()));
    for (end, settings) in died.chain([(locked, impatient)]) {
        let ran = run_with(&["1", "1 / 0", end, "not run"], &settings);
        let count = |cell: usize| match ran.execution.notebook.cells[cell].kind {
            CellKind::Code { execution_count, .. } => execution_count,
            _ => None,
        };
        assert_eq!([0, 1, 2, 3].map(count), [Some(1), Some(2), Some(3), None], "{end}");
    }
}

#[test]
fn a_kernel_that_is_killed_before_it_could_flush_has_died() {
    let killed = "import atexit, os, signal\natexit.register(os.kill, os.getpid(), signal.SIGKILL)";
    let ran = run_cells(&["1", killed]);
    assert_eq!(ran.execution.ended, End::KernelDied { cell: Some(1), exit_code: None, signal: Some(9) });
    assert_eq!(ran.statuses(), ["ok", "ok"]);
}

#[test]
fn a_memory_hog_is_out_of_memory_with_partial_output() {
    let mut settings = settings();
    settings.limits.memory_bytes = 300 << 20;
    let cell =
        "print('so far', flush=True)\nimport time; time.sleep(0.5)\nx = bytearray(10)\nwhile True: x += bytes(10**7)";
    let ran = run_with(&["1", cell, "2"], &settings);
    assert_eq!(ran.execution.ended, End::OutOfMemory { cell: Some(1) });
    assert_eq!(ran.statuses(), ["ok", "died", "not-run"]);
    assert_eq!(ran.text(1), "so far\n");
}

#[test]
fn an_endless_loop_is_interrupted_and_files_are_flushed() {
    let mut settings = settings();
    settings.limits.wall_clock = Duration::from_secs(3);
    // A busy machine shows the first interrupt for more than half of the usual time, and would be interrupted once more in it.
    settings.interrupt_grace = Duration::from_secs(60);
    let ran =
        run_with(&["f = open('late.txt', 'w'); f.write('kept')", "print('on')\nwhile True: pass", "3"], &settings);
    assert_eq!(ran.execution.ended, End::Timeout { cell: 1 });
    assert_eq!(ran.statuses(), ["ok", "timeout", "not-run"]);
    assert_eq!(ran.execution.cells[1].error.as_ref().unwrap().ename, "KeyboardInterrupt");
    assert_eq!(ran.text(1), "on\n");
    assert!((3.0..5.5).contains(&ran.execution.seconds), "{}", ran.execution.seconds);
    assert_eq!(ran.file("late.txt").as_deref(), Some("kept"));
}

#[test]
fn a_cell_whose_own_time_is_up_is_interrupted_and_the_next_goes_on() {
    let mut settings = settings();
    settings.cell_clock = Some(Duration::from_secs(3));
    let swallows = "try:\n    while True: pass\nexcept KeyboardInterrupt: print('kept to itself')";
    let ran = run_with(&["while True: pass", swallows, "print('next')"], &settings);
    assert_eq!(ran.execution.ended, End::Completed);
    assert_eq!(ran.statuses(), ["error", "error", "ok"]);
    assert!(!ran.execution.is_error_free());
    for cell in &ran.execution.cells[..2] {
        let error = cell.error.as_ref().unwrap();
        assert_eq!((&*error.ename, &*error.evalue), ("KeyboardInterrupt", "the time of the cell was up (3 s)"));
    }
    assert_eq!(ran.text(2), "next\n");
}

#[test]
fn a_loop_that_ignores_the_interrupt_is_killed() {
    let mut settings = settings();
    settings.limits.wall_clock = Duration::from_secs(3);
    settings.interrupt_grace = Duration::from_secs(1);
    let cell = "import signal\nwhile True:\n    try:\n        signal.signal(signal.SIGINT, signal.SIG_IGN)\n        while True: pass\n    except BaseException: pass";
    let ran = run_with(&["print('first')", cell], &settings);
    assert_eq!(ran.execution.ended, End::Timeout { cell: 1 });
    assert_eq!(ran.statuses(), ["ok", "timeout"]);
    assert_eq!(ran.text(0), "first\n");
    assert!(ran.execution.seconds < 7.0);
}

#[test]
fn time_is_shared_by_all_cells() {
    let mut settings = settings();
    settings.limits.wall_clock = Duration::from_secs(4);
    let ran = run_with(&["import time; time.sleep(2)", "time.sleep(3.5)", "1"], &settings);
    assert_eq!(ran.execution.ended, End::Timeout { cell: 1 });
    assert_eq!(ran.statuses(), ["ok", "timeout", "not-run"]);
}

#[test]
fn big_output_is_cut_with_a_note() {
    let ran = run_cells(&["for i in range(5000): print('x' * 1000)", "print('next')"]);
    assert_eq!(ran.execution.ended, End::Completed);
    assert!(ran.execution.cells[0].truncated && !ran.execution.cells[1].truncated);
    let text = ran.text(0);
    assert!((1_000_000..1_100_000).contains(&text.len()), "{}", text.len());
    assert!(text.contains("[nbrevive] output cut here"));
    assert_eq!(ran.text(1), "next\n");
}

#[test]
fn a_burst_of_messages_loses_nothing() {
    let environment = (7..=13).rev().find_map(|minor| environment(PythonVersion::new(3, minor), &[]));
    let environment = environment.expect("some Python 3 is installed");
    let cells = ["from IPython.display import display\nfor i in range(1500): display(i)", "print('next')"];
    let ran = run_by(&kernel_in(&environment), &notebook(&cells), &settings());
    assert_eq!(ran.execution.ended, End::Completed);
    let outputs = ran.execution.notebook.cells[0].outputs();
    assert_eq!(outputs.len(), 1500);
    assert!(matches!(&outputs[1499], Output::DisplayData { data, .. } if data["text/plain"] == "1499"));
    assert!(ran.execution.seconds < 15.0, "{}", ran.execution.seconds);
}

#[test]
fn an_unflushed_file_is_on_the_disk_afterwards() {
    let ran = run_cells(&["f = open('submission.csv', 'w')\nf.write('id,target\\n1,0\\n')\nNone"]);
    assert_eq!(ran.file("submission.csv").as_deref(), Some("id,target\n1,0\n"));
}

#[test]
fn output_of_a_background_thread_is_kept() {
    let cell = "import threading, time\ndef later():\n    time.sleep(0.5); print('from the thread', flush=True)\n\
                threading.Thread(target=later).start()";
    let ran = run_cells(&[cell, "time.sleep(1.2)"]);
    assert_eq!(ran.text(0) + &ran.text(1), "from the thread\n");
}

#[test]
fn questions_are_refused_and_sys_exit_is_an_error() {
    let ran = run_cells(&["input('name?')", "import sys; sys.exit(3)", "print('still here')"]);
    assert_eq!(ran.statuses(), ["error", "error", "ok"]);
    assert_eq!(ran.execution.cells[0].error.as_ref().unwrap().ename, "StdinNotImplementedError");
    assert_eq!(ran.execution.cells[1].error.as_ref().unwrap().ename, "SystemExit");
    assert_eq!(ran.text(2), "still here\n");
}

#[test]
fn an_error_that_is_shown_counts_although_the_reply_says_that_all_is_well() {
    let ran = run_cells(&[
        "%time 1 / 0",
        "get_ipython().showtraceback(); 1",
        "%time 2",
        "def f(): raise KeyError('k')\n\n%time f()",
    ]);
    let enames = ran.execution.cells.iter().map(|cell| cell.error.as_ref().map(|error| error.ename.as_str()));
    assert_eq!(
        enames.collect::<Vec<_>>(),
        [Some("ZeroDivisionError"), Some("ZeroDivisionError"), None, Some("KeyError")]
    );
    assert_eq!(ran.execution.ended, End::Completed);
}

#[test]
fn exit_stops_in_order() {
    let ran = run_cells(&["f = open('a.txt', 'w'); f.write('x'); exit()", "1"]);
    assert_eq!(ran.execution.ended, End::ExitRequested { cell: 0 });
    assert_eq!(ran.statuses(), ["ok", "not-run"]);
    assert_eq!(ran.file("a.txt").as_deref(), Some("x"));
}

#[test]
fn displays_are_updated_across_cells_and_progress_bars_stay_one_line() {
    let ran = run_cells(&[
        "from IPython.display import display, clear_output\nh = display('old', display_id='a')",
        "h.update('new')\nimport sys\nfor i in range(300): print('\\r%d%%' % i, end='')",
        "print('gone'); clear_output(wait=True); print('kept')",
    ]);
    let Output::DisplayData { data, .. } = &ran.execution.notebook.cells[0].outputs()[0] else { panic!("a display") };
    assert_eq!(data["text/plain"], "'new'");
    assert_eq!(ran.text(1), "299%");
    assert_eq!(ran.text(2), "kept\n");
}

#[test]
fn tags_are_honoured_and_old_outputs_go() {
    let mut document = notebook(&["print('skipped')", "raise ValueError('expected')", "print('fresh')"]);
    document.cells.insert(0, Cell::markdown("# Title"));
    document.cells[1].metadata.insert("tags".into(), serde_json::json!(["skip-execution"]));
    document.cells[2].metadata.insert("tags".into(), serde_json::json!(["raises-exception"]));
    let old = vec![Output::Stream { name: "stdout".into(), text: "stale".into() }];
    document.cells[3].kind = CellKind::Code { execution_count: Some(99), outputs: old };
    let ran = run_notebook(&document, &settings());
    assert_eq!(ran.statuses(), ["skipped", "error", "ok"]);
    assert_eq!(ran.execution.cells[0].index, 1);
    assert_eq!(ran.text(3), "fresh\n");
}

#[test]
fn the_world_is_as_on_kaggle() {
    let data = tempfile::tempdir().unwrap();
    fs::write(data.path().join("train.csv"), "a\n1\n").unwrap();
    let working = tempfile::tempdir().unwrap();
    let input = vec![
        (data.path().to_path_buf(), "/kaggle/input/titanic".into()),
        (data.path().join("train.csv"), "/kaggle/input/train.csv".into()),
    ];
    let world = NotebookWorld { input, working: working.path().to_path_buf(), starts_in: std::path::PathBuf::new() };
    let cells = [
        "import os; print(os.getcwd(), sorted(os.listdir('../input')))",
        "print(open('../input/titanic/train.csv').read() == open('../input/train.csv').read())",
        "open('../input/x', 'w')",
        "import urllib.request; urllib.request.urlopen('http://example.org', timeout=5)",
        "print({k: os.environ[k] for k in ('OMP_NUM_THREADS', 'PYTHONHASHSEED')})",
    ];
    let execution = execute(&notebook(&cells), &kernel(), &world, &settings()).unwrap();
    let text = |cell: usize| match &execution.notebook.cells[cell].outputs()[0] {
        Output::Stream { text, .. } => text.clone(),
        other => format!("{other:?}"),
    };
    assert_eq!(text(0), "/kaggle/working ['titanic', 'train.csv']\n");
    assert_eq!(text(1), "True\n");
    assert_eq!(execution.cells[2].error.as_ref().unwrap().ename, "OSError");
    assert_eq!(execution.cells[3].error.as_ref().unwrap().ename, "URLError");
    assert_eq!(text(4), "{'OMP_NUM_THREADS': '1', 'PYTHONHASHSEED': '0'}\n");
}

#[test]
fn a_full_disk_is_told() {
    let mut settings = settings();
    settings.limits.disk_bytes = 20 << 20;
    let cell = "import time\nf = open('big', 'wb')\nwhile True: f.write(bytes(10**6)); time.sleep(0.02)";
    let ran = run_with(&["1", cell], &settings);
    assert_eq!(ran.execution.ended, End::DiskFull { cell: Some(1) });
    assert_eq!(ran.statuses(), ["ok", "died"]);
}

#[test]
fn a_kernel_that_cannot_start_says_why() {
    let mut broken = kernel();
    broken.argv = vec![broken.argv[0].clone(), "-c".into(), "raise SystemExit('no kernel here')".into()];
    let working = tempfile::tempdir().unwrap();
    let world = NotebookWorld {
        input: Vec::new(),
        working: working.path().to_path_buf(),
        starts_in: std::path::PathBuf::new(),
    };
    let execution = execute(&notebook(&["1", ""]), &broken, &world, &settings()).unwrap();
    let End::StartupFailed { message } = &execution.ended else { panic!("{:?}", execution.ended) };
    assert_eq!(message, "the kernel exited with code 1 before it answered\nno kernel here");
    let statuses: Vec<CellStatus> = execution.cells.iter().map(|cell| cell.status).collect();
    assert_eq!(statuses, [CellStatus::NotRun, CellStatus::Skipped]);
}

#[test]
fn replaced_sockets_and_a_destroyed_connection_file_change_nothing() {
    let cell = "import os\nfor n in os.listdir('/run/k'): os.remove('/run/k/' + n)\n\
                os.symlink('/nowhere', '/run/k/k-1')\nprint('done')";
    let ran = run_cells(&[cell, "print('still connected')"]);
    assert_eq!(ran.statuses(), ["ok", "ok"]);
    assert_eq!(ran.text(1), "still connected\n");
}

#[test]
fn a_notebook_runs_in_a_container() {
    // The tests of containers are for root's Podman: an ordinary user's needs a set-up of its own.
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let mut settings = settings();
    settings.backend = Backend::contained(&crate::image::settings()).expect("podman and the image");
    settings.limits.wall_clock = Duration::from_secs(15);
    let mut kernel = kernel();
    // The image has nothing of its own.
    if !kernel.read_only.contains(&"/usr".into()) {
        kernel.read_only.push("/usr".into());
    }
    let working = tempfile::tempdir().expect("a working folder");
    let world = NotebookWorld {
        input: Vec::new(),
        working: working.path().to_path_buf(),
        starts_in: std::path::PathBuf::new(),
    };
    let cells = [
        "print('hello')",
        "import os; print(os.path.exists('/run/.containerenv'), os.getuid() > 0); open('here.txt', 'w').write('x')",
        "1 / 0",
        "import time; print('so far', flush=True); time.sleep(600)",
    ];
    let execution = execute(&notebook(&cells), &kernel, &world, &settings).expect("the execution starts");
    let ran = crate::kernel::Ran { execution, working };
    assert_eq!(ran.execution.ended, End::Timeout { cell: 3 }, "{}", ran.execution.kernel_log_tail);
    assert_eq!(ran.statuses(), ["ok", "ok", "error", "timeout"]);
    assert_eq!((ran.text(0), ran.text(1), ran.text(3)), ("hello\n".into(), "True True\n".into(), "so far\n".into()));
    assert_eq!(ran.file("here.txt").as_deref(), Some("x"));
    assert!(ran.execution.usage.peak_memory_bytes > 10 << 20, "{:?}", ran.execution.usage);
    let own = format!("nbrevive-{}-", std::process::id());
    assert!(
        !crate::image::containers(&crate::image::settings()).iter().any(|name| name.starts_with(&own)),
        "a container is left"
    );
}

#[test]
fn trusted_notebooks_can_do_without_a_sandbox() {
    let mut settings = settings();
    settings.backend = Backend::None;
    let ran = run_with(&["open('here.txt', 'w').write('x'); print('plain')", "import os; os._exit(2)"], &settings);
    assert_eq!(ran.statuses(), ["ok", "died"]);
    assert_eq!(ran.text(0), "plain\n");
    assert_eq!(ran.file("here.txt").as_deref(), Some("x"));
}
