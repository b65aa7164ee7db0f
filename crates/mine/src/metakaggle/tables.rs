//! The tables of the dump that are read, and their columns (schema of KGTorrent and of newer projects). Columns are found by name,
//! never by place: dumps of other years have more, fewer, and others between them.

nbrevive_corpus::string_enum! {
    /// A table of the dump; the file is named after it.
    pub enum DumpTable ("table of the dump"): TableFacts {
        /// Competitions.
        Competitions => "Competitions", facts("names and dates of competitions", COMPETITIONS);
        /// Notebooks.
        Kernels => "Kernels", facts("names and authors of notebooks", KERNELS);
        /// Their versions.
        KernelVersions => "KernelVersions", facts("the versions themselves", KERNEL_VERSIONS);
        /// Competitions that versions read.
        CompetitionSources => "KernelVersionCompetitionSources",
            facts("which versions belong to a competition", COMPETITION_SOURCES);
        /// Data sets that versions read.
        DatasetSources => "KernelVersionDatasetSources", facts("which versions read other data sets", DATASET_SOURCES);
        /// Other notebooks that versions read.
        KernelSources => "KernelVersionKernelSources", facts("which versions read other notebooks", KERNEL_SOURCES);
        /// Models that versions read.
        ModelSources => "KernelVersionModelSources",
            facts("which versions read models (taken to be none)", MODEL_SOURCES);
        /// Languages.
        KernelLanguages => "KernelLanguages", facts("languages, and notebooks from scripts", LANGUAGES);
        /// Accelerators.
        KernelAcceleratorTypes => "KernelAcceleratorTypes",
            facts("names of accelerators (those that are known are used)", ACCELERATORS);
        /// Submissions and their scores.
        Submissions => "Submissions", facts("scores", SUBMISSIONS);
        /// Users.
        Users => "Users", facts("names of authors", USERS);
        /// Data sets.
        Datasets => "Datasets", facts("names of data sets", DATASETS);
        /// Their versions.
        DatasetVersions => "DatasetVersions", facts("names of data sets", DATASET_VERSIONS);
    }
}

/// What is known of a table.
struct TableFacts {
    /// What it is needed for.
    tells: &'static str,
    /// The columns that are read.
    columns: &'static [Column],
}

const fn facts(tells: &'static str, columns: &'static [Column]) -> TableFacts {
    TableFacts { tells, columns }
}

/// A column of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Column {
    /// Its name in the header.
    pub(super) name: &'static str,
    /// What it tells.
    pub(super) tells: &'static str,
    /// Whether the table is of no use without it.
    pub(super) is_required: bool,
}

const fn must(name: &'static str, tells: &'static str) -> Column {
    Column { name, tells, is_required: true }
}

const fn may(name: &'static str, tells: &'static str) -> Column {
    Column { name, tells, is_required: false }
}

const ID: Column = must("Id", "which row is which");
const OF_VERSION: Column = must("KernelVersionId", "which version reads it");

impl DumpTable {
    /// What the table is needed for.
    pub(super) const fn tells(self) -> &'static str {
        self.about().tells
    }

    /// Whether a dump without it is refused: without these a version would lose its name, its competition or its score,
    /// or foreign data would go unseen.
    pub(super) const fn is_required(self) -> bool {
        !matches!(self, Self::ModelSources | Self::KernelAcceleratorTypes | Self::Datasets | Self::DatasetVersions)
    }

    /// The columns that are read.
    pub(super) const fn columns(self) -> &'static [Column] {
        self.about().columns
    }
}

const COMPETITIONS: &[Column] = &[
    ID,
    must("Slug", "names of competitions in addresses"),
    may("Title", "names of competitions for people"),
    may("HostSegmentTitle", "categories of competitions"),
    may("EnabledDate", "when competitions opened"),
    may("DeadlineDate", "when competitions closed"),
    may("OnlyAllowKernelSubmissions", "which competitions take notebooks alone"),
    may("EvaluationAlgorithmName", "metrics"),
    may("EvaluationAlgorithmIsMax", "whether more is better, for the best of several scores"),
    may("TotalTeams", "teams of competitions"),
];

const KERNELS: &[Column] = &[
    ID,
    must("AuthorUserId", "authors of notebooks"),
    must("CurrentUrlSlug", "names of notebooks in addresses"),
    may("CurrentKernelVersionId", "current versions of notebooks"),
    may("ForkParentKernelVersionId", "copies"),
    may("EvaluationDate", "when notebooks last ran"),
    may("TotalVotes", "votes of notebooks"),
];

const KERNEL_VERSIONS: &[Column] = &[
    ID,
    must("ScriptId", "the notebook of a version"),
    must("CreationDate", "when versions were saved"),
    may("ScriptLanguageId", "languages, and notebooks from scripts"),
    may("VersionNumber", "numbers of versions, and copies"),
    may("ParentScriptVersionId", "copies"),
    may("Title", "titles"),
    may("EvaluationDate", "which versions ended their run"),
    may("TotalLines", "empty versions"),
    may("LinesInsertedFromFork", "unchanged copies"),
    may("LinesChangedFromFork", "unchanged copies"),
    may("LinesDeletedFromFork", "unchanged copies"),
    may("TotalVotes", "votes of versions"),
    may("IsInternetEnabled", "which versions had the internet"),
    may("RunningTimeInMilliseconds", "run times"),
    may("AcceleratorTypeId", "accelerators"),
    may("DockerImage", "images"),
];

const LANGUAGES: &[Column] = &[
    ID,
    must("Name", "languages"),
    must("DisplayName", "languages"),
    must("IsNotebook", "which versions are notebooks"),
];

const SUBMISSIONS: &[Column] = &[
    ID,
    must("SourceKernelVersionId", "which version was submitted"),
    may("SubmissionDate", "the first of several submissions (their ids are used)"),
    may("IsAfterDeadline", "which submissions were too late (taken to be none)"),
    must("PublicScoreFullPrecision", "public scores"),
    may("PrivateScoreFullPrecision", "private scores"),
];

const COMPETITION_SOURCES: &[Column] = &[OF_VERSION, must("SourceCompetitionId", "the competition")];
const DATASET_SOURCES: &[Column] = &[OF_VERSION, must("SourceDatasetVersionId", "the data set")];
const KERNEL_SOURCES: &[Column] = &[OF_VERSION, must("SourceKernelVersionId", "the other notebook")];
const MODEL_SOURCES: &[Column] = &[OF_VERSION, may("SourceModelVariationVersionId", "which model it is")];
const ACCELERATORS: &[Column] = &[ID, must("Label", "the accelerator's name")];
const USERS: &[Column] = &[ID, must("UserName", "names in addresses"), may("DisplayName", "names for people")];
const DATASETS: &[Column] = &[ID, must("OwnerUserId", "owners of data sets")];
const DATASET_VERSIONS: &[Column] =
    &[ID, must("DatasetId", "whose version it is"), must("Slug", "names of data sets in addresses")];
