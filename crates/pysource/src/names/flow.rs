//! Names that are not there when cells run in a given order, each to its end.

use std::collections::{HashMap, HashSet};

use serde::Serialize;

use super::{
    Acts, Binder, Body, CellState, NameAct, NameEvent, NotebookNames, UnknownCause, is_builtin, is_of_ipython,
};

/// A name that is looked up where nothing that was seen has defined it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingName {
    /// The name.
    pub name: String,
    /// The cell that looks it up, as index into the cells given. For a function's body the one that defines the function.
    pub cell: usize,
    /// Line of the look-up in that cell, from 1.
    pub line: u32,
    /// Place in bytes of that cell.
    pub span: std::ops::Range<usize>,
    /// The cell that calls, where the look-up stands in the body of a function; `None` too where none is seen to call it.
    pub called_by: Option<usize>,
    /// Whether the look-up stands in the body of a function.
    pub in_body: bool,
    /// Whether it happens whenever its cell runs: in no branch, loop or `try`, and in a function only where that is called so.
    pub is_sure: bool,
    /// The first cell of the notebook, with the line, that defines the name.
    pub defined: Option<(usize, u32)>,
    /// Where the name was deleted before, by cell and line.
    pub deleted: Option<(usize, u32)>,
    /// What may have defined it without being seen to.
    pub unless: Option<Obstacle>,
}

/// Something that may have defined names, and what it is cannot be told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Obstacle {
    /// The cell, as index into the cells given.
    pub cell: usize,
    /// Line in the cell, from 1.
    pub line: u32,
    /// What it is.
    #[serde(flatten)]
    pub what: ObstacleKind,
}

/// What stands between a name and the certainty that it is missing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum ObstacleKind {
    /// Code whose effect cannot be read.
    Unknown(UnknownCause),
    /// A cell that is not Python 3: what it was meant to define is not known.
    Unreadable,
    /// Functions call each other so often that they were followed no further.
    TooManyCalls,
}

/// The names that are missing when the cells run in the order given, each name once a cell and a body, in order of their look-ups.
///
/// Functions run where they are called by name, or handed on; methods where their class is called (`__init__`) or a method of their name
/// is. Functions that are never seen to run come last, with names that no cell defines. A cell counts as run to its end.
#[must_use]
pub fn missing_names(names: &NotebookNames, order: &[usize]) -> Vec<MissingName> {
    let mut flow = Flow::new(names);
    for cell in order.iter().copied().filter(|cell| *cell < names.cells.len()) {
        flow.run(cell);
    }
    flow.bodies_never_run(order);
    flow.missing
}

/// How often at most all acts of a notebook are gone through: the work stays in proportion to the text.
const MOST_OFTEN: usize = 16;

/// Definitions of one name in branches that are kept at most, the last ones.
const MOST_BODIES: usize = 16;

/// A body by its cell and its place among the cell's bodies.
type BodyAt = (usize, usize);

/// Where and how acts happen.
#[derive(Clone, Copy)]
struct Context {
    /// The cell whose text it is.
    cell: usize,
    body: Option<usize>,
    /// The cell that runs.
    runs: usize,
    is_sure: bool,
    is_guarded: bool,
}

/// How far acts were gone through.
struct Progress<'a> {
    acts: &'a Acts,
    context: Context,
    /// The next event.
    event: usize,
    /// The next place of which the text does not tell what happens.
    unknown: usize,
}

impl<'a> Progress<'a> {
    fn new(acts: &'a Acts, context: Context) -> Self {
        Progress { acts, context, event: 0, unknown: 0 }
    }
}

/// What is to be gone through.
enum Step<'a> {
    /// A body, should it not be known what it does.
    Body(BodyAt, Context),
    /// The rest of a cell or body.
    Acts(Progress<'a>),
}

struct Flow<'a> {
    names: &'a NotebookNames,
    /// The first definition of each name anywhere.
    first: HashMap<&'a str, (usize, u32)>,
    defined: HashMap<&'a str, Binder>,
    deleted: HashMap<&'a str, (usize, u32)>,
    obstacle: Option<Obstacle>,
    /// The bodies that run when a name is called.
    functions: HashMap<&'a str, Vec<BodyAt>>,
    /// Methods by their own names.
    methods: HashMap<&'a str, Vec<BodyAt>>,
    /// The bodies of the cell that runs, by the event that binds them.
    bound: HashMap<usize, Vec<BodyAt>>,
    /// The bodies that the next name which is bound stands for as well.
    renamed: Vec<BodyAt>,
    /// Acts in bodies that may still be gone through.
    budget: usize,
    /// Bodies that were gone through, in which epoch, and whether they ran surely.
    done: HashMap<BodyAt, (usize, bool)>,
    /// Grows when a body that was gone through may miss more names than it did.
    epoch: usize,
    /// Names that were missing somewhere.
    wanted: HashSet<&'a str>,
    ever: HashSet<BodyAt>,
    told: HashSet<(&'a str, usize, Option<usize>)>,
    missing: Vec<MissingName>,
}

impl<'a> Flow<'a> {
    fn new(names: &'a NotebookNames) -> Self {
        let mut first = HashMap::new();
        for (cell, found) in names.cells.iter().enumerate() {
            for event in found
                .all_events()
                .filter(|event| matches!(event.act, NameAct::Bind(binder) if binder != Binder::Exception))
            {
                first.entry(event.name.as_str()).or_insert((cell, event.line));
            }
        }
        Self {
            names,
            first,
            defined: HashMap::new(),
            deleted: HashMap::new(),
            obstacle: None,
            functions: HashMap::new(),
            methods: HashMap::new(),
            bound: HashMap::new(),
            renamed: Vec::new(),
            budget: MOST_OFTEN
                * names.cells.iter().map(|cell| cell.all_events().count() + cell.bodies.len()).sum::<usize>(),
            done: HashMap::new(),
            epoch: 0,
            wanted: HashSet::new(),
            ever: HashSet::new(),
            told: HashSet::new(),
            missing: Vec::new(),
        }
    }

    fn run(&mut self, cell: usize) {
        let found = &self.names.cells[cell];
        if let CellState::Python2 { line, .. } | CellState::Broken { line, .. } = &found.state {
            let obstacle = Obstacle { cell, line: *line, what: ObstacleKind::Unreadable };
            self.obstacle.get_or_insert(obstacle);
            return;
        }
        self.bound.clear();
        for (index, body) in found.bodies.iter().enumerate() {
            let bodies = body.binding.map(|binding| self.bound.entry(binding).or_default());
            bodies.into_iter().for_each(|bodies| bodies.push((cell, index)));
        }
        let context = Context { cell, body: None, runs: cell, is_sure: true, is_guarded: false };
        self.follow(Step::Acts(Progress::new(&found.acts, context)));
        // Lambdas without a name were handed to something, which most often calls them before the cell ends.
        for (index, _) in
            found.bodies.iter().enumerate().filter(|(_, body)| body.binding.is_none() && body.class.is_none())
        {
            self.follow(Step::Body((cell, index), Context { is_sure: false, ..context }));
        }
    }

    /// Goes through acts in their order, and through bodies where they are run. What is not done yet is a list, so that recursion costs no
    /// stack.
    fn follow(&mut self, first: Step<'a>) {
        let mut ahead = vec![first];
        while let Some(step) = ahead.pop() {
            let mut progress = match step {
                Step::Body(body, context) => match self.enter(body, context) {
                    Some(progress) => progress,
                    None => continue,
                },
                Step::Acts(progress) => progress,
            };
            let (acts, context, at) = (progress.acts, progress.context, progress.event);
            let event = acts.events.get(at);
            while let Some(found) =
                acts.unknown.get(progress.unknown).filter(|found| found.after <= at || event.is_none())
            {
                progress.unknown += 1;
                self.unknown(found, context.cell);
            }
            let mut runs = Vec::new();
            match event {
                Some(event) => {
                    progress.event += 1;
                    ahead.push(Step::Acts(progress));
                    self.event(event, at, context, &mut runs);
                    if context.body.is_none() && acts.aliases.binary_search(&at).is_ok() {
                        // It gets another name, and runs when that is called.
                        self.renamed = std::mem::take(&mut runs).into_iter().map(|(body, _)| body).collect();
                    }
                }
                None => runs.extend(self.called_methods(acts, Context { is_sure: false, ..context })),
            }
            ahead.extend(runs.into_iter().rev().map(|(body, context)| Step::Body(body, context)));
        }
    }

    /// Bodies of methods of the names that are called.
    fn called_methods(&self, acts: &'a Acts, context: Context) -> impl Iterator<Item = (BodyAt, Context)> {
        let methods = acts.methods.iter().filter_map(|method| self.methods.get(method.as_str()));
        methods.flatten().map(move |body| (*body, context))
    }

    /// Begins with a body, unless that was done before, as surely as now, and nothing has changed for it.
    fn enter(&mut self, at: BodyAt, context: Context) -> Option<Progress<'a>> {
        let body = self.body(at);
        let is_sure = context.is_sure && !body.is_lazy && !body.is_decorated;
        if self.done.get(&at).is_some_and(|(epoch, was_sure)| *epoch == self.epoch && (*was_sure || !is_sure)) {
            return None;
        }
        let Some(budget) = self.budget.checked_sub(body.acts.events.len() + 1) else {
            let what = ObstacleKind::TooManyCalls;
            self.obstacle.get_or_insert(Obstacle { cell: context.runs, line: 1, what });
            return None;
        };
        self.budget = budget;
        self.done.insert(at, (self.epoch, is_sure));
        self.ever.insert(at);
        Some(Progress::new(&body.acts, Context { cell: at.0, body: Some(at.1), is_sure, ..context }))
    }

    fn body(&self, (cell, index): BodyAt) -> &'a Body {
        &self.names.cells[cell].bodies[index]
    }

    /// Goes through one act; the bodies that it runs are appended to `runs`.
    fn event(&mut self, event: &'a NameEvent, at: usize, context: Context, runs: &mut Vec<(BodyAt, Context)>) {
        let name = event.name.as_str();
        match event.act {
            NameAct::Read | NameAct::Call | NameAct::Change => {
                self.look_up(event, context);
                let is_sure = context.is_sure && !event.is_maybe && event.act == NameAct::Call;
                let is_guarded = context.is_guarded || event.is_guarded;
                for body in self.functions.get(name).into_iter().flatten() {
                    let called = self.body(*body);
                    if called.class.is_none() || called.name.as_deref().is_some_and(is_run_by_making) {
                        runs.push((*body, Context { is_sure, is_guarded, ..context }));
                    }
                }
            }
            NameAct::Bind(binder) => self.bind(event, binder, at, context),
            NameAct::Delete => {
                if event.act == NameAct::Delete && !self.defined.contains_key(name) {
                    self.look_up(event, context);
                }
                let ends_handler = self.defined.get(name) == Some(&Binder::Exception);
                let is_sure = context.is_sure && !event.is_maybe;
                if is_sure || ends_handler {
                    self.epoch += usize::from(self.defined.remove(name).is_some());
                    self.functions.remove(name);
                    self.deleted.insert(name, (context.cell, event.line));
                }
            }
        }
    }

    fn bind(&mut self, event: &'a NameEvent, binder: Binder, at: usize, context: Context) {
        let name = event.name.as_str();
        self.defined.insert(name, binder);
        self.deleted.remove(name);
        if context.body.is_some() {
            return;
        }
        let mut own = self.bound.remove(&at).unwrap_or_default();
        own.extend(
            self.renamed.drain(..).filter(|(cell, index)| self.names.cells[*cell].bodies[*index].class.is_none()),
        );
        let functions = self.functions.entry(name).or_default();
        let is_class = binder == Binder::Class;
        if !own.is_empty() && (is_class || !functions.is_empty() || self.wanted.contains(name)) {
            self.epoch += 1;
        }
        if !event.is_maybe {
            for (cell, index) in functions.drain(..) {
                let method = self.names.cells[cell].bodies[index].name.as_deref();
                let same = method.and_then(|method| self.methods.get_mut(method));
                same.into_iter().for_each(|same| same.retain(|body| *body != (cell, index)));
            }
        }
        keep_last(functions, own.iter().copied());
        for (cell, index) in own {
            let body = &self.names.cells[cell].bodies[index];
            if let (Some(_), Some(method)) = (&body.class, &body.name) {
                keep_last(self.methods.entry(method).or_default(), std::iter::once((cell, index)));
            }
        }
    }

    fn unknown(&mut self, found: &super::FoundUnknown, cell: usize) {
        if found.cause.may_bind() {
            let what = ObstacleKind::Unknown(found.cause.clone());
            self.obstacle.get_or_insert(Obstacle { cell, line: found.line, what });
        }
    }

    /// Notes a name that is not there.
    fn look_up(&mut self, event: &'a NameEvent, context: Context) {
        let name = event.name.as_str();
        let is_there = self.defined.contains_key(name) || is_builtin(name) || is_of_ipython(name);
        if !is_there {
            self.wanted.insert(name);
        }
        if is_there || event.is_guarded || context.is_guarded || !self.told.insert((name, context.cell, context.body)) {
            return;
        }
        self.missing.push(MissingName {
            name: name.to_owned(),
            cell: context.cell,
            line: event.line,
            span: event.span.clone(),
            called_by: context.body.map(|_| context.runs),
            in_body: context.body.is_some(),
            is_sure: context.is_sure && !event.is_maybe,
            defined: self.first.get(name).copied(),
            deleted: self.deleted.get(name).copied(),
            unless: self.obstacle.clone(),
        });
    }

    /// What is called by nobody that is seen can miss only what no cell defines.
    fn bodies_never_run(&mut self, order: &[usize]) {
        let before = self.missing.len();
        for cell in order.iter().copied().filter(|cell| *cell < self.names.cells.len()) {
            for (index, body) in self.names.cells[cell].bodies.iter().enumerate() {
                if self.ever.contains(&(cell, index)) {
                    continue;
                }
                let context = Context { cell, body: Some(index), runs: cell, is_sure: false, is_guarded: false };
                let uses = body
                    .acts
                    .events
                    .iter()
                    .filter(|event| event.is_use() && !self.first.contains_key(event.name.as_str()));
                for event in uses.collect::<Vec<_>>() {
                    self.look_up(event, context);
                }
            }
        }
        self.missing[before..].iter_mut().for_each(|missing| missing.called_by = None);
    }
}

/// Methods that calling a class runs.
fn is_run_by_making(method: &str) -> bool {
    matches!(method, "__init__" | "__new__" | "__post_init__")
}

/// Appends bodies, and forgets the first ones of too many.
fn keep_last(bodies: &mut Vec<BodyAt>, more: impl Iterator<Item = BodyAt>) {
    bodies.extend(more);
    bodies.drain(..bodies.len().saturating_sub(MOST_BODIES));
}
