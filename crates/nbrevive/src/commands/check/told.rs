//! What is said before the first notebook runs.

use nbrevive_environment::declared::{DeclarationFile, DeclarationStanding, SystemPackage, UnreadDeclaration};
use nbrevive_environment::plan::{Line, WarningKind};
use nbrevive_shown::{Shown, shown};
use nbrevive_study::{OfRepository, SurveyedRepository};

use super::Subject;
use crate::printer;

/// Things that are told one by one at most.
const MOST_TOLD: usize = 20;

/// Says which commit it is, and what of the repository notebooks will not find.
pub(super) fn tell_subject(subject: &Subject) {
    if let Subject::Commit(brought) = subject {
        let day = brought.committed.strftime("%Y-%m-%d");
        printer::note(&shown!("{} at commit {} of {}", brought.surveyed.name(), &brought.commit, day));
        tell(brought.left_out.iter().map(|left| shown!("{}: {}", &left.path, &left.why)));
    }
    let folder = subject.folder();
    let inner =
        |path: &std::path::Path| folder.and_then(|folder| path.strip_prefix(folder).ok()).unwrap_or(path).to_owned();
    tell(
        subject
            .surveyed()
            .withheld()
            .iter()
            .map(|held| shown!("{} is left out of their copy: {}", inner(&held.path).display(), &held.why)),
    );
    if folder.is_some() {
        let pointers = subject.surveyed().pointers().into_iter();
        tell(pointers.map(|path| shown!("{}: its data is with git-lfs, and is not here", &path)));
    }
    if subject.surveyed().tree.has(".gitmodules") && folder.is_some() {
        printer::note(&Shown::literal("it has submodules, which are checked as far as they are there"));
    }
}

/// Says what is declared, and what could not be read of it.
pub(crate) fn tell_declared(surveyed: &SurveyedRepository) {
    for note in declared(surveyed) {
        printer::note(&note);
    }
}

/// What is declared, and what could not be read of it, a line each.
pub(super) fn declared(surveyed: &SurveyedRepository) -> Vec<Shown> {
    let declared = &surveyed.declared;
    let mut notes = Vec::new();
    if declared.declares() {
        let counts = [DeclarationStanding::Counts, DeclarationStanding::Constraint];
        let counting = declared.files.iter().filter(|file| counts.contains(&file.standing));
        let files = counting.map(|file| Shown::line(&file.path));
        notes.push(shown!("declared by {}", Shown::joined(files, ", ")));
    } else {
        notes.push(Shown::literal("the repository declares no distribution"));
    }
    let candidates = declared.candidates().into_iter().map(|row| {
        shown!(
            "{}:{}: `{}` is said to be installed, and not declared: it counts for nothing",
            &row.file,
            row.line,
            &row.written
        )
    });
    notes.extend(few(candidates));
    let passed: Vec<Shown> = declared.files.iter().filter_map(passed_over).collect();
    notes.extend(few(passed.into_iter()));
    let counts = |package: &&SystemPackage| package.standing == DeclarationStanding::Counts;
    let system: Vec<Shown> = declared.system.iter().filter(counts).map(system).collect();
    if !system.is_empty() {
        notes.push(shown!("no package of the system is installed: {}", Shown::joined(few(system.into_iter()), ", ")));
    }
    notes.extend(few(declared.unread.iter().map(left_out)));
    notes
}

/// Why a file does not count that tools read elsewhere.
fn passed_over(file: &DeclarationFile) -> Option<Shown> {
    let why = match file.standing {
        DeclarationStanding::Superseded => "what stands in Binder's folder goes before it",
        DeclarationStanding::Extra => "it is for developers, or for some, beside another file",
        _ => return None,
    };
    Some(shown!("{} counts for nothing: {}", &file.path, why))
}

fn system(package: &SystemPackage) -> Shown {
    shown!("{} ({}:{})", &package.name, &package.file, package.line)
}

/// What could not be read, and why. A whole file has neither line nor piece.
fn left_out(unread: &UnreadDeclaration) -> Shown {
    let UnreadDeclaration { file, line, piece, reason, detail } = unread;
    let place = if *line == 0 { Shown::line(file) } else { shown!("{}:{}", file, line) };
    let place = if piece.is_empty() { place } else { shown!("{}: `{}`", place, piece) };
    let detail = if detail.is_empty() { Shown::default() } else { shown!(" ({})", detail) };
    shown!("{} is left out: {}{}", place, reason, detail)
}

/// Says what it runs in.
pub(super) fn tell_environment(environment: &OfRepository) {
    let OfRepository { prepared, plan } = environment;
    printer::note(&shown!(
        "environment {} with Python {} and {} distributions, {}",
        &prepared.id,
        &prepared.python,
        prepared.packages.len(),
        plan.strategy
    ));
    for note in lacking(environment) {
        printer::note(&note);
    }
}

/// Why it is no other Python, what of the declared gave way, what is imported and was not declared, and which imports nothing was found for, a
/// line each.
pub(super) fn lacking(environment: &OfRepository) -> Vec<Shown> {
    let plan = &environment.plan.plan;
    let of_kind = |kind: WarningKind| {
        let told = plan.warnings.iter().filter(|warning| warning.kind == kind);
        told.map(|warning| Shown::line(&warning.words)).collect::<Vec<Shown>>()
    };
    let mut notes = of_kind(WarningKind::OtherInterpreter);
    notes.extend(few(of_kind(WarningKind::Loosened).into_iter()));
    let is_missing =
        |line: &&Line| !line.imports.is_empty() && !environment.plan.places.contains_key(&line.distribution);
    let missing: Vec<Shown> =
        plan.lines.iter().filter(is_missing).map(|line| Shown::line(&line.requirement())).collect();
    if !missing.is_empty() && !environment.plan.places.is_empty() {
        notes.push(shown!("imported and not declared: {}", Shown::joined(few(missing.into_iter()), ", ")));
    }
    notes.extend(few(plan.unresolved.iter().map(|unresolved| shown!("{}: {}", &unresolved.what, &unresolved.reason))));
    notes
}

fn tell(notes: impl ExactSizeIterator<Item = Shown>) {
    few(notes).iter().for_each(printer::note);
}

/// The first of some notes, and how many there are besides.
fn few(notes: impl ExactSizeIterator<Item = Shown>) -> Vec<Shown> {
    let more = notes.len().saturating_sub(MOST_TOLD);
    let mut few: Vec<Shown> = notes.take(MOST_TOLD).collect();
    if more > 0 {
        few.push(shown!("and {} more", more));
    }
    few
}
