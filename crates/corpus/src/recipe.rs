//! Conditions as recipes: what a study does with a version under a condition, as its file says it.
//!
//! The paper's four are presets. `[[condition]]` makes others, from nothing or `like` a preset; `conditions` names those that run, in
//! their order.

#![deny(clippy::wildcard_enum_match_arm)]

use std::collections::BTreeSet;
use std::num::NonZeroU32;

use crate::{Condition, ConditionPart, RepairLevel, Role};
use nbrevive_spelling::string_enum;

string_enum! {
    /// In which environment the code runs.
    pub enum Surrounding ("environment") {
        /// The study's lock, with what the notebook installs for itself.
        Lock => "lock",
        /// One of the version's date, by the study's strategy.
        Date => "date",
        /// That of its repository, from what the repository's files declare (containers, section 4.1: the baseline).
        Declared => "declared",
        /// That of its repository, from what its files declare and its code imports (containers, section 3.2).
        Inferred => "inferred",
        /// The same names in versions of the repository's date.
        InferredOfDate => "inferred-of-date",
        /// None: nothing runs, and what is said is what the code says of itself (ReNote, Fig. 2a).
        None => "none",
    }
}

string_enum! {
    /// How an environment came to be.
    pub enum EnvironmentKind ("kind of environment") {
        /// From a lock, with what a notebook installs for itself.
        Lock => "lock",
        /// From a plan for a date.
        Plan => "plan",
        /// From what a repository declares and imports.
        Repository => "repository",
    }
}

string_enum! {
    /// In which order the cells run.
    pub enum CellOrder ("order of cells") {
        /// As they stand in the notebook.
        Document => "document",
        /// By the numbers that they were saved with; those without one come last, as they stand.
        Counter => "counter",
        /// Drawn from those that the graph of the cells allows, in which functions need what their bodies read and literal keys are names.
        Graph => "graph",
        /// Drawn from those that the paper's graph allows (Osiris, section 4.2).
        PaperGraph => "paper-graph",
        /// Drawn from those in which each cell reads the values that it reads in the notebook as it stands.
        VersionsGraph => "versions-graph",
        /// By their numbers, each gap filled with a cell that the paper's graph allows there, drawn (Osiris, section 6.1).
        Gaps => "gaps",
    }
}

string_enum! {
    /// What stops a run before its last cell, beside its limits.
    pub enum Stop ("stop") {
        /// Nothing: every cell runs whatever happened to those before it (paper, section 2.1.2).
        Tolerant => "tolerant",
        /// The first cell that raises.
        FirstError => "first-error",
    }
}

string_enum! {
    /// What is put back that a notebook misses (ReNote, section IV).
    pub enum Preparation ("preparation") {
        /// The distributions of modules that are not installed.
        Modules => "modules",
        /// Definitions of later cells, and imports that everybody knows.
        Names => "names",
        /// Files, made up so that the code runs and never so that results mean anything.
        Files => "files",
    }
}

string_enum! {
    /// Who says what is put back.
    pub enum Restorer ("restorer") {
        /// What is known of modules, names and files; nobody is asked.
        Rules => "rules",
        /// These, and for what they leave the model of `[model]`, which writes the recipe of a file and never the file.
        Model => "model",
        /// As the paper does: the missing module by its own name, and a model that writes files and definitions (ReNote, section IV-B).
        Paper => "paper",
    }
}

string_enum! {
    /// What takes chance, time and places out of a run (Osiris, section 4.3.1: best-effort match).
    pub enum Antidote ("antidote") {
        /// A seed for generators that have none: random, numpy (and scikit-learn, scipy), torch, TensorFlow, uuid4. The paper's.
        Seeds => "seeds",
        /// The clock stands; it moves when a cell sleeps, and by a microsecond at each look. The paper's.
        Clock => "clock",
        /// `%matplotlib inline` first. The paper's.
        Inline => "inline",
        /// One seed for the hashes of texts, and so one order of sets.
        HashSeed => "hash-seed",
        /// Numeric libraries on one thread.
        Threads => "threads",
        /// Folders are listed by name.
        Listings => "listings",
        /// Objects are shown by numbers in the place of addresses.
        Addresses => "addresses",
    }
}

string_enum! {
    /// Who repairs what does not reproduce.
    pub enum Repairer ("repair") {
        /// Nobody.
        None => "none",
        /// Rules and tools.
        Rules => "rules",
        /// These, and then the model of `[model]`, where there is one.
        Model => "model",
    }
}

impl Surrounding {
    /// Whether a plan for the version's date makes the environment: it is built ahead, and wants an interpreter of then.
    #[must_use]
    pub const fn is_of_date(self) -> bool {
        match self {
            Surrounding::Date => true,
            Surrounding::Lock
            | Surrounding::Declared
            | Surrounding::Inferred
            | Surrounding::InferredOfDate
            | Surrounding::None => false,
        }
    }

    /// Whether there is one to run in.
    #[must_use]
    pub const fn runs(self) -> bool {
        match self {
            Surrounding::Lock
            | Surrounding::Date
            | Surrounding::Declared
            | Surrounding::Inferred
            | Surrounding::InferredOfDate => true,
            Surrounding::None => false,
        }
    }

    /// Whether all notebooks of a repository share it.
    #[must_use]
    pub const fn is_of_repository(self) -> bool {
        match self {
            Surrounding::Declared | Surrounding::Inferred | Surrounding::InferredOfDate => true,
            Surrounding::Lock | Surrounding::Date | Surrounding::None => false,
        }
    }
}

impl CellOrder {
    /// Whether orders are drawn, of which a notebook has several.
    #[must_use]
    pub const fn is_drawn(self) -> bool {
        match self {
            CellOrder::Document | CellOrder::Counter => false,
            CellOrder::Graph | CellOrder::PaperGraph | CellOrder::VersionsGraph | CellOrder::Gaps => true,
        }
    }

    /// Whether they are drawn from what a graph allows, each cell once.
    #[must_use]
    pub const fn is_of_graph(self) -> bool {
        match self {
            CellOrder::Document | CellOrder::Counter | CellOrder::Gaps => false,
            CellOrder::Graph | CellOrder::PaperGraph | CellOrder::VersionsGraph => true,
        }
    }
}

impl Restorer {
    /// Whether a model is asked.
    #[must_use]
    pub const fn asks_model(self) -> bool {
        match self {
            Restorer::Rules => false,
            Restorer::Model | Restorer::Paper => true,
        }
    }
}

impl Repairer {
    /// Whether anybody repairs.
    #[must_use]
    pub const fn repairs(self) -> bool {
        match self {
            Repairer::None => false,
            Repairer::Rules | Repairer::Model => true,
        }
    }

    /// Whether a model is asked, where the study names one.
    #[must_use]
    pub const fn asks_model(self) -> bool {
        match self {
            Repairer::None | Repairer::Rules => false,
            Repairer::Model => true,
        }
    }
}

/// What a study does with a version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recipe {
    /// By which it is known.
    pub name: Condition,
    /// What it is to the tables.
    pub role: Role,
    /// In which environment the code runs.
    pub environment: Surrounding,
    /// In which order its cells run.
    pub cells: CellOrder,
    /// How many orders are drawn; none where they are not. A notebook that has fewer runs in each of them.
    pub samples: Option<NonZeroU32>,
    /// What takes chance, time and places out of its runs. Where this is said at all, an empty list too, each time that an order runs has
    /// hashes of its own, as every start of Python has.
    pub antidotes: Option<BTreeSet<Antidote>>,
    /// Whether install lines are carried out; without, they are left out all the same.
    pub installs: bool,
    /// What stops a run.
    pub stop: Stop,
    /// What is put back that a notebook misses.
    pub prepare: BTreeSet<Preparation>,
    /// Who says what that is.
    pub prepare_by: Restorer,
    /// Whether the files that it reads are hidden, although they lie beside it.
    pub hide_data: bool,
    /// Whether the debugger runs the first order of a notebook in two kernels side by side, where it ran to its end.
    pub debug: bool,
    /// Who repairs.
    pub repair: Repairer,
    /// How much of the notebook one fix is about.
    pub level: RepairLevel,
    /// How often each order runs, everything being equal; as the study says unless told.
    pub repetitions: Option<NonZeroU32>,
    /// Seed of Python's string hashing; as the study says unless told.
    pub seed: Option<u32>,
    /// Whose executions a repair or preparation starts from: a condition without either that is its like otherwise.
    pub start: Option<Condition>,
}

impl Recipe {
    /// The recipe of one of the paper's conditions.
    #[must_use]
    pub fn preset(name: Condition) -> Option<Self> {
        let own_code = |environment: Surrounding| Recipe {
            name,
            role: name.paper_role(),
            environment,
            cells: CellOrder::Document,
            samples: None,
            antidotes: None,
            installs: true,
            stop: Stop::Tolerant,
            prepare: BTreeSet::new(),
            prepare_by: Restorer::Rules,
            hide_data: false,
            debug: false,
            repair: Repairer::None,
            level: RepairLevel::File,
            repetitions: None,
            seed: None,
            start: None,
        };
        let repaired = |level: RepairLevel| Recipe {
            repair: Repairer::Model,
            level,
            start: Some(Condition::BASELINE),
            ..own_code(Surrounding::Lock)
        };
        match name.paper_role() {
            Role::Baseline => Some(own_code(Surrounding::Lock)),
            Role::Backport => Some(own_code(Surrounding::Date)),
            Role::Modernize => Some(repaired(RepairLevel::File)),
            Role::Ablation => Some(repaired(RepairLevel::Cell)),
            Role::Further => None,
        }
    }

    /// Those of the paper's Tables 1 to 3, which a study has unless told.
    #[must_use]
    pub fn main() -> Vec<Self> {
        Condition::MAIN.iter().filter_map(|name| Self::preset(*name)).collect()
    }

    /// Whether the code is repaired.
    #[must_use]
    pub fn repairs(&self) -> bool {
        self.repair.repairs()
    }

    /// Whether a model is asked, where the study names one.
    #[must_use]
    pub const fn asks_model(&self) -> bool {
        self.repair.asks_model() || self.prepare_by.asks_model()
    }

    /// Whether nothing can be done without a model: rules repair alone, and a preparation that is a model's is another without it.
    #[must_use]
    pub const fn needs_model(&self) -> bool {
        self.prepare_by.asks_model()
    }

    /// How many orders a notebook runs in at most.
    #[must_use]
    pub fn orders(&self) -> u32 {
        self.samples.map_or(1, NonZeroU32::get)
    }

    /// Which of the orders a repetition runs, from 0, and which time it runs it, from 1: each order runs once before any runs again.
    #[must_use]
    pub fn order_and_time(&self, repetition: u32) -> (u32, u32) {
        let before = repetition.saturating_sub(1);
        (before % self.orders(), before / self.orders() + 1)
    }

    /// The repetition in which the order of this one ran first.
    #[must_use]
    pub fn first_of(&self, repetition: u32) -> u32 {
        self.order_and_time(repetition).0 + 1
    }

    /// Whether anything is put back.
    #[must_use]
    pub fn prepares(&self) -> bool {
        !self.prepare.is_empty()
    }

    /// What tables know of it.
    #[must_use]
    pub fn part(&self) -> ConditionPart {
        ConditionPart {
            role: self.role,
            runs: self.environment.runs(),
            in_lock: self.environment == Surrounding::Lock,
            repairs: self.repairs(),
            start: self.start,
        }
    }
}
