//! Selects the rules that an execution's feedback calls, and lets them act.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use jiff::civil::Date;
use nbrevive_census::ApiRow;
use nbrevive_corpus::FixType;
use nbrevive_notebook::{Notebook, PythonVersion, python_major_hint, python_version_hint};
use nbrevive_pysource::dialect::{Major, dialect};
use nbrevive_pysource::parse::{Parsed, parse};

use crate::change::{Change, Finished, Site};
use crate::document::is_nowhere;
use crate::faults::Faults;
use crate::rule::{Day, Rewrite, Rule, Trigger};
use crate::signature::Told;
use crate::version::version_parts;
use crate::view::{Code, Source, View};
use crate::{
    AppliedRule, CellFeedback, Feedback, Proposal, catalogue, census, fix_type, keywords, methods, moves, positional,
    python,
};

/// A rule is run again on its own result at most so often (nested places need one run each).
const MOST_RUNS: usize = 12;

/// The id of the rule that reads the census.
const CENSUS: &str = "census";

/// The id of the rule that takes a failing import out of the way of what stands behind it.
const FAILING_IMPORT: &str = "notebook-failing-import";

/// The catalogue of API migrations, let loose on a notebook.
#[derive(Debug, Clone, Copy, Default)]
pub struct Rules;

impl Rules {
    /// What the rules that the feedback calls make of the notebook; `None` when they leave it alone.
    #[must_use]
    pub fn propose(self, feedback: &Feedback<'_>) -> Option<Proposal> {
        self.propose_without(feedback, &BTreeSet::new())
    }

    /// The same with the part of these rules left out, named by their ids.
    #[must_use]
    pub fn propose_without(self, feedback: &Feedback<'_>, rules: &BTreeSet<String>) -> Option<Proposal> {
        let takes_part = |id: &str| !rules.contains(id);
        steps(fix_type(feedback)).iter().find_map(|step| attempt(feedback, *step, &takes_part))
    }

    /// The notebook as Python 3 reads it: what only Python 2 reads is written otherwise, by the rules that go by the text alone.
    #[must_use]
    pub fn reading(self, notebook: &Notebook) -> Notebook {
        let packages = BTreeMap::new();
        let feedback = Feedback::of_errors(notebook, Vec::new(), &packages);
        let turns: Vec<Turn<'_>> = python::SPELLINGS.iter().copied().flatten().map(Turn::unasked).collect();
        let mut cells = sources(&feedback);
        run(&turns, &mut cells, &feedback);
        with_sources(notebook, &cells)
    }

    /// What the rules of these ids make of the feedback's errors; `None` when they leave the notebook alone.
    #[must_use]
    pub fn propose_of(self, feedback: &Feedback<'_>, ids: &[&str]) -> Option<Proposal> {
        [Step::Errors, Step::Switches].iter().find_map(|step| attempt(feedback, *step, &|id| ids.contains(&id)))
    }
}

/// A group of rules that are tried together; the first group that changes something is the proposal.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    /// Errors, and with them all that is certain.
    Errors,
    /// Old behaviours as a whole, where nothing finer acts.
    Switches,
    /// Silent changes whose old meaning is certain.
    Silent,
    /// Defaults of the time of submission.
    OldDefaults,
    /// Less work, by stage.
    Slow(u8),
}

impl Step {
    fn fix_type(self) -> FixType {
        match self {
            Self::Errors | Self::Switches => FixType::ErrorRepair,
            Self::Silent | Self::OldDefaults => FixType::ScoreCalibration,
            Self::Slow(_) => FixType::RuntimeReduction,
        }
    }
}

/// What is tried for an issue. Errors may be why an execution takes too long, so they come after the savings.
fn steps(aim: FixType) -> &'static [Step] {
    match aim {
        FixType::RuntimeReduction => &[Step::Slow(1), Step::Slow(2), Step::Errors, Step::Switches],
        FixType::ErrorRepair => &[Step::Errors, Step::Switches],
        FixType::ScoreCalibration => &[Step::Silent, Step::OldDefaults],
    }
}

/// A rule that takes part, and the errors by which it was called.
struct Turn<'f> {
    rule: &'static Rule,
    errors: Vec<&'f CellFeedback>,
}

impl Turn<'_> {
    /// Of a rule that no error called.
    fn unasked(rule: &'static Rule) -> Self {
        Turn { rule, errors: Vec::new() }
    }
}

fn attempt(feedback: &Feedback<'_>, step: Step, takes_part: &dyn Fn(&str) -> bool) -> Option<Proposal> {
    if matches!(step, Step::Errors | Step::Switches) && feedback.errors.is_empty() {
        return None;
    }
    let mut errors: Vec<&CellFeedback> = feedback.errors.iter().collect();
    errors.retain(|error| !is_nowhere(error, feedback));
    let told = Told::of(errors);
    let turns: Vec<Turn<'_>> = catalogue()
        .filter(|rule| takes_part(rule.id))
        .filter_map(|rule| Some(Turn { rule, errors: selection(rule, feedback, &told, step)? }))
        .collect();
    let mut cells = sources(feedback);
    let mut applied = run(&turns, &mut cells, feedback);
    // What the census knows goes before what can be done for any import.
    if applied.iter().all(|one| one.rule == FAILING_IMPORT) && step == Step::Errors && takes_part(CENSUS) {
        let mut anew = sources(feedback);
        let known = look_up(feedback, &mut anew);
        if !known.is_empty() {
            (cells, applied) = (anew, known);
        }
    }
    if applied.is_empty() {
        return None;
    }
    let notebook = with_sources(feedback.notebook, &cells);
    if notebook == *feedback.notebook {
        return None;
    }
    Some(Proposal { notebook, fix_type: step.fix_type(), plan: plan(&turns, &applied), applied })
}

fn sources(feedback: &Feedback<'_>) -> Vec<Source> {
    feedback.notebook.code_cells().map(|(index, cell)| Source::new(index, &cell.source)).collect()
}

/// What stands in the census in the place of something that an error speaks of and no rule of the catalogue knows.
fn look_up(feedback: &Feedback<'_>, cells: &mut [Source]) -> Vec<AppliedRule> {
    let errors: Vec<&CellFeedback> = feedback.errors.iter().filter(|error| !is_nowhere(error, feedback)).collect();
    let is_installed =
        |row: &ApiRow| feedback.packages.get(&row.library).is_none_or(|installed| census::is_without(row, installed));
    let found = census::mend(&Code::of_run(cells, feedback.ran.facts), &errors, &is_installed);
    let Some((Finished { texts, sites, .. }, row)) = found else { return Vec::new() };
    let is_allowed = |position: usize| !feedback.barred.contains(&(CENSUS.to_owned(), cells[position].cell));
    let allowed = texts.iter().filter(|(position, _)| is_allowed(*position));
    let parsed: Vec<(usize, Parsed)> = allowed.map(|(position, text)| (*position, parse(text))).collect();
    let sound = |(position, parsed): &(usize, Parsed)| parsed.errors().len() <= cells[*position].parsed.errors().len();
    if !parsed.iter().all(sound) {
        return Vec::new();
    }
    let applied = sites.iter().filter(|site| is_allowed(site.place.0)).map(|site| AppliedRule {
        rule: CENSUS.to_owned(),
        cell: cells[site.place.0].cell,
        line: site.line,
        reason: census::reason(&row),
    });
    let applied = applied.collect();
    for (position, parsed) in parsed {
        cells[position].parsed = parsed;
    }
    applied
}

/// Whether a rule takes part in a step, and with which errors.
fn selection<'f>(rule: &Rule, feedback: &Feedback<'_>, told: &Told<'f>, step: Step) -> Option<Vec<&'f CellFeedback>> {
    match (rule.trigger, step) {
        (Trigger::Error(signatures), Step::Errors) => {
            let errors = told.like(signatures);
            (!errors.is_empty() || rule.certain && is_broken(rule, feedback)).then_some(errors)
        }
        (Trigger::Switch { errors, until }, Step::Switches) => {
            let like = told.like(errors);
            (!like.is_empty() && is_broken(rule, feedback) && !is_over(rule, feedback, until)).then_some(like)
        }
        (Trigger::Silent, Step::Errors | Step::Silent) => is_broken(rule, feedback).then(Vec::new),
        (Trigger::OldDefault { before, python }, Step::OldDefaults) => {
            let is_older = is_day_before(feedback.submitted, before) || is_of_python_2(feedback, python);
            (is_older && is_broken(rule, feedback)).then(Vec::new)
        }
        (Trigger::OldDefault { before, python }, Step::Errors) if feedback.target.is_none() => {
            (is_written_before(feedback, before, python) && is_broken(rule, feedback)).then(Vec::new)
        }
        (Trigger::Slow { stage }, Step::Slow(wanted)) => (stage == wanted).then(Vec::new),
        _ => None,
    }
}

fn is_day_before(known: Option<Date>, (year, month, day): Day) -> bool {
    let Ok(limit) = Date::new(year, month, day) else { return false };
    known.is_some_and(|known| known < limit)
}

/// Whether a notebook is older than a release beyond doubt: by its day, by what it uses, or by the Python that saved it.
fn is_written_before(feedback: &Feedback<'_>, before: Day, python: PythonVersion) -> bool {
    is_day_before(feedback.submitted.or(feedback.last_day), before)
        || python_version_hint(feedback.notebook).is_some_and(|saved_by| saved_by < python)
        || is_of_python_2(feedback, python)
}

/// Whether something that Python 3.0 changed was changed since: the notebook names Python 2, or has its syntax, which no later run leaves.
fn is_of_python_2(feedback: &Feedback<'_>, changed_in: PythonVersion) -> bool {
    let is_unread = || feedback.errors.iter().any(|error| error.ename == "SyntaxError");
    let is_written_so = || {
        let cells: Vec<&str> = feedback.notebook.code_cells().map(|(_, cell)| cell.source.as_str()).collect();
        dialect(&cells).major == Major::Two
    };
    changed_in == PythonVersion::new(3, 0)
        && (python_major_hint(feedback.notebook) == Some(2) || is_unread() && is_written_so())
}

/// Whether the installed version is one without the old form. An unknown version counts as new.
fn is_broken(rule: &Rule, feedback: &Feedback<'_>) -> bool {
    if rule.library == "python" {
        let parts = version_parts(rule.broken_in);
        let since = PythonVersion::new(parts.first().copied().unwrap_or(0), parts.get(1).copied().unwrap_or(0));
        return feedback.python >= since;
    }
    match feedback.packages.get(rule.library) {
        Some(installed) => version_parts(installed) >= version_parts(rule.broken_in),
        None => true,
    }
}

/// Whether the installed version has no such switch any more.
fn is_over(rule: &Rule, feedback: &Feedback<'_>, until: &str) -> bool {
    let installed = feedback.packages.get(rule.library);
    !until.is_empty() && installed.is_some_and(|installed| version_parts(installed) >= version_parts(until))
}

/// Lets the rules act one after the other, each until nothing is left to do. Most find nothing, so that many share what
/// was read of the code.
fn run(turns: &[Turn<'_>], cells: &mut [Source], feedback: &Feedback<'_>) -> Vec<AppliedRule> {
    let mut applied = Vec::new();
    let mut left = turns;
    let mut runs = 0;
    while !left.is_empty() {
        let code = Code { files: feedback.ran.files, ..Code::of_run(cells, feedback.ran.facts) };
        let mut outcomes = left.iter().map(|turn| outcome_of(turn, &code, &feedback.barred)).enumerate();
        let Some((idle, outcome)) = outcomes.find_map(|(idle, outcome)| Some((idle, outcome?))) else { break };
        runs = if idle == 0 { runs + 1 } else { 1 };
        left = &left[idle..];
        let rule = left[0].rule;
        applied.extend(outcome.sites.iter().map(|site| AppliedRule {
            rule: rule.id.to_owned(),
            cell: cells[site.place.0].cell,
            line: site.line,
            reason: format!("{} {}: {}", rule.library, rule.broken_in, rule.change),
        }));
        for (position, parsed) in outcome.parsed {
            cells[position].parsed = parsed;
        }
        if !outcome.again || runs == MOST_RUNS {
            left = &left[1..];
            runs = 0;
        }
    }
    applied
}

/// The changes of one run of a rule.
struct Outcome {
    parsed: Vec<(usize, Parsed)>,
    sites: Vec<Site>,
    again: bool,
}

/// What a rule makes of the code; `None` when it leaves it alone. A result that breaks a cell which parsed before is
/// thrown away.
fn outcome_of(turn: &Turn<'_>, code: &Code<'_>, barred: &BTreeSet<(String, usize)>) -> Option<Outcome> {
    let Finished { mut texts, mut sites, again } = act(turn.rule, code, &turn.errors);
    if !barred.is_empty() && !texts.is_empty() {
        let is_allowed = |position: usize| !barred.contains(&(turn.rule.id.to_owned(), code.cells[position].cell));
        texts.retain(|(position, _)| is_allowed(*position));
        sites.retain(|site| is_allowed(site.place.0));
    }
    let parsed: Vec<(usize, Parsed)> = texts.iter().map(|(position, text)| (*position, parse(text))).collect();
    let keeps_syntax =
        parsed.iter().all(|(position, parsed)| parsed.errors().len() <= code.cells[*position].parsed.errors().len());
    (!parsed.is_empty() && keeps_syntax).then_some(Outcome { parsed, sites, again })
}

/// One run of one rule.
pub(crate) fn act(rule: &Rule, code: &Code<'_>, errors: &[&CellFeedback]) -> Finished {
    if rule.rewrite.may_act_on(&code.index.words) { rewritten(rule, code, errors) } else { Finished::default() }
}

/// One run of one rule, whatever the words of the code are.
pub(crate) fn rewritten(rule: &Rule, code: &Code<'_>, errors: &[&CellFeedback]) -> Finished {
    let view = View { code, errors: errors.to_vec(), faults: Faults::of(errors) };
    let mut change = Change::new(code);
    match rule.rewrite {
        Rewrite::Move(table) => moves::apply(table, &view, &mut change),
        Rewrite::Method(table) => methods::apply(table, &view, &mut change),
        Rewrite::Keyword(table) => keywords::apply(table, &view, &mut change),
        Rewrite::Positional(table) => positional::apply(table, &view, &mut change),
        Rewrite::Code(rewrite) => rewrite(&view, &mut change),
    }
    change.finish()
}

fn with_sources(notebook: &Notebook, cells: &[Source]) -> Notebook {
    let mut result = notebook.clone();
    for source in cells {
        source.parsed.source().clone_into(&mut result.cells[source.cell].source);
    }
    result
}

fn plan(turns: &[Turn<'_>], applied: &[AppliedRule]) -> String {
    let mut text = String::new();
    for Turn { rule, .. } in turns {
        let places = applied.iter().filter(|one| one.rule == rule.id).count();
        let noun = match places {
            0 => continue,
            1 => "place",
            _ => "places",
        };
        let _ =
            write!(text, "- {} ({places} {noun}): {}, since {} {}", rule.id, rule.change, rule.library, rule.broken_in);
        if !rule.shift.is_empty() {
            let _ = write!(text, "; {}", rule.shift);
        }
        text.push('\n');
    }
    for one in applied.iter().filter(|one| one.rule == CENSUS) {
        let _ = writeln!(text, "- {}, line {}: {}", one.rule, one.line, one.reason);
    }
    text
}
