//! Reads the reports of a trial. They come from a process that imported strange code: nothing in them is trusted but
//! the form that is checked here.

use serde::Deserialize;

use super::{ImportOutcome, ImportResult, Raised, TraceFrame, TrialImport};

/// Most exceptions of a chain and most frames of a traceback that are kept; the script sends no more.
const CAUSES: usize = 8;
const FRAMES: usize = 60;
/// Most characters of a text that are kept.
const TEXT: usize = 2000;

#[derive(Deserialize)]
#[serde(untagged)]
enum Report {
    Done { at: usize, raised: Vec<RawRaised> },
    Begin { begin: usize },
    End { end: usize },
}

#[derive(Deserialize)]
struct RawRaised {
    exception: String,
    message: String,
    frames: Vec<RawFrame>,
}

#[derive(Deserialize)]
struct RawFrame {
    file: String,
    line: String,
}

/// What the output says of each import. `ended` is how the process ended, in words, for an import that was not
/// finished.
pub(super) fn read(output: &str, marker: &str, imports: &[TrialImport], ended: &str) -> Vec<ImportResult> {
    let mut outcomes = vec![ImportOutcome::NotTried; imports.len()];
    let mut begun = None;
    for report in output.lines().filter_map(|line| line.strip_prefix(marker)?.strip_prefix(' ')) {
        match serde_json::from_str(report) {
            Ok(Report::Begin { begin }) => begun = Some(begin),
            // Only what has begun can end, and only once.
            Ok(Report::Done { at, raised }) if begun == Some(at) => {
                begun = None;
                if let Some(outcome) = outcomes.get_mut(at).filter(|outcome| **outcome == ImportOutcome::NotTried) {
                    *outcome = if raised.is_empty() { ImportOutcome::Imported } else { kept(raised) };
                }
            }
            Ok(Report::End { end }) => tracing::debug!(end, "trial finished"),
            Ok(Report::Done { .. }) | Err(_) => tracing::debug!("a report of a trial was not understood"),
        }
    }
    if let Some(outcome) = begun.and_then(|at| outcomes.get_mut(at)) {
        *outcome = ImportOutcome::Died(ended.to_owned());
    } else if !imports.is_empty() && outcomes[0] == ImportOutcome::NotTried {
        outcomes[0] = ImportOutcome::Died(ended.to_owned());
    }
    imports.iter().cloned().zip(outcomes).map(|(import, outcome)| ImportResult { import, outcome }).collect()
}

fn kept(raised: Vec<RawRaised>) -> ImportOutcome {
    let short = |text: String| text.chars().take(TEXT).collect::<String>();
    let frame = |frame: RawFrame| TraceFrame { file: short(frame.file), line: short(frame.line) };
    let one = |raised: RawRaised| Raised {
        exception: short(raised.exception),
        message: short(raised.message),
        frames: raised.frames.into_iter().take(FRAMES).map(frame).collect(),
    };
    ImportOutcome::Raised(raised.into_iter().take(CAUSES).map(one).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn imports(modules: &[&str]) -> Vec<TrialImport> {
        modules.iter().map(|module| TrialImport { module: (*module).into(), names: vec![] }).collect()
    }

    fn words(output: &str, modules: &[&str]) -> Vec<String> {
        let results = read(output, "M", &imports(modules), "was killed");
        let word = |result: ImportResult| match result.outcome {
            ImportOutcome::Imported => "imported".to_owned(),
            ImportOutcome::Raised(raised) => raised[0].exception.clone(),
            ImportOutcome::Died(why) => why,
            ImportOutcome::NotTried => "not tried".to_owned(),
        };
        results.into_iter().map(word).collect()
    }

    #[test]
    fn reports_are_read_in_order() {
        let output = "M {\"begin\": 0}\nM {\"at\": 0, \"raised\": []}\nM {\"begin\": 1}\nM {\"at\": 1, \"raised\": \
                      [{\"exception\": \"ImportError\", \"message\": \"m\", \"frames\": []}]}\nM {\"begin\": 2}\n";
        assert_eq!(words(output, &["a", "b", "c", "d"]), ["imported", "ImportError", "was killed", "not tried"]);
    }

    #[test]
    fn forged_and_broken_reports_do_no_harm() {
        let output = "noise\nN {\"at\": 0, \"raised\": []}\nM {\"at\": 0, \"raised\": []}\nM {\"begin\": 99}\nM {\"at\": \
                      99, \"raised\": []}\nM {\"begin\": 1}\nM [1\nM {\"at\": 1, \"raised\": 5}\n";
        assert_eq!(words(output, &["a", "b"]), ["not tried", "was killed"]);
        assert_eq!(words("", &["a", "b"]), ["was killed", "not tried"]);
        assert!(words("M {\"begin\": 0}", &[]).is_empty());
    }
}
