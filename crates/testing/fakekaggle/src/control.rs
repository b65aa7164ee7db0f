//! `POST /_control`: the switches for tests in other processes and for people with `curl`.
//!
//! The body is one JSON object: `{"do": "add-rule", "rule": {...}}`, `{"do": "clear-rules"}`, `{"do": "rules"}`,
//! `{"do": "log"}`, `{"do": "clear-log"}` or `{"do": "credentials"}`. The answer is JSON; 400 says what was wrong.

use nbrevive_loopback::{Reply, Request};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::faults::FaultRule;
use crate::shared::Shared;

#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case", deny_unknown_fields)]
enum Command {
    AddRule { rule: FaultRule },
    ClearRules,
    Rules,
    Log,
    ClearLog,
    Credentials,
}

pub(crate) fn answer(shared: &Shared, request: &Request) -> Reply {
    if request.method != "POST" {
        return Reply::json(400, &json!({"error": "send a command by POST"}));
    }
    match serde_json::from_slice(&request.body) {
        Ok(command) => Reply::json(200, &carry_out(shared, command)),
        Err(error) => Reply::json(400, &json!({"error": error.to_string()})),
    }
}

fn carry_out(shared: &Shared, command: Command) -> Value {
    match command {
        Command::AddRule { rule } => shared.switchboard.add(rule),
        Command::ClearRules => shared.switchboard.clear(),
        Command::Rules => return json!(shared.switchboard.rules()),
        Command::Log => return json!(*shared.log()),
        Command::ClearLog => shared.log().clear(),
        Command::Credentials => {
            let held = &shared.site.credentials;
            return json!({
                "username": held.username, "key": held.key, "token": held.token, "session": held.session
            });
        }
    }
    json!({"done": true})
}
