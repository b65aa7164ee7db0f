//! All triggers, library by library, in rounds: what is still open is executed in one sandbox, then the rules propose.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use serde_json::Value;

use crate::CellFeedback;
use crate::trial::account::{FormAccount, TrialAccount, TrialVerdict, TriggerAccount};
use crate::trial::attempt::{Attempt, touches};
use crate::trial::cases::{Case, CaseReport, CaseRounds};
use crate::trial::compare::same_value;
use crate::trial::form::{Form, shared_lines};
use crate::trial::stack::{Stack, StackError};
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

/// Tries all rows on one stack, library by library. `told` hears of each round: of which libraries, its number, how many cases it has.
///
/// # Errors
/// When the sandbox cannot run them.
pub fn try_rules(
    rows: &[TriggerRow],
    stack: &Stack,
    settings: &TrialSettings,
    told: &mut dyn FnMut(&str, usize, usize),
) -> Result<TrialAccount, TrialError> {
    let started = Instant::now();
    let mut groups: BTreeMap<BTreeSet<&str>, Vec<usize>> = BTreeMap::new();
    for (number, row) in rows.iter().enumerate() {
        groups.entry(family(&row.library)).or_default().push(number);
    }
    let mut triggers = BTreeMap::new();
    for numbers in groups.into_values() {
        let those: Vec<TriggerRow> = numbers.iter().map(|number| rows[*number].clone()).collect();
        let libraries: BTreeSet<&str> = those.iter().map(|row| row.library.as_str()).collect();
        let rounds = stack.rounds(&preload(&libraries), settings.seconds, settings.jobs)?;
        let libraries = libraries.into_iter().collect::<Vec<_>>().join(", ");
        let mut told = |round: usize, cases: usize| told(&libraries, round, cases);
        let tried =
            Trial { rows: &those, stack, settings, rounds, known: BTreeMap::new(), told: &mut told }.carry_out()?;
        triggers.extend(numbers.into_iter().zip(tried));
    }
    Ok(TrialAccount { triggers: triggers.into_values().collect(), seconds: started.elapsed().as_secs_f64() })
}

/// Rows that need the same imports, and where they run.
struct Trial<'a> {
    rows: &'a [TriggerRow],
    stack: &'a Stack,
    settings: &'a TrialSettings,
    rounds: CaseRounds,
    /// What cells came to: what the rules make of an old form is the replacement in most rows, and that was run before.
    known: BTreeMap<Vec<String>, CaseReport>,
    told: &'a mut dyn FnMut(usize, usize),
}

impl Trial<'_> {
    fn carry_out(mut self) -> Result<Vec<TriggerAccount>, TrialError> {
        let rows = self.rows;
        let replacements: Vec<(usize, Vec<String>)> =
            rows.iter().enumerate().map(|(number, row)| (number, vec![row.replacement.clone()])).collect();
        let expected: BTreeMap<usize, Value> = self
            .run(&replacements)?
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

        let mut open = open_forms(rows, &expected, self.settings);
        let first = self.until_settled(&mut open)?;
        for (number, error) in &first {
            let cells = [rows[*number].replacement.clone()];
            let found = touches(&cells, None, self.stack).or_else(|| touches(&cells, error.as_ref(), self.stack));
            triggers[*number].touched = found.unwrap_or_default();
        }
        settle(&open, &mut triggers);
        if self.settings.forms.contains(&Form::Together) {
            let repaired = |number: &usize| triggers[*number].own() == Some(TrialVerdict::Repaired);
            let candidates = (0..rows.len()).filter(repaired);
            let groups = together(
                candidates.map(|number| (number, rows[number].library.as_str(), rows[number].trigger.as_str())),
            );
            let mut open: Vec<Open<'_>> = groups.into_iter().map(|group| open_together(group, &expected)).collect();
            self.until_settled(&mut open)?;
            settle(&open, &mut triggers);
        }
        self.doubt(&expected, &mut triggers)?;
        Ok(triggers)
    }

    /// Executes and repairs until every case is settled. Returns the first error of each trigger's own form.
    fn until_settled(&mut self, open: &mut [Open<'_>]) -> Result<BTreeMap<usize, Option<CellFeedback>>, TrialError> {
        let mut first = BTreeMap::new();
        for round in 0..=self.settings.most_fixes {
            let left: Vec<(usize, Vec<String>)> = open
                .iter()
                .enumerate()
                .filter(|(_, one)| one.attempt.verdict.is_none())
                .map(|(place, one)| (place, one.attempt.cells.clone()))
                .collect();
            if left.is_empty() {
                break;
            }
            (self.told)(round, left.len());
            let reports = self.run(&left)?;
            for (place, _) in &left {
                let one = &mut open[*place];
                let missing = CaseReport { died: Some("no report".to_owned()), ..CaseReport::default() };
                let report = reports.get(place).unwrap_or(&missing);
                if round == 0 && one.form == Form::Own {
                    first.insert(one.members[0], report.errors.first().map(feedback_of));
                }
                let expected: Vec<(&str, &Value)> =
                    one.expected.iter().map(|(key, value)| (key.as_str(), *value)).collect();
                one.attempt.step(report, &expected, self.stack, self.settings.most_fixes);
            }
        }
        Ok(first)
    }

    /// A form in which the replacement itself has another value says nothing of the rules.
    fn doubt(&mut self, expected: &BTreeMap<usize, Value>, triggers: &mut [TriggerAccount]) -> Result<(), TrialError> {
        let mut cases = Vec::new();
        let mut owners = Vec::new();
        let mut forms = Vec::new();
        for (number, row) in self.rows.iter().enumerate() {
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
        let reports = self.run(&cases)?;
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

    /// What cells come to. Cells that were run before are not run again.
    fn run(&mut self, cases: &[(usize, Vec<String>)]) -> Result<BTreeMap<usize, CaseReport>, TrialError> {
        let new: Vec<&(usize, Vec<String>)> =
            cases.iter().filter(|(_, cells)| !self.known.contains_key(cells)).collect();
        let case = |(place, (_, cells)): (usize, &&(usize, Vec<String>))| Case {
            number: place,
            cells: cells.clone(),
            value: "r".to_owned(),
        };
        let asked: Vec<Case> = new.iter().enumerate().map(case).collect();
        if !asked.is_empty() {
            for report in self.rounds.run(&asked)? {
                if let Some((_, cells)) = new.get(report.number) {
                    self.known.insert(cells.clone(), report);
                }
            }
        }
        let report = |(number, cells): &(usize, Vec<String>)| Some((*number, self.known.get(cells)?.clone()));
        Ok(cases.iter().filter_map(report).collect())
    }
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

fn feedback_of(error: &crate::trial::cases::CaseError) -> CellFeedback {
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

/// Libraries whose cases begin together, since what they import is much the same and takes longer than the cases; another begins alone, as an
/// import can end the process.
const FAMILIES: [&[&str]; 5] = [
    &["pandas", "numpy", "python"],
    &["sklearn", "imblearn", "scipy", "statsmodels", "lightgbm", "xgboost", "catboost", "shap"],
    &["matplotlib", "seaborn"],
    &["keras", "tensorflow"],
    &[
        "PIL",
        "skimage",
        "networkx",
        "nltk",
        "sympy",
        "IPython",
        "mlxtend",
        "sklearn_pandas",
        "bokeh",
        "plotly",
        "gensim",
        "spacy",
        "mplfinance",
        "prophet",
        "pyLDAvis",
    ],
];

/// The libraries that a library's cases begin with, itself among them.
fn family(library: &str) -> BTreeSet<&str> {
    let family = FAMILIES.into_iter().find(|family| family.contains(&library));
    family.map_or_else(|| BTreeSet::from([library]), |family| family.iter().copied().collect())
}

/// What notebooks that use these libraries have imported anyway.
fn preload(libraries: &BTreeSet<&str>) -> Vec<String> {
    let imports = libraries.iter().flat_map(|library| match *library {
        "python" | "IPython" | "PIL" => &[],
        "sklearn" | "imblearn" | "scipy" | "statsmodels" => &[
            "scipy.stats",
            "sklearn.datasets",
            "sklearn.ensemble",
            "sklearn.linear_model",
            "sklearn.model_selection",
            "sklearn.preprocessing",
        ][..],
        "matplotlib" | "seaborn" => &["matplotlib.pyplot", "seaborn"],
        "skimage" => &["skimage.feature", "skimage.filters", "skimage.measure", "skimage.segmentation"],
        "mlxtend" | "sklearn_pandas" => &["sklearn.preprocessing"],
        _ => std::slice::from_ref(library),
    });
    let imports = ["numpy", "pandas"].iter().chain(imports);
    imports.map(|name| (*name).to_owned()).collect()
}
