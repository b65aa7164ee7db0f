//! Why notebooks do not run: the root causes of their first errors, in the words of the paper on crashes (Wang et al., Table 5).

use std::cmp::Reverse;
use std::collections::BTreeMap;

use nbrevive_corpus::Condition;
use nbrevive_diagnosis::crash::{Label as _, RootCause, meaning};

use super::share_table::{ShareLine, ShareTable, column, line};
use crate::inputs::Inputs;
use crate::raised::FirstCause;

const NOTE: &str = "Of versions whose cells raised an error in their first run, without fixes: why the first one was raised, as the program's \
                    classifier says from its name, message and traceback (docs/crashes.md has how often it is right).";

/// The causes by themselves; none where nothing was raised, or data do not say why.
pub(crate) fn table(of: &Inputs) -> Option<ShareTable> {
    let lines = by_condition(of).into_iter().flat_map(|(condition, causes)| lines(condition, &causes)).collect();
    let name = ("first-causes", "Why notebooks fail, by the root cause of the first error");
    let columns = vec![column("Cause", "cause"), column("What it is", "meaning")];
    (!of.causes.is_empty()).then(|| ShareTable::new(&of.data, name, columns, lines, NOTE.to_owned()))
}

/// The causes beside the types of the errors, the most frequent type first; none where there are none.
pub(crate) fn by_type(of: &Inputs) -> Option<ShareTable> {
    let lines =
        by_condition(of).into_iter().flat_map(|(condition, causes)| lines_by_type(condition, &causes)).collect();
    let name = ("first-error-types", "What notebooks raise first, and why");
    let columns = vec![column("Error", "error"), column("Cause", "cause"), column("What it is", "meaning")];
    (!of.causes.is_empty()).then(|| ShareTable::new(&of.data, name, columns, lines, NOTE.to_owned()))
}

/// The first errors under each condition, in the study's order.
fn by_condition(of: &Inputs) -> Vec<(Condition, Vec<&FirstCause>)> {
    let conditions = of.data.study.roles.in_order(of.causes.iter().map(|first| first.condition));
    let under = |condition| of.causes.iter().filter(move |first| first.condition == condition).collect();
    conditions.into_iter().map(|condition| (condition, under(condition))).collect()
}

fn lines(condition: Condition, causes: &[&FirstCause]) -> Vec<ShareLine> {
    let count = |cause: &RootCause| causes.iter().filter(|found| found.cause == *cause).count();
    let one = |cause: &RootCause| line(condition, [cause.code(), meaning(*cause)], count(cause), causes.len());
    RootCause::ALL.iter().map(one).collect()
}

fn lines_by_type(condition: Condition, causes: &[&FirstCause]) -> Vec<ShareLine> {
    let mut types: BTreeMap<&str, BTreeMap<RootCause, usize>> = BTreeMap::new();
    for first in causes {
        *types.entry(&first.ename).or_default().entry(first.cause).or_default() += 1;
    }
    let mut types: Vec<_> = types.into_iter().collect();
    types.sort_by_key(|(_, counts)| Reverse(counts.values().sum::<usize>()));
    let of_type = |(ename, counts): (&str, BTreeMap<RootCause, usize>)| {
        let mut counts: Vec<(RootCause, usize)> = counts.into_iter().collect();
        counts.sort_by_key(|(_, count)| Reverse(*count));
        let all = causes.len();
        let one =
            |(cause, count): (RootCause, usize)| line(condition, [ename, cause.code(), meaning(cause)], count, all);
        counts.into_iter().map(one).collect::<Vec<_>>()
    };
    types.into_iter().flat_map(of_type).collect()
}
