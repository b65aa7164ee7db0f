//! What the tests of this crate share.

use std::path::Path;
use std::time::Duration;

use nbrevive_fakemodel::FakeModel;

use crate::{
    AskingSettings, CallPermit, Caps, Dialogue, Errand, Ledger, Message, ModelPrompt, ModelProvider, OpenAi,
    OpenAiSettings, Patience, Prices, Protocol, Recorder, Secret,
};

/// A prompt that differs by its text.
pub(crate) fn prompt(text: &str) -> ModelPrompt {
    ModelPrompt::new("gpt-5.2", "be brief", vec![Message::user(text)], 1_000)
}

/// Leave that no ledger gave.
pub(crate) fn permit(occurrence: u32) -> CallPermit {
    CallPermit {
        call: "call".into(),
        asker: "study/notebook".into(),
        occurrence,
        idempotency: format!("key-{occurrence}"),
    }
}

pub(crate) fn errand() -> Errand {
    Errand::new("study", "notebook").fix("error-repair", 1)
}

/// Repetition without long pauses.
pub(crate) fn hasty(attempts: u32) -> Patience {
    Patience { attempts, delay: Duration::from_millis(5), growth: 1.0, ..Patience::default() }
}

/// Settings for a fake server: three tries, and more time than any answer takes.
pub(crate) fn settings(url: &str, protocol: Protocol) -> OpenAiSettings {
    OpenAiSettings {
        protocol,
        timeout: Duration::from_secs(60),
        largest_answer: 1 << 20,
        patience: hasty(3),
        longest_wait: Duration::from_secs(1),
        ..OpenAiSettings::at(url)
    }
}

pub(crate) fn provider(server: &FakeModel, protocol: Protocol) -> OpenAi {
    OpenAi::new(settings(&server.url(), protocol), Some(&Secret::new(server.key()))).unwrap()
}

/// A dialogue with ledger and record in a folder.
pub(crate) fn dialogue(folder: &Path, provider: Box<dyn ModelProvider>, caps: Caps) -> Dialogue {
    let ledger = Ledger::open(&folder.join("ledger.db")).unwrap();
    let recorder = Recorder::open(&folder.join("dialogue.jsonl")).unwrap();
    let settings = AskingSettings { caps, patience: hasty(2), ..AskingSettings::default() };
    Dialogue::new(provider, ledger, Prices::builtin().unwrap(), settings).with_recorder(recorder).unwrap()
}
