//! Leaderboards: the best submission of every team of a competition, whether or not a notebook made it.

use crate::moment::Moment;
use crate::random::Purpose;
use crate::world::{FakeWorld, TEAMS_PER_USER, team_id};
use nbrevive_loopback::RandomStream;

/// A team's place on a leaderboard. Every user forms a team alone in three competitions.
#[derive(Debug, Clone, PartialEq)]
pub struct FakeStanding {
    /// From 1; equal scores share no rank: the older submission is first.
    pub rank: u64,
    /// Kaggle's number of the team.
    pub team_id: u64,
    /// Name of the team: commas, quotes and markup occur.
    pub team_name: String,
    /// The member's index.
    pub user: u64,
    /// Best public score; no notebook of the team has a better one.
    pub score: f64,
    /// When the best submission came.
    pub submitted: Moment,
    /// How many submissions there were.
    pub submissions: u64,
}

impl FakeWorld {
    /// The public leaderboard of a competition (its index below the number of competitions), best first.
    pub fn leaderboard(&self, competition: u64) -> Vec<FakeStanding> {
        let users = 0..self.spec().users;
        let teams = users.flat_map(|user| (0..TEAMS_PER_USER).map(move |slot| (user, slot)));
        let mut standings: Vec<FakeStanding> = teams
            .filter(|(user, slot)| self.team_competition(*user, *slot) == competition)
            .map(|(user, slot)| self.standing(competition, user, slot))
            .collect();
        let scale = self.competitions()[competition as usize].scale;
        standings.sort_by(|a, b| {
            let by_score = if scale.is_max { b.score.total_cmp(&a.score) } else { a.score.total_cmp(&b.score) };
            by_score.then(a.submitted.cmp(&b.submitted)).then(a.team_id.cmp(&b.team_id))
        });
        for (place, standing) in standings.iter_mut().enumerate() {
            standing.rank = place as u64 + 1;
        }
        standings
    }

    fn standing(&self, competition: u64, user: u64, slot: u64) -> FakeStanding {
        let scale = self.competitions()[competition as usize].scale;
        let mut stream = RandomStream::of(self.spec().seed, Purpose::Team, user * TEAMS_PER_USER + slot + (1 << 41));
        let name = self.user(user).display_name;
        let team_name = match stream.below(6) {
            0 => format!("{name}, \"the best\" <b>& rest</b>"),
            1 => format!("<script>alert({user})</script>"),
            _ => name,
        };
        let first = Moment::of(2015, 6, 1);
        FakeStanding {
            rank: 0,
            team_id: team_id(user, slot),
            team_name,
            user,
            score: scale.score(self.team_quality(user, slot)),
            submitted: first.plus_seconds(stream.between(0, 3_500 * 86_400) as f64),
            submissions: stream.between(1, 120),
        }
    }
}
