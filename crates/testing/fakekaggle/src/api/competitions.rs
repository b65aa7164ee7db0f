//! Operations on competitions.

use std::io::{Cursor, Write};

use serde_json::{Value, json};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::api::{Answer, Context};
use crate::listing::{self, folded};
use crate::moment::Moment;
use crate::refusal::{RULES, Refusal};
use crate::world::{FakeCompetition, FakeStanding, FakeWorld};

/// Competitions, and teams of a leaderboard, on a page.
const PER_PAGE: usize = 20;

pub(super) fn list(context: &Context) -> Result<Answer, Refusal> {
    let arguments = context.arguments;
    let search = arguments.text("search").to_lowercase();
    let category = folded(arguments.text("category"));
    let group = folded(arguments.text("group"));
    let mut all: Vec<&FakeCompetition> = context
        .site
        .world
        .competitions()
        .iter()
        .filter(|one| search.is_empty() || one.title.to_lowercase().contains(&search) || one.slug.contains(&search))
        .filter(|one| matches!(category.as_str(), "" | "all" | "unspecified") || folded(one.category) == category)
        .filter(|one| group != "entered" || one.rules_accepted)
        .collect();
    match folded(arguments.text("sortBy")).as_str() {
        "recentlycreated" => all.sort_by_key(|one| std::cmp::Reverse(one.enabled)),
        "earliestdeadline" => all.sort_by_key(|one| one.deadline),
        "latestdeadline" => all.sort_by_key(|one| std::cmp::Reverse(one.deadline)),
        _ => {}
    }
    let size = arguments.number("pageSize", PER_PAGE)?;
    let page = listing::page(&all, arguments.page()?, size, context.quirks);
    let items = page.items.iter().map(|one| object(context, one)).collect();
    Ok(Answer::List { name: "competitions", items, next: page.next })
}

pub(super) fn get(context: &Context) -> Result<Answer, Refusal> {
    Ok(Answer::Object(object(context, found(context)?)))
}

fn found<'a>(context: &Context<'a>) -> Result<&'a FakeCompetition, Refusal> {
    context.site.competition(context.arguments.text("competitionName")).ok_or_else(Refusal::not_found)
}

/// `ApiCompetition`.
fn object(context: &Context, competition: &FakeCompetition) -> Value {
    let site = context.site;
    let index = competition.index;
    let kernels = site.kernels().iter().filter(|kernel| kernel.competition == index && site.is_listed(kernel)).count();
    let closing = competition.deadline.plus_seconds(-7.0 * 86_400.0).iso();
    json!({
        "id": competition.id,
        "ref": format!("https://www.kaggle.com/competitions/{}", competition.slug),
        "title": competition.title,
        "url": format!("https://www.kaggle.com/competitions/{}", competition.slug),
        "description": competition.subtitle,
        "organizationName": "",
        "organizationRef": "",
        "category": competition.category,
        "reward": "Knowledge",
        "tags": [{"ref": "tabular", "name": "tabular", "description": "", "fullPath": "data type > tabular",
                  "competitionCount": 9, "datasetCount": 12, "scriptCount": 300, "totalCount": 321}],
        "deadline": competition.deadline.iso(),
        "kernelCount": kernels,
        "teamCount": site.world.leaderboard(index).len(),
        "userHasEntered": competition.rules_accepted,
        "userRank": 0,
        "mergerDeadline": closing,
        "newEntrantDeadline": closing,
        "enabledDate": competition.enabled.iso(),
        "maxDailySubmissions": 5,
        "maxTeamSize": 5,
        "evaluationMetric": competition.scale.name,
        "awardsPoints": false,
        "isKernelsSubmissionsOnly": competition.code_only,
        "submissionsDisabled": false,
    })
}

/// A competition whose data the account may see.
fn entered<'a>(context: &Context<'a>) -> Result<&'a FakeCompetition, Refusal> {
    let competition = found(context)?;
    if competition.rules_accepted { Ok(competition) } else { Err(Refusal::new(403, RULES)) }
}

const FILES: [(&str, u64); 3] = [("train.csv", 31_400), ("test.csv", 15_900), ("sample_submission.csv", 2_650)];

pub(super) fn data_files(context: &Context) -> Result<Answer, Refusal> {
    let competition = entered(context)?;
    let items = FILES.map(|(name, bytes)| {
        json!({"ref": name, "name": name, "description": "", "totalBytes": bytes, "url": "",
               "creationDate": competition.enabled.iso()})
    });
    Ok(Answer::List { name: "files", items: items.to_vec(), next: None })
}

pub(super) fn download(context: &Context) -> Result<Answer, Refusal> {
    let competition = entered(context)?;
    let file = context.arguments.text("fileName");
    if !file.is_empty() && FILES.iter().all(|(name, _)| *name != file) {
        return Err(Refusal::not_found());
    }
    let name = if file.is_empty() { "all.zip" } else { file };
    Ok(Answer::Elsewhere(format!("/_storage/competitions/{}/{name}?X-Expires=600", competition.slug)))
}

pub(super) fn leaderboard(context: &Context) -> Result<Answer, Refusal> {
    let competition = found(context)?;
    let standings = context.site.world.leaderboard(competition.index);
    let size = context.arguments.number("pageSize", PER_PAGE)?;
    let page = listing::page(&standings, context.arguments.page()?, size, context.quirks);
    let rows: Vec<Value> = page.items.iter().map(|standing| row(competition, standing)).collect();
    let next = page.next.map(listing::token).unwrap_or_default();
    Ok(Answer::Object(json!({"submissions": rows, "nextPageToken": next})))
}

fn row(competition: &FakeCompetition, standing: &FakeStanding) -> Value {
    json!({
        "teamId": standing.team_id,
        "teamName": standing.team_name,
        "submissionDate": standing.submitted.iso(),
        "score": competition.scale.display(standing.score),
    })
}

pub(super) fn leaderboard_file(context: &Context) -> Result<Answer, Refusal> {
    let competition = entered(context)?;
    let inner = format!("{}-publicleaderboard.csv", competition.slug);
    let bytes = zipped(&inner, leaderboard_csv(&context.site.world, competition).as_bytes())
        .map_err(|error| Refusal::new(500, &error.to_string()))?;
    Ok(Answer::File { name: format!("{}.zip", competition.slug), bytes })
}

/// The whole leaderboard, in the columns of the file that Kaggle hands out.
fn leaderboard_csv(world: &FakeWorld, competition: &FakeCompetition) -> String {
    let mut csv = String::from("Rank,TeamId,TeamName,LastSubmissionDate,Score,SubmissionCount,TeamMemberUserNames\r\n");
    for standing in world.leaderboard(competition.index) {
        csv.push_str(&format!(
            "{},{},{},{},{},{},{}\r\n",
            standing.rank,
            standing.team_id,
            crate::meta::quoted(&standing.team_name),
            standing.submitted.iso().replace('T', " ").replace('Z', ""),
            competition.scale.display(standing.score),
            standing.submissions,
            world.user(standing.user).user_name,
        ));
    }
    csv
}

fn zipped(name: &str, bytes: &[u8]) -> zip::result::ZipResult<Vec<u8>> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    archive.start_file(name, SimpleFileOptions::default())?;
    archive.write_all(bytes)?;
    Ok(archive.finish()?.into_inner())
}

/// The account's own submissions: those of its own notebooks, newest first.
pub(super) fn submissions(context: &Context) -> Result<Answer, Refusal> {
    let competition = found(context)?;
    let world = &context.site.world;
    let own = context
        .site
        .kernels()
        .iter()
        .filter(|kernel| context.site.is_own(kernel) && kernel.competition == competition.index);
    let versions = own.flat_map(|kernel| kernel.versions.iter().map(move |version| (kernel, version)));
    let mut scored: Vec<(Moment, Value)> = versions
        .filter_map(|(kernel, version)| {
            let (score, date) = (version.score?, version.evaluated?);
            let private = if competition.is_over(FakeWorld::now()) {
                competition.scale.display(score.private)
            } else {
                String::new()
            };
            let row = json!({
                "ref": crate::world::submission_id(kernel.index, version.number, 0),
                "totalBytes": 1_234, "date": date.iso(), "description": kernel.title, "errorDescription": "",
                "fileName": "submission.csv", "publicScore": competition.scale.display(score.public),
                "privateScore": private, "status": "complete",
                "submittedBy": world.user(0).display_name, "submittedByRef": world.user(0).user_name,
                "teamName": world.user(0).display_name, "url": kernel.reference(world),
            });
            Some((date, row))
        })
        .collect();
    scored.sort_by_key(|(date, _)| std::cmp::Reverse(*date));
    let rows: Vec<Value> = scored.into_iter().map(|(_, row)| row).collect();
    let page = listing::page(
        &rows,
        context.arguments.page()?,
        context.arguments.number("pageSize", PER_PAGE)?,
        context.quirks,
    );
    Ok(Answer::List { name: "submissions", items: page.items, next: page.next })
}
