//! The tables of the dump that are read, and their columns (schema of KGTorrent and of newer projects). Columns are found by name,
//! never by place: dumps of other years have more, fewer, and others between them.

nbrevive_corpus::string_enum! {
    /// A table of the dump; the file is named after it.
    pub enum DumpTable ("table of the dump") {
        /// Competitions.
        Competitions => "Competitions",
        /// Notebooks.
        Kernels => "Kernels",
        /// Their versions.
        KernelVersions => "KernelVersions",
        /// Competitions that versions read.
        CompetitionSources => "KernelVersionCompetitionSources",
        /// Data sets that versions read.
        DatasetSources => "KernelVersionDatasetSources",
        /// Other notebooks that versions read.
        KernelSources => "KernelVersionKernelSources",
        /// Models that versions read.
        ModelSources => "KernelVersionModelSources",
        /// Languages.
        KernelLanguages => "KernelLanguages",
        /// Accelerators.
        KernelAcceleratorTypes => "KernelAcceleratorTypes",
        /// Submissions and their scores.
        Submissions => "Submissions",
        /// Users.
        Users => "Users",
        /// Data sets.
        Datasets => "Datasets",
        /// Their versions.
        DatasetVersions => "DatasetVersions",
    }
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
        match self {
            Self::Competitions => "names and dates of competitions",
            Self::Kernels => "names and authors of notebooks",
            Self::KernelVersions => "the versions themselves",
            Self::CompetitionSources => "which versions belong to a competition",
            Self::DatasetSources => "which versions read other data sets",
            Self::KernelSources => "which versions read other notebooks",
            Self::ModelSources => "which versions read models (taken to be none)",
            Self::KernelLanguages => "languages, and notebooks from scripts",
            Self::KernelAcceleratorTypes => "names of accelerators (the facts' own are used)",
            Self::Submissions => "scores",
            Self::Users => "names of authors",
            Self::Datasets | Self::DatasetVersions => "names of data sets",
        }
    }

    /// Whether a dump without it is refused: without these a version would lose its name, its competition or its score,
    /// or foreign data would go unseen.
    pub(super) const fn is_required(self) -> bool {
        !matches!(self, Self::ModelSources | Self::KernelAcceleratorTypes | Self::Datasets | Self::DatasetVersions)
    }

    /// The columns that are read.
    pub(super) const fn columns(self) -> &'static [Column] {
        match self {
            Self::Competitions => COMPETITIONS,
            Self::Kernels => KERNELS,
            Self::KernelVersions => KERNEL_VERSIONS,
            Self::CompetitionSources => COMPETITION_SOURCES,
            Self::DatasetSources => DATASET_SOURCES,
            Self::KernelSources => KERNEL_SOURCES,
            Self::ModelSources => MODEL_SOURCES,
            Self::KernelLanguages => LANGUAGES,
            Self::KernelAcceleratorTypes => ACCELERATORS,
            Self::Submissions => SUBMISSIONS,
            Self::Users => USERS,
            Self::Datasets => DATASETS,
            Self::DatasetVersions => DATASET_VERSIONS,
        }
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
