//! Answers that are annotated questions, one JSON object a line.

use std::collections::HashMap;

use serde::Deserialize;

use crate::{AnswersProblem, Malformation};

/// The questions of TensorFlow 2.0 Question Answering, by id.
#[derive(Debug, Default)]
pub(crate) struct Questions(HashMap<String, Annotation>);

/// What counts as an answer of one question.
#[derive(Debug, Deserialize)]
pub(crate) struct Annotation {
    long_answer: Span,
    short_answers: Vec<Span>,
    yes_no_answer: String,
}

#[derive(Debug, Deserialize)]
struct Span {
    start_token: i128,
    end_token: i128,
}

#[derive(Deserialize)]
struct Line {
    example_id: serde_json::Value,
    annotations: Vec<Annotation>,
}

/// What a submission says for one question.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Reply<'t> {
    /// That there is no answer.
    None,
    /// Tokens from and to.
    Span(i128, i128),
    /// `YES` or `NO`.
    Word(&'t str),
}

impl Questions {
    /// Reads the lines.
    pub(crate) fn parse(text: &str) -> Result<Self, AnswersProblem> {
        let mut questions = HashMap::new();
        for (place, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let bad = AnswersProblem::NotCsv { line: place as u64 + 1, reason: Malformation::NotAQuestion };
            let Ok(line) = serde_json::from_str::<Line>(line) else {
                return Err(bad);
            };
            let id = line.example_id.as_str().map_or_else(|| line.example_id.to_string(), str::to_owned);
            questions.insert(id, line.annotations.into_iter().next().ok_or(bad)?);
        }
        if questions.is_empty() { Err(AnswersProblem::NoRows) } else { Ok(Questions(questions)) }
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether a reply to the long or the short part of a question agrees with the annotation; none when there is no such
    /// question or part. `id` ends in `_long` or `_short`.
    ///
    /// The original compares whether there is a reply with whether it is right, or, without one, with whether there was an
    /// answer: a wrong reply disagrees as much as none where there was one.
    pub(crate) fn agrees(&self, id: &str, reply: &Reply<'_>) -> Option<bool> {
        let (question, is_long) = match id.strip_suffix("_long") {
            Some(question) => (question, true),
            None => (id.strip_suffix("_short")?, false),
        };
        let annotation = self.0.get(question)?;
        let spans =
            if is_long { std::slice::from_ref(&annotation.long_answer) } else { annotation.short_answers.as_slice() };
        let mut spans = spans.iter().filter(|span| !is_long || span.start_token != -1);
        let word = Some(annotation.yes_no_answer.as_str()).filter(|word| !is_long && *word != "NONE");
        Some(match *reply {
            Reply::None => spans.next().is_none() && word.is_none(),
            Reply::Span(start, end) => spans.any(|span| (span.start_token, span.end_token) == (start, end)),
            Reply::Word(own) => word == Some(own),
        })
    }
}
