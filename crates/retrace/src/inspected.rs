//! Runs of an order whose states are looked at.

use std::collections::BTreeMap;
use std::io;
use std::time::Duration;

use nbrevive_compare::{Agreement, OutputComparer, normal_text};
use nbrevive_execute::{BranchHub, BranchProcess, BranchStep, NameState};
use nbrevive_notebook::Output;

/// An order that is gone through.
#[derive(Debug, Clone, Copy)]
pub struct InspectedOrder<'o> {
    /// The cells.
    pub order: &'o [usize],
    /// Which of their runs, by position, are as saved.
    pub fits: &'o [bool],
    /// How long other values of constants are tried where only what was saved differs.
    pub patience: Duration,
}

/// One of the runs.
#[derive(Debug)]
pub struct InspectedRun {
    hub: BranchHub,
    /// The kernel lives as long as it.
    first: BranchProcess,
    pub(crate) process: BranchProcess,
    limit: Duration,
}

impl InspectedRun {
    /// A run that begins in a copy of the first process at `hub`. What runs longer than `limit` is an error.
    ///
    /// # Errors
    /// When the process does not split.
    pub fn begin(mut hub: BranchHub, mut first: BranchProcess, limit: Duration) -> io::Result<Self> {
        let (process, _) = hub.fork(&mut first, "pass", limit)?;
        Ok(Self { hub, first, process, limit })
    }

    /// The same from the beginning again.
    pub(crate) fn again(&mut self) -> io::Result<()> {
        self.process = self.hub.fork(&mut self.first, "pass", self.limit)?.0;
        Ok(())
    }

    /// A copy that has run `code`.
    pub(crate) fn ahead(&mut self, code: &str) -> io::Result<Ahead> {
        let (mut process, step) = self.hub.fork(&mut self.process, code, self.limit)?;
        if let Some(ended) = step.ended {
            return Err(io::Error::other(ended));
        }
        let names = self.hub.look(&mut process, self.limit)?;
        Ok(Ahead { process, outputs: step.outputs, names })
    }

    /// Goes on by some code.
    pub(crate) fn go(&mut self, code: &str) -> io::Result<()> {
        self.process = self.hub.fork(&mut self.process, code, self.limit)?.0;
        Ok(())
    }

    /// The state as it is, beside the run.
    pub(crate) fn kept(&mut self) -> io::Result<BranchProcess> {
        Ok(self.hub.fork(&mut self.process, "pass", self.limit)?.0)
    }

    /// What a copy of a state shows that runs some code, piece by piece, each for at most as long as `limit`; none of one that ended, or that changed
    /// files which all copies see.
    pub(crate) fn tried(
        &mut self,
        state: &mut BranchProcess,
        codes: &[String],
        limit: Duration,
    ) -> io::Result<Option<Vec<Vec<Output>>>> {
        let limit = limit.min(self.limit);
        let Some((first, rest)) = codes.split_first() else { return Ok(None) };
        let (mut copy, mut step) = self.hub.fork(state, first, limit)?;
        let mut shown = Vec::new();
        for code in rest.iter().map(Some).chain([None]) {
            if step.ended.is_some() {
                self.hub.kill(&mut self.first, &copy)?;
            }
            if step.ended.is_some() || step.wrote {
                return Ok(None);
            }
            shown.push(step.outputs);
            step = match code {
                Some(code) => self.hub.run(&mut copy, code, limit)?,
                None => BranchStep::default(),
            };
        }
        Ok(Some(shown))
    }
}

/// A state, and what was shown on the way to it.
pub(crate) struct Ahead {
    pub process: BranchProcess,
    pub outputs: Vec<Output>,
    pub names: BTreeMap<String, NameState>,
}

/// What differs, and how both show it.
pub(crate) type Parted = (Option<String>, (String, String));

/// What is seen of a state.
#[derive(Clone, Copy)]
pub(crate) struct Seen<'a> {
    pub outputs: &'a [Output],
    pub names: &'a BTreeMap<String, NameState>,
}

impl Ahead {
    pub(crate) fn seen(&self) -> Seen<'_> {
        Seen { outputs: &self.outputs, names: &self.names }
    }

    pub(crate) fn part(&self, other: &Self) -> Option<Parted> {
        self.seen().part(other.seen())
    }

    pub(crate) fn shows_other(&self, other: &Self) -> bool {
        self.seen().shows_other(other.seen())
    }
}

impl Seen<'_> {
    pub(crate) fn part(self, other: Self) -> Option<Parted> {
        let new = |name: &String, state: &NameState| other.names.get(name).filter(|new| new.digest != state.digest);
        if let Some((name, state, new)) =
            self.names.iter().find_map(|(name, state)| Some((name, state, new(name, state)?)))
        {
            return Some((Some(name.clone()), (state.shown.clone(), new.shown.clone())));
        }
        self.shows_other(other).then(|| (None, (short(&text(self.outputs)), short(&text(other.outputs)))))
    }

    fn shows_other(self, other: Self) -> bool {
        let (old, now, comparer) = (self.outputs, other.outputs, OutputComparer::default());
        match comparer.outputs(old, now).agreement {
            Ok(level) => !level.holds_at(Agreement::Normalized),
            Err(_) => raises(old) != raises(now) || comparer.same_error(old, now) == Some(false),
        }
    }
}

/// Whether an error is among outputs.
pub(crate) fn raises(outputs: &[Output]) -> bool {
    outputs.iter().any(|output| matches!(output, Output::Error { .. }))
}

/// What outputs say as text.
pub(crate) fn text(outputs: &[Output]) -> String {
    let one = |output: &Output| match output {
        Output::Stream { name, text } if name == "stdout" => text.clone(),
        Output::DisplayData { data, .. } | Output::ExecuteResult { data, .. } => {
            data.get("text/plain").and_then(|text| text.as_str()).unwrap_or_default().to_owned()
        }
        Output::Stream { .. } | Output::Error { .. } => String::new(),
    };
    outputs.iter().map(one).collect()
}

/// The same as a comparison reads it, without pictures, which come at the end of whatever is run, not where they are drawn.
pub(crate) fn printed(outputs: &[Output]) -> String {
    let is_picture = |output: &Output| match output {
        Output::DisplayData { data, .. } => data.keys().any(|mime| mime.starts_with("image/")),
        _ => false,
    };
    let rest: Vec<Output> = outputs.iter().filter(|output| !is_picture(output)).cloned().collect();
    normal_text(&text(&rest)).into_owned()
}

/// The beginning of a text.
pub(crate) fn short(text: &str) -> String {
    text.chars().take(200).collect()
}
