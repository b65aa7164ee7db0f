//! The table for people.

use std::fmt::Write;

use crate::plan::{AskedBy, EnvironmentPlan, Line};

const HEADINGS: [&str; 5] = ["distribution", "version", "released", "why", "asked by"];
/// Askers that are named; of numpy's thirty the first tell enough.
const MOST_ASKERS: usize = 3;

impl EnvironmentPlan {
    /// The plan for people: the interpreter, a row a distribution, and below it what else is to know.
    #[must_use]
    pub fn table_text(&self) -> String {
        let mut text = format!(
            "{} plan of {}\nPython {} ({}; latest patch {})\n",
            self.strategy,
            self.date,
            self.interpreter.version,
            self.python_reason.words(),
            self.python_latest_patch
        );
        rows(&mut text, "", &self.lines);
        rows(&mut text, "built from source with", &self.build);
        if let Some(failure) = &self.expected_failure {
            let _ = writeln!(text, "\nwill fail ({}): {}", failure.class, failure.words);
        }
        section(&mut text, "warnings", self.warnings.iter().map(|warning| warning.words.clone()));
        let unresolved = self.unresolved.iter().map(|left| {
            let perhaps = if left.candidates.is_empty() { "" } else { "; perhaps " };
            format!("{}: {}{perhaps}{}", left.what, left.reason, left.candidates.join(", "))
        });
        section(&mut text, "unresolved", unresolved);
        let stale = (!self.stale.is_empty())
            .then(|| format!("the index could not be asked; aged histories of {}", self.stale.join(", ")));
        section(&mut text, "stale", stale.into_iter());
        text
    }
}

fn section(text: &mut String, heading: &str, items: impl Iterator<Item = String>) {
    for (at, item) in items.enumerate() {
        if at == 0 {
            let _ = writeln!(text, "\n{heading}:");
        }
        // A notebook's own words may stand in it, which make no line of their own.
        let _ = writeln!(text, "  {}", item.replace(['\n', '\r'], " "));
    }
}

fn rows(text: &mut String, heading: &str, lines: &[Line]) {
    if lines.is_empty() {
        return;
    }
    let mut rows = vec![HEADINGS.map(str::to_owned)];
    rows.extend(lines.iter().map(row));
    let widths: Vec<usize> =
        (0..HEADINGS.len()).map(|at| rows.iter().map(|row| row[at].chars().count()).max().unwrap_or(0)).collect();
    let _ = writeln!(
        text,
        "{}{heading}{}",
        if heading.is_empty() { "" } else { "\n" },
        if heading.is_empty() { "" } else { ":" }
    );
    for row in rows {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}"));
        let _ = writeln!(text, "{}", cells.collect::<Vec<_>>().join("  ").trim_end());
    }
}

fn row(line: &Line) -> [String; 5] {
    let version = line.version.as_ref().map_or_else(|| line.bound.clone(), ToString::to_string);
    let released = line.released.map(|released| released.strftime("%Y-%m-%d").to_string()).unwrap_or_default();
    [format!("{}{}", line.distribution, line.extras), version, released, line.why.clone(), askers(&line.asked_by)]
}

fn askers(asked_by: &[AskedBy]) -> String {
    let named: Vec<&str> = asked_by.iter().take(MOST_ASKERS).map(|asked| asked.who.as_str()).collect();
    match asked_by.len() - named.len() {
        0 => named.join(", "),
        more => format!("{} and {more} more", named.join(", ")),
    }
}
