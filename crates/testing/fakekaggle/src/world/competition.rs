//! Competitions: six whose data this repository bundles, so that their notebooks can be executed, and invented ones.

use crate::moment::Moment;
use crate::random::Purpose;
use crate::world::score::Scale;
use nbrevive_loopback::RandomStream;

/// A competition of the world.
#[derive(Debug, Clone, PartialEq)]
pub struct FakeCompetition {
    /// Place in the world's list.
    pub index: u64,
    /// Kaggle's number.
    pub id: u64,
    /// Name in addresses.
    pub slug: String,
    /// Name for people.
    pub title: String,
    /// Two lines about it; with a line break, a comma and quotes, as texts of the dump have.
    pub subtitle: String,
    /// `Featured`, `Playground`, `Getting Started` or `Research`.
    pub category: &'static str,
    /// When it opened. All are older than the first notebook, so that each has notebooks of every year.
    pub enabled: Moment,
    /// When it ended or will end; later submissions are marked.
    pub deadline: Moment,
    /// How its submissions are scored.
    pub scale: Scale,
    /// Whether the account of the server's credentials accepted the rules; the data of the others answers 403.
    pub rules_accepted: bool,
    /// Whether only notebooks may submit.
    pub code_only: bool,
}

/// Slug, title, scale: (short name of the metric, its full name, whether more is better, worst, best, decimals).
type Known = (&'static str, &'static str, (&'static str, &'static str, bool, f64, f64, usize));

const ACCURACY: (&str, &str, bool, f64, f64, usize) = ("Accuracy", "Categorization Accuracy", true, 0.2, 1.0, 5);
const AUC: (&str, &str, bool, f64, f64, usize) =
    ("AUC", "Area Under Receiver Operating Characteristic", true, 0.5, 1.0, 5);
const RMSE: (&str, &str, bool, f64, f64, usize) = ("RMSE", "Root Mean Squared Error", false, 180.0, 48.0, 4);
const LOG_LOSS: (&str, &str, bool, f64, f64, usize) = ("MulticlassLoss", "Multi Class Log Loss", false, 2.4, 0.02, 5);
const LIFT: (&str, &str, bool, f64, f64, usize) = ("Lift", "Skill rating of the agent", true, 0.0, 2400.0, 1);

const KNOWN: &[Known] = &[
    ("iris-species", "Iris Species", ACCURACY),
    ("wine-cultivars", "Wine Cultivars", LOG_LOSS),
    ("breast-cancer-diagnosis", "Breast Cancer Diagnosis", AUC),
    ("diabetes-progression", "Diabetes Progression", RMSE),
    ("handwritten-digits", "Handwritten Digits", ACCURACY),
    ("forest-trails", "Forest Trails", ACCURACY),
    ("house-of-cards-prices", "House of Cards: Advanced \"Price\" Techniques", RMSE),
    ("starship-passengers", "Starship Passengers", ACCURACY),
    ("toxic-tweets-2017", "Toxic Tweets — Challenge (2017)", AUC),
    ("connect-agents", "Connect Agents", LIFT),
    ("store-demand-forecast", "Store & Demand <Forecast>", RMSE),
    ("whale-tails-identification", "Whale Tails 🐋 Identification", LOG_LOSS),
];

impl FakeCompetition {
    pub(crate) fn draw(seed: u64, index: u64) -> Self {
        let (slug, title, scale) = match KNOWN.get(index as usize) {
            Some((slug, title, scale)) => ((*slug).to_owned(), (*title).to_owned(), *scale),
            None => {
                let scale = KNOWN[index as usize % KNOWN.len()].2;
                (format!("tabular-series-{index}"), format!("Tabular Series, Episode {index}"), scale)
            }
        };
        let (abbreviation, name, is_max, worst, best, decimals) = scale;
        let mut stream = RandomStream::of(seed, Purpose::Competition, index);
        let enabled = Moment::of(2014, 6, 1).plus_seconds(stream.between(0, 300 * 86_400) as f64);
        let ended = enabled.plus_seconds(stream.between(200, 3_600) as f64 * 86_400.0);
        let deadline = if index.is_multiple_of(3) { Moment::of(2030, 1, 1) } else { ended };
        Self {
            index,
            id: 3_000 + index * 7,
            subtitle: format!("Predict what matters in \"{title}\",\nand share what you learned"),
            slug,
            title,
            category: *stream.pick(&["Featured", "Playground", "Getting Started", "Research"]),
            enabled,
            deadline,
            scale: Scale { abbreviation, name, is_max, worst, best, decimals },
            rules_accepted: index % 4 != 3,
            code_only: index == 9,
        }
    }

    /// Whether submissions at this moment come too late.
    pub fn is_over(&self, at: Moment) -> bool {
        at > self.deadline
    }
}
