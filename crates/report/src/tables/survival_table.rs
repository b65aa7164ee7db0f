//! Official examples: how many still run, by the release that they are of.

use std::collections::BTreeSet;

use nbrevive_corpus::Role;

use super::share_table::{ShareLine, ShareTable, column, line};
use crate::inputs::Inputs;
use crate::survival::Example;

/// What is asked of an example: the words, the condition that answers, of which examples it is asked, and what counts.
struct Question {
    words: &'static str,
    role: Role,
    is_asked: fn(&Example) -> bool,
    holds: fn(&Example) -> bool,
}

const QUESTIONS: [Question; 7] = [
    Question { words: "run today", role: Role::Baseline, is_asked: |_| true, holds: |one| one.today.runs },
    Question {
        words: "ran in their time",
        role: Role::Backport,
        is_asked: |one| one.then.is_some(),
        holds: Example::ran,
    },
    Question {
        words: "run today, of those that ran in their time",
        role: Role::Baseline,
        is_asked: Example::ran,
        holds: |one| one.today.runs,
    },
    Question {
        words: "come back, of those that ran in their time and fail today",
        role: Role::Modernize,
        is_asked: |one| one.ran() && !one.today.runs && one.repaired.is_some(),
        holds: runs_repaired,
    },
    Question {
        words: "showed in their time what is documented, of those that ran",
        role: Role::Backport,
        is_asked: Example::ran,
        holds: Example::showed,
    },
    Question {
        words: "show it today, of those that did in their time",
        role: Role::Baseline,
        is_asked: Example::showed,
        holds: |one| one.today.shows,
    },
    Question {
        words: "show it again repaired, of those that did in their time and do not today",
        role: Role::Modernize,
        is_asked: |one| one.showed() && !one.today.shows && one.repaired.is_some(),
        holds: |one| one.repaired.is_some_and(|fate| fate.shows),
    },
];

fn runs_repaired(one: &Example) -> bool {
    one.repaired.is_some_and(|fate| fate.runs)
}

/// The table; none where a study is of anything else.
pub(super) fn table(of: &Inputs) -> Option<ShareTable> {
    let examples = of.examples()?;
    let sorts: BTreeSet<&str> = examples.keys().map(|source| source.sort.as_str()).collect();
    let mut lines = Vec::new();
    for sort in sorts {
        let of_sort: Vec<_> = examples.iter().filter(|(source, _)| source.sort == sort).collect();
        for (source, examples) in &of_sort {
            lines.extend(lines_of(of, [sort, &source.release, &years(examples)], examples));
        }
        if of_sort.len() > 1 {
            let all: Vec<Example> = of_sort.iter().flat_map(|(_, examples)| examples.iter().copied()).collect();
            lines.extend(lines_of(of, [sort, "all releases", &years(&all)], &all));
        }
    }
    let note = "Runs: to its end without an error. Shows what is documented: runs, and all that it is said to show comes out at level value. In \
                their time: in an environment of the release's day, with that release.";
    let name = ("survival", "Official examples that still run");
    let columns = vec![
        column("Sort", "sort"),
        column("Release", "release"),
        column("Year", "year"),
        column("Examples that", "what"),
    ];
    Some(ShareTable::new(&of.data, name, columns, lines, note.to_owned()).of("Examples"))
}

/// The lines of some examples. What they show is asked only where something is documented.
fn lines_of(of: &Inputs, [sort, release, year]: [&str; 3], examples: &[Example]) -> Vec<ShareLine> {
    let is_documented = examples.iter().any(|one| one.today.shows || one.showed());
    let is_asked = |question: &&Question| is_documented || !question.words.contains("show");
    let line = |question: &Question| {
        let asked: Vec<&Example> = examples.iter().filter(|one| (question.is_asked)(one)).collect();
        let count = asked.iter().filter(|one| (question.holds)(one)).count();
        line(of.data.condition(question.role), [sort, release, year, question.words], count, asked.len())
    };
    QUESTIONS.iter().filter(is_asked).map(line).collect()
}

/// The year of some examples, or the first and the last.
fn years(examples: &[Example]) -> String {
    let years: BTreeSet<u16> = examples.iter().filter_map(|one| one.year).collect();
    match (years.first(), years.last()) {
        (Some(first), Some(last)) if first == last => first.to_string(),
        (Some(first), Some(last)) => format!("{first}–{last}"),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::survival::Fate;

    #[test]
    fn each_question_is_asked_of_its_examples() {
        let fate = |runs, shows| Fate { runs, shows };
        let (well, runs, fails) = (fate(true, true), fate(true, false), fate(false, false));
        let all =
            [[well, well, well], [fails, well, well], [runs, well, runs], [fails, runs, fails], [fails, fails, fails]];
        let example = |[today, then, repaired]: [Fate; 3]| {
            let [then, repaired] = [then, repaired].map(Some);
            Example { year: Some(2018), today, then, repaired }
        };
        let ahead = Example { year: None, today: well, then: None, repaired: None };
        let all: Vec<Example> = all.into_iter().map(example).chain([ahead]).collect();
        let counts = QUESTIONS.map(|question| {
            let asked: Vec<&Example> = all.iter().filter(|one| (question.is_asked)(one)).collect();
            (asked.iter().filter(|one| (question.holds)(one)).count(), asked.len())
        });
        assert_eq!(counts, [(3, 6), (4, 5), (2, 4), (1, 2), (3, 4), (1, 3), (1, 2)]);
        assert_eq!(years(&all), "2018");
        let later = Example { year: Some(2020), ..all[0] };
        assert_eq!((years(&[all[0], later]).as_str(), years(&[]).as_str()), ("2018–2020", ""));
    }
}
