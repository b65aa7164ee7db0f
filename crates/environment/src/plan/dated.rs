//! The `dated` strategy: an environment that could have existed on the date.
//!
//! The whole closure comes from files that were uploaded before it, and so does what source archives are built
//! with. Every environment carries setuptools, whose `pkg_resources` many packages of old import without saying so,
//! and wheel. Where the solution leaves the date, a line's reason and a warning say so.

use std::collections::{BTreeMap, BTreeSet};

use nbrevive_notebook::PythonVersion;
use pep440_rs::Version;

use super::collect::{Wanted, likely_names};
use super::{
    EnvironmentPlan, Line, LineFile, PlanError, PlanReason, PlanRequest, Skipped, StepBack, WarningKind, Wheels,
};
use crate::distribution::UnresolvedReason;
use crate::failure_class::FailureClass;
use crate::index::{Index, Lookup};
use crate::requirement::{MarkerEnvironment, Requirement};
use crate::solver::files::wheels;
use crate::solver::{Asker, Broken, Chosen, Clash, Grade, Problem, Root, Solution, Unsolved, solve};

/// What every environment carries.
const SEEDS: [&str; 2] = ["setuptools", "wheel"];
/// The last setuptools that translates Python 2 sources (`use_2to3` left with 58.0.0).
const LAST_TRANSLATING_SETUPTOOLS: &str = "57.5.0";
/// The newest minor whose distributions of the time still counted on that.
const LAST_TRANSLATED: PythonVersion = PythonVersion::new(3, 9);

/// Fills the draft.
pub(super) fn plan(
    mut draft: EnvironmentPlan,
    request: &PlanRequest<'_>,
    index: &Index,
) -> Result<EnvironmentPlan, PlanError> {
    index.prefetch(&likely_names(request.needs, &draft));
    let mut wanted = draft.collect(request, index)?;
    draft.collect_missing(request.missing, request.needs, index, &mut wanted)?;
    draft.drop_absent(&mut wanted, index)?;
    let step_backs = draft.possible_step_backs(request.step_backs, &wanted);
    loop {
        let problem = Problem {
            interpreter: &draft.interpreter,
            date: draft.date,
            roots: roots(&wanted),
            step_backs: &step_backs,
            at_most: at_most(draft.interpreter.minor()),
            preferred: BTreeMap::new(),
        };
        match solve(&problem, index) {
            Ok(solution) => {
                draft.add_solution(&solution, &wanted, &step_backs);
                draft.add_build_lines(&solution, index)?;
                return Ok(draft);
            }
            Err(Unsolved::Broken(Broken::Index(error))) => return Err(error.into()),
            Err(Unsolved::Broken(gave_up @ Broken::GaveUp)) => {
                draft.expect_failure(FailureClass::Conflict, gave_up.to_string());
                return Ok(draft);
            }
            Err(Unsolved::Clash(clash)) if draft.leave_out_optional(&mut wanted, &clash) => {}
            Err(Unsolved::Clash(clash)) => {
                draft.expect_failure(clash.class, clash.words);
                return Ok(draft);
            }
        }
    }
}

fn roots(wanted: &BTreeMap<String, Wanted>) -> Vec<Root> {
    let mut roots = Vec::new();
    for (name, wanted) in wanted {
        if let Some(text) = wanted.importers() {
            roots.push(Root { requirement: Requirement::bare(name), asker: Asker::Import { text } });
        }
        if let Some(pin) = &wanted.pin {
            let declared = wanted.place.clone().map(|place| Asker::Declared { place });
            roots.push(Root { requirement: pin.clone(), asker: declared.unwrap_or(Asker::InstallLine) });
        }
    }
    roots.extend(SEEDS.map(|seed| Root { requirement: Requirement::bare(seed), asker: Asker::Environment }));
    roots
}

fn at_most(minor: PythonVersion) -> BTreeMap<String, Version> {
    let last = LAST_TRANSLATING_SETUPTOOLS.parse().expect("the constant is a version");
    (minor <= LAST_TRANSLATED).then(|| ("setuptools".to_owned(), last)).into_iter().collect()
}

impl EnvironmentPlan {
    /// Takes names out that the index does not have, and says so.
    fn drop_absent(&mut self, wanted: &mut BTreeMap<String, Wanted>, index: &Index) -> Result<(), PlanError> {
        let mut kept = BTreeMap::new();
        for (name, wanted) in std::mem::take(wanted) {
            let why = match index.history(&name)? {
                Lookup::Absent => UnresolvedReason::UnknownName,
                Lookup::Known { history, .. } if history.releases.is_empty() => UnresolvedReason::NoRelease,
                Lookup::Known { .. } => {
                    kept.insert(name, wanted);
                    continue;
                }
            };
            let what = wanted.imports.first().map_or(&name, |import| import);
            self.leave(what, &why);
        }
        *wanted = kept;
        Ok(())
    }

    /// The notebook's own pins do not step back.
    fn possible_step_backs(&mut self, asked: &[StepBack], wanted: &BTreeMap<String, Wanted>) -> Vec<StepBack> {
        let (pinned, possible): (Vec<&StepBack>, Vec<&StepBack>) = asked
            .iter()
            .partition(|step| wanted.get(&step.distribution).is_some_and(|wanted| wanted.bounded().is_some()));
        for step in pinned {
            let name = &step.distribution;
            let words = format!("{name} {} stays although {}: the notebook pins it", step.below, step.because);
            self.warn(WarningKind::StepBack, name, words);
        }
        possible.into_iter().cloned().collect()
    }

    /// Leaves out optional imports that took part in a clash; whether there were any.
    fn leave_out_optional(&mut self, wanted: &mut BTreeMap<String, Wanted>, clash: &Clash) -> bool {
        let optional: Vec<String> =
            wanted.iter().filter(|(_, wanted)| wanted.optional).map(|(name, _)| name.clone()).collect();
        let taking_part: Vec<&String> = optional.iter().filter(|name| clash.involved.contains(*name)).collect();
        for name in &taking_part {
            let gone = wanted.remove(*name).unwrap_or_default();
            let unasked = || gone.undeclared.iter().map(|asked| asked.who.clone()).collect();
            let imports: Vec<String> = if gone.imports.is_empty() { unasked() } else { gone.imports };
            let reason = format!("optional, and it cannot be had: {}", clash.words);
            self.skipped.extend(imports.into_iter().map(|import| Skipped { import, reason: reason.clone() }));
        }
        !taking_part.is_empty()
    }

    fn add_solution(&mut self, solution: &Solution, wanted: &BTreeMap<String, Wanted>, step_backs: &[StepBack]) {
        for (name, chosen) in &solution.chosen {
            let line = self.line_of(name, chosen, wanted.get(name), step_backs);
            self.warn_of(name, chosen, &line);
            self.lines.push(line);
        }
        self.note(solution);
    }

    fn note(&mut self, solution: &Solution) {
        self.stale.extend(solution.stale.iter().cloned());
        for ((name, version), why) in &solution.passed_over {
            let what = if version.is_empty() { name.clone() } else { format!("{name} {version}") };
            self.warn(WarningKind::PassedOver, name, format!("{what} was passed over: {why}"));
        }
    }

    fn line_of(&self, name: &str, chosen: &Chosen, wanted: Option<&Wanted>, step_backs: &[StepBack]) -> Line {
        let release = chosen.release();
        let (reason, why) = self.reason(name, chosen, wanted, step_backs);
        let extras: Vec<&str> = chosen.extras.iter().map(String::as_str).collect();
        Line {
            distribution: name.to_owned(),
            extras: if extras.is_empty() { String::new() } else { format!("[{}]", extras.join(",")) },
            version: Some(release.version.clone()),
            bound: format!("=={}", release.version),
            reason,
            why,
            wheels: wheels_of(chosen, self),
            imports: wanted.map(|wanted| wanted.imports.clone()).unwrap_or_default(),
            asked_by: chosen.asked_by.clone(),
            same_name: wanted.is_some_and(|wanted| wanted.same_name),
            released: Some(release.uploaded),
            file: chosen.file().map(LineFile::from),
        }
    }

    fn reason(
        &self,
        name: &str,
        chosen: &Chosen,
        wanted: Option<&Wanted>,
        step_backs: &[StepBack],
    ) -> (PlanReason, String) {
        let release = chosen.release();
        let python = &self.interpreter.version;
        if let Some((wanted, pin)) = wanted.and_then(|wanted| Some((wanted, wanted.bounded()?))) {
            return (PlanReason::NotebookPin, format!("{} {pin}", wanted.pinned_by()));
        }
        let held_back = || chosen.by_date.as_ref().filter(|_| !chosen.held_back_by.is_empty());
        match (chosen.grade, held_back()) {
            (Grade::Straddles(_), Some(newest)) => return (PlanReason::WheelAfterDate, required(chosen, newest)),
            (Grade::After(_), Some(newest)) => return (PlanReason::OldestAfterDate, required(chosen, newest)),
            (Grade::Straddles(_), None) => {
                let words = format!("released before the date, but for Python {python} only later; nothing older fits");
                return (PlanReason::WheelAfterDate, words);
            }
            (Grade::After(_), None) => {
                return (PlanReason::OldestAfterDate, format!("nothing of before the date fits Python {python}"));
            }
            (Grade::Before(_) | Grade::Unusable(_), _) => {}
        }
        if let Some(step) = step_backs.iter().filter(|step| step.distribution == name).min_by_key(|step| &step.below) {
            let words = format!("{} instead of {}: {}", release.version, step.below, step.because);
            return (PlanReason::SteppedBack, words);
        }
        match &chosen.by_date {
            Some(newest) if *newest != release.version => (PlanReason::Required, required(chosen, newest)),
            _ => (PlanReason::NewestBeforeDate, "the newest before the date".into()),
        }
    }

    fn warn_of(&mut self, name: &str, chosen: &Chosen, line: &Line) {
        let release = chosen.release();
        let version = &release.version;
        let python = self.interpreter.version.clone();
        if let (Grade::Straddles(_) | Grade::After(_), Some(file)) = (chosen.grade, chosen.file()) {
            let day = file.uploaded.strftime("%Y-%m-%d");
            let words =
                format!("{name} {version} can be installed on Python {python} only since {day}, after the date");
            self.warn(WarningKind::StraddlesDate, name, words);
        }
        if release.yanked {
            let words = format!("{name} {version} was yanked; the notebook names it exactly");
            self.warn(WarningKind::Yanked, name, words);
        }
        let from_source = line.file.as_ref().is_some_and(|file| !file.is_wheel());
        if from_source && chosen.history.releases.iter().any(|other| other.wheels().any(|tags| !tags.ends_with("-any")))
        {
            let words = format!("{name} {version} is built from source, which may need a compiler");
            self.warn(WarningKind::NeedsCompiler, name, words);
        }
        if !chosen.requirements_known {
            let words = format!("what {name} {version} requires could not be read");
            self.warn(WarningKind::UnknownRequirements, name, words);
        }
    }

    /// What the source archives among the lines are built with.
    fn add_build_lines(&mut self, solution: &Solution, index: &Index) -> Result<(), PlanError> {
        let roots = self.build_roots(solution, index)?;
        if roots.is_empty() {
            return Ok(());
        }
        let preferred = self.lines.iter().filter_map(|line| Some((line.distribution.clone(), line.version.clone()?)));
        let preferred = preferred.filter(|(name, _)| !SEEDS.contains(&name.as_str())).collect();
        let problem = Problem {
            interpreter: &self.interpreter,
            date: self.date,
            roots,
            step_backs: &[],
            at_most: at_most(self.interpreter.minor()),
            preferred,
        };
        match solve(&problem, index) {
            Ok(solution) => {
                for (name, chosen) in &solution.chosen {
                    let line = self.line_of(name, chosen, None, &[]);
                    self.build.push(line);
                }
                self.note(&solution);
            }
            Err(Unsolved::Broken(Broken::Index(error))) => return Err(error.into()),
            Err(Unsolved::Broken(gave_up @ Broken::GaveUp)) => {
                self.warn(WarningKind::BuildRequirements, "", gave_up.to_string());
            }
            Err(Unsolved::Clash(clash)) => {
                let words = format!("the source archives cannot be built with one set of tools: {}", clash.words);
                self.warn(WarningKind::BuildRequirements, "", words);
            }
        }
        Ok(())
    }

    fn build_roots(&self, solution: &Solution, index: &Index) -> Result<Vec<Root>, PlanError> {
        let markers = MarkerEnvironment::of(&self.interpreter);
        let mut roots = Vec::new();
        for (name, chosen) in &solution.chosen {
            let Some(file) = chosen.file().filter(|file| !file.name.ends_with(".whl")) else { continue };
            let metadata = index.metadata(&chosen.history, file)?;
            let declared = &metadata.build_requires;
            let mut requirements: Vec<Requirement> =
                declared.iter().filter_map(|text| Requirement::read(text)).collect();
            if declared.is_empty() {
                requirements.extend(SEEDS.map(Requirement::bare));
            }
            requirements.retain(|requirement| requirement.applies(&markers, None));
            let of = format!("{name} {}", chosen.release().version);
            let root = |requirement| Root { requirement, asker: Asker::Build { of: of.clone() } };
            roots.extend(requirements.into_iter().map(root));
        }
        Ok(roots)
    }
}

/// Whether the chosen file is a wheel; else whether the release is compiled.
fn wheels_of(chosen: &Chosen, plan: &EnvironmentPlan) -> Wheels {
    if chosen.file().is_some_and(|file| file.name.ends_with(".whl")) {
        return Wheels::Fit;
    }
    match wheels(chosen.release(), &plan.interpreter) {
        // The wheel came later: on the date there was the source archive alone.
        Wheels::Fit => Wheels::SourceOnly,
        other => other,
    }
}

fn required(chosen: &Chosen, newest: &Version) -> String {
    let held: BTreeSet<String> =
        chosen.held_back_by.iter().map(|asked| format!("{} needs {}", asked.who, asked.requirement)).collect();
    if held.is_empty() {
        format!("the newest beside the others ({newest} is not)")
    } else {
        let held: Vec<String> = held.into_iter().collect();
        format!("not {newest}: {}", held.join("; "))
    }
}
