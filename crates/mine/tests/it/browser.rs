//! The pages in a real Chromium, headless, beside a fake Kaggle: good days, bad days, crashes and kills.

mod killed;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{Read, Write};
use std::net::TcpListener;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use nbrevive_fakekaggle::{
    Accelerator, FakeKaggle, FakeKernel, FakeKernelKind, FakeLanguage, FakeOutcome, FakeServerSettings as Fake,
    FakeVersion, FakeWorld, Fault, FaultRule, Outputs, RetryAfter, Visibility, WorldSpec, source,
};
use nbrevive_mine::browser::{Browser, BrowserError, BrowserEvent, BrowserSettings, BrowserSummary, Session, Waits};
use nbrevive_mine::budget::{Budget, Clock, Manners, Patience};
use nbrevive_mine::raw::{Belief, ContentHash, RawStore};
use nbrevive_mine::records::{
    CodeLanguage, DataKind, MinedDataSource, MinedRecord, NotebookName, RunStatus, VersionRecord,
};

fn server() -> FakeKaggle {
    let world = WorldSpec { seed: 7, kernels: 60, competitions: 3, users: 20 };
    FakeKaggle::start(Fake { world, ..Fake::default() }).expect("a loopback port is free")
}

fn settings(url: &str, folder: &Path) -> BrowserSettings {
    let milliseconds = Duration::from_millis;
    BrowserSettings {
        site: url.to_owned(),
        other_hosts: Vec::new(),
        patience: Patience { attempts: 3, delay: milliseconds(2), ceiling: milliseconds(20), ..Patience::default() },
        belief: Belief { apart: Duration::ZERO, ..Belief::default() },
        waits: Waits {
            page: milliseconds(3000),
            quiet: milliseconds(300),
            silence: milliseconds(700),
            file: milliseconds(4000),
            ..Waits::default()
        },
        largest_answer: 2 << 20,
        trouble_folder: folder.join("trouble"),
        ..BrowserSettings::default()
    }
}

fn store(folder: &Path) -> Arc<RawStore> {
    Arc::new(RawStore::open(&folder.join("raw")).expect("the folder can be made"))
}

fn open_with(settings: BrowserSettings, folder: &Path, session: Session) -> Browser {
    let manners = Manners { rate: 300.0, burst: 50, ..Manners::default() };
    let budget = Budget::open(&folder.join("budget"), manners, Clock::System).expect("the folder can be made");
    Browser::online(store(folder), settings, session, budget).expect("Chromium and ChromeDriver are installed")
}

fn open(url: &str, folder: &Path) -> Browser {
    open_with(settings(url, folder), folder, Session::default())
}

/// What a run brought.
#[derive(Default)]
struct Haul {
    versions: BTreeMap<String, VersionRecord>,
    notebooks: BTreeMap<String, MinedRecord>,
    troubles: Vec<(String, BrowserError)>,
    summary: BrowserSummary,
}

impl Haul {
    /// Everything that was told, where a visit's bytes are chance: not which bytes they were.
    fn facts(&self) -> BTreeSet<String> {
        let versions = self.versions.values().map(|record| {
            let mut record = record.clone();
            record.origin.raw = ContentHash::of(b"");
            format!("{record:?}")
        });
        versions.chain(self.notebooks.keys().cloned()).collect()
    }
}

fn mine_with(
    browser: &mut Browser,
    names: &[NotebookName],
    mut on: impl FnMut(&MinedRecord),
) -> Result<Haul, BrowserError> {
    let mut haul = Haul::default();
    haul.summary = browser.mine(names, &mut |event| {
        match event {
            BrowserEvent::Record(record) => {
                on(&record);
                match record {
                    MinedRecord::Version(version) => {
                        let twice = haul.versions.insert(version.natural_key(), *version);
                        assert!(twice.is_none(), "{twice:?} came twice");
                    }
                    MinedRecord::Notebook(ref notebook) => {
                        haul.notebooks.insert(notebook.key.to_string(), record);
                    }
                    other => panic!("{other:?}"),
                }
            }
            BrowserEvent::Trouble(trouble) => haul.troubles.push((trouble.item, trouble.error)),
            BrowserEvent::Progress(_) => {}
        }
        ControlFlow::Continue(())
    })?;
    Ok(haul)
}

fn mine(browser: &mut Browser, names: &[NotebookName]) -> Result<Haul, BrowserError> {
    mine_with(browser, names, |_| {})
}

fn name(world: &FakeWorld, kernel: &FakeKernel) -> NotebookName {
    NotebookName::new(&kernel.reference(world)).expect("a name")
}

fn public(world: &FakeWorld, test: impl Fn(&FakeKernel) -> bool) -> Vec<FakeKernel> {
    world.kernels().filter(|kernel| kernel.visibility == Visibility::Public && test(kernel)).collect()
}

/// A few notebooks with few versions, of every sort.
fn chosen(world: &FakeWorld) -> Vec<FakeKernel> {
    let few = |kernel: &FakeKernel| kernel.versions.len() <= 4;
    let sorts: [fn(&FakeKernel) -> bool; 5] = [
        |kernel| kernel.parent.is_some() && kernel.versions.len() > 1,
        |kernel| kernel.title.contains("<script>"),
        |kernel| kernel.kind == FakeKernelKind::Script,
        |kernel| kernel.versions.iter().any(|one| one.outcome != FakeOutcome::Complete),
        |kernel| kernel.versions.iter().any(|one| !one.sources.datasets.is_empty() && one.score.is_some()),
    ];
    let found = sorts.iter().filter_map(|sort| public(world, |kernel| few(kernel) && sort(kernel)).into_iter().next());
    let mut found: Vec<FakeKernel> = found.collect();
    assert!(found.len() >= 4, "the world has {} of the sorts", found.len());
    found.dedup_by_key(|kernel| kernel.index);
    found
}

/// One small notebook, for what is repeated often.
fn one(world: &FakeWorld) -> FakeKernel {
    let small = |kernel: &FakeKernel| {
        kernel.versions.len() == 2
            && kernel.kind == FakeKernelKind::Notebook
            && kernel.versions.iter().any(|one| one.score.is_some())
    };
    public(world, small).into_iter().next().expect("there is one")
}

fn names_of(world: &FakeWorld, version: &FakeVersion) -> Vec<MinedDataSource> {
    let sources = &version.sources;
    let source = |kind, name: String| MinedDataSource { kind, name };
    let competitions = sources
        .competitions
        .iter()
        .map(|one| source(DataKind::Competition, world.competitions()[*one as usize].slug.clone()));
    let datasets = sources.datasets.iter().map(|one| source(DataKind::Dataset, world.dataset(*one).reference(world)));
    let kernels = sources.kernels.iter().map(|one| source(DataKind::Notebook, world.kernel(one.0).reference(world)));
    let models = sources.models.iter().map(|one| source(DataKind::Model, (*one).to_owned()));
    let mut all: Vec<MinedDataSource> = competitions.chain(datasets).chain(kernels).chain(models).collect();
    all.sort();
    all.dedup();
    all
}

/// That a record says of a version what is true.
fn assert_true(world: &FakeWorld, kernel: &FakeKernel, version: &FakeVersion, record: &VersionRecord) {
    let competition = &world.competitions()[kernel.competition as usize];
    let shown = |score: f64| competition.scale.display(score).parse::<f64>().expect("a score");
    let private = version.score.filter(|_| competition.is_over(FakeWorld::now()));
    let status = match version.outcome {
        FakeOutcome::Complete => RunStatus::Complete,
        FakeOutcome::Error => RunStatus::Error,
        FakeOutcome::Cancelled => RunStatus::Cancelled,
        FakeOutcome::Running => RunStatus::Running,
    };
    let language = match kernel.language {
        FakeLanguage::Python => CodeLanguage::Python,
        FakeLanguage::R => CodeLanguage::R,
        FakeLanguage::RMarkdown => CodeLanguage::RMarkdown,
        FakeLanguage::Julia => CodeLanguage::Julia,
        FakeLanguage::Sqlite => CodeLanguage::Sqlite,
    };
    let text = source(world, kernel, version, Outputs::Kept);
    let parent = kernel.parent.map(|parent| world.kernel(parent.kernel).reference(world));
    assert_eq!(record.id, Some(version.run_id));
    assert_eq!((record.number, record.status), (Some(version.number), Some(status)));
    assert_eq!(record.title.as_deref(), Some(kernel.title.as_str()));
    let created: jiff::Timestamp = version.created.iso().parse().expect("a time");
    assert_eq!(record.created.map(jiff::Timestamp::as_second), Some(created.as_second()));
    assert_eq!(record.evaluated.is_some(), version.evaluated.is_some());
    assert_eq!(record.run_seconds, version.run_seconds);
    assert_eq!(record.public_score, version.score.map(|score| shown(score.public)));
    assert_eq!(record.private_score, private.map(|score| shown(score.private)));
    assert_eq!(record.data_sources, Some(names_of(world, version)));
    assert_eq!(record.language, Some(language));
    assert_eq!(record.gpu, Some(matches!(version.accelerator, Accelerator::P100 | Accelerator::T4x2)));
    assert_eq!(record.copied_from.as_ref().map(ToString::to_string), parent);
    assert_eq!(record.code, Some(ContentHash::of(text.as_bytes())));
}

#[test]
fn a_good_day_brings_the_truth_and_replay_needs_no_browser() {
    let (server, folder) = (server(), tempfile::tempdir().unwrap());
    let world = server.world();
    let kernels = chosen(world);
    let names: Vec<_> = kernels.iter().map(|kernel| name(world, kernel)).collect();
    let haul = mine(&mut open(&server.url(), folder.path()), &names).unwrap();
    assert!(haul.summary.complete && haul.troubles.is_empty(), "{:?}", haul.troubles);
    assert_eq!(haul.summary.by_marks, 0);
    for kernel in &kernels {
        for version in &kernel.versions {
            let record = &haul.versions[&format!("{}#{}", kernel.reference(world), version.number)];
            assert_true(world, kernel, version, record);
        }
    }
    let versions: usize = kernels.iter().map(|kernel| kernel.versions.len()).sum();
    assert_eq!((haul.versions.len(), haul.notebooks.len()), (versions, kernels.len()));
    let asked = server.log().len();
    let again = mine(&mut open(&server.url(), folder.path()), &names).unwrap();
    assert_eq!((server.log().len(), again.facts()), (asked, haul.facts()), "a second run asks for nothing");
    let url = server.url();
    drop(server);
    let mut offline = Browser::offline(store(folder.path()), settings(&url, folder.path())).unwrap();
    let replayed = mine(&mut offline, &names).unwrap();
    assert_eq!(replayed.versions, haul.versions);
    let unknown = mine(&mut offline, &[NotebookName::new("nobody/nothing").unwrap()]).unwrap();
    assert!(matches!(unknown.troubles[0].1, BrowserError::NotKept { .. }));
}

/// Faults and where they strike: the first requests there, so that some items fail and others do not.
fn faults() -> Vec<(&'static str, u64, Fault)> {
    let (page, service, file) = ("/code/", "/api/i/", "/kernels/scriptcontent/");
    vec![
        (page, 1, Fault::Forbidden { message: None }),
        (page, 1, Fault::NotFound),
        (page, 1, Fault::TooManyRequests { retry_after: RetryAfter::Seconds(1) }),
        (service, 1, Fault::TooManyRequests { retry_after: RetryAfter::None }),
        (service, 2, Fault::ServerError { status: 503 }),
        (file, 2, Fault::NotFound),
        (page, 1, Fault::ResetInHeaders),
        (file, 1, Fault::ResetInBody),
        (page, 1, Fault::Stall),
        (file, 1, Fault::StallInBody),
        (service, 1, Fault::TruncatedJson),
        (service, 1, Fault::WrongTypes),
        (file, 2, Fault::HtmlInsteadOfJson),
        (file, 1, Fault::StatusInBody { status: 403 }),
        (page, 9, Fault::LoginWall),
        (file, 1, Fault::CutShort),
        ("", 99, Fault::ChangedLayout),
        (page, 99, Fault::EmbeddedState),
        (page, 99, Fault::Overlay),
        (service, 99, Fault::EndlessPages),
        (file, 1, Fault::HugeNotebook { bytes: 200_000_000, is_chunked: true }),
        (file, 1, Fault::HugeNotebook { bytes: 200_000_000, is_chunked: false }),
    ]
}

/// A run on a bad day and one on a good day: the end is that of good days alone.
fn disturbed(server: &FakeKaggle, browser: &mut Browser, kernel: &FakeKernel, path: &str, count: u64, fault: &Fault) {
    let names = [name(server.world(), kernel)];
    server.add_rule(FaultRule::times(path, count, fault.clone()));
    let first = mine(browser, &names);
    server.clear_rules();
    if let Ok(first) = first {
        let had_all = first.versions.len() == kernel.versions.len();
        assert_eq!(first.summary.complete, had_all, "{path} {fault:?}: {:?}", first.troubles);
    }
    let found = mine(browser, &names).unwrap_or_else(|error| panic!("{path} {fault:?}: {error}"));
    assert!(found.summary.complete, "{path} {fault:?}: {:?}", found.troubles);
    assert_eq!((found.versions.len(), found.notebooks.len()), (kernel.versions.len(), 1), "{path} {fault:?}");
    for version in &kernel.versions {
        let record = &found.versions[&format!("{}#{}", names[0], version.number)];
        assert_true(server.world(), kernel, version, record);
    }
}

#[test]
fn with_each_fault_in_turn_the_end_is_the_truth() {
    let left = Mutex::new(faults().into_iter().enumerate().collect::<Vec<_>>());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let world = WorldSpec { seed: 7, kernels: 400, competitions: 3, users: 60 };
                let server = FakeKaggle::start(Fake { world, ..Fake::default() }).unwrap();
                let small = |kernel: &FakeKernel| kernel.versions.len() == 2 && kernel.kind == FakeKernelKind::Notebook;
                let kernels = public(server.world(), small);
                let folder = tempfile::tempdir().unwrap();
                let mut browser = open(&server.url(), folder.path());
                while let Some((place, (path, count, fault))) = { left.lock().expect("no test panics with it").pop() } {
                    disturbed(&server, &mut browser, &kernels[place], path, count, &fault);
                }
            });
        }
    });
}

#[test]
fn a_changed_page_is_saved_with_its_picture_and_names_the_selector() {
    let (server, folder) = (server(), tempfile::tempdir().unwrap());
    let known = server.credentials().clone();
    let kernel = one(server.world());
    server.add_rule(FaultRule::always("", Fault::ChangedLayout));
    let cookies = folder.path().join("cookies.txt");
    std::fs::write(&cookies, format!("127.0.0.1\tFALSE\t/\tFALSE\t0\tka_sessionid\t{}\n", known.session)).unwrap();
    let session = Session::load(&cookies).unwrap();
    let mut browser = open_with(settings(&server.url(), folder.path()), folder.path(), session);
    let haul = mine(&mut browser, &[name(server.world(), &kernel)]).unwrap();
    assert!(!haul.summary.complete);
    let (_, error) = &haul.troubles[0];
    let BrowserError::Layout { selector, saved, .. } = error else { panic!("{error}") };
    assert_eq!(selector, "mark.ready");
    let page = std::fs::read_to_string(saved.join("page.html")).unwrap();
    assert!(page.contains("Execution time") && error.to_string().contains(&saved.display().to_string()));
    assert!(std::fs::read(saved.join("page.png")).unwrap().starts_with(b"\x89PNG"));
    server.clear_rules();
    server.add_rule(FaultRule::always("/code/", Fault::LoginWall));
    let haul = mine(&mut browser, &[name(server.world(), &kernel)]).unwrap();
    assert!(haul.summary.complete, "whoever signed in is let in: {:?}", haul.troubles);
    let other = tempfile::tempdir().unwrap();
    let mut stranger = open(&server.url(), other.path());
    let haul = mine(&mut stranger, &[name(server.world(), &kernel)]).unwrap();
    let (_, error) = &haul.troubles[0];
    assert!(matches!(error, BrowserError::LoginWall { .. }), "{error}");
    assert!(error.to_string().contains("NBREVIVE_BROWSER_COOKIES"), "{error}");
    assert_nowhere(folder.path(), &known.session, &cookies);
}

/// That a secret stands in no file below a folder but one; the bodies are compressed, and looked at as they are read.
fn assert_nowhere(folder: &Path, secret: &str, but: &Path) {
    let store = store(folder);
    for entry in store.journal().expect("a journal") {
        assert!(!format!("{entry:?}").contains(secret));
        if let nbrevive_mine::raw::JournalEntry::Exchange(exchange) = entry
            && let Some(body) = exchange.body
        {
            assert!(!String::from_utf8_lossy(&store.read(&body).expect("a body")).contains(secret));
        }
    }
    for entry in std::fs::read_dir(folder.join("trouble")).expect("a folder").flatten() {
        for file in std::fs::read_dir(entry.path()).expect("a folder").flatten().filter(|file| file.path() != but) {
            assert!(!String::from_utf8_lossy(&std::fs::read(file.path()).expect("a file")).contains(secret));
        }
    }
}

#[test]
fn where_the_service_changes_the_marks_on_the_page_do() {
    let (server, folder) = (server(), tempfile::tempdir().unwrap());
    let world = server.world();
    let kernel = chosen(world).into_iter().find(|kernel| kernel.versions.len() > 1).unwrap();
    server.add_rule(FaultRule::always("/api/i/", Fault::ChangedLayout));
    let haul = mine(&mut open(&server.url(), folder.path()), &[name(world, &kernel)]).unwrap();
    assert!(haul.troubles.is_empty(), "{:?}", haul.troubles);
    assert_eq!(haul.summary.by_marks, kernel.versions.len());
    for version in &kernel.versions {
        let found = haul.versions[&format!("{}#{}", kernel.reference(world), version.number)].clone();
        assert_eq!(found.run_seconds, version.run_seconds.map(f64::trunc));
        let filled = VersionRecord {
            run_seconds: version.run_seconds,
            evaluated: version.evaluated.and(found.created),
            gpu: Some(matches!(version.accelerator, Accelerator::P100 | Accelerator::T4x2)),
            ..found
        };
        assert_true(world, &kernel, version, &filled);
    }
}

/// A server that says one thing to everybody, and tells how often it was asked.
fn says(body: String) -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a loopback port is free");
    let url = format!("http://{}", listener.local_addr().expect("it is bound"));
    let count = Arc::new(AtomicUsize::new(0));
    let asked = Arc::clone(&count);
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            asked.fetch_add(1, Ordering::SeqCst);
            let _ = stream.read(&mut [0; 4096]);
            let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\nContent-Length:";
            let _ = write!(stream, "{head} {}\r\n\r\n{body}", body.len());
        }
    });
    (url, count)
}

#[test]
fn a_hostile_page_leads_nowhere() {
    let (elsewhere, asked) = says("<h2>Language</h2>".into());
    let parts =
        format!("<img src='{elsewhere}/x'><script src='{elsewhere}/y'></script><iframe src='{elsewhere}/z'></iframe>");
    let (url, _) = says(format!("<body>{parts}<script>location = '{elsewhere}/code/a/b?secret'</script>"));
    let folder = tempfile::tempdir().unwrap();
    let haul = mine(&mut open(&url, folder.path()), &[NotebookName::new("a/b").unwrap()]).unwrap();
    let (_, error) = &haul.troubles[0];
    let BrowserError::Wandered { url, .. } = error else { panic!("{error}") };
    assert!(url.starts_with(&elsewhere) && !url.contains("secret"), "{url}");
    assert_eq!(asked.load(Ordering::SeqCst), 0);
}
