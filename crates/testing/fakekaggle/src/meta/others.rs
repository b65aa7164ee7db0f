//! Rows of users, teams, competitions, datasets, and the fixed lists.

use crate::meta::columns::{
    COMPETITION_TAGS, COMPETITIONS, DATASET_VERSIONS, DATASETS, KERNEL_ACCELERATOR_TYPES, KERNEL_LANGUAGES,
    SUBMISSIONS, TAGS, TEAM_MEMBERSHIPS, TEAMS, Table, USERS,
};
use crate::meta::rows::Rows;
use crate::world::{FakeCompetition, FakeStanding, FakeWorld, TEAMS_PER_USER};

/// First id of the submissions that leaderboards show and that no notebook made.
const TEAM_SUBMISSION_BASE: u64 = 2_000_000_000;

/// All tables but those of notebooks, with their rows.
pub(super) fn tables(world: &FakeWorld) -> Vec<(&'static Table, String)> {
    let (teams, memberships) = teams(world);
    vec![
        (&KERNEL_LANGUAGES, LANGUAGES.to_owned()),
        (&KERNEL_ACCELERATOR_TYPES, ACCELERATORS.to_owned()),
        (&TAGS, TAG_ROWS.to_owned()),
        (&COMPETITIONS, competitions(world)),
        (&COMPETITION_TAGS, competition_tags(world)),
        (&TEAMS, teams),
        (&TEAM_MEMBERSHIPS, memberships),
        (&USERS, users(world)),
        (&DATASETS, datasets(world)),
        (&DATASET_VERSIONS, dataset_versions(world)),
    ]
}

const LANGUAGES: &str = "1,R,R,False\n2,Python,Python,False\n3,Julia,Julia,False\n4,SQLite,SQLite,False\n\
5,RMarkdown,R,False\n8,IPython Notebook,Python,True\n9,IPython Notebook HTML,Python,True\n\
13,R Notebook HTML,R,True\n14,Julia Notebook HTML,Julia,True\n";

const ACCELERATORS: &str = "0,None\n1,Nvidia Tesla K80\n2,Nvidia Tesla P100\n3,TPU v2-8\n4,TPU v3-8\n8,Nvidia Tesla T4\n\
9,TPU VM v3-8\n10,Nvidia A100\n11,Nvidia L4\n12,TPU v5e-8\n13,Nvidia L4 x1\n14,TPU v6e-8\n15,Nvidia Tesla T4 highmem\n\
16,Nvidia H100\n17,Nvidia RTX PRO 6000\n";

const TAG_ROWS: &str = "13200,,data type,data-type,data type,,0,0,0\n\
13208,13200,tabular,tabular,data type > tabular,\"Rows, columns, \"\"cells\"\".\nNothing else.\",12,9,300\n";

fn rows(table: &Table) -> Rows {
    Rows::new(table.columns.len(), false)
}

fn competitions(world: &FakeWorld) -> String {
    let mut rows = rows(&COMPETITIONS);
    for one in world.competitions() {
        competition(&mut rows, world, one);
    }
    rows.into_text()
}

fn competition(rows: &mut Rows, world: &FakeWorld, one: &FakeCompetition) {
    let teams = world.leaderboard(one.index);
    let submissions = teams.iter().map(|team| team.submissions).sum();
    let closing = one.deadline.plus_seconds(-7.0 * 86_400.0);
    rows.number(one.id).words(&one.slug).words(&one.title).words(&one.subtitle).words(one.category);
    rows.number(one.id + 1).blanks(1).number(1).blanks(1);
    rows.moment(Some(one.enabled)).moment(Some(one.deadline)).moment(Some(closing)).moment(Some(closing)).blanks(2);
    rows.flag(one.is_over(FakeWorld::now()))
        .flag(true)
        .flag(one.code_only)
        .flag(true)
        .number(30)
        .number(one.scale.decimals as u64);
    rows.words(one.scale.abbreviation).words(one.scale.name).words("How submissions are scored,\nin \"two\" lines");
    rows.flag(one.scale.is_max).number(5).number(2).number(5).flag(false).flag(false);
    rows.words("Knowledge").blanks(1).number(0).real(0.0).flag(false);
    rows.number(teams.len() as u64).number(teams.len() as u64).number(submissions).blanks(2).flag(false).flag(false);
    rows.end();
}

fn competition_tags(world: &FakeWorld) -> String {
    let mut rows = rows(&COMPETITION_TAGS);
    for one in world.competitions() {
        rows.number(one.index + 1).number(one.id).number(13_208).end();
    }
    rows.into_text()
}

/// Every team with its place, competition by competition.
fn standings(world: &FakeWorld) -> impl Iterator<Item = (&FakeCompetition, FakeStanding)> {
    let all = world.competitions().iter();
    all.flat_map(|one| world.leaderboard(one.index).into_iter().map(move |standing| (one, standing)))
}

fn teams(world: &FakeWorld) -> (String, String) {
    let (mut teams, mut memberships) = (rows(&TEAMS), rows(&TEAM_MEMBERSHIPS));
    for (one, team) in standings(world) {
        let medal = (team.rank <= 3 && one.is_over(FakeWorld::now())).then_some(team.rank);
        let submission = team_submission(&team);
        teams
            .number(team.team_id)
            .number(one.id)
            .number(crate::world::user_id(team.user))
            .words(&team.team_name)
            .date(one.enabled)
            .date(team.submitted)
            .number(submission)
            .number(submission)
            .flag(false)
            .optional(medal);
        match medal {
            Some(_) => teams.date(one.deadline),
            None => teams.blanks(1),
        };
        teams.number(team.rank).number(team.rank).blanks(1).end();
        memberships.number(team.team_id).number(team.team_id).number(crate::world::user_id(team.user)).blanks(1).end();
    }
    (teams.into_text(), memberships.into_text())
}

fn team_submission(team: &FakeStanding) -> u64 {
    TEAM_SUBMISSION_BASE + team.team_id * TEAMS_PER_USER
}

/// The submissions that leaderboards show; they come from no notebook.
pub(super) fn team_submissions(world: &FakeWorld) -> String {
    let mut rows = rows(&SUBMISSIONS);
    for (one, team) in standings(world) {
        let shown = one.scale.display(team.score);
        rows.number(team_submission(&team))
            .number(crate::world::user_id(team.user))
            .number(team.team_id)
            .blanks(1)
            .moment(Some(team.submitted))
            .moment(Some(team.submitted))
            .flag(one.is_over(team.submitted))
            .flag(true)
            .words(&shown)
            .real(team.score)
            .words(&shown)
            .real(team.score)
            .end();
    }
    rows.into_text()
}

fn users(world: &FakeWorld) -> String {
    let mut rows = rows(&USERS);
    for user in (0..world.spec().users).map(|index| world.user(index)) {
        rows.number(user.id).words(&user.user_name).words(&user.display_name).date(user.registered);
        rows.number(user.tier).blanks(1).end();
    }
    rows.into_text()
}

fn datasets(world: &FakeWorld) -> String {
    let mut rows = rows(&DATASETS);
    for one in (0..world.datasets()).map(|index| world.dataset(index)) {
        let owner = crate::world::user_id(one.owner);
        rows.number(one.id).number(owner).number(owner).blanks(1).number(one.version_id).number(one.version_id);
        rows.number(one.id + 1).number(2).moment(Some(one.created)).date(one.created);
        rows.number(90).number(12).number(3).number(1).end();
    }
    rows.into_text()
}

fn dataset_versions(world: &FakeWorld) -> String {
    let mut rows = rows(&DATASET_VERSIONS);
    for one in (0..world.datasets()).map(|index| world.dataset(index)) {
        rows.number(one.version_id).number(one.id).number(one.version_id).number(crate::world::user_id(one.owner));
        rows.words("CC0: Public Domain").moment(Some(one.created)).number(1).words(&one.title).words(&one.slug);
        rows.blanks(1)
            .words("# Context\n\nTwo lines, with \"quotes\".")
            .words("Initial release")
            .number(900)
            .number(2_000);
        rows.end();
    }
    rows.into_text()
}
