//! Methods on single runs (sessions), competitions and leaderboards.

use serde_json::{Value, json};

use crate::internal::objects;
use crate::internal::{Context, id, run};
use crate::refusal::Refusal;
use crate::source::{Outputs, source};
use crate::world::{FakeOutcome, FakeWorld};

/// Denied for notebooks of others, and nobody is the author here.
pub(super) fn version(_: &Context, _: &Value) -> Result<Value, Refusal> {
    Err(Refusal::new(403, "Permission 'kernelSessions.get' was denied"))
}

pub(super) fn session_source(context: &Context, arguments: &Value) -> Result<Value, Refusal> {
    let (kernel, version) = run(context, arguments, "kernelSessionId")?;
    let has_outputs = arguments["includeOutputIfAvailable"].as_bool().unwrap_or(false);
    let outputs = if has_outputs { Outputs::Kept } else { Outputs::Stripped };
    Ok(json!({
        "fileName": format!("{}.{}", kernel.slug, kernel.extension()),
        "source": source(&context.site.world, kernel, version, outputs),
    }))
}

pub(super) fn log(context: &Context, arguments: &Value) -> Result<Value, Refusal> {
    let (_, version) = run(context, arguments, "sessionId")?;
    let lines = json!([{"stream_name": "stdout", "time": 3.2, "data": format!("run {}\n", version.run_id)}]);
    Ok(json!({"log": lines.to_string()}))
}

/// The files of a run. Those of a competition whose rules bind the reader need a session.
pub(super) fn output(context: &Context, arguments: &Value) -> Result<Value, Refusal> {
    let (kernel, version) = run(context, arguments, "sessionId")?;
    if !context.is_logged_in && !context.site.competition_of(kernel).rules_accepted {
        return Err(Refusal::new(403, "Permission 'kernels.getOutput' was denied"));
    }
    if version.outcome != FakeOutcome::Complete {
        return Ok(json!({"files": []}));
    }
    let url = format!("/_storage/output/{}/submission.csv?X-Expires=600", version.run_id);
    Ok(json!({"files": [{"name": "submission.csv", "contentLength": 1_234, "downloadUrl": url}]}))
}

pub(super) fn data_sources(context: &Context, arguments: &Value) -> Result<Value, Refusal> {
    let (_, version) = run(context, arguments, "sessionId")?;
    Ok(json!({"dataSources": objects::data_sources(context.site, version)}))
}

pub(super) fn competition(context: &Context, arguments: &Value) -> Result<Value, Refusal> {
    let slug = arguments["competitionName"].as_str().unwrap_or_default();
    let competition = context.site.competition(slug).ok_or_else(Refusal::not_found)?;
    Ok(json!({
        "id": competition.id,
        "competitionName": competition.slug,
        "title": competition.title,
        "briefDescription": competition.subtitle,
        "deadline": competition.deadline.iso(),
        "dateEnabled": competition.enabled.iso(),
        "hostSegmentTitle": competition.category,
        "onlyAllowKernelSubmissions": competition.code_only,
    }))
}

pub(super) fn leaderboard(context: &Context, arguments: &Value) -> Result<Value, Refusal> {
    let competitions = context.site.world.competitions();
    let wanted = id(arguments, "competitionId").ok_or_else(Refusal::not_found)?;
    let competition = competitions.iter().find(|one| one.id == wanted).ok_or_else(Refusal::not_found)?;
    let standings = context.site.world.leaderboard(competition.index);
    let rows: Vec<Value> = standings
        .iter()
        .map(|standing| {
            json!({"teamId": standing.team_id, "rank": standing.rank,
                   "displayScore": competition.scale.display(standing.score)})
        })
        .collect();
    let teams: Vec<Value> = standings
        .iter()
        .map(|standing| {
            let member = objects::author(context.site, standing.user);
            json!({"teamId": standing.team_id, "teamName": standing.team_name, "teamMembers": [member]})
        })
        .collect();
    let private = if competition.is_over(FakeWorld::now()) { rows.clone() } else { Vec::new() };
    Ok(json!({"publicLeaderboard": rows, "privateLeaderboard": private, "teams": teams}))
}
