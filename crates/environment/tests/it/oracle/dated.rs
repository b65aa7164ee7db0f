//! The strategy `dated` resolves what the pip of the date resolved.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use nbrevive_environment::index::ExportScope;
use nbrevive_environment::plan::PlanReason;
use nbrevive_environment::versions::normalise;
use nbrevive_environment::{EnvironmentPlan, Index, IndexSettings, Strategy};

use super::{beside, instant, planned, rows};

/// The share of direct dependencies that have to be equal.
const SHARE: f64 = 0.95;
const SNAPSHOT: &str = "dated.snapshot.zst";

/// A direct dependency in which a plan differs from the pip: case, distribution, the pip's version, the plan's.
type Difference = [String; 4];

struct Compared {
    direct: usize,
    differences: BTreeSet<Difference>,
    /// Distributions of whole environments: those that the pips resolved, and of these the equal ones.
    resolved: usize,
    equal: usize,
    report: String,
}

fn recording() -> bool {
    std::env::var_os("NBREVIVE_ORACLE_RECORD").is_some()
}

fn index() -> Index {
    if recording() {
        Index::at(Path::new(env!("CARGO_TARGET_TMPDIR")).join("oracle-index"), IndexSettings::default())
    } else {
        Index::of_snapshot(&beside(SNAPSHOT)).unwrap()
    }
}

/// `name==version` texts as a map.
fn versions(resolved: &str) -> BTreeMap<&str, &str> {
    resolved.split_whitespace().map(|text| text.split_once("==").unwrap()).collect()
}

/// The normalised name of a requirement.
fn named(requirement: &str) -> String {
    let end = requirement.find(['=', '<', '>', '!', '~', '[']).unwrap_or(requirement.len());
    normalise(&requirement[..end])
}

fn version_in(plan: &EnvironmentPlan, distribution: &str) -> String {
    plan.line(distribution).and_then(|line| line.version.as_ref()).map_or_else(String::new, ToString::to_string)
}

/// No file of a plan is younger than the date, unless its line says so.
fn check_dates(case: &str, date: &str, plan: &EnvironmentPlan) {
    for line in plan.lines.iter().chain(&plan.build) {
        let later = matches!(line.reason, PlanReason::WheelAfterDate | PlanReason::OldestAfterDate);
        let file = line.file.as_ref().unwrap_or_else(|| panic!("{case}: {} has no file", line.distribution));
        assert!(later || file.uploaded < instant(date), "{case}: {} is younger than the date", file.name);
    }
}

fn compare(index: &Index) -> Compared {
    let mut out = Compared { direct: 0, differences: BTreeSet::new(), resolved: 0, equal: 0, report: String::new() };
    for [case, date, python, requirements, pip, resolved] in rows::<6>("dated.csv") {
        let plan = planned(&requirements, &date, &python, Strategy::Dated, index).unwrap();
        if let Some(failure) = &plan.expected_failure {
            writeln!(out.report, "{case}: no plan: {}", failure.words).unwrap();
        } else {
            check_dates(&case, &date, &plan);
        }
        let theirs = versions(&resolved);
        let direct: BTreeSet<String> = requirements.split_whitespace().map(named).collect();
        for (distribution, version) in &theirs {
            let ours = version_in(&plan, distribution);
            let (equal, is_direct) = (ours == *version, direct.contains(*distribution));
            out.resolved += 1;
            out.equal += usize::from(equal);
            out.direct += usize::from(is_direct);
            if equal {
                continue;
            }
            writeln!(out.report, "{case}: {distribution}: pip {pip} took {version}, the plan {ours}").unwrap();
            if is_direct {
                out.differences.insert([case.clone(), (*distribution).to_owned(), (*version).to_owned(), ours]);
            }
        }
    }
    out
}

#[test]
fn sixty_plans_are_those_of_the_pips_of_their_dates() {
    let index = index();
    let compared = compare(&index);
    if recording() {
        index.export_snapshot(&beside(SNAPSHOT), ExportScope::Asked).unwrap();
    }
    let equal = compared.direct - compared.differences.len();
    let summary = format!(
        "{equal} of {} direct dependencies and {} of {} distributions are equal",
        compared.direct, compared.equal, compared.resolved
    );
    #[expect(clippy::cast_precision_loss, reason = "a few hundred dependencies")]
    let share = equal as f64 / compared.direct as f64;
    assert!(share >= SHARE, "{summary}\n{}", compared.report);
    let explained: BTreeSet<Difference> = rows::<5>("dated_differences.csv")
        .into_iter()
        .map(|[case, name, pip, plan, _]| [case, name, pip, plan])
        .collect();
    assert_eq!(
        compared.differences, explained,
        "dated_differences.csv explains other differences than there are: {summary}\n{}",
        compared.report
    );
}
