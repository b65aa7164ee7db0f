//! `nbrevive changes list` and `show`: the rows that the program carries along.

use nbrevive_census::{ApiChanges, ApiRow, ApiRowKind};
use nbrevive_shown::{Shown, shown};

use crate::Outcome;
use crate::arguments::{ChangesListArguments, ChangesShowArguments};
use crate::exit_code::{Exit, Failure};
use crate::printer;

/// A line a row, or a line a library.
pub(crate) fn list(arguments: &ChangesListArguments) -> Outcome {
    let changes = ApiChanges::get();
    let mut text = Shown::default();
    let Some(library) = &arguments.library else {
        for library in changes.libraries() {
            let losses = changes.rows(library).filter(ApiRow::is_loss).count();
            text.push_line(&shown!("{:<20} {:>6} changes", library, losses));
        }
        printer::data(&text);
        return Ok(Exit::Success);
    };
    if !changes.libraries().any(|known| known == library) {
        let message = shown!("the census has no rows of `{}`: `nbrevive changes list` names its libraries", library);
        return Err(Failure { exit: Exit::Usage, message });
    }
    let wanted = |row: &ApiRow| {
        (arguments.added || row.is_loss()) && arguments.name.as_deref().is_none_or(|part| row.name.contains(part))
    };
    for row in changes.rows(library).filter(wanted) {
        text.push_line(&line(&row));
    }
    printer::data(&text);
    Ok(Exit::Success)
}

/// All rows of one name.
pub(crate) fn show(arguments: &ChangesShowArguments) -> Outcome {
    let rows = ApiChanges::get().of_name(&arguments.name);
    if rows.is_empty() {
        let message = shown!(
            "the census has no change of `{}`: names are written in full, such as `pandas.DataFrame.append`",
            &arguments.name
        );
        return Err(Failure { exit: Exit::Usage, message });
    }
    let mut text = Shown::default();
    for row in &rows {
        text.push_line(&line(row));
        if !row.text.is_empty() {
            text.push_line(&shown!("    {} {} said: {}", &row.library, &row.last_with, &row.text));
        }
    }
    printer::data(&text);
    Ok(Exit::Success)
}

/// One change in a line.
pub(super) fn line(row: &ApiRow) -> Shown {
    let what = match (row.parameter.as_str(), row.word.as_str(), row.kind) {
        ("", ..) => shown!("{}", &row.name),
        (parameter, word, ApiRowKind::WordGone) => shown!("{}({}='{}')", &row.name, parameter, word),
        (parameter, ..) => shown!("{}({}=)", &row.name, parameter),
    };
    let when = if row.is_loss() {
        shown!("{} since {} ({}), last in {}", row.kind, &row.first_without, &row.first_day, &row.last_with)
    } else {
        shown!("{} in {} ({})", row.kind, &row.first_without, &row.first_day)
    };
    match row.successor.as_str() {
        "" => shown!("{}: {} [{}]", what, when, row.certainty),
        successor => shown!("{}: {}; now {} [{}, by {}]", what, when, successor, row.certainty, &row.evidence),
    }
}
