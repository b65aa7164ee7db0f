//! What archives read of a capsule: metadata of RO-Crate 1.1 (<https://w3id.org/ro/crate/1.1>), with an action a run as the profile
//! "Process Run Crate" has it.

use serde_json::{Value, json};

use crate::capsule::about::{CapsuleAbout, PackedRun};

/// How runs are described.
const PROFILE: &str = "https://w3id.org/ro/wfrun/process/0.5";

/// The text of `ro-crate-metadata.json`.
pub(crate) fn crate_metadata(about: &CapsuleAbout) -> String {
    // The day of the last run, so that the same runs give the same capsule.
    let date = about.runs.iter().map(|run| run.recorded_at.as_str()).max().unwrap_or_default();
    let reference = |id: &str| json!({"@id": id});
    let mut graph = vec![
        json!({
            "@id": "ro-crate-metadata.json",
            "@type": "CreativeWork",
            "conformsTo": {"@id": "https://w3id.org/ro/crate/1.1"},
            "about": {"@id": "./"},
        }),
        json!({
            "@id": "./",
            "@type": "Dataset",
            "name": format!("Runs of {}", about.study),
            "description": about.title,
            "datePublished": date,
            "license": "Each part has its own: of the data see its entities; of distributions see their metadata below environments/.",
            "conformsTo": {"@id": PROFILE},
            "hasPart": parts(about).iter().map(|id| reference(id)).collect::<Vec<Value>>(),
            "mentions": about.runs.iter().map(|run| reference(&action_id(run))).collect::<Vec<Value>>(),
        }),
        // What a crate says that it conforms to, it has to describe.
        json!({"@id": PROFILE, "@type": "CreativeWork", "name": "Process Run Crate", "version": "0.5"}),
    ];
    for portable in &about.environments {
        let environment = &portable.environment;
        graph.push(json!({
            "@id": format!("environments/{}/", environment.id),
            "@type": ["Dataset", "SoftwareApplication"],
            "name": format!("Python {} with {} distributions", environment.interpreter.version, environment.lock.len()),
            "softwareRequirements": environment.lock,
            "version": environment.interpreter.version.to_string(),
        }));
    }
    for (id, competition) in &about.competitions {
        let folder = if competition.has_data { "data" } else { "competitions" };
        graph.push(json!({
            "@id": format!("{folder}/{id}/"),
            "@type": "Dataset",
            "name": id,
            "license": competition.licence,
            "description": format!("Made by: {}", competition.command),
        }));
    }
    for run in &about.runs {
        graph.extend(entities(about, run));
    }
    let metadata = json!({"@context": "https://w3id.org/ro/crate/1.1/context", "@graph": graph});
    format!("{metadata:#}\n")
}

fn parts(about: &CapsuleAbout) -> Vec<String> {
    let environments = about.environments.iter().map(|portable| format!("environments/{}/", portable.environment.id));
    let data = about.competitions.iter().map(|(id, competition)| match competition.has_data {
        true => format!("data/{id}/"),
        false => format!("competitions/{id}/"),
    });
    let notebooks = about.runs.iter().flat_map(|run| [run.notebook(), run.executed()]);
    environments.chain(data).chain(notebooks).collect()
}

fn action_id(run: &PackedRun) -> String {
    format!("#{}", run.folder)
}

/// A run, and the notebooks before and after it.
fn entities(about: &CapsuleAbout, run: &PackedRun) -> [Value; 3] {
    let notebook = |id: String, name: String| json!({"@id": id, "@type": "File", "name": name, "encodingFormat": "application/x-ipynb+json"});
    let data =
        run.competition.as_ref().map(|id| match about.competitions.get(id).is_some_and(|found| found.has_data) {
            true => json!({"@id": format!("data/{id}/")}),
            false => json!({"@id": format!("competitions/{id}/")}),
        });
    let objects: Vec<Value> = [Some(json!({"@id": run.notebook()})), data].into_iter().flatten().collect();
    [
        notebook(run.notebook(), run.title.clone()),
        notebook(run.executed(), format!("{} under {}, executed", run.title, run.condition)),
        json!({
            "@id": action_id(run),
            "@type": "CreateAction",
            "name": format!("{} under {}", run.version, run.condition),
            "instrument": {"@id": format!("environments/{}/", run.environment)},
            "object": objects,
            "result": {"@id": run.executed()},
            "endTime": run.recorded_at,
            "description": format!("outcome {}", run.verdict.outcome),
        }),
    ]
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::StudyLimits;
    use crate::capsule::about::PackedCompetition;

    /// Adds what a value refers to.
    fn references<'value>(value: &'value Value, found: &mut BTreeSet<&'value str>) {
        match value {
            Value::Object(fields) => match fields.get("@id").and_then(Value::as_str).filter(|_| fields.len() == 1) {
                Some(id) => {
                    found.insert(id);
                }
                None => fields.values().for_each(|value| references(value, found)),
            },
            Value::Array(values) => values.iter().for_each(|value| references(value, found)),
            _ => {}
        }
    }

    #[test]
    fn what_the_metadata_refer_to_they_describe() {
        let packed = |has_data| PackedCompetition {
            has_data,
            licence: "CC0-1.0".to_owned(),
            command: "make it".to_owned(),
            files: std::collections::BTreeMap::new(),
        };
        let about = CapsuleAbout {
            study: "s".to_owned(),
            title: "S".to_owned(),
            tool_revision: "1".to_owned(),
            sandbox: "bubblewrap".to_owned(),
            limits: StudyLimits::default(),
            environments: Vec::new(),
            competitions: [("a".to_owned(), packed(true)), ("b".to_owned(), packed(false))].into(),
            runs: Vec::new(),
        };
        let metadata: Value = serde_json::from_str(&crate_metadata(&about)).unwrap();
        let graph = metadata["@graph"].as_array().unwrap();
        let described: BTreeSet<&str> = graph.iter().filter_map(|entity| entity["@id"].as_str()).collect();
        let mut found = BTreeSet::new();
        graph.iter().for_each(|entity| references(entity, &mut found));
        // That of the metadata themselves is the specification's own address.
        found.remove("https://w3id.org/ro/crate/1.1");
        assert!(found.contains("data/a/") && found.contains("competitions/b/") && found.contains(PROFILE), "{found:?}");
        assert_eq!(found.difference(&described).collect::<Vec<_>>(), [&""; 0]);
    }
}
