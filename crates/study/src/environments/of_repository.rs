//! The one environment that all notebooks of a repository run in.

use std::collections::BTreeSet;

use nbrevive_environment::build::{Lease, REQUIREMENTS_FILE};
use nbrevive_environment::container::{ContainerSettings, ContainerTexts, NoContainer};
use nbrevive_environment::plan::{Line, Unresolved};
use nbrevive_environment::repository::{RepositoryPlan, RepositoryRequest, RepositoryStrategy};
use nbrevive_environment::{Environment, Spec};
use nbrevive_execute::TrialImport;
use nbrevive_pysource::unasked::Unasked;

use super::learnt::Learnt;
use crate::laboratory::{Laboratory, LaboratoryError, Prepared, Unbuildable, unbuildable, unbuilt, unplanned};

/// How many distributions are left out at most because they could not be built.
const MOST_LEFT: usize = 16;

/// What came of planning and building it.
#[derive(Debug, Clone)]
pub struct OfRepository {
    /// The environment with its kernel.
    pub prepared: Prepared,
    /// The plan that it was built from.
    pub plan: RepositoryPlan,
}

impl Laboratory {
    /// Plans and builds the environment of a repository. Of a date, it goes without what nobody could build, and says so; and what it imports
    /// is tried, and planned again where that fails.
    ///
    /// # Errors
    /// [`LaboratoryError::Unbuildable`] when what is declared cannot be installed together; another error when it could not be tried.
    pub fn of_repository(&self, request: &RepositoryRequest<'_>) -> Result<OfRepository, LaboratoryError> {
        let (mut inferred, mut left, mut unbuilt) = (request.inferred.clone(), Vec::new(), Vec::new());
        let mut learnt = Learnt::default();
        loop {
            let (step_backs, missing) = (learnt.step_backs.as_slice(), learnt.missing.as_slice());
            let asked = RepositoryRequest { inferred: &inferred, unbuilt: &unbuilt, step_backs, missing, ..*request };
            let plan = self.planned(&asked);
            if learnt.refuse(plan.as_ref().ok().map(|plan| &plan.plan)) {
                continue;
            }
            let plan = plan?;
            match self.prepared_of(&plan) {
                Err(LaboratoryError::Unbuildable(_)) if learnt.refuse(None) => {}
                Err(LaboratoryError::Unbuildable(failed)) if left.len() + unbuilt.len() < MOST_LEFT => {
                    let fault = AtFault::of(&plan, &failed);
                    let (imports, mut declared) = (fault.imports(&failed), fault.declared(&plan, &failed));
                    // What was left out before is there again because another distribution needs it.
                    declared.retain(|new| !unbuilt.contains(new));
                    let calls = fault.calls_among(&inferred.unasked, &failed);
                    if imports.is_empty() && declared.is_empty() && calls.is_empty() {
                        return Err(LaboratoryError::Unbuildable(failed));
                    }
                    inferred.unasked.retain(|one| !calls.iter().any(|left| left.what == one.because));
                    left.extend(calls);
                    inferred.names.retain(|name| !imports.iter().any(|left| left.what == name.module));
                    left.extend(imports);
                    unbuilt.extend(declared);
                }
                built => {
                    let ((environment, prepared), mut plan) = (built?, plan);
                    let imports = self.tried(&imports_of(&plan), &prepared)?;
                    if !learnt.learn(&imports, &environment, &plan.plan, &self.index) {
                        plan.plan.unresolved.extend(left);
                        return Ok(OfRepository { prepared, plan });
                    }
                }
            }
        }
    }

    /// The texts from which a container with this environment is built elsewhere. It is built here first: what could not be built, and what its
    /// imports taught when they were tried, is part of a plan of exact versions (`dated`), which has digests of files; what only an installer
    /// resolves is read from what was installed.
    ///
    /// # Errors
    /// As [`Laboratory::of_repository`]; [`NoContainer`] within for settings that cannot be written.
    pub(crate) fn container_of_repository(
        &self,
        request: &RepositoryRequest<'_>,
        settings: &ContainerSettings,
    ) -> Result<Result<ContainerTexts, NoContainer>, LaboratoryError> {
        if request.strategy == RepositoryStrategy::Dated {
            return Ok(self.of_repository(request)?.plan.plan.container_texts(settings));
        }
        let plan = self.planned(request)?;
        let (environment, _lease) = self.built_of(&plan)?;
        Ok(environment.container_texts(settings))
    }

    fn planned(&self, request: &RepositoryRequest<'_>) -> Result<RepositoryPlan, LaboratoryError> {
        let plan = RepositoryPlan::make(request, &self.index, &self.interpreters).map_err(unplanned)?;
        match &plan.plan.expected_failure {
            Some(failure) => {
                let (python, requirements) = (plan.plan.interpreter.version.to_string(), plan.plan.requirements_text());
                Err(unbuildable(failure.class, &python, &requirements, &failure.words))
            }
            None => Ok(plan),
        }
    }

    fn prepared_of(&self, plan: &RepositoryPlan) -> Result<(Environment, Prepared), LaboratoryError> {
        let (environment, lease) = self.built_of(plan)?;
        let prepared = self.with_kernel(&self.builder(), &environment, lease)?;
        Ok((environment, prepared))
    }

    fn built_of(&self, plan: &RepositoryPlan) -> Result<(Environment, Lease), LaboratoryError> {
        let (python, requirements) = (plan.plan.interpreter.version.to_string(), plan.plan.requirements_text());
        let failed = |error| placed(unbuilt(error, &python, &requirements), plan);
        self.builder().lease(Spec::Plan(&plan.plan)).map_err(failed)
    }
}

/// A failed build with the places at which the repository declares what failed.
fn placed(error: LaboratoryError, plan: &RepositoryPlan) -> LaboratoryError {
    let LaboratoryError::Unbuildable(mut failed) = error else { return error };
    let text = plan.plan.requirements_text();
    let lines: Vec<&str> = text.lines().collect();
    failed.tail = with_places(&failed.tail, |line| {
        let requirement = lines.get(line.checked_sub(1)?)?;
        let end = requirement.find(|found: char| !(found.is_ascii_alphanumeric() || "-_.".contains(found)));
        plan.places.get(&requirement[..end.unwrap_or(requirement.len())]).cloned()
    });
    let declared = failed.distributions.iter().filter_map(|name| Some(format!("{name} ({})", plan.places.get(name)?)));
    let declared: Vec<String> = declared.collect();
    if !declared.is_empty() {
        failed.tail = format!("{}: {}", declared.join(", "), failed.tail);
    }
    failed.into()
}

/// What an installer said, with the repository's own places instead of lines of the file that it was given: `place` has them by line, from 1.
fn with_places(said: &str, place: impl Fn(usize) -> Option<String>) -> String {
    let given = format!("{REQUIREMENTS_FILE} (line ");
    let (mut text, mut rest) = (String::new(), said);
    while let Some(at) = rest.find(&given) {
        let (before, behind) = (&rest[..at], &rest[at + given.len()..]);
        let Some((line, after)) = behind.split_once(')') else { break };
        match line.parse().ok().and_then(&place) {
            Some(place) => {
                let path = before.rfind(char::is_whitespace).map_or(0, |blank| blank + 1);
                text.push_str(before[..path].trim_end_matches("-r "));
                text.push_str(&place);
            }
            None => text.push_str(&rest[..at + given.len() + line.len() + 1]),
        }
        rest = after;
    }
    text + rest
}

/// The imports that a dated environment is there to provide and no notebook can do without; none of another, which nothing is learnt for.
fn imports_of(plan: &RepositoryPlan) -> Vec<TrialImport> {
    let lines = plan.plan.lines.iter().filter(|_| plan.strategy == RepositoryStrategy::Dated);
    let modules = lines.flat_map(|line| &line.imports).filter(|module| !plan.needs.optional.contains(module));
    modules.map(|module| TrialImport { module: module.clone(), names: Vec::new() }).collect()
}

/// What a dated plan can go without after a failed build.
#[derive(Default)]
struct AtFault<'plan> {
    /// The distributions at fault where these were imported or are declared, else who requires them, and so on.
    lines: Vec<&'plan Line>,
    /// What asks for them and is no distribution: a function that imports one when it is called.
    calls: Vec<String>,
}

impl<'plan> AtFault<'plan> {
    fn of(plan: &'plan RepositoryPlan, failed: &Unbuildable) -> Self {
        let mut open: Vec<String> = failed.distributions.clone();
        open.retain(|_| plan.strategy == RepositoryStrategy::Dated);
        let (mut seen, mut found) = (BTreeSet::new(), Self::default());
        while let Some(name) = open.pop() {
            let Some(line) = plan.plan.line(&name) else {
                found.calls.push(name);
                continue;
            };
            if !seen.insert(name) {
                continue;
            }
            if line.imports.is_empty() && !plan.places.contains_key(&line.distribution) {
                // `who` is a distribution and its version, but for what is asked for by other things.
                open.extend(line.asked_by.iter().filter_map(|asked| asked.who.split(' ').next()).map(str::to_owned));
            } else {
                found.lines.push(line);
            }
        }
        found
    }

    /// What they were imported for, which would ask for them again.
    fn imports(&self, failed: &Unbuildable) -> Vec<Unresolved> {
        let left = |line: &&Line| {
            let reason = not_built(line, failed);
            let of = |what: &String| Unresolved { what: what.clone(), reason: reason.clone(), candidates: Vec::new() };
            line.imports.iter().map(of).collect::<Vec<_>>()
        };
        self.lines.iter().flat_map(left).collect()
    }

    /// The functions that ask for what was not built, of those that are called.
    fn calls_among(&self, called: &[Unasked], failed: &Unbuildable) -> Vec<Unresolved> {
        let at_fault = called.iter().filter(|one| self.calls.iter().any(|call| call == one.because));
        let reason = format!("{} could not be built: {}", failed.distributions.join(", "), failed.class);
        let of =
            |one: &Unasked| Unresolved { what: one.because.to_owned(), reason: reason.clone(), candidates: Vec::new() };
        at_fault.map(of).collect()
    }

    /// The names of those that are declared, each with the reason.
    fn declared(&self, plan: &RepositoryPlan, failed: &Unbuildable) -> Vec<(String, String)> {
        let declared = self.lines.iter().filter(|line| plan.places.contains_key(&line.distribution));
        let why = |line: &&Line| format!("but {}", not_built(line, failed));
        declared.map(|line| (line.distribution.clone(), why(line))).collect()
    }
}

/// Why a distribution is left out: it or what it requires was not built.
fn not_built(line: &Line, failed: &Unbuildable) -> String {
    if failed.distributions.contains(&line.distribution) {
        format!("{} could not be built: {}", line.requirement(), failed.class)
    } else {
        let required = failed.distributions.join(", ");
        format!("{} requires what could not be built, {required}: {}", line.requirement(), failed.class)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use nbrevive_environment::{EnvironmentPlan, FailureClass, Needs};
    use nbrevive_pysource::unasked::unasked;
    use serde_json::json;

    use super::*;

    /// A dated plan of numexpr, which tables requires, which `to_hdf` asks for, and of pandas, which is imported.
    fn plan() -> RepositoryPlan {
        let line = |name: &str, imports: &[&str], who: &str| {
            json!({
                "distribution": name, "version": "1.0", "bound": "==1.0", "reason": "newest-before-date", "why": "", "wheels": "source-only",
                "imports": imports, "asked_by": [{ "who": who }],
            })
        };
        let plan: EnvironmentPlan = serde_json::from_value(json!({
            "strategy": "dated", "date": "2017-02-01T00:00:00Z", "python_reason": "date", "python_latest_patch": "3.6.15",
            "interpreter": { "path": "python", "version": "3.6.15", "prefix": "", "machine": "x86_64", "glibc": null, "wide_unicode": true },
            "lines": [
                line("numexpr", &[], "tables 1.0"),
                line("pandas", &["pandas"], "import pandas"),
                line("tables", &[], "to_hdf (imports tables without requiring it)"),
            ],
        }))
        .unwrap();
        RepositoryPlan { strategy: RepositoryStrategy::Dated, plan, needs: Needs::default(), places: BTreeMap::new() }
    }

    #[test]
    fn a_call_whose_module_was_not_built_is_gone_without_and_told() {
        let (plan, called) = (plan(), unasked(&["df.to_hdf('a.h5', 'k')\npd.read_excel('b.xls')\n"]));
        let left = |distribution: &str| {
            let failed = Unbuildable {
                id: String::new(),
                python: String::new(),
                requirements: String::new(),
                class: FailureClass::NoWheelAndBuildFailed,
                distributions: vec![distribution.to_owned()],
                tail: String::new(),
            };
            let fault = AtFault::of(&plan, &failed);
            let told =
                |left: Vec<Unresolved>| left.into_iter().map(|one| format!("{}: {}", one.what, one.reason)).collect();
            let [calls, imports]: [Vec<String>; 2] =
                [told(fault.calls_among(&called, &failed)), told(fault.imports(&failed))];
            (calls, imports)
        };
        let (calls, imports) = left("numexpr");
        assert_eq!(
            (calls.as_slice(), imports.len()),
            (&["to_hdf: numexpr could not be built: no-wheel-and-build-failed".to_owned()][..], 0)
        );
        let (calls, imports) = left("pandas");
        assert!(calls.is_empty() && imports[0].starts_with("pandas: "), "{calls:?} {imports:?}");
    }

    #[test]
    fn what_an_installer_says_names_the_files_of_the_repository() {
        let said = format!(
            "because of -r /tmp/x/{REQUIREMENTS_FILE} (line 2) and a==1 (from /y/{REQUIREMENTS_FILE} (line 9))"
        );
        let place = |line: usize| (line == 2).then(|| "setup.py:4".to_owned());
        let expected = format!("because of setup.py:4 and a==1 (from /y/{REQUIREMENTS_FILE} (line 9))");
        assert_eq!(with_places(&said, place), expected);
        assert_eq!(with_places("none", place), "none");
    }
}
