//! `nbrevive mine compare`: where two sources agree, disagree, and which knows more.

use nbrevive_mine::compare::compare;
use nbrevive_mine::records::MiningSource;
use nbrevive_shown::{Shown, shown};
use nbrevive_store::Store;
use nbrevive_store::mined::versions_of;

use crate::Outcome;
use crate::arguments::{CompareArguments, MinePlace};
use crate::commands::setting::store_failure;
use crate::exit_code::{Exit, Failure};
use crate::printer;

/// Prints the report.
pub(super) fn run(place: &MinePlace, arguments: &CompareArguments) -> Outcome {
    let store = Store::open_read_only(&place.store).map_err(|error| store_failure(&error))?;
    let of = |source: MiningSource| {
        let versions = versions_of(&store, source).map_err(|error| store_failure(&error))?;
        if versions.is_empty() {
            let message = shown!("nothing of source `{}` is in {}: mine it first", source, place.store.display());
            return Err(Failure { exit: Exit::BadInput, message });
        }
        Ok(versions)
    };
    let report = compare(of(arguments.left)?, of(arguments.right)?);
    if arguments.json {
        let text = serde_json::to_string_pretty(&report).map_err(|error| Failure::new(Exit::Other, &error))?;
        printer::data(&shown!("{}\n", Shown::json(&text)));
    } else {
        printer::data(&shown!(
            "left: {}, right: {}\n{}\n",
            arguments.left,
            arguments.right,
            Shown::block(&report.to_string())
        ));
    }
    Ok(Exit::Success)
}
