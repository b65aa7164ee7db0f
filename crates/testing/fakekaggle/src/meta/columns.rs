//! Names of the dump's files and columns (schema of KGTorrent and of newer projects; columns of some years alone are present here).

/// A file of the dump.
#[derive(Debug)]
pub(super) struct Table {
    /// Name of the file, without `.csv`.
    pub(super) name: &'static str,
    /// Its header.
    pub(super) columns: &'static [&'static str],
}

const KERNELS: Table = Table {
    name: "Kernels",
    columns: &[
        "Id",
        "AuthorUserId",
        "CurrentKernelVersionId",
        "ForkParentKernelVersionId",
        "ForumTopicId",
        "FirstKernelVersionId",
        "CreationDate",
        "EvaluationDate",
        "MadePublicDate",
        "IsProjectLanguageTemplate",
        "CurrentUrlSlug",
        "Medal",
        "MedalAwardDate",
        "TotalViews",
        "TotalComments",
        "TotalVotes",
    ],
};
const KERNEL_VERSIONS: Table = Table {
    name: "KernelVersions",
    columns: &[
        "Id",
        "ScriptId",
        "ParentScriptVersionId",
        "ScriptLanguageId",
        "AuthorUserId",
        "CreationDate",
        "VersionNumber",
        "Title",
        "EvaluationDate",
        "IsChange",
        "TotalLines",
        "LinesInsertedFromPrevious",
        "LinesChangedFromPrevious",
        "LinesUnchangedFromPrevious",
        "LinesInsertedFromFork",
        "LinesDeletedFromFork",
        "LinesChangedFromFork",
        "LinesUnchangedFromFork",
        "TotalVotes",
        "IsInternetEnabled",
        "RunningTimeInMilliseconds",
        "AcceleratorTypeId",
        "DockerImage",
    ],
};
const COMPETITION_SOURCES: Table =
    Table { name: "KernelVersionCompetitionSources", columns: &["Id", "KernelVersionId", "SourceCompetitionId"] };
const DATASET_SOURCES: Table =
    Table { name: "KernelVersionDatasetSources", columns: &["Id", "KernelVersionId", "SourceDatasetVersionId"] };
const KERNEL_SOURCES: Table =
    Table { name: "KernelVersionKernelSources", columns: &["Id", "KernelVersionId", "SourceKernelVersionId"] };
const MODEL_SOURCES: Table =
    Table { name: "KernelVersionModelSources", columns: &["Id", "KernelVersionId", "SourceModelVariationVersionId"] };
const OUTPUT_FILES: Table = Table {
    name: "KernelVersionOutputFiles",
    columns: &["Id", "KernelVersionId", "FileName", "ContentLength", "ContentTypeExtension", "CompressionTypeId"],
};
const KERNEL_TAGS: Table = Table { name: "KernelTags", columns: &["Id", "KernelId", "TagId"] };
const KERNEL_VOTES: Table = Table { name: "KernelVotes", columns: &["Id", "UserId", "KernelVersionId", "VoteDate"] };
pub(super) const SUBMISSIONS: Table = Table {
    name: "Submissions",
    columns: &[
        "Id",
        "SubmittedUserId",
        "TeamId",
        "SourceKernelVersionId",
        "SubmissionDate",
        "ScoreDate",
        "IsAfterDeadline",
        "IsSelected",
        "PublicScoreLeaderboardDisplay",
        "PublicScoreFullPrecision",
        "PrivateScoreLeaderboardDisplay",
        "PrivateScoreFullPrecision",
    ],
};

/// The tables whose rows come from notebooks, in the order of [`super::kernels::Piece::texts`].
pub(super) const KERNEL_TABLES: [Table; 10] = [
    KERNELS,
    KERNEL_VERSIONS,
    COMPETITION_SOURCES,
    DATASET_SOURCES,
    KERNEL_SOURCES,
    MODEL_SOURCES,
    OUTPUT_FILES,
    KERNEL_TAGS,
    KERNEL_VOTES,
    SUBMISSIONS,
];

pub(super) const KERNEL_LANGUAGES: Table =
    Table { name: "KernelLanguages", columns: &["Id", "Name", "DisplayName", "IsNotebook"] };
pub(super) const KERNEL_ACCELERATOR_TYPES: Table = Table { name: "KernelAcceleratorTypes", columns: &["Id", "Label"] };
pub(super) const TAGS: Table = Table {
    name: "Tags",
    columns: &[
        "Id",
        "ParentTagId",
        "Name",
        "Slug",
        "FullPath",
        "Description",
        "DatasetCount",
        "CompetitionCount",
        "KernelCount",
    ],
};
pub(super) const COMPETITIONS: Table = Table {
    name: "Competitions",
    columns: &[
        "Id",
        "Slug",
        "Title",
        "Subtitle",
        "HostSegmentTitle",
        "ForumId",
        "OrganizationId",
        "CompetitionTypeId",
        "HostName",
        "EnabledDate",
        "DeadlineDate",
        "ProhibitNewEntrantsDeadlineDate",
        "TeamMergerDeadlineDate",
        "TeamModelDeadlineDate",
        "ModelSubmissionDeadlineDate",
        "FinalLeaderboardHasBeenVerified",
        "HasKernels",
        "OnlyAllowKernelSubmissions",
        "HasLeaderboard",
        "LeaderboardPercentage",
        "LeaderboardDisplayFormat",
        "EvaluationAlgorithmAbbreviation",
        "EvaluationAlgorithmName",
        "EvaluationAlgorithmDescription",
        "EvaluationAlgorithmIsMax",
        "MaxDailySubmissions",
        "NumScoredSubmissions",
        "MaxTeamSize",
        "BanTeamMergers",
        "EnableTeamModels",
        "RewardType",
        "RewardQuantity",
        "NumPrizes",
        "UserRankMultiplier",
        "CanQualifyTiers",
        "TotalTeams",
        "TotalCompetitors",
        "TotalSubmissions",
        "ValidationSetName",
        "ValidationSetValue",
        "EnableSubmissionModelHashes",
        "EnableSubmissionModelAttachments",
    ],
};
pub(super) const COMPETITION_TAGS: Table =
    Table { name: "CompetitionTags", columns: &["Id", "CompetitionId", "TagId"] };
pub(super) const TEAMS: Table = Table {
    name: "Teams",
    columns: &[
        "Id",
        "CompetitionId",
        "TeamLeaderId",
        "TeamName",
        "ScoreFirstSubmittedDate",
        "LastSubmissionDate",
        "PublicLeaderboardSubmissionId",
        "PrivateLeaderboardSubmissionId",
        "IsBenchmark",
        "Medal",
        "MedalAwardDate",
        "PublicLeaderboardRank",
        "PrivateLeaderboardRank",
        "WriteUpForumTopicId",
    ],
};
pub(super) const TEAM_MEMBERSHIPS: Table =
    Table { name: "TeamMemberships", columns: &["Id", "TeamId", "UserId", "RequestDate"] };
pub(super) const USERS: Table =
    Table { name: "Users", columns: &["Id", "UserName", "DisplayName", "RegisterDate", "PerformanceTier", "Country"] };
pub(super) const DATASETS: Table = Table {
    name: "Datasets",
    columns: &[
        "Id",
        "CreatorUserId",
        "OwnerUserId",
        "OwnerOrganizationId",
        "CurrentDatasetVersionId",
        "CurrentDatasourceVersionId",
        "ForumId",
        "Type",
        "CreationDate",
        "LastActivityDate",
        "TotalViews",
        "TotalDownloads",
        "TotalVotes",
        "TotalKernels",
    ],
};
pub(super) const DATASET_VERSIONS: Table = Table {
    name: "DatasetVersions",
    columns: &[
        "Id",
        "DatasetId",
        "DatasourceVersionId",
        "CreatorUserId",
        "LicenseName",
        "CreationDate",
        "VersionNumber",
        "Title",
        "Slug",
        "Subtitle",
        "Description",
        "VersionNotes",
        "TotalCompressedBytes",
        "TotalUncompressedBytes",
    ],
};
