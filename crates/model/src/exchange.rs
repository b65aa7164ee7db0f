//! Answers from people, batch queues and other models, by files in a folder.
//!
//! | file | written by | content |
//! |---|---|---|
//! | `<id>.prompt.md` | us | the prompt, to be read |
//! | `<id>.prompt.json` | us | the same for programs |
//! | `<id>.answer.md` | the other side | the answer, text alone |
//! | `<id>.answer.json` | the other side, if it likes, before the answer | `{"model": …, "usage": {"input": …, "cached_input": …, "output": …, "reasoning": …}}` |
//!
//! The id is the prompt's hash, with `-2`, `-3` and so on when one asks the same again. Files are written under another name
//! and renamed; the other side should do the same. An answer that is still growing is not read: its size and time have to
//! stand still for a while. An answer that is there already is taken at once, so that a run that was stopped resumes.

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use nbrevive_files::{FileError, Folder, make_folder};
use serde::Deserialize;

use crate::{
    AnswerBill, CallPermit, Charge, Message, ModelAnswer, ModelError, ModelFailure, ModelPrompt, ModelProvider, Repeat,
    Speaker, TokenUsage,
};

/// How the folder is watched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ExchangeSettings {
    /// For an answer. Default 24 h.
    pub timeout: Duration,
    /// How often the folder is looked at. Default 500 ms.
    pub look: Duration,
    /// How long an answer has to stand still before it is read. Default 1 s.
    pub quiet: Duration,
    /// Longest answer that is taken, in bytes. Default 16 MiB.
    pub largest_answer: u64,
    /// Whether answers are paid by the token, as those of a batch queue are. Default no.
    pub is_charged: bool,
}

impl Default for ExchangeSettings {
    fn default() -> Self {
        let seconds = Duration::from_secs;
        Self {
            timeout: seconds(24 * 3600),
            look: Duration::from_millis(500),
            quiet: seconds(1),
            largest_answer: 16 << 20,
            is_charged: false,
        }
    }
}

/// The folder cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{}: cannot use this folder for prompts and answers: {source}; check its permissions", folder.display())]
pub struct ExchangeError {
    folder: PathBuf,
    source: io::Error,
}

/// A folder of prompts and answers.
#[derive(Debug)]
pub struct Exchange {
    folder: PathBuf,
    settings: ExchangeSettings,
}

/// What may be said beside an answer.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Beside {
    model: Option<String>,
    usage: Option<TokenUsage>,
}

impl Exchange {
    /// The provider's name.
    pub(crate) const NAME: &'static str = "exchange";

    /// A folder, which is made if it is not there.
    ///
    /// # Errors
    /// [`ExchangeError`] when it cannot be made.
    pub fn open(folder: &Path, settings: ExchangeSettings) -> Result<Self, ExchangeError> {
        make_folder(folder).map_err(|error| ExchangeError { folder: folder.to_owned(), source: error.into() })?;
        Ok(Self { folder: folder.to_owned(), settings })
    }

    /// The name of a question's files, before the dot.
    #[must_use]
    pub fn id(prompt: &ModelPrompt, occurrence: u32) -> String {
        let hash = prompt.hash();
        match occurrence {
            0 => hash.to_string(),
            earlier => format!("{hash}-{}", u64::from(earlier) + 1),
        }
    }

    fn path(&self, id: &str, ending: &str) -> PathBuf {
        self.folder.join(format!("{id}.{ending}"))
    }

    /// Writes the prompt, unless it is there: another run may wait for the same answer.
    fn write_prompt(&self, id: &str, prompt: &ModelPrompt) -> Result<(), ModelFailure> {
        let json = serde_json::to_string_pretty(prompt).unwrap_or_default();
        for (ending, text) in [("prompt.json", json), ("prompt.md", readable(id, prompt))] {
            let path = self.path(id, ending);
            if !path.exists() {
                nbrevive_files::write(&path, &text).map_err(|error| storage(&path, &error.into()))?;
            }
        }
        Ok(())
    }

    /// Waits until the answer is there and stands still.
    fn wait(&self, path: &Path) -> Result<String, ModelFailure> {
        let start = Instant::now();
        let mut last = None;
        loop {
            let seen = look(path).map_err(|error| storage(path, &error))?;
            let is_still = seen.is_some_and(|seen| seen.is_old(self.settings.quiet))
                || seen.is_some()
                    && last.is_some_and(|(before, since): (Seen, Instant)| {
                        seen == Some(before) && since.elapsed() >= self.settings.quiet
                    });
            if is_still {
                return self.read(path);
            }
            if seen != last.map(|(before, _)| before) {
                last = seen.map(|seen| (seen, Instant::now()));
            }
            if start.elapsed() >= self.settings.timeout {
                return Err(ModelFailure::TimedOut { seconds: self.settings.timeout.as_secs() });
            }
            std::thread::sleep(self.settings.look.min(self.settings.timeout));
        }
    }

    fn read(&self, path: &Path) -> Result<String, ModelFailure> {
        let limit = self.settings.largest_answer;
        let name = Path::new(path.file_name().unwrap_or_default());
        let bytes = match Folder::open(&self.folder).and_then(|folder| folder.read(name, limit)) {
            Err(FileError::TooLong { .. }) => return Err(ModelFailure::TooLarge { limit }),
            read => read.map_err(|error| storage(path, &error.into()))?,
        };
        String::from_utf8(bytes).map_err(|_| ModelFailure::Malformed { reason: "it is not UTF-8".to_owned() })
    }

    fn beside(&self, id: &str) -> Result<Beside, ModelFailure> {
        let path = self.path(id, "answer.json");
        if look(&path).map_err(|error| storage(&path, &error))?.is_none() {
            return Ok(Beside::default());
        }
        let malformed = |reason: String| ModelFailure::Malformed { reason: format!("{id}.answer.json: {reason}") };
        let beside: Beside = serde_json::from_str(&self.read(&path)?).map_err(|error| malformed(error.to_string()))?;
        match beside.usage {
            Some(usage) if !usage.is_possible() => Err(malformed("its numbers of tokens cannot be true".to_owned())),
            _ => Ok(beside),
        }
    }

    fn answer(&self, prompt: &ModelPrompt, permit: &CallPermit) -> Result<ModelAnswer, ModelFailure> {
        let id = Self::id(prompt, permit.occurrence());
        self.write_prompt(&id, prompt)?;
        let text = self.wait(&self.path(&id, "answer.md"))?;
        let beside = self.beside(&id)?;
        let counted = || TokenUsage {
            input: prompt.input_tokens().expected,
            output: crate::prompt::count(&prompt.model, &text),
            ..TokenUsage::default()
        };
        let bill = beside.usage.map_or_else(|| AnswerBill::Unknown(Some(counted())), AnswerBill::Reported);
        Ok(ModelAnswer {
            text,
            finish: "file".to_owned(),
            model: beside.model,
            request_id: Some(id),
            bill,
            attempts: 1,
        })
    }
}

impl ModelProvider for Exchange {
    fn name(&self) -> &'static str {
        Self::NAME
    }

    fn charge(&self) -> Charge {
        if self.settings.is_charged { Charge::ByToken } else { Charge::Free }
    }

    /// A folder that was waited for in vain, or holds an answer that cannot be used, is not better at once.
    fn repeat(&self, _: &ModelError, _: &ModelPrompt, _: &CallPermit) -> Repeat {
        Repeat::No
    }

    fn ask(&self, prompt: &ModelPrompt, permit: &CallPermit) -> Result<ModelAnswer, ModelError> {
        self.answer(prompt, permit).map_err(|failure| {
            let is_owed = self.settings.is_charged && !matches!(failure, ModelFailure::Storage { .. });
            let bill = if is_owed { AnswerBill::Unknown(None) } else { AnswerBill::Nothing };
            ModelError { failure: Box::new(failure), bill, attempts: 1 }
        })
    }
}

/// Size and time of a file that was looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Seen {
    length: u64,
    modified: SystemTime,
}

impl Seen {
    /// Whether it was last changed that long ago.
    fn is_old(self, quiet: Duration) -> bool {
        self.modified.elapsed().is_ok_and(|age| age >= quiet)
    }
}

/// An answer that is there and not empty. Only regular files are answers: a link could lead anywhere.
fn look(path: &Path) -> io::Result<Option<Seen>> {
    match path.symlink_metadata() {
        Ok(metadata) if metadata.is_file() && metadata.len() > 0 => {
            Ok(Some(Seen { length: metadata.len(), modified: metadata.modified()? }))
        }
        Ok(_) => Ok(None),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

fn storage(path: &Path, error: &io::Error) -> ModelFailure {
    ModelFailure::Storage { place: path.display().to_string(), reason: error.to_string() }
}

/// The prompt as a page.
fn readable(id: &str, prompt: &ModelPrompt) -> String {
    let mut page = format!(
        "<!-- Write the answer, and nothing else, to {id}.answer.part and rename that to {id}.answer.md.\n     \
         Model: {}. At most {} tokens.",
        prompt.model, prompt.max_output_tokens
    );
    if let Some(temperature) = prompt.temperature {
        page.push_str(&format!(" Temperature {temperature}."));
    }
    page.push_str(" -->\n\n");
    if !prompt.system.is_empty() {
        page.push_str(&format!("# System\n\n{}\n\n", prompt.system));
    }
    for Message { role, text } in &prompt.messages {
        let heading = match role {
            Speaker::User => "User",
            Speaker::Assistant => "Assistant",
        };
        page.push_str(&format!("# {heading}\n\n{text}\n\n"));
    }
    page
}

#[cfg(test)]
mod tests;
