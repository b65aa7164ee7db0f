//! A model that is asked for one thing that a notebook misses. What it answers is foreign: it is taken in the form that was asked for and
//! within its limits, it goes where the error says and nowhere else, and it runs in the sandbox only.

use std::fmt;
use std::sync::Arc;

use nbrevive_corpus::Preparation;
use nbrevive_diagnosis::crash::missing_name;
use nbrevive_environment::requirement::NamedRequirement;
use nbrevive_inputs::{InputFile, InputRecipe, UsedAt, missing_file, place};
use nbrevive_notebook::{Notebook, first_line};
use nbrevive_pysource::names::{NameAct, names};
use nbrevive_repair::{
    AskError, CellFeedback, PromptSettings, PutBackQuestion, Sought, answered_contents, answered_definition,
    answered_distribution, answered_recipe, put_back_question,
};
use nbrevive_shown::with_causes;

use super::{PutBack, Restorable, Restoration};
use crate::LaboratoryError;

/// Questions of one restoration, in all turns together.
const MOST_QUESTIONS: usize = 20;

/// Whom a restoration asks.
#[derive(Clone, Copy)]
pub struct RestoreHelp<'a> {
    /// Carries a question of a turn, from 1: the text of its answer, or why there is none.
    pub ask: &'a dyn Fn(&PutBackQuestion, u32) -> Result<String, AskError>,
    /// How long a question may be.
    pub prompt: PromptSettings,
}

impl fmt::Debug for RestoreHelp<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("RestoreHelp").field("prompt", &self.prompt).finish_non_exhaustive()
    }
}

impl Restoration<'_> {
    /// Asks for a thing because of an error, once; `None` where it was asked for before, or no answer can be taken.
    fn asked<T>(
        &mut self,
        sought: &Sought<'_>,
        (notebook, error): (&Notebook, &CellFeedback),
        read: impl FnOnce(&str) -> Result<T, String>,
    ) -> Result<Option<T>, LaboratoryError> {
        let key = format!("{sought:?} {} {} {}", error.cell, error.ename, error.evalue);
        if self.asked.len() == MOST_QUESTIONS || !self.asked.insert(key) {
            return Ok(None);
        }
        let Some(help) = self.settings.help else {
            return Err(LaboratoryError::Unasked("no language model is named".to_owned()));
        };
        let question = put_back_question(sought, notebook, error, &help.prompt).map_err(|error| error.to_string());
        let answer = match question.map(|question| (help.ask)(&question, self.turn)) {
            Ok(Err(AskError::Unavailable(reason))) => return Err(LaboratoryError::Unasked(reason)),
            Ok(answer) => answer.map_err(|error| error.to_string()),
            Err(why) => Err(why),
        };
        match answer.and_then(|answer| read(&answer)) {
            Ok(read) => Ok(Some(read)),
            Err(why) => {
                self.left_out.insert((told(sought), format!("the model's answer: {why}")));
                Ok(None)
            }
        }
    }

    /// Installs a distribution; `None` where it is there, was tried, or cannot be had.
    pub(super) fn installed(
        &mut self,
        next: &mut Restorable,
        named: &NamedRequirement,
        because: String,
    ) -> Result<Option<PutBack>, LaboratoryError> {
        let one = PutBack { preparation: Preparation::Modules, what: named.to_string(), because };
        let is_failed = self.left_out.iter().any(|(what, _)| *what == one.what);
        if is_failed || self.tried.contains(&one) || next.environment.packages.contains_key(named.name()) {
            return Ok(None);
        }
        let why = match self.laboratory.extended(&next.environment.as_lock(), std::slice::from_ref(named), &[]) {
            Ok(prepared) => {
                next.environment = prepared;
                return Ok(Some(one));
            }
            Err(LaboratoryError::Unbuildable(failed)) => failed.class.to_string(),
            Err(error @ (LaboratoryError::Build(_) | LaboratoryError::Kernel(_) | LaboratoryError::Index(_))) => {
                with_causes(&error)
            }
            Err(other) => return Err(other),
        };
        self.left_out.insert((one.what, why));
        Ok(None)
    }

    /// Installs what the model names for a module.
    pub(super) fn installed_as_asked(
        &mut self,
        next: &mut Restorable,
        error: &CellFeedback,
        module: &str,
    ) -> Result<Option<PutBack>, LaboratoryError> {
        let read = |answer: &str| {
            let line = answered_distribution(answer).map_err(|error| error.to_string())?;
            NamedRequirement::parse(&line).map_err(|error| error.to_string())
        };
        let named = self.asked(&Sought::Distribution { module }, (&next.notebook, error), read)?;
        let Some(named) = named else { return Ok(None) };
        self.installed(next, &named, format!("a model names it for the module {module}"))
    }

    /// Puts a definition that the model writes before what misses the name, in the same cell, so that cells are counted as they were.
    pub(super) fn defined_as_asked(
        &mut self,
        next: &mut Restorable,
        error: &CellFeedback,
    ) -> Result<Option<PutBack>, LaboratoryError> {
        let Some(name) = missing_name(&error.ename, &error.evalue) else { return Ok(None) };
        let sought = Sought::Definition { name: &name, defined_in: defined_below(&next.notebook, error.cell, &name) };
        let read = |answer: &str| answered_definition(answer, &name).map_err(|error| error.to_string());
        let Some(code) = self.asked(&sought, (&next.notebook, error), read)? else { return Ok(None) };
        put_before(&mut next.notebook, error.cell, &code);
        Ok(Some(PutBack {
            preparation: Preparation::Names,
            what: format!("{name} by a definition that a model wrote"),
            because: format!("{name} is missed in cell {}", error.cell + 1),
        }))
    }

    /// A missing file as the model writes it.
    pub(super) fn written_as_asked(
        &mut self,
        next: &mut Restorable,
        error: &CellFeedback,
    ) -> Result<Option<PutBack>, LaboratoryError> {
        let Some(path) = missing_file(error) else { return Ok(None) };
        let mut recipe = next.inputs.as_deref().cloned().unwrap_or_default();
        // What was written and is missed all the same is looked for elsewhere.
        if recipe.files.iter().any(|file| file.path == path) {
            return Ok(None);
        }
        if let Err(why) = place(&path) {
            self.left_out.insert((path, why.to_string()));
            return Ok(None);
        }
        let read = |answer: &str| answered_contents(answer).map_err(|error| error.to_string());
        let text = self.asked(&Sought::Contents { path: &path }, (&next.notebook, error), read)?;
        let Some(text) = text else { return Ok(None) };
        let what = format!("made up: {path} ({} bytes that a model wrote)", text.len());
        let (cell, line) = (code_cell(&next.notebook, error.cell), error.line.unwrap_or(1));
        recipe.files.push(InputFile::written(&path, text, UsedAt { cell, line, how: "is missed".to_owned() }));
        if let Err(why) = recipe.check() {
            self.left_out.insert((path, why.to_string()));
            return Ok(None);
        }
        next.inputs = Some(Arc::new(recipe));
        Ok(Some(PutBack { preparation: Preparation::Files, what, because: because(&next.notebook, error) }))
    }

    /// Files made up by a recipe that the model writes.
    pub(super) fn made_as_asked(
        &mut self,
        next: &mut Restorable,
        error: &CellFeedback,
    ) -> Result<Option<PutBack>, LaboratoryError> {
        let now = next.inputs.as_deref().cloned().unwrap_or_else(|| InputRecipe::of(&next.notebook, true));
        let path = missing_file(error);
        let read = |answer: &str| {
            let json = answered_recipe(answer).map_err(|error| error.to_string())?;
            let recipe = InputRecipe::from_json(&json).map_err(|error| error.to_string())?;
            let has = |path: &String| recipe.files.iter().any(|file| place(&file.path) == place(path));
            match path.iter().find(|path| !has(path)) {
                Some(path) => Err(format!("its recipe does not make {path}")),
                None => Ok(recipe),
            }
        };
        let shown = shown_recipe(&now);
        let sought = Sought::Recipe { recipe: &shown, path: path.as_deref() };
        let Some(mut recipe) = self.asked(&sought, (&next.notebook, error), read)? else { return Ok(None) };
        recipe.corrections = now.corrections;
        if recipe.folders.is_empty() {
            recipe.folders = now.folders;
        }
        if let Err(why) = recipe.check() {
            self.left_out.insert((told(&sought), why.to_string()));
            return Ok(None);
        }
        let what = format!("made up: {} files by a recipe that a model wrote", recipe.files.len());
        next.inputs = Some(Arc::new(recipe));
        Ok(Some(PutBack { preparation: Preparation::Files, what, because: because(&next.notebook, error) }))
    }
}

/// What was asked for, for people.
fn told(sought: &Sought<'_>) -> String {
    match sought {
        Sought::Distribution { module } => format!("module {module}"),
        Sought::Definition { name, .. } => format!("name {name}"),
        Sought::Contents { path } => format!("file {path}"),
        Sought::Recipe { path: Some(path), .. } => format!("recipe with {path}"),
        Sought::Recipe { path: None, .. } => "recipe".to_owned(),
    }
}

/// A recipe without what only tells where it comes from.
fn shown_recipe(recipe: &InputRecipe) -> String {
    let mut shown = recipe.clone();
    shown.not_made.clear();
    shown.corrections.clear();
    for file in &mut shown.files {
        file.used.clear();
        file.tables.iter_mut().flat_map(|table| &mut table.columns).for_each(|column| column.used.clear());
    }
    shown.to_json()
}

/// The number of a cell among the code cells, from 0.
fn code_cell(notebook: &Notebook, cell: usize) -> usize {
    notebook.code_places().iter().position(|place| *place == cell).unwrap_or(0)
}

fn because(notebook: &Notebook, error: &CellFeedback) -> String {
    let message: String = first_line(&error.evalue).chars().take(200).collect();
    format!("code cell {}: {}: {message}", code_cell(notebook, error.cell) + 1, error.ename)
}

/// The first code cell below one that binds a name, by its number among the code cells.
fn defined_below(notebook: &Notebook, cell: usize, name: &str) -> Option<usize> {
    let found = names(&notebook.code_sources());
    let binds = |number: usize| {
        let events = &found.cells[number].acts.events;
        events.iter().any(|event| matches!(event.act, NameAct::Bind(_)) && event.name == name)
    };
    (code_cell(notebook, cell) + 1..found.cells.len()).find(|number| binds(*number))
}

/// Puts code before that of a cell, below a magic that is about the whole cell.
fn put_before(notebook: &mut Notebook, cell: usize, code: &str) {
    let source = &mut notebook.cells[cell].source;
    let (magic, rest) = match source.strip_prefix("%%").and_then(|_| source.split_once('\n')) {
        Some((magic, rest)) => (format!("{magic}\n"), rest),
        None => (String::new(), source.as_str()),
    };
    *source = format!(
        "{magic}# What follows, down to the next line like this, was written by a model.\n{code}\n# End of it.\n{rest}"
    );
}

#[cfg(test)]
mod tests {
    use nbrevive_notebook::Cell;

    use super::*;

    #[test]
    fn a_definition_stands_before_the_code_and_behind_the_magic_of_the_cell() {
        let mut notebook = Notebook::from_cells(vec![Cell::code("%%time\ny = f(1)"), Cell::code("z = g(2)")]);
        put_before(&mut notebook, 0, "def f(x):\n    return x");
        put_before(&mut notebook, 1, "g = abs");
        let lines = |cell: usize| notebook.cells[cell].source.lines().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(
            (lines(0)[0].as_str(), lines(0)[2].as_str(), lines(0)[5].as_str()),
            ("%%time", "def f(x):", "y = f(1)")
        );
        assert_eq!((lines(1)[1].as_str(), lines(1)[3].as_str()), ("g = abs", "z = g(2)"));
    }

    #[test]
    fn a_definition_further_down_is_found() {
        let cells = ["y = f(1)", "# text", "def f(x):\n    return x"];
        let cells =
            cells.iter().map(|text| if text.starts_with('#') { Cell::markdown(*text) } else { Cell::code(*text) });
        let notebook = Notebook::from_cells(cells.collect());
        assert_eq!((defined_below(&notebook, 0, "f"), defined_below(&notebook, 0, "g")), (Some(1), None));
        assert_eq!(defined_below(&notebook, 2, "f"), None, "above is not below");
    }
}
