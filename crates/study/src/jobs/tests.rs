use std::sync::Mutex;

use nbrevive_corpus::{Criterion, RunEnd, RunFacts, content_hash, judge};
use nbrevive_model::Encoding;
use nbrevive_notebook::percent;
use nbrevive_store::executions::{self, CellErrorRow, CellRow, CellStatus, ExecutionCost, ExecutionKey, ExecutionRow};
use nbrevive_store::grades::GradeRow;
use nbrevive_store::loops::LoopRows;
use nbrevive_store::outcomes::OutcomeRow;

use super::*;
use crate::Cutoff;
use crate::jobs::admission::{Admission, admit};

/// A study of one notebook, in a folder that lives as long as the value.
pub(crate) struct Fixture {
    _folder: tempfile::TempDir,
    pub(crate) study: Study,
    versions: Vec<Version>,
    competitions: BTreeMap<String, Competition>,
    targets: Targets,
    store: Store,
}

pub(crate) fn fixture() -> Fixture {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    for name in ["e", "n/tiny", "c/tiny"] {
        std::fs::create_dir_all(path(name)).unwrap();
    }
    let put = |name: &str, text: &str| std::fs::write(path(name), text).unwrap();
    put("e/now.lock", "# python: 3.12\n");
    put(
        "study.toml",
        "name = \"s\"\ntitle = \"S\"\ncompetitions = \"c\"\nnotebooks = \"n\"\ntargets = \"t.toml\"\nenvironments = \"e\"\nbaseline = \"now\"\n",
    );
    put("n/tiny/versions.toml", "[[version]]\nslug = \"a\"\ntitle = \"A\"\nsubmitted = \"2018-05-01T00:00:00Z\"\n");
    put(
        "n/tiny/a.ipynb",
        "{\"nbformat\":4,\"nbformat_minor\":4,\"metadata\":{},\"cells\":[{\"cell_type\":\"code\",\"metadata\":{},\"source\":\"x = 1\",\"outputs\":[],\"execution_count\":null}]}",
    );
    put(
        "c/tiny/competition.toml",
        "id = \"tiny\"\ntitle = \"T\"\nmetric = \"accuracy\"\ndirection = \"maximize\"\nid_column = \"Id\"\ntarget_columns = [\"L\"]\nprediction = \"label\"\n[data]\nsource = \"s\"\nlicence = \"l\"\n[files]\n",
    );
    put("t.toml", "[target.a]\nscore = 0.9\n");
    Fixture {
        study: Study::load(&path("study.toml")).unwrap(),
        versions: nbrevive_corpus::load_versions(&path("n")).unwrap(),
        competitions: Competition::load_all(&path("c")).unwrap(),
        targets: Targets::load(&path("t.toml")).unwrap(),
        store: Store::open(&path("store")).unwrap(),
        _folder: folder,
    }
}

impl Fixture {
    pub(crate) fn plan(&self, baseline_hash: &str) -> JobPlan {
        let store = Some(&self.store);
        plan(&self.study, &self.versions, &self.competitions, &self.targets, baseline_hash, store).unwrap()
    }

    fn states(&self, baseline_hash: &str) -> Vec<String> {
        let jobs = self.plan(baseline_hash).jobs;
        jobs.iter().map(|planned| format!("{} {}", planned.job.condition, planned.state)).collect()
    }

    /// Stores the outcome of the baseline job with this score.
    fn finish_baseline(&mut self, score: f64) {
        let plan = self.plan("h");
        let job = &plan.jobs.iter().find(|planned| planned.job.condition == Condition::BASELINE).unwrap().job;
        let criterion = Criterion::Score { target: 0.9, tau: 0.1 };
        let facts = RunFacts { end: RunEnd::Completed, error_cells: 0, grade: Some(Ok(score)), criterion };
        let row = OutcomeRow {
            target_score: Some(0.9),
            environment: Some("env".to_owned()),
            seconds: 1.0,
            ..OutcomeRow::new("a", Condition::BASELINE, &job.inputs_hash, judge(&facts))
        };
        outcomes::set(&mut self.store, &row, &LoopRows::default()).unwrap();
    }
}

#[test]
fn an_empty_store_leaves_everything_to_do() {
    assert_eq!(
        fixture().states("h"),
        [
            "baseline to run: it has no outcome yet",
            "backport to run: it has no outcome yet",
            "modernize to run if it does not reproduce at baseline",
        ]
    );
}

#[test]
fn what_reproduces_at_baseline_is_done_and_no_subject() {
    let mut fixture = fixture();
    fixture.finish_baseline(0.9);
    let states = fixture.states("h");
    assert_eq!(states[0], "baseline done: error-free-reproducible");
    assert_eq!(states[2], "modernize no subject: error-free-reproducible at baseline");
}

#[test]
fn what_does_not_reproduce_at_baseline_is_a_subject() {
    let mut fixture = fixture();
    fixture.finish_baseline(0.1);
    assert_eq!(fixture.states("h")[2], "modernize to run: it has no outcome yet");
}

#[test]
fn repetitions_are_jobs_of_their_own_behind_all_first_ones() {
    let mut fixture = fixture();
    let before = fixture.plan("h");
    fixture.study.repeat = std::num::NonZeroU32::new(3).unwrap();
    fixture.finish_baseline(0.1);
    let row = outcomes::find(&fixture.store, "a", Condition::BASELINE).unwrap().unwrap();
    repetitions::set(&mut fixture.store, 2, &row, &LoopRows::default()).unwrap();
    let plan = fixture.plan("h");
    let baselines: Vec<String> = plan
        .jobs
        .iter()
        .filter(|planned| planned.job.condition == Condition::BASELINE)
        .map(|planned| format!("{} {}", planned.job.name(), planned.state))
        .collect();
    let expected = [
        "a done: error-free-non-reproducible",
        "a (repetition 2) done: error-free-non-reproducible",
        "a (repetition 3) to run: it has no outcome yet",
    ];
    assert_eq!(baselines, expected);
    assert!(plan.jobs[..3].iter().all(|planned| planned.job.repetition == 1));
    assert_eq!(plan.jobs.len(), 9);
    assert_eq!(plan.jobs[3].job.inputs_hash, before.jobs[0].job.inputs_hash, "the first keeps its key");

    let stale = OutcomeRow { inputs_hash: "other".to_owned(), ..row };
    repetitions::set(&mut fixture.store, 2, &stale, &LoopRows::default()).unwrap();
    assert_eq!(fixture.plan("h").jobs[3].state, JobState::OutOfDate);
}

#[test]
fn another_baseline_environment_makes_its_outcomes_out_of_date_but_not_the_backport() {
    let mut fixture = fixture();
    fixture.finish_baseline(0.9);
    let states = fixture.states("another lock");
    assert_eq!(states[0], "baseline to run: its inputs changed since it ran");
    assert!(
        fixture.plan("another lock").jobs[0]
            .to_string()
            .ends_with("(which ones is not known: it is of before the store kept them)")
    );
    let hash = |baseline: &str| fixture.plan(baseline).jobs[1].job.inputs_hash.clone();
    assert_eq!(hash("h"), hash("another lock"));
}

#[test]
fn what_changed_since_is_told_by_name() {
    let mut fixture = fixture();
    fixture.finish_baseline(0.9);
    let plan = fixture.plan("h");
    know(&plan, &mut fixture.store).unwrap();
    fixture.study.limits.seconds = 300.0;
    let told = fixture.plan("another lock").jobs[0].to_string();
    assert_eq!(
        told,
        "to run: its inputs changed since it ran (environment.lock: another lock, was h; limits.seconds: 300, was 600)"
    );
}

#[test]
fn what_was_done_before_there_were_fingerprints_is_done_and_gets_its_new_name() {
    let mut fixture = fixture();
    fixture.study.repeat = std::num::NonZeroU32::new(2).unwrap();
    fixture.finish_baseline(0.9);
    let plan = fixture.plan("h");
    let job = &plan.jobs[0].job;
    let row = outcomes::find(&fixture.store, "a", Condition::BASELINE).unwrap().unwrap();
    let of_then = OutcomeRow { inputs_hash: job.hash_before.clone().unwrap(), ..row };
    outcomes::set(&mut fixture.store, &of_then, &LoopRows::default()).unwrap();
    repetitions::set(&mut fixture.store, 2, &of_then, &LoopRows::default()).unwrap();
    let states = |fixture: &Fixture| {
        let jobs = fixture.plan("h").jobs;
        jobs.iter().filter(|planned| matches!(planned.state, JobState::Done(_))).count()
    };
    assert_eq!(states(&fixture), 2);

    let plan = fixture.plan("h");
    know(&plan, &mut fixture.store).unwrap();
    let found = outcomes::find(&fixture.store, "a", Condition::BASELINE).unwrap().unwrap();
    let again = repetitions::find(&fixture.store, "a", Condition::BASELINE, 2).unwrap().unwrap();
    assert_eq!([&found.inputs_hash, &again.inputs_hash], [&plan.jobs[0].job.inputs_hash; 2]);
    assert_eq!(states(&fixture), 2);
}

impl Fixture {
    /// Stores the baseline execution of the one version, with a cell that raised this traceback.
    fn execute_baseline(&mut self, traceback: &str) {
        let plan = self.plan("h");
        let selected = &plan.jobs[0].job.selected;
        let error = CellErrorRow {
            ename: "ValueError".to_owned(),
            evalue: String::new(),
            traceback: traceback.to_owned(),
            line: None,
        };
        let key = ExecutionKey {
            version: "a".to_owned(),
            code_hash: content_hash(percent::render(&selected.notebook).as_bytes()),
            environment: "env".to_owned(),
            settings_hash: "s".to_owned(),
        };
        let row = ExecutionRow {
            error_cells: 1,
            grade: Some(GradeRow { result: Ok(0.1), detail: None }),
            spent: ExecutionCost { seconds: 1.0, startup_seconds: 1.0, ..ExecutionCost::default() },
            cells: vec![CellRow { cell: 0, status: CellStatus::Error, seconds: None, error: Some(error) }],
            ..ExecutionRow::new(key, Condition::BASELINE, RunEnd::Completed)
        };
        executions::insert(&mut self.store, &row).unwrap();
    }

    /// What a run decides on the modernize job.
    fn admit(self) -> (Admission, Self) {
        let plan = self.plan("h");
        let gate = Gate::of(&self.study, &plan.pool);
        let job = &plan.jobs.iter().find(|planned| planned.job.condition == Condition::MODERNIZE).unwrap().job;
        let Fixture { _folder, study, versions, competitions, targets, store } = self;
        let store = Mutex::new(store);
        let admission = admit(&store, &gate, job).unwrap();
        (admission, Fixture { _folder, study, versions, competitions, targets, store: store.into_inner().unwrap() })
    }
}

#[test]
fn a_version_above_the_cutoff_is_left_out_with_its_reason_until_the_cutoff_rises() {
    let mut fixture = fixture();
    fixture.finish_baseline(0.1);
    fixture.execute_baseline(&"ValueError: no such column\n".repeat(10));
    let text = format!("x = 1\n{}", "ValueError: no such column\n".repeat(10));
    let tokens = u64::try_from(Encoding::O200k.count(&text)).unwrap();

    fixture.study.token_cutoff = Cutoff::Tokens(tokens);
    let (admission, mut fixture) = fixture.admit();
    assert_eq!(admission, Admission::Subject);

    fixture.study.token_cutoff = Cutoff::Tokens(tokens - 1);
    let (admission, mut fixture) = fixture.admit();
    assert_eq!(admission, Admission::Skipped);
    let row = left_out::find(&fixture.store, "a", Condition::MODERNIZE).unwrap().unwrap();
    let expected = format!("{tokens} tokens (o200k_base) of source and errors, the cut-off is {}", tokens - 1);
    assert_eq!((row.reason, row.detail), (Exclusion::TooLong, expected));
    assert_eq!(fixture.states("h")[2], "modernize no subject: more tokens than the cut-off");

    fixture.study.token_cutoff = Cutoff::None;
    assert_eq!(fixture.states("h")[2], "modernize to run: it has no outcome yet");
    let (admission, fixture) = fixture.admit();
    assert_eq!(admission, Admission::Subject);
    assert_eq!(left_out::all(&fixture.store).unwrap(), []);
}

#[test]
fn an_outcome_of_before_the_cutoff_fell_is_taken_back() {
    let mut fixture = fixture();
    fixture.finish_baseline(0.1);
    fixture.execute_baseline("ValueError: no such column");
    let row = outcomes::find(&fixture.store, "a", Condition::BASELINE).unwrap().unwrap();
    let inputs_hash = fixture.plan("h").jobs[2].job.inputs_hash.clone();
    let modernized = OutcomeRow { condition: Condition::MODERNIZE, inputs_hash, ..row };
    outcomes::set(&mut fixture.store, &modernized, &LoopRows::default()).unwrap();
    assert!(fixture.states("h")[2].starts_with("modernize done"));

    fixture.study.token_cutoff = Cutoff::Tokens(1);
    let told = fixture.plan("h").jobs[2].to_string();
    assert_eq!(told, "to run: its inputs changed since it ran (token_cutoff: 1, was another)");
    let (admission, fixture) = fixture.admit();
    assert_eq!(admission, Admission::Skipped);
    assert_eq!(outcomes::find(&fixture.store, "a", Condition::MODERNIZE).unwrap(), None);
}

#[test]
fn without_a_baseline_nobody_knows_who_is_a_subject() {
    let (admission, _) = fixture().admit();
    assert!(matches!(admission, Admission::Undecided(why) if why.contains("baseline")));
}

#[test]
fn a_percentile_waits_for_every_baseline() {
    let mut fixture = fixture();
    fixture.study.token_cutoff = Cutoff::Percentile(95.0);
    fixture.finish_baseline(0.1);
    let (admission, mut fixture) = fixture.admit();
    assert!(matches!(admission, Admission::Undecided(why) if why.contains("percentile")));
    fixture.execute_baseline("ValueError: no such column");
    // The percentile of one length is that length, which does not exceed itself.
    assert_eq!(fixture.admit().0, Admission::Subject);
}

/// A study without competitions, of a notebook in a repository and one that belongs to nothing.
fn of_repositories(judge: &str) -> (tempfile::TempDir, Study, Vec<Version>) {
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    let notebook = "{\"nbformat\":4,\"nbformat_minor\":4,\"metadata\":{},\"cells\":[{\"cell_type\":\"code\",\"metadata\":{},\
                    \"source\":\"x = 1\",\"outputs\":[],\"execution_count\":null}]}";
    let one =
        |slug: &str| format!("[[version]]\nslug = \"{slug}\"\ntitle = \"T\"\nsubmitted = \"2018-05-01T00:00:00Z\"\n");
    put("e/now.lock", "# python: 3.12\n");
    put("n/it/versions.toml", &format!("[repository]\nname = \"me/it\"\n{}file = \"deep/a.ipynb\"\n", one("a")));
    put("n/it/files/deep/a.ipynb", notebook);
    put("n/alone/versions.toml", &format!("belongs = \"nothing\"\n{}", one("b")));
    put("n/alone/b.ipynb", notebook);
    put("t.toml", "");
    std::fs::create_dir(folder.path().join("c")).unwrap();
    let settings = "name = \"s\"\ntitle = \"S\"\nnotebooks = \"n\"\nenvironments = \"e\"\nbaseline = \"now\"\n";
    put("study.toml", &format!("{settings}{judge}"));
    let study = Study::load(&folder.path().join("study.toml")).unwrap();
    let versions = nbrevive_corpus::load_versions(&study.notebooks).unwrap();
    (folder, study, versions)
}

fn planned(study: &Study, versions: &[Version]) -> JobPlan {
    plan(study, versions, &BTreeMap::new(), &Targets::default(), "h", None).unwrap()
}

#[test]
fn versions_of_repositories_and_of_nothing_run_where_no_scores_are_asked_for() {
    let (folder, study, versions) = of_repositories("judge = \"executability\"\n");
    let plan = planned(&study, &versions);
    assert!(plan.left_out.is_empty());
    let first: Vec<&Job> = plan.jobs.iter().take(2).map(|planned| &planned.job).collect();
    assert!(matches!(first[0].around, Around::Repository(_)) && matches!(first[1].around, Around::Nothing));
    assert_eq!(first[0].criterion(0.1), Criterion::ErrorFree);
    let rows = crate::jobs::version_rows::repository_rows(&plan);
    assert_eq!(rows.iter().map(|row| row.repository.as_str()).collect::<Vec<_>>(), ["me/it"]);

    // A file beside the notebook is something that the outcome depends on.
    let before = first[0].inputs();
    std::fs::write(folder.path().join("n/it/files/data.csv"), "a\n").unwrap();
    let again = planned(&study, &versions);
    let changes = again.jobs[0].job.inputs().changes_since(&before);
    assert_eq!(changes.iter().map(|change| change.field.as_str()).collect::<Vec<_>>(), ["repository.files"]);
    assert_eq!(again.jobs[1].job.inputs_hash, first[1].inputs_hash);

    std::fs::remove_dir_all(folder.path().join("n/it/files")).unwrap();
    let gone = planned(&study, &versions).left_out;
    assert_eq!(
        gone.iter().map(|(version, why, _)| (version.slug.as_str(), *why)).collect::<Vec<_>>(),
        [("a", Exclusion::Unreadable)]
    );
}

#[test]
fn where_scores_are_asked_for_what_belongs_to_no_competition_is_left_out() {
    let (_folder, study, versions) = of_repositories("competitions = \"c\"\ntargets = \"t.toml\"\n");
    let plan = planned(&study, &versions);
    assert!(plan.jobs.is_empty());
    for (version, exclusion, detail) in &plan.left_out {
        assert_eq!(*exclusion, Exclusion::UnknownCompetition);
        assert!(detail.starts_with(&format!("`{}` belongs to no competition", version.slug)), "{detail}");
    }
    assert_eq!(plan.left_out.len(), 2);
}
