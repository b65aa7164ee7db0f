//! Users, who write notebooks and form one-person teams.

use crate::moment::Moment;
use crate::random::Purpose;
use crate::world::user_id;
use nbrevive_loopback::RandomStream;

/// A user of the world.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    /// Place in the world's list.
    pub index: u64,
    /// Kaggle's number.
    pub id: u64,
    /// Name in addresses: lower-case ASCII, unique.
    pub user_name: String,
    /// Name for people, in any script.
    pub display_name: String,
    /// When the account was made.
    pub registered: Moment,
    /// 0 novice to 4 grandmaster.
    pub tier: u64,
}

const NAMES: &[(&str, &str)] = &[
    ("ada", "Ada L"),
    ("bob", "Bob"),
    ("chloe", "Chloé Ångström"),
    ("dmitri", "Дмитрий"),
    ("eve", "Eve <eve@home>"),
    ("farid", "فريد"),
    ("grace", "Grace \"Amazing\" H."),
    ("haruka", "春香"),
    ("ines", "Inês & Co"),
    ("jose", "José, PhD"),
    ("kim", "김민준"),
    ("lovely", "Lovely 💜 Data"),
];

impl User {
    pub(crate) fn draw(seed: u64, index: u64) -> Self {
        let mut stream = RandomStream::of(seed, Purpose::User, index);
        let (short, display) = stream.pick(NAMES);
        Self {
            index,
            id: user_id(index),
            user_name: format!("{short}{index}"),
            display_name: if index.is_multiple_of(5) { (*display).to_owned() } else { format!("{display} {index}") },
            registered: Moment::of(2012, 1, 1).plus_seconds(stream.between(0, 2 * 365 * 86_400) as f64),
            tier: stream.weighted(&[(0, 60), (1, 20), (2, 12), (3, 5), (4, 3)]),
        }
    }
}
