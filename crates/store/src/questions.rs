//! Table `questions`: what models were asked, and what became of each answer.

use nbrevive_corpus::{Condition, FixType, Level};
use rusqlite::{Row, Transaction, params};

use crate::loops::{OfLoop, collect, each_of};
use crate::schema::{json, texts, word};
use crate::{Store, StoreError};

/// One question to a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuestionRow {
    /// The number of the fix, from 1: the one that it led to, or the one that the fix would have had.
    pub number: u32,
    /// Whether the dialogue led to a fix; if not, all its questions were in vain.
    pub led_to_fix: bool,
    /// What the fix aimed at.
    pub fix_type: FixType,
    /// Who was asked.
    pub provider: String,
    /// How much of the notebook was asked about.
    pub level: Level,
    /// The version of the templates: a hash of their text.
    pub template: String,
    /// 0 for the first question of a dialogue, then the number of the re-ask.
    pub reask: u32,
    /// Hash of the messages.
    pub prompt_hash: String,
    /// Tokens of the messages, as counted before sending.
    pub prompt_tokens: u32,
    /// Tokens of the answer, as counted after; 0 when there was none.
    pub answer_tokens: u32,
    /// Why the answer could not be read, in one word, where it could not.
    pub problem: Option<String>,
    /// The rules that the patch broke, a word each; empty for one that was accepted.
    pub breaches: Vec<String>,
    /// Problem, breaches, or why there was no answer, in words; empty for an accepted answer.
    pub detail: String,
    /// Unified diff of a patch that was refused; empty otherwise.
    pub patch: String,
}

pub(crate) fn replace(
    transaction: &Transaction<'_>,
    version: &str,
    condition: Condition,
    rows: &[QuestionRow],
) -> Result<(), rusqlite::Error> {
    let slots = params![version, condition.as_str()];
    transaction.execute("DELETE FROM questions WHERE version = ?1 AND condition = ?2", slots)?;
    let mut insert = transaction.prepare(
        "INSERT INTO questions (version, condition, position, number, led_to_fix, fix_type, provider, level, template, \
         reask, prompt_hash, prompt_tokens, answer_tokens, problem, breaches, detail, patch) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)",
    )?;
    for (position, row) in (1_u32..).zip(rows) {
        insert.execute(params![
            version,
            condition.as_str(),
            position,
            row.number,
            row.led_to_fix,
            row.fix_type.as_str(),
            row.provider,
            row.level.as_str(),
            row.template,
            row.reask,
            row.prompt_hash,
            row.prompt_tokens,
            row.answer_tokens,
            row.problem,
            json(&row.breaches)?,
            row.detail,
            row.patch,
        ])?;
    }
    Ok(())
}

/// Every question, by version and condition, in the order in which they were asked. A store that is older than the table has none.
///
/// # Errors
/// When the database refuses or holds a value that cannot be read.
pub fn all(store: &Store) -> Result<Vec<OfLoop<QuestionRow>>, StoreError> {
    collect(|take| each(store, take))
}

/// Hands every question to `take`, in the order of [`all`].
///
/// # Errors
/// As [`all`]; also what `take` gives.
pub(crate) fn each<E: From<StoreError>>(
    store: &Store,
    take: impl FnMut(OfLoop<QuestionRow>) -> Result<(), E>,
) -> Result<(), E> {
    let columns = "number, led_to_fix, fix_type, provider, level, template, reask, prompt_hash, prompt_tokens, answer_tokens, \
                   problem, breaches, detail, patch";
    each_of(store, "questions", columns, "version, condition, position", read, take)
}

fn read(row: &Row<'_>) -> Result<QuestionRow, rusqlite::Error> {
    Ok(QuestionRow {
        number: row.get(2)?,
        led_to_fix: row.get(3)?,
        fix_type: word(row, 4)?,
        provider: row.get(5)?,
        level: word(row, 6)?,
        template: row.get(7)?,
        reask: row.get(8)?,
        prompt_hash: row.get(9)?,
        prompt_tokens: row.get(10)?,
        answer_tokens: row.get(11)?,
        problem: row.get(12)?,
        breaches: texts(row, 13)?,
        detail: row.get(14)?,
        patch: row.get(15)?,
    })
}
