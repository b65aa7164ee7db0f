//! The figures of the paper: 3, 6 and 10a show how versions flow from their outcome at baseline to that under another condition, 2 how
//! long versions ran, 7 to 9 and 10b what fixes did.
//!
//! Parts:
//! - [`flow`]: the counts;
//! - [`layout`]: where bars and ribbons stand, in the units of the picture;
//! - [`draw`]: the picture of a flow;
//! - [`run_time`], [`histogram`]: the counts of Figure 2, and its picture;
//! - [`fix_counts`], [`edits`], [`error_types`], [`approaches`]: the counts of Figures 7, 8, 9 and 10b;
//! - [`chart`], [`bars`], [`boxes`], [`lines`], [`overlap`]: their pictures;
//! - [`canvas`], [`outlines`]: the sheet, and the same picture as SVG and as PNG.

mod approaches;
mod bars;
mod boxes;
mod canvas;
mod chart;
mod charted;
mod draw;
mod edits;
mod error_types;
mod fix_counts;
mod flow;
mod histogram;
mod layout;
mod lines;
mod outlines;
mod overlap;
mod run_time;

#[cfg(test)]
mod any_study_tests;
#[cfg(test)]
mod chart_tests;
#[cfg(test)]
mod run_time_tests;
#[cfg(test)]
mod tests;

use nbrevive_corpus::{Condition, Outcome, Role, Roles};
use serde_json::{Value, json};

use crate::output::Product;
use crate::published::{Printed, Published, PublishedFlow};
use crate::rows::Data;
use crate::source;
use crate::tables::{percent, thousands};
pub use canvas::FigureError;
use canvas::Painting;
pub(crate) use charted::ChartFigure;
use draw::Picture;
use flow::Flow;
pub(crate) use run_time::RunTimeFigure;

/// A flow figure.
pub(crate) struct Figure {
    name: &'static str,
    title: &'static str,
    from: Condition,
    to: Condition,
    flow: Flow,
    source: String,
    study: Value,
    roles: Roles,
    published: Option<Value>,
    /// The published sides in words.
    beside: Option<String>,
}

impl Figure {
    /// Figures 3 and 6, and Figure 10a where the study has the cell level.
    pub(crate) fn all(data: &Data, published: Option<&Published>) -> Vec<Figure> {
        let mut figures = vec![
            Figure::new(
                "3",
                "Figure 3. Outcomes from baseline to backport",
                data.condition(Role::Backport),
                data,
                published.map(|published| (published, &published.figure3)),
            ),
            Figure::new(
                "6",
                "Figure 6. Outcomes from baseline to modernize",
                data.condition(Role::Modernize),
                data,
                published.map(|published| (published, &published.figure6)),
            ),
        ];
        if data.of(Role::Ablation).next().is_some() {
            let title = "Figure 10a. Outcomes from baseline to modernize with error repair at cell level";
            let published = published.and_then(|published| Some((published, published.figure10a.as_ref()?)));
            figures.push(Figure::new("10a", title, data.condition(Role::Ablation), data, published));
        }
        figures
    }

    fn new(
        name: &'static str,
        title: &'static str,
        to: Condition,
        data: &Data,
        published: Option<(&Published, &PublishedFlow)>,
    ) -> Self {
        let from = data.condition(Role::Baseline);
        let flow = Flow::count(data, from, to);
        let source = source_line(data, to, &flow);
        let study = json!(data.study);
        Figure {
            name,
            title,
            from,
            to,
            flow,
            source,
            study,
            roles: data.study.roles.clone(),
            published: published.map(|(published, flow)| published_json(published, flow)),
            beside: published.map(|(published, flow)| published_line(published, flow, from, to)),
        }
    }

    /// The figure's data as JSON, and the picture as SVG and PNG.
    ///
    /// `out` is where the PNG encoder, which knows only files, may leave one for a moment.
    pub(crate) fn products(&self) -> Result<[Product; 3], FigureError> {
        products(self.name, &self.json(), &self.picture())
    }

    fn picture(&self) -> Picture<'_> {
        Picture {
            title: self.title,
            source: &self.source,
            published: self.beside.as_deref(),
            description: self.description(),
            left: condition_label(&self.roles, self.from),
            right: condition_label(&self.roles, self.to),
            flow: &self.flow,
        }
    }

    fn json(&self) -> Value {
        let side = |side: &str, condition: Condition, counts: [u64; 5]| -> Vec<Value> {
            let node = |(outcome, count): (&Outcome, u64)| {
                json!({
                    "id": format!("{condition}:{outcome}"),
                    "label": outcome_label(*outcome),
                    "side": side,
                    "condition": condition,
                    "outcome": outcome,
                    "count": count,
                })
            };
            Outcome::ALL.iter().zip(counts).map(node).collect()
        };
        let link = |(from, to, count): (Outcome, Outcome, u64)| json!({ "from": format!("{}:{from}", self.from), "to": format!("{}:{to}", self.to), "count": count });
        let mut nodes = side("left", self.from, self.flow.left());
        nodes.extend(side("right", self.to, self.flow.right()));
        json!({
            "figure": self.name,
            "title": self.title,
            "source": self.source,
            "study": self.study,
            "nodes": nodes,
            "links": self.flow.links().map(link).collect::<Vec<_>>(),
            "unpaired": self.flow.unpaired(),
            "published": self.published,
        })
    }

    /// The figure in words, for those who cannot see it.
    fn description(&self) -> String {
        if self.flow.total() == 0 {
            return format!("No version has an outcome at {} and at {}.", self.from, self.to);
        }
        let side = |condition: Condition, counts: [u64; 5]| {
            let parts = Outcome::ALL.iter().zip(counts).filter(|(_, count)| *count > 0);
            let parts: Vec<String> = parts
                .map(|(outcome, count)| format!("{} {}", thousands(count), outcome_label(*outcome).to_lowercase()))
                .collect();
            format!("{}: {}.", condition_label(&self.roles, condition), parts.join(", "))
        };
        let link = |(from, to, count): (Outcome, Outcome, u64)| {
            let (from, to) = (outcome_label(from).to_lowercase(), outcome_label(to).to_lowercase());
            format!("{} from {from} to {to}", thousands(count))
        };
        let links: Vec<String> = self.flow.links().map(link).collect();
        format!(
            "{} {} Flows: {}. {}",
            side(self.from, self.flow.left()),
            side(self.to, self.flow.right()),
            links.join("; "),
            [Some(self.source.as_str()), self.beside.as_deref()].into_iter().flatten().collect::<Vec<_>>().join(" ")
        )
    }
}

/// A figure's three files.
fn products(figure: &str, json: &Value, picture: &impl Painting) -> Result<[Product; 3], FigureError> {
    let name = |extension: &str| format!("figures/figure{figure}.{extension}");
    Ok([
        Product::text(name("json"), format!("{json:#}\n")),
        Product::text(name("svg"), picture.svg()?),
        Product::new(name("png"), picture.png()?),
    ])
}

fn source_line(data: &Data, to: Condition, flow: &Flow) -> String {
    let counted = source::plural(flow.total(), "version");
    let unpaired = match flow.unpaired() {
        0 => String::new(),
        count => format!("; {} left out, with an outcome under only one of the two", source::plural(count, "version")),
    };
    format!("Ours: {counted} under baseline and {to}{unpaired}; {}.", source::study_line(&data.study))
}

fn published_json(published: &Published, flow: &PublishedFlow) -> Value {
    let side = |side: &str, counts: &std::collections::BTreeMap<Outcome, Printed>| -> Vec<Value> {
        let node = |(outcome, printed): (&Outcome, &Printed)| json!({ "outcome": outcome, "side": side, "printed": printed.text(), "count": printed.count() });
        counts.iter().map(node).collect()
    };
    let mut nodes = side("left", &flow.from);
    nodes.extend(side("right", &flow.to));
    json!({
        "source": source::published(&published.paper, &flow.section, &flow.population),
        "paper": published.paper,
        "section": flow.section,
        "nodes": nodes,
    })
}

/// The published sides of a flow in words.
fn published_line(published: &Published, flow: &PublishedFlow, from: Condition, to: Condition) -> String {
    let side = |condition: Condition, counts: &std::collections::BTreeMap<Outcome, Printed>| {
        let parts: Vec<String> = counts
            .iter()
            .map(|(outcome, printed)| format!("{} {}", printed.text(), outcome_label(*outcome).to_lowercase()))
            .collect();
        format!("{condition} {}", parts.join(", "))
    };
    format!(
        "Published ({}, section {}): {}; {}.",
        published.paper.authors,
        flow.section,
        side(from, &flow.from),
        side(to, &flow.to)
    )
}

/// An outcome as people read it.
const fn outcome_label(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::ErrorFreeReproducible => "Error-free reproducible",
        Outcome::ErrorReproducible => "Error reproducible",
        Outcome::ErrorFreeNonReproducible => "Error-free non-reproducible",
        Outcome::ErrorNonReproducible => "Error non-reproducible",
        Outcome::Failed => "Failed",
    }
}

fn condition_label(roles: &Roles, condition: Condition) -> &'static str {
    match roles.role(condition) {
        Role::Baseline => "Baseline",
        Role::Backport => "Backport",
        Role::Modernize => "Modernize",
        Role::Ablation => "Modernize, cell level",
        Role::Further => condition.as_str(),
    }
}

/// A count with its share of the whole.
fn count_label(count: u64, total: u64) -> String {
    format!("{} ({})", thousands(count), percent((total > 0).then(|| count as f64 / total as f64)))
}
