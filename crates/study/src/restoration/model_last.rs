//! What a model is asked for once nothing that is known helps: the distribution of a module, the definition of a name, and the recipe by
//! which files are made up, never the files.

use std::collections::BTreeMap;

use nbrevive_corpus::{Executability, Preparation};
use nbrevive_notebook::Notebook;
use nbrevive_repair::CellFeedback;
use nbrevive_rules::{Feedback, Rules};

use super::modules::missed_module;
use super::{Next, Restorable, Restoration};
use crate::LaboratoryError;

impl Restoration<'_> {
    /// One thing, for the first error that follows from no other and for which the model has an answer.
    pub(super) fn model_last(&mut self, best: &Restorable, roots: &[CellFeedback]) -> Result<Next, LaboratoryError> {
        let mut next = best.clone();
        for error in roots {
            let put_back = match Executability::of_error(&error.ename, &error.evalue) {
                Executability::ModuleNotFound if self.may(Preparation::Modules) => match missed_module(error) {
                    Some(module) => self.installed_as_asked(&mut next, error, module)?,
                    None => None,
                },
                Executability::NameError if self.may(Preparation::Names) => self.defined_as_asked(&mut next, error)?,
                Executability::FileNotFound if self.may(Preparation::Files) => self.made_as_asked(&mut next, error)?,
                // With files that are made up, another error may be of what is in them.
                Executability::OtherError
                    if self.may(Preparation::Files)
                        && next.inputs.is_some()
                        && may_be_of_data(&next.notebook, &next.environment.packages, error) =>
                {
                    self.made_as_asked(&mut next, error)?
                }
                _ => None,
            };
            if let Some(one) = put_back.filter(|one| !self.tried.contains(one)) {
                return Ok(Some((next, vec![one])));
            }
        }
        Ok(None)
    }
}

/// Whether other data could mend an error: not what a library no longer has or takes, nor what no data ever change.
fn may_be_of_data(notebook: &Notebook, packages: &BTreeMap<String, String>, error: &CellFeedback) -> bool {
    // What was asked for is in the cell, and no longer once the rules were there.
    let is_mended_by_rules = |attribute: &str| {
        let feedback = Feedback::of_errors(notebook, vec![error.clone()], packages);
        let uses = |notebook: &Notebook| {
            notebook.cells.get(error.cell).map_or(0, |cell| cell.source.matches(attribute).count())
        };
        Rules.propose(&feedback).is_some_and(|proposal| uses(&proposal.notebook) < uses(notebook))
    };
    let is_of_code = match error.ename.as_str() {
        "ImportError"
        | "SyntaxError"
        | "IndentationError"
        | "TabError"
        | "NotImplementedError"
        | "InvalidParameterError" => true,
        "TypeError" => ["keyword argument", "positional argument"].iter().any(|words| error.evalue.contains(words)),
        "AttributeError" => {
            let is_told = error.evalue.starts_with("module ") || error.evalue.contains("was removed");
            is_told || error.evalue.rsplit('\'').nth(1).is_some_and(is_mended_by_rules)
        }
        _ => false,
    };
    !is_of_code
}

#[cfg(test)]
mod tests {
    use nbrevive_notebook::Cell;

    use super::*;

    #[test]
    fn what_libraries_took_away_is_not_asked_of_the_data() {
        let notebook = Notebook::from_cells(vec![
            Cell::code("import pandas as pd"),
            Cell::code("d = pd.read_csv('a.csv').ix[0].Fare"),
        ]);
        let packages = BTreeMap::from([("pandas".to_owned(), "2.2.0".to_owned())]);
        let of = |ename: &str, evalue: &str| {
            let (ename, evalue) = (ename.to_owned(), evalue.to_owned());
            let error = CellFeedback { cell: 1, ename, evalue, traceback: String::new(), line: Some(1) };
            may_be_of_data(&notebook, &packages, &error)
        };
        assert!(of("KeyError", "'Fare'"));
        assert!(of("ValueError", "could not convert string to float: 'a'"));
        assert!(of("AttributeError", "'DataFrame' object has no attribute 'Fare'"));
        assert!(!of("AttributeError", "'DataFrame' object has no attribute 'ix'"), "a rule has its word on it");
        assert!(!of("AttributeError", "`np.infty` was removed in the NumPy 2.0 release. Use `np.inf` instead."));
        assert!(!of("TypeError", "f() got an unexpected keyword argument 'iid'"));
        assert!(!of("ImportError", "cannot import name 'imread' from 'scipy.misc'"));
    }
}
