//! All triggers, in rounds: what is still open is executed in one sandbox, then the rules propose.

use std::collections::BTreeMap;
use std::time::Instant;

use serde_json::Value;

use crate::CellFeedback;
use crate::trial::account::{FormAccount, TrialAccount, TrialVerdict, TriggerAccount};
use crate::trial::attempt::{Attempt, touches};
use crate::trial::compare::same_value;
use crate::trial::form::{Form, shared_lines};
use crate::trial::stack::{Case, CaseReport, Group, Stack, StackError};
use crate::trial::table::TriggerRow;
use crate::trial::together::{Together, together, value_name};

/// How triggers are tried.
#[derive(Debug, Clone)]
pub struct TrialSettings {
    /// Forms besides the table's own.
    pub forms: Vec<Form>,
    /// Cases that run at the same time.
    pub jobs: usize,
    /// Seconds that one case may take. 180 by default: the first import of a large library from a cold disk is slow.
    pub seconds: f64,
    /// Proposals for one case at most; 16 by default, as in the workflow.
    pub most_fixes: usize,
}

impl Default for TrialSettings {
    fn default() -> Self {
        Self { forms: Form::ALL.to_vec(), jobs: 2, seconds: 180.0, most_fixes: 16 }
    }
}

/// Why triggers could not be tried.
#[derive(Debug, thiserror::Error)]
pub enum TrialError {
    /// The cases could not be run.
    #[error(transparent)]
    Stack(#[from] StackError),
}

/// One open case: trigger, form and where it stands. `Together` cases belong to several triggers.
struct Open<'e> {
    members: Vec<usize>,
    form: Form,
    attempt: Attempt,
    expected: Vec<(String, &'e Value)>,
}

/// Tries all rows on one stack. `told` hears of each round: its number and how many cases it has.
///
/// # Errors
/// When the sandbox cannot run them.
pub fn try_rules(
    rows: &[TriggerRow],
    stack: &Stack,
    settings: &TrialSettings,
    told: &mut dyn FnMut(usize, usize),
) -> Result<TrialAccount, TrialError> {
    let started = Instant::now();
    let replacements: Vec<(usize, Vec<String>)> =
        rows.iter().enumerate().map(|(number, row)| (number, vec![row.replacement.clone()])).collect();
    let reports = run(rows, &replacements, stack, settings)?;
    let expected: BTreeMap<usize, Value> = reports
        .iter()
        .filter(|(_, report)| report.errors.is_empty() && report.died.is_none())
        .map(|(number, report)| (*number, report.value().cloned().unwrap_or(Value::Null)))
        .collect();
    let mut triggers: Vec<TriggerAccount> = rows
        .iter()
        .enumerate()
        .map(|(number, row)| TriggerAccount {
            id: row.id.clone(),
            library: row.library.clone(),
            replacement_failed: !expected.contains_key(&number),
            replacement_differs: differs(row, expected.get(&number)),
            touched: Vec::new(),
            forms: BTreeMap::new(),
        })
        .collect();

    let mut open = open_forms(rows, &expected, settings);
    let first = rounds(rows, &mut open, stack, settings, told)?;
    for (number, error) in &first {
        let cells = [rows[*number].replacement.clone()];
        let found = touches(&cells, None, stack).or_else(|| touches(&cells, error.as_ref(), stack));
        triggers[*number].touched = found.unwrap_or_default();
    }
    settle(&open, &mut triggers);
    if settings.forms.contains(&Form::Together) {
        let repaired = |number: &usize| triggers[*number].own() == Some(TrialVerdict::Repaired);
        let candidates = (0..rows.len()).filter(repaired);
        let groups =
            together(candidates.map(|number| (number, rows[number].library.as_str(), rows[number].trigger.as_str())));
        let mut open: Vec<Open<'_>> = groups.into_iter().map(|group| open_together(group, &expected)).collect();
        rounds(rows, &mut open, stack, settings, told)?;
        settle(&open, &mut triggers);
    }
    doubt(rows, &expected, &mut triggers, stack, settings)?;
    Ok(TrialAccount { triggers, seconds: started.elapsed().as_secs_f64() })
}

/// Whether the replacement's value is another than the one that was recorded.
fn differs(row: &TriggerRow, found: Option<&Value>) -> bool {
    matches!((&row.recorded, found), (Some(recorded), Some(found)) if !same_value(recorded, found))
}

fn open_forms<'e>(
    rows: &[TriggerRow],
    expected: &'e BTreeMap<usize, Value>,
    settings: &TrialSettings,
) -> Vec<Open<'e>> {
    let mut open = Vec::new();
    for (number, row) in rows.iter().enumerate() {
        let setup = shared_lines(&row.trigger, &row.replacement);
        for form in Form::ALL.iter().copied().filter(|form| *form == Form::Own || settings.forms.contains(form)) {
            let Some(cells) = form.cells(&row.trigger, setup) else { continue };
            if !expected.contains_key(&number) {
                continue;
            }
            let expected = expected.get(&number).map(|value| (String::new(), value));
            open.push(Open {
                members: vec![number],
                form,
                attempt: Attempt::new(cells),
                expected: expected.into_iter().collect(),
            });
        }
    }
    open
}

fn open_together(group: Together, expected: &BTreeMap<usize, Value>) -> Open<'_> {
    let values = group.members.iter().filter_map(|number| Some((value_name(*number), expected.get(number)?)));
    let expected = values.collect();
    Open { members: group.members, form: Form::Together, attempt: Attempt::new(group.cells), expected }
}

/// Executes and repairs until every case is settled. Returns the first error of each trigger's own form.
fn rounds(
    rows: &[TriggerRow],
    open: &mut [Open<'_>],
    stack: &Stack,
    settings: &TrialSettings,
    told: &mut dyn FnMut(usize, usize),
) -> Result<BTreeMap<usize, Option<CellFeedback>>, TrialError> {
    let mut first = BTreeMap::new();
    for round in 0..=settings.most_fixes {
        let left: Vec<(usize, Vec<String>)> = open
            .iter()
            .enumerate()
            .filter(|(_, one)| one.attempt.verdict.is_none())
            .map(|(place, one)| (place, one.attempt.cells.clone()))
            .collect();
        if left.is_empty() {
            break;
        }
        told(round, left.len());
        let owners: Vec<usize> = open.iter().map(|one| one.members[0]).collect();
        let reports = run_as(rows, &left, &owners, stack, settings)?;
        for (place, _) in &left {
            let one = &mut open[*place];
            let missing = CaseReport { died: Some("no report".to_owned()), ..CaseReport::default() };
            let report = reports.get(place).unwrap_or(&missing);
            if round == 0 && one.form == Form::Own {
                first.insert(one.members[0], report.errors.first().map(feedback_of));
            }
            let expected: Vec<(&str, &Value)> =
                one.expected.iter().map(|(key, value)| (key.as_str(), *value)).collect();
            one.attempt.step(report, &expected, stack, settings.most_fixes);
        }
    }
    Ok(first)
}

fn feedback_of(error: &crate::trial::stack::CaseError) -> CellFeedback {
    CellFeedback {
        cell: error.cell,
        ename: error.ename.clone(),
        evalue: error.evalue.clone(),
        traceback: error.traceback.clone(),
        line: error.line,
    }
}

fn settle(open: &[Open<'_>], triggers: &mut [TriggerAccount]) {
    for one in open {
        for member in &one.members {
            let account = FormAccount {
                verdict: one.attempt.verdict.unwrap_or(TrialVerdict::NotRepaired),
                fixes: one.attempt.fixes,
                rules: one.attempt.rules.clone(),
                error: if one.attempt.verdict == Some(TrialVerdict::Repaired) {
                    String::new()
                } else {
                    one.attempt.last_error.clone()
                },
                cells: one.attempt.cells.clone(),
            };
            triggers[*member].forms.insert(one.form, account);
        }
    }
}

/// A form in which the replacement itself has another value says nothing of the rules.
fn doubt(
    rows: &[TriggerRow],
    expected: &BTreeMap<usize, Value>,
    triggers: &mut [TriggerAccount],
    stack: &Stack,
    settings: &TrialSettings,
) -> Result<(), TrialError> {
    let mut cases = Vec::new();
    let mut owners = Vec::new();
    let mut forms = Vec::new();
    for (number, row) in rows.iter().enumerate() {
        let setup = shared_lines(&row.replacement, &row.trigger);
        for (form, account) in &triggers[number].forms {
            let open = matches!(account.verdict, TrialVerdict::Differs | TrialVerdict::NotRepaired);
            if *form == Form::Own || *form == Form::Together || !open {
                continue;
            }
            let Some(cells) = form.cells(&row.replacement, setup) else { continue };
            cases.push((cases.len(), cells));
            owners.push(number);
            forms.push(*form);
        }
    }
    let reports = run_as(rows, &cases, &owners, stack, settings)?;
    for (place, _) in &cases {
        let (number, form) = (owners[*place], forms[*place]);
        let ran = reports.get(place).filter(|report| report.errors.is_empty() && report.died.is_none());
        let value = ran.map(|report| report.value().unwrap_or(&Value::Null));
        let same = match (value, expected.get(&number)) {
            (Some(value), Some(wanted)) => same_value(value, wanted),
            _ => false,
        };
        if let Some(account) = triggers[number].forms.get_mut(&form).filter(|_| !same) {
            account.verdict = TrialVerdict::NotApplicable;
        }
    }
    Ok(())
}

fn run(
    rows: &[TriggerRow],
    cases: &[(usize, Vec<String>)],
    stack: &Stack,
    settings: &TrialSettings,
) -> Result<BTreeMap<usize, CaseReport>, TrialError> {
    let owners: Vec<usize> = (0..rows.len()).collect();
    run_as(rows, cases, &owners, stack, settings)
}

/// Runs cases; `owners` says, for each case's number, whose library decides what is imported before.
fn run_as(
    rows: &[TriggerRow],
    cases: &[(usize, Vec<String>)],
    owners: &[usize],
    stack: &Stack,
    settings: &TrialSettings,
) -> Result<BTreeMap<usize, CaseReport>, TrialError> {
    if cases.is_empty() {
        return Ok(BTreeMap::new());
    }
    let mut groups: BTreeMap<Vec<String>, Group> = BTreeMap::new();
    for (number, cells) in cases {
        let preload = preload(&rows[owners[*number]].library);
        let group = groups.entry(preload.clone()).or_insert_with(|| Group { preload, cases: Vec::new() });
        group.cases.push(Case { number: *number, cells: cells.clone(), value: "r".to_owned() });
    }
    let groups: Vec<Group> = groups.into_values().collect();
    let reports = stack.run(&groups, settings.seconds, settings.jobs)?;
    Ok(reports.into_iter().map(|report| (report.number, report)).collect())
}

/// What a notebook that uses a library has imported anyway.
fn preload(library: &str) -> Vec<String> {
    let names: &[&str] = match library {
        "pandas" | "numpy" | "python" => &["numpy", "pandas"],
        "sklearn" | "imblearn" | "scipy" | "statsmodels" => &[
            "numpy",
            "pandas",
            "scipy.stats",
            "sklearn.datasets",
            "sklearn.ensemble",
            "sklearn.linear_model",
            "sklearn.model_selection",
            "sklearn.preprocessing",
        ],
        "matplotlib" | "seaborn" => &["numpy", "pandas", "matplotlib.pyplot", "seaborn"],
        "PIL" | "skimage" | "networkx" | "nltk" | "sympy" | "IPython" | "mlxtend" | "sklearn_pandas" => &["numpy"],
        other => return vec!["numpy".to_owned(), "pandas".to_owned(), other.to_owned()],
    };
    names.iter().map(|name| (*name).to_owned()).collect()
}
