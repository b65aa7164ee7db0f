//! The answers of a competition.

use std::path::Path;

use crate::GradingTask;
use crate::answers_error::{AnswersError, AnswersProblem};
use crate::cell::{Label, number};
use crate::identifiers::Identifiers;
use crate::invalid::Excerpt;
use crate::metric::Scorer;
use crate::scanner::{Fields, Scanner};
use crate::truth::{LabelColumn, Truth};
use crate::whole_file::read_text;

/// The true targets of a competition, checked for what its metric needs. Read once, then shared by threads.
#[derive(Debug)]
pub struct Answers {
    pub(crate) task: GradingTask,
    pub(crate) identifiers: Identifiers,
    pub(crate) truth: Truth,
}

impl Answers {
    /// Reads the answers of `task`: CSV with the id and the target columns; other columns are ignored.
    ///
    /// Under log loss there is either a column for each class with a single 1 a row, or one column beside the id that names
    /// the class. Under ROC AUC the targets are 1 and 0, or `True` and `False`.
    ///
    /// # Errors
    /// When the file cannot be read, a column is missing, an id occurs twice, or a value is not what the metric needs.
    pub fn read(path: &Path, task: &GradingTask) -> Result<Self, AnswersError> {
        Self::load(path, task).map_err(|problem| AnswersError { path: path.to_owned(), problem })
    }

    fn load(path: &Path, task: &GradingTask) -> Result<Self, AnswersProblem> {
        let text = read_text(path)?;
        let table = Table::read(&text, task)?;
        let identifiers = Identifiers::of(&table.ids).map_err(|position| AnswersProblem::DuplicateId {
            id: Excerpt::of(&table.ids[position]),
            line: table.lines[position],
        })?;
        let truth = table.truth(task)?;
        Ok(Answers { task: task.clone(), identifiers, truth })
    }

    /// What these are the answers to.
    #[must_use]
    pub const fn task(&self) -> &GradingTask {
        &self.task
    }

    /// The number of rows that a submission must have.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.identifiers.len()
    }
}

/// The columns of an answers file that matter.
struct Table {
    ids: Vec<String>,
    /// The line on which each row starts.
    lines: Vec<u64>,
    targets: Vec<Column>,
}

struct Column {
    name: String,
    cells: Vec<String>,
}

impl Table {
    fn read(text: &str, task: &GradingTask) -> Result<Self, AnswersProblem> {
        let mut scanner = Scanner::new(text, usize::MAX);
        let mut fields = Fields::new();
        scanner.next_row(&mut fields)?;
        let place = |name: &String| fields.iter().position(|field| field == name);
        let missing = |name: &String| AnswersProblem::MissingColumn { column: name.clone() };
        let id = place(&task.id_column).ok_or_else(|| missing(&task.id_column))?;
        let places = target_places(&fields, id, task, place)?;
        let mut targets: Vec<Column> =
            places.iter().map(|&place| Column { name: fields.cell(place).to_owned(), cells: Vec::new() }).collect();
        let (mut ids, mut lines) = (Vec::new(), Vec::new());
        scanner.limit_fields(fields.len());
        while let Some(line) = scanner.next_row(&mut fields)? {
            let cell = |place: usize| fields.cell(place).to_owned();
            ids.push(cell(id));
            lines.push(line);
            for (column, &place) in targets.iter_mut().zip(&places) {
                column.cells.push(cell(place));
            }
        }
        if ids.is_empty() {
            return Err(AnswersProblem::NoRows);
        }
        Ok(Table { ids, lines, targets })
    }

    fn truth(&self, task: &GradingTask) -> Result<Truth, AnswersProblem> {
        match task.scorer {
            Scorer::Labels(metric) => Ok(Truth::Labels(LabelColumn::of(&self.targets[0].cells), metric)),
            Scorer::WholeLabels(metric) => Ok(Truth::WholeLabels(self.whole_labels()?, metric)),
            Scorer::Positives(metric) => {
                let positives = self.targets.iter().map(|column| self.positives(column)).collect::<Result<_, _>>()?;
                Ok(Truth::Positives(positives, metric))
            }
            Scorer::Classes(metric) if self.targets.len() == 1 => {
                Ok(Truth::Classes(self.named_classes(&task.target_columns)?, metric))
            }
            Scorer::Classes(metric) => Ok(Truth::Classes(self.marked_classes()?, metric)),
            Scorer::Numbers(metric) => Ok(Truth::Numbers(self.all_numbers(f64::is_finite, "a finite number")?, metric)),
            Scorer::NotNegative(metric) => {
                let fits = |value: f64| value.is_finite() && value >= 0.0;
                Ok(Truth::Numbers(self.all_numbers(fits, "a number of 0 or more")?, metric))
            }
        }
    }

    fn bad(&self, column: &Column, row: usize, needed: &'static str) -> AnswersProblem {
        let value = Excerpt::of(&column.cells[row]);
        AnswersProblem::BadValue { line: self.lines[row], column: column.name.clone(), value, needed }
    }

    fn whole_labels(&self) -> Result<LabelColumn, AnswersProblem> {
        let column = &self.targets[0];
        let labels = LabelColumn::of(&column.cells);
        match labels.labels.iter().position(|label| !matches!(label, Label::Whole(_))) {
            Some(row) => Err(self.bad(column, row, "a whole number")),
            None => Ok(labels),
        }
    }

    fn positives(&self, column: &Column) -> Result<Vec<bool>, AnswersProblem> {
        let positive = |(row, cell): (usize, &String)| match Label::read_with_truth(cell) {
            Label::Whole(1) => Ok(true),
            Label::Whole(0) => Ok(false),
            Label::Whole(_) | Label::Fraction(_) | Label::Word(_) | Label::Missing => {
                Err(self.bad(column, row, "1 or 0"))
            }
        };
        let positives: Vec<bool> = column.cells.iter().enumerate().map(positive).collect::<Result<_, _>>()?;
        if positives.iter().all(|&positive| positive) || !positives.contains(&true) {
            return Err(AnswersProblem::SingleClass { column: column.name.clone() });
        }
        Ok(positives)
    }

    /// One column with the name of the class.
    fn named_classes(&self, names: &[String]) -> Result<Vec<usize>, AnswersProblem> {
        let column = &self.targets[0];
        let names: Vec<Label> = names.iter().map(|name| Label::read(name)).collect();
        let class = |(row, cell): (usize, &String)| {
            let label = Label::read(cell);
            names
                .iter()
                .position(|name| *name == label)
                .ok_or_else(|| self.bad(column, row, "the name of a target column"))
        };
        column.cells.iter().enumerate().map(class).collect()
    }

    /// One column a class, with a 1 in that of the row's class.
    fn marked_classes(&self) -> Result<Vec<usize>, AnswersProblem> {
        let class = |row: usize| {
            let mut marked = None;
            for (class, column) in self.targets.iter().enumerate() {
                match Label::read(&column.cells[row]) {
                    Label::Whole(0) => {}
                    Label::Whole(1) if marked.is_none() => marked = Some(class),
                    Label::Whole(_) | Label::Fraction(_) | Label::Word(_) | Label::Missing => {
                        return Err(self.bad(column, row, "0, or the only 1 of its row"));
                    }
                }
            }
            marked.ok_or_else(|| self.bad(&self.targets[0], row, "1, nor is any other column of the row"))
        };
        (0..self.ids.len()).map(class).collect()
    }

    fn all_numbers(&self, fits: impl Fn(f64) -> bool, needed: &'static str) -> Result<Vec<Vec<f64>>, AnswersProblem> {
        let column_numbers = |column: &Column| {
            let value = |(row, cell): (usize, &String)| {
                number(cell).filter(|&value| fits(value)).ok_or_else(|| self.bad(column, row, needed))
            };
            column.cells.iter().enumerate().map(value).collect::<Result<Vec<f64>, _>>()
        };
        self.targets.iter().map(column_numbers).collect()
    }
}

/// Where the target columns are; under log loss possibly a single column that names the class.
fn target_places(
    header: &Fields<'_>,
    id: usize,
    task: &GradingTask,
    place: impl Fn(&String) -> Option<usize>,
) -> Result<Vec<usize>, AnswersProblem> {
    let mut places = Vec::with_capacity(task.target_columns.len());
    for name in &task.target_columns {
        match place(name) {
            Some(place) => places.push(place),
            None if task.scorer.takes_shares() && header.len() == 2 => return Ok(vec![1 - id]),
            None if task.scorer.takes_shares() => return Err(AnswersProblem::NoClassColumn),
            None => return Err(AnswersProblem::MissingColumn { column: name.clone() }),
        }
    }
    Ok(places)
}
