//! A cell without what only IPython reads, and back.

use nbrevive_pysource::magics::split;

/// A cell in which a name stands for each escape and each `%%` line, for tools that read plain Python.
pub(super) struct Masked {
    /// Index in the notebook's cells.
    pub(super) cell: usize,
    /// The cell's text with the names.
    pub(super) text: String,
    /// What the names stand for.
    hidden: Vec<String>,
}

impl Masked {
    /// `None` for a cell in another language, and for one that has such names already.
    pub(super) fn of(cell: usize, source: &str) -> Option<Self> {
        let parts = split(source);
        if parts.is_opaque() || source.contains(NAME) {
            return None;
        }
        let magics = parts.cell_magics.iter().map(|magic| &magic.range);
        let mut ranges: Vec<_> = magics.chain(parts.escapes.iter().map(|escape| &escape.range)).collect();
        ranges.sort_by_key(|range| range.start);
        let (mut text, mut hidden, mut position) = (String::new(), Vec::new(), 0);
        for range in ranges {
            text.push_str(source.get(position..range.start)?);
            text.push_str(&name(hidden.len()));
            hidden.push(source.get(range.clone())?.to_owned());
            position = range.end;
        }
        text.push_str(source.get(position..)?);
        Some(Self { cell, text, hidden })
    }

    /// A changed text with what was hidden; `None` unless each name is in it once.
    pub(super) fn unmasked(&self, text: &str) -> Option<String> {
        let mut result = text.to_owned();
        // The last first: no name is the beginning of one that is still there.
        for (number, hidden) in self.hidden.iter().enumerate().rev() {
            let name = name(number);
            if result.matches(&name).count() != 1 {
                return None;
            }
            result = result.replacen(&name, hidden, 1);
        }
        (!result.contains(NAME)).then_some(result)
    }
}

/// The beginning of every name.
const NAME: &str = "nbrevive_hidden_";

/// The name of the escape with a number.
fn name(number: usize) -> String {
    format!("{NAME}{number}_")
}

#[cfg(test)]
mod tests {
    use super::*;

    const CELL: &str = "%%time\n%matplotlib inline\nfiles = !ls \\\n  -l\nif files:\n    !rm x\nx?\nprint 1  ";

    #[test]
    fn what_only_ipython_reads_is_hidden_and_comes_back() {
        let masked = Masked::of(0, CELL).unwrap();
        assert_eq!(
            masked.text,
            "nbrevive_hidden_0_\nnbrevive_hidden_1_\nfiles = nbrevive_hidden_2_\nif files:\n    nbrevive_hidden_3_\n\
             nbrevive_hidden_4_\nprint 1  "
        );
        assert_eq!(masked.unmasked(&masked.text).as_deref(), Some(CELL));
        let changed = masked.text.replace("print 1", "print(1)");
        assert_eq!(masked.unmasked(&changed), Some(CELL.replace("print 1", "print(1)")));
    }

    #[test]
    fn a_text_that_lost_or_doubled_a_name_is_none() {
        let masked = Masked::of(0, CELL).unwrap();
        assert_eq!(masked.unmasked(&masked.text.replace("nbrevive_hidden_4_", "x")), None);
        assert_eq!(masked.unmasked(&format!("{0}{0}", masked.text)), None);
        assert!(Masked::of(0, "nbrevive_hidden_7_ = 1").is_none());
        assert!(Masked::of(0, "%%bash\nls").is_none());
    }
}
