//! A run of a capsule, run again where it was unpacked, beside what it showed then.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use nbrevive_compare::{Agreement, Incomparable, OtherDocument, OutputComparer, shown_outputs};
use nbrevive_corpus::{Competition, CompetitionError, RunEnd, Stop};
use nbrevive_environment::{Portable, PortableError};
use nbrevive_files::{FileError, Folder};
use nbrevive_notebook::{Cell, Notebook, Output, ReadError};

use crate::capsule::about::{CapsuleAbout, PackedRun};
use crate::laboratory::Prepared;
use crate::{KagglePlace, Laboratory, LaboratoryError, Manner};

/// By how much of itself a score may differ that is the same: the last digits of sums in another order.
const SAME_SCORE: f64 = 1e-9;

/// Why a run of a capsule cannot be run again.
#[derive(Debug, thiserror::Error)]
pub enum AgainError {
    /// The capsule has no such environment.
    #[error("the capsule has no environment `{0}`, which one of its runs names")]
    NoEnvironment(String),
    /// A path leads out of the capsule.
    #[error("the capsule is refused: `{0}` leads out of its folder")]
    Outside(String),
    /// The data has to be given.
    #[error(
        "the data of `{competition}` is not in the capsule (licence: {licence}): make it with `{command}`, and name its folder with --data"
    )]
    NoData {
        /// The competition.
        competition: String,
        /// The licence of its data.
        licence: String,
        /// What makes the data.
        command: String,
    },
    /// The environment cannot be set up.
    #[error(transparent)]
    Environment(#[from] PortableError),
    /// The competition's description or data is not what it was.
    #[error(transparent)]
    Competition(#[from] CompetitionError),
    /// The executed notebook cannot be read.
    #[error("its executed notebook cannot be read: {0}")]
    Notebook(#[from] ReadError),
    /// A file of the capsule cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// It could not be run.
    #[error(transparent)]
    Laboratory(#[from] LaboratoryError),
    /// What ran is another notebook.
    #[error(transparent)]
    Other(#[from] OtherDocument),
}

/// A run that was run again.
#[derive(Debug, Clone, PartialEq)]
pub struct RunAgain {
    /// How many of its code cells agree, by the strictest level at which they do.
    pub agreeing: BTreeMap<Agreement, usize>,
    /// The code cells that show something else, by their index among all cells from 0, and how.
    pub differing: Vec<(usize, String)>,
    /// How it ended then and now, where that differs.
    pub end: Option<(RunEnd, RunEnd)>,
    /// Its score or why there is none, then and now.
    pub grade: Option<[Result<f64, String>; 2]>,
    /// Wall-clock seconds of its cells.
    pub seconds: f64,
    /// What ran.
    pub notebook: Notebook,
}

impl RunAgain {
    /// Whether the score is the same; also where none was asked for.
    #[must_use]
    pub fn has_same_score(&self) -> bool {
        self.grade.as_ref().is_none_or(|grade| match grade {
            [Ok(then), Ok(now)] => (then - now).abs() <= SAME_SCORE * then.abs().max(now.abs()),
            [Err(then), Err(now)] => then == now,
            _ => false,
        })
    }

    /// Whether everything is as it was.
    #[must_use]
    pub fn is_same(&self) -> bool {
        self.differing.is_empty() && self.end.is_none() && self.has_same_score()
    }
}

impl Laboratory {
    /// Runs a run of a capsule again that was unpacked at `root`, and compares. `data` is the prepared data of its competition, where the
    /// capsule has none, or a folder with that of several.
    ///
    /// # Errors
    /// When something that it needs is not there, or is not what it was; what comes out otherwise is no error.
    pub fn run_again(
        &self,
        root: &Path,
        about: &CapsuleAbout,
        run: &PackedRun,
        data: Option<&Path>,
    ) -> Result<RunAgain, AgainError> {
        let portable = about.environment(run).ok_or_else(|| AgainError::NoEnvironment(run.environment.clone()))?;
        let environment = self.unpacked(root, portable)?;
        let bytes = Folder::open(root)?.read(Path::new(&run.executed()), nbrevive_notebook::LONGEST_FILE)?;
        let then = nbrevive_notebook::read(&bytes)?.notebook;
        let competition = match &run.competition {
            Some(id) => Some(Competition::load(&below(root, &format!("competitions/{id}"))?)?),
            None => None,
        };
        let data = competition.as_ref().map(|competition| data_of(root, about, competition, data)).transpose()?;
        let place = place(root, run, data.as_deref())?;
        let grader = match (&competition, &data) {
            (Some(competition), Some(data)) => {
                competition.verify(data)?;
                Some(self.grader(competition, data)?)
            }
            _ => None,
        };
        let mut notebook = then.clone();
        notebook.cells.iter_mut().for_each(Cell::clear_outputs);
        let stop = if run.stops_at_error { Stop::FirstError } else { Stop::Tolerant };
        // The first repetition alone is packed.
        let antidotes = run.antidotes.as_ref().map(|antidotes| (antidotes, 1));
        let manner = Manner { seed: Some(run.seed), stop, antidotes, ..Manner::default() };
        let attempt = self.attempt(&notebook, &environment, &place, grader.as_ref(), manner)?.undisturbed()?;
        let now = attempt.execution.notebook.clone();
        let (agreeing, differing) = match &run.outputs_left_out {
            None => compared_cells(&then, &now)?,
            Some(_) => Default::default(),
        };
        let grade =
            run.grade.clone().map(|then| [then, attempt.graded().unwrap_or_else(|| Err("ungraded".to_owned()))]);
        let end = (attempt.end != run.end).then(|| (run.end.clone(), attempt.end.clone()));
        Ok(RunAgain { agreeing, differing, end, grade, seconds: attempt.execution.seconds, notebook: now })
    }

    /// An environment of a capsule, set up.
    fn unpacked(&self, root: &Path, portable: &Portable) -> Result<Prepared, PortableError> {
        let (environment, layer) = portable.settle(root, &self.interpreters)?;
        let variables = if portable.has_interpreter { Portable::variables(&environment) } else { Vec::new() };
        let mut prepared = Prepared::of(&environment, &layer, None);
        prepared.kernel.env = variables;
        Ok(prepared)
    }
}

/// The prepared data of a run's competition: the capsule's own, else what was given.
fn data_of(
    root: &Path,
    about: &CapsuleAbout,
    competition: &Competition,
    given: Option<&Path>,
) -> Result<PathBuf, AgainError> {
    let id = &competition.id;
    match (about.competitions.get(id), given) {
        (Some(packed), _) if packed.has_data => below(root, &format!("data/{id}")),
        (_, Some(given)) => Ok(given_data(given, competition)),
        (packed, None) => Err(AgainError::NoData {
            competition: id.clone(),
            licence: packed.map(|packed| packed.licence.clone()).unwrap_or_default(),
            command: packed.map(|packed| packed.command.clone()).unwrap_or_default(),
        }),
    }
}

/// The data of a competition in a folder that was given: of several, by its id or as our cache names it; else the folder is the one's own.
fn given_data(given: &Path, competition: &Competition) -> PathBuf {
    let of_several = [given.join(&competition.id), competition.prepared_folder(given)];
    of_several.into_iter().find(|folder| folder.is_dir()).unwrap_or_else(|| given.to_owned())
}

/// What a run finds, below where its capsule was unpacked.
fn place(root: &Path, run: &PackedRun, data: Option<&Path>) -> Result<KagglePlace, AgainError> {
    let mut place = KagglePlace::default();
    let of_data = run.competition.as_ref().map(|id| format!("data/{id}"));
    for (from, inside) in &run.input {
        let of_data = of_data.as_ref().and_then(|of_data| Path::new(from).strip_prefix(of_data).ok());
        let host = match (of_data, data) {
            (Some(rest), Some(data)) => below(data, &rest.to_string_lossy())?,
            _ => below(root, from)?,
        };
        if !Path::new(inside).starts_with("/kaggle/input") || inside.split('/').any(|part| part == "..") {
            return Err(AgainError::Outside(inside.clone()));
        }
        let host = host.canonicalize().map_err(|source| FileError::Read { path: host, source })?;
        place.input.push((host, PathBuf::from(inside)));
    }
    if let Some(beside) = &run.beside {
        place.put_beside(&below(root, beside)?)?;
    }
    below(root, &run.starts_in)?;
    place.starts_in = PathBuf::from(&run.starts_in);
    Ok(place)
}

/// A path that somebody else wrote, below a folder; the folder itself by an empty one.
fn below(root: &Path, path: &str) -> Result<PathBuf, AgainError> {
    let is_plain = Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
    match is_plain {
        true if path.is_empty() => Ok(root.to_owned()),
        true => Ok(root.join(path)),
        false => Err(AgainError::Outside(path.to_owned())),
    }
}

/// How many cells agree at each level, and which show something else, by their index among all cells from 0, and how.
type Compared = (BTreeMap<Agreement, usize>, Vec<(usize, String)>);

/// What the code cells of a notebook show beside what they showed at another run of it. Errors agree by their class.
///
/// # Errors
/// When it is another notebook.
pub fn compared_cells(then: &Notebook, now: &Notebook) -> Result<Compared, OtherDocument> {
    let (mut agreeing, mut differing) = Compared::default();
    let compared = OutputComparer::default().notebooks(then, now)?;
    for (cell, ((index, then), (_, now))) in compared.cells.iter().zip(then.code_cells().zip(now.code_cells())) {
        let judged = match cell.comparison.agreement {
            Ok(Agreement::Different) => Err(cell.comparison.difference.as_ref().map_or_else(
                || "shows something else".to_owned(),
                |difference| format!("{}: {:?} then, {:?} now", difference.kind, difference.saved, difference.new),
            )),
            Ok(level) => Ok(level),
            Err(Incomparable::ErrorSaved) => same(raised(then), raised(now)),
            Err(Incomparable::NothingSaved) => match shows(now) {
                true => Err("showed nothing then, and shows something now".to_owned()),
                false => Ok(Agreement::Exact),
            },
            Err(Incomparable::NotRun) => Err("was not run this time".to_owned()),
            Err(Incomparable::Installed) => Ok(Agreement::Exact),
        };
        match judged {
            Ok(level) => *agreeing.entry(level).or_default() += 1,
            Err(how) => differing.push((index, how)),
        }
    }
    Ok((agreeing, differing))
}

/// Whether a cell shows anything but what it wrote to stderr, which is not compared.
fn shows(cell: &Cell) -> bool {
    !shown_outputs(cell.outputs()).0.is_empty()
}

fn raised(cell: &Cell) -> Option<&str> {
    cell.outputs().iter().find_map(|output| match output {
        Output::Error { ename, .. } => Some(ename.as_str()),
        _ => None,
    })
}

fn same(then: Option<&str>, now: Option<&str>) -> Result<Agreement, String> {
    match then == now {
        true => Ok(Agreement::Exact),
        false => Err(format!("raised {} then, and {} now", then.unwrap_or("nothing"), now.unwrap_or("nothing"))),
    }
}

#[cfg(test)]
mod tests {
    use nbrevive_notebook::CellKind;

    use super::*;
    use crate::StudyLimits;
    use crate::capsule::about::PackedCompetition;

    fn cell(source: &str, outputs: Vec<Output>) -> Cell {
        Cell { kind: CellKind::Code { execution_count: Some(1), outputs }, ..Cell::code(source) }
    }

    fn text(text: &str) -> Vec<Output> {
        vec![Output::Stream { name: "stdout".to_owned(), text: text.to_owned() }]
    }

    fn error(ename: &str) -> Vec<Output> {
        vec![Output::Error { ename: ename.to_owned(), evalue: String::new(), traceback: Vec::new() }]
    }

    #[test]
    fn cells_that_show_something_else_are_named() {
        let notebook = |outputs: [Vec<Output>; 5]| {
            Notebook::from_cells(
                outputs
                    .into_iter()
                    .zip(["a", "b", "c", "d", "e"])
                    .map(|(outputs, source)| cell(source, outputs))
                    .collect(),
            )
        };
        let then = notebook([text("1"), text("1"), error("ValueError"), error("ValueError"), vec![]]);
        let now = notebook([text("1"), text("other words"), error("ValueError"), error("KeyError"), text("x")]);
        let (agreeing, differing) = compared_cells(&then, &now).unwrap();
        assert_eq!(agreeing, BTreeMap::from([(Agreement::Exact, 2)]));
        assert_eq!(differing.iter().map(|(index, _)| *index).collect::<Vec<_>>(), [1, 3, 4]);
        assert_eq!(differing[1].1, "raised ValueError then, and KeyError now");
        let (agreeing, differing) = compared_cells(&then, &then).unwrap();
        assert_eq!((agreeing.values().sum::<usize>(), differing.len()), (5, 0));
    }

    #[test]
    fn scores_are_the_same_but_for_their_last_digits() {
        let again = |grade| RunAgain {
            agreeing: BTreeMap::new(),
            differing: Vec::new(),
            end: None,
            grade,
            seconds: 0.0,
            notebook: Notebook::from_cells(Vec::new()),
        };
        let missing = || Err("missing".to_owned());
        assert!(again(None).is_same() && again(Some([Ok(0.5), Ok(0.5 + 1e-12)])).is_same());
        assert!(again(Some([missing(), missing()])).is_same());
        for grade in
            [[Ok(0.5), Ok(0.5001)], [Ok(0.5), missing()], [missing(), Ok(0.5)], [missing(), Err("other".to_owned())]]
        {
            assert!(!again(Some(grade)).is_same());
        }
    }

    #[test]
    fn data_that_was_given_can_be_that_of_several_competitions() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../study/competitions/iris-species");
        let competition = Competition::load(&folder).unwrap();
        let given = tempfile::tempdir().unwrap();
        let found = || given_data(given.path(), &competition);
        assert_eq!(found(), given.path());
        let of_cache = competition.prepared_folder(given.path());
        std::fs::create_dir(&of_cache).unwrap();
        assert_eq!(found(), of_cache);
        std::fs::create_dir(given.path().join("iris-species")).unwrap();
        assert_eq!(found(), given.path().join("iris-species"));
    }

    #[test]
    fn the_data_of_a_capsule_goes_before_what_was_given() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../study/competitions/iris-species");
        let competition = Competition::load(&folder).unwrap();
        let packed = |has_data| PackedCompetition {
            has_data,
            licence: "theirs".to_owned(),
            command: "make it".to_owned(),
            files: BTreeMap::new(),
        };
        let about = |has_data| CapsuleAbout {
            study: String::new(),
            title: String::new(),
            tool_revision: String::new(),
            sandbox: String::new(),
            limits: StudyLimits::default(),
            environments: Vec::new(),
            competitions: BTreeMap::from([("iris-species".to_owned(), packed(has_data))]),
            runs: Vec::new(),
        };
        let (root, given) = (Path::new("/capsule"), Path::new("/given"));
        let found = |has_data, given| data_of(root, &about(has_data), &competition, given);
        assert_eq!(found(true, Some(given)).unwrap(), root.join("data/iris-species"));
        assert_eq!(found(false, Some(given)).unwrap(), given);
        assert!(found(false, None).unwrap_err().to_string().contains("make it with `make it`"));
    }

    #[test]
    fn paths_of_a_capsule_stay_in_it() {
        let root = Path::new("/capsule");
        assert_eq!(below(root, "data/a").unwrap(), root.join("data/a"));
        for path in ["/etc", "../x", "a/../../x"] {
            assert!(matches!(below(root, path), Err(AgainError::Outside(_))), "{path}");
        }
    }
}
