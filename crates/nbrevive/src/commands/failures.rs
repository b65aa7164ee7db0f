//! `nbrevive failures`: every way in which something can end, what it means, what to do.

use std::sync::LazyLock;

use nbrevive_corpus::UnknownWord;
use nbrevive_shown::{Shown, shown};
use serde::Deserialize;

use crate::Outcome;
use crate::arguments::FailuresArguments;
use crate::exit_code::{Exit, Failure};
use crate::printer;

/// What the page and the answers are made of.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct FailureBook {
    kind: Vec<FailureKind>,
}

/// The words that one thing can end with.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct FailureKind {
    /// By what a person asks for all of them.
    name: String,
    title: String,
    /// Where a person meets the words.
    seen: String,
    /// Each word, what it means, and what to do.
    words: Vec<(String, String, String)>,
}

static BOOK: LazyLock<FailureBook> = LazyLock::new(|| {
    #[expect(clippy::expect_used, reason = "the file is part of the program, and a test reads it")]
    toml::from_str(include_str!("../../data/failures.toml")).expect("failures.toml is read")
});

/// Prints the whole page, or what is said of one word.
pub(crate) fn run(arguments: &FailuresArguments) -> Outcome {
    let text = match &arguments.word {
        Some(word) => of_word(word)?,
        None => page(),
    };
    printer::data(&Shown::block(&text));
    Ok(Exit::Success)
}

/// The whole page: docs/failures.md.
fn page() -> String {
    let head = "# How things end, and what to do\n\n\
        Made by `nbrevive failures`; `nbrevive failures WORD` prints one. Each word that the program prints or stores for an end stands \
        here: a test compares the lists with the program's own.\n";
    BOOK.kind.iter().fold(head.to_owned(), |page, kind| page + "\n" + &section(kind))
}

fn section(kind: &FailureKind) -> String {
    let lines: String =
        kind.words.iter().map(|(word, meaning, remedy)| format!("| `{word}` | {meaning} | {remedy} |\n")).collect();
    format!(
        "## {}\n\nSeen as: {}.\n\n| word | what it means | what to do |\n|---|---|---|\n{lines}",
        kind.title, kind.seen
    )
}

/// What is said of a word, wherever it stands, or of all words of a kind.
fn of_word(word: &str) -> Result<String, Failure> {
    if let Some(kind) = BOOK.kind.iter().find(|kind| kind.name == word) {
        return Ok(section(kind));
    }
    let told: String = BOOK
        .kind
        .iter()
        .flat_map(|kind| kind.words.iter().filter(|said| said.0 == word).map(move |said| (kind, said)))
        .map(|(kind, (_, meaning, remedy))| format!("{} ({})\n  {meaning}\n  do: {remedy}\n", kind.title, kind.seen))
        .collect();
    if !told.is_empty() {
        return Ok(told);
    }
    let mut known: Vec<&str> =
        BOOK.kind.iter().flat_map(|kind| kind.words.iter().map(|said| said.0.as_str())).collect();
    known.sort_unstable();
    known.dedup();
    let unknown = UnknownWord { kind: "end", word: word.to_owned(), expected: known.join(", ") };
    let message = shown!("nothing ends with `{}`{}; `nbrevive failures` lists all words", word, unknown.nearest());
    Err(Failure { exit: Exit::Usage, message })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use clap::CommandFactory as _;
    use nbrevive_corpus::{Breach, Exclusion, Executability, LeftCause, LoopEnd};
    use nbrevive_environment::FailureClass;
    use nbrevive_execute::CellStatus;
    use nbrevive_mine::records::{HostedNotebookState, HostedState, RunStatus};
    use nbrevive_repair::AnswerProblem;
    use nbrevive_report::checked::CheckVerdict;
    use nbrevive_study::{RestoreEnd, TaskEnd, Unusable};

    use super::*;

    /// Words of an enum whose variants carry more than a word: `Type::Variant { .. } => "word"` in its file.
    fn words_in(source: &str, name: &str) -> Vec<String> {
        let from = source.find(name).expect("the function is there");
        let body = source[from..].lines().skip(1).take_while(|line| *line != "    }");
        let mut words: Vec<String> = body
            .filter_map(|line| line.split_once("=> \"")?.1.split_once('"'))
            .map(|(word, _)| word.to_owned())
            .collect();
        words.dedup();
        words
    }

    fn kebab(variant: &str) -> String {
        let dashed = |(place, letter): (usize, char)| match letter.is_uppercase() {
            true if place > 0 => format!("-{}", letter.to_lowercase()),
            _ => letter.to_lowercase().to_string(),
        };
        variant.chars().enumerate().map(dashed).collect()
    }

    /// The variants of an enum, as its file lists them.
    fn variants_in(source: &str, name: &str) -> Vec<String> {
        let from = source.find(name).expect("the type is there");
        let body = source[from..].lines().skip(1).take_while(|line| *line != "}");
        body.filter_map(|line| line.strip_prefix("    "))
            .filter(|line| line.starts_with(char::is_uppercase))
            .map(|line| kebab(line.trim_end_matches([',', ' ', '{'])))
            .collect()
    }

    fn spelled<T: ToString>(all: &[T]) -> Vec<String> {
        all.iter().map(T::to_string).collect()
    }

    #[test]
    fn each_word_of_the_program_is_told_and_no_other() {
        let told: BTreeMap<&str, Vec<String>> = BOOK
            .kind
            .iter()
            .map(|kind| (kind.name.as_str(), kind.words.iter().map(|said| said.0.clone()).collect()))
            .collect();
        let real: BTreeMap<&str, Vec<String>> = BTreeMap::from([
            ("exit-code", Exit::TABLE.iter().map(|(exit, _)| (*exit as u8).to_string()).collect()),
            ("execution", variants_in(include_str!("../../../execute/src/record.rs"), "pub enum End ")),
            ("cell", spelled(CellStatus::ALL)),
            ("outcome", spelled(nbrevive_corpus::Outcome::ALL)),
            ("failure", spelled(nbrevive_corpus::Failure::ALL)),
            ("executability", spelled(Executability::ALL)),
            ("left", spelled(LeftCause::ALL)),
            ("loop", spelled(LoopEnd::ALL)),
            ("breach", spelled(Breach::ALL)),
            ("answer", spelled(AnswerProblem::ALL)),
            ("model", words_in(include_str!("../../../model/src/failure.rs"), "pub fn name(")),
            ("restoration", spelled(RestoreEnd::ALL)),
            ("build", spelled(FailureClass::ALL)),
            ("exclusion", spelled(Exclusion::ALL)),
            ("unusable", spelled(Unusable::ALL)),
            ("hosted", spelled(HostedState::ALL)),
            ("hosted-notebook", spelled(HostedNotebookState::ALL)),
            ("run-on-kaggle", spelled(RunStatus::ALL)),
            ("submission", words_in(include_str!("../../../grade/src/invalid.rs"), "pub const fn kind(")),
            ("task", spelled(TaskEnd::ALL)),
            ("check", spelled(CheckVerdict::ALL)),
        ]);
        for (kind, words) in &real {
            let (mut real, mut told) = (words.clone(), told.get(kind).cloned().unwrap_or_default());
            real.sort();
            told.sort();
            assert_eq!(told, real, "{kind}");
        }
        assert_eq!(told.len(), real.len());
    }

    #[test]
    fn the_page_is_the_one_of_the_documents() {
        assert!(page() == include_str!("../../../../docs/failures.md"), "run `nbrevive failures > docs/failures.md`");
    }

    #[test]
    fn a_word_is_told_wherever_it_stands_and_one_with_a_typo_is_named() {
        let told = of_word("timeout").expect("it is known");
        assert_eq!(told.matches("do: ").count(), 6, "{told}");
        let error = of_word("kernel-dyed").expect_err("it is unknown");
        assert!(error.message.as_str().contains("did you mean `kernel-died`?"), "{error}");
        assert!(of_word("build").expect("a kind").contains("lock-mismatch"));
    }

    /// The words between backquotes that come after `before`.
    fn quoted<'t>(text: &'t str, before: &str) -> Vec<&'t str> {
        text.split(before).skip(1).filter_map(|rest| rest.split('`').next()).collect()
    }

    #[test]
    fn columns_and_options_that_the_page_names_are_there() {
        let schema = nbrevive_store::dataset::page::schema_page();
        let page = page();
        for column in quoted(&page, "column `") {
            assert!(schema.contains(&format!("| {column} ")), "no column `{column}`");
        }
        let mut options = Vec::new();
        let mut commands = vec![crate::arguments::Arguments::command()];
        while let Some(command) = commands.pop() {
            options.extend(command.get_arguments().filter_map(|one| one.get_long().map(str::to_owned)));
            commands.extend(command.get_subcommands().cloned());
        }
        for option in quoted(&page, "`--") {
            assert!(options.iter().any(|one| one == option), "no option `--{option}`");
        }
    }
}
