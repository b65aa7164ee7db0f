//! Why notebooks do not run: the root causes of their first errors, in the words of the paper on crashes (Wang et al., Table 5).

use nbrevive_diagnosis::crash::{Label as _, RootCause, meaning};

use super::cell::Cell;
use super::share_table::{Column, Setting, ShareLine, ShareTable};
use crate::inputs::Inputs;

/// The table; none where nothing was raised, or data have no texts.
pub(crate) fn table(of: &Inputs) -> Option<ShareTable> {
    let conditions = of.data.study.roles.in_order(of.causes.iter().map(|(condition, _)| *condition));
    let lines = conditions.into_iter().flat_map(|condition| {
        let causes: Vec<RootCause> =
            of.causes.iter().filter(|(own, _)| *own == condition).map(|(_, cause)| *cause).collect();
        RootCause::ALL.iter().map(move |cause| {
            let count = causes.iter().filter(|found| *found == cause).count();
            let words = [cause.code(), meaning(*cause)].map(|word| Setting::Words(word.to_owned()));
            ShareLine { condition, settings: words.into(), cell: Cell::new(count as u64, causes.len() as u64) }
        })
    });
    let lines: Vec<ShareLine> = lines.collect();
    let note = "Of versions whose cells raised an error in their first run, without fixes: why the first one was raised, as the program's \
                classifier says from its name, message and traceback (docs/crashes.md has how often it is right).";
    let name = ("first-causes", "Why notebooks fail, by the root cause of the first error");
    let columns = vec![Column { head: "Cause", field: "cause" }, Column { head: "What it is", field: "meaning" }];
    let table = ShareTable::new(&of.data, name, columns, lines, note.to_owned());
    (!of.causes.is_empty()).then_some(table)
}
