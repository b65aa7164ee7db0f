//! Whether a submission that has no score belongs to another competition.

use std::collections::HashSet;
use std::path::Path;

use crate::cell::Label;
use crate::identifiers::Identifiers;
use crate::scanner::{Fields, Scanner};
use crate::submission_file::read_submission;
use crate::{Grader, Invalid, SubmissionLimits};

impl Grader {
    /// Whether a submission that was refused as `invalid` belongs to another competition: it has none of the columns that are scored
    /// (ids are called alike in many), or it has rows, and not one of the answers' ids names any.
    #[must_use]
    pub fn is_foreign(&self, submission: &Path, invalid: &Invalid, limits: &SubmissionLimits) -> bool {
        let Invalid::WrongColumns { expected, found } = invalid else {
            return read_submission(submission, limits).is_ok_and(|text| self.has_none_of(&text));
        };
        let scored = expected.get(1..).filter(|scored| !scored.is_empty()).unwrap_or(expected);
        !found.iter().any(|found| scored.iter().any(|name| name == found.as_str()))
    }

    fn has_none_of(&self, text: &str) -> bool {
        let (id, scored) = self.columns();
        let header = header(text);
        if !header.is_empty() && !scored.is_empty() && !header.iter().any(|name| scored.contains(name)) {
            return true;
        }
        let ids = ids(text, id);
        let (mut own, mut has_own) = (self.ids(), false);
        let is_named = own.any(|id| {
            has_own = true;
            ids.contains(&id)
        });
        has_own && !ids.is_empty() && !is_named
    }

    /// The ids of the answers; none where rows are paired by their place.
    fn ids(&self) -> Box<dyn Iterator<Item = Label> + '_> {
        match self {
            Grader::ByPrediction(answers) => match &answers.identifiers {
                Identifiers::Numbers(numbers) => Box::new(numbers.keys().copied().map(Label::Whole)),
                Identifiers::Text(texts) => Box::new(texts.keys().map(|id| Label::read(id))),
            },
            Grader::ByChecks(answers) if answers.questions.len() > 0 => {
                Box::new(answers.questions.rows().map(|id| Label::read(&id)))
            }
            Grader::ByChecks(answers) => match answers.frame.column(&answers.rules.id_column) {
                Some(ids) => Box::new((0..ids.len()).map(|row| Label::read(&ids.text(row)))),
                None => Box::new(std::iter::empty()),
            },
        }
    }
}

/// The columns of a table; none where it has no header.
fn header(text: &str) -> Vec<String> {
    let (mut scanner, mut fields) = (Scanner::new(text, usize::MAX), Fields::new());
    match scanner.next_row(&mut fields) {
        Ok(Some(_)) => fields.iter().map(str::to_owned).collect(),
        _ => Vec::new(),
    }
}

/// The ids in a table, as far as it is one. A number is the same however it is spelled, also beside texts.
fn ids(text: &str, column: &str) -> HashSet<Label> {
    let (mut scanner, mut fields) = (Scanner::new(text, usize::MAX), Fields::new());
    let mut ids = HashSet::new();
    let Ok(Some(_)) = scanner.next_row(&mut fields) else { return ids };
    let Some(place) = fields.iter().position(|name| name == column) else { return ids };
    while let Ok(Some(_)) = scanner.next_row(&mut fields) {
        ids.extend(fields.get(place).map(Label::read));
    }
    ids.remove(&Label::Missing);
    ids
}

#[cfg(test)]
mod tests {
    use super::*;
    use nbrevive_corpus::Competition;

    /// What is said of submissions to a competition with the ids 1, 2 and 3.
    fn foreign(rules: &str, submissions: &[&str]) -> Vec<bool> {
        let folder = tempfile::tempdir().unwrap();
        let (answers, path) = (folder.path().join("answers.csv"), folder.path().join("submission.csv"));
        std::fs::write(&answers, "id,y\n1,2\n2,4\n3,5\n").unwrap();
        let competition: Competition = toml::from_str(&format!(
            "id = \"tiny\"\ntitle = \"Tiny\"\nmetric = \"mae\"\ndirection = \"minimize\"\nid-column = \"id\"\n\
             target-columns = [\"y\"]\n{rules}\ndata = {{ source = \"made up\", licence = \"CC0-1.0\" }}\n"
        ))
        .unwrap();
        let grader = Grader::with_answers(&competition, &answers).unwrap();
        let is_foreign = |text: &&str| {
            std::fs::write(&path, text).unwrap();
            let invalid = grader.grade(&path, &SubmissionLimits::default()).unwrap_err();
            grader.is_foreign(&path, &invalid, &SubmissionLimits::default())
        };
        submissions.iter().map(is_foreign).collect()
    }

    #[test]
    fn a_submission_without_a_single_id_of_ours_belongs_elsewhere() {
        for rules in ["prediction = \"value\"", "checks = [\"columns\", \"ids\"]"] {
            let theirs = ["id,y\n7,2\n8,4\n9,5\n", "id,y\na,2\n", "id,y\n7,x\n", "id,y\n7,2\n8,4\n9,5\n10,1\n"];
            assert_eq!(foreign(rules, &theirs), [true; 4], "{rules}");
            let ours = ["id,y\n7,2\n8,4\n03.0,5\n", "id,y\n1,2\n", "id,y\na,2\n1,4\nb,5\n", "id,y\n1,x\n2,1\n3,1\n"];
            assert_eq!(foreign(rules, &ours), [false; 4], "{rules}");
            // Nothing says whose these are.
            assert_eq!(foreign(rules, &["", "id,y\n", "id,y\n\"1", "id,y\n,2\n,3\n,4\n"]), [false; 4], "{rules}");
        }
    }

    #[test]
    fn a_submission_without_a_scored_column_belongs_elsewhere() {
        for rules in ["prediction = \"value\"", "checks = [\"rows\", \"columns\", \"ids\"]"] {
            // Of as many rows, of fewer and of more.
            let theirs = ["id,z\n1,2\n2,4\n3,5\n", "id,z\n1,2\n", "a,b\n1,2\n2,4\n3,5\n4,6\n"];
            assert_eq!(foreign(rules, &theirs), [true; 3], "{rules}");
            assert_eq!(foreign(rules, &["key,y\n1,2\n", "", "\n"]), [false; 3], "{rules}");
        }
    }
}
