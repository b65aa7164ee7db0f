//! What executions and outcomes are known by. Each field is a line of the table in `docs/nothing-lost.md`.

#![deny(clippy::wildcard_enum_match_arm)]

use std::sync::Arc;

use nbrevive_compare::COMPARISON_VERSION;
use nbrevive_corpus::{Condition, Fingerprint, Judge, Recipe, SelectedNotebook, Stop, Surrounding, Target};
use nbrevive_diagnosis::roots::ROOTS_VERSION;
use nbrevive_environment::Strategy;
use nbrevive_execute::ANTIDOTES_VERSION;

use crate::Study;
use crate::corpus::around::Around;
use crate::restoration::RESTORATION_VERSION;

/// What an execution is known by, beside the code that ran and the environment that it ran in.
pub(crate) fn of_execution(
    study: &Study,
    recipe: &Recipe,
    around: &Around,
    sandbox: &str,
    repetition: u32,
) -> Fingerprint {
    let kind = Fingerprint::of("execution", 1);
    kind.with("sandbox", sandbox).with("repetition", repetition).and(manner(study, recipe)).and(around.fingerprint())
}

/// What all outcomes of a condition have in common; `baseline_hash` names the content of today's environment.
pub(crate) fn of_condition(study: &Study, recipe: &Recipe, baseline_hash: &str) -> Arc<Fingerprint> {
    let hosts: Vec<String> = study.installs.hosts.iter().map(ToString::to_string).collect();
    let shared = Fingerprint::of("condition", 1).with("condition", recipe.name);
    let shared = match study.judge {
        Judge::Score => shared.with("tau", study.tau),
        Judge::Executability => shared.with("judge", study.judge).with("judge.version", ROOTS_VERSION),
        Judge::Outputs => shared.with("judge", study.judge).with("judge.version", COMPARISON_VERSION),
    };
    let shared = shared.with("installs.hosts", hosts.join(", ")).and(manner(study, recipe));
    let shared = match &study.snapshot {
        Some(snapshot) => shared.with("snapshot", &snapshot.hash),
        None => shared,
    };
    let shared = shared.with("condition.cells", recipe.cells).with("condition.installs", recipe.installs);
    let shared = match recipe.samples {
        Some(samples) => shared.with("condition.samples", samples),
        None => shared,
    };
    let shared = match recipe.environment {
        Surrounding::Lock => shared.with("environment.lock", baseline_hash),
        Surrounding::None => shared.with("environment.none", CODE_DIAGNOSIS),
        Surrounding::Declared | Surrounding::Inferred | Surrounding::InferredOfDate => shared.with(
            "environment.repository",
            format!("{} {}", recipe.environment, repository_planning(recipe.environment)),
        ),
        Surrounding::Date => {
            let (strategy, version) = planning(study.strategy);
            shared.with("environment.date", format!("{strategy} {version}"))
        }
    };
    let shared = if recipe.hide_data { shared.with("condition.hide_data", HIDING) } else { shared };
    let shared = if recipe.debug { shared.with("condition.debug", DEBUGGING) } else { shared };
    if recipe.prepares() {
        return Arc::new(shared.and(of_preparation(study, recipe)));
    }
    let Some(start) = recipe.start else { return Arc::new(shared) };
    let repair = study.repair.of(recipe).fingerprint().with("repair.max_fixes", study.max_fixes);
    Arc::new(shared.with("repair.start", start).with("repair.level", recipe.level).and(repair))
}

/// What is put back, and by whom.
fn of_preparation(study: &Study, recipe: &Recipe) -> Fingerprint {
    let words: Vec<&str> = recipe.prepare.iter().map(|one| one.as_str()).collect();
    let own =
        Fingerprint::of("prepare", 1).with("prepare", words.join(", ")).with("prepare.version", RESTORATION_VERSION);
    let own = match recipe.start {
        Some(start) => own.with("prepare.start", start),
        None => own,
    };
    if !recipe.prepare_by.asks_model() {
        return own;
    }
    let own = own.with("prepare.by", recipe.prepare_by);
    match study.repair.put_back_fingerprint() {
        Some(model) => own.and(model),
        None => own,
    }
}

/// What an outcome depends on, short of the machine; `drawn` is the order of its cells, where orders are drawn.
pub(crate) fn of_outcome(
    condition: &Fingerprint,
    selected: &SelectedNotebook,
    around: &Around,
    target: Option<&Target>,
    drawn: Option<&[usize]>,
) -> Fingerprint {
    let own = Fingerprint::of("outcome", 1).with("notebook", &selected.hash);
    let own = match target {
        Some(target) => own.with("target", target.score),
        None => own,
    };
    let own = match drawn {
        Some(cells) => own.with("order", cells.iter().map(usize::to_string).collect::<Vec<_>>().join(" ")),
        None => own,
    };
    own.and(condition.clone()).and(around.fingerprint())
}

/// A strategy and its version, which is raised whenever the same strategy comes to plan otherwise.
const fn planning(strategy: Strategy) -> (&'static str, u32) {
    match strategy {
        Strategy::Paper => ("paper", 2),
        Strategy::Dated => ("dated", 3),
    }
}

/// Version of how environments of repositories are planned, as for [`planning`].
fn repository_planning(surrounding: Surrounding) -> u32 {
    if surrounding == Surrounding::InferredOfDate { 7 } else { 2 }
}

/// Version of what is found in code that does not run, as for [`planning`].
const CODE_DIAGNOSIS: u32 = 3;

/// Version of which files are hidden, as for [`planning`].
const HIDING: u32 = 1;

/// What the debugger tells of an order; raised whenever it comes to tell otherwise of the same.
const DEBUGGING: u32 = 1;

/// How code runs. What a study said nothing of before there was such a word has no field: results of then keep their names.
fn manner(study: &Study, recipe: &Recipe) -> Fingerprint {
    let limits = limits(study).with("seed", recipe.seed.unwrap_or(study.seed));
    let manner = match recipe.stop {
        Stop::Tolerant => limits,
        Stop::FirstError => limits.with("condition.stop", recipe.stop),
    };
    let Some(antidotes) = &recipe.antidotes else { return manner };
    let words: Vec<&str> = antidotes.iter().map(|one| one.as_str()).collect();
    manner.with("condition.antidotes", words.join(", ")).with("antidotes", ANTIDOTES_VERSION)
}

fn limits(study: &Study) -> Fingerprint {
    let limits = &study.limits;
    let cpu_seconds = limits.cpu_seconds.map_or_else(|| "none".to_owned(), |seconds| seconds.to_string());
    let fingerprint = Fingerprint::of("limits", 1)
        .with("limits.seconds", limits.seconds)
        .with("limits.memory_mib", limits.memory_mib)
        .with("limits.cores", limits.cores)
        .with("limits.processes", limits.processes)
        .with("limits.disk_mib", limits.disk_mib)
        .with("limits.cpu_seconds", cpu_seconds);
    // Results of before there were such clocks keep their names.
    match limits.cell_seconds {
        Some(seconds) => fingerprint.with("limits.cell_seconds", seconds),
        None => fingerprint,
    }
}

/// What the same was known by before there were fingerprints: stores of that time go on under the new names.
///
/// The texts are those that `{:?}` gave then. What was repaired has no name of then: rules and loop are of later versions since.
pub(crate) mod before {
    use nbrevive_corpus::{Competition, content_hash};

    use super::{Condition, Recipe, SelectedNotebook, Stop, Study, Target, planning};

    /// The limits; none where one is set that there was not then.
    fn limits(study: &Study) -> Option<String> {
        let limits = &study.limits;
        if limits.cell_seconds.is_some() {
            return None;
        }
        let cpu_seconds = limits.cpu_seconds.map(|seconds| format!(", cpu_seconds: {seconds:?}")).unwrap_or_default();
        Some(format!(
            "StudyLimits {{ seconds: {:?}, memory_mib: {}, cores: {}, processes: {}, disk_mib: {}{cpu_seconds} }}",
            limits.seconds, limits.memory_mib, limits.cores, limits.processes, limits.disk_mib
        ))
    }

    /// An execution; none of one that runs as none did then.
    pub(crate) fn execution(
        study: &Study,
        recipe: &Recipe,
        competition: &Competition,
        sandbox: &str,
        repetition: u32,
    ) -> Option<String> {
        if recipe.stop != Stop::Tolerant || recipe.seed.is_some() || recipe.antidotes.is_some() {
            return None;
        }
        let (limits, files, metric) = (limits(study)?, &competition.files, &competition.metric);
        let mut text = format!("{limits}\n{}\n{files:?}\n{metric}\n{sandbox}", study.seed);
        if repetition > 1 {
            text.push_str(&format!("\nrepetition {repetition}"));
        }
        Some(content_hash(text.as_bytes()))
    }

    /// An outcome; none under a condition, or from an index, that there was not then.
    pub(crate) fn outcome(
        study: &Study,
        condition: Condition,
        baseline_hash: &str,
        (selected, competition, target): (&SelectedNotebook, &Competition, &Target),
    ) -> Option<String> {
        let environment = match condition {
            Condition::BASELINE => baseline_hash.to_owned(),
            Condition::BACKPORT => {
                let (strategy, version) = planning(study.strategy);
                format!("{strategy}, {version}")
            }
            _ => return None,
        };
        if study.snapshot.is_some() {
            return None;
        }
        let (limits, files, metric) = (limits(study)?, &competition.files, &competition.metric);
        let (hash, score, seed, tau) = (&selected.hash, target.score, study.seed, study.tau);
        let text =
            format!("{condition}\n{hash}\n{score}\n{files:?}\n{metric}\n{limits}\n{seed}\ntau {tau}\n{environment}");
        Some(content_hash(text.as_bytes()))
    }
}

#[cfg(test)]
mod tests {
    use nbrevive_corpus::Restorer;

    use super::*;
    use crate::jobs::tests::fixture;

    /// The fields of one job's outcome and of its execution, with a model, tools, minimization: every field that there can be.
    fn everything() -> Vec<String> {
        let mut fixture = fixture();
        fixture.study.repair = crate::RepairSettings::everything();
        let plan = fixture.plan("lock");
        let mut texts: Vec<String> = plan.jobs.iter().map(|planned| planned.job.inputs().text()).collect();
        let repository = nbrevive_corpus::Repository {
            name: "it".to_owned(),
            url: None,
            commit: None,
            host: nbrevive_corpus::HostTold::default(),
            files: std::path::PathBuf::new(),
        };
        let files = crate::RepositoryFiles::new(repository, "c".to_owned(), jiff::Timestamp::UNIX_EPOCH);
        fixture.study.judge = Judge::Executability;
        let antidotes = Some([nbrevive_corpus::Antidote::Seeds].into());
        let stopping = Recipe { stop: Stop::FirstError, seed: Some(7), antidotes, ..Recipe::main().remove(0) };
        let shared = Recipe { environment: Surrounding::Declared, ..Recipe::main().remove(0) };
        texts.push(of_condition(&fixture.study, &shared, "lock").text());
        fixture.study.snapshot = Some(crate::StudySnapshot { folder: "index".into(), hash: "of its list".to_owned() });
        texts.push(of_condition(&fixture.study, &shared, "lock").text());
        fixture.study.snapshot = None;
        fixture.study.judge = Judge::Outputs;
        texts.push(of_condition(&fixture.study, &shared, "lock").text());
        fixture.study.judge = Judge::Executability;
        for (prepare_by, hide_data) in [(Restorer::Rules, false), (Restorer::Paper, false), (Restorer::Rules, true)] {
            let start = (!hide_data).then_some(Condition::BASELINE);
            let prepare = nbrevive_corpus::Preparation::ALL.iter().copied().collect();
            let prepared = Recipe { prepare, prepare_by, hide_data, start, ..shared.clone() };
            texts.push(of_condition(&fixture.study, &prepared, "lock").text());
        }
        texts.push(of_condition(&fixture.study, &Recipe { debug: true, ..shared }, "lock").text());
        let of_files = Around::Repository(Arc::new(files)).fingerprint();
        texts.push(of_files.and(Fingerprint::clone(&of_condition(&fixture.study, &stopping, "lock"))).text());
        texts.push(
            of_execution(&fixture.study, &plan.jobs[0].job.recipe, &plan.jobs[0].job.around, "bubblewrap", 1).text(),
        );
        texts
    }

    #[test]
    fn each_field_is_a_line_of_the_table() {
        let page = include_str!("../../../../docs/nothing-lost.md");
        for text in everything() {
            let fields: std::collections::BTreeMap<String, String> = serde_json::from_str(&text).unwrap();
            for field in fields.keys().filter(|field| !field.starts_with("data.")) {
                assert!(
                    page.contains(&format!("`{field}`")),
                    "docs/nothing-lost.md says nothing of the field `{field}`"
                );
            }
        }
    }

    #[test]
    fn what_was_done_before_is_known_by_its_name_of_then() {
        let file = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../study/mle-modernizer/study.toml"));
        let mut study = Study::load(file).unwrap();
        study.conditions = Condition::PRESETS.iter().filter_map(|name| Recipe::preset(*name)).collect();
        let versions = nbrevive_corpus::load_versions(&study.notebooks).unwrap();
        let competitions = study.load_competitions().unwrap();
        let targets = study.load_targets().unwrap();
        let lock = nbrevive_corpus::content_hash(&std::fs::read(&study.baseline).unwrap());
        let plan = crate::plan(&study, &versions, &competitions, &targets, &lock, None).unwrap();
        let of = |condition| {
            let mut jobs = plan.jobs.iter().map(|planned| &planned.job);
            jobs.find(|job| job.condition == condition && job.version.slug == "breast-cancer-lgbm-early-stopping")
                .unwrap()
                .hash_before
                .as_deref()
        };
        // As the data of 2026-11-24 has them.
        let then = ["712738d4f5b9b6efd44774e4c5d94647", "138130a3071649036517c2d6950ee859"].map(Some);
        let now: Vec<Option<&str>> = Condition::PRESETS.iter().map(|condition| of(*condition)).collect();
        assert_eq!((&now[..2], &now[2..]), (&then[..], &[None, None][..]));
    }

    #[test]
    fn what_runs_as_nothing_did_then_has_no_name_of_then() {
        let mut fixture = fixture();
        let jobs = |fixture: &crate::jobs::tests::Fixture| fixture.plan("lock").jobs;
        let job = jobs(&fixture).remove(0).job;
        let competition = job.around.competition().unwrap();
        let of = |study: &Study, recipe: &Recipe| before::execution(study, recipe, competition, "bubblewrap", 1);
        let plain = Recipe::clone(&job.recipe);
        assert!(of(&fixture.study, &plain).is_some() && job.hash_before.is_some());
        for recipe in [
            Recipe { antidotes: Some(std::collections::BTreeSet::new()), ..plain.clone() },
            Recipe { stop: Stop::FirstError, ..plain.clone() },
            Recipe { seed: Some(1), ..plain.clone() },
        ] {
            assert_eq!(of(&fixture.study, &recipe), None);
        }
        fixture.study.limits.cell_seconds = Some(5.0);
        assert_eq!((of(&fixture.study, &plain), jobs(&fixture).remove(0).job.hash_before), (None, None));
        fixture.study.limits.cell_seconds = None;
        fixture.study.snapshot = Some(crate::StudySnapshot { folder: "index".into(), hash: "of its list".to_owned() });
        assert_eq!(jobs(&fixture).remove(0).job.hash_before, None);
    }

    #[test]
    fn an_outcome_is_known_by_the_order_that_was_drawn_for_it() {
        let page = include_str!("../../../../docs/nothing-lost.md");
        assert!(page.contains("| `order` |"));
        let job = fixture().plan("lock").jobs.remove(0).job;
        let of = |drawn: Option<&[usize]>| of_outcome(&job.shared, &job.selected, &job.around, None, drawn).text();
        assert!(of(Some(&[1, 0])).contains(r#""order":"1 0""#) && !of(None).contains("order"));
        assert_ne!(of(Some(&[1, 0])), of(Some(&[0, 1])));
    }

    #[test]
    fn the_names_of_results_do_not_change_by_themselves() {
        insta::assert_snapshot!(everything().join("\n"));
    }
}
