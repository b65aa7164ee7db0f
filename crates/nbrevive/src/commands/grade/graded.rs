//! A graded submission, as a line of a table or as JSON.

use std::path::Path;

use nbrevive_corpus::Direction;
use nbrevive_grade::{Invalid, Leaderboard, Medal, Metric};
use nbrevive_shown::{Shown, shown};
use serde_json::{Value, json};

use crate::arguments::GradeFormat;
use crate::printer::json_path;

/// What scores are held against.
pub(super) struct Yardstick<'g> {
    pub(super) competition: &'g str,
    pub(super) metric: Metric,
    pub(super) board: Option<&'g Leaderboard>,
    pub(super) target: Option<f64>,
}

/// A submission with what there is to say of it.
pub(super) struct Graded<'g> {
    pub(super) path: &'g Path,
    pub(super) result: Result<f64, Invalid>,
    pub(super) yardstick: &'g Yardstick<'g>,
}

impl Graded<'_> {
    pub(super) fn written(&self, format: GradeFormat) -> Shown {
        if format == GradeFormat::Json { self.json() } else { self.line() }
    }

    fn score(&self) -> Option<f64> {
        self.result.as_ref().ok().copied()
    }

    fn direction(&self) -> Direction {
        self.yardstick.metric.direction()
    }

    /// How far the score is from the target, as a share of it; more than 0 is better.
    fn deviation(&self) -> Option<f64> {
        let (score, target) = (self.score()?, self.yardstick.target?);
        let share = (score - target) / target.abs();
        Some(if self.direction() == Direction::Maximize { share } else { -share })
    }

    fn medal(&self) -> Option<&'static str> {
        let medal = self.yardstick.board?.medal(self.score()?, self.direction());
        Some(medal.map_or("none", Medal::as_str))
    }

    /// The scores that medals need, and whether half of the teams are below.
    fn board(&self) -> Option<Value> {
        let board = self.yardstick.board?;
        let above = self.score().map(|score| board.is_above_median(score, self.direction()));
        Some(json!({
            "teams": board.teams, "gold": board.gold, "silver": board.silver, "bronze": board.bronze,
            "median": board.median, "above_median": above,
        }))
    }

    fn json(&self) -> Shown {
        let (score, reason) = (self.score(), self.result.as_ref().err());
        let object = json!({
            "competition": self.yardstick.competition,
            "submission": json_path(self.path),
            "metric": self.yardstick.metric,
            "direction": self.direction(),
            "score": score.filter(|score| score.is_finite()),
            "not_finite": score.filter(|score| !score.is_finite()).map(|score| score.to_string()),
            "target": self.yardstick.target,
            "deviation": self.deviation().filter(|deviation| deviation.is_finite()),
            "medal": self.medal(),
            "leaderboard": self.board(),
            "invalid": reason.map(Invalid::kind),
            "line": reason.and_then(Invalid::line),
            "column": reason.and_then(Invalid::column),
            "reason": reason.map(ToString::to_string),
        });
        shown!("{}\n", Shown::json(&object.to_string()))
    }

    fn line(&self) -> Shown {
        let mut text = match &self.result {
            Ok(score) => shown!("{:<22}", score),
            Err(invalid) => shown!("{:<22}", invalid.kind()),
        };
        // A line without score keeps its columns.
        if self.yardstick.target.is_some() {
            let deviation = self.deviation();
            let deviation = deviation.map_or(Shown::literal("-"), |deviation| shown!("{:+.2}%", 100.0 * deviation));
            text.push(&shown!(" {:>10}", deviation));
        }
        if self.yardstick.board.is_some() {
            text.push(&shown!(" {:<6}", self.medal().unwrap_or("-")));
        }
        text.push(&shown!(" {}", Shown::path(self.path)));
        if let Err(invalid) = &self.result {
            text.push(&shown!(": {}", invalid));
        }
        text.push_line(&Shown::default());
        text
    }
}
