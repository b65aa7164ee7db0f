//! The dump against the columns that are known, and against the world that the server shows.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::path::Path;

use super::*;
use crate::source::{Outputs, source};
use crate::world::{FakeKernel, FakeLanguage, Visibility, WorldSpec};

type Row = HashMap<String, String>;

fn read(folder: &Path, table: &str) -> Vec<Row> {
    let mut reader = csv::Reader::from_path(folder.join(format!("{table}.csv"))).unwrap();
    reader.deserialize().map(Result::unwrap).collect()
}

fn dumped(options: DumpOptions) -> (FakeWorld, tempfile::TempDir) {
    let world = FakeWorld::new(WorldSpec::default());
    let folder = tempfile::tempdir().unwrap();
    write_dump(&world, folder.path(), options).unwrap();
    (world, folder)
}

fn public(world: &FakeWorld) -> impl Iterator<Item = FakeKernel> + '_ {
    world.kernels().filter(|kernel| kernel.visibility == Visibility::Public)
}

#[test]
fn every_file_of_the_facts_is_there_with_its_columns() {
    let (_, folder) = dumped(DumpOptions::default());
    let mut found = BTreeMap::new();
    for entry in std::fs::read_dir(folder.path()).unwrap() {
        let path = entry.unwrap().path();
        let mut reader = csv::Reader::from_path(&path).unwrap();
        let columns = reader.headers().unwrap().len();
        let rows = reader.records().map(Result::unwrap).count();
        assert!(rows > 0, "{} has no rows", path.display());
        found.insert(path.file_stem().unwrap().to_str().unwrap().to_owned(), columns);
    }
    let expected = [
        ("CompetitionTags", 3),
        ("Competitions", 42),
        ("DatasetVersions", 14),
        ("Datasets", 14),
        ("KernelAcceleratorTypes", 2),
        ("KernelLanguages", 4),
        ("KernelTags", 3),
        ("KernelVersionCompetitionSources", 3),
        ("KernelVersionDatasetSources", 3),
        ("KernelVersionKernelSources", 3),
        ("KernelVersionModelSources", 3),
        ("KernelVersionOutputFiles", 6),
        ("KernelVersions", 23),
        ("KernelVotes", 4),
        ("Kernels", 16),
        ("Submissions", 12),
        ("Tags", 9),
        ("TeamMemberships", 4),
        ("Teams", 14),
        ("Users", 6),
    ];
    assert_eq!(found, expected.map(|(name, columns)| (name.to_owned(), columns)).into());
}

#[test]
fn versions_are_those_of_the_world() {
    let (world, folder) = dumped(DumpOptions::default());
    let rows = read(folder.path(), "KernelVersions");
    let versions: Vec<_> = public(&world)
        .flat_map(|kernel| kernel.versions.clone().into_iter().map(move |v| (kernel.clone(), v)))
        .collect();
    assert_eq!(rows.len(), versions.len());
    for (row, (kernel, version)) in rows.iter().zip(&versions) {
        assert_eq!((&row["Id"], &row["ScriptId"]), (&version.run_id.to_string(), &kernel.id.to_string()));
        assert_eq!(row["Title"], kernel.title);
        assert_eq!(row["CreationDate"], version.created.dump());
        assert_eq!(row["EvaluationDate"].is_empty(), !version.is_finished());
        let seconds = row["RunningTimeInMilliseconds"].parse::<f64>().ok().map(|milliseconds| milliseconds / 1000.0);
        assert_eq!(seconds, version.run_seconds);
        assert!(row["IsInternetEnabled"] == "True" || row["IsInternetEnabled"] == "False");
    }
}

/// What a study takes from the dump: versions of a competition in Python notebooks, with no foreign data, by joins alone.
#[test]
fn the_recipe_without_scraping_gives_what_the_world_knows() {
    let (world, folder) = dumped(DumpOptions::default());
    let table = |name: &str| read(folder.path(), name);
    let competition = table("Competitions").into_iter().find(|row| row["Slug"] == "iris-species").unwrap();
    let ids = |name: &str| table(name).into_iter().map(|row| row["KernelVersionId"].clone()).collect::<HashSet<_>>();
    let (datasets, kernels, models) =
        (ids("KernelVersionDatasetSources"), ids("KernelVersionKernelSources"), ids("KernelVersionModelSources"));
    let mut competitions: HashMap<String, Vec<String>> = HashMap::new();
    for row in table("KernelVersionCompetitionSources") {
        competitions.entry(row["KernelVersionId"].clone()).or_default().push(row["SourceCompetitionId"].clone());
    }
    let python: HashSet<String> = table("KernelLanguages")
        .into_iter()
        .filter(|row| row["DisplayName"] == "Python" && row["IsNotebook"] == "True")
        .map(|row| row["Id"].clone())
        .collect();
    let scores: HashMap<String, String> = table("Submissions")
        .into_iter()
        .filter(|row| row["Id"].parse::<u64>().unwrap() % 2 == 0)
        .map(|row| (row["SourceKernelVersionId"].clone(), row["PublicScoreFullPrecision"].clone()))
        .collect();
    let selected: BTreeSet<(u64, String)> = table("KernelVersions")
        .into_iter()
        .filter(|row| competitions.get(&row["Id"]).is_some_and(|list| list == &[competition["Id"].clone()]))
        .filter(|row| [&datasets, &kernels, &models].iter().all(|foreign| !foreign.contains(&row["Id"])))
        .filter(|row| python.contains(&row["ScriptLanguageId"]))
        .filter_map(|row| Some((row["Id"].parse().unwrap(), scores.get(&row["Id"])?.clone())))
        .collect();
    let expected: BTreeSet<(u64, String)> = public(&world)
        .filter(|kernel| {
            kernel.language == FakeLanguage::Python && kernel.kind == crate::world::FakeKernelKind::Notebook
        })
        .flat_map(|kernel| kernel.versions)
        .filter(|version| version.sources.is_only(0))
        .filter_map(|version| Some((version.run_id, format!("{:?}", version.score?.public))))
        .collect();
    assert!(expected.len() > 20);
    assert_eq!(selected, expected);
}

#[test]
fn references_dangle_only_where_notebooks_are_hidden() {
    let (world, folder) = dumped(DumpOptions::default());
    let versions: HashSet<String> =
        read(folder.path(), "KernelVersions").into_iter().map(|row| row["Id"].clone()).collect();
    let hidden: HashSet<String> = world
        .kernels()
        .filter(|kernel| kernel.visibility != Visibility::Public)
        .flat_map(|kernel| kernel.versions)
        .map(|version| version.run_id.to_string())
        .collect();
    let mut dangling = 0;
    for (table, column) in [
        ("Submissions", "SourceKernelVersionId"),
        ("Kernels", "ForkParentKernelVersionId"),
        ("Kernels", "CurrentKernelVersionId"),
        ("KernelVersionKernelSources", "SourceKernelVersionId"),
    ] {
        for id in read(folder.path(), table).into_iter().map(|row| row[column].clone()).filter(|id| !id.is_empty()) {
            assert!(versions.contains(&id) || hidden.contains(&id), "{table}.{column} {id}");
            dangling += usize::from(hidden.contains(&id));
        }
    }
    assert!(dangling > 5, "{dangling}");
}

#[test]
fn ids_are_unique_and_teams_are_those_of_the_leaderboards() {
    let (world, folder) = dumped(DumpOptions::default());
    for entry in std::fs::read_dir(folder.path()).unwrap() {
        let name = entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned();
        let ids: Vec<String> = read(folder.path(), &name).into_iter().map(|row| row["Id"].clone()).collect();
        assert_eq!(ids.iter().collect::<HashSet<_>>().len(), ids.len(), "{name}");
    }
    let teams = read(folder.path(), "Teams");
    let submissions: HashMap<String, Row> =
        read(folder.path(), "Submissions").into_iter().map(|row| (row["Id"].clone(), row)).collect();
    let board = world.leaderboard(0);
    let own: Vec<&Row> = teams.iter().filter(|row| row["CompetitionId"] == "3000").collect();
    assert_eq!(own.len(), board.len());
    for (row, standing) in own.iter().zip(&board) {
        assert_eq!(
            (&row["TeamName"], &row["PublicLeaderboardRank"]),
            (&standing.team_name, &standing.rank.to_string())
        );
        assert_eq!(submissions[&row["PublicLeaderboardSubmissionId"]]["TeamId"], row["Id"]);
    }
    let texts = read(folder.path(), "DatasetVersions");
    assert!(texts.iter().all(|row| row["Description"].contains('\n') && row["Title"].contains('"')));
}

#[test]
fn ids_that_can_be_missing_are_real_numbers_on_request() {
    let (_, folder) = dumped(DumpOptions { float_ids: true });
    let parents: Vec<String> =
        read(folder.path(), "Kernels").into_iter().map(|row| row["ForkParentKernelVersionId"].clone()).collect();
    assert!(parents.iter().any(|id| id.is_empty()) && parents.iter().any(|id| id.ends_with(".0")));
    assert!(parents.iter().all(|id| id.is_empty() || id.ends_with(".0")));
}

#[test]
fn pieces_add_up_to_the_same_bytes_whatever_their_size() {
    let world = FakeWorld::new(WorldSpec { kernels: 300, ..WorldSpec::default() });
    let options = DumpOptions::default();
    let whole = Piece::draw(&world, 0..300, options);
    let parts = [Piece::draw(&world, 0..113, options), Piece::draw(&world, 113..300, options)];
    for (place, text) in whole.texts().iter().enumerate() {
        assert_eq!(**text, parts.iter().map(|part| part.texts()[place]).collect::<String>());
    }
}

#[test]
fn sources_lie_in_folders_by_their_ids() {
    assert_eq!(code_path(111_437_241, "ipynb"), Path::new("0111/437/111437241.ipynb"));
    let world = FakeWorld::new(WorldSpec { kernels: 60, ..WorldSpec::default() });
    let folder = tempfile::tempdir().unwrap();
    let written = write_code(&world, folder.path()).unwrap();
    let finished: Vec<_> = public(&world)
        .flat_map(|kernel| kernel.versions.clone().into_iter().map(move |v| (kernel.clone(), v)))
        .filter(|(_, version)| version.is_finished())
        .collect();
    assert_eq!(written as usize, finished.len());
    for (kernel, version) in &finished {
        let extension = if kernel.extension().ends_with("nb") { "ipynb" } else { kernel.extension() };
        let text = std::fs::read_to_string(folder.path().join(code_path(version.run_id, extension))).unwrap();
        assert_eq!(text, source(&world, kernel, version, Outputs::Stripped));
    }
}

#[test]
fn a_folder_that_cannot_be_made_is_named() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let error =
        write_dump(&FakeWorld::new(WorldSpec::default()), &file.path().join("x"), DumpOptions::default()).unwrap_err();
    assert!(error.to_string().contains(file.path().to_str().unwrap()));
}
