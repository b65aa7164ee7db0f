//! Medals: what a score would have won on a competition's leaderboard.

use std::path::{Path, PathBuf};

use nbrevive_corpus::{Direction, string_enum};
use nbrevive_files::read_text;

use crate::scanner::{Fields, Scanner};

/// The longest leaderboard that is read: the largest on Kaggle has some ten thousand teams, a hundred bytes each.
const LONGEST: u64 = 64 << 20;

/// The scores that had to be reached, by the rules that Kaggle's medals follow.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Leaderboard {
    /// The number of teams.
    pub teams: usize,
    /// The score of the last team with a gold medal.
    pub gold: f64,
    /// That of the last with silver.
    pub silver: f64,
    /// That of the last with bronze.
    pub bronze: f64,
    /// The median of all scores.
    pub median: f64,
}

string_enum! {
    /// A medal.
    pub enum Medal ("medal") {
        /// The third.
        Bronze => "bronze",
        /// The second.
        Silver => "silver",
        /// The first.
        Gold => "gold",
    }
}

/// Why a leaderboard cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("leaderboard {path} cannot be used: {problem}", path = path.display())]
pub struct LeaderboardError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub problem: String,
}

impl Leaderboard {
    /// Reads a CSV with a column `score`, the best first, as Kaggle gives it.
    ///
    /// # Errors
    /// When the file cannot be read, has no such column, or holds something else than numbers there.
    pub fn read(path: &Path) -> Result<Self, LeaderboardError> {
        let failed = |problem: String| LeaderboardError { path: path.to_owned(), problem };
        let text = read_text(path, LONGEST).map_err(|error| failed(std::io::Error::from(error).to_string()))?;
        let scores = scores(&text).map_err(failed)?;
        Leaderboard::of(&scores).ok_or_else(|| failed("there are no scores".to_owned()))
    }

    /// The thresholds of these scores, the best first; none without scores.
    ///
    /// Places by the number of teams, fractions cut: up to 99 teams gold goes to 10%, silver to 20% and bronze to 40%, each to
    /// at least one; up to 249 gold to 10 teams, silver to 20%, bronze to 40%; up to 999 gold to 10 and 0.2%, silver to 50,
    /// bronze to 100; beyond, gold to 10 and 0.2%, silver to 5%, bronze to 10%.
    #[must_use]
    pub fn of(scores: &[f64]) -> Option<Self> {
        let teams = scores.len();
        let share = |part: f64| (part * teams as f64) as usize;
        let (gold, silver, bronze) = match teams {
            0 => return None,
            1..=99 => (share(0.1).max(1), share(0.2).max(1), share(0.4).max(1)),
            100..=249 => (10, share(0.2), share(0.4)),
            250..=999 => (10 + share(0.002), 50, 100),
            _ => (10 + share(0.002), share(0.05), share(0.1)),
        };
        let mut sorted = scores.to_vec();
        sorted.sort_unstable_by(f64::total_cmp);
        let median = f64::midpoint(sorted[(teams - 1) / 2], sorted[teams / 2]);
        Some(Leaderboard {
            teams,
            gold: scores[gold - 1],
            silver: scores[silver - 1],
            bronze: scores[bronze - 1],
            median,
        })
    }

    /// The best medal that a score wins; one that equals a threshold does.
    #[must_use]
    pub fn medal(&self, score: f64, direction: Direction) -> Option<Medal> {
        let reaches = |threshold: f64| match direction {
            Direction::Maximize => score >= threshold,
            Direction::Minimize => score <= threshold,
        };
        let medals = [(self.gold, Medal::Gold), (self.silver, Medal::Silver), (self.bronze, Medal::Bronze)];
        medals.into_iter().find(|medal| reaches(medal.0)).map(|medal| medal.1)
    }

    /// Whether a score is better than that of half the teams.
    #[must_use]
    pub fn is_above_median(&self, score: f64, direction: Direction) -> bool {
        match direction {
            Direction::Maximize => score > self.median,
            Direction::Minimize => score < self.median,
        }
    }
}

fn scores(text: &str) -> Result<Vec<f64>, String> {
    let mut scanner = Scanner::new(text, usize::MAX);
    let mut fields = Fields::new();
    let malformed = |error: crate::scanner::Malformed| format!("line {}: {}", error.line, error.reason);
    scanner.next_row(&mut fields).map_err(malformed)?;
    let place = fields.iter().position(|name| name == "score").ok_or("there is no column `score`")?;
    let mut scores = Vec::new();
    while let Some(line) = scanner.next_row(&mut fields).map_err(malformed)? {
        let cell = fields.cell(place).trim();
        let score = cell.parse().ok().filter(|score: &f64| score.is_finite());
        scores.push(score.ok_or_else(|| format!("{cell:?} on line {line} is no score"))?);
    }
    Ok(scores)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_leaderboard_is_a_csv_with_scores() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("leaderboard.csv");
        std::fs::write(&path, "team,score\na,0.9\nb,0.8\nc,0.1\n").unwrap();
        let board = Leaderboard::read(&path).unwrap();
        assert_eq!((board.teams, board.gold, board.median), (3, 0.9, 0.8));
        assert_eq!(board.medal(0.9, Direction::Maximize), Some(Medal::Gold));
        assert!(!board.is_above_median(0.8, Direction::Maximize));
        std::fs::write(&path, "team,score\na,x\n").unwrap();
        let error = Leaderboard::read(&path).unwrap_err().to_string();
        assert!(error.ends_with("\"x\" on line 2 is no score"), "{error}");
        assert!(Leaderboard::of(&[]).is_none());
    }
}
