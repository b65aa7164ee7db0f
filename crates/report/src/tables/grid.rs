//! Text laid out in columns: as Markdown, as LaTeX, and as plain text for a terminal.

use std::fmt::Write as _;

use crate::number_words::NOTHING;

/// A table as text.
#[derive(Debug, Clone)]
pub(crate) struct Grid {
    /// What the table shows.
    pub(crate) title: String,
    /// The column heads.
    pub(crate) header: Vec<String>,
    /// How many columns from the left hold words; the others hold numbers and stand at the right of their column.
    pub(crate) word_columns: usize,
    /// The rows, each as long as the header.
    pub(crate) rows: Vec<Vec<String>>,
    /// The lines below.
    pub(crate) notes: Vec<String>,
}

impl Grid {
    /// With a row that says so when there are none.
    pub(crate) fn or_nothing(mut self) -> Self {
        if self.rows.is_empty() {
            self.rows.push(vec![NOTHING.to_owned(); self.header.len()]);
        }
        self
    }

    /// The table in GitHub's Markdown.
    pub(crate) fn markdown(&self) -> String {
        let rule = (0..self.header.len()).map(|column| if column < self.word_columns { ":--" } else { "--:" });
        let rule = format!("|{}|\n", rule.collect::<Vec<_>>().join("|"));
        let mut text = format!("**{}**\n\n{}{rule}", escaped(&self.title), markdown_row(&self.header));
        self.rows.iter().for_each(|row| text.push_str(&markdown_row(row)));
        for note in &self.notes {
            // writing into a String cannot fail
            let _ = write!(text, "\n{}\n", escaped(note));
        }
        text
    }

    /// The table as a float of LaTeX; `name` is that of its label. Needs the package booktabs.
    pub(crate) fn latex(&self, name: &str) -> String {
        let columns: String =
            (0..self.header.len()).map(|place| if place < self.word_columns { 'l' } else { 'r' }).collect();
        let row =
            |cells: &[String]| cells.iter().map(|cell| latex_text(cell)).collect::<Vec<_>>().join(" & ") + " \\\\\n";
        let rows: String = self.rows.iter().map(|cells| row(cells)).collect();
        let notes: String =
            self.notes.iter().map(|note| format!("\\par\\smallskip\\footnotesize {}\n", latex_text(note))).collect();
        format!(
            "% Needs \\usepackage{{booktabs}}.\n\\begin{{table}}\n\\caption{{{}}}\n\\label{{tab:{name}}}\n\\begin{{tabular}}{{{columns}}}\n\
             \\toprule\n{}\\midrule\n{rows}\\bottomrule\n\\end{{tabular}}\n{notes}\\end{{table}}\n",
            latex_text(&self.title),
            row(&self.header),
        )
    }

    /// The table as plain text in aligned columns.
    pub(crate) fn plain(&self) -> String {
        let widths = self.widths();
        let line = "─".repeat(widths.iter().sum::<usize>() + 2 * widths.len().saturating_sub(1));
        let mut text = format!("{}\n{line}\n{}{line}\n", one_line(&self.title), self.plain_row(&self.header, &widths));
        self.rows.iter().for_each(|row| text.push_str(&self.plain_row(row, &widths)));
        text.push_str(&line);
        text.push('\n');
        for note in &self.notes {
            text.push_str(&one_line(note));
            text.push('\n');
        }
        text
    }

    fn widths(&self) -> Vec<usize> {
        let mut widths: Vec<usize> = self.header.iter().map(|cell| cell.chars().count()).collect();
        for row in &self.rows {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = (*width).max(cell.chars().count());
            }
        }
        widths
    }

    fn plain_row(&self, row: &[String], widths: &[usize]) -> String {
        let pad = |(column, (cell, width)): (usize, (&String, &usize))| {
            if column < self.word_columns { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
        };
        let cells: Vec<String> = row.iter().zip(widths).enumerate().map(pad).collect();
        format!("{}\n", cells.join("  ").trim_end())
    }
}

fn markdown_row(row: &[String]) -> String {
    let cells: Vec<String> = row.iter().map(|cell| escaped(cell)).collect();
    format!("| {} |\n", cells.join(" | "))
}

/// Text without Markdown's or HTML's special characters and without line ends: a study's title comes from outside.
fn escaped(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    for character in one_line(text).chars() {
        match character {
            '<' => result.push_str("&lt;"),
            '&' => result.push_str("&amp;"),
            '|' | '*' | '`' | '[' | ']' | '\\' => result.extend(['\\', character]),
            _ => result.push(character),
        }
    }
    result
}

/// Text without LaTeX's special characters; the signs of our own headers become mathematics.
fn latex_text(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    for character in one_line(text).chars() {
        match character {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => result.extend(['\\', character]),
            '\\' => result.push_str("\\textbackslash{}"),
            '~' => result.push_str("\\textasciitilde{}"),
            '^' => result.push_str("\\textasciicircum{}"),
            '<' => result.push_str("$<$"),
            '>' => result.push_str("$>$"),
            '≤' => result.push_str("$\\leq$"),
            '≥' => result.push_str("$\\geq$"),
            'δ' => result.push_str("$\\delta$"),
            'τ' => result.push_str("$\\tau$"),
            '–' => result.push_str("--"),
            _ => result.push(character),
        }
    }
    result
}

/// Text on one line: control characters, escape sequences of terminals among them, become spaces.
pub(crate) fn one_line(text: &str) -> String {
    text.chars().map(|character| if character.is_control() { ' ' } else { character }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_from_outside_stays_text() {
        let grid = Grid {
            title: "a\n# b".to_owned(),
            header: vec!["x".to_owned(), "n".to_owned()],
            word_columns: 1,
            rows: vec![vec!["p|q <b> \\input{x} 5 % & a_b ≤ τ".to_owned(), "1".to_owned()]],
            notes: vec!["\u{1b}[31mred".to_owned()],
        };
        insta::assert_snapshot!(grid.markdown(), @r"
        **a # b**

        | x | n |
        |:--|--:|
        | p\|q &lt;b> \\input{x} 5 % &amp; a_b ≤ τ | 1 |

         \[31mred
        ");
        insta::assert_snapshot!(grid.latex("x"), @r"
        % Needs \usepackage{booktabs}.
        \begin{table}
        \caption{a \# b}
        \label{tab:x}
        \begin{tabular}{lr}
        \toprule
        x & n \\
        \midrule
        p|q $<$b$>$ \textbackslash{}input\{x\} 5 \% \& a\_b $\leq$ $\tau$ & 1 \\
        \bottomrule
        \end{tabular}
        \par\smallskip\footnotesize  [31mred
        \end{table}
        ");
        assert!(!grid.plain().contains('\u{1b}'));
    }
}
